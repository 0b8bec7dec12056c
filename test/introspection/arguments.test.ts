// What is said of arguments that mean nothing.
import { expect, test } from "vitest";
import {
  bindIntrospection,
  getIntrospectionValue,
  IntrospectionDatabase,
  type IntrospectionDocument,
  introspectionFromJson,
  readIntrospection,
  readIntrospectionAll,
  setIntrospectionValue,
  writeIntrospection,
  writeIntrospectionAll,
  writeIntrospectionDocument,
} from "../../src/introspection/index.ts";
import { withMemberOfAll } from "../member-of-all.ts";
import { errorOf } from "./error-code.ts";

const text = "oPlayer = 7\n{\n\t_hp : int = 80\n}\n";
const definitions = { oPlayer: [{ name: "_hp", types: ["int"] }] };
const document = readIntrospection(text);

test.each([
  null,
  5,
  [],
  new Uint8Array(8),
  new ArrayBuffer(8),
  new Map(),
  { mode: "old" },
  { floats: 5 },
  { newline: "x" },
  { limits: 5 },
  { limits: new Map() },
  { limits: { maxdepth: 5 } },
  { limits: { visited: 5 } },
  { limits: { maxDepth: Number.NaN } },
  { limits: Object.create({ maxDepth: Number.NaN }) },
  Promise.resolve({}),
])("the options %j are refused", (given) => {
  const options = given as never;
  for (const call of [
    () => readIntrospection(text, options),
    () => readIntrospectionAll(text, options),
    () => writeIntrospection(definitions, document, options),
    () => writeIntrospectionDocument(document, options),
    () => writeIntrospectionAll([document], options),
    () => writeIntrospectionAll([], options),
    () => bindIntrospection(document, definitions, options),
    () => getIntrospectionValue(document, ["_hp"], options),
    () => setIntrospectionValue(document, ["_hp"], 5, options),
  ])
    expect(errorOf(call)).toBe("bad-option");
  expect(document).toEqual(readIntrospection(text));
});

test.each([{ instances: 5 }, { structures: 5 }, { instances: null }, { structures: "s" }])(
  "the tables %j are refused, also where nothing is looked up in them",
  (given) => {
    const options = given as never;
    for (const call of [
      () => writeIntrospection(definitions, document, options),
      () => writeIntrospectionDocument(document, options),
      () => bindIntrospection(document, definitions, options),
      () => setIntrospectionValue(document, ["_hp"], 5, options),
    ])
      expect(errorOf(call)).toBe("bad-option");
    expect(document).toEqual(readIntrospection(text));
  },
);

test.each([5, null, undefined, Buffer.from(text)])("the text %j is refused", (given) => {
  for (const read of [readIntrospection, readIntrospectionAll]) expect(errorOf(() => read(given as never))).toBe("bad-option");
});

test("an enumerable member of all objects is no option, and nothing of a layout", () => {
  const { again, written } = withMemberOfAll(() => {
    const again = introspectionFromJson(readIntrospection(text, {}));
    return { again, written: writeIntrospectionDocument(again, {}) };
  });
  expect(again).toEqual(introspectionFromJson(document));
  expect(written).toBe(writeIntrospectionDocument(introspectionFromJson(document), {}));
});

test("options that are inherited count for what is inside, too", () => {
  const defined = {
    oBoat: [
      { name: "_owner", types: ["object"] },
      { name: "_crew", types: ["list", "object"] },
      { name: "_at", types: ["custom"], extra: { structure: "point" } },
    ],
    ...definitions,
  };
  const player = { object: "oPlayer", id: 7, variables: { _hp: 80 } };
  const boat = { object: "oBoat", id: 8, variables: { _owner: 7, _crew: [7], _at: { x: 1 } } };
  const point = {
    toFields: ({ x }: { x: number }) => [{ name: "x", types: ["int"], value: x }],
    fromFields: ([{ value }]: { value: unknown }[]) => ({ x: value }),
  };
  const options = Object.create({ instances: { 7: player }, structures: { point }, definitions: defined });
  const read = readIntrospection(writeIntrospection(defined, boat, options).text);
  expect(bindIntrospection(read, defined, options)).toEqual({ ...boat, variables: { _owner: player, _crew: [player], _at: { x: 1 } } });
  setIntrospectionValue(read, ["_at"], { x: 5 }, options);
  setIntrospectionValue(read, ["_crew"], [7, 7], options);
  expect(getIntrospectionValue(read, ["_at"], options)).toEqual({ x: 5 });
  expect(getIntrospectionValue(read, ["_crew"], options)).toEqual([player, player]);
  expect(errorOf(() => bindIntrospection(read, defined, Object.create({ limits: { maxDepth: 1 } })))).toMatch(/^depth-limit/);
});

test("definitions that are null are none, nothing else is", () => {
  for (const given of ["", 0, false])
    expect(errorOf(() => readIntrospection(text, { definitions: given as never }))).toMatch(/^undefined-object|^bad-/);
  expect(readIntrospection(text, { definitions: null as never })).toEqual(document);
});

