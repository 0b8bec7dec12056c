// Conveniences: Map, arrays, rows, generation 3, structures inside structures.
import { expect, onTestFinished, test, vi } from "vitest";
import { Machine } from "../../src/ds/machine.ts";
import { kernels } from "../kernels.ts";
import { refusalOf } from "./outcome.ts";
import {
  type DsList,
  type DsMap,
  type DsStructure,
  type DsValue,
  dsFromArray,
  dsFromMap,
  dsFromRows,
  dsToArray,
  dsToMap,
  dsToRows,
  openNested,
  readDs,
  upgradeDs,
  writeDs,
  writeDsBytes,
} from "./public.ts";
import { textOf, vectors } from "./vector-files.ts";

test("an entry of a map that is no pair goes to no Map", () => {
  for (const entry of [["a"], ["a", 1, "lost"], []])
    expect(refusalOf(() => dsToMap({ kind: "map", entries: [["b", 2], entry] } as never))).toEqual({ code: "bad-option" });
});

test("a row alone is upgraded to the plain array that it is read as", () => {
  const list: DsList = { kind: "list", generation: 2, items: [{ type: "rows", rows: [[1, { type: "rows", rows: [[2, 3]] }]] }] };
  expect(upgradeDs(list).items).toStrictEqual([[1, [2, 3]]]);
  expect(upgradeDs(readDs(writeDs(list)))).toStrictEqual(upgradeDs(list));
  const none: DsList = { kind: "list", generation: 2, items: [{ type: "rows", rows: [] }] };
  expect(upgradeDs(none).items).toStrictEqual([[]]);
});

test("arrays of billions of holes are no rows, nor a column of them", () => {
  const length = 2 ** 32 - 1;
  for (const rows of [new Array(length), [new Array(length)], [[], new Array(length)]])
    expect(refusalOf(() => dsFromRows(rows))).toEqual({ code: "bad-option" });
  expect(refusalOf(() => dsToRows({ kind: "grid", width: 1, height: length, columns: [new Array(length)] }))).toMatchObject({
    code: "count",
  });
});

test("a map goes to a Map and back in its order", () => {
  const map = new Map<DsValue, DsValue>([
    ["10", 1],
    [9, "x"],
    ["9", [true]],
  ]);
  const structure = dsFromMap(map);
  expect(structure).toStrictEqual({
    kind: "map",
    entries: [
      ["10", 1],
      [9, "x"],
      ["9", [true]],
    ],
  });
  expect([...dsToMap(readDs(writeDs(structure), { kind: "map" }))]).toStrictEqual([...map]);
  expect(dsFromMap(Object.entries({ hp: 1 }))).toStrictEqual({ kind: "map", entries: [["hp", 1]] });
});

test("a key that occurs twice is not merged", () => {
  expect(
    refusalOf(() =>
      dsToMap({
        kind: "map",
        entries: [
          ["a", 1],
          ["b", 2],
          ["a", 3],
        ],
      }),
    ),
  ).toEqual({ code: "duplicate-key", path: ".entries[2][0]" });
});

test("arrays go to lists, stacks and queues and back", () => {
  for (const kind of ["list", "stack", "queue"] as const) {
    const structure = dsFromArray(new Set([1, "a"]), kind);
    expect(structure).toStrictEqual({ kind, items: [1, "a"] });
    expect(dsToArray(structure)).toStrictEqual([1, "a"]);
  }
  const bytes = Buffer.from([1, 2]);
  const own = dsToArray({ kind: "list", items: bytes as unknown as number[] });
  bytes[0] = 3;
  expect(own).toStrictEqual([1, 2]);
  expect(dsFromArray([1])).toStrictEqual({ kind: "list", items: [1] });
});

test("rows go to a grid and back", () => {
  const rows = [
    [1, 2, 3],
    [4, 5, 6],
  ];
  const grid = dsFromRows(rows);
  expect(grid).toStrictEqual({
    kind: "grid",
    width: 3,
    height: 2,
    columns: [
      [1, 4],
      [2, 5],
      [3, 6],
    ],
  });
  expect(dsToRows(grid)).toStrictEqual(rows);
  expect(dsFromRows([])).toStrictEqual({ kind: "grid", width: 0, height: 0, columns: [] });
  expect(refusalOf(() => dsFromRows([[1], [1, 2]]))).toEqual({ code: "count", path: "[1]" });
});

