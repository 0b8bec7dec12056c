// Structs that JavaScript reads, by what stood in their place before (src/elephant/read/graph-reader.ts): other members, values of other kinds, references to
// structs that are not whole. And rows of layouts that are left to it. The ways to get there are in nested-codecs.ts.
import { describe, expect, test, vi } from "vitest";
import { Builder } from "../../src/graph/builder.ts";
import { LayoutFactory } from "../../src/graph/layout-factory.ts";
import { createElephantSync, ENGINES, MODES, Scalar } from "./codec.ts";
import { differences } from "./compare.ts";
import { classOf, codecsOf, countContainers, isSame, type Members, make, outcome, random, taken } from "./nested-codecs.ts";
import { once } from "./once.ts";

const list = <T>(length: number, item: (i: number) => T): T[] => Array.from({ length }, (_, i) => item(i));

const KINDS: Record<string, (i: number) => unknown> = {
  integers: (i) => i,
  fractions: (i) => i / 8 + 0.125,
  texts: (i) => `text ${i % 7}`,
  "long texts": (i) => `a text of more than thirty-two bytes, ${i}`,
  flags: (i) => i % 3 === 0,
  nothing: () => undefined,
  "64-bit integers": (i) => BigInt(i) * -12_345_678_901n,
  structs: (i) => ({ held: i }),
  "structs of any number of members": (i) => Object.fromEntries(list(i % 4, (k) => [`m${k}`, i])),
  arrays: (i) => list(i % 4, (k) => k),
};

class Unit {}
class Item {}
/** A class that counts its instances. */
function counted() {
  const made = { count: 0 };
  class P {
    constructor() {
      made.count++;
    }
  }
  return { P, made };
}
const classes = { Unit, Item };

describe.each(MODES)("$engine, code generation $codeGeneration", (mode) => {
  const { create, check } = codecsOf(mode);

  describe("values of other kinds than before", () => {
    for (const [title, first] of Object.entries(KINDS)) {
      test(`${title}, then others`, () => {
        const then = Object.values(KINDS);
        check({}, { all: list(600, (i) => ({ a: i, v: i < 60 ? first(i) : then[(i >> 4) % then.length](i), z: "end" })) }, { reads: 4 });
        check({ Unit }, [list(300, (i) => Object.assign(new Unit(), { v: i % 50 ? first(i) : then[i % then.length](i), b: [i] }))], {
          reads: 4,
        });
      });
    }

    test("rare datatypes", () => {
      const save = create({}).write({
        all: list(400, (i) => ({ a: i, v: [Scalar("s32", -i), Scalar("u8", i & 255), Scalar("f32", i / 4), i][i < 40 ? 3 : i % 4] })),
      });
      const codec = create({});
      const expected = createElephantSync({ engine: ENGINES[0] }).read(save);
      for (let i = 0; i < 6; i++) expect(differences(expected, codec.read(save))).toEqual([]);
    });
  });

  describe("other members than before", () => {
    // As many members each, told by names: the first one's, a later one's.
    const forms: ((i: number) => Members)[] = [
      (i) => ({ a: i, b: "x" }),
      (i) => ({ a: i, c: "x" }),
      (i) => ({ b: i, a: "x" }),
      (i) => ({ longer: i, name: "x" }),
      (i) => ({ long: i, name: "x" }),
      () => ({}),
    ];

    test("in one array, and in one member", () => {
      const below = random(3);
      for (const chance of [2, 10, 100]) {
        const drawn = () => forms[below(chance) ? 0 : below(forms.length)](below(99));
        check(
          {},
          list(300, (i) => ({ id: i, held: drawn(), few: list(below(4), drawn) })),
          { reads: 4 },
        );
        check(
          classes,
          list(300, () => ({ held: Object.assign(new (below(2) ? Unit : Item)(), drawn()) })),
          { reads: 4 },
        );
      }
    });

    test("names of every length", () => {
      const named = (i: number) => Object.fromEntries(list(3, (k) => [`${"n".repeat((i + k) % 11)}${k}`, i]));
      check(
        {},
        list(1500, (i) => ({ i, held: named(i % 100 ? i >> 8 : i) })),
        { reads: 4 },
      );
    });
  });

  describe("references to what is not whole yet", () => {
    const trees: Record<string, (depth: number, parent?: Members, around?: Members) => Members> = {
      "the parent behind the name": (_, parent) => ({ name: "x", parent }),
      "the parent first": (_, parent) => ({ parent, name: 1 }),
      "whoever is above that": (_, parent, around) => ({ name: "x", around, parent }),
      "what is a member of every object": (_, parent) => ({ toString: parent, constructor: 1 }),
      itself: (depth) => {
        const made: Members = { name: depth };
        made.self = made;
        return made;
      },
    };
    for (const [title, begin] of Object.entries(trees)) {
      test(title, () => {
        const tree = (depth: number, parent?: Members, around?: Members): Members => {
          const made = begin(depth, parent, around);
          made.children = depth > 0 ? list(3, () => tree(depth - 1, made, parent)) : [];
          made.behind = depth % 2 ? around : 0.5;
          return made;
        };
        check(
          {},
          list(3, () => tree(5)),
          { reads: 5 },
        );
        const instances = (depth: number, parent?: Members): Members => {
          const made = Object.assign(depth % 2 ? new Unit() : {}, begin(depth, parent)) as Members;
          made.first = depth > 0 ? instances(depth - 1, made) : undefined;
          made.second = depth > 0 ? instances(depth - 1, made) : undefined;
          return made;
        };
        check({ Unit }, instances(7), { reads: 5 });
      });
    }

    test("behind the containers that can be referred to", () => {
      const tree = (depth: number, parent?: Members): Members => {
        const made: Members = { n: depth, parent };
        made.children = list(depth > 0 ? 2 : 0, () => tree(depth - 1, made));
        return made;
      };
      const root = { all: list(40, () => tree(4)), many: list(65_500, () => []), last: list(300, (i) => ({ n: i, children: [{ n: i }] })) };
      check({}, root, { reads: 3 });
    });
  });
});

