// Games that a program hands over: what would be lost, or written so that it is read as something else, is refused with its path.
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  type EnigmaInstance,
  type EnigmaLocal,
  NanBits,
  readEnigma,
  restoreEnigma,
  TuskError,
  writeEnigma,
} from "../../src/enigma/index.ts";
import { gameOf, instanceOf, schemaFor } from "./samples.ts";

const BACKENDS = ["binary", "json"] as const;
const local = (name: unknown, value: unknown = 1) => ({ name, type: "var", value }) as EnigmaLocal;
const ascii = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));

/** A game of one such instance, and of as many as the kernel takes. */
function gamesOf(locals: unknown, more: object = {}, backend: "binary" | "json" = "binary") {
  const instance = { ...instanceOf(1, locals as never), ...more };
  return [1, 8].map((length) => ({ ...gameOf(Array.from({ length }, () => instance)), backend }));
}

function refusal(operation: () => unknown): object {
  try {
    operation();
  } catch (error) {
    expect(error).toBeInstanceOf(TuskError);
    const { code, path } = error as TuskError;
    return path === undefined ? { code } : { code, path };
  }
  return { code: "no error" };
}

/** Both are refused with this path inside the first instance. */
function expectRefused(games: ReturnType<typeof gamesOf>, path: string): void {
  for (const game of games) expect(refusal(() => writeEnigma(game))).toEqual({ code: "unwritable", path: `.active[0].${path}` });
}

/** A JSON save whose list of locals has this text. */
function saveOfLocals(text: string) {
  const document = Buffer.from(writeEnigma(gamesOf([], {}, "json")[0]!))
    .subarray(0, -20)
    .toString("latin1");
  const payload = Buffer.from(
    document.replace('"locals":[', () => `"locals":[${text}`),
    "latin1",
  );
  return new Uint8Array(Buffer.concat([payload, createHash("sha1").update(payload).digest()]));
}

test("a symbol table with names twice, or as bytes, gives the order of the variables that are there", () => {
  for (const [table, order] of [
    [
      ["b", "b", "x", "a"],
      ["b", "a"],
    ],
    [
      ["a", "a", "b"],
      ["a", "b"],
    ],
    [
      [ascii("b"), "b"],
      ["b", "a"],
    ],
    [
      ["x", "x"],
      ["a", "b"],
    ],
  ] as const) {
    const classes = [{ table, locals: [local("a"), local("b", 2)] }];
    for (const game of gamesOf([], { classes }))
      for (const { classes } of readEnigma(writeEnigma(game), { schema: schemaFor({ a: "var", b: "var" }) }).active)
        expect(classes[0]).toEqual({ class: "obj", table: order, locals: [local("a"), local("b", 2)] });
  }
});

