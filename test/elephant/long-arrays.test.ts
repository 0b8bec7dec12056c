// Long arrays of numbers are read by loops of their own, chosen by a look at a few elements (src/graph/array-kinds.ts): what these elements promise and the
// others do not hold, at lengths on both sides of each limit.
import { describe, expect, test } from "vitest";
import { createElephantSync, ENGINES, type TuskError } from "./codec.ts";
import { differences } from "./compare.ts";
import { expectError } from "./expect-error.ts";
import { createReference } from "./reference.ts";

const LENGTHS = [3, 64, 255, 256, 257, 1000, 4095, 4096, 4097, 9000];

/** An array whose looked-at elements (every quarter) are `regular`, all others what `other` gives. */
function array(length: number, regular: unknown, other: (i: number) => unknown): unknown[] {
  const step = (length + 3) >> 2;
  return Array.from({ length }, (_, i) => (i % step === 0 ? regular : other(i)));
}

const CASES: Record<string, (length: number) => unknown[]> = {
  integers: (n) => array(n, 5, (i) => i),
  fractions: (n) => array(n, 0.5, (i) => i / 3),
  "integers where one looks, fractions elsewhere": (n) => array(n, 7, (i) => i + 0.25),
  "fractions where one looks, integers elsewhere": (n) => array(n, 7.5, (i) => i),
  "NaN, infinities and -0": (n) => array(n, 1, (i) => [Number.NaN, Infinity, -Infinity, -0][i & 3]),
  "all NaN": (n) => array(n, Number.NaN, () => Number.NaN),
  "numbers where one looks, one text elsewhere": (n) => array(n, 7.5, (i) => (i === 3 ? "three" : i)),
  "integers where one looks, the last a struct": (n) => array(n, 7, (i) => (i === n - 1 ? { last: true } : i)),
  "numbers where one looks, undefined elsewhere": (n) => array(n, 1.5, () => undefined),
  "texts where one looks, numbers elsewhere": (n) => array(n, "x", (i) => i),
  "bigints and bools": (n) => array(n, true, (i) => BigInt(i)),
  bools: (n) => array(n, true, (i) => i % 3 === 0),
  "bools and one number": (n) => array(n, true, (i) => (i === n - 2 ? 1 : i % 3 === 0)),
  "arrays where one looks": (n) => array(n, [1], (i) => i),
  holes: (n) => {
    const holey: number[] = new Array(n);
    for (let i = 0; i < n; i += 2) holey[i] = i / 2;
    return holey;
  },
};

describe.each(ENGINES)("%s", (engine) => {
  const codec = createElephantSync({ engine });
  const reference = createReference();

  test.each(Object.entries(CASES))("%s", async (_, make) => {
    for (const length of LENGTHS) {
      const value = { before: "x", list: make(length), after: 1 };
      const expected = reference.write(value);
      expect(Buffer.compare(codec.write(value), expected), `${length}`).toBe(0);
      expect(Buffer.compare(await codec.writeAsync(value), expected), `${length} in slices`).toBe(0);
      expect(Buffer.compare(codec.write(codec.duplicate(value)), expected), `${length} copied`).toBe(0);
    }
  });

  test("bools in a row of any length come back, cut or not", async () => {
    for (const length of [1, 127, 128, 129, 5000, 65_534]) {
      const bools = Array.from({ length }, (_, i) => i % 5 === 0);
      const save = codec.write({ before: "x", bools, more: [bools.slice(), bools], after: 1 });
      for (const read of [codec.read<{ bools: boolean[]; more: boolean[][]; after: number }>(save), await codec.readAsync<never>(save)]) {
        expect(differences([1, bools, bools.slice()], [read.after, read.bools, read.more[0]])).toEqual([]);
        expect(read.more[1]).toBe(read.bools);
      }
      const cut = expectError(() => codec.read(save.subarray(0, 30 + (length >> 1))), "truncated");
      const cutInSlices = await codec.readAsync(save.subarray(0, 30 + (length >> 1))).catch((error: TuskError) => error);
      expect(cut.offset).toBe((cutInSlices as TuskError).offset);
    }
  });

  test("a byte that is neither 0 nor 1 is false, in long arrays as in short ones", () => {
    for (const length of [100, 1000]) {
      const save = codec.write(new Array(length).fill(true));
      save[20] = 2;
      const read = codec.read<boolean[]>(save);
      expect([read.indexOf(false), read.lastIndexOf(false), read.length]).toEqual([8, 8, length]);
    }
  });

  test("the same array twice, and one that looks like it", () => {
    const numbers = Array.from({ length: 5000 }, (_, i) => i / 7);
    const [first, second, third] = codec.read<number[][]>(codec.write([numbers, numbers.slice(), numbers]));
    expect(first.every((n, i) => n === i / 7) && second.every((n, i) => n === i / 7)).toBe(true);
    expect([first.length, second.length]).toEqual([5000, 5000]);
    expect(second).not.toBe(first);
    expect(third).toBe(first);
  });

  test("all NaNs have the same bytes in long arrays, too", () => {
    const view = new DataView(new ArrayBuffer(8));
    view.setBigUint64(0, 0xfff1234587654321n);
    const codec = createElephantSync({ engine });
    const saveOf = (nan: number, length: number) => codec.write(Array.from({ length }, (_, i) => (i % 7 === 3 ? nan : i + 0.5)));
    for (const length of [300, 301, 302, 303, 40_000])
      expect(Buffer.compare(saveOf(view.getFloat64(0), length), saveOf(Number.NaN, length)), `${length}`).toBe(0);
  });

  test.each([32_766, 40_001])("%i elements, more than a window holds as numbers, one of which is none", async (length) => {
    for (const regular of [5, 0.5])
      for (const at of [1, length - 3, length - 1]) {
        const value = { list: array(length, regular, (i) => (i === at ? "one" : i + regular)), after: 1 };
        const expected = reference.write(value);
        expect(Buffer.compare(codec.write(value), expected), `${regular}, ${at}`).toBe(0);
        expect(Buffer.compare(await codec.writeAsync(value), expected), `${regular}, ${at} in slices`).toBe(0);
      }
  });

  test("as many elements are written as there were when the array came, though a getter adds others", async () => {
    const others = { first: 1, second: 2 };
    for (const [length, before] of [
      [3, {}],
      [3, others],
      [300, {}],
      [20_000, {}],
      [60_000, {}],
    ] as const)
      for (const at of [0, length >> 1, length - 1])
        for (const added of [1, 5000]) {
          const growing = () => {
            const list: number[] = Array.from({ length }, (_, i) => i / 4);
            Object.defineProperty(list, at, {
              enumerable: true,
              get: () => {
                if (list.length === length) for (let i = 0; i < added; i++) list.push(7.5);
                return 1.5;
              },
            });
            return { ...before, list, after: "x" };
          };
          for (const save of [codec.write(growing()), await codec.writeAsync(growing())]) {
            const { list, after } = codec.read<{ list: number[]; after: string }>(save);
            expect([list[at], after]).toEqual([1.5, "x"]);
            // Structs are told from each other by their first two members, of a short array by its first element: that may be asked for before the array comes.
            const lengths = length === 3 && at === 0 && before !== others ? [length, length + added] : [length];
            expect(lengths, `${length}, ${at}, ${added}`).toContain(list.length);
          }
        }
  });
});
