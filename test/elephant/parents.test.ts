// Structs that refer to their parents, to what is around them on the way to the root, and now and then to others: cycles, but no reason to begin a write anew with numbers
// for all (src/elephant/write/containers.ts).
import { describe, expect, test } from "vitest";
import { Containers } from "../../src/elephant/write/containers.ts";
import { createElephantSync, MODES, PRE_WRITE, SCHEMA } from "./codec.ts";
import { differences } from "./compare.ts";
import { createReference } from "./reference.ts";

describe("structs that refer to what is around them", () => {
  class Strict {
    static [SCHEMA] = { v1: { id: "u32", kids: "array", link: "any", parent: "struct" } } as const;
  }
  class Verbose {}
  class Called {
    [PRE_WRITE](): void {}
  }
  const constructors = { Strict, Verbose, Called };
  const classes: readonly (new () => object)[] = [Object, Strict, Verbose, Called];

  /** A tree of which every node knows its parent, directly or through an array, and now and then another node of the way to the root. */
  function tree(nodes: number, branches: number, kinds: readonly (new () => object)[]): Record<string, unknown> {
    const made = Array.from({ length: nodes }, (_, id) =>
      Object.assign(new kinds[id % kinds.length]() as Record<string, unknown>, { id, kids: [] as unknown[] }),
    );
    made.forEach((node, id) => {
      const parent = made[Math.max(0, Math.floor((id - 1) / branches))];
      if (id > 0) (parent.kids as unknown[]).push(id % 7 === 3 ? [node] : node);
      const way = [node, parent, made[Math.max(0, Math.floor((parent.id - 1) / branches))], made[0]];
      Object.assign(node, { link: id % 3 === 0 ? [way[id & 3]] : way[id & 3], parent });
    });
    return made[0];
  }

  const kinds: [string, readonly (new () => object)[]][] = [
    ["plain structs", [Object]],
    ["strict instances", [Strict]],
    ["verbose instances", [Verbose]],
    ["instances with callbacks", [Called]],
    ["all of them", classes],
  ];
  test.each(kinds)("%s", async (_, of) => {
    const codec = createElephantSync({ constructors });
    const reference = createReference({ constructors });
    for (const [nodes, branches] of [
      [1, 1],
      [40, 1],
      [40, 3],
      [400, 1],
      [3000, 2],
    ]) {
      const value = tree(nodes, branches, of);
      const expected = reference.write(value);
      // The first write finds out that the graph is no tree, the others know.
      for (let i = 0; i < 3; i++) expect(Buffer.compare(codec.write(value), expected), `${nodes} nodes`).toBe(0);
      expect(Buffer.compare(await codec.writeAsync(value, { sliceMs: 0.05 }), expected)).toBe(0);
    }
  });

  test.each(kinds)("%s that refer to nothing else, or to something now and then, one after the other", (_, of) => {
    const codec = createElephantSync({ constructors });
    const reference = createReference({ constructors });
    let state = 5;
    const below = (n: number): number => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return (state >>> 16) % n;
    };
    for (let graph = 0; graph < 300; graph++) {
      const strange = below(3);
      const made: Record<string, unknown>[] = [];
      for (let id = 0; id < 2 + below(graph % 30 === 0 ? 2000 : 8); id++) {
        const parent = made[below(id || 1)];
        const node: Record<string, unknown> = Object.assign(new of[below(of.length)](), { id: id >> 1, kids: [], link: id, parent });
        (parent?.kids as unknown[] | undefined)?.push(below(4) === 0 ? [node] : node);
        made.push(node);
      }
      made[0].parent = below(2) === 0 ? {} : made[0];
      // Any node at all, which may be around this one or not, and what it holds.
      for (let i = below(2); i < strange; i++) {
        const to = made[below(made.length)];
        const from = made[below(made.length)];
        if (below(2) === 0) from.link = [to, [to.kids], to.parent][below(3)];
        else (from.kids as unknown[]).splice(below(2), 0, to);
      }
      const value = [made[0], made[below(made.length)]].slice(below(2));
      const expected = reference.write(value);
      for (let i = 0; i < 2; i++) expect(Buffer.compare(codec.write(value), expected), `graph ${graph}`).toBe(0);
    }
  });

  test("rings of up to four, met from several sides", () => {
    const reference = createReference();
    for (const count of [1, 2, 3, 4])
      for (const holds of [0, 1, 2]) {
        const ring: Record<string, unknown>[] = Array.from({ length: count }, (_, i) => ({ i }));
        ring.forEach((each, i) => {
          const next = ring[(i + 1) % count];
          each.next = holds === 0 ? next : holds === 1 ? [next] : { of: [next] };
        });
        for (const value of [ring, [ring[0], ring[count - 1]], { a: { b: ring[0] }, c: [[ring[count >> 1]]] }]) {
          const codec = createElephantSync();
          for (let i = 0; i < 20; i++) expect(Buffer.compare(codec.write(value), reference.write(value))).toBe(0);
        }
      }
  });

  test("a parent whose number does not fit is refused, wherever it stands", () => {
    const codec = createElephantSync();
    const parent: Record<string, unknown> = {};
    parent.kid = { parent };
    const far = [Array.from({ length: 65_534 }, () => []), parent] as const;
    for (let i = 0; i < 2; i++)
      expect(() => codec.write(far)).toThrow(expect.objectContaining({ code: "reference-index-overflow", path: "[1].kid.parent" }));
    far[0].pop();
    const [, read] = codec.read<[unknown, Record<string, Record<string, unknown>>]>(codec.write(far));
    expect(read.kid.parent).toBe(read);
  });

  test("a parent whose number fits, though it does not when one counts what has come twice", () => {
    const reference = createReference();
    const shared = Array.from({ length: 40_000 }, (_, i) => [i]);
    const parent: Record<string, unknown> = { kid: {} };
    (parent.kid as Record<string, unknown>).parent = parent;
    // Behind much that holds nothing, so that it takes long till one looks for what has come twice: a root that all know, besides their parents.
    const root = { kids: [] as object[] };
    const first = { parent: root, kids: [] as object[] };
    first.kids.push({ parent: first, game: root });
    root.kids.push(first);
    const numbers = Array.from({ length: 20_000 }, () => 0.5);
    for (const value of [[shared, shared, parent], { numbers, more: numbers.slice(), root }]) {
      const codec = createElephantSync();
      for (let i = 0; i < 3; i++) expect(Buffer.compare(codec.write(value), reference.write(value))).toBe(0);
    }
  });

  test("what has come twice in front of user code is expected in the next write", () => {
    const codec = createElephantSync({ constructors });
    const root = { kids: [] as object[], last: new Called() };
    for (let i = 0; i < 20; i++) {
      const kid = { i, parent: root, kids: [] as object[] };
      kid.kids.push({ parent: kid, root });
      root.kids.push(kid);
    }
    const { check } = Containers.prototype;
    let checks = 0;
    Containers.prototype.check = function () {
      checks++;
      return check.call(this);
    };
    try {
      const expected = createReference({ constructors }).write(root);
      for (let i = 0; i < 3; i++) {
        checks = 0;
        expect(Buffer.compare(codec.write(root), expected)).toBe(0);
        // One before user code and one at the end: the graph did not unfold.
        if (i > 0) expect(checks).toBe(2);
      }
    } finally {
      Containers.prototype.check = check;
    }
  });

  test("what was around a struct in an earlier write is not met again in the next", () => {
    const codec = createElephantSync();
    const parent: Record<string, unknown> = { kids: [] };
    (parent.kids as unknown[]).push({ parent }, { parent });
    codec.write(parent);
    const late = [[], [], { parent: { late: true, held: parent } }];
    const read = codec.read<[unknown, unknown, { parent: { held: { kids: { parent: unknown }[] } } }]>(codec.write(late));
    expect(read[2].parent.held.kids[1].parent).toBe(read[2].parent.held);
  });
});

