// Text formats in files: a line end behind the text belongs to the file, not to the format.
import { constants } from "node:buffer";
import { TuskError } from "../../errors.ts";
import { notationError, type Primitive } from "../notation/vocabulary.ts";

/** What formats are told by. */
export function beginningText(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, 4096));
}

/** `bytes` as text in which each is a letter, or as base64; `what` they are, should they be more than a string can hold. */
export function textOf(bytes: Uint8Array, encoding: "latin1" | "base64", what: string): string {
  const length = encoding === "base64" ? Math.ceil(bytes.length / 3) * 4 : bytes.length;
  if (length > constants.MAX_STRING_LENGTH)
    throw new TuskError("tusk", "too-long", `${what}: ${bytes.length} bytes are more than a string can hold here`);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(encoding);
}

const SPACE = new Set([0x20, 0x09, 0x0a, 0x0d]);

export function splitTrailingSpace(bytes: Uint8Array): { content: Uint8Array; after: string | undefined } {
  let end = bytes.length;
  while (end > 0 && SPACE.has(bytes[end - 1])) end--;
  return {
    content: bytes.subarray(0, end),
    after: end < bytes.length ? textOf(bytes.subarray(end), "latin1", "spaces behind the text") : undefined,
  };
}

export function withTrailingSpace(content: Uint8Array, after: Primitive, member = "after"): Uint8Array {
  if (after === undefined) return content;
  if (typeof after !== "string" || !/^[ \t\r\n]*$/.test(after)) throw notationError(`"${member}" holds spaces and line ends`);
  return Buffer.concat([content, Buffer.from(after, "latin1")]);
}
