// Saves of up to 512 bytes are read without the kernel (src/elephant/read/small-saves.ts) where nobody asks for an engine. What the kernel says is what
// they have to say: the same values, members in the same order, the same errors at the same places.
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { GraphReader } from "../../src/elephant/read/graph-reader.ts";
import { SmallSaves } from "../../src/elephant/read/small-saves.ts";
import { kernels } from "../kernels.ts";
import { bytes, f64, file, text, u16 } from "./bytes.ts";
import { CASES, createElephantSync, type Elephant, type ElephantOptions, LONG_RUN, POST_READ, SCHEMA, TuskError } from "./codec.ts";
import { expectError, failure } from "./expect-error.ts";
import { buildClasses } from "./notation.ts";
import { world } from "./random-graphs.ts";
import { loadVectorSets, vectorBytes } from "./vector-files.ts";

const LONGEST = 512;
/** Enough for functions to be made. */
const OFTEN = 20;

interface Pair {
  small: Elephant;
  kernel: Elephant;
}

function pair(options: ElephantOptions = {}): Pair {
  return { small: createElephantSync(options), kernel: createElephantSync({ ...options, engine: "wasm" }) };
}

function outcome(read: () => unknown): { value: unknown } | { error: unknown } {
  try {
    return { value: read() };
  } catch (thrown) {
    const error = thrown as TuskError;
    return { error: thrown instanceof TuskError ? [error.code, error.offset, error.path, error.message] : String(thrown) };
  }
}

/** Are two graphs the same in all that can be seen of them: prototypes, values, sharing, members in their order? */
function isSame(left: unknown, right: unknown, partners = new Map<unknown, unknown>(), taken = new Set<unknown>()): boolean {
  if (typeof left !== "object" || left === null || typeof right !== "object" || right === null) return Object.is(left, right);
  if (partners.has(left)) return partners.get(left) === right;
  if (taken.has(right)) return false;
  partners.set(left, right);
  taken.add(right);
  if (Object.getPrototypeOf(left) !== Object.getPrototypeOf(right)) return false;
  const names = Object.keys(left);
  const others = Object.keys(right);
  if (names.length !== others.length || (Array.isArray(left) && left.length !== (right as unknown[]).length)) return false;
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    if (name !== others[i]) return false;
    if (!isSame((left as Record<string, unknown>)[name], (right as Record<string, unknown>)[name], partners, taken)) return false;
  }
  return true;
}

function expectSame({ small, kernel }: Pair, save: Uint8Array, what = "", expected = outcome(() => kernel.read(save))): void {
  const found = outcome(() => small.read(save));
  if ("value" in found && "value" in expected ? isSame(found.value, expected.value) : isDeepStrictEqual(found, expected)) return;
  const told = `${what} ${Buffer.from(save).toString("hex")}`;
  expect(found, told).toStrictEqual(expected);
  expect.fail(`${told}: the order of members or the sharing differs`);
}

const VECTORS = loadVectorSets()
  .flatMap(({ vectors }) => vectors)
  .filter((vector) => vector.op === "binary" && vector.dirs.includes("read") && vector.bytes! <= LONGEST)
  .map((vector) => ({ vector, save: vectorBytes(vector), ctors: vector.readCtors ?? vector.ctors ?? {} }));

/** One pair of codecs for each set of constructors, and beside it one that makes no functions of text for small saves. */
function pairs(): (ctors: (typeof VECTORS)[number]["ctors"]) => Pair & { plain: Elephant } {
  const known = new Map<string, Pair & { plain: Elephant }>();
  return (ctors) => {
    const key = JSON.stringify(ctors);
    if (!known.has(key)) {
      const constructors = buildClasses(ctors);
      known.set(key, { ...pair({ constructors }), plain: createElephantSync({ constructors, codeGeneration: false }) });
    }
    return known.get(key)!;
  };
}

class Hero {
  hp = 10;
  name = "";
}
class Item {
  static [SCHEMA] = {
    v1: { cost: "u16", label: "string", tags: "array", worn: "bool", owner: "struct", extra: "any", none: "undefined" },
  } as const;
  cost = 0;
  label = "";
  tags: unknown[] = [];
  owner: unknown = {};
}

