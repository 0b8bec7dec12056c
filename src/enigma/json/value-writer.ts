// Values as the engine's JSON writer prints them (formats/enigma.md §3.2): its reader knows no other escapes and no exponent.
import { isUint8Array } from "../../engine/given-bytes.ts";
import type { ByteSink } from "../binary/byte-sink.ts";
import { refuse, type Warnings } from "../failure.ts";
import { checkBool, checkFloat, checkInteger, checkWide, hasArrays, items, tableOf } from "../given.ts";
import { INTEGER_RANGE } from "../integer-range.ts";
import {
  type EnigmaFloat,
  type EnigmaTable,
  type EnigmaText,
  type EnigmaValue,
  type EnigmaVar,
  type EnigmaVariant,
  NanBits,
} from "../model.ts";
import { bytesOf } from "../text.ts";
import { elementCount, elementType, type ValueType } from "../value-type.ts";
import { ESCAPED } from "./escapes.ts";
import { floatText } from "./number.ts";

/** Writes the document's text; what JSON text cannot carry is reported. */
export class JsonSink {
  readonly sink: ByteSink;
  readonly warnings: Warnings;

  constructor(sink: ByteSink, warnings: Warnings) {
    this.sink = sink;
    this.warnings = warnings;
  }

  /** Punctuation, keys, digits and chars: units that are bytes. */
  ascii(text: string): void {
    const at = this.sink.reserve(text.length);
    const { bytes } = this.sink;
    for (let i = 0; i < text.length; i++) bytes[at + i] = text.charCodeAt(i);
  }

  text(text: EnigmaText, path: string): void {
    const bytes = bytesOf(text, path);
    let extra = 2;
    for (const byte of bytes) if (ESCAPED[byte] !== undefined) extra++;
    const at = this.sink.reserve(bytes.length + extra);
    const out = this.sink.bytes;
    let n = at;
    out[n++] = 0x22;
    for (const byte of bytes) {
      const escaped = ESCAPED[byte];
      if (escaped !== undefined) {
        out[n++] = 0x5c;
        out[n++] = escaped;
      } else out[n++] = byte;
    }
    out[n] = 0x22;
  }

  float(value: EnigmaFloat, narrow: boolean, path: string): void {
    checkFloat(value, narrow, path);
    const exact = narrow && typeof value === "number" ? Math.fround(value) : value;
    const text = floatText(exact);
    this.ascii(text);
    if (exact instanceof NanBits || !Number.isFinite(exact))
      this.warnings.tally("json-nonfinite", "JSON has no such number (nan, inf)", { path });
    else if (!Object.is(narrow ? Math.fround(Number(text)) : Number(text), exact))
      this.warnings.tally("json-precision", "a number has more than the six decimals that the JSON backend keeps", { path });
  }

  integer(value: number, kind: string, path: string): void {
    checkInteger(value, kind, path);
    this.ascii(String(value));
  }

  bool(value: boolean, path: string): void {
    checkBool(value, path);
    this.ascii(`"${value}"`);
  }

  variant(value: EnigmaVariant, path: string): void {
    this.ascii("{");
    if (typeof value === "string" || isUint8Array(value)) {
      this.ascii(`"type":"string","value":`);
      this.text(value, path);
    } else if (value !== undefined) {
      this.ascii(`"type":"real","value":`);
      this.float(value, false, path);
    }
    this.ascii("}");
  }

  private table<T>(table: EnigmaTable<T>, path: string, element: (value: T, path: string) => void): void {
    const { dense, sparse } = tableOf(table, path);
    this.ascii("[");
    let first = true;
    const entry = (index: number | bigint, value: T, place: string) => {
      this.ascii(`${first ? "" : ","}{"${index}":`);
      first = false;
      element(value, place);
      this.ascii("}");
    };
    for (let i = 0; i < dense.length; i++) entry(i, dense[i]!, `${path}.dense[${i}]`);
    for (let i = 0; i < sparse.length; i++) entry(sparse[i]![0], sparse[i]![1], `${path}.sparse[${i}][1]`);
    this.ascii("]");
  }

  var(value: EnigmaVar, path: string): void {
    this.ascii(`{"variant":`);
    if (!hasArrays(value)) {
      this.variant(value, path);
      this.ascii(`,"array1d":[],"array2d":[]}`);
      return;
    }
    this.variant(value.value, `${path}.value`);
    this.ascii(`,"array1d":`);
    const cell = (element: EnigmaVariant, place: string) => this.variant(element, place);
    this.table(value.array1d, `${path}.array1d`, cell);
    this.ascii(`,"array2d":`);
    this.table(value.array2d, `${path}.array2d`, (row, place) => this.table(row, place, cell));
    this.ascii("}");
  }

  private key(type: ValueType, value: EnigmaValue, path: string): void {
    const { kind, parts } = type;
    const quote = kind === "string" || kind === "char" || kind === "bool" ? "" : `"`;
    if (parts.length > 0 || kind === "variant" || kind === "var")
      refuse("unwritable", `a map's key of type ${type.text} has no JSON form`, path);
    this.ascii(quote);
    this.value(type, value, path);
    this.ascii(quote);
  }

  value(type: ValueType, value: EnigmaValue, path: string): void {
    switch (type.kind) {
      case "f32":
      case "f64":
        this.float(value as EnigmaFloat, type.kind === "f32", path);
        return;
      case "i64":
      case "u64": {
        checkWide(value, type.kind, path);
        this.ascii(String(value));
        return;
      }
      case "bool":
        this.bool(value as boolean, path);
        return;
      case "char":
        // It is not escaped: the engine's reader takes the byte between the quotes (formats/enigma.md §4.8).
        checkInteger(value, type.kind, path);
        this.ascii(`"${String.fromCharCode(value)}"`);
        return;
      case "string":
        this.text(value as EnigmaText, path);
        return;
      case "variant":
        this.variant(value as EnigmaVariant, path);
        return;
      case "var":
        this.var(value as EnigmaVar, path);
        return;
      default: {
        if (INTEGER_RANGE[type.kind]) {
          this.integer(value as number, type.kind, path);
          return;
        }
        const list = items(value, elementCount(type), type, path);
        const isMap = type.kind === "map";
        this.ascii(isMap ? "{" : "[");
        for (let i = 0; i < list.length; i++) {
          const place = `${path}[${i}]`;
          if (i > 0) this.ascii(",");
          if (isMap) {
            const [key, element] = items(list[i], 2, type, place);
            this.key(type.parts[0]!, key, `${place}[0]`);
            this.ascii(":");
            this.value(type.parts[1]!, element, `${place}[1]`);
          } else this.value(elementType(type, i), list[i], place);
        }
        this.ascii(isMap ? "}" : "]");
      }
    }
  }
}
