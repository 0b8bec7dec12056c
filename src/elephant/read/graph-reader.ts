// Plain JavaScript that reads containers from the bytes of releases 1.5.0 and 1.5.1, and makes them in one step: one function for each class and each shape, made
// of text where that is allowed and pays, which reads the members in order and calls the others for the containers among them. What is built on it: whole
// small saves (small-saves.ts), and structs that the kernel has no layouts for (nested.ts).
//
// What does not belong here, or is not there yet, ends it wherever it stands, and what is open then is noted. So nothing here decides what is valid.

import { codeGenerationAllowed, fromText } from "../../graph/code-generation.ts";
import { empty, mixedList } from "../../graph/elements.ts";
import { fixedValue, halfToNumber } from "../../graph/fixed-values.ts";
import { defineMember, memberToLoad, setMember } from "../../graph/members.ts";
import { REFERABLE } from "../../graph/referable.ts";
import { HOT } from "../../graph/shape-factory.ts";
import * as CODE from "../codes.ts";
import type { ElephantConstructor } from "../constructors.ts";
import { ANY, ARRAY, STRUCT, UNDEFINED } from "../tags.ts";
import { doubles, elementSize, plainNumbers } from "../typed-arrays.ts";
import { ALL_KINDS, functionText, kindOf, MOST_MEMBERS, REFERENCE } from "./graph-function.ts";
import { firstZero, LEFT, type Members, type NameNode, PlainReader } from "./plain-reader.ts";

const INSTANCE = 0xfffe;
/** Longer arrays of what may be containers are left to the kernel. */
const LONGEST = 1024;
/** Longer names, all together, get no function. */
const LONGEST_NAMES = 4000;
/** Structs that are told by how they begin, and by how deep they stand: the ones that hold others often begin like those. */
const STRUCTS = 128;
/** A place that nothing is looked for in: those of a strict version are told by its number. */
const STRICT = STRUCTS + 1;
/** Functions of a shape for the kinds that its members have had; the next one is for all kinds. */
const MOST_DROPS = 4;
/** Of no class. */
const PLAIN = -1;
/** Classes that are found by their number in the save at once. */
const RECENT = 64;
/** What stands where there is no value, because it ends there. */
export const NOTHING = Symbol();
/** Stands for every instance while a save is gone through without any. */
export const STAND_IN = {};
/** What a function returns for a plain struct that does not begin like those of its shape. */
const OTHER = Symbol();

/** What makes instances. */
export interface InstanceHost {
  /** A new instance; `byte` is its version, and 128 where its members have names. */
  open(id: number, byte: number): object;
  /** The class, when making an instance is all there is to do. */
  classOf?(id: number): ElephantConstructor | undefined;
  assign(instance: object, name: string, value: unknown): void;
  /** May all of these members of a new instance be given to it by assignments? */
  takesAll?(instance: object, names: readonly string[]): boolean;
}

/** What reads a struct whose members or fields begin at `p`, which may go down so many levels, and has to end before `end`. */
export type Read = (N: GraphReader, d: DataView, p: number, levels: number, end: number) => unknown;
/** What makes a plain struct of its members. */
type Make = (...values: unknown[]) => object;

/** What the schema of a class says about a version. For nested.ts: its address in the kernel's memory, and those of its fields. */
export interface Strict {
  readonly names: readonly string[];
  /** Wire codes; 0: it has no bytes. */
  readonly codes: readonly number[];
  readonly program: number;
  readonly fields: readonly number[];
}

/** Structs of the same members: plain ones, or those of one class and version. */
export interface Shape {
  /** {@link PLAIN}, or the constructor and the byte that tells the version. */
  readonly kind: number;
  /** What stands in front of the members: how many they are, or 0, which ends the list of fields that are skipped. */
  readonly count: number;
  readonly names: readonly string[];
  /** Names as they stand in saves; none where a schema tells them. */
  readonly nodes: readonly NameNode[];
  readonly strict: Strict | undefined;
  /** How instances of a strict version begin in this save: the mark of an instance and the number of the constructor. */
  head: number;
  seen: number;
  /** The kinds of values that members have had, a bit for each; not where a schema tells them. */
  readonly had: number[];
  /** How often a function was given up because of other kinds. */
  drops: number;
  /** Once there is a function. */
  read: Read | undefined;
  /** Where that makes a plain struct last. */
  make: Make | undefined;
  /** A struct like those: engines drop the code for them when a collection finds none left (kept-instances.ts). */
  kept: object | undefined;
  /** The class, if its function calls it without asking the host. */
  direct: ElephantConstructor | undefined;
}

