// Values, arrays, structs and references: one test per rule of formats/elephant.md §2 to §7, §17 and of the value table of the interface.

import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { bytes, f64, file, hex, rootOf, text, u16 } from "./bytes.ts";
import {
  createElephantSync,
  type ElephantOptions,
  type ElephantSchema,
  ENGINES,
  SCHEMA,
  Scalar,
  type ScalarDatatype,
  StructInstance,
  scalarParts,
} from "./codec.ts";
import { differences } from "./compare.ts";
import { expectError } from "./expect-error.ts";

describe.each(ENGINES)("engine %s", (engine) => {
  const create = (options: ElephantOptions = {}) => createElephantSync({ ...options, engine });
  const elephant = create();
  const written = (value: unknown) => rootOf(elephant.write(value));

  test('131,072 codes "any" may follow each other, wherever the window ends behind them (§3)', async () => {
    const saveOf = (run: number, value: string) => file(`${"CC".repeat(run)} ${value}`);
    for (const value of ["0A 01", `09 ${f64(1.5)}`, "CD 01 00 01 07", "0B 78 00"]) {
      const expected = elephant.read(saveOf(1, value));
      for (const run of [131_071, 131_072]) expect(elephant.read(saveOf(run, value))).toEqual(expected);
      for (const run of [131_073, 262_130, 262_136, 262_140, 262_142, 262_143, 262_144, 300_000]) {
        expect(expectError(() => elephant.read(saveOf(run, value)), "unknown-datatype").offset).toBe(8 + 131_072);
        await expect(elephant.readAsync(saveOf(run, value))).rejects.toMatchObject({ code: "unknown-datatype", offset: 8 + 131_072 });
      }
    }
  });

  describe("worked examples of §17, byte for byte", () => {
    test("a plain struct with a number, a string and an array of numbers", () => {
      expect(Buffer.from(elephant.write({ a: 1, b: "x", c: [1, 2] })).toString("hex")).toBe(
        hex(`50 45 4C 45 01 05 01 00 CE 03 00 61 00 09 00 00 00 00 00 00 F0 3F 62 00 0B 78 00 63 00 CD 02 00 09
          00 00 00 00 00 00 F0 3F 00 00 00 00 00 00 00 40 54 4E 41 48`),
      );
    });

    class P {
      x = 0;
      y = 2;
      static [SCHEMA] = { v1: { x: "f64", y: "u8" } } satisfies ElephantSchema;
    }
    const point = (Class: typeof P = P) => Object.assign(new Class(), { x: 1.5, y: 2 });

    test("a constructed struct and a reference to it, in an array", () => {
      const p = point();
      expect(rootOf(create({ constructors: { P } }).write([p, p]))).toBe(
        hex("CD 02 00 CE FE FF 00 00 50 00 01 00 00 00 00 00 00 00 00 F8 3F 02 FF FF 01 00"),
      );
    });

    test("the same struct with diffsOnly leaves out the member that is at its default", () => {
      expect(rootOf(create({ constructors: { P } }).write(point(), { diffsOnly: true }))).toBe(
        hex("CE FE FF 00 00 50 00 01 02 00 00 00 00 00 00 00 00 00 F8 3F"),
      );
    });

    test("the same struct without a schema is verbose", () => {
      class Bare extends P {
        static override [SCHEMA] = undefined as never;
      }
      expect(rootOf(create({ constructors: { P: Bare } }).write(point(Bare)))).toBe(
        hex(`CE FE FF 00 00 50 00 80 02 00 78 00 09 ${f64(1.5)} 79 00 09 ${f64(2)}`),
      );
    });

    test("an array that contains itself", () => {
      const array: unknown[] = [];
      array.push(array);
      expect(written(array)).toBe(hex("CD 01 00 CD FF FF 00 00"));
      const read = elephant.read<unknown[]>(file("CD 01 00 CD FF FF 00 00"));
      expect(read[0]).toBe(read);
    });
  });

  describe("§3.1 which datatype a value gets", () => {
    test.each<[string, unknown, string]>([
      ["a number is f64, also a whole one", 5, `09 ${f64(5)}`],
      ["-0 keeps its sign", -0, "09 00 00 00 00 00 00 00 80"],
      ["NaN is the quiet NaN without sign", Number.NaN, "09 00 00 00 00 00 00 F8 7F"],
      ["infinity is an ordinary number", -Infinity, "09 00 00 00 00 00 00 F0 FF"],
      ["true is one byte 1", true, "0A 01"],
      ["false is one byte 0", false, "0A 00"],
      ["a string ends with a zero byte", "né", "0B 6E C3 A9 00"],
      ["a byte order mark is an ordinary character", "\ufeffa", "0B EF BB BF 61 00"],
      ["a character above U+FFFF takes four bytes", "😀", "0B F0 9F 98 80 00"],
      ["undefined has no payload", undefined, "CF"],
      ["null is stored as undefined", null, "CF"],
      ["a bigint is u64 in two's complement", -2n, "0C FE FF FF FF FF FF FF FF"],
      ["the smallest int64", -(2n ** 63n), "0C 00 00 00 00 00 00 00 80"],
      ["an empty array has no common datatype", [], "CD 00 00"],
      ["an empty struct", {}, "CE 00 00"],
      ["a Scalar of bool is what a bool is", Scalar("bool", true), "0A 01"],
      ["a Scalar of text is a string", Scalar("text", "x"), "0B 78 00"],
      ["a null-prototype object is a plain struct", Object.assign(Object.create(null), { a: true }), "CE 01 00 61 00 0A 01"],
    ])("%s", (_, value, root) => {
      expect(written(value)).toBe(hex(root));
    });

    test.each<[string, number | bigint, string]>([
      ["u8", 200, "01 C8"],
      ["s8", -2, "02 FE"],
      ["u16", 5, "03 05 00"],
      ["s16", -2, "04 FE FF"],
      ["u32", 4294967295, "05 FF FF FF FF"],
      ["s32", -2, "06 FE FF FF FF"],
      ["f16", 1.5, "07 00 3E"],
      ["f32", 1.5, "08 00 00 C0 3F"],
    ])("Scalar(%s) is stored in exactly that datatype and kept with scalars: exact", (datatype, value, root) => {
      const save = elephant.write(Scalar(datatype as ScalarDatatype, value as number));
      expect(rootOf(save)).toBe(hex(root));
      expect(elephant.read(save)).toBe(value);
      const exact = elephant.read(save, { scalars: "exact" });
      expect(scalarParts(exact)).toMatchObject({ datatype, value });
      expect(rootOf(elephant.write(exact))).toBe(hex(root));
    });

    test("with scalars: exact, values that JavaScript writes in the same datatype stay plain", () => {
      const value = { n: 1.5, b: true, s: "x", i: 5n, u: undefined, a: [1, 2] };
      expect(elephant.read(elephant.write(value), { scalars: "exact" })).toStrictEqual(value);
    });

    test("text is read as string", () => {
      expect(elephant.read(file("0D 68 69 00"))).toBe("hi");
    });

    test("a bool byte other than 1 is false", () => {
      expect(elephant.read(file("CD 03 00 0A 01 02 FF"))).toStrictEqual([true, false, false]);
    });

    test("any inside any is one more datatype byte", () => {
      expect(elephant.read(file("CC CC CC 0A 01"))).toBe(true);
    });

    test("u64 comes back as a signed bigint", () => {
      expect(elephant.read(file("0C FF FF FF FF FF FF FF FF"))).toBe(-1n);
    });

    test("any NaN is accepted", () => {
      expect(elephant.read(file("09 01 00 00 00 00 00 F8 FF"))).toBeNaN();
      expect(elephant.read(file("CD 02 00 09 FF FF FF FF FF FF FF FF 01 00 00 00 00 00 F0 7F"))).toEqual([Number.NaN, Number.NaN]);
    });

    test("a function is stored as undefined, with a warning that names the path", () => {
      const warnings: { path?: string | undefined; format: string }[] = [];
      const warned = create({ onWarning: (warning) => warnings.push(warning) });
      expect(rootOf(warned.write({ list: [() => 1] }))).toBe(hex(`CE 01 00 ${text("list")} CD 01 00 CF`));
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toMatchObject({ format: "elephant", path: ".list[0]" });
    });

    class Unregistered {}
    test.each<[string, unknown]>([
      ["a Map", new Map()],
      ["a Set", new Set()],
      ["a Date", new Date(0)],
      ["a symbol", Symbol("s")],
      ["a RegExp", /x/],
      ["a boxed number", Object(5)],
      ["an instance of a class that is not registered", new Unregistered()],
    ])("%s is refused with its path", (_, value) => {
      expect(expectError(() => elephant.write({ a: [1, { b: value }] }), "datatype-not-recognised").path).toBe(".a[1].b");
      expect(expectError(() => elephant.write(value), "datatype-not-recognised").path).toBe("");
    });

    test.each<[string, unknown[]]>([
      ["alone", []],
      ["among numbers", [1]],
      ["among strings", ["x", "y"]],
      ["among structs", [{}]],
    ])("a symbol in an array is refused with its path, %s", (_, before) => {
      const error = expectError(() => elephant.write({ a: [...before, Symbol("s")] }), "datatype-not-recognised");
      expect(error.path).toBe(`.a[${before.length}]`);
    });

    test("only own enumerable members with string keys are stored", () => {
      const value = Object.create(null, { hidden: { value: 1, enumerable: false }, seen: { value: true, enumerable: true } }) as object;
      (value as Record<symbol, unknown>)[Symbol("s")] = 1;
      expect(written(value)).toBe(hex(`CE 01 00 ${text("seen")} 0A 01`));
    });
  });

  describe("§3.3 strings", () => {
    test("U+0000 is refused, in a value and in a name", () => {
      const entities = [{}, {}, {}, { name: "a\0b" }];
      expect(expectError(() => elephant.write({ entities }), "nul-in-string").path).toBe(".entities[3].name");
      expect(expectError(() => elephant.write({ a: [new StructInstance("a\0b")] }), "nul-in-string").path).toBe(".a[0]");
      expectError(() => elephant.write({ "a\0b": 1 }), "nul-in-string");
    });

    test.each(["a\ud800", "\udc00b", "\udc00\ud800", "x".repeat(100) + "\ud83d"])("a lone surrogate is refused: %j", (value) => {
      const entities = [{}, {}, {}, { name: value }];
      expect(expectError(() => elephant.write({ entities })).path).toBe(".entities[3].name");
      expectError(() => elephant.write({ [value]: 1 }));
    });

    test("a byte order mark is kept when reading, next to six-byte surrogate pairs too", () => {
      expect(elephant.read(file("0B EF BB BF 61 00"))).toBe("\ufeffa");
      expect(elephant.read(file("0B EF BB BF ED A0 BD ED B8 80 00"))).toBe("\ufeff😀");
    });

    test("a surrogate pair in six bytes, as HTML5 exports write it, is one character", () => {
      expect(elephant.read(file("0B 61 ED A0 BD ED B8 80 7A 00"))).toBe("a😀z");
      expect(elephant.read(file("CE 01 00 ED A0 BD ED B8 80 00 0A 01"))).toStrictEqual({ "😀": true });
    });

    test("a bad sequence becomes U+FFFD and never swallows the terminator", () => {
      expect(elephant.read(file("CD 03 00 0B 41 E6 BC 00 42 C3 00 F0 9F 98 00"))).toStrictEqual(["A\ufffd", "B\ufffd", "\ufffd"]);
    });

    test("lengths around the widths of words and vectors, in ASCII and not", () => {
      const strings: string[] = [];
      for (let length = 0; length <= 70; length++) strings.push("a".repeat(length), "a".repeat(length) + "ü", "語".repeat(length));
      const save = elephant.write(strings);
      expect(rootOf(save)).toBe(hex(`CD ${u16(strings.length)} 0B ${strings.map(text).join("")}`));
      expect(elephant.read(save)).toStrictEqual(strings);
    });
  });

  describe("§5 arrays", () => {
    test.each<[string, unknown[], string]>([
      ["elements of one datatype carry no tags", [true, false], "CD 02 00 0A 01 00"],
      ["a number and a bool have no common datatype", [1, true], `CD 02 00 CC 09 ${f64(1)} 0A 01`],
      ["a number and an int32 have none", [1, Scalar("s32" as ScalarDatatype, 2)], `CD 02 00 CC 09 ${f64(1)} 06 02 00 00 00`],
      ["a number and an int64 have none", [1, 2n], `CD 02 00 CC 09 ${f64(1)} 0C 02 00 00 00 00 00 00 00`],
      ["equal Scalars share theirs", [Scalar("u8" as ScalarDatatype, 1), Scalar("u8" as ScalarDatatype, 2)], "CD 02 00 01 01 02"],
      ["a Scalar of bool shares that of a bool", [true, Scalar("bool", false), true], "CD 03 00 0A 01 00 01"],
      ["a Scalar of text shares that of a string", [Scalar("text", "x"), "y"], "CD 02 00 0B 78 00 79 00"],
      ["undefined, null and a hole are the same datatype without bytes", [undefined, null, undefined], "CD 03 00 CF"],
      ["a late odd one makes the whole array any", ["a", "b", undefined], "CD 03 00 CC 0B 61 00 0B 62 00 CF"],
      ["arrays of arrays share the datatype array", [[], [true]], "CD 02 00 CD 00 00 01 00 0A 01"],
      ["plain and empty structs share the datatype struct", [{}, { a: true }], "CD 02 00 CE 00 00 01 00 61 00 0A 01"],
    ])("%s", (_, value, root) => {
      expect(written(value)).toBe(hex(root));
    });

    test("a hole is stored as undefined", () => {
      // biome-ignore lint/suspicious/noSparseArray: the hole is the subject
      expect(written([, ,])).toBe(hex("CD 02 00 CF"));
    });

    test("an array of structs has one datatype, whatever mixture of plain, constructed and repeated ones it holds", () => {
      class C {}
      const c = new C();
      expect(rootOf(create({ constructors: { C } }).write([{}, c, c]))).toBe(
        hex(`CD 03 00 CE 00 00 FE FF 00 00 ${text("C")} 80 00 00 FF FF 02 00`),
      );
    });

    test("65534 elements are the most", () => {
      expect(elephant.write(new Array(65534).fill(true)).length).toBe(8 + 4 + 65534 + 4);
      expect(expectError(() => elephant.write({ a: [0, new Array(65535).fill(0)] }), "array-too-long").path).toBe(".a[1]");
    });

    test.each<[string, object, string]>([
      ["Uint8Array", Uint8Array.of(1, 255), "CD 02 00 01 01 FF"],
      ["Uint8ClampedArray", Uint8ClampedArray.of(1, 255), "CD 02 00 01 01 FF"],
      ["Node's Buffer", Buffer.from([1, 255]), "CD 02 00 01 01 FF"],
      ["ArrayBuffer", Uint8Array.of(1, 255).buffer, "CD 02 00 01 01 FF"],
      ["a SharedArrayBuffer", new Uint8Array(new SharedArrayBuffer(2)).fill(9).buffer, "CD 02 00 01 09 09"],
      ["an ArrayBuffer of another realm", runInNewContext("Uint8Array.of(1, 255).buffer"), "CD 02 00 01 01 FF"],
      ["a SharedArrayBuffer of another realm", runInNewContext("new SharedArrayBuffer(2)"), "CD 02 00 01 00 00"],
      ["a Uint16Array of another realm", runInNewContext("Uint16Array.of(1, 65535)"), "CD 02 00 03 01 00 FF FF"],
      ["DataView", new DataView(Uint8Array.of(0, 1, 255, 0).buffer, 1, 2), "CD 02 00 01 01 FF"],
      ["Int8Array", Int8Array.of(1, -1), "CD 02 00 02 01 FF"],
      ["Uint16Array", Uint16Array.of(1, 65535), "CD 02 00 03 01 00 FF FF"],
      ["Int16Array", Int16Array.of(1, -1), "CD 02 00 04 01 00 FF FF"],
      ["Uint32Array", Uint32Array.of(1, 4294967295), "CD 02 00 05 01 00 00 00 FF FF FF FF"],
      ["Int32Array", Int32Array.of(1, -1), "CD 02 00 06 01 00 00 00 FF FF FF FF"],
      ["Float32Array", Float32Array.of(1, -1), "CD 02 00 08 00 00 80 3F 00 00 80 BF"],
      ["Float64Array", Float64Array.of(1, -1), `CD 02 00 09 ${f64(1)} ${f64(-1)}`],
      ["BigInt64Array", BigInt64Array.of(1n, -1n), "CD 02 00 0C 01 00 00 00 00 00 00 00 FF FF FF FF FF FF FF FF"],
      ["BigUint64Array", BigUint64Array.of(1n, 2n ** 64n - 1n), "CD 02 00 0C 01 00 00 00 00 00 00 00 FF FF FF FF FF FF FF FF"],
      ["an empty Float64Array", new Float64Array(0), "CD 00 00"],
      ["a view into the middle of a buffer", new Int16Array(Int16Array.of(7, 8, 9, 10).buffer, 2, 2), "CD 02 00 04 08 00 09 00"],
    ])("%s is an array of the matching datatype", (_, value, root) => {
      expect(written(value)).toBe(hex(root));
      expect(written({ a: value, b: value })).toBe(hex(`CE 02 00 61 00 ${root} 62 00 CD FF FF 01 00`));
    });

    test.each([
      Uint8Array.of(1, 255),
      Int8Array.of(1, -1),
      Uint16Array.of(1, 65535),
      Int16Array.of(1, -1),
      Uint32Array.of(1, 4294967295),
      Int32Array.of(1, -1),
      Float32Array.of(1, -1.5),
      Float64Array.of(1, -1e300),
      BigInt64Array.of(1n, -1n),
    ])("typedArrays: true gives back %o", (value) => {
      expect(elephant.read(elephant.write({ v: value }), { typedArrays: true })).toStrictEqual({ v: value });
      expect(elephant.read(elephant.write({ v: value }), { typedArrays: true, scalars: "exact" })).toStrictEqual({ v: value });
      expect(elephant.read(elephant.write({ v: value }))).toStrictEqual({ v: Array.from(value as ArrayLike<unknown>) });
    });

    test("typedArrays: true leaves arrays without numeric datatype as they are", () => {
      const value = [[], ["a"], [true], [undefined], [1, "x"], [[]]];
      expect(elephant.read(elephant.write(value), { typedArrays: true })).toStrictEqual(value);
    });

    test("buffers of another realm are copied and made JSON as those of this one; what looks like one is none", () => {
      const far = runInNewContext("Uint8Array.of(1, 255).buffer") as ArrayBuffer;
      const copy = elephant.duplicate({ a: far, b: far });
      expect(copy.a).not.toBe(far);
      expect(copy.b).toBe(copy.a);
      expect([...new Uint8Array(copy.a)]).toEqual([1, 255]);
      expect(elephant.toJson({ a: far })).toEqual({ a: [1, 255] });
      const gone = runInNewContext("const b = new ArrayBuffer(2); structuredClone(b, { transfer: [b] }); b", { structuredClone }) as object;
      expect(expectError(() => elephant.write({ a: gone }), "datatype-not-recognised").message).toContain("given away");
      class Buffers {
        byteLength = 2;
        get [Symbol.toStringTag](): string {
          return "Float32Array";
        }
      }
      expectError(() => elephant.write({ a: new Buffers() }), "datatype-not-recognised");
    });

    test("a Float16Array is an array of halves", () => {
      // As engines that have none would be given one.
      class Halves extends Uint16Array {
        override get [Symbol.toStringTag]() {
          return "Float16Array" as never;
        }
      }
      expect(written(Halves.of(0x3e00, 0xc000))).toBe(hex("CD 02 00 07 00 3E 00 C0"));
      expect(elephant.read(elephant.write(Halves.of(0x3e00, 0xc000)))).toEqual([1.5, -2]);
    });

    test.each(["array", "struct"])("typed arrays and buffers that stand deeper than calls are nested, in each %s", async (kind) => {
      for (const leaf of [Float64Array.of(1.5, 2), new Uint8Array(0), new DataView(new ArrayBuffer(2)), new ArrayBuffer(3)])
        for (let depth = 61; depth < 67; depth++) {
          let value: unknown = leaf;
          let plain: unknown = Array.from(leaf instanceof Float64Array ? leaf : new Uint8Array(leaf.byteLength));
          for (let i = 0; i < depth; i++) {
            value = kind === "array" ? [value, i] : { a: value, b: i };
            plain = kind === "array" ? [plain, i] : { a: plain, b: i };
          }
          const save = elephant.write([value, leaf]);
          const [read, again] = elephant.read<[unknown, unknown]>(save);
          expect(differences(plain, read)).toEqual([]);
          let found = read;
          for (let i = 0; i < depth; i++) found = (found as { a: unknown }).a ?? (found as unknown[])[0];
          expect(found).toBe(again);
          expect(await elephant.writeAsync([value, leaf], { sliceMs: 0 })).toEqual(save);
          expectError(() => create({ limits: { maxDepth: depth } }).write(value), "depth-limit");
          expect(create({ limits: { maxDepth: depth + 1 } }).write(value)).toEqual(elephant.write(value));
        }
    });

    test("typed arrays keep their sharing and bound", () => {
      const shared = Float64Array.of(1, 2);
      const read = elephant.read<Float64Array[]>(elephant.write([shared, [1], shared]), { typedArrays: true });
      expect(read[0]).toBe(read[2]);
      expectError(() => elephant.write(new Uint8Array(65535)), "array-too-long");
    });

    test("a typed array that was read is a copy of its own", () => {
      const save = elephant.write(Float64Array.of(1, 2));
      const read = elephant.read<Float64Array>(save, { typedArrays: true });
      save.fill(0);
      elephant.write({ other: new Array(100).fill(0.5) });
      expect(read).toStrictEqual(Float64Array.of(1, 2));
    });
  });

  describe("§6 plain structs", () => {
    test("members are written in their order and may have any name", () => {
      expect(written({ b: true, "": false, "a b.c[0]": true })).toBe(hex(`CE 03 00 62 00 0A 01 00 0A 00 ${text("a b.c[0]")} 0A 01`));
    });

    test("if a name occurs twice the later value wins", () => {
      expect(elephant.read(file("CE 02 00 61 00 0A 00 61 00 0A 01"))).toStrictEqual({ a: true });
    });

    test("65533 members are the most", () => {
      const largest = Object.fromEntries(Array.from({ length: 65533 }, (_, i) => ["k" + i, true]));
      const save = elephant.write(largest);
      expect(Buffer.from(save.subarray(8, 11)).toString("hex")).toBe("cefdff");
      expect(differences(largest, elephant.read(save))).toEqual([]);
      expect(expectError(() => elephant.write([{ ...largest, more: true }]), "struct-too-large").path).toBe("[0]");
    });

    test("a name that is a method of every object is data", () => {
      const source = '{"__proto__":{"a":1},"constructor":2,"toString":3,"hasOwnProperty":4,"valueOf":5,"__defineGetter__":6}';
      const value = JSON.parse(source) as object;
      const read = elephant.read<object>(elephant.write(value));
      expect(JSON.stringify(read)).toBe(source);
      expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    });
  });

  test("what every object inherits takes no member that is read", () => {
    const save = elephant.write([{ hp: 1, toString: "x", z: 2 }, { hp: 2 }]);
    let taken = 0;
    Object.defineProperty(Object.prototype, "hp", { set: () => taken++, get: () => 0, configurable: true });
    try {
      for (const codec of [create(), create({ codeGeneration: false }), createElephantSync()]) {
        for (let i = 0; i < 20; i++) {
          const value = codec.read<object[]>(save);
          expect(value.map((struct) => Object.keys(struct))).toEqual([["hp", "toString", "z"], ["hp"]]);
        }
      }
    } finally {
      delete (Object.prototype as { hp?: number }).hp;
    }
    expect(taken).toBe(0);
  });

  describe("§7 references and numbering", () => {
    test("arrays and structs share one numbering, depth first in writing order, empty ones included", () => {
      const empty = {};
      const inner = [true];
      expect(written({ a: [empty, inner], b: inner, c: empty })).toBe(
        hex("CE 03 00 61 00 CD 02 00 CC CE 00 00 CD 01 00 0A 01 62 00 CD FF FF 03 00 63 00 CE FF FF 02 00"),
      );
    });

    test("a reference index above 65535 is refused with its path", () => {
      const late: unknown[] = [];
      const value = [Array.from({ length: 40000 }, () => []), Array.from({ length: 30000 }, () => []), late, { again: late }];
      expect(expectError(() => elephant.write(value), "reference-index-overflow").path).toBe("[3].again");
    });

    test("index 65535 can still be referred to", () => {
      const last: unknown[] = [];
      // root 0, row 1, 65533 elements up to 65534, last 65535
      const value = [Array.from({ length: 65533 }, () => []), last, last];
      const read = elephant.read<unknown[]>(elephant.write(value));
      expect(read[1]).toBe(read[2]);
    });

    test("equal containers that are not the same stay apart", () => {
      const read = elephant.read<unknown[][]>(elephant.write([[1], [1]]));
      expect(read[0]).not.toBe(read[1]);
    });

    test("a reference to a container that has not been read is bad", () => {
      expect(expectError(() => elephant.read(file("CD 01 00 CD FF FF 01 00")), "bad-reference").offset).toBeGreaterThanOrEqual(12);
    });

    test("a reference may be of another kind than its position", () => {
      const read = elephant.read<unknown[]>(file("CD 02 00 CC CE 00 00 CD FF FF 01 00"));
      expect(read[0]).toStrictEqual({});
      expect(read[1]).toBe(read[0]);
    });
  });

  describe("§2 wrapper", () => {
    test("data behind the footer is not looked at, data before it neither", () => {
      const one = elephant.write("one");
      const two = elephant.write({ n: 2 });
      const both = new Uint8Array(3 + one.length + two.length + 1).fill(0xff);
      both.set(one, 3);
      both.set(two, 3 + one.length);
      const first = elephant.readAt(both, 3);
      expect(first).toStrictEqual({ value: "one", end: 3 + one.length, release: "1.5.1" });
      expect(elephant.readAt(both, first.end)).toStrictEqual({ value: { n: 2 }, end: both.length - 1, release: "1.5.1" });
      expect(elephant.read(both, { offset: 3 })).toBe("one");
    });

    test("a version that is not known is told from a header that is cut off", () => {
      expect(expectError(() => elephant.read(bytes("50454c45 02050100")), "version").offset).toBe(4);
      expect(expectError(() => elephant.read(bytes("41544d43 02000100")), "version").offset).toBe(4);
      for (const whole of ["50454c45 01050100", "50454c45 00040100", "41544d43 00000100"])
        expect(expectError(() => elephant.read(bytes(whole)), "truncated").offset).toBe(8);
      expect(expectError(() => elephant.read(bytes("50454c45 020501")), "truncated").offset).toBe(7);
    });

    test("an ArrayBuffer and a view into a larger buffer are read", () => {
      const save = elephant.write({ a: [1.5, "x"] });
      const room = new Uint8Array(save.length + 11);
      room.set(save, 9);
      expect(elephant.read(room.subarray(9, 9 + save.length))).toStrictEqual({ a: [1.5, "x"] });
      expect(elephant.read(room.slice(9, 9 + save.length).buffer)).toStrictEqual({ a: [1.5, "x"] });
      expect(elephant.read(Buffer.from(save))).toStrictEqual({ a: [1.5, "x"] });
    });

    test("the version word follows the release", () => {
      const version = (release: "1.4.0" | "1.5.0" | "1.5.1") => Buffer.from(elephant.write(1, { release }).subarray(4, 8)).toString("hex");
      expect(version("1.5.1")).toBe("01050100");
      expect(version("1.5.0")).toBe("00050100");
      expect(version("1.4.0")).toBe("00040100");
    });

    test("errors of the wrapper say what is wrong and where", () => {
      expect(expectError(() => elephant.read(bytes("454c4550 01050100 0A01 544e4148")), "header").offset).toBe(0);
      expect(expectError(() => elephant.read(bytes("50454c45 02050100 0A01 544e4148")), "version").offset).toBe(4);
      expect(expectError(() => elephant.read(bytes("50454c45 01050100 0A01 48414e54")), "footer").offset).toBe(10);
      expect(expectError(() => elephant.read(bytes("50454c45 01050100 0A01 544e41")), "truncated").offset).toBeGreaterThanOrEqual(10);
      expect(expectError(() => elephant.read(bytes("50454c45 01050100 CE0100 6100 64 544e4148")), "unknown-datatype").offset).toBe(13);
    });

    test("what stands where the wrapper is expected is shown in its order", () => {
      expect(expectError(() => elephant.read(bytes("89504e47 0d0a1a0a"))).message).toContain('begins with "\u0089PNG",');
      expect(expectError(() => elephant.read(bytes("50454c45 01050100 0A01 41420344"))).message).toContain('found "AB\\u0003D" ');
    });

    test("release 1.4.0: the root byte tells the two dialects apart", () => {
      expect(elephant.readAt(bytes("50454c45 00040100 0F 01 00 11 544e4148"), 0)).toMatchObject({
        value: [undefined],
        release: expect.stringMatching(/^1\.4\.0./) as string,
      });
      expect(elephant.readAt(bytes("50454c45 00040100 CD 01 00 CF 544e4148"), 0)).toMatchObject({ value: [undefined], release: "1.4.0" });
      expectError(() => elephant.read(bytes("50454c45 00040100 CD 01 00 11 544e4148")), "unknown-datatype");
      // 14 alone says nothing: any, as the root's datatype, would have another datatype behind it, and no array, struct or undefined was written so.
      expectError(() => elephant.read(bytes("50454c45 00040100 0E 01 05 544e4148")), "unknown-datatype");
      expect(elephant.read(bytes("50454c45 00030100 0E 01 05 544e4148"))).toBe(5);
      expectError(() => elephant.read(bytes("50454c45 00050100 0F 01 00 11 544e4148")), "unknown-datatype");
    });
  });

  describe("writeInto and failed writes", () => {
    test("several saves share a buffer, one behind the other", () => {
      const target = new Uint8Array(200);
      let end = elephant.writeInto({ a: 1 }, target, 5);
      const second = end;
      end = elephant.writeInto(["x"], target, end);
      const third = end;
      end = elephant.writeInto(true, target, end);
      expect(elephant.readAt(target, 5)).toMatchObject({ value: { a: 1 }, end: second });
      expect(elephant.readAt(target, second)).toMatchObject({ value: ["x"], end: third });
      expect(elephant.readAt(target, third)).toMatchObject({ value: true, end });
      expect(elephant.writeInto(1, target)).toBe(21);
    });

    test("a failed write leaves the earlier bytes of the buffer and the codec usable", () => {
      const target = new Uint8Array(400);
      const end = elephant.writeInto({ keep: "me" }, target);
      const before = target.slice(0, end);
      const bad = { rows: Array.from({ length: 5 }, (_, i) => ({ i })), last: "a\0" };
      expectError(() => elephant.writeInto(bad, target, end), "nul-in-string");
      expect(target.slice(0, end)).toStrictEqual(before);
      expect(elephant.readAt(target, 0)).toMatchObject({ value: { keep: "me" }, end });
      expect(elephant.read(elephant.write([1, 2]))).toStrictEqual([1, 2]);
    });

    test("a buffer that is too small is an error and not a cut save", () => {
      const target = new Uint8Array(30).fill(7);
      expectError(() => elephant.writeInto({ text: "longer than the buffer" }, target, 4), "target-too-small");
      expect(target).toEqual(new Uint8Array(30).fill(7));
    });

    test("warnings are told also where a buffer turns out too small", () => {
      const codes: string[] = [];
      const warned = createElephantSync({ engine, onWarning: ({ code }) => codes.push(code) });
      expectError(() => warned.writeInto([() => 1], new Uint8Array(10)), "target-too-small");
      expect(codes).toEqual(["function-stored-as-undefined"]);
    });

    test("what write returns is not touched by later writes", () => {
      const first = elephant.write({ a: 1, b: "one" });
      const copy = first.slice();
      for (let i = 0; i < 20; i++) elephant.write({ a: i, b: "other".repeat(i) });
      expect(first).toStrictEqual(copy);
    });
  });
});

