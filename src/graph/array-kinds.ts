// V8 keeps an array in one of three forms: small integers, numbers, anything. Compiled code that has met an array of a more general form at the same place
// turns the array it meets into that form, even where it only reads, and for good: a program's numbers become pointers to numbers, each allocated (tiles: 5 MB).
// So a long array is looked at by a method first, which has a way of its own for each form, and then read by a loop that meets arrays of one form.

/** Longer arrays are to be looked at first; for shorter ones the look would cost more than the loop. */
export const SHORT_ARRAY = 256;

/** What an array seems to hold. */
export const SEEMS = { mixed: 0, integers: 1, numbers: 2 } as const;

const { at } = Array.prototype;

/** An element of an array of any form. */
export function elementOf(array: readonly unknown[], index: number): unknown {
  return at.call(array, index);
}

/** What a long array seems to hold, by four of its elements. */
export function seems(array: readonly unknown[]): number {
  const { length } = array;
  const step = (length + 3) >> 2;
  let kind: number = SEEMS.integers;
  for (let i = 0; i < length; i += step) {
    const value = elementOf(array, i);
    if (typeof value !== "number") return SEEMS.mixed;
    if (!Number.isInteger(value)) kind = SEEMS.numbers;
  }
  return kind;
}
