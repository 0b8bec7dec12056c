// Abort signals, also those of Chrome before 100 and of jsdom, which have no `throwIfAborted`.

/** Is it a signal, or none? */
export const isSignal = (given: unknown): boolean => given === null || typeof (given as AbortSignal | undefined)?.aborted === "boolean";

export function throwIfAborted(signal: AbortSignal | null | undefined): void {
  if (signal?.aborted) throw signal.reason;
}

/** What is to be done for each signal that somebody waits for. */
const told = new WeakMap<AbortSignal, Set<() => void>>();

function tell(this: AbortSignal): void {
  for (const stop of told.get(this)!) stop();
}

/**
 * Calls `stop` when the signal is aborted; what is returned takes that back. A signal has one listener for all: each listener more would take time in
 * proportion to those that are there, and Node takes eleven for a leak.
 */
export function whenAborted(signal: AbortSignal, stop: () => void): () => void {
  const all = told.get(signal) ?? new Set();
  told.set(signal, all.add(stop));
  signal.addEventListener("abort", tell);
  return () => {
    all.delete(stop);
    if (all.size === 0) signal.removeEventListener("abort", tell);
  };
}
