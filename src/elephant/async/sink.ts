// The kinds of sinks, made one: a chunk is written when the sink is ready for the next.
import { isObject, refuse } from "../arguments.ts";
import { elephantError } from "../errors.ts";
import type { ByteSink, WritableLike } from "./options.ts";
import { forget, ignore } from "./source.ts";

export interface Sink {
  /** What it gives is waited for, as with `close`. */
  write(chunk: Uint8Array<ArrayBuffer>): unknown;
  /** All is written. */
  close(): unknown;
  /** The rest will not come. */
  abort(reason: unknown): void;
}

function ofStream(stream: WritableStream<Uint8Array<ArrayBuffer>>): Sink {
  const writer = stream.getWriter();
  // Its failures are those of the writes.
  forget(writer.closed);
  let last: Promise<void> | undefined;
  return {
    async write(chunk) {
      // `ready` says when the stream wants more, and shows a failure. One whose mark is 0 never does, and takes chunk by chunk.
      await Promise.race([writer.ready, last]);
      last = writer.write(chunk);
      forget(last);
    },
    // Of a stream that has failed already, `closed` tells why; `close` only says that it cannot be closed.
    close: () => Promise.all([writer.closed, writer.close()]),
    abort: (reason) => forget(writer.abort(reason)),
  };
}

function ofWritable(stream: WritableLike): Sink {
  const failures: unknown[] = [];
  let wake: (() => void) | undefined;
  const failed = (error?: unknown): void => {
    failures.push(error ?? elephantError("bad-option", "the stream ended early"));
    wake?.();
  };
  // One that ends itself with the last byte may have closed before it is asked to end.
  const closed = (): void => {
    if (!stream.writableFinished) failed();
  };
  const ready = (): void => wake?.();
  const listen = (method: "on" | "removeListener") => {
    stream[method]("error", failed as never);
    stream[method]("close", closed as never);
    stream[method]("drain", ready as never);
  };
  listen("on");
  // One that has ended or is destroyed says nothing any more.
  if (stream.writableEnded) failed();
  const until = async (begin: (done: (error?: unknown) => void) => boolean): Promise<void> => {
    // With `emitClose: false` it never has, and one that is not destroyed by an error calls nobody back.
    if (stream.destroyed || stream.errored) failed(stream.errored);
    if (!failures.length)
      await new Promise<void>((resolve) => {
        wake = resolve;
        // A response of HTTP/2 tells nobody else of an error.
        if (begin((error) => (error ? failed(error) : resolve()))) resolve();
      });
    wake = undefined;
    if (failures.length) throw failures[0];
  };
  return {
    // One that is destroyed meanwhile never drains.
    write: (chunk) => until((done) => stream.write(chunk, done)),
    async close() {
      if (failures.length || stream.errored || !stream.writableFinished)
        await until((done) => {
          stream.end((error?: unknown) => {
            // From here on a stream may close.
            stream.removeListener("close", closed as never);
            done(error);
          });
          return false;
        });
      listen("removeListener");
    },
    abort(reason) {
      stream.removeListener("close", closed as never);
      stream.destroy(reason instanceof Error ? reason : undefined);
    },
  };
}

export function openSink(sink: ByteSink): Sink {
  if (typeof sink === "function")
    return {
      write: (chunk) => sink(chunk),
      close: ignore,
      abort: ignore,
    };
  if (isObject(sink)) {
    if ("getWriter" in sink) return ofStream(sink);
    if (typeof sink.write === "function" && typeof sink.end === "function") return ofWritable(sink);
  }
  refuse("a sink is a WritableStream, a Node stream or a function");
}
