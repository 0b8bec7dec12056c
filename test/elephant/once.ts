// What several tests read and none changes is made once for all of them.
import { afterAll } from "vitest";

/** Gives what `make` returns, which is called for the first that asks. It is dropped behind the tests of the suite around, so that no collection looks at it any more. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  afterAll(() => {
    made = undefined;
  });
  return () => (made ??= { value: make() }).value;
}
