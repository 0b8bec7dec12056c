// Keys of containers, made of a few of their values: two that have different keys are not the same object. Containers with the same key may be.

import { elementOf, SHORT_ARRAY } from "../../graph/array-kinds.ts";
import { unitAt } from "../../graph/strings.ts";
import { MAP_LIKE } from "../members.ts";

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

/** Structs of many members: an engine lists all of their names before the first can be looked at. */
const large = new WeakSet<object>();

/** Adds a value that may be a struct: of it, the first member that is a number or a string. */
function mixDeeply(key: number, value: unknown): number {
  if (typeof value === "object" && value && !isArray(value) && !ArrayBuffer.isView(value) && !large.has(value)) {
    const names = Object.keys(value);
    if (names.length > MAP_LIKE) large.add(value);
    else
      for (const name of names.slice(0, 3)) {
        const member = (value as Record<string, unknown>)[name];
        if (typeof member === "number" || typeof member === "string") return mix(key, member);
      }
  }
  return mix(key, value);
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
