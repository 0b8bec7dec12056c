// Structs that hold others (src/elephant/read/nested.ts): arrays that have no entry in the table of references until something refers to them.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GraphReader } from "../../src/elephant/read/graph-reader.ts";
import { createElephantSync, MODES, SCHEMA } from "./codec.ts";
import { differences } from "./compare.ts";
import {
  type Classes,
  codecsOf,
  createElephantWriter,
  declaringClassOf,
  isSame,
  LONG,
  type Members,
  make,
  outcome,
  READS,
  RUNS,
  random,
  way,
} from "./nested-codecs.ts";
import { createReference } from "./reference.ts";

const FIELDS = { aside: "any", id: "u32", list: "array", more: "array" };
const Node = declaringClassOf(FIELDS);
const constructors: Classes = { Node };
let ids = 0;
const node = (list: unknown[] = [], aside?: unknown, more: unknown[] = []) => make(Node, { aside, id: ids++, list, more });

/** How many arrays have been found by their owners while `run` ran. */
function found(run: () => void): number {
  const prototype = GraphReader.prototype as unknown as { references: unknown[]; containerAt(number: number): unknown };
  const { containerAt } = prototype;
  let count = 0;
  prototype.containerAt = function (number) {
    const before = this.references[number];
    const array = containerAt.call(this, number);
    if (array !== before) count++;
    return array;
  };
  try {
    run();
    return count;
  } finally {
    prototype.containerAt = containerAt;
  }
}

