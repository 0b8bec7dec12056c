// A write trusts that the graph is a tree and checks that now and then (src/elephant/write/containers.ts): graphs where it is not, and where equal
// contents make it look as if.
import { describe, expect, test } from "vitest";
import { createElephantSync, type ElephantSchema, PRE_WRITE, SCHEMA, Scalar, VERSION_VERBOSE } from "../../src/elephant/index.ts";
import { differences } from "./compare.ts";
import { createReference } from "./reference.ts";

const codecs = { wasm: createElephantSync({ engine: "wasm" }), strict: createElephantSync({ engine: "js", codeGeneration: false }) };

describe.each(Object.entries(codecs))("%s", (_, codec) => {
  test("what is shared in every level does not unfold: 2^40 ways to the last struct", () => {
    let value: unknown = { last: true };
    for (let i = 0; i < 40; i++) value = i % 2 ? [value, value] : { left: value, right: value };
    const bytes = codec.write(value);
    expect(bytes.length).toBeLessThan(1000);
    let level = codec.read<Record<string, unknown>>(bytes);
    for (let i = 39; i >= 0; i--) {
      const [left, right] = i % 2 ? (level as unknown as unknown[]) : [level.left, level.right];
      expect(left).toBe(right);
      level = left as Record<string, unknown>;
    }
    expect(level).toEqual({ last: true });
  });

  test("an array that begins with a struct of many members is the same again, whatever that struct was before", () => {
    const many: Record<string, unknown> = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`k${i}`, i]));
    const pair = [many, 1];
    for (const first of [0, "text", {}, 5]) {
      many.k0 = first;
      const read = codec.read<unknown[][]>(codec.write([pair, [many, 2], pair, many, pair]));
      expect([read[2], read[4], read[1][0], read[3]]).toEqual([read[0], read[0], read[0][0], read[0][0]]);
      expect(new Set(read).size).toBe(3);
      expect(read[0]).toEqual(pair);
    }
  });

  test("a large array that stands in many places is stored once", () => {
    const numbers = Array.from({ length: 60_000 }, (_, i) => i / 3);
    const bytes = codec.write(Array.from({ length: 2000 }, (_, id) => ({ id, numbers })));
    expect(bytes.length).toBeLessThan(600_000);
    const read = codec.read<{ id: number; numbers: number[] }[]>(bytes);
    expect(differences(numbers, read[0].numbers)).toEqual([]);
    expect(read.every((each, id) => each.id === id && each.numbers === read[0].numbers)).toBe(true);
  });

  test.each([10, 17, 1000])("%i equal containers, of which one occurs twice", (count) => {
    const make: (() => object)[] = [
      () => [],
      () => ({}),
      () => [7],
      () => ({ a: 1, b: "x" }),
      () => new Uint8Array(0),
      () => new Uint8Array(9),
      () => [{}],
    ];
    for (const one of make) {
      const distinct = Array.from({ length: count }, one);
      const readDistinct = codec.read<object[]>(codec.write(distinct));
      expect(new Set(readDistinct).size).toBe(count);
      for (const [first, second] of [
        [0, count - 1],
        [3, 4],
        [count - 2, count - 1],
      ]) {
        const list = distinct.slice();
        list[second] = list[first];
        const read = codec.read<object[]>(codec.write(list));
        expect(read[second]).toBe(read[first]);
        expect(new Set(read).size).toBe(count - 1);
      }
    }
  });

  // Those with one key are compared one by one up to 32, and lie beside groups of other keys.
  test.each([2, 31, 32, 33, 34, 600])("groups of %i equal arrays, of which one array occurs twice", (count) => {
    const groups = Math.ceil(1500 / count);
    const distinct = Array.from({ length: groups * count }, (_, i) => [i % groups, 1]);
    expect(new Set(codec.read<object[]>(codec.write(distinct))).size).toBe(distinct.length);
    for (const group of [0, groups >> 1, groups - 1])
      for (const [first, second] of [
        [0, count - 1],
        [count >> 1, count - 1],
        [0, 1],
      ]) {
        if (first === second) continue;
        const list = distinct.slice();
        list[group + second * groups] = list[group + first * groups];
        // The codec that trusts, not the one that has just met something twice.
        codec.write(distinct);
        const read = codec.read<object[]>(codec.write(list));
        expect(read[group + second * groups]).toBe(read[group + first * groups]);
        expect(new Set(read).size).toBe(distinct.length - 1);
      }
  });

  // Those that values do not tell apart are looked for 512 at a time.
  test.each([511, 512, 513, 1023, 1024, 1025])("%i empty arrays, of which the last is any of the others", (count) => {
    const list: object[] = Array.from({ length: count - 1 }, () => []);
    for (const twice of [0, 1, 255, 509, count - 2]) {
      const read = codec.read<object[]>(codec.write([...list, list[twice]]));
      expect(read[count - 1]).toBe(read[twice]);
      expect(new Set(read).size).toBe(count - 1);
      const copy = codec.duplicate([...list, list[twice]]);
      expect(copy[count - 1]).toBe(copy[twice]);
      expect(new Set(copy).size).toBe(count - 1);
    }
  });

  test("structs that occur again are found without a look at their names", () => {
    let asked = 0;
    const looked = (members: object) =>
      new Proxy(members, {
        ownKeys(target) {
          asked++;
          return Reflect.ownKeys(target);
        },
      });
    const wide = (count: number, first: unknown) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`n${i}`, i || first]));
    for (const count of [64, 65, 66, 3000]) {
      const own = createElephantSync({ engine: codec.engine, codeGeneration: codec === codecs.wasm });
      const shared = [looked(wide(count, "a")), looked(wide(count, "a")), wide(count, "b")];
      const list = Array.from({ length: 300 }, (_, i) => ({ i, shared: shared[i % 3] }));
      for (let i = 0; i < 3; i++) {
        asked = 0;
        const found = own.read<typeof list>(own.write(list)).map((each) => each.shared);
        // Once for each of the two, or a few times, when the codec knows that something occurs again.
        if (i > 0) expect(asked).toBeLessThan(20);
        expect(found.every((each, at) => each === found[at % 3])).toBe(true);
        expect(new Set(found).size).toBe(3);
        expect(found[1]).toEqual(shared[1]);
      }
    }
  });

  test("what is learned from one save, that equal contents are the rule, does not hide what is shared in the next", () => {
    const learning = createElephantSync({ engine: codec.engine, codeGeneration: codec === codecs.wasm });
    const make: ((i: number) => object)[] = [
      () => [1, 2],
      () => ["a", "b", "c"],
      () => ({ version: "1" }),
      () => ({ x: [5, 6], y: { z: true } }),
    ];
    const list = Array.from({ length: 6000 }, (_, i) => make[i & 3](i));
    for (let i = 0; i < 3; i++) expect(new Set(learning.read<object[]>(learning.write(list))).size).toBe(6000);
    for (let kind = 0; kind < 4; kind++) {
      const shared = list.slice();
      shared[5996 + kind] = shared[kind];
      const read = learning.read<object[]>(learning.write(shared));
      expect(read[5996 + kind]).toBe(read[kind]);
      expect(new Set(read).size).toBe(5999);
      // Twice: the second time the codec expects sharing.
      expect(Buffer.compare(learning.write(shared), learning.write(shared))).toBe(0);
    }
    // Others of the same kinds, which differ.
    const different = Array.from({ length: 3000 }, (_, i) => (i & 1 ? [i, i + 1] : { version: `${i}` }));
    expect(JSON.stringify(learning.read(learning.write(different)))).toBe(JSON.stringify(different));
    const once = [...different, different[1], different[2]];
    const read = learning.read<object[]>(learning.write(once));
    expect([read[3000], read[3001]]).toEqual([read[1], read[2]]);
    expect(read[3000]).toBe(read[1]);
    expect(read[3001]).toBe(read[2]);
    // Long enough for what was learned to be tried again.
    for (let i = 0; i < 40; i++) expect(Buffer.compare(learning.write(once), learning.write(once))).toBe(0);
  });

  test("trees and graphs by turns", () => {
    const shared = { name: "shared" };
    const graph = Array.from({ length: 500 }, (_, i) => ({ i, shared }));
    const tree = Array.from({ length: 500 }, (_, i) => ({ i, shared: { name: "shared" } }));
    const graphBytes = codec.write(graph);
    const treeBytes = codec.write(tree);
    for (let i = 0; i < 3; i++) {
      expect(codec.write(graph)).toEqual(graphBytes);
      expect(codec.write(graph)).toEqual(graphBytes);
      expect(codec.write(tree)).toEqual(treeBytes);
      expect(codec.write(tree)).toEqual(treeBytes);
    }
  });

  test("a cycle far longer than calls are nested", () => {
    const first: Record<string, unknown> = { n: 0 };
    let last = first;
    for (let n = 1; n < 20_000; n++) {
      const next = { n };
      last.next = next;
      last = next;
    }
    last.next = first;
    let at = codec.read<Record<string, unknown>>(codec.write(first));
    const start = at;
    for (let n = 0; n < 20_000; n++) at = at.next as Record<string, unknown>;
    expect(at).toBe(start);
  });

  test("warnings are told once, although the write begins anew", () => {
    const warnings: unknown[] = [];
    const telling = createElephantSync({ engine: codec.engine, onWarning: (warning) => warnings.push(warning.path) });
    const shared = {};
    telling.write([() => 1, shared, ...Array.from({ length: 100 }, () => shared)]);
    expect(warnings).toEqual(["[0]"]);
  });
});

