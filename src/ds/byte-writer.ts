// Values to bytes. Numbers and text go straight into the kernel's memory, in the form they have in the string; when the region is full the kernel
// makes digits of it, which are handed on, so that the memory does not grow with the structure.

import { isBytes, shown } from "./arguments.ts";
import {
  BARE_VALUES,
  BYTES,
  CHARS,
  KINDS,
  LAYOUT_COMPACT,
  LAYOUT_LEGACY,
  LAYOUT_ROWS,
  TYPE_ARRAY,
  TYPE_BOOL,
  TYPE_INT32,
  TYPE_INT64,
  TYPE_POINTER,
  TYPE_REAL,
  TYPE_STRING,
  TYPE_UNDEFINED,
  WINDOW_BYTES,
} from "./layout.ts";
import type { Machine } from "./machine.ts";
import { fromInside, Refusal, unsupported } from "./refusal.ts";
import { encodeInto, encodeString, encodeUnits } from "./text.ts";
import type { DsStructure, DsValue } from "./types.ts";

/** Takes characters of the output; the view is valid during the call only. */
export type Sink = (chars: Uint8Array) => void;

export interface ByteWriterOptions {
  layout: number;
  cesu: boolean;
  maxDepth: number;
  sink: Sink;
  /** The string of a structure inside the structure. */
  textOf: (structure: DsStructure) => string;
}

const END = BYTES + WINDOW_BYTES;
/** Behind this, a value of fixed size, or what stands in front of a string or array, may not fit any more. */
const FULL = END - 16;
/** Up to this many units a loop is sooner done than a call of the encoder. */
const SHORT_STRING = 64;
/** A string of more units may fill the region, with three bytes for each, and goes its own way. */
const MOST_UNITS = Math.floor((WINDOW_BYTES - 32) / 3);

/** Of a double: all but its sign, and what of it an infinity has. */
const NAN_BITS = 0x7fff_ffff_ffff_ffffn;
const INFINITY_BITS = 0x7ff0_0000_0000_0000n;
const PLAIN_NAN = 0x7ff8_0000_0000_0000n;

/** The bits, or the address, of a value of this type. */
function checkedBits(bits: bigint, type: string): bigint {
  if (typeof bits === "bigint" && BigInt.asUintN(64, bits) === bits) return bits;
  unsupported(`the bits of a ${type} must be a bigint of 64 bits`);
}

/** Values that are being written one after the other. */
interface Frame {
  items: readonly DsValue[];
  next: number;
  end: number;
  /** Levels of arrays down to this one. A row is part of its array and no level of its own. */
  depth: number;
  /** Of an array of rows: each item is a row, which has a length but no type code. */
  rows: boolean;
  /** What stands in front of the index in a path. */
  path: string;
}

export class ByteWriter {
  private readonly machine: Machine;
  private readonly u8: Uint8Array;
  private readonly view: DataView;
  private options!: ByteWriterOptions;
  private legacy!: boolean;
  private at!: number;
  private open: Frame[] = [];

  constructor(machine: Machine) {
    this.machine = machine;
    this.u8 = machine.u8;
    this.view = machine.view;
  }

  /** Begins a structure. */
  start(options: ByteWriterOptions): void {
    this.options = options;
    this.legacy = options.layout === LAYOUT_LEGACY;
    this.at = BYTES;
  }

  /** Lets go of the structure. */
  close(): void {
    // Without a structure it looks at none.
    this.options = {} as ByteWriterOptions;
    this.open = [];
  }

  /** Four bytes as they are. */
  word(value: number): void {
    if (this.at > FULL) this.flush();
    this.view.setUint32(this.at, value, true);
    this.at += 4;
  }

  /** Those of the values from `next` to `end`; `path` says where they stand, for errors. */
  values(items: readonly DsValue[], path: string, next: number, end: number): void {
    this.open.push({ items, next, end, depth: 0, rows: false, path });
    this.writeOpen();
  }

  /** One value; of an array inside another only its beginning. */
  value(value: DsValue): void {
    if (typeof value === "number") {
      // biome-ignore lint/suspicious/noSelfCompare: the cheapest test for NaN, whose bits JavaScript does not promise to keep
      if (value === value) this.real(TYPE_REAL, value);
      else this.bits(TYPE_REAL, PLAIN_NAN);
    } else if (typeof value === "string") this.string(value);
    else if (Array.isArray(value)) this.array(value, false);
    else if (typeof value === "object" && value !== null) this.object(value);
    else {
      this.refuseFirst(typeof value);
      if (typeof value === "boolean") this.real(TYPE_BOOL, value ? 1 : 0);
      else if (value === undefined) this.word(TYPE_UNDEFINED);
      else if (typeof value === "bigint") {
        if (BigInt.asIntN(64, value) !== value) unsupported("a signed integer of more than 64 bits");
        this.bits(TYPE_INT64, value);
      } else unsupported(`${value && `a ${typeof value}`} cannot be stored`);
    }
  }

  /** Turns what is there into digits and hands it on. */
  flush(): void {
    const bytes = this.at - BYTES;
    this.machine.kernel.hex(bytes);
    this.options.sink(this.u8.subarray(CHARS, CHARS + bytes * 2));
    this.at = BYTES;
  }

  /** Arrays as deep as the caller's limit allows, so there is a stack instead of recursion. */
  private writeOpen(): void {
    const open = this.open;
    let frame = open.at(-1);
    let next = 0;
    try {
      for (; frame; frame = open.at(-1)) {
        const { items, end, rows } = frame;
        const levels = open.length;
        for (next = frame.next; next < end && open.length === levels; ) {
          const value = items[next++];
          if (rows) this.row(value, frame.depth);
          else this.value(value);
        }
        frame.next = next;
        if (open.length === levels) open.pop();
      }
    } catch (error) {
      if (frame) frame.next = next;
      throw fromInside(error, open.map(({ path, next }) => `${path}[${next - 1}]`).join(""));
    }
  }

