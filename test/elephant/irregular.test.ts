// Structs that hold others and have no form in common: those that JavaScript reads in one step because of what they hold (src/elephant/read/nested.ts),
// found by the kernel itself. test/elephant/nested-*.test.ts send them that way whatever they hold.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Nested } from "../../src/elephant/read/nested.ts";
import { createElephantSync, ENGINES, LONG_RUN, MODES, SCHEMA, VERSION_VERBOSE } from "./codec.ts";
import { differences } from "./compare.ts";

/** Reads that are enough for all that a codec learns. */
const READS = LONG_RUN ? 24 : 12;
/** Those whose values are compared with what was written. Of the others the suite asks only whether they are written again as they were. */
const isLookedAt = (read: number): boolean => LONG_RUN || read < 4 || read === READS - 1 || (read & (read - 1)) === 0;

let operations = 0;
const { read } = Nested.prototype;
beforeAll(() => {
  Nested.prototype.read = function () {
    operations++;
    read.call(this);
  };
});
afterAll(() => {
  Nested.prototype.read = read;
});

class Holder {}
class Held {}
class Listed {}
(Held as unknown as Record<symbol, object>)[SCHEMA] = {};
(Listed as unknown as Record<symbol, object>)[SCHEMA] = { v1: { name: "string", list: "array", up: "any" } };
const constructors = { Holder, Held, Listed };

/** So many of something, the same each time. */
const list = <T>(length: number, item: (i: number) => T): T[] => Array.from({ length }, (_, i) => item(i));
const WORDS = ["a", "sword", "exactly sixteen!", "longer than sixteen", "дракон", "剣", "😀", ""];
const word = (i: number) => WORDS[i % WORDS.length];
const pick = (i: number, n: number) => (Math.imul(i + 1, 0x9e3779b1) >>> 8) % n;

function deep(levels: number): object {
  let struct: object = { leaf: 1 };
  for (let n = 0; n < levels; n++) struct = { n, next: struct };
  return struct;
}

const anything = (i: number): unknown => [1, "a", true, undefined, 0.5, [1], { z: 1 }, [], {}, -0, 7n, [word(i), { i }]][pick(i, 12)];
const variants = (i: number): unknown =>
  [{ hp: 1, mp: i }, { hp: 1, sp: 2 }, { hx: word(i) }, [1, "a", { z: 1 }], { hp: i, list: [{ a: 1 }, { b: [i] }] }, undefined][pick(i, 6)];
const tree = (i: number, depth: number): object => ({ i, kids: depth > 0 ? list(pick(i + depth, 4), (k) => tree(i + k, depth - 1)) : [] });

const KINDS: Record<string, () => unknown> = {
  "plain structs deeper than a call goes": () => list(30, () => deep(150)),
  "members of any kind": () => list(600, (i) => ({ v: anything(i), w: anything(i + 1) })),
  "members told by a tag": () =>
    list(600, (i) => ({ type: pick(i, 6), data: variants(i), next: i % 3 ? undefined : { type: 9, data: variants(i + 1) } })),
  trees: () => list(40, (i) => tree(i, 4)),
  "trees inside other structs": () => ({ a: { b: { forest: list(300, (i) => ({ id: i, name: word(i), tree: tree(i, 2) })) } } }),
  "lists of points": () => list(300, (i) => ({ i, path: list(pick(i, 7), (k) => [k, i % 2 ? k / 2 : -k]) })),
  "points and rows": () => [
    list(400, (i) => [i, -i]),
    list(40, (i) => list(i, (k) => (k % 5 ? k : k / 3))),
    list(30, (i) => list(i % 4, () => [i])),
  ],
  "arrays of every datatype in arrays": () =>
    list(200, (i) => ({ all: [list(3, word), [true, false], [1n], [undefined, undefined], [[i], [0.5]], []] })),
  "instances without schema": () =>
    list(300, (i) =>
      Object.assign(new Holder(), {
        name: word(i),
        list: list(pick(i, 5), (k) => Object.assign(new Held(), { k, [`text ${pick(i + k, 9)}`]: word(k + i) })),
      }),
    ),
  "instances of all sorts among each other": () => {
    const all: object[] = [];
    for (let i = 0; i < 400; i++) {
      const last = all.at(-1);
      const holds = [{ i }, Object.assign(new Held(), { of: last, i }), [i, { deeper: [last] }]];
      all.push(
        i % 3 === 0
          ? Object.assign(new Listed(), { name: word(i), list: holds, up: last })
          : i % 3 === 1
            ? Object.assign(new Holder(), { [`m${i % 2}`]: holds, list: [holds, last] })
            : { name: word(i), holds, last },
      );
    }
    return all;
  },
  "structs that hold themselves": () =>
    list(60, (i) => {
      const struct: Record<string, unknown> = { i, before: [{ i }] };
      struct.self = { in: [struct] };
      struct[VERSION_VERBOSE] = undefined;
      struct.after = { i, again: struct };
      return struct;
    }),
  "names of all sorts": () =>
    list(200, (i) => ({
      'quoted "name"\n': { " ": [i, [i]] },
      ...JSON.parse(`{"__proto__": {"in": [${i}]}, "constructor": {"toString": ${i}}}`),
      [VERSION_VERBOSE]: { [VERSION_VERBOSE]: undefined, list: [{}] },
    })),
  "a name for each": () => list(1500, (i) => ({ [`name ${i}`]: { inner: [{ [`other ${i}`]: i }] } })),
};

