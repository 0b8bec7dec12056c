// Values of the JSON backend (formats/enigma.md §3.2).
import { isUint8Array } from "../../engine/given-bytes.ts";
import { describe, fail } from "../failure.ts";
import { INTEGER_RANGE, WIDE_RANGE } from "../integer-range.ts";
import type { EnigmaFloat, EnigmaTable, EnigmaText, EnigmaValue, EnigmaVar, EnigmaVariant } from "../model.ts";
import { elementCount, elementType, type ValueType } from "../value-type.ts";
import { type JsonCursor, KeyList } from "./cursor.ts";
import { floatOf, floatText } from "./number.ts";

const VARIANT_KEYS = new KeyList(["type", "value"]);
const VAR_KEYS = new KeyList(["variant", "array1d", "array2d"]);

/** Below these a float or double is less than half of the sixth decimal away from its text, which comes back as it was. */
const CLOSE_BELOW = { narrow: 2 ** 4, wide: 2 ** 33 };
const ENGINE_DECIMAL = /^-?(0|[1-9]\d*)(\.\d{0,5}[1-9])?$/;

export function readFloat(cursor: JsonCursor, narrow: boolean): EnigmaFloat {
  // A float may have any number of digits.
  return floatAt(cursor, cursor.start(), cursor.word(true), narrow);
}

function floatAt(cursor: JsonCursor, at: number, text: string, narrow: boolean): EnigmaFloat {
  const value = floatOf(text, narrow);
  if (value === undefined) cursor.badWord(`expected a number, found ${describe(text)}`, at);
  // In quotes, as the key of a map, it is JSON.
  if (!Number.isFinite(value) && cursor.bytes[at] !== 0x22)
    cursor.warnings.tally("json-nonfinite", "JSON has no such number (nan, inf)", { offset: at });
  if (Math.abs(+value) < CLOSE_BELOW[narrow ? "narrow" : "wide"] ? !ENGINE_DECIMAL.test(text) : floatText(value) !== text)
    cursor.foreign ??= at;
  return value;
}

export function readInteger(cursor: JsonCursor, kind: string): number {
  return integerOf(cursor, cursor.start(), cursor.word(), kind);
}

function integerOf(cursor: JsonCursor, at: number, text: string, kind: string): number {
  const value = /^-?\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  const [low, high] = INTEGER_RANGE[kind]!;
  if (!(value >= low && value <= high)) cursor.badWord(`expected an integer from ${low} to ${high}, found ${describe(text)}`, at);
  if (String(value) !== text) cursor.foreign ??= at;
  return Object.is(value, -0) ? 0 : value;
}

function wideOf(cursor: JsonCursor, at: number, text: string, kind: "i64" | "u64"): bigint {
  const value = /^-?\d{1,20}$/.test(text) ? BigInt(text) : undefined;
  const [low, high] = WIDE_RANGE[kind];
  if (value === undefined || value < low || value > high)
    fail("json-bad-value", `expected an integer of 64 bits, found ${describe(text)}`, at);
  if (String(value) !== text) cursor.foreign ??= at;
  return value;
}

/** A boolean is the text "true" or "false". */
export function readBool(cursor: JsonCursor): boolean {
  return boolOf(cursor.start(), cursor.text());
}

function boolOf(at: number, text: EnigmaText): boolean {
  if (text !== "true" && text !== "false") fail("json-bad-value", `expected "true" or "false"`, at);
  return text === "true";
}

/**
 * A char is quote, byte, quote, even if that byte is a quote or a backslash (formats/enigma.md §4.8). Behind `"\"` another quote shows that
 * one was escaped after all.
 */
function readChar(cursor: JsonCursor): number {
  cursor.peek();
  const { bytes, at, end } = cursor;
  if (bytes[at] === 0x22 && at + 2 < end && bytes[at + 2] === 0x22 && bytes[at + 3] !== 0x22) {
    const byte = bytes[at + 1]!;
    cursor.at = at + 3;
    if (byte === 0x22 || byte === 0x5c)
      cursor.warnings.tally("json-unescaped-char", "a char that is a quote or a backslash is not escaped", { offset: at });
    else if (byte < 0x20) cursor.warnings.tally("json-raw-control", "a text holds a control character that is not escaped", { offset: at });
    else if (byte >= 0x80) cursor.warnings.tally("json-invalid-utf8", "a text holds bytes that are not UTF-8", { offset: at });
    return byte;
  }
  const text = cursor.text();
  if (typeof text !== "string" || text.length !== 1 || text.charCodeAt(0) > 0x7f) fail("json-bad-value", "expected a text of one byte", at);
  cursor.foreign ??= at;
  return text.charCodeAt(0);
}