  private real(type: number, value: number): void {
    if (this.at > FULL) this.flush();
    const at = this.at;
    this.view.setUint32(at, type, true);
    this.view.setFloat64(at + 4, value, true);
    this.at = at + 12;
    if (this.legacy) this.word(0);
  }

  private bits(type: number, bits: bigint): void {
    this.word(type);
    this.view.setBigUint64(this.at, bits, true);
    this.at += 8;
    if (this.legacy) this.word(0);
  }

  private string(text: string): void {
    const { cesu } = this.options;
    if (text.length > MOST_UNITS) {
      this.bytes(encodeString(text, cesu));
      return;
    }
    if (this.at + text.length * 3 > FULL) this.flush();
    const start = this.stringHeader(0);
    const end = text.length > SHORT_STRING ? encodeInto(text, this.u8, start, cesu) : encodeUnits(text, this.u8, start, cesu);
    this.view.setUint32(start - 4, end - start, true);
    this.at = end;
  }

  /** What stands in front of the bytes of a string, for which there is room; gives the address behind it. */
  private stringHeader(bytes: number): number {
    const view = this.view;
    let at = this.at;
    view.setUint32(at, TYPE_STRING, true);
    if (this.legacy) {
      view.setFloat64(at + 4, 0);
      at += 8;
    }
    view.setUint32(at + 4, bytes, true);
    return at + 8;
  }

  /** A string of any bytes. */
  private bytes(bytes: Uint8Array): void {
    if (bytes.length > 0xffffffff) unsupported("the string has more bytes than its length can say");
    if (this.at > FULL) this.flush();
    this.at = this.stringHeader(bytes.length);
    for (let from = 0; from < bytes.length; ) {
      if (this.at > FULL) this.flush();
      const piece = bytes.subarray(from, from + END - this.at);
      this.u8.set(piece, this.at);
      this.at += piece.length;
      from += piece.length;
    }
  }

  private object(value: Exclude<DsValue & object, DsValue[]>): void {
    if ("kind" in value && (KINDS as readonly string[]).includes(value.kind)) {
      this.string(this.options.textOf(value));
      return;
    }
    const tagged = value as Exclude<typeof value, DsStructure>;
    // What generation 1 can hold comes first (formats/ds.md §8).
    switch (tagged.type) {
      case "string":
        if (typeof tagged.text !== "string" || tagged.encoding !== "cesu8")
          unsupported('a string value has a text and the encoding "cesu8"');
        this.bytes(encodeString(tagged.text, true));
        return;
      case "bytes":
        if (!isBytes(tagged.bytes)) unsupported("the bytes are no Uint8Array");
        this.bytes(tagged.bytes);
        return;
      case "nan":
        if ((checkedBits(tagged.bits, tagged.type) & NAN_BITS) <= INFINITY_BITS) unsupported("the bits are those of a number");
        this.bits(TYPE_REAL, tagged.bits);
        return;
    }
    this.refuseFirst(shown(tagged.type ?? "objects"));
    switch (tagged.type) {
      case "int32":
        if (typeof tagged.value !== "number" || (tagged.value | 0) !== tagged.value)
          unsupported(`${shown(tagged.value)} is no signed 32-bit integer`);
        this.word(TYPE_INT32);
        this.word(tagged.value);
        return;
      case "pointer":
        this.bits(TYPE_POINTER, checkedBits(tagged.address, tagged.type));
        return;
      case "bool":
        this.bits(TYPE_BOOL, checkedBits(tagged.bits, tagged.type));
        return;
      case "rows":
        if (this.options.layout !== LAYOUT_ROWS)
          unsupported("an array of rows exists in generation 2 only; upgradeDs makes it an array of arrays");
        this.array(tagged.rows, true);
        return;
    }
    const { type } = tagged as { type?: unknown };
    for (const [code, mark] of BARE_VALUES)
      if (mark && mark.type === type) {
        this.word(code);
        return;
      }
    const what = type === undefined ? `class ${shown((tagged as object).constructor?.name)}` : `type ${shown(type)}`;
    unsupported(`an object of ${what} cannot be stored`);
  }

  /** Refuses what generation 1 cannot hold. */
  private refuseFirst(what: string): void {
    if (this.options.layout <= LAYOUT_COMPACT) unsupported(`generation 1 holds reals and strings only, not ${what}`);
  }

  private array(items: readonly DsValue[], rows: boolean): void {
    if (rows && !Array.isArray(items)) unsupported("the rows are no array");
    this.refuseFirst("arrays");
    const { layout, maxDepth } = this.options;
    const depth = (this.open.at(-1)?.depth ?? 0) + 1;
    if (depth > maxDepth) throw new Refusal("depth", `arrays are nested deeper than ${maxDepth} levels`);
    this.word(TYPE_ARRAY);
    if (layout === LAYOUT_ROWS && !rows) this.word(1);
    this.begin(items, depth, rows);
  }

  private row(row: DsValue, depth: number): void {
    if (!Array.isArray(row)) unsupported("a row is no array");
    this.begin(row, depth, false);
  }

  /** A length and as many values: a proxy may say another one each time. Those of an array inside another come later. */
  begin(items: readonly DsValue[], depth: number, rows: boolean, path = rows ? ".rows" : ""): void {
    const { length } = items;
    this.word(length);
    this.open.push({ items, next: 0, end: length, depth, rows, path });
    if (this.open.length === 1) this.writeOpen();
  }
}
