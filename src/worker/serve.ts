// The worker's side: answers calls with the standard methods and those that a worker's own module adds.
import { checkOptions, limitsOf } from "../elephant/arguments.ts";
import { createElephantSync, type Elephant, type ElephantOptions } from "../elephant/codec.ts";
import { TuskError, type TuskWarning } from "../errors.ts";
import { connect, type Endpoint, type Port, type Posted } from "./endpoint.ts";
import { errorForm } from "./error-form.ts";
import { type Classes, marksOf, revive } from "./instances.ts";
import { inWebWorker, nodeThreads } from "./node-threads.ts";
import { type Request, SETUP, type Settings } from "./protocol.ts";
import { SERVE } from "./rules.ts";
import { STANDARD_METHODS } from "./standard-methods.ts";

/** What a method is told besides its arguments. */
export interface ServiceContext {
  /** The worker's codec. */
  readonly elephant: Elephant;
  /** Aborted when the client does not want the result any more. It is heard of only when the method lets the event loop turn. */
  readonly signal: AbortSignal;
  /** Tells the client's `onProgress`. */
  progress(progress: unknown): void;
  /** Tells the client's `onWarning`. */
  warn(warning: TuskWarning): void;
  /** The result's buffers in `list` are moved to the client, not copied; returns `value`. */
  transfer<T>(value: T, list: readonly unknown[]): T;
}

/**
 * A method of a worker: its result, or the promise of it, goes to the client by structured cloning; instances of registered classes,
 * `StructInstance`s, `Scalar`s and `NanBits` are made anew there.
 */
// biome-ignore lint/suspicious/noExplicitAny: each method has arguments of its own
export type ServiceMethod = (context: ServiceContext, ...args: any[]) => unknown;

/** Options of {@link serveTusk}; those of the codec come before the client's. */
export interface ServeOptions extends Pick<ElephantOptions, "constructors" | "unknownConstructor" | "limits" | "engine" | "wasm"> {
  /** What the client can {@link TuskWorker.call} by name. */
  methods?: Record<string, ServiceMethod> | undefined;
  /** Where calls come from. Default: whoever started this worker; a `MessagePort` serves anyone else (shared workers, tests). */
  port?: Port | undefined;
}

/**
 * Makes this worker answer a {@link TuskWorker}. Options given here come before those of the client. On the main thread, where nobody calls,
 * it does nothing. Error `bad-option` for methods that are no functions, limits and constructors that are no object and a port that is none; a client hears of
 * other options that mean nothing.
 *
 * Returns a function that ends it: calls under way, and later ones of the same clients, reject with code `worker`. A client that is made afterwards has nobody
 * to answer it.
 */
export function serveTusk(options: ServeOptions = {}): () => void {
  checkOptions(options, SERVE);
  const methods: Record<string, ServiceMethod> = { ...STANDARD_METHODS, ...options.methods };
  const clients = new Map<number, Served>();
  const running = new Map<number, AbortController>();
  let endpoint: Endpoint | undefined;
  let ended = false;

  const serve = (client: number, settings: Settings): Served => {
    const served = servedBy(options, settings);
    clients.set(client, served);
    return served;
  };

  const answer = async ({ id, client, method, args, marks }: Request): Promise<void> => {
    const controller = new AbortController();
    running.set(id, controller);
    const transfer: unknown[] = [];
    const post = (message: Posted, list?: readonly unknown[]): void => endpoint?.post(id, message, list);
    try {
      if (method === SETUP) {
        // Asked for its engine, the codec loads it now, and not in the first call.
        const { engine } = serve(client, args[0] as Settings).elephant;
        post({ kind: "result", value: [{ engine, methods: Object.keys(methods) }] });
        return;
      }
      if (!Object.hasOwn(methods, method)) throw new TuskError("tusk", "unknown-method", `this worker has no method "${method}"`);
      const { elephant, classes } = clients.get(client) ?? serve(client, { constructors: {} });
      revive(marks, classes);
      const context: ServiceContext = {
        elephant,
        signal: controller.signal,
        progress: (progress) => post({ kind: "progress", progress }),
        warn: (warning) => post({ kind: "warning", warning }),
        transfer: (value, list) => {
          transfer.push(...list);
          return value;
        },
      };
      // The value stands in an array, so that a mark can name its place.
      const value = [await methods[method](context, ...args)];
      post({ kind: "result", value, marks: marksOf(value, classes) }, transfer);
    } catch (error) {
      try {
        post({ kind: "error", error: errorForm(error) });
      } catch {
        endpoint?.tell(id, { kind: "error", error: { name: "Error", reason: "what it threw cannot be sent" } });
      }
    } finally {
      running.delete(id);
    }
  };

  const end = (): void => {
    ended = true;
    endpoint?.tell(0, { kind: "end" });
    endpoint?.detach();
    endpoint = undefined;
    for (const controller of running.values()) controller.abort();
    running.clear();
  };

  const listen = (port: Port): void => {
    endpoint = connect(
      port,
      (data) => {
        if (data.kind === "cancel") running.get(data.id)?.abort();
        else if (data.kind === "leave") clients.delete(data.id);
        else if (data.kind === "call") void answer(data);
      },
      end,
      (id, error) => endpoint!.tell(id, { kind: "error", error: errorForm(error) }),
      true,
    );
  };

  const { port } = options;
  if (port !== undefined) listen(port);
  else {
    const threads = nodeThreads();
    if (threads instanceof Promise) threads.then(({ parentPort }) => parentPort && !ended && listen(parentPort));
    else if (threads?.parentPort) listen(threads.parentPort);
    else if (inWebWorker()) listen(globalThis as unknown as Port);
  }
  return end;
}

/** What one client is served with. */
interface Served {
  readonly elephant: Elephant;
  readonly classes: Classes;
}

/** `first` with what `then` gives, which comes before it. */
function over<A extends object, B extends object>(first: A | undefined, then: B | undefined): A & B {
  return { ...first, ...Object.fromEntries(Object.entries({ ...then }).filter(([, given]) => given !== undefined)) } as A & B;
}

function servedBy(options: ServeOptions, settings: Settings): Served {
  const { unknownConstructor, limits, engine, wasm } = options;
  const known = Object.entries(over(settings.constructors, options.constructors));
  const constructors = Object.fromEntries(known.map(([name, given = class {}]) => [name, given]));
  const merged = over(settings, {
    unknownConstructor,
    engine,
    wasm,
    limits: limitsOf(limits, settings.limits),
    constructors,
  });
  return { elephant: createElephantSync(merged), classes: constructors };
}
