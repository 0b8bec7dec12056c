// Texts that would be longer than a string can be: the platform throws a bare error, which says nothing of the file.
import { TuskError } from "../errors.ts";

/** `error`, as the program's own where the platform refused a text for its length. */
export function namedError(error: unknown): unknown {
  const { message, code } = (error ?? {}) as { message?: unknown; code?: unknown };
  const isLength = (error instanceof RangeError && message === "Invalid string length") || code === "ERR_STRING_TOO_LONG";
  if (!isLength) return error;
  return new TuskError("tusk", "too-long", "a text would have more than 512 million characters, as many as a string can hold here", {
    cause: error,
  });
}
