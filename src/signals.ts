// Abort signals, also those of Chrome before 100 and of jsdom, which have no `throwIfAborted`.

/** Is it a signal, or none? */
export const isSignal = (given: unknown): boolean =>
  given === null || (typeof (given as AbortSignal)?.aborted === "boolean" && typeof (given as AbortSignal).addEventListener === "function");

export function throwIfAborted(signal: AbortSignal | null | undefined): void {
  if (signal?.aborted) throw signal.reason;
}

/** What is to be done when a signal is aborted, and the listener that does it. */
interface Told {
  readonly all: Set<() => void>;
  readonly tell: () => void;
}
const told = new WeakMap<AbortSignal, Told>();

/**
 * Calls `stop` when the signal is aborted; what is returned takes that back. A signal has one listener for all: each listener more would take time in
 * proportion to those that are there, and Node takes eleven for a leak.
 */
export function whenAborted(signal: AbortSignal, stop: () => void): () => void {
  let found = told.get(signal);
  if (!found) {
    const all = new Set<() => void>();
    const tell = (): void => {
      for (const stop of all) stop();
    };
    told.set(signal, (found = { all, tell }));
  }
  const { all, tell } = found;
  if (all.add(stop).size === 1) signal.addEventListener("abort", tell);
  return () => {
    if (all.delete(stop) && all.size === 0) signal.removeEventListener("abort", tell);
  };
}
