// Recursion without the host stack: a function that descends is a generator that yields its sub-calls, and `run` keeps the calls on
// a heap-allocated stack. Deep data then costs memory, never a stack overflow.

/** A descending computation of a `T`; it yields other computations and is resumed with their results. */
// biome-ignore lint/suspicious/noExplicitAny: the result of a yield has the type of the yielded computation, which TypeScript cannot say
export type Descent<T> = Generator<Descent<any>, T, any>;

/** Runs a computation to its end. */
export function run<T>(root: Descent<T>): T {
  const calls: Descent<unknown>[] = [root];
  let result: unknown;
  for (;;) {
    const step = calls[calls.length - 1].next(result);
    if (step.done) {
      result = step.value;
      calls.pop();
      if (calls.length === 0) return result as T;
    } else {
      calls.push(step.value);
      result = undefined;
    }
  }
}
