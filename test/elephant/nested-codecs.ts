import { afterAll, beforeAll, expect, test } from "vitest";
import { Machine } from "../../src/elephant/machine.ts";
import { Nested } from "../../src/elephant/read/nested.ts";
import {
  CASES,
  createElephantSync,
  type Elephant,
  type ElephantConstructor,
  type ElephantOptions,
  ENGINES,
  LONG_RUN,
  MODES,
  type ReadOptions,
  SCHEMA,
  TuskError,
  VERSION_VERBOSE,
  type WriteOptions,
} from "./codec.ts";
import { differences } from "./compare.ts";
import { createReference } from "./reference.ts";

export type Members = Record<string, unknown>;
export type Fields = Record<string, string | boolean>;
export type Classes = Record<string, ElephantConstructor>;

/** Reads that are enough for all that a codec learns. */
export const READS = 10;
/** Those of a check; nearly all is learned in the first three. */
const CHECKED_READS = LONG_RUN ? READS : 6;

// How often the way was taken, and how often an operation ended in the middle.
export const taken = { operations: 0, cuts: 0 };
const { read } = Nested.prototype;
const { begin } = Machine.prototype;
/** Is every struct to go that way that may, without layouts, however often it has been met? Otherwise what it holds and how often decides. */
export const way = { always: false };
/** Words of a slot for structs that begin alike, what stands in them then (assembly/elephant/layouts/words.ts), and how far from the place for both the slots are. */
const SLOT = [1, 0, 2, 65536];
const SLOTS = 1024;
const SLOTS_BEFORE = (1 << 20) + (1 << 15) + (1 << 14);
beforeAll(() => {
  Machine.prototype.begin = function () {
    begin.call(this);
    const { place } = (this as unknown as { nested: { place: number } }).nested;
    if (way.always) for (let i = 0; i < SLOTS; i++) this.views.u32.set(SLOT, place - (SLOTS_BEFORE >> 2) + i * SLOT.length);
  };
  Nested.prototype.read = function () {
    read.call(this);
    taken.operations++;
    if (this.cut) taken.cuts++;
  };
});
afterAll(() => {
  Nested.prototype.read = read;
  Machine.prototype.begin = begin;
});

/** A class with one strict version. */
export function classOf(fields: Fields, more: Members = {}): ElephantConstructor {
  class Made {}
  (Made as unknown as Members)[SCHEMA as unknown as string] = { v1: fields, ...more };
  return Made as unknown as ElephantConstructor;
}

/** The same, whose constructor makes all members. */
export function declaringClassOf(fields: Fields, initial: () => unknown = () => undefined): ElephantConstructor {
  class Made {
    static [SCHEMA] = { v1: fields };
    constructor() {
      for (const name of Object.keys(fields).sort()) (this as Members)[name] = initial();
    }
  }
  return Made as unknown as ElephantConstructor;
}

export function make(Class: ElephantConstructor, members: Members): Members {
  const instance = Object.create(Class.prototype as object) as Members;
  for (const name of Object.keys(members))
    Object.defineProperty(instance, name, { value: members[name], writable: true, enumerable: true, configurable: true });
  return instance;
}

/** Names of the members of all containers, in the order in which they are met: comparing two graphs leaves that open. */
export function names(root: unknown): string {
  const seen = new Set<unknown>();
  const found: string[][] = [];
  const open = [root];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== "object" || next === null || seen.has(next)) continue;
    seen.add(next);
    if (!Array.isArray(next)) found.push(Object.keys(next).filter((name) => name !== VERSION_VERBOSE));
    open.push(...Object.values(next));
  }
  return JSON.stringify(found);
}

/** Are the members of all containers in the same order in a graph that equals another? */
function isOrderedAs(expected: unknown, found: unknown): boolean {
  const seen = new Set<unknown>();
  const open: unknown[] = [];
  const add = (left: unknown, right: unknown): void => {
    if (typeof left !== "object" || left === null || seen.has(left)) return;
    seen.add(left);
    open.push(left, right);
  };
  add(expected, found);
  while (open.length > 0) {
    const right = open.pop() as Members;
    const left = open.pop() as Members;
    if (Array.isArray(left)) {
      for (let i = 0; i < left.length; i++) add(left[i], right[i]);
      continue;
    }
    const names = Object.keys(left);
    const others = Object.keys(right);
    const isName = (name: string) => name !== VERSION_VERBOSE;
    if (!isSameList(names, others) && !isSameList(names.filter(isName), others.filter(isName))) return false;
    for (const name of names) add(left[name], right[name]);
  }
  return true;
}

