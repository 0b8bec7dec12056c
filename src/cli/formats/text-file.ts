// Text formats in files: a line end behind the text belongs to the file, not to the format.
import { notationError, type Primitive } from "../notation/vocabulary.ts";

/** What formats are told by. */
export function beginningText(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, 4096));
}

const SPACE = new Set([0x20, 0x09, 0x0a, 0x0d]);

export function splitTrailingSpace(bytes: Uint8Array): { content: Uint8Array; after: string | undefined } {
  let end = bytes.length;
  while (end > 0 && SPACE.has(bytes[end - 1])) end--;
  return { content: bytes.subarray(0, end), after: end < bytes.length ? Buffer.from(bytes.subarray(end)).toString("latin1") : undefined };
}

export function withTrailingSpace(content: Uint8Array, after: Primitive, member = "after"): Uint8Array {
  if (after === undefined) return content;
  if (typeof after !== "string" || !/^[ \t\r\n]*$/.test(after)) throw notationError(`"${member}" holds spaces and line ends`);
  return Buffer.concat([content, Buffer.from(after, "latin1")]);
}
