// The comparison that each candidate of the benchmark has to pass: what it overlooks, a candidate may lose.
import { expect, test } from "vitest";
import { benchModule } from "./modules.ts";

const { firstDifference } = await benchModule("deep-equal");

/** With a hole behind the first. */
const withHole = (first: unknown, last: unknown) => Object.assign(new Array(3), { 0: first, 2: last });
const view = (...bytes: number[]) => new DataView(new Uint8Array(bytes).buffer);

test.each<[string, unknown, unknown, string | null]>([
  ["an array that came back typed", { a: [1, 2] }, { a: new Float64Array([1, 2]) }, ".a: Array became Float64Array"],
  ["a typed array that came back as an array", new Uint8Array(2), [0, 0], "(root): Uint8Array became Array"],
  ["another type", new Uint8Array(2), new Int8Array(2), "(root): Uint8Array became Int8Array"],
  ["views of other bytes", [view(1, 2)], [view(1, 3)], "[0][1]: 2 became 3"],
  ["views of other lengths", view(1), view(1, 2), "(root): 1 elements became 2"],
  ["views of the same bytes", view(1, 2), new DataView(new Uint8Array([9, 1, 2]).buffer, 1), null],
  ["undefined that became a hole", [undefined], new Array(1), "(root): element 0 became a hole"],
  ["a hole that became undefined", withHole(1, 2), [1, undefined, 2], "(root): element 1 was a hole"],
  ["the same holes", withHole(1, 2), withHole(1, 2), null],
])("lists are compared with their kinds and all that they hold: %s", (_, original, copy, difference) => {
  expect(firstDifference(original, copy)).toBe(difference);
});

test("a candidate that is stated to lose typed arrays may give them as arrays, with the same elements", () => {
  const loses = { typedArrays: false };
  expect(firstDifference(new Uint8Array([1, 2]), [1, 2], loses)).toBeNull();
  expect(firstDifference([1, 2], new Uint8Array([1, 3]), loses)).toBe("[1]: 2 became 3");
});
