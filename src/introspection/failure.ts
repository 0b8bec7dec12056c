// The errors of this format.

import { type ErrorPlace, TuskError } from "../errors.ts";

/** Throws the format's error. The codes are listed in docs/introspection.md. */
export function fail(code: string, message: string, place?: ErrorPlace): never {
  throw new TuskError("introspection", code, message, place);
}

/** What a message says of anything that a program gives; objects may have no text, and symbols never do. */
export function textOf(value: unknown): string {
  try {
    return typeof value === "bigint" ? String(value) : JSON.stringify(value);
  } catch {
    return "object";
  }
}

/**
 * The result of building a text. Error `too-long` where that becomes longer than the engine's longest string. What a program has thrown itself may
 * look the same, so its iterables and objects are better asked outside.
 */
export function fitting<T>(write: () => T): T {
  try {
    return write();
  } catch (cause) {
    // Firefox has an InternalError for it.
    if (/^(Range|Internal)Error$/.test((cause as Error)?.name)) fail("too-long", "the text is longer than a string may be", { cause });
    throw cause;
  }
}

/** Error `type-mismatch` for a value that is none of the type. */
export function mismatch(value: unknown, type: string, place: ErrorPlace): never {
  const found = value === null ? "null" : Array.isArray(value) ? "an array" : typeof value;
  return fail("type-mismatch", `expected a value for the type ${type}, found ${found}`, place);
}
