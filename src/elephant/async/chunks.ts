// The output of a write in slices: chunks that nobody else holds, ready to be handed out. Long texts wait as they are and become
// bytes piece by piece, when their turn comes.
import { encoder } from "../../engine/platform-text.ts";
import { type OutputSink, storeNumbers } from "../write/output.ts";

/** Units of a long text that are encoded at once at most: a fraction of a millisecond. */
const TEXT_PIECE = 1 << 17;
/** The most bytes that a unit takes in UTF-8. */
const UNIT = 3;

export class ChunkOutput implements OutputSink {
  private readonly size: number;
  private readonly textPiece: number;
  /** What comes next: whole chunks, the bytes before a long text, long texts. */
  private readonly queue: (Uint8Array<ArrayBuffer> | string)[] = [];
  private at = 0;
  private chunk: Uint8Array<ArrayBuffer>;
  private filled = 0;
  /** How much of the first long text is encoded. */
  private encoded = 0;
  /** Bytes that have been handed out. */
  taken = 0;

  constructor(size: number) {
    this.size = size;
    // Both halves of a surrogate pair have to fit.
    this.textPiece = Math.max(2, Math.min(TEXT_PIECE, Math.floor(size / UNIT)));
    this.chunk = new Uint8Array(size);
  }

  append(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length; ) {
      const piece = bytes.subarray(from, from + this.size - this.filled);
      this.chunk.set(piece, this.filled);
      this.filled += piece.length;
      from += piece.length;
      if (this.filled === this.size) this.seal();
    }
  }

  /** It is one that does not fit the window of a write. */
  appendText(text: string): void {
    this.seal();
    this.queue.push(text);
  }

  appendDoubles(tag: number, array: readonly unknown[], length: number, kind: number): boolean {
    const bytes = new Uint8Array(1 + length * 8);
    if (!storeNumbers(new DataView(bytes.buffer), 0, tag, array, length, kind)) return false;
    this.append(bytes);
    return true;
  }

  /** What is in the chunk may be handed out, as when nothing follows. */
  seal(): void {
    const { chunk, filled, size } = this;
    if (filled === 0) return;
    this.queue.push(filled === size ? chunk : chunk.slice(0, filled));
    if (filled === size) this.chunk = new Uint8Array(size);
    this.filled = 0;
  }

  /** The next bytes that are ready; undefined when there are none. Encodes one piece of a long text at most. */
  next(): Uint8Array<ArrayBuffer> | undefined {
    const { queue } = this;
    if (this.at === queue.length) {
      queue.length = 0;
      this.at = 0;
      return undefined;
    }
    const first = queue[this.at];
    let bytes: Uint8Array<ArrayBuffer>;
    if (typeof first === "string") {
      let end = Math.min(this.encoded + this.textPiece, first.length);
      // Both halves of a surrogate pair belong to one character.
      if (end < first.length && (first.charCodeAt(end - 1) & 0xfc00) === 0xd800) end--;
      bytes = encoder.encode(first.slice(this.encoded, end)) as Uint8Array<ArrayBuffer>;
      this.encoded = end < first.length ? end : 0;
    } else bytes = first;
    if (this.encoded === 0) queue[this.at++] = "";
    this.taken += bytes.length;
    return bytes;
  }
}
