// Constructors, schemas and differences: one test per rule of formats/elephant.md §6, §8, §9 and §12.

import { describe, expect, test } from "vitest";
import { bytes, f64, file, hex, rootOf, text } from "./bytes.ts";
import {
  createElephantSync,
  type ElephantConstructor,
  type ElephantOptions,
  ENGINES,
  FORCE_VERSION,
  SCHEMA,
  Scalar,
  type ScalarDatatype,
  StructInstance,
  VERBOSE_EXCLUDE,
  VERSION_VERBOSE,
} from "./codec.ts";
import { expectError, failure } from "./expect-error.ts";

type Members = Record<string, unknown>;

/** A class with the given defaults and, if any, a schema. */
function classOf(schema: Members | undefined, defaults: Members = {}): ElephantConstructor {
  class Made {
    constructor() {
      Object.assign(this, defaults);
    }
  }
  if (schema) (Made as unknown as Members)[SCHEMA as unknown as string] = schema;
  return Made as unknown as ElephantConstructor;
}

function instance(Class: ElephantConstructor, members: Members): object {
  return Object.assign(Object.create(Class.prototype as object) as object, members);
}

describe.each(ENGINES)("engine %s", (engine) => {
  const create = (options: ElephantOptions = {}) => createElephantSync({ ...options, engine });
  /** Root bytes of one instance `C` of a class with this schema. */
  const writtenWith = (schema: Members | undefined, members: Members) => {
    const C = classOf(schema);
    return rootOf(create({ constructors: { C } }).write(instance(C, members)));
  };
  const HEAD = `CE FE FF 00 00 ${text("C")}`;

  describe("§6 constructed structs", () => {
    test("constructors are numbered in the order they are first written and named once", () => {
      const A = classOf(undefined);
      const B = classOf(undefined);
      const elephant = create({ constructors: { A, B } });
      expect(rootOf(elephant.write([instance(B, {}), instance(A, {}), instance(B, {})]))).toBe(
        hex(`CD 03 00 CE FE FF 00 00 ${text("B")} 80 00 00 FE FF 01 00 ${text("A")} 80 00 00 FE FF 00 00 80 00 00`),
      );
    });

    test("a reader takes any constructor index it has not seen as new", () => {
      const A = classOf(undefined);
      const read = create({ constructors: { A } }).read<object[]>(
        file(`CD 02 00 CE FE FF 07 00 ${text("A")} 80 00 00 FE FF 07 00 80 01 00 61 00 0A 01`),
      );
      expect(read[0]).toBeInstanceOf(A);
      expect(read[1]).toStrictEqual(instance(A, { a: true }));
    });

    test("strict fields come in ordinal order of their names", () => {
      const fields = { a: "u8", f2: "u8", f10: "u8", Z: "u8", _: "u8", "0": "u8" };
      expect(writtenWith({ v1: fields }, { a: 1, f2: 2, f10: 3, Z: 4, _: 5, "0": 6 })).toBe(hex(`${HEAD} 01 00 00 06 04 05 01 03 02`));
    });

    test.each<[string, unknown, string]>([
      ["u8", 255, "FF"],
      ["s8", -1, "FF"],
      ["u16", 513, "01 02"],
      ["s16", -2, "FE FF"],
      ["u32", 4294967295, "FF FF FF FF"],
      ["s32", -2, "FE FF FF FF"],
      ["f16", 1.5, "00 3E"],
      ["f32", 0.5, "00 00 00 3F"],
      ["f64", 0.5, f64(0.5)],
      ["bool", true, "01"],
      ["string", "x", "78 00"],
      ["text", "x", "78 00"],
      ["u64", 5n, "05 00 00 00 00 00 00 00"],
      ["any", "x", "0B 78 00"],
      ["array", [true], "01 00 0A 01"],
      ["struct", { a: true }, "01 00 61 00 0A 01"],
      ["undefined", undefined, ""],
    ])("a field of datatype %s has no tag", (datatype, value, payload) => {
      const C = classOf({ v1: { f: datatype } });
      const elephant = create({ constructors: { C } });
      const save = elephant.write(instance(C, { f: value }));
      expect(rootOf(save)).toBe(hex(`${HEAD} 01 00 00 ${payload}`));
      expect(elephant.read<Members>(save).f).toStrictEqual(value);
    });

    test.each<[string, unknown]>([
      ["undefined", 5],
      ["undefined", "x"],
    ])("a field of datatype %s drops the value %j", (datatype, value) => {
      expect(writtenWith({ v1: { f: datatype } }, { f: value })).toBe(hex(`${HEAD} 01 00 00`));
    });

    test.each<[string, number, string]>([
      ["u8 wraps", 300, "2C"],
      ["u8 wraps below zero", -1, "FF"],
      ["u8 cuts fractions towards zero", 3.9, "03"],
      ["s8 wraps", 200, "C8"],
      ["s16 wraps", 40000, "40 9C"],
      ["u16 wraps", 70000, "70 11"],
      ["u32 wraps", -1, "FF FF FF FF"],
      ["s32 wraps", 2147483648, "00 00 00 80"],
      ["u64 cuts fractions towards zero", -3.7, "FD FF FF FF FF FF FF FF"],
      ["f32 rounds to nearest even", 0.1, "CD CC CC 3D"],
      ["f32 overflows to infinity", 1e300, "00 00 80 7F"],
      ["f16 is exact where half precision is", -65504, "FF FB"],
      ["f16 is cut towards zero", 1 / 3, "55 35"],
      ["f16 of 65535 is cut to 65504", 65535, "FF 7B"],
      ["f16 of 65536 is infinity", 65536, "00 7C"],
      ["f16 of -infinity keeps its sign", -Infinity, "00 FC"],
      ["f16 holds subnormals", 2 ** -24, "01 00"],
      ["f16 of -0", -0, "00 80"],
    ])("%s", (rule, value, payload) => {
      expect(writtenWith({ v1: { f: rule.split(" ")[0] } }, { f: value })).toBe(hex(`${HEAD} 01 00 00 ${payload}`));
    });

    // The table of docs/schemas.md.
    test.each<[string, unknown, string]>([
      ["u8", Number.NaN, "00"],
      ["s32", Number.POSITIVE_INFINITY, "00 00 00 00"],
      ["u8", true, "01"],
      ["u16", 65537n, "01 00"],
      ["f32", true, "00 00 80 3F"],
      ["f32", 1n, "00 00 80 3F"],
      ["u64", 3, "03 00 00 00 00 00 00 00"],
      ["u64", true, "01 00 00 00 00 00 00 00"],
      ["bool", 0.5, "00"],
      ["bool", 0.6, "01"],
      ["bool", 1n, "01"],
    ])("a field of datatype %s takes %s", (datatype, value, payload) => {
      expect(writtenWith({ v1: { f: datatype } }, { f: value })).toBe(hex(`${HEAD} 01 00 00 ${payload}`));
    });

    test.each([Number.NaN, Number.POSITIVE_INFINITY])("a field of datatype u64 refuses %s", (value) => {
      const C = classOf({ v1: { f: "u64" } });
      expect(expectError(() => create({ constructors: { C } }).write(instance(C, { f: value })), "datatype-not-recognised").path).toBe(
        ".f",
      );
    });

    test("a schema that means nothing is noticed when it is needed", () => {
      const C = classOf({ v1: { f: "u99" as never } });
      const elephant = create({ constructors: { C } });
      expectError(() => elephant.write(instance(C, { f: 1 })), "schema-key-invalid");
    });

    test.each<[string, unknown]>([
      ["string", 5],
      ["text", undefined],
      ["string", ["x"]],
      ["u8", undefined],
      ["f64", "5"],
      ["u64", {}],
      ["bool", undefined],
      ["f32", null],
    ])("a field of datatype %s refuses %j, with its path", (datatype, value) => {
      const C = classOf({ v1: { f: datatype } });
      const elephant = create({ constructors: { C } });
      expect(expectError(() => elephant.write([{ c: instance(C, { f: value }) }])).path).toBe("[0].c.f");
    });

    test.each<[string, unknown, string]>([
      ["array", { length: 1 }, "not-an-array"],
      ["array", undefined, "not-an-array"],
      ["array", "text", "not-an-array"],
      ["struct", [1], "not-a-struct"],
      ["struct", undefined, "not-a-struct"],
      ["struct", 5, "not-a-struct"],
    ])("a field of datatype %s with %j is an error with its path", (datatype, value, category) => {
      const C = classOf({ v1: { f: datatype } });
      const elephant = create({ constructors: { C } });
      expect(expectError(() => elephant.write([instance(C, { f: value })]), category).path).toBe("[0].f");
    });

    test("of a schema that means nothing a write tells the path, a copy and JSON the class", () => {
      class Bad {
        a = 1;
        static [SCHEMA] = { v1: { a: "u99" } };
      }
      const elephant = create({ constructors: { Bad } as never });
      const value = { x: [new Bad()] };
      const reason = "schema of Bad: v1.a: u99 is no datatype";
      expect(expectError(() => elephant.write(value), "schema-key-invalid")).toMatchObject({ path: ".x[0]", reason });
      for (const call of [() => elephant.duplicate(value), () => elephant.toJson(value)]) {
        const error = expectError(call, "schema-key-invalid");
        expect([error.path, error.reason]).toEqual([undefined, reason]);
      }
    });

    test("a typed array fits a field of datatype array", () => {
      expect(writtenWith({ v1: { f: "array" } }, { f: Uint8Array.of(1, 2) })).toBe(hex(`${HEAD} 01 00 00 02 00 01 01 02`));
    });

    test("a schema may name members that the instance does not have", () => {
      expect(writtenWith({ v1: { a: "any", b: "undefined" } }, {})).toBe(hex(`${HEAD} 01 00 00 CF`));
    });

    test("integers up to 32 bits come back as numbers, u64 as a signed bigint", () => {
      const C = classOf({ v1: { a: "u8", b: "s32", c: "u32", d: "u64" } });
      const elephant = create({ constructors: { C } });
      const save = elephant.write(instance(C, { a: 1, b: -1, c: 4294967295, d: 2n ** 63n - 1n }));
      for (const scalars of ["plain", "exact"] as const) {
        expect({ ...elephant.read<object>(save, { scalars }) }).toStrictEqual({ a: 1, b: -1, c: 4294967295, d: 2n ** 63n - 1n });
      }
      expect(elephant.read<Members>(elephant.write(instance(C, { a: 1, b: 0, c: 0, d: -1n }))).d).toBe(-1n);
    });

    test("releases before 1.5.0 have no skip list", () => {
      const C = classOf({ v1: { a: "u8" } });
      const elephant = create({ constructors: { C } });
      const save = elephant.write(instance(C, { a: 9 }), { release: "1.4.0" });
      expect(rootOf(save)).toBe(hex(`${HEAD} 01 09`));
      expect(elephant.read(save)).toStrictEqual(instance(C, { a: 9 }));
    });

    test("a verbose constructed struct may have 65535 members, one more is refused", () => {
      const C = classOf(undefined);
      const elephant = create({ constructors: { C } });
      const many = instance(C, Object.fromEntries(Array.from({ length: 65535 }, (_, i) => ["k" + i, true])));
      const save = elephant.write(many);
      expect(Buffer.from(save.subarray(16, 18)).toString("hex")).toBe("ffff");
      expect(Object.keys(elephant.read<object>(save))).toHaveLength(65535);
      (many as Members).more = 1;
      expectError(() => elephant.write(many), "struct-too-large");
    });
  });

  describe("§8 which version is written", () => {
    test("no schema is version 0, verbose", () => {
      expect(writtenWith(undefined, { a: true })).toBe(hex(`${HEAD} 80 01 00 61 00 0A 01`));
    });

    test("the largest number wins, not the last or the longest name", () => {
      expect(writtenWith({ v9: { a: "u8" }, v10: { b: "u8" }, v2: { a: "u8" } }, { a: 1, b: 2 })).toBe(hex(`${HEAD} 0A 00 00 02`));
    });

    test("a schema without versions is version 0", () => {
      expect(writtenWith({ [VERBOSE_EXCLUDE]: ["b"] }, { a: true, b: true })).toBe(hex(`${HEAD} 80 01 00 61 00 0A 01`));
    });

    test("a forced version is taken and the other keys are not looked at", () => {
      expect(writtenWith({ [FORCE_VERSION]: 1, v1: { a: "u8" }, v2: { b: "u8" }, wrong: {} }, { a: 1, b: 2 })).toBe(
        hex(`${HEAD} 01 00 00 01`),
      );
    });

    test("forced version 0 is verbose with all members", () => {
      expect(writtenWith({ [FORCE_VERSION]: 0, v1: { a: "u8" } }, { z: true })).toBe(hex(`${HEAD} 80 01 00 7A 00 0A 01`));
    });

    test.each<[string, Members, string]>([
      ["a forced version that does not exist", { [FORCE_VERSION]: 2, v1: { a: "u8" } }, "forced-version-missing"],
      ["a forced version below 0 that does not exist", { [FORCE_VERSION]: -1, v1: { a: "u8" } }, "forced-version-missing"],
      ["a forced version that is no whole number", { [FORCE_VERSION]: 1.5, v1: { a: "u8" } }, "forced-version-missing"],
      ["a forced version below 0", { [FORCE_VERSION]: -1, "v-1": { a: "u8" } }, "schema-key-invalid"],
      ["a forced version of another type", { [FORCE_VERSION]: 1n, v1: { a: "u8" } }, "schema-key-invalid"],
      ["a forced version that has no text", { [FORCE_VERSION]: Object.create(null), v1: { a: "u8" } }, "schema-key-invalid"],
      ["a datatype that has no text", { v1: { a: Object.create(null) } }, "schema-key-invalid"],
      ["a datatype that is an array", { v1: { a: ["u8"] } }, "schema-key-invalid"],
      ["a forced version above 127", { [FORCE_VERSION]: 200, v200: { a: "u8" } }, "schema-key-invalid"],
      ["v0", { v0: { a: "u8" } }, "schema-key-invalid"],
      ["v128", { v128: { a: "u8" } }, "schema-key-invalid"],
      ["a leading zero", { v1: { a: "u8" }, v02: { a: "u8" } }, "schema-key-invalid"],
      ["a capital V", { V1: { a: "u8" } }, "schema-key-invalid"],
      ["a sign", { "v+1": { a: "u8" } }, "schema-key-invalid"],
      ["an exponent", { v1e1: { a: "u8" } }, "schema-key-invalid"],
      ["another name", { version1: { a: "u8" } }, "schema-key-invalid"],
      ["an exclude list that is not an array", { [VERBOSE_EXCLUDE]: "a" }, "exclude-not-an-array"],
    ])("%s is refused", (_, schema, category) => {
      const C = classOf(schema);
      const elephant = create({ constructors: { C } });
      expect(expectError(() => elephant.write([instance(C, { a: 1 })]), category).path).toBe("[0]");
    });

    test("what is undefined in a schema is as if it were not there, but for members", () => {
      const none = { [FORCE_VERSION]: undefined, [VERBOSE_EXCLUDE]: undefined, v2: undefined };
      for (const schema of [{ v1: { a: "u8" } }, { v1: { [VERSION_VERBOSE]: true, a: "u8" } }])
        expect(writtenWith({ ...none, ...schema }, { a: 1 })).toBe(writtenWith(schema, { a: 1 }));
      expect(writtenWith(none, { a: 1 })).toBe(writtenWith({}, { a: 1 }));
      const written = (schema: Members) => {
        const C = classOf(schema);
        return create({ constructors: { C } }).write(instance(C, { a: 1 }));
      };
      expectError(() => written({ v1: { a: "u8" }, v2: undefined, [FORCE_VERSION]: 2 }), "forced-version-missing");
      expectError(() => written({ v1: { a: undefined } }), "schema-key-invalid");
      const C = classOf({ v1: undefined, v2: { a: "u8" } });
      expectError(() => create({ constructors: { C } }).read(written({ v1: { a: "u8" } })), "schema-version-missing");
    });

    test("a class whose schema is null has none, also where it would inherit one", () => {
      class Base {
        static [SCHEMA]: object | null = { v1: { a: "u8" } };
      }
      class C extends Base {
        static override [SCHEMA] = null;
        a = 1;
      }
      const codec = create({ constructors: { C: C as never } });
      expect(rootOf(codec.write(new C()))).toBe(writtenWith(undefined, { a: 1 }));
      expect(codec.duplicate(new C())).toEqual(new C());
      expect(codec.toJson(new C())).toMatchObject({ a: 1 });
    });

    test("a verbose version writes its keys in the order of the literal, the flag key among them", () => {
      const flag = `${text(VERSION_VERBOSE)} CF`;
      expect(writtenWith({ v1: { b: "u8", [VERSION_VERBOSE]: true, a: "u8" } }, { a: true, b: true, c: true })).toBe(
        hex(`${HEAD} 81 03 00 62 00 0A 01 ${flag} 61 00 0A 01`),
      );
    });

    test("reading drops the flag member of a constructed struct, and only there", () => {
      const C = classOf({ v1: { [VERSION_VERBOSE]: true, a: "u8" } });
      const elephant = create({ constructors: { C } });
      expect(Object.keys(elephant.read<object>(elephant.write(instance(C, { a: 1 }))))).toStrictEqual(["a"]);
      const plain = { [VERSION_VERBOSE]: undefined, a: 1 };
      expect(elephant.read(elephant.write(plain))).toStrictEqual(plain);
    });

    test("a member with the name of the flag that holds a value is data", () => {
      const C = classOf(undefined);
      const elephant = create({ constructors: { C } });
      const value = instance(C, { [VERSION_VERBOSE]: true, a: 1 });
      expect(elephant.read(elephant.write(value))).toStrictEqual(value);
    });

    test("a flag key that is false makes the version strict and still counts as a field", () => {
      const C = classOf({ v1: { [VERSION_VERBOSE]: false, a: "u8", Z: "u8" } }, { a: 1, Z: 2 });
      const elephant = create({ constructors: { C } });
      // Z, __Elephant_Version_Verbose__, a: the second stores no bytes, is equal in the template, and takes position 2.
      const save = elephant.write(instance(C, { a: 9, Z: 2 }), { diffsOnly: true });
      expect(rootOf(save)).toBe(hex(`${HEAD} 01 01 00 02 00 00 00 09`));
      expect({ ...elephant.read<object>(save) }).toStrictEqual({ a: 9, Z: 2 });
    });

    test("the exclude list leaves out members of verbose versions and never of strict ones", () => {
      expect(writtenWith({ [VERBOSE_EXCLUDE]: ["b", "nowhere", "b"] }, { a: true, b: true, c: true })).toBe(
        hex(`${HEAD} 80 02 00 61 00 0A 01 63 00 0A 01`),
      );
      expect(writtenWith({ [VERBOSE_EXCLUDE]: ["a"], v1: { a: "u8" } }, { a: 5 })).toBe(hex(`${HEAD} 01 00 00 05`));
    });

    test("reading uses the version in the file, never the newest", () => {
      const C = classOf({ v1: { a: "u8" }, v2: { a: "f64", b: "f64" } }, { a: 0, b: 7 });
      expect(create({ constructors: { C } }).read(file(`${HEAD} 01 00 00 05`))).toStrictEqual(instance(C, { a: 5, b: 7 }));
    });

    test("strict data needs the schema of its version, verbose data needs none", () => {
      const Bare = classOf(undefined);
      const V2 = classOf({ v2: { a: "u8" } });
      expect(
        expectError(() => create({ constructors: { C: Bare } }).read(file(`${HEAD} 01 00 00 05`)), "schema-missing").offset,
      ).toBeTypeOf("number");
      expectError(() => create({ constructors: { C: V2 } }).read(file(`${HEAD} 01 00 00 05`)), "schema-version-missing");
      expectError(() => create({ constructors: { C: V2 } }).read(file(`${HEAD} 00 00 00 05`)), "schema-version-missing");
      const V0 = classOf({ v0: { a: "u8" } });
      expectError(() => create({ constructors: { C: V0 } }).read(file(`${HEAD} 00 00 00 05`)), "schema-version-missing");
      expectError(() => create({ constructors: { C: Bare } }).read(file(`${HEAD} 00 00 00 05`)), "schema-missing");
      expect(create({ constructors: { C: Bare } }).read(file(`${HEAD} 85 01 00 61 00 0A 01`))).toStrictEqual(instance(Bare, { a: true }));
    });

    test("members that are not in the file keep what the constructor gave them, unknown ones are added", () => {
      const C = classOf(undefined, { kept: "default", list: [1] });
      expect(create({ constructors: { C } }).read(file(`${HEAD} 80 01 00 61 00 0A 01`))).toStrictEqual(
        instance(C, { kept: "default", list: [1], a: true }),
      );
    });

    test.each(["alone", "inside of structs", "inside of each other"])("instances that take no members lose none unnoticed: %s", (where) => {
      let lock = (_: object) => {};
      class Locked {
        declare id: number;
        declare list: unknown[];
        static [SCHEMA] = { v1: { id: "f64", list: "array" } } as const;
        constructor() {
          lock(this);
        }
      }
      const one = (id: number, list: unknown[]) => Object.assign(new Locked(), { id, list });
      const of = (id: number) =>
        where === "alone" ? one(id, []) : where === "inside of structs" ? { id, locked: one(id, []) } : one(id, [one(id, [])]);
      // Small saves are read by other code than large ones, and codecs that have read some by other code than new ones.
      for (const count of [3, 300])
        for (const codeGeneration of [true, false]) {
          const options: ElephantOptions = { constructors: { Locked }, codeGeneration };
          const codec = count === 3 ? createElephantSync(options) : create(options);
          lock = () => {};
          const save = codec.write(Array.from({ length: count }, (_, id) => of(id)));
          for (let i = 0; i < 30; i++) codec.read(save);
          for (lock of [Object.freeze, Object.preventExtensions, (made: object) => Object.defineProperty(made, "id", { value: 7 })])
            expect(failure(() => codec.read(save))).toHaveProperty(
              "message",
              expect.stringMatching(/ (extensible|'id'|id|readonly|unconfigurable)/),
            );
        }
    });

    describe.each([3, 300])("%i instances, with functions made for them and without", (count) => {
      /** What several reads by each way give. Small saves are read by other code than large ones. */
      const ways = (constructors: Record<string, ElephantConstructor>, save: Uint8Array): unknown[][] =>
        [true, false].map((codeGeneration) => {
          const options: ElephantOptions = { constructors, codeGeneration };
          const codec = count === 3 ? createElephantSync(options) : create(options);
          return Array.from({ length: 8 }, () => codec.read(save));
        });

      test.each([false, true])("a member of the constructor's own hides an accessor of its class, configurable: %s", (configurable) => {
        class Base {
          get hp() {
            return 1;
          }
        }
        class Unit extends Base {
          static [SCHEMA] = { v1: { hp: "u8", id: "u32" } } as const;
          declare id: number;
          constructor() {
            super();
            Object.defineProperty(this, "hp", { value: 7, writable: true, configurable });
          }
        }
        const constructors = { Unit };
        const units = Array.from({ length: count }, (_, id) => Object.assign(new Unit(), { id }));
        const save = create({ constructors }).write(units);
        for (const reads of ways(constructors, save))
          for (const read of reads as Unit[][])
            expect(read.map((unit) => [Object.getOwnPropertyDescriptor(unit, "hp"), Object.keys(unit)])).toEqual(
              units.map(() => [{ value: 7, writable: true, enumerable: false, configurable }, ["id"]]),
            );
      });

      test.each([
        ["arrays", class List extends Array<unknown> {}, "length", 1, -1],
        ["typed arrays", class Longs extends BigInt64Array {}, "0", 1n, 1],
      ])("values that %s do not take are an error with a code", (_, Class, member, good, bad) => {
        const made = (value: unknown) => new StructInstance("C", { [member]: value });
        const save = create().write(Array.from({ length: count }, (_, i) => made(i < count - 1 ? good : bad)));
        for (const codeGeneration of [true, false]) {
          const options: ElephantOptions = { constructors: { C: Class as never }, codeGeneration };
          const codec = count === 3 ? createElephantSync(options) : create(options);
          for (let i = 0; i < 8; i++) expectError(() => codec.read(save), "bad-option");
        }
      });
    });

    test("a constructor that is not registered is an error", () => {
      expect(expectError(() => create().read(file(`${HEAD} 80 00 00`)), "unknown-constructor").offset).toBeTypeOf("number");
    });

    test("schemas are inherited by subclasses", () => {
      class Base {
        a = 1;
        static [SCHEMA]: Members = { v1: { a: "u8" } };
      }
      class Derived extends Base {
        b = 2;
      }
      const elephant = create({ constructors: { Base, Derived } as never });
      expect(rootOf(elephant.write(new Derived()))).toBe(hex(`CE FE FF 00 00 ${text("Derived")} 01 00 00 01`));
      expect(elephant.read(elephant.write([new Base(), new Derived()]))).toStrictEqual([new Base(), new Derived()]);
    });

    test("a subclass that is not registered is not taken for its parent", () => {
      class Base {}
      class Derived extends Base {}
      expectError(() => create({ constructors: { Base } as never }).write(new Derived()), "datatype-not-recognised");
    });
  });

  describe("tools without the game's code", () => {
    const verbose = file(
      `CD 02 00 CE FE FF 00 00 ${text("Ghost")} 80 01 00 61 00 06 05 00 00 00 FE FF 00 00 83 02 00 62 00 CF 63 00 CE FF FF 01 00`,
    );
    const withFlag = file(`CE FE FF 00 00 ${text("Ghost")} 81 02 00 ${text(VERSION_VERBOSE)} CF 61 00 0A 01`);

    test("unknownConstructor: generic opens verbose data as a StructInstance", () => {
      const [ghost] = create({ unknownConstructor: "generic" }).read<Members[]>(verbose);
      expect(ghost).toBeInstanceOf(StructInstance as unknown as Function);
      expect({ ...ghost }).toStrictEqual({ a: 5 });
    });

    test.each([
      ["verbose data of any version", verbose],
      ["the flag key of a verbose version", withFlag],
    ])("generic re-saves %s byte for byte", (_, save) => {
      const elephant = create({ unknownConstructor: "generic" });
      expect(rootOf(elephant.write(elephant.read(save, { scalars: "exact" })))).toBe(rootOf(save));
    });

    test("a schema alone opens strict data and re-saves it byte for byte", () => {
      const save = file(`CE FE FF 00 00 ${text("Ghost")} 01 00 00 05 01 00 01 07`);
      const elephant = create({ constructors: { Ghost: { v1: { a: "u8", list: "array" } } } as never });
      const ghost = elephant.read<Members>(save, { scalars: "exact" });
      expect(ghost).toBeInstanceOf(StructInstance as unknown as Function);
      expect(ghost.a).toBe(5);
      expect(rootOf(elephant.write(ghost))).toBe(rootOf(save));
    });

    test("a constructor known only by its schema has no defaults to leave out", () => {
      const elephant = create({ constructors: { Ghost: { v1: { a: "u8" } } } as never });
      const save = file(`CE FE FF 00 00 ${text("Ghost")} 01 00 00 05`);
      expect(rootOf(elephant.write(elephant.read(save), { diffsOnly: true }))).toBe(rootOf(save));
    });

    describe("an instance without class that lacks what its save has left out", () => {
      const members = {
        bool: "bool",
        any: "any",
        array: "array",
        struct: "struct",
        text: "string",
        number: "u32",
        kept: "u8",
        nothing: "any",
      };
      const shared = { array: ["x"], struct: { q: 1 } };
      const gameAndTool = (schema: object) => {
        class Chest {
          bool = true;
          any = "default";
          array = shared.array;
          struct = shared.struct;
          text = "default";
          number = 100;
          kept = 1;
          nothing: unknown = 7;
          static readonly [SCHEMA] = { v1: schema };
        }
        const game = create({ constructors: { Chest } as never });
        const chest = Object.assign(new Chest(), { kept: 2, nothing: undefined });
        return {
          game,
          tool: create({ constructors: { Chest: Chest[SCHEMA] } as never }),
          save: game.write([chest, chest], { diffsOnly: true }),
        };
      };

      test.each([
        ["strict", members],
        ["verbose", { ...members, [VERSION_VERBOSE]: true }],
      ])("leaves it out again with diffsOnly (%s)", (_, schema) => {
        const { game, tool, save } = gameAndTool(schema);
        const value = tool.read<Members[]>(save, { scalars: "exact" });
        expect(Object.keys(value[0])).toStrictEqual(["kept", "nothing"]);
        expect(rootOf(tool.write(value, { diffsOnly: true }))).toBe(rootOf(save));
        expect(rootOf(tool.write(value, { diffsOnly: true, diffEquality: "exact" }))).toBe(rootOf(save));
        // One that is there is stored, whatever it holds.
        value[0].any = undefined;
        value[0].number = 5;
        expect({ ...game.read<Members[]>(tool.write(value, { diffsOnly: true }))[1] }).toStrictEqual({
          ...{ bool: true, any: undefined, ...shared, text: "default" },
          ...{ number: 5, kept: 2, nothing: undefined },
        });
      });

      test.each([
        ["strict", members],
        ["verbose", { ...members, [VERSION_VERBOSE]: true }],
      ])("is lacked by its copy, too (%s)", (_, schema) => {
        const { tool, save } = gameAndTool(schema);
        const value = tool.read<Members[]>(save, { scalars: "exact" });
        const copy = tool.duplicate(value);
        expect(Object.keys(copy[0])).toStrictEqual(["kept", "nothing"]);
        for (const made of [copy, tool.duplicate(value, { allMembers: true })])
          expect(rootOf(tool.write(made, { diffsOnly: true }))).toBe(rootOf(save));
      });

      test.each([
        ["bool", "datatype-not-recognised"],
        ["text", "datatype-not-recognised"],
        ["number", "datatype-not-recognised"],
        ["array", "not-an-array"],
        ["struct", "not-a-struct"],
      ] as const)("is refused without, where a strict version needs it: %s", (name, code) => {
        const { tool, save } = gameAndTool({ [name]: members[name] });
        expect(expectError(() => tool.write(tool.read(save)), code).path).toBe(`[0].${name}`);
      });

      test.each([{}, { [VERSION_VERBOSE]: true }])("is undefined without, where it can be (%o)", (verbose) => {
        const { game, tool, save } = gameAndTool({ any: "any", kept: "u8", ...verbose });
        expect(game.read<Members[]>(tool.write(tool.read(save)))[0].any).toBe(undefined);
      });

      test("has no such members in its JSON form either", () => {
        const { tool, save } = gameAndTool(members);
        const [chest] = tool.toJson(tool.read(save), { diffsOnly: true }) as Members[];
        expect(chest).toStrictEqual({ __Elephant_Constructor__: "Chest", __Elephant_Schema_Version__: 1, kept: 2, nothing: undefined });
      });
    });

    test("strict data of an unknown constructor cannot be opened by generic", () => {
      expectError(
        () => create({ unknownConstructor: "generic" }).read(file(`CE FE FF 00 00 ${text("Ghost")} 01 00 00 05`)),
        "schema-missing",
      );
    });
  });

  describe("§9 equality of diffsOnly", () => {
    const s32 = (value: number) => Scalar("s32" as ScalarDatatype, value);
    const table: [value: unknown, byDefault: unknown, equal: boolean][] = [
      [1.000009, 1, true],
      [1.00002, 1, false],
      [0.00001, 0, true],
      [-0.000011, 0, false],
      [Number.NaN, Number.NaN, false],
      [Infinity, Infinity, true],
      [-Infinity, Infinity, false],
      [0, -0, true],
      [true, 1, true],
      [false, 0, true],
      [true, 2, false],
      [true, false, false],
      [s32(5), 5, true],
      [s32(5), s32(5), true],
      [s32(1), true, true],
      [5n, 5n, true],
      [9007199254740993n, 9007199254740992n, false],
      [9007199254740993n, 9007199254740992, true],
      [-(2n ** 63n), 2n ** 63n, true],
      [-1n, Scalar("u64", 2n ** 64n - 1n), true],
      [-(2n ** 63n), 2 ** 63, false],
      [5n, 5.000001, true],
      [1n, true, false],
      [5n, "5", false],
      ["5", 5n, false],
      ["x", "x", true],
      ["x", "X", false],
      ["5x", 5, true],
      [" 5", 5, true],
      ["x5", 5, false],
      ["", 0, false],
      ["1", true, true],
      [undefined, undefined, true],
      [undefined, 0, false],
      [undefined, false, false],
      [undefined, "", false],
      [[], [], false],
      [{}, {}, false],
      [[5], 5, false],
    ];

    test.each(table)("%o against the default %o: equal is %s", (value, byDefault, equal) => {
      const Strict = classOf({ v1: { v: "any" } }, { v: byDefault });
      const Verbose = classOf(undefined, { v: byDefault });
      const strict = rootOf(create({ constructors: { C: Strict } }).write(instance(Strict, { v: value }), { diffsOnly: true }));
      const verbose = rootOf(create({ constructors: { C: Verbose } }).write(instance(Verbose, { v: value }), { diffsOnly: true }));
      if (equal) {
        expect(strict).toBe(hex(`${HEAD} 01 01 00 00 00`));
        expect(verbose).toBe(hex(`${HEAD} 80 00 00`));
      } else {
        expect(strict.startsWith(hex(`${HEAD} 01 00 00`))).toBe(true);
        expect(verbose.startsWith(hex(`${HEAD} 80 01 00`))).toBe(true);
      }
    });

    test.each(table)("diffEquality: exact never loses %o against %o", (value, byDefault) => {
      const C = classOf({ v1: { v: "any" } }, { v: byDefault });
      const elephant = create({ constructors: { C } });
      const save = elephant.write(instance(C, { v: value }), { diffsOnly: true, diffEquality: "exact" });
      expect(elephant.read<Members>(save, { scalars: "exact" }).v).toStrictEqual(value);
    });

    test("an int64 counts as it is stored: with the top bit set it is negative", () => {
      const C = classOf(undefined, { v: 2 ** 63 });
      const elephant = create({ constructors: { C } });
      expect(elephant.read<Members>(elephant.write(instance(C, { v: 2n ** 63n }), { diffsOnly: true })).v).toBe(-(2n ** 63n));
      // More bits are no wrapped ones.
      const Zero = classOf(undefined, { v: 0n });
      const given = instance(Zero, { v: 2n ** 64n });
      expectError(() => create({ constructors: { C: Zero } }).write(given, { diffsOnly: true }), "datatype-not-recognised");
    });

    test.each([
      ["5e-2", true],
      ["5E-2x", true],
      ["5e2", false],
    ])("the text %j against the default 0.05: equal is %s", (v, equal) => {
      const C = classOf(undefined, { v: 0.05 });
      const save = create({ constructors: { C } }).write(instance(C, { v }), { diffsOnly: true });
      expect(rootOf(save) === hex(`${HEAD} 80 00 00`)).toBe(equal);
    });

    test.each([undefined, null])("diffEquality: exact never loses %s against a function", (v) => {
      const C = classOf(undefined, { v: () => 1 });
      const elephant = create({ constructors: { C } });
      expect(elephant.read<Members>(elephant.write(instance(C, { v }), { diffsOnly: true, diffEquality: "exact" })).v).toBe(undefined);
      const unchanged = elephant.write(instance(C, { v: () => 2 }), { diffsOnly: true, diffEquality: "exact" });
      expect(rootOf(unchanged)).toBe(hex(`${HEAD} 80 00 00`));
    });

    test("diffEquality: exact still leaves out what is the same", () => {
      for (const v of [5, "x", true, undefined, 7n]) {
        const C = classOf({ v1: { v: "any" } }, { v });
        const save = create({ constructors: { C } }).write(instance(C, { v }), { diffsOnly: true, diffEquality: "exact" });
        expect(rootOf(save)).toBe(hex(`${HEAD} 01 01 00 00 00`));
      }
    });

    test("a container that the constructor hands out to every instance is equal", () => {
      const shared = [1];
      const C = classOf({ v1: { v: "any" } }, { v: shared });
      expect(rootOf(create({ constructors: { C } }).write(instance(C, { v: shared }), { diffsOnly: true }))).toBe(
        hex(`${HEAD} 01 01 00 00 00`),
      );
    });

    test("one template is made per constructor and call", () => {
      let made = 0;
      class C {
        v = 0;
        constructor() {
          made++;
        }
      }
      const elephant = create({ constructors: { C } as never });
      const row = Array.from({ length: 20 }, () => Object.create(C.prototype) as object);
      elephant.write(row);
      expect(made).toBe(0);
      elephant.write(row, { diffsOnly: true });
      expect(made).toBe(1);
      elephant.write(row, { diffsOnly: true });
      expect(made).toBe(2);
    });

    test("functions are equal to themselves alone, and to nothing else, undefined neither", () => {
      const one = () => 1;
      const C = classOf(undefined, { f: one, g: one, u: undefined });
      const elephant = create({ constructors: { C } });
      const members = { f: one, g: () => 1, u: one };
      expect(rootOf(elephant.write(instance(C, members), { diffsOnly: true }))).toBe(
        hex(`${HEAD} 80 02 00 ${text("g")} CF ${text("u")} CF`),
      );
      const Strict = classOf({ v1: { f: "any", g: "any" } }, { f: one, g: one });
      const strict = create({ constructors: { C: Strict } });
      expect(rootOf(strict.write(instance(Strict, { f: one, g: () => 1 }), { diffsOnly: true }))).toBe(hex(`${HEAD} 01 01 00 00 00 CF`));
    });

    test.each(["gml", "exact"] as const)("a symbol is refused as without diffsOnly (%s)", (diffEquality) => {
      const C = classOf(undefined, { v: 1 });
      const elephant = create({ constructors: { C } });
      const value = { c: instance(C, { v: Symbol("s") }) };
      const error = expectError(() => elephant.write(value, { diffsOnly: true, diffEquality }), "datatype-not-recognised");
      expect(error.path).toBe(".c.v");
    });

    test("as many members as can be stored are counted when those that are equal are left out", () => {
      const many = Object.fromEntries(Array.from({ length: 70_000 }, (_, i) => [`k${i}`, 1]));
      const C = classOf(undefined, many);
      const elephant = create({ constructors: { C } });
      expect(rootOf(elephant.write(instance(C, { ...many, k7: 2 }), { diffsOnly: true }))).toBe(
        hex(`${HEAD} 80 01 00 ${text("k7")} 09 ${f64(2)}`),
      );
      const other = Object.fromEntries(Object.keys(many).map((name) => [name, 2]));
      expectError(() => elephant.write(instance(C, other), { diffsOnly: true }), "struct-too-large");
    });

    test("the skip list may be unsorted and repeat a position; beyond the fields is an error", () => {
      const C = classOf({ v1: { a: "u8", b: "u8", c: "u8" } }, { a: 1, b: 2, c: 3 });
      const elephant = create({ constructors: { C } });
      expect(elephant.read(file(`${HEAD} 01 03 00 01 00 03 00 00 00 09`))).toStrictEqual(instance(C, { a: 1, b: 9, c: 3 }));
      expect(expectError(() => elephant.read(file(`${HEAD} 01 04 00 00 00 09 09 09`)), "bad-skip-index").offset).toBeTypeOf("number");
    });
  });

  describe("§9 beyond what a skip list can name", () => {
    test("fields are written, whether they differ or not", () => {
      const all = Object.fromEntries(Array.from({ length: 65_540 }, (_, i) => [`f${i}`, i & 255]));
      const C = classOf({ v1: Object.fromEntries(Object.keys(all).map((name) => [name, "u8"])) }, all);
      const elephant = create({ constructors: { C } });
      const save = elephant.write(instance(C, all), { diffsOnly: true });
      expect(save.length).toBe(elephant.write(instance(C, all)).length + 65_535);
      // The end of the list, and those behind it: f9995 to f9999, in the order of names.
      expect(rootOf(save).endsWith(hex("FF FF 00 00 0B 0C 0D 0E 0F"))).toBe(true);
    });
  });

  describe("§12 older layouts", () => {
    test("1.0.0: constructors are datatypes, an unknown one is read as a plain struct", () => {
      const save = bytes(`41544d43 00000100 0F 02 00 0E 22 ${text("Gone")} 00 01 00 61 00 0A 01 22 00 00 00`);
      expect(create().read(save)).toStrictEqual([{ a: true }, {}]);
    });

    test("1.0.0: what is named and has no schema is said to, not that names are missing", () => {
      expectError(() => create().read(bytes(`41544d43 00000100 20 ${text("Gone")} 01 05`)), "schema-missing");
      expectError(() => create().read(bytes("41544d43 00000100 20 01 05 00 00 00")), "unreadable");
    });

    test("1.2.1: all eight bits of the version byte are the version", () => {
      const C = classOf({ v200: { a: "u8" } });
      expect(create({ constructors: { C } }).read(bytes(`50454c45 01020100 10 FE FF 00 00 ${text("C")} C8 05 544e4148`))).toStrictEqual(
        instance(C, { a: 5 }),
      );
    });
  });
});

