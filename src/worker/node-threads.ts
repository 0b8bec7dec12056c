// node:worker_threads, without an import that a bundler for the web would stumble over.
import type { NodePort } from "./endpoint.ts";

export interface NodeThreads {
  readonly parentPort: NodePort | null;
  readonly Worker: new (file: string | URL, options?: object) => NodePort;
}

interface Builtins {
  getBuiltinModule?(name: string): unknown;
  versions?: { node?: string };
}

/** Node's threads have no such global. */
export const inWebWorker = (): boolean => typeof (globalThis as { WorkerGlobalScope?: unknown }).WorkerGlobalScope === "function";

/** Undefined where there is no Node. A promise in releases before 20.16 and 22.3. */
export function nodeThreads(): NodeThreads | Promise<NodeThreads> | undefined {
  const { process } = globalThis as { process?: Builtins };
  if (!process?.versions?.node) return undefined;
  const name = "node:worker_threads";
  if (process.getBuiltinModule) return process.getBuiltinModule(name) as NodeThreads;
  // It may have Node's process, but none of its modules; and what it is sent comes before one could know.
  if (inWebWorker()) return undefined;
  return import(/* @vite-ignore */ /* webpackIgnore: true */ name) as Promise<NodeThreads>;
}
