// A set of objects in several Sets: tables of more than 128 KB get memory of their own from the system, and a Set that grows makes one after the other, each
// twice as large. Up to 40,000 objects are told apart faster by several that have to be asked one after the other.
const PART = 4096;
const MOST_PARTS = 10;

export class ObjectSet {
  size = 0;
  /** The last one is being filled. */
  parts = [new Set()];

  /** @param {number} expected how many will come, as far as that is known */
  constructor(expected = 0) {
    this.most = expected > PART * MOST_PARTS ? 1 : MOST_PARTS + 1;
  }

  /** False when it is there already. */
  add(object) {
    const { parts } = this;
    const before = parts.length - 1;
    for (let i = 0; i < before; i++) if (parts[i].has(object)) return false;
    const last = parts[before];
    const { size } = last;
    if (last.add(object).size === size) return false;
    this.size++;
    if (size + 1 === PART && parts.length < this.most) parts.push(new Set());
    return true;
  }

  /** In the order in which they came; those that come meanwhile, too. */
  *values() {
    for (const part of this.parts) yield* part;
  }
}