describe("golden vectors", () => {
  const codecs = pairs();

  test.each([true, false])(`all of up to ${LONGEST} bytes, often (functions may be made: %s)`, (codeGeneration) => {
    expect(VECTORS.length).toBeGreaterThan(350);
    for (const { vector, save, ctors } of VECTORS) {
      const { small, kernel, plain } = codecs(ctors);
      const both = { small: codeGeneration ? small : plain, kernel };
      // What the kernel has said once it says each time, which vectors.test.ts shows.
      const expected = LONG_RUN ? undefined : outcome(() => kernel.read(save));
      for (let i = 0; i < OFTEN; i++) expectSame(both, save, `${vector.set}/${vector.name}`, expected);
    }
  });

  test("cut anywhere, and with one bit wrong", () => {
    const all = VECTORS.filter(({ save }) => save.length <= 200);
    const wanted = LONG_RUN ? 8000 : 2000;
    const step = Math.floor(all.reduce((sum, { save }) => sum + save.length * 9, 0) / wanted);
    let tried = 0;
    let at = 0;
    for (const { save, ctors } of all) {
      const both = codecs(ctors);
      for (; at < save.length * 9; at += step, tried++) {
        const bit = at - save.length;
        const wrong = bit < 0 ? save.slice(0, at) : save.slice();
        if (bit >= 0) wrong[bit >> 3] ^= 1 << (bit & 7);
        expectSame(both, wrong);
      }
      at -= save.length * 9;
    }
    expect(tried).toBeGreaterThan(wanted - 100);
  });
});

test("random graphs with classes", () => {
  let short = 0;
  fc.assert(
    fc.property(world, ({ classes, value }) => {
      const both = pair({ constructors: classes });
      const save = outcome(() => both.kernel.write(value));
      if (!("value" in save)) return;
      if ((save.value as Uint8Array).length <= LONGEST) short++;
      for (let i = 0; i < 3; i++) expectSame(both, save.value as Uint8Array);
    }),
    { numRuns: Math.ceil(CASES / 3), ...(process.env.TUSK_CASES ? {} : { seed: 7 }) },
  );
  expect(short).toBeGreaterThan(CASES / 9);
});

describe("without a kernel", () => {
  const everything = {
    a: 1,
    b: -0.5,
    c: true,
    d: undefined,
    e: "text",
    f: "täxt 😀",
    g: 2n ** 62n,
    list: [1, "2", false, undefined, [], {}],
  };
  const shared = { both: {} };
  const ring: unknown[] = [1];
  ring.push(ring);
  const owner = Object.assign(new Hero(), { hp: 3, extra: "new" });
  const item = Object.assign(new Item(), { cost: 300, label: "Cup", tags: ["a", 1], worn: true, owner, extra: owner });
  const values: [string, unknown][] = [
    ["values of all kinds", everything],
    ["scalars", 5.5],
    ["undefined", undefined],
    [
      "arrays of each datatype",
      [Uint8Array, Int8Array, Uint16Array, Int16Array, Uint32Array, Int32Array, Float32Array].map((T) => T.of(1, 2)),
    ],
    [
      "structs of one shape",
      [
        { x: 1, y: 2 },
        { x: 3, y: 4 },
      ],
    ],
    ["what is shared", [shared, shared]],
    ["an array in itself", ring],
    ["classes with and without a schema", [owner, item]],
    ["many undefined", new Array(300).fill(undefined)],
  ];
  test.each(values)("%s", async (_, value) => {
    const { small, kernel } = pair({ constructors: { Hero, Item } });
    const save = kernel.write(value);
    expect(save.length).toBeLessThanOrEqual(LONGEST);
    expect(await kernels(() => small.read(save))).toBe(0);
    for (let i = 0; i < OFTEN; i++) expectSame({ small, kernel }, save);
  });

  test("a save that is longer, or of another kind, makes one, and a write does not (first-writes.test.ts)", async () => {
    expect(await kernels(() => createElephantSync().write(1))).toBe(0);
    const { kernel } = pair();
    const fits = kernel.write("x".repeat(LONGEST - 14));
    const long = kernel.write("x".repeat(LONGEST - 13));
    expect([fits.length, long.length]).toEqual([LONGEST, LONGEST + 1]);
    expect(await kernels(() => createElephantSync().read(fits))).toBe(0);
    expect(await kernels(() => createElephantSync().read(long))).toBe(1);
    expect(await kernels(() => createElephantSync().read(fits, { scalars: "exact" }))).toBe(1);
    expect(await kernels(() => createElephantSync().read(fits, { typedArrays: true }))).toBe(1);
    expect(await kernels(() => createElephantSync().read(kernel.write(1, { release: "1.4.0" })))).toBe(1);
    expect(await kernels(() => createElephantSync({ engine: "wasm" }).read(fits))).toBe(1);
  });

  test("the engine is told all the same", () => {
    const codec = createElephantSync();
    codec.read(file("ce 0000"));
    expect(codec.engine).toBe("wasm");
  });

  test("a save among others: where it ends, and of which release", () => {
    const { kernel, small } = pair();
    const one = kernel.write({ a: [1, 2] });
    const two = kernel.write("second", { release: "1.5.0" });
    const all = Uint8Array.from([9, 9, 9, ...one, ...two, 7]);
    for (const codec of [small, kernel]) {
      const first = codec.readAt(all, 3);
      expect(first).toEqual({ value: { a: [1, 2] }, end: 3 + one.length, release: "1.5.1" });
      expect(codec.readAt(all, first.end)).toEqual({ value: "second", end: all.length - 1, release: "1.5.0" });
    }
  });

  test("bytes of every form", () => {
    const { kernel, small } = pair();
    const save = kernel.write({ a: 1 });
    const shared = new SharedArrayBuffer(save.length);
    new Uint8Array(shared).set(save);
    for (const form of [save, Buffer.from(save), save.buffer, new DataView(save.buffer), shared])
      expect(small.read(form as never)).toEqual({ a: 1 });
  });
});

