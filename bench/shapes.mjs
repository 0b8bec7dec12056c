// Kinds of saves that the corpora leave out, against the strong JavaScript codec: dictionaries, optional members, instances of all sorts, other alphabets.
// For finding where Tusk is slow, not for comparing: least times in one process for each kind, by turns, a collection before each.
// `node bench/shapes.mjs`; see --help.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { createElephantSync, SCHEMA, VERBOSE_EXCLUDE } from "tusk-codec/elephant";
import { createStrongJs } from "./codecs/strong-js.mjs";
import { optionsOf, refuse, roundsOf } from "./command-line.mjs";
import { rng } from "./corpora.mjs";

const HELP = `node bench/shapes.mjs [options]
  --only KIND      one kind of saves, by its whole name: "optional members" (default: all of them)
  --rounds N       rounds of each kind (default 20)`;

const options = optionsOf({ only: { type: "string" }, rounds: { type: "string" }, child: { type: "boolean", default: false } }, HELP);

const random = rng(1);
const below = (/** @type {number} */ n) => (random() * n) | 0;
/** @template T @param {number} n @param {(i: number) => T} item */
const list = (n, item) => Array.from({ length: n }, (_, i) => item(i));
/** @template T @param {number} n @param {(i: number) => [string, T]} entry */
const dictionary = (n, entry) => Object.fromEntries(list(n, entry));
const LATIN = "the quick brown fox jumps over lazy dog sword shield potion elixir ring".split(" ");
const CYRILLIC = "дракон меч король дорога ночь звезда вода огонь земля".split(" ");
const JAPANESE = "こんにちは世界 剣と魔法 竜の王 夜明け 星空 勇者".split(" ");
/** @param {string[]} vocabulary @param {number} n */
const words = (vocabulary, n) => list(n, () => vocabulary[below(vocabulary.length)]).join(" ");

/** @typedef {{ value: unknown, classes?: Record<string, new () => object>, times?: number }} Kind `times`: how often it is read, written or copied at a time */

/** Instances of a class. @param {object | undefined} schema @param {number} n @param {(i: number) => object} members @returns {Kind} */
function instances(schema, n, members) {
  class Thing {}
  if (schema) Object.assign(Thing, { [SCHEMA]: schema });
  return { value: list(n, (i) => Object.assign(new Thing(), members(i))), classes: { Thing } };
}

/** Instances of eight classes by turns, with the same members; `optional`: not all of them. @param {object | undefined} schema @param {boolean} optional @returns {Kind} */
function manyClasses(schema, optional) {
  const classes = Object.fromEntries(
    list(8, (i) => {
      class Thing {}
      if (schema) Object.assign(Thing, { [SCHEMA]: schema });
      return /** @type {[string, new () => object]} */ ([`Thing${i}`, Thing]);
    }),
  );
  const types = Object.values(classes);
  const value = list(12000, (id) => {
    const thing = Object.assign(new types[below(8)](), { id, name: words(LATIN, 2), x: random(), alive: id % 2 === 0 });
    const kind = optional ? below(3) : 0;
    return Object.assign(thing, kind === 1 ? { target: below(999) } : kind === 2 ? { speed: random() } : {});
  });
  return { value, classes };
}

/** Few instances each of many classes with members of their own. @returns {Kind} */
function fewOfMany() {
  const MEMBERS = list(12, (i) => i);
  const classes = Object.fromEntries(
    list(60, (k) => {
      class Thing {}
      const datatypes = MEMBERS.map((i) => [`m${i}_${k}`, ["u32", "f64", "string"][i % 3]]);
      Object.assign(Thing, { [SCHEMA]: { v1: Object.fromEntries(datatypes) } });
      return /** @type {[string, new () => object]} */ ([`Thing${k}`, Thing]);
    }),
  );
  const types = Object.values(classes);
  const value = list(600, () => {
    const k = below(60);
    const members = MEMBERS.map((i) => [`m${i}_${k}`, i % 3 === 2 ? words(LATIN, 1) : below(100)]);
    return Object.assign(new types[k](), Object.fromEntries(members));
  });
  return { value, classes };
}

