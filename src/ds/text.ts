// Strings to bytes, and bytes to strings where they are more than LONG_STRING, which the kernel leaves.
import { encoder, hasLoneSurrogate, isStackEnd, strictUtf8 } from "../engine/platform-text.ts";
import { unsupported } from "./refusal.ts";
import type { DsBytes, DsText } from "./types.ts";

export function cesuText(text: string): DsText {
  return { type: "string", text, encoding: "cesu8" };
}

/** A long string, as the kernel does it for short ones (formats/ds.md §3). */
export function decodeString(bytes: Uint8Array<ArrayBuffer>, plainText: boolean): string | DsText | DsBytes {
  const text = tryDecode(bytes);
  if (text !== undefined) return text;
  const standard = cesuToUtf8(bytes);
  const cesu = standard && tryDecode(standard);
  if (cesu === undefined) return { type: "bytes", bytes };
  return plainText ? cesu : cesuText(cesu);
}

/** Undefined also for a text that is longer than this engine's strings may be: such a string stays bytes. */
function tryDecode(bytes: Uint8Array): string | undefined {
  try {
    return strictUtf8.decode(bytes) || undefined;
  } catch (error) {
    if (isStackEnd(error)) throw error;
    return undefined;
  }
}

/** Joins surrogates that are stored as three bytes each to the four-byte form; undefined when there are four-byte forms already. */
function cesuToUtf8(bytes: Uint8Array): Uint8Array | undefined {
  const out = new Uint8Array(bytes.length);
  let to = 0;
  for (let i = 0; i < bytes.length; ) {
    const byte = bytes[i];
    if (byte >= 0xf0) return undefined;
    const surrogates = byte === 0xed && bytes[i + 1] >> 4 === 0xa && bytes[i + 3] === 0xed && bytes[i + 4] >> 4 === 0xb;
    if (surrogates && bytes[i + 2] >> 6 === 2 && bytes[i + 5] >> 6 === 2) {
      const high = ((bytes[i + 1] & 15) << 6) | (bytes[i + 2] & 63);
      const code = 0x10000 + (high << 10) + (((bytes[i + 4] & 15) << 6) | (bytes[i + 5] & 63));
      out[to++] = 0xf0 | (code >> 18);
      out[to++] = 0x80 | ((code >> 12) & 63);
      out[to++] = 0x80 | ((code >> 6) & 63);
      out[to++] = 0x80 | (code & 63);
      i += 6;
    } else {
      out[to++] = byte;
      i++;
    }
  }
  return out.subarray(0, to);
}

/** Bytes of a text of any length; error `unsupported-value` where it is not well-formed. */
export function encodeString(text: string, cesu: boolean): Uint8Array {
  const bytes = encoder.encode(text);
  if (bytes.length === text.length || !(cesu || hasLoneSurrogate(text))) return bytes;
  const target = new Uint8Array(text.length * 3);
  return target.subarray(0, encodeUnits(text, target, 0, cesu));
}

/** The same into `target` from `start` on, where there is room. Gives the end of what it wrote. */
export function encodeInto(text: string, target: Uint8Array, start: number, cesu: boolean): number {
  const { written } = encoder.encodeInto(text, target.subarray(start));
  return written === text.length || !(cesu || hasLoneSurrogate(text)) ? start + written : encodeUnits(text, target, start, cesu);
}

/** As {@link encodeInto}; for short texts the sooner of the two. Strings of any form (graph/strings.ts). */
export function encodeUnits(value: string, target: Uint8Array, start: number, cesu: boolean): number {
  const text = "" + value;
  let at = start;
  for (let i = 0; i < text.length; i++) {
    let code = String.prototype.charCodeAt.call(text, i);
    if (code < 0x80) {
      target[at++] = code;
    } else if (code < 0x800) {
      target[at++] = 0xc0 | (code >> 6);
      target[at++] = 0x80 | (code & 63);
    } else if ((code & 0xf800) !== 0xd800) {
      putThree(code, target, at);
      at += 3;
    } else {
      code = text.codePointAt(i++)!;
      if (code < 0x10000) unsupported('the string has a lone surrogate; { type: "bytes" } can hold it');
      if (cesu) {
        putThree(0xd7c0 + (code >> 10), target, at);
        putThree(0xdc00 | (code & 0x3ff), target, at + 3);
        at += 6;
      } else {
        // All but the first two of the four as if there were three.
        putThree(code, target, at + 1);
        target[at] = 0xf0 | (code >> 18);
        target[at + 1] = 0x80 | ((code >> 12) & 63);
        at += 4;
      }
    }
  }
  return at;
}

function putThree(unit: number, target: Uint8Array, at: number): void {
  target[at] = 0xe0 | (unit >> 12);
  target[at + 1] = 0x80 | ((unit >> 6) & 63);
  target[at + 2] = 0x80 | (unit & 63);
}
