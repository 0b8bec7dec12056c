// Numbers of containers by identity, for writes in slices and for the paths of errors. One Map stops the thread while it grows: putting 130,000 entries
// into its next size takes 6 ms, half a million 30 ms. Several of bounded size never do, and lookups ask each of them.

/** Entries of the first maps; growing to it takes about 2 ms. It is also how many containers may occur again at all (formats/elephant.md §7). */
const FIRST = 1 << 16;
/** So many maps of one size, then twice the size: lookups in graphs of many millions of containers must not become too many. */
const OF_A_SIZE = 8;

export class IdentityTable {
  private last = new Map<object, number>();
  private readonly maps = [this.last];
  private room = FIRST;

  get(container: object): number | undefined {
    for (const map of this.maps) {
      const found = map.get(container);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** For a container that is not known yet. */
  set(container: object, number: number): void {
    if (this.last.size >= this.room) {
      this.last = new Map();
      if (this.maps.length % OF_A_SIZE === 0) this.room *= 2;
      this.maps.push(this.last);
    }
    this.last.set(container, number);
  }
}