describe.each(MODES)("$engine, code generation $codeGeneration", (mode) => {
  const { large, create, check } = codecsOf(mode);
  /** As many nodes as it takes for a function to be made, and lists of theirs. */
  const nodes = () => Array.from({ length: 80 }, (_, i) => node([node([node()], i)], undefined, [node()]));
  /** Checked, and some array is found by its owner where there are functions. */
  const refers = (value: unknown) => {
    const count = found(() => check(constructors, value, { reads: READS }));
    expect(count > 0).toBe(mode.codeGeneration);
  };

  test("from a node that comes later, from one inside, and from the list itself", () => {
    const later = nodes();
    for (let i = 1; i < later.length; i += 3) later[i].aside = later[i - 1][i & 1 ? "list" : "more"];
    refers(later);
    const inside = nodes();
    for (const one of inside) (one.list as Members[])[0].aside = one.list;
    refers(inside);
    const itself = nodes();
    for (const one of itself) (one.more as unknown[]).push(one.list, one.more);
    refers(itself);
  });

  test("as the list of another node", () => {
    const value = nodes();
    for (let i = 1; i < value.length; i++) if (i % 4 > 1) value[i].list = value[i - 1].list;
    refers(value);
  });

  test("from what the kernel reads: rows of structs, elements, members and instances without functions", () => {
    const some = nodes();
    const list = (i: number) => some[(i * 7) % some.length].list;
    refers([some, Array.from({ length: 40 }, (_, i) => ({ x: i, held: list(i), name: `n${i}` }))]);
    refers([some, some.map((one) => one.list), some.map((one) => ({ either: one.id === 3 ? "text" : one.more }))]);
    refers({ some, ...Object.fromEntries(some.map((one, i) => [`m${i}`, i & 1 ? one.list : one.more])) });
    refers([some, some.map((one, i) => (i & 1 ? one.list : [one.more, { list: one.list }]))]);
  });

  test("a constructor that returns an instance that it has returned before", () => {
    for (const every of [2, 3, 40]) {
      const made: object[] = [];
      let calls = 0;
      function Pooled(this: Members) {
        made.push(Object.assign(this, { aside: undefined, id: undefined, list: undefined, more: undefined }));
        return ++calls % every === 0 ? made[Math.max(0, made.length - every)] : undefined;
      }
      Object.assign(Pooled, { [SCHEMA]: { v1: FIELDS } });
      const value = nodes();
      // Or only when all of them have been read.
      for (let i = 2; i < value.length && every < 40; i++) value[i].aside = i & 1 ? value[i - 1].list : value[i - 2].more;
      const save = createElephantWriter(constructors).write([value, value.map(({ list }) => list)]);
      const read = (codeGeneration: boolean) => {
        const codec = createElephantSync({ constructors: { Node: Pooled as never }, engine: mode.engine, codeGeneration });
        return Array.from({ length: READS }, (_, i) => {
          way.always = i > 4;
          made.length = calls = 0;
          const one = codec.read(save);
          way.always = false;
          return one;
        });
      };
      const expected = read(false);
      let by: unknown[] = [];
      const owned = found(() => {
        by = read(mode.codeGeneration);
      });
      if (every === 40) expect(owned > 0).toBe(mode.codeGeneration);
      by.forEach((one, i) => {
        expect(differences(expected[i], one), `${every}, read ${i}`).toEqual([]);
      });
    }
  });

  test.each<[string, () => unknown]>([
    ["an array", () => []],
    ["null", () => null],
    ["a number", () => 7],
  ])("members that the constructor fills with %s", (_, initial) => {
    const Filled = declaringClassOf(FIELDS, initial);
    const one = (list: unknown[], aside?: unknown) => make(Filled, { aside, id: 1, list, more: [] });
    const value = Array.from({ length: 80 }, () => one([one([one([])])]));
    for (let i = 1; i < value.length; i++) value[i].aside = value[i - 1].list;
    check({ Filled }, [value, value.map(({ list }) => list)]);
  });

  test("reads of other saves, and of damaged ones, in between", () => {
    const codec = create({ constructors });
    const shared = nodes();
    const saves = [
      [shared, shared.map(({ list }) => list)],
      [[1], shared[0].list, shared[0].list, [[2], { a: shared[1].more, b: shared[1].more }]],
      nodes(),
      // Structs that are open when something refers to them, with the numbers that lists had.
      nodes().map((one, i) => {
        const ring: Members = {};
        ring.held = node([], ring);
        return i % 3 ? [one, ring] : ring;
      }),
    ].map((value) => ({ value, save: codec.write(value) }));
    for (let i = 0; i < READS * 4; i++) {
      const { value, save } = saves[i % 4];
      way.always = i > 7;
      const read = codec.read(save);
      const damaged = save.slice(0, (save.length * ((i % 7) + 1)) / 9);
      expect(outcome(codec, damaged).error, `read ${i}`).toBeDefined();
      way.always = false;
      expect(differences(value, read), `read ${i}`).toEqual([]);
    }
  });

  large("across windows, and more containers than can be referred to", () => {
    const codec = create({ constructors });
    // Twelve containers each.
    const many = Array.from({ length: 8_000 }, () => node([node(), node(), node()]));
    const below = random(5);
    for (let i = 1; i < many.length; i++) if (i % 5 > 0) many[i].aside = many[below(Math.min(i, 5_000))][i & 1 ? "list" : "more"];
    const save = codec.write(many);
    const expected = createReference({ constructors }).read(save);
    const count = found(() => {
      for (let i = 0; i < 4; i++) {
        const read = codec.read(save);
        expect(differences(expected, read), `read ${i}`).toEqual([]);
        expect(isSame(codec.write(read), save)).toBe(true);
      }
    });
    expect(count > 1000).toBe(mode.codeGeneration);
  });

  test("in slices", async () => {
    const codec = create({ constructors });
    const value = nodes();
    for (let i = 1; i < value.length; i += 2) value[i].aside = value[i - 1].list;
    const all = [value, value.map(({ list }) => list)];
    const save = codec.write(all);
    for (let i = 0; i < 4; i++) expect(differences(all, await codec.readAsync(save, { sliceMs: 0 })), `read ${i}`).toEqual([]);
  });

  test(
    "random trees whose nodes refer to any list",
    () => {
      fc.assert(
        fc.property(fc.nat(), (seed) => {
          const below = random(seed);
          const lists: unknown[] = [];
          const tree = (depth: number): Members => {
            const list: unknown[] = [];
            const more: unknown[] = below(4) || lists.length === 0 ? [] : (lists[below(lists.length)] as unknown[]);
            lists.push(list, more);
            const one = node(list, undefined, more);
            for (let count = depth < 7 ? below(4) : 0; count > 0; count--)
              list.push(below(9) ? tree(depth + 1) : lists[below(lists.length)]);
            if (below(3) === 0) one.aside = below(2) ? lists[below(lists.length)] : { held: lists[below(lists.length)] };
            return one;
          };
          const value = Array.from({ length: 30 }, () => tree(0));
          check(
            constructors,
            below(2) ? value : { value, lists: lists.slice(0, 50), rows: lists.slice(0, 20).map((list, i) => ({ i, list })) },
          );
        }),
        { numRuns: RUNS, seed: 77 },
      );
    },
    LONG,
  );
});
