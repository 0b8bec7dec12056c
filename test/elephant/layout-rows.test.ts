// Arrays of structs inside structs: entities with their items, rooms with what stands in them. A layout reads such a struct with all that is in its arrays and members,
// where these are alike or have layouts of their own (docs/architecture.md). Whatever is said here is true without layouts, too.
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LayoutFactory } from "../../src/graph/layout-factory.ts";
import { LAYOUT_HELD, LAYOUT_ROWS, LAYOUT_VARIED } from "../../src/graph/ops.ts";
import {
  CASES,
  createElephantSync,
  type Elephant,
  type ElephantOptions,
  ENGINES,
  LONG_RUN,
  MODES,
  POST_READ,
  SCHEMA,
  TuskError,
} from "./codec.ts";
import { differences } from "./compare.ts";
import { expectError, failure } from "./expect-error.ts";
import { once } from "./once.ts";
import { createReference } from "./reference.ts";

/** Of a property, in each mode. */
const RUNS = LONG_RUN ? CASES : Math.ceil(CASES / 3);
const LONG = Math.max(60_000, RUNS * 50);

/** Structs that were made of rows with arrays of structs in them: of one layout; of several, or with members that are. */
let taken = 0;
let varied = 0;
const { rows } = LayoutFactory.prototype;
beforeAll(() => {
  LayoutFactory.prototype.rows = function (at, count, ...rest) {
    const { parts } = this as unknown as { parts: { type: number }[] };
    if (parts.some(({ type }) => type === LAYOUT_ROWS)) taken += count;
    if (parts.some(({ type }) => type === LAYOUT_VARIED || type === LAYOUT_HELD)) varied += count;
    return rows.call(this, at, count, ...rest);
  };
});
afterAll(() => {
  LayoutFactory.prototype.rows = rows;
});

class Item {}
class Unit {}
class Strict {
  static [SCHEMA] = { v1: { name: "string", hp: "s16", items: "array", home: "any" } } as const;
}
class Part {
  static [SCHEMA] = { v1: { kind: "u8", at: "struct", text: "string" } } as const;
}
const constructors = { Item, Unit, Strict, Part };

const list = <T>(length: number, item: (i: number) => T): T[] => Array.from({ length }, (_, i) => item(i));
const WORDS = ["a", "sword", "exactly sixteen!", "longer than sixteen", "дракон", "剣", "😀", ""];
const word = (i: number) => WORDS[i % WORDS.length];
const pick = (i: number, n: number) => (Math.imul(i + 1, 0x9e3779b1) >>> 8) % n;
const make = (Class: (new () => object) | undefined, members: object): Record<string, unknown> =>
  Object.assign(Class ? new Class() : {}, members) as Record<string, unknown>;

const item = (Class: (new () => object) | undefined, i: number) =>
  make(Class, { sku: word(i), qty: i % 9, wear: i % 3 ? i / 8 : i, equipped: i % 2 === 0, tags: list(i % 3, word) });
const unit = (Class: (new () => object) | undefined, Held: (new () => object) | undefined) => (i: number) =>
  make(Class, {
    id: i,
    name: `unit ${i}`,
    items: list(pick(i, 5), (k) => item(Held, i + k)),
    stats: { str: i, dex: i / 2 },
    flags: list(i % 4, (k) => k % 2 === 0),
    path: list(i % 3, (k) => ({ x: k, y: i })),
    alive: i % 2 === 0,
  });
const room = (i: number) => ({
  name: `room ${i}`,
  layers: list(1 + (i % 3), (n) => ({
    depth: n * 100,
    instances: list(pick(i + n, 6), (k) => ({
      object: word(k),
      x: k,
      vars: { hp: k / 2 },
      effects: list(k % 3, (e) => ({ e, text: word(e + i) })),
    })),
  })),
  width: i,
});
const strict = (i: number) =>
  make(Strict, {
    name: word(i),
    hp: i % 100,
    items: list(pick(i, 4), (k) => make(Part, { kind: k, at: { x: i, y: k }, text: word(i + k) })),
    home: i % 2 ? undefined : i,
  });