describe("classes", () => {
  const save = (members: Record<string, unknown>, constructors: ElephantOptions["constructors"]) => {
    class Thing {}
    const codec = createElephantSync({ constructors: Object.fromEntries(Object.keys(constructors!).map((name) => [name, Thing])) });
    return codec.write(Object.assign(new Thing(), members));
  };

  test("setters, getters, constants and private names of classes are not touched", () => {
    const called: string[] = [];
    class Odd {
      static instances = 0;
      set hp(_: unknown) {
        called.push("hp");
      }
      get name() {
        return "mine";
      }
      constructor() {
        Object.defineProperty(this, "fixed", { value: 1, writable: false, configurable: true });
        Object.defineProperty(this, "watched", { get: () => 5, set: () => called.push("watched"), configurable: true });
      }
    }
    const given = { hp: 1, name: "n", fixed: 2, watched: 3, ["__proto__"]: 4, toString: 5, constructor: 6 };
    const both = pair({ constructors: { Odd } });
    const bytesOf = save(given, { Odd });
    for (let i = 0; i < OFTEN; i++) expectSame(both, bytesOf);
    expect(called).toEqual([]);
    expect(Object.getPrototypeOf(both.small.read<object>(bytesOf))).toBe(Odd.prototype);
  });

  test("a class whose instances take no members is told as ever", () => {
    class Closed {
      constructor() {
        Object.preventExtensions(this);
      }
    }
    const both = pair({ constructors: { Closed } });
    const bytesOf = save({ a: 1 }, { Closed });
    for (let i = 0; i < OFTEN; i++) expectSame(both, bytesOf);
    expectError(() => both.small.read(bytesOf), "bad-option");
  });

  test("an error of the constructor comes out, and the codec goes on", async () => {
    let broken = true;
    class Fragile {
      constructor() {
        if (broken) throw new RangeError("mine");
      }
    }
    const codec = createElephantSync({ constructors: { Fragile } });
    const bytesOf = save({ a: 1 }, { Fragile });
    for (let i = 0; i < 3; i++) expect(failure(() => codec.read(bytesOf))).toEqual(new RangeError("mine"));
    broken = false;
    expect(codec.read(bytesOf)).toEqual(Object.assign(new Fragile(), { a: 1 }));
    expect(await kernels(() => codec.read(bytesOf))).toBe(0);
  });

  test("a constructor may read with the same codec", () => {
    const inner = file(`ce ${u16(1)} ${text("deep")} 09 ${f64(1)}`);
    class Reader {
      found: unknown = codec.read(inner);
      again: unknown = codec.read(inner);
    }
    const codec: Elephant = createElephantSync({ constructors: { Reader } });
    const bytesOf = save({ own: [1, { x: 2 }] }, { Reader });
    for (let i = 0; i < OFTEN; i++)
      expect({ ...codec.read<object>(bytesOf) }).toEqual({ found: { deep: 1 }, again: { deep: 1 }, own: [1, { x: 2 }] });
  });

  test("a schema that is a getter may read with the same codec", () => {
    class Thing {
      static inner: Uint8Array | undefined;
      static get [SCHEMA]() {
        const { inner } = Thing;
        Thing.inner = undefined;
        if (inner) codec.read(inner);
        return { v1: { x: "f64" } };
      }
    }
    class Written {
      static [SCHEMA] = { v1: { x: "f64" } };
    }
    const codec: Elephant = createElephantSync({ constructors: { Thing: Thing as never } });
    const writer = createElephantSync({ constructors: { Thing: Written as never } });
    const [one, other] = [1, 2].map((x) => writer.write(Object.assign(new Written(), { x })));
    for (let i = 0; i < 3; i++) {
      Thing.inner = other;
      const found = codec.read<Thing>(one);
      expect(found).toBeInstanceOf(Thing);
      expect({ ...found }).toEqual({ x: 1 });
    }
  });

  test("a constructor that gives another class a callback", () => {
    class Second {}
    class First {
      constructor() {
        Object.assign(Second.prototype, { [POST_READ]() {} });
      }
    }
    const both = [`ce feff 0000 ${text("First")} 80 0000`, `ce feff 0100 ${text("Second")} 80 0000`];
    const found = createElephantSync({ constructors: { First, Second } }).read<object[]>(file(`cd ${u16(2)} cc ${both.join(" ")}`));
    expect(found.map((one) => one.constructor)).toEqual([First, Second]);
  });

  test("a constructor that returns a plain object, each time a new one", () => {
    class Made {
      constructor() {
        // biome-ignore lint/correctness/noConstructorReturn: that is what is tested.
        return {};
      }
    }
    const both = pair({ constructors: { Made } });
    const bytesOf = save({ a: 1, b: "text" }, { Made });
    for (let i = 0; i < OFTEN; i++) expectSame(both, bytesOf);
    const empty = save({}, { Made });
    for (let i = 0; i < OFTEN; i++) expect(both.small.read(empty)).toEqual({});
  });

  test("no constructor runs for a save that is not for here, or wrong", () => {
    let made = 0;
    class Counted {
      constructor() {
        made++;
      }
    }
    class Called {
      [POST_READ]() {}
    }
    const constructors = { Counted, Called };
    const one = `ce feff 0000 ${text("Counted")} 80 0000`;
    const roots: [string, number][] = [
      [`cd ${u16(2)} ce fe ff ${u16(0)} ${text("Counted")} 80 0000 feff ${u16(1)} ${text("Called")} 80 0000`, 1],
      [`cd ${u16(2)} cc ${one} ce ${u16(1)} ${text("me")} ce ffff ${u16(2)}`, 1],
      [`cd ${u16(2)} cc ${one} 0e`, 0],
      [`cd ${u16(2)} cc ${one} cd ffff ${u16(9)}`, 0],
      [`cd ${u16(2)} cc ${one} ${"cd 0100".repeat(80)} cd 0000`, 1],
    ];
    for (const [root, expected] of roots)
      for (const engine of ["auto", "wasm"] as const) {
        const codec = createElephantSync({ constructors, engine });
        for (let i = 0; i < OFTEN; i++) {
          made = 0;
          const error = failure(() => codec.read(file(root)));
          expect([made, error === undefined], `${engine}: ${root}`).toEqual([expected, expected === 1]);
        }
      }
  });

  test("an error in the bytes comes before one of a constructor", () => {
    class Throwing {
      constructor() {
        throw new Error("mine");
      }
    }
    const codecs = [undefined, "wasm" as const].map((engine) => createElephantSync({ constructors: { Throwing: Throwing }, engine }));
    const wrong = file(`cd ${u16(2)} cc ce feff 0000 ${text("Throwing")} 80 0000 0e`);
    for (const codec of codecs) expectError(() => codec.read(wrong), "unknown-datatype");
  });

  test("each has a function, with which its first instance in a save is read, too", () => {
    class Hero {
      name = "Ada";
      hp = 80;
      static [SCHEMA] = { v1: { name: "string", hp: "u16" } } as const;
    }
    class Item {
      kind = "sword";
    }
    const elephant = createElephantSync({ constructors: { Hero, Item } });
    const value = { hero: new Hero(), items: [new Item()] };
    const save = elephant.write(value);
    for (let i = 0; i < 50; i++) elephant.read(save);
    const general = vi.spyOn(GraphReader.prototype as unknown as { members(): object }, "members");
    try {
      expect(elephant.read(save)).toEqual(value);
      expect(general).not.toHaveBeenCalled();
    } finally {
      general.mockRestore();
    }
  });

  test("a constructor runs once, also where names are forgotten, and with them which structs are there before their members", () => {
    let made = 0;
    class P {
      constructor() {
        made++;
      }
    }
    const elephant = createElephantSync({ constructors: { P } });
    const self: Record<string, unknown> = { a: 1 };
    self.self = self;
    for (let i = 0; i < 1500; i++) {
      const names = Object.fromEntries(Array.from({ length: 7 }, (_, k) => [`n${i}_${k}`, k]));
      const save = elephant.write([new P(), self, names]);
      made = 0;
      const [, read] = elephant.read<[P, typeof self]>(save);
      expect(read.self).toBe(read);
      expect(made, `${i}`).toBe(1);
    }
  });

  test("two classes with the same members by turns", () => {
    class Left {
      x = 0;
    }
    class Right {
      x = 0;
      set y(_: unknown) {
        throw new Error("a setter");
      }
    }
    const both = pair({ constructors: { Left, Right } });
    const bytesOf = both.kernel.write([
      Object.assign(new Left(), { x: 1, y: 2 }),
      Object.defineProperty(new Right(), "y", { value: 3, enumerable: true }),
      new Left(),
    ]);
    for (let i = 0; i < OFTEN; i++) expectSame(both, bytesOf);
  });

  test("members that differences left out keep what the constructor gave them", () => {
    const both = pair({ constructors: { Item } });
    const bytesOf = both.kernel.write(Object.assign(new Item(), { label: "Cup", cost: 5 }), { diffsOnly: true });
    for (let i = 0; i < OFTEN; i++) expectSame(both, bytesOf);
    expect(both.small.read<Item>(bytesOf).cost).toBe(5);
  });
});