describe("files that are none", () => {
  const elephant = createElephantSync();

  test("four bytes tell that it is no save", () => {
    for (const length of [4, 5, 7]) expect(expectError(() => elephant.read(new Uint8Array(length)), "header").offset).toBe(0);
  });

  test("ATMC before any later version is a header error", () => {
    for (const word of ["01010100", "00020100", "01050100"])
      expect(expectError(() => elephant.read(bytes(`41544d43 ${word} cf`)), "header").offset).toBe(0);
  });
});

describe("odd values", () => {
  const elephant = createElephantSync();

  test("an object whose prototype only says that it is Object's is not plain", () => {
    const value = Object.create(Object.assign(Object.create(null), { constructor: Object }));
    expectError(() => elephant.write([value]), "datatype-not-recognised");
    expectError(() => elephant.duplicate([value]), "datatype-not-recognised");
  });

  test("halves of a surrogate pair that are not whole", () => {
    const wrong = ["EDA041EDB080", "EDA080EDB041"];
    const decoded = wrong.map((one) => new TextDecoder().decode(bytes(one)));
    for (const engine of ["wasm", "js"] as const)
      for (const options of [{}, { typedArrays: true }])
        for (const [i, one] of wrong.entries()) {
          expect(elephant.read(file(`0B ${one} 00`), options)).toBe(decoded[i]);
          const long = createElephantSync({ engine }).read<string>(file(`0B ${one.repeat(60_000)} 00`), options);
          expect(long === decoded[i].repeat(60_000)).toBe(true);
        }
  });
});
