// Which containers a write has met, and their numbers (formats/elephant.md §7). A Map or Set of all of them costs more than the rest of a
// write (about 100 ns each). Here they are found by a key made of a few of their values, which is exact, because only the very same object
// counts. All it takes is that a container has the same key each time it is met; user code that runs in between could spoil that, so
// then a Map takes over.
//
// Nearly all containers are new. That a key is new is told by a bitmap small enough for the second cache. Only when one has come before, its
// chain has to be looked at, and the containers since the last such case are put into theirs, all at once, so that the processor
// waits for many places of memory at a time. (An open hash table, looked at for each container, took 2 to 3 times as long.)

/** So many are compared one by one before the table is begun: small saves never need it. */
const FEW = 8;
/** Bits of the bitmap for each container (and each chain): 2^3. */
const CHAIN_SHIFT = 3;
const SMALLEST_BITS = 12;
/** From here on it grows to twice the size, before to four times. */
const LARGE_BITS = 18;
/** A table for more containers is not kept for the next write. */
const KEPT = 1 << 20;

const double = new Float64Array(1);
const words = new Int32Array(double.buffer);
const isArray = Array.isArray;

/** Adds a number to a key. */
export function mixNumber(key: number, value: number): number {
  double[0] = Number.isNaN(value) ? 0 : value;
  const h = Math.imul(key ^ words[0], 0x2c1b3c6d) + Math.imul(words[1], 0x297a2d39);
  return h ^ (h >>> 15);
}

/** Adds a string to a key: its length and a few characters; ids and paths differ in the last ones. */
export function mixText(key: number, text: string): number {
  const n = text.length;
  if (n === 0) return Math.imul(key, 11);
  let last = text.charCodeAt(n - 1);
  if (n > 3) last ^= (text.charCodeAt(n - 2) << 7) ^ (text.charCodeAt(n - 3) << 14) ^ (text.charCodeAt(n - 4) << 21);
  else if (n > 1) last ^= (text.charCodeAt(0) << 7) ^ (text.charCodeAt(1) << 14);
  const h = Math.imul(key ^ last, 0x297a2d39) + Math.imul(text.charCodeAt(n >> 1) ^ (n << 16), 0x85ebca6b);
  return h ^ (h >>> 15);
}

/** Adds a value of any kind to a key. */
export function mix(key: number, value: unknown): number {
  if (typeof value === "number") return mixNumber(key, value);
  if (typeof value === "string") return mixText(key, value);
  if (typeof value === "boolean") return Math.imul(key, value ? 5 : 3);
  if (isArray(value)) {
    const first = value.length > 0 ? value[0] : undefined;
    return mixNumber(
      typeof first === "number" ? mixNumber(key, first) : typeof first === "string" ? mixText(key, first) : key,
      value.length,
    );
  }
  return Math.imul(key, 7);
}

/** Adds a value that may be a struct: of it, the first member that is a number or a string. */
function mixDeeply(key: number, value: unknown): number {
  if (typeof value !== "object" || value === null || isArray(value) || ArrayBuffer.isView(value)) return mix(key, value);
  let left = 3;
  for (const name in value) {
    const member = (value as Record<string, unknown>)[name];
    if (typeof member === "number") return mixNumber(key, member);
    if (typeof member === "string") return mixText(key, member);
    if (--left === 0) break;
  }
  return Math.imul(key, 7);
}

/** The key of containers that values do not tell apart: they are put into the Set at once. */
const ALIKE = 0;

export function keyOfArray(array: readonly unknown[]): number {
  const n = array.length;
  if (n === 0) return ALIKE;
  const first = array[0];
  // One small number.
  if (n === 1 && typeof first === "number" && first <= 65536 && Number.isInteger(first)) return ALIKE;
  const key = mixDeeply(n, first);
  if (n === 1) return key;
  const both = mixDeeply(key, array[n - 1]);
  return n > 2 ? mix(both, array[n >> 1]) : both;
}

