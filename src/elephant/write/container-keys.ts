// Keys of containers, made of a few of their values: two that have different keys are not the same object. Containers with the same key may be.

import { elementOf, SHORT_ARRAY } from "../../graph/array-kinds.ts";
import { unitAt } from "../../graph/strings.ts";

const double = new Float64Array(1);
const words = new Int32Array(double.buffer);
const isArray = Array.isArray;

/** Adds a number to a key. */
export function mixNumber(key: number, value: number): number {
  double[0] = Number.isNaN(value) ? 0 : value;
  const h = Math.imul(key ^ words[0], 0x2c1b3c6d) + Math.imul(words[1], 0x297a2d39);
  return h ^ (h >>> 15);
}

/** Adds a string to a key: its length and a few characters; ids and paths differ in the last ones. */
export function mixText(key: number, value: string): number {
  const text = "" + value;
  const n = text.length;
  if (n === 0) return Math.imul(key, 11);
  let last = unitAt(text, n - 1);
  if (n > 3) last ^= (unitAt(text, n - 2) << 7) ^ (unitAt(text, n - 3) << 14) ^ (unitAt(text, n - 4) << 21);
  else if (n > 1) last ^= (unitAt(text, 0) << 7) ^ (unitAt(text, 1) << 14);
  const h = Math.imul(key ^ last, 0x297a2d39) + Math.imul(unitAt(text, n >> 1) ^ (n << 16), 0x85ebca6b);
  return h ^ (h >>> 15);
}

/** Adds a value of any kind to a key. */
export function mix(key: number, value: unknown): number {
  if (typeof value === "number") return mixNumber(key, value);
  if (typeof value === "string") return mixText(key, value);
  if (typeof value === "boolean") return Math.imul(key, value ? 5 : 3);
  if (isArray(value)) {
    const { length } = value;
    const first = length > 0 && length <= SHORT_ARRAY ? value[0] : undefined;
    return mixNumber(typeof first === "number" ? mixNumber(key, first) : typeof first === "string" ? mixText(key, first) : key, length);
  }
  return Math.imul(key, 7);
}

/** Of a struct, the first member that is a number or a string; "" where that is none of the first three. */
function telling(struct: object): number | string {
  let left = 3;
  for (const name in struct) {
    const member = (struct as Record<string, unknown>)[name];
    if (typeof member === "number" || typeof member === "string") return member;
    if (--left === 0) break;
  }
  return "";
}

/** What {@link telling} gives for structs of many members: an engine lists all of their names before the first can be looked at. */
const large = new WeakMap<object, number | string>();

/** A struct of many members is being written, and may occur again. Its key stays what it was. */
export function noteLarge(struct: object): void {
  if (!large.has(struct)) large.set(struct, telling(struct));
}

/** Adds a value that may be a struct. */
function mixDeeply(key: number, value: unknown): number {
  const isStruct = typeof value === "object" && !isArray(value) && !ArrayBuffer.isView(value);
  return mix(key, isStruct ? (large.get(value!) ?? telling(value!)) : value);
}

/** The key of containers that values do not tell apart. */
export const ALIKE = 0;

export function keyOfArray(array: readonly unknown[]): number {
  const n = array.length;
  if (n > SHORT_ARRAY) return mix(mix(mixDeeply(n, elementOf(array, 0)), elementOf(array, n - 1)), elementOf(array, n >> 1));
  if (n === 0) return ALIKE;
  const first = array[0];
  const key = mix(mixDeeply(n, first), array[n - 1]);
  return n > 2 ? mix(key, array[n >> 1]) : key;
}

/** The key of a typed array, DataView or buffer. Shared memory may change at any time. */
export function keyOfBytes(bytes: Uint8Array): number {
  const n = bytes.length;
  return n === 0 || !(bytes.buffer instanceof ArrayBuffer) ? ALIKE : mixNumber(mixNumber(n, bytes[0]), bytes[n >> 1]);
}
