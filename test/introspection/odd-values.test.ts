// Values that are not what they seem: an error with its place, never a text that lacks them.
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import {
  bindIntrospection,
  getIntrospectionNode,
  getIntrospectionValue,
  IntrospectionDatabase,
  type IntrospectionDocument,
  introspectionFromJson,
  introspectionToJson,
  readIntrospection,
  setIntrospectionValue,
  writeIntrospection,
  writeIntrospectionDocument,
} from "../../src/introspection/index.ts";
import { errorOf } from "./error-code.ts";

const MODES = ["superset", "original"] as const;
const write = (types: string[], v: unknown, mode: (typeof MODES)[number] = "superset") =>
  writeIntrospection({ o: [{ name: "v", types }] }, { object: "o", id: 1, variables: { v } }, { mode }).text;

test("definitions may be objects of a class, which gives their members", () => {
  class Definition {
    get name() {
      return "v";
    }
    get types() {
      return ["list", "enum"];
    }
    get extra() {
      return ["Idle", "Chase"];
    }
  }
  class Lazy extends IntrospectionDatabase {
    override variables() {
      return [new Definition()] as never;
    }
  }
  const definitions = new Lazy({});
  const { text } = writeIntrospection(definitions, { object: "o", id: 1, variables: { v: [1] } });
  const document = readIntrospection(text, { definitions });
  expect(bindIntrospection(document, definitions).variables.v).toEqual([1]);
  expect(getIntrospectionValue(document, ["v"], { definitions })).toEqual([1]);
  expect(getIntrospectionValue(document, ["v", 0], { definitions })).toBe(1);
});

test.each(MODES)("a map of another realm is written with its entries (%s)", (mode) => {
  const map: unknown = runInNewContext("new Map([['hp', 12], ['mp', 3]])");
  expect(write(["map", "int"], map, mode)).toBe(
    write(
      ["map", "int"],
      new Map([
        ["hp", 12],
        ["mp", 3],
      ]),
      mode,
    ),
  );
});

test.each(MODES)("nor do Maps of another realm lose variables and instances (%s)", (mode) => {
  const definitions = { o: [{ name: "v", types: ["object"] }], e: [{ name: "x", types: ["int"] }] };
  const foreign = (entries: [unknown, unknown][]) => runInNewContext("new Map(entries)", { entries }) as never;
  const instances = foreign([[5, { object: "e", id: 5, variables: foreign([["x", 7]]) }]]);
  expect(writeIntrospection(definitions, { object: "o", id: 1, variables: { v: 5 } }, { mode, instances }).text).toContain("x : int = 7\n");
});

test.each(MODES)("null in a table of instances is noone, and what is no instance type-mismatch (%s)", (mode) => {
  const definitions = { o: [{ name: "v", types: ["object"] }], e: [] };
  const writeWith = (entry: unknown, isMap: boolean) =>
    writeIntrospection(
      definitions,
      { object: "o", id: 1, variables: { v: 5 } },
      { mode, instances: (isMap ? new Map([[5, entry]]) : { 5: entry }) as never },
    ).text;
  for (const isMap of [false, true]) {
    expect(writeWith(null, isMap)).toBe(writeIntrospection(definitions, { object: "o", id: 1, variables: { v: null } }, { mode }).text);
    for (const entry of [0, 7, "e", [], {}, { object: "e", id: 5 }, { id: 5, variables: {} }])
      expect(errorOf(() => writeWith(entry, isMap))).toBe("type-mismatch at .v");
  }
});

test.each([[null], [5], ["ab"], [["a"]], [["a", 1, 2]], new Array(1)].map((entries) => [entries]))(
  "entries with one that is no pair are no map: %j",
  (entries) => {
    for (const mode of MODES) expect(errorOf(() => write(["map", "int"], { kind: "map", entries }, mode))).toBe("type-mismatch at .v");
  },
);

test.each(MODES)("entries as the ds codec gives them are a map (%s)", (mode) => {
  const entries = [
    ["a", 1],
    ["b", 2],
  ] as const;
  expect(write(["map", "int"], { kind: "map", entries }, mode)).toBe(write(["map", "int"], new Map(entries), mode));
});

test.each(MODES)("elements of a container that is the last type are bad-definition (%s)", (mode) => {
  expect(errorOf(() => write(["array"], [1], mode))).toBe("bad-definition at .v[0]");
  expect(errorOf(() => write(["map", "list"], { a: [1] }, mode))).toBe('bad-definition at .v["a"][0]');
  expect(write(["array", "list"], [[]], mode)).toContain("a0 : list =\n");
});

