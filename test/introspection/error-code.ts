// What a call throws, as `code`, `code line 3` or `code at ._path`, for comparing errors by their place.

import { TuskError } from "../../src/errors.ts";

export function errorOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (!(error instanceof TuskError)) throw error;
    if (error.format !== "introspection") throw error;
    return error.code + (error.line !== undefined ? ` line ${error.line}` : "") + (error.path !== undefined ? ` at ${error.path}` : "");
  }
  return "no error";
}
