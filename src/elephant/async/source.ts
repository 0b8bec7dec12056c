// The kinds of sources, made one: chunks, one after the other.
import { bytesIn } from "../../engine/given-bytes.ts";
import { isObject, refuse } from "../arguments.ts";
import type { ByteSource, Chunk } from "./options.ts";

export interface Source {
  /** All bytes, when they are there already. */
  readonly whole?: Uint8Array;
  /** Does it depend on nothing else, as a Blob does? */
  readonly alone?: boolean;
  /** How many bytes there will be, where that is known. */
  readonly size?: number | undefined;
  /** The next bytes, undefined at the end. Absent where {@link whole} is all. */
  next?(): Promise<Uint8Array | undefined>;
  /** No more is wanted. `reason`: why it is given up before its end. */
  close(reason?: unknown): void;
}

/** Bytes of a Blob that are asked for at once. */
const BLOB_PIECE = 1 << 20;

function bytesOf(chunk: unknown): Uint8Array {
  return bytesIn(chunk) ?? refuse(`a source has to give bytes, not ${typeof chunk}`);
}

export const ignore = (): void => {};
/** Nobody waits for it, and its failure changes nothing. */
export function forget(promise: unknown): void {
  Promise.resolve(promise).then(ignore, ignore);
}

async function* piecesOf(blob: Blob): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < blob.size; at += BLOB_PIECE) yield new Uint8Array(await blob.slice(at, at + BLOB_PIECE).arrayBuffer());
}

/** How long a stream has to give its next chunk, or to say that it ends, before it counts as quiet. */
const QUIET_MS = 100;

/** What the promise gives, or false when that takes too long. */
export function soon<T>(promise: Promise<T>): Promise<T | false> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, QUIET_MS, false);
    promise.then(resolve, reject).then(() => clearTimeout(timer));
  });
}

interface Given {
  readonly done?: boolean | undefined;
  readonly value?: Chunk | undefined;
}

/** What gives chunks one after the other, and how to give it up before its end. */
interface Giver {
  next(): PromiseLike<Given> | Given | undefined;
  giveUp(reason: unknown): void;
  /** Nothing more is asked. */
  leave?(): void;
  /** Does it end here? Only of what is broken off by being given up, like the connection of a request. */
  ends?: (() => Promise<boolean | undefined>) | undefined;
}

/** `size`: of all chunks, where that is known. When they have come, nobody has asked for the end yet. */
function ofChunks(giver: Giver, size?: number): Source {
  let ended: boolean | undefined;
  let come = 0;
  const end = async (reason: unknown): Promise<void> => {
    try {
      if (!ended && reason === undefined && come === size && giver.ends) ended = await soon(giver.ends().catch(() => false));
      if (!ended) giver.giveUp(reason);
    } finally {
      giver.leave?.();
    }
  };
  return {
    size,
    async next() {
      // What is no iterator gives no bytes.
      const { done, value }: Given = (await giver.next()) ?? {};
      ended = done;
      if (ended) return undefined;
      const bytes = bytesOf(value);
      come += bytes.length;
      return bytes;
    },
    // Nobody waits for it.
    close: (reason) => forget(end(reason)),
  };
}

function ofStream(stream: ReadableStream<Chunk>, size?: number): Source {
  const reader = stream.getReader();
  return ofChunks(
    {
      next: () => reader.read(),
      giveUp: (reason) => forget(reader.cancel(reason)),
      // Throws while a read is under way, which the cancelled stream ends.
      leave: () => reader.releaseLock(),
      ends: () => reader.closed.then(() => true),
    },
    size,
  );
}

/** Node's streams have these. */
interface Owner {
  destroy?(): void;
  on?(event: "error", listener: () => void): void;
}

function ofIterator(iterator: AsyncIterator<Chunk> | Iterator<Chunk>, size?: number, owner?: Owner): Source {
  // Node ends a program for an error that nobody listens for, which iterators do only once they are asked.
  if (owner?.destroy) owner.on?.("error", ignore);
  const giveUp = (): void => {
    try {
      forget(iterator.return?.());
    } finally {
      // Node's streams hear of it only when the next chunk has come.
      owner?.destroy?.();
    }
  };
  const ends = async (): Promise<boolean | undefined> => (await iterator.next()).done;
  return ofChunks({ next: () => iterator?.next?.(), giveUp, ends: owner?.destroy && ends }, size);
}

/** `size`: how many bytes there will be, as far as the caller knows. */
export function openSource(source: ByteSource, size?: number): Source {
  const whole = bytesIn(source);
  if (whole) return { whole, size: whole.length, close: ignore };
  if (isObject(source)) {
    // Of any realm.
    if ("arrayBuffer" in source && "slice" in source)
      return { ...ofIterator(piecesOf(source as Blob), (source as Blob).size), alone: true };
    if ("getReader" in source) return ofStream(source, size);
    if (Array.isArray(source)) size = source.reduce((sum: number, chunk) => sum + bytesOf(chunk).length, 0);
    // A view whose memory has been given away gives chunks, too, until it is asked.
    if (ArrayBuffer.isView(source)) refuse("the source's memory has been given away");
    if (Symbol.asyncIterator in source) return ofIterator(source[Symbol.asyncIterator](), size, source as Owner);
    if (Symbol.iterator in source) return ofIterator((source as Iterable<Chunk>)[Symbol.iterator](), size);
  }
  refuse("a source is bytes, a Blob, a stream or chunks of bytes");
}