describe("schemas", () => {
  test("a class under two names is stored by the first", () => {
    class C {}
    const codec = createElephantSync({ constructors: { A: C, B: C } });
    expect(rootOf(codec.write(new C()))).toBe(hex(`CE FE FF 00 00 ${text("A")} 80 00 00`));
  });

  test("the flag key beside the versions of a schema means nothing", () => {
    class C {
      static [SCHEMA] = { v1: { a: "u8" }, [VERSION_VERBOSE]: true } as never;
      a = 1;
    }
    const codec = createElephantSync({ constructors: { C } });
    expect(codec.read(codec.write(new C()))).toStrictEqual(new C());
  });

  test("the flag of a version is a bool", () => {
    const codec = createElephantSync({ constructors: { C: { v1: { a: "u8", [VERSION_VERBOSE]: "u8" as never } } } });
    expectError(() => codec.write(new StructInstance("C", { a: 1 })), "schema-key-invalid");
  });

  test("null is no schema version", () => {
    const codec = createElephantSync({ constructors: { C: { v1: null as never } } });
    expectError(() => codec.write(new StructInstance("C", { a: 1 })), "schema-key-invalid");
  });

  test("version 0 is not in any schema", () => {
    class C {
      static [SCHEMA] = { v0: { a: "u8" } } as never;
    }
    const codec = createElephantSync({ constructors: { C } });
    for (const options of [{}, { typedArrays: true }])
      expectError(() => codec.read(file(`CE FE FF 00 00 ${text("C")} 00 00 00 05`), options), "schema-version-missing");
  });
});

