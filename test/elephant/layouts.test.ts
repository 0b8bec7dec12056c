// Structs of a form that comes again and again are read by layouts (docs/architecture.md). Whatever is said here is true without them,
// too: each file holds so many rows that layouts are made, and then what does not fit them.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  CASES,
  createElephantSync,
  type Elephant,
  type ElephantOptions,
  ENGINES,
  LONG_RUN,
  MODES,
  POST_READ,
  PRE_READ,
  SCHEMA,
  Scalar,
  StructInstance,
  TuskError,
} from "./codec.ts";
import { differences } from "./compare.ts";
import { expectError, failure } from "./expect-error.ts";
import { once } from "./once.ts";
import { createReference } from "./reference.ts";

/** Of a property, in each mode. */
const RUNS = LONG_RUN ? CASES : Math.ceil(CASES / 3);
const LONG = Math.max(60_000, RUNS * 50);

class Place {
  x = 0;
  y = 0;
  static [SCHEMA] = { v1: { x: "f64", y: "f32", layer: "u8" } } as const;
}
class Unit {
  at: unknown;
  static [SCHEMA] = { v1: { name: "string", hp: "s32", at: "struct", bag: "array", target: "any", wide: "u64" } } as const;
}
class Loose {
  kept = 1;
}
/** Every datatype of fixed length, before, between and behind others. */
class Values {
  static [SCHEMA] = {
    v1: {
      a: "bool",
      b: "u8",
      c: "s8",
      d: "u16",
      e: "string",
      f: "s16",
      g: "u32",
      h: "s32",
      i: "f16",
      j: "struct",
      k: "f32",
      l: "f64",
      m: "array",
      n: "u64",
      o: "f64",
    },
  } as const;
}

const constructors = { Place, Unit, Loose, Values };

interface Row {
  readonly id: string;
  readonly [member: string]: unknown;
}

/** A row of the usual form. */
function row(i: number): Row {
  return {
    id: `id-${i}`,
    kind: ["orc", "elf", "hall of the naïve 🐘"][i % 3],
    level: i % 100,
    ratio: i / 7,
    alive: i % 2 === 0,
    at: { x: i, y: -0.5 * i, deeper: { still: i % 3 === 0, end: {} } },
    bag: Array.from({ length: i % 9 }, (_, j) => i * j),
    halves: Array.from({ length: i % 4 }, (_, j) => j + 0.5),
    tags: Array.from({ length: i % 3 }, (_, j) => `tag ${j}`),
    // Of one datatype or of several, as it comes.
    notes: [i, `note ${i % 11}`, i / 3, i % 2 === 0, undefined, -0].slice(i % 4, 2 + (i % 5)),
    none: undefined,
    gold: BigInt(i) * 3n,
  };
}

const rows = (count: number, change: (row: Row, i: number) => unknown = (made) => made): unknown[] =>
  Array.from({ length: count }, (_, i) => change(row(i), i));

function unit(i: number): Unit {
  return Object.assign(new Unit(), {
    name: `unit ${i % 40}`,
    hp: i - 50,
    at: Object.assign(new Place(), { x: i, y: 0.5, layer: i % 8 }),
    bag: [i, i + 1],
    target: i % 3 ? `unit ${i}` : undefined,
    wide: -BigInt(i),
  });
}

/** What stands among usual rows at every tenth place. */
const ODD_ONES: Record<string, (made: Row, i: number) => unknown> = {
  "another datatype": (made, i) => ({ ...made, level: i % 20 ? `level ${i}` : undefined }),
  "another name": ({ level, ...rest }, i) => (i % 10 ? { level, ...rest } : { Level: level, ...rest }),
  "another order": ({ id, ...rest }, i) => (i % 10 ? { id, ...rest } : { ...rest, id }),
  "a member less": ({ id, level, ...rest }, i) => (i % 10 ? { id, level, ...rest } : { id, ...rest }),
  "a member more": (made, i) => (i % 10 ? made : { ...made, more: i }),
  "a long text": (made, i) => (i % 100 ? made : { ...made, kind: "x".repeat(300_000) }),
  "a long array": (made, i) => (i % 100 ? made : { ...made, bag: Array.from({ length: 40_000 }, (_, j) => j / 2) }),
  "an array of another kind": (made, i) => (i % 10 ? made : { ...made, bag: [true, "x", 1] }),
  "many texts in an array": (made, i) => (i % 10 ? made : { ...made, tags: Array.from({ length: 900 }, (_, j) => `${i} ${j}`) }),
  "a struct where a number was": (made, i) => (i % 10 ? made : { ...made, ratio: { a: 1 } }),
  "nothing where a struct was": (made, i) => (i % 10 ? made : { ...made, at: undefined }),
  "an instance where a struct was": (made, i) => (i % 10 ? made : { ...made, at: unit(i).at }),
  "a member of data's least loved name": (made, i) => JSON.parse(`{"__proto__":${i},"id":"${made.id}","constructor":"x"}`),
};

