// Saving so that at any moment, power failures included, the file is either the old one or the new one, whole.
//
//   temporary file in the same folder -> write -> fsync -> read back -> close -> backups -> rename over the old -> fsync the folder
//
// A rename within one folder is atomic and cannot cross devices. Up to it every failure leaves the old file as it was.
import { createHash, randomBytes } from "node:crypto";
import { dirname } from "node:path";
import { isSignal, throwIfAborted } from "../signals.ts";
import { backUpSteps } from "./backups.ts";
import { fileError, isNamed, systemCode } from "./failure.ts";
import { type FileSystem, fileSystem, fileSystemSync } from "./file-system.ts";
import { type FileProgress, PIECE } from "./load-save.ts";
import { digestSteps, flushSteps, quietly } from "./open-files.ts";
import { checkFileOptions, isFunction } from "./options.ts";
import { pathText } from "./paths.ts";
import { type Bytes, isBytes, isPieces, nameOf, PieceSource, type Pieces } from "./pieces.ts";
import { retrySteps } from "./retry.ts";
import { answer, ignore, orAborted, runSteps, runStepsSync, type Steps } from "./steps.ts";
import { targetNow, targetSteps } from "./target.ts";

/** Options of `saveFile` and `saveFileSync`. */
export interface SaveOptions {
  /** How many earlier versions to keep, as `<path>.bak1` (the newest) to `<path>.bak<n>`, the path being that of the {@link SavedFile}. Default 0. */
  backups?: number | undefined;
  /** Read the file back before it takes the old one's place, and compare its SHA-256. Default true. */
  verify?: boolean | undefined;
  /** Permission bits. Default: those of the file that is replaced; a new file gets 0o666 less the umask. */
  mode?: number | undefined;
  /** Stops the work until the new file is in place; the promise rejects with the signal's reason (`saveFileSync` throws it), and the old file is untouched. */
  signal?: AbortSignal | undefined;
  /** Told after each piece that was written. */
  onProgress?: ((progress: FileProgress) => void) | undefined;
}

/** What was saved. */
export interface SavedFile {
  /** The file itself, behind all symbolic links. */
  readonly path: string;
  readonly bytes: number;
}

const NEW_FILE = 0o666;
/** Permissions, and the three bits in front of them. */
const MOST_BITS = 0o7777;

function temporaryName(target: string): string {
  return `${target}.${randomBytes(6).toString("hex")}.tmp`;
}

/** Opens a temporary file that nobody else has. */
function* openTemporary(fs: FileSystem, target: string, mode: number): Steps<{ temporary: string; file: number }> {
  for (let attempt = 0; ; attempt++) {
    const temporary = temporaryName(target);
    try {
      return { temporary, file: yield* answer(fs.open(temporary, "wx+", mode)) };
    } catch (error) {
      if (systemCode(error) !== "EEXIST" || attempt >= 10) throw error;
    }
  }
}

/** `outdated`: has a later save put the file in place already? `placing` is told of the temporary file that is about to take its place, and of none when it has. */
export function* saveSteps(
  fs: FileSystem,
  path: string,
  source: PieceSource,
  options: SaveOptions,
  piece = PIECE,
  outdated = () => false,
  placing: (temporary?: string) => void = ignore,
): Steps<SavedFile> {
  const { signal, onProgress } = options;
  let file: number | undefined;
  let temporary: string | undefined;
  let backup: string | undefined;
  let committed = false;
  // While the source or the listener runs: what they throw is the program's own and stays as it is.
  let outside = false;
  try {
    throwIfAborted(signal);
    const { total } = source;
    const { target, info } = yield* targetSteps(fs, path);
    throwIfAborted(signal);
    const mode = options.mode ?? info?.mode;
    ({ temporary, file } = yield* openTemporary(fs, target, mode ?? NEW_FILE));

    const hash = options.verify === false ? undefined : createHash("sha256");
    let bytes = 0;
    while (true) {
      outside = true;
      const given = yield* source.next(signal);
      outside = false;
      if (!given) break;
      // Bytes that are moved away meanwhile have a length of 0.
      const { length } = given;
      for (let at = 0; at < length; ) {
        throwIfAborted(signal);
        const count = yield* answer(fs.write(file, given, at, Math.min(piece, length - at)));
        if (!(count > 0)) throw new Error("the system writes no more bytes");
        hash?.update(given.subarray(at, at + count));
        at += count;
        bytes += count;
        outside = true;
        onProgress?.({ bytes, total });
        outside = false;
      }
    }
    throwIfAborted(signal);
    // open() takes the umask away, and writing the bits that change the user. Windows has none, and some drives let nobody set them.
    if (mode !== undefined && fs.platform !== "win32" && (yield* answer(fs.fstat(file))).mode !== mode) yield fs.chmod(file, mode);
    yield fs.sync(file);
    if (hash && (yield* digestSteps(fs, file, Math.min(piece, bytes + 1, 1 << 20), signal)) !== hash.digest("hex"))
      throw fileError("file-verify", "what was read back is not what was written");
    const closing = file;
    file = undefined;
    yield fs.close(closing);
    throwIfAborted(signal);
    if (options.backups && !outdated()) {
      backup = temporaryName(target);
      yield* backUpSteps(fs, target, options.backups, backup, outdated);
      // As a rule it has moved. Where another process has just given the backup's name to this very content, both names stay.
      yield* discard(fs, backup);
      throwIfAborted(signal);
    }
    placing(temporary);
    try {
      committed = yield* retrySteps(fs, () => fs.rename(temporary!, target, true), outdated);
    } catch (error) {
      if (!outdated()) throw error;
    }
    if (committed) {
      placing();
      yield* syncFolder(fs, target);
    } else yield* discard(fs, temporary);
    return { path: target, bytes };
  } catch (error) {
    if (!committed) {
      if (file !== undefined) yield* quietly(() => answer(fs.close(file!)));
      yield* discard(fs, temporary, backup);
    }
    if (outside || isNamed(error, signal)) throw error;
    throw fileError("file-write", `${path} cannot be written`, error);
  }
}

