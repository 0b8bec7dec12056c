// Tape to values. One pass over the slots, with a stack of its own for open arrays; it stops and goes on with the kernel.
import type { Machine } from "./machine.ts";
import {
  BARE_VALUES,
  KIND_ARRAY,
  KIND_ASCII,
  KIND_BARE,
  KIND_BOOL,
  KIND_CESU,
  KIND_EIGHT,
  KIND_INT32,
  KIND_LONG,
  KIND_RAW,
  KIND_REPEAT,
  KIND_ROWS,
  KIND_UTF16,
  STATE_ASCII,
  STATE_REPEATS,
  STATE_SLOTS,
  STATE_UNITS,
  TYPE_BOOL,
  TYPE_INT64,
  TYPE_POINTER,
  TYPE_UNDEFINED,
} from "./tape.ts";
import { cesuText, decodeAscii, decodeString, decodeUnits } from "./text.ts";
import type { DsValue, ReadDsOptions } from "./types.ts";

/** The double of a slot pair as its bits. */
function bitsOf(i32: Int32Array, slot: number): bigint {
  return (BigInt(i32[slot * 2 + 1] >>> 0) << 32n) | BigInt(i32[slot * 2] >>> 0);
}

/** An array that is being filled: where the next value goes, and how many it still takes. */
interface OpenArray {
  target: DsValue[];
  left: number;
}

/** Larger arrays grow as they fill: V8 makes one that is asked for with more than 32 million elements a dictionary. */
const MAX_PREPARED = 1 << 24;

export class ValueBuilder {
  /** The values of the structure itself in stored order, unless they make pairs. */
  values: DsValue[] = [];
  /** With `paired`: every two values of the structure. */
  pairs: [DsValue, DsValue][] = [];
  #paired = false;
  #plainText = false;
  #exactBools = false;
  #target: DsValue[] = this.values;
  /** Values that the open array still takes; negative for the structure itself, whose end is the kernel's business. */
  #left = -1;
  #open: OpenArray[] = [];
  #pairCount = 0;
  #key: DsValue = undefined;
  #hasKey = false;

  /** Begins a structure; `pairs` is the number of pairs, or -1 for single values. */
  start(options: ReadDsOptions, pairs: number): void {
    this.clear();
    this.#paired = pairs >= 0;
    // The number has been checked against the input, eight bytes for each pair.
    if (pairs > 0 && pairs <= MAX_PREPARED) this.pairs = new Array(pairs);
    this.#plainText = options.strings === "text";
    this.#exactBools = options.bools === "exact";
  }

  /** Lets go of all values. */
  clear(): void {
    this.values = [];
    this.pairs = [];
    this.#target = this.values;
    this.#left = -1;
    this.#open = [];
    this.#pairCount = 0;
    this.#key = undefined;
    this.#hasKey = false;
  }

