// Copies: of graphs that are trees and of those that are not, nested deeply, and of many instances of a class, which a function is made for, beside those
// that a codec makes without functions.
import { describe, expect, test } from "vitest";
import {
  createElephantSync,
  type DuplicateOptions,
  type Elephant,
  type ElephantConstructor,
  POST_READ,
  POST_WRITE,
  PRE_WRITE,
  SCHEMA,
  Scalar,
  type TuskError,
} from "../../src/elephant/index.ts";

const FIELDS = {
  flag: "bool",
  held: "any",
  items: "array",
  label: "string",
  n: "u8",
  next: "struct",
  nothing: "undefined",
  toString: "any",
} as const;

class Part {
  static [SCHEMA] = { v1: { ...FIELDS } };
  own = "not in the schema";
}
const make = (members: object): Part => Object.assign(new Part(), members);

function codecs(constructors: Record<string, ElephantConstructor>) {
  return [createElephantSync({ constructors }), createElephantSync({ constructors, codeGeneration: false })];
}

/** The same from both, compared with all that can be told apart. */
function copies(value: unknown, options?: DuplicateOptions): unknown {
  const [made, plain] = codecs({ Part }).map((codec) => codec.duplicate(value, options));
  expect(made).toEqual(plain);
  return made;
}

const MANY = 100;

