// Long texts in slices and pieces.
import fc from "fast-check";
import { expect, test } from "vitest";
import { cut, TextPieces } from "../../src/elephant/async/text-pieces.ts";
import { utf8Text } from "../../src/graph/text.ts";
import { file } from "./bytes.ts";
import { createElephantSync } from "./codec.ts";
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
      const pieces = new TextPieces();
      let from = 0;
      let more = 0;
      for (let i = 0; from + more + sizes[i % sizes.length] < bytes.length; i++) {
        const piece = bytes.subarray(from, from + more + sizes[i % sizes.length]);
        const length = cut(piece, piece.length);
        // What may be an unfinished character waits for more.
        more = length === 0 ? piece.length : 0;
        pieces.add(piece.subarray(0, length));
        from += length;
      }
      expect(pieces.finish(bytes.subarray(from))).toBe(utf8Text(bytes));
    }),
  );
});

test("chunks of one byte take texts with surrogate pairs", async () => {
  // Long enough to be written in pieces.
  const value = ["🐘".repeat(21_000)];
  const chunks: Uint8Array[] = [];
  for await (const chunk of CODEC.writeChunks(value, { chunkBytes: 1 })) chunks.push(chunk);
  expect(chunks.every(({ length }) => length > 0)).toBe(true);
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