test.each([1.5, "x", null, undefined])("the id %j is no int", (id) => {
  for (const mode of MODES)
    expect(errorOf(() => writeIntrospection({ o: [] }, { object: "o", id: id as never, variables: {} }, { mode }))).toBe(
      "type-mismatch at ",
    );
});

test.each([5, true, {}])("%j is no asset", (v) => {
  const definitions = { o: [{ name: "v", types: ["asset"], extra: "sprite" }] };
  expect(errorOf(() => writeIntrospection(definitions, { object: "o", id: 1, variables: { v } }))).toBe("type-mismatch at .v");
});

test("the original writes a whole number for a string, and of another one tells that type", () => {
  expect(write(["string"], 5, "original")).toContain('v : string = "5"\n');
  expect(() => write(["string"], 1.5, "original")).toThrow("expected a value for the type string, found number");
});

test("a Map of variables lacks one", () => {
  const instance = { object: "o", id: 1, variables: new Map([["w", 1]]) };
  expect(errorOf(() => writeIntrospection({ o: [{ name: "v", types: ["int"] }] }, instance))).toBe("missing-variable at .v");
});

test.each([5, "abc", true, {}])("an old-style array whose first row is %j is none", (row) => {
  expect(errorOf(() => write(["array", "int"], { rows: [row] }, "original"))).toBe("type-mismatch at .v");
});

test("a grid with holes in a column is written, undefined where they are", () => {
  const column = [1, 2];
  delete column[0];
  expect(write(["grid", "int"], { width: 2, height: 2, columns: [column, [3, 4]] })).toContain(
    "\t\tg0,0 : undefined = undefined\n\t\tg0,1 : int = 2\n\t\tg1,0 : int = 3\n",
  );
});

test.each([5, "text", true, null, 7n])("the value of a custom structure may be %o", (value) => {
  const definitions = { o: [{ name: "v", types: ["custom"], extra: { structure: "s" } }] };
  const fields = (item: unknown) => [{ name: "is", types: ["string"], value: typeof item }];
  const structures = { s: { toFields: fields, fromFields: () => value } };
  const { text } = writeIntrospection(definitions, { object: "o", id: 1, variables: { v: value } }, { structures });
  expect(text).toContain(`\t\tis : string = "${typeof value}"\n`);
  const document = readIntrospection(text);
  expect(bindIntrospection(document, definitions, { structures }).variables.v).toBe(value);
  setIntrospectionValue(document, ["v"], value, { definitions, structures });
  expect(writeIntrospectionDocument(document)).toBe(text);
  expect(errorOf(() => writeIntrospection(definitions, { object: "o", id: 1, variables: { v: value } }))).toBe("type-mismatch at .v");
});

test("structures may hold the same value without holding themselves", () => {
  const custom = (structure: string) => ({ types: ["custom"], extra: { structure } });
  const structures = {
    s: { toFields: (value: unknown) => [{ name: "t", ...custom("t"), value }], fromFields: () => 0 },
    t: { toFields: () => [], fromFields: () => 0 },
  };
  const definitions = { o: [{ name: "v", ...custom("s") }] };
  const writeValue = (v: unknown) =>
    errorOf(() => writeIntrospection(definitions, { object: "o", id: 1, variables: { v } }, { structures }));
  expect(writeValue(5)).toBe("no error");
  expect(writeValue({})).toBe("cycle at .v.t");
});

test.each([
  new Set([["hp", 12]]),
  new Date(0),
  new Uint8Array(2),
  new ArrayBuffer(2),
  new Float64Array([1]),
  Object(5),
  Object("text"),
  /x/,
  Promise.resolve(),
  [["hp", 12]],
])("%o is no map, not even an empty one", (value) => {
  for (const mode of MODES) expect(errorOf(() => write(["map", "int"], value, mode))).toBe("type-mismatch at .v");
});

test("a key that is a bigint is bad-key in both modes", () => {
  for (const mode of MODES) expect(errorOf(() => write(["map", "int"], new Map([[1n, 2]]), mode))).toBe("bad-key at .v[1]");
});

