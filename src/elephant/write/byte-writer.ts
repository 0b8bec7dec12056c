// Scalars to bytes: into a window of linear memory, from which the output takes them when it is full, or, once the codec has written large saves, into
// memory that becomes the result. Numbers, bools and short ASCII are stored from here, because a store costs less than any way to tell the kernel what
// to store; the kernel makes UTF-8 of all other text, in linear memory. Until there has been some text for it, or a read, there is no kernel, and the
// window is in memory of its own.
//
// Positions are passed along and returned rather than kept in a field. Every function that writes makes sure at its beginning that the
// window has room, and may then write FIXED bytes before it calls the next.
import { encoder } from "../../engine/platform-text.ts";
import { stringFault } from "../../graph/string-fault.ts";
import { unitAt } from "../../graph/strings.ts";
import * as CODE from "../codes.ts";
import { isScalar } from "../datatypes.ts";
import type { ElephantErrorCode } from "../errors.ts";
import type { Machine } from "../machine.ts";
import { elementSize } from "../typed-arrays.ts";
import { Output, type OutputSink } from "./output.ts";
import { FAULTS } from "./problem.ts";
import { SUSPENDED } from "./sites.ts";

/** Bytes that may be written between two calls. */
export const FIXED = 4096;
/** Bytes of the window after which it is emptied: half of the second cache. */
const WINDOW_BYTES = 1 << 17;
/** Bytes of a window that is not a result: those of the kernel's, which has room for the longest text behind what it is emptied for. */
const WINDOW_SIZE = 1 << 18;
/** Room behind the limit of a result's memory, for what is stored without a look at the limit. */
const ROOM_BEHIND = 1 << 13;
/** A text that the kernel encodes costs as much as the copy of so many bytes out of linear memory, when it has to be copied to where the result is. */
const TEXT_COST = 512;
/** Longest text that is copied by a loop. */
const COPIED_BY_LOOP = 128;
/** {@link WINDOW_BYTES} in slices, so that the clock is looked at after a fraction of a millisecond. */
const SLICED_BYTES = 1 << 12;
/** {@link WINDOW_BYTES} of a writer that has emptied its window fewer than {@link REHEARSALS} times. */
const EARLY_BYTES = 512;
/**
 * So many times a writer empties its window early: what has never happened is left out of compiled code, and code that is compiled before the window is full
 * for the first time would be dropped then, nearly all at once.
 */
const REHEARSALS = 64;
/** Longest string that goes into the window. */
const LONGEST_TEXT = 40_000;
/** Longest string that a loop over its characters beats a call for (bench/, Node 20). */
const SHORT_TEXT = 24;
/** Without a platform call for UTF-16: longest string that a loop hands to the kernel. */
const LOOPED_TEXT = 256;
/** Strings that the kernel is given at once, in units: more are no faster (docs/performance.md), and the window has room for what is made of them. */
const MOST_UNITS = 8192;

/** The text for which the kernel is made. Later would be in the middle of more code that has been compiled without (docs/performance.md). */
const ENOUGH_TEXTS = 32;

const LOWEST_INTEGER = -(2n ** 63n);
/** Unsigned values are taken as their two's complement. */
const HIGHEST_INTEGER = 2n ** 64n - 1n;

const single = new Float64Array(1);
const halves = new Uint32Array(single.buffer);

/** Number to IEEE half, cut towards zero; 65536 and above is infinity (formats/elephant.md §3.2). */
function half(value: number): number {
  if (Number.isNaN(value)) return 0x7e00;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (size >= 65536) return sign | 0x7c00;
  if (size < 2 ** -14) return sign | (size * 2 ** 24); // subnormal
  single[0] = size;
  const high = halves[1];
  return sign | (((high >>> 20) - 1008) << 10) | ((high >>> 10) & 0x3ff);
}

/** Where the kernel is: making it takes some milliseconds and 11.5 MB, and most small saves have no text for it. */
export interface MachineSource {
  machine: Machine | undefined;
  readonly make: () => Machine;
}