describe("rows of layouts that are left to JavaScript", () => {
  const gear = (i: number, k: number) => ((i * 7 + k) % 3 ? { name: `gear ${i % 5}`, wear: i / 8 } : undefined);
  const shared = list(50, (n) => ({ n }));
  const rows: Record<string, (i: number) => unknown> = {
    "members that are a struct or nothing": (i) => ({ id: i, head: gear(i, 0), body: gear(i, 1), hand: gear(i, 2) }),
    "references to shared structs": (i) => ({ p: shared[(i * 31) % 50], i }),
    "values or nothing": (i) => ({ id: i, target: i % 2 ? i : undefined, tag: i % 3 ? `tag ${i % 9}` : undefined }),
    "instances of such": (i) => Object.assign(new Unit(), { target: i % 2 ? i : undefined, tag: i % 3 ? undefined : 0.5 }),
    "members of any kind": (i) => ({ v: Object.values(KINDS)[i % 10](i), w: [1, "a", undefined][i % 3] }),
  };
  const others = [{ p: [1, { a: 1 }], i: "other" }, { id: [], target: {}, tag: [1n] }, {}, { more: 1, than: 2, these: 3, five: 4, six: 6 }];
  const fresh = (bytes: Uint8Array) => outcome(createElephantSync({ constructors: classes, engine: ENGINES[0] }), bytes);

  describe.each(Object.entries(rows))("%s", (_, row) => {
    const made = once(() => {
      const value = { before: 1, all: list(3000, row), behind: list(20, row) };
      return { value, save: createElephantSync({ constructors: classes, engine: ENGINES[0] }).write(value) };
    });
    const mixed = once(() => [700, 90, 11].map((every) => list(3000, (i) => (i % every ? row(i) : others[i % 4]))));
    const damaged = once(() => {
      const { save } = made();
      const below = random(7);
      return list(12, (i) => {
        const at = 200 + below(save.length - 300);
        const bytes = i % 2 ? save.subarray(0, at) : save.with(at, below(256));
        return { at, bytes, expected: fresh(bytes) };
      });
    });

    describe.each(MODES)("$engine, code generation $codeGeneration", (mode) => {
      const { create, some } = codecsOf(mode);

      test("again and again", () => {
        const { value, save } = made();
        const codec = create({ constructors: classes });
        codec.read(save);
        const { operations } = taken;
        for (let i = 0; i < 4; i++) expect(differences(value, codec.read(save))).toEqual([]);
        expect(taken.operations).toBeGreaterThan(operations);
        expect(isSame(codec.write(codec.read(save)), save)).toBe(true);
      });

      test("with others among them", () => {
        const { value, save } = made();
        const codec = create({ constructors: classes });
        codec.read(save);
        for (const all of some(mixed())) {
          const mixedSave = codec.write(all);
          for (let i = 0; i < 3; i++) expect(differences(all, codec.read(mixedSave))).toEqual([]);
        }
        expect(differences(value, codec.read(codec.write(value)))).toEqual([]);
      });

      test("damaged, cut off or more than may be", async () => {
        const { value, save } = made();
        const codec = create({ constructors: classes });
        for (let i = 0; i < 3; i++) codec.read(save);
        for (const { at, bytes, expected } of damaged()) {
          const warm = outcome(codec, bytes);
          expect(warm.error, `at ${at}`).toEqual(expected.error);
          if (!expected.error) expect(differences(expected.value, warm.value), `at ${at}`).toEqual([]);
        }
        const pieces = async function* () {
          for (let at = 0; at < save.length; at += 777) yield save.subarray(at, at + 777);
        };
        expect(differences(value, await codec.readAsync(pieces()))).toEqual([]);
        // As many containers as there are, and one less.
        const most = countContainers(value);
        for (const maxNodes of [most, most - 1]) {
          const limited = create({ constructors: classes, limits: { maxNodes } });
          const outcomes = list(3, () => outcome(limited, save).error);
          const expected = maxNodes === most ? undefined : ["element-limit", expect.any(Number)];
          expect(outcomes).toEqual([expected, expected, expected]);
        }
      });
    });
  });
});

