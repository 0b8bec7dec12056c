// Strings between bytes and JavaScript, where the kernel does not do it: whole blobs, and strings too long for the windows.
import type { DsBytes, DsText } from "./types.ts";

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
const strictUtf8 = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });
const utf16 = new TextDecoder("utf-16le", { ignoreBOM: true });
const encoder = new TextEncoder();

/** `bytes` are ASCII. */
export function decodeAscii(bytes: Uint8Array): string {
  return utf8.decode(bytes);
}

/** `bytes` are well-formed UTF-16, little-endian. */
export function decodeUnits(bytes: Uint8Array): string {
  return utf16.decode(bytes);
}

export function cesuText(text: string): DsText {
  return { type: "string", text, encoding: "cesu8" };
}

/** A string of any length, as the kernel does it for short ones (formats/ds.md §3). */
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
    return strictUtf8.decode(bytes);
  } catch {
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

/** Has the text a surrogate without its partner? Neither UTF-8 nor CESU-8 can hold one. */
export function hasLoneSurrogate(text: string & { isWellFormed?: () => boolean }): boolean {
  // Not in Safari before 16.4 and Chrome before 111.
  return text.isWellFormed ? !text.isWellFormed() : /\p{Cs}/u.test(text);
}

/** Bytes of a well-formed text. */
export function encodeString(text: string, cesu: boolean): Uint8Array {
  const bytes = encoder.encode(text);
  return cesu ? utf8ToCesu(bytes) : bytes;
}

function utf8ToCesu(bytes: Uint8Array): Uint8Array {
  let extra = 0;
  for (const byte of bytes) if (byte >= 0xf0) extra += 2;
  if (extra === 0) return bytes;
  const out = new Uint8Array(bytes.length + extra);
  let to = 0;
  for (let i = 0; i < bytes.length; ) {
    if (bytes[i] < 0xf0) {
      out[to++] = bytes[i++];
      continue;
    }
    const code = ((bytes[i] & 7) << 18) | ((bytes[i + 1] & 63) << 12) | ((bytes[i + 2] & 63) << 6) | (bytes[i + 3] & 63);
    for (const unit of [0xd7c0 + (code >> 10), 0xdc00 | (code & 0x3ff)]) {
      out[to++] = 0xe0 | (unit >> 12);
      out[to++] = 0x80 | ((unit >> 6) & 63);
      out[to++] = 0x80 | (unit & 63);
    }
    i += 4;
  }
  return out;
}

/** Writes as much of `text` as fits; what came of it. */
export function encodeInto(text: string, target: Uint8Array): { read: number; written: number } {
  return encoder.encodeInto(text, target);
}
