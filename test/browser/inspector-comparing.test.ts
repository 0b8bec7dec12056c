// What the inspector's worker finds and compares, without its page.
import { describe, expect, test, vi } from "vitest";
import { type DsStructure, type DsValue, writeDs } from "../../src/ds/index.ts";
import { createElephantSync, SCHEMA, StructInstance } from "../../src/elephant/index.ts";
import { Comparison, compared, ds, elephant, firstText, found, OpenSave, pathTo, Search, utf8 } from "./inspector-worker.ts";

describe("a comparison tells", () => {
  const map = (...entries: [DsValue, DsValue][]) => utf8(writeDs({ kind: "map", entries }));
  const list = (...items: DsValue[]) => utf8(writeDs({ kind: "list", items }));

  test("keys of ds maps by their types", async () => {
    expect(await compared(map(["1", "x"], ["two", 2]), map([1, "x"], ["two", 2]))).toEqual(['+ ["1"] "x"', '- ["1"] "x"']);
    expect(await compared(map([[1], "x"]), map([[2], "x"]))).toHaveLength(2);
    expect(await compared(map([Number.NaN, 1], [[1], 2], [1n, 3]), map([1n, 3], [[1], 2], [Number.NaN, 1]))).toEqual([]);
  });

  test("keys of introspection maps by their types", async () => {
    const text = (...keys: string[]) =>
      utf8(`oP = 100001\n{\n\t_m : map =\n\t{\n${keys.map((key, i) => `\t\t${key} : int = ${i}\n`).join("")}\t}\n}\n`);
    expect(await compared(text("1"), text("[1]"))).toEqual(['+ [0]._m["1"] 0', '- [0]._m["1"] 0']);
    expect(await compared(text("[true]"), text("true"))).toHaveLength(2);
    expect(await compared(text("1", "[1]"), text("1", "[1]"))).toEqual([]);
  });

  test("no asset from one of that name", async () => {
    const text = (asset: string) => utf8(`oP = 100001\n{\n\t_a : asset = ${asset}\n}\n`);
    expect(await compared(text("sprite noone"), text("sprite null"))).toEqual(["~ [0]._a noone → null"]);
    expect(await compared(text("sprite x"), text("sound x"))).toEqual(["~ [0]._a x · sprite → x · sound"]);
    expect(await compared(text("sprite null"), text("sprite null"))).toEqual([]);
  });

  test("the number of an enum from a name of digits", async () => {
    const text = (value: string) => utf8(`oP = 100001\n{\n\t_e : enum = ${value}\n}\n`);
    expect(await compared(text("7"), text("#7"))).toEqual(["~ [0]._e 7 → #7"]);
    expect(await compared(text('e"#7"'), text("#7"))).toEqual(["~ [0]._e #7 → #7 · a number"]);
    expect(await compared(text("#7"), text("#7"))).toEqual([]);
  });

  test("whether a struct is one, or two that are equal, on either side", async () => {
    const one = { v: 1 };
    const shared = elephant.write({ x: one, y: one });
    const apart = elephant.write({ x: { v: 1 }, y: { v: 1 } });
    expect(await compared(shared, apart)).toEqual(["~ .y 1 member · the same as in a place before → 1 member"]);
    expect(await compared(apart, shared)).toEqual(["~ .y 1 member → 1 member · the same as in a place before"]);
    expect(await compared(shared, shared)).toEqual([]);
  });

  test("structs of two versions of a schema", async () => {
    const schema = { v1: { hp: "u8" }, v2: { hp: "u8" } } as const;
    const written = (given: Partial<typeof schema>) => {
      class Hero {
        static [SCHEMA] = given;
        hp = 3;
      }
      return createElephantSync({ constructors: { Hero } }).write({ hero: new Hero() });
    };
    expect(await compared(written({ v1: schema.v1 }), written(schema), { Hero: schema })).toEqual([
      "~ .hero Hero · 1 member · schema version 1, strict → Hero · 1 member · schema version 2, strict",
    ]);
  });

  test("the sizes of grids without cells, and the generations of structures", async () => {
    const grid = (width: number): DsStructure => ({ kind: "grid", width, height: 0, columns: Array.from({ length: width }, () => []) });
    expect(await compared(list(grid(0)), list(grid(3)))).toEqual(["~ [0] grid · 0 × 0 cells → grid · 3 × 0 cells"]);
    expect(await compared(list({ kind: "list", items: [] }), list({ kind: "list", generation: 2, items: [] }))).toEqual([
      "~ [0] list · 0 items · generation 3 → list · 0 items · generation 2",
    ]);
  });

  test("a text that is stored in another way, and what a queue holds outside", async () => {
    const [older, newer] = [["🐘"], [{ type: "string", text: "🐘", encoding: "cesu8" } as const]].map((items) => list(...items));
    expect(await compared(older, newer)).toEqual(['~ [0] "🐘" → "🐘" · cesu8']);
    const queue = (outside: number) => utf8(writeDs({ kind: "queue", items: [1], head: 1, tail: 2, slots: [outside, 1] }));
    expect(await compared(queue(8), queue(9))).toHaveLength(1);
    expect(await compared(queue(8), queue(8))).toEqual([]);
  });

  test.each([
    ["long texts", `${"x".repeat(300)}old`, `${"x".repeat(300)}new`, '…"xxxxxxxxxxxxold" → …"xxxxxxxxxxxxnew"'],
    ["one that goes on", "x".repeat(30), `${"x".repeat(30)}y`, '…"xxxxxxxxxxxx" → …"xxxxxxxxxxxxy"'],
    [
      "characters as a whole",
      `${"x".repeat(20)}🐘${"y".repeat(11)}a`,
      `${"x".repeat(20)}🐘${"y".repeat(11)}b`,
      '…"🐘yyyyyyyyyyya" → …"🐘yyyyyyyyyyyb"',
    ],
    ["what follows, as far as there is room", "x".repeat(900), `${"x".repeat(300)}y`, `…"${"x".repeat(240)}"… → …"${"x".repeat(12)}y"`],
    ["short ones from their beginnings", `${"x".repeat(24)}old`, `${"x".repeat(24)}new`, `"${"x".repeat(24)}old" → "${"x".repeat(24)}new"`],
  ])("texts from shortly before they differ: %s", async (_what, older, newer, told) => {
    expect(await compared(elephant.write({ text: older }), elephant.write({ text: newer }))).toEqual([`~ .text ${told}`]);
    expect(await compared(list(older), list(newer))).toEqual([`~ [0] ${told}`]);
  });

  test("bytes from shortly before they differ", async () => {
    const bytes = (last: number) => list({ type: "bytes", bytes: Uint8Array.from({ length: 40 }, (_, i) => (i === 39 ? last : 0xff)) }, 1);
    expect(await compared(bytes(0xfd), bytes(0xfe))).toEqual(["~ [0] …ff ff ff ff fd → …ff ff ff ff fe"]);
  });
});