describe("what is equal to a fresh instance", () => {
  const kept = (initial: unknown, value: unknown, diffEquality: "gml" | "exact" = "gml") => {
    class C {
      v = initial;
    }
    const codec = createElephantSync({ constructors: { C } });
    const save = codec.write(Object.assign(new C(), { v: value }), { diffsOnly: true, diffEquality });
    return rootOf(save) !== hex(`CE FE FF 00 00 ${text("C")} 80 00 00`);
  };

  test("is not stored, by GML's rules or exactly", () => {
    expect(kept(Infinity, Infinity)).toBe(false);
    expect(kept(Infinity, -Infinity)).toBe(true);
    expect(kept(1e5, "1e5")).toBe(false);
    expect(kept(150, "1.5e2x")).toBe(false);
    expect(kept(0.25, ".25")).toBe(false);
    expect(kept(5, "  5")).toBe(false);
    expect(kept(-5, "-5")).toBe(false);
    expect(kept(true, 1n)).toBe(true);
    expect(kept("1", 1n)).toBe(true);
    expect(kept(1n, true)).toBe(true);
    expect(kept(1n, 1)).toBe(false);
    expect(kept(5n, Scalar("s32", 5))).toBe(false);
    expect(kept("5x", Scalar("s32", 5))).toBe(false);
    expect(
      kept(
        () => 1,
        () => 2,
        "exact",
      ),
    ).toBe(false);
    // The constructor would bring the function back.
    expect(kept(() => 1, undefined, "exact")).toBe(true);
    expect(kept(undefined, () => 1, "exact")).toBe(false);
    expect(kept(null, undefined, "exact")).toBe(false);
    expect(kept(undefined, null, "exact")).toBe(false);
    expect(kept(null, undefined)).toBe(false);
    expect(kept(undefined, null)).toBe(false);
    expect(kept(Scalar("s32", 5), Scalar("u8", 5), "exact")).toBe(true);
    expect(kept(Scalar("s32", 5), Scalar("s32", 5), "exact")).toBe(false);
  });
});