/** What failed saves, or such that were not needed any more, leave behind. */
function* discard(fs: FileSystem, ...names: (string | undefined)[]): Steps<void> {
  for (const name of names) if (name !== undefined) yield* quietly(() => retrySteps(fs, () => fs.remove(name)));
}

/** Makes the rename itself last. Windows has no such call; there the file system's journal does it. */
function* syncFolder(fs: FileSystem, target: string): Steps<void> {
  if (fs.platform === "win32") return;
  try {
    yield* flushSteps(fs, dirname(target));
  } catch (error) {
    throw fileError(
      "file-sync",
      `${target} is written, but its folder could not be flushed; a power failure may bring back the old file`,
      error,
    );
  }
}

/** Not -0 either, for which Node 20 aborts the process: divided by it, 1 is negative. */
const isWhole = (given: unknown): boolean => Number.isInteger(given) && 1 / (given as number) > 0;

/** What the types forbid is an error before anything is done. */
function check(data: unknown, iterators: readonly symbol[], options: SaveOptions): SaveOptions {
  if (!isBytes(data) && !isPieces(data, iterators))
    throw fileError("bad-option", `what is saved has to be bytes, or pieces of bytes, not ${nameOf(data)}`);
  return checkFileOptions(options, {
    backups: isWhole,
    verify: (verify) => typeof verify === "boolean",
    mode: (mode) => isWhole(mode) && mode! <= MOST_BITS,
    signal: isSignal,
    onProgress: isFunction,
  });
}

/** Saves of one file that are under way. */
interface Queue {
  /** Of the last call, over when all are. */
  turn?: Promise<void>;
  /** The temporary file that takes its place now. The system may carry out a rename long after it was asked to. */
  placing?: string | undefined;
}

/**
 * By the real path of the file: it ends up as the last call wanted it, whichever disk write is faster. What `saveFileSync` has put in place makes all of
 * a queue outdated, and ends it.
 */
const queues = new Map<string, Queue>();

/**
 * Replaces a file in one step: whoever looks sees the old content or the new one, never a part. Symbolic links stay, their target is replaced;
 * permission bits are kept; calls for one file, by whatever path, are carried out one after the other.
 *
 * ```ts
 * await saveFile("saves/slot1.dat", elephant.write(world), { backups: 3 });
 * ```
 *
 * `data` is not copied: leave it alone until the promise settles. It must not wait for a save of the same file, whose turn comes after this one. Where
 * the save fails, streams are cancelled or destroyed, and iterators returned.
 *
 * Errors: `bad-option` (an argument or option that means nothing), `file-write` (with the system's error as cause, where there was one),
 * `file-verify`, `not-a-file`: the old file is untouched, and no temporary file is left behind (a backup that was made by then stays); `file-sync`: the
 * new file is in place. An abort rejects with the signal's reason. What `data` or `onProgress` throws arrives as it is; the old file is untouched then, too.
 */
export async function saveFile(path: string | URL, data: Bytes | Pieces, options: SaveOptions = {}): Promise<SavedFile> {
  // Its turn may come when the program uses the object for another file.
  options = check(data, [Symbol.asyncIterator, Symbol.iterator], options);
  const text = pathText(path);
  const source = new PieceSource(data);
  try {
    const file = targetNow(text);
    const queue: Queue = queues.get(file) ?? {};
    const before = queue.turn;
    const saving = (async () => {
      await orAborted(before, options.signal);
      const outdated = () => queues.get(file) !== queue;
      return runSteps(saveSteps(fileSystem, file, source, options, PIECE, outdated, (temporary) => void (queue.placing = temporary)));
    })();
    // A save that is given up before its turn lets nobody pass those that it has waited for.
    const turn = Promise.allSettled([before, saving]).then(() => {
      if (queues.get(file)?.turn === turn) queues.delete(file);
    });
    queue.turn = turn;
    queues.set(file, queue);
    return await saving;
  } catch (error) {
    source.close(error);
    throw error;
  }
}

/**
 * {@link saveFile} without waiting, e.g. when a window closes. It does not wait for `saveFile` calls under way, and what they were given does not take the place
 * of this later content.
 */
export function saveFileSync(path: string | URL, data: Bytes | Iterable<Bytes>, options: SaveOptions = {}): SavedFile {
  options = check(data, [Symbol.iterator], options);
  const text = pathText(path);
  const source = new PieceSource(data);
  try {
    const file = targetNow(text);
    const placing = (temporary?: string): void => {
      // A rename of older content that is still to be carried out has nothing to rename then.
      if (temporary) runStepsSync(discard(fileSystemSync, queues.get(file)?.placing));
      else queues.delete(file);
    };
    return runStepsSync(saveSteps(fileSystemSync, file, source, options, PIECE, undefined, placing));
  } catch (error) {
    source.close(error);
    throw error;
  }
}