test("rows without cells are as many as a grid may have empty columns, not what 24 digits claim", () => {
  expect(dsToRows({ kind: "grid", width: 0, height: 65536, columns: [] })).toHaveLength(65536);
  for (const height of [65537, 0xffffffff]) {
    const grid = readDs(writeDs({ kind: "grid", width: 0, height, columns: [] }), { kind: "grid" });
    expect(refusalOf(() => dsToRows(grid)).code).toBe("count");
  }
  const column = new Array<DsValue>(70000).fill(1);
  expect(dsToRows({ kind: "grid", width: 1, height: 70000, columns: [column] })).toHaveLength(70000);
});

test("a grid whose columns are not as its sizes say has no rows", () => {
  for (const [width, height, columns, path] of [
    [1, -1, [[1, 2]], ".columns[0]"],
    [5, 1, [[1, 2], [3]], ".columns[0]"],
    [2, 2, [[1, 2], [3]], ".columns[1]"],
    [2, 1, [[1]], ".columns"],
    [1, 1, [[]], ".columns[0]"],
  ] as [number, number, DsValue[][], string][])
    expect(refusalOf(() => dsToRows({ kind: "grid", width, height, columns }))).toMatchObject({ code: "count", path });
});

test("an array that holds itself is refused, one that occurs twice or is deep is not", () => {
  const itself: DsValue[] = [1];
  itself.push([itself]);
  const rows: DsValue[][] = [];
  rows.push([{ type: "rows", rows }]);
  for (const value of [itself, { type: "rows", rows } as DsValue]) {
    expect(refusalOf(() => upgradeDs({ kind: "list", items: [value] })).code).toBe("depth");
    expect(refusalOf(() => openNested({ kind: "priority", items: [{ priority: 1, value }] })).code).toBe("depth");
  }
  const shared: DsValue[] = [1];
  expect(upgradeDs({ kind: "list", items: [[shared, shared, [shared]], shared] })).toStrictEqual({
    kind: "list",
    generation: 3,
    items: [[[1], [1], [[1]]], [1]],
  });
  let deep: DsValue = 1;
  for (let i = 0; i < 2000; i++) deep = [deep];
  expect(JSON.stringify(upgradeDs({ kind: "list", items: [deep] }))).toContain("[".repeat(2000));
});

test("an array that occurs in two arrays beside each other is refused in neither", () => {
  const shared: DsValue[] = [1];
  expect(upgradeDs({ kind: "list", items: [[[shared], [shared]]] })).toStrictEqual({
    kind: "list",
    generation: 3,
    items: [[[[1]], [[1]]]],
  });
});

test("generation 2 becomes generation 3: arrays of rows become arrays of arrays", () => {
  const second: DsStructure = { kind: "list", generation: 2, items: [{ type: "rows", rows: [[1], [{ type: "rows", rows: [] }]] }, "a"] };
  expect(upgradeDs(second)).toStrictEqual({ kind: "list", generation: 3, items: [[[1], [[]]], "a"] });
  const first: DsStructure = { kind: "map", generation: 1, legacy: true, entries: [["a", 1]] };
  expect(upgradeDs(first)).toStrictEqual({ kind: "map", generation: 3, entries: [["a", 1]] });
  expect(writeDs(upgradeDs(second)).slice(0, 8)).toBe("2F010000");
});

test("arrays of rows in keys and priorities are upgraded, too", () => {
  const rows: DsValue = { type: "rows", rows: [[1], [[{ type: "rows", rows: [] }]]] };
  const map = upgradeDs({ kind: "map", generation: 2, entries: [[rows, rows]] });
  expect(map).toStrictEqual({
    kind: "map",
    generation: 3,
    entries: [
      [
        [[1], [[[]]]],
        [[1], [[[]]]],
      ],
    ],
  });
  const priority = upgradeDs({ kind: "priority", generation: 2, items: [{ priority: rows, value: "a" }] });
  expect(priority).toStrictEqual({ kind: "priority", generation: 3, items: [{ priority: [[1], [[[]]]], value: "a" }] });
  for (const upgraded of [map, priority]) expect(readDs(writeDs(upgraded))).toStrictEqual(upgraded);
});

test("what a structure holds keeps its generation, opened or not", () => {
  const inner = writeDs({ kind: "list", generation: 2, items: [{ type: "rows", rows: [[1], [2]] }] });
  const outer = writeDs({ kind: "map", generation: 2, entries: [["bag", inner]] });
  for (const nested of [true, false]) {
    const upgraded = upgradeDs(readDs(outer, { nested }));
    expect(upgraded.generation).toBe(3);
    expect(writeDs(upgraded)).toBe(writeDs({ kind: "map", entries: [["bag", inner]] }));
  }
});