describe("what is left to the kernel", () => {
  test.each([
    ["a struct that refers to itself", `ce ${u16(1)} ${text("me")} ce ffff 0000`],
    ["a name that occurs twice", `ce ${u16(2)} ${text("a")} 09 ${f64(1)} ${text("a")} 09 ${f64(2)}`],
    ["a name that is __proto__", `ce ${u16(1)} ${text("__proto__")} 09 ${f64(1)}`],
    ["any in any", `cc cc cc 09 ${f64(1)}`],
    ["a text in any in a member", `ce ${u16(2)} ${text("a")} cc 0b ${text("b")} ${text("c")} cc cc 0d ${text("d")}`],
    ["a constructor with the highest index", `ce feff fdff ${text("Nobody")} 80 0000`],
    ["an array of any in any", `cd ${u16(2)} cc cc 0a 01 cc 0a 00`],
    ["a bool that is neither", "0a 02"],
    ["a reference that comes too early", `cd ${u16(1)} ce ffff 0900`],
    ["an array position that refers to a struct", `cd ${u16(2)} cc ce 0000 cd ffff 0100`],
    ["an unknown datatype", "0e"],
    ["more undefined than a save has bytes", `cd ${u16(2000)} cf`],
    ["no value", ""],
    ["100 levels", `${"cd 0100".repeat(100)} cd 0000`],
    ["text that is not UTF-8, and a surrogate pair of six bytes", `0b 61 ff c3 eda0bd edb880 00`],
    ["a surrogate pair of six bytes alone", `0b eda0bd edb880 00`],
    ["a character for what is not UTF-8, a byte order mark, and a character of four bytes", `0b efbbbf efbfbd f09f9089 00`],
    ["a byte order mark and no more", `0b efbbbf 00`],
    ["longer text of one byte a character", `0b ${"61".repeat(17)} 00`],
    ["halves and singles", `cd ${u16(4)} cc 07 0080 07 0000 08 0000c03f 07 ff7b`],
    ["a constructor with an odd index that nobody knows", `ce feff 3412 ${text("Nobody")} 80 0000`],
  ])("%s", (_, root) => {
    const both = pair();
    for (let i = 0; i < 5; i++) expectSame(both, file(root));
    for (let i = 0; i < OFTEN; i++) {
      if (root.length < 200) expectSame(both, file(root));
    }
    for (let i = 0; i < 5; i++) expectSame(both, file(`ce ${u16(1)} ${text("a")} 09 ${f64(i)}`));
  });

  test("a save that is wrong does not end the trying", () => {
    const codec = createElephantSync();
    const wrong = bytes("50454c45 01050100 0e 544e4148");
    const right = file("0a 01");
    for (let i = 0; i < 200; i++) expectError(() => codec.read(wrong), "unknown-datatype");
    const small = vi.spyOn(SmallSaves.prototype, "read");
    try {
      for (let i = 0; i < 200; i++) expect(codec.read(right)).toBe(true);
      expect(small.mock.results.filter(({ value }) => value !== undefined)).toHaveLength(200);
    } finally {
      small.mockRestore();
    }
  });

  test("limits that a small save can reach", () => {
    for (const limits of [{ maxDepth: 3 }, { maxNodes: 3 }, { maxEmptyElements: 10 }]) {
      const both = pair({ limits });
      expectSame(both, both.kernel.write([[[]]]));
      expectSame(both, file(`${"cd 0100".repeat(3)} cd 0000`));
      expectSame(both, file(`cd ${u16(11)} cf`));
    }
  });

  test("more names than are remembered", () => {
    const both = pair();
    for (let i = 0; i < 6000; i += 20) {
      const members = Object.fromEntries(Array.from({ length: 20 }, (_, k) => [`name ${i + k}`, k]));
      expectSame(both, both.kernel.write(members));
    }
    expectSame(both, both.kernel.write({ a: 1, b: 2 }));
  });

  test("a NaN is one of whatever bits it has", () => {
    const both = pair();
    for (const nan of ["010000000000f07f", "ffffffffffffffff"]) {
      const bits = [both.small, both.kernel].map(
        (codec) => new BigUint64Array(Float64Array.of(codec.read<number>(file(`09 ${nan}`))).buffer)[0],
      );
      expect(bits[0]).toBe(bits[1]);
    }
  });

  test("what was read before does not show", () => {
    const codec = createElephantSync();
    const long = codec.write({ secret: ["s".repeat(100), 1, 2, 3] });
    const short = codec.write({ a: 1 });
    for (let length = 13; length < short.length; length++) {
      codec.read(long);
      expectError(() => codec.read(short.subarray(0, length)), "truncated");
    }
  });
});

test("elements without bytes in a small save have their limit", () => {
  const limits = { maxEmptyElements: 512 };
  const save = (count: number) => file(`cd${u16(count)}cf`);
  expect(createElephantSync({ limits }).read(save(512))).toHaveLength(512);
  expectError(() => createElephantSync({ limits }).read(save(513)), "element-limit");
});

test("the offset of a small save with a wrong header, inside of other bytes", () => {
  const codec = createElephantSync();
  const save = codec.write({ a: 1 });
  for (const [at, offset, code] of [
    [0, 30, "header"],
    [5, 34, "version"],
  ] as const) {
    const data = new Uint8Array(30 + save.length);
    data.set(save, 30);
    data[30 + at] ^= 0x55;
    expect(expectError(() => codec.readAt(data, 30), code).offset).toBe(offset);
  }
});
