// What came of a call: the value, or the code and place of the error. Anything but a TuskError passes through and fails the test.
import { TuskError } from "./public.ts";

export interface Refused {
  code: string;
  offset?: number;
  path?: string;
}

export function refusalOf(work: () => unknown): Refused {
  try {
    work();
  } catch (error) {
    if (!(error instanceof TuskError)) throw error;
    const { code, offset, path } = error;
    return { code, ...(offset !== undefined && { offset }), ...(path !== undefined && { path }) };
  }
  throw new Error("expected an error");
}

export function outcomeOf<T>(work: () => T): { value: T } | { error: Refused } {
  let value: T;
  try {
    value = work();
  } catch (error) {
    return {
      error: refusalOf(() => {
        throw error;
      }),
    };
  }
  return { value };
}
