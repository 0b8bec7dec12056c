// Errors of files on disk.
import { TuskError } from "../errors.ts";

/**
 * - `file-read`: the file cannot be opened or read; `cause` is the system's error.
 * - `file-write`: the new content could not be put in place; the old file is untouched. `cause` is the system's error, where there was one.
 * - `file-sync`: the new file is in place, but the folder could not be flushed: a power failure now may bring the old one back.
 * - `file-verify`: what was read back is not what was written; the old file is untouched.
 * - `file-too-large`: larger than `maxBytes`, or than memory can hold.
 * - `not-a-file`: where a file is to be saved there is a folder, a device or a pipe; or a path that ends like one of a folder.
 * - `bad-option`: an argument or option that means nothing; nothing was changed.
 */
export type FileErrorCode = "file-read" | "file-write" | "file-sync" | "file-verify" | "file-too-large" | "not-a-file" | "bad-option";

export function fileError(code: FileErrorCode, message: string, cause?: unknown): TuskError {
  const words = (cause as { message?: unknown } | undefined)?.message;
  const why = typeof words === "string" ? `: ${words}` : "";
  return new TuskError("tusk", code, message + why, cause === undefined ? {} : { cause });
}

/** The system's name of an error: `ENOENT`, `ENOSPC`, ... */
export function systemCode(error: unknown): unknown {
  return (error as { code?: unknown } | undefined)?.code;
}

/** Is it thrown as it is: the signal's reason, or an error that has its name already? */
export function isNamed(error: unknown, signal: AbortSignal | undefined): boolean {
  return Object.is(error, signal?.reason) || (error as Error)?.name === "TuskError";
}
