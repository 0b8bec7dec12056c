// One value of a declared type from its bytes in the data area (formats/enigma.md §1, §2.2, §9). The plain twin of the kernel's
// value parser: it knows every type and every irregularity, the kernel only the regular forms of the frequent types.
import { fail, growable } from "../failure.ts";
import type { EnigmaArrays, EnigmaTable, EnigmaText, EnigmaValue, EnigmaVar, EnigmaVariant } from "../model.ts";
import { textOf } from "../text.ts";
import { elementType, type ValueType } from "../value-type.ts";
import { getF32, getF64 } from "./float.ts";
import type { Payload } from "./payload.ts";
import { getIndex, getU64 } from "./u64.ts";

/** Thrown inside this file and caught in it: the bytes are not a value of the type. */
const DAMAGE = { name: "damage" };

/** A string inside a container takes a slot of this many bytes, its length included (formats/enigma.md §2.2). */
export const STRING_SLOT = 32;
const STRING_SLOT_TEXT = STRING_SLOT - 8;

/**
 * What an older revision reserves for an element of an array (formats/enigma.md §9): the variant object for a sparse one, 8 bytes more for a dense
 * one, although only sparse ones have keys.
 */
const PADDED_SPARSE = 48;
const PADDED_DENSE = 56;

/** How a region may be read besides the regular form. */
export type Form = "compact" | "padded" | "overrun";

/** What a region turned out to hold. */
export type RegionResult =
  | { outcome: "ok"; value: EnigmaValue; oddBool: boolean }
  | { outcome: "padded"; value: EnigmaValue; oddBool: boolean }
  | { outcome: "damaged"; recovered?: EnigmaValue; why: string };

const EMPTY_TABLES = 48;

class RegionReader {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly end: number;
  readonly form: Form;
  at: number;
  /** A boolean byte other than 0 and 1 was read as true. */
  oddBool = false;
  /** It stopped at a variant of no known type. */
  oddVariant = false;
  /** How far a cut 2-D array could be read (formats/enigma.md §4.2). */
  cut: CutArray | undefined;
  cutAt = 0;

  constructor(bytes: Uint8Array, view: DataView, start: number, end: number, form: Form) {
    this.bytes = bytes;
    this.view = view;
    this.at = start;
    this.end = end;
    this.form = form;
  }

  /** Moves over n bytes and returns where they begin; the only place that moves. */
  take(n: number): number {
    const at = this.at;
    if (n > this.end - at) throw DAMAGE;
    this.at = at + n;
    return at;
  }

  /** A count of elements that take at least `least` bytes each: it may not claim more than the region holds. */
  count(least: number): number {
    const at = this.take(8);
    const n = getU64(this.view, at);
    if (n * least > this.end - this.at) throw DAMAGE;
    return n;
  }

  /** An index or `max`, which is only a number and claims nothing. */
  index(): number | bigint {
    return getIndex(this.view, this.take(8));
  }

  text(): EnigmaText {
    const n = this.count(1);
    const at = this.take(n);
    return textOf(this.bytes, at, at + n);
  }

  slotText(): EnigmaText {
    const slot = this.take(STRING_SLOT);
    const n = getU64(this.view, slot);
    if (n > STRING_SLOT_TEXT) {
      if (this.form !== "overrun") throw DAMAGE;
      return textOf(this.bytes, slot + 8, slot + STRING_SLOT);
    }
    // What stands in the padding comes from a string before that overran its slot.
    if (this.form !== "overrun") for (let i = slot + 8 + n; i < slot + STRING_SLOT; i++) if (this.bytes[i] !== 0) throw DAMAGE;
    return textOf(this.bytes, slot + 8, slot + 8 + n);
  }

  variant(): EnigmaVariant {
    const kind = this.bytes[this.take(1)];
    if (kind === 0) return getF64(this.view, this.take(8));
    if (kind === 1) return this.text();
    this.at--;
    this.oddVariant = true;
    throw DAMAGE;
  }

  table1d(): EnigmaTable<EnigmaVariant> {
    const start = this.at;
    const max = this.index();
    const dense: EnigmaVariant[] = [];
    for (let n = growable(this.count(9)); n > 0; n--) dense.push(this.variant());
    const sparse: [number | bigint, EnigmaVariant][] = [];
    for (let n = this.count(17); n > 0; n--) sparse.push([this.index(), this.variant()]);
    if (this.form === "padded") this.padding(start + 24 + PADDED_DENSE * dense.length + PADDED_SPARSE * sparse.length);
    return { max, dense, sparse };
  }

