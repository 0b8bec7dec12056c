// One value of a declared type to bytes (formats/enigma.md §1, §2.2): always compact, never with the engine's defects.
import { isUint8Array } from "../../engine/given-bytes.ts";
import { describe, refuse } from "../failure.ts";
import {
  type EnigmaArrays,
  type EnigmaTable,
  type EnigmaText,
  type EnigmaValue,
  type EnigmaVar,
  type EnigmaVariant,
  NanBits,
} from "../model.ts";
import { bytesOf } from "../text.ts";
import { elementCount, elementType, type ValueType } from "../value-type.ts";
import { type ByteSink, checkBool, checkInteger, checkWide } from "./byte-sink.ts";
import { STRING_SLOT } from "./value-reader.ts";

/** Has a `var` arrays? Everything else that a `var` can be is a variant. */
export function hasArrays(value: unknown): value is EnigmaArrays {
  return typeof value === "object" && value !== null && !isUint8Array(value) && !(value instanceof NanBits) && !Array.isArray(value);
}

function checkIndex(value: unknown, path: string): asserts value is number | bigint {
  if (typeof value === "bigint" ? value < 0n || value >= 2n ** 64n : !Number.isSafeInteger(value) || (value as number) < 0)
    refuse("unwritable", `expected an index, found ${describe(value)}`, path);
}

export function isPair<A, B>(entry: readonly [A, B] | undefined): entry is readonly [A, B] {
  return Array.isArray(entry) && entry.length === 2;
}

/** An entry of a list of pairs. It has no third element, which would be lost. */
export function pairOf<A, B>(entry: readonly [A, B] | undefined, path: string): readonly [A, B] {
  if (!isPair(entry)) refuse("unwritable", `expected an array of 2 elements, found ${describe(entry)}`, path);
  return entry;
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

function writeTable1d(sink: ByteSink, table: EnigmaTable<EnigmaVariant>, path: string): void {
  const { max, dense, sparse } = tableOf(table, path);
  sink.u64(max);
  for (let i = 0, count = sink.count(dense); i < count; i++) sink.variant(dense[i], `${path}.dense[${i}]`);
  for (let i = 0, count = sink.count(sparse); i < count; i++) {
    const [index, element] = sparse[i]!;
    sink.u64(index);
    sink.variant(element, `${path}.sparse[${i}][1]`);
  }
}

export function writeVar(sink: ByteSink, value: EnigmaVar, path: string): void {
  if (!hasArrays(value)) {
    sink.variant(value, path);
    const at = sink.reserve(48);
    sink.bytes.fill(0, at, at + 48);
    return;
  }
  sink.variant(value.value, `${path}.value`);
  writeTable1d(sink, value.array1d, `${path}.array1d`);
  const { max, dense, sparse } = tableOf(value.array2d, `${path}.array2d`);
  sink.u64(max);
  for (let i = 0, count = sink.count(dense); i < count; i++) writeTable1d(sink, dense[i]!, `${path}.array2d.dense[${i}]`);
  for (let i = 0, count = sink.count(sparse); i < count; i++) {
    const [index, row] = sparse[i]!;
    sink.u64(index);
    writeTable1d(sink, row, `${path}.array2d.sparse[${i}][1]`);
  }
}

export function items(value: unknown, count: number, type: ValueType, path: string): EnigmaValue[] {
  if (!Array.isArray(value) || (count >= 0 && value.length !== count))
    refuse("unwritable", `expected ${type.text} as an array${count >= 0 ? ` of ${count}` : ""}, found ${describe(value)}`, path);
  return value;
}

function writeSlot(sink: ByteSink, value: unknown, path: string): void {
  const bytes = bytesOf(value, path);
  if (bytes.length > STRING_SLOT - 8)
    refuse("string-slot", `a text of ${bytes.length} bytes in a container; the format has room for ${STRING_SLOT - 8}`, path);
  sink.u64(bytes.length);
  const at = sink.reserve(STRING_SLOT - 8);
  sink.bytes.fill(0, at, at + STRING_SLOT - 8);
  sink.bytes.set(bytes, at);
}

/** Writes a value; `nested` inside a container, where strings take slots of 32 bytes. Error `unwritable`, with the path. */
export function writeValue(sink: ByteSink, type: ValueType, value: EnigmaValue, path: string, nested = false): void {
  switch (type.kind) {
    case "i8":
    case "u8":
    case "char":
      checkInteger(value, type.kind, path);
      sink.u8(value);
      return;
    case "i16":
    case "u16": {
      checkInteger(value, type.kind, path);
      const at = sink.reserve(2);
      sink.view.setUint16(at, value);
      return;
    }
    case "i32":
    case "u32":
      checkInteger(value, type.kind, path);
      sink.u32(value);
      return;
    case "i64":
    case "u64": {
      checkWide(value, type.kind, path);
      sink.u64(BigInt.asUintN(64, value));
      return;
    }
    case "f32":
      sink.f32(value as number, path);
      return;
    case "f64":
      sink.f64(value as number, path);
      return;
    case "bool":
      checkBool(value, path);
      sink.u8(value ? 1 : 0);
      return;
    case "string":
      if (nested) writeSlot(sink, value, path);
      else sink.text(value as EnigmaText, path);
      return;
    case "variant":
      sink.variant(value as EnigmaVariant, path);
      return;
    case "var":
      writeVar(sink, value as EnigmaVar, path);
      return;
    default:
      writeContainer(sink, type, value, path);
  }
}

function writeContainer(sink: ByteSink, type: ValueType, value: EnigmaValue, path: string): void {
  const { kind, parts } = type;
  if (kind === "pair" || kind === "complex") {
    const [first, second] = items(value, 2, type, path);
    writeValue(sink, parts[0]!, first, `${path}[0]`, true);
    writeValue(sink, elementType(type, 1), second, `${path}[1]`, true);
    return;
  }
  const list = items(value, elementCount(type), type, path);
  for (let i = 0, count = sink.count(list); i < count; i++) {
    if (kind === "map") {
      const [key, element] = items(list[i], 2, type, `${path}[${i}]`);
      writeValue(sink, parts[0]!, key, `${path}[${i}][0]`, true);
      writeValue(sink, parts[1]!, element, `${path}[${i}][1]`, true);
    } else writeValue(sink, elementType(type, i), list[i], `${path}[${i}]`, true);
  }
}