export abstract class ByteWriter {
  protected readonly source: MachineSource;
  /** The window where there is no kernel yet. */
  private readonly own = new Uint8Array(WINDOW_SIZE);
  /** Texts that the platform has encoded for want of a kernel. */
  private seen = 0;
  protected readonly whole = new Output();
  protected output!: OutputSink;
  u8!: Uint8Array<ArrayBuffer>;
  dv!: DataView<ArrayBuffer>;
  /** Where the window begins: an address in linear memory, 0 in any other. */
  protected window!: number;
  /** Positions behind this one are not begun from: the window is emptied first. In front of the window while there is to be a pause. */
  limit!: number;
  /** Where large pieces end in the window at the latest: {@link FIXED} bytes or more before it ends. */
  protected stop!: number;
  /** Texts that the kernel has encoded in this write. */
  private texts = 0;
  /** Times that it is still to be emptied early. */
  private early = REHEARSALS;
  /** In slices: is this one over? */
  protected due: (() => boolean) | undefined;
  /** Everything has to come back to the loop as soon as it can. */
  protected pausing = false;
  /** Where a container goes on that is {@link SUSPENDED}. */
  protected position = 0;

  constructor(source: MachineSource) {
    this.source = source;
    // Of fields that have had one value alone compiled code knows that value, and is dropped with the second.
    this.useBytes(new Uint8Array(1), 1, 0);
  }

  /** Throws for a value of the container under way. */
  abstract refuse(code: ElephantErrorCode, message: string, value: unknown, key?: string): never;

  /** The window is in linear memory, which a read may have made grow, or in its own where there is none. */
  protected attach(): void {
    const { machine } = this.source;
    machine?.views.refresh();
    const bytes = machine?.views.u8 ?? this.own;
    if (this.u8 !== bytes) this.useBytes(bytes, machine?.window ?? 0, WINDOW_SIZE - FIXED);
  }

  protected begin(due: (() => boolean) | undefined): void {
    this.due = due;
    this.goOn();
    const result = !due && this.whole.streak > 1 && this.whole.memory(this.texts * TEXT_COST, ROOM_BEHIND);
    if (result) this.useBytes(result, 0, result.length - ROOM_BEHIND);
    this.texts = 0;
  }

  /** The window is in these bytes: linear memory, the writer's own, or what becomes the result. */
  private useBytes(bytes: Uint8Array<ArrayBuffer>, window: number, size: number): void {
    this.u8 = bytes;
    this.dv = new DataView(bytes.buffer);
    this.window = window;
    this.stop = this.limit = window + size;
  }

  /** There is no pause now. */
  protected goOn(): void {
    this.pausing = false;
    this.limit = this.window + (this.due ? SLICED_BYTES : this.early > 0 ? EARLY_BYTES : WINDOW_BYTES);
  }

  /** Empties the window, which is filled up to `p`; returns the new position. In slices, looks at the clock. */
  flush(p: number): number {
    this.output.append(this.u8.subarray(this.window, p));
    if (this.due !== undefined) {
      if (!this.pausing && this.due()) this.pause();
    } else if (--this.early === 0) this.goOn();
    return this.window;
  }

  protected pause(): void {
    this.pausing = true;
    this.limit = 0;
  }

  /** Between two members or elements: makes room for the next, or has the container under way suspended. */
  room(p: number): number {
    const at = p > this.window ? this.flush(p) : p;
    if (!this.pausing) return at;
    this.position = at;
    return SUSPENDED;
  }

  /** Makes room for so many bytes, if the window is large enough. */
  protected fit(count: number, p: number): number {
    return p + count >= this.stop ? this.flush(p) : p;
  }

  /** Bytes of any number. */
  protected raw(bytes: Uint8Array, p: number): number {
    const { length } = bytes;
    const at = this.fit(length, p);
    if (at + length >= this.stop) {
      this.output.append(bytes);
      return at;
    }
    this.u8.set(bytes, at);
    return at + length;
  }

  // ---- text ----

  /** A string of any form (graph/strings.ts) with its terminator; SUSPENDED behind it where there is to be a pause. Small, so that it becomes part of its callers. */
  string(value: string, p: number): number {
    const text = "" + value;
    const { length } = text;
    if (length > SHORT_TEXT || p > this.limit) return this.otherString(text, p);
    const { u8 } = this;
    for (let i = 0; i < length; i++) {
      const unit = String.prototype.charCodeAt.call(text, i);
      if ((unit - 1) >>> 0 >= 127) return this.shortText(text, p + i, i) || this.otherString(text, p);
      u8[p + i] = unit;
    }
    u8[p + length] = 0;
    return p + length + 1;
  }

