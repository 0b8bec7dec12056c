// Does a list of containers hold one of them twice, those aside whose key is ALIKE? Only those with the same key can be the same object, so equal keys are found first, in
// two passes over an array of numbers: ten times as fast as asking a Set for each container, because no step waits for the one before.
import { ALIKE } from "./container-keys.ts";
import { ObjectSet } from "./object-set.ts";

/** Room for so many at least. */
const FEW = 4;
/** Bits for each container, 2^3 to 2^4: few keys meet by chance, and those of 65,536 containers stay in the second cache. */
const BITS_SHIFT = 3;
const MOST_BITS = 27;
/** Of 2^10 keys that have met, half or more go into one part on average: the sets for their containers stay small, and each is filled before the next. */
const PART_SHIFT = 10;
/** Containers of a part that are looked at before they are put into its Set. */
const TOGETHER = 512;
/** Larger bitmaps (in words) are not kept. */
const KEPT = 1 << 18;

export class TwiceFinder {
  /** Chosen keys must not be able to meet: odd, and multiplied by. */
  private readonly secret = (Math.random() * 2 ** 32) | 1;
  /** Bits of the keys that have come, and of those that may have come again. */
  private seen = new Int32Array(0);
  private again = new Int32Array(0);
  /** Counted so that no compiler leaves out the look at the containers. */
  looks = 0;

  isAny(list: readonly object[], keys: Int32Array, count: number): boolean {
    const { secret } = this;
    const bits = Math.min(32 - Math.clz32(count | FEW) + BITS_SHIFT, MOST_BITS);
    const shift = 32 - bits;
    this.makeRoom(1 << (bits - 5));
    const { seen, again } = this;
    let met = 0;
    for (let i = 0; i < count; i++) {
      const key = keys[i];
      if (key === ALIKE) continue;
      const bit = Math.imul(key, secret) >>> shift;
      const word = seen[bit >>> 5];
      const mask = 1 << bit;
      if ((word & mask) === 0) seen[bit >>> 5] = word | mask;
      else {
        again[bit >>> 5] |= mask;
        met++;
      }
    }
    if (seen.length > KEPT) this.seen = this.again = new Int32Array(0);
    return met > 0 && this.isAnyOfThese(list, keys, count, shift, met, again);
  }

  private makeRoom(words: number): void {
    if (this.seen.length < words) {
      this.seen = new Int32Array(words);
      this.again = new Int32Array(words);
      return;
    }
    const { seen, again } = this;
    // Not by `fill`, a call into the engine's depths, which a small save would feel.
    for (let i = 0; i < words; i++) seen[i] = again[i] = 0;
  }

  /** Of the containers whose keys may have come again: at most twice as many as have met a bit. */
  private isAnyOfThese(list: readonly object[], keys: Int32Array, count: number, shift: number, met: number, again: Int32Array): boolean {
    const { secret } = this;
    const numbers = new Int32Array(met * 2);
    let length = 0;
    for (let i = 0; i < count; i++) {
      const key = keys[i];
      if (key === ALIKE) continue;
      const bit = Math.imul(key, secret) >>> shift;
      if (((again[bit >>> 5] >>> bit) & 1) !== 0) numbers[length++] = i;
    }
    if (met >>> PART_SHIFT === 0) return this.isTwice(list, numbers, 0, length);
    // Put in order by the first bits of their keys.
    const partShift = Math.clz32(met >>> PART_SHIFT);
    const places = new Int32Array(1 << (32 - partShift));
    for (let i = 0; i < length; i++) places[Math.imul(keys[numbers[i]], secret) >>> partShift]++;
    let start = 0;
    for (let part = 0; part < places.length; part++) {
      const many = places[part];
      places[part] = start;
      start += many;
    }
    const ordered = new Int32Array(length);
    for (let i = 0; i < length; i++) ordered[places[Math.imul(keys[numbers[i]], secret) >>> partShift]++] = numbers[i];
    // Each place has become the end of its part.
    return places.some((end, part) => this.isTwice(list, ordered, part === 0 ? 0 : places[part - 1], end));
  }

  /** Is one of the containers with these numbers, from place `start` to `end`, there twice? */
  private isTwice(list: readonly object[], numbers: Int32Array, start: number, end: number): boolean {
    const set = new ObjectSet(end - start);
    for (let from = start; from < end; from += TOGETHER) {
      const to = Math.min(from + TOGETHER, end);
      // They are far from each other in memory. The processor waits for many of them at a time where nothing else is asked of them.
      for (let i = from; i < to; i++) if (typeof list[numbers[i]] === "object") this.looks++;
      for (let i = from; i < to; i++) if (!set.add(list[numbers[i]])) return true;
    }
    return false;
  }
}
