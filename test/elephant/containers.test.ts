// How a write finds out that a container occurs twice (src/elephant/write/containers.ts), with more containers than other tests have, and keys of every distribution.
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { TwiceFinder } from "../../src/elephant/write/container-twice.ts";
import { IdentityTable } from "../../src/elephant/write/identity-table.ts";
import { ObjectSet } from "../../src/elephant/write/object-set.ts";
import { createElephantSync } from "./codec.ts";

const objects = Array.from({ length: 60_000 }, (_, id) => ({ id }));

describe("a set in several Sets", () => {
  const sizes = [0, 1, 511, 512, 4095, 4096, 4097, 8192, 40_959, 40_960, 40_961, 60_000];
  test.each(sizes.flatMap((size) => [0, 60_000].map((expected) => ({ size, expected }))))(
    "$size objects, one by one, $expected expected",
    ({ size, expected }) => {
      const set = new ObjectSet(expected);
      for (let i = 0; i < size; i++) if (!set.add(objects[i])) throw new Error(`number ${i} is said to be there`);
      expect(set.size).toBe(size);
      for (const at of [0, 1, 4095, 4096, 20_000, 40_960, size - 1]) {
        expect(set.has(objects[at]), `${at}`).toBe(at >= 0 && at < size);
        if (at >= 0 && at < size) expect(set.add(objects[at]), `${at}`).toBe(false);
      }
      expect(set.size).toBe(size);
      expect(set.has({})).toBe(false);
    },
  );

  test("more objects than a Set can hold", () => {
    class Small extends Set<unknown> {
      override add(value: unknown): this {
        if (this.size >= 5000) throw new RangeError("Set maximum size exceeded");
        return super.add(value);
      }
    }
    vi.stubGlobal("Set", Small);
    onTestFinished(() => void vi.unstubAllGlobals());
    const [one, together] = [new ObjectSet(60_000), new ObjectSet(60_000)];
    for (const set of [one, together]) Object.assign(set, { room: 5000 });
    for (let i = 0; i < 30_000; i += 500) {
      const some = objects.slice(i, i + 500);
      expect(some.every((object) => one.add(object)) && together.addAll(some, 500), `${i}`).toBe(true);
    }
    vi.unstubAllGlobals();
    for (const set of [one, together]) {
      for (const at of [0, 4999, 5000, 29_999]) expect([set.has(objects[at]), set.add(objects[at])], `${at}`).toEqual([true, false]);
      expect([set.size, set.has(objects[30_000])]).toEqual([30_000, false]);
    }
  });

  test.each(sizes.filter((size) => size > 0))("%i objects, hundreds at a time, of which the last is any of the others or none", (size) => {
    for (const twice of [-1, 0, size >> 1, 4096, size - 2]) {
      if (twice >= size - 1) continue;
      const set = new ObjectSet();
      let isNew = true;
      for (let i = 0; i < size; i += 512) {
        const some = objects.slice(i, Math.min(i + 512, size));
        if (twice >= 0 && i + 512 >= size) some[some.length - 1] = objects[twice];
        isNew &&= set.addAll(some, some.length);
      }
      expect(isNew, `${twice}`).toBe(twice < 0);
    }
  });
});

describe("a list that holds a container twice, or none", () => {
  const keys: Record<string, (i: number) => number> = {
    "all different": (i) => Math.imul(i + 1, 0x9e3779b1),
    "all the same": () => 77,
    "a hundred": (i) => (i % 100) + 1,
    "mostly one": (i) => (i % 10 ? 5 : i + 6),
    "by twos": (i) => (i >> 1) + 1,
    "ALIKE now and then": (i) => i % 3 && (i % 50) + 1,
  };
  test.each(Object.entries(keys))("keys: %s", (_, keyOf) => {
    const finder = new TwiceFinder();
    for (const count of [1, 2, 3, 100, 1023, 1024, 1025, 5000, 60_000]) {
      const list: object[] = objects.slice(0, count);
      const numbers = Int32Array.from({ length: count }, (_, i) => keyOf(i));
      expect(finder.isAny(list, numbers, count), `${count}`).toBe(false);
      for (const [first, second] of [
        [0, count - 1],
        [count >> 1, (count >> 1) + 1],
        [1, count >> 2],
      ]) {
        if (first >= second || second >= count || numbers[first] === 0) continue;
        const copy = list.slice();
        const copied = numbers.slice();
        copy[second] = copy[first];
        copied[second] = copied[first];
        expect(finder.isAny(copy, copied, count), `${count}: ${first} and ${second}`).toBe(true);
      }
    }
  });
});

test("half a million containers: more than a finder, or a map for slices, keeps at once", () => {
  const count = 600_000;
  const list: object[] = Array.from({ length: count }, (_, id) => ({ id }));
  const keys = Int32Array.from({ length: count }, (_, i) => Math.imul((i >> 1) + 1, 0x9e3779b1));
  const finder = new TwiceFinder();
  const table = new IdentityTable();
  for (let i = 0; i < count; i++) table.set(list[i], i);
  for (let i = 0; i < count; i += 997) expect(table.get(list[i])).toBe(i);
  expect([table.get(list[count - 1]), table.get({})]).toEqual([count - 1, undefined]);
  expect(finder.isAny(list, keys, count)).toBe(false);
  list[count - 1] = list[count - 2];
  expect(finder.isAny(list, keys, count)).toBe(true);
  expect(finder.isAny(list, keys, 1000)).toBe(false);
});

test.each([5000, 45_000])("%i equal containers of each kind in a save, and one of them once more", (count) => {
  const codec = createElephantSync();
  for (const make of [() => [], () => ({}), () => [1, 2], () => ({ version: "1" })]) {
    const list: object[] = Array.from({ length: count }, make);
    for (const twice of [-1, 0, count - 1]) {
      const value = twice < 0 ? [list] : [list, list[twice]];
      for (let i = 0; i < 2; i++) {
        const [read, again] = codec.read<[object[], object?]>(codec.write(value));
        expect(new Set(read).size).toBe(count);
        expect(again).toBe(read[twice]);
      }
    }
  }
});