function isSameList(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((one, i) => one === right[i]);
}

export function isSame(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}

/** What comes of reading: the value, or the error's code and place. */
export function outcome(codec: Elephant, save: Uint8Array, options?: ReadOptions): { value?: unknown; error?: unknown } {
  try {
    return { value: codec.read(save, options) };
  } catch (error) {
    return { error: error instanceof TuskError ? [error.code, error.offset] : String(error) };
  }
}

export const STRINGS = [
  "",
  "a",
  "fifteen bytes..",
  "sixteen bytes...",
  "naïve",
  "日本語 😀",
  "long ".repeat(30),
  "é".repeat(100),
  "\ufeff",
];

/** One codec for what is only written. */
export function createElephantWriter(constructors: Classes): Elephant {
  return createElephantSync({ constructors, engine: ENGINES[0] });
}

function containersOf(value: unknown): object[] {
  return typeof value === "object" && value !== null ? Object.values(value).filter((one) => typeof one === "object" && one !== null) : [];
}

export function countContainers(root: object): number {
  const seen = new Set<object>([root]);
  for (const one of seen)
    if (!Array.isArray(one)) for (const inner of containersOf(one)) seen.add(inner);
    else for (const inner of one) if (typeof inner === "object" && inner !== null) seen.add(inner);
  return seen.size;
}

export function countInstances(root: object): number {
  const seen = new Set<object>([root]);
  for (const one of seen) for (const inner of containersOf(one)) seen.add(inner);
  return [...seen].filter((one) => !Array.isArray(one) && Object.getPrototypeOf(one) !== Object.prototype).length;
}

/** Levels of a graph in the order in which it is stored: members of classes sorted by name, as all here are. */
export function depthOf(root: object): number {
  const seen = new Set<object>();
  const visit = (one: object): number => {
    seen.add(one);
    let deepest = 0;
    for (const inner of sortedContainersOf(one)) if (!seen.has(inner)) deepest = Math.max(deepest, visit(inner));
    return deepest + 1;
  };
  return visit(root);
}

function sortedContainersOf(one: object): object[] {
  if (Array.isArray(one) || Object.getPrototypeOf(one) === Object.prototype) return containersOf(one);
  const members = one as Members;
  return containersOf(
    Object.keys(members)
      .sort()
      .map((name) => members[name]),
  );
}

/** A copy of a graph. */
export function structuredGraph<T>(value: T): T {
  const copies = new Map<object, object>();
  const copy = (one: unknown): unknown => {
    if (typeof one !== "object" || one === null) return one;
    if (copies.has(one)) return copies.get(one);
    const made = Array.isArray(one) ? [] : (Object.create(Object.getPrototypeOf(one) as object) as object);
    copies.set(one, made);
    for (const name of Object.keys(one)) (made as Members)[name] = copy((one as Members)[name]);
    return made;
  };
  return copy(value) as T;
}

export function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % below;
  };
}

