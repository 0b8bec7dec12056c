// `toStrictEqual` takes seconds for a hundred thousand values. Node's own comparison finds whether there is a difference, vitest's tells which.
import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";

/** As strict as `expect(actual, what).toStrictEqual(expected)`. */
export function expectStrictly(actual: unknown, expected: unknown, what = "the values"): void {
  if (isDeepStrictEqual(actual, expected)) return;
  expect(actual, what).toStrictEqual(expected);
  expect.fail(`${what} differ`);
}