const KINDS: Record<string, () => unknown[]> = {
  "plain structs": () => list(300, unit(undefined, undefined)),
  "instances that hold plain structs": () => list(300, unit(Unit, undefined)),
  "instances that hold instances": () => list(300, unit(Unit, Item)),
  "arrays in arrays": () => list(200, room),
  "strict instances": () => list(300, strict),
  "no struct in any but the eighth": () => list(300, (i) => ({ i, list: i === 7 ? [{ a: 1 }] : [], text: word(i) })),
  "arrays that are empty at first": () =>
    list(300, (i) => ({ i, list: list(i < 100 ? 0 : i % 4, (a) => ({ a, b: word(a) })), text: word(i) })),
  "members of another datatype in a later element": () =>
    list(300, (i) => ({
      i,
      list: list(4, (k) => ({ k, v: i > 60 && k === 2 ? word(i) : k, w: i > 150 && k === 1 ? true : undefined })),
      last: i,
    })),
  "other structs in a later element": () =>
    list(300, (i) => ({ i, list: list(3, (k) => (i % 10 === 9 && k === 1 ? { z: k } : { k, v: i })), last: i })),
  "other elements than structs": () => list(300, (i) => ({ i, list: i % 10 === 9 ? [1, "a"] : [{ i }, { i: -i }], last: i })),
  "an array in place of which there is a number": () => list(300, (i) => ({ i, list: i % 10 === 9 ? i : [{ i }], last: i })),
  "more texts than a row may have": () =>
    list(60, (i) => ({ i, list: list(i % 6 === 5 ? 500 : 3, (k) => ({ k: `${i} ${k}` })), last: word(i) })),
  "long arrays, which the window cuts": () =>
    list(40, (i) => ({ i, list: list(i % 14 === 13 ? 9000 : 2, (k) => ({ k, i, on: true })), last: word(i) })),
  "structs without members": () => list(200, (i) => ({ i, list: list(i % 5, () => ({})), last: i })),
  "names of all sorts": () =>
    list(200, (i) => ({
      'a "b"\n': i,
      list: [JSON.parse(`{"__proto__":${i},"constructor":"x"}`), JSON.parse('{"__proto__":1,"constructor":"y"}')],
    })),
};

/** An item that has further members or not, or is another class's. */
const other = (i: number) => {
  const form = pick(i, 5);
  if (form === 4) return make(Part, { kind: i % 200, at: { x: i }, text: word(i) });
  const more = [{}, { rune: word(i) }, { path: [i, i / 2] }, { rune: i, at: { x: i }, tags: list(i % 3, word) }][form];
  return make(form % 2 ? Item : undefined, { sku: word(i), qty: i % 9, ...more });
};
const several = (Class: (new () => object) | undefined) => (i: number) =>
  make(Class, { id: i, name: `unit ${i}`, items: list(pick(i, 6), (k) => other(i + k)), stats: { str: i }, last: word(i) });

/** A struct of some form or class, or nothing, or another value. */
const held = (i: number) => [undefined, other(i), other(i + 1), undefined, word(i), i / 2, { of: { deeper: other(i) } }, -1][pick(i, 8)];
const wearer = (Class: (new () => object) | undefined) => (i: number) =>
  make(Class, { i, head: pick(i, 2) ? other(i) : undefined, hand: held(i + 3), name: word(i), body: held(i), last: i });

