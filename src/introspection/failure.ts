// The errors of this format.

import { type ErrorPlace, TuskError } from "../errors.ts";

/** Throws the format's error. The codes are listed in docs/introspection.md. */
export function fail(code: string, message: string, place?: ErrorPlace): never {
  throw new TuskError("introspection", code, message, place);
}
