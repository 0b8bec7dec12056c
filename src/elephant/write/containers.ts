// Which containers a write has met, and their numbers (formats/elephant.md §7). A Map or Set of all of them costs more than the rest of a
// write (70 to 450 ns each). Three ways are cheaper or safer, by turns:
//
// - Trusting. Most saves are trees. Containers and their keys (container-keys.ts) are only listed; from time to time, and at the end, one
//   looks whether any of them stands there twice (container-twice.ts). Those that have no key go into a set, hundreds at a time. Where
//   writes lately listed few no keys are made, and all of them are compared one by one; with more the write begins anew. A container that
//   holds another one need not be listed: who is met twice is met with all that it holds, down to one that holds none. That is so for
//   members that are the same when they are asked for again, and for containers that are whole before user code runs, before they nest too
//   deeply for calls and before one refers to what is around it; else all are listed when they begin (listAll). If one comes twice, the
//   write begins anew, and so does every later one of that codec until one has met no container twice, by
// - numbering: found by its key, which is exact, because only the very same object counts. Nearly all containers are new. That a key
//   is new is told by a bitmap small enough for the second cache. Only when one has come before, its chain has to be looked at, and the
//   containers since the last such case are put into theirs, all at once, so that the processor waits for many places of memory at a time.
// - exact: a Map. The other two take it that a container has the same key each time it is met; where user code runs in between it may not.
import { empty } from "../../graph/elements.ts";
import { REFERABLE } from "../../graph/referable.ts";
import { ALIKE } from "./container-keys.ts";
import { FEW, TwiceFinder } from "./container-twice.ts";
import { ObjectSet } from "./object-set.ts";

/** Thrown where trust was misplaced: the write has to begin anew. */
export const AGAIN = Symbol("a container occurs twice");

/** Bits of the bitmap for each container (and each chain): 2^3. */
const CHAIN_SHIFT = 3;
const SMALLEST_BITS = 12;
/** After so many writes one tries again without a list of all containers, and without keys: the program's data may have changed. */
const LISTING_WRITES = 16;
/** From here on it grows to twice the size, before to four times. */
const LARGE_BITS = 18;
/** So many are put into a set in one go: each step waits for memory, and the processor does so for several at a time when nothing stands between them. */
const TOGETHER = 512;
/** A table for more containers is not kept for the next write. */
const KEPT = 1 << 20;

/** What numbers containers by identity: a Map, or what takes its place in slices. */
export interface Identities {
  get(container: object): number | undefined;
  set(container: object, number: number): unknown;
}

export class Containers {
  /** How many have been met: the next one's number. */
  count = 0;
  /** With trust those that are listed, else all of them by number. */
  private list: (object | undefined)[] = [];
  /** How many the table is made for; 0 when it is not in use. */
  private room = 0;
  private bits = SMALLEST_BITS;
  /** Which (mixed) keys there are. */
  private bitmap = new Int32Array(0);
  /** Number + 1 of the newest in each chain. */
  private heads = new Int32Array(0);
  /** By number: the key, and number + 1 of the next in the chain; 0 ends it. */
  private links = new Int32Array(0);
  /** So many are in chains, or not to be put there. */
  private linked = 0;
  /** Those without a key, like empty arrays, and those whose key another one has that is in a chain. */
  private alike = new ObjectSet();
  private readonly alikeNumbers: number[] = [];
  /** Their numbers, as far as one of them was needed; all containers when {@link exact}. */
  private numbers: Identities = new Map<object, number>();
  /** How many of {@link alike} are in {@link numbers}. */
  private numbered = 0;
  /** Chosen keys must not be able to meet in one chain: odd, and multiplied by. */
  private readonly secret = (Math.random() * 2 ** 32) | 1;
  /** Numbers of containers that references were written to: places that mostly have such ask for them before they make a key. */
  readonly repeated = new Map<object, number>();
  /** Is identity all that counts, because user code runs? */
  exact = false;

  // ---- trusting ----
  private trusting = true;
  /** ... and all containers are listed. */
  private listing = false;
  /** How many are listed. */
  private listed = 0;
  /** Was a container met twice, in this write? */
  private shared = false;
  private keys = new Int32Array(FEW);
  private writes = 0;
  /** Are there expected to be {@link FEW} that are listed, because the last write that was looked at had no more? With one more the write begins anew. Never without trust. */
  few = false;
  private readonly twice = new TwiceFinder();
  /** Those that {@link alike} is still to be asked for: so many as wait. */
  private readonly unasked: object[] = [];
  private waiting = 0;

  /** Are all containers to be looked for, or listed, when they begin? The same throughout an attempt, once there are any. */
  get early(): boolean {
    return this.listing || !this.trusting;
  }

  /** Number of a container that has been met before; -1 for a new one, which gets the next number. */
  find(container: object, key: number): number {
    if (!this.trusting) {
      const number = this.lookUp(container, key);
      if (number >= 0) this.shared = true;
      return number;
    }
    this.count++;
    this.enlist(container, key);
    return -1;
  }

  /**
   * Lists a container. One that holds another need not be listed, only counted: who is met twice is met with all it holds. Not where containers are to be
   * listed {@link early}.
   */
  enlist(container: object, key: number): void {
    const { listed } = this;
    this.listed = listed + 1;
    if (listed === this.keys.length) this.lengthen();
    this.keys[listed] = key;
    this.list[listed] = container;
    if (key === ALIKE && !this.few) this.addUnique(container);
  }

