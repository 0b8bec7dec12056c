// One rule of formats/ds.md in each test, on both engines.
import { inspect, isDeepStrictEqual } from "node:util";
import { describe, expect, test, vi } from "vitest";
import { DEFAULTS } from "../../src/ds/limits.ts";
import { outcomeOf, refusalOf } from "./outcome.ts";
import { DS_NESTED_LIST, DS_NESTED_MAP, DS_STRUCT, type DsStructure, type DsValue, readDs, writeDs, writeDsBytes } from "./public.ts";

const word = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes.toString("hex").toUpperCase();
};
const real = (value: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes.toString("hex").toUpperCase();
};
const text = (value: string) => word(1) + word(Buffer.byteLength(value)) + Buffer.from(value).toString("hex").toUpperCase();
const listOf = (...values: string[]) => word(303) + word(values.length) + values.join("");

describe.each(["wasm", "js"] as const)("%s", (engine) => {
  const read = (input: string | Uint8Array, options = {}) => readDs(input, { engine, ...options });
  const write = (structure: DsStructure, options = {}) => writeDs(structure, { engine, ...options });
  const items = (...values: DsValue[]): DsStructure => ({ kind: "list", generation: 3, items: values });
  const refusedRead = (input: string, options = {}) => refusalOf(() => read(input, options));
  const refusedWrite = (structure: DsStructure, options = {}) => refusalOf(() => write(structure, options));

  describe("text (§1)", () => {
    test("lower and mixed case are read, upper case is written", () => {
      const upper = listOf(text("jklmno"), word(7) + word(-1));
      expect(read(upper.toLowerCase())).toStrictEqual(read(upper));
      expect(write(read(upper.toLowerCase()))).toBe(upper);
    });
    test("a wrong character is told before anything else, wherever it is", () => {
      expect(refusedRead("FFFFFFFF00x0")).toEqual({ code: "bad-hex", offset: 10 });
      expect(refusedRead(`${word(403)}${word(0)}${"0".repeat(200_001)}z`)).toEqual({ code: "bad-hex", offset: 200_017 });
    });
    test("a character that is a digit only in its lower byte is none", () => {
      for (const length of [8, 100]) expect(refusedRead(`\u0130${"0".repeat(length - 1)}`)).toEqual({ code: "bad-hex", offset: 0 });
    });
    test("every byte that is no digit is refused, at every place of a vector", () => {
      const good = new TextEncoder().encode(listOf(word(0) + real(1), text("0123456789abcdef")));
      for (let byte = 0; byte < 256; byte++) {
        if (/[0-9a-fA-F]/.test(String.fromCharCode(byte))) continue;
        for (let at = 0; at < good.length; at++) {
          const bytes = good.slice();
          bytes[at] = byte;
          const found = outcomeOf(() => read(bytes));
          // An assertion for each of the many would take most of the time.
          if (!isDeepStrictEqual(found, { error: { code: "bad-hex", offset: at } }))
            expect.unreachable(`byte ${byte} at ${at}: ${inspect(found)}`);
        }
      }
    });
    test("a text longer than a string can be stays bytes, also where decoders make nothing of it", () => {
      const string = listOf(text("x".repeat(100_000)));
      vi.spyOn(TextDecoder.prototype, "decode").mockReturnValue("");
      const made = read(Buffer.from(string));
      vi.restoreAllMocks();
      expect(made).toMatchObject({ items: [{ type: "bytes", bytes: { length: 100_000 } }] });
      expect(read(string)).toMatchObject({ items: ["x".repeat(100_000)] });
    });
    test("an odd number of digits is told at the last", () => {
      expect(refusedRead(`${listOf()}0`)).toEqual({ code: "odd-length", offset: 16 });
      expect(refusedRead("0")).toEqual({ code: "odd-length", offset: 0 });
    });
    test("an odd character at the end that is no digit is told as that", () => {
      for (const input of [`${listOf()}x`, Buffer.from(`${listOf()}x`)])
        expect(refusalOf(() => read(input))).toEqual({ code: "bad-hex", offset: 16 });
    });
    test("no text at all is empty", () => {
      expect(refusedRead("")).toEqual({ code: "empty", offset: 0 });
      expect(outcomeOf(() => read(new Uint8Array()))).toEqual({ error: { code: "empty", offset: 0 } });
    });
  });

  describe("header (§2)", () => {
    test("another structure than asked for is a bad magic number", () => {
      expect(refusedRead(listOf(), { kind: "map" })).toEqual({ code: "bad-magic", offset: 0 });
    });
    test.each([0, 100, 104, 300, 304, 700, 703, 0xffffffff])("%i is no magic number", (magic) => {
      expect(refusedRead(word(magic) + word(0))).toEqual({ code: "bad-magic", offset: 0 });
    });
    test("a stack is stored bottom first and a grid column by column", () => {
      expect(write({ kind: "stack", items: [1, 2] })).toBe(word(103) + word(2) + word(0) + real(1) + word(0) + real(2));
      const grid: DsStructure = { kind: "grid", width: 2, height: 1, columns: [[1], [2]] };
      expect(write(grid)).toBe(word(603) + word(2) + word(1) + word(0) + real(1) + word(0) + real(2));
    });
    test("a priority queue has all priorities before all values", () => {
      expect(
        write({
          kind: "priority",
          items: [
            { priority: 1, value: "a" },
            { priority: 2, value: "b" },
          ],
        }),
      ).toBe(word(503) + word(2) + word(0) + real(1) + word(0) + real(2) + text("a") + text("b"));
    });
    test("a grid keeps the side that is not zero", () => {
      for (const [width, height] of [
        [0, 3],
        [3, 0],
      ]) {
        const grid: DsStructure = { kind: "grid", generation: 3, width, height, columns: Array.from({ length: width }, () => []) };
        expect(read(write(grid))).toStrictEqual(grid);
      }
    });
    test("a count is checked before anything is made of it", () => {
      expect(refusedRead(word(303) + word(0xffffffff) + word(5))).toEqual({ code: "count", offset: 8 });
      expect(refusedRead(word(403) + word(0x80000000) + word(5))).toEqual({ code: "count", offset: 8 });
      expect(refusedRead(word(603) + word(0x10000) + word(0x10000))).toEqual({ code: "count", offset: 8 });
      expect(refusedRead(word(603) + word(0xffffffff) + word(0))).toEqual({ code: "count", offset: 8 });
      expect(refusedRead(word(203) + word(0) + word(0) + word(0xffffffff))).toEqual({ code: "count", offset: 24 });
      expect(refusedRead(listOf(word(2) + word(0x40000001) + word(5)))).toEqual({ code: "count", offset: 24 });
    });
    test("bytes behind the last value are refused", () => {
      expect(refusedRead(`${listOf(word(5))}00`)).toEqual({ code: "trailing", offset: 24 });
    });
    test("limits that are not given, or infinite, are what they should be", () => {
      expect(read(listOf(word(2) + word(0)), { limits: { maxDepth: undefined, maxValues: Number.POSITIVE_INFINITY } })).toStrictEqual(
        items([]),
      );
      expect(read(listOf(word(2) + word(0)), { limits: { maxDepth: Number.POSITIVE_INFINITY } })).toStrictEqual(items([]));
    });
    test("a limit on values is the most of them that a list may have", () => {
      const list = listOf(...Array(6).fill(word(5)));
      expect(read(list, { limits: { maxValues: 6 } })).toStrictEqual(items(...Array(6)));
      // Where an array grows beyond that, V8 ends the process.
      expect(DEFAULTS.maxValues).toBeLessThan(112_813_858);
      expect(refusedRead(list, { limits: { maxValues: 5 } })).toEqual({ code: "count", offset: 8 });
    });
    test("more slots of a queue than the limit on values are told where the slots are counted", () => {
      const queue = [203, 3, 0, 3, 5, 5, 5].map(word).join("");
      expect(read(queue, { limits: { maxValues: 3 } })).toMatchObject({ items: Array(3) });
      expect(refusedRead(queue, { limits: { maxValues: 2 } })).toEqual({ code: "count", offset: 24 });
    });
    test("a limit on values holds for all arrays together", () => {
      const list = write(items([1, 2], [3, 4]));
      expect(read(list, { limits: { maxValues: 6 } })).toStrictEqual(items([1, 2], [3, 4]));
      expect(refusedRead(list, { limits: { maxValues: 5 } }).code).toBe("count");
    });
  });

  describe("values (§3)", () => {
    test.each<[string, string, DsValue]>([
      ["real", word(0) + real(1.5), 1.5],
      ["minus zero", word(0) + real(-0), -0],
      ["NaN of JavaScript", `${word(0)}000000000000F87F`, Number.NaN],
      ["NaN of Windows", `${word(0)}000000000000F8FF`, { type: "nan", bits: 0xfff8000000000000n }],
      ["signalling NaN", `${word(0)}010000000000F07F`, { type: "nan", bits: 0x7ff0000000000001n }],
      ["a NaN of Windows with a payload", `${word(0)}010000000100F8FF`, { type: "nan", bits: 0xfff8000100000001n }],
      ["infinity", word(0) + real(-Infinity), -Infinity],
      ["denormal", word(0) + real(5e-324), 5e-324],
      ["string", text("a\0é☃😀"), "a\0é☃😀"],
      ["byte order mark", text("\ufeffa"), "\ufeffa"],
      ["CESU-8", `${word(1)}${word(6)}EDA0BDEDB880`, { type: "string", text: "😀", encoding: "cesu8" }],
      [
        "both forms in one string",
        `${word(1)}${word(10)}EDA0BDEDB880F09F9880`,
        { type: "bytes", bytes: Uint8Array.from(Buffer.from("EDA0BDEDB880F09F9880", "hex")) },
      ],
      ["lone surrogate", `${word(1)}${word(3)}EDA080`, { type: "bytes", bytes: Uint8Array.of(0xed, 0xa0, 0x80) }],
      ["code page", `${word(1)}${word(2)}E4FC`, { type: "bytes", bytes: Uint8Array.of(0xe4, 0xfc) }],
      ["overlong form", `${word(1)}${word(2)}C080`, { type: "bytes", bytes: Uint8Array.of(0xc0, 0x80) }],
      ["pointer", `${word(3)}0000D5609B6F0000`, { type: "pointer", address: 0x00006f9b60d50000n }],
      ["undefined", word(5), undefined],
      ["struct", word(6), DS_STRUCT],
      ["int32", word(7) + word(-5), { type: "int32", value: -5 }],
      ["int64", `${word(10)}FBFFFFFFFFFFFFFF`, -5n],
      ["smallest int64", `${word(10)}0000000000000080`, -(2n ** 63n)],
      ["bool", word(13) + real(1), true],
      ["bool", word(13) + real(0), false],
      ["nested list", word(0x40000000), DS_NESTED_LIST],
      ["nested map", word(0x80000000), DS_NESTED_MAP],
      ["array", word(2) + word(1) + word(2) + word(0), [[]]],
    ])("%s", (_, hex, value) => {
      expect(read(listOf(hex))).toStrictEqual(items(value));
      expect(write(items(value))).toBe(listOf(hex));
    });
    test.each([4, 8, 9, 11, 12, 14, 15, 99, 0x40000001])("type %i is unknown, at its own place", (type) => {
      expect(refusedRead(listOf(word(5), word(type)))).toEqual({ code: "unknown-type", offset: 24 });
    });
    test("a bool is true for any double but zero, whose bits can be kept", () => {
      const two = listOf(word(13) + real(2), word(13) + real(-0));
      expect(read(two)).toStrictEqual(items(true, false));
      expect(write(read(two, { bools: "exact" }))).toBe(two);
      expect(write(read(two))).toBe(listOf(word(13) + real(1), word(13) + real(0)));
    });
    test("a pair of surrogates is CESU-8 only where each of its bytes is one that may follow", () => {
      const string = (bytes: Buffer) => listOf(word(1) + word(bytes.length) + bytes.toString("hex"));
      for (const pair of ["EDA040EDB080", "EDA080EDB0C0"])
        for (const before of [0, 70_000]) {
          const bytes = Buffer.concat([Buffer.alloc(before, "A"), Buffer.from(pair, "hex")]);
          expect(read(string(bytes))).toStrictEqual(items({ type: "bytes", bytes: Uint8Array.from(bytes) }));
        }
    });
    test("CESU-8 is text on request, and written on request", () => {
      const cesu = listOf(`${word(1)}${word(6)}EDA0BDEDB880`);
      expect(read(cesu, { strings: "text" })).toStrictEqual(items("😀"));
      expect(write(items("😀"), { astral: "cesu8" })).toBe(cesu);
      expect(write(items("😀"))).toBe(listOf(text("😀")));
    });
    test("what the format cannot hold is refused with its path", () => {
      const strange = [null, Symbol("s"), () => 1, {}, { type: "date" }, "a\ud800", 2n ** 63n, { type: "int32", value: 1.5 }];
      for (const value of strange as DsValue[])
        expect(refusedWrite(items(1, [0, value]))).toEqual({ code: "unsupported-value", path: ".items[1][1]" });
      expect(
        refusedWrite({
          kind: "map",
          entries: [
            ["a", 1],
            ["b", null as never],
          ],
        }),
      ).toEqual({ code: "unsupported-value", path: ".entries[1][1]" });
      expect(refusedWrite({ kind: "tree" } as never).code).toBe("unsupported-value");
      expect(refusedWrite({ ...items(), generation: 4 as never }).code).toBe("unsupported-value");
      expect(refusedWrite(items(), { legacy: true }).code).toBe("unsupported-value");
    });
  });

  describe("arrays (§4)", () => {
    const second = (...values: DsValue[]): DsStructure => ({ kind: "list", generation: 2, items: values });
    test("one row of generation 2 is an array, any other number an array of rows", () => {
      const one = word(302) + word(1) + word(2) + word(1) + word(1) + word(5);
      expect(read(one)).toStrictEqual(second([undefined]));
      expect(write(second([undefined]))).toBe(one);
      const rows: DsValue = { type: "rows", rows: [[1], [], [[2], { type: "rows", rows: [] }]] };
      expect(read(write(second(rows, "end")))).toStrictEqual(second(rows, "end"));
    });
    test("what is no row is refused with its path", () => {
      const rows = { type: "rows", rows: [[1], 5, [2]] } as never;
      expect(refusedWrite(second("a", [rows]))).toEqual({ code: "unsupported-value", path: ".items[1][0].rows[1]" });
    });
    test("generation 3 refuses an array of rows", () => {
      expect(refusedWrite(second([{ type: "rows", rows: [[1], [2]] }]), { generation: 3 })).toEqual({
        code: "unsupported-value",
        path: ".items[0][0]",
      });
    });
    test("an array has no more elements than there are bytes for", () => {
      expect(refusedRead(listOf(word(2) + word(3) + word(5) + word(5)))).toEqual({ code: "count", offset: 24 });
    });
    const nested = (depth: number) => listOf((word(2) + word(1)).repeat(depth) + word(5));
    test("512 levels are read and written, 513 are not", () => {
      expect(write(read(nested(512)))).toBe(nested(512));
      expect(refusedRead(nested(513))).toEqual({ code: "depth", offset: 16 + 512 * 16 });
      expect(refusedWrite(read(nested(513), { limits: { maxDepth: 513 } })).code).toBe("depth");
    });
    test("100,000 levels overflow nothing", () => {
      const deep = nested(100_000);
      expect(refusedRead(deep).code).toBe("depth");
      const limits = { maxDepth: 100_000 };
      expect(write(read(deep, { limits }), { limits }) === deep).toBe(true);
    });
    test("an array that holds itself is refused as too deep", () => {
      const cycle: DsValue[] = [];
      cycle.push(cycle);
      expect(refusedWrite(items(cycle)).code).toBe("depth");
    });
  });

  describe("queue (§5)", () => {
    const queue = word(203) + word(2) + word(1) + word(3) + text("old") + text("now") + word(0) + real(0);
    test("its contents are the slots from head to tail, and the others come back", () => {
      expect(read(queue)).toStrictEqual({ kind: "queue", generation: 3, items: ["now"], head: 1, tail: 2, slots: ["old", "now", 0] });
      expect(write(read(queue))).toBe(queue);
    });
    test("changed contents replace the slots between head and tail", () => {
      expect(write({ ...(read(queue) as DsStructure & { kind: "queue" }), items: ["new"] })).toBe(queue.replace(text("now"), text("new")));
    });
    test("head, tail and slots must fit together", () => {
      expect(refusedRead(word(203) + word(1) + word(2) + word(2) + word(5).repeat(2))).toEqual({ code: "count", offset: 8 });
      expect(refusedRead(word(203) + word(3) + word(0) + word(2) + word(5).repeat(2))).toEqual({ code: "count", offset: 8 });
      expect(refusedWrite({ kind: "queue", items: [1, 2], head: 0, tail: 1, slots: [1] }).code).toBe("count");
    });
    test("no head is negative", () => {
      expect(refusedWrite({ kind: "queue", items: [1], head: -1, tail: 0, slots: [] }).code).toBe("count");
    });
  });

  describe("generation 1 (§6)", () => {
    const legacy = word(401) + word(1) + word(1) + real(0) + word(1) + "61" + word(0) + real(2) + word(0);
    test("legacy values are all of one form, a map's keys before its values", () => {
      const map: DsStructure = { kind: "map", generation: 1, legacy: true, entries: [["a", 2]] };
      expect(read(legacy)).toStrictEqual(map);
      expect(read(legacy, { legacy: true })).toStrictEqual(map);
      expect(write(map)).toBe(legacy);
      expect(refusedRead(legacy, { legacy: false })).toEqual({ code: "trailing", offset: 56 });
    });
    test("a legacy real has no string and a legacy string ignores its real", () => {
      expect(refusedRead(word(301) + word(1) + word(0) + real(2) + word(1) + "61", { legacy: true })).toEqual({
        code: "count",
        offset: 40,
      });
      expect(read(word(301) + word(1) + word(1) + real(9) + word(1) + "61")).toMatchObject({ legacy: true, items: ["a"] });
    });
    test("of values that are neither legacy nor compact the error is the one further on", () => {
      const unknown = word(9) + word(0).repeat(3);
      const legacyText = word(1) + real(0) + word(8) + "61".repeat(8);
      for (const [values, offset, code] of [
        [legacyText + unknown, 64, "unknown-type"],
        [word(0).repeat(3) + unknown, 40, "unknown-type"],
        [word(0).repeat(4) + unknown, 64, "trailing"],
      ] as const)
        expect(refusedRead(word(301) + word(2) + values)).toEqual({ code, offset });
    });
    test("there are no more legacy values than there are 16 bytes for each", () => {
      const two = (word(0) + real(1) + word(0)).repeat(2);
      expect(refusedRead(word(301) + word(3) + two, { legacy: true })).toEqual({ code: "count", offset: 8 });
    });
    test("a legacy structure that is written in another generation has its usual form", () => {
      const list: DsStructure = { kind: "list", generation: 1, legacy: true, items: ["a"] };
      expect(write(list, { generation: 3 })).toBe(listOf(text("a")));
    });
    test("it holds reals and strings only", () => {
      expect(refusedRead(word(301) + word(1) + word(5), { legacy: false })).toEqual({ code: "unknown-type", offset: 16 });
      for (const value of [true, undefined, 1n, [], DS_STRUCT] as DsValue[]) {
        for (const isLegacy of [false, true])
          expect(refusedWrite(items(value), { generation: 1, legacy: isLegacy })).toEqual({ code: "unsupported-value", path: ".items[0]" });
      }
      expect(read(write(items("a", 1, Number.NaN), { generation: 1 }))).toStrictEqual({
        kind: "list",
        generation: 1,
        items: ["a", 1, Number.NaN],
      });
    });
  });

  describe("order (§7)", () => {
    test("keys keep their order, their types and their doubles", () => {
      const entries: [DsValue, DsValue][] = [
        ["10", 1],
        ["9", 2],
        [9, 3],
        ["__proto__", 4],
        ["9", 5],
        [undefined, 6],
        [[1], 7],
        [-0, 8],
        [0, 9],
      ];
      expect(read(write({ kind: "map", entries }))).toStrictEqual({ kind: "map", generation: 3, entries });
    });
  });

  test("the height of a grid without columns is a count of 32 bits", () => {
    for (const height of [2 ** 32, -1, 1.5, Number.NaN, "x", "5", undefined, null, 5n])
      expect(refusedWrite({ kind: "grid", width: 0, height: height as number, columns: [] })).toEqual({ code: "count", path: ".columns" });
  });

  test("a grid's sizes must be those of its columns", () => {
    expect(refusedWrite({ kind: "grid", width: 1, height: 1, columns: [] })).toEqual({ code: "count", path: ".columns" });
    expect(refusedWrite({ kind: "grid", width: 1, height: 2, columns: [[1]] })).toEqual({ code: "count", path: ".columns[0]" });
  });

  test("the structure's generation is written again unless another is asked for", () => {
    const list = read(word(302) + word(1) + word(5));
    expect(write(list).slice(0, 8)).toBe(word(302));
    expect(write(list, { generation: 3 }).slice(0, 8)).toBe(word(303));
    expect(write({ kind: "list", items: [] })).toBe(listOf());
    expect(Buffer.from(writeDsBytes({ kind: "list", items: [] }, { engine })).toString()).toBe(listOf());
  });

  test("a call inside another does not disturb it", () => {
    const inner = write(items("inner", 2));
    const entries: [DsValue, DsValue][] = [
      ["a", 1],
      ["b", 2],
      ["c", 3],
    ];
    Object.defineProperty(entries[1], 1, {
      enumerable: true,
      get: () => {
        expect(read(inner)).toStrictEqual(items("inner", 2));
        expect(refusedRead(`${inner}00`).code).toBe("trailing");
        return write(items("from inside"));
      },
    });
    expect(read(write({ kind: "map", entries }))).toStrictEqual({
      kind: "map",
      generation: 3,
      entries: [
        ["a", 1],
        ["b", write(items("from inside"))],
        ["c", 3],
      ],
    });
  });

  test("an error of the caller's own passes through, and the codec goes on", () => {
    const own = new Error("own");
    const broken = {
      get 0() {
        throw own;
      },
      length: 2,
    } as never;
    expect(() => write({ kind: "map", entries: [broken] })).toThrow(own);
    expect(write(items(1))).toBe(listOf(word(0) + real(1)));
  });
});