const child: DsMap = {
  kind: "map",
  generation: 3,
  entries: [
    ["hp", 3],
    ["bag", [{ kind: "list", generation: 2, items: ["rope", { kind: "grid", generation: 3, width: 0, height: 0, columns: [] }] }]],
  ],
};
const parent: DsMap = {
  kind: "map",
  generation: 3,
  entries: [
    ["child", child],
    ["name", "Ayla"],
  ],
};

test("structures inside a structure are written as their strings, each in its own generation", () => {
  const text = writeDs(parent);
  expect(readDs(text)).toStrictEqual({
    kind: "map",
    generation: 3,
    entries: [
      ["child", writeDs(child)],
      ["name", "Ayla"],
    ],
  });
  expect(readDs(text, { nested: true })).toStrictEqual(parent);
  expect(openNested(readDs(text))).toStrictEqual(parent);
  expect(writeDs(parent, { generation: 2 })).toBe(
    writeDs(
      {
        ...parent,
        entries: [
          ["child", writeDs(child)],
          ["name", "Ayla"],
        ],
      },
      { generation: 2 },
    ),
  );
});

test("a structure inside one that is written in the legacy form has its own", () => {
  const inner: DsStructure = { kind: "list", items: [true] };
  const outer = writeDs({ kind: "list", items: [inner] }, { generation: 1, legacy: true });
  expect(readDs(outer)).toStrictEqual({ kind: "list", generation: 1, legacy: true, items: [writeDs(inner)] });
});

test("the limit of levels is that of what is opened, too", () => {
  let deep: DsValue = 1;
  for (let i = 0; i < 600; i++) deep = [deep];
  const limits = { maxDepth: 700 };
  const inner: DsList = { kind: "list", generation: 3, items: [deep] };
  const text = writeDs({ kind: "list", items: [writeDs(inner, { limits })] });
  for (const opened of [readDs(text, { kind: "list", nested: true, limits }), openNested(readDs(text, { kind: "list" }), { limits })])
    expect(opened.items).toStrictEqual([inner]);
  expect(readDs(text, { kind: "list", nested: true }).items).toStrictEqual([writeDs(inner, { limits })]);
});

test("a string that would not come out the same stays a string, and so does a key", () => {
  const inner = writeDs({ kind: "list", items: ["jkl"] });
  const structure: DsStructure = {
    kind: "map",
    generation: 3,
    entries: [
      [inner, inner.toLowerCase()],
      ["cut", inner.slice(0, -2)],
      ["long", `${inner}00`],
    ],
  };
  expect(readDs(writeDs(structure), { nested: true })).toStrictEqual(structure);
});

test("the limit of empty columns is one for all structures that are opened", () => {
  const empty = (width: number) => writeDs({ kind: "grid", width, height: 0, columns: Array.from({ length: width }, () => []) });
  const inner = writeDs({ kind: "list", items: [empty(3), empty(2)] });
  const text = writeDs({ kind: "list", items: [empty(4), inner, empty(2), empty(1), empty(1)] });
  const opened = readDs(text, { kind: "list", nested: true, limits: { maxEmptyColumns: 10 } });
  const sizes = JSON.stringify(opened.items, (_, value) => (value?.kind === "grid" ? value.width : value));
  expect(sizes).toBe(JSON.stringify([4, { kind: "list", generation: 3, items: [3, 2] }, empty(2), 1, empty(1)]));
});

test("what a queue has in its contents and in its slots is opened once, and is one structure", () => {
  const empty = writeDs({ kind: "grid", width: 6, height: 0, columns: Array.from({ length: 6 }, () => []) });
  const inner = writeDs({ kind: "list", items: [1] });
  const text = writeDs({ kind: "queue", items: [empty, [inner], 0], head: 1, tail: 4, slots: [inner, 0, 0, 0, inner] });
  const { items, slots } = readDs(text, { kind: "queue", nested: true, limits: { maxEmptyColumns: 10 } });
  expect(slots).toMatchObject([{ items: [1] }, { width: 6 }, [{ items: [1] }], 0, { items: [1] }]);
  expect(items.every((item, i) => item === slots![1 + i])).toBe(true);
  expect(slots![4]).not.toBe(slots![0]);
});

test("other contents of a queue than its slots have are opened by themselves", () => {
  const list = (value: DsValue): DsStructure => ({ kind: "list", generation: 3, items: [value] });
  const queue: DsStructure = { kind: "queue", items: [writeDs(list(1)), writeDs(list(2))], head: 0, tail: 2, slots: [writeDs(list(3)), 4] };
  expect(openNested(queue)).toStrictEqual({ ...queue, items: [list(1), list(2)], slots: [list(3), 4] });
  expect(openNested({ kind: "queue", items: [writeDs(list(1))] })).toStrictEqual({ kind: "queue", items: [list(1)] });
});