/** What a game may keep in each of its slots: two instances by a schema, two with names. @returns {Kind} */
function slot() {
  class Hero {
    name = "Ada";
    hp = 80;
    friend = undefined;
    static [SCHEMA] = { v1: { name: "string", hp: "u16", friend: "any" } };
  }
  class Item {
    kind = "sword";
    n = 3;
  }
  const value = { party: [new Hero(), new Hero()], bag: [new Item(), new Item()], gold: 12.5, room: "rm_village" };
  return { value, classes: { Hero, Item }, times: 1000 };
}

/** Structs of which each leads to the next one, and the last to the first. @param {number} rings @param {number} length @returns {Kind} */
function ringsOf(rings, length) {
  const value = list(rings, () => {
    const ring = list(length, (i) => ({ next: /** @type {object | undefined} */ (undefined), i }));
    for (let i = 0; i < length; i++) ring[i].next = ring[(i + 1) % length];
    return ring[0];
  });
  return { value };
}

/** Instances that hold some of another class. @param {object | undefined} schema @param {object | undefined} inner @param {string[]} vocabulary @returns {Kind} */
function holders(schema, inner, vocabulary) {
  class Holder {}
  class Held {}
  if (schema) Object.assign(Holder, { [SCHEMA]: schema });
  if (inner) Object.assign(Held, { [SCHEMA]: inner });
  const held = () => Object.assign(new Held(), { text: words(vocabulary, 1), number: below(99) });
  const value = list(4000, () => Object.assign(new Holder(), { name: words(vocabulary, 2), list: list(below(5), held) }));
  return { value, classes: { Holder, Held } };
}

const being = (/** @type {number} */ i) => ({
  name: words(LATIN, 2),
  hp: below(99),
  cache: i,
  x: random(),
  y: random(),
  alive: i % 2 === 0,
});
const NAMES = ["a", "b", "c", "d"];

class Unit {}
class Item {}

/** Entities with items, as most games have them. @param {boolean} plain @param {boolean} optional some items have a member more @returns {Kind} */
function entities(plain, optional) {
  const make = (/** @type {new () => object} */ Class, /** @type {object} */ members) =>
    plain ? members : Object.assign(new Class(), members);
  const item = () =>
    make(Item, {
      sku: `item_${below(400)}`,
      qty: below(9),
      wear: below(8) / 8,
      ...(optional && below(3) === 0 ? { rune: words(LATIN, 1) } : {}),
    });
  const value = list(4000, (id) =>
    make(Unit, {
      id,
      name: words(LATIN, 2),
      x: random(),
      hp: below(100),
      alive: id % 3 > 0,
      items: list(below(5), item),
      stats: { str: below(20), dex: below(20) },
      tags: list(below(3), () => words(LATIN, 1)),
    }),
  );
  return { value, classes: { Unit, Item } };
}

