// Small saves, read without the kernel. Below half a kilobyte the fixed costs of a read decide: a kernel has to be compiled and to get its memory
// before the first one, and later ones wait for calls into it more than for their bytes. So plain JavaScript reads them, as far as there is
// nothing rare about them. Everything else, and all that is wrong in any way, is left to the kernel, which begins anew: it alone says what is
// valid, and which error it is.
import { wasmAllowed } from "../engine/kernel.ts";
import { codeGenerationAllowed } from "../graph/code-generation.ts";
import { empty, numberOf } from "../graph/elements.ts";
import { needsDefinition } from "../graph/members.ts";
import { HOT } from "../graph/shape-factory.ts";
import { utf8Text } from "../graph/text.ts";
import { wireCode } from "./byte-writer.ts";
import { POST_READ, PRE_READ, type Registered, type Registry } from "./constructors.ts";
import { CODE } from "./datatypes.ts";
import type { Limits } from "./limits.ts";
import { assignMember } from "./members.ts";
import { FOOTER, type Release, readHeader } from "./releases.ts";
import { VERSION_VERBOSE } from "./schema.ts";
import { halfToNumber } from "./typed-arrays.ts";

/** Longest save that is read here. */
export const SMALL = 512;
/** Deeper containers, and more elements without a byte of their own, are left to the kernel, whatever the limits. */
const DEEPEST = 64;
const MOST_EMPTY = SMALL;
/** Names that are remembered; what comes then begins anew. */
const MOST_NAMES = 4096;
/** Strings up to this length are looked for among the last ones, by a hash of 2^8 values. */
const LONGEST_KNOWN = 32;
const KNOWN = 256;
/** After saves that were none for here, so many at most are not even tried. */
const LONGEST_WAIT = 64;

/** Release 1.5.0, with its wire codes. */
const OLDEST = 150;
const ANY = 204;
const ARRAY = 205;
const STRUCT = 206;
const UNDEFINED = 207;

/** Thrown where a save has to be left to the kernel. */
const LEFT = Symbol("not a save for here");

/** Thrown by the first instance that a codec meets here. */
const CLASSES = Symbol("there are instances");
/** For instances, while a save is gone through without them. */
const STAND_IN = {};

/** What {@link SmallSaves.read} returns for a save that the kernel has to read. */
export const NOT_READ: unique symbol = Symbol("not read");

type Make = (values: readonly unknown[], from: number) => object;
type Assign = (target: object, values: readonly unknown[], from: number) => void;

/** The members of a struct or of a strict version, in their order. */
class Members {
  readonly names: readonly string[];
  private readonly codeGeneration: boolean;
  private readonly special: boolean;
  private seen = 0;
  private made: Make | undefined;
  private readonly assigners = new Map<object, Assign>();

  constructor(names: readonly string[], codeGeneration: boolean) {
    this.names = names;
    this.codeGeneration = codeGeneration;
    this.special = names.includes("__proto__") || names.includes(VERSION_VERBOSE) || new Set(names).size < names.length;
  }

  /** A plain struct of the values from `from` on. */
  make(values: readonly unknown[], from: number): object {
    if (this.made) return this.made(values, from);
    if (this.special) throw LEFT;
    if (this.hot()) {
      const members = this.names.map((name, i) => `${JSON.stringify(name)}:v[i+${i}]`);
      this.made = new Function("v", "i", `return{${members}}`) as Make;
    }
    const struct: Record<string, unknown> = {};
    for (let i = 0; i < this.names.length; i++) struct[this.names[i]] = values[from + i];
    return struct;
  }

  /** Gives them to a new instance of a class. */
  assign(instance: object, values: readonly unknown[], from: number): void {
    const prototype = Object.getPrototypeOf(instance);
    const made = this.assigners.get(prototype);
    if (made) {
      made(instance, values, from);
      return;
    }
    const { names } = this;
    if (!this.special && this.hot() && Object.isExtensible(instance) && !names.some((name) => needsDefinition(instance, name))) {
      const members = names.map((name, i) => `o[${JSON.stringify(name)}]=v[i+${i}];`);
      this.assigners.set(prototype, new Function("o", "v", "i", members.join("")) as Assign);
    }
    for (let i = 0; i < names.length; i++) assignMember(instance, names[i], values[from + i]);
  }

