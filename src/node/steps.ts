// One algorithm, two ways to run it: a generator that yields whatever the file system answered, a value or a promise of one.
// The rules of a safe save are then written, and tested, once.

import { isFunction } from "./options.ts";

export type Eventually<T> = T | Promise<T>;
export type Steps<T> = Generator<unknown, T, unknown>;

/** Inside steps: the answer itself. */
export function* answer<T>(given: Eventually<T>): Generator<unknown, T, unknown> {
  return (yield given) as T;
}

export async function runSteps<T>(steps: Steps<T>): Promise<T> {
  let step = steps.next();
  while (!step.done) {
    let value: unknown;
    try {
      value = await step.value;
    } catch (error) {
      step = steps.throw(error);
      continue;
    }
    step = steps.next(value);
  }
  return step.value;
}

export function runStepsSync<T>(steps: Steps<T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next(step.value);
  return step.value;
}

/** `given`, but not longer than until the signal. What comes without waiting is taken as it is. */
export function orAborted<T>(given: Eventually<T>, signal: AbortSignal | undefined): Eventually<T> {
  if (!signal || !isFunction((given as PromiseLike<T> | undefined)?.then)) return given;
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop);
    Promise.resolve(given)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", stop));
  });
}

export const ignore = (): void => {};
/** Nobody waits for it, and its failure changes nothing. */
export function forget(promise: unknown): void {
  Promise.resolve(promise).then(ignore, ignore);
}
