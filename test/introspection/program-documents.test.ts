// Documents that no reader made: what a program hands over is checked wherever it is taken.
import { describe, expect, test } from "vitest";
import {
  bindIntrospection,
  getIntrospectionNode,
  getIntrospectionValue,
  IntrospectionDatabase,
  type IntrospectionDocument,
  introspectionFromJson,
  introspectionToJson,
  readIntrospection,
  readIntrospectionAll,
  setIntrospectionValue,
  writeIntrospectionAll,
  writeIntrospectionDocument,
} from "../../src/introspection/index.ts";
import { errorOf } from "./error-code.ts";

const doc = (...variables: unknown[]) => ({ type: "object", object: "o", id: 1, variables }) as never as IntrospectionDocument;
const cyclic: Record<string, unknown> = {};
cyclic.self = cyclic;
const bare: unknown = Object.create(null);

describe("setting", () => {
  const definitions = { o: [{ name: "c", types: ["custom"], extra: { structure: "V" } }] };
  const sound = { name: "c", type: "custom", structure: "V", fields: [] };

  test.each([
    [7, "bad-document at .c"],
    [undefined, "bad-document at .c"],
    [[null], "bad-document at .c[0]"],
    [[{ type: "int", value: 1 }], "bad-document at .c[undefined]"],
    [[{ name: "a", type: "int", value: 1.5 }], "bad-document at .c.a"],
    [[{ name: "a", type: "map", entries: [{ key: 1n, type: "int", value: 1 }] }], "bad-document at .c.a[1]"],
    [[{ name: "a", type: "grid", width: 1, height: 1, columns: [] }], "bad-document at .c.a"],
  ])("a structure's node with the fields %o is refused, whoever gives it", (fields, error) => {
    const document = doc(sound);
    const before = structuredClone(document);
    expect(errorOf(() => setIntrospectionValue(document, ["c"], { ...sound, fields }, { definitions }))).toBe(error);
    expect(document).toEqual(before);
    if (!Array.isArray(fields) || fields[0] === null) return;
    const structures = { V: { toFields: () => fields as never, fromFields: () => 0 } };
    expect(errorOf(() => setIntrospectionValue(document, ["c"], {}, { definitions, structures }))).toBe(error);
    expect(document).toEqual(before);
  });

  test("a structure's node may hold objects that are not defined, and keys twice", () => {
    const entry = { key: "k", type: "int", value: 1 };
    const fields = [
      { name: "m", type: "map", entries: [entry, entry] },
      { ...doc(), object: "unknown", name: "p" },
    ];
    const document = doc(sound);
    setIntrospectionValue(document, ["c"], { ...sound, fields }, { definitions });
    expect(bindIntrospection(readIntrospection(writeIntrospectionDocument(document)), definitions).variables.c).toMatchObject({ fields });
  });
});

test.each([
  ["int", { value: {} }],
  ["int", { value: 1.5 }],
  ["int", { value: 1n }],
  ["bool", { value: "no" }],
  ["float", { value: "1.5" }],
  ["string", { value: 7 }],
  ["enum", { index: 1.5 }],
  ["enum", { member: "A", index: 0 }],
  ["enum", { member: cyclic }],
  ["enum", { member: 1n }],
  ["asset", { kind: "sprite", asset: 5 }],
  ["object", { object: 5, value: {} }],
])("no %s is bound from %o", (type, members) => {
  const document = doc({ name: "a", type, ...members });
  const definitions = { o: [{ name: "a", types: [type], extra: type === "asset" ? "sprite" : ["A"] }] };
  expect(errorOf(() => bindIntrospection(document, definitions))).toBe("bad-document at .a");
  expect(errorOf(() => getIntrospectionValue(document, ["a"]))).toBe("bad-document at .a");
  expect(errorOf(() => getIntrospectionValue(document, ["a"], { definitions }))).toBe("bad-document at .a");
});

