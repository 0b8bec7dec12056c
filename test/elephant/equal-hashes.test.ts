// Texts whose hashes are equal in the kernel's tables of strings. Its seed is taken from Math.random, so here it is known, and with it such texts can be made.
import { afterEach, expect, test, vi } from "vitest";
import { createElephantSync, ENGINES } from "./codec.ts";

const SEED = 0x40000000;

afterEach(() => vi.restoreAllMocks());

/** A step of `Text.hash` (assembly/elephant/text.ts) over four bytes. */
function step(h: number, word: number): number {
  const product = Math.imul(h ^ word, 0x9e3779b1);
  return product ^ (product >>> 15);
}

const wordOf = (text: string): number => Buffer.from(text, "latin1").readInt32LE();

/** The text whose bytes are this word, if they are ASCII. */
function textOf(word: number): string | undefined {
  const codes = [word & 255, (word >>> 8) & 255, (word >>> 16) & 255, word >>> 24];
  return codes.every((code) => code > 0 && code < 128) ? String.fromCharCode(...codes) : undefined;
}

/** Texts of `length` characters in pairs: two differ in their first eight and have one hash. */
function pairs(length: number, count: number): [string, string][] {
  const tail = "-".repeat(length - 8);
  const found: [string, string][] = [];
  for (let i = 0; found.length < count; i++) {
    const first = i.toString(36).padStart(4, "a");
    const second = (i * 7919).toString(36).padStart(5, "b").slice(-4);
    const rest = textOf(step(SEED ^ length, wordOf(first)) ^ step(SEED ^ length, wordOf(second)) ^ wordOf("Name"));
    if (rest !== undefined && first !== second) found.push([`${first}Name${tail}`, `${second}${rest}${tail}`]);
  }
  return found;
}

/** Multiplied by what a step multiplies with, 1. */
const INVERSE = [1, 2, 3, 4, 5].reduce((x) => Math.imul(x, 2 - Math.imul(x, 0x9e3779b1)), 0x9e3779b1);

/** Texts of 16 and 20 characters in pairs: the second begins with the first and has the same hash. */
function continued(count: number): [string, string][] {
  const found: [string, string][] = [];
  for (let i = 0; found.length < count; i++) {
    const first = `continued${i.toString(36).padStart(7, "-")}`;
    const hashes = [16, 20].map((length) => [0, 4, 8, 12].reduce((h, at) => step(h, wordOf(first.slice(at))), SEED ^ length));
    const product = hashes[0]! ^ (hashes[0]! >>> 15) ^ (hashes[0]! >>> 30);
    const rest = textOf(Math.imul(product, INVERSE) ^ hashes[1]!);
    if (rest !== undefined) found.push([first, first + rest]);
  }
  return found;
}

function codec(engine: "wasm" | "js") {
  vi.spyOn(Math, "random").mockReturnValue(SEED / 2 ** 32);
  return createElephantSync({ engine });
}

test.each(ENGINES)("engine %s: texts with one hash are told apart", (engine) => {
  const elephant = codec(engine);
  for (const texts of [pairs(16, 30), pairs(17, 30), pairs(40, 30), pairs(63, 30), continued(30), continued(30).map(([a, b]) => [b, a])]) {
    const list = [...texts.flat(), ...texts.flat(), ...texts.map(([, second]) => second)];
    expect(elephant.read(elephant.write({ list }))).toEqual({ list });
  }
});

test.each(ENGINES)("engine %s: names with one hash are told apart", (engine) => {
  const elephant = codec(engine);
  for (const names of [pairs(8, 30), pairs(12, 30), pairs(21, 30), pairs(40, 30), continued(30)]) {
    const structs = [0, 1, 0, 1].flatMap((which) => names.map((pair, i) => ({ [pair[which]!]: i, other: { [pair[1 - which]!]: "" } })));
    expect(elephant.read(elephant.write(structs))).toEqual(structs);
  }
});
