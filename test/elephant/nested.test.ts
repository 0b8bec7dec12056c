// Structs that hold others, read as they stand in the file (src/elephant/read/nested.ts). A codec goes that way only
// when it has learned that those that begin alike nest, and has functions made after some more of them; whatever it has learned, the value must be that of
// the reference codec, which learns nothing, and an error that of a codec that has read nothing yet.
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Machine } from "../../src/elephant/machine.ts";
import { Nested } from "../../src/elephant/read/nested.ts";
import { file, text } from "./bytes.ts";
import {
  createElephantSync,
  type Elephant,
  type ElephantConstructor,
  type ElephantOptions,
  ENGINES,
  POST_READ,
  PRE_READ,
  type ReadOptions,
  SCHEMA,
  StructInstance,
  TuskError,
  VERSION_VERBOSE,
  type WriteOptions,
} from "./codec.ts";
import { differences } from "./compare.ts";
import { failure } from "./expect-error.ts";
import { createReference } from "./reference.ts";

type Members = Record<string, unknown>;
type Fields = Record<string, string | boolean>;
type Classes = Record<string, ElephantConstructor>;

/** Every byte level, with and without functions made of text. */
const MODES = ENGINES.flatMap((engine) => [true, false].map((codeGeneration) => ({ engine, codeGeneration })));

/** Reads that are enough for all that a codec learns. */
const READS = 10;