describe("errors", () => {
  test("the first of two bad digits is told, however far the other is", () => {
    const long = writeDs({ kind: "list", items: Array.from({ length: 20_000 }, (_, i) => i) });
    const bad = [100, long.length - 10].reduce((damaged, at) => `${damaged.slice(0, at)}x${damaged.slice(at + 1)}`, long);
    for (const input of [bad, new TextEncoder().encode(bad)])
      expect(() => readDs(input)).toThrow(expect.objectContaining({ name: "TuskError", format: "ds", code: "bad-hex", offset: 100 }));
  });

  test("the place of a queue's value that cannot be stored", () => {
    const wrong = Symbol();
    const placeIn = (queue: object) => refusalOf(() => writeDs({ kind: "queue", ...queue } as DsStructure)).path;
    expect(placeIn({ items: [1, wrong] })).toBe(".items[1]");
    expect(placeIn({ items: [1, wrong], head: 1, tail: 3, slots: [0, 1, 2, 3] })).toBe(".items[1]");
    expect(placeIn({ items: [1, 2], head: 1, tail: 3, slots: [wrong, 1, 2, 3] })).toBe(".slots[0]");
    expect(placeIn({ items: [1, 2], head: 1, tail: 3, slots: [0, 1, 2, wrong] })).toBe(".slots[3]");
  });

  test("nested grids that have rows leave the limit of empty columns alone", () => {
    const items: DsStructure[] = [
      { kind: "grid", width: 3, height: 1, columns: [[1], [2], [3]] },
      { kind: "grid", width: 2, height: 0, columns: [[], []] },
    ];
    const text = writeDs({ kind: "list", items });
    expect(readDs(text, { kind: "list", nested: true, limits: { maxEmptyColumns: 2 } }).items).toMatchObject(items);
  });
});
