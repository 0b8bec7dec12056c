// Where errors and warnings say that a value stands, and what finding that out costs.

import { describe, expect, test } from "vitest";
import {
  createElephantSync,
  type ElephantOptions,
  type ElephantSchema,
  ENGINES,
  SCHEMA,
  Scalar,
  StructInstance,
  VERBOSE_EXCLUDE,
  VERSION_VERBOSE,
} from "./codec.ts";
import { expectError, failure } from "./expect-error.ts";
import { inside } from "./inside.ts";

/** A struct whose member is always another one. */
const endless = (): object => ({
  get next() {
    return endless();
  },
});

/** The same by proxies. */
const endlessProxy = (): object => new Proxy({ a: 1, b: 2 }, { get: (target, key) => (key in target ? endlessProxy() : undefined) });

const nested = (levels: number): unknown => {
  let deep: unknown = [];
  for (let i = 1; i < levels; i++) deep = [deep];
  return deep;
};

/** Time enough for what is linear, on a busy machine; what is quadratic takes ten times as long or does not end. */
const SOON = 10_000;

describe.each(ENGINES)("engine %s", (engine) => {
  const create = (options: ElephantOptions = {}) => createElephantSync({ ...options, engine });

  describe("graphs without end", () => {
    const shallow = create({ limits: { maxDepth: 1000 } });

    test.each([
      ["getters", endless],
      ["proxies", endlessProxy],
    ])(
      "%s that always make another struct come to the depth limit",
      async (_, make) => {
        expectError(() => shallow.write(make()), "depth-limit");
        expectError(() => shallow.toJson(make()), "depth-limit");
        expectError(() => shallow.duplicate(make()), "depth-limit");
        await expect(shallow.writeAsync(make())).rejects.toMatchObject({ code: "depth-limit" });
      },
      SOON,
    );

    test(
      "beside what cannot be stored they are not followed",
      () => {
        const error = expectError(() => shallow.write({ list: [1, { when: new Date(0) }], more: endless() }), "datatype-not-recognised");
        expect(error.path).toBe(".list[1].when");
        const fresh = {
          get when() {
            return new Date(0);
          },
          more: endless(),
        };
        expectError(() => shallow.write(fresh), "datatype-not-recognised");
      },
      SOON,
    );

    test(
      "a signal ends the write of one while its depth has no limit",
      async () => {
        const elephant = create({ limits: { maxDepth: Number.POSITIVE_INFINITY } });
        const signal = AbortSignal.timeout(50);
        await expect(elephant.writeAsync(endless(), { signal })).rejects.toHaveProperty("name", "TimeoutError");
      },
      SOON,
    );
  });

  describe("paths of errors", () => {
    test("depth-limit names the container that is refused", () => {
      const five = create({ limits: { maxDepth: 5 } });
      const at = "[0][0][0][0][0]";
      expect(expectError(() => five.write(nested(6)), "depth-limit").path).toBe(at);
      expect(expectError(() => five.toJson(nested(6)), "depth-limit").path).toBe(at);
      expect(expectError(() => five.duplicate(nested(6)), "depth-limit").path).toBe(at);
      expect(expectError(() => five.fromJson(nested(6)), "depth-limit").path).toBe(at);
      expect(five.read(five.write(nested(5)))).toEqual(nested(5));
      expect(expectError(() => create({ limits: { maxDepth: 0 } }).write([]), "depth-limit").path).toBe("");
    });

    test("a value that stands at several places is named where it is written first", () => {
      const wrong = [new Map()];
      expect(expectError(() => create().write({ a: { b: { c: wrong } }, z: wrong })).path).toBe(".a.b.c[0]");
    });

    test("what a schema leaves out is not looked into", () => {
      class Node {
        static [SCHEMA] = { v1: { next: "any" } } as const;
        next: unknown;
        get scene(): never {
          throw new Error("not a member to store");
        }
        debug = endless();
      }
      const node = Object.assign(new Node(), { next: [new Map()] });
      expect(expectError(() => create({ constructors: { Node } }).write(node)).path).toBe(".next[0]");
      const stranger = new StructInstance("Stranger", { list: [new Map()] });
      expect(expectError(() => create().write(stranger)).path).toBe(".list[0]");
    });

    test("a field that its value does not fit is named, not another one that holds the same", () => {
      class Unit {
        a: unknown = 5;
        b: unknown = 5;
        [kind: string]: unknown;
        static [SCHEMA] = { v1: { a: "f64", b: "string", c: "any", d: "array", e: "struct" } } as const;
      }
      for (const codeGeneration of [true, false]) {
        const codec = create({ constructors: { Unit }, codeGeneration });
        const unit = (members: object) => Object.assign(new Unit(), { b: "", d: [], e: {} }, members);
        // Also when functions have been made for it.
        for (let i = 0; i < 12; i++) {
          expect(expectError(() => codec.write([unit({}), unit({ b: 5 })]), "datatype-not-recognised").path).toBe("[1].b");
          expect(expectError(() => codec.write([unit({}), unit({ d: undefined })]), "not-an-array").path).toBe("[1].d");
          expect(expectError(() => codec.write([unit({}), unit({ d: [], e: undefined })]), "not-a-struct").path).toBe("[1].e");
          const both = {};
          expect(expectError(() => codec.write([unit({ c: both, d: both })]), "not-an-array").path).toBe("[0].d");
          codec.write([unit({}), unit({})]);
        }
      }
    });

    test("a value that stands in several fields is named by the first in their order, not the schema's", () => {
      class Unit {
        [field: string]: unknown;
        static [SCHEMA] = { v1: { z: "any", b: "any" } } as const;
      }
      const codec = create({ constructors: { Unit } });
      for (const wrong of ["\0", { n: "\0" }]) {
        const error = expectError(() => codec.write(Object.assign(new Unit(), { z: wrong, b: wrong })), "nul-in-string");
        expect(error.path).toBe(typeof wrong === "string" ? ".b" : ".b.n");
      }
    });

    test("text and integers that cannot be stored are named, not a member that is left out and holds the same", () => {
      class Unit {
        [member: string]: unknown;
        static [SCHEMA] = { v1: { name: "string", id: "u64" } } as const;
      }
      class Loose {
        [member: string]: unknown;
        static [SCHEMA] = { [VERBOSE_EXCLUDE]: ["secret"] } as const;
      }
      const codec = create({ constructors: { Unit, Loose } });
      const unit = (name: string, id: unknown) => Object.assign(new Unit(), { secret: name, name, id });
      expect(expectError(() => codec.write([unit("\0", 1)]), "nul-in-string").path).toBe("[0].name");
      expect(expectError(() => codec.write([unit("", 2 ** 64)]), "datatype-not-recognised").path).toBe("[0].id");
      const loose = Object.assign(new Loose(), { secret: 2n ** 64n, id: 2n ** 64n });
      expect(expectError(() => codec.write({ loose }), "datatype-not-recognised").path).toBe(".loose.id");
    });

    test("an integer that cannot be stored is named, not a bool that holds the same", () => {
      class Unit {
        [member: string]: unknown;
        static [SCHEMA] = { v1: { a: "bool", b: "u64", c: "f32", d: "any" } } as const;
      }
      const wide = 2n ** 64n;
      for (const codeGeneration of [true, false]) {
        const codec = create({ constructors: { Unit }, codeGeneration });
        const unit = (members: object) => Object.assign(new Unit(), { a: wide, b: 1n, c: 1, d: 1 }, members);
        for (let i = 0; i < 12; i++) {
          for (const name of ["b", "c", "d"])
            expect(expectError(() => codec.write([unit({ [name]: wide })]), "datatype-not-recognised").path).toBe(`[0].${name}`);
          codec.write([unit({}), unit({})]);
        }
      }
    });

    test("a field without bytes is never the place of what stands elsewhere, too", async () => {
      class Hero {
        [member: string]: unknown;
        static [SCHEMA] = { v1: { [VERSION_VERBOSE]: false, cache: "undefined", name: "any" } } as const;
      }
      const paths: unknown[] = [];
      const codec = create({ constructors: { Hero }, onWarning: ({ path }) => paths.push(path) });
      const hero = (cache: unknown, name: unknown) => Object.assign(new Hero(), { cache, name, [VERSION_VERBOSE]: cache });
      expectError(() => codec.write(hero("", "\0")), "nul-in-string");
      codec.write(hero("\0", ""));
      const bag = { born: new Date(0) };
      for (const [value, held, path] of [
        [hero("\0", "\0"), "nul-in-string", ".name"],
        [hero(bag, { bag }), "datatype-not-recognised", ".name.bag.born"],
      ] as const) {
        expect(expectError(() => codec.write(value), held).path).toBe(path);
        await expect(codec.writeAsync(value)).rejects.toMatchObject({ code: held, path });
      }
      const call = () => 1;
      codec.write([hero(call, call)]);
      expect(paths).toEqual(["[0].name"]);
    });

    test("what `diffsOnly` leaves out is neither named nor looked into", async () => {
      const f = () => {};
      const bag = { born: "" as unknown };
      class Loose {
        a: unknown = "\0";
        b: unknown = "";
        bag = bag;
        f = f;
        g: unknown = 0;
      }
      class Strict extends Loose {
        static [SCHEMA] = { v1: { a: "any", b: "any", bag: "any", f: "any", g: "any" } } as const;
      }
      const paths: unknown[] = [];
      const codec = create({ constructors: { Loose, Strict }, onWarning: ({ path }) => paths.push(path) });
      const options = { diffsOnly: true };
      for (const type of [Loose, Strict]) {
        const one = (members: object) => Object.assign(new type(), members);
        bag.born = new Date(0);
        for (const [value, code, path] of [
          [one({ b: "\0" }), "nul-in-string", ".b"],
          [[new type(), { bag }], "datatype-not-recognised", "[1].bag.born"],
        ] as const) {
          expect(expectError(() => codec.write(value, options), code).path).toBe(path);
          await expect(codec.writeAsync(value, options)).rejects.toMatchObject({ code, path });
        }
        bag.born = f;
        paths.length = 0;
        codec.write([one({ g: f }), bag], options);
        // All functions are equal then.
        const other = () => {};
        codec.write(one({ f: other, g: other }), { ...options, diffEquality: "exact" });
        expect(paths).toEqual(["[0].g", "[1].born", ".g"]);
      }
    });

    test("of two faults the first in the file is told, where an array holds itself and whatever the codec has written before", async () => {
      const first = { code: "nul-in-string", path: "[0].z" };
      for (const codeGeneration of [true, false]) {
        const codec = create({ codeGeneration });
        const graph = () => {
          const list: unknown[] = [];
          list.push({ list, z: "\0" }, { b: new Date(0) });
          return list;
        };
        const shared = [1];
        for (let i = 0; i < 3; i++) {
          expect(expectError(() => codec.write(graph()))).toMatchObject(first);
          await expect(codec.writeAsync(graph())).rejects.toMatchObject(first);
          codec.write(i === 1 ? [shared, shared] : [1]);
        }
      }
    });

    test("a Scalar that cannot be stored is named as its value would be", () => {
      expect(expectError(() => create().write({ a: [1, Scalar("string", "\0")] }), "nul-in-string").path).toBe(".a[1]");
      expect(expectError(() => create().write({ a: Scalar("u64", 2n ** 64n) }), "datatype-not-recognised").path).toBe(".a");
    });

    test("a getter that throws while one looks for the place is passed", () => {
      let calls = 0;
      const value = {
        get first() {
          if (++calls > 2) throw new Error("not again");
          return 1;
        },
        second: { third: Symbol("s") },
      };
      expect(expectError(() => create().write(value), "datatype-not-recognised").path).toBe(".second.third");
      expect(calls).toBe(3);
    });

    test("the message of an error far below stays short; its path is whole", () => {
      const elephant = create({ limits: { maxDepth: 100_000 } });
      for (const fail of [() => elephant.write(nested(100_001)), () => elephant.toJson(nested(100_001))]) {
        const error = expectError(fail, "depth-limit");
        expect(error.message.length).toBeLessThan(1000);
        expect(error.path).toBe("[0]".repeat(100_000));
      }
    });
  });

  describe("functions", () => {
    const paths: (string | undefined)[] = [];
    const telling = create({ onWarning: ({ path }) => paths.push(path) });
    const pathsOf = (value: unknown) => {
      paths.length = 0;
      telling.write(value);
      return paths.slice();
    };
    const f = () => {};

    test("each is named by its own place, in the order of the write", () => {
      expect(pathsOf(f)).toEqual([""]);
      expect(pathsOf([f, f, { g: f, h: () => {} }, f])).toEqual(["[0]", "[1]", "[2].g", "[2].h", "[3]"]);
      expect(pathsOf([f, f])).toEqual(["[0]", "[1]"]);
      expect(pathsOf({ a: { f, b: { f, c: [{ f }] }, d: { f } } })).toEqual([".a.f", ".a.b.f", ".a.b.c[0].f", ".a.d.f"]);
      const shared = { f };
      expect(pathsOf({ a: shared, b: [shared], c: f })).toEqual([".a.f", ".c"]);
    });

    test("one that a getter makes anew is named by what it stands in", () => {
      const made = {
        get f() {
          return () => {};
        },
      };
      expect(pathsOf({ made: [made] })).toEqual([".made[0]"]);
    });

    test(
      "many of them cost time in proportion to the graph",
      async () => {
        const objects = Array.from({ length: 30_000 }, () => ({ f() {} }));
        expect(pathsOf(objects)).toHaveLength(30_000);
        expect(paths[29_999]).toBe("[29999].f");
        paths.length = 0;
        await telling.writeAsync(objects);
        expect(paths[29_999]).toBe("[29999].f");
        const members = Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`m${i}`, () => {}]));
        expect(pathsOf(members)[29_999]).toBe(".m29999");
      },
      SOON,
    );
  });

  test("the path of a reference that cannot be stored, at any depth", () => {
    const codec = createElephantSync({ engine });
    const late = [1];
    const full = () => Array.from({ length: 33_000 }, () => []);
    for (const depth of [3, 61, 62, 63, 64, 126]) {
      const error = expectError(() => codec.write([full(), full(), late, { deep: inside(depth, late) }]), "reference-index-overflow");
      expect(error.path).toBe(`[3].deep${"[0]".repeat(depth)}`);
    }
  });

  test("the path of a reference to an instance that cannot be stored", () => {
    class Named {}
    class Strict {
      static [SCHEMA]: ElephantSchema = { v1: { v: "any" } };
    }
    const makers: ((v: number) => object)[] = [
      (v) => Object.assign(new Named(), { v }),
      (v) => Object.assign(new Strict(), { v }),
      (v) => new StructInstance("Strict", { v }),
      (v) => new StructInstance("Other", { v }),
    ];
    for (const make of makers) {
      const value = { a: Array.from({ length: 65_534 }, (_, v) => make(v)), b: [make(70_000)], last: {} };
      value.last = value.b[0]!;
      for (const codeGeneration of [true, false]) {
        const codec = createElephantSync({ engine, codeGeneration, constructors: { Named, Strict } });
        expect(expectError(() => codec.write(value), "reference-index-overflow").path).toBe(".last");
      }
    }
  });

  test("an error of the program's own is handed on behind a write that a schema has ended", () => {
    class Odd {
      static [SCHEMA] = { v1: { x: "nonsense" } } as unknown as ElephantSchema;
    }
    const codec = createElephantSync({ engine, constructors: { Odd } });
    expectError(() => codec.write({ a: new Odd() }), "schema-key-invalid");
    const own = failure(() => codec.read(new Uint8Array(3)));
    const value = {
      held: {
        get member() {
          throw own;
        },
      },
    };
    expect(failure(() => codec.write(value))).toBe(own);
  });
});

const elephant = createElephantSync();

test("the path behind thousands of Scalars", () => {
  const value = [Array.from({ length: 2000 }, () => Scalar("s32", 5)), { a: Symbol() }];
  expect(expectError(() => elephant.write(value), "datatype-not-recognised").path).toBe("[1].a");
});
