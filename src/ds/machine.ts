// Instances of the kernel with their views. A call takes one and gives it back, so that a call made inside another (by a getter of the
// structure that is being written) has its own.
//
// The objects that work with an instance live as long as it does. Made anew for each call they would be garbage after it, and with them
// the engine's hidden classes and all code that was optimized for these: decoding took twice the time.
import { instantiateScalar } from "../engine/generated/ds-scalar.js";
import { packedWasm } from "../engine/generated/ds-wasm.ts";
import { type Kernel, type KernelExports, loadKernelSync } from "../engine/kernel.ts";
import { ValueBuilder } from "./build.ts";
import { HexSource } from "./hex-source.ts";
import { TapeWriter } from "./tape-writer.ts";
import type { DsEngineOptions } from "./types.ts";

/** The functions of `assembly/ds/index.ts`, which documents them. */
interface DsKernel {
  prepare(): number;
  startReading(bytes: number): void;
  startValues(offset: number, values: number, layout: number, maxDepth: number, maxValues: number): void;
  take(chars: number): number;
  skip(bytes: number): void;
  parse(): number;
  write(slots: number, legacy: number): number;
  writeRaw(bytes: number): number;
}

export class Machine {
  readonly kernel: KernelExports<DsKernel>;
  readonly readChars: number;
  readonly readBytes: number;
  readonly readTape: number;
  readonly readAscii: number;
  readonly readUnits: number;
  readonly writeTape: number;
  readonly writeAscii: number;
  readonly writeUnits: number;
  readonly writeBinary: number;
  readonly writeChars: number;
  u8!: Uint8Array<ArrayBuffer>;
  i32!: Int32Array<ArrayBuffer>;
  f64!: Float64Array<ArrayBuffer>;
  readonly source: HexSource;
  readonly builder = new ValueBuilder();
  readonly writer: TapeWriter;
  readonly #state: number;

  constructor(kernel: KernelExports<DsKernel>) {
    this.kernel = kernel;
    this.#state = (kernel.prepare() >>> 0) >>> 2;
    this.refresh();
    const address = (index: number) => this.state(index);
    this.readChars = address(0);
    this.readBytes = address(1);
    this.readTape = address(2);
    this.readAscii = address(3);
    this.readUnits = address(4);
    this.writeTape = address(5);
    this.writeAscii = address(6);
    this.writeUnits = address(7);
    this.writeBinary = address(8);
    this.writeChars = address(9);
    this.source = new HexSource(this);
    this.writer = new TapeWriter(this);
  }

  /** Takes new views when the memory has grown. */
  refresh(): void {
    const { buffer } = this.kernel.memory;
    if (this.u8?.buffer === buffer) return;
    this.u8 = new Uint8Array(buffer);
    this.i32 = new Int32Array(buffer);
    this.f64 = new Float64Array(buffer);
  }

  /** Forgets what it worked on, which must not live longer than the call. */
  letGo(): void {
    this.source.close();
    this.builder.clear();
    this.writer.close();
  }

  state(index: number): number {
    return this.i32[this.#state + index] >>> 0;
  }
}

const SOURCE = { name: "ds", packedWasm, instantiateScalar };
const kernels = new Map<string, Kernel<DsKernel>>();
const idle: Record<string, Machine[]> = { wasm: [], js: [] };
/** More than this are let go again: only nested calls need more than one. */
const MAX_IDLE = 2;

/** Runs `work` with a kernel of its own. */
export function withMachine<T>(engine: DsEngineOptions["engine"], work: (machine: Machine) => T): T {
  const wanted = engine ?? "auto";
  let kernel = kernels.get(wanted);
  if (!kernel) kernels.set(wanted, (kernel = loadKernelSync<DsKernel>(SOURCE, { engine: wanted })));
  const free = idle[kernel.engine];
  const machine = free.pop() ?? new Machine(kernel.instantiate());
  try {
    return work(machine);
  } finally {
    machine.letGo();
    // A memory that a very deep input has grown is not kept.
    if (free.length < MAX_IDLE && machine.u8.length < 1 << 22) free.push(machine);
  }
}