const reference = createReference({ constructors });
const MODE = "engine $engine, code generation: $codeGeneration";

/** Of many tests of one kind the suite does each in one of the modes. */
const oneMode = (i: number) => MODES.filter((_, mode) => LONG_RUN || i % MODES.length === mode);

/** In each mode, a codec reads the save of each value twice: the second reading finds the layouts of the first. */
function testSame(title: string, make: () => unknown[], modes = MODES): void {
  describe(title, () => {
    const made = once(() => make().map((value) => ({ value, save: reference.write(value) })));

    test.each(modes)(MODE, (mode) => {
      for (const { value, save } of made()) {
        const elephant = createElephantSync({ constructors, ...mode });
        for (let i = 0; i < 2; i++) expect(differences(value, elephant.read(save))).toEqual([]);
      }
    });
  });
}

testSame("rows that fill many windows", () => [{ rows: rows(6000), last: row(1) }]);

for (const [what, change] of Object.entries(ODD_ONES)) testSame(`${what}, now and then`, () => [rows(900, change)]);

for (const before of [0, 1200])
  testSame(`rows of thousands of texts among numbers, behind ${before} others`, () => {
    let made = 0;
    const texts = (count: number) => Array.from({ length: count }, () => `text ${made++}`);
    const long = () => Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`notes ${i}`, [i, ...texts(90)]]));
    return [[texts(before), ...Array.from({ length: 9 }, long)]];
  });

testSame("structs in members, not in arrays", () => [
  { ...Object.fromEntries(rows(400).map((made, i) => [`row ${i}`, made])) },
  rows(300, (made, i) => [made, i, [made, row(i + 1000)]]),
]);

testSame("instances by schema and by names, members that are not in the schema's order", () => [
  Array.from({ length: 3000 }, (_, i) => unit(i)),
  Array.from({ length: 900 }, (_, i) => Object.assign(new Loose(), { kept: i, more: { at: unit(i) } })),
  Array.from({ length: 900 }, (_, i) => (i % 5 ? unit(i) : Object.assign(new Loose(), { kept: [i] }))),
]);

// Each has a layout of its own beside the others, as long as they are few.
for (const forms of [2, 3, 4, 5, 9])
  testSame(`structs that begin alike and come in ${forms} forms by turns`, () => {
    const other = (i: number, form: number) =>
      [
        { a: i },
        { b: `b${i}` },
        { c: { d: i } },
        { c: undefined },
        { c: [`${i}`] },
        { e: unit(i).at, f: i },
        { g: true },
        { h: [i / 2] },
        {},
      ][form];
    const form = (i: number) => (Math.imul(i, 0x9e3779b1) >>> 16) % forms;
    const value = (i: number) => ({ id: i, name: `unique text ${i}`, kind: ["a", "b"][i % 2], ...other(i, form(i)), last: i % 7 });
    return [
      Array.from({ length: 900 }, (_, i) => value(i)),
      Array.from({ length: 900 }, (_, i) => Object.assign(new Loose(), value(i))),
      { ...Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`m${i}`, value(i)])) },
      // And with the datatypes of members changing within a form.
      Array.from({ length: 900 }, (_, i) => ({ ...value(i), kind: i % 11 === 3 ? i : "c", last: i % 13 === 5 ? undefined : i })),
    ];
  });

