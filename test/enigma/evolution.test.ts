// Loading saves into other revisions of their objects (formats/enigma.md §5): the pairs of the manifest, and what can be told without the old schema.
import { expect, onTestFinished, test, vi } from "vitest";
import { type EnigmaClassRestoration, type EnigmaValue, readEnigma, restoreEnigma, writeEnigma } from "../../src/enigma/index.ts";
import { parseType } from "../../src/enigma/value-type.ts";
import { fromValue, hex } from "./notation.ts";
import { gameOf, instanceOf, schemaFor } from "./samples.ts";
import { fileOf, manifest, schemaOf, vectorOf } from "./vectors.ts";

function shown(type: string, value: EnigmaValue, json: boolean) {
  return fromValue(parseType(type), value, json);
}

/** A class in the manifest's notation. */
function shownClass(result: EnigmaClassRestoration, json: boolean) {
  expect(result.damaged).toEqual([]);
  return {
    class: result.class,
    kept: result.kept.map(({ name, type, value }) => ({ name, type, value: shown(type, value, json) })),
    retyped: result.retyped.map(({ name, savedType, loadType, savedValue, raw, lengthMatches, reinterpreted }) => ({
      name,
      savedType,
      loadType,
      savedValue: shown(savedType!, savedValue as EnigmaValue, json),
      ...(json ? {} : { raw: hex(raw!), lengthMatches }),
      ...(lengthMatches ? { reinterpreted: shown(loadType, reinterpreted as EnigmaValue, json) } : {}),
    })),
    added: result.added,
    dropped: result.dropped,
  };
}

test("every evolution pair gives its result", () => {
  let ran = 0;
  for (const pair of manifest.evolution) {
    const vector = vectorOf(pair.vector);
    const game = readEnigma(fileOf(vector), { schema: manifest.schemas[pair.savedSchema]! });
    const { active, inactive } = restoreEnigma(game, manifest.schemas[pair.loadSchema]!);
    const json = vector.backend === "json";
    const found = [...active, ...inactive].map(({ id, objectIndex, classes }) => ({
      id,
      objectIndex,
      classes: classes.map((result) => shownClass(result, json)),
    }));
    expect(found, pair.id).toEqual(pair.instances);
    ran++;
  }
  expect(ran).toBe(14);
});

test("without the old schema, a value that is exactly one of the new type is kept, another is retyped", () => {
  const vector = vectorOf("bin-evo-unitA");
  const { active } = restoreEnigma(readEnigma(fileOf(vector)), manifest.schemas.unitC!);
  const [result] = active[0]!.classes;
  expect(result!.kept.map(({ name }) => name)).toEqual(["flags", "gone", "lives"]);
  expect(result!.retyped.map(({ name, savedType, lengthMatches }) => ({ name, savedType, lengthMatches }))).toEqual(
    ["hp", "label", "score"].map((name) => ({ name, savedType: undefined, lengthMatches: false })),
  );
});

test("in JSON a change of type shows where the form does not fit", () => {
  const { active } = restoreEnigma(readEnigma(fileOf(vectorOf("json-evo-unitA"))), manifest.schemas.unitC!);
  const [result] = active[0]!.classes;
  expect(result!.kept.map(({ name }) => name)).toEqual(["flags", "gone", "lives"]);
  expect(result!.retyped.map(({ name }) => name)).toEqual(["hp", "label", "score"]);
});

test("an object that the current revision lacks is unresolved", () => {
  const vector = vectorOf("bin-one-instance");
  const { active } = restoreEnigma(readEnigma(fileOf(vector), { schema: schemaOf(vector) }), { objects: [] });
  expect(active).toEqual([{ id: 100001, objectIndex: 0, classes: [], unresolved: "unknown-object" }]);
});

test("another number of classes is unresolved, and the reader reports it and keeps the variables raw", () => {
  const vector = vectorOf("bin-evo-treeA");
  const schema = { objects: manifest.schemas.treeA!.objects.map((object) => ({ ...object, parent: null })) };
  const codes: string[] = [];
  const game = readEnigma(fileOf(vector), { schema, onWarning: ({ code }) => codes.push(code) });
  expect(codes).toEqual(["class-count"]);
  const kid = game.active.find(({ objectIndex }) => objectIndex === 1)!;
  expect(kid.classes.flatMap(({ locals }) => locals.map(({ name, type, raw }) => [name, type, raw instanceof Uint8Array]))).toEqual(
    ["alpha", "beta", "delta", "gamma"].map((name) => [name, undefined, true]),
  );
  expect(restoreEnigma(game, schema).active.find(({ objectIndex }) => objectIndex === 1)!.unresolved).toBe("class-count");
});

test("a damaged variable is neither kept nor retyped", () => {
  const vector = vectorOf("bin-damaged-local-type");
  const { active } = restoreEnigma(readEnigma(fileOf(vector), { schema: schemaOf(vector) }), schemaOf(vector));
  expect(active[0]!.classes[0]!.damaged.map(({ name, type }) => [name, type])).toEqual([["barfoo", "var"]]);
  expect(active[0]!.classes[0]!.kept.map(({ name }) => name)).toEqual(["foobar"]);
});

test("a damaged variable has what could be recovered of it", () => {
  const vector = vectorOf("bin-array2d-ctor");
  const game = readEnigma(fileOf(vector), { schema: schemaOf(vector) });
  const { name, raw, recovered } = game.active[0]!.classes[0]!.locals[0]!;
  const [result] = restoreEnigma(game, schemaOf(vector)).active[0]!.classes;
  expect(recovered).toBeDefined();
  expect(result!.damaged).toEqual([{ name, type: "var", raw, recovered }]);
});

