// Numbered backups: `save.dat.bak1` is the newest, `.bak2` the one before.
import { dirname } from "node:path";
import { fileError, systemCode } from "./failure.ts";
import type { FileSystem } from "./file-system.ts";
import { digestSteps, flushSteps, withFile } from "./open-files.ts";
import { infoOrNothing, mustBeFile, pathText } from "./paths.ts";
import { retrySteps } from "./retry.ts";
import { answer, type Steps } from "./steps.ts";

/**
 * The name of a file's backup; 1 is the newest. Links are not followed: backups are beside the file that a link leads to, so give `path` of the `SavedFile`.
 * Error `bad-option` for what is no path or URL of a file, or no number of a backup.
 */
export function backupPath(path: string | URL, number: number): string {
  if (!Number.isSafeInteger(number) || number < 1) throw fileError("bad-option", "a backup has a number from 1");
  return `${pathText(path)}.bak${number}`;
}

/** In a folder with this bit, names are removed and replaced by the file's owner or the folder's alone (`/tmp`). */
const STICKY = 0o1000;

/** Not a number, which equals nothing, where it cannot be read. */
function* digestOf(fs: FileSystem, path: string): Steps<string | number> {
  try {
    return yield* withFile(fs, path, "r", (file) => digestSteps(fs, file));
  } catch {
    return Number.NaN;
  }
}

/**
 * Makes room for a new first backup and puts the current content there, if there is any. The file itself stays in place all the time: the backup is a second
 * name for the same content (a copy where the file system has no hard links), under `temporary` until the older ones have moved. Where `outdated` says so, or
 * both names are of one content already, it is still there afterwards: the caller removes it. `outdated`: has a later save made its own backups meanwhile?
 */
export function* backUpSteps(fs: FileSystem, path: string, count: number, temporary: string, outdated: () => boolean): Steps<void> {
  const newest = backupPath(path, 1);
  const first = yield* infoOrNothing(fs, newest);
  // As it is by now: whatever somebody has put there while the new content was written is a version like any other.
  const current = yield* infoOrNothing(fs, path);
  if (!current) return;
  mustBeFile(current.isFile, path);
  // The save before this one failed after its backup: the current content is backed up already.
  if (current.ino && first?.ino === current.ino && first.dev === current.dev) return;
  if (current.isOthers) {
    // It may not be ours to replace; a second name of it could not be removed either, and would stay beside it for good.
    const folder = yield* answer(fs.lstat(dirname(path)));
    if (folder.isOthers && folder.mode & STICKY)
      throw fileError("file-write", `${path} is another user's, and its folder lets nobody else replace it`);
  }
  if (outdated()) return;
  try {
    yield fs.link(path, temporary);
  } catch (error) {
    // Without the file there is nothing to back up: another process has just removed it.
    if (systemCode(error) === "ENOENT") return;
    // No hard links here: the case from above, where the backup was a copy.
    if (first?.isFile && first.size === current.size && (yield* digestOf(fs, path)) === (yield* digestOf(fs, newest))) return;
    yield fs.copy(path, temporary);
    yield* flushSteps(fs, temporary);
  }
  // A gap (left by a failed save) takes up the shift, so that the oldest backup is not lost for nothing.
  let number = 1;
  while (number < count && (yield* infoOrNothing(fs, backupPath(path, number)))) number++;
  while (--number) {
    try {
      yield* retrySteps(fs, () => fs.rename(backupPath(path, number), backupPath(path, number + 1)), outdated);
    } catch (error) {
      // Another process keeps backups of the same file and was faster.
      if (systemCode(error) !== "ENOENT") throw error;
    }
  }
  yield* retrySteps(fs, () => fs.rename(temporary, newest), outdated);
}