// What a layout has read of a struct that it does not fit cannot always be taken back, and a chunk of strings has an end.
for (const [place, seed] of [3, 7, 10, 11, 18].entries())
  testSame(
    `structs that begin alike, with hundreds of strings in front of what differs (${seed})`,
    () => {
      let state = seed;
      let texts = 0;
      let words = 0;
      const below = (n: number) => {
        state = (Math.imul(state, 1103515245) + 12345) >>> 0;
        return (state >>> 16) % n;
      };
      const unique = () => (texts++).toString(36).padStart(4, "0");
      return [
        Array.from({ length: 600 }, (_, i) => ({
          id: i,
          word: below(2) ? `w${words++}` : `w${below(Math.max(1, Math.min(words, 4)))}`,
          tags: Array.from({ length: i < 40 ? 20 : 200 + below(90) }, unique),
          [["a", "b", "c", "d"][i < 40 ? (i >> 3) & 3 : below(4)]]: i,
        })),
      ];
    },
    oneMode(place),
  );

// Whole numbers at first, which functions are made for, or fractions at first.
for (const from of [0, 300, 600])
  testSame(`values of fixed length, other ones from row ${from} on`, () => {
    const wide = [Number.NaN, -0, 0.5, 2 ** 31, -(2 ** 31), 2 ** 31 - 1, 2 ** 52 + 1, 1e300, Number.NEGATIVE_INFINITY, 0, -1];
    const value = (i: number) => {
      const other = i >= from && i % 3 > 0;
      const double = (at: number) => (other ? wide[(i + at) % wide.length] : i - at);
      return Object.assign(new Values(), {
        a: i % 2 === 0,
        b: other ? 255 : i % 100,
        c: other ? -128 : i % 100,
        d: other ? 65535 : i,
        e: `${i}`.repeat(i % 7),
        f: other ? -32768 : i,
        g: other ? 2 ** 32 - 1 - i : i,
        h: other ? -(2 ** 31) + i : i,
        i: other ? [Number.NaN, -0, 0.5, 65504, 2 ** -24, Number.POSITIVE_INFINITY][i % 6] : i,
        j: other && i % 5 === 1 ? { x: 1 } : { x: double(1), y: { z: double(2) }, at: `${i % 9}`, last: double(3) },
        k: Math.fround(double(4)),
        l: double(5),
        m: Array.from({ length: i % 4 }, (_, j) => double(j)),
        n: BigInt(i) - (other ? 2n ** 63n : 0n),
        o: double(6),
      });
    };
    return [Array.from({ length: 900 }, (_, i) => value(i)), Array.from({ length: 900 }, (_, i) => ({ ...value(i) }))];
  });

testSame("references to what a row holds, and from rows to what was before", () => {
  const all = rows(700) as Record<string, unknown>[];
  const shared = { a: 1 };
  for (let i = 0; i < all.length; i += 7) Object.assign(all[i]!, { shared, other: all[i - 7]?.at, list: all[i - 7]?.bag });
  return [{ shared, all, again: [all[5]!.at, all[600]!.bag, all[699]] }];
});

for (const moved of [0, 1, 2])
  testSame(
    `a row whose containers have numbers on both sides of 65,536, moved by ${moved}`,
    () => {
      const list = Array.from({ length: 2300 }, (_, id) => ({ id, at: { x: id }, tags: [id, "tag"] }));
      // Empty arrays take most of the numbers: they are compared soonest.
      const before = Array.from({ length: 60_000 + moved }, () => []);
      // Behind the root, `before`, what it holds, and the list.
      const first = 3 + before.length;
      const inside = list.flatMap((one) => [one, one.at, one.tags]);
      const again = inside.slice(65_500 - first, 65_536 - first);
      expect(again).toHaveLength(36);
      expect(inside.length).toBeGreaterThan(65_636 - first);
      return [{ before, list, again }];
    },
    oneMode(moved),
  );