test("a comparison keeps 20,000 changes, and marks the containers of the others", async () => {
  const given = (from: number) => ({ a: Array.from({ length: 20_001 }, (_, i) => i + from), b: { c: [from] }, d: { e: 5 }, f: from });
  const [mine, theirs] = await Promise.all([1, 0].map((from) => OpenSave.read("save", elephant.write(given(from)))));
  const comparison = new Comparison(mine, theirs);
  for (const _ of comparison.run());
  expect([comparison.count, comparison.differences.length]).toEqual([20_003, 20_000]);
  const places = [["a"], ["a", "19999"], ["a", "20000"], ["b"], ["b", "c"], ["b", "c", "0"], ["d"], ["f"]];
  expect(comparison.marksOf(places.map((names) => ({ keep: 0, rest: pathTo(mine, ...names) })))).toEqual([
    "inside",
    "changed",
    undefined,
    "inside",
    "inside",
    undefined,
    undefined,
    undefined,
  ]);
});

describe("a search", () => {
  test("finds the constructor of the root", async () => {
    const save = elephant.write(new StructInstance("Hero", { name: "Ada", rival: new StructInstance("Hero", {}) }));
    const search = await found(save, "hero");
    expect([0, 1, 2].map((index) => search.path(index))).toEqual([[], [1], undefined]);
  });

  test.each([
    ["One two", [[0], [1], [2], [3], [4]]],
    ["onetwo", [[5]]],
    ["one", [[0], [1], [2], [3], [4], [5], [6]]],
  ])("finds %s, where a space stands for a line break, too", async (query, paths) => {
    const struct = { a: "one two", b: "one\ntwo", c: "one\r\ntwo", d: "one\rtwo", "one\ntwo": 1, f: "onetwo", g: "one\n\ntwo" };
    const search = await found(elephant.write(struct), query);
    expect(search.found.map((_, index) => search.path(index))).toEqual(paths);
  });

  test.each([
    ["100002", {}, [[0, 1]]],
    ["10000", {}, [[0], [0, 1], [1]]],
    ["100003", {}, [[1]]],
    ["100002", { names: false }, [[0, 1]]],
    ["100002", { values: false }, []],
    // No word of the file.
    ["instance", {}, []],
  ])("finds instances of introspection text by their ids: %s, %j", async (query, options, paths) => {
    const target = ["\t_target : oFoe = 100002", "\t{", "\t\tx : int = 64", "\t}", "\t_none : object = noone"];
    const lines = ["oHero = 100001", "{", "\t_level : int = 3", ...target, "}", "oFoe = 100003", "{", "}", ""];
    const search = await found(utf8(lines.join("\n")), query, options);
    expect(search.found.map((_, index) => search.path(index))).toEqual(paths);
  });

  test("keeps the way to each of many places", async () => {
    const search = await found(elephant.write(Array.from({ length: 30_000 }, () => "hit")), "hit");
    expect([search.count, search.found.length, search.path(29_999)]).toEqual([30_000, 30_000, [29_999]]);
  });
});

