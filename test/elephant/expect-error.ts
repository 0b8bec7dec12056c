// What every test expects of an error: a TuskError of this format with the category of formats/elephant.md §16.

import { expect } from "vitest";
import { TuskError } from "./codec.ts";

/** What `operation` throws, undefined when it returns. */
export function failure(operation: () => unknown): unknown {
  try {
    operation();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** `operation` must throw a TuskError, of this category if one is given. Returns it, so that its place can be checked. */
export function expectError(operation: () => unknown, category?: string | RegExp): TuskError {
  const error = failure(operation);
  if (!(error instanceof TuskError)) expect.fail(`a TuskError was expected, got ${error === undefined ? "a result" : String(error)}`);
  // By the thousand in some tests: what is right is not told to the runner.
  if (error.format !== "elephant") expect(error.format).toBe("elephant");
  if (typeof category === "string") {
    if (error.code !== category) expect(error.code, error.message).toBe(category);
  } else if (category) expect(error.code, error.message).toMatch(category);
  return error;
}
