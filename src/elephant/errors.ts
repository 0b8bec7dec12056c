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

/** Longer paths stand in the message by their ends alone: a graph may be a million levels deep. */
const LONGEST_PATH = 400;

export function elephantError(code: ElephantErrorCode, message: string, place: ErrorPlace = {}): TuskError {
  const { path } = place;
  if (path === undefined || path.length <= LONGEST_PATH) return new TuskError("elephant", code, message, place);
  const ends = `${path.slice(0, LONGEST_PATH / 2)} ... ${path.slice(-LONGEST_PATH / 2)}`;
  return Object.assign(new TuskError("elephant", code, message, { ...place, path: ends }), { path });
}
