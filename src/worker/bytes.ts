// Bytes and text on their way to a worker. A view would take its whole buffer with it, so what is sent has a buffer of its own.
import type { SliceOptions } from "../elephant/async/options.ts";
import { Slicer } from "../elephant/async/slicer.ts";
import { encoder } from "../engine/platform-text.ts";

/** Of any realm, as in Jest. Shared memory is none. */
export const isBuffer = (given: unknown): given is ArrayBuffer => Object.prototype.toString.call(given) === "[object ArrayBuffer]";

/** Copied at once: a fraction of a millisecond. */
const PIECE = 1 << 20;

/** The very bytes when they may be moved and are all of their buffer; else a copy, made in slices. */
export async function copyToSend(bytes: Uint8Array, move: boolean, options: SliceOptions): Promise<Uint8Array<ArrayBuffer>> {
  if (move && isBuffer(bytes.buffer) && bytes.byteLength === bytes.buffer.byteLength && bytes.byteLength > 0)
    return new Uint8Array(bytes.buffer);
  const slicer = new Slicer(options);
  const copy = new Uint8Array(bytes.length);
  for (let at = 0; at < bytes.length; at += PIECE) {
    copy.set(bytes.subarray(at, at + PIECE), at);
    if (slicer.due()) await slicer.pause();
  }
  return copy;
}

/** Can it cross? */
export function clones(value: unknown): boolean {
  try {
    structuredClone(value);
    return true;
  } catch {
    return false;
  }
}

/** A Blob, which crosses without its bytes; those of one that does not cross, as Node's of files do not. */
export async function blobToSend(blob: Blob, options: SliceOptions): Promise<Blob | Uint8Array<ArrayBuffer>> {
  return clones(blob) ? blob : new Uint8Array(await new Slicer(options).wait(blob.arrayBuffer()));
}

/**
 * Text as bytes of its own. A string would be put on the worker's heap as it arrives, and one that is larger than what `resourceLimits` leave
 * ends the whole process; bytes lie beside the heap, and are moved.
 */
export function textToSend(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text) as Uint8Array<ArrayBuffer>;
}

interface NodeBuffer {
  from(buffer: ArrayBufferLike, offset: number, length: number): { toString(encoding: "latin1"): string };
}

/** The text again; what is not ASCII becomes other characters that are not. Node keeps a long one beside the heap, too. */
export function sentText(bytes: Uint8Array): string {
  const { Buffer } = globalThis as { Buffer?: NodeBuffer };
  return Buffer
    ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1")
    : new TextDecoder("latin1").decode(bytes);
}
