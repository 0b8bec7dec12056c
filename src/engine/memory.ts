// Views over a kernel's memory. They come off when memory grows, so they are looked at anew after every call that may grow it.
import type { KernelMemory } from "./kernel.ts";

export class MemoryViews {
  readonly memory: KernelMemory;
  buffer!: ArrayBuffer;
  u8!: Uint8Array<ArrayBuffer>;
  u32!: Uint32Array<ArrayBuffer>;
  i32!: Int32Array<ArrayBuffer>;
  f64!: Float64Array<ArrayBuffer>;
  i64!: BigInt64Array<ArrayBuffer>;
  view!: DataView<ArrayBuffer>;

  /** Does growing leave the views that were there without bytes? Then that tells, and the memory need not be asked. */
  private readonly comesOff: boolean;

  constructor(memory: KernelMemory) {
    this.memory = memory;
    // Not asked of `WebAssembly`, of which there may be nothing or a part.
    this.comesOff = (memory as { [Symbol.toStringTag]?: string })[Symbol.toStringTag] === "WebAssembly.Memory";
    this.look(memory.buffer);
  }

  refresh(): void {
    if (this.comesOff && this.u8.length > 0) return;
    const { buffer } = this.memory;
    if (buffer !== this.buffer) this.look(buffer);
  }

  private look(buffer: ArrayBuffer): void {
    this.buffer = buffer;
    this.u8 = new Uint8Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.i32 = new Int32Array(buffer);
    this.f64 = new Float64Array(buffer);
    this.i64 = new BigInt64Array(buffer);
    this.view = new DataView(buffer);
  }
}
