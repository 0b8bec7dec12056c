// Starting the package's own worker, or whatever script is named instead.
import { TuskError } from "../errors.ts";
import type { Port } from "./endpoint.ts";
import { type NodeThreads, nodeThreads } from "./node-threads.ts";

interface Platform {
  readonly Worker?: new (script: string | URL, options?: object) => Port;
  readonly process?: { readonly versions?: { readonly bun?: string; readonly deno?: string } };
}

/** Node's `Worker` with options that are not written where it is made. */
function withOptions({ Worker }: NodeThreads, options: object | undefined): Platform {
  return {
    Worker: class extends Worker {
      constructor(script: string | URL) {
        super(script, options);
      }
    },
  };
}

/** `options` go to the platform's `Worker`. */
export async function startWorker(script: string | URL | undefined, options: object | undefined): Promise<Port> {
  const web = globalThis as Platform;
  const { bun, deno } = web.process?.versions ?? {};
  try {
    // Bun and Deno have both kinds. Web workers of Bun keep the process alive, those of Deno are modules only.
    const threads = typeof web.Worker === "function" && !bun && !deno ? undefined : await nodeThreads();
    const platform: Platform = threads ?? web;
    if (platform.Worker && script !== undefined) return new platform.Worker(script, options);
    const { Worker } = threads ? withOptions(threads, options) : platform;
    // This very form is what bundlers look for: they put the script beside the bundle. Where the script's place is named in another way too, some
    // put it there twice, and webpack leaves the path that it had on the machine of whoever built the bundle.
    if (Worker) return new Worker(new URL("./worker-thread.js", import.meta.url));
  } catch (cause) {
    throw new TuskError("tusk", "worker", "the worker could not be started", { cause });
  }
  throw new TuskError("tusk", "worker", "there are no workers here");
}
