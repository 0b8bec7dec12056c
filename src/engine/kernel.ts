// The one place that knows how a kernel is loaded. A kernel is a WebAssembly module built from `assembly/<name>/`, or, where
// WebAssembly is refused (a page with `script-src 'self'`), the same sources without SIMD translated to JavaScript.
import { TuskError } from "../errors.ts";
import { bytesIn } from "./given-bytes.ts";
import { unpackBytes } from "./packed-bytes.ts";
import { isStackEnd } from "./platform-text.ts";

export type EngineKind = "wasm" | "js";

/** What a format hands in: its module in both forms. */
export interface KernelSource {
  readonly name: string;
  /** As `scripts/pack-bytes.mjs` packs it. */
  readonly wasm: string;
  /** Makes an instance of the translation to JavaScript. */
  readonly scalar: () => Record<string, unknown>;
}

export interface KernelOptions {
  /** Default `"auto"`: wasm, or js where WebAssembly is refused. */
  engine?: "auto" | EngineKind | undefined;
  /** Default: the inlined module. Bytes, or a compiled module (for one compilation shared by several workers). */
  wasm?: BufferSource | WebAssembly.Module | undefined;
}

/** The growable memory of either engine. `buffer` is another object after every growth. */
export interface KernelMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

export type KernelExports<E> = E & { readonly memory: KernelMemory };

/** Makes instances of one kernel; each instance has its own memory. */
export interface Kernel<E> {
  readonly engine: EngineKind;
  instantiate(): KernelExports<E>;
}

/** The inlined modules, compiled once for each realm. */
const compiled = new Map<KernelSource, WebAssembly.Module>();

function inlinedModule(source: KernelSource): WebAssembly.Module {
  const module = compiled.get(source) ?? new WebAssembly.Module(unpackBytes(source.wasm));
  compiled.set(source, module);
  return module;
}

function kernelOf<E>(module: WebAssembly.Module): Kernel<E> {
  return {
    engine: "wasm",
    // The platform's own instance: @assemblyscript/loader would put a function around each export, which costs at every call. Kernels import nothing.
    instantiate: () => new WebAssembly.Instance(module).exports as unknown as KernelExports<E>,
  };
}

function scalarKernel<E>(source: KernelSource): Kernel<E> {
  return { engine: "js", instantiate: () => source.scalar() as unknown as KernelExports<E> };
}

let allowed: boolean | undefined;

/**
 * May this realm compile WebAssembly? A policy shows itself only when one tries, and browsers report each refusal to the page's owner
 * (`securitypolicyviolation`, `report-to`), so it is asked once, whatever number of codecs and formats there are.
 */
export function wasmAllowed(): boolean {
  if (typeof WebAssembly !== "object") return false;
  if (allowed === undefined) {
    try {
      new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
      allowed = true;
    } catch (error) {
      if (!isStackEnd(error)) allowed = false;
    }
  }
  return allowed === true;
}

/** Has the page's policy refused WebAssembly? False as long as nobody has asked. */
export function wasmRefused(): boolean {
  return allowed === false;
}

/** Loads a kernel without waiting. */
export function loadKernelSync<E>(source: KernelSource, options: KernelOptions = {}): Kernel<E> {
  const { engine = "auto", wasm } = options;
  if (engine === "js" || (engine === "auto" && !wasmAllowed())) return scalarKernel(source);
  try {
    // As bytes, since V8 takes no DataView. What has none is a module, of whatever realm; one that is none cannot be instantiated.
    const bytes = bytesIn(wasm) as BufferSource | undefined;
    return kernelOf(wasm === undefined ? inlinedModule(source) : bytes ? new WebAssembly.Module(bytes) : (wasm as WebAssembly.Module));
  } catch (cause) {
    if (isStackEnd(cause)) throw cause;
    if (engine === "auto" && wasm === undefined) return scalarKernel(source);
    throw new TuskError("tusk", "engine", `the ${source.name} WebAssembly module cannot be compiled`, { cause });
  }
}

/** A kernel that is loaded when it is first needed. */
export function kernelLater<E>(load: () => Kernel<E>): Kernel<E> {
  let kernel: Kernel<E> | undefined;
  const loaded = (): Kernel<E> => (kernel ??= load());
  return {
    get engine() {
      return loaded().engine;
    },
    instantiate: () => loaded().instantiate(),
  };
}

/** As {@link loadKernelSync}, compiling off the main thread where the platform does. */
export async function loadKernel<E>(source: KernelSource, options: KernelOptions = {}): Promise<Kernel<E>> {
  const { engine, wasm } = options;
  if (engine !== "js" && wasmAllowed() && (wasm || !compiled.has(source)))
    try {
      const module = await WebAssembly.compile(wasm === undefined ? unpackBytes(source.wasm) : (bytesIn(wasm) as BufferSource));
      if (wasm !== undefined) return kernelOf(module);
      compiled.set(source, module);
    } catch {
      // A compiled module is none to compile. What is none at all is said without waiting.
    }
  return loadKernelSync(source, options);
}
