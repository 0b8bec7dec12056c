// Time: when a slice is over, and how others get their turn.
import { throwIfAborted, whenAborted } from "../../signals.ts";
import type { SliceOptions } from "./options.ts";

/** What the codec itself does in a slice then stays below 8 ms, cold or warm (bench/async-slices.mjs). */
const DEFAULT_MS = 2;

const now: () => number = typeof performance === "object" ? () => performance.now() : Date.now;

/** The default pause is one turn of the event loop in which everything that has waited runs first: timers, input, painting. */
const turn: () => Promise<void> = (() => {
  const immediate = (globalThis as { setImmediate?: (action: () => void) => unknown }).setImmediate;
  if (immediate) return () => new Promise((resolve) => immediate(resolve));
  // `scheduler.yield` would come back before timers and messages that have waited longer; a message of its own queues up with them.
  if (typeof MessageChannel === "function") {
    let port: MessagePort | undefined;
    const waiting: (() => void)[] = [];
    return () =>
      new Promise((resolve) => {
        if (!port) {
          const channel = new MessageChannel();
          channel.port1.onmessage = () => waiting.shift()!();
          port = channel.port2;
        }
        waiting.push(resolve);
        port.postMessage(0);
      });
  }
  return () => new Promise((resolve) => setTimeout(resolve, 0));
})();

export class Slicer {
  readonly ms: number;
  readonly signal: AbortSignal | undefined;
  private readonly pauseOnce: () => PromiseLike<unknown>;
  private start = now();

  constructor(options: SliceOptions) {
    this.ms = options.sliceMs ?? DEFAULT_MS;
    this.signal = options.signal;
    this.pauseOnce = options.pause ?? turn;
    throwIfAborted(this.signal);
  }

  /** Is the slice over? */
  readonly due = (): boolean => now() - this.start >= this.ms;

  /** Milliseconds that this slice has taken. */
  readonly spent = (): number => now() - this.start;

  /** Lets others run. */
  async pause(): Promise<void> {
    await this.wait(this.pauseOnce);
    this.begin();
  }

  /** A slice begins. */
  begin(): void {
    this.start = now();
  }

  /** What `work` gives, but not longer than until the signal, behind which none is begun. */
  async wait<T>(work: () => T | PromiseLike<T>): Promise<T> {
    const { signal } = this;
    throwIfAborted(signal);
    if (!signal) return work();
    let forget: (() => void) | undefined;
    return new Promise<T>((resolve, reject) => {
      forget = whenAborted(signal, () => reject(signal.reason));
      Promise.resolve(work()).then(resolve, reject);
    }).finally(forget);
  }
}
