// Structs that hold others: trees, scenes, lists of lists. What is inside one varies, so no layout of the kernel's fits them, and
// an operation for each that opens and each that closes would cost more than what they hold. The kernel leaves them to JavaScript (graph-reader.ts).
// Where that ends before its time, the containers that are open become frames of the kernel's stack, which goes on with the member or element that was not read.

import type { Builder } from "../../graph/builder.ts";
import { empty } from "../../graph/elements.ts";
import type { ShapeSource } from "../../graph/shape-factory.ts";
import * as CODE from "../codes.ts";
import type { Machine } from "../machine.ts";
import type { ReadHost } from "../read.ts";
import { ANY, wireCode } from "../tags.ts";
import { GraphReader, NOTHING, type Strict } from "./graph-reader.ts";
import { SHORT, shortText } from "./plain-reader.ts";

/** What structs of one beginning are worth at most: containers that were read, less what took longer than in the kernel. Below {@link ENOUGH} they are given up. */
const MOST_WORTH = 65536;
/** As in assembly/elephant/layouts/words.ts. */
const ENOUGH = 256;
/** What a call takes of it. */
const CALL = 2;
/** What else does: containers that are given back, names and shapes that are new, structs that have a function and were not expected. */
const STRANGE = 8;
/** What does when it is learned from that: which structs have to be there before their members. */
const LEARNED = 2;

// Words of the place in memory where kernel and reader tell each other (assembly/elephant/memory.ts).
const CURSOR = 0;
const LIMIT = 1;
const COUNT = 2;
const NUMBER = 3;
const DEPTH = 4;
const BYTES = 5;
const INDEX = 6;
const MARK = 7;
const DATATYPE = 8;
const FRAMES = 13;
const FRAME = 4;
// Of a mark and of a program (assembly/elephant/layouts/words.ts, constructors.ts).
const NESTS = 3;
const SHAPE = 3;

export class Nested extends GraphReader {
  private readonly place: number;
  private readonly builder: Builder;
  private readonly source: ShapeSource;
  private readonly machine: Machine;
  private u16 = new Uint16Array(this.u8.buffer);
  /** The read that it was last called in. */
  private lastRead = -1;
  /** Where what the last structs were worth will be noted, once the read has gone on: it may have ended for what is wrong with the save. */
  private mark = 0;
  private worth = 0;

  /** `place`: address of the place in memory for both. */
  constructor(machine: Machine, place: number, source: ShapeSource, host: ReadHost) {
    const { builder } = machine;
    super(builder.views.u8, 0, builder.references, host);
    this.machine = machine;
    this.place = place >> 2;
    this.builder = builder;
    this.source = source;
  }

  /** Reads what the kernel has left to it, as far as it goes. */
  read(): void {
    const { builder, place } = this;
    const { u32, i32, u8 } = builder.views;
    if (u8 !== this.u8) {
      this.u8 = u8;
      this.dv = new DataView(u8.buffer);
      this.u16 = new Uint16Array(u8.buffer);
    }
    if (this.lastRead === builder.reads) i32[this.mark] = this.worth;
    else {
      this.lastRead = builder.reads;
      empty(this.open);
      this.begin();
    }
    const count = i32[place + COUNT];
    const number = i32[place + NUMBER];
    const index = i32[place + INDEX];
    const levels = i32[place + DEPTH];
    this.number = number;
    this.cut = false;
    let at = i32[place + CURSOR];
    const end = at + i32[place + BYTES];
    this.limit = Math.min(i32[place + LIMIT], end);
    const code = wireCode(i32[place + DATATYPE]);
    const least = code === ANY ? 1 : 2;
    this.mark = (i32[place + MARK] >> 2) + NESTS;
    const before = i32[this.mark] - CALL - number + STRANGE * (this.slow + this.names);
    const { limit } = this;
    let done = 0;
    let strange = -1;
    try {
      while (done < count && !this.cut) {
        if (strange !== this.slow + this.names) {
          strange = this.slow + this.names;
          if (before + this.number - STRANGE * strange < ENOUGH) break;
        }
        const bound = Math.min(limit, end - (count - 1 - done) * least);
        const value = this.element(code, at, levels, bound);
        if (value === NOTHING) break;
        builder.deliver(value, index);
        done++;
        at = this.position;
      }
    } catch (error) {
      // The kernel knows nothing of these containers.
      this.references.fill(undefined, number, this.number);
      empty(this.open);
      this.reset();
      throw error;
    }
    this.worth = before + this.number - STRANGE * (this.slow + this.names) - this.open.length * (this.wanted < 0 ? STRANGE : LEARNED);
    this.reset();
    this.worth = this.worth < ENOUGH ? -MOST_WORTH : Math.min(this.worth, MOST_WORTH);
    u32[place + CURSOR] = at;
    u32[place + COUNT] = done;
    u32[place + NUMBER] = this.number;
    u32[place + DEPTH] = this.open.length;
    for (let to = place + FRAMES; this.open.length > 0; to += FRAME) {
      const { container, kind, left, field, number } = this.open.pop()!;
      // What is undefined becomes 0.
      u32.set([kind!, left, field!, number], to);
      builder.reopen(container, kind && kind < CODE.undefined ? (container as unknown[]).length - left : -1);
    }
  }

  protected mayMake(): boolean {
    return this.source.codeGeneration && this.builder.functions-- > 0;
  }

  protected text(start: number, end: number, wide: boolean): string {
    const { machine } = this;
    if (!wide) return machine.text(start, end, false);
    const behind = machine.kernel.readText(start, end);
    const units = (behind - machine.utf16) >> 1;
    return units > SHORT ? machine.text(machine.utf16, behind, true) : shortText(this.u16, machine.utf16 >> 1, units);
  }

  protected constructorAt(index: number): number {
    return this.machine.kernel.readClass(index) - 1;
  }

  protected strictOf(_id: number, version: number, index: number): Strict | undefined {
    const { source, builder } = this;
    const program = this.machine.kernel.readStrict(index, version) >>> 0;
    if (program === 0) return undefined;
    const nodes = source.nodes(builder.views.u32[(program >> 2) + SHAPE]);
    return {
      program,
      fields: nodes,
      names: nodes.map((node) => builder.table[source.nameOf(node)] as string),
      codes: nodes.map((node) => wireCode(source.datatypeOf(node))),
    };
  }
}