describe("instances by a function", () => {
  test("fields of every datatype take what they would take one by one", () => {
    const values: unknown[] = [
      0,
      -0,
      Number.NaN,
      2.5,
      Number.POSITIVE_INFINITY,
      "text",
      "",
      true,
      false,
      null,
      undefined,
      5n,
      Scalar("u8", 3),
    ];
    const parts = Array.from({ length: values.length * 8 }, (_, i) =>
      make({
        ...Object.fromEntries(
          ["flag", "held", "label", "n", "nothing", "toString"].map((name, k) => [name, values[(i * (k + 1) + k) % values.length]]),
        ),
        items: i % 3 ? [i, { i }] : new Uint8Array([i]),
        next: i % 2 ? { i } : make({ items: [], next: {} }),
      }),
    );
    const made = copies(parts) as Part[];
    expect(made[5]).not.toBe(parts[5]);
    expect(made[5].own).toBe("not in the schema");
    expect(Object.hasOwn(made[99], "toString")).toBe(true);
  });

  test("sharing, cycles and order", () => {
    const shared = { name: "shared" };
    const parts = Array.from({ length: MANY }, () => make({ items: [], next: {} }) as Part & Record<string, unknown>);
    for (let i = 0; i < MANY; i++) {
      parts[i].held = parts[(i * 7) % MANY];
      parts[i].items = [shared, parts[i]];
      parts[i].next = i % 5 ? shared : parts[MANY - 1 - i];
    }
    const made = copies(parts) as Record<string, unknown>[];
    for (let i = 0; i < MANY; i++) {
      expect(made[i].held).toBe(made[(i * 7) % MANY]);
      expect((made[i].items as unknown[])[1]).toBe(made[i]);
      expect((made[i].items as unknown[])[0]).toBe((made[1].items as unknown[])[0]);
    }
  });

  test.each([
    ["not-an-array", { items: { no: "array" }, next: {} }],
    ["not-a-struct", { items: [], next: [1] }],
    ["datatype-not-recognised", { items: [], next: {}, held: Symbol("none") }],
    ["datatype-not-recognised", { items: [], next: {}, held: [new (class Unknown {})()] }],
  ])("%s, with the same path", (code, members) => {
    const parts = [...Array.from({ length: MANY }, () => make({ items: [], next: {} })), make(members)];
    const found = codecs({ Part }).map((codec) => {
      try {
        codec.duplicate({ list: parts });
      } catch (error) {
        const { code, path } = error as TuskError;
        return { code, path };
      }
      return undefined;
    });
    expect(found[0]).toEqual(found[1]);
    expect(found[0]?.code).toBe(code);
    expect(found[0]?.path).toMatch(/^\.list\[100\]/);
  });

  test("a chain deeper than the host's stack, and the limit", () => {
    let chain: object = {};
    for (let i = 0; i < 50_000; i++) chain = make({ items: [], next: chain });
    for (const codec of codecs({ Part })) {
      let at = codec.duplicate(chain) as Record<string, unknown>;
      let depth = 0;
      for (; at instanceof Part; depth++) at = (at as unknown as Record<string, Record<string, unknown>>).next;
      expect(depth).toBe(50_000);
    }
    const limited = createElephantSync({ constructors: { Part }, limits: { maxDepth: 40_000 } });
    expect(() => limited.duplicate(chain)).toThrow(/maxDepth/);
  });

  test("options ask for other members", () => {
    const parts = Array.from({ length: MANY }, (_, i) => make({ items: [], next: {}, n: 2.5, label: 7, own: i, more: "m" }));
    const [codec] = codecs({ Part });
    for (let i = 0; i < 2; i++) {
      expect(codec.duplicate(parts)[99]).toMatchObject({ label: "7", own: "not in the schema" });
      expect(codec.duplicate(parts, { forceVerbose: true })[99]).toMatchObject({ label: 7, own: "not in the schema" });
      expect(codec.duplicate(parts, { allMembers: true })[99]).toMatchObject({ label: 7, own: 99, more: "m" });
    }
  });

  test("callbacks that a class gets later are called", () => {
    class Later {
      static [SCHEMA] = { v1: { n: "f64" } } as const;
      n = 0;
    }
    const codec = createElephantSync({ constructors: { Later } });
    const list = Array.from({ length: MANY }, () => new Later());
    codec.duplicate(list);
    let calls = 0;
    Object.assign(Later.prototype, { [POST_READ]: () => calls++ });
    codec.duplicate(list);
    expect(calls).toBe(MANY);
  });

  test("a constructor may change the graph that is copied", () => {
    const all: unknown[] = [];
    let change = (made: Listed) => all.push(made);
    class Listed {
      static [SCHEMA] = { v1: { n: "f64" } } as const;
      constructor(public n = 0) {
        change(this);
      }
    }
    for (const codec of codecs({ Listed })) {
      all.length = 0;
      change = (made) => all.push(made);
      for (let i = 0; i < MANY; i++) new Listed(i);
      const world = { all, more: [1, all] };
      const made = codec.duplicate(world);
      expect(all).toHaveLength(2 * MANY);
      expect(made.all.map((listed) => (listed as Listed).n)).toEqual(Array.from({ length: MANY }, (_, i) => i));
      expect(made.more[1]).toBe(made.all);
      // What is taken away is not left in the copy as it was.
      all.length = MANY;
      change = () => (all.length = 3);
      expect(codec.duplicate(all).slice(1)).toEqual([expect.any(Listed), expect.any(Listed), ...Array.from({ length: MANY - 3 })]);
    }
  });

  test("callbacks change what stands behind, as when one writes", () => {
    class Eager {
      [PRE_WRITE]() {
        Object.assign(world, { later: 2, text: { a: 1 }, removed: "not" });
        Object.assign(world.list, { 1: 20, 2: [30] });
      }
    }
    const world = { eager: new Eager(), later: 1, text: "", removed: [0] as unknown, list: [new Eager(), 2, 3] as unknown[] };
    for (const codec of codecs({ Eager })) {
      const made = codec.duplicate(world);
      expect(made).toEqual({ eager: new Eager(), later: 2, text: { a: 1 }, removed: "not", list: [new Eager(), 20, [30]] });
      expect(made.text).not.toBe(world.text);
      expect(made).toEqual(codec.read(codec.write(world)));
      Object.assign(world, { later: 1, text: "", removed: [0] });
      Object.assign(world.list, { 1: 2, 2: 3 });
    }
  });

  test("a getter that takes members away leaves none of the original in the copy", () => {
    for (const codec of codecs({})) {
      const last = { n: 2 };
      const world = {
        gone: {},
        get lazy() {
          delete (world as { gone?: object }).gone;
          return 1;
        },
        last,
      };
      const made = codec.duplicate(world);
      expect(made).toStrictEqual({ gone: undefined, lazy: 1, last });
      expect(made.last).not.toBe(last);
    }
  });

  test("accessors, read-only members and frozen instances as without a function", () => {
    let set = 0;
    class Setter {
      static [SCHEMA] = { v1: { n: "f64" } } as const;
      get n() {
        return 5;
      }
      set n(_: number) {
        set++;
      }
    }
    class Frozen {
      static [SCHEMA] = { v1: { n: "f64" } } as const;
      constructor() {
        Object.freeze(this);
      }
    }
    class ReadOnly {
      static [SCHEMA] = { v1: { n: "f64" } } as const;
      constructor() {
        Object.defineProperty(this, "n", { value: 1, configurable: true });
      }
    }
    class Whole {
      static [SCHEMA] = { v1: { n: "f64" } } as const;
      n = 0;
      constructor() {
        Object.preventExtensions(this);
      }
    }
    for (const codec of codecs({ Setter, Frozen, ReadOnly, Whole })) {
      const made = codec.duplicate(Array.from({ length: MANY }, () => new Setter()));
      expect(made.map((each) => Object.getOwnPropertyDescriptor(each, "n")?.value)).toEqual(Array(MANY).fill(5));
      expect(set).toBe(0);
      expect(codec.duplicate(Array.from({ length: MANY }, () => new ReadOnly() as { n?: number }))[99].n).toBe(1);
      expect(() => codec.duplicate(Array.from({ length: MANY }, () => new Frozen()))).toThrow(/does not take the member/);
      const whole = Array.from({ length: MANY }, (_, i) => Object.assign(new Whole(), { n: i }));
      expect(codec.duplicate(whole)).toStrictEqual(whole);
    }
  });
});