  private otherString(text: string, p: number): number {
    const end = this.encoded(text, p > this.limit ? this.flush(p) : p);
    if (end === 0) return this.refuseText(text);
    return this.pausing ? this.room(end) : end;
  }

  /** Throws for a text of the container under way: a value, or the name `key`. */
  private refuseText(text: string, key?: string): never {
    const fault = stringFault(text)!;
    return this.refuse(fault, FAULTS[fault], text, key);
  }

  /** A member's name. */
  name(text: string, p: number): number {
    const at = p > this.limit ? this.flush(p) : p;
    const name = "" + text;
    const { length } = name;
    const { u8 } = this;
    for (let i = 0; i < length; i++) {
      const unit = unitAt(name, i);
      if ((unit - 1) >>> 0 >= 127 || i === SHORT_TEXT) return this.encoded(name, at) || this.refuseText(name, name);
      u8[at + i] = unit;
    }
    u8[at + length] = 0;
    return at + length + 1;
  }

  /** Any text that can be stored; 0 for others. */
  private encoded(text: string, p: number): number {
    const { length } = text;
    if (length <= SHORT_TEXT) return this.shortText(text, p, 0);
    if (length > LONGEST_TEXT || !this.copyUnits("" + text, 0)) {
      if (stringFault(text)) return 0;
      let at = this.fit(length * 3, p);
      if (at + length * 3 >= this.stop) this.output.appendText(text);
      else at += encoder.encodeInto(text, this.u8.subarray(at)).written;
      this.u8[at] = 0;
      return at + 1;
    }
    return this.gathered(length, 1, p);
  }

  /**
   * Puts a text with a zero behind it where the kernel finds it, behind `at` units; false where there is no kernel yet, or when a loop would take too long, and the
   * platform has no call for it.
   */
  private copyUnits(text: string, at: number): boolean {
    const { length } = text;
    if (!this.source.machine && ++this.seen < ENOUGH_TEXTS) return false;
    const { platform, utf16, views } = this.source.machine ?? this.source.make();
    const start = utf16 + at * 2;
    if (platform && length > SHORT_TEXT) platform.ucs2Write(text, start, length * 2);
    else if (length > LOOPED_TEXT) return false;
    else for (let i = 0; i < length; i++) views.view.setUint16(start + i * 2, String.prototype.charCodeAt.call(text, i), true);
    views.view.setUint16(start + length * 2, 0, true);
    return true;
  }

  /** A string for {@link gathered}, behind `at` units; returns where the next one goes, 0 when this one has to be written by itself. */
  protected gather(value: string, at: number): number {
    const text = "" + value;
    const end = at + text.length;
    if (end >= MOST_UNITS || !this.source.machine || (at === 0 && end <= SHORT_TEXT) || !this.copyUnits(text, at)) return 0;
    return end + 1;
  }

  /** What has been put there, `strings` strings, at `p`, where a window in linear memory has room. Returns the end, 0 when one of them cannot be stored. */
  protected gathered(units: number, strings: number, p: number): number {
    const { kernel, views, window } = this.source.machine!;
    this.texts++;
    if (this.window > 0) return kernel.writeText(p, units, strings);
    const count = kernel.writeText(window, units, strings) - window;
    if (count < 0) return 0;
    const at = this.fit(count, p);
    if (count > COPIED_BY_LOOP) this.u8.set(views.u8.subarray(window, window + count), at);
    else for (let i = 0; i < count; i += 4) this.dv.setInt32(at + i, views.view.getInt32(window + i, true), true);
    return at + count;
  }

