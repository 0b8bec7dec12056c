// What the platform refuses for its size, by a bare error, which says nothing of the file.
import { TuskError } from "../errors.ts";

/** `error`, as the program's own where the platform refused a text for its length, or a set or a map for the number of its entries. */
export function namedError(error: unknown): unknown {
  const { message, code } = (error ?? {}) as { message?: unknown; code?: unknown };
  const refused = error instanceof RangeError ? String(message) : "";
  if (refused === "Invalid string length" || code === "ERR_STRING_TOO_LONG")
    return new TuskError("tusk", "too-long", "a text would have more than 512 million characters, as many as a string can hold here", {
      cause: error,
    });
  if (/^(Set|Map) maximum size exceeded$/.test(refused))
    return new TuskError(
      "tusk",
      "too-many",
      "more than 16 million arrays and structs would have to be told apart, as many as can be here",
      {
        cause: error,
      },
    );
  return error;
}
