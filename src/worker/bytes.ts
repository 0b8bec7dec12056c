// Bytes and text on their way to a worker. A view would take its whole buffer with it, so what is sent has a buffer of its own.
import { givenBytes } from "../elephant/arguments.ts";
import type { Chunk, SliceOptions } from "../elephant/async/options.ts";
import { Slicer } from "../elephant/async/slicer.ts";
import { Input } from "../elephant/read/input.ts";
import { encoder } from "../engine/platform-text.ts";

/** Of any realm, as in Jest. Shared memory is none. */
export const isBuffer = (given: unknown): given is ArrayBuffer => Object.prototype.toString.call(given) === "[object ArrayBuffer]";

export function isBlob(source: unknown): source is Blob {
  return typeof (source as Blob | undefined)?.arrayBuffer === "function";
}

/** Copied at once: a fraction of a millisecond. */
const PIECE = 1 << 20;

/**
 * What is sent of a save: a Blob, which crosses without its bytes; the very bytes when they may be moved and are all of their buffer; else a copy, made in
 * slices. Of a Blob that does not cross, as Node's of files do not, the bytes.
 */
export async function toSend(
  source: Chunk | Blob,
  options: SliceOptions & { transfer?: boolean | undefined },
): Promise<Blob | Uint8Array<ArrayBuffer>> {
  const slicer = new Slicer(options);
  if (isBlob(source)) {
    if (isBlob(cloneOf(source))) return source;
    source = await slicer.wait(() => (source as Blob).arrayBuffer());
  }
  const bytes = givenBytes(source);
  const { buffer, length } = bytes;
  if (options.transfer === true && isBuffer(buffer) && length === buffer.byteLength && length > 0) return new Uint8Array(buffer);
  const input = new Input(bytes);
  const copy = new Uint8Array(length);
  for (let at = 0; at < length; at += PIECE) {
    copy.set(bytes.subarray(at, at + PIECE), at);
    if (!slicer.due()) continue;
    await slicer.pause();
    input.check();
  }
  return copy;
}

/** What arrives of it; undefined where it cannot cross. */
export function cloneOf(value: unknown): unknown {
  try {
    return structuredClone(value);
  } catch {
    return undefined;
  }
}

/**
 * Text as bytes of its own. A string would be put on the worker's heap as it arrives, and one that is larger than what `resourceLimits` leave
 * ends the whole process; bytes lie beside the heap, and are moved. What is not ASCII is refused at its first character, behind which nothing is sent: its
 * bytes may be more than a string can have characters.
 */
export function textToSend(text: string): Uint8Array<ArrayBuffer> {
  let sent = encoder.encode(text);
  if (sent.length > text.length) sent = encoder.encode(text.slice(0, text.search(/[^\0-\x7f]/) + 1));
  return sent as Uint8Array<ArrayBuffer>;
}

interface NodeBuffer {
  from(buffer: ArrayBufferLike, offset: number, length: number): { toString(encoding: "latin1"): string };
}

/** The text again; a character that is not ASCII becomes others that are not. Node keeps a long one beside the heap, too. */
export function sentText(bytes: Uint8Array): string {
  const { Buffer } = globalThis as { Buffer?: NodeBuffer };
  return Buffer
    ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1")
    : new TextDecoder("latin1").decode(bytes);
}
