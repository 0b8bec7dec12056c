// Errors of the format; the codes are those of formats/elephant.md §16 and a few for the options.
import { type ErrorPlace, TuskError } from "../errors.ts";

/** The codes of Elephant errors; docs/elephant.md says when each occurs. */
export type ElephantErrorCode =
  | "truncated"
  | "header"
  | "version"
  | "footer"
  | "unknown-datatype"
  | "bad-reference"
  | "bad-skip-index"
  | "unknown-constructor"
  | "schema-missing"
  | "schema-version-missing"
  | "schema-key-invalid"
  | "forced-version-missing"
  | "exclude-not-an-array"
  | "array-too-long"
  | "struct-too-large"
  | "not-an-array"
  | "not-a-struct"
  | "datatype-not-recognised"
  | "nul-in-string"
  | "lone-surrogate"
  | "reference-index-overflow"
  | "json-version-missing"
  | "unreadable"
  | "depth-limit"
  | "element-limit"
  /** An export string that is not base64 of a whole zlib stream, or one that inflates to more than `limits.maxInflatedBytes`. */
  | "export-string"
  | "inflate-limit"
  /** The target of `writeInto` is too small. */
  | "target-too-small"
  /** Options or arguments that mean nothing. */
  | "bad-option";

/** Longer paths and names stand in messages by their ends alone: a graph may be a million levels deep. */
const LONGEST = 400;
export const endsOf = (text: string): string =>
  text.length > LONGEST ? `${text.slice(0, LONGEST / 2)} ... ${text.slice(-LONGEST / 2)}` : text;

/** What is said of a value that reaches the limit. */
export const nestsDeeper = (maxDepth: number): string => `the value nests deeper than limits.maxDepth (${maxDepth})`;

export function elephantError(code: ElephantErrorCode, message: string, place: ErrorPlace = {}): TuskError {
  const { path } = place;
  return Object.assign(new TuskError("elephant", code, message, { ...place, path: path && endsOf(path) }), path && { path });
}

/** Throws an error about the bytes at `offset`. */
export function fail(code: ElephantErrorCode, message: string, offset: number): never {
  throw elephantError(code, message, { offset });
}

/** What `make` gives. Error `element-limit` where that would be longer than a string can be. */
export function textFrom(make: () => string, place?: ErrorPlace): string {
  try {
    return make();
  } catch (cause) {
    throw elephantError("element-limit", "a text too long for a string", { ...place, cause });
  }
}
