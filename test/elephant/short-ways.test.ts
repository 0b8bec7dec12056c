// Ways through the kernel that are only faster: what they read is the same by any other way, so here is what goes over the boundary. Bounds are what
// was seen, and a little more for strings that a hash, which is another one in each codec, puts next to each other.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Machine } from "../../src/elephant/machine.ts";
import { createElephantSync, ENGINES, type ReadOptions, SCHEMA } from "./codec.ts";

/** Of one read: bytes of operations, strings that were made, bytes of the save that were copied to the kernel. */
const crossed = { tape: 0, strings: 0, copied: 0 };
const { begin, take } = Machine.prototype;
beforeAll(() => {
  const watched = new WeakSet<Machine>();
  Machine.prototype.begin = function () {
    if (!watched.has(this)) {
      watched.add(this);
      const { kernel } = this;
      const readWindow = (bytes: number, offset: number, whole: number) => {
        crossed.copied += bytes;
        kernel.readWindow(bytes, offset, whole);
      };
      Object.assign(this, { kernel: { ...kernel, readWindow } });
    }
    begin.call(this);
  };
  Machine.prototype.take = function () {
    crossed.tape += this.kernel.tapeEnd() - this.tape;
    crossed.strings += this.kernel.records();
    take.call(this);
  };
});
afterAll(() => Object.assign(Machine.prototype, { begin, take }));

class Place {
  x = 0;
  y = 0;
  static [SCHEMA] = { v1: { x: "f64", y: "f32", kind: "string" } } as const;
}

const many = <T>(count: number, of: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => of(i));
const COUNT = 3000;

/** What crosses: bytes of operations for each of {@link COUNT} things, strings, and how much of the save is copied, in thousandths of it. */
const SAVES: [title: string, value: () => unknown, tape: number, strings: number, copied: number, options?: ReadOptions][] = [
  [
    "structs of values of fixed length",
    () => many(COUNT, (i) => ({ a: i, b: i / 2, c: i % 2 === 0, d: { e: i * 3.5, f: { g: i } } })),
    64.1,
    0,
    1000,
  ],
  ["short texts that come again", () => many(COUNT, (i) => ({ a: `short ${i % 10}` })), 8.1, 10, 1000],
  ["long ones", () => many(COUNT, (i) => ({ a: `a text that is longer than a register ${i % 10}` })), 8.1, 10, 1000],
  ["short ones that are not ASCII", () => many(COUNT, (i) => ({ a: `ü${i % 10}` })), 8.1, 10, 1000],
  ["long ones that are not ASCII", () => many(COUNT, (i) => ({ a: `ein Text, länger als ein Register ${i % 10}` })), 8.1, 10, 1000],
  ["texts of which each comes once", () => many(COUNT, (i) => ({ a: `own ${i}` })), 8.1, COUNT, 1000],
  [
    "members that are there or not",
    () => many(COUNT, (i) => ({ a: i, ...(i % 3 ? { b: 1.5 } : {}), c: i % 2 ? { x: i } : undefined })),
    0.2,
    0,
    1000,
  ],
  ["arrays of structs", () => many(COUNT, (i) => ({ a: i, bag: many(i % 5, (j) => ({ sku: j, n: i })) })), 104.1, 0, 1000],
  [
    "arrays of structs of two forms",
    () => many(COUNT, () => ({ bag: many(4, (j) => (j % 2 ? { sku: j } : { gold: j, x: 1 })) })),
    136.1,
    0,
    1000,
  ],
  ["strict instances", () => many(COUNT, (i) => Object.assign(new Place(), { x: i, y: i / 4, kind: `kind ${i % 4}` })), 24.1, 4, 1000],
  ["short arrays of numbers", () => many(COUNT, (i) => ({ a: many(5, (j) => i + j), b: many(3, (j) => j + 0.5) })), 64.1, 0, 1000],
  ["many members", () => Object.fromEntries(many(COUNT, (i) => [`n${i}`, i])), 8.1, 0, 1000],
  ["members that are structs of one form", () => Object.fromEntries(many(COUNT, (i) => [`n${i}`, { x: i, y: 0.5 }])), 40.1, 0, 1000],
  ["arrays of numbers that stay where they are", () => [many(60_000, (i) => i), many(60_000, (i) => i / 3)], 0.1, 0, 35],
  ["an array of bools", () => [many(60_000, (i) => i % 3 === 0)], 0.1, 0, 547],
  ["typed arrays", () => [new Float32Array(50_000), new Uint8Array(50_000)], 0.1, 0, 134, { typedArrays: true }],
  ["an array of values of several kinds", () => [many(20_000, (i) => [i, i / 3, `t${i % 9}`, i % 2 === 0][i % 4])], 58, 9, 1000],
];

describe.each(ENGINES)("engine %s", (engine) => {
  test.each(SAVES)("%s", (_, make, tape, strings, copied, options) => {
    const codec = createElephantSync({ engine, constructors: { Place } });
    const save = codec.write(make());
    const read = () => {
      Object.assign(crossed, { tape: 0, strings: 0, copied: 0 });
      codec.read(save, options);
      return { tape: crossed.tape / COUNT, strings: crossed.strings, copied: (crossed.copied / save.length) * 1000 };
    };
    // What is met in the first one is known in the second.
    const first = read();
    const second = read();
    expect(second.tape).toBeLessThanOrEqual(tape);
    expect(second.strings).toBeLessThanOrEqual(strings + 5);
    expect(second.copied).toBeLessThanOrEqual(copied + 1);
    expect(first.tape).toBeLessThanOrEqual(tape + 8);
    expect(first.copied).toBe(second.copied);
  });
});
