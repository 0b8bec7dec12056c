// `toEqual` compares typed arrays an element at a time, which takes seconds for large saves. Bytes are compared at once here, and the report of
// those that differ is vitest's own.
import { expect } from "vitest";

expect.addEqualityTesters([
  (left, right) => {
    if (!(left instanceof Uint8Array && right instanceof Uint8Array)) return undefined;
    return Object.getPrototypeOf(left) === Object.getPrototypeOf(right) && Buffer.compare(left, right) === 0;
  },
]);
