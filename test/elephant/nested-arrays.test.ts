// Structs that hold others (src/elephant/read/nested.ts): references to the arrays that are their members.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createElephantSync, ENGINES, MODES, PRE_READ, SCHEMA } from "./codec.ts";
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

describe.each(MODES)("$engine, code generation $codeGeneration", (mode) => {
  const { large, create, check } = codecsOf(mode);
  /** As many nodes as it takes for a function to be made, and lists of theirs. */
  const nodes = () => Array.from({ length: 80 }, (_, i) => node([node([node()], i)], undefined, [node()]));
  const refers = (value: unknown) => check(constructors, value);

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

  /** Reads again and again, and expects what the first engine reads without made functions. `begin` is called before each read. */
  function readAlike(
    save: Uint8Array,
    classes: Classes,
    begin = (_: number): void => undefined,
    of = (value: unknown): unknown => value,
  ): void {
    const read = (how: typeof mode) => {
      const codec = createElephantSync({ constructors: classes, ...how });
      return Array.from({ length: READS }, (_, i) => {
        begin(i);
        way.always = i > 4;
        const value = of(codec.read(save));
        way.always = false;
        return value;
      });
    };
    const expected = read({ engine: ENGINES[0], codeGeneration: false });
    read(mode).forEach((one, i) => {
      expect(differences(expected[i], one), `read ${i}`).toEqual([]);
    });
  }
  /** Of a class of nodes that is made by this constructor. */
  const nodesOf = (made: (this: Members) => unknown): Classes => ({ Node: Object.assign(made, { [SCHEMA]: { v1: FIELDS } }) as never });
  const EMPTY = { aside: undefined, id: undefined, list: undefined, more: undefined };

  test("a constructor that returns an instance that it has returned before", () => {
    for (const every of [2, 3, 40]) {
      for (const cleared of [true, false]) {
        const value = nodes();
        // Or only when all of them have been read.
        for (let i = 2; i < value.length && every < 40; i++) value[i].aside = i & 1 ? value[i - 1].list : value[i - 2].more;
        value.forEach((one, i) => {
          if (i % 9 === 5) (one.list as Members[])[0].more = [1, 2];
        });
        const made: Members[] = [];
        const classes = nodesOf(function () {
          made.push(Object.assign(this, EMPTY));
          if (made.length % every > 0) return undefined;
          const again = made[Math.max(0, made.length - every)];
          return cleared ? Object.assign(again, { list: undefined, more: undefined }) : again;
        });
        const save = createElephantWriter(constructors).write([value, value.map(({ list }) => list)]);
        readAlike(save, classes, () => void made.splice(0));
      }
    }
  });

  test("a constructor that returns a proxy, which copies each array that it is given, once", () => {
    const value = nodes();
    const copies = new WeakMap<object, unknown>();
    const classes = nodesOf(function () {
      return new Proxy(Object.assign(this, EMPTY), {
        set(target: Members, name: string, given) {
          if (Array.isArray(given) && !copies.has(given)) copies.set(given, given.slice());
          target[name] = Array.isArray(given) ? copies.get(given) : given;
          return true;
        },
      });
    });
    const save = createElephantWriter(constructors).write([value, value.map(({ list }) => list)]);
    const lists = (all: unknown) =>
      (all as Members[][])[0].map(({ list, more }) => [list, more].map((some) => (some as Members[]).map((one) => one?.id)));
    readAlike(save, classes, undefined, lists);
  });

  test("a callback of another class that gives a node that is there another list", () => {
    const Scene = declaringClassOf({ root: "any" });
    const scenes = Array.from({ length: 60 }, () => make(Scene, { root: node([node([node()])]) }));
    const save = createElephantWriter({ Node, Scene }).write([nodes(), scenes, scenes.map(({ root }) => (root as Members).list)]);
    let last: Members | undefined;
    const Leaving = declaringClassOf({ root: "any" });
    (Leaving.prototype as Record<symbol, unknown>)[PRE_READ] = function (this: Members) {
      if (last) (last.root as Members).list = [];
      last = this;
    };
    readAlike(save, { Node, Scene: Leaving }, () => {
      last = undefined;
    });
  });

  test("members that the constructor makes, until it does no longer, are in the same order", () => {
    let declares = true;
    const classes = nodesOf(function () {
      if (declares) Object.assign(this, EMPTY);
    });
    const begin = (read: number) => {
      declares = read < 7;
    };
    readAlike(createElephantWriter(constructors).write(nodes()), classes, begin, (read) =>
      (read as Members[]).map((one) => Object.keys(one)),
    );
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
    const many = Array.from({ length: 6_000 }, () => node([node(), node(), node()]));
    const below = random(5);
    for (let i = 1; i < many.length; i++) if (i % 5 > 0) many[i].aside = many[below(Math.min(i, 5_000))][i & 1 ? "list" : "more"];
    const save = codec.write(many);
    const expected = createReference({ constructors }).read(save);
    for (let i = 0; i < 3; i++) {
      const read = codec.read(save);
      expect(differences(expected, read), `read ${i}`).toEqual([]);
      expect(isSame(codec.write(read), save)).toBe(true);
    }
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