  private padding(end: number): void {
    if (end < this.at) throw DAMAGE;
    for (let at = this.take(end - this.at); at < end; at++) if (this.bytes[at] !== 0) throw DAMAGE;
  }

  var(): EnigmaVar {
    const value = this.variant();
    const tables = this.at;
    if (this.end - tables >= EMPTY_TABLES) {
      let zero = true;
      for (let i = 0; zero && i < EMPTY_TABLES; i += 4) zero = this.view.getUint32(tables + i) === 0;
      if (zero) {
        this.at = tables + EMPTY_TABLES;
        return value;
      }
    }
    const array1d = this.table1d();
    const arrays: EnigmaArrays = { value, array1d, array2d: { max: this.index(), dense: [], sparse: [] } };
    const rows = arrays.array2d;
    for (let n = this.count(24); n > 0; n--) rows.dense.push(this.table1d());
    const sparseRows = this.count(1);
    this.cut = new CutArray(arrays, sparseRows);
    this.cutAt = this.at;
    if (sparseRows * 32 > this.end - this.at) throw DAMAGE;
    for (let n = sparseRows; n > 0; n--) rows.sparse.push([this.index(), this.table1d()]);
    this.cut = undefined;
    return arrays;
  }

  /** `nested`: inside a container, where strings have slots. */
  value(type: ValueType, nested: boolean): EnigmaValue {
    const { view } = this;
    switch (type.kind) {
      case "i8":
        return view.getInt8(this.take(1));
      case "u8":
      case "char":
        return view.getUint8(this.take(1));
      case "i16":
        return view.getInt16(this.take(2));
      case "u16":
        return view.getUint16(this.take(2));
      case "i32":
        return view.getInt32(this.take(4));
      case "u32":
        return view.getUint32(this.take(4));
      case "i64":
        return view.getBigInt64(this.take(8));
      case "u64":
        return view.getBigUint64(this.take(8));
      case "f32":
        return getF32(view, this.take(4));
      case "f64":
        return getF64(view, this.take(8));
      case "bool": {
        const byte = view.getUint8(this.take(1));
        if (byte > 1) this.oddBool = true;
        return byte !== 0;
      }
      case "string":
        return nested ? this.slotText() : this.text();
      case "variant":
        return this.variant();
      case "var":
        return this.var();
      case "pair":
      case "complex":
        return [this.value(type.parts[0]!, true), this.value(elementType(type, 1), true)];
      case "tuple": {
        if (this.count(0) !== type.parts.length) throw DAMAGE;
        return type.parts.map((part) => this.value(part, true));
      }
      case "map": {
        const entries: EnigmaValue[] = [];
        for (let n = growable(this.count(2)); n > 0; n--)
          entries.push([this.value(type.parts[0]!, true), this.value(type.parts[1]!, true)]);
        return entries;
      }
      default: {
        const items: EnigmaValue[] = [];
        for (let n = growable(this.count(1)); n > 0; n--) items.push(this.value(type.parts[0]!, true));
        return items;
      }
    }
  }
}

/**
 * A 2-D array whose sparse rows the engine cut off: it forgets the 8-byte keys of the rows when it computes the size, so the value is
 * exactly 8 bytes short for each row (formats/enigma.md §4.2).
 */
class CutArray {
  private readonly arrays: EnigmaArrays;
  private readonly rows: number;

  constructor(arrays: EnigmaArrays, rows: number) {
    this.arrays = arrays;
    this.rows = rows;
  }

  /** Reads what is left; undefined if the missing bytes cannot be 8 for each row. */
  recover(reader: RegionReader, at: number): EnigmaArrays | undefined {
    // A row takes at least 32 bytes with its key; more rows than the region and the missing bytes can hold were never there.
    if (this.rows * 24 > reader.end - at) return undefined;
    reader.at = at;
    const sparse = this.arrays.array2d.sparse;
    sparse.length = 0;
    let missing = 0;
    for (let row = 0; row < this.rows; row++) {
      if (missing > 0) {
        missing += 32;
        continue;
      }
      const table: EnigmaTable<EnigmaVariant> = { max: 0, dense: [], sparse: [] };
      missing = this.recoverRow(reader, table, (key) => sparse.push([key, table]));
    }
    return missing > 0 && missing <= 8 * this.rows ? this.arrays : undefined;
  }

