// Long texts in slices and pieces.
import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { cut, TextPieces } from "../../src/elephant/async/text-pieces.ts";
import { utf8Text } from "../../src/graph/text.ts";
import { file } from "./bytes.ts";
import { createElephantSync } from "./codec.ts";
import { differences } from "./compare.ts";
import { inPieces } from "./in-pieces.ts";

const CODEC = createElephantSync();

test("long texts in pieces are the same text, wherever they are cut", () => {
  const unit = fc.constantFrom(
    [0x41],
    [0xc3, 0xa9],
    [0xe2, 0x82, 0xac],
    [0xf0, 0x9f, 0x90, 0x98], // A, é, €, 🐘
    [0xed, 0xa0, 0xbd, 0xed, 0xb0, 0x98], // 🐘 as two surrogates
    [0xed, 0xa0, 0xbd],
    [0xed, 0xb0, 0x98],
    [0xed, 0x9f, 0xbf], // halves, and a character that begins with the same byte
    [0x80],
    [0xed],
    [0xff],
    [0xef, 0xbb, 0xbf],
  );
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 60 }), fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (units, sizes) => {
      const bytes = Uint8Array.from(units.flat());
      const pieces = new TextPieces(0);
      let from = 0;
      let more = 0;
      for (let i = 0; from + more + sizes[i % sizes.length] < bytes.length; i++) {
        const piece = bytes.subarray(from, from + more + sizes[i % sizes.length]);
        const length = cut(piece, piece.length);
        // What may be an unfinished character waits for more.
        more = length === 0 ? piece.length : 0;
        pieces.add(piece.subarray(0, length), true);
        from += length;
      }
      expect(pieces.add(bytes.subarray(from), false)).toBe(utf8Text(bytes));
    }),
  );
});

test("chunks of one byte take texts with surrogate pairs", async () => {
  // Long enough to be written in pieces.
  const value = ["🐘".repeat(21_000)];
  const chunks: Uint8Array[] = [];
  for await (const chunk of CODEC.writeChunks(value, { chunkBytes: 1 })) chunks.push(chunk);
  expect(chunks.every(({ length }) => length > 0)).toBe(true);
  // A pair of surrogates is not parted.
  expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThanOrEqual(6);
  expect(Buffer.concat(chunks).equals(CODEC.write(value))).toBe(true);
});

test("characters as two halves of three bytes each", async () => {
  for (const before of ["", "a", "aa"]) {
    const save = file(`0B ${Buffer.from(before).toString("hex")} ${"EDA0BDEDB880".repeat(100_000)} 00`);
    const whole = before + "\u{1f600}".repeat(100_000);
    expect(CODEC.read(save) === whole).toBe(true);
    expect((await CODEC.readAsync(inPieces(save, 70_000))) === whole).toBe(true);
    expect((await CODEC.readAsync(save, { sliceMs: 0 })) === whole).toBe(true);
  }
});

test("bytes that begin no character", async () => {
  const save = file(`0B ${"80".repeat(300_000)} 00`);
  const whole = CODEC.read<string>(save);
  expect(whole).toHaveLength(300_000);
  expect((await CODEC.readAsync(inPieces(save, 70_000))) === whole).toBe(true);
}, 5000);

test("typed arrays around long names and texts, from chunks of any size", async () => {
  const long = "ä".repeat(400_000);
  const value = {
    before: Float64Array.of(1, 2, 3),
    ["a".repeat(20_000)]: long,
    list: [Uint8Array.of(4), long, Int32Array.of(-5)],
    // Names that the kernel hands over though it has all of them.
    ["b".repeat(40_000)]: long,
    inner: { last: Uint8Array.of(6) },
    ["c".repeat(40_000)]: Uint16Array.of(8),
    ["d".repeat(40_000)]: long,
    ["e".repeat(300_000)]: new Uint16Array(60_000).fill(7),
    ["f".repeat(300_000)]: long,
  };
  const save = CODEC.write(value);
  for (const size of [100, 1000, 70_000, 1_000_000])
    expect(
      differences(CODEC.read(save, { typedArrays: true }), await CODEC.readAsync(inPieces(save, size), { typedArrays: true })),
    ).toEqual([]);
});

test("a long text is not gathered, with typed arrays neither", async () => {
  const save = CODEC.write({ before: Uint8Array.of(1, 2), text: "@" });
  const at = save.indexOf(0x40);
  const piece = new Uint8Array(1 << 16).fill(0x78);
  let most = 0;
  async function* chunks() {
    yield save.subarray(0, at);
    const { arrayBuffers } = process.memoryUsage();
    for (let i = 0; i < 600; i++) {
      yield piece;
      most = Math.max(most, process.memoryUsage().arrayBuffers - arrayBuffers);
    }
    yield save.subarray(at + 1);
  }
  const { before, text } = await CODEC.readAsync<{ before: Uint8Array; text: string }>(chunks(), { typedArrays: true });
  expect([[...before], text.length]).toEqual([[1, 2], 600 * piece.length]);
  expect(most).toBeLessThan(8e6);
});

test("a constructor's name longer than a string can be is given up, though it may go on", async () => {
  // Nobody writes to its memory, so it takes none.
  class Endless extends Uint8Array {
    override indexOf(): number {
      return -1;
    }
  }
  const chunk = new Endless(2 ** 29 + 100);
  chunk.set(file(`CE FEFF 0000 ${"61".repeat(100)}`).subarray(0, -4));
  async function* source() {
    yield chunk;
  }
  await expect(CODEC.readAsync(source())).rejects.toMatchObject({ code: "element-limit", offset: 13 });
});

describe("a text longer than a string can be", () => {
  const save = Buffer.from(CODEC.write({ a: 1, text: "x".repeat(700_000) }));
  const place = { format: "elephant", code: "element-limit", offset: save.indexOf("xxx") };
  afterEach(() => vi.restoreAllMocks());

  // As in Node, and as in Chromium.
  test.each([
    () => {
      throw new RangeError("Invalid string length");
    },
    () => "",
  ])("is an error with its place, decoder %#", (decode) => {
    vi.spyOn(TextDecoder.prototype, "decode").mockImplementation(decode);
    expect(() => CODEC.read(save)).toThrow(expect.objectContaining(place));
  });

  // Bun's strings are longer.
  test.skipIf("bun" in process.versions)("is one in slices, too", async () => {
    vi.spyOn(TextDecoder.prototype, "decode").mockReturnValue("x".repeat(2 ** 28));
    await expect(CODEC.readAsync(inPieces(save, 70_000))).rejects.toMatchObject(place);
    vi.restoreAllMocks();
    expect(await CODEC.readAsync(save)).toEqual(CODEC.read(save));
  });
});