/** The key of a typed array, DataView or buffer. Shared memory may change at any time. */
export function keyOfBytes(bytes: Uint8Array): number {
  const n = bytes.length;
  return n === 0 || !(bytes.buffer instanceof ArrayBuffer) ? ALIKE : mixNumber(mixNumber(n, bytes[0]), bytes[n >> 1]);
}

/** What numbers containers by identity: a Map, or what takes its place in slices. */
export interface Identities {
  get(container: object): number | undefined;
  set(container: object, number: number): unknown;
}

export class Containers {
  /** How many have been met: the next one's number. */
  count = 0;
  private list: (object | undefined)[] = [];
  /** How many the table is made for; 0 when it is not in use. */
  private room = 0;
  private bits = SMALLEST_BITS;
  /** Which (mixed) keys there are. */
  private bitmap = new Int32Array(0);
  /** Number + 1 of the newest in each chain. */
  private heads = new Int32Array(0);
  /** By number: the key, and number + 1 of the next in the chain; 0 ends it. */
  private links = new Int32Array(FEW * 2);
  /** So many are in chains, or not to be put there. */
  private linked = 0;
  /** Those whose key another one has that is in a chain, e.g. all empty arrays but one. A Set is asked and told in one step. */
  private readonly alike = new Set<object>();
  private readonly alikeNumbers: number[] = [];
  /** Their numbers, as far as one of them was needed; all containers when {@link exact}. */
  private numbers: Identities = new Map<object, number>();
  /** How many of {@link alike} are in {@link numbers}. */
  private numbered = 0;
  /** Chosen keys must not be able to meet in one chain: odd, and multiplied by. */
  private readonly secret = (Math.random() * 2 ** 32) | 1;
  /** Is identity all that counts, because user code runs? */
  exact = false;

  /** Number of a container that has been met before; -1 for a new one, which gets the next number. */
  find(container: object, key: number): number {
    const { bitmap, count, secret } = this;
    if (count >= this.room || this.exact) return this.findOtherwise(container, key);
    if (key === ALIKE) return this.addAlike(container);
    const bit = Math.imul(key, secret) >>> (32 - this.bits);
    const word = bitmap[bit >>> 5];
    if ((word >>> bit) & 1) return this.findAlike(container, key, bit >>> CHAIN_SHIFT);
    bitmap[bit >>> 5] = word | (1 << bit);
    this.list[count] = container;
    this.links[count * 2] = key;
    this.count = count + 1;
    return -1;
  }

  private findOtherwise(container: object, key: number): number {
    const { count, list } = this;
    if (this.exact) {
      const number = this.numbers.get(container);
      if (number !== undefined) return number;
      this.numbers.set(container, count);
      this.count = count + 1;
      return -1;
    }
    if (count < FEW) {
      for (let i = 0; i < count; i++) if (list[i] === container) return i;
      this.links[count * 2] = key;
    } else {
      this.widen();
      return this.find(container, key);
    }
    list[count] = container;
    this.count = count + 1;
    return -1;
  }

  /** A container whose key, or one that looks like it, has come before. */
  private findAlike(container: object, key: number, chain: number): number {
    const { count, heads, links } = this;
    if (this.linked < count) this.link();
    for (let entry = heads[chain]; entry !== 0; entry = links[entry * 2 - 1]) {
      if (links[entry * 2 - 2] !== key) continue;
      return this.list[entry - 1] === container ? entry - 1 : this.addAlike(container);
    }
    links[count * 2] = key;
    links[count * 2 + 1] = heads[chain];
    heads[chain] = count + 1;
    this.linked = count + 1;
    this.list[count] = container;
    this.count = count + 1;
    return -1;
  }