  /** Takes what `parse` has left on the tape. Gives the length of the long string that comes next, or -1. */
  take(machine: Machine): number {
    const { i32, f64 } = machine;
    const asciiSize = machine.state(STATE_ASCII);
    const unitCount = machine.state(STATE_UNITS);
    // One decoder call for all strings of the window, which are then cut out: 20 ns instead of 100 each.
    const ascii = asciiSize > 0 ? decodeAscii(machine.u8.subarray(machine.readAscii, machine.readAscii + asciiSize)) : "";
    const units = unitCount > 0 ? decodeUnits(machine.u8.subarray(machine.readUnits, machine.readUnits + unitCount * 2)) : "";
    const repeats = machine.state(STATE_REPEATS) > 0;
    const strings: string[] = [];
    const { pairs } = this;
    const open = this.#open;
    let asciiEnd = 0;
    let unitEnd = 0;
    let target = this.#target;
    let left = this.#left;
    let paired = this.#paired && left < 0;
    let hasKey = this.#hasKey;
    let key = this.#key;
    let pairCount = this.#pairCount;
    let long = -1;
    const end = (machine.readTape >>> 3) + machine.state(STATE_SLOTS);
    for (let slot = machine.readTape >>> 3; slot < end; slot++) {
      const real = f64[slot];
      // Numbers have a way of their own, on which the engine need not box them. A box is a NaN, and only that differs from itself.
      // biome-ignore lint/suspicious/noSelfCompare: the cheapest test for a box
      if (real === real) {
        if (!paired) {
          target.push(real);
          left--;
        } else if (hasKey) {
          pairs[pairCount++] = [key, real];
          hasKey = false;
        } else {
          key = real;
          hasKey = true;
        }
      } else {
        const payload = i32[slot * 2];
        const kind = i32[slot * 2 + 1] & 0xff;
        let value: DsValue;
        let inner: DsValue[] | undefined;
        switch (kind) {
          case KIND_ASCII:
            value = ascii.substring(asciiEnd, payload);
            asciiEnd = payload;
            if (repeats) strings.push(value);
            break;
          case KIND_REPEAT:
            value = strings[payload];
            break;
          case KIND_UTF16:
            value = units.substring(unitEnd, payload);
            unitEnd = payload;
            break;
          case KIND_CESU:
            value = this.#plainText ? units.substring(unitEnd, payload) : cesuText(units.substring(unitEnd, payload));
            unitEnd = payload;
            break;
          case KIND_RAW: {
            const from = machine.readBytes + payload;
            slot++;
            value = { type: "bytes", bytes: machine.u8.slice(from, from + i32[slot * 2]) };
            break;
          }
          case KIND_LONG:
            long = payload >>> 0;
            continue;
          case KIND_ARRAY:
            value = inner = [];
            break;
          case KIND_ROWS:
            inner = [];
            value = { type: "rows", rows: inner as DsValue[][] };
            break;
          case KIND_BARE:
            value = payload === TYPE_UNDEFINED ? undefined : BARE_VALUES.get(payload >>> 0);
            break;
          case KIND_INT32:
            value = { type: "int32", value: payload };
            break;
          case KIND_BOOL:
            value = payload === 1;
            break;
          case KIND_EIGHT:
            slot++;
            value = this.#eight(payload, i32, slot);
            break;
        }
        if (!paired) {
          target.push(value);
          left--;
        } else if (hasKey) {
          pairs[pairCount++] = [key, value];
          hasKey = false;
        } else {
          key = value;
          hasKey = true;
        }
        if (inner) {
          open.push({ target, left });
          target = inner;
          left = payload >>> 0;
          paired = false;
        }
      }
      while (left === 0) {
        const frame = open.pop()!;
        target = frame.target;
        left = frame.left;
        paired = this.#paired && left < 0;
      }
    }
    this.#target = target;
    this.#left = left;
    this.#hasKey = hasKey;
    this.#pairCount = pairCount;
    this.#key = key;
    return long;
  }

  /** Takes the bytes of a long string. */
  takeLong(bytes: Uint8Array<ArrayBuffer>): void {
    const value = decodeString(bytes, this.#plainText);
    if (!this.#paired || this.#left >= 0) {
      this.#target.push(value);
      this.#left--;
    } else if (this.#hasKey) {
      this.pairs[this.#pairCount++] = [this.#key, value];
      this.#hasKey = false;
    } else {
      this.#key = value;
      this.#hasKey = true;
    }
    while (this.#left === 0) {
      const frame = this.#open.pop()!;
      this.#target = frame.target;
      this.#left = frame.left;
    }
  }

  #eight(type: number, i32: Int32Array, slot: number): DsValue {
    const bits = bitsOf(i32, slot);
    if (type === TYPE_INT64) return BigInt.asIntN(64, bits);
    if (type === TYPE_POINTER) return { type: "pointer", address: bits };
    if (type === TYPE_BOOL) return this.#exactBools ? { type: "bool", bits } : BigInt.asUintN(63, bits) !== 0n;
    return bits === 0x7ff8000000000000n ? Number.NaN : { type: "nan", bits };
  }
}
