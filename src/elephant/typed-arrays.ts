// JavaScript's typed arrays and the datatypes they correspond to.
import { bytesOf } from "../engine/given-bytes.ts";
import { copyOfBytes } from "../engine/uncleared.ts";
import { FRACTIONS, INTEGERS, int32, isInt32, isWhole, room, showFraction } from "../graph/elements.ts";
import { halfToNumber } from "../graph/fixed-values.ts";
import * as CODE from "./codes.ts";

type NumericArray =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array
  | BigInt64Array;
type ArrayMaker = new (buffer: ArrayBuffer) => NumericArray;

/** Node 20 has none; where there is none, halves are read as singles. */
const Half = (globalThis as { Float16Array?: ArrayMaker }).Float16Array;

const MAKERS: Record<number, ArrayMaker> = {
  [CODE.u8]: Uint8Array,
  [CODE.s8]: Int8Array,
  [CODE.u16]: Uint16Array,
  [CODE.s16]: Int16Array,
  [CODE.u32]: Uint32Array,
  [CODE.s32]: Int32Array,
  [CODE.f32]: Float32Array,
  [CODE.f64]: Float64Array,
  [CODE.u64]: BigInt64Array,
};

/** Bytes of one element of a datatype; of a string at the least. */
export function elementSize(code: number): number {
  return code <= CODE.s8
    ? 1
    : code <= CODE.s16 || code === CODE.f16
      ? 2
      : code === CODE.f64 || code === CODE.u64
        ? 8
        : code < CODE.f64
          ? 4
          : 1;
}

/** The little-endian numbers of a datatype that fill `buffer`, which is theirs from then on. */
export function toTypedArray(code: number, buffer: ArrayBuffer): NumericArray {
  if (code === CODE.f16) {
    if (Half) return new Half(buffer);
    return Float32Array.from(new Uint16Array(buffer), halfToNumber);
  }
  return new MAKERS[code](buffer);
}

/** `length` little-endian numbers of a datatype, or bools, at `offset` as a plain array, of int32 values alone where all of them are. */
export function plainNumbers(code: number, length: number, bytes: Uint8Array, offset: number): unknown[] {
  if (code === CODE.bool) {
    const bools: boolean[] = new Array(length);
    for (let i = 0; i < length; i++) bools[i] = bytes[offset + i] === 1;
    return bools;
  }
  if (code !== CODE.f64) {
    const numbers: number[] = new Array(length);
    const typed = toTypedArray(code, copyOfBytes(bytes, offset, length * elementSize(code)));
    for (let i = 0; i < length; i++) numbers[i] = typed[i] as number;
    return numbers;
  }
  return doubles(length, new DataView(bytes.buffer, bytes.byteOffset), offset);
}

/** The same for doubles. */
export function doubles(length: number, view: DataView, offset: number): number[] {
  if (length === 2) {
    const first = view.getFloat64(offset, true);
    const second = view.getFloat64(offset + 8, true);
    return isInt32(first) && isInt32(second) ? [first | 0, second | 0] : [first, second];
  }
  // Most arrays that hold fractions begin with one; they need no memory for integers.
  if (!Number.isInteger(view.getFloat64(offset, true))) return fractions(length, view, offset);
  const numbers = room(INTEGERS, length);
  let i = showFraction();
  let at = offset;
  // Those that are left over come first: nothing is behind the loop, which is compiled without what has not been met.
  for (const odd = length & 3; i < odd; i++, at += 8) {
    const number = view.getFloat64(at, true);
    const whole = int32(number);
    if (!isWhole(number, whole)) return fractions(length, view, offset);
    numbers[i] = whole;
  }
  // Four at a time: engines do not unroll loops over a view.
  for (; i < length; i += 4, at += 32) {
    const first = view.getFloat64(at, true);
    const second = view.getFloat64(at + 8, true);
    const third = view.getFloat64(at + 16, true);
    const fourth = view.getFloat64(at + 24, true);
    const a = int32(first);
    const b = int32(second);
    const c = int32(third);
    const d = int32(fourth);
    if (!isWhole(first, a) || !isWhole(second, b) || !isWhole(third, c) || !isWhole(fourth, d)) return fractions(length, view, offset);
    numbers[i] = a;
    numbers[i + 1] = b;
    numbers[i + 2] = c;
    numbers[i + 3] = d;
  }
  return numbers;
}

function fractions(length: number, view: DataView, offset: number): number[] {
  const numbers = room(FRACTIONS, length);
  for (let i = 0; i < length; i++) numbers[i] = view.getFloat64(offset + i * 8, true);
  return numbers;
}

export function tagOf(value: object): string {
  return (value as { [Symbol.toStringTag]: string })[Symbol.toStringTag];
}

/** By the tags of views. */
const TAGS = new Map([
  ["Uint8Array", CODE.u8],
  ["Uint8ClampedArray", CODE.u8],
  ["DataView", CODE.u8],
  ["Int8Array", CODE.s8],
  ["Uint16Array", CODE.u16],
  ["Int16Array", CODE.s16],
  ["Uint32Array", CODE.u32],
  ["Int32Array", CODE.s32],
  ["Float16Array", CODE.f16],
  ["Float32Array", CODE.f32],
  ["Float64Array", CODE.f64],
  ["BigInt64Array", CODE.u64],
  ["BigUint64Array", CODE.u64],
]);

/** The datatype code of a typed array, DataView or ArrayBuffer (raw bytes are u8) of any realm; 0 for anything else. */
export function datatypeOf(value: object): number {
  const code = ArrayBuffer.isView(value) && TAGS.get(tagOf(value));
  if (code) return code;
  if (value instanceof ArrayBuffer || (typeof SharedArrayBuffer === "function" && value instanceof SharedArrayBuffer)) return CODE.u8;
  // Objects of another realm, and those without prototype, are none of this one's.
  return !(value instanceof Object) && "byteLength" in value && /^(Shared)?ArrayBuffer$/.test(tagOf(value)) ? CODE.u8 : 0;
}

/** A view of the same kind, of the platform's own class, on a copy of its bytes; of a buffer, a copy. Throws where the memory has been given away. */
export function plainCopy(source: object): object {
  const { buffer } = bytesOf(source).slice();
  return ArrayBuffer.isView(source) ? new (globalThis as unknown as Record<string, typeof DataView>)[tagOf(source)](buffer) : buffer;
}

/** Why an array cannot be stored, or copied. */
export const GONE = "the memory of this array has been given away";