/** A container that is open when it ends. */
interface Open {
  readonly container: object;
  /** Program of a strict instance, the datatype of an array's elements as the kernel counts it, none for what has members with names. */
  readonly kind: number | undefined;
  /** Fields, members or elements to come. */
  readonly left: number;
  /** Address of the next field, if there is one. */
  readonly field: number | undefined;
  readonly number: number;
}

/** The shape of no struct. */
const NO_SHAPE = newShape(PLAIN, [], [], -1);

export abstract class GraphReader extends PlainReader {
  host: InstanceHost;
  /** Containers by number; undefined for plain structs that are still open. */
  protected readonly references: unknown[];
  /** Structs that had a function, but were read without it, because others had been expected. */
  protected slow = 0;
  /** Has it ended before its time? */
  cut = false;
  /** Elements without a byte of their own that may still come; below 0, where they are left to the kernel. */
  protected empties = 0;
  /** The number of the next container. */
  number = 0;
  /** Containers that are open then, the innermost first. */
  protected readonly open: Open[] = [];
  /** Strict versions by constructor and version. */
  private readonly versions = new Map<number, Shape>();
  protected recent: (Shape | undefined)[] = [];
  /** Those with functions that are tried first, by how a struct begins. */
  private readonly structs: (Shape | undefined)[] = [];
  /** The last one of a plain struct that was found there, which is what is tried first where that stood. */
  last: Shape = NO_SHAPE;
  /** The number of the container that it ended for, which is open; -1 where it ended for something else. */
  protected wanted = -1;

  constructor(u8: Uint8Array<ArrayBuffer>, limit: number, references: unknown[], host: InstanceHost) {
    super(u8, limit);
    this.references = references;
    this.host = host;
  }

  /** May a function be made now, as far as the program and the place are asked? */
  protected abstract mayMake(): boolean;

  /** The id of the constructor that has the number `index` in the save, or a negative one; {@link position} moves from behind its number to the version. */
  protected abstract constructorAt(index: number): number;

  /** What is known of a version of a class. */
  protected abstract strictOf(id: number, version: number, index: number): Strict | undefined;

  /** What a constructor does, and which number it has, may be another thing in each read. */
  protected begin(): void {
    this.recent = [];
    for (const shape of this.versions.values()) {
      shape.head = 0;
      if (this.host.classOf?.(shape.kind >> 8) !== shape.direct) {
        shape.read = shape.direct = undefined;
        shape.seen = 0;
      }
    }
  }

  protected override reset(): boolean {
    const forgotten = super.reset();
    if (forgotten) {
      // Their shapes are not met any more by who knows the names of now.
      empty(this.structs);
      this.last = NO_SHAPE;
    }
    return forgotten;
  }

  /** Nothing is there, or nothing for here. */
  stop(): symbol {
    this.cut = true;
    this.wanted = -1;
    return NOTHING;
  }

  /** The value of wire code `code` at `p`, which may go down so many levels, and has to end before `end`: what follows behind needs so many bytes at the least. */
  item(code: number, p: number, levels: number, end: number): unknown {
    if (code === ANY) code = this.u8[p++];
    if (code === STRUCT) return this.struct(p, levels, end);
    if (code === ARRAY) return this.array(p, levels, end);
    this.position = p;
    const value = this.scalar(code);
    return value === LEFT || this.position > end ? this.stop() : value;
  }

  /** The same for an element, which is mostly like the one before. */
  protected element(code: number, p: number, levels: number, end: number): unknown {
    const { dv, last } = this;
    if (code === ANY) code = this.u8[p++];
    if (code === STRUCT && dv.getUint16(p, true) === last.count && levels > 0 && p + 2 <= end) {
      const struct = last.read!(this, dv, p + 2, levels, end);
      if (struct !== OTHER) {
        this.last = last;
        return struct;
      }
    }
    return this.item(code, p, levels, end);
  }

