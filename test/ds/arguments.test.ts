// What is said of arguments that mean nothing: options are `bad-option`, values that no string can hold `unsupported-value`, each before anything is done.

import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { withMemberOfAll } from "../member-of-all.ts";
import * as ds from "./public.ts";

const list = ds.writeDs({ kind: "list", items: [1, 2] });

const expectError = (operation: () => unknown, code: string, path?: string) => {
  try {
    operation();
  } catch (error) {
    expect(error).toBeInstanceOf(ds.TuskError);
    expect(error).toMatchObject({ format: "ds", code });
    if (path !== undefined) expect(error).toHaveProperty("path", path);
    return;
  }
  expect.fail("nothing was thrown");
};

const optionsOfBoth = [
  null,
  5,
  [],
  new Uint8Array(8),
  new ArrayBuffer(8),
  new Map(),
  { engine: "foo" },
  { limits: 5 },
  { limits: new Map() },
  { limits: { maxdepth: 2 } },
  { limits: { maxDepth: Number.NaN } },
  { limits: { maxValues: -1 } },
  { limits: Object.create({ maxDepth: "x" }) },
  Promise.resolve({}),
  { limits: { valueOf: 5 } as object },
];

describe("options", () => {
  test.each([...optionsOfBoth, { kind: "lst" }, { legacy: 1 }, { strings: "plain" }, { bools: "text" }, { nested: "yes" }])(
    "of reading: %j",
    (options) => expectError(() => ds.readDs(list, options as never), "bad-option"),
  );

  test.each([...optionsOfBoth, { legacy: "auto" }, { astral: "utf16" }, { generation: 4 }, { generation: 0 }, { generation: "3" }])(
    "of writing: %j",
    (options) => {
      expectError(() => ds.writeDs({ kind: "list", items: [] }, options as never), "bad-option");
      expectError(() => ds.writeDsBytes({ kind: "list", items: [] }, options as never), "bad-option");
    },
  );

  test.each([undefined, null, 5, {}, new Uint16Array(8), new DataView(new ArrayBuffer(8)), Promise.resolve(list)])(
    "the input %s",
    (input) => expectError(() => ds.readDs(input as never), "bad-option"),
  );
});

test("an enumerable member of all objects is no option", () => {
  expect(withMemberOfAll(() => ds.writeDs(ds.readDs(list, {}), {}))).toBe(list);
});

describe("options that are inherited", () => {
  test("count for values of the first layout, which are found out by trying", () => {
    const legacy = ds.writeDs({ kind: "list", generation: 1, legacy: true, items: [1, "a"] });
    const read = (options: ds.ReadDsOptions) => ds.readDs(legacy, Object.create(options));
    expectError(() => read({ limits: { maxValues: 1 } }), "count");
    expect(read({ limits: { maxValues: 2 } })).toEqual(ds.readDs(legacy));
    expectError(() => read({ kind: "map" }), "bad-magic");
  });

  test("count for structures inside of others", () => {
    const inner: ds.DsStructure = { kind: "list", items: ["😀", [[1]]] };
    const options: ds.WriteDsOptions = { astral: "cesu8", engine: "js", limits: { maxDepth: 2 } };
    const text = ds.writeDs(inner, options);
    const outer = ds.writeDs({ kind: "list", items: ["😀", text] }, options);
    expect(text).not.toBe(ds.writeDs(inner));
    for (const given of [options, Object.create(options)]) expect(ds.writeDs({ kind: "list", items: ["😀", inner] }, given)).toBe(outer);
    expectError(() => ds.writeDs({ kind: "list", items: [inner] }, Object.create({ limits: { maxDepth: 1 } })), "depth");
  });
});

