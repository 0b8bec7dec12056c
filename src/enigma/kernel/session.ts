// The kernel's instances: loaded at the first call, kept for the next, one for each use that goes on at the same time (a getter
// of a game that is being written may read or write another save).

import { instantiateScalar } from "../../engine/generated/enigma-scalar.js";
import { packedWasm } from "../../engine/generated/enigma-wasm.ts";
import { type EngineKind, type KernelExports, type KernelSource, loadKernelSync } from "../../engine/kernel.ts";

/** What the kernel exports; addresses are byte offsets in its memory. */
export interface EnigmaKernel {
  resetObjects(): void;
  /** Record of an object index, or the free slot for it. */
  objectRecord(index: number): number;
  sha1Reset(): void;
  /** Takes a multiple of 64 bytes. */
  sha1Blocks(address: number, length: number): void;
  /** Parses up to `max` instances between two addresses; the status words say how far it came. Returns their number. */
  parseInstances(from: number, to: number, max: number): number;
  /** Writes the instances between two bytes of the tape to the window; the status words say how far it came. Returns the bytes. */
  writeInstances(from: number, to: number): number;
}

const source: KernelSource = { name: "enigma", wasm: packedWasm, scalar: instantiateScalar };

/** One instance of the kernel with views of its memory, which never grows again. */
export class Session {
  readonly kernel: KernelExports<EnigmaKernel>;
  readonly u8: Uint8Array<ArrayBuffer>;
  readonly u32: Uint32Array<ArrayBuffer>;
  readonly i32: Int32Array<ArrayBuffer>;
  readonly f64: Float64Array<ArrayBuffer>;
  readonly i64: BigInt64Array<ArrayBuffer>;
  readonly u64: BigUint64Array<ArrayBuffer>;
  readonly view: DataView<ArrayBuffer>;

  constructor(kernel: KernelExports<EnigmaKernel>) {
    this.kernel = kernel;
    const { buffer } = kernel.memory;
    this.u8 = new Uint8Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.i32 = new Int32Array(buffer);
    this.f64 = new Float64Array(buffer);
    this.i64 = new BigInt64Array(buffer);
    this.u64 = new BigUint64Array(buffer);
    this.view = new DataView(buffer);
  }
}

const idle = new Map<"auto" | EngineKind, Session[]>();

function acquire(engine: "auto" | EngineKind): Session {
  const waiting = idle.get(engine)?.pop();
  if (waiting) return waiting;
  return new Session(loadKernelSync<EnigmaKernel>(source, { engine }).instantiate());
}

/** A session that is taken when first needed and given back at the end, however the work ends. */
export class SessionLease {
  private readonly engine: "auto" | EngineKind;
  private held: Session | undefined;

  constructor(engine: "auto" | EngineKind) {
    this.engine = engine;
  }

  get session(): Session {
    return (this.held ??= acquire(this.engine));
  }

  release(): void {
    if (!this.held) return;
    const list = idle.get(this.engine);
    if (!list) idle.set(this.engine, [this.held]);
    // More than two at once means nested uses; their memory is let go.
    else if (list.length < 2) list.push(this.held);
    this.held = undefined;
  }
}
