// Bytes to text and back, without losing any byte.
import { isUint8Array } from "../engine/given-bytes.ts";
import { decodable, encoder, hasLoneSurrogate, isStackEnd, utf8 } from "../engine/platform-text.ts";
import { describe, refuse } from "./failure.ts";
import type { EnigmaText } from "./model.ts";

/** A call of the platform's decoder costs more than a short loop; at 24 bytes both cost the same. */
const SHORT = 24;

/** The text of a range of bytes: a string if it is valid UTF-8 and no longer than strings can be, else a copy of the bytes. */
export function textOf(bytes: Uint8Array, start: number, end: number): EnigmaText {
  if (end - start <= SHORT) {
    let text = "";
    let at = start;
    for (; at < end; at++) {
      const byte = bytes[at]!;
      if (byte >= 0x80) break;
      text += String.fromCharCode(byte);
    }
    if (at === end) return text;
  }
  const stored = bytes.subarray(start, end);
  try {
    const text = utf8.decode(decodable(stored));
    // A decoder that refuses takes ten times as long to do so.
    if (text && (!text.includes("\ufffd") || compareBytes(encoder.encode(text), stored) === 0)) return text;
  } catch (error) {
    if (isStackEnd(error)) throw error;
    // Longer than a string can be: it stays bytes.
  }
  return stored.slice();
}

/** The bytes of a text. Error `unwritable` for what is none, and for a lone surrogate, which has no UTF-8 form. */
export function bytesOf(text: unknown, path: string): Uint8Array {
  if (isUint8Array(text)) return text;
  if (typeof text !== "string") refuse("unwritable", `expected a text, found ${describe(text)}`, path);
  if (hasLoneSurrogate(text)) refuse("unwritable", "a lone surrogate has no UTF-8 form", path);
  return encoder.encode(text);
}

/** Byte order, as the engine sorts names. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}

/** Byte order of two texts; strings of ASCII compare as they are, which is the usual case. */
export function compareTexts(a: EnigmaText, b: EnigmaText): number {
  if (typeof a === "string" && typeof b === "string") {
    // UTF-16 order differs from byte order only where surrogates meet characters above them.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the ASCII range
    if (/^[\x00-\x7f]*$/.test(a) && /^[\x00-\x7f]*$/.test(b)) return a < b ? -1 : a > b ? 1 : 0;
    return compareBytes(encoder.encode(a), encoder.encode(b));
  }
  return compareBytes(typeof a === "string" ? encoder.encode(a) : a, typeof b === "string" ? encoder.encode(b) : b);
}

export function hexOf(bytes: Uint8Array): string {
  let hex = "";
  for (const byte of bytes) hex += byte.toString(16).padStart(2, "0");
  return hex;
}

/** What tells a name from others as a key: names that are bytes compare by their bytes. */
export function keyOf(name: EnigmaText): string {
  if (typeof name === "string") return `s${name}`;
  // A character for each byte: as decimals they would be four times as long. In pieces, since Node ends where its decoder is given too much for a string.
  let key = "b";
  for (let at = 0; at < name.length; ) key += String.fromCharCode(...name.subarray(at, (at += 4096)));
  return key;
}

/** A name that a program gives as it will be read: bytes that are UTF-8 after all are the string. */
export function givenName(name: EnigmaText): EnigmaText {
  return isUint8Array(name) ? textOf(name, 0, name.length) : name;
}

/** As {@link keyOf}, for a name that a program gives. */
export function givenKeyOf(name: EnigmaText): string {
  return keyOf(givenName(name));
}

/** A name as paths and messages show it. */
export function nameOf(name: EnigmaText): string {
  return typeof name === "string" ? name : `<${name.length} bytes>`;
}