describe("structures", () => {
  test.each([
    [undefined, ""],
    [null, ""],
    ["text", ""],
    [{}, ""],
    [{ kind: "tree", items: [] }, ""],
    [{ kind: "list" }, ".items"],
    [{ kind: "stack", items: "abc" }, ".items"],
    [{ kind: "priority", items: {} }, ".items"],
    [{ kind: "priority", items: [5] }, ".items[0]"],
    [{ kind: "queue", items: [], head: 0, tail: 0, slots: 5 }, ".slots"],
    [{ kind: "map" }, ".entries"],
    [{ kind: "map", entries: new Map([["hp", 1]]) }, ".entries"],
    [{ kind: "map", entries: [undefined] }, ".entries[0]"],
    [
      {
        kind: "map",
        entries: [
          ["a", 1],
          ["a", 1, 2],
        ],
      },
      ".entries[1]",
    ],
    [
      {
        kind: "map",
        generation: 1,
        legacy: true,
        entries: [
          ["a", 1],
          ["a", 1, 2],
        ],
      },
      ".entries[1]",
    ],
    [
      {
        kind: "map",
        entries: [
          ["a", 1],
          ["b", null],
        ],
      },
      ".entries[1][1]",
    ],
    [
      {
        kind: "map",
        generation: 1,
        legacy: true,
        entries: [
          ["a", 1],
          ["b", null],
        ],
      },
      ".entries[1][1]",
    ],
    [{ kind: "priority", items: [{ priority: null, value: 1 }] }, ".items[0].priority"],
    [{ kind: "priority", items: [{ priority: 1, value: null }] }, ".items[0].value"],
    [{ kind: "grid", width: 1, height: 1 }, ".columns"],
    [{ kind: "grid", width: 1, height: 1, columns: [5] }, ".columns[0]"],
  ])("%j has no string", (structure, path) => {
    expectError(() => ds.writeDs(structure as never), "unsupported-value", path);
    expectError(() => ds.writeDsBytes(structure as never), "unsupported-value", path);
  });

  test.each([
    { type: "bytes", bytes: 5 },
    { type: "bytes", bytes: [65] },
    { type: "nan", bits: 0n },
    { type: "nan", bits: 0x7ff0_0000_0000_0000n },
    { type: "nan", bits: -1n },
    { type: "nan", bits: Number.NaN },
    { type: "bool", bits: 1 },
    { type: "bool", bits: 2n ** 64n },
    { type: "pointer", address: 5 },
    { type: "pointer", address: -1n },
    { type: "int32", value: "5" },
    { type: "string", text: 5, encoding: "cesu8" },
    { type: "string", text: "x", encoding: "utf16" },
    { type: "rows", rows: 5 },
    { type: "date" },
  ])("the value %o is refused, not changed", (value) => {
    expectError(() => ds.writeDs({ kind: "list", generation: 2, items: [value as never] }), "unsupported-value", ".items[0]");
    expectError(() => ds.writeDs({ kind: "list", generation: 2, items: [[value as never]] }), "unsupported-value", ".items[0][0]");
  });

  test("the smallest and the largest bits of NaNs are written", () => {
    for (const bits of [0x7ff0_0000_0000_0001n, 0xffff_ffff_ffff_ffffn]) {
      const structure: ds.DsStructure = { kind: "list", generation: 3, items: [{ type: "nan", bits }] };
      expect(ds.readDs(ds.writeDs(structure))).toEqual(structure);
    }
  });
});

