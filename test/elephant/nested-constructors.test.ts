// ... and what constructors, callbacks and schemas may do meanwhile. The ways to get there are in nested-codecs.ts.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ElephantConstructor, MODES, POST_READ, PRE_READ, SCHEMA } from "./codec.ts";
import { differences } from "./compare.ts";
import { failure } from "./expect-error.ts";
import {
  type Classes,
  classOf,
  codecsOf,
  countInstances,
  createElephantWriter,
  isSame,
  LONG,
  type Members,
  make,
  READS,
  RUNS,
  randomWorld,
  way,
} from "./nested-codecs.ts";
import { createReference } from "./reference.ts";

describe.each(MODES)("$engine, code generation $codeGeneration", (mode) => {
  const { create, check } = codecsOf(mode);

  describe("constructors", () => {
    const tree = (Class: ElephantConstructor, name = "id") => {
      const one = (i: number, depth: number): Members =>
        make(Class, {
          [name]: i,
          list: depth ? [one(i + 1, depth - 1), one(i + 2, depth - 1)] : [],
          any: depth ? one(i + 3, depth - 1) : i,
        });
      return Array.from({ length: 12 }, (_, i) => one(i, 2));
    };
    const SCHEMAS = { v1: { id: "f64", list: "array", any: "any" } };
    /** The same members without anything else. */
    const Written = classOf(SCHEMAS.v1);
    const own = (read: unknown): unknown =>
      (read as Members[]).map((one) => [one.id, (one.list as Members[]).map(({ id }) => id), (one.any as Members).id]);

    test.each<[string, PropertyDescriptor]>([
      ["an accessor", { get: () => -1, set: () => expect.fail("the setter was called") }],
      ["read-only", { value: -1, writable: false }],
    ])("a member that the constructor or the class defines as %s gets its value", (_, descriptor) => {
      class Own {
        static [SCHEMA] = SCHEMAS;
        constructor() {
          Object.defineProperty(this, "id", { ...descriptor, configurable: true, enumerable: true });
        }
      }
      class Inherited {
        static [SCHEMA] = SCHEMAS;
      }
      Object.defineProperty(Inherited.prototype, "id", { ...descriptor, configurable: true });
      for (const Class of [Own, Inherited]) {
        const Made = Class as unknown as ElephantConstructor;
        const save = createElephantWriter({ Made: Written }).write(tree(Written));
        const codec = create({ constructors: { Made } });
        for (let i = 0; i < READS; i++) expect(own(codec.read(save))).toEqual(own(tree(Written)));
      }
    });

    test("classes that extend Array, Map and another one", () => {
      class List extends Array {
        static [SCHEMA] = { v1: { ...SCHEMAS.v1, size: "any" } };
      }
      class Table extends Map {
        static [SCHEMA] = { v1: { ...SCHEMAS.v1, size: "any" } };
      }
      class Base {
        static [SCHEMA] = SCHEMAS;
        inherited = 5;
      }
      class Derived extends Base {}
      const constructors = { Base, Derived, Table } as unknown as Classes;
      check(constructors, [...tree(Base as never), ...tree(Derived as never)]);
      for (const Class of [List, Table]) {
        // Written from a class of the same schema, because arrays are written as arrays.
        class Plain {
          static [SCHEMA] = Class[SCHEMA];
        }
        // The last field of one holds what is left to the kernel, while both are open.
        const value = tree(Plain as never).map((one, i) => Object.assign(one, { size: i === 1 ? [1, [undefined, undefined]] : 3 }));
        const save = createElephantWriter({ Made: Plain as never }).write(value);
        const codec = create({ constructors: { Made: Class as never } });
        for (let i = 0; i < READS; i++) {
          way.always = i > 4;
          const read = codec.read<Members[]>(save);
          way.always = false;
          expect(own(read)).toEqual(own(value));
          expect(
            read.every((one, k) => one instanceof Class && (k === 1 || Object.getOwnPropertyDescriptor(one, "size")?.value === 3)),
          ).toBe(true);
        }
      }
    });

    test("constructors that return something else: a proxy that refuses names it does not know, an object of another class", () => {
      class Strict {
        static [SCHEMA] = SCHEMAS;
        constructor() {
          // biome-ignore lint/correctness/noConstructorReturn: this is what is tested
          return new Proxy(this, {
            get(target, key) {
              if (!(key in target)) throw new Error(`there is no ${String(key)}`);
              return Reflect.get(target, key);
            },
          });
        }
      }
      let made = 0;
      class Alternating {
        static [SCHEMA] = SCHEMAS;
        constructor() {
          // biome-ignore lint/correctness/noConstructorReturn: this is what is tested
          if (made++ % 3 === 0) return Object.create({ other: true }) as never;
        }
      }
      class Plain {
        static [SCHEMA] = SCHEMAS;
      }
      const value = tree(Plain as never);
      const save = createElephantWriter({ Made: Plain as never }).write(value);
      for (const Class of [Strict, Alternating]) {
        const codec = create({ constructors: { Made: Class as never } });
        for (let i = 0; i < 20; i++) expect(own(codec.read(save))).toEqual(own(value));
      }
    });

    test("callbacks are called as often and in the same order as by the reference codec", () => {
      let log: string[] = [];
      class Called {
        static [SCHEMA] = SCHEMAS;
        id = 0;
        [PRE_READ](context: { schemaVersion: number }) {
          log.push(`before ${this.id} ${context.schemaVersion}`);
        }
        [POST_READ]() {
          log.push(`after ${this.id} ${Object.keys(this).join()}`);
        }
      }
      class After {
        static [SCHEMA] = SCHEMAS;
        [POST_READ]() {
          log.push(`after ${(this as unknown as Members).id}`);
        }
      }
      class Silent {
        static [SCHEMA] = SCHEMAS;
        constructor() {
          log.push("made");
        }
      }
      const constructors = { Called, After, Silent } as unknown as Classes;
      const classes = [Called, After, Silent] as unknown as ElephantConstructor[];
      const one = (i: number, depth: number): Members =>
        make(classes[i % 3], {
          id: i,
          list: depth ? [one(i + 1, depth - 1), one(i + 2, depth - 1), one(i + 2, 0)] : [],
          any: depth ? one(i * 7 + 3, depth - 1) : i,
        });
      const value = Array.from({ length: 15 }, (_, i) => one(i, 2));
      const save = createElephantWriter(constructors).write(value);
      log = [];
      createReference({ constructors }).read(save);
      const expected = log;
      const codec = create({ constructors });
      for (let i = 0; i < READS; i++) {
        log = [];
        expect(differences(value, codec.read(save))).toEqual([]);
        expect(log).toEqual(expected);
      }
    });

    test("what a constructor throws is the read's error, and nothing is left of it", () => {
      let left = Number.POSITIVE_INFINITY;
      class Throwing {
        static [SCHEMA] = SCHEMAS;
        constructor() {
          if (--left < 0) throw new RangeError("no more");
        }
      }
      const constructors = { Throwing } as unknown as Classes;
      const value = tree(Throwing as never);
      const codec = create({ constructors });
      const save = codec.write(value);
      for (let i = 0; i < 39; i++) {
        left = i * 4;
        expect(failure(() => codec.read(save))).toEqual(new RangeError("no more"));
        left = Number.POSITIVE_INFINITY;
        expect(differences(value, codec.read(save))).toEqual([]);
      }
    });

    test("a constructor that reads by the same codec", () => {
      let depth = 0;
      let inner: Uint8Array | undefined;
      class Reading {
        static [SCHEMA] = SCHEMAS;
        constructor() {
          if (!inner || depth > 1) return;
          depth++;
          if (depth === 2) expect(own(codec.read(inner))).toEqual(own(value));
          else expect(codec.read<unknown[]>(inner)).toHaveLength(12);
          depth--;
        }
      }
      const constructors = { Reading } as unknown as Classes;
      const codec = create({ constructors });
      const value = tree(Reading as never).slice(0, 12);
      inner = undefined;
      const save = codec.write(value);
      for (let i = 0; i < 5; i++) codec.read(save);
      const few = codec.write(value.slice(0, 1));
      inner = save;
      depth = 1;
      for (let i = 0; i < 3; i++) expect(differences(value.slice(0, 1), codec.read(few))).toEqual([]);
      inner = undefined;
      expect(differences(value, codec.read(save))).toEqual([]);
    });

    test("a callback that comes and goes between reads", () => {
      class Changing {
        static [SCHEMA] = SCHEMAS;
      }
      const Made = Changing as unknown as ElephantConstructor;
      const codec = create({ constructors: { Made } });
      const value = tree(Made);
      const save = codec.write(value);
      let calls = 0;
      const prototype = Changing.prototype as unknown as Record<symbol, unknown>;
      for (let i = 0; i < 12; i++) {
        if (i % 4 === 2) prototype[PRE_READ] = () => calls++;
        else delete prototype[PRE_READ];
        calls = 0;
        expect(differences(value, codec.read(save))).toEqual([]);
        expect(calls).toBe(i % 4 === 2 ? countInstances(value) : 0);
      }
    });
  });

  test(
    "random classes and graphs, read again and again and by turns",
    () => {
      fc.assert(
        fc.property(fc.nat(), (seed) => {
          const { constructors, graph } = randomWorld(seed);
          const [first, second] = [graph(), graph()];
          const codec = create({ constructors });
          const saves = [codec.write(first), codec.write(second)];
          for (let i = 0; i < READS; i++) {
            way.always = (i & 1) === 1;
            const value = codec.read(saves[0]);
            way.always = false;
            const found = differences(first, value);
            if (found.length > 0) expect(found, `read ${i}`).toEqual([]);
            if (i % 4 === 3) expect(isSame(codec.write(value), saves[0])).toBe(true);
          }
          for (let i = 0; i < 6; i++) {
            const value = codec.read(saves[i & 1]);
            const found = differences(i & 1 ? second : first, value);
            if (found.length > 0) expect(found, `read ${i} by turns`).toEqual([]);
            expect(isSame(codec.write(value), saves[i & 1])).toBe(true);
          }
        }),
        { numRuns: RUNS, seed: 151 + MODES.indexOf(mode) },
      );
    },
    LONG,
  );
});
