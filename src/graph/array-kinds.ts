// V8 keeps an array in one of three forms: small integers, numbers, anything. Compiled code that has met an array of a more general form at the same place
// turns the array it meets into that form, even where it only reads, and for good: a program's numbers become pointers to numbers, each allocated (tiles: 5 MB).
// So a long array is looked at by a method first, which has a way of its own for each form, and then read by a loop that meets arrays of one form.

/** Longer arrays are to be looked at first; for shorter ones the look would cost more than the loop. */
export const SHORT_ARRAY = 256;

// What an array seems to hold.
export const MIXED = 0;
export const INTEGERS = 1;
export const NUMBERS = 2;

const { at } = Array.prototype;

/** An element of an array of any form. */
export function elementOf(array: readonly unknown[], index: number): unknown {
  return at.call(array, index);
}

/** What a long array seems to hold, by four of its elements. */
export function seems(array: readonly unknown[]): number {
  const { length } = array;
  const step = (length + 3) >> 2;
  let kind = INTEGERS;
  for (let i = 0; i < length; i += step) {
    const value = elementOf(array, i);
    if (typeof value !== "number") return MIXED;
    if (!Number.isInteger(value)) kind = NUMBERS;
  }
  return kind;
}