describe("conversions", () => {
  const grid = ds.dsFromRows([[1, 2]]);
  const map = ds.dsFromMap([["hp", 1]]);

  test.each([
    ["dsToMap", () => ds.dsToMap(grid as never)],
    ["dsToMap", () => ds.dsToMap({} as never)],
    ["dsToArray", () => ds.dsToArray(map as never)],
    ["dsToArray", () => ds.dsToArray(undefined as never)],
    ["dsToRows", () => ds.dsToRows({} as never)],
    ["dsToRows", () => ds.dsToRows(map as never)],
    ["upgradeDs", () => ds.upgradeDs(null as never)],
    ["upgradeDs", () => ds.upgradeDs({ kind: "list" } as never)],
    ["openNested", () => ds.openNested("text" as never)],
    ["dsFromMap", () => ds.dsFromMap(5 as never)],
    ["dsFromMap", () => ds.dsFromMap([5] as never)],
    ["dsFromMap", () => ds.dsFromMap(["hp"] as never)],
    ["dsFromArray", () => ds.dsFromArray(undefined as never)],
    ["dsFromArray", () => ds.dsFromArray([1], "set" as never)],
    ["dsFromArray", () => ds.dsFromArray([], "priority" as never)],
    ["dsFromRows", () => ds.dsFromRows([5] as never)],
    ["dsToMap", () => ds.dsToMap({ kind: "map", entries: [5] } as never)],
    ["upgradeDs", () => ds.upgradeDs({ kind: "map", entries: [null] } as never)],
    ["upgradeDs", () => ds.upgradeDs({ kind: "priority", items: [5] } as never)],
    ["openNested", () => ds.openNested({ kind: "map", entries: [{}] } as never)],
    ["openNested", () => ds.openNested({ kind: "priority", items: [null] } as never)],
  ])("%s refuses what is no structure of its kind", (_, operation) => expectError(operation, "bad-option"));

  test("dsFromMap leaves a pair as long as it is, which writing refuses", () => {
    for (const pair of [["hp"], ["hp", 1, 2]])
      expectError(() => ds.writeDs(ds.dsFromMap([pair] as never)), "unsupported-value", ".entries[0]");
  });

  test("dsToArray takes lists, stacks and queues", () => {
    for (const kind of ["list", "stack", "queue"] as const) expect(ds.dsToArray(ds.dsFromArray([1, 2], kind))).toEqual([1, 2]);
  });
});

/** A typed array whose memory a worker has now. */
function givenAway(array: Uint8Array | Float64Array): typeof array {
  structuredClone(array.buffer, { transfer: [array.buffer] });
  return array;
}

describe("memory that has been given away", () => {
  test("holds no items, not even none", () => {
    const items = givenAway(new Float64Array([1, 2])) as never;
    expectError(() => ds.writeDs({ kind: "list", items }), "unsupported-value", ".items");
    expectError(() => ds.dsToArray({ kind: "list", items }), "bad-option", ".items");
    const bytes = givenAway(new Uint8Array(2)) as never;
    expectError(() => ds.writeDs({ kind: "list", items: [{ type: "bytes", bytes }] }), "unsupported-value", ".items[0]");
  });

  test("is no text", () => expectError(() => ds.readDs(givenAway(new Uint8Array(2)) as never), "bad-option"));
});

/** The message without code and place. */
function reasonOf(operation: () => unknown): string {
  try {
    operation();
  } catch (error) {
    return (error as ds.TuskError).reason;
  }
  return expect.fail("nothing was thrown");
}

test("messages say what is expected, and what is there", () => {
  const writing = (structure: unknown) => reasonOf(() => ds.writeDs(structure as never));
  const holding = (value: unknown) => writing({ kind: "list", items: [value] });
  expect(reasonOf(() => ds.readDs(givenAway(new Uint8Array(2)) as never))).toBe(
    "the input is a string, or a Uint8Array that was not given away",
  );
  expect(reasonOf(() => ds.readDs(new Uint16Array(2) as never))).toBe("the input is a string, or a Uint8Array that was not given away");
  expect(reasonOf(() => ds.dsFromMap({ a: 1 } as never))).toBe("entries must be iterable, for instance Object.entries(object)");
  expect(reasonOf(() => ds.dsFromArray({ a: 1 } as never))).toBe("items must be iterable, for instance an array");
  expect(writing({ a: 1 })).toBe("the kind of a structure is stack or queue or list or map or priority or grid, not undefined");
  expect(writing({ kind: "tree" })).toBe("the kind of a structure is stack or queue or list or map or priority or grid, not tree");
  expect(writing({ kind: "list" })).toBe("the items of a list must be an array");
  expect(holding(new Date())).toBe("an object of class Date cannot be stored");
  expect(holding({ a: 1 })).toBe("an object of class Object cannot be stored");
  expect(holding({ constructor: { name: {} } })).toBe("an object of class object cannot be stored");
  expect(holding({ type: "date" })).toBe("an object of type date cannot be stored");
  expect(holding(null)).toBe("null cannot be stored");
  expect(holding(Symbol())).toBe("a symbol cannot be stored");
  expect(writing({ kind: "list", generation: 1, items: [new Date()] })).toBe("generation 1 holds reals and strings only, not objects");
});