const VARIED: Record<string, () => unknown[]> = {
  "members that are a struct or nothing": () =>
    list(500, (i) => ({ i, a: i % 3 ? { x: i, y: word(i) } : undefined, b: pick(i, 2) ? { z: i } : -4 })),
  "members that are a struct of one form or another or none": () => list(700, wearer(undefined)),
  "the same in instances": () => list(700, wearer(Unit)),
  "arrays of such": () => list(400, (i) => ({ i, list: list(i % 4, (k) => wearer(k % 2 ? Unit : undefined)(i + k)), last: held(i) })),
  "members that hold their like": () =>
    list(300, (i) => {
      let chain: unknown = pick(i, 3) ? undefined : i;
      for (let n = pick(i, 4); n > 0; n--) chain = { n, next: chain };
      return { i, next: chain, last: word(i) };
    }),
  "members that refer to others": () => {
    const all: Record<string, unknown>[] = [];
    for (let i = 0; i < 500; i++) {
      const friend = [all.at(-2), undefined, all.at(-3)?.held, { new: i }][pick(i, 4)];
      const made = make(pick(i, 3) ? Unit : undefined, { i, friend, held: { i } });
      if (pick(i, 5) === 0) made.held = { of: made, i };
      all.push(made);
    }
    return all;
  },
  "plain structs that hold structs of several forms": () => list(400, several(undefined)),
  "instances that hold structs of several forms": () => list(400, several(Unit)),
  "strict instances that hold structs of several forms": () =>
    list(400, (i) => make(Strict, { name: word(i), hp: i % 100, items: list(pick(i, 4), (k) => other(i + k)), home: i })),
  "arrays in arrays": () =>
    list(400, (i) => ({
      i,
      layers: list(i % 3, (n) => ({ depth: n, instances: list(pick(i + n, 5), (k) => other(i + k)), tiles: [n, i] })),
      last: word(i),
    })),
  "two arrays": () => list(400, (i) => ({ i, a: list(i % 4, (k) => other(i + k)), b: list(i % 3, (k) => other(i * k)), last: i })),
  "arrays that hold arrays of several forms": () =>
    list(600, (i) => make(Unit, { i, list: list(i % 4, (k) => (k % 2 ? other(i + k) : several(undefined)(i + k))), last: i })),
  "other lengths, other elements": () =>
    list(600, (i) => ({
      i,
      list:
        i % 50 === 49 ? [1, "a"] : i % 50 === 48 ? list(900, other) : i % 50 === 47 ? list(64, other) : list(i % 3, (k) => other(i + k)),
      last: i,
    })),
  "an array in place of which there is a number": () =>
    list(400, (i) => ({ i, list: i % 10 === 9 ? i : list(i % 4, (k) => other(i + k)), last: i })),
  "more texts than a row may have": () =>
    list(300, (i) => ({
      i,
      list: list(i % 6 === 5 ? 60 : 3, (k) => ({ k: list(9, word), ...(k % 2 ? { b: `${i}` } : {}) })),
      last: word(i),
    })),
  "members of another datatype later": () =>
    list(600, (i) => ({
      i,
      list: list(3, (k) => (pick(i + k, 3) ? { a: i > 300 && k === 1 ? word(i) : i, b: k } : { c: i > 400 ? i / 2 : i })),
      last: i > 500 ? word(i) : i,
    })),
};

const reference = createReference({ constructors });
const MODE = "engine $engine, code generation: $codeGeneration";

const kinds = [KINDS, VARIED].flatMap((kinds) => Object.entries(kinds).map(([name, create], i) => ({ name, create, kinds, i })));
describe.each(kinds)("$name", ({ create, kinds, i }) => {
  const made = once(() => {
    const value = create();
    return { value, save: reference.write(value) };
  });

  test.each(MODES)(MODE, async (mode) => {
    const { value, save } = made();
    const count = () => (kinds === VARIED ? varied : taken);
    const elephant = createElephantSync({ constructors, ...mode });
    const before = count();
    for (let i = 0; i < 3; i++) expect(differences(value, elephant.read(save))).toEqual([]);
    expect(count()).toBeGreaterThan(before);
    expect(Buffer.compare(elephant.write(elephant.read(save)), save)).toBe(0);
    // By the other ways the suite reads it in one of the modes.
    if (!LONG_RUN && i % MODES.length !== MODES.indexOf(mode)) return;
    expect(differences(value, elephant.read(save, { typedArrays: true, scalars: "exact" }), { typedArrays: true })).toEqual([]);
    const pieces = async function* () {
      for (let at = 0, size = 1; at < save.length; at += size, size = 1 + ((size * 7919) % 40_000)) yield save.subarray(at, at + size);
    };
    expect(differences(value, await elephant.readAsync(pieces()))).toEqual([]);
  });
});