describe("a damaged file gives the same error whether its layouts are known or not", () => {
  const tell = (elephant: Elephant, damaged: Uint8Array): unknown => {
    const problem = failure(() => elephant.read(damaged));
    return problem instanceof TuskError ? [problem.code, problem.offset] : problem;
  };
  // For a machine that has read nothing: one for each damage, of one engine.
  const made = once(() => {
    const save = reference.write([...rows(40), ...Array.from({ length: 40 }, (_, i) => unit(i))]);
    const damage: { what: string; damaged: Uint8Array; cold: unknown }[] = [];
    const add = (what: string, damaged: Uint8Array) =>
      damage.push({
        what,
        damaged,
        cold: tell(createElephantSync({ constructors, engine: ENGINES[0], limits: { maxNodes: 2000 } }), damaged),
      });
    const tail = save.length - 700;
    for (let length = tail; length < save.length; length += 23) add(`cut at ${length}`, save.subarray(0, length));
    for (let at = tail; at < save.length - 4; at += 29) add(`flipped at ${at}`, save.with(at, save[at]! ^ (1 << (at % 8))));
    return { save, damage };
  });

  test.each(MODES)(MODE, (mode) => {
    const { save, damage } = made();
    // And for one that has read the whole.
    const warm = createElephantSync({ constructors, ...mode });
    warm.read(save);
    for (const { what, damaged, cold } of damage) expect(tell(warm, damaged), what).toEqual(cold);
  });
});

