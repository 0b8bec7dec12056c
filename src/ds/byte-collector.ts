// Output of unknown length, as one array of bytes in the end.

/**
 * Blocks as large as all before them, but not more than this: few enough that the collector does not run for each (it did, for 56
 * percent of the time, with a block for every window of 600 MB), and little is left over in the last.
 */
const MAX_BLOCK = 1 << 25;

export class ByteCollector {
  private readonly full: Uint8Array<ArrayBuffer>[] = [];
  private block = new Uint8Array();
  private used = 0;
  private size = 0;

  add(bytes: Uint8Array): void {
    let from = 0;
    while (from < bytes.length) {
      if (this.used === this.block.length) this.next(bytes.length - from);
      const part = bytes.subarray(from, from + this.block.length - this.used);
      this.block.set(part, this.used);
      this.used += part.length;
      this.size += part.length;
      from += part.length;
    }
  }

  private next(needed: number): void {
    if (this.used > 0) this.full.push(this.block);
    this.block = new Uint8Array(Math.max(needed, Math.min(this.size, MAX_BLOCK)));
    this.used = 0;
  }

  /** All bytes; the collector is used up. */
  finish(): Uint8Array<ArrayBuffer> {
    if (this.full.length === 0 && this.used === this.block.length) return this.block;
    const bytes = new Uint8Array(this.size);
    let at = 0;
    for (let block = this.full.shift(); block; block = this.full.shift()) {
      bytes.set(block, at);
      at += block.length;
    }
    bytes.set(this.block.subarray(0, this.used), at);
    return bytes;
  }
}