  /** Reads one row as far as it goes; returns how many bytes it lacks at least. */
  private recoverRow(reader: RegionReader, table: EnigmaTable<EnigmaVariant>, keep: (key: number | bigint) => void): number {
    const short = (wanted: number) => wanted - (reader.end - reader.at);
    if (short(16) > 0) return short(32);
    keep(reader.index());
    table.max = reader.index();
    if (short(8) > 0) return short(16);
    const denseCount = reader.count(0);
    for (let i = 0; i < denseCount; i++) {
      const size = variantSize(reader);
      const lacking = short(size + 9 * (denseCount - i - 1) + 8);
      if (short(size) > 0) return lacking;
      table.dense.push(reader.variant());
    }
    if (short(8) > 0) return short(8);
    const sparseCount = reader.count(0);
    for (let i = 0; i < sparseCount; i++) {
      const before = reader.at;
      if (short(8) > 0) return short(17 * (sparseCount - i));
      const key = reader.index();
      const size = variantSize(reader);
      const lacking = short(size + 17 * (sparseCount - i - 1));
      if (short(size) > 0) {
        reader.at = before;
        return lacking;
      }
      table.sparse.push([key, reader.variant()]);
    }
    return 0;
  }
}

/** How many bytes the variant at the cursor takes, at least; Infinity if none begins there. */
function variantSize(reader: RegionReader): number {
  const left = reader.end - reader.at;
  const kind = reader.bytes[reader.at];
  if (left === 0 || kind === 0) return 9;
  if (kind !== 1) return Number.POSITIVE_INFINITY;
  return left < 9 ? 9 : 9 + getU64(reader.view, reader.at + 1);
}

function holdsVar(type: ValueType): boolean {
  return type.kind === "var" || type.parts.some(holdsVar);
}

function holdsSlots(type: ValueType): boolean {
  return type.parts.some((part) => part.kind === "string" || holdsSlots(part));
}

const CUT = Symbol("cut");

function attempt(reader: RegionReader, type: ValueType): EnigmaValue | typeof CUT {
  try {
    const value = reader.value(type, false);
    return reader.at === reader.end ? value : CUT;
  } catch (error) {
    if (error === DAMAGE) return CUT;
    throw error;
  }
}

/**
 * Reads the value in `bytes[start, end)`, which must take exactly these bytes: compactly, then with the padding of older
 * revisions, else it is damaged and, where the damage is one the engine itself does, partly recovered.
 */
export function readRegion(bytes: Uint8Array, view: DataView, start: number, end: number, type: ValueType): RegionResult {
  const compact = new RegionReader(bytes, view, start, end, "compact");
  const value = attempt(compact, type);
  if (value !== CUT) return { outcome: "ok", value, oddBool: compact.oddBool };
  if (holdsVar(type)) {
    const padded = new RegionReader(bytes, view, start, end, "padded");
    const wide = attempt(padded, type);
    if (wide !== CUT) return { outcome: "padded", value: wide, oddBool: padded.oddBool };
  }
  const recovered = type.kind === "var" && compact.cut?.recover(compact, compact.cutAt);
  if (recovered) return { outcome: "damaged", recovered, why: "its last bytes were never written (sparse rows of a 2-D array)" };
  if (holdsSlots(type)) {
    const overrun = new RegionReader(bytes, view, start, end, "overrun");
    const texts = attempt(overrun, type);
    if (texts !== CUT)
      return {
        outcome: "damaged",
        recovered: texts,
        why: `a text longer than ${STRING_SLOT_TEXT} bytes overran its slot in the container`,
      };
  }
  return { outcome: "damaged", why: `its ${end - start} bytes are not one value of this type` };
}

/** A `var` of a variable map, where nothing bounds it. Errors `bad-variant-type` and `truncated`. */
export function readMapped(payload: Payload, form: Form): EnigmaVar {
  const reader = new RegionReader(payload.bytes, payload.view, payload.at, payload.end, form);
  try {
    return reader.var();
  } catch (error) {
    if (error !== DAMAGE) throw error;
    if (reader.oddVariant) fail("bad-variant-type", `a variant begins with 0 or 1, found ${reader.bytes[reader.at]}`, reader.at);
    fail("truncated", "the data ends inside a variable of the map", reader.at);
  } finally {
    payload.at = reader.at;
  }
}
