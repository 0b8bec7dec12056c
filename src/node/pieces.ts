// What is saved: bytes, or something that gives them piece by piece.
import { Readable } from "node:stream";
import { types } from "node:util";
import { bytesOf } from "../engine/given-bytes.ts";
import { fileError } from "./failure.ts";
import { isFunction } from "./options.ts";
import { answer, type Eventually, forget, ignore, orAborted, type Steps } from "./steps.ts";

/** Bytes as they are: of a view, what it covers. */
export type Bytes = ArrayBufferLike | ArrayBufferView;

/** A file in pieces, in their order. */
export type Pieces = ReadableStream<Bytes> | AsyncIterable<Bytes> | Iterable<Bytes>;

/** What gives the pieces, opened. */
interface Opened {
  next(): Eventually<IteratorResult<unknown>>;
  /** Behind its last piece. */
  end?(): void;
  /** Before it. */
  giveUp(reason: unknown): void;
}

export function isBytes(value: unknown): value is Bytes {
  // Not `instanceof`: a buffer may be another realm's, or shared.
  return ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value);
}

/** Does it give pieces in one of these ways? */
export function isPieces(value: unknown, ways: readonly symbol[]): value is Pieces {
  return typeof value === "object" && value !== null && ways.some((way) => isFunction((value as Record<symbol, unknown>)[way]));
}

/** Whatever else has a length of 0 or none would be an empty piece, and the save an empty file. */
function pieceBytes(piece: unknown): Uint8Array {
  if (!isBytes(piece)) throw fileError("bad-option", `a piece of a file has to be bytes, not ${nameOf(piece)}`);
  try {
    return bytesOf(piece);
  } catch (cause) {
    throw fileError("bad-option", "the bytes were transferred, or made fewer", cause);
  }
}

export function nameOf(value: unknown): string {
  if (value === null) return "null";
  // JSON may hold anything as its "constructor".
  const name: unknown = value?.constructor?.name;
  return typeof value === "object" ? `an object of class ${(typeof name === "string" && name) || "Object"}` : typeof value;
}

function ofIterator(iterator: Iterator<unknown> | AsyncIterator<unknown>, owner: object): Opened {
  if (!isFunction(iterator?.next)) throw fileError("bad-option", `an iterator of pieces cannot be ${nameOf(iterator)}`);
  return {
    next: () => iterator.next(),
    giveUp() {
      try {
        // One that never gives its next piece never ends either.
        forget(iterator.return?.());
      } finally {
        // Node's streams hear of it only when the next piece has come.
        (owner as { destroy?(): void }).destroy?.();
      }
    },
  };
}

/** What gives its pieces once: streams and generators that a save has had. */
const used = new WeakSet<object>();

/** Where it is used again there would be no pieces, and the file would be empty. */
function useOnce(data: object): void {
  if (used.has(data)) usedUp();
  used.add(data);
}

function usedUp(): never {
  throw fileError("bad-option", "what gives the pieces has been used before");
}

function open(given: Bytes | Pieces): Opened {
  const data = isBytes(given) ? [given] : given;
  if ("getReader" in data) {
    useOnce(data);
    const reader = data.getReader();
    return {
      next: () => reader.read() as Promise<IteratorResult<unknown>>,
      end: () => reader.releaseLock(),
      giveUp(reason) {
        forget(reader.cancel(reason));
        reader.releaseLock();
      },
    };
  }
  const iterator = isPieces(data, [Symbol.asyncIterator])
    ? (data as AsyncIterable<Bytes>)[Symbol.asyncIterator]()
    : (data as Iterable<Bytes>)[Symbol.iterator]();
  if ((iterator as object) === data || "destroy" in data) useOnce(data);
  return ofIterator(iterator, data);
}

/** The pieces, one after the other. Opened for the first of them; closed also where it never came to that. */
export class PieceSource {
  private readonly data: Bytes | Pieces;
  /** Null when it is over. */
  private opened: Opened | null | undefined;
  /** A stream that somebody has read from before, as long as nothing has come of it. */
  private doubtful!: boolean;

  constructor(data: Bytes | Pieces) {
    this.data = data;
    // A stream that fails before its turn tells so when it is read; until then nobody else may listen, and Node would end the process.
    const stream = data as { on?(event: string, listener: () => void): void; destroy?: unknown } | null | undefined;
    if (isFunction(stream?.on) && isFunction(stream!.destroy)) stream!.on!("error", ignore);
  }

  /** How many bytes there are, where that is known. */
  get total(): number | undefined {
    return isBytes(this.data) ? pieceBytes(this.data).length : undefined;
  }

  /** The next bytes, undefined at the end. An abort does not wait for them. */
  *next(signal: AbortSignal | undefined): Steps<Uint8Array | undefined> {
    if (this.opened === undefined) {
      this.opened = null;
      this.doubtful = Readable.isDisturbed(this.data as Readable);
      this.opened = open(this.data);
    }
    const step = yield* answer(orAborted(this.opened!.next(), signal));
    if (Object(step) !== step) throw fileError("bad-option", `what an iterator gives cannot be ${nameOf(step)}`);
    if (!step.done) {
      this.doubtful = false;
      return pieceBytes(step.value);
    }
    this.opened!.end?.();
    this.opened = null;
    return this.doubtful ? usedUp() : undefined;
  }

  /** No more is wanted, so that nothing stays open: streams are cancelled or destroyed, iterators returned. Nobody waits for that. */
  close(reason: unknown): void {
    try {
      const opened = this.opened === undefined ? open(this.data) : this.opened;
      this.opened = null;
      opened?.giveUp(reason);
    } catch {
      // The failure that led here is the one to tell.
    }
  }
}
