// Instances of the kernel with their views. A call takes one and gives it back, so that a call made inside another (by a getter of the
// structure that is being written) has its own.
//
// The objects that work with an instance live as long as it does. Made anew for each call they would be garbage after it, and with them
// the engine's hidden classes and all code that was optimized for these: decoding took twice the time.
import { instantiateScalar } from "../engine/generated/ds-scalar.js";
import { packedWasm } from "../engine/generated/ds-wasm.ts";
import { type Kernel, type KernelExports, loadKernelSync } from "../engine/kernel.ts";
import { ByteWriter } from "./byte-writer.ts";
import { HexSource } from "./hex-source.ts";
import type { DsEngineOptions } from "./types.ts";
import { ValueReader } from "./value-reader.ts";

/** The functions of `assembly/ds/index.ts`, which documents them. */
interface DsKernel {
  prepare(): void;
  unhex(chars: number, kept: number): number;
  hex(bytes: number): void;
  takeStrings(from: number, limit: number, values: number, layout: number): number;
}

export class Machine {
  readonly kernel: KernelExports<DsKernel>;
  readonly u8: Uint8Array<ArrayBuffer>;
  readonly i32: Int32Array<ArrayBuffer>;
  readonly view: DataView<ArrayBuffer>;
  readonly source: HexSource;
  readonly reader: ValueReader;
  readonly writer: ByteWriter;

  constructor(kernel: KernelExports<DsKernel>) {
    this.kernel = kernel;
    kernel.prepare();
    const { buffer } = kernel.memory;
    this.u8 = new Uint8Array(buffer);
    this.i32 = new Int32Array(buffer);
    this.view = new DataView(buffer);
    this.source = new HexSource(this);
    this.reader = new ValueReader(this);
    this.writer = new ByteWriter(this);
  }

  /** Forgets what it worked on, which must not live longer than the call. */
  letGo(): void {
    this.source.close();
    this.reader.clear();
    this.writer.close();
  }
}

const SOURCE = { name: "ds", wasm: packedWasm, scalar: instantiateScalar };
const kernels = new Map<string, Kernel<DsKernel>>();
const idle: Record<string, Machine[]> = { wasm: [], js: [] };
/**
 * More than this are let go again, of 320 KB each. Only nested calls need more than one; with fewer than a structure has levels, each text in it would
 * make an instance.
 */
const MAX_IDLE = 8;

/** Runs `work` with a kernel of its own. */
export function withMachine<T>(engine: DsEngineOptions["engine"] = "auto", work: (machine: Machine) => T): T {
  let kernel = kernels.get(engine);
  if (!kernel) kernels.set(engine, (kernel = loadKernelSync<DsKernel>(SOURCE, { engine })));
  const free = idle[kernel.engine];
  const machine = free.pop() ?? new Machine(kernel.instantiate());
  try {
    return work(machine);
  } finally {
    machine.letGo();
    if (free.length < MAX_IDLE) free.push(machine);
  }
}
