// One end of a connection, the same for web workers, Node's worker_threads and message ports.

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
  close?(): void;
  terminate?(): unknown;
}

/** Either end of a connection: a worker, the thread that started it, or a message port. */
export type Port = WebPort | NodePort;

export interface Endpoint {
  post(message: unknown, transfer: readonly unknown[]): void;
  /** Stops listening. */
  detach(): void;
  /** Stops the other side, if it is a worker. */
  stop(): void;
  /** May the process end although this connection is open? (Node) */
  hold(pending: boolean): void;
}

/** Listens at a port. `failed`: the other side is gone, or a message could not be understood. */
export function connect(port: Port, received: (data: unknown) => void, failed: (reason: unknown) => void): Endpoint {
  const post = (message: unknown, transfer: readonly unknown[]): void => port.postMessage(message, transfer as never[]);
  const unreadable = (): void => failed("a message could not be cloned");
  if ("on" in port && typeof port.on === "function") {
    const exit = (code: number): void => failed(`the worker ended with exit code ${code}`);
    const closed = (): void => failed("the port was closed");
    const events: [string, Listener][] = [
      ["message", received],
      ["messageerror", unreadable],
      ["error", failed],
      ["exit", exit],
      ["close", closed],
    ];
    for (const [event, listener] of events) port.on(event, listener);
    return {
      post,
      detach: () => {
        for (const [event, listener] of events) port.off(event, listener);
      },
      stop: () => void (port.terminate ? port.terminate() : port.close?.()),
      hold: (pending) => (pending ? port.ref?.() : port.unref?.()),
    };
  }
  const web = port as WebPort;
  const message = (event: { data: unknown }): void => received(event.data);
  const error = (event: { error?: unknown; message?: string }): void =>
    failed(event.error ?? event.message ?? "the worker's script could not be loaded");
  web.addEventListener("message", message);
  web.addEventListener("messageerror", unreadable);
  web.addEventListener("error", error);
  web.start?.();
  return {
    post,
    detach: () => {
      web.removeEventListener("message", message);
      web.removeEventListener("messageerror", unreadable);
      web.removeEventListener("error", error);
    },
    stop: () => (web.terminate ? web.terminate() : web.close?.()),
    hold: () => {},
  };
}
