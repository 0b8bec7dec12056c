// Values to tape. The shim puts numbers and text straight into the kernel's memory; full regions are expanded and handed on, so that
// the memory does not grow with the structure.
import type { Machine } from "./machine.ts";
import { Refusal } from "./refusal.ts";
import {
  BOX,
  KIND_ASCII,
  KIND_BOOL,
  KIND_CESU,
  KIND_EIGHT,
  KIND_UTF16,
  KIND_WORD,
  KINDS,
  LAYOUT_COMPACT,
  LAYOUT_LEGACY,
  LAYOUT_ROWS,
  TYPE_ARRAY,
  TYPE_BOOL,
  TYPE_INT32,
  TYPE_INT64,
  TYPE_NESTED_LIST,
  TYPE_NESTED_MAP,
  TYPE_POINTER,
  TYPE_REAL,
  TYPE_STRING,
  TYPE_STRUCT,
  TYPE_UNDEFINED,
  WRITE_ASCII,
  WRITE_SLOTS,
  WRITE_UNITS,
} from "./tape.ts";
import { encodeInto, encodeString, hasLoneSurrogate } from "./text.ts";
import type { DsStructure, DsValue } from "./types.ts";

/** Takes characters of the output; the view is valid during the call only. */
export type Sink = (chars: Uint8Array) => void;

export interface TapeWriterOptions {
  layout: number;
  cesu: boolean;
  maxDepth: number;
  sink: Sink;
  /** The string of a structure inside the structure. */
  textOf: (structure: DsStructure) => string;
}

/** Up to this many units a loop is sooner done than a call of the encoder. */
const SHORT_STRING = 64;
/** A longer string may fill the text region with three bytes for each unit, and goes its own way. */
const LONG_STRING = Math.floor(WRITE_ASCII / 3);
/** The most slots that one step of `value` uses. */
const STEP = 4;

/** Of a double: all but its sign, and what of it an infinity has. */
const NAN_BITS = 0x7fff_ffff_ffff_ffffn;
const INFINITY_BITS = 0x7ff0_0000_0000_0000n;

function isWord(bits: unknown): boolean {
  return typeof bits === "bigint" && BigInt.asUintN(64, bits) === bits;
}

interface Frame {
  items: readonly DsValue[];
  length: number;
  next: number;
  /** Levels of arrays down to this one. A row is part of its array and no level of its own. */
  depth: number;
  /** Of an array of rows: each item is a row, which has a length but no type code. */
  rows: boolean;
}

const IDLE: TapeWriterOptions = { layout: LAYOUT_COMPACT, cesu: false, maxDepth: 0, sink: () => {}, textOf: () => "" };

export class TapeWriter {
  readonly #machine: Machine;
  readonly #firstSlot: number;
  readonly #firstAscii: number;
  readonly #firstUnit: number;
  #u8: Uint8Array = new Uint8Array();
  #u16: Uint16Array = new Uint16Array();
  #i32: Int32Array = new Int32Array();
  #f64: Float64Array = new Float64Array();
  #options = IDLE;
  #legacy = false;
  #slot = 0;
  #ascii = 0;
  #unit = 0;

  constructor(machine: Machine) {
    this.#machine = machine;
    this.#firstSlot = machine.writeTape >>> 3;
    this.#firstAscii = machine.writeAscii;
    this.#firstUnit = machine.writeUnits >>> 1;
  }

  /** Begins a structure. */
  start(options: TapeWriterOptions): void {
    const { u8, i32, f64 } = this.#machine;
    this.#u8 = u8;
    this.#u16 = new Uint16Array(u8.buffer);
    this.#i32 = i32;
    this.#f64 = f64;
    this.#options = options;
    this.#legacy = options.layout === LAYOUT_LEGACY;
    this.#rewind();
  }

  /** Lets go of the structure. */
  close(): void {
    this.#options = IDLE;
  }

  /** Four bytes as they are. */
  word(value: number): void {
    this.#room(1);
    this.#box(KIND_WORD, value);
  }

  /** A row of values; `path` and `offset` say where it stands, for errors. */
  values(items: readonly DsValue[], path: string, offset = 0): void {
    let i = 0;
    try {
      for (; i < items.length; i++) this.value(items[i]);
    } catch (error) {
      throw Refusal.inside(error, `${path}[${i + offset}]`);
    }
  }

