// Values for people: in trees and differences.
import { isPlain, type Vocabulary } from "./notation/vocabulary.ts";

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

/** `1,204 structs`. */
export function countText(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}

const LONGEST = 60;

/** One value in short; `describeStruct` names a struct's constructor. */
export function valueText(value: unknown, vocabulary: Vocabulary, describeStruct: (container: object) => string | undefined): string {
  switch (typeof value) {
    case "string":
      return value.length > LONGEST
        ? `${JSON.stringify(value.slice(0, LONGEST))}… (${countText(value.length, "character")})`
        : JSON.stringify(value);
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
  if (value instanceof Uint8Array) return countText(value.length, "byte");
  const leaf = vocabulary.leaf?.(value);
  if (leaf) return `${leaf[0]} ${valueText(leaf[1], vocabulary, describeStruct)}`;
  if (Array.isArray(value)) return `array of ${value.length.toLocaleString("en-US")}`;
  return `${describeStruct(value) ?? (isPlain(value) ? "struct" : "object")} of ${countText(Object.keys(value).length, "member")}`;
}