  /** Is a function worth making, and allowed? Nobody may have asked yet whether WebAssembly is, which code-generation.ts wants to be known. */
  private hot(): boolean {
    return ++this.seen > HOT && this.codeGeneration && wasmAllowed() && codeGenerationAllowed();
  }
}

/** A name behind others: structs that begin alike share what comes first. */
class NameNode {
  readonly name: string;
  private readonly parent: NameNode | undefined;
  /** With its terminator. */
  readonly bytes: Uint8Array;
  /** What followed last, which is what is tried first. */
  next: NameNode | undefined;
  private others: Map<string, NameNode> | undefined;
  private ended: Members | undefined;

  constructor(name: string, bytes: Uint8Array, parent: NameNode | undefined) {
    this.name = name;
    this.bytes = bytes;
    this.parent = parent;
  }

  /** The node of a name that follows; undefined where there is none yet. */
  follow(name: string): NameNode | undefined {
    const found = this.others?.get(name);
    if (found) this.next = found;
    return found;
  }

  add(name: string, bytes: Uint8Array): NameNode {
    this.next = new NameNode(name, bytes, this);
    this.others ??= new Map();
    this.others.set(name, this.next);
    return this.next;
  }

  /** The members of structs that end here. */
  members(codeGeneration: boolean): Members {
    if (!this.ended) {
      const names: string[] = [];
      for (let node: NameNode = this; node.parent; node = node.parent) names.push(node.name);
      this.ended = new Members(names.reverse(), codeGeneration);
    }
    return this.ended;
  }
}

const firstNode = (): NameNode => new NameNode("", new Uint8Array(0), undefined);

/** Reads small saves for one codec, one at a time: a read inside of another, by a constructor, is none for here. */
export class SmallSaves {
  private readonly registry: Registry;
  private readonly codeGeneration: boolean;
  private readonly usable: boolean;
  /** The save under way, with room for the scalar that it may end in. */
  private readonly u8 = new Uint8Array(SMALL + 8);
  private readonly dv = new DataView(this.u8.buffer);
  private position = 0;
  private depth = 0;
  private empty = 0;
  /** Values of the members of open structs. */
  private readonly values: unknown[] = [];
  private top = 0;
  /** Bytes of {@link u8} that are not zero. */
  private filled = 0;
  /** Containers by number; undefined for plain structs that are still open. */
  private readonly references: unknown[] = [];
  /** Of this save: the constructors and their numbers. */
  private readonly constructors: Registered[] = [];
  private readonly constructorNumbers: number[] = [];
  private first = firstNode();
  private names = 0;
  private readonly versions = new Map<readonly string[], Members>();
  /** The last string of each hash. */
  private readonly known: ({ bytes: Uint8Array; text: string } | undefined)[] = new Array(KNOWN).fill(undefined);
  /** Of the last save: the offset behind it, and its release. */
  end = 0;
  release: Release = "1.5.1";
  private reading = false;
  /** Has there been an instance, in any save? */
  private classes = false;
  /** Is this the way without them? */
  private trying = false;
  /** Is the program's own code running? */
  private calling = false;
  /** So many saves are not tried any more; more after each save that was none for here. */
  private waiting = 0;
  private wait = 0;

  constructor(registry: Registry, limits: Limits, codeGeneration: boolean) {
    this.registry = registry;
    this.codeGeneration = codeGeneration;
    this.usable = limits.maxDepth > DEEPEST && limits.maxNodes >= SMALL && limits.maxEmptyElements >= MOST_EMPTY;
  }

