// Broken input in bulk: every prefix and every single-bit flip of the small vectors. Whatever comes, both engines say what the plain
// reader of plain-reader.ts says, value or error with its place.
import { inspect, isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LONG_RUN } from "../long-run.ts";
import { outcomeOf, refusalOf } from "./outcome.ts";
import { PlainError, plainRead } from "./plain-reader.ts";
import { readDs } from "./public.ts";
import { textOf, vectors } from "./vector-files.ts";

// Errors by the hundred thousand: their stacks are not looked at, and writing them down takes most of the time.
const { stackTraceLimit } = Error;
beforeAll(() => {
  Error.stackTraceLimit = 0;
});
afterAll(() => {
  Error.stackTraceLimit = stackTraceLimit;
});
const TIMEOUT = 60_000;

const small = vectors
  .filter((vector) => !vector.file.endsWith(".gz"))
  .map((vector) => ({ legacy: vector.generation === "legacy", text: textOf(vector) }));
const shorter = small.filter(({ text }) => text.length <= 260);

function expected(text: string, legacy: boolean) {
  try {
    return { value: plainRead(text, legacy ? "legacy" : "compact") };
  } catch (error) {
    if (!(error instanceof PlainError)) throw error;
    return { error: { code: error.code, offset: error.offset } };
  }
}

const ENGINES = ["wasm", "js"] as const;
/** The engines by turns, which are made of the same source; in the long run both. */
const enginesOf = (turn: number): readonly ("wasm" | "js")[] => (LONG_RUN ? ENGINES : [ENGINES[turn & 1]]);

function compare(text: string, legacy: boolean, engines: readonly ("wasm" | "js")[] = ENGINES): void {
  const right = expected(text, legacy);
  for (const engine of engines) {
    const found = outcomeOf(() => readDs(text, { legacy, engine }));
    // An assertion for each would take most of the time.
    if (!isDeepStrictEqual(found, right)) expect.unreachable(`${engine} reads ${text} as ${inspect(found)}, not as ${inspect(right)}`);
  }
}

test("there are enough small vectors", () => {
  expect(small.length).toBeGreaterThan(250);
  expect(shorter.length).toBeGreaterThan(100);
});

test(
  "every prefix of a small vector is read or refused alike",
  () => {
    for (const { text, legacy } of shorter)
      for (let end = 0; end <= text.length; end++) compare(text.slice(0, end), legacy, enginesOf(end >> 1));
  },
  TIMEOUT,
);

test(
  "every single-bit flip of a small vector is read or refused alike",
  () => {
    for (const { text, legacy } of shorter) {
      for (let at = 0; at < text.length; at++) {
        const digit = Number.parseInt(text[at], 16);
        if (Number.isNaN(digit)) continue;
        for (let bit = 0; bit < 4; bit++) {
          const flipped = (digit ^ (1 << bit)).toString(16).toUpperCase();
          compare(`${text.slice(0, at)}${flipped}${text.slice(at + 1)}`, legacy, enginesOf(at + bit));
        }
      }
    }
  },
  TIMEOUT,
);

test("every small vector with a wrong character is refused at that character", () => {
  const at = 20;
  const whole = shorter.filter(({ text }) => /^[0-9a-f]+$/i.test(text) && text.length > at);
  expect(whole.length).toBeGreaterThan(100);
  for (const { text, legacy } of whole)
    for (const wrong of ["g", " ", "é", "\u0141", "\ud83d"]) {
      const damaged = `${text.slice(0, at)}${wrong}${text.slice(at + 1)}`;
      for (const engine of ["wasm", "js"] as const)
        expect(refusalOf(() => readDs(damaged, { legacy, engine }))).toEqual({ code: "bad-hex", offset: at });
      compare(damaged, legacy);
    }
});

test("generation 1 is told apart without being told", () => {
  const first = vectors.filter((vector) => vector.result === "ok" && vector.magic % 100 === 1);
  expect(first.length).toBeGreaterThan(20);
  for (const vector of first) {
    const text = textOf(vector);
    const form = vector.generation === "legacy" ? "legacy" : "compact";
    expect(readDs(text)).toStrictEqual(plainRead(text, form));
  }
});

test("bytes of a string that stand next to each other in any way", () => {
  const pieces = ["61", "C3A4", "E29883", "EDA0BD", "EDB880", "F09F9880", "E2", "80"];
  const word = (value: number) => Buffer.from(Uint32Array.of(value).buffer).toString("hex").toUpperCase();
  const all = [""];
  for (let from = 0, length = 0; length < 3; length++) {
    const to = all.length;
    for (; from < to; from++) for (const piece of pieces) all.push(all[from] + piece);
  }
  expect(all).toHaveLength(1 + 8 + 64 + 512);
  for (const hex of all) compare(word(303) + word(1) + word(1) + word(hex.length / 2) + hex, false);
});

test("arrays of which each claims all that is left, one in the other, get no memory for that", () => {
  const words = new Uint32Array(250_000).fill(5);
  words.set([303, 1]);
  for (let at = 2; at < 1002; at += 2) words.set([2, words.length - at - 2], at);
  const text = Buffer.from(words.buffer).toString("hex");
  for (const engine of ["wasm", "js"] as const) {
    const before = process.memoryUsage().rss;
    expect(refusalOf(() => readDs(text, { engine, limits: { maxValues: 134_000_000 } }))).toEqual({
      code: "truncated",
      offset: text.length,
    });
    // Each in full length: a gigabyte.
    expect((process.memoryUsage().rss - before) / 1e6, engine).toBeLessThan(300);
  }
});

test("arrays nested as deep as a raised limit allows, of which each claims 4095 values, get no memory for that", () => {
  const levels = 32_700;
  const words = new Uint32Array(2 + 2 * levels + 4095).fill(5);
  words.set([303, 1]);
  for (let i = 0; i < levels; i++) words.set([2, 4095], 2 + 2 * i);
  const text = Buffer.from(words.buffer).toString("hex");
  for (const engine of ["wasm", "js"] as const) {
    const before = process.memoryUsage().rss;
    expect(refusalOf(() => readDs(text, { engine, limits: { maxDepth: 100_000, maxValues: 134_000_000 } }))).toEqual({
      code: "truncated",
      offset: text.length,
    });
    // Each in full length: a gigabyte.
    expect((process.memoryUsage().rss - before) / 1e6, engine).toBeLessThan(300);
  }
});