test("a grid that stays a string leaves the limit of empty columns alone", () => {
  const grid = writeDs({ kind: "grid", width: 10, height: 0, columns: Array.from({ length: 10 }, () => []) });
  const text = writeDs({ kind: "list", items: [grid.toLowerCase().replace(/^5b/, "5B"), grid] });
  const opened = readDs(text, { kind: "list", nested: true, limits: { maxEmptyColumns: 10 } });
  expect(opened.items).toMatchObject([expect.any(String), { kind: "grid", width: 10 }]);
});

test("every good small vector inside another opens to what it is, and is written the same", () => {
  for (const vector of vectors) {
    if (vector.file.endsWith(".gz") || vector.result === "error") continue;
    const text = writeDs({ kind: "list", items: [textOf(vector)] });
    const opened = readDs(text, { nested: true });
    if (vector.reencode === "exact")
      expect((opened as { items: DsValue[] }).items[0]).toStrictEqual(readDs(textOf(vector), { bools: "exact", nested: true }));
    expect(writeDs(opened)).toBe(text);
  }
});

test("200,000 levels of arrays take time in proportion to them", () => {
  const levels = (count: number): DsList => {
    let value: DsValue = [];
    for (let i = 1; i < count; i++) value = [value];
    return { kind: "list", items: [value] };
  };
  const depthOf = (structure: DsList) => {
    let depth = 0;
    for (let value = structure.items[0]; Array.isArray(value); value = value[0]) depth++;
    return depth;
  };
  const deep = levels(200_000);
  for (const change of [upgradeDs<DsList>, openNested<DsList>]) {
    change(levels(20_000));
    const begun = performance.now();
    expect(depthOf(change(deep))).toBe(200_000);
    // With a look at all arrays around each, it was twenty seconds.
    expect(performance.now() - begun).toBeLessThan(5000);
  }
});

test("a structure that holds itself is refused", () => {
  const cycle: DsMap = { kind: "map", entries: [] };
  cycle.entries.push(["self", cycle]);
  expect(refusalOf(() => writeDs(cycle)).code).toBe("depth");
});

test("structures are 32 levels deep at most", () => {
  /** A list in a list and so on, with nothing in the innermost one, `levels` below the outer one, that could be written. The text of 32 levels would be too long. */
  const nested = (levels: number) => {
    let structure: DsStructure = { kind: "list", items: [null as never] };
    for (let i = 0; i < levels; i++) structure = { kind: "list", items: [structure] };
    return refusalOf(() => writeDs(structure)).code;
  };
  expect([nested(31), nested(32), nested(33)]).toEqual(["unsupported-value", "unsupported-value", "depth"]);
});

test("structures inside structures take one kernel for each level, however many there are", async () => {
  let structure: DsStructure = { kind: "list", items: [1] };
  for (let level = 0; level < 4; level++) structure = { kind: "list", items: [structure, structure, structure] };
  const made = await kernels(() => {
    const text = writeDs(structure, { engine: "wasm" });
    expect(openNested(readDs(text, { engine: "wasm" }), { engine: "wasm" })).toMatchObject({ kind: "list" });
  });
  expect(made).toBeLessThan(8);
});

test("a text that lacks the digits of a count is no structure, and costs no error", () => {
  const machines = vi.spyOn(Machine.prototype, "letGo");
  onTestFinished(() => machines.mockRestore());
  const list: DsList = { kind: "list", items: ["2F010000", "2F0100000000000", "2F01000000000000"] };
  expect(openNested(list).items).toMatchObject([list.items[0], list.items[1], { kind: "list" }]);
  // To read the last, and to write it.
  expect(machines).toHaveBeenCalledTimes(2);
});

test("a text longer than a string may be is refused, but not as bytes", () => {
  const structure: DsStructure = { kind: "list", items: ["a"] };
  const bytes = Buffer.from(writeDs(structure));
  const problem = new RangeError("Invalid string length");
  const decoding = vi.spyOn(TextDecoder.prototype, "decode").mockImplementation(() => {
    throw problem;
  });
  onTestFinished(() => decoding.mockRestore());
  expect(refusalOf(() => writeDs(structure))).toEqual({ code: "too-long" });
  expect(() => writeDs(structure)).toThrow(expect.objectContaining({ format: "ds", cause: problem }));
  expect(Buffer.from(writeDsBytes(structure))).toEqual(bytes);
});

test("an error inside a nested structure has the whole path", () => {
  const structure: DsStructure = { kind: "map", entries: [["a", [{ kind: "list", items: [1, null as never] }]]] };
  expect(refusalOf(() => writeDs(structure))).toEqual({ code: "unsupported-value", path: ".entries[0][1][0].items[1]" });
});