describe.each(MODES)("$engine, code generation $codeGeneration", (mode) => {
  const { create } = codecsOf(mode);

  describe("references in the place of rows that are left to JavaScript", () => {
    /** `v` has values of several kinds, so that the rows behind two of a layout are left; then comes what `third` makes. */
    const rowsWith = (third: (root: Members) => unknown): Members => {
      const root: Members = { a: list(600, (i) => ({ v: i % 2 ? "x" : i })) };
      root.b = [{ v: 1 }, { v: 2 }, third(root), ...list(12, (i) => ({ v: i }))];
      return root;
    };

    test("to a struct that is still open, and to one that is whole", () => {
      for (const third of [(root: Members) => root, (root: Members) => (root.a as unknown[])[7], (root: Members) => root.a]) {
        const root = rowsWith(third);
        for (const save of [create({}).write(root), create({}).write({ around: [root], behind: root })]) {
          const codec = create({});
          const expected = createElephantSync({ engine: ENGINES[0], codeGeneration: false }).read(save);
          for (let i = 0; i < 4; i++) expect(differences(expected, codec.read(save))).toEqual([]);
          expect(isSame(codec.write(codec.read(save)), save)).toBe(true);
        }
      }
    });

    test("to nothing", () => {
      const codec = create({});
      const save = codec.write(rowsWith((root) => (root.a as unknown[])[7]));
      const at = save.lastIndexOf(0xff, save.length - 13 * 10);
      expect([...save.subarray(at - 1, at + 3)]).toEqual([0xff, 0xff, 9, 0]);
      const bad = save.with(at + 1, 0x60).with(at + 2, 0xea);
      for (let i = 0; i < 3; i++) expect(outcome(codec, bad).error).toEqual(["bad-reference", at - 1]);
      expect(outcome(codec, save).error).toBeUndefined();
    });

    test("with as many containers as may be", () => {
      const root = rowsWith((root) => root.a);
      root.b = [{ v: 1 }, { v: 2 }, ...list(14, (i) => (root.a as unknown[])[i])];
      const save = create({}).write(root);
      for (const [maxNodes, expected] of [
        [605, undefined],
        [604, "element-limit"],
      ] as const) {
        const codec = create({ limits: { maxNodes } });
        for (let i = 0; i < 3; i++) expect((outcome(codec, save).error as unknown[] | undefined)?.[0]).toBe(expected);
      }
    });
  });

  test("a constructor runs once, whatever a small save has taught about structs that refer to themselves", () => {
    const { P, made } = counted();
    const codec = create({ constructors: { P } });
    const reads = (value: unknown) => {
      const save = codec.write(value);
      made.count = 0;
      expect(differences(value, codec.read(save))).toEqual([]);
      return made.count;
    };
    const z = (i: number) => ({ nodeZ: i, kids: [], z: i });
    const a = (kids: unknown[]) => ({ nodeA: 1, kids, x: "x" }) as Members;
    const itself = () => {
      const made = a([]);
      made.kids = [made];
      return made;
    };
    for (let i = 0; i < 20; i++) reads([z(i), z(i)]);
    for (let i = 0; i < 20; i++) reads([a([]), a([{}])]);
    for (let round = 0; round < 3; round++) {
      reads([z(1), z(2)]);
      reads([itself()]);
      expect(reads([new P(), itself()])).toBe(1);
      reads([z(1), z(2)]);
      expect(reads([new P(), z(1), itself()])).toBe(1);
      expect(reads([itself(), new P(), a([])])).toBe(1);
    }
  });

  test("a constructor runs once, however many names small saves have had", () => {
    const { P, made } = counted();
    const codec = create({ constructors: { P } });
    for (let i = 0; i < 700; i++) {
      const value = [new P(), Object.fromEntries(list(1 + (i % 9), (k) => [`n${i}_${k}`, k])), { same: i }];
      const save = codec.write(value);
      made.count = 0;
      expect(differences(value, codec.read(save))).toEqual([]);
      expect(made.count).toBe(1);
    }
  });

  test("a stack that overflows in a read leaves no wrong text behind", () => {
    const codec = create({});
    const value = list(30, (i) => ({ text: `t${i}`, other: `o${i * 7}` }));
    const saves = [codec.write(value.slice(0, 12)), codec.write(value)];
    let left = 12;
    let overflows = 0;
    const deeper = (filling: number[]): void => {
      try {
        deeper(filling.length > 6 ? [] : [...filling, 1]);
      } catch {}
      if (left-- <= 0) return;
      for (const save of saves) {
        try {
          codec.read(save);
        } catch (error) {
          if (error instanceof RangeError) overflows++;
        }
      }
    };
    for (let round = 0; round < 8; round++) {
      left = 12;
      deeper([]);
      expect(differences(value.slice(0, 12), codec.read(saves[0]))).toEqual([]);
      expect(differences(value, codec.read(saves[1]))).toEqual([]);
    }
    expect(overflows).toBeGreaterThan(0);
  });
});