  /** The value of a save that ends with `bytes` or at most {@link SMALL} bytes behind `offset`, or {@link NOT_READ}. */
  read(bytes: Uint8Array, offset: number): unknown {
    const length = bytes.length - offset;
    if (!(length <= SMALL && length > 12 && this.usable) || this.reading) return NOT_READ;
    if (this.waiting > 0) {
      this.waiting--;
      return NOT_READ;
    }
    this.reading = true;
    try {
      this.u8.set(offset === 0 ? bytes : bytes.subarray(offset));
      if (length < this.filled) this.u8.fill(0, length, this.filled);
      this.filled = length;
      // Nothing of the program's may run for a save that is not for here, or wrong: one with instances is gone through without any first.
      this.trying = this.classes;
      let value = this.save(length);
      if (this.constructors.length > 0) {
        this.reset();
        this.trying = false;
        value = this.save(length);
      }
      this.end = offset + this.position + 4;
      this.wait = 0;
      return value;
    } catch (error) {
      if (this.calling) throw error;
      if (error === CLASSES) {
        this.reset();
        this.reading = false;
        this.classes = true;
        return this.read(bytes, offset);
      }
      this.wait = this.waiting = Math.min(this.wait * 2 + 1, LONGEST_WAIT);
      return NOT_READ;
    } finally {
      this.reset();
      this.reading = false;
      this.calling = false;
    }
  }

  private reset(): void {
    this.depth = 0;
    this.empty = 0;
    this.top = 0;
    empty(this.values);
    empty(this.references);
    empty(this.constructors);
    empty(this.constructorNumbers);
    if (this.names > MOST_NAMES) {
      this.first = firstNode();
      this.names = 0;
    }
  }

  private save(length: number): unknown {
    const { dv } = this;
    const { layout, release, root } = readHeader(this.u8, 0);
    if (layout < OLDEST) throw LEFT;
    this.release = release;
    this.position = root + 1;
    const value = this.value(this.u8[root]);
    if (this.position + 4 > length || dv.getUint32(this.position, true) !== FOOTER) throw LEFT;
    return value;
  }

  // Behind the save are zeros: whoever has read them does not find the footer in time.

  private value(code: number): unknown {
    const { dv } = this;
    const p = this.position;
    switch (code) {
      case CODE.f64: {
        this.position = p + 8;
        const number = dv.getFloat64(p, true);
        return Number.isNaN(number) ? Number.NaN : numberOf(number);
      }
      case CODE.string:
      case CODE.text:
        return this.string();
      case CODE.bool:
        this.position = p + 1;
        return dv.getUint8(p) === 1;
      case UNDEFINED:
        return undefined;
      case STRUCT:
        return this.struct();
      case ARRAY:
        return this.array();
      case ANY:
        this.position = p + 1;
        if (dv.getUint8(p) === ANY) throw LEFT;
        return this.value(dv.getUint8(p));
      case CODE.u8:
        this.position = p + 1;
        return dv.getUint8(p);
      case CODE.s8:
        this.position = p + 1;
        return dv.getInt8(p);
      case CODE.u16:
        this.position = p + 2;
        return dv.getUint16(p, true);
      case CODE.s16:
        this.position = p + 2;
        return dv.getInt16(p, true);
      case CODE.f16:
        this.position = p + 2;
        return halfToNumber(dv.getUint16(p, true));
      case CODE.u32:
        this.position = p + 4;
        return dv.getUint32(p, true);
      case CODE.s32:
        this.position = p + 4;
        return dv.getInt32(p, true);
      case CODE.f32:
        this.position = p + 4;
        return dv.getFloat32(p, true);
      case CODE.u64:
        this.position = p + 8;
        return dv.getBigInt64(p, true);
    }
    throw LEFT;
  }

  private u16(): number {
    const p = this.position;
    this.position = p + 2;
    return this.dv.getUint16(p, true);
  }

  private string(): string {
    const { u8 } = this;
    const start = this.position;
    let end = start;
    let hash = 0;
    let bits = 0;
    for (let byte = u8[end]; byte !== 0; byte = u8[++end]) {
      if (end >= SMALL) throw LEFT;
      hash = (Math.imul(hash, 31) + byte) | 0;
      bits |= byte;
    }
    this.position = end + 1;
    const length = end - start;
    if (length > LONGEST_KNOWN) return utf8Text(u8.subarray(start, end));
    const known = this.known[hash & (KNOWN - 1)];
    if (known?.bytes.length === length) {
      const { bytes } = known;
      let i = 0;
      while (i < length && bytes[i] === u8[start + i]) i++;
      if (i === length) return known.text;
    }
    const bytes = u8.slice(start, end);
    const text = bits < 128 ? String.fromCharCode(...bytes) : utf8Text(bytes);
    this.known[hash & (KNOWN - 1)] = { bytes, text };
    return text;
  }