  /**
   * Something comes for which all containers have to be listed, in the order in which they begin: user code, or a depth at which one has to leave
   * containers before they are whole. The write begins anew if they are not.
   */
  listAll(): void {
    if (this.early || this.count === 0) return;
    this.listing = true;
    throw AGAIN;
  }

  /** A container whose key says nothing. */
  private addUnique(container: object): void {
    this.unasked[this.waiting++] = container;
    if (this.waiting === TOGETHER) this.ask();
  }

  /** Of those that wait for it. */
  ask(): void {
    const { alike, unasked, waiting } = this;
    if (waiting === 0) return;
    this.waiting = 0;
    if (!alike.addAll(unasked, waiting)) this.beginAgain();
  }

  /** {@link find} without a key, for one whose key tells nothing: its number, or -1 where it is new or trusted to be. */
  met(container: object): number {
    if (this.exact) return this.numberOf(container);
    return !this.trusting && this.alike.has(container) ? this.again(this.alikeNumber(container)) : -1;
  }

  /** That a container with this number has been met again. */
  again(number: number): number {
    if (this.trusting) this.beginAgain();
    this.shared = true;
    return number;
  }

  /** That an open one with this number is referred to from within. Trust in the rest may go on where all are listed. */
  around(number: number): number {
    if (!this.trusting) return number;
    this.listAll();
    // Too large a number may be one that counts what has come twice.
    if (number >= REFERABLE) this.check();
    return number;
  }

  private beginAgain(): never {
    this.trusting = this.few = false;
    throw AGAIN;
  }

  private lengthen(): void {
    if (this.few) {
      this.few = false;
      throw AGAIN;
    }
    const { keys } = this;
    this.keys = new Int32Array(keys.length * 2);
    this.keys.set(keys);
  }

  /**
   * Has trust been justified so far? Else {@link AGAIN}. To be asked before the output has become much larger than it was at the last time:
   * what is shared may unfold to any size.
   */
  check(): void {
    this.ask();
    if (this.trusting && this.twice.isAny(this.list as object[], this.keys, this.listed)) this.beginAgain();
  }

  private lookUp(container: object, key: number): number {
    const { bitmap, count, secret } = this;
    if (count >= this.room || this.exact) return this.findSlow(container, key);
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

  private findSlow(container: object, key: number): number {
    if (!this.exact) {
      this.widen();
      return this.lookUp(container, key);
    }
    const number = this.numberOf(container);
    if (number < 0) this.numbers.set(container, this.count++);
    return number;
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
    const { count } = this;
    if (!this.alike.add(container)) return this.alikeNumber(container);
    this.alikeNumbers.push(count);
    this.links[count * 2] = ALIKE;
    this.list[count] = container;
    this.count = count + 1;
    return -1;
  }

  private alikeNumber(container: object): number {
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
    if (this.room > 0) this.bits += this.bits < LARGE_BITS ? 2 : 1;
    const size = 1 << this.bits;
    this.room = size >>> CHAIN_SHIFT;
    if (this.bitmap.length !== size >>> 5) {
      this.bitmap = new Int32Array(size >>> 5);
      this.heads = new Int32Array(this.room);
      this.links = new Int32Array(this.room * 2);
      this.links.set(links.subarray(0, count * 2));
    }
    for (let number = 0; number < count; number++) {
      const key = this.links[number * 2];
      if (key === ALIKE) continue;
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
    this.listAll();
    this.check();
    this.exact = true;
    this.numbers = numbers;
    const { count } = this;
    for (let number = 0; number < count; number++) numbers.set(this.list[number]!, number);
    this.forget(count);
    this.trusting = this.few = false;
  }

  /** The number of a container by identity alone, -1 for a new one, which stays new. */
  numberOf(container: object): number {
    this.beExact();
    return this.numbers.get(container) ?? -1;
  }

  /** Forgets all of them, at the end of a write. */
  clear(): void {
    if (!this.exact) this.forget(this.count);
    else {
      this.numbers = new Map();
      this.trusting = !this.shared;
    }
    if (this.repeated.size > 0) this.repeated.clear();
    this.exact = false;
    this.count = this.listed = 0;
    this.shared = false;
  }

  /** The write has succeeded: what the next one may take for granted. */
  learn(): void {
    this.trusting ||= !this.shared;
    if (++this.writes % LISTING_WRITES > 0) return;
    this.few = this.trusting && this.listed <= FEW;
    if (this.keys.length > FEW) this.keys = new Int32Array(FEW);
    this.listing = false;
  }

  /** Empties the table of `count` containers. */
  private forget(count: number): void {
    if (this.room > 0) {
      // A table far too large would be cleared again and again for small saves.
      if (this.room > KEPT || (count << 5 < this.room && this.bits > SMALLEST_BITS)) {
        this.bits = SMALLEST_BITS;
        this.bitmap = this.heads = this.links = new Int32Array(0);
      } else {
        this.bitmap.fill(0);
        this.heads.fill(0);
      }
      this.room = 0;
      this.alikeNumbers.length = 0;
    }
    // The next one will probably hold as many.
    if (this.alike.size > 0) this.alike = new ObjectSet(this.alike.size);
    empty(this.unasked);
    if (this.numbered > 0 && !this.exact) this.numbers = new Map();
    this.linked = this.waiting = this.numbered = 0;
    const inList = this.listed || count;
    if (inList > KEPT) {
      this.list = [];
      this.keys = new Int32Array(FEW);
    } else for (let i = 0; i < inList; i++) this.list[i] = undefined;
  }
}
