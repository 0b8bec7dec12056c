// `toEqual` can take longer than what it compares took to be made. Node's comparison, which is stricter, answers first; only where it says no is vitest asked.
import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";

/** What `toEqual` asks for. */
export function expectSame(found: unknown, wanted: unknown, message?: string): void {
  if (!isDeepStrictEqual(found, wanted)) expect(found, message).toEqual(wanted);
}

/** What `toStrictEqual` asks for. */
export function expectSameStrictly(found: unknown, wanted: unknown, message?: string): void {
  if (!isDeepStrictEqual(found, wanted)) expect(found, message).toStrictEqual(wanted);
}