describe("trees and what is none", () => {
  const tree = () => ({ list: [1, { a: [], text: "x" }, [{}, new Uint8Array([1])]], empty: {}, none: null as unknown });
  /** Each holds one container at two places or more. */
  const shared: Record<string, (codec: Elephant) => boolean> = {
    "a struct": (codec) => {
      const one = { n: 1 };
      const made = codec.duplicate({ first: tree(), a: one, rest: [tree(), { b: one }] });
      return made.a === (made.rest[1] as { b: unknown }).b && made.a !== one;
    },
    "a struct that holds others": (codec) => {
      const one = tree();
      const made = codec.duplicate([tree(), one, [one]]) as unknown[][];
      return made[1] === made[2][0] && made[1] !== (one as unknown);
    },
    "a struct that holds nothing but what is stored as undefined": (codec) => {
      const one = { f: () => 1, none: null };
      const made = codec.duplicate([[one], one]) as unknown[][];
      return made[0][0] === made[1] && made[1] !== (one as unknown);
    },
    "an empty array": (codec) => {
      const one: unknown[] = [];
      const made = codec.duplicate([tree(), { one }, [], one]) as { one: unknown }[];
      return made[1].one === made[3] && made[3] !== (made[2] as unknown);
    },
    "a typed array": (codec) => {
      const one = new Float64Array(2);
      const made = codec.duplicate([one, tree(), [one]]) as unknown[][];
      return made[0] === made[2][0] && made[0] !== (one as unknown);
    },
    "a cycle": (codec) => {
      const one: { list: unknown[] } = { list: [] };
      one.list.push(tree(), one);
      const made = codec.duplicate(one);
      return made.list[1] === made && made !== one;
    },
    "what a getter makes anew": (codec) => {
      const one = {
        get made() {
          return { n: 1 };
        },
      };
      const made = codec.duplicate([one, [one]]) as unknown[][];
      return made[0] === made[1][0];
    },
    "elements that a proxy makes anew": (codec) => {
      const one = new Proxy([0], { get: (target, key) => (key === "0" ? [1] : Reflect.get(target, key)) });
      const made = codec.duplicate({ a: one, b: [one] });
      return (made.a as unknown) === made.b[0];
    },
  };

  test.each(Object.entries(shared))("%s, at two places, in a codec that has met trees alone and in one that has not", (_, check) => {
    const codec = createElephantSync();
    expect(check(codec)).toBe(true);
    // Some copies are made without taking graphs for trees, and then it is tried again.
    for (let i = 0; i < 40; i++) expect(codec.duplicate(tree())).toEqual({ ...tree(), none: undefined });
    for (let i = 0; i < 20; i++) expect(check(codec)).toBe(true);
  });

  test("what doubles with each level is not unfolded", () => {
    for (const leaf of [[], {}, ["some", 1], { n: 1 }])
      for (const levels of [40, 100]) {
        let graph: unknown = leaf;
        for (let i = 0; i < levels; i++) graph = i % 2 ? [graph, graph] : { left: graph, right: graph };
        const [left, right] = createElephantSync().duplicate(graph) as unknown[];
        expect(left).toBe(right);
      }
  });

  test("what is long and shared is copied once, whatever the codec has met", () => {
    const codec = createElephantSync();
    const small = Array.from({ length: 2100 }, (_, i) => ({ a: i }));
    const long = Array.from({ length: 200_000 }, (_, i) => i + 0.5);
    const wide = Object.fromEntries(long.slice(0, 100_000).map((n) => [`n${n}`, n]));
    for (const shared of [long, wide, [...long, {}]]) {
      for (let i = 0; i < 20; i++) codec.duplicate(small);
      const [, made] = codec.duplicate([small, new Array(3000).fill(shared)]) as unknown[][];
      expect(new Set(made).size).toBe(1);
    }
  });

  test("a constructor of a subclass of Array runs once for each", () => {
    let runs = 0;
    class Sub extends Array<unknown> {
      constructor(...elements: number[]) {
        super(...elements);
        runs++;
      }
    }
    const one = Sub.from([1, 2]);
    runs = 0;
    const made = createElephantSync().duplicate([one, one]);
    expect([made[0] === made[1], runs]).toEqual([true, 1]);
  });

  test("what cannot be copied is told before what an instance does not take", () => {
    class Fixed {
      constructor() {
        Object.preventExtensions(this);
      }
    }
    const one = Object.assign(Object.create(Fixed.prototype), { x: Symbol() });
    expect(() => createElephantSync({ constructors: { Fixed } }).duplicate([one])).toThrow(
      expect.objectContaining({ code: "datatype-not-recognised", path: "[0].x" }),
    );
    let extensible = Number.POSITIVE_INFINITY;
    class Strict {
      static [SCHEMA] = { v1: { list: "array" } } as const;
      constructor() {
        if (--extensible < 0) Object.preventExtensions(this);
      }
    }
    const many: { list?: unknown }[] = Array.from({ length: MANY }, () => Object.assign(new Strict(), { list: [] }));
    for (const codec of codecs({ Strict })) {
      extensible = Number.POSITIVE_INFINITY;
      codec.duplicate(many);
      extensible = 1;
      const wrong = [many[0], Object.assign(Object.create(Strict.prototype), { list: 5 })];
      expect(() => codec.duplicate(wrong)).toThrow(expect.objectContaining({ code: "not-an-array", path: "[1].list" }));
    }
  });

  test("many trees, one after another, among them some with many equal containers", () => {
    const codec = createElephantSync();
    for (let i = 0; i < 20; i++) {
      const points = Array.from({ length: 3000 }, (_, n) => ({ x: i % 3 ? 1 : n, y: [i % 2] }));
      const made = codec.duplicate(points);
      expect(made).toEqual(points);
      expect(new Set([...made, ...made.map(({ y }) => y)]).size).toBe(6000);
    }
  });

  test("names of the prototype, and members that everything inherits", () => {
    const named = JSON.parse('{"__proto__":{"x":[1]},"toString":{"__proto__":[2]}}');
    const codec = createElephantSync();
    const made = codec.duplicate(named);
    expect(JSON.stringify(made)).toBe(JSON.stringify(named));
    expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
    Object.assign(Object.prototype, { inherited: { z: 1 } });
    try {
      for (const value of [{ a: [{ b: 1 }], c: { d: [] } }, [[{ list: [1] }], { a: named, b: named }]]) {
        const copy = codec.duplicate(value);
        expect(copy).toEqual(value);
        expect(Object.hasOwn(copy, "inherited") || Object.hasOwn(Object.values(copy)[0] as object, "inherited")).toBe(false);
      }
    } finally {
      delete (Object.prototype as { inherited?: object }).inherited;
    }
  });
});

