// Values for people: in trees and differences.
import { isPlain, type Vocabulary } from "./notation/vocabulary.ts";
import { commonLength, countText, excerptStart, quoted } from "./shown-text.ts";

/** `11.5 MB`, of 1000 bytes each. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ["kB", "MB", "GB"];
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.95 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value.toFixed(1)} ${units[unit]}`;
}

/** The size of a file, which is not the save's where it is JSON. */
export function fileSizeText({ bytes, notation }: { readonly bytes: Uint8Array; readonly notation: boolean }): string {
  return `${sizeText(bytes.length)}${notation ? " of JSON" : ""}`;
}

/** Bytes that are shown. */
const MOST_BYTES = 16;

/** How many bytes, and which where they are few; of many those around `index`. */
function bytesText(bytes: Uint8Array, index?: number): string {
  const count = countText(bytes.length, "byte");
  if (bytes.length === 0 || (bytes.length > MOST_BYTES && index === undefined)) return count;
  const start = bytes.length > MOST_BYTES ? excerptStart(index!, MOST_BYTES) : 0;
  const end = start + MOST_BYTES;
  const hex = Array.from(bytes.subarray(start, end), (byte) => byte.toString(16).padStart(2, "0")).join(" ");
  return `${count}: ${start > 0 ? "… " : ""}${hex}${end < bytes.length ? " …" : ""}${start > 0 ? ` (differs at index ${index})` : ""}`;
}

/** The index at which two texts or two pieces of bytes begin to differ; undefined for other values. */
export function firstDifference(left: unknown, right: unknown, vocabulary: Vocabulary): number | undefined {
  const content = (value: unknown) => (typeof value === "object" && value !== null && vocabulary.leaf?.(value)?.[1]) || value;
  const a = content(left) as ArrayLike<unknown>;
  const b = content(right) as ArrayLike<unknown>;
  const comparable = (typeof a === "string" && typeof b === "string") || (a instanceof Uint8Array && b instanceof Uint8Array);
  return comparable ? commonLength(a, b) : undefined;
}

/** One value in short; `describeStruct` names a struct's constructor. Of long texts and bytes what is around `index` is shown. */
export function valueText(
  value: unknown,
  vocabulary: Vocabulary,
  describeStruct: (container: object) => string | undefined,
  index?: number,
): string {
  switch (typeof value) {
    case "string":
      return quoted(value, index);
    case "bigint":
      return `${value}n`;
    case "number":
      return Object.is(value, -0) ? "-0" : String(value);
    case "object":
      break;
    default:
      return String(value);
  }
  if (value === null) return "null";
  if (value instanceof Uint8Array) return bytesText(value, index);
  const leaf = vocabulary.leaf?.(value);
  if (leaf) return `${leaf[0]} ${valueText(leaf[1], vocabulary, describeStruct, index)}`;
  if (Array.isArray(value)) return `array of ${value.length.toLocaleString("en-US")}`;
  return `${describeStruct(value) ?? (isPlain(value) ? "struct" : "object")} of ${countText(Object.keys(value).length, "member")}`;
}