  // ---- containers ----

  private enter(container: unknown): number {
    if (++this.depth > DEEPEST) throw LEFT;
    return this.references.push(container) - 1;
  }

  private reference(): unknown {
    const found = this.references[this.u16()];
    if (found === undefined) throw LEFT;
    return found;
  }

  private array(): unknown {
    const length = this.u16();
    if (length === 0xffff) return this.reference();
    const list: unknown[] = [];
    this.enter(list);
    if (length > 0) {
      const code = this.u8[this.position++];
      if (code === UNDEFINED && (this.empty += length) > MOST_EMPTY) throw LEFT;
      if (code === ANY) for (let i = 0; i < length; i++) list.push(this.value(this.u8[this.position++]));
      else for (let i = 0; i < length; i++) list.push(this.value(code));
    }
    this.depth--;
    return list;
  }

  private struct(): unknown {
    const count = this.u16();
    if (count >= 0xfffe) return count === 0xffff ? this.reference() : this.instance();
    const number = this.enter(undefined);
    const from = this.top;
    const struct = this.namedValues(count).make(this.values, from);
    this.references[number] = struct;
    this.leave(from);
    return struct;
  }

  private leave(top: number): void {
    this.top = top;
    this.depth--;
  }

  /** The values of so many members with names, from the top on, which moves behind them. */
  private namedValues(count: number): Members {
    const { u8, values } = this;
    let node = this.first;
    for (let i = 0; i < count; i++) {
      node = this.name(node);
      const value = this.value(u8[this.position++]);
      values[this.top++] = value;
    }
    return node.members(this.codeGeneration);
  }

  private name(before: NameNode): NameNode {
    const { u8 } = this;
    const start = this.position;
    const { next } = before;
    if (next !== undefined) {
      const { bytes } = next;
      const { length } = bytes;
      let i = 0;
      while (i < length && bytes[i] === u8[start + i]) i++;
      if (i === length) {
        this.position = start + length;
        return next;
      }
    }
    const name = this.string();
    const found = before.follow(name);
    if (found) return found;
    this.names++;
    return before.add(name, u8.slice(start, this.position));
  }

  private instance(): object {
    if (!this.classes) throw CLASSES;
    const registered = this.constructorAt(this.u16());
    let instance: object = STAND_IN;
    if (!this.trying) {
      this.calling = true;
      instance = registered.construct();
      this.calling = false;
    }
    this.enter(instance);
    const from = this.top;
    const version = this.u8[this.position++];
    const members = version >= 128 ? this.namedValues(this.u16()) : this.strictValues(registered, version);
    if (!this.trying) {
      this.calling = true;
      members.assign(instance, this.values, from);
      this.calling = false;
    }
    this.leave(from);
    return instance;
  }

  /** The constructor of this number in the save: a class that wants nothing but to be made. */
  private constructorAt(index: number): Registered {
    const known = this.constructorNumbers.indexOf(index);
    if (known >= 0) return this.constructors[known];
    const found = this.registry.named(this.string());
    if (!found?.type || found.callback(PRE_READ) || found.callback(POST_READ)) throw LEFT;
    this.constructorNumbers.push(index);
    this.constructors.push(found);
    return found;
  }

  private strictValues(registered: Registered, version: number): Members {
    const schema = version > 0 && registered.schema ? registered.version(version) : undefined;
    // Fields that are left out keep what the constructor has given them.
    if (!schema || this.u16() !== 0) throw LEFT;
    for (const { code } of schema.fields) {
      const value = code === 0 ? undefined : this.value(wireCode(code));
      this.values[this.top++] = value;
    }
    let members = this.versions.get(schema.fieldNames);
    if (!members) this.versions.set(schema.fieldNames, (members = new Members(schema.fieldNames, this.codeGeneration)));
    return members;
  }
}
