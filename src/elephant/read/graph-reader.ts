// Plain JavaScript that reads containers from the bytes of releases 1.5.0 and 1.5.1, and makes them in one step: one function for each class and each shape, made
// of text where that is allowed and pays, which reads the members in order and calls the others for the containers among them. What is built on it: whole
// small saves (small-saves.ts), and structs that the kernel has no layouts for (nested.ts).
//
// What does not belong here, or is not there yet, ends it wherever it stands, and what is open then is noted. So nothing here decides what is valid.

import { codeGenerationAllowed } from "../../graph/code-generation.ts";
import { mixedList } from "../../graph/elements.ts";
import { fixedText, halfToNumber, isFraction } from "../../graph/fixed-values.ts";
import { defineMember, memberToLoad, needsDefinition, setMember } from "../../graph/members.ts";
import { HOT } from "../../graph/shape-factory.ts";
import * as CODE from "../codes.ts";
import type { ElephantConstructor } from "../constructors.ts";
import { ANY, ARRAY, STRUCT, UNDEFINED } from "../tags.ts";
import { doubles, elementSize, plainNumbers } from "../typed-arrays.ts";
import { firstZero, LEFT, type Members, type NameNode, PlainReader } from "./plain-reader.ts";

/** Containers that can be referred to (formats/elephant.md §7). */
const REFERABLE = 65536;
const REFERENCE = 0xffff;
const INSTANCE = 0xfffe;
/** Structs with more members, and longer arrays of what may be containers, are left to the kernel. */
const MOST_MEMBERS = 64;
const LONGEST = 1024;
/** Longer names, all together, get no function. */
const LONGEST_NAMES = 4000;
/** Structs that are told by how they begin, and by how deep they stand: the ones that hold others often begin like those. */
const STRUCTS = 128;
/** Of no class. */
const PLAIN = -1;
/** Classes that are found by their number in the save at once. */
const RECENT = 64;
/** What stands where there is no value, because it ends there. */
export const NOTHING = Symbol();

/** What makes instances. */
export interface InstanceHost {
  /** A new instance; `byte` is its version, and 128 where its members have names. */
  open(id: number, byte: number): object;
  /** The class, when making an instance is all there is to do. */
  classOf?(id: number): ElephantConstructor | undefined;
  assign(instance: object, name: string, value: unknown): void;
  /** May all of these members of a new instance be given to it by assignments? */
  plainAssignment?(instance: object, names: readonly string[]): boolean;
}