describe.each(BACKENDS)("writing with the %s backend refuses", (backend) => {
  test("a variable of which a class has two", () => {
    for (const locals of [
      [local("a"), local("a", 2)],
      [local("b"), local("a"), local("b", 2)],
      [local(ascii("a")), local("a")],
    ])
      expectRefused(gamesOf(locals, {}, backend), `classes[0].${locals.at(-1)!.name}`);
    const bytes = Uint8Array.of(0xff);
    expectRefused(gamesOf([local(bytes), local(bytes.slice())], {}, backend), "classes[0].<1 bytes>");
  });

  test.each([undefined, null, 5, {}, Symbol("a"), [97]])("the name %s", (name) => {
    expectRefused(gamesOf([local(name)], {}, backend), "classes[0].locals[0].name");
    expectRefused(gamesOf([local("a"), local(name)], {}, backend), "classes[0].locals[1].name");
  });

  test("entries that are no arrays of two elements", () => {
    const { timelines } = instanceOf(1);
    for (const entry of ["99xyz", [7], [7, 2, "lost"], [], null, { 0: 7, 1: 2, length: 2 }]) {
      const maps = { timelines: { ...timelines, timeline_moments_maps: [[], [[1, 2], entry]] } };
      expectRefused(gamesOf([], maps, backend), "timelines.timeline_moments_maps[1][1]");
    }
    for (const entry of ["ab", ["q"], ["q", 1, "lost"], [], null])
      expectRefused(gamesOf([], { vmap: [["a", 1], entry] }, backend), "vmap[1]");
    const empty = { max: 0, dense: [], sparse: [] };
    const arrays = (sparse: unknown[]) => local("a", { value: 0, array1d: { ...empty, sparse }, array2d: empty });
    const rows = (sparse: unknown[]) => local("a", { value: 0, array1d: empty, array2d: { ...empty, sparse } });
    for (const entry of [[7], [7, 2, "lost"], { 0: 7, 1: 2, length: 2 }]) {
      expectRefused(gamesOf([arrays([[1, 2], entry])], {}, backend), "classes[0].a.array1d.sparse[1]");
      expectRefused(gamesOf([], { vmap: [["q", arrays([entry]).value]] }, backend), "vmap.q.array1d.sparse[0]");
    }
    expectRefused(gamesOf([rows([[7, empty, "lost"]])], {}, backend), "classes[0].a.array2d.sparse[0]");
    expectRefused(
      gamesOf([rows([[7, { ...empty, sparse: [[7, 2, "lost"]] }]])], {}, backend),
      "classes[0].a.array2d.sparse[0][1].sparse[0]",
    );
  });

  test("what is no list, no table, no class", () => {
    const { timelines } = instanceOf(1);
    const maps = (given: unknown) => ({ timelines: { ...timelines, timeline_moments_maps: given } });
    expectRefused(gamesOf([], maps(5), backend), "timelines.timeline_moments_maps");
    expectRefused(gamesOf([], maps([[], 5]), backend), "timelines.timeline_moments_maps[1]");
    expectRefused(gamesOf([], maps([[[2 ** 31, 0]]]), backend), "timelines.timeline_moments_maps[0][0][0]");
    expectRefused(gamesOf([], { vmap: 5 }, backend), "vmap");
    expectRefused(gamesOf([], { classes: [] }, backend), "classes");
    expectRefused(gamesOf([], { classes: 5 }, backend), "classes");
    for (const table of [undefined, null, {}, { max: 0, dense: [] }, { max: 0, sparse: [] }])
      expectRefused(
        gamesOf([local("a", { value: 0, array1d: table, array2d: { max: 0, dense: [], sparse: [] } })], {}, backend),
        "classes[0].a.array1d",
      );
  });

  test("a variable that has neither a type nor bytes", () => {
    for (const value of [5, undefined])
      for (const game of gamesOf([local("a"), { name: "b", value }], {}, backend))
        expect(refusal(() => writeEnigma(game))).toEqual({ code: "schema-needed", path: ".active[0].classes[0].b" });
    const damaged = { name: "b", damaged: true, raw: new Uint8Array(1), recovered: 5 };
    for (const game of gamesOf([local("a"), damaged], {}, backend))
      expect(refusal(() => writeEnigma(game))).toEqual({ code: "schema-needed", path: ".active[0].classes[0].b" });
  });

  test("a variable of a type that is none", () => {
    const damaged = { name: "b", type: "vector<nope>", damaged: true, raw: new Uint8Array(1), recovered: 5 };
    for (const wrong of [{ name: "b", type: "nope", value: 5 }, { name: "b", type: "pair<i8>", value: [1, 2] }, damaged])
      for (const game of gamesOf([local("a"), wrong], {}, backend))
        expect(refusal(() => writeEnigma(game))).toEqual({ code: "schema", path: ".active[0].classes[0].b" });
  });

  test("no timeline of thousands of moments, nor a text that is bytes of any length", () => {
    const moments = Array.from({ length: 9000 }, (_, i) => [i, 7 - i]);
    const vmap = [100, 100_000].map((length) => [`a${length}`, new Uint8Array(length).fill(0xfe)]);
    const more = { timelines: { ...instanceOf(1).timelines, timeline_moments_maps: [[], moments] }, vmap };
    for (const game of gamesOf([], more, backend))
      for (const read of readEnigma(writeEnigma(game)).active) expect([read.timelines, read.vmap]).toEqual([more.timelines, vmap]);
  });

  test("no number of symbol tables that begin with one name", () => {
    const tables = Array.from({ length: 60 }, (_, n) => ["a", ...Array.from({ length: n % 30 }, (_, i) => `${n}-${i}`)]);
    const instances = tables.map((names, id) =>
      instanceOf(
        id,
        names.map((name) => local(name, id)).sort((x, y) => (x.name < y.name ? -1 : 1)),
      ),
    );
    const types = Object.fromEntries(tables.flat().map((name) => [name, "var"]));
    const { active } = readEnigma(writeEnigma({ ...gameOf(instances), backend }), { schema: schemaFor(types) });
    expect(active.map(({ classes }) => classes[0]!.locals)).toEqual(instances.map(({ classes }) => classes[0]!.locals));
  });

  test("no number of tables of other lengths behind the same names", () => {
    const given = [["a", "b"], ["a", "b", "gone"], ["b", "a"], undefined];
    const instances = given.map((table, id) => {
      const instance = instanceOf(id, [local("a", id), local("b", -id)]);
      return { ...instance, classes: [{ ...instance.classes[0]!, table }] };
    });
    const { active } = readEnigma(writeEnigma({ ...gameOf(instances), backend }), { schema: schemaFor({ a: "var", b: "var" }) });
    expect(active.map(({ classes }) => classes[0]!.locals)).toEqual(instances.map(({ classes }) => classes[0]!.locals));
    if (backend === "binary")
      expect(active.map(({ classes }) => classes[0]!.table)).toEqual([
        ["a", "b"],
        ["a", "b"],
        ["b", "a"],
        ["a", "b"],
      ]);
  });

  test("no name or index that is there twice, where none is lost", () => {
    const { timelines } = instanceOf(1);
    const pairs = (key: unknown) => [1, 2].map((element) => [key, element]);
    const value = { value: 0, array1d: { max: 8, dense: [], sparse: pairs(7) }, array2d: { max: 0, dense: [], sparse: [] } };
    const twice = { vmap: pairs("q"), timelines: { ...timelines, timeline_moments_maps: [pairs(3)] } };
    for (const game of gamesOf([local("a", value)], twice, backend))
      for (const read of readEnigma(writeEnigma(game), { schema: schemaFor({ a: "var" }) }).active) {
        expect([read.vmap, read.timelines]).toEqual([twice.vmap, twice.timelines]);
        expect(read.classes[0]!.locals).toEqual([local("a", value)]);
      }
  });
});

