// Sets and maps by identity that take what one of the platform cannot: V8's hold 16,777,216 entries, and a save may have more containers.

/** Is the platform's set or map full? */
function isFull(error: unknown): boolean {
  return error instanceof RangeError;
}

export class LargeSet {
  private last = new Set<object>();
  private readonly sets = [this.last];

  has(container: object): boolean {
    for (const set of this.sets) if (set.has(container)) return true;
    return false;
  }

  /** For a container that is not there yet. */
  add(container: object): void {
    try {
      this.last.add(container);
    } catch (error) {
      if (!isFull(error)) throw error;
      this.sets.push((this.last = new Set([container])));
    }
  }
}

export class LargeMap<T> {
  size = 0;
  private last = new Map<object, T>();
  private readonly maps = [this.last];

  get(container: object): T | undefined {
    for (const map of this.maps) {
      const found = map.get(container);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** For a container that is not there yet. */
  set(container: object, value: T): void {
    try {
      this.last.set(container, value);
    } catch (error) {
      if (!isFull(error)) throw error;
      this.maps.push((this.last = new Map([[container, value]])));
    }
    this.size++;
  }
}