  value(value: DsValue): void {
    if (this.#slot + STEP > this.#firstSlot + WRITE_SLOTS) this.flush();
    if (typeof value === "number") {
      // biome-ignore lint/suspicious/noSelfCompare: the cheapest test for NaN, whose bits JavaScript does not promise to keep
      if (value === value) this.#f64[this.#slot++] = value;
      else this.#eight(TYPE_REAL, 0, 0x7ff80000);
    } else if (typeof value === "string") this.#string(value);
    else if (typeof value === "object" && value !== null) this.#object(value);
    else {
      if (this.#options.layout <= LAYOUT_COMPACT) throw this.#refuseFirst(typeof value);
      if (typeof value === "boolean") this.#box(KIND_BOOL, value ? 1 : 0);
      else if (value === undefined) this.#box(KIND_WORD, TYPE_UNDEFINED);
      else if (typeof value === "bigint") this.#int64(value);
      else throw new Refusal("unsupported-value", `a ${value === null ? "null" : typeof value} has no form in a data structure string`);
    }
  }

  /** Expands what is on the tape and hands it on. */
  flush(): void {
    if (this.#slot === this.#firstSlot) return;
    this.#emit(this.#machine.kernel.write(this.#slot - this.#firstSlot, this.#legacy ? 1 : 0));
    this.#rewind();
  }

  #rewind(): void {
    this.#slot = this.#firstSlot;
    this.#ascii = this.#firstAscii;
    this.#unit = this.#firstUnit;
  }

  #emit(chars: number): void {
    const from = this.#machine.writeChars;
    this.#options.sink(this.#u8.subarray(from, from + chars));
  }

  #room(slots: number): void {
    if (this.#slot + slots > this.#firstSlot + WRITE_SLOTS) this.flush();
  }

  #box(kind: number, payload: number): void {
    const index = this.#slot++ * 2;
    this.#i32[index] = payload;
    this.#i32[index + 1] = BOX | kind;
  }

