// A set of objects. Tables of a Set that are larger than 128 KB get memory of their own from the system, and as a Set grows it makes one after the
// other, each twice as large, and puts all objects into it anew: up to 40,000 objects take two to five times as long in one Set as in several, though
// each of these has to be asked.

/** Objects of one Set: as many as a table of 128 KB holds. */
const PART = 4096;
/** More are not asked: they become one, which grows. */
const MOST_PARTS = 10;
/** But to no more than V8's Sets can hold; another one comes then. */
const MOST = 1 << 24;

export class ObjectSet {
  size = 0;
  private parts: Set<object>[] = [];
  private last = new Set<object>();
  /** How many the last one takes. */
  private room: number;

  /** `expected`: how many will come, as far as that is known. */
  constructor(expected = 0) {
    this.room = expected > PART * MOST_PARTS ? MOST : PART;
  }

  /** Adds the first `count` of `objects`. False when one of them is there already, or comes twice; the set is then of no use. */
  addAll(objects: readonly object[], count: number): boolean {
    this.size += count;
    if (this.last.size + count > this.room) this.begin();
    const { last, parts } = this;
    for (const part of parts) for (let i = 0; i < count; i++) if (part.has(objects[i])) return false;
    const size = last.size + count;
    for (let i = 0; i < count; i++) last.add(objects[i]);
    return last.size === size;
  }

  /** False when it is there already. */
  add(object: object): boolean {
    if (this.last.size === this.room) this.begin();
    const { last, parts } = this;
    for (let i = 0; i < parts.length; i++) if (parts[i].has(object)) return false;
    const { size } = last;
    if (last.add(object).size === size) return false;
    this.size++;
    return true;
  }

  has(object: object): boolean {
    const { last, parts } = this;
    for (let i = 0; i < parts.length; i++) if (parts[i].has(object)) return true;
    return last.has(object);
  }

  /** Another Set, or one for all where these are too many. */
  private begin(): void {
    const { last, parts } = this;
    if (parts.length < MOST_PARTS) {
      parts.push(last);
      this.last = new Set();
    } else {
      for (const part of parts) for (const object of part) last.add(object);
      parts.length = 0;
      this.room = MOST;
    }
  }
}