describe("nested deeper than calls", () => {
  const DEPTH = 300;
  const SHARED = { n: 1 };

  test("callbacks come in the same order as in a write", () => {
    let log: string[] = [];
    class Node {
      name = "";
      inner: unknown[] = [];
      behind: unknown;
      [PRE_WRITE]() {
        log.push(`begin ${this.name}`);
      }
      [POST_WRITE]() {
        log.push(`end ${this.name}`);
      }
    }
    const node = (name: string, inner: unknown[]) => Object.assign(new Node(), { name, inner });
    let graph = node("last", []);
    for (let i = 0; i < DEPTH; i++) graph = Object.assign(node(`n${i}`, [{ graph }, node(`s${i}`, [])]), { behind: node(`b${i}`, []) });
    const codec = createElephantSync({ constructors: { Node } });
    codec.write(graph);
    const written = log;
    log = [];
    expect(codec.duplicate(graph)).toEqual(graph);
    expect(log).toEqual(written);
    expect(log).toHaveLength(2 * (3 * DEPTH + 1));
  });

  test.each([
    ["structs", (inner: unknown) => ({ a: 1, inner }), ".inner"],
    ["arrays", (inner: unknown) => [0, inner], "[1]"],
    ["both, with something shared", (inner: unknown) => [[], { inner, behind: [SHARED, SHARED] }], "[1].inner"],
  ])("%s: the copy, and the path of what cannot be copied", (_, around, step) => {
    const codec = createElephantSync();
    let good: unknown = {};
    let bad: unknown = { "not here": [1, Symbol("none")] };
    for (let i = 0; i < DEPTH; i++) [good, bad] = [around(good), around(bad)];
    expect(codec.duplicate(good)).toEqual(good);
    const path = `${step.repeat(DEPTH)}["not here"][1]`;
    expect(() => codec.duplicate(bad)).toThrow(expect.objectContaining({ code: "datatype-not-recognised", path }));
    expect(codec.duplicate(good)).toEqual(good);
  });
});

