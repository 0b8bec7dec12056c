// Small saves, read without the kernel. Below half a kilobyte the fixed costs of a read decide: a kernel has to be compiled and to get its memory
// before the first one, and later ones wait for calls into it more than for their bytes. So plain JavaScript reads them (graph-reader.ts), as far as there is
// nothing rare about them. Everything else, and all that is wrong in any way, is left to the kernel, which begins anew.
import { wasmAllowed } from "../../engine/kernel.ts";
import { empty } from "../../graph/elements.ts";
import { bufferText, utf8Text } from "../../graph/text.ts";
import { POST_READ, PRE_READ, type Registered, type Registry } from "../constructors.ts";
import type { Limits } from "../limits.ts";
import { assignMember, takesAll } from "../members.ts";
import type { ReadResult } from "../read.ts";
import { FOOTER, type Release, ROOT, readHeader } from "../releases.ts";
import { ANY, wireCode } from "../tags.ts";
import { GraphReader, type InstanceHost, STAND_IN, type Strict } from "./graph-reader.ts";
import { LEFT, left } from "./plain-reader.ts";

/** Longest save that is read here. */
export const SMALL = 512;
/** Deeper containers, and more elements without a byte of their own, are left to the kernel, whatever the limits. */
const DEEPEST = 64;
const MOST_EMPTY = SMALL;

/** Release 1.5.0, with its wire codes. */
const OLDEST = 150;

/** While a save is gone through without instances. */
const STAND_INS: InstanceHost = { open: () => STAND_IN, assign: () => undefined };

/** Reads small saves for one codec, one at a time: a read inside of another, by a constructor, is none for here. */
export class SmallSaves extends GraphReader {
  private readonly registry: Registry;
  private readonly codeGeneration: boolean;
  private readonly decoders = bufferText(this.u8.buffer);
  private readonly instances: InstanceHost;
  /** Bytes of {@link u8} that are not zero. */
  private filled = 0;
  /** Of this save: the constructors by their numbers, which are in the order of their names. */
  private readonly constructors: Registered[] = [];
  private release: Release = "1.5.1";
  /** Is a save being read, or none ever, and which time is it? In the second one constructors run. */
  private pass = 0;

  constructor(registry: Registry, limits: Limits, codeGeneration: boolean) {
    // With room for the scalar that a save may end in.
    super(new Uint8Array(SMALL + 8), SMALL, [], STAND_INS);
    this.empties = MOST_EMPTY;
    this.registry = registry;
    this.codeGeneration = codeGeneration;
    // What such a save could exceed, only the kernel counts.
    if (!(limits.maxDepth > DEEPEST && limits.maxNodes >= SMALL && limits.maxEmptyElements >= MOST_EMPTY)) this.pass = 1;
    this.instances = { open: (id) => registry.all[id].construct(), assign: assignMember, takesAll };
  }

  /** A save that ends with `bytes` or at most {@link SMALL} bytes behind `offset`; undefined where the kernel has to read it. */
  read(bytes: Uint8Array, offset: number): ReadResult | undefined {
    const length = bytes.length - offset;
    if (!(length <= SMALL && length > 12 && this.pass === 0)) return undefined;
    this.pass = 1;
    try {
      this.u8.set(offset === 0 ? bytes : bytes.subarray(offset));
      if (length < this.filled) this.u8.fill(0, length, this.filled);
      this.filled = length;
      // No constructor may run for a save that is not for here, or wrong: one with instances is gone through without any first.
      let value = this.save(length);
      if (this.constructors.length > 0) {
        this.pass = 2;
        this.reset();
        this.host = this.instances;
        value = this.save(length);
      }
      return { value, end: offset + this.position + 4, release: this.release };
    } catch (error) {
      if (this.pass > 1 && error !== LEFT) throw error;
      return undefined;
    } finally {
      this.host = STAND_INS;
      this.pass = 0;
      this.reset();
    }
  }

  protected override reset(): boolean {
    this.cut = false;
    this.number = 0;
    this.empties = MOST_EMPTY;
    empty(this.open);
    empty(this.references);
    empty(this.constructors);
    this.begin();
    // Not before the second time, which goes by what the first one has learned.
    return this.pass === 0 && super.reset();
  }

  protected override begin(): void {
    this.recent.forEach((shape) => {
      shape!.head = 0;
    });
    empty(this.recent);
  }

  private save(length: number): unknown {
    const { layout, release } = readHeader(this.u8, 0);
    if (layout < OLDEST) throw LEFT;
    this.release = release;
    this.limit = length - 4;
    const value = this.item(ANY, ROOT, DEEPEST, this.limit);
    if (this.cut || this.dv.getUint32(this.position, true) !== FOOTER) throw LEFT;
    return value;
  }

  /** As the kernel makes it: only where a decoder finds no UTF-8 may there be pairs of surrogates to be joined. */
  protected text(start: number, end: number): string {
    const text = this.decoders?.utf8Slice(start, end);
    return text === undefined || text.includes("\ufffd") ? utf8Text(this.u8.subarray(start, end)) : text;
  }

  protected mayMake(): boolean {
    // Nobody may have asked yet whether WebAssembly is allowed, which code-generation.ts wants to be known.
    return this.codeGeneration && wasmAllowed();
  }

  /** A class that wants nothing but to be made. */
  protected constructorAt(index: number): number {
    const { constructors } = this;
    if (index === constructors.length) {
      const found = this.registry.named(this.string() ?? left());
      if (!found?.type || found.callback(PRE_READ) || found.callback(POST_READ)) throw LEFT;
      constructors.push(found);
    }
    return (constructors[index] ?? left()).id;
  }

  protected strictOf(id: number, version: number): Strict | undefined {
    const registered = this.registry.all[id];
    const schema = version > 0 ? registered.version(version) : undefined;
    return (
      schema && {
        program: 0,
        fields: [],
        names: schema.fields.map(({ name }) => name),
        codes: schema.fields.map(({ code }) => wireCode(code)),
      }
    );
  }
}
