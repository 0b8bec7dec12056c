// The comparison that most other tests rest on.
import { describe, expect, test } from "vitest";
import { Scalar } from "./codec.ts";
import { differences } from "./compare.ts";

class Thing {
  id = 1;
}
class Other {
  id = 1;
}

const shared = { a: 1 };
const graph = () => ({ list: [{ id: 1, at: { x: 0.5 } }, new Thing(), [1, "two", undefined, true]], text: "é", zero: 0 });
const twice = () => {
  const one = { a: 1 };
  return { first: one, second: one, third: { a: 1 } };
};
const circle = () => {
  const one: Record<string, unknown> = { name: "one" };
  one.other = { back: one, list: [one] };
  return one;
};

const DIFFERENT: Record<string, [expected: unknown, actual: unknown, told: string]> = {
  "a number": [{ a: [1] }, { a: [2] }, ".a[0]: expected 1, got 2"],
  "the sign of zero": [{ a: 0 }, { a: -0 }, ".a: expected 0, got -0"],
  "no number": [{ a: Number.NaN }, { a: 0 }, ".a: expected NaN, got 0"],
  text: [{ a: "b" }, { a: "c" }, '.a: expected "b", got "c"'],
  kinds: [{ a: 1 }, { a: "1" }, '.a: expected 1, got "1"'],
  "a member too few": [{ a: 1, b: undefined }, { a: 1 }, '(root): member "b" is missing'],
  "a member too many": [{ a: 1 }, { a: 1, b: undefined }, '(root): member "b" is too many'],
  "another member": [{ a: 1 }, { b: 1 }, '(root): member "a" is missing'],
  "an element too many": [[1], [1, 2], "(root): expected 1 elements, got 2"],
  "a struct for an array": [{ a: [] }, { a: {} }, ".a: expected array, got struct"],
  "a struct for nothing": [{ a: undefined }, { a: {} }, ".a: expected undefined, got a struct"],
  "a struct for an instance": [new Thing(), { id: 1 }, "(root): expected instance of Thing, got struct"],
  "an instance of another class": [new Thing(), new Other(), "(root): expected instance of Thing, got instance of Other"],
  "a typed array": [[1], Uint8Array.of(1), "(root): expected array, got Uint8Array"],
  "a shared struct that is two": [twice(), { first: { a: 1 }, second: { a: 1 }, third: { a: 1 } }, "shared with something else"],
  "two structs that are one": [{ first: { a: 1 }, second: { a: 1 } }, { first: shared, second: shared }, "shared with something else"],
  "sharing elsewhere": [twice(), { first: { a: 1 }, second: shared, third: shared }, "shared with something else"],
  "a circle that is none": [circle(), { name: "one", other: { back: circle(), list: [] } }, "shared with something else"],
};

describe("differences", () => {
  test.each(Object.keys(DIFFERENT))("%s", (name) => {
    const [expected, actual, told] = DIFFERENT[name];
    // The second time it is known what was expected.
    for (let i = 0; i < 2; i++) {
      expect(differences(expected, expected)).toEqual([]);
      expect(differences(expected, actual).join("\n")).toContain(told);
    }
  });

  test.each([graph, twice, circle])("none between two graphs that are alike", (make) => {
    const expected = make();
    for (let i = 0; i < 3; i++) expect(differences(expected, make())).toEqual([]);
  });

  test("what is expected may change between two comparisons", () => {
    const expected = { list: [{ a: 1 }, { a: 2 }], last: {} as object };
    expect(differences(expected, structuredClone(expected))).toEqual([]);
    const before = structuredClone(expected);
    expected.last = expected.list[0];
    expect(differences(expected, before).length).toBeGreaterThan(0);
    expect(differences(expected, structuredClone(expected))).toEqual([]);
    expected.list.reverse();
    expect(differences(expected, structuredClone(expected))).toEqual([]);
    expected.list.push({ a: 3 });
    expect(differences(expected, before).length).toBeGreaterThan(0);
    expect(differences(expected, structuredClone(expected))).toEqual([]);
    expected.list.length = 1;
    expect(differences(expected, structuredClone(expected))).toEqual([]);
  });

  test("options", () => {
    expect(differences({ a: 5n }, { a: 5 })).toEqual([]);
    expect(differences({ a: 5 }, { a: 5n })).toHaveLength(1);
    expect(differences({ a: 5 }, { a: 5n }, { numbers: "values" })).toEqual([]);
    expect(differences({ a: new Scalar("u8", 5) }, { a: 5 })).toEqual([]);
    expect(differences([undefined], [null])).toHaveLength(1);
    expect(differences([undefined], [null], { nullIsUndefined: true })).toEqual([]);
    expect(differences({ a: undefined }, {}, { missingIsUndefined: true })).toEqual([]);
    expect(differences([1, 2], Uint8Array.of(1, 2), { typedArrays: true })).toEqual([]);
    expect(differences([1, 2], Uint8Array.of(1, 3), { typedArrays: true })).toEqual(["[1]: expected 2, got 3"]);
  });
});