test("callbacks are called once, although what came before them was shared", () => {
  const calls: number[] = [];
  class Called {
    id = 0;
    [PRE_WRITE](): void {
      calls.push(this.id);
    }
  }
  const codec = createElephantSync({ constructors: { Called } });
  const shared = { x: 1 };
  const value = [...Array.from({ length: 50 }, () => shared), ...Array.from({ length: 3 }, (_, id) => Object.assign(new Called(), { id }))];
  const read = codec.read<unknown[]>(codec.write(value));
  expect(calls).toEqual([0, 1, 2]);
  expect(read[49]).toBe(read[0]);
});

test("user code in a save whose containers are nearly all equal: numbers go on where they were", () => {
  class Called {
    held: unknown;
    [PRE_WRITE](): void {}
  }
  const fresh = () => createElephantSync({ constructors: { Called } });
  const codec = fresh();
  const points = Array.from({ length: 3000 }, () => [1, 2]);
  const value = (held: unknown, ...more: unknown[]) => [...points, Object.assign(new Called(), { held }), ...more];
  for (let i = 0; i < 3; i++) codec.write(points);
  for (const [held, ...more] of [
    [points[7], points[2999]],
    [[1, 2], points[0], points],
    [null, [3], [3]],
  ]) {
    const bytes = codec.write(value(held, ...more));
    expect(Buffer.compare(bytes, fresh().write(value(held, ...more)))).toBe(0);
    const read = codec.read<unknown[]>(bytes);
    if (held === points[7]) expect((read[3000] as Called).held).toBe(read[7]);
    if (more[0] === points[0]) expect(read[3001]).toBe(read[0]);
    // So that the next one begins as the first did.
    for (let i = 0; i < 3; i++) codec.write(points);
  }
});

