// Does a list of containers hold one of them twice, those aside whose key is ALIKE? Only those with the same key can be the same object, so equal keys are found first, in
// two passes over an array of numbers: ten times as fast as asking a Set for each container, because no step waits for the one before.
import { ALIKE, KINDS, kindOfContainer } from "./container-keys.ts";

/** Room for so many at least. */
const FEW = 4;
/** Bits for each container, 2^3 to 2^4: few keys meet by chance, and those of 65,536 containers stay in the second cache. */
const BITS_SHIFT = 3;
const MOST_BITS = 27;
/** Where more than half of so many or more share their keys, one looks for the kinds that do. */
const MANY = 1024;
/** At most 2^9 of them are looked at, and at most one in 2^4. */
const LOOKS_SHIFT = 9;
const BETWEEN_LOOKS = 1 << 4;
/** A kind is told by so many of them at least. */
const TELLING = 8;
/** Larger bitmaps (in words) are not kept. */
const KEPT = 1 << 18;

export class TwiceFinder {
  /** Chosen keys must not be able to meet: odd, and multiplied by. */
  private readonly secret = (Math.random() * 2 ** 32) | 1;
  /** Bits of the keys that have come, and of those that may have come again. */
  private seen = new Int32Array(0);
  private again = new Int32Array(0);
  /**
   * Kinds of containers most of which share their keys with others, found in the last list: it takes longer to make and compare
   * their keys than to ask a Set.
   */
  alikeKinds: number[] = [];

  isAny(list: readonly object[], keys: Int32Array, count: number): boolean {
    const { secret } = this;
    const bits = Math.min(32 - Math.clz32(count | FEW) + BITS_SHIFT, MOST_BITS);
    const shift = 32 - bits;
    if (this.alikeKinds.length > 0) this.alikeKinds = [];
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
    const bits = 32 - Math.clz32(met * 3);
    const mask = (2 << bits) - 1;
    /** An open table, at most two thirds in use: a key, and the number of the first container that has it. */
    const slots = new Int32Array(mask + 1);
    /** All but the first of each key. */
    const others = new Set<object>();
    let expected = 0;
    for (let i = 0; i < count; i++) {
      const key = keys[i];
      if (key === ALIKE) continue;
      const hash = Math.imul(key, secret);
      const bit = hash >>> shift;
      if (((again[bit >>> 5] >>> bit) & 1) === 0) continue;
      let slot = (hash >>> (32 - bits)) << 1;
      while (slots[slot] !== 0 && slots[slot] !== key) slot = (slot + 2) & mask;
      if (slots[slot] === 0) {
        slots[slot] = key;
        slots[slot + 1] = i;
      } else if (list[slots[slot + 1]] === list[i] || others.add(list[i]).size !== ++expected) return true;
    }
    if (count >= MANY && expected > count >>> 1) this.findAlikeKinds(list, keys, count, slots);
    return false;
  }

  private findAlikeKinds(list: readonly object[], keys: Int32Array, count: number, slots: Int32Array): void {
    const { secret } = this;
    const mask = slots.length - 1;
    const shift = Math.clz32(mask) + 1;
    const all = new Int32Array(KINDS);
    const alike = new Int32Array(KINDS);
    for (let i = 0; i < count; i += Math.max(BETWEEN_LOOKS, count >>> LOOKS_SHIFT)) {
      const key = keys[i];
      const kind = kindOfContainer(list[i]);
      if (key === ALIKE || kind < 0) continue;
      all[kind]++;
      let slot = (Math.imul(key, secret) >>> shift) << 1;
      while (slots[slot] !== 0 && slots[slot] !== key) slot = (slot + 2) & mask;
      if (slots[slot] === key && slots[slot + 1] !== i) alike[kind]++;
    }
    for (let kind = 0; kind < KINDS; kind++) if (all[kind] >= TELLING && alike[kind] * 5 > all[kind] * 3) this.alikeKinds.push(kind);
  }
}
