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

function pastSpace(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && [0x20, 9, 10, 13].includes(bytes[at]!)) at++;
  return at;
}

/** What stands behind a brace here, and behind white space: of a document the beginning of its first key, however damaged; else nothing, or any bytes. */
function behindBrace(bytes: Uint8Array, at: number, end: number): string {
  const key = bytes[at] === 0x7b ? pastSpace(bytes, at + 1, end) : end;
  return String.fromCharCode(...bytes.subarray(key, Math.min(end, key + 32)));
}

/** A binary save begins with a small count and an instance, or with a count of zero and then either the like or the backgrounds. */
export function looksBinary(bytes: Uint8Array, end: number): boolean {
  const small = (at: number) => at + 8 < end && bytes[at] === 0 && bytes[at + 1] === 0;
  if (!small(0)) return false;
  if (bytes[8] === LEAD.basic) return true;
  return small(8) && (bytes[16] === LEAD.basic || bytes[16] === LEAD.backgrounds);
}

/**
 * Offset of the JSON document in the checked part of a save, or -1 if the save is binary. With `glance` it may be anything else, too: a document that
 * stands behind something else than zeros and white space is looked for in so many bytes more, and one without the engine's keys is none.
 */
export function findDocument(bytes: Uint8Array, end: number, glance?: number): number {
  let zeros = 0;
  while (zeros < end && bytes[zeros] === 0) zeros++;
  const at = pastSpace(bytes, zeros, end);
  const text = behindBrace(bytes, at, end);
  if (DOCUMENT_KEYS.some((name) => text.startsWith(`"${name}"`))) return at;
  // Only zeros: no binary save, which has at least the marks around the backgrounds. A buffer without its document.
  if (zeros === end && end > 0) return end;
  if (!looksBinary(bytes, end)) {
    const found = indexOf(bytes, START, 0, Math.min(end, zeros + (glance ?? end)));
    return found < 0 && glance === undefined && /^["}\w]/.test(text) ? at : found;
  }
  // Also what stands before a document may look so. But a document ends with a brace, a binary save with a mark and the room.
  return bytes[end - 1] === 0x7d && bytes[end - 5] !== LEAD.backgroundsEnd ? indexOf(bytes, START, 0, end) : -1;
}

/** Where to start when the caller says that the save is JSON: at the document, else at the first brace. */
export function documentStart(bytes: Uint8Array, end: number): number {
  const found = indexOf(bytes, START, 0, end);
  if (found >= 0) return found;
  const brace = bytes.subarray(0, end).indexOf(0x7b);
  return brace >= 0 ? brace : end;
}
