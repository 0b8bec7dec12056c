// Abort signals, also those of Chrome before 100 and of jsdom, which have no `throwIfAborted`.

/** Is it a signal, or none? */
export const isSignal = (given: unknown): boolean => given === null || typeof (given as AbortSignal | undefined)?.aborted === "boolean";

export function throwIfAborted(signal: AbortSignal | null | undefined): void {
  if (signal?.aborted) throw signal.reason;
}