test("a variable is dropped without a type where none is known, also one whose name is bytes", () => {
  const raw = Uint8Array.of(1);
  const name = Uint8Array.of(0xff);
  const game = gameOf([
    instanceOf(1, [
      { name: "a", raw },
      { name, raw },
    ]),
  ]);
  expect(restoreEnigma(game, schemaFor({})).active[0]!.classes[0]!.dropped).toEqual([{ name: "a" }, { name }]);
});

test("a name that a program gives as bytes is the string that would be read", () => {
  for (const name of [Buffer.from("hp"), new Uint8Array(Buffer.from("hp"))]) {
    const game = gameOf([instanceOf(1, [{ name, type: "u8", value: 1 }])]);
    for (const [types, expected] of [
      [{ hp: "u8" }, { kept: [{ name: "hp", type: "u8", value: 1 }], dropped: [], added: [] }],
      [{}, { kept: [], dropped: [{ name: "hp", type: "u8" }], added: [] }],
    ] as const)
      expect(restoreEnigma(game, schemaFor(types)).active[0]!.classes[0]).toMatchObject(expected);
  }
});

test("a variable of one class is not looked for in all ancestors", () => {
  const objects = Array.from({ length: 300 }, (_, index) => ({
    index,
    name: `o${index}`,
    parent: index > 0 ? `o${index - 1}` : null,
    locals: [{ name: `v${index}`, type: "var" }],
  }));
  const get = vi.spyOn(Map.prototype, "get");
  onTestFinished(() => get.mockRestore());
  restoreEnigma(gameOf([]), { objects });
  expect(get.mock.calls.length).toBeLessThan(3000);
});

test("a variable that another branch declares, too, is a class's own", () => {
  const locals = [{ name: "v", type: "u8" }];
  const kid = (index: number, parent: string) => ({ index, name: `kid${index}`, parent, locals });
  const objects = [{ index: 0, name: "base", locals: [] }, kid(1, "base"), kid(2, "base"), kid(3, "kid2")];
  const instance = { ...instanceOf(1, [], 3), classes: Array.from({ length: 3 }, () => ({ locals: [] })) };
  const [restored] = restoreEnigma(gameOf([instance]), { objects }).active;
  expect(restored!.classes.map(({ added }) => added)).toEqual([[], locals, []]);
});

test("in JSON a text behind the value of a variable is none of its type", () => {
  const game = { ...gameOf([instanceOf(1, [{ name: "v", raw: new Uint8Array(Buffer.from("5 6")) }])]), backend: "json" as const };
  const [result] = restoreEnigma(game, schemaFor({ v: "i32" })).active[0]!.classes;
  expect([result!.kept, result!.retyped.length]).toEqual([[], 1]);
});

test("the bytes of a retyped variable are those of the file, also where it would be written otherwise", () => {
  const vector = vectorOf("bin-array1d-dense-padded");
  const blind = readEnigma(fileOf(vector)).active[0]!.classes[0]!.locals[0]!;
  expect(blind.raw!.length).toBe(281);
  const { objectIndex } = readEnigma(fileOf(vector)).active[0]!;
  const next = schemaFor({ [blind.name as string]: "string" }, objectIndex);
  const game = readEnigma(fileOf(vector), { schema: schemaOf(vector) });
  expect(restoreEnigma(game, next).active[0]!.classes[0]!.retyped[0]!.raw).toEqual(blind.raw);
  // Once it is written, or changed by hand, its bytes are the new ones.
  const compact = readEnigma(writeEnigma(game), { schema: schemaOf(vector) });
  expect(restoreEnigma(compact, next).active[0]!.classes[0]!.retyped[0]!.raw!.length).toBe(93);
  game.active[0]!.classes[0]!.locals[0]!.value = 5;
  expect(restoreEnigma(game, next).active[0]!.classes[0]!.retyped[0]!.raw!.length).toBe(57);
});

test("in JSON the text of a retyped variable is never taken for bytes of the new type", () => {
  const json = writeEnigma(gameOf([instanceOf(1, [{ name: "v", type: "i32", value: 5 }])]), { backend: "json" });
  const [result] = restoreEnigma(readEnigma(json), schemaFor({ v: "string" })).active[0]!.classes;
  expect(result!.retyped).toEqual([{ name: "v", loadType: "string", raw: Uint8Array.of(0x35) }]);
});

test("a value that was changed to one that is not of the saved type is retyped, without bytes", () => {
  for (const [type, value] of [
    ["i32", "abc"],
    ["vector<string>", ["x".repeat(30)]],
    ["map<i32,i32>", [1]],
  ] as const) {
    const game = gameOf([instanceOf(1, [{ name: "v", type, value: value as EnigmaValue }])]);
    const [result] = restoreEnigma(game, schemaFor({ v: "f64" })).active[0]!.classes;
    expect(result!.retyped).toEqual([{ name: "v", savedType: type, loadType: "f64", savedValue: value }]);
  }
});

test("a boolean byte above 1 is reinterpreted as it is", () => {
  const bytes = writeEnigma(gameOf([instanceOf(1, [{ name: "v", type: "u8", value: 2 }])]));
  const game = readEnigma(bytes, { schema: schemaFor({ v: "bool" }) });
  const [result] = restoreEnigma(game, schemaFor({ v: "u8" })).active[0]!.classes;
  expect(result!.retyped[0]).toMatchObject({ savedValue: true, raw: Uint8Array.of(2), lengthMatches: true, reinterpreted: 2 });
});
