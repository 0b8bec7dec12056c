// Shapes that come once in each save get their functions a few at a time: made all in the same call, they would take longer than everything else of it.
import { afterEach, test as anyTest, expect } from "vitest";
import { createElephantSync, type Elephant, SCHEMA } from "../../src/elephant/index.ts";

/** Bun looks up no `Function` of the program's for `new Function`. */
const test = anyTest.skipIf("bun" in process.versions);

const RealFunction = globalThis.Function;
afterEach(() => {
  globalThis.Function = RealFunction;
});

/** The texts of the functions that are made in each of `calls` calls. */
function texts(calls: number, call: () => void): string[][] {
  let made: string[] = [];
  globalThis.Function = new Proxy(RealFunction, {
    construct(target, args) {
      made.push(args.join());
      return Reflect.construct(target, args);
    },
  });
  return Array.from({ length: calls }, () => {
    made = [];
    call();
    return made;
  });
}

/** How many they are. */
function made(calls: number, call: () => void): number[] {
  return texts(calls, call).map(({ length }) => length);
}

const SHAPES = 600;
const value = Array.from({ length: SHAPES }, (_, i) => ({ [`name${i}`]: i, [`other${i}`]: "text" }));

test.each<[what: string, most: number, call: (elephant: Elephant, save: Uint8Array) => void]>([
  ["reading", 64, (elephant, save) => expect(elephant.read(save)).toEqual(value)],
  ["writing", 32, (elephant, save) => expect(elephant.write(value)).toEqual(save)],
])("%s makes at most %i in a call, and comes to all shapes in the end", (_, most, call) => {
  const elephant = createElephantSync({ engine: "wasm" });
  const save = elephant.write(value);
  const counts = made(40, () => call(elephant, save));
  // One more asks whether functions may be made at all.
  expect(Math.max(...counts)).toBeLessThanOrEqual(most + 1);
  expect(counts.reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(SHAPES);
  expect(counts.at(-1)).toBe(0);
});

test.each([1, 2, 3, 5, 6, 13])("instances of a small save get theirs when it is read often, %i of them", (count) => {
  for (const schema of [undefined, { v1: { x: "f64", y: "f64" } } as const]) {
    class P {
      x = 1.5;
      y = 2.5;
      static [SCHEMA] = schema;
    }
    const elephant = createElephantSync({ constructors: { P } });
    const save = elephant.write(Array.from({ length: count }, () => new P()));
    // Longer ones are read by the kernel.
    if (save.length > 512) continue;
    const counts = made(60, () => expect(elephant.read<P[]>(save)[count - 1]).toEqual(new P()));
    expect(counts.filter((count) => count > 0)).toHaveLength(1);
  }
});

test("without code generation there are none for copies either", () => {
  class P {
    x = 1.5;
  }
  const elephant = createElephantSync({ constructors: { P }, codeGeneration: false });
  const list = Array.from({ length: 200 }, () => new P());
  expect(made(2, () => expect(elephant.duplicate(list)).toEqual(list))).toEqual([0, 0]);
});

test("shapes that come often get theirs in the first call", () => {
  const elephant = createElephantSync({ engine: "wasm" });
  const rows = Array.from({ length: 40 * 30 }, (_, i) => ({ [`name${i % 40}`]: i, [`other${i % 40}`]: [i] }));
  const save = elephant.write(rows);
  expect(made(1, () => elephant.read(save))[0]).toBeGreaterThanOrEqual(40);
});

test("what is made for structs that refer to their parents, and for members of any kind, is made once", () => {
  type Tree = { name: string; parent: Tree | undefined; children: Tree[] };
  const tree = (depth: number, parent?: Tree): Tree => {
    const made: Tree = { name: `depth ${depth}`, parent, children: [] };
    if (depth > 0) made.children = Array.from({ length: 5 }, () => tree(depth - 1, made));
    return made;
  };
  const kinds = [1, "a", true, undefined, 0.5, [1], { z: 1 }, 7n];
  const rows = Array.from({ length: 20_000 }, (_, i) => ({ v: kinds[(i * 7) % 8], w: kinds[(i >> 4) % 8] }));
  const elephant = createElephantSync({ engine: "wasm" });
  for (const value of [tree(5), rows]) {
    const save = elephant.write(value);
    // What a read leaves to the general steps, a few structs each time, may come to be worth a function much later.
    const counts = made(40, () => elephant.read(save));
    expect(counts.reduce((sum, count) => sum + count)).toBeLessThan(15);
  }
});

test.each([
  [1000, []],
  [5000, [3]],
])("behind three large reads the rows of a layout get theirs anew, once: %i rows", (length, expected) => {
  const elephant = createElephantSync({ engine: "wasm" });
  const rows = Array.from({ length }, (_, i) => ({ id: i, name: `row ${i}`, at: { x: i / 2, y: -i }, tags: [i, i + 1] }));
  const save = elephant.write(rows);
  const calls = texts(12, () => expect(elephant.read(save)).toEqual(rows));
  const again = calls.map((made, i) => made.some((text) => calls.slice(0, i).flat().includes(text)));
  expect(again.flatMap((is, i) => (is ? [i] : []))).toEqual(expected);
});