/** `{}` is undefined: the engine has nothing else for it. */
function readVariant(cursor: JsonCursor): EnigmaVariant {
  const start = cursor.start();
  cursor.expect(0x7b);
  if (cursor.pass(0x7d)) return undefined;
  cursor.at = start;
  let type: EnigmaText | undefined;
  let value: EnigmaVariant;
  cursor.members(VARIANT_KEYS, "a variant", (key) => {
    const at = cursor.start();
    if (key === 0) {
      type = cursor.text();
      if (type !== "real" && type !== "string") fail("json-bad-value", `a variant is "real" or "string"`, at);
      return;
    }
    // A value before its type says by its form what it is.
    value = (type ? type === "string" : cursor.bytes[at] === 0x22) ? cursor.text() : readFloat(cursor, false);
  });
  // Its type may also be another than the one before it: the last counts.
  if ((typeof value === "string" || isUint8Array(value)) !== (type === "string"))
    fail("json-bad-value", "the value of a variant is not of its type", start);
  return value;
}

function readTable<T>(cursor: JsonCursor, element: () => T): EnigmaTable<T> {
  let max: number | bigint = 0;
  const sparse = cursor.array((): [number | bigint, T] => {
    cursor.expect(0x7b);
    const at = cursor.start();
    const key = cursor.key();
    if (typeof key !== "string" || !/^(0|[1-9]\d{0,19})$/.test(key) || BigInt(key) > WIDE_RANGE.u64[1])
      fail("json-bad-value", "an array element has an index as its key", at);
    const index = key.length < 16 ? Number(key) : safeIndex(BigInt(key));
    // No count is above the largest index.
    if (index >= max) max = index < WIDE_RANGE.u64[1] ? safeIndex(BigInt(index) + 1n) : index;
    const value = element();
    cursor.expect(0x7d);
    return [index, value];
  });
  return { max, dense: [], sparse };
}

function safeIndex(value: bigint): number | bigint {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}

export function readVar(cursor: JsonCursor): EnigmaVar {
  let value: EnigmaVariant;
  let array1d: EnigmaTable<EnigmaVariant> | undefined;
  let array2d: EnigmaTable<EnigmaTable<EnigmaVariant>> | undefined;
  cursor.members(VAR_KEYS, "a var", (key) => {
    if (key === 0) value = readVariant(cursor);
    else if (key === 1) array1d = readTable(cursor, () => readVariant(cursor));
    else array2d = readTable(cursor, () => readTable(cursor, () => readVariant(cursor)));
  });
  return array1d!.sparse.length === 0 && array2d!.sparse.length === 0 ? value : { value, array1d: array1d!, array2d: array2d! };
}

/** The key of a map: numbers stand in quotes. */
function readKey(cursor: JsonCursor, type: ValueType): EnigmaValue {
  const at = cursor.start();
  if (type.kind === "char") {
    const value = readChar(cursor);
    cursor.expect(0x3a);
    return value;
  }
  const key = cursor.key();
  if (type.kind === "string") return key;
  if (type.kind === "bool") return boolOf(at, key);
  if (typeof key !== "string") return fail("json-bad-value", "expected a number as the key", at);
  if (type.kind === "i64" || type.kind === "u64") return wideOf(cursor, at, key, type.kind);
  if (type.kind === "f32" || type.kind === "f64") return floatAt(cursor, at, key, type.kind === "f32");
  if (INTEGER_RANGE[type.kind]) return integerOf(cursor, at, key, type.kind);
  return fail("json-bad-value", `a map's key of type ${type.text} has no JSON form`, at);
}

/** Reads a value of a declared type. Errors `json-bad-value` and `json-syntax` where the form does not fit. */
export function readJsonValue(cursor: JsonCursor, type: ValueType): EnigmaValue {
  switch (type.kind) {
    case "f32":
    case "f64":
      return readFloat(cursor, type.kind === "f32");
    case "i64":
    case "u64":
      return wideOf(cursor, cursor.start(), cursor.word(), type.kind);
    case "bool":
      return readBool(cursor);
    case "char":
      return readChar(cursor);
    case "string":
      return cursor.text();
    case "variant":
      return readVariant(cursor);
    case "var":
      return readVar(cursor);
    case "map":
      cursor.expect(0x7b);
      return cursor.entries(() => [readKey(cursor, type.parts[0]!), readJsonValue(cursor, type.parts[1]!)]);
    default: {
      if (INTEGER_RANGE[type.kind]) return readInteger(cursor, type.kind);
      const fixed = elementCount(type);
      const start = cursor.start();
      const items = cursor.array((i) => {
        if (fixed >= 0 && i >= fixed) fail("json-bad-value", `${type.text} has ${fixed} elements`, cursor.at);
        return readJsonValue(cursor, elementType(type, i));
      });
      if (fixed >= 0 && items.length !== fixed) fail("json-bad-value", `${type.text} has ${fixed} elements`, start);
      return items;
    }
  }
}