/** Names of members in their order, which `differences` leaves open. */
function ordered(value: unknown, seen: Set<unknown>): string {
  if (typeof value !== "object" || value === null || seen.has(value)) return "";
  seen.add(value);
  return `{${Reflect.ownKeys(value)
    .map((name) => `${String(name)}:${ordered((value as Record<PropertyKey, unknown>)[name as string], seen)}`)
    .join()}}`;
}

const writer = createElephantSync({ constructors, engine: ENGINES[0] });

describe.each(MODES)("$engine, code generation $codeGeneration", (mode) => {
  test.each(Object.entries(KINDS))("%s", async (_, make) => {
    const value = make();
    const codec = createElephantSync({ constructors, ...mode });
    const save = codec.write(value);
    const before = operations;
    const first = codec.read(save);
    expect(differences(value, first)).toEqual([]);
    const names = ordered(first, new Set());
    for (let i = 1; i < READS; i++) {
      const found = codec.read(save);
      if (Buffer.compare(writer.write(found), save) === 0 && !isLookedAt(i)) continue;
      if (ordered(found, new Set()) !== names || differences(value, found).length > 0) {
        expect(differences(value, found), `read ${i}`).toEqual([]);
        expect(ordered(found, new Set()), `read ${i}`).toBe(names);
      }
      expect(writer.write(found), `read ${i}`).toEqual(save);
    }
    expect(operations).toBeGreaterThan(before);
    // In pieces, which end anywhere.
    const pieces = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < save.length; at += 997) controller.enqueue(save.subarray(at, at + 997));
        controller.close();
      },
    });
    expect(differences(value, await codec.readAsync(pieces))).toEqual([]);
    expect(codec.write(codec.read(save))).toEqual(save);
  });

  test("a few structs are read by the kernel, many by JavaScript: not by code that nobody has compiled yet", () => {
    const counted = (count: number) => {
      const codec = createElephantSync({ constructors, ...mode });
      const save = codec.write(list(count, (i) => ({ i, next: { list: [[{ i, any: anything(i) }]] } })));
      const before = operations;
      codec.read(save);
      return operations - before;
    };
    expect(counted(100)).toBe(0);
    expect(counted(600)).toBeGreaterThan(0);
  });

  test("instances of many names are left to the kernel, whatever they hold", () => {
    class Wide {}
    const counted = (members: number) => {
      const codec = createElephantSync({ constructors: { Wide }, ...mode });
      const wide = (i: number) => {
        const names = Object.fromEntries(list(members - 1, (k) => [`member${k}`, i]));
        return Object.assign(new Wide(), names, { held: list(i % 4, (k) => [[`${k}`]]) });
      };
      const save = codec.write(list(600, wide));
      const before = operations;
      for (let i = 0; i < 3; i++) codec.read(save);
      return operations - before;
    };
    // An operation for each window; the lists inside may be others.
    const few = counted(4);
    expect(few).toBeGreaterThan(0);
    expect(few).toBeLessThan(200);
    expect(counted(12)).toBe(0);
  });

  test("arrays of undefined are left to the kernel, and nothing else is for their sake", () => {
    const codec = createElephantSync({ constructors, ...mode });
    codec.read(codec.write(list(300, (i) => ({ a: [{ b: [i] }], c: [undefined] }))));
    const points = codec.write(list(20_000, (i) => [i, -i]));
    const before = operations;
    codec.read(points);
    // One for each window, not one for each point.
    expect(operations - before).toBeGreaterThan(0);
    expect(operations - before).toBeLessThan(20);
    const refused = codec.write(list(5000, () => [[undefined]]));
    const more = operations;
    expect(codec.read<unknown[]>(refused).length).toBe(5000);
    expect(operations - more).toBeLessThan(200);
  });

  test("classes by thousands, in versions that nobody knows", () => {
    const generic = createElephantSync({ unknownConstructor: "generic", ...mode });
    const u16 = (n: number) => [n & 255, n >> 8];
    const one = (index: number, version: number) => [0xfe, 0xff, ...u16(index), 128 + version, 0, 0];
    const names = list(200, (i) => [0xce, 0xfe, 0xff, ...u16(i), ...Buffer.from(`C${i}`), 0, 128, 0, 0]);
    const rows = list(100, (row) => [...u16(250), 0xce, ...list(250, (i) => one(pick(row * 250 + i, 200), pick(i * 7 + row, 127))).flat()]);
    const body = [0xcd, ...u16(2), 0xcc, 0xcd, ...u16(200), 0xcc, ...names.flat(), 0xcd, ...u16(100), 0xcd, ...rows.flat()];
    const save = Uint8Array.from([...Buffer.from("PELE"), 1, 5, 1, 0, ...body, ...Buffer.from("TNAH")]);
    const found = list(3, () => generic.read<unknown[][]>(save));
    expect(generic.write(found[0])).toEqual(generic.write(found[2]));
    expect(found[0][1].length).toBe(100);
  });
});
