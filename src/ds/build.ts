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
  STATE_SLOTS,
  STATE_UNITS,
  TYPE_BOOL,
  TYPE_INT64,
  TYPE_POINTER,
} from "./tape.ts";
import { cesuText, decodeAscii, decodeString, decodeUnits } from "./text.ts";
import type { DsValue, ReadDsOptions } from "./types.ts";

/** The double of a slot pair as its bits. */
function bitsOf(i32: Int32Array, slot: number): bigint {
  return (BigInt(i32[slot * 2 + 1] >>> 0) << 32n) | BigInt(i32[slot * 2] >>> 0);
}

export class ValueBuilder {
  /** The values of the structure itself, in stored order. */
  readonly values: DsValue[] = [];
  readonly #plainText: boolean;
  readonly #exactBools: boolean;
  /** The array that takes the next value, and how many it still takes. The structure's own end is the kernel's business. */
  #target: DsValue[] = this.values;
  #left = Number.POSITIVE_INFINITY;
  readonly #open: { target: DsValue[]; left: number }[] = [];

  constructor(options: ReadDsOptions) {
    this.#plainText = options.strings === "text";
    this.#exactBools = options.bools === "exact";
  }

  /** Takes what `parse` has left on the tape. Gives the length of the long string that comes next, or -1. */
  take(machine: Machine): number {
    const { i32, f64 } = machine;
    const slots = machine.state(STATE_SLOTS);
    const asciiSize = machine.state(STATE_ASCII);
    const unitCount = machine.state(STATE_UNITS);
    // One decoder call for all strings of the window, which are then cut out: 20 ns instead of 100 each.
    const ascii = asciiSize > 0 ? decodeAscii(machine.u8.subarray(machine.readAscii, machine.readAscii + asciiSize)) : "";
    const units = unitCount > 0 ? decodeUnits(machine.u8.subarray(machine.readUnits, machine.readUnits + unitCount * 2)) : "";
    const strings: string[] = [];
    let asciiEnd = 0;
    let unitEnd = 0;
    let target = this.#target;
    let left = this.#left;
    const first = machine.readTape >>> 3;
    for (let slot = first; slot < first + slots; slot++) {
      let value: DsValue = f64[slot];
      // biome-ignore lint/suspicious/noSelfCompare: the cheapest test for a box, which is a NaN
      if (value !== value) {
        const payload = i32[slot * 2];
        switch (i32[slot * 2 + 1] & 0xff) {
          case KIND_ASCII:
            value = ascii.substring(asciiEnd, payload);
            asciiEnd = payload;
            strings.push(value);
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
            this.#target = target;
            this.#left = left;
            return payload >>> 0;
          case KIND_ARRAY:
          case KIND_ROWS: {
            const array: DsValue[] = [];
            target.push((i32[slot * 2 + 1] & 0xff) === KIND_ROWS ? { type: "rows", rows: array as DsValue[][] } : array);
            this.#open.push({ target, left: left - 1 });
            target = array;
            left = payload >>> 0;
            while (left === 0) {
              const frame = this.#open.pop()!;
              target = frame.target;
              left = frame.left;
            }
            continue;
          }
          case KIND_BARE:
            value = BARE_VALUES.get(payload >>> 0);
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
      }
      target.push(value);
      left--;
      while (left === 0) {
        const frame = this.#open.pop()!;
        target = frame.target;
        left = frame.left;
      }
    }
    this.#target = target;
    this.#left = left;
    return -1;
  }

  /** Takes the bytes of a long string. */
  takeLong(bytes: Uint8Array<ArrayBuffer>): void {
    this.#target.push(decodeString(bytes, this.#plainText));
    this.#left--;
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