describe("what has no text", () => {
  const nothing = Object.create(null) as never;
  const symbol = Symbol() as never;
  const throwing = {
    toString: () => {
      throw new Error("asked for its text");
    },
  } as never;

  test.each([nothing, symbol, throwing])("as a kind, case %#", (kind) => {
    const structure = { kind } as never;
    expectError(() => ds.writeDs(structure), "unsupported-value", "");
    expectError(() => ds.writeDsBytes(structure), "unsupported-value", "");
    for (const operation of [ds.upgradeDs, ds.openNested, ds.dsToMap, ds.dsToArray, ds.dsToRows])
      expectError(() => operation(structure), "bad-option", "");
    expectError(() => ds.dsFromArray([], kind), "bad-option", "");
  });

  test.each([nothing, symbol, throwing, JSON.parse('{"toString":1}')])("as the name of a class, case %#", (name) => {
    for (const generation of [1, 3] as const) {
      const list: ds.DsList = { kind: "list", generation, items: [{ constructor: { name } } as never] };
      expectError(() => ds.writeDs(list), "unsupported-value", ".items[0]");
      expectError(() => ds.writeDsBytes(list), "unsupported-value", ".items[0]");
    }
  });

  test.each([nothing, symbol, throwing])("as a size, case %#", (size) => {
    for (const [structure, path] of [
      [{ kind: "grid", width: size, height: 1, columns: [[1]] }, ".columns"],
      [{ kind: "grid", width: 1, height: size, columns: [[1]] }, ".columns[0]"],
      [{ kind: "grid", width: 0, height: size, columns: [] }, ".columns"],
    ] as [ds.DsGrid, string][]) {
      expectError(() => ds.writeDs(structure), "count", path);
      expectError(() => ds.dsToRows(structure), "count", path);
    }
    for (const sizes of [{ head: size }, { tail: size }, { head: size, slots: [1] }, { head: 0, tail: size, slots: [1] }])
      expectError(() => ds.writeDs({ kind: "queue", items: [1], ...sizes }), "count", "");
    expectError(() => ds.writeDs({ kind: "list", items: [], generation: size }), "unsupported-value", "");
  });

  test.each([nothing, symbol, throwing])("in a value, case %#", (part) => {
    for (const generation of [1, 3] as const)
      for (const value of [{ type: part }, { type: "int32", value: part }])
        expectError(() => ds.writeDs({ kind: "list", generation, items: [value as never] }), "unsupported-value", ".items[0]");
  });
});

test("cells that a getter adds to a grid while it is written are not in the text", () => {
  const columns: number[][] = [[1], [2]];
  Object.defineProperty(columns[0], 0, { get: () => columns[1].push(3) });
  const grid = ds.readDs(ds.writeDs({ kind: "grid", width: 2, height: 1, columns }), { kind: "grid" });
  expect(grid.columns).toEqual([[expect.any(Number)], [2]]);
});

test("bytes may be of another realm", () => {
  const bytes = runInNewContext("new Uint8Array([255, 254])");
  const text = ds.writeDs({ kind: "list", items: [{ type: "bytes", bytes }] });
  expect(ds.readDs(text)).toMatchObject({ items: [{ type: "bytes", bytes: new Uint8Array([255, 254]) }] });
});