/** What reads a struct whose members or fields begin at `p`, which may go down so many levels, and has to end before `end`. */
type Read = (N: GraphReader, d: DataView, p: number, levels: number, end: number) => unknown;
/** The same functions for plain structs whose members are there. */
type Make = (N: GraphReader, nothing: undefined, values: readonly unknown[], number: number) => object;

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
  readonly names: readonly string[];
  /** Names as they stand in saves; none where a schema tells them. */
  readonly nodes: readonly NameNode[];
  readonly strict: Strict | undefined;
  /** How instances of a strict version begin in this save: the mark of an instance and the number of the constructor. */
  head: number;
  seen: number;
  /** The kinds of values that members have had in the first structs, a bit for each; not where a schema tells them. */
  readonly had: number[];
  /** Once there is a function. */
  read: Read | undefined;
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
  private recent: (Shape | undefined)[] = [];
  /** Those with functions that are tried first, by how a struct begins. */
  private readonly structs: (Shape | undefined)[] = [];

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

  /** Nothing is there, or nothing for here. */
  stop(): symbol {
    this.cut = true;
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
        return recent.read === undefined ? this.instance(recent, p + 7, levels, end) : recent.read(this, dv, p + 7, levels, end);
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
    const zero = firstZero(word);
    if (zero !== 0) word &= zero - 1;
    const place = Math.imul(word ^ Math.imul(count ^ kind ^ ((levels & 3) << 6), 0x5bd1e995), 0x9e3779b1) >>> 25;
    const known = this.structs[place];
    if (known !== undefined && known.kind === kind && known.names.length === count) return known.read!(this, dv, p + 2, levels, end);
    const instance = kind < 0 ? undefined : this.host.open(kind >> 8, kind & 255);
    return this.members(count, kind, instance, this.note(instance), undefined, this.first, mixedList(), p + 2, levels, end, place);
  }

  /** A strict version, which instances that begin with `head` have in this save. */
  private version(kind: number, head: number): Shape | undefined {
    let shape = this.versions.get(kind);
    if (!shape) {
      const strict = this.strictOf(kind >> 8, kind & 255, head >>> 16);
      if (!strict) return undefined;
      shape = newShape(kind, strict.names, [], strict);
      this.versions.set(kind, shape);
    }
    shape.head = head;
    this.recent[(head >>> 16) % RECENT] = shape;
    return shape;
  }

  /** One of a strict version whose fields begin at `p`. */
  private instance(shape: Shape, p: number, levels: number, end: number): unknown {
    if (levels < 1) return this.stop();
    const { kind, names } = shape;
    const instance = this.host.open(kind >> 8, kind & 255);
    return this.members(names.length, kind, instance, this.note(instance), shape, this.first, mixedList(), p, levels, end, STRUCTS);
  }

  /**
   * A struct of `count` members, some of which may be there: `values`, with the last one's name at `node`, or those of a strict version. The others begin at `p`; if it
   * has been {@link cut} already, it ends there.
   */
  private members(
    count: number,
    kind: number,
    instance: object | undefined,
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
    try {
      while (values.length < count && !this.cut) {
        this.position = p;
        const code = strict ? strict.codes[values.length] : ANY;
        const next = strict ? node : this.name(node);
        // A name and a code at the least.
        const claim = strict ? 0 : (count - values.length - 1) * 2;
        const value = code === 0 ? undefined : this.item(code, this.position, levels - 1, end - claim);
        if (value === NOTHING) break;
        values.push(value);
        node = next;
        p = this.position;
      }
    } catch (error) {
      if (error !== LEFT) throw error;
      this.cut = true;
    }
    this.position = p;
    const members = node.members();
    const { names } = version ?? members;
    if (!this.cut) {
      const shape = version ?? this.shapeOf(members, kind);
      if (!shape.read) this.make(shape, instance, values);
      if (shape.read) {
        this.slow++;
        this.structs[place] = shape;
        if (!instance) return (shape.read as unknown as Make)(this, undefined, values, number);
      }
    }
    const struct: object = instance ?? {};
    values.forEach((value, i) => {
      if (instance) this.host.assign(instance, names[i], value);
      else setMember(struct as Record<string, unknown>, names[i], value);
    });
    if (number < REFERABLE) this.references[number] = struct;
    if (this.cut)
      this.open.push({
        container: struct,
        kind: strict?.program,
        left: count - values.length,
        field: strict?.fields[values.length],
        number,
      });
    return struct;
  }

  private shapeOf({ names, nodes, shapes }: Members, kind: number): Shape {
    let shape = shapes.get(kind);
    if (!shape) {
      // Classes and their versions are as many as a save likes: they are forgotten with the names.
      this.names++;
      shapes.set(kind, (shape = newShape(kind, names, nodes)));
    }
    return shape;
  }

  /** Where a made function ends early: at member `i`, which begins at `p` and is there, in part or not, only if it has been {@link cut}. */
  rest(shape: Shape, i: number, values: unknown[], p: number, levels: number, end: number, number: number, instance?: object): object {
    const { kind, names, nodes, strict } = shape;
    const there = this.cut && values[i] !== NOTHING;
    values.length = there ? i + 1 : i;
    const node = nodes[values.length - 1] ?? this.first;
    return this.members(
      names.length,
      kind,
      instance,
      number,
      strict && shape,
      node,
      values,
      there ? this.position : p,
      levels,
      end,
      STRUCTS,
    );
  }

  /** Makes a function for structs like this one, whose instance has no members yet, if that is worth it. */
  private make(shape: Shape, instance: object | undefined, values: readonly unknown[]): void {
    const { kind, names, strict, had } = shape;
    if (!strict && shape.seen >= 0 && shape.seen <= HOT) for (let i = 0; i < names.length; i++) had[i] |= KINDS[typeof values[i]]!;
    if (++shape.seen <= HOT || !this.mayMake() || !codeGenerationAllowed()) return;
    // It is tried once.
    shape.seen = Number.NEGATIVE_INFINITY;
    if (names.join().length > LONGEST_NAMES || !(instance ? this.host.plainAssignment?.(instance, names) : !names.includes("__proto__")))
      return;
    shape.direct = strict && this.host.classOf?.(kind >> 8);
    const prototype = instance && Object.getPrototypeOf(instance);
    const text = functionText(shape, values, prototype, instance && memberToLoad(instance, names));
    shape.read = new Function("K", "R", "D", "A", "P", "T", "C", text)(
      shape,
      this.references,
      defineMember,
      halfToNumber,
      Object.getPrototypeOf,
      prototype,
      shape.direct,
    ) as Read;
  }

  private referenceAt(p: number, end: number): unknown {
    const found = this.references[this.dv.getUint16(p + 2, true)];
    if (found === undefined || p + 4 > end) return this.stop();
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
    let left = end - length * least;
    if (code > UNDEFINED || length > LONGEST || at > left) return this.stop();
    const list: unknown[] = new Array(length);
    const number = this.note(list);
    for (let i = 0; i < length; i++) {
      left += least;
      const value = this.item(code, at, levels - 1, left);
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

function newShape(kind: number, names: readonly string[], nodes: readonly NameNode[], strict?: Strict): Shape {
  return { kind, names, nodes, strict, head: 0, seen: 0, had: names.map(() => 0), read: undefined, direct: undefined };
}

/** The condition that these bytes stand at `p`. */
function bytesText(bytes: Uint8Array): string {
  const tests: string[] = [];
  for (let i = 0; i < bytes.length; i += 4) {
    const [a, b = 0, c = 0, e = 0] = bytes.subarray(i);
    const left = bytes.length - i;
    const word = left === 1 ? `d.getUint8(p+${i})` : left === 2 ? `d.getUint16(p+${i},true)` : `d.getInt32(p+${i},true)`;
    tests.push(`${left === 3 ? `(${word}&0xffffff)` : word}===${a | (b << 8) | (c << 16) | (e << 24)}`);
  }
  return tests.join("&&");
}

// Kinds of values that members have had.
const NUMBER = 1;
const TEXT = 2;
const FLAG = 4;
const NONE = 8;
const HOLDS = 16;
const KINDS: Record<string, number | undefined> = { number: NUMBER, string: TEXT, boolean: FLAG, undefined: NONE, object: HOLDS };

/**
 * The text of the function that reads structs of one shape. Members of the kinds that they have had are read in place, numbers as `values` has them; `known`:
 * a member that an instance loads first (members.ts). What it finds that is none of the shape, or ends too late, it leaves from the last member on that may
 * have held a container.
 */
function functionText(
  { kind, names, nodes, strict, direct, had }: Shape,
  values: readonly unknown[],
  prototype: object | null | undefined,
  known: string | undefined,
): string {
  const key = (i: number) => JSON.stringify(names[i]);
  const variables = names.map((_, i) => `v${i}`);
  /** Bytes since `p` was moved last. */
  let slot = 0;
  const text = (i: number) => `N.position=p+${slot};v${i}=N.string();if(v${i}===undefined)break a;p=N.position`;
  const fixed = (i: number, code: number) => fixedText(code, `p+${slot}`, isFraction(values[i]));
  const item = (i: number, value: string) => `{if(p>e)break a;i=${i};q=p;v${i}=${value};if(N.cut)break a;i=${i + 1};q=p=N.position}`;
  // A reference, which is read with its tag.
  const reference = (i: number) =>
    `t===${STRUCT}&&d.getUint16(p+${slot},true)===${REFERENCE}&&(v${i}=R[d.getUint16(p+${slot + 2},true)])!==undefined)p+=${slot + 4};else`;
  const steps = names.map((_, i) => {
    if (!strict) {
      const { bytes } = nodes[i];
      slot = bytes.length + 1;
      const place = `p+${slot},k-1,e-${(names.length - 1 - i) * 2}`;
      const near =
        (had[i] & NUMBER ? `if(t===${CODE.f64}){v${i}=${fixed(i, CODE.f64)};p+=${slot + 8}}else ` : "") +
        (had[i] & TEXT ? `if(t===${CODE.string}){${text(i)}}else ` : "") +
        (had[i] & FLAG ? `if(t===${CODE.bool}){v${i}=d.getUint8(p+${slot})===1;p+=${slot + 1}}else ` : "") +
        (had[i] & NONE ? `if(t===${UNDEFINED}){v${i}=undefined;p+=${slot}}else ` : "") +
        (had[i] & HOLDS ? `if(${reference(i)}` : "");
      const other = item(i, had[i] & HOLDS ? `t===${STRUCT}?N.struct(${place}):N.item(t,${place})` : `N.item(t,${place})`);
      slot = 0;
      return `if(!(${bytesText(bytes)}))break a;t=d.getUint8(p+${bytes.length});${near}${other}`;
    }
    const code = strict.codes[i];
    if (code === 0 || code === UNDEFINED) return `v${i}=undefined;`;
    const value = fixed(i, code);
    if (value) {
      slot += elementSize(code);
      return `v${i}=${value};`;
    }
    const move = `p+=${slot};`;
    slot = 0;
    if (code === CODE.string) return `${move}${text(i)};`;
    const read = item(i, code === ARRAY ? "a(N,d,p,k-1,e)" : `N.item(${code},p,k-1,e)`);
    slot = 1;
    const near = code === ANY ? `t=d.getUint8(p);if(t===${UNDEFINED}){v${i}=undefined;p++}else if(${reference(i)}` : "";
    slot = 0;
    return `${move}${near}${read}`;
  });
  const members = names.map((name, i) =>
    prototype === undefined ? `${key(i)}:v${i},` : needsDefinition(prototype, name) ? `D(o,${key(i)},v${i});` : `o[${key(i)}]=v${i};`,
  );
  const note = (made: string) => `if(n<${REFERABLE})R[n]=${made};`;
  // With the class's number: see layout-factory.ts.
  const open = direct ? `new C(/*${kind}*/)` : `N.host.open(${kind >> 8},${kind & 255})`;
  const load = known === undefined ? "" : `o[${JSON.stringify(known)}];`;
  const begin = `let i=0,q=p,t,x,y${variables.map((v) => `,${v}`).join("")};`;
  const read = `${steps.join("")}p+=${slot};if(p>e)break a;N.position=p`;
  const body =
    prototype === undefined
      ? `const n=d?N.number++:k;${begin}a:{if(d){${read}}else{${variables.map((v, i) => `${v}=p[${i}];`).join("")}}const o={${members.join("")}};${note("o")}`
      : `if(k<1)return N.stop();const n=N.number++,o=${open};${note("o")}${load}${begin}a:{if(P(o)!==T)break a;${read};${members.join("")}`;
  // An array whose elements are mostly of the same class.
  const array =
    `function a(N,d,p,k,e){const c=d.getUint16(p,true);if(c>${MOST_MEMBERS}||c>0&&d.getUint8(p+2)!==${STRUCT}||k<1||p+3+c*2>e)return N.array(p,k,e);` +
    `const l=c>0?new Array(c):[],n=N.number++;${note("l")}if(c===0){N.position=p+2;return l}p+=3;e-=c*2;` +
    `for(let i=0;i<c;i++){e+=2;const v=d.getInt32(p,true)===K.head&&(d.getInt32(p+4,true)&0xffffff)===${kind & 255}&&p+7<=e?f(N,d,p+7,k-1,e):N.item(${STRUCT},p,k-1,e);` +
    `if(N.cut)return N.leave(${STRUCT},l,i,v,n,p);l[i]=v;p=N.position}return l}`;
  return (
    `"use strict";${strict?.codes.includes(ARRAY) ? array : ""}return f;function f(N,d,p,k,e){` +
    `${body}return o}` +
    `return N.rest(K,i,[${variables},undefined],q,k,e,n${prototype === undefined ? "" : ",o"})}`
  );
}
