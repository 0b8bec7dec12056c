// What the tests of reading and writing in slices have in common: a graph of some size, its save, and how to wait and fail.
import { expect } from "vitest";
import { createElephantSync, LONG_RUN, TuskError } from "./codec.ts";

export const CODEC = createElephantSync();
/** A pause behind every unit of work. */
export const FINEST = { sliceMs: 0 };

export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.fail("a rejection was expected"),
    (error: unknown) => error,
  );
}

export async function rejectionOf(promise: Promise<unknown>, code: string): Promise<TuskError> {
  const error = await rejection(promise);
  if (!(error instanceof TuskError)) expect.fail(`a TuskError was expected, got ${String(error)}`);
  expect(error.code).toBe(code);
  return error;
}

export function entities(count: number): { id: number; name: string; at: { x: number; y: number }; tags: string[] }[] {
  return Array.from({ length: count }, (_, id) => ({ id, name: `entity ${id}`, at: { x: id / 3, y: -id }, tags: ["a", `b${id % 7}`] }));
}

export const WORLD = {
  entities: entities(LONG_RUN ? 3000 : 1500),
  text: "naïve 🐘".repeat(20_000),
  numbers: Array.from({ length: 5000 }, (_, i) => i * 1.5),
};
export const SAVE = CODEC.write(WORLD);

/** Lets others run a few times. */
export async function turns(count = 3): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise(setImmediate);
}
