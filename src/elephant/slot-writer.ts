// The tape of a write and the values on it: one slot each, texts and 64-bit values beside it. Numbers and strings are stored by the
// generated writers themselves; everything else comes through here.
import * as op from "../graph/ops.ts";
import { StringEncoder, stringFault } from "../graph/string-encoder.ts";
import { CODE, isScalar, type Scalar } from "./datatypes.ts";
import type { ElephantErrorCode } from "./errors.ts";
import type { Machine } from "./machine.ts";
import { datatypeOf } from "./typed-arrays.ts";
import { FAULTS } from "./write-problem.ts";

/** Tape slots after which the kernel is called: 128 KB stay in the cache. */
const TAPE_SLOTS = 1 << 14;
/** In slices: the clock is looked at after a fraction of a millisecond. */
const SLICED_SLOTS = 1 << 12;
const SLICED_LOAD = 1 << 19;
const TEXT_BYTES = 1 << 16;
const WIDE_VALUES = 8192;
/** Longer strings are appended by the shim, so that the text of any one struct fits the blob. */
const LONGEST_TEXT = 1000;
/** Longest string that the loop tries before the platform's encoder is called. */
const SHORT_TEXT = 48;

const LOWEST_INTEGER = -(2n ** 63n);
/** Unsigned values are taken as their two's complement. */
const HIGHEST_INTEGER = 2n ** 64n - 1n;

/** Text or bytes that the shim appends when the kernel comes to their slot. */
export interface External {
  readonly text?: string;
  readonly bytes?: Uint8Array;
}

export abstract class SlotWriter {
  readonly machine: Machine;
  f64!: Float64Array;
  u32!: Uint32Array;
  private u8!: Uint8Array;
  /** Next free slot. */
  top = 0;
  /** The container that was met last. */
  child: object = Object.prototype;
  protected readonly first: number;
  protected readonly external: External[] = [];
  private readonly encoder = new StringEncoder();
  /** Slots after which the tape is full. */
  private slots = TAPE_SLOTS;
  /** Bytes and units that the shim appends itself after which it is full, too. */
  private load = Number.POSITIVE_INFINITY;
  private loaded = 0;
  private textTop = 0;
  private wideTop = 0;

  constructor(machine: Machine) {
    this.machine = machine;
    this.first = machine.tape >> 3;
  }

  /** Throws for a value of the container under way. */
  abstract refuse(code: ElephantErrorCode, message: string, value: unknown): never;
  /** A function is stored as undefined. */
  protected abstract noteFunction(value: unknown): void;

  /** Looks at memory anew; it may have grown. */
  protected attach(): void {
    const { views } = this.machine;
    views.refresh();
    this.f64 = views.f64;
    this.u32 = views.u32;
    if (this.u8 !== views.u8) {
      this.u8 = views.u8;
      this.encoder.attach(views.u8);
    }
  }

  /** In slices a full tape is a look at the clock, which has to come more often. */
  protected slice(inSlices: boolean): void {
    this.slots = inSlices ? SLICED_SLOTS : TAPE_SLOTS;
    this.load = inSlices ? SLICED_LOAD : Number.POSITIVE_INFINITY;
  }

  protected startTape(): void {
    this.top = this.first;
    if (this.loaded > this.load) this.slots = SLICED_SLOTS;
    this.loaded = 0;
    this.textTop = this.machine.ascii;
    this.wideTop = 0;
    if (this.external.length > 0) this.external.length = 0;
  }

  /** Is it time to have the tape expanded? */
  full(): boolean {
    return this.top - this.first >= this.slots || this.textTop - this.machine.ascii >= TEXT_BYTES || this.wideTop >= WIDE_VALUES;
  }

  protected box(at: number, tag: number, payload: number): void {
    this.u32[at * 2] = payload;
    this.u32[at * 2 + 1] = tag;
  }

  string(text: string, at: number): void {
    const { length } = text;
    const { u8, u32, textTop } = this;
    if (length <= SHORT_TEXT) {
      let i = 0;
      for (; i < length; i++) {
        const unit = text.charCodeAt(i);
        if ((unit - 1) >>> 0 >= 127) break;
        u8[textTop + i] = unit;
      }
      if (i === length) {
        u32[at * 2] = textTop - this.machine.ascii;
        u32[at * 2 + 1] = op.BOX_STRING | length;
        this.textTop = textTop + length;
        return;
      }
    } else if (length > LONGEST_TEXT) {
      const fault = stringFault(text);
      if (fault) this.refuse(fault, FAULTS[fault], text);
      this.box(at, op.BOX_EXTERNAL, this.append({ text }, length));
      return;
    }
    const written = this.encoder.write(text, textTop);
    if (written < 0) this.refuse(this.encoder.fault!, FAULTS[this.encoder.fault!], text);
    this.box(at, op.BOX_STRING | written, textTop - this.machine.ascii);
    this.textTop = textTop + written;
  }

  /** Text or bytes for the shim to append; returns its index. */
  protected append(given: External, size: number): number {
    this.loaded += size;
    if (this.loaded > this.load) this.slots = 0;
    return this.external.push(given) - 1;
  }

