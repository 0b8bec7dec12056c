// Where a write's bytes go when the window is full, and what is too large for it. A save of one window in linear memory is copied out of it; a large
// one is the buffer itself, because a copy would touch as many new pages once more (1.3x on arrays of numbers). Behind two large saves the window is
// that buffer.

import { encoder } from "../../engine/platform-text.ts";
import { unclearedBytes } from "../../engine/uncleared.ts";
import { INTEGERS } from "../../graph/array-kinds.ts";

/** Where a write puts its bytes. */
export interface OutputSink {
  /** Takes a copy. */
  append(bytes: Uint8Array): void;
  /** A text that is known to have a UTF-8 form. */
  appendText(text: string): void;
  /**
   * `tag` and the elements as doubles; false, and nothing appended, when one is not a number, or they are not `length` any more. `kind`: what the array
   * {@link seems} to hold.
   */
  appendDoubles(tag: number, array: readonly unknown[], length: number, kind: number): boolean;
}

/** Results from here on are handed over with their buffer; smaller ones are copied, and the buffer is kept. */
const HAND_OVER = 1 << 18;
const SMALLEST = 1 << 18;
/** Longer results are put together: positions in them would be no small integers any more. */
const MOST = 1 << 29;
const NOTHING = new Uint8Array(0);
/** A buffer that is handed over has at most so much (a power of two) of its length unused. */
const UNUSED_SHIFT = 4;
/** A result is expected to be so much (a power of two) longer than the last one; what is not needed then has to be cleared. */
const GROWTH_SHIFT = 8;

/** All NaNs have the same bytes. A branch that is never taken is cheaper than a choice between two values. */
export function storeDouble(dv: DataView, p: number, value: number): void {
  if (Number.isNaN(value)) dv.setFloat64(p, Number.NaN, true);
  else dv.setFloat64(p, value, true);
}

/** Stores `tag` and the elements as doubles; false when one is not a number, or they are not `length`: a proxy says what it likes each time. */
export function storeNumbers(view: DataView, start: number, tag: number, array: readonly unknown[], length: number, kind: number): boolean {
  view.setUint8(start, tag);
  return kind === INTEGERS ? storeIntegers(view, start + 1, array, length) : storeDoubles(view, start + 1, array, length);
}

function storeDoubles(view: DataView, start: number, array: readonly unknown[], length: number): boolean {
  // Not the length that was given: with the array's own, engines need not check each element's place.
  const count = array.length;
  if (count !== length) return false;
  let at = start;
  let i = 0;
  // Four at a time: engines do not unroll loops over a view.
  for (; i + 4 <= count; i += 4) {
    const first = array[i];
    const second = array[i + 1];
    const third = array[i + 2];
    const fourth = array[i + 3];
    if (typeof first !== "number" || typeof second !== "number" || typeof third !== "number" || typeof fourth !== "number") return false;
    if (Number.isNaN(first) || Number.isNaN(second) || Number.isNaN(third) || Number.isNaN(fourth)) break;
    view.setFloat64(at, first, true);
    view.setFloat64(at + 8, second, true);
    view.setFloat64(at + 16, third, true);
    view.setFloat64(at + 24, fourth, true);
    at += 32;
  }
  for (; i < count; i++) {
    const value = array[i];
    if (typeof value !== "number") return false;
    // All NaNs have the same bytes.
    if (Number.isNaN(value)) view.setFloat64(at, Number.NaN, true);
    else view.setFloat64(at, value, true);
    at += 8;
  }
  return true;
}

/** The same, compiled apart: see array-kinds.ts. */
function storeIntegers(view: DataView, start: number, array: readonly unknown[], length: number): boolean {
  const count = array.length;
  if (count !== length) return false;
  let at = start;
  let i = 0;
  for (; i + 4 <= count; i += 4) {
    const first = array[i];
    const second = array[i + 1];
    const third = array[i + 2];
    const fourth = array[i + 3];
    if (typeof first !== "number" || typeof second !== "number" || typeof third !== "number" || typeof fourth !== "number") return false;
    if (Number.isNaN(first) || Number.isNaN(second) || Number.isNaN(third) || Number.isNaN(fourth)) break;
    view.setFloat64(at, first, true);
    view.setFloat64(at + 8, second, true);
    view.setFloat64(at + 16, third, true);
    view.setFloat64(at + 24, fourth, true);
    at += 32;
  }
  for (; i < count; i++) {
    const value = array[i];
    if (typeof value !== "number") return false;
    // All NaNs have the same bytes.
    if (Number.isNaN(value)) view.setFloat64(at, Number.NaN, true);
    else view.setFloat64(at, value, true);
    at += 8;
  }
  return true;
}

export class Output implements OutputSink {
  private bytes: Uint8Array<ArrayBuffer> = NOTHING;
  /** How much is there: 0 where a write begins. */
  length = 0;
  /** Length of the last large result: what the next one will probably need. */
  private last = 0;
  /** How many of the last results were large. */
  streak = 0;

  /** How long a large result probably will be. */
  private get expected(): number {
    return this.last + (this.last >>> GROWTH_SHIFT);
  }

  /** Memory for a result that will probably be as large as the last, with room behind it; not for a very large one, or one shorter than `least`. */
  memory(least: number, room: number): Uint8Array<ArrayBuffer> | undefined {
    return least <= this.last && this.last < MOST ? unclearedBytes(this.expected + room) : undefined;
  }

  private reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.bytes.length) return;
    const { expected } = this;
    // The first bytes may be those of a whole result that was expected to be no longer.
    const more = this.length || needed >>> UNUSED_SHIFT;
    const larger = unclearedBytes(Math.max(needed <= expected ? expected : needed + more, SMALLEST));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }

  append(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  appendText(text: string): void {
    this.append(encoder.encode(text));
  }

  appendDoubles(tag: number, array: readonly unknown[], length: number, kind: number): boolean {
    const size = 1 + length * 8;
    this.reserve(size);
    if (!storeNumbers(new DataView(this.bytes.buffer), this.length, tag, array, length, kind)) return false;
    this.length += size;
    return true;
  }

  /** All of it, with what the window holds behind: its bytes from `start` to `stop`. A window in a result's memory begins at 0. */
  take(window: Uint8Array<ArrayBuffer>, start: number, stop: number): Uint8Array<ArrayBuffer> {
    let bytes = window;
    let length = stop;
    if (this.length > 0) {
      this.append(window.subarray(start, stop));
      ({ bytes, length } = this);
      start = 0;
    }
    // A window in linear memory is never as long.
    if (length - start < HAND_OVER) {
      this.streak = 0;
      this.letGo();
      return bytes.slice(start, length);
    }
    this.streak++;
    this.last = length;
    this.bytes = NOTHING;
    if (bytes.length - length > length >>> UNUSED_SHIFT) return bytes.slice(0, length);
    // What the memory held before is nobody's business.
    bytes.fill(0, length);
    return bytes.subarray(0, length);
  }

  /** After a failure, or a small result: nothing is kept that a large save needs. */
  letGo(): void {
    if (this.bytes.length > HAND_OVER) this.bytes = NOTHING;
  }
}