test("a list to which a getter adds whenever it is looked at ends", () => {
  const list: unknown[] = [];
  const instance = {
    object: "p",
    get id() {
      list.push(instance);
      return 1;
    },
    variables: {},
  };
  list.push(instance);
  const definitions = { o: [{ name: "v", types: ["list", "object"] }], p: [] };
  for (const mode of MODES) {
    const { text } = writeIntrospection(definitions, { object: "o", id: 1, variables: { v: list.slice(0, 1) } }, { mode });
    list.length = 1;
    expect(writeIntrospection(definitions, { object: "o", id: 1, variables: { v: list } }, { mode }).text).toBe(text);
  }
});

test("a Map to which a getter adds whenever it is looked at ends", () => {
  const map = new Map<string, unknown>();
  const instance = {
    object: "p",
    get id() {
      if (map.size < 1000) map.set(`k${map.size}`, instance);
      return 1;
    },
    variables: {},
  };
  map.set("k0", instance);
  const definitions = { o: [{ name: "v", types: ["map", "object"] }], p: [] };
  for (const mode of MODES) {
    const { text } = writeIntrospection(definitions, { object: "o", id: 1, variables: { v: new Map([["k0", instance]]) } }, { mode });
    map.clear();
    map.set("k0", instance);
    expect(writeIntrospection(definitions, { object: "o", id: 1, variables: { v: map } }, { mode }).text).toBe(text);
  }
});

const objectWith = (variable: object) => ({ type: "object", object: "o", id: 1, variables: [{ name: "v", ...variable }] }) as never;

test("a document's key that is a bigint is bad-document", () => {
  const document = objectWith({ type: "map", entries: [{ key: 1n, type: "int", value: 2 }] });
  expect(errorOf(() => writeIntrospectionDocument(document))).toBe("bad-document at .v[1]");
  const sound = objectWith({ type: "map", entries: [{ key: "a", type: "int", value: 2 }] });
  expect(errorOf(() => getIntrospectionNode(sound, ["v", 1n as never]))).toBe("bad-key at .v");
});

test("a grid with holes lacks cells", () => {
  const cell = { type: "int", value: 1 };
  const columns = [[cell], [cell]];
  delete columns[0];
  const grid: IntrospectionDocument = objectWith({ type: "grid", width: 2, height: 1, columns });
  for (const call of [writeIntrospectionDocument, introspectionToJson, introspectionFromJson])
    expect(errorOf(() => call(grid))).toBe("bad-document at .v");
  expect(errorOf(() => bindIntrospection(grid, { o: [{ name: "v", types: ["grid", "int"] }] }))).toBe("bad-document at .v");
  const column = [cell, cell];
  delete column[0];
  const short: IntrospectionDocument = objectWith({ type: "grid", width: 1, height: 2, columns: [column] });
  expect(errorOf(() => writeIntrospectionDocument(short))).toMatch(/^bad-document/);
  expect(errorOf(() => write(["grid", "int"], { width: 2, height: 1, columns }))).toBe("type-mismatch at .v");
});

test("digits that are none are bad-document", () => {
  const definitions = { o: [{ name: "v", types: ["int"] }] };
  const document = objectWith({ type: "int", value: "12x" });
  expect(errorOf(() => bindIntrospection(document, definitions))).toBe("bad-document at .v");
  expect(errorOf(() => bindIntrospection({ ...readIntrospection("o = 1\n{\n}\n"), id: "x" }, { o: [] }))).toBe("bad-document at ");
});

test("a custom structure whose extra data is null has no name", () => {
  const definitions = { o: [{ name: "v", types: ["custom"], extra: null }] };
  const instance = { object: "o", id: 1, variables: { v: {} } };
  expect(errorOf(() => writeIntrospection(definitions as never, instance))).toBe("type-mismatch at .v");
});

const cyclic: Record<string, unknown> = {};
cyclic.self = cyclic;
const throwing = {
  toJSON() {
    throw new TypeError("no text");
  },
};