/** Two to four classes of random schemas, and graphs of some hundred of their instances, with sharing and cycles. */
export function randomWorld(seed: number): { constructors: Classes; graph: () => unknown } {
  const below = random(seed);
  const scalars: Record<string, () => unknown> = {
    u8: () => below(256),
    s16: () => below(65536) - 32768,
    u32: () => below(2 ** 24) * 256,
    s32: () => below(2 ** 24) - 2 ** 23,
    f16: () => below(2000) / 8,
    f32: () => below(1000) / 4,
    f64: () => [below(9), below(1000) / 7, -0, 2 ** 40, Number.NaN][below(5)],
    bool: () => below(2) === 0,
    string: () => (below(2) ? STRINGS[below(STRINGS.length)] : `text ${below(500)}`),
    u64: () => BigInt(below(2 ** 24)) * -(3n ** 20n),
    undefined: () => undefined,
  };
  const names = Object.keys(scalars);
  const classes = Array.from({ length: 2 + below(3) }, (_, k) => {
    const fields: Fields = {};
    for (let count = 1 + below(7); count > 0; count--)
      fields[`${"abcdefgh"[below(8)]}${below(3)}`] = below(3) ? names[below(names.length)] : ["array", "any", "any", "struct"][below(4)];
    // Each can hold others.
    fields[`${"ahz"[below(3)]}${k}`] = ["array", "any"][below(2)];
    return { Class: (seed & 1 ? declaringClassOf : classOf)(fields), fields: Object.entries(fields) as [string, string][] };
  });
  const graph = (): unknown => {
    const made: object[] = [];
    let left = 200 + below(200);
    const scalar = () => ["f64", "f64", "bool", "string", "undefined", "u64"].map((name) => scalars[name])[below(6)]();
    const kind = below(4);
    const item = (depth: number): unknown => {
      const choice = below(10);
      if (choice < 2 && made.length > 0) return made[below(made.length)];
      if (choice < 7 && left > 0 && depth < 40) return instance(depth + 1);
      if (choice === 7) return list(depth + 1);
      return choice === 8 ? struct(depth + 1) : scalar();
    };
    const list = (depth: number): unknown[] => {
      const array: unknown[] = [];
      made.push(array);
      const choice = below(8);
      const length = below(kind === 0 ? 3 : 7);
      const value =
        choice < 3 && left > 0
          ? () => instance(depth)
          : [
              () => below(9),
              () => below(9) / 2,
              scalars.string,
              () => [below(3)],
              () => item(depth + 1),
              () => item(depth + 1),
              scalar,
              () => struct(depth),
            ][choice];
      for (let i = 0; i < length; i++) array.push(value());
      return array;
    };
    const struct = (depth: number): object => {
      const one: Members = {};
      made.push(one);
      for (let count = below(4); count > 0; count--) one["xyzw"[below(4)]] = below(4) ? scalar() : item(depth + 1);
      return one;
    };
    const instance = (depth: number): object => {
      left--;
      const { Class, fields } = classes[below(classes.length)];
      const one = make(Class, {});
      made.push(one);
      for (const [name, datatype] of fields) {
        if (datatype === "array") one[name] = below(5) ? list(depth + 1) : (made.filter(Array.isArray).at(-1) ?? []);
        else if (datatype === "struct") one[name] = below(2) && left > 0 && depth < 40 ? instance(depth + 1) : struct(depth + 1);
        else one[name] = datatype === "any" ? item(depth + 1) : scalars[datatype]();
      }
      return one;
    };
    const root: unknown[] = [];
    while (left > 0) root.push(instance(1));
    return root;
  };
  return { constructors: Object.fromEntries(classes.map(({ Class }, i) => [`Class${i}`, Class])), graph };
}

const Branch = classOf({ aa: "any", list: "array", mask: "u32" });
const Leaf = classOf({ at: "struct", n: "u16", name: "string", wide: "u64" });
const WOODS = { Branch, Leaf };
export const leaf = (n: number, at: object = { x: n, y: 0.5 }) =>
  make(Leaf, { at, n, name: n % 3 ? `leaf ${n}` : "a name of more than fifteen bytes", wide: BigInt(n) });
// What follows an array is a reference that leads nowhere, if it is taken for an element.
const branch = (list: unknown[], aa?: unknown) => make(Branch, { aa, list, mask: 0xffffffff });

/** A graph with everything in it that can be cut off somewhere, its depth and number of containers far from any other limit. */
function wood(): Members[] {
  const shared = leaf(7);
  const root = branch([leaf(1), leaf(2, shared), [leaf(3), [1, 2, 3], ["a", "b", "c"]]], "text");
  const list = root.list as unknown[];
  list.push(
    branch([0.5, 1, 2], [1, "any", undefined, true, leaf(4), [shared], {}, 0.25, 5n, root]),
    branch(["one", "two", "three", "a fourth that is longer", "é"], { a: 1, b: "two", c: shared, d: root }),
    branch([], branch([branch([branch([branch([leaf(5)], 1)], "deep")], 0.5)], { held: [leaf(6)] })),
    branch([{ x: 1, y: 2 }, {}, shared, list, { x: 1, y: "2" }], list),
    branch([[], [[]], [[1], [2, 3]], [undefined, undefined], [true, false]], undefined),
  );
  return [root, branch([root, leaf(8)], shared)];
}

// No layout fits them.
const tip = (n: number) => branch([1, leaf(n), leaf(n)], n);
const LESSON = () => Array.from({ length: 2 }, (_, i) => branch([leaf(i), tip(i)], tip(i)));

/** What {@link codecsOf}'s `learned` teaches. */
export function woods() {
  return { constructors: WOODS as Classes, value: wood(), small: LESSON() };
}

