// Integers that were read stay small ones, which take no memory of their own. Engines keep other numbers as objects, and a member that has held such an
// object once holds one for each value from then on, in every instance of the class: reading, collecting and whatever the program does take longer.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { createElephantSync, ENGINES, LONG_RUN, SCHEMA } from "./codec.ts";

const V8 = !("bun" in process.versions);
if (V8) setFlagsFromString("--expose-gc");
const collect = V8 ? (runInNewContext("gc") as () => void) : () => {};

const MANY = 20_000;
/** An object of four members with its place in the list, and one object for the fraction; 16 bytes more for each integer that is an object. */
const MOST = 24 + 4 * 8 + 8 + 16 + 8;

/**
 * Fewer bytes than `most` for each of the elements that `read` returns: in most of five reads, because others may put something there, or take it away. Three that
 * agree are enough.
 * Nothing is compiled for the read any more by then: the code and what it is made from come and go with the first four.
 */
function expectFewer(read: () => unknown[], most: number): void {
  for (let first = 0; first < 4; first++) read();
  collect();
  let before = process.memoryUsage().heapUsed;
  const kept: unknown[][] = [];
  const each: number[] = [];
  const agree = () => [each.filter((bytes) => bytes < most), each.filter((bytes) => bytes >= most)].some(({ length }) => length > 2);
  while (!agree()) {
    kept.push(read());
    collect();
    const after = process.memoryUsage().heapUsed;
    each.push((after - before) / MANY);
    before = after;
  }
  for (const all of kept) expect(all).toHaveLength(MANY);
  expect(each.sort((a, b) => a - b)[2], `${each}`).toBeLessThan(most);
}

describe.runIf(V8).each(ENGINES)("engine %s", (engine) => {
  const numbers = (i: number) => ({ a: i % 256, b: i % 100, c: i, x: i + 0.5 });
  const classes = (schema?: object) => {
    class Numbers {
      a = 0;
      b = 0;
      c = 0;
      x = 0.5;
    }
    if (schema) Object.assign(Numbers, { [SCHEMA]: schema });
    return Numbers;
  };
  const KINDS: Record<string, object | undefined> = {
    "by a schema": { v1: { a: "u8", b: "f64", c: "u32", x: "f64" } },
    "by a schema of single precision": { v1: { a: "s32", b: "f32", c: "f32", x: "f32" } },
    "by a schema that leaves datatypes open": { v1: { a: "any", b: "any", c: "any", x: "any" } },
    "with names": undefined,
  };

  describe.each(Object.keys(KINDS))("instances %s", (kind) => {
    // Few are read by JavaScript at once, more by the kernel's general steps at first. The suite tries half of them with the second engine.
    const place = Object.keys(KINDS).indexOf(kind);
    const some = [0, 3, 40, 2000].filter((_, i) => LONG_RUN || engine === ENGINES[0] || (i + place) % 2 === 0);
    test.each(some)("read behind a save of %i", (few) => {
      const Numbers = classes(KINDS[kind]);
      const codec = createElephantSync({ engine, constructors: { Numbers } });
      const save = (count: number) => codec.write(Array.from({ length: count }, (_, i) => Object.assign(new Numbers(), numbers(i))));
      codec.read(save(few));
      const bytes = save(MANY);
      expectFewer(() => codec.read(bytes), MOST);
    });
  });

  test.each([0, 3, 40, 2000])("plain structs behind a save of %i", (few) => {
    const codec = createElephantSync({ engine });
    const save = (count: number) => codec.write(Array.from({ length: count }, (_, i) => numbers(i)));
    codec.read(save(few));
    const bytes = save(MANY);
    expectFewer(() => codec.read(bytes), MOST);
  });

  test("instances that hold others", () => {
    const Numbers = classes({ v1: { a: "u8", b: "f64", c: "u32", x: "f64", list: "array" } });
    const codec = createElephantSync({ engine, constructors: { Numbers } });
    const tree = (i: number, list: object[] = []) => Object.assign(new Numbers(), numbers(i), { list });
    const bytes = codec.write(Array.from({ length: MANY / 4 }, (_, i) => tree(i, [tree(i), tree(i + 1), tree(i + 2)])));
    const all = () => codec.read<ReturnType<typeof tree>[]>(bytes).flatMap((each) => [each, ...each.list]);
    // Each has an array, too, a quarter of them with three elements.
    expectFewer(all, MOST + 64);
  });
});