/** @type {Record<string, () => Kind>} */
const KINDS = {
  "entities with items": () => entities(false, false),
  "entities with items, plain": () => entities(true, false),
  "entities, items of two forms": () => entities(false, true),
  "dialogue with answers": () => ({
    value: list(4000, (id) => ({
      id: `line_${id}`,
      who: words(LATIN, 1),
      text: words(LATIN, 9),
      answers: list(below(4), () => ({
        text: words(LATIN, 3),
        to: `line_${below(4000)}`,
        ...(below(3) ? {} : { needs: { flag: words(LATIN, 1), value: below(2) === 1 } }),
      })),
    })),
  }),
  "rooms of many classes": () => {
    const { value, classes } = manyClasses(undefined, true);
    const things = /** @type {object[]} */ (value);
    return {
      value: list(1000, (i) => ({ name: `room ${i}`, width: below(2000), things: things.slice(i * 12, i * 12 + below(12)) })),
      classes,
    };
  },
  "items named like their owners": () => ({
    value: list(2000, (id) => ({ id, items: list(below(12), () => ({ id: below(400), count: below(9) })) })),
  }),
  "values or nothing": () => ({
    value: list(12000, (id) => ({
      id,
      hp: below(99),
      target: below(2) ? below(99) : undefined,
      tag: below(2) ? words(LATIN, 1) : undefined,
    })),
  }),
  "grids of cells, most of them empty": () => ({
    value: list(375, () => list(60, () => (below(4) === 0 ? { tile: below(9), seen: below(2) === 0 } : undefined))),
  }),
  tuples: () => ({ value: list(20000, () => [words(LATIN, 1), below(100), below(2) === 0, random()]) }),
  points: () => ({ value: list(20000, () => ({ x: random(), y: random() })) }),
  "equipment, some of it missing": () => {
    const gear = (/** @type {number} */ chance) => (random() < chance ? { name: words(LATIN, 1), wear: random() } : undefined);
    return {
      value: list(3000, (id) => ({ id, name: words(LATIN, 2), head: gear(0.5), body: gear(0.7), hand: gear(0.6), ring: gear(0.2) })),
    };
  },
  "a struct or nothing": () => ({
    value: list(6000, (id) => ({
      id,
      name: words(LATIN, 2),
      hp: below(100),
      weapon: below(3) ? { name: words(LATIN, 1), damage: below(20) } : undefined,
    })),
  }),
  "dialogue in Cyrillic": () => ({ value: list(10000, (id) => ({ id, who: words(CYRILLIC, 1), text: words(CYRILLIC, 12) })) }),
  "dialogue in Japanese": () => ({ value: list(10000, (id) => ({ id: `line_${id}`, who: words(JAPANESE, 1), text: words(JAPANESE, 6) })) }),
  "long ASCII text": () => ({ value: list(10000, (id) => ({ id, text: words(LATIN, 20) + id })) }),
  "dictionary of structs": () => ({
    value: dictionary(8000, (i) => [`unit_${i}`, { hp: below(100), x: random(), name: words(LATIN, 2) }]),
  }),
  "dictionary of numbers": () => ({ value: dictionary(20000, (i) => [`flag_${i}`, below(3)]) }),
  "optional members": () => ({
    value: list(15000, (id) => {
      const struct = { id, a: 1, b: "x", c: true, d: random(), e: [1, 2] };
      for (const name of /** @type {const} */ (["a", "b", "c", "d", "e"])) if (random() < 0.5) delete (/** @type {any} */ (struct)[name]);
      return { ...struct };
    }),
  }),
  "members in any order": () => ({
    value: list(15000, () =>
      Object.fromEntries(
        NAMES.map((name) => ({ name, rank: random() }))
          .sort((a, b) => a.rank - b.rank)
          .map(({ name }) => [name, below(9)]),
      ),
    ),
  }),
  "members of any kind": () => ({
    value: list(20000, () => ({ v: [1, "a", true, undefined, 0.5, [1], { z: 1 }][below(7)], w: [1, "a", undefined][below(3)] })),
  }),
  "structs 40 levels deep": () => ({
    value: list(300, () => {
      /** @type {object} */
      let struct = { leaf: 1 };
      for (let n = 0; n < 40; n++) struct = { n, next: struct };
      return struct;
    }),
  }),
  "structs that share": () => {
    const shared = list(500, (n) => ({ n }));
    return { value: list(20000, (i) => ({ p: shared[below(500)], i })) };
  },
  "trees of one kind": () => ({
    value: list(2000, () => ({ name: words(LATIN, 1), children: list(below(6), () => ({ name: words(LATIN, 1), children: [] })) })),
  }),
  "structs that know their parents": () => {
    /** @param {number} depth @param {object | undefined} parent */
    const node = (depth, parent) => {
      /** @type {{ name: string, parent: object | undefined, children: object[] }} */
      const made = { name: words(LATIN, 1), parent, children: [] };
      if (depth > 0) made.children = list(5, () => node(depth - 1, made));
      return made;
    };
    return { value: node(5, undefined) };
  },
  "rings of 50 structs": () => ringsOf(160, 50),
  "rings of 500 structs": () => ringsOf(16, 500),
  "sixty classes, strict": fewOfMany,
  "small save, a thousand times": slot,
  "eight classes, shared": () => {
    const { value, classes } = manyClasses({ v1: { id: "u32", name: "string", x: "f32", alive: "bool" } }, false);
    const shared = /** @type {object[]} */ (value).slice(0, 50);
    return { value: list(12000, (n) => ({ template: shared[below(50)], n, x: random() })), classes };
  },
  int64: () => ({ value: list(20000, (i) => ({ id: BigInt(i) * 12345678901n, t: 1n })) }),
  "rows of integers": () => ({ value: list(200, () => list(200, () => below(1000))) }),
  "rows of fractions": () => ({ value: list(200, () => list(200, () => random())) }),
  "instances without schema": () => instances(undefined, 12000, being),
  "instances, empty schema": () => instances({}, 12000, being),
  "instances, exclude list": () => instances({ [VERBOSE_EXCLUDE]: ["cache"] }, 12000, being),
  "eight classes": () => manyClasses(undefined, false),
  "eight classes, optional": () => manyClasses(undefined, true),
  "eight classes, strict": () => manyClasses({ v1: { id: "u32", name: "string", x: "f32", alive: "bool" } }, false),
  "strict instances, text": () =>
    instances({ v1: { name: "string", text: "string", hp: "f16", speed: "f32" } }, 15000, () => ({
      name: words(CYRILLIC, 1),
      text: words(CYRILLIC, 5),
      hp: below(100),
      speed: below(50) / 8,
    })),
  "strict instances, grids": () =>
    instances({ v1: { name: "string", at: "struct", grid: "array" } }, 300, (i) => ({
      name: `room ${i}`,
      at: { x: i, y: "x" },
      grid: list(20, () => list(20, () => below(4))),
    })),
  "holding others, no schema": () => holders(undefined, undefined, LATIN),
  "holding others, strict": () => holders({ v1: { name: "string", list: "array" } }, { v1: { text: "string", number: "f64" } }, CYRILLIC),
};

