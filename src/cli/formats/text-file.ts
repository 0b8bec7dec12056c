// Text formats in files: line ends and zero bytes behind the text belong to the file, not to the format.
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
/** So many zero bytes are passed over at once: a buffer may be large. */
const ZEROS = new Uint8Array(1 << 16);

/** Where the content begins: what is no white space of the file. */
export function contentStart(bytes: Uint8Array): number {
  let start = 0;
  while (start < bytes.length && SPACE.has(bytes[start])) start++;
  return start;
}

/** Where it ends. GameMaker puts a zero byte behind the text of a `buffer_string`, and a buffer that is saved may be longer than its text. */
export function contentEnd(bytes: Uint8Array): number {
  let end = bytes.length;
  while (end >= ZEROS.length && Buffer.compare(bytes.subarray(end - ZEROS.length, end), ZEROS) === 0) end -= ZEROS.length;
  while (end > 0 && (bytes[end - 1] === 0 || SPACE.has(bytes[end - 1]))) end--;
  return end;
}

/** White space before the content, undefined where there is none. */
export function leadingSpace(bytes: Uint8Array): string | undefined {
  const start = contentStart(bytes);
  return start > 0 ? textOf(bytes.subarray(0, start), "latin1", "spaces before the text") : undefined;
}

export function splitTrailingSpace(bytes: Uint8Array): { content: Uint8Array; after: string | undefined } {
  const end = contentEnd(bytes);
  return {
    content: bytes.subarray(0, end),
    after: end < bytes.length ? textOf(bytes.subarray(end), "latin1", "spaces and zero bytes behind the text") : undefined,
  };
}

/** The bytes of a head's member that holds white space. Behind the content there may be zero bytes, too. */
function spaceOf(given: Primitive, member: string): Uint8Array {
  if (given === undefined) return new Uint8Array(0);
  const isBefore = member === "before";
  if (typeof given !== "string" || (isBefore ? /[^ \t\r\n]/ : /[^ \t\r\n\0]/).test(given))
    throw notationError(`"${member}" holds spaces and line ends${isBefore ? "" : ", and zero bytes"}`);
  return Buffer.from(given, "latin1");
}

export function withTrailingSpace(content: Uint8Array, after: Primitive): Uint8Array {
  return after === undefined ? content : Buffer.concat([content, spaceOf(after, "after")]);
}

/** White space on both sides, by the members `before` and `lineEnd`. */
export function withSpace(content: Uint8Array, head: Readonly<Record<string, Primitive>>): Uint8Array {
  return Buffer.concat([spaceOf(head.before, "before"), content, spaceOf(head.lineEnd, "lineEnd")]);
}