// How often the way was taken, and how often an operation ended in the middle.
const taken = { operations: 0, cuts: 0 };
const { read } = Nested.prototype;
const { begin } = Machine.prototype;
/** Is every struct to go that way that may, without layouts, however often it has been met? Otherwise what it holds and how often decides. */
let always = false;
/** Words of a slot for structs that begin alike, what stands in them then (assembly/elephant/layouts/words.ts), and how far from the place for both the slots are. */
const SLOT = [1, 0, 2, 65536];
const SLOTS = 1024;
const SLOTS_BEFORE = (1 << 20) + (1 << 15) + (1 << 14);
beforeAll(() => {
  Machine.prototype.begin = function () {
    begin.call(this);
    const { place } = (this as unknown as { nested: { place: number } }).nested;
    if (always) for (let i = 0; i < SLOTS; i++) this.views.u32.set(SLOT, place - (SLOTS_BEFORE >> 2) + i * SLOT.length);
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
function classOf(fields: Fields, more: Members = {}): ElephantConstructor {
  class Made {}
  (Made as unknown as Members)[SCHEMA as unknown as string] = { v1: fields, ...more };
  return Made as unknown as ElephantConstructor;
}

function make(Class: ElephantConstructor, members: Members): Members {
  const instance = Object.create(Class.prototype as object) as Members;
  for (const name of Object.keys(members))
    Object.defineProperty(instance, name, { value: members[name], writable: true, enumerable: true, configurable: true });
  return instance;
}

/** Names of the members of all containers, in the order in which they are met: comparing two graphs leaves that open. */
function names(root: unknown): string {
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

function isSame(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}

/** What comes of reading: the value, or the error's code and place. */
function outcome(codec: Elephant, save: Uint8Array, options?: ReadOptions): { value?: unknown; error?: unknown } {
  try {
    return { value: codec.read(save, options) };
  } catch (error) {
    return { error: error instanceof TuskError ? [error.code, error.offset] : String(error) };
  }
}

const STRINGS = ["", "a", "fifteen bytes..", "sixteen bytes...", "naïve", "日本語 😀", "long ".repeat(30), "é".repeat(100), "\ufeff"];

/** One codec for what is only written. */
function createElephantWriter(constructors: Classes): Elephant {
  return createElephantSync({ constructors, engine: ENGINES[0] });
}

function containersOf(value: unknown): object[] {
  return typeof value === "object" && value !== null ? Object.values(value).filter((one) => typeof one === "object" && one !== null) : [];
}

function countContainers(root: object): number {
  const seen = new Set<object>([root]);
  for (const one of seen) for (const inner of containersOf(one)) seen.add(inner);
  return seen.size;
}

function countInstances(root: object): number {
  const seen = new Set<object>([root]);
  for (const one of seen) for (const inner of containersOf(one)) seen.add(inner);
  return [...seen].filter((one) => !Array.isArray(one) && Object.getPrototypeOf(one) !== Object.prototype).length;
}

/** Levels of a graph in the order in which it is stored: members of classes sorted by name, as all here are. */
function depthOf(root: object): number {
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
function structuredGraph<T>(value: T): T {
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

function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % below;
  };
}

/** Two to four classes of random schemas, and graphs of some hundred of their instances, with sharing and cycles. */
function randomWorld(seed: number): { constructors: Classes; graph: () => unknown } {
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
    return { Class: classOf(fields), fields: Object.entries(fields) as [string, string][] };
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
const leaf = (n: number, at: object = { x: n, y: 0.5 }) =>
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

const LESSON = () => Array.from({ length: 2 }, (_, i) => branch([leaf(i), branch([], i)], branch([leaf(i)], [leaf(i)])));

/** Damage of small saves, with what comes of it for a codec that has read nothing yet: made once, because it takes a codec each. */
let damages:
  | { bytes: Uint8Array; value: unknown; damage: { at: number; damaged: Uint8Array; fresh: { value?: unknown; error?: unknown } }[] }[]
  | undefined;
function damagedSaves(constructors: Classes): NonNullable<typeof damages> {
  // The instance inside the list of anything is not known to nest before: a codec that has read nothing goes the general way.
  const small = [
    branch([1], [1, leaf(1, {}), branch([leaf(2, { x: 1 })], 1)]),
    branch(["a"], ["x", branch([["a", "b"], [1], { y: "z" }], true)]),
  ];
  damages ??= small.map((value) => {
    const bytes = createElephantWriter(constructors).write(value);
    const damage: NonNullable<typeof damages>[number]["damage"] = [];
    for (let at = 8; at < bytes.length; at++) {
      for (const byte of [64, 255, bytes[at] ^ 1]) {
        const damaged = bytes.with(at, byte);
        damage.push({ at, damaged, fresh: outcome(createElephantSync({ constructors, engine: ENGINES[0] }), damaged) });
      }
    }
    return { bytes, value, damage };
  });
  return damages;
}

/** Graphs drawn by the property, for each mode. */
const RUNS = Number(process.env.TUSK_CASES ?? 300) / 75;
const LONG = Math.max(60_000, RUNS * 2000);

describe.each(MODES)("$engine, code generation $codeGeneration", (mode) => {
  /** Large saves: once for each byte level. */
  const large = (title: string, run: () => unknown): void => {
    if (mode.codeGeneration === (mode.engine === "wasm")) test(title, run as () => void);
  };
  const create = (options: ElephantOptions) => createElephantSync({ ...options, ...mode });
  /**
   * Reads what is written of a value again and again by one codec. Each time it must be written again as it was, and the last time be what the
   * reference codec reads. `may`: it may be too small for the way that is tested.
   */
  function check(
    constructors: Classes,
    value: unknown,
    { write, reads = READS, may }: { write?: WriteOptions; reads?: number; may?: boolean } = {},
  ): unknown {
    const codec = create({ constructors });
    const save = codec.write(value, write);
    const before = taken.operations;
    let read: unknown;
    for (let i = 0; i < reads; i++) {
      always = i > 0;
      read = codec.read(save);
      always = false;
      if (!isSame(codec.write(read, write), save)) {
        expect(differences(value, read), `read ${i}`).toEqual([]);
        expect.fail(`what was read at time ${i} is not written again as it was`);
      }
    }
    if (!may) expect(taken.operations > before).toBe(true);
    const expected = createReference({ constructors }).read(save);
    expect(differences(expected, read)).toEqual([]);
    expect(names(read)).toBe(names(expected));
    return read;
  }

  const Node = classOf({ id: "f64", list: "array", any: "any" });
  const node = (id: number, list: unknown[] = [], any?: unknown) => make(Node, { id, list, any });
  /** What is read first: it teaches a codec that `Node` nests. */
  const lesson = () => Array.from({ length: 20 }, (_, i) => node(i, [node(-i, [])], node(i)));

  /** A codec that has learned all there is to learn of {@link WOODS}. */
  function learned() {
    const codec = create({ constructors: WOODS });
    const [value, small] = [wood(), LESSON()];
    const saves = [codec.write(value), codec.write(small)];
    for (let i = 0; i < 60; i++) codec.read(saves[i & 1]);
    return { codec, constructors: WOODS as Classes, value, small };
  }

  describe("values", () => {
    test("a field that has held containers keeps its numbers", () => {
      // Made anew each time: what is shared would be references.
      const kinds = [() => 1, () => 0.5, () => [1], () => node(1, [], 1), () => ({})];
      for (const first of kinds) {
        for (const second of kinds) {
          const value = Array.from({ length: 30 }, (_, i) => node(i, [node(i, [], second())], i & 1 ? first() : second()));
          check({ Node }, value, { reads: 2 });
        }
      }
    });

    large("a tree by fields alone, of instances that take more room when read than in the file", () => {
      const fields: Fields = { left: "any", right: "any", name: "string" };
      for (let i = 0; i < 40; i++) fields[`flag${i}`] = "bool";
      const Tree = classOf(fields);
      let id = 0;
      const tree = (depth: number): Members => {
        const members: Members = {
          left: depth ? tree(depth - 1) : undefined,
          right: depth ? tree(depth - 1) : undefined,
          name: `name ${id++}`,
        };
        for (let i = 0; i < 40; i++) members[`flag${i}`] = (depth + i) % 3 === 0;
        return make(Tree, members);
      };
      check({ Tree }, tree(11), { reads: 2 });
    });

    test("fields of every datatype", () => {
      const edges: [datatype: string, values: unknown[]][] = [
        ["u8", [0, 255]],
        ["s8", [-128, 127]],
        ["u16", [0, 65535]],
        ["s16", [-32768, 32767]],
        ["u32", [0, 2 ** 31, 2 ** 32 - 1]],
        ["s32", [-(2 ** 31), 2 ** 31 - 1]],
        ["f16", [-0, 0.5, 65504, Number.NaN, -Infinity]],
        ["f32", [-0, 0.5, 2 ** 100, Number.NaN, Infinity]],
        ["f64", [-0, 0, 0.1, 2 ** 31, -(2 ** 31), 2 ** 53, Number.NaN, Infinity]],
        ["bool", [true, false]],
        ["string", STRINGS],
        ["text", STRINGS],
        ["u64", [0n, -1n, 2n ** 63n - 1n, -(2n ** 63n)]],
        ["undefined", [undefined]],
        ["any", [undefined, true, "text", 0, -0, 0.5, 2n ** 40n, Number.NaN, STRINGS[5]]],
      ];
      const fields = Object.fromEntries(edges.map(([datatype]) => [`a ${datatype}`, datatype]));
      const All = classOf({ ...fields, list: "array", struct: "struct", "z any": "any" });
      const all = (i: number, list: unknown[], struct: object, any: unknown) =>
        make(All, {
          ...Object.fromEntries(edges.map(([datatype, values]) => [`a ${datatype}`, values[i % values.length]])),
          list,
          struct,
          "z any": any,
        });
      check(
        { All },
        Array.from({ length: 60 }, (_, i) =>
          all(i, [all(i + 1, [], {}, i % 3 ? 1 : "x")], all(i + 2, [i], { i }, undefined), all(i + 3, [], {}, [i])),
        ),
      );
      // One kind of edge after the other, so that what has been learned is wrong again and again.
      const byEdge = edges.flatMap(([datatype, values]) =>
        values.flatMap((value) =>
          Array.from({ length: 14 }, (_, i) => make(All, { ...all(0, [all(i, [], {}, 0)], {}, 0), [`a ${datatype}`]: value })),
        ),
      );
      check({ All }, byEdge, { reads: 3 });
    });

    large("every half", () => {
      const names = Array.from({ length: 16 }, (_, i) => `half ${i}`);
      const Halves = classOf({ ...Object.fromEntries(names.map((name) => [name, "f16"])), list: "array" });
      const half = (bits: number): number => {
        const exponent = (bits >> 10) & 31;
        const size =
          exponent === 31
            ? bits & 1023
              ? Number.NaN
              : Infinity
            : exponent
              ? (1 + (bits & 1023) / 1024) * 2 ** (exponent - 15)
              : (bits & 1023) / 2 ** 24;
        return bits & 0x8000 ? -size : size;
      };
      const halves = (at: number, list: unknown[]) =>
        make(Halves, { ...Object.fromEntries(names.map((name, i) => [name, half(at * 16 + i)])), list });
      const value = Array.from({ length: 2048 }, (_, i) => halves(i * 2, [halves(i * 2 + 1, [])]));
      expect(differences(value, check({ Halves }, value, { reads: 3 }))).toEqual([]);
    });

    test("texts of any length and characters, what is no UTF-8, and surrogates in three bytes each", () => {
      const characters = ["a", "é", "д", "竜", "🐉", "\ufeff", "\u0080", "\uffff"];
      const lengths = [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 100, 5000];
      const well = characters.flatMap((character) =>
        lengths.flatMap((length) => [character.repeat(length), `${"a".repeat(length)}${character}`]),
      );
      const broken: [hex: string, read: string][] = [
        ["61eda0bdedb08962", "a🐉b"],
        ["eda0bd", "\ufffd\ufffd\ufffd"],
        ["edb089eda0bd", "\ufffd".repeat(6)],
        ["6161616161616161616161616161616161ff", `${"a".repeat(17)}\ufffd`],
        ["c3", "\ufffd"],
        ["61f09f9061", "a\ufffda"],
        ["c08061", "\ufffd\ufffda"],
        ["e3818261e381", "あa\ufffd"],
      ];
      const Texts = classOf({ text: "text", list: "array", any: "any", string: "string", struct: "struct" });
      const texts = (text: string, list: unknown[]) => make(Texts, { text, list, any: text, string: text, struct: { text } });
      const value = well.map((text, i) => texts(text, [texts(well.at(-i)!, [])]));
      check({ Texts }, value, { reads: 3 });

      // Written as ASCII of the same length, and then put in its place.
      const stand = (i: number) => String.fromCharCode(65 + i).repeat(broken[i][0].length / 2);
      const codec = create({ constructors: { Texts } });
      const save = Buffer.from(
        codec.write(Array.from({ length: 80 }, (_, i) => texts(stand(i % 8), [texts(stand(i % 8), [stand(i % 8)])]))),
      );
      broken.forEach(([hex], i) => {
        const bytes = Buffer.from(hex, "hex");
        for (let at = save.indexOf(`${stand(i)}\0`); at >= 0; at = save.indexOf(`${stand(i)}\0`, at)) save.set(bytes, at);
      });
      const expected = Array.from({ length: 80 }, (_, i) => texts(broken[i % 8][1], [texts(broken[i % 8][1], [broken[i % 8][1]])]));
      for (let i = 0; i < READS; i++) expect(differences(expected, codec.read(save))).toEqual([]);
    });

    test("arrays of every datatype", () => {
      const longer = (length: number, value: (i: number) => unknown) => Array.from({ length }, (_, i) => value(i));
      const lists: (() => unknown[])[] = [
        () => [],
        () => [0],
        () => [1, 2, 3],
        () => [1, -2, 3, 4, 5, 6, 7],
        () => [-0, 0, 1],
        () => [0.5, 1, 2],
        () => [Number.NaN, Infinity, 2 ** 31, -(2 ** 31)],
        () => [true, false, true],
        () => ["a", "", "b"],
        () => [...STRINGS],
        () => [1n, -1n],
        () => [undefined],
        () => [undefined, undefined, undefined],
        () => [undefined, 1],
        () => [[]],
        () => [[], [[]], [[[]], []]],
        () => [[1, 2], ["a"], [true], [undefined], [0.5], []],
        () => [{}, {}, {}],
        () => [{ a: 1 }, node(1), { b: [1] }, node(2, [node(3)])],
        () => [1, "a", true, undefined, 0.5, -0, 2n ** 50n, [], {}, node(1), [node(2)], Number.NaN, -(2 ** 31)],
        ...[64, 65, 1000].flatMap((length) => [
          () => longer(length, (i) => i),
          () => longer(length, (i) => i / 2),
          () => longer(length, (i) => `text ${i % 40}`),
          () => longer(length, (i) => (i % 2 ? i : `${i}`)),
          () => longer(length, (i) => [i]),
          () => longer(length, (i) => node(i, [i], `${i}`)),
          () => longer(length, (i) => ({ i })),
          () => longer(length, () => undefined),
        ]),
      ];
      check({ Node }, [
        ...lists.map((list, i) => node(i, list(), list())),
        lesson(),
        ...lists.map((list, i) => node(i, [list(), list()], node(i, list()))),
      ]);
      for (const list of lists.slice(0, 20))
        check(
          { Node },
          longer(30, (i) => node(i, list(), node(i, list()))),
          { reads: 3 },
        );
    });

    test("plain structs inside", () => {
      const wide = (count: number, value: (i: number) => unknown) =>
        Object.fromEntries(Array.from({ length: count }, (_, i) => [`m${i}`, value(i)]));
      const proto = Object.defineProperty({}, "__proto__", { value: 1, enumerable: true, configurable: true, writable: true });
      const structs: ((i: number) => object)[] = [
        () => ({}),
        (i) => ({ x: i, y: i / 2 }),
        (i) => ({ x: "text", y: i % 2 === 0, z: undefined, w: 5n }),
        (i) => ({ x: i % 2 ? i : "x" }),
        () => ({ ...proto, after: 2 }),
        () => proto,
        (i) => ({ [`never seen ${i} ${Math.random()}`]: i }),
        () => ({ "": 1, toString: "2", constructor: 3, hasOwnProperty: 4 }),
        (i) => wide(63, () => i),
        (i) => wide(64, () => `${i}`),
        (i) => wide(65, () => i),
        (i) => wide(200, (k) => (k % 3 ? i : "x")),
        () => ({ ["n".repeat(127)]: 1, ["n".repeat(128)]: 2, ["é".repeat(200)]: 3 }),
        (i) => ({ list: [i] }),
        (i) => ({ inner: { deeper: { i } } }),
        (i) => ({ before: 1, held: node(i, [node(i)]), after: 2 }),
        (i) => ({ list: [node(i, [{ a: [node(i)] }])] }),
      ];
      const Holder = classOf({ a: "struct", b: "any", c: "array" });
      const constructors = { Holder, Node };
      const holder = (struct: (i: number) => object, i: number) =>
        make(Holder, { a: struct(i), b: struct(i + 1), c: [struct(i), node(i, [struct(i)])] });
      check(constructors, [lesson(), Array.from({ length: 100 }, (_, i) => holder(structs[i % structs.length], i))]);
      for (const struct of structs)
        check(
          constructors,
          Array.from({ length: 25 }, (_, i) => holder(struct, i)),
          { reads: 3 },
        );
    });

    test("references: to parents, siblings, arrays, to itself, to plain structs that are done, and to one that is open", () => {
      const list: unknown[] = [];
      const graph = (i: number): unknown[] => {
        const shared = { shared: i };
        const array: unknown[] = [i, `${i}`];
        const parent = node(i, [], undefined);
        const first = node(i, [parent, shared], parent);
        const second = node(i, [first, parent.list, array], shared);
        const self = node(i);
        self.any = self;
        self.list = [self, first, { self, array }, [self.list, array]];
        array.push(array);
        (parent.list as unknown[]).push(first, second, self, array, { leaf: first, other: parent, same: shared }, parent.list);
        parent.any = [first, second, array, shared];
        return [parent, first, array];
      };
      for (let i = 0; i < 20; i++) list.push(...graph(i));
      check({ Node }, list);
      // A struct around instances that refer to it: open while they are read.
      const around: Members = { before: 1 };
      const inside: Members = { around, deep: [] };
      around.nodes = Array.from({ length: 20 }, (_, i) => node(i, [around, node(i, [i, inside], around)], { around, i }));
      around.inside = inside;
      around.after = 2;
      (inside.deep as unknown[]).push(node(1, [inside, around], inside));
      check({ Node }, [around, list[0]]);
    });

    test("several classes, verbose ones, skip lists, versions and odd names among each other", () => {
      const Strict = classOf({ list: "array", n: "u8" });
      const Other = classOf({ child: "any", list: "array", name: "string" }, { v2: { __proto__: null, list: "array", n: "f32" } as never });
      const Verbose = classOf({ list: "array", [VERSION_VERBOSE]: true });
      const Flagged = classOf({ [VERSION_VERBOSE]: false, list: "array", z: "any" });
      const None = class {} as unknown as ElephantConstructor;
      const Empty = classOf({});
      const Odd = classOf(
        Object.fromEntries(
          [
            ["__proto__", "any"],
            ["constructor", "array"],
            ["toString", "struct"],
            ["", "u8"],
            ["é", "any"],
          ].map(([n, t]) => [n, t]),
        ) as Fields,
      );
      const Wide = classOf(Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`w${i}`, i % 9 ? "u8" : "any"])));
      const Widest = classOf(Object.fromEntries(Array.from({ length: 64 }, (_, i) => [`w${i}`, i % 9 ? "u8" : "any"])));
      const constructors = { Strict, Other, Verbose, Flagged, None, Empty, Odd, Wide, Widest };
      const many = (Class: ElephantConstructor, count: number, of: (i: number) => unknown) =>
        make(Class, Object.fromEntries(Array.from({ length: count }, (_, i) => [`w${i}`, i % 9 ? i : of(i)])));
      const one = (kind: number, depth: number): object => {
        const list = () => (depth ? Array.from({ length: 3 }, (_, i) => one((kind + i * 4 + depth) % 9, depth - 1)) : []);
        switch (kind) {
          case 0:
            return make(Strict, { list: list(), n: kind });
          case 1:
            return make(Other, { list: list(), n: 0.5 });
          case 2:
            return make(Verbose, { list: list() });
          case 3:
            return make(Flagged, { list: list(), z: list() });
          case 4:
            return make(None, { a: list(), b: "text" });
          case 5:
            return make(Empty, {});
          case 6:
            return make(Odd, { constructor: list(), toString: { a: 1 }, "": 1, é: list(), ["__proto__"]: depth ? one(0, depth - 1) : 1 });
          case 7:
            return many(Wide, 65, () => (depth ? one(kind, depth - 1) : 1));
          default:
            return many(Widest, 64, () => (depth ? one(0, depth - 1) : 1));
        }
      };
      const value = Array.from({ length: 18 }, (_, i) => one(i % 9, 2));
      check(constructors, value, { reads: 4 });
      check(constructors, value, { reads: 2, write: { diffsOnly: true } });
      check(constructors, value, { reads: 2, write: { release: "1.5.0" } });
      for (let kind = 0; kind < 9; kind++)
        check(constructors, [Array.from({ length: 20 }, () => one(0, 1)), Array.from({ length: 15 }, () => one(kind, 1))], { reads: 3 });
      // A codec that reads releases by turns.
      const codec = create({ constructors });
      const reference = createReference({ constructors });
      const saves = (["1.5.1", "1.4.0", "1.5.0"] as const).map((release) => codec.write(value, { release }));
      saves.push(codec.write(value, { diffsOnly: true }));
      for (let i = 0; i < 12; i++) {
        const save = saves[i % saves.length];
        expect(differences(reference.read(save), codec.read(save))).toEqual([]);
      }
    });

    test("skip lists of instances whose constructor has defaults", () => {
      class Item {
        static [SCHEMA] = { v1: { a: "u8", kids: "array", b: "any" } };
        a = 1;
        b: unknown = "b";
        kids: unknown[] = [];
      }
      const item = (i: number, depth: number): Item =>
        Object.assign(new Item(), { a: i % 2, b: i % 3 ? "b" : i, kids: depth ? [item(i + 1, depth - 1), item(i + 2, depth - 1)] : [] });
      const constructors = { Item } as unknown as Classes;
      const codec = create({ constructors });
      const full = codec.write(Array.from({ length: 10 }, (_, i) => item(i, 4)));
      const short = codec.write(
        Array.from({ length: 10 }, (_, i) => item(i, 4)),
        { diffsOnly: true },
      );
      const expected = createReference({ constructors }).read(full);
      for (let i = 0; i < READS; i++) expect(differences(expected, codec.read(i % 4 < 2 ? full : short))).toEqual([]);
    });

    test("skip lists of a few, at every place of a window's end", () => {
      class Twig {
        static [SCHEMA] = { v1: { kids: "array", x: "f64" } };
        kids: unknown = undefined;
        x = 0;
      }
      const constructors = { Twig } as unknown as Classes;
      const twig = (x: number, kids: unknown[] = []) => Object.assign(new Twig(), { x, kids });
      const codec = create({ constructors });
      const plain = codec.write(Array.from({ length: 60 }, () => twig(1, [twig(2), twig(3, [twig(4)])])));
      // Those whose x is what the constructor makes it have a list, all others none.
      // It is the last one, so that nothing before ends the way that is taken for them.
      const grown = Array.from({ length: 12 }, () => twig(1, [twig(2), twig(3), twig(0)]));
      always = true;
      for (let i = 0; i < READS; i++) codec.read(plain);
      // The first window has 32 KB.
      for (let pad = 32300; pad < 32400; pad++) {
        const value = ["p".repeat(pad), grown];
        const found = codec.read(codec.write(value, { diffsOnly: true }));
        if (differences(value, found).length > 0) expect(differences(value, found), `pad ${pad}`).toEqual([]);
      }
      always = false;
    });

    test("a schema without a class", () => {
      const constructors = { Node: { v1: { id: "f64", list: "array", any: "any", [VERSION_VERBOSE]: false } } } as unknown as Classes;
      const struct = (id: number, list: unknown[], any?: unknown): object => new StructInstance("Node", { id, list, any });
      check(
        constructors,
        Array.from({ length: 40 }, (_, i) => struct(i, [struct(i, [{ i }], i)], struct(i, []))),
      );
    });

    test("a flag key that is true is a byte when its version is read strictly", () => {
      const C = classOf({ [VERSION_VERBOSE]: true, list: "array" });
      const leaf = "FE FF 00 00 01 00 00 01 00 00";
      const save = file(
        `CD 01 00 CE FE FF 00 00 ${text("C")} 01 00 00 01 28 00 CE ${`FE FF 00 00 01 00 00 01 02 00 CE ${leaf} ${leaf}`.repeat(40)}`,
      );
      const fresh = create({ constructors: { C } }).read(save);
      const codec = create({ constructors: { C } });
      for (let i = 0; i < READS; i++) expect(differences(fresh, codec.read(save))).toEqual([]);
    });
  });

  describe("sizes", () => {
    large("chains by field and by array, deeper than an operation goes, and wide ones", () => {
      const chain = (depth: number, step: (inner: unknown, i: number) => Members): unknown => {
        let inner: unknown;
        for (let i = 0; i < depth; i++) inner = step(inner, i);
        return inner;
      };
      const leaves = (i: number) => Array.from({ length: 5 }, (_, k) => node(k, [i, k], `${k}`));
      const steps: ((inner: unknown, i: number) => Members)[] = [
        (inner, i) => node(i, [], inner),
        (inner, i) => node(i, [inner]),
        (inner, i) => node(i, [[[inner]]]),
        (inner, i) => node(i, leaves(i), inner),
        (inner, i) => node(i, [...leaves(i), inner, { a: i }, ...leaves(i)]),
        (inner, i) => node(i, [{ a: inner }, 1]),
        (inner, i) => (i % 2 ? node(i, [inner], leaves(i)) : node(i, leaves(i), [1, inner, "x"])),
      ];
      for (const step of steps) {
        for (const depth of [127, 128, 129, 400]) check({ Node }, [chain(depth, step), chain(3, step)], { reads: 2, may: true });
      }
    });

    large("more than a window, a tape and a chunk of strings hold", () => {
      const big = (tag: (i: number) => string) =>
        Array.from({ length: 100 }, (_, i) =>
          node(
            i,
            Array.from({ length: 10 }, (_, k) =>
              node(k, [node(k, [i, k + 0.5, k], { text: tag(i * 10 + k), x: k }), [tag(k), tag(i)], [[i], [k]]], tag(i + k)),
            ),
            [tag(i), i, node(i)],
          ),
        );
      check(
        { Node },
        big((i) => `text ${i}`),
        { reads: 4 },
      );
      check(
        { Node },
        big((i) => `${i} `.repeat(1 + (i % 30))),
        { reads: 3 },
      );
      check(
        { Node },
        big((i) => "é→😀".repeat(i % 9)),
        { reads: 3 },
      );
      check(
        { Node },
        big(() => "the same"),
        { reads: 3 },
      );
    });

    large("the end of the window, of the tape and of the chunk of strings at every place", () => {
      const { codec, constructors, value } = learned();
      const alone = codec.write(value);
      const inner = { shared: 1 };
      const fillings: [steps: number, filling: (step: number) => unknown][] = [
        // The window: texts of 61 bytes with their terminators, then one to measure.
        [alone.length + 40, (step) => [Array.from({ length: 4200 }, () => "w".repeat(60)), "w".repeat(262144 - 4200 * 61 - step)]],
        // The tape: one slot each.
        [260, (step) => Array.from({ length: 16384 - step }, () => "t")],
        // Strings, each of its own.
        [70, (step) => Array.from({ length: 8192 - step }, (_, i) => `unique ${i}`)],
      ];
      const stride = 24;
      const from = MODES.indexOf(mode) * 4;
      for (const [steps, filling] of fillings) {
        for (let step = from; step < steps; step += stride) {
          const given = [filling(step), inner, value, inner];
          const save = createElephantWriter(constructors).write(given);
          const found = differences(given, codec.read(save));
          if (found.length > 0) expect(found, `step ${step} of ${steps}`).toEqual([]);
        }
      }
      expect(isSame(codec.write(codec.read(alone)), alone)).toBe(true);
    });

    large("more containers than can be referred to", () => {
      const first = node(1, [{ x: 1 }]);
      const value = Array.from({ length: 1060 }, (_, i) =>
        node(
          i,
          [first, ...Array.from({ length: 62 }, (_, k) => (k % 3 ? node(k, [[k]]) : { k })), first.list],
          (first.list as unknown[])[0],
        ),
      );
      check({ Node }, [first, lesson(), value], { reads: 1 });
    });

    test("shapes that are dropped between reads, because there are too many", () => {
      const { codec, value } = learned();
      const save = codec.write(value);
      const many = (from: number) => codec.write(Object.fromEntries(Array.from({ length: 9000 }, (_, i) => [`name ${from + i}`, i])));
      for (let i = 0; i < 3; i++) {
        codec.read(many(i * 9000));
        for (let k = 0; k < 2; k++) expect(differences(value, codec.read(save))).toEqual([]);
      }
    });

    test("pieces of any size", async () => {
      const { codec, value } = learned();
      const list = Array.from({ length: 6 }, () => structuredGraph(value));
      const small = codec.write(value);
      const save = codec.write([list, "filler ".repeat(20_000), list]);
      const expected = codec.read(save);
      async function* pieces(bytes: Uint8Array, sizes: readonly number[]) {
        for (let at = 0, i = 0; at < bytes.length; at += sizes[i++ % sizes.length]) yield bytes.slice(at, at + sizes[i % sizes.length]);
      }
      const before = taken.cuts;
      for (const size of [1, 7, 100])
        for (let i = 0; i < 3; i++) expect(differences(value, await codec.readAsync(pieces(small, [size])))).toEqual([]);
      for (const size of [100, 4096, 65536]) expect(differences(expected, await codec.readAsync(pieces(save, [size])))).toEqual([]);
      // The smallest windows: 64 bytes.
      for (let i = 0; i < 3; i++) expect(differences(value, await codec.readAsync(pieces(small, [50]), { sliceMs: 0 }))).toEqual([]);
      expect(taken.cuts > before).toBe(true);
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 30 }),
          fc.boolean(),
          async (sizes, finest) => {
            // By itself it would give the way up: most operations are cut off.
            codec.read(small);
            expect(differences(value, await codec.readAsync(pieces(small, sizes), finest ? { sliceMs: 0 } : undefined))).toEqual([]);
          },
        ),
        { numRuns: 25, seed: 17 },
      );
    });
  });

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
          always = i > 4;
          const read = codec.read<Members[]>(save);
          always = false;
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
            always = (i & 1) === 1;
            const value = codec.read(saves[0]);
            always = false;
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

  describe("errors and options", () => {
    test("a damaged save gives what it gives to a codec that has read nothing yet", () => {
      const { codec, constructors } = learned();
      for (const save of damagedSaves(constructors)) {
        for (const { at, damaged, fresh } of save.damage) {
          const warm = outcome(codec, damaged);
          const place = `${Buffer.from(damaged).toString("hex")}, changed at ${at}`;
          expect(warm.error, place).toEqual(fresh.error);
          const found = fresh.error ? [] : differences(fresh.value, warm.value);
          if (found.length > 0) expect(found, place).toEqual([]);
          // The way stays open, and nothing is left of the failure.
          const before = taken.operations;
          expect(differences(save.value, codec.read(save.bytes))).toEqual([]);
          expect(taken.operations > before).toBe(true);
        }
      }
    });

    test("a save that ends early is truncated, wherever it ends", () => {
      const { codec, value } = learned();
      const save = codec.write(value);
      for (let end = 9; end < save.length; end++) expect(outcome(codec, save.subarray(0, end)).error).toEqual(["truncated", end]);
      expect(differences(value, codec.read(save))).toEqual([]);
    });

    large("a damaged save that reaches behind the window", () => {
      const { codec, constructors, value } = learned();
      const list = Array.from({ length: 400 }, () => structuredGraph(value));
      const save = codec.write(list);
      expect(save.length).toBeGreaterThan(1.2 * 262144);
      expect(differences(list, codec.read(save))).toEqual([]);
      const below = random(5);
      const damaged = [
        ...Array.from({ length: 20 }, (_, i) => save.subarray(0, save.length - 1 - (i < 10 ? i * 7 : below(2000)))),
        ...Array.from({ length: 40 }, (_, i) => {
          const at = i < 20 ? 9 + below(save.length - 9) : save.length - 1 - below(300);
          return save.with(at, [64, 255, save[at] ^ 1][i % 3]);
        }),
      ];
      for (const [i, bytes] of damaged.entries()) {
        const fresh = outcome(createElephantSync({ constructors, engine: ENGINES[0] }), bytes);
        const warm = outcome(codec, bytes);
        expect(warm.error, `damage ${i}`).toEqual(fresh.error);
        if (!fresh.error) expect(isSame(codec.write(warm.value), codec.write(fresh.value)), `damage ${i}`).toBe(true);
        if (i % 20 === 0) expect(isSame(codec.write(codec.read(save)), save)).toBe(true);
      }
    });

    test("a constructor that throws leaves nothing behind", () => {
      let left = Number.POSITIVE_INFINITY;
      class Thrower {
        constructor() {
          if (--left < 0) throw new Error("no more");
        }
      }
      (Thrower as unknown as Members)[SCHEMA as unknown as string] = { v1: { id: "f64", list: "array", any: "any" } };
      const constructors = { Node: Thrower as unknown as ElephantConstructor };
      const one = (id: number, list: unknown[] = [], any?: unknown) => make(constructors.Node, { id, list, any });
      const many = () => Array.from({ length: 20 }, (_, i) => one(i, [one(-i, [])], one(i)));
      const codec = create({ constructors });
      const world: Members = { nodes: many(), name: "world" };
      // It refers to a plain struct that is still open, by a number that the read that fails has used.
      (world.nodes as unknown[]).push(one(1, [], world));
      const good = codec.write([Array.from({ length: 30 }, (_, i) => [i]), world]);
      const failing = codec.write([many(), 1]);
      for (let i = 0; i < READS; i++) codec.read(failing);
      for (left = 50; left < 58; ) {
        const again = left + 1;
        expect(() => codec.read(failing)).toThrow("no more");
        left = Number.POSITIVE_INFINITY;
        const [, read] = codec.read(good) as [unknown, { nodes: Members[] }];
        expect(read.nodes.at(-1)!.any).toBe(read);
        left = again;
      }
    });

    test("a member that is refused while containers are open leaves nothing behind", () => {
      const fields = { a: "f64", b: "any" };
      const Written = classOf(fields);
      class Refusing {
        constructor() {
          Object.defineProperty(this, "b", { value: 0 });
        }
      }
      (Refusing as unknown as Members)[SCHEMA as unknown as string] = { v1: fields };
      const writer = create({ constructors: { Node, Outer: Written } });
      const codec = create({ constructors: { Node, Outer: Refusing as unknown as ElephantConstructor } });
      const save = writer.write(lesson());
      for (let i = 0; i < READS; i++) codec.read(save);
      // Plain structs with arrays end it, in the middle of a hundred that are open.
      let chain: unknown = [1, { x: [1] }];
      for (let i = 0; i < 100; i++) chain = node(1, [], chain);
      const outer = (b: unknown) => make(Written, { a: 1, b });
      const bad = writer.write([node(1), outer(node(1, [outer(chain)], 1))]);
      const texts = ["äöü".repeat(20), "日本語".repeat(10)];
      const before = codec.write(texts);
      for (let i = 0; i < 6; i++) expect(outcome(codec, bad).error).toEqual(["bad-option", undefined]);
      expect(differences(lesson(), codec.read(save))).toEqual([]);
      expect(isSame(codec.write(texts), before)).toBe(true);
    });

    test("codes that are none are no references in plain structs", () => {
      const codec = create({ constructors: { Node } });
      const lessonSave = codec.write(lesson());
      for (let i = 0; i < READS; i++) codec.read(lessonSave);
      const last = node(1);
      last.any = { q: last };
      const save = codec.write([...lesson(), last]);
      const at = save.lastIndexOf(0xff) - 2;
      for (const byte of [0, 14, 203, 204, 208, 220, 254, 255]) {
        const bad = save.with(at, byte);
        expect(outcome(codec, bad).error, `${byte}`).toEqual(outcome(create({ constructors: { Node } }), bad).error);
      }
    });

    test("all NaNs are the same, whatever the codec has learned", () => {
      const Single = classOf({ any: "any", list: "array", single: "f32" });
      const one = (list: unknown[]) => make(Single, { any: 1, list, single: Number.NaN });
      const constructors = { Single };
      const codec = create({ constructors });
      const save = codec.write(Array.from({ length: 40 }, () => one([one([])])));
      const odd = save.slice();
      const view = new DataView(odd.buffer, odd.byteOffset, odd.byteLength);
      for (let at = 8; at < odd.length - 8; at++) if (view.getUint32(at, true) === 0x7fc00000) view.setUint32(at, 0x7fc12345, true);
      expect(isSame(odd, save)).toBe(false);
      for (let i = 0; i < READS; i++) expect(isSame(codec.write(codec.read(odd)), save), `read ${i}`).toBe(true);
    });

    test("input that is the program's: a Buffer used again, one given away meanwhile", () => {
      let meanwhile = () => {};
      class Watched {
        constructor() {
          meanwhile();
        }
      }
      (Watched as unknown as Members)[SCHEMA as unknown as string] = { v1: { id: "f64", list: "array", any: "any" } };
      const constructors = { Node: Watched as unknown as ElephantConstructor };
      const one = (list: unknown[], any?: unknown) => make(constructors.Node, { id: 1, list, any });
      const codec = create({ constructors });
      // More than a window.
      const saveOf = (name: string) =>
        codec.write([
          Array.from({ length: 20 }, () => one([one([])])),
          Array.from({ length: 60 }, (_, i) => one([{ [name]: i, [`${name}2`]: 2 }], "x".repeat(6000))),
        ]);
      const [first, second] = [saveOf("alpha"), saveOf("omega")];
      const buffer = Buffer.from(first);
      codec.read(buffer);
      buffer.set(second);
      expect(differences(create({ constructors }).read(second), codec.read(buffer))).toEqual([]);
      let made = 0;
      const given = first.slice();
      meanwhile = () => {
        if (++made === 70) structuredClone(given.buffer, { transfer: [given.buffer] });
      };
      expect(outcome(codec, given).error).toMatchObject(["truncated", expect.any(Number)]);
      meanwhile = () => {};
      expect(differences(create({ constructors }).read(first), codec.read(first))).toEqual([]);
    });

    test("more names, each of its own, than are remembered", () => {
      const codec = create({ constructors: { Node } });
      const value = [
        ...lesson(),
        ...Array.from({ length: 30 }, (_, i) =>
          node(
            i,
            Array.from({ length: 60 }, (_, k) => Object.fromEntries(Array.from({ length: 4 }, (_, n) => [`${i} ${k} ${n}`, n]))),
          ),
        ),
      ];
      const save = codec.write(value);
      for (let i = 0; i < 4; i++) expect(differences(value, codec.read(save))).toEqual([]);
    });

    test("limits end a read at the same place, whatever the codec has learned", () => {
      const { constructors, value, small } = learned();
      const save = createElephantWriter(constructors).write(value);
      const lessonSave = createElephantWriter(constructors).write(small);
      const nodes = countContainers(value);
      const depth = depthOf(value);
      const limits: { maxNodes?: number; maxDepth?: number }[] = [
        ...Array.from({ length: 12 }, (_, i) => ({ maxNodes: nodes - i * (i < 4 ? 1 : 2) })),
        ...Array.from({ length: 5 }, (_, i) => ({ maxDepth: depth - i })),
      ];
      for (const [i, limit] of limits.entries()) {
        const codec = create({ constructors, limits: limit });
        const fresh = outcome(create({ constructors, limits: limit }), save);
        const before = taken.operations;
        for (let k = 0; k < 15; k++) codec.read(lessonSave);
        expect(taken.operations > before).toBe(true);
        const warm = outcome(codec, save);
        expect(warm.error, JSON.stringify(limit)).toEqual(fresh.error);
        if (i === 0 || limit.maxDepth === depth) expect(differences(value, warm.value)).toEqual([]);
        else expect((warm.error as unknown[])[0]).toBe(limit.maxDepth ? "depth-limit" : "element-limit");
      }
    });

    test("typed arrays and exact scalars are those of a codec that has read nothing yet", () => {
      const { codec, constructors, value } = learned();
      const save = createElephantWriter(constructors).write(value);
      for (const options of [{ typedArrays: true }, { scalars: "exact" }, { typedArrays: true, scalars: "exact" }] as ReadOptions[]) {
        const fresh = create({ constructors }).read(save, options);
        for (let i = 0; i < 4; i++) {
          expect(differences(fresh, codec.read(save, options))).toEqual([]);
          expect(differences(value, codec.read(save))).toEqual([]);
        }
      }
    });
  });
});