describe.each([0, 1, 2, 3].flatMap((moved) => [1, 2].map((forms) => ({ moved, forms }))))(
  "containers with numbers on both sides of 65,536, moved by $moved, $forms forms",
  ({ moved, forms }) => {
    const made = once(() => {
      const at = (id: number) => (pick(id, forms) ? (id % 3 ? { x: { id } } : id) : { id });
      // Empty arrays take most of the numbers: they are compared soonest.
      const before = list(60_000 + moved, () => []);
      const all = list(1400, (id) => ({
        id,
        held: list(id % 5, (k) => ({ k, at: at(id), ...(pick(id + k, forms) ? { more: k } : {}) })),
        last: at(id + 1),
      }));
      const inside = (value: unknown): unknown[] =>
        typeof value === "object" && value !== null ? [value, ...Object.values(value).flatMap(inside)] : [];
      const flat = all.flatMap(inside);
      const first = 3 + before.length;
      const again = flat.slice(65_500 - first, 65_536 - first);
      expect(again).toHaveLength(36);
      expect(flat.length).toBeGreaterThan(65_636 - first);
      const value = { before, all, again };
      return { value, save: createElephantSync({ engine: ENGINES[0] }).write(value) };
    });

    // In the suite each in one of the modes.
    const modes = MODES.filter((_, i) => LONG_RUN || (moved + forms) % MODES.length === i);
    test.each(modes)(MODE, (mode) => {
      const { value, save } = made();
      const elephant = createElephantSync({ constructors, ...mode });
      for (let i = 0; i < 2; i++) expect(differences(value, elephant.read(save))).toEqual([]);
    });
  },
);

// A chunk of strings has room for what one layout has read in vain.
describe("structs of several forms with long texts in front of what differs", () => {
  const made = once(() => {
    let state = 7;
    let count = 0;
    const below = (n: number) => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return (state >>> 16) % n;
    };
    const held = (form: number, text: string) => ({ text, [`x${form}`]: count++ });
    const outer = (i: number) => ({
      i,
      before: `é${i}`,
      unique: `unique ASCII text ${count++}`,
      items: list(below(3), () => held(1 + below(4), `t${below(40)}`)),
      last: i,
    });
    const long = (i: number) => ({ ...outer(i), items: [held(1 + (i % 4), String.fromCharCode(65 + (i % 26)).repeat(164_000 - i))] });
    const value = [...list(3000, outer), ...list(40, (i) => [...list(400 + i * 20, outer), long(i), ...list(9, outer)]).flat()];
    return { value, save: createElephantSync({ engine: ENGINES[0] }).write(value) };
  });

  test.each(MODES)(MODE, (mode) => {
    const { value, save } = made();
    expect(differences(value, createElephantSync({ constructors, ...mode }).read(save))).toEqual([]);
  });
});

/** What an error says. */
function tell(elephant: Elephant, damaged: Uint8Array): unknown {
  const problem = failure(() => elephant.read(damaged));
  return problem instanceof TuskError ? [problem.code, problem.offset] : problem;
}

describe.each([
  { of: "one form", value: () => [...list(40, unit(Unit, Item)), ...list(40, strict)] },
  { of: "several", value: () => list(120, several(Unit)) },
  { of: "several, in members", value: () => list(160, wearer(Unit)) },
])("a damaged save gives the same error whether its layouts are known or not: structs of $of", ({ value }) => {
  // A codec for each damage, of one engine: it has read nothing. The suite tries half as many places as the long run.
  const made = once(() => {
    const save = reference.write(value());
    const damage: { what: string; damaged: Uint8Array; cold: unknown }[] = [];
    const add = (what: string, damaged: Uint8Array) =>
      damage.push({ what, damaged, cold: tell(createElephantSync({ constructors, engine: ENGINES[0] }), damaged) });
    for (let length = save.length - 900; length < save.length; length += LONG_RUN ? 31 : 61)
      add(`cut at ${length}`, save.subarray(0, length));
    for (let at = save.length >> 1; at < save.length - 4; at += LONG_RUN ? 61 : 123)
      add(`flipped at ${at}`, save.with(at, save[at] ^ (1 << (at % 8))));
    return { save, damage };
  });

  test.each(MODES)(MODE, (mode) => {
    const { save, damage } = made();
    const warm = createElephantSync({ constructors, ...mode });
    for (let i = 0; i < 2; i++) warm.read(save);
    for (const { what, damaged, cold } of damage) expect(tell(warm, damaged), what).toEqual(cold);
  });
});