test.each([
  [[undefined], ["e"], "bad-document at [0]"],
  [[null], ["e"], "bad-document at [0]"],
  [[{ name: "b", type: "map", entries: 7 }], ["b", "k"], "bad-document at .b"],
  [[{ name: "b", type: "map" }], ["b", "k"], "bad-document at .b"],
  [[{ name: "b", type: "map", entries: [null] }], ["b", "k"], "bad-document at .b[0]"],
  [[{ name: "b", type: "list" }], ["b", 1], "bad-document at .b"],
  [[{ name: "b", type: "list", items: [null] }], ["b", 0], "bad-document at .b[0]"],
  [[{ name: "b", type: "grid", width: 1, height: 1, columns: [[null]] }], ["b", "0,0"], "bad-document at .b[0,0]"],
  [[{ name: "b", type: Symbol("s") }], ["b", "k"], "bad-path at .b"],
])("a path into %o", (variables, path, error) => {
  for (const call of [getIntrospectionNode, getIntrospectionValue]) expect(errorOf(() => call(doc(...variables), path))).toBe(error);
  expect(errorOf(() => setIntrospectionValue(doc(...variables), path, 1))).toBe(error);
});

test.each([
  [{ type: "map", entries: [undefined] }, "bad-document at .a[0]"],
  [{ type: "map", entries: [{ key: Symbol("s"), type: "int", value: 1 }] }, "bad-document at .a[undefined]"],
  [{ type: "custom", structure: "V", fields: [null] }, "bad-document at .a[0]"],
  [{ type: "custom", structure: "V", fields: [{ name: Symbol("s"), type: "int", value: 1 }] }, "bad-document at .a[undefined]"],
])("binding %o", (node, error) => {
  const definitions = { o: [{ name: "a", types: [node.type, "int"], extra: { structure: "V" } }] };
  const structures = { V: { toFields: () => [], fromFields: () => 0 } };
  const document = doc({ name: "a", ...node });
  expect(errorOf(() => bindIntrospection(document, definitions))).toBe(error);
  expect(errorOf(() => bindIntrospection(document, definitions, { structures }))).toBe(error);
});

test.each([Symbol("s"), bare, cyclic, 1n])("%o is no type, name, object, width or height", (odd) => {
  const int = { name: "a", type: "int", value: 1 };
  const grid = { name: "a", type: "grid", width: 0, height: 0, columns: [] };
  for (const document of [
    doc({ ...int, type: odd }),
    doc({ ...int, name: odd }),
    { ...doc(), object: odd } as never,
    doc({ ...doc(), name: "a", object: odd }),
    doc({ ...grid, width: odd }),
    doc({ ...grid, height: odd }),
  ]) {
    expect(errorOf(() => writeIntrospectionDocument(document))).toMatch(/^bad-document at /);
    for (const types of [["int"], ["object"], ["grid", "int"]])
      expect(errorOf(() => bindIntrospection(document, { o: [{ name: "a", types }] }))).toMatch(/^(bad-document|type-mismatch) at /);
  }
  const document = { ...doc(int), object: odd } as never;
  expect(errorOf(() => getIntrospectionValue(document, ["a"], { definitions: {} }))).toBe("undefined-object at ");
  expect(errorOf(() => new IntrospectionDatabase({}).editableVariables(odd as never))).toBe("undefined-object");
  expect(new IntrospectionDatabase({}).variables(odd as never)).toBe(undefined);
});

test.each([{}, null, { fromFields: 5 }])("the structure %o gives no value", (registration) => {
  const document = doc({ name: "c", type: "custom", structure: "V", fields: [] });
  const structures = { V: registration as never };
  const definitions = { o: [{ name: "c", types: ["custom"], extra: { structure: "V" } }] };
  expect(errorOf(() => bindIntrospection(document, definitions, { structures }))).toBe("bad-option at .c");
});

test("a node that is missing has its place", () => {
  const array = { key: "k", type: "array", items: [null] };
  expect(errorOf(() => writeIntrospectionDocument(doc({ name: "a", type: "map", entries: [array] })))).toBe('bad-document at .a["k"][0]');
  expect(errorOf(() => writeIntrospectionDocument(doc(null)))).toBe("bad-document at [0]");
  expect(errorOf(() => writeIntrospectionDocument(doc({ name: "a", type: "map", entries: [undefined] })))).toBe("bad-document at .a[0]");
});

test.each([[[0, 0.5]], [[1, 1]], [["0", "1"]], [[1, 2]]])("the order %o of a grid's cells is none", (cells) => {
  const cell = { type: "int", value: 1 };
  const grid = { name: "g", type: "grid", width: 1, height: 2, columns: [[cell, cell]] };
  const document = introspectionFromJson(doc({ ...grid, layout: { cells } }));
  expect(writeIntrospectionDocument(document)).toBe(writeIntrospectionDocument(doc(grid)));
});