/** @param {string} name @param {number} rounds */
function measure(name, rounds) {
  const { value, classes = {}, times = 1 } = KINDS[name]();
  const tusk = createElephantSync({ constructors: classes });
  const schemas = Object.entries(classes).map(([id, type]) => [id, { class: type, schema: /** @type {any} */ (type)[SCHEMA] }]);
  const strong = createStrongJs({ constructors: Object.fromEntries(schemas) });
  const save = tusk.write(value);
  const theirs = strong.encode(value);
  if (Buffer.compare(save, theirs) !== 0) throw new Error(`${name}: the two codecs write other bytes`);
  /** @type {[string, () => unknown, () => unknown][]} */
  const operations = [
    ["read", () => tusk.read(save), () => strong.decode(theirs)],
    ["write", () => tusk.write(value), () => strong.encode(value)],
    ["copy", () => tusk.duplicate(value), () => strong.decode(strong.encode(value))],
  ];
  const columns = operations.map(([title, ...both]) => {
    const least = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let round = -12; round < rounds; round++) {
      for (const which of round & 1 ? [1, 0] : [0, 1]) {
        globalThis.gc?.();
        const start = performance.now();
        for (let i = 0; i < times; i++) both[which]();
        if (round >= 0) least[which] = Math.min(least[which], performance.now() - start);
      }
    }
    return `${title} ${least[0].toFixed(2).padStart(6)} ms ${(least[1] / least[0]).toFixed(2).padStart(5)}`;
  });
  console.log(`${name.padEnd(28)} ${(save.length / 1e6).toFixed(2)} MB   ${columns.join("   ")}`);
}

const rounds = roundsOf(options.rounds) ?? 20;
const known = Object.keys(KINDS);
const names = known.filter((name) => options.only === undefined || name === options.only);
if (names.length === 0) refuse(`no kind ${options.only}; there are ${known.join("; ")}`);
if (options.child) measure(names[0], rounds);
else {
  console.log("least times, and times faster than the strong JavaScript codec (which compiles no writers for exclude lists)");
  for (const name of names)
    execFileSync(process.execPath, ["--expose-gc", fileURLToPath(import.meta.url), "--child", "--only", name, "--rounds", `${rounds}`], {
      stdio: "inherit",
    });
}
