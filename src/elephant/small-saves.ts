// Small saves, read without the kernel. Below half a kilobyte the fixed costs of a read decide: a kernel has to be compiled and to get its memory
// before the first one, and later ones wait for calls into it more than for their bytes. So plain JavaScript reads them (plain-reader.ts), as far as there is
// nothing rare about them. Everything else, and all that is wrong in any way, is left to the kernel, which begins anew.
import { wasmAllowed } from "../engine/kernel.ts";
import { empty } from "../graph/elements.ts";
import { bufferText, utf8Text } from "../graph/text.ts";
import { wireCode } from "./byte-writer.ts";
import { POST_READ, PRE_READ, type Registered, type Registry } from "./constructors.ts";
import type { Limits } from "./limits.ts";
import { LEFT, left, Members, PlainReader } from "./plain-reader.ts";
import { FOOTER, type Release, readHeader } from "./releases.ts";
import { ANY, ARRAY, STRUCT, UNDEFINED } from "./tags.ts";

/** Longest save that is read here. */
export const SMALL = 512;
/** Deeper containers, and more elements without a byte of their own, are left to the kernel, whatever the limits. */
const DEEPEST = 64;
const MOST_EMPTY = SMALL;
/** After saves that were none for here, so many at most are not even tried. */
const LONGEST_WAIT = 64;

/** Release 1.5.0, with its wire codes. */
const OLDEST = 150;

/** Thrown by the first instance that a codec meets here. */
const CLASSES = Symbol();
/** For instances, while a save is gone through without them. */
const STAND_IN = {};

/** What {@link SmallSaves.read} returns for a save that the kernel has to read. */
export const NOT_READ: unique symbol = Symbol();

/** Reads small saves for one codec, one at a time: a read inside of another, by a constructor, is none for here. */
export class SmallSaves extends PlainReader {
  private readonly registry: Registry;
  private readonly usable: boolean;
  private readonly decoders = bufferText(this.u8.buffer);
  private depth = 0;
  private empty = 0;
  /** Bytes of {@link u8} that are not zero. */
  private filled = 0;
  /** Of this save: the constructors and their numbers. */
  private readonly constructors: Registered[] = [];
  private readonly constructorNumbers: number[] = [];
  private readonly versions = new Map<readonly string[], Members>();
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
    // With room for the scalar that a save may end in.
    // Nobody may have asked yet whether WebAssembly is allowed, which code-generation.ts wants to be known.
    super(new Uint8Array(SMALL + 8), SMALL, [], () => codeGeneration && wasmAllowed());
    this.registry = registry;
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

  protected override reset(): void {
    super.reset();
    this.depth = 0;
    this.empty = 0;
    empty(this.references);
    empty(this.constructors);
    empty(this.constructorNumbers);
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

  /** As the kernel makes it: only where a decoder finds no UTF-8 may there be pairs of surrogates to be joined. */
  protected text(start: number, end: number): string {
    const text = this.decoders?.utf8Slice(start, end);
    return text === undefined || text.includes("\ufffd") ? utf8Text(this.u8.subarray(start, end)) : text;
  }

  // Behind the save are zeros: whoever has read them does not find the footer in time.

  protected value(code: number): unknown {
    if (code < ANY || code === UNDEFINED) return this.scalar(code);
    if (code === STRUCT) return this.struct();
    if (code === ARRAY) return this.array();
    const inner = this.u8[this.position++];
    if (code !== ANY || inner === ANY) throw LEFT;
    return this.value(inner);
  }

  // ---- containers ----

  private enter(container: unknown): number {
    if (++this.depth > DEEPEST) throw LEFT;
    return this.references.push(container) - 1;
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
    const found = this.registry.named(this.string() ?? left());
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
    if (!members) this.versions.set(schema.fieldNames, (members = new Members(schema.fieldNames, [], this.codeGeneration)));
    return members;
  }
}