test("a name that is a Buffer is told from others by its bytes", () => {
  const local = (name: Uint8Array, value: number): EnigmaLocal => ({ name, type: "u8", value });
  for (const game of gamesOf([local(Buffer.from([255]), 1), local(Buffer.from([254]), 2)]))
    for (const { classes } of readEnigma(writeEnigma(game)).active)
      expect(classes[0]!.locals.map(({ name }) => name)).toEqual([Uint8Array.of(254), Uint8Array.of(255)]);
  const twice = gamesOf([local(Buffer.from([255]), 1), local(Uint8Array.of(255), 2)]);
  for (const game of twice)
    expect(refusal(() => writeEnigma(game))).toEqual({ code: "unwritable", path: ".active[0].classes[0].<1 bytes>" });
});

test("of a variable with bytes and a value the bytes are written, in lists of any length", () => {
  const raw = Uint8Array.of(9, 9, 9);
  for (const value of [42, "text"])
    for (const damaged of [undefined, true] as const)
      for (const option of ["recovered", "raw", "error"] as const)
        for (const game of gamesOf([{ ...local("v", value), raw, damaged }])) {
          const codes: string[] = [];
          const write = () => writeEnigma(game, { damaged: option, onWarning: ({ code }) => codes.push(code) });
          if (damaged && option === "error") expect(refusal(write)).toEqual({ code: "damaged-local", path: ".active[0].classes[0].v" });
          else {
            for (const { classes } of readEnigma(write()).active) expect(classes[0]!.locals).toEqual([{ name: "v", raw }]);
            expect(codes).toEqual(damaged ? game.active.map(() => "damaged-local") : []);
          }
        }
});

test("a bigint or symbol where a number belongs is refused with the path, in lists of any length", () => {
  for (const wrong of [1n, Symbol("wrong")])
    for (const backend of BACKENDS) {
      expectRefused(gamesOf([], { id: wrong }, backend), "id");
      const ids = [1, wrong, 3, 4].map((id) => ({ ...instanceOf(1), id }) as EnigmaInstance);
      expect(refusal(() => writeEnigma(gameOf(ids), { backend }))).toEqual({ code: "unwritable", path: ".active[1].id" });
      expectRefused(gamesOf([], { objectIndex: wrong }, backend), "objectIndex");
      const moments = { ...instanceOf(1).timelines, timeline_moments_maps: [[[0, wrong]]] };
      expectRefused(gamesOf([], { timelines: moments }, backend), "timelines.timeline_moments_maps[0][0][1]");
    }
});

test("an undefined variant in a container is written as the number 0, with a warning, in lists of any length", () => {
  for (const game of gamesOf([{ name: "v", type: "vector<variant>", value: ["x", undefined] }])) {
    const codes: string[] = [];
    const save = writeEnigma(game, { onWarning: ({ code }) => codes.push(code) });
    expect(codes).toEqual(["undefined-as-zero"]);
    for (const { classes } of readEnigma(save, { schema: schemaFor({ v: "vector<variant>" }) }).active)
      expect(classes[0]!.locals[0]!.value).toEqual(["x", 0]);
  }
});

