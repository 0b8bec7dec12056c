// One instance of the kernel with what JavaScript keeps beside its memory. A codec owns a pool of them: a call made from inside a
// callback gets another one, so that nothing of the outer call is disturbed.
import type { Kernel, KernelExports } from "../engine/kernel.ts";
import { MemoryViews } from "../engine/memory.ts";
import { utf8, utf16 } from "../engine/platform-text.ts";
import { Builder } from "../graph/builder.ts";
import * as op from "../graph/ops.ts";
import type { ShapeSource } from "../graph/shape-factory.ts";
import { type BufferText, bufferText } from "../graph/text.ts";
import * as ADDRESS from "./addresses.ts";
import type { ElephantConstructor, Registered } from "./constructors.ts";
import { datatypeName, Scalar, type ScalarDatatype } from "./datatypes.ts";
import type { ElephantExports } from "./kernel.ts";
import { Nested } from "./read/nested.ts";
import type { ReadHost } from "./read.ts";
import type { StrictField } from "./schema.ts";

// Offsets of a node in bytes (assembly/elephant/shapes.ts).
const NODE_PARENT = 0;
const NODE_NAME_ID = 12;
const NODE_KINDS = 24;

export class Machine {
  readonly kernel: KernelExports<ElephantExports>;
  readonly views: MemoryViews;
  readonly host: ReadHost;
  readonly builder: Builder;
  readonly window: number;
  readonly windowSize: number;
  readonly tape: number;
  readonly records: number;
  readonly utf16: number;
  private readonly nested: Nested;
  /** {@link platform}, and of which memory. */
  private texts: BufferText | undefined = undefined;
  private textsOf: ArrayBuffer | undefined = undefined;
  private readonly ascii: number;
  readonly wide: number;
  private readonly nodes: number;
  private readonly nodeSize: number;
  readonly tableKept: number;
  private readonly source: ShapeSource;
  /**
   * The last read, though it is over: engines forget what objects of a kind look like when none is left, and with it all code that was compiled for
   * reading, so that a small save after each collection would take five times as long.
   */
  lastRead: object | undefined = undefined;
  /** The same for instances of the program's classes (kept-instances.ts). */
  readonly kept = new Map<ElephantConstructor, object>();
  /** Strict shapes, which have the odd numbers: address of the first field, and how many. */
  readonly programs: { first: number; fields: number }[] = [];
  /** Fields of the strict versions that it has met; more than there can be where there was no room for one. */
  schemaNames = 0;

  constructor(kernel: Kernel<ElephantExports>, host: ReadHost, codeGeneration: boolean) {
    this.host = host;
    this.kernel = kernel.instantiate();
    this.kernel.setup((Math.random() * 0x100000000) >>> 0);
    this.views = new MemoryViews(this.kernel.memory);
    const at = (what: number): number => this.kernel.address(what) >>> 0;
    this.window = at(ADDRESS.window);
    this.windowSize = at(ADDRESS.windowSize);
    this.tape = at(ADDRESS.tape);
    this.records = at(ADDRESS.records);
    this.ascii = at(ADDRESS.ascii);
    this.utf16 = at(ADDRESS.utf16);
    this.wide = at(ADDRESS.wide);
    this.nodes = at(ADDRESS.nodes);
    this.nodeSize = at(ADDRESS.nodeSize);
    this.tableKept = at(ADDRESS.tableKept);
    this.source = {
      nodes: (shape) => this.nodesOf(shape),
      datatypeOf: (node) => this.views.u32[(node + NODE_PARENT) >> 2],
      nameOf: (node) => this.views.u32[(node + NODE_NAME_ID) >> 2],
      kindsOf: (node) => this.views.u32[(node + NODE_KINDS) >> 2],
      epoch: -1,
      codeGeneration,
    };
    this.builder = new Builder(this.views, this.source, host, at(ADDRESS.layouts));
    this.nested = new Nested(this, at(ADDRESS.nested), this.source, host);
  }

  /** Before a read; drops the shapes when the kernel has dropped them. */
  begin(): void {
    const generation = this.kernel.generation();
    if (generation !== this.generation) {
      this.generation = generation;
      const { factories } = this.builder;
      for (let i = 0; i < factories.length; i += 2) factories[i] = undefined;
      this.builder.layouts.length = 0;
    }
  }

