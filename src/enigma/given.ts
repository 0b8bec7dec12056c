// What a program gives, checked: both backends refuse the same.
import { isUint8Array } from "../engine/given-bytes.ts";
import { describe, refuse, type Warnings } from "./failure.ts";
import { INTEGER_RANGE, WIDE_RANGE } from "./integer-range.ts";
import { type EnigmaArrays, type EnigmaBackground, type EnigmaLocal, type EnigmaTable, type EnigmaValue, NanBits } from "./model.ts";
import { parseType, type ValueType } from "./value-type.ts";

/** What the writers of one save share. */
export interface WriteContext {
  readonly warnings: Warnings;
  /** Sort instances and variables, or keep the order given. */
  readonly sort: boolean;
  /** What to do with a damaged variable (see the option of that name). */
  readonly damaged: "recovered" | "raw" | "error";
  /** Raw bytes are of the backend that is written. */
  readonly rawFits: boolean;
}

/** Is this a finite number that a 32-bit float does not hold, which would be written as infinity? */
export function overflowsF32(value: number): boolean {
  // For infinity itself the difference is NaN.
  return Math.abs(Math.fround(value) - value) === Number.POSITIVE_INFINITY;
}

/** A float of 32 or 64 bits. A NaN has that many bits too, and a finite number stays finite. */
export function checkFloat(value: unknown, narrow: boolean, path: string): void {
  const size = narrow ? 32 : 64;
  const bits = value instanceof NanBits ? value.bits : undefined;
  if (bits ? bits.length * 4 !== size : typeof value !== "number" || (narrow && overflowsF32(value)))
    refuse("unwritable", `expected a number of ${size} bits, found ${bits ?? describe(value)}`, path);
}

/** An integer of the range of a kind. */
export function checkInteger(value: unknown, kind: string, path: string): asserts value is number {
  const [low, high] = INTEGER_RANGE[kind]!;
  if (typeof value !== "number" || !Number.isInteger(value) || value < low || value > high)
    refuse("unwritable", `expected an integer from ${low} to ${high}, found ${describe(value)}`, path);
}

/** An integer of 64 bits. */
export function checkWide(value: unknown, kind: "i64" | "u64", path: string): asserts value is bigint {
  const [low, high] = WIDE_RANGE[kind];
  if (typeof value !== "bigint" || value < low || value > high)
    refuse("unwritable", `expected a bigint of ${kind}, found ${describe(value)}`, path);
}

export function checkBool(value: unknown, path: string): asserts value is boolean {
  if (typeof value !== "boolean") refuse("unwritable", `expected a boolean, found ${describe(value)}`, path);
}

/** What a hand-made game forgot is an error with its name, not an exception of the platform. */
export function listOf<T>(value: readonly T[] | undefined | null, path: string): readonly T[] {
  if (!Array.isArray(value)) refuse("unwritable", "expected an array", path);
  return value;
}

export function items(value: unknown, count: number, type: ValueType, path: string): EnigmaValue[] {
  if (!Array.isArray(value) || (count >= 0 && value.length !== count))
    refuse("unwritable", `expected ${type.text} as an array${count >= 0 ? ` of ${count}` : ""}, found ${describe(value)}`, path);
  return value;
}

export function isPair<A, B>(entry: readonly [A, B] | undefined): entry is readonly [A, B] {
  return Array.isArray(entry) && entry.length === 2;
}

/** An entry of a list of pairs. It has no third element, which would be lost. */
export function pairOf<A, B>(entry: readonly [A, B] | undefined, path: string): readonly [A, B] {
  if (!isPair(entry)) refuse("unwritable", `expected an array of 2 elements, found ${describe(entry)}`, path);
  return entry;
}

/** Has a `var` arrays? Everything else that a `var` can be is a variant. */
export function hasArrays(value: unknown): value is EnigmaArrays {
  return typeof value === "object" && value !== null && !isUint8Array(value) && !(value instanceof NanBits) && !Array.isArray(value);
}

function checkIndex(value: unknown, path: string): asserts value is number | bigint {
  if (typeof value === "bigint" ? value < 0n || value >= 2n ** 64n : !Number.isSafeInteger(value) || (value as number) < 0)
    refuse("unwritable", `expected an index, found ${describe(value)}`, path);
}

/** What there is of a table: a getter may say something else when it is asked again. */
export function tableOf<T>(table: EnigmaTable<T>, path: string): EnigmaTable<T> {
  const { dense, sparse, max } = (table ?? {}) as Partial<EnigmaTable<T>>;
  if (!Array.isArray(dense) || !Array.isArray(sparse)) refuse("unwritable", "expected a table { max, dense, sparse }", path);
  checkIndex(max, `${path}.max`);
  const entries: [number | bigint, T][] = [];
  for (let i = 0, { length } = sparse; i < length; i++) {
    const entry = sparse[i];
    const index = entry?.[0];
    checkIndex(index, `${path}.sparse[${i}][0]`);
    entries.push([index, pairOf(entry, `${path}.sparse[${i}]`)[1]]);
  }
  return { max, dense, sparse: entries };
}

/** What to store for a local: a value of a type, or bytes as they are. */
export function contentOf(
  local: EnigmaLocal,
  context: WriteContext,
  path: string,
): { type: ValueType; value: EnigmaValue } | { raw: Uint8Array } {
  let { raw, value } = local;
  if (local.damaged) {
    if (context.damaged === "error") refuse("damaged-local", "the variable is damaged; see the option `damaged`", path);
    let words = "its damaged bytes";
    if (context.damaged === "recovered" && local.recovered !== undefined) {
      words = "what could be recovered of it";
      value = local.recovered;
      raw = undefined;
    }
    context.warnings.add("damaged-local", `written with ${words}`, { path });
  }
  if (raw) {
    if (!context.rawFits)
      refuse("schema-needed", "raw bytes of one backend mean nothing in the other; read the save with its schema", path);
    return { raw };
  }
  if (typeof local.type !== "string") refuse("schema-needed", "the variable has no type", path);
  return { type: parseType(local.type, path), value: value as EnigmaValue };
}

/** A texture whose size is that of its pixels, as it must be in either backend. */
export function textureOf(background: EnigmaBackground, path: string): EnigmaBackground["texture"] {
  const { width, height, bgra } = background.texture;
  checkInteger(width, "u32", `${path}.texture.width`);
  checkInteger(height, "u32", `${path}.texture.height`);
  if (!isUint8Array(bgra) || bgra.length !== width * height * 4)
    refuse("unwritable", `a texture of ${width} x ${height} pixels has ${width * height * 4} bytes`, `${path}.texture.bgra`);
  return { width, height, bgra };
}