describe("original mode", () => {
  const write = (document: IntrospectionDocument, newline?: "\r\n") => writeIntrospectionDocument(document, { mode: "original", newline });
  const inMap = (node: object) => doc({ name: "m", type: "map", entries: [node] });
  const int = { type: "int", value: 3 };

  test.each([
    doc({ name: "e", type: "enum", member: "A\nB : int = 3" }),
    doc({ name: "e", type: "enum", member: "A\r" }),
    doc({ name: "a : int = 3\n\tb", ...int }),
    doc({ name: "a : enum = x", ...int }),
    doc({ name: 'a : string = "x"', type: "string", value: "y" }),
    doc({ name: "a : \tb", ...int }),
    inMap({ key: "a\nb", ...int }),
    inMap({ key: "a : enum = x", ...int }),
    inMap({ key: 'a : string = "x', type: "string", value: "y" }),
    inMap({ key: 'a : string = "x', type: "string", value: "y\nz" }),
    doc({ name: "s", type: "string", value: 'x"\n\tfake : bool = True\n\ttail : string = "' }),
    doc({ name: "s", type: "string", value: 'x"\n}\nrubbish' }),
    doc({ name: 'a : string = "b', ...int }, { name: "c", type: "string", value: "x" }),
    inMap({ key: "k", type: "string", value: "a : int = 2\n\t\tb : int = 3\n" }),
    inMap({ key: "k", type: "list", items: [{ type: "string", value: 'x"\n\t\t\tl1 : int = 2\n"' }] }),
  ])("refuses what would be read as something else: %j", (document) => {
    expect(errorOf(() => write(document))).toMatch(/^not-original at \./);
    expect(readIntrospection(writeIntrospectionDocument(document))).toEqual(document);
  });

  test.each([
    doc({ name: "e", type: "enum", member: "A : int = 3" }),
    doc({ name: "a : b", ...int }),
    doc({ name: "a : int = 3", ...int }),
    doc({ name: "a :", ...int }),
    doc({ name: "a : list =", type: "list", items: [int] }),
    inMap({ key: "k", type: "string", value: "a : int = 2\nb" }),
    inMap({ key: 'a : string = "x', ...int }),
    inMap({ key: "a\rb", type: "map", entries: [] }),
    doc({ name: "l", type: "list", items: [{ ...int, name: "x" }] }),
    doc({ name: "s", type: "string", value: 'x"\n\ty"\n"' }, { name: "b", ...int }),
    doc({ name: 'a : string = "b', ...int }, { name: "c", type: "int", value: 1 }),
    inMap({ key: "k", type: "string", value: "a : int\n" }),
  ])("writes what is read as the same: %j", (document) => {
    const back = JSON.stringify(readIntrospection(write(document), { mode: "original" }).variables[0]);
    expect(JSON.parse(back)).toEqual(JSON.parse(JSON.stringify(document.variables[0]).replace(',"name":"x"', "")));
  });

  test("tells which string is read as something else", () => {
    const harmless = { name: "a", type: "string", value: "x\ny" };
    const entries = [
      { key: "k", ...int },
      { key: "l", type: "string", value: '"\n\t\tm : int = 3\n\t\tn : string = "' },
    ];
    expect(errorOf(() => write(doc(harmless, { name: "m", type: "map", entries }, harmless)))).toBe('not-original at .m["l"]');
    // Text that nobody can read.
    const rubbish = { name: "b", type: "string", value: 'x"\n\trubbish : int = 1\n"' };
    expect(errorOf(() => write(doc(harmless, rubbish)))).toBe("not-original at .b");
    const map = { name: "s", type: "string", value: 'x"\n\tfake : map =\n\t{\n\t\ty : string = "' };
    expect(errorOf(() => write(doc(map, { name: "b", ...int })))).toBe("not-original at .s");
    expect(errorOf(() => write(doc(harmless, { ...rubbish, value: 'x"\n}\nrubbish' }, harmless)))).toBe("not-original at .b");
    const later = {
      name: "l",
      type: "list",
      items: [harmless, { type: "list", items: [] }, harmless, { ...rubbish, value: 'x"\n\t\trubbish : int = 1\n"' }],
    };
    expect(errorOf(() => write(doc(harmless, { name: "m", type: "map", entries: [] }, later, harmless)))).toBe("not-original at .l[3]");
  });

  test("of several documents, one whose string would go on in the next is refused", () => {
    const opens = doc({ name: 'a : string = "b', ...int }, { name: "c", ...int });
    const closes = doc({ name: "s", type: "string", value: "t" }, { name: "d", ...int });
    const all = (...documents: IntrospectionDocument[]) => writeIntrospectionAll(documents, { mode: "original" });
    expect(readIntrospectionAll(all(opens, opens), { mode: "original" })).toEqual([opens, opens]);
    expect(errorOf(() => all(closes, opens, closes))).toBe('not-original at .a : string = "b');
    expect(errorOf(() => all(doc(), doc({ name: "s", type: "string", value: 'x"\n}\no = 2\n{\n\ts : string = "y' })))).toBe(
      "not-original at .s",
    );
  });

  test("what was kept of superset text is not written", () => {
    const text = 'o = 1\n{\n\t"a" : int = 1\n\ts : string = e"abc"\n\tt : string = "x"\n}\n';
    const document = readIntrospection(text);
    expect(writeIntrospectionDocument(document)).toBe(text);
    expect(write(document)).toBe('o = 1\n{\n\ta : int = 1\n\ts : string = "abc"\n\tt : string = "x"\n}\n');
  });

  test("as JSON it is what it is", () => {
    const document = readIntrospection('o = 1\n{\n\ts : string = "a\nb"\n}\n', { mode: "original" });
    Object.assign(document.variables[0], { value: '"\n\tx : int = 1\n\ty : string = "' });
    expect(errorOf(() => writeIntrospectionDocument(document))).toBe("not-original at .s");
    expect(introspectionFromJson(introspectionToJson(document))).toEqual(document);
  });

  test("a carriage return before CR LF is the member's", () => {
    const document = doc({ name: "e", type: "enum", member: "A\r" });
    expect(readIntrospection(write(document, "\r\n"), { mode: "original" })).toEqual(document);
    const text = "o = 1\n{\n\te : enum = A\r\r\n}\n";
    expect(writeIntrospectionDocument(readIntrospection(text, { mode: "original" }))).toBe(text);
  });
});