describe.each(MODES)("$engine, code generation $codeGeneration: read", (mode) => {
  /** A name that the engine leaves to be told apart by itself. */
  const long = "n".repeat(33_000);

  test.each<[string, (struct: Record<string, unknown>) => void]>([
    ["in front of it", (struct) => Object.assign(struct, { [long]: 1, kid: { up: struct, x: 2 }, z: "z" })],
    ["behind it", (struct) => Object.assign(struct, { a: "a", kid: { up: struct, x: 2 }, [long]: 1, z: struct })],
    ["alone", (struct) => Object.assign(struct, { [long]: [{ up: struct }, [struct]] })],
    [
      "among many",
      (struct) => {
        for (let i = 0; i < 40; i++) struct[`m${i}`] = i;
        Object.assign(struct, { [long]: 1.5, constructor: { up: struct }, toString: 5, valueOf: struct });
      },
    ],
  ])("a struct with a long name is referred to by what it holds, the name %s", (_, fill) => {
    const codec = createElephantSync(mode);
    const struct: Record<string, unknown> = {};
    fill(struct);
    const value = [struct, { struct }];
    const save = codec.write(value);
    for (let i = 0; i < 2; i++) {
      const read = codec.read<[unknown, { struct: unknown }]>(save);
      expect(differences(value, read)).toEqual([]);
      expect(read[1].struct).toBe(read[0]);
    }
  });

  test("what a small save holds refers to what is around it for the first time after many reads", () => {
    const codec = createElephantSync({ codeGeneration: mode.codeGeneration });
    const make = (refers: boolean) => {
      const struct = { kid: {}, n: 1 };
      struct.kid = { up: refers ? struct : 1, m: 2 };
      return struct;
    };
    for (let i = 0; i < 60; i++) {
      const read = codec.read<{ kid: { up: unknown } }>(codec.write(make(i > 30 && i % 2 === 0)));
      expect(read.kid.up).toBe(i > 30 && i % 2 === 0 ? read : 1);
    }
  });
});

test("two structs that refer to each other, one of them met again by itself", () => {
  const codec = createElephantSync();
  for (let i = 0; i < 60; i++) {
    const pairs = Array.from({ length: 20 }, () => {
      const outer: Record<string, unknown> = { n: 1 };
      const inner: Record<string, unknown> = { m: 2, outer };
      outer.inner = inner;
      return [outer, inner];
    });
    if (i % 20 < 17) codec.write(pairs.map(() => ({ n: 1, inner: { m: 2, outer: { n: 1, inner: { m: 2, outer: 1 } } } })));
    for (const value of [pairs, pairs.slice(0, 1)]) {
      const read = codec.read(codec.write(value)) as Record<string, unknown>[][];
      expect(read.every(([outer, inner]) => outer.inner === inner && inner.outer === outer)).toBe(true);
    }
  }
});
