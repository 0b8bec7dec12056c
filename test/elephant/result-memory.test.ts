// Behind two large saves a codec writes into the memory that becomes the result, as long as it expects it to be (src/elephant/write/output.ts). The bytes are
// those of a codec that does not, wherever the result turns out to be longer.
import { describe, expect, test } from "vitest";
import { createElephantSync, type Elephant, MODES, Scalar, TuskError } from "./codec.ts";

/** What the memory of a large save holds at the least. */
const LARGE = 1 << 18;
const rows = Array.from({ length: 100 }, (_, i) => Array.from({ length: 400 }, (_, k) => i + k / 2));

/** Values of any kind that may lie where the memory ends, from 10 bytes to more than all of it. */
const PIECES: [string, unknown][] = [
  ["numbers", Array.from({ length: 3000 }, (_, i) => i / 3)],
  ["more numbers than the memory holds", Array.from({ length: 60_000 }, (_, i) => i)],
  ["numbers and a text", [...Array.from({ length: 5000 }, (_, i) => i), "x"]],
  ["bools", Array.from({ length: 9000 }, (_, i) => i % 3 === 0)],
  ["a typed array", new Float32Array(4000).fill(1.5)],
  ["a long typed array", new Uint8Array(60_000).fill(7)],
  ["short texts", Array.from({ length: 900 }, (_, i) => `naïve ${i}`)],
  ["texts that the kernel encodes", Array.from({ length: 200 }, (_, i) => ({ text: `a longer text, no. ${i}: 象 🐘 ${"é".repeat(i)}` }))],
  [
    "a text in front of numbers",
    { text: "象".repeat(3000), ...Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`n${i}`, i / 3])) },
  ],
  ["a long text", "é".repeat(39_000)],
  ["a very long text", "🐘".repeat(120_000)],
  ["a very long text of ASCII", "elephant ".repeat(40_000)],
  [
    "structs",
    Array.from({ length: 300 }, (_, id) => ({ id, name: `n${id}`, at: { x: id / 2, y: -id }, on: id % 2 === 0, tags: ["a", "b"] })),
  ],
  ["a struct of many members", Object.fromEntries(Array.from({ length: 700 }, (_, i) => [`member ${i}`, i]))],
  ["long names", { ["n".repeat(5000)]: 1, ["ñ".repeat(5000)]: { ["m".repeat(50)]: 2 } }],
  ["scalars", Array.from({ length: 900 }, (_, i) => [new Scalar("u8", i & 255), new Scalar("f32", i), 5n])],
  ["a deep one", Array.from({ length: 3000 }).reduce<unknown>((inner, _, i) => ({ i, inner }), "end")],
];

/** The same value, written by a codec that expects no large result. */
function expected(reference: Elephant, value: unknown): Uint8Array {
  reference.write("small");
  return reference.write(value);
}

/** What lies behind the result in its memory is zero. */
function expectClean(bytes: Uint8Array): void {
  const behind = Buffer.from(bytes.buffer, bytes.byteOffset + bytes.length);
  expect(behind.equals(Buffer.alloc(behind.length))).toBe(true);
}

describe.each(MODES)("$engine, code generation $codeGeneration", (mode) => {
  const codec = createElephantSync(mode);
  const reference = createElephantSync(mode);
  const usual = [rows, "end"];
  const length = codec.write(usual).length;
  expect(length).toBeGreaterThan(LARGE);
  codec.write(usual);

  test.each(PIECES)("%s where the memory ends", (_, piece) => {
    // Near the end once more, now that shapes have their functions.
    for (const pad of [...Array.from({ length: 15 }, (_, i) => i * 601), 0, 60, 150, 250, 350, 450]) {
      // Its last memory was as long as this.
      expect(codec.write(usual).length).toBe(length);
      const value = [rows, "p".repeat(pad % 23), new Uint8Array(pad), piece, "behind", [piece]];
      const bytes = codec.write(value);
      expect(bytes, `pad ${pad}`).toEqual(expected(reference, value));
      expectClean(bytes);
    }
  });

  test("results are the caller's, whatever is written next", () => {
    const first = codec.write(usual);
    const kept = first.slice();
    codec.write(usual).fill(9);
    const second = codec.write([rows, "other"]);
    expect(codec.write("a small one").length).toBeLessThan(50);
    codec.write(usual);
    expect(first).toEqual(kept);
    expect(codec.read(second)).toEqual([rows, "other"]);
  });

  test("what cannot be written leaves nothing behind", () => {
    for (let i = 0; i < 3; i++) {
      expect(() => codec.write([rows, "a\0b"])).toThrow(TuskError);
      expect(() => codec.write([rows, `${"x".repeat(50_000)}\ud800`])).toThrow(TuskError);
      const bytes = codec.write(usual);
      expect(bytes).toEqual(expected(reference, usual));
      expectClean(bytes);
    }
  });

  test("sharing and cycles that earlier saves did not have", () => {
    const shared = { rows: [1, 2, 3], self: undefined as unknown };
    shared.self = shared;
    const value = [rows, Array.from({ length: 500 }, () => shared), rows];
    for (let i = 0; i < 3; i++) {
      codec.write(usual);
      expect(codec.write(value)).toEqual(expected(reference, value));
    }
  });

  test("shorter and shorter, longer and longer", () => {
    for (const count of [100, 99, 90, 70, 66, 20, 1, 66, 70, 71, 90, 100, 40, 100]) {
      const value = rows.slice(0, count);
      const bytes = codec.write(value);
      expect(bytes, `${count} rows`).toEqual(expected(reference, value));
      expectClean(bytes);
    }
  });
});