  private generation = 0;

  private nodesOf(shape: number): number[] {
    if (shape & 1) {
      const { first, fields } = this.programs[shape >> 1];
      return Array.from({ length: fields }, (_, i) => first + i * this.nodeSize);
    }
    const found: number[] = [];
    for (let node = this.nodes + (shape >> 1) * this.nodeSize; node !== this.nodes; node = this.views.u32[(node + NODE_PARENT) >> 2])
      found.push(node);
    return found.reverse();
  }

  /** Takes what the kernel has put out: text first, then the operations. */
  take(): void {
    this.takeStrings();
    this.source.epoch = this.kernel.epoch();
    this.builder.consume(this.tape >> 3, (this.kernel.tapeEnd() >>> 0) >> 3);
  }

  /** Reads what the kernel leaves to JavaScript; false when there is no memory for what is open then. */
  takeNested(): boolean {
    this.take();
    this.kernel.readFlushed();
    this.nested.read();
    return this.kernel.readNested() !== op.STATUS_ERROR;
  }

  /** After a failure: names stay in the kernel's table, so their text has to be taken even so. */
  abandon(): void {
    this.takeStrings();
    this.kernel.readFlushed();
  }

  /** The platform's calls for text, where there are any, in all of the memory: making a view for each text takes longer than decoding a small one. */
  get platform(): BufferText | undefined {
    const { buffer } = this.views;
    if (this.textsOf !== buffer) {
      this.texts = bufferText(buffer);
      this.textsOf = buffer;
    }
    return this.texts;
  }

  /** The text from `start` to `end`: ASCII, or UTF-16 (little-endian) without lone surrogates. */
  text(start: number, end: number, wide: boolean): string {
    if (start === end) return "";
    const { platform } = this;
    if (!platform) return (wide ? utf16 : utf8).decode(this.views.u8.subarray(start, end));
    return wide ? platform.ucs2Slice(start, end) : platform.latin1Slice(start, end);
  }

  private takeStrings(): void {
    // The kernel may have grown its memory.
    this.views.refresh();
    const { builder, views } = this;
    const { f64, i64, u32 } = views;
    const wide = this.wide >> 3;
    const ascii = this.text(this.ascii, this.kernel.ascii(), false);
    const utf16 = this.text(this.utf16, this.kernel.utf16(), true);
    let asciiAt = 0;
    let utf16At = 0;
    for (let i = this.records >> 2, stop = i + this.kernel.records() * 2; i < stop; i += 2) {
      const index = u32[i];
      const word = u32[i + 1];
      const end = word >>> 3;
      switch (word & 7) {
        case op.IN_ASCII:
          builder.enter(index, ascii.slice(asciiAt, end));
          asciiAt = end;
          break;
        case op.IN_UTF16:
          builder.enter(index, utf16.slice(utf16At, end));
          utf16At = end;
          break;
        case op.IN_WIDE:
          builder.enter(index, i64[wide + end]);
          break;
        case op.IN_SCALAR:
          builder.enter(index, Scalar(datatypeName(f64[wide + end]) as ScalarDatatype, f64[wide + end + 1]));
          break;
        // Strings that JavaScript has put into the table itself are there already.
      }
    }
  }

  /** Hands a strict schema version to the kernel; false when its region is full. */
  program(registered: Registered, version: number, fields: readonly StrictField[]): boolean {
    const first = this.kernel.readProgram(registered.id, version, fields.length) >>> 0;
    if (first === 0) return false;
    this.views.refresh();
    this.programs.push({ first, fields: fields.length });
    fields.forEach((field, i) => {
      // Four kinds of entries by turns, these first (assembly/elephant/memory.ts).
      const index = this.tableKept + 4 * this.schemaNames++;
      const node = first + i * this.nodeSize;
      this.builder.enter(index, field.name);
      this.views.u32[(node + NODE_PARENT) >> 2] = field.code;
      this.views.u32[(node + NODE_NAME_ID) >> 2] = index;
    });
    return true;
  }
}