describe("long bytes", () => {
  const bytes = new Uint8Array(1_000_000);
  bytes.set([0xab, 0xcd, 0xef], 4095);
  bytes[999_999] = 0x12;
  const list = (...items: Uint8Array[]) => ({ kind: "list", items: items.map((item) => ({ type: "bytes", bytes: item })) });

  test.each([
    ["bytes on the border of two parts", "ab cd ef 00", true],
    ["digits of them", "b Cd e", true],
    ["the space behind one", "cd ef ", true],
    ["more than a part has", `ab cd ef${" 00".repeat(10_000)}`, true],
    ["the end", "00 12", true],
    ["a space behind the end", "12 ", false],
    ["digits without a space", "0012", false],
  ])("are searched in parts, between which others have their turn: %s", (_what, query, isFound) => {
    const search = new Search(ds, list(bytes), query, {});
    let turns = 0;
    for (const _ of search.run()) turns++;
    expect(search.count).toBe(isFound ? 1 : 0);
    if (!isFound) expect(turns).toBe(Math.ceil(1_000_000 / 4096));
  });

  test("are compared, and shown around the place where they differ, without the text of all of them", () => {
    const newer = bytes.slice();
    newer[500_000] = 9;
    const lists = [list(bytes, bytes, bytes), list(newer, bytes.slice(), bytes.subarray(0, -1))];
    const text = vi.spyOn(ds, "scalarText");
    const [theirs, mine] = lists.map((root) => ({ view: ds, root })) as unknown as OpenSave[];
    const comparison = new Comparison(mine, theirs);
    for (const _ of comparison.run());
    expect(text).not.toHaveBeenCalled();
    text.mockRestore();
    const zeros = (count: number) => " 00".repeat(count);
    expect(comparison.differences.map(({ text: path, before, after }) => [path, before!.text, after!.text])).toEqual([
      ["[0]", `…00${zeros(79)} …`, `…00${zeros(3)} 09${zeros(75)} …`],
      ["[2]", `…00${zeros(4)} 12`, `…00${zeros(4)}`],
    ]);
  });

  test("have details of their beginning, more of them than an array has room for, too", () => {
    const value = { type: "bytes", bytes: new Uint8Array(134_600_000).fill(0xab, 0, 2) };
    expect(firstText(ds, value, 20_000)).toEqual({ full: `ab ab${" 00".repeat(6665)} `.slice(0, 20_000), length: 403_799_999 });
    expect(firstText(ds, { type: "bytes", bytes: Uint8Array.of(1, 2) }, 20_000)).toEqual({ full: "01 02", length: 5 });
    expect(firstText(ds, { type: "bytes", bytes: new Uint8Array() }, 20_000)).toEqual({ full: "", length: 0 });
  });
});

test("more containers than a map has room for are searched and compared, each once", async () => {
  class Small extends Map {
    override set(key: unknown, value: unknown) {
      if (this.size >= 8 && !this.has(key)) throw new RangeError("Map maximum size exceeded");
      return super.set(key, value);
    }
  }
  class SmallSet extends Set {
    override add(value: unknown) {
      if (this.size >= 8) throw new RangeError("Set maximum size exceeded");
      return super.add(value);
    }
  }
  const shared = { hit: "needle" };
  const save = await OpenSave.read("many", elephant.write([shared, ...Array.from({ length: 30 }, () => ({})), shared]));
  const other = await OpenSave.read("many", elephant.write([shared, ...Array.from({ length: 30 }, () => ({})), { ...shared }]));
  vi.stubGlobal("Map", Small);
  vi.stubGlobal("Set", SmallSet);
  try {
    const search = new Search(save.view, save.root, "needle", {});
    const comparison = new Comparison(save, other);
    for (const run of [search.run(), comparison.run()]) for (const _ of run);
    expect([search.count, comparison.count]).toEqual([1, 1]);
  } finally {
    vi.unstubAllGlobals();
  }
});