describe("places that mostly have what came before", () => {
  class Item {}
  class Called {
    [PRE_WRITE](): void {}
  }
  const constructors = { Item, Called };
  // Of four bytes in the file, as a reference is.
  const shortest = (): object => ({ "": undefined });
  const makers: [string, (id: number) => object][] = [
    ["plain structs", (id) => ({ id, name: `item ${id}` })],
    ["instances", (id) => Object.assign(new Item(), { id })],
    ["instances with callbacks", (id) => Object.assign(new Called(), { id })],
    ["structs that are as short as a reference", shortest],
    ["structs that hold their like", (id) => ({ id, self: { id } })],
  ];

  test.each(makers)("%s", async (_, make) => {
    const codec = createElephantSync({ constructors });
    const reference = createReference({ constructors });
    const items = Array.from({ length: 50 }, (_, id) => make(id));
    const users = (fresh: number): unknown[] =>
      Array.from({ length: 3000 }, (_, id) => ({
        id,
        item: id % fresh === 0 ? make(id) : items[(id * 7) % 50],
        other: id % 11 < 5 ? make(id) : id % 11 < 8 ? items[id % 50] : undefined,
      }));
    // Rarely another one, every other time, and none at all; then others at the same places.
    for (const fresh of [1000, 2, 1, 7]) {
      const value = users(fresh);
      const expected = reference.write(value);
      for (let i = 0; i < 3; i++) expect(Buffer.compare(codec.write(value), expected), `one of ${fresh}`).toBe(0);
      expect(Buffer.compare(await codec.writeAsync(value, { sliceMs: 0.05 }), expected)).toBe(0);
    }
  });

  test("one whose number does not fit is refused each time, with its path", () => {
    const codec = createElephantSync();
    const late = { late: true };
    const value = [Array.from({ length: 65_534 }, () => ({})), Array.from({ length: 100 }, () => ({ item: late }))];
    for (let i = 0; i < 3; i++)
      expect(() => codec.write(value)).toThrow(expect.objectContaining({ code: "reference-index-overflow", path: "[1][1].item" }));
    value[0].length = 1000;
    const read = codec.read<[unknown, { item: unknown }[]]>(codec.write(value));
    expect(new Set(read[1].map(({ item }) => item)).size).toBe(1);
  });
});

