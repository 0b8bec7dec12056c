// The yardstick itself: the notation builds what it says, and the comparison sees every kind of difference.

import { describe, expect, test } from "vitest";
import { Scalar, type ScalarDatatype } from "./codec.ts";
import { type CompareOptions, differences } from "./compare.ts";
import { buildClasses, buildValue, type Notation, toNotation } from "./notation.ts";
import { loadVectorSets } from "./vector-files.ts";

const scalar = (datatype: string, value: number) => Scalar(datatype as ScalarDatatype, value);

describe("notation", () => {
  test("every value of the vectors survives the way to JavaScript and back", () => {
    let seen = 0;
    for (const { vectors } of loadVectorSets()) {
      for (const vector of vectors) {
        if (vector.value === undefined) continue;
        const classes = buildClasses(vector.ctors);
        const value = buildValue(vector.value, classes);
        expect(differences(value, buildValue(toNotation(value, classes), classes)), vector.name).toEqual([]);
        seen++;
      }
    }
    expect(seen).toBeGreaterThan(600);
  });

  test.each<[string, Notation, unknown]>([
    ["$f64", { $f64: "8000000000000000" }, -0],
    ["$i64", { $i64: "-123" }, -123n],
    ["null", null, undefined],
    ["repeat", { $arr: 0, repeat: [2, { $arr: null, v: [] }], v: [5] }, [[], [], 5]],
    ["gen", { $obj: 0, gen: { prefix: "k", count: 2, value: true }, v: [["z", null]] }, { k0: true, k1: true, z: undefined }],
  ])("%s", (_, notation, value) => {
    expect(buildValue(notation)).toStrictEqual(value);
  });

  test("$ref is the same object, also an enclosing one, and repeat makes separate ones", () => {
    const value = buildValue({
      $arr: 0,
      repeat: [2, { $obj: null, v: [] }],
      v: [{ $obj: 1, v: [["up", { $ref: 0 }]] }, { $ref: 1 }],
    }) as unknown[];
    expect(value[0]).not.toBe(value[1]);
    expect(value[2]).toBe(value[3]);
    expect((value[2] as { up: unknown }).up).toBe(value);
  });

  test("$new has exactly the members given, no defaults, and __proto__ is one like any other", () => {
    const classes = buildClasses({ C: { defaults: [["a", 1]] } });
    const value = buildValue({ $new: 0, c: "C", v: [["__proto__", 5]] }, classes) as object;
    expect(Object.getOwnPropertyNames(value)).toStrictEqual(["__proto__"]);
    expect(Object.getPrototypeOf(value)).toBe(classes.C!.prototype);
    expect({ ...(new classes.C!() as object) }).toStrictEqual({ a: 1 });
  });
});

describe("comparison", () => {
  const shared = [1];
  class A {}
  class B {}
  const differ: [string, unknown, unknown, CompareOptions?][] = [
    ["numbers", 1, 2],
    ["0 and -0", 0, -0],
    ["NaN and a number", Number.NaN, 0],
    ["a number and a bool", 1, true],
    ["a number and a string", 5, "5"],
    ["a number and a bigint", 5, 5n],
    ["a bigint and another number", 5n, 6],
    ["a bigint and a fraction", 5n, 5.5],
    ["undefined and null", undefined, null],
    ["undefined and a missing element", [undefined], []],
    ["a missing member", { a: 1 }, {}],
    ["a member too many", {}, { a: 1 }],
    ["an undefined member that is missing", { a: undefined }, {}],
    ["an array and a struct", [], {}],
    ["a struct and an instance", {}, new A()],
    ["instances of two classes", new A(), new B()],
    ["sharing that is lost", [shared, shared], [[1], [1]]],
    ["sharing that is new", [[1], [1]], [shared, shared]],
    ["sharing of another object", [shared, [2], shared], [shared, [1], [1]]],
    ["a deep difference", { a: [{ b: 1 }] }, { a: [{ b: 2 }] }],
    ["a typed array for a plain one", [1], Uint8Array.of(1)],
    ["elements of a typed array", [1, 2], Uint8Array.of(1, 3), { typedArrays: true }],
    ["values of Scalars", scalar("s32", 5), scalar("s32", 6)],
    ["numeric values by value", 5, 6, { numbers: "values" }],
  ];
  test.each(differ)("sees %s", (_, expected, actual, options) => {
    expect(differences(expected, actual, options)).not.toEqual([]);
  });

  const cycle: unknown[] = [];
  cycle.push(cycle);
  const otherCycle: unknown[] = [];
  otherCycle.push(otherCycle);
  const equal: [string, unknown, unknown, CompareOptions?][] = [
    ["NaN", Number.NaN, Number.NaN],
    ["member order", { a: 1, b: 2 }, { b: 2, a: 1 }],
    ["a Scalar as a number", scalar("s32", 5), 5],
    ["a number as a Scalar", 5, scalar("u8", 5)],
    ["a u32 field, which the notation gives as int64", 4294967295n, 4294967295],
    ["the flag member, which may be dropped", { __Elephant_Version_Verbose__: undefined }, {}],
    ["cycles", cycle, otherCycle],
    ["a null-prototype object as a struct", {}, Object.create(null)],
    ["null for undefined in JSON text", [undefined], [null], { nullIsUndefined: true }],
    ["typed arrays where allowed", [1, 2], Float64Array.of(1, 2), { typedArrays: true }],
    ["same-numeric", 5, 5n, { numbers: "values" }],
  ];
  test.each(equal)("accepts %s", (_, expected, actual, options) => {
    expect(differences(expected, actual, options)).toEqual([]);
  });

  test("names the place of a difference", () => {
    expect(differences({ entities: [{}, { name: "a" }] }, { entities: [{}, { name: "b" }] })).toEqual([
      '.entities[1].name: expected "a", got "b"',
    ]);
  });
});
