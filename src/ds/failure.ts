// Errors of the reader. Positions are in characters of the hex text: twice the byte offset.
import { TuskError } from "../errors.ts";

export type DsReadErrorCode =
  | "empty"
  | "bad-hex"
  | "odd-length"
  | "bad-magic"
  | "truncated"
  | "count"
  | "unknown-type"
  | "trailing"
  | "depth";

export function failure(code: DsReadErrorCode, message: string, offset: number): TuskError {
  return new TuskError("ds", code, message, { offset });
}