test.each([
  ["a cycle", cyclic],
  ["a bigint inside", { n: 1n }],
  ["a toJSON that throws", throwing],
  ["no prototype", Object.create(null)],
  ["a function", Object.assign(() => 1, throwing)],
  ["null", null],
])("a key that is an object is an error: %s", (_, key) => {
  for (const mode of MODES) expect(errorOf(() => write(["map", "int"], new Map([[key, 2]]), mode))).toMatch(/^bad-key at \.v\[/);
  const wrong: IntrospectionDocument = objectWith({ type: "map", entries: [{ key, type: "int", value: 2 }] });
  for (const call of [writeIntrospectionDocument, introspectionToJson, introspectionFromJson])
    expect(errorOf(() => call(wrong))).toMatch(/^bad-document at \.v\[/);
  if (typeof key === "object") expect(errorOf(() => getIntrospectionValue(wrong, ["v"]))).toMatch(/^bad-document at \.v\[/);
  const named: IntrospectionDocument = objectWith({ name: key, type: "int", value: 2 });
  expect(errorOf(() => introspectionFromJson(named))).toMatch(/^bad-document at \[/);
});

test.each([cyclic, { n: 1n }, throwing, Object.create(null), Symbol("s")])("a step of a path that is none: %o", (step) => {
  const path = ["v", step as never];
  for (const [node, error] of [
    [{ type: "map", entries: [] }, "bad-key at .v"],
    [{ type: "list", items: [] }, "bad-index at .v"],
    [{ type: "grid", width: 0, height: 0, columns: [] }, "bad-index at .v"],
    [{ type: "custom", structure: "s", fields: [] }, "missing-variable at .v"],
  ] as const) {
    expect(errorOf(() => getIntrospectionValue(objectWith(node), path))).toBe(error);
    expect(errorOf(() => setIntrospectionValue(objectWith(node), path, 1))).toBe(error);
  }
});

test("a node's type without a text is no type that a value can have", () => {
  for (const type of [Symbol(), Object.create(null)]) {
    const document = { type: "object", object: "o", id: 1, variables: [{ name: "a", type, value: 1 }] } as never;
    expect(errorOf(() => setIntrospectionValue(document, ["a"], 1))).toBe("bad-definition at .a");
  }
});

test.each(MODES)("a map's own member kind is a key like any other: %s", (mode) => {
  expect(write(["map", "string"], { kind: "map", entries: "none" }, mode)).toContain('kind : string = "map"');
});

test("an object whose name is none is no structure", () => {
  const inner = { type: "object", object: "no name", id: 1, structure: "Thing", fields: [], variables: [] };
  expect(() => writeIntrospectionDocument(objectWith(inner))).toThrow(expect.objectContaining({ code: "bad-document", path: ".v" }));
});

test("a symbol is no instance, and no id of one", () => {
  for (const instances of [new Map(), {}])
    expect(errorOf(() => writeIntrospection({}, Symbol("s") as never, { instances: instances as never }))).toBe("bad-document");
});

test("a text finds an instance by the digits of its id, and is otherwise no instance", () => {
  const instance = { object: "o", id: 5, variables: {} };
  const find = (id: unknown, key: string | number | bigint) =>
    errorOf(() => writeIntrospection({ o: [] }, id as never, { instances: new Map([[key, instance]]) }));
  for (const key of ["5", 5n]) expect(find("5", key)).toBe("no error");
  for (const [id, key] of [
    ["5.0", 5n],
    ["5e0", 5n],
    ["0x5", 5n],
    ["", 0n],
    ["1e3", 1000n],
    ["1e3", 1000],
    ["abc", 5],
    [true, 1n],
  ] as const)
    expect(find(id, key)).toBe("bad-document");
  for (const id of ["1e3", "5.0"]) expect(errorOf(() => writeIntrospection({}, id as never, { instances: {} }))).toBe("bad-document");
});

test.each([Symbol("s"), Object.create(null)])("%o is no structure's name", (structure) => {
  const definitions = { o: [{ name: "v", types: ["custom"], extra: { structure } }] };
  const document = readIntrospection("o = 1\n{\n\tv : custom = S\n\t{\n\t}\n}\n");
  const instance = { object: "o", id: 1, variables: { v: getIntrospectionNode(document, ["v"]) } };
  for (const call of [
    () => writeIntrospection(definitions, instance),
    () => bindIntrospection(document, definitions),
    () => setIntrospectionValue(document, ["v"], 5, { definitions }),
  ])
    expect(errorOf(call)).toBe("type-mismatch at .v");
});

test.each([Symbol("s"), Object.create(null)])("%o is no member of an enum", (member) => {
  const definitions = { o: [{ name: "v", types: ["enum"], extra: [member] }] };
  const errors = MODES.map((mode) => errorOf(() => writeIntrospection(definitions, { object: "o", id: 1, variables: { v: 0 } }, { mode })));
  expect(errors).toEqual(["bad-document at .v", "unknown-enum-name at .v"]);
});
