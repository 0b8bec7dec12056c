// What is done with a file while it is open.
import { createHash } from "node:crypto";
import { throwIfAborted } from "../signals.ts";
import { systemCode } from "./failure.ts";
import type { FileSystem } from "./file-system.ts";
import { answer, type Steps } from "./steps.ts";

export function* quietly(work: () => Steps<unknown>): Steps<void> {
  try {
    yield* work();
  } catch {
    // The failure that led here is the one to tell.
  }
}

/** A file is open while `work` goes on. That it cannot be closed changes nothing: it was read, or flushed. */
export function* withFile<T>(fs: FileSystem, path: string, flags: string, work: (file: number) => Steps<T>): Steps<T> {
  const file = yield* answer(fs.open(path, flags));
  try {
    return yield* work(file);
  } finally {
    yield* quietly(() => answer(fs.close(file)));
  }
}

/** SHA-256 of an open file, read in parts of `room` bytes. */
export function* digestSteps(fs: FileSystem, file: number, room = 1 << 20, signal?: AbortSignal): Steps<string> {
  const hash = createHash("sha256");
  const buffer = new Uint8Array(room);
  for (let length = 0; ; ) {
    throwIfAborted(signal);
    const count = yield* answer(fs.read(file, buffer, 0, buffer.length, length));
    if (count === 0) return hash.digest("hex");
    hash.update(buffer.subarray(0, count));
    length += count;
  }
}

/** Folders of some file systems, and files, cannot be flushed, or not by this user; that is no failure of the save. */
const UNFLUSHABLE: unknown[] = ["EINVAL", "ENOTSUP", "EPERM", "EACCES", "EISDIR", "ENOSYS"];

/** Flushes what is at a path to the disk. */
export function* flushSteps(fs: FileSystem, path: string): Steps<void> {
  try {
    // Windows flushes what is open for writing, and no folders.
    yield* withFile(fs, path, fs.platform === "win32" ? "r+" : "r", (file) => answer(fs.sync(file)));
  } catch (error) {
    if (!UNFLUSHABLE.includes(systemCode(error))) throw error;
  }
}
