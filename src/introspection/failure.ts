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

/** How engines say that a text became longer than their longest: V8, Firefox, Safari. */
const TOO_LONG = /^(Invalid string length|allocation size|Out of memory)/;

/**
 * The result of building a text, a Set or a Map. Errors `too-long` and `size-limit` where that becomes larger than the engine's largest; whatever else
 * is thrown, by objects of the program perhaps, stays as it is.
 */
export function fitting<T>(build: () => T, place?: ErrorPlace): T {
  try {
    return build();
  } catch (cause) {
    return failUnfit(cause, place);
  }
}

/** Throws what {@link fitting} throws for this cause. */
export function failUnfit(cause: unknown, place?: ErrorPlace): never {
  const message = (cause as Error)?.message;
  if (TOO_LONG.test(message)) fail("too-long", "the text is longer than a string may be", { cause });
  if (/^(Set|Map) max/.test(message)) fail("size-limit", "more than a Map holds", place);
  throw cause;
}

/** Error `type-mismatch` for a value that is none of the type. */
export function mismatch(value: unknown, type: string, place: ErrorPlace): never {
  const found = value === null ? "null" : Array.isArray(value) ? "an array" : typeof value;
  return fail("type-mismatch", `expected a value for the type ${type}, found ${found}`, place);
}
