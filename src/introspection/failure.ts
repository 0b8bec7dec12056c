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
