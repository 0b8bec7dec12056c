// Starting the package's own worker, or whatever script is named instead.
import { TuskError } from "../errors.ts";
import type { Port } from "./endpoint.ts";
import { nodeThreads } from "./node-threads.ts";

type WebWorker = new (script: string | URL, options?: object) => Port;

/** `options` go to the platform's `Worker`. */
export async function startWorker(script: string | URL | undefined, options: object | undefined): Promise<Port> {
  const { Worker } = globalThis as { Worker?: WebWorker };
  try {
    if (typeof Worker === "function") {
      if (script !== undefined) return new Worker(script, options);
      // This very form is what bundlers look for: they put the script beside the bundle.
      return new Worker(new URL("./worker-thread.js", import.meta.url));
    }
    const threads = await nodeThreads();
    if (threads) {
      // A form that bundlers do not look for: they would put the script beside the bundle a second time.
      const here = import.meta.url;
      return new threads.Worker(script ?? new URL("./worker-thread.js", here), options);
    }
  } catch (cause) {
    throw new TuskError("tusk", "worker", "the worker could not be started", { cause });
  }
  throw new TuskError("tusk", "worker", "there are no workers here");
}
