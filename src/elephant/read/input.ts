// The bytes of a source that are at hand: from where the reader is to where the source has come. What has been read is given up, so a stream
// of any length takes the room of some chunks.
import { fail } from "../errors.ts";

/** Bytes that are copied at once. */
const PIECE = 1 << 18;
const NONE = new Uint8Array(0);

export class Input {
  /** What is at hand, beginning at input offset {@link base}. */
  bytes: Uint8Array;
  base = 0;
  /** Nothing follows {@link bytes}. */
  ended: boolean;
  /** The next chunk, where the source has been quiet for a while. */
  late: Promise<Uint8Array | undefined> | undefined = undefined;
  /** How long all of it is, where that is known. */
  readonly size: number | undefined;
  /** The rest of the last chunk. */
  private chunk: Uint8Array = NONE;
  private received = 0;
  /** How many {@link bytes} there were when they were given; with the memory of others that may change. */
  private length: number;
  /** Own memory in which pieces are put together; {@link bytes} is in it when `start` is not negative. */
  private room: Uint8Array = NONE;
  private start = -1;

  constructor(whole?: Uint8Array, size?: number) {
    this.bytes = whole ?? NONE;
    this.length = this.bytes.length;
    this.size = size;
    this.ended = whole !== undefined || size === 0;
  }

  /** Input offset where {@link bytes} ends. */
  get end(): number {
    return this.base + this.bytes.length;
  }

  /** `length` bytes from input offset `from` on, or what there is of them. */
  part(from: number, length: number): Uint8Array {
    from -= this.base;
    return this.bytes.subarray(from, from + length);
  }

  /** Other code has run: it may have transferred the memory of what is at hand, or made it smaller. */
  check(): this {
    // Not by `length`: where memory is resizable, compiled code of Node 20 takes that for what it was before the memory was transferred.
    if (this.bytes.byteLength < this.length) fail("truncated", "the bytes have been given away while they were read", this.base);
    return this;
  }

  /** The next chunk, after {@link take} has said that none is left. */
  give(chunk: Uint8Array): void {
    const left = Math.min(chunk.length, (this.size ?? Number.POSITIVE_INFINITY) - this.received);
    this.received += left;
    this.chunk = left < chunk.length ? chunk.subarray(0, left) : chunk;
  }

  /** Gets some more bytes from the last chunk; false: another one is needed. */
  take(): boolean {
    const { chunk } = this;
    if (chunk.length === 0) {
      if (this.received === this.size) {
        this.ended = true;
        return true;
      }
      // Whoever gives the chunks may use the memory of this one for the next.
      if (this.start < 0 && this.bytes.length > 0) this.append(NONE);
      return false;
    }
    if (this.bytes.length === 0) {
      this.bytes = chunk;
      this.length = chunk.length;
      this.start = -1;
      this.chunk = NONE;
      return true;
    }
    const piece = chunk.subarray(0, PIECE);
    this.chunk = chunk.subarray(piece.length);
    this.append(piece);
    return true;
  }

  private append(piece: Uint8Array): void {
    const { bytes, room } = this;
    const length = bytes.length + piece.length;
    let { start } = this;
    if (start < 0 || start + length > room.length) {
      if (length > room.length) this.room = new Uint8Array(Math.max(PIECE * 2, length * 2));
      // Within one memory this moves the bytes to its beginning.
      this.room.set(bytes, 0);
      start = 0;
    }
    this.room.set(piece, start + bytes.length);
    this.start = start;
    this.bytes = this.room.subarray(start, start + length);
    this.length = length;
  }

  /** What stands before `offset` is not needed any more. */
  drop(offset: number): void {
    const count = Math.min(offset - this.base, this.bytes.length);
    // Bytes that are there anyway, all of them, stay as they are: offsets are then offsets in them.
    if (count <= 0 || this.received === 0) return;
    this.bytes = this.bytes.subarray(count);
    this.length = this.bytes.length;
    this.base += count;
    if (this.start >= 0) this.start += count;
  }
}