test("limits that are not given are the default ones", () => {
  expect(readIntrospection(text, { limits: { maxDepth: undefined } })).toEqual(document);
});

test.each([undefined, null, 5, {}])("%j is no document", (given) => {
  const none = given as never as IntrospectionDocument;
  expect(errorOf(() => bindIntrospection(none, definitions))).toBe("bad-document");
  expect(errorOf(() => getIntrospectionValue(none, ["_hp"]))).toBe("bad-document");
  expect(errorOf(() => setIntrospectionValue(none, ["_hp"], 5))).toBe("bad-document");
  expect(errorOf(() => getIntrospectionValue(document, given as never))).toBe("bad-path");
});

const holding = (node: unknown) => ({ type: "object", object: "oPlayer", id: 1, variables: [node] }) as never as IntrospectionDocument;

test.each([
  { type: "asset", kind: "sprite" },
  { type: "asset", kind: "sprite", asset: 5 },
  { type: "asset", asset: "sPlayer" },
  { type: "asset", kind: ["sprite"], asset: null },
  { type: "custom", fields: [] },
  { type: "custom", structure: null, fields: [] },
  { type: "object", id: 1, variables: [] },
  { type: "object", object: true, id: 1, variables: [] },
  { type: "enum", member: "A", index: 3 },
  { type: "enum", member: 5, index: 3 },
  { type: "enum" },
  { type: "grid", width: 0, height: "x", columns: [] },
  { type: "grid", width: 0, height: -1, columns: [] },
  { type: "grid", width: 0, columns: [] },
])("the node %j has no text", (node) => {
  const wrong = holding({ name: "_v", ...node });
  expect(errorOf(() => writeIntrospectionDocument(wrong))).toMatch(/^bad-document/);
  expect(errorOf(() => introspectionFromJson(JSON.parse(JSON.stringify(wrong))))).toMatch(/^bad-document/);
});

test.each([
  { type: "object", id: 1, variables: [] },
  { ...document, object: 5 },
  { ...document, object: undefined },
])("a document with an object's name that is none: %j", (wrong) =>
  expect(errorOf(() => introspectionFromJson(wrong))).toMatch(/^bad-document/),
);

test.each([
  { type: "list", items: {} },
  { type: "array" },
  { type: "list", items: [null] },
  { type: "map", entries: 5 },
  { type: "grid", width: 1, height: 1, columns: [null] },
  { type: "grid", width: 2, height: 1, columns: [[5]] },
  { type: "custom", structure: "s" },
  { type: "object", object: "o", id: 1, variables: {} },
])("binding a document that holds %j", (node) => {
  const defined = { oPlayer: [{ name: "_v", types: [node.type, "int"], extra: { structure: "s" } }], o: [] };
  expect(errorOf(() => bindIntrospection(holding({ name: "_v", ...node }), defined))).toMatch(/^bad-document at \._v/);
});

test("an instance without variables is none", () => {
  for (const variables of [null, undefined, 5])
    expect(errorOf(() => writeIntrospection(definitions, { object: "oPlayer", id: 1, variables } as never))).toBe("bad-document");
});

test.each(["x", "\n\n", 5, null])("the final newline %j is refused", (given) => {
  const options = { finalNewline: given } as never;
  expect(errorOf(() => writeIntrospectionAll([document], options))).toBe("bad-option");
  expect(errorOf(() => writeIntrospection(definitions, document, options))).toBe("bad-option");
});

test.each([null, undefined, 5, "", [], document])("%j is no list of documents", (given) => {
  expect(errorOf(() => writeIntrospectionAll(given as never))).toBe("bad-document");
});

test("definitions that are none", () => {
  expect(errorOf(() => new IntrospectionDatabase(null as never))).toBe("bad-definition");
  expect(errorOf(() => new IntrospectionDatabase({ o: new Array(1) }).variables("o"))).toBe("bad-definition");
  expect(errorOf(() => new IntrospectionDatabase({ o: 5 as never }).variables("o"))).toBe("bad-definition");
});

test.each([
  [null, "bad-option at .v"],
  [{}, "bad-option at .v"],
  [{ toFields: 5 }, "bad-option at .v"],
  [{ toFields: () => undefined }, "bad-option at .v"],
  [{ toFields: () => [null] }, "bad-definition"],
  [{ toFields: () => [{ name: "a", value: 1 }] }, "bad-definition"],
])("the structure %o has no fields", (registration, error) => {
  const defined = { o: [{ name: "v", types: ["custom"], extra: { structure: "s" } }] };
  const options = { structures: { s: registration as never } };
  expect(errorOf(() => writeIntrospection(defined, { object: "o", id: 1, variables: { v: {} } }, options))).toBe(error);
});

test("an asset without its kind is a bad definition", () => {
  const write = () => writeIntrospection({ o: [{ name: "a", types: ["asset"] }] }, { object: "o", id: 1, variables: { a: "spr" } });
  expect(write).toThrow(expect.objectContaining({ code: "bad-definition", path: ".a" }));
});
