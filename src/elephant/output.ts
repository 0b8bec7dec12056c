// Output of a write: the kernel's window is copied out whenever it is full, into pieces that are kept for the next write, and at the end
// into one array of exactly the right length.

import { encodeText } from "../graph/string-encoder.ts";

/** Where a write puts its bytes. */
export interface OutputSink {
  /** Takes a copy. */
  append(bytes: Uint8Array): void;
  /** A text that is known to have a UTF-8 form. */
  appendText(text: string): void;
}

const PIECE = 1 << 20;
/** Pieces kept between writes: 16 MB. */
const KEPT = 16;

export class Output implements OutputSink {
  private readonly pieces: Uint8Array[] = [];
  private used = 0;
  /** Bytes in the last piece. */
  private filled = PIECE;
  length = 0;

  begin(): void {
    this.used = 0;
    this.filled = PIECE;
    this.length = 0;
    if (this.pieces.length > KEPT) this.pieces.length = KEPT;
  }

  append(bytes: Uint8Array): void {
    this.length += bytes.length;
    for (let from = 0; from < bytes.length; ) {
      if (this.filled === PIECE) {
        if (this.used === this.pieces.length) this.pieces.push(new Uint8Array(PIECE));
        this.used++;
        this.filled = 0;
      }
      const count = Math.min(bytes.length - from, PIECE - this.filled);
      this.pieces[this.used - 1].set(count === bytes.length ? bytes : bytes.subarray(from, from + count), this.filled);
      this.filled += count;
      from += count;
    }
  }

  appendText(text: string): void {
    this.append(encodeText(text));
  }

  /** All of it, with `tail` behind, as one array. */
  take(tail: Uint8Array): Uint8Array<ArrayBuffer> {
    const result = new Uint8Array(this.length + tail.length);
    let at = 0;
    for (let i = 0; i < this.used; i++) {
      const piece = i === this.used - 1 ? this.pieces[i].subarray(0, this.filled) : this.pieces[i];
      result.set(piece, at);
      at += piece.length;
    }
    result.set(tail, at);
    return result;
  }
}
