// A map of any number of objects: V8's own throw a RangeError where they would hold more than 2^24 entries, and a save may have more containers.

export class LargeMap {
  #full = [];
  #last = new Map();

  has(key) {
    return this.#last.has(key) || this.#full.some((map) => map.has(key));
  }

  get(key) {
    if (this.#full.length === 0) return this.#last.get(key);
    return [this.#last, ...this.#full].find((map) => map.has(key))?.get(key);
  }

  /** For a key that is not in it. */
  set(key, value) {
    try {
      this.#last.set(key, value);
    } catch {
      this.#full.push(this.#last);
      this.#last = new Map([[key, value]]);
    }
  }
}