test("a getter that adds entries while they are written adds none to the text", () => {
  const entries: [string, number][] = [["a", 1]];
  const items = [{ priority: 1, value: 2 }];
  Object.defineProperty(entries[0], 1, { get: () => entries.push(["b", 2]) });
  Object.defineProperty(items[0], "value", { get: () => items.push({ priority: 3, value: 4 }) });
  expect(ds.readDs(ds.writeDs({ kind: "map", entries }))).toMatchObject({ entries: [["a", expect.any(Number)]] });
  expect(ds.readDs(ds.writeDs({ kind: "priority", items }))).toMatchObject({ items: [{ priority: 1, value: expect.any(Number) }] });
  const queued = [1];
  const slots = [0, 1, 2];
  Object.defineProperty(slots, 0, { get: () => queued.push(2) && slots.push(3) && 9 });
  expect(ds.readDs(ds.writeDs({ kind: "queue", items: queued, head: 1, tail: 2, slots }))).toMatchObject({ items: [1], slots: [9, 1, 2] });
});

test("values that are others, or of another number, each time they are asked for are counted as they are written", () => {
  for (const kind of ["list", "stack"] as const) {
    let asked = 0;
    // The first time is that of the check.
    const growing = {
      kind,
      get items() {
        return Array(++asked).fill(7);
      },
    };
    expect(ds.readDs(ds.writeDs(growing))).toMatchObject({ items: [7, 7] });
    let length = 2;
    const items = new Proxy<number[]>([], { get: (_, name) => (name === "length" ? length++ : 7) });
    expect(ds.readDs(ds.writeDs({ kind, items }))).toMatchObject({ items: [7, 7] });
    expect(ds.readDs(ds.writeDs({ kind, items: [items] }))).toMatchObject({ items: [[7, 7, 7]] });
  }
  let asked = 0;
  const grid = {
    kind: "grid" as const,
    width: 1,
    height: 1,
    get columns() {
      return ++asked > 3 ? [] : [[asked]];
    },
  };
  expect(ds.readDs(ds.writeDs(grid), { kind: "grid" })).toMatchObject({ width: 1, height: 1, columns: [[3]] });
});

test("bigints where numbers belong", () => {
  expectError(() => ds.writeDs({ kind: "list", items: [{ type: "int32", value: 1n as never }] }), "unsupported-value", ".items[0]");
  expectError(() => ds.writeDs({ kind: "queue", items: [1], head: 0n as never }), "count");
  expectError(() => ds.writeDs({ kind: "queue", items: [1], tail: 1n as never }), "count");
  const queue: ds.DsQueue = { kind: "queue", items: [1], head: 0n as never, tail: 1, slots: [1, 2] };
  for (const same of [ds.openNested(queue), ds.upgradeDs(queue)]) expectError(() => ds.writeDs(same), "count");
});

test("a bigint that is refused is not spelled, which may take longer than all else", () => {
  const large = 10n ** 100n;
  for (const structure of [
    { kind: "list", items: [large] },
    { kind: "list", items: [{ type: "int32", value: large }] },
    { kind: "list", items: [], generation: large },
    { kind: "grid", width: large, height: large, columns: [] },
    { kind: large },
  ])
    expect(() => ds.writeDs(structure as never)).toThrow(expect.objectContaining({ message: expect.not.stringContaining("000") }));
});

test("an item of a priority queue has both of its parts, though either may be undefined", () => {
  for (const item of [{ prio: 1, value: 2 }, { priority: 1 }, {}, new Date(), [1, 2], null]) {
    const structure = { kind: "priority", items: [{ priority: 1, value: 2 }, item] } as never;
    expectError(() => ds.writeDs(structure), "unsupported-value", ".items[1]");
    expectError(() => ds.upgradeDs(structure), "bad-option", ".items[1]");
  }
  const items = [{ priority: undefined, value: undefined }];
  expect(ds.readDs(ds.writeDs({ kind: "priority", items }))).toMatchObject({ items });
});

test("what has no rows is no array of rows, and left for the writer to refuse", () => {
  for (const rows of [5, "x", undefined]) {
    const structure = { kind: "list", items: [{ type: "rows", rows }] } as never;
    for (const same of [ds.openNested(structure), ds.upgradeDs(structure)]) {
      expect(same).toMatchObject(structure);
      expectError(() => ds.writeDs(same), "unsupported-value", ".items[0]");
    }
  }
  const holes: unknown[] = [];
  holes[1] = [1];
  expectError(() => ds.dsFromRows(holes as never), "bad-option");
});
