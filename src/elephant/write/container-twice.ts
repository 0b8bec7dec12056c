// Does a list of containers hold one of them twice, those aside whose key is ALIKE? Only those with the same key can be the same object, so
// equal keys are found first, in two passes over an array of numbers: ten times as fast as asking a Set for each container, because no step
// waits for the one before.
import { ALIKE } from "./container-keys.ts";
import { ObjectSet } from "./object-set.ts";

/** Up to so many are compared one by one, whatever keys they have. */
export const FEW = 32;
/** Bits for each container, 2^3 to 2^4: few keys meet by chance, and those of 65,536 containers stay in the second cache. */
const BITS_SHIFT = 3;
const MOST_BITS = 27;
/** Containers that are looked at before they are compared. */
const TOGETHER = 512;
/** Into so many groups keys are put at least; a power of two. */
const FEWEST_GROUPS = 4;
/** Larger bitmaps (in words), and the lists of so many containers, half a million, are not kept: 10 MB. */
const KEPT = 1 << 17;

export class TwiceFinder {
  /** Chosen keys must not be able to meet: odd, and multiplied by. */
  private readonly secret = (Math.random() * 2 ** 32) | 1;
  /** Bits of the keys that have come, and of those that may have come again. */
  private seen = new Int32Array(0);
  private again = new Int32Array(0);
  /** Numbers of containers whose keys may have come again, as they come and in order, and where in that those with the same first bits begin or end. */
  private numbers = new Int32Array(0);
  private ordered = new Int32Array(0);
  private places = new Int32Array(0);
  /** Counted so that no compiler leaves out the look at the containers. */
  looks = 0;

  isAny(list: readonly object[], keys: Int32Array, count: number): boolean {
    if (count <= FEW) {
      for (let i = 0; i < count; i++) for (let k = 0; k < i; k++) if (list[k] === list[i]) return true;
      return false;
    }
    const { secret } = this;
    const bits = Math.min(32 + BITS_SHIFT - Math.clz32(count), MOST_BITS);
    const shift = 32 - bits;
    const words = 1 << (bits - 5);
    if (this.seen.length < words) {
      this.seen = new Int32Array(words);
      this.again = new Int32Array(words);
    }
    const { seen, again } = this;
    seen.fill(0, 0, words);
    again.fill(0, 0, words);
    let met = 0;
    for (let i = 0; i < count; i++) {
      const key = keys[i];
      if (key === ALIKE) continue;
      const bit = Math.imul(key, secret) >>> shift;
      const mask = 1 << bit;
      if ((seen[bit >>> 5] & mask) === 0) seen[bit >>> 5] |= mask;
      else {
        again[bit >>> 5] |= mask;
        met++;
      }
    }
    const isAny = met > 0 && this.isOneOf(list, keys, count, shift, met);
    if (seen.length > KEPT) this.seen = this.again = this.numbers = this.ordered = this.places = new Int32Array(0);
    return isAny;
  }

  /** Of the containers whose keys may have come again; `met`: how many found the bit of theirs set. */
  private isOneOf(list: readonly object[], keys: Int32Array, count: number, shift: number, met: number): boolean {
    const { secret, again } = this;
    // About as many groups as keys have met, by the first bits of keys.
    const groupShift = Math.clz32(met | FEWEST_GROUPS) + 1;
    const groups = 1 << (32 - groupShift);
    if (this.numbers.length < met * 2) {
      this.numbers = new Int32Array(met * 2);
      this.ordered = new Int32Array(met * 2);
      this.places = new Int32Array(groups);
    }
    const { numbers, ordered, places } = this;
    // First how many there are of each group, then where the next of it is to stand.
    places.fill(0, 0, groups);
    let length = 0;
    let start = 0;
    for (let i = 0; i < count; i++) {
      const key = keys[i];
      if (key === ALIKE) continue;
      const bit = Math.imul(key, secret) >>> shift;
      if ((again[bit >>> 5] & (1 << bit)) === 0) continue;
      places[Math.imul(key, secret) >>> groupShift]++;
      numbers[length++] = i;
    }
    for (let group = 0; group < groups; group++) {
      const many = places[group];
      places[group] = start;
      start += many;
    }
    for (let i = 0; i < length; i++) {
      const number = numbers[i];
      ordered[places[Math.imul(keys[number], secret) >>> groupShift]++] = number;
    }
    // Each place has become the end of its group.
    start = 0;
    let looked = 0;
    for (let group = 0; group < groups; group++) {
      const end = places[group];
      const set = end - start > FEW && new ObjectSet(end - start);
      for (let i = start; i < end; i++) {
        if (i === looked) {
          // They are far from each other in memory. The processor waits for many of them at a time where nothing else is asked of them.
          looked = Math.min(i + TOGETHER, length);
          for (let k = i; k < looked; k++) if (typeof list[ordered[k]] === "object") this.looks++;
        }
        const object = list[ordered[i]];
        if (set) {
          if (!set.add(object)) return true;
        } else for (let k = start; k < i; k++) if (list[ordered[k]] === object) return true;
      }
      start = end;
    }
    return false;
  }
}
