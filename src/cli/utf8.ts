// Where a text is not UTF-8. The platform's decoder tells only that it is not.
import { isUtf8 } from "node:buffer";

/** Bytes that are checked at once. */
const PIECE = 4096;
/** A piece may end within a character, of which up to three bytes are in it. */
const PIECES = [PIECE, PIECE - 1, PIECE - 2, PIECE - 3];
const CHARACTERS = [1, 2, 3, 4];

/** The offset of the first byte that begins no character; the length of `bytes` where all is UTF-8. */
export function firstNonUtf8(bytes: Uint8Array): number {
  let at = 0;
  for (const sizes of [PIECES, CHARACTERS]) {
    while (at < bytes.length) {
      const size = sizes.find((count) => isUtf8(bytes.subarray(at, at + count)));
      if (size === undefined) break;
      at += size;
    }
  }
  return Math.min(at, bytes.length);
}