describe.each(MODES)(MODE, ({ engine, codeGeneration }) => {
  const codec = (options: ElephantOptions = {}): Elephant => createElephantSync({ constructors, ...options, engine, codeGeneration });

  test("skip lists", () => {
    const units = Array.from({ length: 900 }, (_, i) => Object.assign(unit(i), i % 3 ? {} : { hp: undefined }));
    const save = reference.write(units, { diffsOnly: true });
    const elephant = codec();
    expect(differences(reference.read(save), elephant.read(save))).toEqual([]);
  });

  test("constructors have other numbers in the next file", () => {
    const elephant = codec();
    const units = Array.from({ length: 200 }, (_, i) => unit(i));
    for (const value of [units, [new Loose(), ...units], [unit(0).at, new Loose(), ...units]])
      expect(differences(value, elephant.read(elephant.write(value)))).toEqual([]);
  });

  test("references from rows to structs that are still open", () => {
    const root: Record<string, unknown> = { name: "root" };
    root.rows = Array.from({ length: 100 }, (_, i) => ({ id: i, up: i % 2 ? root : undefined }));
    const elephant = codec();
    const read = elephant.read<{ rows: { up: unknown }[] }>(elephant.write(root));
    for (const [i, made] of read.rows.entries()) expect(made.up).toBe(i % 2 ? read : undefined);
  });

  test("members whose kinds change more often than functions are made anew", () => {
    const shared = { it: "shared" };
    const kinds: ((i: number) => unknown)[] = [
      (i) => i,
      (i) => (i % 2 ? i : `t${i}`),
      (i) => [i, `t${i}`, i + 0.5][i % 3],
      (i) => [i, `t${i}`, i + 0.5, shared, true, 3e9, -0][i % 7],
    ];
    const members = ["a", "b", "c", "d"];
    const value = (of: readonly number[]) => ({
      shared,
      rows: Array.from({ length: 100 }, (_, i) => ({
        id: i,
        at: { x: i / 2 },
        ...Object.fromEntries(members.map((name, k) => [name, kinds[of[k]](i + k)])),
      })),
    });
    // First each member becomes one of any kind, then one after the other has more of them.
    const steps = [members.map(() => 0)];
    const change = (member: number, kind: number) => steps.push(steps[steps.length - 1].with(member, kind));
    for (const k of members.keys()) change(k, 1);
    for (const k of members.keys()) for (const kind of [2, 3]) change(k, kind);
    const elephant = codec();
    for (const step of [...steps, steps[4]])
      for (let i = 0; i < 2; i++) {
        const given = value(step);
        expect(differences(given, elephant.read(elephant.write(given)))).toEqual([]);
      }
  });

  test("what has a number above 65,535 is read and cannot be referred to", () => {
    const elephant = codec();
    // Eight containers each.
    const many = rows(8_600);
    expect(differences(many, elephant.read(elephant.write(many)))).toEqual([]);
  });

  test("exact scalars and typed arrays", () => {
    const exact = rows(300, (made, i) => ({ ...made, level: Scalar("u8", i % 256), ratio: Scalar("f32", 0.5) }));
    const [first, elephant] = [codec(), codec()];
    const save = elephant.write(exact);
    expect(Buffer.compare(save, reference.write(exact))).toBe(0);
    for (let i = 0; i < 2; i++) expect(differences(exact, first.read(save, { scalars: "exact" }))).toEqual([]);
    // Without them, before and after.
    expect((elephant.read(save) as Row[])[7]!.level).toBe(7);
    expect(Buffer.compare(elephant.write(elephant.read(save, { scalars: "exact" })), save)).toBe(0);
    expect((elephant.read(save) as Row[])[7]!.level).toBe(7);
    const typed = elephant.read(save, { typedArrays: true }) as Row[];
    expect(typed[8]!.bag).toEqual(Float64Array.from({ length: 8 }, (_, j) => 8 * j));
    expect(Array.isArray((elephant.read(save) as Row[])[8]!.bag)).toBe(true);
  });

  test("callbacks and constructors run in the order of creation, now with callbacks, now without", () => {
    const calls: string[] = [];
    class Inner {
      constructor() {
        calls.push("new Inner");
      }
    }
    class Outer {
      constructor() {
        calls.push("new Outer");
      }
    }
    const save = createReference({ constructors: { Inner, Outer } }).write(
      Array.from({ length: 60 }, (_, i) => Object.assign(new Outer(), { i, inner: Object.assign(new Inner(), { i }) })),
    );
    const elephant = codec({ constructors: { Inner, Outer } });
    calls.length = 0;
    elephant.read(save);
    expect(calls).toEqual(Array.from({ length: 60 }, () => ["new Outer", "new Inner"]).flat());
    const prototype = Inner.prototype as unknown as Record<symbol, unknown>;
    prototype[PRE_READ] = () => calls.push("pre");
    prototype[POST_READ] = () => calls.push("post");
    try {
      calls.length = 0;
      elephant.read(save);
      expect(calls).toEqual([
        ...Array.from({ length: 60 }, () => ["new Outer", "new Inner", "pre"]).flat(),
        ...Array.from({ length: 60 }, () => "post"),
      ]);
    } finally {
      delete prototype[PRE_READ];
      delete prototype[POST_READ];
    }
  });

  test("setters, read-only members and frozen instances as without layouts", () => {
    let lock = (_: object) => {};
    class Guarded {
      seen: unknown[] = [];
      set value(_: unknown) {
        throw new Error("a setter was called");
      }
    }
    class Fixed {
      seen: unknown[] = [];
      constructor() {
        Object.defineProperty(this, "value", { value: -1, writable: false, configurable: true, enumerable: true });
      }
    }
    class Frozen {
      seen: unknown[] = [];
      constructor() {
        lock(this);
      }
    }
    const create = () => codec({ constructors: { Guarded, Fixed, Frozen } });
    const saveOf = (name: string, count: number) =>
      createElephantSync({ unknownConstructor: "generic" }).write(
        Array.from({ length: count }, (_, i) => new StructInstance(name, { value: i, seen: [i] })),
      );
    for (const name of ["Guarded", "Fixed", "Frozen"]) {
      const save = saveOf(name, 60);
      const elephant = create();
      // The first reading makes the layouts, the others know them.
      for (let reads = 0; reads < 3; reads++) {
        const read = elephant.read<Guarded[]>(save);
        expect(read).toHaveLength(60);
        for (const [i, one] of read.entries()) {
          expect(Object.getOwnPropertyDescriptor(one, "value")?.value).toBe(i);
          expect(one.seen).toEqual([i]);
        }
      }
      if (name !== "Frozen") continue;
      lock = Object.freeze;
      // A single one has no layout.
      const { reason } = expectError(() => create().read(saveOf(name, 1)), "bad-option");
      expect(expectError(() => elephant.read(save), "bad-option").reason).toBe(reason);
    }
  });

  test("limits count what rows hold", () => {
    const value = rows(200);
    const save = reference.write(value);
    // The root; of each row itself, three structs inside and four arrays.
    const containers = 1 + 200 * 8;
    const create = (limits: ElephantOptions["limits"]) => createElephantSync({ engine, codeGeneration, limits });
    expect(differences(value, create({ maxNodes: containers, maxDepth: 5 }).read(save))).toEqual([]);
    expectError(() => create({ maxNodes: containers - 1 }).read(save), "element-limit");
    expectError(() => create({ maxDepth: 4 }).read(save), "depth-limit");
  });

  test("random rows with random changes", { timeout: LONG }, () => {
    const value = fc.oneof(
      { weight: 6, arbitrary: fc.integer() },
      fc.double(),
      fc.boolean(),
      fc.constant(undefined),
      fc.string({ maxLength: 20 }),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.array(fc.integer(), { maxLength: 6 }),
      fc.array(
        fc.string({ maxLength: 5 }).filter((text) => !text.includes("\0")),
        { maxLength: 4 },
      ),
      fc.record({ x: fc.double(), y: fc.integer() }),
      fc.constant({}),
    );
    const name = fc.constantFrom("a", "b", "hp", "a name of more than sixteen bytes", "é");
    const form = fc.array(fc.tuple(name, value), { minLength: 1, maxLength: 6 });
    const plan = fc.record({
      forms: fc.array(form, { minLength: 1, maxLength: 3 }),
      pattern: fc.array(fc.nat(8), { minLength: 1, maxLength: 12 }),
    });
    const kept = codec();
    const clean = (made: unknown): unknown => (typeof made === "string" ? made.replaceAll("\0", "0") : made);
    fc.assert(
      fc.property(plan, ({ forms, pattern }) => {
        const made = Array.from({ length: 60 }, (_, i) => {
          const chosen = pattern[i % pattern.length]!;
          const members = forms[chosen % forms.length]!;
          // Usually as they are; sometimes the number of the row in place of a value.
          return Object.fromEntries(members.map(([key, member], j) => [key, chosen === 8 && j === i % members.length ? i : clean(member)]));
        });
        const save = reference.write(made);
        const expected = reference.read(save);
        expect(differences(expected, kept.read(save))).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  test("what cannot follow behind a row is told as without layouts", () => {
    const create = () => createElephantSync({ engine, codeGeneration });
    const row = () => ({ list: ["a", "b"], name: "x" });
    const rows = (count: number) => Array.from({ length: count }, row);
    const codec = create();
    const lesson = codec.write(rows(60));
    for (const held of [row(), rows(1), rows(2), rows(40)]) {
      const save = codec.write(["x".repeat(600), { held, last: 1 }, 5.5]);
      // A struct of 258 members, not of two.
      const at = Buffer.from(save).indexOf("ce020068656c64", "hex") + 2;
      const damaged = save.slice();
      damaged[at] = 1;
      const { offset } = expectError(() => create().read(damaged), "truncated");
      for (let i = 0; i < 3; i++) {
        codec.read(lesson);
        expect(expectError(() => codec.read(damaged), "truncated").offset).toBe(offset);
      }
      expect(codec.read(save)).toEqual(create().read(save));
    }
  });

  test("rows whose arrays hold more texts of their own than there is room for at once", () => {
    const codec = createElephantSync({ engine, codeGeneration });
    let texts = 0;
    const text = () => (texts++).toString(36);
    const forms: ((j: number) => unknown)[] = [
      text,
      () => ({ a: text() }),
      () => ({ a: text(), b: text(), c: { d: text() } }),
      (j) => (j % 2 ? { a: text() } : { b: text(), c: 1 }),
    ];
    for (const [place, form] of forms.entries()) {
      // In the suite two of them in each mode.
      if (!LONG_RUN && place % 2 === Number(codeGeneration)) continue;
      for (const length of [100, 149, 151, 299, 300, 301, 2000, 9000]) {
        const value = Array.from({ length: 24 }, (_, i) => ({
          before: i,
          bag: Array.from({ length: i % 12 === 10 ? length : 2 + (i % 3) }, (_, j) => form(j)),
          behind: `end ${i}`,
        }));
        const save = codec.write(value);
        for (let i = 0; i < (LONG_RUN || length < 1000 ? 3 : 2); i++) expect(differences(value, codec.read(save))).toEqual([]);
      }
    }
  });
});
