// Text of one chunk: one decoding call for a blob, then slices. Node's Buffer has the fastest decoders for both forms and is used where it is
// there; nothing is imported for it.

import { decodable, utf8, utf16 } from "../engine/platform-text.ts";

interface BufferDecoders {
  latin1Slice(start: number, end: number): string;
  ucs2Slice(start: number, end: number): string;
}

interface BufferLike {
  from(buffer: ArrayBufferLike, offset: number, length: number): BufferDecoders;
}

const platformBuffer = (globalThis as unknown as { Buffer?: BufferLike }).Buffer;
const fast =
  typeof platformBuffer?.from === "function" &&
  typeof (platformBuffer as { prototype?: BufferDecoders }).prototype?.ucs2Slice === "function";

/** The place in memory where one kind of text arrives, chunk by chunk: ASCII, or UTF-16 (little-endian) without lone surrogates. */
export class TextBlob {
  private readonly offset: number;
  private readonly wide: boolean;
  /** Of the whole memory: making a view for each chunk takes longer than decoding a small one. */
  private memory: ArrayBufferLike | undefined;
  private decoders!: BufferDecoders;

  constructor(offset: number, wide: boolean) {
    this.offset = offset;
    this.wide = wide;
  }

  /** So many bytes as a string. */
  text(buffer: ArrayBufferLike, bytes: number): string {
    if (bytes === 0) return "";
    if (!fast) return (this.wide ? utf16 : utf8).decode(new Uint8Array(buffer, this.offset, bytes));
    if (this.memory !== buffer) {
      this.memory = buffer;
      this.decoders = platformBuffer!.from(buffer, this.offset, buffer.byteLength - this.offset);
    }
    return this.wide ? this.decoders.ucs2Slice(0, bytes) : this.decoders.latin1Slice(0, bytes);
  }
}

/**
 * UTF-8 bytes as a string, for texts that the kernel leaves to JavaScript. As the kernel does: bad sequences become U+FFFD, and
 * surrogate pairs in three-byte form (CESU-8) are joined.
 */
export function utf8Text(bytes: Uint8Array): string {
  return utf8.decode(decodable(joinSurrogates(bytes)));
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
