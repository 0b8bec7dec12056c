// Input and output longer than the kernel's windows: values cut by a boundary at every place, strings longer than a window, and the
// memory that stays where it is.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { Machine, withMachine } from "../../src/ds/machine.ts";
import { expectSameStrictly } from "../same.ts";
import { plainRead } from "./plain-reader.ts";
import { type DsStructure, type DsValue, readDs, writeDs, writeDsBytes } from "./public.ts";

describe.each(["wasm", "js"] as const)("%s", (engine) => {
  const list = (items: DsValue[]): DsStructure => ({ kind: "list", generation: 3, items });
  const same = (structure: DsStructure) => {
    const text = writeDs(structure, { engine });
    expectSameStrictly(readDs(text, { engine }), structure);
    expect(new TextDecoder().decode(writeDsBytes(structure, { engine })) === text).toBe(true);
    return text;
  };

  test("a window may end at any byte of any value", () => {
    // The first window ends behind 32,768 bytes; the string in front moves all that follows over that place, byte by byte.
    const values: DsValue[] = [
      1.5,
      "abc",
      "é☃",
      [1, ["x"], []],
      true,
      7n,
      undefined,
      { type: "int32", value: 3 },
      { type: "bytes", bytes: Uint8Array.of(255) },
    ];
    for (let before = 32_768 - 8 - 8 - 8160 - 8 - 8160 - 8 - 8160 - 130; before < 8192; before++) {
      const items = ["a".repeat(8160), "b".repeat(8160), "c".repeat(8160), "d".repeat(before), ...values];
      const text = writeDs(list(items), { engine });
      if (before % 25 === 0) expect(plainRead(text)).toStrictEqual(list(items));
      expectSameStrictly(readDs(text, { engine }), list(items));
    }
  });

  test.each([8191, 8192, 8193, 32_767, 40_000, 70_000, 300_000])("strings of %i bytes, in all encodings", (size) => {
    const ascii = "x".repeat(size);
    const wide = "é".repeat(size >> 1) + "z".repeat(size & 1);
    const astral = "😀".repeat(size >> 2);
    const raw = new Uint8Array(size).fill(0xfe);
    const items = [
      1,
      ascii,
      wide,
      [astral, [raw.length]],
      { type: "bytes", bytes: raw } as const,
      "end",
      { type: "string", text: astral, encoding: "cesu8" } as const,
    ];
    same(list(items));
    same({
      kind: "map",
      generation: 3,
      entries: [
        [ascii, wide],
        ["key", astral],
        [[astral], ascii],
      ],
    });
    expect(readDs(writeDs(list([astral]), { engine, astral: "cesu8" }), { engine, strings: "text" })).toStrictEqual(list([astral]));
  });

  test("bytes and a long string behind any number of reals at the end of a window", () => {
    for (let reals = 2725; reals < 2733; reals++)
      for (const value of [{ type: "bytes", bytes: Uint8Array.of(255, 254) } as const, "é".repeat(12_000)])
        same(list([...new Array(reals).fill(1.5), value, "end"]));
  });

  test("a long string with a lone surrogate or a broken end is bytes", () => {
    for (const end of [[0xed, 0xa0, 0x80], [0xc3], [0xf0, 0x9f, 0x98]]) {
      const bytes = new Uint8Array(20_000).fill(0x61);
      bytes.set(end, bytes.length - end.length);
      same(list([{ type: "bytes", bytes }]));
    }
  });

  test("a long string that ends early is refused without being made", () => {
    const text = writeDs(list(["x".repeat(100_000)]), { engine });
    expect(() => readDs(text.slice(0, -2), { engine })).toThrow(expect.objectContaining({ code: "truncated", offset: 24 }));
    const claimed = `${text.slice(0, 24)}FFFFFF7F${text.slice(32)}`;
    expect(() => readDs(claimed, { engine })).toThrow(expect.objectContaining({ code: "truncated", offset: 24 }));
  });

  test("repeated strings, short and long, in every window", () => {
    const names = ["sword", "shield", "", "a", "exactly16letters", "seventeen letters", "été"];
    same(list(Array.from({ length: 40_000 }, (_, i) => names[(i * 7919) % names.length])));
    same(list(Array.from({ length: 40_000 }, (_, i) => (i % 3 === 0 ? "again" : `unique ${i}`))));
  });

  test("many values of every kind", () => {
    const items: DsValue[] = Array.from(
      { length: 30_000 },
      (_, i): DsValue => [i, `name ${i % 50}`, i % 2 === 0, BigInt(i), undefined, Number.NaN, "ü".repeat(i % 40)][i % 7],
    );
    for (const kind of ["list", "stack", "queue"] as const) same({ kind, generation: 3, items } as DsStructure);
    same({ kind: "priority", generation: 3, items: items.map((value, i) => ({ priority: i / 2, value })) });
    same({ kind: "map", generation: 2, entries: items.map((value, i) => [value, [i]]) });
    same({
      kind: "grid",
      generation: 2,
      width: 300,
      height: 100,
      columns: Array.from({ length: 300 }, (_, x) => items.slice(x * 100, x * 100 + 100)),
    });
    const first = items.map((value) => (typeof value === "number" || typeof value === "string" ? value : 0));
    same({ kind: "map", generation: 1, legacy: true, entries: first.map((value, i) => [i, value]) });
    same({ kind: "list", generation: 1, legacy: true, items: [...first, "long ".repeat(5000)] });
    same({ kind: "list", generation: 1, items: first });
  });

  test("the kernel's memory does not grow with the input", () => {
    const before = withMachine(engine, (machine) => machine.kernel.memory.buffer.byteLength);
    same(list(Array.from({ length: 200_000 }, (_, i) => (i % 2 ? i : `text ${i}`))));
    same(list(["x".repeat(8_000_000)]));
    withMachine(engine, (machine) => {
      expect(machine).toBeInstanceOf(Machine);
      expect(machine.kernel.memory.buffer.byteLength).toBe(before);
    });
    expect(before).toBeLessThan(1 << 20);
  });
});

test("a text that ends in the value behind a long string", () => {
  for (const length of [40_000, 70_000]) {
    const text = writeDs({ kind: "list", items: ["x".repeat(length), 1.5] });
    for (const missing of [2, 8, 16, 20])
      expect(() => readDs(text.slice(0, -missing))).toThrow(expect.objectContaining({ code: "truncated" }));
  }
});

// Only V8 can be told to collect.
test.skipIf("bun" in process.versions)("nothing holds on to what was read", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const given = (() => {
    const bytes = writeDsBytes({ kind: "list", items: [1, 2] });
    readDs(bytes);
    return new WeakRef(bytes);
  })();
  // A reference that was asked for lives until the turn ends.
  await new Promise((done) => setTimeout(done));
  collect();
  expect(given.deref()).toBeUndefined();
});
