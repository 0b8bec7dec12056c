// Bytes on their way to a worker. A view would take its whole buffer with it, so what is sent has a buffer of its own.
import type { SliceOptions } from "../elephant/async/options.ts";
import { Slicer } from "../elephant/async/slicer.ts";

/** Copied at once: a fraction of a millisecond. */
const PIECE = 1 << 20;

/** The very bytes when they may be moved and are all of their buffer; else a copy, made in slices. */
export async function copyToSend(bytes: Uint8Array, move: boolean, options: SliceOptions): Promise<Uint8Array<ArrayBuffer>> {
  if (move && bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength && bytes.byteLength > 0)
    return new Uint8Array(bytes.buffer);
  const slicer = new Slicer(options);
  const copy = new Uint8Array(bytes.length);
  for (let at = 0; at < bytes.length; at += PIECE) {
    copy.set(bytes.subarray(at, at + PIECE), at);
    if (slicer.due()) await slicer.pause();
  }
  return copy;
}