describe("a codec that has written few containers each time, which it then compares one by one", () => {
  class Called {
    [PRE_WRITE](): void {}
  }
  class Strict {
    static [SCHEMA] = { v1: { id: "u32", held: "any" } } as const;
    id = 1;
    held: unknown;
  }
  const constructors = { Called, Strict };
  const one = { id: 1 };
  const list = [1, 2];
  const strict = Object.assign(new Strict(), { held: list });
  const parent: Record<string, unknown> = { id: 1 };
  parent.child = { parent };
  const many = (count: number): unknown[] => Array.from({ length: count }, (_, id) => ({ id }));
  const values: [string, unknown][] = [
    ["none twice", [{ id: 1 }, { id: 1 }, [1, 2], [1, 2], [], [], {}, {}, new Strict(), new Strict()]],
    ["a struct twice", [one, { id: 1 }, one]],
    ["an array twice", { first: list, second: list }],
    ["an empty one twice", [[list, []], [(list as unknown[]).slice(2)], ...Array.from({ length: 2 }, () => parent)]],
    ["an instance twice", [strict, list, strict]],
    ["a typed array twice", ((bytes) => [bytes, bytes])(Uint8Array.of(1, 2))],
    ["one that holds the struct around it", parent],
    ["a class with a callback", [one, new Called(), list, one]],
    ["32", many(31)],
    ["33", many(32)],
    ["the first and the last of 32", [...many(30), one, one]],
    ["the first and the last of more", [one, ...many(100), one]],
    ["deep", Array.from({ length: 70 }).reduce<unknown>((inner) => [inner, one], one)],
  ];

  test.each(values)("%s", async (_, value) => {
    const codec = createElephantSync({ constructors });
    const expected = createReference({ constructors }).write(value);
    const differing = createElephantSync({ constructors }).write(value, { diffsOnly: true });
    for (let i = 0; i < 3; i++) {
      for (let k = 0; k < 40; k++) codec.write({ hero: { id: k }, flags: [true, false] });
      expect(Buffer.compare(codec.write(value), expected)).toBe(0);
      expect(Buffer.compare(codec.write(value), expected)).toBe(0);
      expect(codec.write(value, { diffsOnly: true })).toEqual(differing);
      expect(Buffer.compare(await codec.writeAsync(value), expected)).toBe(0);
    }
  });

  test("a callback is called once, however many containers stand in front of it", () => {
    let calls = 0;
    class Counted {
      [PRE_WRITE](): void {
        calls++;
      }
    }
    const codec = createElephantSync({ constructors: { Counted } });
    for (let i = 0; i < 40; i++) codec.write([{ i }]);
    for (const count of [0, 30, 31, 32, 33, 100]) {
      calls = 0;
      codec.write([...many(count), new Counted(), ...many(50)]);
      expect(calls, `${count}`).toBe(1);
    }
  });
});