test("a copy of what is no string in a strict string", () => {
  class C {
    static [SCHEMA] = { v1: { s: "string", t: "text" } } as never;
    s: unknown = "";
    t: unknown = "";
  }
  const codec = createElephantSync({ constructors: { C } });
  for (const [given, stored] of [
    [Infinity, "inf"],
    [-Infinity, "-inf"],
    [null, "undefined"],
    [undefined, "undefined"],
    [0.125, "0.13"],
    [true, "1"],
    [false, "0"],
    [-0, "0"],
    [2 ** 60, "1152921504606846976"],
    [1e21, "1000000000000000000000"],
    [-(2 ** 70), "-1180591620717411303424"],
    [2n ** 63n, "-9223372036854775808"],
    [Scalar("f64", 1e21), "1000000000000000000000"],
  ])
    expect(codec.duplicate(Object.assign(new C(), { s: given, t: given }))).toStrictEqual(Object.assign(new C(), { s: stored, t: stored }));
});

test("members with symbol keys are shared with the copy of a plain struct, and a copy of an instance has none", () => {
  class C {
    a = 1;
  }
  const key = Symbol("key");
  const held = {};
  for (const codec of codecs({ C })) {
    const [plain, instance] = codec.duplicate([{ [key]: held }, Object.assign(new C(), { [key]: held })]) as Record<symbol, unknown>[];
    expect(plain[key]).toBe(held);
    expect(Object.getOwnPropertySymbols(instance)).toEqual([]);
  }
});
