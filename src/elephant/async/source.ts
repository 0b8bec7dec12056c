// The kinds of sources, made one: chunks, one after the other.
import { bytesIn } from "../../engine/given-bytes.ts";
import { elephantError } from "../errors.ts";
import type { ByteSource, Chunk } from "./options.ts";

export interface Source {
  /** All bytes, when they are there already. */
  readonly whole?: Uint8Array;
  /** How many bytes there will be, where that is known. */
  readonly size?: number;
  /** The next bytes, undefined at the end. */
  next(): PromiseLike<Uint8Array | undefined>;
  /** No more is wanted. `reason`: why it is given up before its end. */
  close(reason?: unknown): void;
}

/** Bytes of a Blob that are asked for at once. */
const BLOB_PIECE = 1 << 20;

function bytesOf(chunk: unknown): Uint8Array {
  const bytes = bytesIn(chunk);
  if (bytes) return bytes;
  throw elephantError("bad-option", `a source has to give bytes, not ${typeof chunk === "string" ? "text" : typeof chunk}`);
}

const ignore = (): void => {};
/** Nobody waits for it, and its failure changes nothing. */
function forget(promise: unknown): void {
  Promise.resolve(promise).then(ignore, ignore);
}

function ofBlob(blob: Blob): Source {
  let at = 0;
  return {
    size: blob.size,
    async next() {
      if (at >= blob.size) return undefined;
      const piece = blob.slice(at, (at += BLOB_PIECE));
      return new Uint8Array(await piece.arrayBuffer());
    },
    close: ignore,
  };
}

function ofStream(stream: ReadableStream<Chunk>): Source {
  const reader = stream.getReader();
  let ended = false;
  return {
    async next() {
      const { done, value } = await reader.read();
      ended = done;
      return done ? undefined : bytesOf(value);
    },
    close(reason) {
      if (!ended) forget(reader.cancel(reason));
      try {
        reader.releaseLock();
      } catch {
        // A read is under way; the cancelled stream ends it.
      }
    },
  };
}

function ofIterator(iterator: AsyncIterator<Chunk> | Iterator<Chunk>, size?: number, owner?: object): Source {
  let ended = false;
  return {
    size,
    async next() {
      const { done, value } = await iterator.next();
      ended = done === true;
      return done ? undefined : bytesOf(value);
    },
    close() {
      if (ended) return;
      try {
        forget(iterator.return?.());
        // Node's streams hear of it only when the next chunk has come.
        (owner as { destroy?(): void } | undefined)?.destroy?.();
      } catch {
        // As above: nobody waits for it.
      }
    },
  };
}

export function openSource(source: ByteSource): Source {
  const whole = bytesIn(source);
  if (whole) return { whole, size: whole.length, next: async () => undefined, close: ignore };
  if (typeof source === "object" && source !== null) {
    // Of any realm.
    if ("arrayBuffer" in source && "slice" in source) return ofBlob(source as Blob);
    if ("getReader" in source) return ofStream(source);
    if (Array.isArray(source)) {
      const size = source.reduce((sum: number, chunk) => sum + bytesOf(chunk).length, 0);
      return ofIterator(source[Symbol.iterator](), size);
    }
    // A view whose memory has been given away gives chunks, too, until it is asked.
    if (ArrayBuffer.isView(source)) throw elephantError("bad-option", "the source's memory has been given away");
    if (Symbol.asyncIterator in source) return ofIterator(source[Symbol.asyncIterator](), undefined, source);
    if (Symbol.iterator in source) return ofIterator((source as Iterable<Chunk>)[Symbol.iterator]());
  }
  throw elephantError("bad-option", "a source is bytes, a Blob, a stream, or gives chunks of bytes");
}
