// Writes of a codec that has no kernel yet: it makes one for the 32nd longer text, in the middle of a save, or for a read. The bytes and errors are those of a codec
// that has had one from the beginning.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { kernels } from "../kernels.ts";
import { CASES, createElephantSync, type Elephant, type ElephantOptions, POST_WRITE, PRE_WRITE, SCHEMA, TuskError } from "./codec.ts";
import { buildClasses } from "./notation.ts";
import { world } from "./random-graphs.ts";
import { loadVectorSets, type Vector, vectorBytes } from "./vector-files.ts";

/** Texts up to the one for which a kernel is made. */
const ENOUGH = 32;
const LONG = "longer than what a loop copies";

/** `first` is new. */
function pair(options: ElephantOptions = {}): { first: Elephant; kernel: Elephant } {
  return { first: createElephantSync(options), kernel: createElephantSync({ ...options, engine: "wasm" }) };
}

function outcome(work: () => unknown): unknown {
  try {
    return work();
  } catch (thrown) {
    if (!(thrown instanceof TuskError)) throw thrown;
    return [thrown.code, thrown.path, thrown.message];
  }
}

/** Writes values one after the other. */
function expectSame({ first, kernel }: { first: Elephant; kernel: Elephant }, values: readonly unknown[], what = ""): void {
  for (const [i, value] of values.entries())
    expect(
      outcome(() => first.write(value)),
      `${what} ${i}`,
    ).toEqual(outcome(() => kernel.write(value)));
}

test("a kernel is made for texts, for slices and for who asks for one", async () => {
  const texts = (count: number) => Array.from({ length: count }, (_, i) => ({ text: LONG + i }));
  // What unpacks the module is there.
  createElephantSync({ engine: "wasm" }).write(1);
  expect(await kernels(() => createElephantSync().write({ hp: 7, name: "short", list: [1.5, "kürzer", true] }))).toBe(0);
  expect(await kernels(() => createElephantSync().write(Array.from({ length: 60_000 }, (_, i) => ({ i }))))).toBe(0);
  expect(await kernels(() => createElephantSync().write(texts(ENOUGH - 1)))).toBe(0);
  expect(await kernels(() => createElephantSync().write(texts(ENOUGH)))).toBe(1);
  expect(await kernels(() => createElephantSync().write(Array(ENOUGH - 1).fill(LONG)))).toBe(0);
  expect(await kernels(() => createElephantSync().write(Array(ENOUGH).fill(LONG)))).toBe(1);
  expect(await kernels(() => createElephantSync().writeAsync(1))).toBe(1);
  expect(await kernels(() => createElephantSync({ engine: "wasm" }).write(1))).toBe(1);
  const codec = createElephantSync();
  expect(await kernels(() => codec.write(texts(ENOUGH / 2)))).toBe(0);
  expect(await kernels(() => codec.write(texts(ENOUGH / 2)))).toBe(1);
  expect(await kernels(() => codec.read(codec.write(texts(ENOUGH))))).toBe(0);
});

function isSmallAndGood({ op, dirs, bytes, error }: Vector): boolean {
  return op === "binary" && dirs.includes("read") && bytes! <= 20_000 && error === undefined;
}

describe("what the golden vectors hold", () => {
  const sets = loadVectorSets()
    .map(({ set, vectors }) => ({ set, vectors: vectors.filter(isSmallAndGood) }))
    .filter(({ vectors }) => vectors.length > 0);
  const known = new Map<string, { constructors: ReturnType<typeof buildClasses>; kernel: Elephant }>();

  test("are so many", () => expect(sets.flatMap(({ vectors }) => vectors).length).toBeGreaterThan(250));

  test.each(sets)("$set", ({ vectors }) => {
    for (const vector of vectors) {
      const given = vector.readCtors ?? vector.ctors ?? {};
      const key = JSON.stringify(given);
      if (!known.has(key)) {
        const constructors = buildClasses(given);
        known.set(key, { constructors, kernel: createElephantSync({ constructors, engine: "wasm" }) });
      }
      const { constructors, kernel } = known.get(key)!;
      const first = createElephantSync({ constructors });
      // Callbacks may change what they are called for.
      const read = () => kernel.read(vectorBytes(vector), { scalars: "exact" });
      for (let i = 0; i < 2; i++)
        expect(
          outcome(() => first.write(read())),
          `${vector.set}/${vector.name}`,
        ).toEqual(outcome(() => kernel.write(read())));
    }
  });
});

