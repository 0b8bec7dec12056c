// One value of a declared type to bytes (formats/enigma.md §1, §2.2): always compact, never with the engine's defects.
import { refuse } from "../failure.ts";
import { checkBool, checkInteger, checkWide, hasArrays, items, tableOf } from "../given.ts";
import type { EnigmaTable, EnigmaText, EnigmaValue, EnigmaVar, EnigmaVariant } from "../model.ts";
import { bytesOf } from "../text.ts";
import { elementCount, elementType, type ValueType } from "../value-type.ts";
import type { ByteSink } from "./byte-sink.ts";
import { STRING_SLOT } from "./value-reader.ts";

function writeTable<T>(sink: ByteSink, table: EnigmaTable<T>, path: string, element: (value: T, path: string) => void): void {
  const { max, dense, sparse } = tableOf(table, path);
  sink.u64(max);
  for (let i = 0, count = sink.count(dense); i < count; i++) element(dense[i]!, `${path}.dense[${i}]`);
  for (let i = 0, count = sink.count(sparse); i < count; i++) {
    const [index, value] = sparse[i]!;
    sink.u64(index);
    element(value, `${path}.sparse[${i}][1]`);
  }
}

export function writeVar(sink: ByteSink, value: EnigmaVar, path: string): void {
  if (!hasArrays(value)) {
    sink.variant(value, path);
    const at = sink.reserve(48);
    sink.bytes.fill(0, at, at + 48);
    return;
  }
  const cell = (element: EnigmaVariant, place: string) => sink.variant(element, place);
  sink.variant(value.value, `${path}.value`);
  writeTable(sink, value.array1d, `${path}.array1d`, cell);
  writeTable(sink, value.array2d, `${path}.array2d`, (row, place) => writeTable(sink, row, place, cell));
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