  #eight(type: number, lower: number, upper: number): void {
    this.#box(KIND_EIGHT, type);
    const index = this.#slot++ * 2;
    this.#i32[index] = lower;
    this.#i32[index + 1] = upper;
  }

  #bits(type: number, bits: bigint): void {
    this.#eight(type, Number(BigInt.asIntN(32, bits)), Number(BigInt.asIntN(32, bits >> 32n)));
  }

  #int64(value: bigint): void {
    if (BigInt.asIntN(64, value) !== value) throw new Refusal("unsupported-value", `${value} does not fit into a signed 64-bit integer`);
    this.#bits(TYPE_INT64, value);
  }

  #string(text: string): void {
    const { length } = text;
    if (length > SHORT_STRING) {
      this.#longString(text);
      return;
    }
    if (this.#ascii + length > this.#firstAscii + WRITE_ASCII) this.flush();
    const u8 = this.#u8;
    const at = this.#ascii;
    for (let i = 0; i < length; i++) {
      const char = text.charCodeAt(i);
      if (char > 0x7f) {
        this.#units(text);
        return;
      }
      u8[at + i] = char;
    }
    this.#ascii = at + length;
    this.#box(KIND_ASCII, length);
  }

  /** A short string that is not ASCII: the kernel encodes it. */
  #units(text: string): void {
    if (this.#unit + text.length > this.#firstUnit + WRITE_UNITS) this.flush();
    let surrogates = false;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if ((unit & 0xf800) === 0xd800) surrogates = true;
      this.#u16[this.#unit + i] = unit;
    }
    if (surrogates) this.#checkWellFormed(text);
    this.#unit += text.length;
    this.#box(this.#options.cesu ? KIND_CESU : KIND_UTF16, text.length);
  }

  #longString(text: string): void {
    if (text.length > LONG_STRING) {
      this.#checkWellFormed(text);
      this.#bytes(encodeString(text, this.#options.cesu));
      return;
    }
    if (this.#ascii + text.length * 3 > this.#firstAscii + WRITE_ASCII) this.flush();
    const { written } = encodeInto(text, this.#u8.subarray(this.#ascii, this.#firstAscii + WRITE_ASCII));
    if (written > text.length) {
      this.#checkWellFormed(text);
      if (this.#options.cesu) {
        this.#bytes(encodeString(text, true));
        return;
      }
    }
    this.#ascii += written;
    this.#box(KIND_ASCII, written);
  }

  #checkWellFormed(text: string): void {
    if (hasLoneSurrogate(text))
      throw new Refusal("unsupported-value", 'the string has a surrogate without its partner; { type: "bytes" } can hold its bytes');
  }

  /** A string of any bytes. */
  #bytes(bytes: Uint8Array): void {
    if (bytes.length <= LONG_STRING) {
      if (this.#ascii + bytes.length > this.#firstAscii + WRITE_ASCII) this.flush();
      this.#u8.set(bytes, this.#ascii);
      this.#ascii += bytes.length;
      this.#box(KIND_ASCII, bytes.length);
      return;
    }
    if (bytes.length > 0xffffffff) throw new Refusal("unsupported-value", "the string has more bytes than its length can say");
    this.#box(KIND_WORD, TYPE_STRING);
    if (this.#legacy) {
      this.#box(KIND_WORD, 0);
      this.#box(KIND_WORD, 0);
    }
    this.#box(KIND_WORD, bytes.length);
    this.flush();
    for (let from = 0; from < bytes.length; from += WRITE_ASCII) {
      const piece = bytes.subarray(from, from + WRITE_ASCII);
      this.#u8.set(piece, this.#machine.writeBinary);
      this.#emit(this.#machine.kernel.writeRaw(piece.length));
    }
  }

  #object(value: Exclude<DsValue & object, never>): void {
    if (Array.isArray(value)) this.#array(value, false);
    else if ("kind" in value && (KINDS as readonly string[]).includes(value.kind)) this.#string(this.#options.textOf(value));
    else this.#tagged(value as Exclude<DsValue & object, DsValue[] | DsStructure>);
  }

  #tagged(value: Exclude<DsValue & object, DsValue[] | DsStructure>): void {
    // What generation 1 can hold comes first (formats/ds.md §8).
    switch (value.type) {
      case "string":
        if (typeof value.text !== "string" || value.encoding !== "cesu8")
          throw new Refusal("unsupported-value", 'a string value has a text and the encoding "cesu8"');
        this.#checkWellFormed(value.text);
        this.#bytes(encodeString(value.text, true));
        return;
      case "bytes":
        if (!(value.bytes instanceof Uint8Array)) throw new Refusal("unsupported-value", "the bytes are no Uint8Array");
        this.#bytes(value.bytes);
        return;
      case "nan":
        if (!isWord(value.bits) || (value.bits & NAN_BITS) <= INFINITY_BITS)
          throw new Refusal("unsupported-value", "the bits are no bigint of 64 bits that is not a number");
        this.#bits(TYPE_REAL, value.bits);
        return;
    }
    if (this.#options.layout <= LAYOUT_COMPACT) throw this.#refuseFirst(String(value.type));
    switch (value.type) {
      case "int32":
        if ((value.value | 0) !== value.value) throw new Refusal("unsupported-value", `${value.value} is no signed 32-bit integer`);
        this.#box(KIND_WORD, TYPE_INT32);
        this.#box(KIND_WORD, value.value);
        return;
      case "pointer":
        if (!isWord(value.address)) throw new Refusal("unsupported-value", "the pointer is no bigint of 64 bits");
        this.#bits(TYPE_POINTER, value.address);
        return;
      case "bool":
        if (!isWord(value.bits)) throw new Refusal("unsupported-value", "the bits of the bool are no bigint of 64 bits");
        this.#bits(TYPE_BOOL, value.bits);
        return;
      case "rows":
        if (this.#options.layout !== LAYOUT_ROWS)
          throw new Refusal("unsupported-value", "an array of rows exists in generation 2 only; upgradeDs makes it an array of arrays");
        this.#array(value.rows, true);
        return;
      case "struct":
        this.#box(KIND_WORD, TYPE_STRUCT);
        return;
      case "nested-list":
        this.#box(KIND_WORD, TYPE_NESTED_LIST);
        return;
      case "nested-map":
        this.#box(KIND_WORD, TYPE_NESTED_MAP);
        return;
    }
    throw new Refusal(
      "unsupported-value",
      `an object of type ${String((value as { type?: unknown }).type)} has no form in a data structure string`,
    );
  }

  #refuseFirst(what: string): Refusal {
    return new Refusal("unsupported-value", `generation 1 holds reals and strings only, not ${what}`);
  }

  /** An array and all that is in it, with a stack of its own. */
  #array(items: readonly DsValue[], rows: boolean): void {
    const open: Frame[] = [];
    try {
      this.#begin(open, items, rows);
      while (open.length > 0) {
        const frame = open[open.length - 1];
        if (frame.next === frame.length) {
          open.pop();
          continue;
        }
        const value = frame.items[frame.next++];
        if (frame.rows) this.#row(open, value);
        else if (Array.isArray(value)) this.#begin(open, value, false);
        else if (value && typeof value === "object" && "type" in value && value.type === "rows" && this.#options.layout === LAYOUT_ROWS)
          this.#begin(open, value.rows, true);
        else this.value(value);
      }
    } catch (error) {
      const path = open.map((frame) => `${frame.rows ? ".rows" : ""}[${Math.max(frame.next - 1, 0)}]`).join("");
      throw Refusal.inside(error, path);
    }
  }

  #begin(open: Frame[], items: readonly DsValue[], rows: boolean): void {
    if (rows && !Array.isArray(items)) throw new Refusal("unsupported-value", "the rows are no array");
    const { layout, maxDepth } = this.#options;
    if (layout <= LAYOUT_COMPACT) throw this.#refuseFirst("arrays");
    const depth = (open.at(-1)?.depth ?? 0) + 1;
    if (depth > maxDepth) throw new Refusal("depth", `arrays are nested deeper than ${maxDepth} levels`);
    this.#room(STEP);
    this.#box(KIND_WORD, TYPE_ARRAY);
    if (layout === LAYOUT_ROWS && !rows) this.#box(KIND_WORD, 1);
    this.#box(KIND_WORD, items.length);
    open.push({ items, length: items.length, next: 0, depth, rows });
  }

  #row(open: Frame[], row: DsValue): void {
    if (!Array.isArray(row)) throw new Refusal("unsupported-value", "a row is no array");
    this.#room(STEP);
    this.#box(KIND_WORD, row.length);
    open.push({ items: row, length: row.length, next: 0, depth: open[open.length - 1].depth, rows: false });
  }
}
