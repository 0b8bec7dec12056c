// Does a list of containers hold one of them twice, those aside whose key is ALIKE? Only those with the same key can be the same object, so equal keys are found first, by
// passes over an array of numbers: ten times as fast as asking a Set for each container, because no step waits for the one before.
import { ALIKE, KINDS, kindOfContainer } from "./container-keys.ts";

/** So many are compared each with each. */
const FEW = 16;
/** Bits of the bitmap for each key: 2^3. */
const BITS_SHIFT = 3;
const SMALLEST_BITS = 10;
/** Slots of the table for each suspicious key: at least 2. */
const SLOTS_SHIFT = 1;
/** Where more than half of so many or more share their keys, one looks for the kinds that do. */
const MANY = 1024;
/** At most 2^9 of them are looked at, and at most one in 2^4. */
const LOOKS_SHIFT = 9;
const BETWEEN_LOOKS = 1 << 4;
/** A kind is told by so many of them at least. */
const TELLING = 8;

/** Larger tables are not kept. */
const KEPT = 1 << 18;

function log2Above(count: number): number {
  return 32 - Math.clz32(count - 1);
}

/** An array of `length` zeros, the one given where that is long enough. */
function zeros(given: Int32Array, length: number): Int32Array {
  if (given.length !== length) return new Int32Array(length);
  return given.fill(0);
}

export class TwiceFinder {
  /** Chosen keys must not be able to meet: odd, and multiplied by. */
  private readonly secret = (Math.random() * 2 ** 32) | 1;
  private bitmap: Int32Array = new Int32Array(0);
  /** Bits of the suspicious keys: small enough for the first cache. */
  private marks: Int32Array = new Int32Array(0);
  private slots: Int32Array = new Int32Array(0);
  private firsts: Int32Array = new Int32Array(0);
  private suspects: Int32Array = new Int32Array(0);

  /**
   * Kinds of containers most of which share their keys with others, found in the last list: it takes longer to make and compare
   * their keys than to ask a Set.
   */
  alikeKinds: number[] = [];

  isAny(list: readonly object[], keys: Int32Array, count: number): boolean {
    this.alikeKinds = [];
    if (count > FEW) return this.isAnyOfMany(list, keys, count);
    for (let i = 1; i < count; i++) for (let j = 0; j < i; j++) if (keys[i] === keys[j] && list[i] === list[j]) return true;
    return false;
  }

  private isAnyOfMany(list: readonly object[], keys: Int32Array, count: number): boolean {
    const { secret } = this;
    const bits = Math.max(SMALLEST_BITS, log2Above(count) + BITS_SHIFT);
    const shift = 32 - bits;
    const bitmap = zeros(this.bitmap, 1 << (bits - 5));
    if (this.suspects.length < count) this.suspects = new Int32Array(count);
    const { suspects } = this;
    let found = 0;
    for (let i = 0; i < count; i++) {
      const key = keys[i];
      const bit = Math.imul(key, secret) >>> shift;
      const word = bitmap[bit >>> 5];
      if (((word >>> bit) & 1) === 0) bitmap[bit >>> 5] = word | (1 << bit);
      else if (key !== ALIKE) suspects[found++] = key;
    }
    const twice = found > 0 && this.compare(list, keys, count, found);
    if (!twice && count >= MANY && found > count >>> 1) this.findAlikeKinds(list, keys, count);
    this.bitmap = bitmap.length <= KEPT ? bitmap : new Int32Array(0);
    if (count > KEPT) this.suspects = this.slots = this.firsts = this.marks = new Int32Array(0);
    return twice;
  }

  private findAlikeKinds(list: readonly object[], keys: Int32Array, count: number): void {
    const { secret, slots } = this;
    const mask = slots.length - 1;
    const shift = Math.clz32(mask);
    const all = new Int32Array(KINDS);
    const alike = new Int32Array(KINDS);
    for (let i = 0; i < count; i += Math.max(BETWEEN_LOOKS, count >>> LOOKS_SHIFT)) {
      const key = keys[i];
      const kind = kindOfContainer(list[i]);
      if (key === ALIKE || kind < 0) continue;
      all[kind]++;
      let slot = Math.imul(key, secret) >>> shift;
      while (slots[slot] !== 0 && slots[slot] !== key) slot = (slot + 1) & mask;
      if (slots[slot] === key) alike[kind]++;
    }
    for (let kind = 0; kind < KINDS; kind++) if (all[kind] >= TELLING && alike[kind] * 4 > all[kind] * 3) this.alikeKinds.push(kind);
  }

  /** Compares the containers with one of the first `found` suspicious keys. */
  private compare(list: readonly object[], keys: Int32Array, count: number, found: number): boolean {
    const { secret, suspects } = this;
    const bits = Math.max(SMALLEST_BITS, log2Above(found) + SLOTS_SHIFT);
    const shift = 32 - bits;
    const mask = (1 << bits) - 1;
    const slots = zeros(this.slots, 1 << bits);
    // By slot: number + 1 of the first container with that key.
    const firsts = zeros(this.firsts, 1 << bits);
    const markBits = bits + BITS_SHIFT;
    const marks = zeros(this.marks, 1 << (markBits - 5));
    this.slots = slots;
    this.firsts = firsts;
    this.marks = marks;
    for (let i = 0; i < found; i++) {
      const key = suspects[i];
      const hash = Math.imul(key, secret);
      marks[hash >>> (32 - markBits + 5)] |= 1 << (hash >>> (32 - markBits));
      let slot = hash >>> shift;
      while (slots[slot] !== 0 && slots[slot] !== key) slot = (slot + 1) & mask;
      slots[slot] = key;
    }
    // All but the first of each key.
    const others = new Set<object>();
    let expected = 0;
    for (let i = 0; i < count; i++) {
      const key = keys[i];
      const hash = Math.imul(key, secret);
      if (key === ALIKE || ((marks[hash >>> (32 - markBits + 5)] >>> (hash >>> (32 - markBits))) & 1) === 0) continue;
      let slot = hash >>> shift;
      while (slots[slot] !== 0 && slots[slot] !== key) slot = (slot + 1) & mask;
      if (slots[slot] === 0) continue;
      const first = firsts[slot];
      if (first === 0) firsts[slot] = i + 1;
      else if (list[first - 1] === list[i] || others.add(list[i]).size !== ++expected) return true;
    }
    return false;
  }
}