  /** As {@link item}, for what stands behind the tag of a struct. */
  struct(p: number, levels: number, end: number): unknown {
    const { dv } = this;
    const head = dv.getInt32(p, true);
    let count = head & 0xffff;
    if (count === REFERENCE) return this.referenceAt(p, end);
    let kind = PLAIN;
    if (count === INSTANCE) {
      const recent = this.recent[(head >>> 16) % RECENT];
      if (recent !== undefined && recent.head === head && (dv.getInt32(p + 4, true) & 0xffffff) === (recent.kind & 255) && p + 7 <= end)
        return this.instance(recent, p + 7, levels, end);
      this.position = p + 4;
      const id = this.constructorAt(head >>> 16);
      p = this.position;
      const version = dv.getUint8(p++);
      if (id < 0) return this.stop();
      kind = id * 256 + version;
      count = dv.getUint16(p, true);
      if (version < 128) {
        const shape = this.version(kind, head);
        return shape && count === 0 && p + 2 <= end ? this.instance(shape, p + 2, levels, end) : this.stop();
      }
    }
    if (levels < 1 || count > MOST_MEMBERS || p + 2 > end) return this.stop();
    // Structs at one level whose first names begin alike are mostly alike.
    let word = dv.getInt32(p + 2, true);
    word &= firstZero(word) - 1;
    const place = Math.imul(word ^ Math.imul(count ^ kind ^ ((levels & 3) << 6), 0x5bd1e995), 0x9e3779b1) >>> 25;
    const known = this.structs[place];
    if (known?.read !== undefined && known.kind === kind && known.count === count) {
      const struct = known.read(this, dv, p + 2, levels, end);
      if (struct !== OTHER) {
        if (kind < 0) this.last = known;
        return struct;
      }
    }
    const instance = kind < 0 ? undefined : this.host.open(kind >> 8, kind & 255);
    return this.members(count, kind, instance, this.note(instance), undefined, this.first, mixedList(), p + 2, levels, end, place);
  }

  /** A strict version, which instances that begin with `head` have in this save. */
  private version(kind: number, head: number): Shape | undefined {
    let shape = this.versions.get(kind);
    if (!shape) {
      const strict = this.strictOf(kind >> 8, kind & 255, head >>> 16);
      if (!strict) return undefined;
      shape = newShape(kind, strict.names, [], 0, strict);
      this.versions.set(kind, shape);
    }
    shape.head = head;
    this.recent[(head >>> 16) % RECENT] = shape;
    return shape;
  }

  /** One of a strict version whose fields begin at `p`. */
  private instance(shape: Shape, p: number, levels: number, end: number): unknown {
    const { kind, names, read } = shape;
    if (read) return read(this, this.dv, p, levels, end);
    if (levels < 1) return this.stop();
    const instance = this.host.open(kind >> 8, kind & 255);
    return this.members(names.length, kind, instance, this.note(instance), shape, this.first, mixedList(), p, levels, end, STRICT);
  }

