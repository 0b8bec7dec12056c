// One end of a connection, the same for web workers, Node's worker_threads and message ports.

import { ignore } from "../elephant/async/source.ts";
import { TuskError } from "../errors.ts";
import { isBuffer } from "./bytes.ts";
import { type AnyMessage, isMessage, TAG } from "./protocol.ts";

// biome-ignore lint/suspicious/noExplicitAny: events of either world
type Listener = (event: any) => void;

/** What is used of a web `Worker`, a `MessagePort`, or the global of a worker. */
export interface WebPort {
  postMessage(message: unknown, transfer: never[]): void;
  addEventListener(type: string, listener: Listener): void;
  removeEventListener(type: string, listener: Listener): void;
  start?(): void;
  close?(): void;
  terminate?(): void;
}

/** What is used of a `Worker` or `MessagePort` of `node:worker_threads`. */
export interface NodePort {
  postMessage(message: unknown, transfer: never[]): void;
  on(event: string, listener: Listener): unknown;
  off(event: string, listener: Listener): unknown;
  ref?(): void;
  unref?(): void;
  /** Of a `MessagePort`. */
  hasRef?(): boolean;
  /** Of a `Worker`; -1 when it has ended. */
  readonly threadId?: number;
  close?(): void;
  terminate?(): unknown;
}

/** Either end of a connection: a worker, the thread that started it, or a message port. */
export type Port = WebPort | NodePort;

export interface Posted {
  readonly kind: string;
  readonly [other: string]: unknown;
}

export interface Endpoint {
  /** Posts what is of the call `id`. */
  post(id: number, message: Posted, transfer?: readonly unknown[]): void;
  /** Posts what can be cloned in any case. A port of one's own may say that its other side is gone: then nobody has to be told. */
  tell(id: number, message: Posted): void;
  /** Stops listening. `quietly`: nobody has to hear of errors of the worker from here on. */
  detach(quietly?: boolean): void;
  /** Stops the other side, if it is a worker. */
  stop(): void;
  /** So many calls more are pending. Node: they keep the process alive, and it may end while no client of the port has any. */
  hold(more: number): void;
}

/** Calls that are pending, by port: clients may share one. */
const callsAt = new WeakMap<Port, number>();

/** Ports whose other side has begun. Until it has, an error that a web port tells of is that of its script. */
const begunAt = new WeakSet<Port>();

/**
 * Listens at a port. `failed`: the other side is gone, or a message could not be understood; `lost`: one of the call `id` could not. `begun`: has the other
 * side begun? In the worker it has, and an error is one of the worker's own.
 */
export function connect(
  port: Port,
  received: (message: AnyMessage) => void,
  failed: (reason: unknown) => void,
  lost: (id: number, error: TuskError) => void,
  begun: boolean,
): Endpoint {
  const either = port as Partial<WebPort & NodePort> | null | undefined;
  // There an `on` or a `start` is the program's own, whose script may be a classic one.
  const global = port === (globalThis as unknown);
  const node = !global && typeof either?.on === "function";
  if (typeof either?.postMessage !== "function" || !(node || typeof either.addEventListener === "function"))
    throw new TuskError("tusk", "bad-option", "a worker is a Worker, a MessagePort or a script");
  /** The call that the message is of which comes next; 0: of none. */
  let next = 0;
  const heard = (data: unknown): void => {
    next = 0;
    if (!isMessage(data)) return;
    if (data.kind === "next") next = data.id;
    else received(data);
  };
  // One that nests deeper than this thread's stack can follow, say.
  const unreadable = (): void => {
    const error = new TuskError("tusk", "worker", "a message could not be cloned; it may nest too deeply");
    if (next) lost(next, error);
    else failed(error.reason);
    next = 0;
  };
  if (begun) begunAt.add(port);
  // No web port tells of "exit", and not every browser of "close".
  const events: [string, Listener][] = [
    [
      "message",
      (event) => {
        begunAt.add(port);
        heard(node ? event : event.data);
      },
    ],
    ["messageerror", unreadable],
    [
      "error",
      // In a page a worker that has begun goes on after an error that nobody has caught.
      (event) => {
        if (node) failed(event);
        else if (!begunAt.has(port)) failed(event.error ?? event.message ?? "the worker's script could not be loaded");
      },
    ],
    ["exit", (code) => failed(`the worker ended with exit code ${code}`)],
    ["close", () => failed("the port was closed")],
  ];
  const listen = (method: string): void => {
    for (const event of events) (port as unknown as Record<string, (...event: [string, Listener]) => void>)[method](...event);
  };
  listen(node ? "on" : "addEventListener");
  if (!node && !global) either.start?.();
  const endpoint: Endpoint = {
    post(id, message, transfer = []) {
      try {
        // Node sends one that has been moved before, and the other side cannot read the message.
        for (const item of transfer) if (isBuffer(item)) new Uint8Array(item);
      } catch (cause) {
        throw new TuskError("tusk", "bad-option", "a buffer that is to be moved was moved before", { cause });
      }
      port.postMessage({ tag: TAG, id, kind: "next" }, []);
      port.postMessage({ tag: TAG, id, ...message }, transfer as never[]);
    },
    tell(id, message) {
      try {
        this.post(id, message);
      } catch {
        // Its other side is gone, and what was kept there, too.
      }
    },
    detach(quietly) {
      listen(node ? "off" : "removeEventListener");
      if (!(quietly && node && either.terminate)) return;
      // Node ends the process where nobody listens. Once, however many clients there were.
      either.off!("error", ignore);
      either.on!("error", ignore);
    },
    stop() {
      if (either.terminate) either.terminate();
      else either.close?.();
    },
    hold(more) {
      const calls = (callsAt.get(port) ?? 0) + more;
      callsAt.set(port, calls);
      if (node) either[calls > 0 ? "ref" : "unref"]?.();
    },
  };
  // A client looks whether the other side is gone, where that is known before anything was sent: what has ended already tells no listener of it.
  if (!begun) {
    if (node && either.threadId === -1) failed("the worker has ended");
    // A port that listens keeps the process alive, and that it does not is all that a closed one tells of itself.
    else if (node && !either.terminate && either.hasRef) {
      either.ref?.();
      if (!either.hasRef()) failed("the port was closed");
    }
    endpoint.hold(0);
  }
  return endpoint;
}
