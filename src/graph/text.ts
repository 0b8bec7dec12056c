// Text in memory as strings. Node's Buffer has the fastest ways and is used where it is there; nothing is imported for it.

import { decodable, utf8 } from "../engine/platform-text.ts";

/** What Node's Buffer can, and most of those that imitate it cannot. */
export interface BufferText {
  readonly buffer: ArrayBufferLike;
  latin1Slice(start: number, end: number): string;
  ucs2Slice(start: number, end: number): string;
  utf8Slice(start: number, end: number): string;
  ucs2Write(text: string, offset: number, length: number): number;
}

interface BufferLike {
  from(memory: ArrayBufferLike): BufferText;
  prototype?: BufferText;
}
const platformBuffer = (globalThis as unknown as { Buffer?: BufferLike }).Buffer;

/** Reads and writes text in a memory, where the platform has a fast way. */
export function bufferText(memory: ArrayBufferLike): BufferText | undefined {
  return platformBuffer?.prototype?.ucs2Write && platformBuffer.from(memory);
}

/**
 * UTF-8 bytes as a string, for texts that the kernel leaves to JavaScript. As the kernel does: bad sequences become U+FFFD, and
 * surrogate pairs in three-byte form (CESU-8) are joined. Throws where no string is as long.
 */
export function utf8Text(bytes: Uint8Array): string {
  const text = utf8.decode(decodable(joinSurrogates(bytes)));
  if (!text && bytes.length > 0) throw new RangeError();
  return text;
}

/** Rewrites each pair ED A0..AF xx ED B0..BF xx as the four bytes it should have been. */
export function joinSurrogates(bytes: Uint8Array): Uint8Array {
  let joined: Uint8Array | undefined;
  let length = 0;
  let from = 0;
  for (let i = bytes.indexOf(0xed); i >= 0; i = bytes.indexOf(0xed, i)) {
    const pair =
      (bytes[i + 1] & 0xf0) === 0xa0 &&
      (bytes[i + 2] & 0xc0) === 0x80 &&
      bytes[i + 3] === 0xed &&
      (bytes[i + 4] & 0xf0) === 0xb0 &&
      (bytes[i + 5] & 0xc0) === 0x80;
    if (!pair) {
      i += 1;
      continue;
    }
    joined ??= new Uint8Array(bytes.length);
    joined.set(bytes.subarray(from, i), length);
    length += i - from;
    const high = ((bytes[i + 1] & 15) << 6) | (bytes[i + 2] & 63);
    const low = ((bytes[i + 4] & 15) << 6) | (bytes[i + 5] & 63);
    const point = 0x10000 + (high << 10) + low;
    joined[length++] = 0xf0 | (point >> 18);
    joined[length++] = 0x80 | ((point >> 12) & 63);
    joined[length++] = 0x80 | ((point >> 6) & 63);
    joined[length++] = 0x80 | (point & 63);
    i += 6;
    from = i;
  }
  if (!joined) return bytes;
  joined.set(bytes.subarray(from), length);
  return joined.subarray(0, length + bytes.length - from);
}