test("a document with a variable twice is written as it was", () => {
  for (const text of ['{"name":"a","data":1},{"name":"a","data":2}', '{"name":"b","data":1},{"name":"a","data":2},{"name":"b","data":3}']) {
    const save = saveOfLocals(text);
    const game = readEnigma(save);
    expect(game.order).toBe("kept");
    expect(writeEnigma(game)).toEqual(save);
    expect(refusal(() => writeEnigma({ ...game, order: undefined }))).toMatchObject({ code: "unwritable" });
  }
});

test("the text of a variable is one JSON value", () => {
  const write = (raw: string, more: object = {}) =>
    writeEnigma(gamesOf([{ name: "v", raw: ascii(raw), ...more }], {}, "json")[0]!, { damaged: "raw" });
  for (const raw of ["", " ", '1},{"name":"evil","data":2', "1,2", "1 2", "1]", "[1", "{1}", '{"a"}', '"a', '"a"b', "\0", ":", "[,]"])
    for (const more of [{}, { type: "f64", damaged: true }, { type: "f64", damaged: true, recovered: 1 }])
      expect(
        refusal(() => write(raw, more)),
        raw,
      ).toEqual({ code: "unwritable", path: ".active[0].classes[0].v" });
  // What the reader takes as one, also where it is not JSON.
  for (const raw of ["1", "nan", "-inf", '"\\"', '"""', '"\x01\xff"', "[]", '{"a":[1,{}]}', "[1, 2]", '["\\",",1]', '{"a":"\\"}']) {
    const save = saveOfLocals(`{"name":"v","data":${raw}}`);
    const read = readEnigma(save);
    expect(read.active[0]!.classes[0]!.locals[0]!.raw, raw).toEqual(ascii(raw));
    expect(writeEnigma(read), raw).toEqual(save);
    expect(write(raw, { type: "vector<f64>", damaged: true }), raw).toEqual(save);
  }
});

test("a prefix that readers would take for the document is refused", () => {
  const game = gamesOf([local("a")], {}, "json")[0]!;
  const document = Buffer.from(writeEnigma({ ...game, prefix: new Uint8Array() }))
    .subarray(0, -20)
    .toString("latin1");
  for (const prefix of [
    document,
    `\0\0${document}`,
    `any text${document}`,
    document.replace("{", "{ "),
    '{"room_index":1}',
    ' \n{"room_index":1}',
    '{"instance_list"',
    'any text{"instance_list":[',
  ])
    expect(
      refusal(() => writeEnigma({ ...game, prefix: ascii(prefix) })),
      prefix,
    ).toEqual({ code: "unwritable", path: ".prefix" });
  // One that looks like a binary save hides no document, whether readers are told or not.
  for (const prefix of ["{", '{"more":1}', `${"\0".repeat(8)}\xaa`])
    for (const backend of ["json", "auto"] as const)
      expect(readEnigma(writeEnigma({ ...game, prefix: ascii(prefix) }), { backend }).prefix, prefix).toEqual(ascii(prefix));
});

test("the bits of a NaN are a text", () => {
  for (const bits of [Symbol("7ff8000000000001"), 1n, null, ["7ff8000000000001"], { toString: () => "7ff8000000000001" }])
    expect(refusal(() => new NanBits(bits as never))).toEqual({ code: "bad-option" });
});

test("the parent of an object is a name", () => {
  const game = gamesOf([local("a")])[0]!;
  const save = writeEnigma(game);
  const root: Record<string, unknown> = { index: 0, name: "obj", locals: [] };
  const own: Record<string, unknown> = { index: 1, name: "own", locals: [] };
  own.parent = own;
  for (const object of [
    own,
    { ...root, parent: 1n },
    { ...root, parent: Symbol("obj") },
    { ...root, parent: ["obj"] },
    { ...root, parent: 0 },
  ]) {
    const schema = { objects: [object] } as never;
    expect(refusal(() => readEnigma(save, { schema }))).toEqual({ code: "schema" });
    expect(refusal(() => restoreEnigma(game, schema))).toEqual({ code: "schema" });
  }
});

test("more than the platform can hold is a limit", () => {
  const endless = Object.defineProperty(new Uint8Array(1), "length", { value: 2 ** 52 });
  for (const game of gamesOf([{ name: "a", raw: endless }])) expect(refusal(() => writeEnigma(game))).toEqual({ code: "limit" });
  for (const game of gamesOf([], {}, "json")) expect(refusal(() => writeEnigma({ ...game, prefix: endless }))).toEqual({ code: "limit" });
});