  private wide(value: bigint): number {
    if (value < LOWEST_INTEGER || value > HIGHEST_INTEGER) this.refuse("datatype-not-recognised", `${value} does not fit 64 bits`, value);
    const at = (this.machine.wide >> 2) + this.wideTop * 2;
    this.u32[at] = Number(BigInt.asUintN(32, value));
    this.u32[at + 1] = Number(BigInt.asUintN(32, value >> 32n));
    return this.wideTop++;
  }

  /** A value of whatever kind; true when it is a container, which is then {@link child}. */
  put(value: unknown, at: number): boolean {
    switch (typeof value) {
      case "object": {
        if (value === null) break;
        if (Array.isArray(value)) {
          this.child = value;
          this.box(at, op.BOX_ARRAY, 0);
          return true;
        }
        if (isScalar(value)) {
          this.scalar(value, at);
          return false;
        }
        this.child = value;
        this.box(at, datatypeOf(value) !== 0 ? op.BOX_ARRAY : op.BOX_STRUCT, 0);
        return true;
      }
      case "number":
        this.f64[at] = Number.isNaN(value) ? Number.NaN : value;
        return false;
      case "string":
        this.string(value, at);
        return false;
      case "boolean":
        this.box(at, op.BOX_TABLE, value ? 2 : 1);
        return false;
      case "bigint":
        this.box(at, op.BOX_WIDE, this.wide(value));
        return false;
      case "function":
        this.noteFunction(value);
        break;
      case "undefined":
        break;
      default:
        this.refuse("datatype-not-recognised", `a ${typeof value} cannot be stored`, value);
    }
    this.box(at, op.BOX_TABLE, 0);
    return false;
  }

  private scalar(scalar: Scalar, at: number): void {
    const { datatype, value } = scalar;
    if (typeof value !== "number" || datatype === "f64") {
      this.put(value, at);
      return;
    }
    const index = this.wideTop++;
    this.f64[(this.machine.wide >> 3) + index] = value;
    this.box(at, op.BOX_SCALAR | CODE[datatype], index);
  }

  /** A value where datatype `code` is to stand; true when it is a container. */
  field(value: unknown, code: number, at: number): boolean {
    if (code === CODE.any) return this.put(value, at);
    const given = isScalar(value) ? value.value : value;
    switch (code) {
      case CODE.string:
      case CODE.text:
        if (typeof given !== "string") return this.unfit("a string", given, value);
        this.string(given, at);
        return false;
      case CODE.bool:
        // GML: a number above 0.5 is true.
        if (typeof given !== "boolean" && typeof given !== "number" && typeof given !== "bigint") return this.unfit("a bool", given, value);
        this.box(at, op.BOX_TABLE, (typeof given === "boolean" ? given : given > 0.5) ? 2 : 1);
        return false;
      case CODE.u64:
        if (typeof given === "bigint") this.box(at, op.BOX_WIDE, this.wide(given));
        else if ((typeof given === "number" && Number.isFinite(given)) || typeof given === "boolean")
          this.box(at, op.BOX_WIDE, this.wide(BigInt(Math.trunc(Number(given)))));
        else return this.unfit("an integer", given, value);
        return false;
      case CODE.array:
      case CODE.struct:
        this.box(at, code === CODE.array ? op.BOX_ARRAY : op.BOX_STRUCT, 0);
        return this.container(value, code);
      case CODE.undefined:
      case 0:
        this.box(at, op.BOX_TABLE, 0);
        return false;
    }
    if (typeof given === "number") this.f64[at] = Number.isNaN(given) ? Number.NaN : given;
    else if (typeof given === "boolean") this.f64[at] = given ? 1 : 0;
    else if (typeof given === "bigint" && code <= CODE.s32) this.box(at, op.BOX_WIDE, this.wide(given));
    else if (typeof given === "bigint") this.f64[at] = Number(given);
    else return this.unfit("a number", given, value);
    return false;
  }

  /** A child where only an array or only a struct may stand. */
  protected container(value: unknown, code: number): true {
    const isObject = typeof value === "object" && value !== null;
    if (code === CODE.array) {
      if (!isObject || !(Array.isArray(value) || datatypeOf(value) !== 0))
        this.refuse("not-an-array", "only an array can be stored here", value);
    } else if (!isObject || Array.isArray(value) || datatypeOf(value) !== 0 || isScalar(value)) {
      this.refuse("not-a-struct", "only a struct can be stored here", value);
    }
    this.child = value as object;
    return true;
  }

  private unfit(wanted: string, given: unknown, value: unknown): never {
    const found = given === null ? "null" : typeof given;
    return this.refuse("datatype-not-recognised", `the schema asks for ${wanted}, the member is ${found}`, value);
  }

  /** Raw bytes of the format. */
  protected bytes(bytes: Uint8Array): void {
    this.u32[this.top * 2] = op.WRITE_BYTES;
    this.u32[this.top * 2 + 1] = bytes.length;
    this.top++;
    this.copyBytes(bytes);
  }

  protected copyBytes(bytes: Uint8Array): void {
    this.u8.set(bytes, this.top << 3);
    this.top += (bytes.length + 7) >> 3;
  }
}