describe.each(MODES.filter(({ codeGeneration }) => codeGeneration))("$engine", (mode) => {
  // What is known of a struct by its count and its first name may be the same for the one that holds it: they are told apart by the other names.
  test.each<[string, (i: number, all: unknown[]) => Members, (i: number, k: number) => Members]>([
    ["with a number first", (id, items) => ({ id, items }), (_, id) => ({ id, count: 2 })],
    ["with texts first", (i, items) => ({ name: `n${i}`, gold: i, items }), (_, k) => ({ name: "x", gold: k, hidden: false })],
    ["with names that begin alike", (i, list) => ({ "item of": i, list }), (_, k) => ({ "item it": k, list: "x" })],
  ])("structs that only begin like the ones they stand in are rows of their layout, %s", (_, outer, inner) => {
    const value = list(300, (i) =>
      outer(
        i,
        list(i % 4, (k) => inner(i, k)),
      ),
    );
    const codec = createElephantSync(mode);
    const save = codec.write(value);
    for (let i = 0; i < 2; i++) codec.read(save);
    const operations = vi.spyOn(Builder.prototype, "factory");
    try {
      expect(differences(value, codec.read(save))).toEqual([]);
      expect(operations).not.toHaveBeenCalled();
    } finally {
      operations.mockRestore();
    }
  });

  test.each([
    ["plain", undefined],
    ["by a schema", classOf({ i: "u32", next: "any" })],
    ["with names", Unit],
  ])("structs far inside one another are left to JavaScript, also while it learns what they are: %s", (_, type) => {
    const struct = (i: number, next?: object): Members => (type ? make(type, { i, next }) : { i, next });
    const ring = (length: number): Members => {
      const structs = list(length, (i) => struct(i));
      structs.forEach((one, i) => {
        one.next = structs[(i + 1) % length];
      });
      return structs[0];
    };
    const chain = (length: number): Members | undefined => (length > 0 ? struct(length, chain(length - 1)) : undefined);
    for (const length of [40, 60, 120])
      for (const of of [ring, chain]) {
        const value = list(100, () => of(length));
        const codec = createElephantSync({ constructors: type && { Type: type }, ...mode });
        const save = codec.write(value);
        codec.read(save);
        const delivered = vi.spyOn(Builder.prototype, "deliver");
        try {
          expect(differences(value, codec.read(save))).toEqual([]);
          expect(delivered.mock.calls.length, `${of.name} of ${length}`).toBeGreaterThan(50);
        } finally {
          delivered.mockRestore();
        }
      }
  });

  test("structs that hold their like have no layout, once one of them has been read", () => {
    const tree = (depth: number): Members => ({ name: "x", children: list(depth > 0 ? 2 : 0, () => tree(depth - 1)) });
    const Tree = classOf({ name: "string", children: "array" });
    const instances = (depth: number): Members => make(Tree, { name: "x", children: list(depth > 0 ? 2 : 0, () => instances(depth - 1)) });
    for (const value of [list(200, () => tree(3)), list(200, () => instances(3))]) {
      const codec = createElephantSync({ constructors: { Tree }, ...mode });
      const save = codec.write(value);
      expect(differences(value, codec.read(save))).toEqual([]);
      const rows = vi.spyOn(LayoutFactory.prototype, "rows");
      try {
        for (let i = 0; i < 2; i++) expect(differences(value, codec.read(save))).toEqual([]);
        expect(rows).not.toHaveBeenCalled();
      } finally {
        rows.mockRestore();
      }
    }
  });
});

test.each(ENGINES)("references at the edge of the window, engine %s", (engine) => {
  const Node = classOf({ id: "f64", list: "array", any: "any" });
  const node = (id: number, list: unknown[] = [], any?: unknown) => make(Node, { id, list, any });
  const codec = createElephantSync({ engine, constructors: { Node } });
  const lesson = codec.write(Array.from({ length: 300 }, (_, i) => node(i, [node(-i, [{}]), {}, node(i), [1]], node(i))));
  for (let i = 0; i < 15; i++) codec.read(lesson);
  const shared = Array.from({ length: 600 }, (_, i) => node(i, [{}]));
  const list = Array.from({ length: 1000 }, (_, i) => shared[300 + (i % 250)]);
  for (let pad = 0; pad < 4; pad++) {
    const value = ["p".repeat(pad), shared, ...Array.from({ length: 80 }, (_, i) => node(i, [node(i), ...list], {}))];
    const save = codec.write(value);
    expect(save.length).toBeGreaterThan(262144 * 1.1);
    expect(Buffer.compare(codec.write(codec.read(save)), save), `${pad}`).toBe(0);
  }
});
