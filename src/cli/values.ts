// Values for people: in trees and differences.
import { step } from "../graph/path.ts";
import { isPlain, type Vocabulary } from "./notation/vocabulary.ts";
import { endsOf, escaped } from "./visible.ts";

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

/** `1,204 structs`. */
export function countText(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}

/** Characters that are shown of a text. */
const LONGEST = 60;
/** Bytes that are shown. */
const MOST_BYTES = 16;

/** Where an excerpt of `length` begins that shows what is at `index`, with a third of it before. */
function excerptStart(index: number, length: number): number {
  return index < length - (length >> 2) ? 0 : index - Math.floor(length / 3);
}

/** In quotes. Of a long text a part, the beginning or what is around `index`. */
function quoted(text: string, index = 0): string {
  if (text.length <= LONGEST) return JSON.stringify(text);
  const start = excerptStart(index, LONGEST);
  const end = start + LONGEST;
  const shown = `${start > 0 ? "…" : ""}${JSON.stringify(text.slice(start, end))}${end < text.length ? "…" : ""}`;
  return `${shown} (${countText(text.length, "character")}${start > 0 ? `, differs at index ${index}` : ""})`;
}

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
  if (!comparable) return undefined;
  let index = 0;
  while (index < a.length && index < b.length && a[index] === b[index]) index++;
  return index;
}

/** What stands in the place of a constructor's name, and names with what could be a note behind them. A number may follow (`object 5`). */
const MISTAKABLE = /^(?:struct|array|object|)$|["()]| (?!\d+$)/;
/** What looks like a space, or like nothing. */
const UNSEEN = /\p{Cf}|[^\P{Z} ]/gu;

/** Names of more characters are cut as texts are: they stand in every line of their container. */
const LONGEST_NAME = 400;

/** The name of a constructor, in quotes where it would be taken for something else. */
export function kindName(name: string): string {
  if (name.length > LONGEST_NAME) return quoted(name);
  return seen(MISTAKABLE.test(name) ? JSON.stringify(name) : name);
}

/** With escapes for what cannot be seen: names of constructors are told apart. */
function seen(name: string): string {
  return name.replace(UNSEEN, (character) => character.replace(/./gs, escaped));
}

/** The same in a list of constructors, where it stands for nothing else. */
export function listedName(name: string): string {
  return name.length > LONGEST_NAME ? quoted(name) : seen(name);
}

/** A step of a path, as `--path` takes it unless its name is cut. */
export function shownStep(key: string | number): string {
  return typeof key === "string" && key.length > LONGEST_NAME ? `[${quoted(key)}]` : step(key);
}

/** Longer paths are shown by their ends, as errors do it: of 10,000 levels each line would else name all those above it. */
const LONGEST_PATH = 400;

/** A path that is shown. What is cut can go on, and is cut again to the ends of the whole. */
export function shownPath(path: string): string {
  return endsOf(path, LONGEST_PATH);
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
