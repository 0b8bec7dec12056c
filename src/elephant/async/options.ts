// What reading and writing in slices take, besides the options of the synchronous methods.
import type { ReadOptions, WriteOptions } from "../codec.ts";
import type { Release } from "../releases.ts";

/** How far the work is. */
export interface Progress {
  /** Reading: bytes of the source that have been read, from the save's offset on. Writing: bytes of the save that have been made. */
  readonly done: number;
  /** Reading: bytes of the source from that offset on, where that is known. Writing: always absent. */
  readonly total?: number | undefined;
}

/** How work is cut into slices: see docs/async.md. */
export interface SliceOptions {
  /**
   * How long one slice works before it lets others run, in milliseconds. Default 2: the longest step, which is the first of a cold codec, then stays
   * below 8 ms, half a frame; when the engine's garbage collector runs in a slice, that comes on top (bench/async-slices.mjs).
   */
  sliceMs?: number | undefined;
  /** Told after each slice, and at the end. What it throws ends the work. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Ends the work at the next pause, before the next chunk for a sink, or at once while it waits; the promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /**
   * How to let others run. Default: one turn of the event loop (`setImmediate`, else a message to itself). For instance
   * `() => new Promise(requestAnimationFrame)` for one slice in each frame: a hidden page has none, and the work waits until it is shown.
   */
  pause?: (() => PromiseLike<unknown>) | undefined;
}

/** Options of {@link Elephant.readAsync} and {@link Elephant.readAtAsync}. */
export interface ReadAsyncOptions extends ReadOptions, SliceOptions {
  /**
   * Bytes that the source will give, where it does not know that itself (streams, async iterables). Lengths in the save are then checked
   * against it before memory is spent on them, as for a `Uint8Array`, and progress has a total. What comes behind it is not looked at.
   */
  size?: number | undefined;
}

/** Options of {@link Elephant.writeAsync}, {@link Elephant.writeChunks} and {@link Elephant.writeTo}. */
export interface WriteAsyncOptions extends WriteOptions, SliceOptions {
  /** (`writeChunks`, `writeTo`) Bytes of a chunk at most; a piece of a long text may have 6 in any case. Default 262,144, at most 1 GiB. */
  chunkBytes?: number | undefined;
}

/** What {@link Elephant.readAtAsync} gives. */
export interface ReadAtResult<T> {
  value: T;
  /** Offset behind the save in the source. */
  end: number;
  release: Release;
}

/** A piece of a save. */
export type Chunk = ArrayBufferLike | ArrayBufferView;

/**
 * Where a save can be read from: bytes, a Blob or File, a web stream, anything that gives chunks one after the other (a Node stream, an async
 * generator), or an array of chunks.
 */
export type ByteSource = Chunk | Blob | ReadableStream<Chunk> | AsyncIterable<Chunk> | Iterable<Chunk>;

/** The part of Node's `Writable` that is used. */
export interface WritableLike {
  readonly destroyed?: boolean;
  readonly writableEnded?: boolean;
  readonly writableFinished?: boolean;
  readonly errored?: Error | null;
  write(chunk: Uint8Array, done?: (error?: Error | null) => void): boolean;
  end(done?: (error?: Error | null) => void): unknown;
  destroy(error?: Error): unknown;
  // What @types/node 25 and later declare fits nothing narrower.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  on(event: string, listener: (...values: any[]) => void): unknown;
  // biome-ignore lint/suspicious/noExplicitAny: see above
  removeListener(event: string, listener: (...values: any[]) => void): unknown;
}

/**
 * Where a save can be written to: a web stream, a Node stream, or a function that is called with each chunk and may return a promise, which
 * is waited for. Chunks are not used again.
 */
export type ByteSink = WritableStream<Uint8Array<ArrayBuffer>> | WritableLike | ((chunk: Uint8Array<ArrayBuffer>) => unknown);