test("random graphs", () => {
  fc.assert(
    fc.property(world, ({ classes, value }) => {
      expectSame(pair({ constructors: classes }), [value, value, value]);
    }),
    { numRuns: CASES },
  );
});

test("texts of all kinds, with the kernel made among them", () => {
  const kinds = ["a", "ä", "剣", "🐘", "a\u007f", "é🐘剣a"];
  const lengths = [0, 1, 24, 25, 63, 64, 65, 256, 257, 1000, 8191, 8192, 40_000, 40_001, 150_000];
  const values = lengths.flatMap((length) => kinds.map((kind) => kind.repeat(Math.ceil(length / kind.length)).slice(0, length)));
  const wellFormed = values.filter((text) => !/[\uD800-\uDBFF]$/.test(text));
  expectSame(pair(), wellFormed);
  expectSame(pair(), [wellFormed, wellFormed, { [LONG]: wellFormed }]);
  for (const bad of ["\0", "\uD800", "\uDC00x", `${LONG}\0`, `${"x".repeat(300)}\uD83D`, `${"x".repeat(50_000)}\uDC18`])
    for (const before of [0, ENOUGH - 2, ENOUGH - 1, ENOUGH])
      expectSame(pair(), [
        [...Array(before).fill(LONG), bad],
        [...Array(before).fill(0.5), { a: bad }],
        { [LONG]: 1, [bad]: 2 },
        [...Array(before).fill(LONG), 1],
      ]);
});

test("saves of more than a window, and then results' own memory", () => {
  const list = (count: number) => Array.from({ length: count }, (_, i) => ({ i, name: `n${i % 100}`, x: i / 3 }));
  const bytes = new Uint8Array(300_000).map((_, i) => i);
  const numbers = Array.from({ length: 40_000 }, (_, i) => i / 7);
  const large = { list: list(20_000), bytes, numbers };
  expectSame(pair(), [list(3000), list(6000), numbers, bytes, large, large, large, large, 1, list(6000), [LONG]]);
  const texts = { ...large, texts: Array.from({ length: 2000 }, (_, i) => `${LONG} ${i} äöü`) };
  expectSame(pair(), [texts, large, texts, texts, texts, 1]);
});

test("writes within writes, into given memory, and behind one that was refused", () => {
  const constructors = () => {
    const inner: Uint8Array[] = [];
    class Outer {
      text = LONG;
      list: unknown[] = [1];
      static codec: Elephant;
      static inner = inner;
      [PRE_WRITE](): void {
        inner.push(Outer.codec.write({ text: [LONG, LONG], n: 1 }));
      }
      [POST_WRITE](): void {
        inner.push(Outer.codec.write(LONG));
      }
    }
    class Strict {
      name = LONG;
      hp = 3;
      static [SCHEMA] = { v1: { name: "string", hp: "u8" } } as const;
    }
    return { Outer, Strict };
  };
  const results = (["auto", "wasm"] as const).map((engine) => {
    const classes = constructors();
    const codec = createElephantSync({ constructors: classes, engine });
    classes.Outer.codec = codec;
    const value = Array.from({ length: 30 }, () => [new classes.Outer(), new classes.Strict()]);
    const memory = new Uint8Array(100_000);
    const end = codec.writeInto(value, memory, 5);
    const refused = outcome(() => codec.write([value, Symbol("no")]));
    return [
      memory.slice(0, end),
      end,
      refused,
      codec.write(value, { release: "1.4.0" }),
      codec.write(value),
      codec.exportString(value),
      classes.Outer.inner,
    ];
  });
  expect(results[0]).toEqual(results[1]);
});