  /**
   * A struct of `count` members, some of which may be there: `values`, with the last one's name at `node`, or those of a strict version. The others begin at `p`; if it
   * has been {@link cut} already, it ends there. `struct`: the instance, or a plain struct that is there before its members.
   */
  private members(
    count: number,
    kind: number,
    struct: object | undefined,
    number: number,
    version: Shape | undefined,
    node: NameNode,
    values: unknown[],
    p: number,
    levels: number,
    end: number,
    place: number,
  ): object {
    const strict = version?.strict;
    const first = values.length;
    const kinds: number[] = [];
    try {
      while (values.length < count && !this.cut) {
        this.position = p;
        let code = ANY;
        let next = node;
        let claim = 0;
        if (strict) code = strict.codes[values.length];
        else {
          next = this.name(node);
          // A name and a code at the least.
          claim = (count - values.length - 1) * 2;
          kinds.push(kindOf(this.u8[this.position]));
          if (next.early && !struct && number < REFERABLE) this.references[number] = struct = {};
        }
        const value = code === 0 ? undefined : this.item(code, this.position, levels - 1, end - claim);
        if (value === NOTHING) break;
        values.push(value);
        node = next;
        p = this.position;
      }
    } catch (error) {
      if (error !== LEFT) throw error;
      this.stop();
    }
    this.position = p;
    const members = node.members();
    const { names } = version ?? members;
    let made: object | undefined;
    if (this.cut) {
      if (number === this.wanted && kind < 0 && members.nodes.length > 0) setEarly(members.nodes[0]);
    } else {
      const shape = version ?? this.shapeOf(members, kind);
      noteKinds(shape, kinds, first);
      if (!hasFunction(shape)) this.make(shape, kind < 0 ? undefined : struct, values);
      if (hasFunction(shape)) {
        // Not where it is expected since a function was made for one inside of it.
        if (place === STRUCTS || this.structs[place] !== shape) this.slow++;
        this.structs[place] = shape;
        made = struct ? undefined : shape.make?.(...values);
      }
    }
    if (!made) {
      const target = (made = struct ?? {});
      values.forEach((value, i) => {
        if (kind < 0) setMember(target as Record<string, unknown>, names[i], value);
        else this.host.assign(target, names[i], value);
      });
    }
    if (number < REFERABLE) this.references[number] = made;
    if (this.cut)
      this.open.push({
        container: made,
        kind: strict?.program,
        left: count - values.length,
        field: strict?.fields[values.length],
        number,
      });
    return made;
  }

  private shapeOf({ names, nodes, shapes }: Members, kind: number): Shape {
    let shape = shapes.get(kind);
    if (!shape) {
      // Classes and their versions are as many as a save likes: they are forgotten with the names.
      this.names++;
      shapes.set(kind, (shape = newShape(kind, names, nodes, names.length)));
    }
    return shape;
  }

  /** Where a made function ends early: at member `i`, which begins at `p` and is there, in part or not, only if it has been {@link cut}. */
  rest(shape: Shape, i: number, values: unknown[], p: number, levels: number, end: number, number: number, struct?: object): object {
    const { kind, names, nodes, strict } = shape;
    if (this.cut && number === this.wanted && kind < 0) setEarly(nodes[0]);
    const there = this.cut && values[i] !== NOTHING;
    values.length = there ? i + 1 : i;
    const node = nodes[values.length - 1] ?? this.first;
    return this.members(names.length, kind, struct, number, strict && shape, node, values, there ? this.position : p, levels, end, STRUCTS);
  }

  /** Makes a function for structs like this one, whose instance has no members yet, if that is worth it. */
  private make(shape: Shape, instance: object | undefined, values: readonly unknown[]): void {
    const { kind, names, nodes, strict } = shape;
    if (++shape.seen <= HOT || instance === STAND_IN || !this.mayMake() || !codeGenerationAllowed()) return;
    // No `__proto__`, which would mean something else in the function's text.
    const plain = instance ? this.host.takesAll!(instance, names) : !names.includes("__proto__");
    // It is tried once.
    shape.seen = Number.NEGATIVE_INFINITY;
    if (!plain || names.join().length > LONGEST_NAMES || (strict && strict.codes.filter((code) => code >= ANY).length > MOST_MEMBERS))
      return;
    shape.direct = strict && this.host.classOf?.(kind >> 8);
    const prototype = instance && Object.getPrototypeOf(instance);
    const text = functionText(shape, values, prototype, instance && memberToLoad(instance, names));
    const given = {
      K: shape,
      R: this.references,
      D: defineMember,
      A: halfToNumber,
      P: Object.getPrototypeOf,
      T: prototype,
      C: shape.direct,
      O: OTHER,
      S: NO_SHAPE,
      Y: STAND_IN,
    };
    [shape.read, shape.make] = fromText(given, text) as [Read, Make | undefined];
    if (kind < 0) nodes[0]?.made.push(shape);
    shape.kept = shape.make?.(...values.map((value) => (typeof value === "number" ? value : undefined)));
  }

  private referenceAt(p: number, end: number): unknown {
    const number = this.dv.getUint16(p + 2, true);
    const found = this.references[number];
    if (found === undefined || p + 4 > end) {
      this.stop();
      this.wanted = p + 4 <= end ? number : -1;
      return NOTHING;
    }
    this.position = p + 4;
    return found;
  }

