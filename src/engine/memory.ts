// Views over a kernel's memory. They come off when memory grows, so they are looked at anew after every call that may grow it.
import type { KernelMemory } from "./kernel.ts";

export class MemoryViews {
  readonly memory: KernelMemory;
  buffer: ArrayBuffer;
  u8: Uint8Array<ArrayBuffer>;
  u32: Uint32Array<ArrayBuffer>;
  i32: Int32Array<ArrayBuffer>;
  f64: Float64Array<ArrayBuffer>;

  constructor(memory: KernelMemory) {
    this.memory = memory;
    this.buffer = memory.buffer;
    this.u8 = new Uint8Array(this.buffer);
    this.u32 = new Uint32Array(this.buffer);
    this.i32 = new Int32Array(this.buffer);
    this.f64 = new Float64Array(this.buffer);
  }

  refresh(): void {
    const buffer = this.memory.buffer;
    if (buffer === this.buffer) return;
    this.buffer = buffer;
    this.u8 = new Uint8Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.i32 = new Int32Array(buffer);
    this.f64 = new Float64Array(buffer);
  }
}
