// Loading a file of any size into one array.
import { isSignal, throwIfAborted } from "../signals.ts";
import { fileError, isNamed } from "./failure.ts";
import { type FileSystem, fileSystem, fileSystemSync } from "./file-system.ts";
import { withFile } from "./open-files.ts";
import { checkFileOptions, isFunction } from "./options.ts";
import { pathText } from "./paths.ts";
import { answer, runSteps, runStepsSync, type Steps } from "./steps.ts";

/** How far the work is. `total` is absent where it is not known. */
export interface FileProgress {
  readonly bytes: number;
  readonly total?: number | undefined;
}

/** Options of `loadSave` and `loadSaveSync`. */
export interface LoadOptions {
  /** Larger files are error `file-too-large`. Default: what one array can hold (`MAX_LENGTH` of `node:buffer`), 4 GiB in Node 20. */
  maxBytes?: number | undefined;
  /**
   * Stops the work between two calls of the system; the promise rejects with the signal's reason (`loadSaveSync` throws it). Opening a named pipe, which
   * waits until somebody writes to it, is not ended.
   */
  signal?: AbortSignal | undefined;
  /** Told after each piece. */
  onProgress?: ((progress: FileProgress) => void) | undefined;
}

/** Bytes in one call. Node's own functions fail or abort from 2 GiB on; less keeps a large load abortable and its progress smooth. */
export const PIECE = 32 << 20;

/** First buffer for what has no size of its own (pipes, /proc). */
const UNSIZED = 1 << 16;

function check(options: LoadOptions): void {
  // NaN or text would be no limit at all.
  checkFileOptions(options, { maxBytes: (given) => typeof given === "number" && given >= 0, signal: isSignal, onProgress: isFunction });
}

function allocate(bytes: number, path: string): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(bytes);
  } catch (cause) {
    throw fileError("file-too-large", `${path} has ${bytes} bytes, more than can be held`, cause);
  }
}

export function* loadSteps(fs: FileSystem, path: string, options: LoadOptions, piece = PIECE): Steps<Uint8Array<ArrayBuffer>> {
  const { signal, onProgress, maxBytes } = options;
  let listening = false;
  try {
    throwIfAborted(signal);
    return yield* withFile(fs, path, "r", function* (file) {
      const within = (bytes: number, about = "") => {
        if (bytes > maxBytes!) throw fileError("file-too-large", `${path} has ${about}${bytes} bytes, more than maxBytes (${maxBytes})`);
      };
      const { size, isFile } = yield* answer(fs.fstat(file));
      const total = (isFile && size) || undefined;
      within(total!);
      // As long as the file, so that the bytes are a buffer of their own. Whether there are more shows in a byte behind them.
      let bytes = allocate(total ?? UNSIZED, path);
      const behind = new Uint8Array(1);
      let end = 0;
      while (true) {
        throwIfAborted(signal);
        const room = bytes.length - end;
        const count = yield* answer(fs.read(file, room ? bytes : behind, room && end, Math.min(piece, room || 1), null));
        if (count === 0) break;
        if (room === 0) {
          // A file that has a size has mostly grown by little, and twice that may be more than an array can hold.
          const larger = allocate(end + (total ? piece + (end >>> 3) : end), path);
          larger.set(bytes);
          larger[end] = behind[0];
          bytes = larger;
        }
        end += count;
        within(end, "at least ");
        listening = true;
        // It was known till it grew.
        onProgress?.({ bytes: end, total: end > total! ? undefined : total });
        listening = false;
      }
      // A view, unless much memory hangs on it that nobody needs.
      return end * 2 < bytes.length ? bytes.slice(0, end) : bytes.subarray(0, end);
    });
  } catch (error) {
    // What a listener throws is the program's own and stays as it is.
    if (listening || isNamed(error, signal)) throw error;
    throw fileError("file-read", `${path} cannot be read`, error);
  }
}

/**
 * Reads a file, of more than 2 GiB too, through symbolic links.
 *
 * Errors: `bad-option`, `file-read` (with the system's error as cause), `file-too-large`; an abort rejects with the signal's reason. What
 * `onProgress` throws arrives as it is.
 */
export async function loadSave(path: string | URL, options: LoadOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
  check(options);
  return runSteps(loadSteps(fileSystem, pathText(path), options));
}

/** {@link loadSave} without waiting. */
export function loadSaveSync(path: string | URL, options: LoadOptions = {}): Uint8Array<ArrayBuffer> {
  check(options);
  return runStepsSync(loadSteps(fileSystemSync, pathText(path), options));
}