describe("containers that hold others, which are met twice with what they hold", () => {
  class Strict {
    static [SCHEMA] = { v1: { id: "u32", kid: "any", list: "array" } } as const;
    id = 0;
    kid: unknown;
    list: unknown[] = [];
  }
  class Verbose {
    id = 0;
    kid: unknown;
    list: unknown[] = [];
  }
  class Called {
    [PRE_WRITE](): void {}
  }
  const constructors = { Strict, Verbose, Called };
  type Holder = { id: number; kid: unknown; list: unknown[] };
  const kinds: [string, new () => object][] = [
    ["plain structs", Object],
    ["strict instances", Strict],
    ["verbose instances", Verbose],
  ];
  const holder = (kind: new () => object, id: number, kid: unknown, list: unknown[]): Holder =>
    Object.assign(new kind(), { id, kid, list });

  describe.each(kinds)("%s", (_, kind) => {
    /** Enough of them that functions are made for their shape. */
    const holders = (count: number): Holder[] => Array.from({ length: count }, (_, id) => holder(kind, id, { x: id }, [id]));

    test.each([20, 3000])("%i of them, of which one occurs twice", (count) => {
      const codec = createElephantSync({ constructors });
      const reference = createReference({ constructors });
      for (const second of [count - 1, count >> 1, 1, 0]) {
        const list = holders(count);
        list[second] = list[0];
        const expected = reference.write(list);
        for (let i = 0; i < 2; i++) expect(Buffer.compare(codec.write(list), expected)).toBe(0);
      }
    });

    test("what one holds occurs in another: a struct, an array, the way to them", () => {
      const codec = createElephantSync({ constructors });
      const reference = createReference({ constructors });
      const shares: ((list: Holder[]) => void)[] = [
        (list) => (list[29].kid = list[3].kid),
        (list) => (list[29].list = list[3].list),
        (list) => (list[29].kid = list[3]),
        (list) => (list[29].list = [list[3].list]),
        (list) => (list[29].list = [list[3], {}]),
        (list) => (list[3].kid = [[{ far: [list[29]] }]]),
        (list) => (list[29].kid = list),
      ];
      for (const share of shares) {
        const list = holders(30);
        share(list);
        const expected = reference.write(list);
        for (let i = 0; i < 3; i++) expect(Buffer.compare(codec.write(list), expected)).toBe(0);
      }
    });

    test.each([1, 2, 3, 63, 64, 65, 200, 600])("a ring of %i without an end", (length) => {
      const codec = createElephantSync({ constructors });
      codec.write(holders(30));
      const ring = Array.from({ length }, (_, id) => holder(kind, id, undefined, []));
      ring.forEach((each, id) => {
        each.kid = ring[(id + 1) % length];
        each.list = [ring[(id * 7 + 1) % length]];
      });
      const expected = createReference({ constructors }).write(ring[0]);
      for (let i = 0; i < 2; i++) expect(Buffer.compare(codec.write(ring[0]), expected)).toBe(0);
      // Levels of the ring itself, and of the lists in it: nothing is deeper, however often one could go round.
      const bounded = createElephantSync({ constructors, limits: { maxDepth: Math.max(3, length * 2) } });
      bounded.write(holders(30));
      for (let i = 0; i < 2; i++) expect(Buffer.compare(bounded.write(ring[0]), expected)).toBe(0);
    });

    test("getters that make a struct each time, of which one holder occurs twice", () => {
      const codec = createElephantSync({ constructors });
      codec.write(holders(30));
      const list = holders(30).map((each, id) => Object.defineProperty(each, "kid", { get: () => ({ x: id }), enumerable: true }));
      for (const each of list) Object.defineProperty(each, "list", { get: () => [each.id], enumerable: true });
      list.push(list[7]);
      for (let i = 0; i < 2; i++) {
        const read = codec.read<Holder[]>(codec.write(list));
        expect(read[30]).toBe(read[7]);
        expect(read[7].kid).toEqual({ x: 7 });
      }
    });

    test("user code behind them: one that had come before, one that holds what runs it", () => {
      const codec = createElephantSync({ constructors });
      const reference = createReference({ constructors });
      for (const count of [30, 3000]) {
        const list: unknown[] = holders(count);
        (list[3] as Holder).kid = { called: new Called(), back: list[3], list };
        list.push(list[2], new Called(), list[count - 1]);
        const expected = reference.write(list);
        for (let i = 0; i < 3; i++) expect(Buffer.compare(codec.write(list), expected)).toBe(0);
      }
    });

    test("equal contents are the rule, and one of those that hold them occurs twice, or runs user code", () => {
      const codec = createElephantSync({ constructors });
      const reference = createReference({ constructors });
      const alike = (): unknown[] => Array.from({ length: 3000 }, (_, id) => holder(kind, id, { version: "1" }, [0]));
      const shared = alike();
      shared[2999] = shared[17];
      const called = alike();
      (called[2000] as Holder).kid = new Called();
      called.push(called[17]);
      const expected = new Map([alike(), called, shared].map((value) => [value, reference.write(value)]));
      const [usual] = expected.keys();
      for (const value of [alike(), alike(), called, alike(), alike(), shared, alike(), alike(), called, called])
        expect(Buffer.compare(codec.write(value), (expected.get(value) ?? expected.get(usual))!)).toBe(0);
    });
  });

  test("numbers stay in the order of the containers' beginnings, when a member turns out to be a struct and user code runs", () => {
    const codec = createElephantSync({ constructors });
    const rows = (): unknown[] => [0, ...Array.from({ length: 1100 }, () => ({ item: 0 }))];
    for (let i = 0; i < 2; i++) codec.write(rows());
    const chest = { item: { gold: 5 } };
    const read = codec.read<[number, unknown, unknown, unknown]>(codec.write([0, chest, new Called(), chest]));
    expect(read[3]).toBe(read[1]);
    expect(read[1]).toEqual(chest);
  });

  test("a key that changes, in the second attempt and before user code, and before a limit is reached", () => {
    let now = 0;
    const clock = {
      get now() {
        return ++now;
      },
      hp: 5,
    };
    const others = Array.from({ length: 30 }, (_, id) => ({ id }));
    const read = createElephantSync({ constructors }).read<unknown[]>(
      createElephantSync({ constructors }).write([clock, ...others, clock, new Called()]),
    );
    expect(read).toHaveLength(33);
    let deep: unknown = {};
    for (let i = 0; i < 10; i++) deep = { deep };
    const bounded = createElephantSync({ limits: { maxDepth: 5 } });
    for (let i = 0; i < 2; i++)
      expect(() => bounded.write([clock, ...others, clock, deep])).toThrow(expect.objectContaining({ code: "depth-limit" }));
  });

  describe("members that make something new each time", () => {
    const chain = (levels: number): object => {
      let link: object = { last: true };
      for (let i = 0; i < levels; i++) link = { link };
      return link;
    };
    class Maker {
      static [SCHEMA] = { v1: { made: "struct" } } as const;
      get made(): object {
        return { z: 1 };
      }
      set made(_: object) {}
    }
    const makers: [string, () => object][] = [
      [
        "a struct",
        () => ({
          get made() {
            return { z: 1 };
          },
        }),
      ],
      [
        "a deep struct",
        () => ({
          get made() {
            return chain(100);
          },
        }),
      ],
      [
        "a struct in place of one that was there",
        () => {
          const made: { cache: object; readonly total: number } = {
            cache: { v: 1 },
            get total() {
              made.cache = { v: 1 };
              return 1;
            },
          };
          return made;
        },
      ],
      [
        "the second element of an array",
        () => Object.defineProperty([new Scalar("s32", 5)], 1, { enumerable: true, get: () => ({ z: 1 }) }),
      ],
      [
        "all elements of an array",
        () => new Proxy([{ z: 1 }, { z: 2 }], { get: (of, key) => (key === "0" || key === "1" ? { z: key } : Reflect.get(of, key)) }),
      ],
      ["an instance's", () => new Maker()],
    ];
    test.each(makers)("%s", (_, make) => {
      for (const depth of [0, 62, 64]) {
        const codec = createElephantSync({ constructors: { Maker } });
        const wrapped = (first: object, second: object): unknown => {
          let value: unknown = { first, others: Array.from({ length: 20 }, make), second };
          for (let i = 0; i < depth; i++) value = { value };
          return value;
        };
        for (let i = 0; i < 3; i++) codec.write(wrapped(make(), make()));
        const one = make();
        for (let i = 0; i < 2; i++) {
          let read = codec.read<Record<string, unknown>>(codec.write(wrapped(one, one)));
          for (let level = 0; level < depth; level++) read = read.value as Record<string, unknown>;
          expect(read.second).toBe(read.first);
          expect((read.others as object[]).every((other) => other !== read.first)).toBe(true);
        }
        let unfolding: unknown = one;
        for (let i = 0; i < 24; i++) unfolding = [unfolding, unfolding];
        expect(codec.write(unfolding).length).toBeLessThan(10_000);
      }
    });
  });

  test("a limit of depth at the end of a ring", () => {
    const chain = (last: unknown): unknown => ({ next: { next: { next: { next: last } } } });
    for (const maxDepth of [4, 3]) {
      const codec = createElephantSync({ limits: { maxDepth } });
      for (let i = 0; i < 20; i++) codec.write({ next: { next: { next: i } } });
      const ring = chain(0) as Record<string, Record<string, Record<string, Record<string, unknown>>>>;
      ring.next.next.next.next = ring;
      if (maxDepth === 3)
        expect(() => codec.write(ring)).toThrow(expect.objectContaining({ code: "depth-limit", path: ".next.next.next" }));
      else {
        const read = codec.read<typeof ring>(codec.write(ring));
        expect(read.next.next.next.next).toBe(read);
      }
    }
  });
});

test("accessors that a schema names, and that keep what they have found in a member", () => {
  class Room {
    width = 3;
    _area = -1;
    get area() {
      if (this._area < 0) this._area = this.width * 4;
      return this._area;
    }
    static [SCHEMA] = { v1: { width: "u8", _area: "f64", area: "f64" } } satisfies ElephantSchema;
  }
  class Hall extends Room {
    static override [SCHEMA] = { v1: { ...Room[SCHEMA].v1, [VERSION_VERBOSE]: true } } satisfies ElephantSchema;
  }
  for (const engine of ["wasm", "js"] as const)
    for (const type of [Room, Hall]) {
      const codec = createElephantSync({ constructors: { Room, Hall }, engine });
      const lengths = Array.from({ length: 6 }, (_, i) => {
        const room = new type();
        const bytes = codec.write({ here: room, rooms: [room] });
        const back = codec.read<{ here: Room; rooms: Room[] }>(bytes);
        expect(back.here, `write ${i}`).toBe(back.rooms[0]);
        expect(back.here.area).toBe(12);
        return bytes.length;
      });
      expect(new Set(lengths).size).toBe(1);
    }
});