/**
 * Damage of small saves, with what comes of it for a codec that has read nothing yet: made once, because it takes a codec each. Every byte is changed, in the suite
 * to another one near it and to one far away, in the long run to both of those.
 */
let damages:
  | { bytes: Uint8Array; value: unknown; damage: { at: number; damaged: Uint8Array; fresh: { value?: unknown; error?: unknown } }[] }[]
  | undefined;
export function damagedSaves(constructors: Classes): NonNullable<typeof damages> {
  // The instance inside the list of anything is not known to nest before: a codec that has read nothing goes the general way.
  const small = [
    branch([1], [1, leaf(1, {}), branch([leaf(2, { x: 1 })], 1)]),
    branch(["a"], ["x", branch([["a", "b"], [1], { y: "z" }], true)]),
  ];
  damages ??= small.map((value) => {
    const bytes = createElephantWriter(constructors).write(value);
    const damage: NonNullable<typeof damages>[number]["damage"] = [];
    for (let at = 8; at < bytes.length; at++) {
      for (const byte of LONG_RUN ? [64, 255, bytes[at] ^ 1] : [at & 1 ? 64 : 255, bytes[at] ^ 1]) {
        const damaged = bytes.with(at, byte);
        damage.push({ at, damaged, fresh: outcome(createElephantSync({ constructors, engine: ENGINES[0] }), damaged) });
      }
    }
    return { bytes, value, damage };
  });
  return damages;
}

/** Graphs drawn by the property, for each mode. */
export const RUNS = Math.ceil(CASES / 40);
export const LONG = Math.max(60_000, RUNS * 2000);

/** What the tests of one mode begin with. */
export function codecsOf(mode: { engine: "wasm" | "js"; codeGeneration: boolean }) {
  /** Large saves: once for each byte level. */
  const large = (title: string, run: () => unknown): void => {
    if (mode.codeGeneration === (mode.engine === "wasm")) test(title, run as () => void);
  };
  const create = (options: ElephantOptions) => createElephantSync({ ...options, ...mode });
  /** Of many cases those that the suite tries in this mode: each in one of the modes. The long run tries all in all. */
  const some = <T>(cases: readonly T[]): T[] => cases.filter((_, i) => LONG_RUN || i % MODES.length === MODES.indexOf(mode));
  /**
   * Reads what is written of a value again and again by one codec. Each time it must be written again as it was, and the last time be what the
   * reference codec reads. `may`: it may be too small for the way that is tested.
   */
  function check(
    constructors: Classes,
    value: unknown,
    { write, reads = CHECKED_READS, may }: { write?: WriteOptions; reads?: number; may?: boolean } = {},
  ): unknown {
    const codec = create({ constructors });
    const save = codec.write(value, write);
    const before = taken.operations;
    let read: unknown;
    for (let i = 0; i < reads; i++) {
      way.always = i > 0;
      read = codec.read(save);
      way.always = false;
      if (!isSame(codec.write(read, write), save)) {
        expect(differences(value, read), `read ${i}`).toEqual([]);
        expect.fail(`what was read at time ${i} is not written again as it was`);
      }
    }
    if (!may) expect(taken.operations > before).toBe(true);
    const expected = createReference({ constructors }).read(save);
    expect(differences(expected, read)).toEqual([]);
    if (!isOrderedAs(expected, read)) expect(names(read)).toBe(names(expected));
    return read;
  }

  const Node = classOf({ id: "f64", list: "array", any: "any" });
  const node = (id: number, list: unknown[] = [], any?: unknown) => make(Node, { id, list, any });
  /** What is read first: it teaches a codec that `Node` nests. */
  const lesson = () => Array.from({ length: 20 }, (_, i) => node(i, [node(-i, [])], node(i)));

  /** A codec that has learned all there is to learn of {@link WOODS}. */
  function learned() {
    const { constructors, value, small } = woods();
    const codec = create({ constructors });
    // The last one is worth so much to that way that reading small ones afterwards does not close it.
    const saves = [codec.write(value), codec.write(small), codec.write(Array.from({ length: 300 }, LESSON).flat())];
    for (let i = 0; i < 60; i++) codec.read(saves[i % 2]);
    for (let i = 0; i < 8; i++) codec.read(saves[2]);
    return { codec, constructors, value, small };
  }
  return { large, create, some, check, Node, node, lesson, learned };
}