test("grids are written as far as they can be read", () => {
  const grid = (width: number) => ({ name: "g", type: "grid", width, height: 0, columns: Array.from({ length: width }, () => []) });
  expect(errorOf(() => writeIntrospectionDocument(doc(grid(1_000_001))))).toBe("size-limit at .g");
  const limits = { maxGridSide: 5 };
  const call = (...widths: number[]) => errorOf(() => writeIntrospectionDocument(doc(...widths.map(grid)), { limits }));
  expect([call(5), call(6), call(2, 3), call(2, 4)]).toEqual(["no error", "size-limit at .g", "no error", "size-limit at .g"]);
});

describe("original mode, with names that stand for more than themselves", () => {
  const named = (...names: string[]) => doc(...names.map((name) => ({ name, type: "int", value: 1 })));

  test("the place of a label whose own line cannot be read", () => {
    const names = ["a", "n : \tx", "p : q"];
    const wrong = expect.objectContaining({ code: "not-original", path: ".n : \tx" });
    expect(() => writeIntrospectionDocument(named(...names), { mode: "original" })).toThrow(wrong);
    expect(() => writeIntrospectionAll([named("a"), named(...names)], { mode: "original" })).toThrow(wrong);
  });

  test("a changed document that its definitions do not fit is written where they tell how it is read", () => {
    const definitions = { o: ["s:string", "n:int", "m:int"].map((part) => ({ name: part[0]!, types: [part.slice(2)] })) };
    const text = 'o = 1\n{\n\ts : string = "a"\n\tx : string = "b"\n\tn : int = 5\n\tm : int = 6\n}\n\r\n';
    const document = readIntrospection(text, { mode: "original", definitions });
    expect(document.variables).toHaveLength(3);
    document.variables[2] = { name: "m", type: "float", value: 6.5 };
    expect(writeIntrospectionDocument(document)).toBe(text.replace("int = 6", "float = 6.50000"));
  });
});
