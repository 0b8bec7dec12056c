// Instances that hold others, read as they stand in the file (assembly/elephant/nested.ts, src/graph/nested.ts). A codec goes that way only
// when it has learned that a class nests, and has functions made after some more instances; whatever it has learned, the value must be that of
// the reference codec, which learns nothing, and an error that of a codec that has read nothing yet.
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Nested } from "../../src/graph/nested.ts";
import { bytes, file, text } from "./bytes.ts";
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
const READS = 20;

// How often the way was taken, and how often an operation ended in the middle.
const taken = { operations: 0, cuts: 0 };
const values = Nested.prototype.values;
beforeAll(() => {
  Nested.prototype.values = function (...given) {
    const end = values.apply(this, given);
    taken.operations++;
    if (this.cut) taken.cuts++;
    return end;
  };
});
afterAll(() => {
  Nested.prototype.values = values;
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

describe.each(MODES)("$engine, code generation $codeGeneration", (mode) => {
  const create = (options: ElephantOptions) => createElephantSync({ ...options, ...mode });

  /** Reads a save again and again by one codec. */
  function checkSave(constructors: Classes, save: Uint8Array, codec = create({ constructors })): unknown {
    const expected = createReference({ constructors }).read(save);
    const before = taken.operations;
    let read: unknown;
    for (let i = 0; i < READS; i++) {
      read = codec.read(save);
      const found = differences(expected, read);
      if (found.length > 0) expect(found, `read ${i}`).toEqual([]);
    }
    expect(names(read)).toBe(names(expected));
    expect(taken.operations).toBeGreaterThan(before);
    return read;
  }

  /** The same of a value, which must be written again as it was. */
  function check(constructors: Classes, value: unknown, options?: WriteOptions): unknown {
    const codec = create({ constructors });
    const save = codec.write(value, options);
    const read = checkSave(constructors, save, codec);
    expect(isSame(codec.write(read, options), save)).toBe(true);
    return read;
  }

  const Node = classOf({ id: "f64", list: "array", any: "any" });
  const node = (id: number, list: unknown[] = [], any?: unknown) => make(Node, { id, list, any });
  /** What is read first: it teaches a codec that `Node` nests. */
  const lesson = () => Array.from({ length: 20 }, (_, i) => node(i, [node(-i, [])], node(i)));

  describe("values", () => {
    test("a field that has held containers keeps its numbers", () => {
      // Made anew each time: what is shared would be references.
      const kinds = [() => 1, () => 0.5, () => 2 ** 31, () => [1], () => node(1, [], 1), () => ({})];
      for (const first of kinds) {
        for (const second of kinds)
          check(
            { Node },
            Array.from({ length: 30 }, (_, i) => node(i, [node(i, [], second())], i & 1 ? first() : second())),
          );
      }
    });

    test("a tree by fields alone, of instances that take more room when read than in the file", () => {
      const fields: Fields = { left: "any", right: "any", name: "string" };
      for (let i = 0; i < 40; i++) fields[`flag${i}`] = "bool";
      const Tree = classOf(fields);
      let id = 0;
      const tree = (depth: number): Members => {
        const members: Members = { left: depth ? tree(depth - 1) : undefined, right: depth ? tree(depth - 1) : undefined, name: `name ${id++}` };
        for (let i = 0; i < 40; i++) members[`flag${i}`] = (depth + i) % 3 === 0;
        return make(Tree, members);
      };
      check({ Tree }, tree(12));
    });
  });
});
