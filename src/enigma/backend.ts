// Which backend wrote a save (formats/enigma.md §3.3).
import { encoder } from "../engine/platform-text.ts";
import * as LEAD from "./binary/leads.ts";
import { DOCUMENT_KEYS } from "./json/keys.ts";

const START = encoder.encode('{"instance_list":[');

function indexOf(bytes: Uint8Array, wanted: Uint8Array, from: number, end: number): number {
  for (let at = bytes.indexOf(wanted[0]!, from); at >= 0 && at + wanted.length <= end; at = bytes.indexOf(wanted[0]!, at + 1)) {
    let i = 1;
    while (i < wanted.length && bytes[at + i] === wanted[i]) i++;
    if (i === wanted.length) return at;
  }
  return -1;
}

/** Does a document begin here: a brace and one of its four keys, with white space or without? */
function isDocument(bytes: Uint8Array, at: number, end: number): boolean {
  if (bytes[at] !== 0x7b) return false;
  const text = String.fromCharCode(...bytes.subarray(at, Math.min(end, at + 64)));
  const key = /^\{[ \t\r\n]*"([a-z_]+)"/.exec(text)?.[1];
  return key !== undefined && (DOCUMENT_KEYS as readonly string[]).includes(key);
}

/** A binary save begins with a small count and an instance, or with a count of zero and then either the like or the backgrounds. */
export function looksBinary(bytes: Uint8Array, end: number): boolean {
  const small = (at: number) => at + 8 < end && bytes[at] === 0 && bytes[at + 1] === 0;
  if (!small(0)) return false;
  if (bytes[8] === LEAD.basic) return true;
  return small(8) && (bytes[16] === LEAD.basic || bytes[16] === LEAD.backgrounds);
}

/** Offset of the JSON document in the checked part of a save, or -1 if the save is binary. */
export function findDocument(bytes: Uint8Array, end: number): number {
  let zeros = 0;
  while (zeros < end && bytes[zeros] === 0) zeros++;
  if (zeros < end && isDocument(bytes, zeros, end)) return zeros;
  // Only zeros: no binary save, which has at least the marks around the backgrounds. A buffer without its document.
  if (zeros === end && end > 0) return end;
  if (looksBinary(bytes, end)) return -1;
  return indexOf(bytes, START, 0, end);
}

/** Where to start when the caller says that the save is JSON: at the document, else at the first brace. */
export function documentStart(bytes: Uint8Array, end: number): number {
  const found = indexOf(bytes, START, 0, end);
  if (found >= 0) return found;
  const brace = bytes.subarray(0, end).indexOf(0x7b);
  return brace >= 0 ? brace : end;
}

/** Do readers begin at this document, those that look at the content and, if that seems binary, those that are told? What stands before it may hold another. */
export function isFound(bytes: Uint8Array, start: number, end: number): boolean {
  const found = findDocument(bytes, end);
  return (found < 0 || found === start) && documentStart(bytes, end) === start;
}