  private addAlike(container: object): number {
    const { alike, count } = this;
    const { size } = alike;
    if (alike.add(container).size === size) return this.numberOfAlike(container);
    this.alikeNumbers.push(count);
    this.links[count * 2] = ALIKE;
    this.list[count] = container;
    this.count = count + 1;
    return -1;
  }

  private numberOfAlike(container: object): number {
    const { alikeNumbers, list, numbers } = this;
    for (; this.numbered < alikeNumbers.length; this.numbered++) {
      const number = alikeNumbers[this.numbered];
      numbers.set(list[number]!, number);
    }
    return numbers.get(container)!;
  }

  /** Puts those into their chains that have come since the last time. */
  private link(): void {
    const { bits, count, heads, links, secret } = this;
    for (let number = this.linked; number < count; number++) {
      const key = links[number * 2];
      if (key === ALIKE) continue;
      const chain = Math.imul(key, secret) >>> (32 - bits + CHAIN_SHIFT);
      links[number * 2 + 1] = heads[chain];
      heads[chain] = number + 1;
    }
    this.linked = count;
  }

  /** Begins the table, or makes a larger one. */
  private widen(): void {
    const { count, links, secret } = this;
    const begun = this.room > 0;
    if (begun) this.bits += this.bits < LARGE_BITS ? 2 : 1;
    const size = 1 << this.bits;
    this.room = size >>> CHAIN_SHIFT;
    if (this.bitmap.length !== size >>> 5) {
      this.bitmap = new Int32Array(size >>> 5);
      this.heads = new Int32Array(this.room);
      this.links = new Int32Array(this.room * 2);
      this.links.set(links.subarray(0, count * 2));
    }
    for (let number = 0; number < count; number++) {
      // The first few have been compared one by one, whatever their keys.
      if (!begun) for (let i = 0; i < number; i++) if (this.links[i * 2] === this.links[number * 2]) this.links[number * 2] = ALIKE;
      const key = this.links[number * 2];
      if (key === ALIKE) {
        if (!begun) this.alikeNumbers.push(number);
        this.alike.add(this.list[number]!);
        continue;
      }
      const bit = Math.imul(key, secret) >>> (32 - this.bits);
      this.bitmap[bit >>> 5] |= 1 << bit;
      this.links[number * 2 + 1] = this.heads[bit >>> CHAIN_SHIFT];
      this.heads[bit >>> CHAIN_SHIFT] = number + 1;
    }
    this.linked = count;
  }

  /** Other code is about to run and may change what keys are made of: from here on only identity counts. */
  beExact(numbers: Identities = new Map<object, number>()): void {
    if (this.exact) return;
    this.exact = true;
    this.numbers = numbers;
    const { count, list } = this;
    for (let number = 0; number < count; number++) numbers.set(list[number]!, number);
    this.forget(count);
  }

  /** The number of a container by identity alone, -1 for a new one, which stays new. */
  numberOf(container: object): number {
    this.beExact();
    return this.numbers.get(container) ?? -1;
  }

  /** Forgets all of them. */
  clear(): void {
    if (this.count === 0 && !this.exact) return;
    if (!this.exact) this.forget(this.count);
    else this.numbers = new Map();
    this.exact = false;
    this.count = 0;
  }

  /** Empties the table of `count` containers. */
  private forget(count: number): void {
    if (this.room > 0) {
      // A table far too large would be cleared again and again for small saves.
      if (this.room > KEPT || (count << 5 < this.room && this.bits > SMALLEST_BITS)) {
        this.bits = SMALLEST_BITS;
        this.bitmap = new Int32Array(0);
      } else {
        this.bitmap.fill(0);
        this.heads.fill(0);
      }
      this.room = 0;
      if (this.alike.size > 0) this.alike.clear();
      this.alikeNumbers.length = 0;
    }
    this.linked = 0;
    if (this.numbered > 0 && !this.exact) this.numbers = new Map();
    this.numbered = 0;
    if (count > KEPT) this.list = [];
    else this.list.fill(undefined, 0, count);
  }
}