  /** A text for which a call would cost more than the loop, from unit `i` on; 0 for what cannot be stored. */
  private shortText(value: string, p: number, i: number): number {
    const text = "" + value;
    const { length } = text;
    const { u8 } = this;
    for (; i < length; i++) {
      let point = unitAt(text, i);
      if (point < 0x80) {
        if (point === 0) return 0;
        u8[p++] = point;
        continue;
      }
      if (point < 0x800) u8[p++] = 0xc0 | (point >> 6);
      else {
        if ((point & 0xf800) === 0xd800) {
          const low = ++i < length ? unitAt(text, i) : 0;
          if (point >= 0xdc00 || (low & 0xfc00) !== 0xdc00) return 0;
          point = 0x10000 + ((point & 0x3ff) << 10) + (low & 0x3ff);
          u8[p++] = 0xf0 | (point >> 18);
          u8[p++] = 0x80 | ((point >> 12) & 0x3f);
        } else u8[p++] = 0xe0 | (point >> 12);
        u8[p++] = 0x80 | ((point >> 6) & 0x3f);
      }
      u8[p++] = 0x80 | (point & 0x3f);
    }
    u8[p] = 0;
    return p + 1;
  }

  // ---- numbers ----

  /** A number in the layout of a numeric datatype: integers are cut towards zero and wrap (formats/elephant.md §3.2). */
  protected numeric(value: number, code: number, p: number): number {
    const { dv } = this;
    switch (code) {
      case CODE.u8:
      case CODE.s8:
        this.u8[p] = value;
        return p + 1;
      case CODE.u16:
      case CODE.s16:
        dv.setUint16(p, value, true);
        return p + 2;
      case CODE.u32:
      case CODE.s32:
        dv.setInt32(p, value, true);
        return p + 4;
      case CODE.f16:
        dv.setUint16(p, half(value), true);
        return p + 2;
      case CODE.f32:
        dv.setFloat32(p, Number.isNaN(value) ? Number.NaN : value, true);
        return p + 4;
    }
    // All NaNs have the same bytes.
    dv.setFloat64(p, Number.isNaN(value) ? Number.NaN : value, true);
    return p + 8;
  }

  private wide(value: bigint): bigint {
    if (value < LOWEST_INTEGER || value > HIGHEST_INTEGER) this.refuse("datatype-not-recognised", "an integer of more than 64 bits", value);
    return BigInt.asIntN(64, value);
  }

  protected bigint(value: bigint, p: number): number {
    this.dv.setBigInt64(p, this.wide(value), true);
    return p + 8;
  }

  /** A scalar where datatype `code`, one of u8 to text, is to stand, of the member `key` or an element; SUSPENDED like {@link string}. */
  scalarField(value: unknown, code: number, p: number, key?: string): number {
    if (p > this.limit) p = this.flush(p);
    const given = isScalar(value) ? value.value : value;
    switch (code) {
      case CODE.string:
      case CODE.text:
        if (typeof given !== "string") return this.unfit("a string", given, value, key);
        return this.string(given, p);
      case CODE.bool:
        // GML: a number above 0.5 is true; `true` compares like 1.
        if (typeof given !== "boolean" && typeof given !== "number" && typeof given !== "bigint")
          return this.unfit("a bool", given, value, key);
        this.u8[p] = (given as number) > 0.5 ? 1 : 0;
        return p + 1;
      case CODE.u64:
        if (typeof given === "bigint") return this.bigint(given, p);
        if ((typeof given === "number" && given >= -(2 ** 63) && given < 2 ** 64) || typeof given === "boolean")
          return this.bigint(BigInt(Math.trunc(Number(given))), p);
        return this.unfit("an integer of 64 bits", given, value, key);
    }
    if (typeof given === "number") return this.numeric(given, code, p);
    if (typeof given === "boolean") return this.numeric(given ? 1 : 0, code, p);
    if (typeof given !== "bigint") return this.unfit("a number", given, value, key);
    // A bigint in a field of an integer datatype: its low bytes.
    const low = this.wide(given);
    if (code <= CODE.s32) this.dv.setInt32(p, Number(BigInt.asIntN(32, low)), true);
    else return this.numeric(Number(given), code, p);
    return p + elementSize(code);
  }

  private unfit(wanted: string, given: unknown, value: unknown, key: string | undefined): never {
    const found = given === null ? "null" : typeof given;
    return this.refuse("datatype-not-recognised", `the schema asks for ${wanted}, the member is ${found}`, value, key);
  }
}