  /** Gives a container its number, and returns that. */
  private note(container: unknown): number {
    const number = this.number++;
    if (number < REFERABLE) this.references[number] = container;
    return number;
  }

  array(p: number, levels: number, end: number): unknown {
    const { dv } = this;
    const length = dv.getUint16(p, true);
    if (length === REFERENCE) return this.referenceAt(p, end);
    const code = this.u8[p + 2];
    if (levels < 1 || p + 2 > end) return this.stop();
    if (length === 0) {
      const list: unknown[] = [];
      this.note(list);
      this.position = p + 2;
      return list;
    }
    let at = p + 3;
    if (code < ANY || code === UNDEFINED) {
      const behind = at + length * (code === UNDEFINED ? 0 : elementSize(code));
      if (behind > end || (code === UNDEFINED && (this.empties -= length) < 0)) return this.stop();
      let list: unknown[];
      if (code > 0 && code <= CODE.bool) {
        list = code === CODE.f64 ? doubles(length, dv, at) : plainNumbers(code, length, this.u8, at);
        at = behind;
      } else {
        list = new Array(length);
        for (let i = 0; i < length; i++) {
          list[i] = this.item(code, at, 0, end);
          if (this.cut) return NOTHING;
          at = this.position;
        }
      }
      this.position = at;
      this.note(list);
      return list;
    }
    const least = code === ANY ? 1 : 2;
    const { u8 } = this;
    let left = end - length * least;
    if (code > UNDEFINED || length > LONGEST || at > left) return this.stop();
    const list: unknown[] = new Array(length);
    const number = this.note(list);
    for (let i = 0; i < length; i++) {
      left += least;
      // Scalars are read here: a call for each takes longer than they do.
      const tag = code === ANY ? u8[at] : 0;
      this.position = at + 1;
      let value: unknown;
      if (tag === CODE.f64) {
        value = fixedValue(CODE.f64, dv, at + 1);
        this.position = at + 9;
      } else if (tag === CODE.bool) {
        value = u8[at + 1] === 1;
        this.position = at + 2;
      } else if (tag === CODE.string) value = this.string() ?? this.stop();
      else if (tag !== UNDEFINED) value = this.element(code, at, levels - 1, left);
      if (this.position > left && !this.cut) value = this.stop();
      if (this.cut) return this.leave(code, list, i, value, number, at);
      list[i] = value;
      at = this.position;
    }
    return list;
  }

  /** Leaves an array whose element `i` at `p` is there in part or not at all. */
  leave(code: number, list: unknown[], i: number, value: unknown, number: number, p: number): unknown[] {
    if (value === NOTHING) this.position = p;
    else list[i++] = value;
    this.open.push({ container: list, kind: code - (ANY - CODE.any), left: list.length - i, field: undefined, number });
    return list;
  }
}

function newShape(kind: number, names: readonly string[], nodes: readonly NameNode[], count: number, strict?: Strict): Shape {
  const had = names.map(() => 0);
  return {
    kind,
    count,
    names,
    nodes,
    strict,
    head: 0,
    seen: 0,
    had,
    drops: 0,
    read: undefined,
    make: undefined,
    direct: undefined,
    kept: undefined,
  };
}

/** Stands where there has been a function. */
const DROPPED: Read = () => OTHER;

function hasFunction({ read }: Shape): boolean {
  return read !== undefined && read !== DROPPED;
}

/** The next struct gets another function. */
function drop(shape: Shape): void {
  if (!hasFunction(shape)) return;
  shape.read = DROPPED;
  shape.make = undefined;
  shape.seen = HOT;
}

/** Plain structs that begin with this name are there before their members from now on. */
function setEarly(first: NameNode): void {
  first.early = true;
  for (const shape of first.made) drop(shape);
  empty(first.made);
}

/** Of which `kinds` the members from number `first` on have been, those of a struct without a schema. */
function noteKinds(shape: Shape, kinds: readonly number[], first: number): void {
  const { had } = shape;
  let more = false;
  kinds.forEach((kind, i) => {
    more ||= (had[first + i] & kind) === 0;
    had[first + i] |= kind;
  });
  if (!more || !hasFunction(shape)) return;
  if (++shape.drops > MOST_DROPS) had.fill(ALL_KINDS);
  drop(shape);
}