describe("strict integers", () => {
  const stored = (datatype: string, f: unknown) => {
    class C {
      static [SCHEMA] = { v1: { f: datatype } } as never;
      f = f;
    }
    return rootOf(createElephantSync({ constructors: { C } }).write(new C())).slice(hex(`CE FE FF 00 00 ${text("C")} 01 00 00`).length);
  };

  test("the lowest integer of 64 bits, as a number", () => {
    expect(stored("u64", -(2 ** 63))).toBe("0000000000000080");
  });

  test("a bool in a field of each numeric datatype", () => {
    const datatypes = ["u8", "s8", "u16", "s16", "u32", "s32", "f16", "f32", "f64", "u64", "bool"] as const;
    class Switches {
      static [SCHEMA] = { v1: Object.fromEntries(datatypes.map((datatype) => [datatype, datatype])) };
    }
    const codec = createElephantSync({ constructors: { Switches } });
    // The later ones by a function.
    const rows = Array.from({ length: 20 }, (_, i) =>
      Object.assign(new Switches(), Object.fromEntries(datatypes.map((name) => [name, i % 2 === 1]))),
    );
    for (const [i, row] of codec.read<Record<string, unknown>[]>(codec.write(rows)).entries())
      expect(datatypes.map((name) => Number(row[name]))).toEqual(datatypes.map(() => i % 2));
  });

  test("more fields in strict versions than there is room for are an error of reading, and the codec can go on", () => {
    const constructors = Object.fromEntries(
      Array.from({ length: 25 }, (_, k) => {
        const v1 = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`f${k}_${i}`, "u8" as const]));
        return [`Class${k}`, Object.assign(class {}, { [SCHEMA]: { v1 } })];
      }),
    );
    const instances = Object.values(constructors).map((Class) =>
      Object.assign(new Class(), Object.fromEntries(Object.keys(Class[SCHEMA].v1).map((name, i) => [name, i & 255]))),
    );
    for (const engine of ENGINES) {
      const codec = createElephantSync({ constructors, engine });
      const save = codec.write(instances);
      const half = codec.write(instances.slice(0, 10));
      for (let i = 0; i < 3; i++) {
        expectError(() => codec.read(save), "element-limit");
        expect(codec.read(half)).toEqual(instances.slice(0, 10));
      }
    }
  });

  test("a bigint in a field of 32 bits: its low bytes", () => {
    for (const datatype of ["u32", "s32"]) expect(stored(datatype, 2n ** 60n + 5n)).toBe("05000000");
  });

  test("a bigint of more than 64 bits fits no number", () => {
    for (const datatype of ["u8", "s32", "f16", "f32", "f64", "u64", "any"])
      for (const wide of [2n ** 64n, -(2n ** 63n) - 1n]) expectError(() => stored(datatype, wide), "datatype-not-recognised");
    expect(stored("f64", 2n ** 64n - 1n)).toBe("000000000000f043");
    expect(stored("f64", -(2n ** 63n))).toBe("000000000000e0c3");
  });
});
