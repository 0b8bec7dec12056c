// Whole arrays from slots. Literals are exactly as large as need be and packed; from a few elements on an array of the right length is
// filled: pushing 60,000 numbers takes four times as long, mostly for memory that is touched and given up.

/** Shorter and longer arrays get room that the engine takes for gaps, even when all of it is filled: for short ones the cut takes longer. */
const FEWEST_PACKED = 64;
const MOST_PACKED = 1024;

function packed(element: number): number[] {
  const numbers: number[] = [];
  while (numbers.length < MOST_PACKED) numbers.push(element);
  return numbers;
}
/** What arrays without gaps are cut from: of small integers alone, of other numbers. */
export const INTEGERS = /*@__PURE__*/ packed(0);
export const FRACTIONS = /*@__PURE__*/ packed(0.5);

/** Room for so many numbers, in the form that the engine has for those in `like`. */
export function room(like: number[], count: number): number[] {
  return count >= FEWEST_PACKED && count <= MOST_PACKED ? like.slice(0, count) : new Array(count);
}

export function integerArray(i32: Int32Array, at: number, count: number): unknown[] {
  switch (count) {
    case 1:
      return [i32[at]];
    case 2:
      return [i32[at], i32[at + 1]];
    case 3:
      return [i32[at], i32[at + 1], i32[at + 2]];
    case 4:
      return [i32[at], i32[at + 1], i32[at + 2], i32[at + 3]];
    case 5:
      return [i32[at], i32[at + 1], i32[at + 2], i32[at + 3], i32[at + 4]];
  }
  const made = room(INTEGERS, count);
  for (let i = 0; i < count; i++) made[i] = i32[at + i];
  return made;
}

export function doubleArray(f64: Float64Array, at: number, count: number): unknown[] {
  switch (count) {
    case 1:
      return [f64[at]];
    case 2:
      return [f64[at], f64[at + 1]];
    case 3:
      return [f64[at], f64[at + 1], f64[at + 2]];
  }
  const made = room(FRACTIONS, count);
  for (let i = 0; i < count; i++) made[i] = f64[at + i];
  return made;
}

/** Table indexes, one for each slot. */
export function tableArray(table: unknown[], i32: Int32Array, at: number, count: number): unknown[] {
  if (count === 1) return [table[i32[at]]];
  const made: unknown[] = new Array(count);
  for (let i = 0; i < count; i++, at += 2) made[i] = table[i32[at]];
  return made;
}

/** Elements whose kind stands beside their length: 0 none, 1 int32, 2 doubles, 3 table entries. */
export function elements(table: unknown[], f64: Float64Array, i32: Int32Array, at: number, length: number, kind: number): unknown[] {
  if (kind === 1) return integerArray(i32, at * 2, length);
  if (kind === 2) return doubleArray(f64, at, length);
  return kind === 3 ? tableArray(table, i32, at * 2, length) : [];
}

/** Slots that they take. */
export function elementSlots(length: number, kind: number): number {
  return kind === 1 ? (length + 1) >> 1 : length;
}

/** -0 is none. */
export function isInt32(number: number): boolean {
  return isWhole(number, int32(number));
}

/** A function of its own so that {@link showFraction} can show it a fraction. */
export function int32(number: number): number {
  return number | 0;
}

/** Is a number the int32 that {@link int32} makes of it? */
export function isWhole(number: number, whole: number): boolean {
  return whole === number && (whole !== 0 || 1 / number > 0);
}

/**
 * 0, where a loop that reads numbers by {@link int32} and {@link isWhole} begins. Engines note what operations have met, and where those were whole numbers alone,
 * compiled code makes small integers of them first, each with a check (tiles in Chromium 1.4 times as long). Bundlers leave out calls that have no effect.
 */
export function showFraction(): number {
  return isInt32(0.5) ? 1 : 0;
}

/**
 * The same number, as a small integer where it is one. Code that is not optimised yet would put it into an object of its own, and members that
 * have held such an object once take one for each value from then on, in all instances of the class.
 */
export function numberOf(number: number): number {
  return isInt32(number) ? number | 0 : number;
}

/** A list that keeps its numbers as they come. One that has held nothing but numbers makes objects of its integers, too, when they are taken out beside fractions. */
export function mixedList(): unknown[] {
  const list: unknown[] = [undefined];
  list.pop();
  return list;
}

/** Takes everything out of a list. Setting a length is a call into the engine's depths, which a small save would feel. */
export function empty(list: unknown[]): void {
  if (list.length > 16) list.length = 0;
  else while (list.length > 0) list.pop();
}