describe.each(MODES)(MODE, ({ engine, codeGeneration }) => {
  const codec = (options: ElephantOptions = {}): Elephant => createElephantSync({ constructors, ...options, engine, codeGeneration });

  test.each([1, 3])("what is held, of %i forms, refers to its holder, to what was before, and is referred to from behind", (forms) => {
    const units: Record<string, unknown>[] = [];
    for (let i = 0; i < 400; i++) {
      const made = make(Unit, { i, friend: units.at(-3), items: [] as object[], last: units.at(-1)?.items });
      const more = (k: number) => (pick(i + k, forms) ? { more: list(pick(i + k, forms), word) } : {});
      made.items = list(pick(i, 4), (k) =>
        make(Item, { k, owner: made, other: (units.at(-2)?.items as object[] | undefined)?.[0], ...more(k) }),
      );
      units.push(made);
    }
    const value = { units, again: units.flatMap(({ items, i }) => [i, ...(items as object[])]) };
    const save = reference.write(value);
    const elephant = codec();
    const before = taken + varied;
    for (let i = 0; i < 3; i++) expect(differences(value, elephant.read(save))).toEqual([]);
    expect(taken + varied).toBeGreaterThan(before + 300);
  });

  test("a plain struct whose elements refer to it, and elements that refer to each other", () => {
    const value = list(200, (i) => {
      const struct: Record<string, unknown> = { i, list: [] };
      const one = { of: i % 2 ? struct : undefined, k: 0 };
      struct.list = [one, { of: i % 3 ? one : undefined, k: 1, ...(i > 100 && i % 2 ? { more: i % 5 ? i : struct } : {}) }];
      return struct;
    });
    const save = reference.write(value);
    const elephant = codec();
    for (let i = 0; i < 3; i++) expect(differences(value, elephant.read(save))).toEqual([]);
  });

  test("other classes and versions in the same place, whose members have no names in the save", () => {
    const fields = [
      { name: "string" },
      { id: "string", parts: "array" },
      { x: "u8", held: "any", parts: "array", last: "struct" },
      { parts: "array", name: "string" },
    ] as const;
    const classes = fields.map((v1) => {
      class Each {
        static [SCHEMA] = { v1 };
      }
      return Each;
    });
    const constructors = Object.fromEntries(classes.map((Class, i) => [`Class${i}`, Class]));
    const parts = (i: number) => list(pick(i, 4), (k) => ({ k, of: word(i) }));
    const one = (i: number, form: number) =>
      make(
        classes[form],
        [
          { name: word(i) },
          { id: word(i), parts: parts(i) },
          { x: i % 256, held: i, parts: parts(i), last: { i } },
          { parts: parts(i), name: word(i) },
        ][form]!,
      );
    const pairs = [0, 1, 2, 3].flatMap((a) => [0, 1, 2, 3].map((b) => [a, b] as const));
    for (const [pair, [first, second]] of pairs.entries())
      for (const from of LONG_RUN ? [7, 30] : [pair % 2 === Number(codeGeneration) ? 7 : 30]) {
        const which = (i: number) => (i > from && i % 3 === 0 ? second : first);
        const value = list(200, (i) => ({ one: one(i, which(i)), list: list(i % 3, (k) => one(i, which(i + k))) }));
        const save = createReference({ constructors }).write(value);
        const elephant = codec({ constructors });
        for (let i = 0; i < 2; i++) expect(differences(value, elephant.read(save)), `${first} and ${second}`).toEqual([]);
      }
  });

  test.each([1, 2])("limits count what is in the arrays (%i forms)", (forms) => {
    const value = list(200, (i) => ({
      i,
      list: list(1 + (i % 3), (k) => ({ k, at: { x: k }, ...(pick(i + k, forms) ? { z: 1 } : {}) })),
      one: pick(i, forms) ? { z: i } : undefined,
    }));
    const containers = 1 + value.reduce((sum, one) => sum + 2 + one.list.length * 2 + (one.one ? 1 : 0), 0);
    const save = reference.write(value);
    const create = (limits: ElephantOptions["limits"]) => createElephantSync({ engine, codeGeneration, limits });
    const read = (elephant: Elephant) => list(3, () => elephant.read(save));
    expect(differences(value, read(create({ maxNodes: containers, maxDepth: 5 })).at(-1))).toEqual([]);
    for (const less of [1, 2, 7]) {
      const elephant = create({ maxNodes: containers - less });
      const tries = list(3, () => expectError(() => elephant.read(save), "element-limit"));
      expect(new Set(tries.map((error) => error.offset)).size).toBe(1);
    }
    expectError(() => create({ maxDepth: 4 }).read(save), "depth-limit");
  });

  test.each([1, 2])("constructors run in the order of the file, callbacks behind them (%i forms)", (forms) => {
    const calls: string[] = [];
    class Bag {
      constructor() {
        calls.push("bag");
      }
    }
    class Thing {
      constructor() {
        calls.push("thing");
      }
    }
    const value = list(60, (i) =>
      make(Bag, { i, things: list(i % 3, (k) => make(Thing, { k, ...(pick(i + k, forms) ? { more: i } : {}) })) }),
    );
    const save = createReference({ constructors: { Bag, Thing } }).write(value);
    const expected = list(60, (i) => ["bag", ...list(i % 3, () => "thing")]).flat();
    const elephant = codec({ constructors: { Bag, Thing } });
    for (let i = 0; i < 3; i++) {
      calls.length = 0;
      elephant.read(save);
      expect(calls).toEqual(expected);
    }
    const prototype = Thing.prototype as unknown as Record<symbol, unknown>;
    const seen: unknown[] = [];
    prototype[POST_READ] = function (this: { k: unknown }) {
      seen.push(this.k);
    };
    try {
      elephant.read(save);
      expect(seen.toSorted()).toEqual(value.flatMap((bag) => (bag.things as { k: number }[]).map(({ k }) => k)).toSorted());
    } finally {
      delete prototype[POST_READ];
    }
  });

  test("constructors have other numbers in the next file", () => {
    const part = make(Part, { kind: 1, at: {}, text: "" });
    const saves = [[], [part], [new Item(), part]].map((first) => {
      const value = [...first, ...list(200, several(Unit))];
      return { value, save: reference.write(value) };
    });
    const elephant = codec();
    for (let i = 0; i < 3; i++) for (const { value, save } of saves) expect(differences(value, elephant.read(save))).toEqual([]);
  });

  test("random forms with random changes", { timeout: LONG }, () => {
    const scalar = fc.oneof(
      fc.integer(),
      fc.double(),
      fc.boolean(),
      fc.constant(undefined),
      fc.string({ maxLength: 20 }).map((text) => text.replaceAll("\0", "0")),
    );
    const names = fc.constantFrom("a", "b", "hp", "a name of more than sixteen bytes", "é");
    // What a member of an element is: a value that stays, one that counts, a struct now and then, or elements again, of up to three forms.
    const form = fc.letrec((tie) => ({
      member: fc.oneof({ weight: 5, arbitrary: scalar }, fc.constant("#"), {
        weight: 3,
        arbitrary: fc.record({ instead: fc.option(scalar), forms: fc.array(tie("struct"), { minLength: 1, maxLength: 3 }) }),
      }),
      struct: fc.array(fc.tuple(names, tie("member")), { minLength: 1, maxLength: 4 }),
    }));
    type Held = { instead: unknown; forms: unknown[] };
    const of = ({ instead, forms }: Held, i: number): unknown => {
      const one = (k: number) => build(forms[pick(i + k, forms.length)], i + k);
      return instead === null ? list(pick(i, 4), one) : pick(i, 3) ? one(0) : instead;
    };
    const build = (members: unknown, i: number): object =>
      Object.fromEntries(
        (members as [string, unknown][]).map(([name, member]) => [
          name,
          member === "#" ? (i % 7 ? i : `${i}`) : typeof member === "object" && member !== null ? of(member as Held, i) : member,
        ]),
      );
    const kept = codec();
    fc.assert(
      fc.property(fc.array(form.struct, { minLength: 1, maxLength: 2 }), (forms) => {
        const value = list(50, (i) => build(forms[i % 9 === 8 ? forms.length - 1 : 0], i));
        const save = reference.write(value);
        const expected = reference.read(save);
        expect(differences(expected, kept.read(save))).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });
});
