// Export strings, ToJSON, FromJSON and Duplicate: one test per rule of formats/elephant.md §13.

import zlib, { deflateSync, gzipSync, inflateSync } from "node:zlib";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { inflateByPako } from "../../src/elephant/export-string.ts";
import { bytes } from "./bytes.ts";
import {
  createElephant,
  createElephantSync,
  type ElephantOptions,
  ENGINES,
  POST_READ,
  PRE_WRITE,
  SCHEMA,
  Scalar,
  type ScalarDatatype,
  StructInstance,
  VERBOSE_EXCLUDE,
  VERSION_VERBOSE,
} from "./codec.ts";
import { differences } from "./compare.ts";
import { expectError } from "./expect-error.ts";

const CONSTRUCTOR = "__Elephant_Constructor__";
const VERSION = "__Elephant_Schema_Version__";
const REFERENCE = "__Elephant_Circular_Ref__";

class Chest {
  label = "none";
  gold = 0;
  inside: unknown = undefined;
  secret = "default";
  static [SCHEMA]: Record<string, unknown> = { v1: { label: "string" }, v2: { label: "string", gold: "u8", inside: "any" } };
}
class Coin {
  value = 1;
}
/** Classes of views that say other things of themselves, or are made of other arguments, than their bases. */
class Packet extends (DataView as new (buffer: ArrayBuffer, offset?: number) => DataView) {
  get length(): number {
    return this.byteLength;
  }
}
class Row extends Uint8Array {
  override [Symbol.iterator](): never {
    throw new Error("a row has no order");
  }
}
class Matrix extends Float32Array {
  constructor(rows: number, columns: number) {
    super(rows * columns);
  }
}

describe.each(ENGINES)("engine %s", (engine) => {
  const create = (options: ElephantOptions = {}) => createElephantSync({ ...options, engine });
  const elephant = create({ constructors: { Chest, Coin } as never });
  const chest = (members: Partial<Chest> = {}) => Object.assign(new Chest(), members);

  describe("making a codec", () => {
    test("the codec says which byte level it runs on", async () => {
      expect(elephant.engine).toBe(engine);
      expect((await createElephant({ engine })).engine).toBe(engine);
    });

    test("the asynchronous way makes the same codec", async () => {
      const later = await createElephant({ engine, constructors: { Chest, Coin } as never });
      const value = [chest({ inside: new Coin() }), 1.5, "x"];
      expect(later.write(value)).toStrictEqual(elephant.write(value));
      expect(later.read(elephant.write(value))).toStrictEqual(value);
    });

    test("codecs do not see each other's constructors", () => {
      expectError(() => create().read(elephant.write(new Coin())), "unknown-constructor");
    });
  });

  describe("§13.1 export string", () => {
    test("base64 with padding of a zlib stream of the whole file", () => {
      const value = { a: [1, 2, 3], b: "ü".repeat(500), c: chest() };
      const exported = elephant.exportString(value);
      expect(exported.length % 4).toBe(0);
      expect(Uint8Array.from(inflateSync(Buffer.from(exported, "base64")))).toStrictEqual(elephant.write(value));
      expect(elephant.importString(exported)).toStrictEqual(value);
    });

    test("diffsOnly and release are honoured", () => {
      const value = chest({ gold: 5 });
      const exported = elephant.exportString(value, { diffsOnly: true, release: "1.5.0" });
      expect(Uint8Array.from(inflateSync(Buffer.from(exported, "base64")))).toStrictEqual(
        elephant.write(value, { diffsOnly: true, release: "1.5.0" }),
      );
      expect(elephant.importString(exported)).toStrictEqual(value);
    });

    test("read options are honoured", () => {
      const exported = elephant.exportString(Float64Array.of(1, 2));
      expect(elephant.importString(exported, { typedArrays: true })).toStrictEqual(Float64Array.of(1, 2));
    });

    test.each(["", "A", "!!!!", "AAAA", "eJwr", "ÄÖÜ="])("text that is no export string is an error: %j", (text) => {
      expectError(() => elephant.importString(text));
    });

    const stream = (value: unknown) => deflateSync(elephant.write(value));
    test("a wrong Adler-32 is an error", () => {
      const damaged = stream({ a: 1 });
      damaged[damaged.length - 1]! ^= 1;
      expectError(() => elephant.importString(damaged.toString("base64")));
    });

    test("bytes behind the zlib stream are an error", () => {
      expectError(() => elephant.importString(Buffer.concat([stream({ a: 1 }), Buffer.from([0])]).toString("base64")));
    });

    test("a stream that ends too early is an error", () => {
      const whole = stream({ a: 1, b: "text".repeat(20) });
      for (let length = 0; length < whole.length; length++)
        expectError(() => elephant.importString(whole.subarray(0, length).toString("base64")));
    });

    test("raw deflate without the zlib header is an error", () => {
      expectError(() => elephant.importString(stream({ a: 1 }).subarray(2, -4).toString("base64")));
    });
  });

  describe("§13.2 to JSON", () => {
    test("members come in ordinal order; a constructed struct starts with its name and version", () => {
      const json = elephant.toJson({ b: 1, a: chest({ gold: 300, inside: [new Coin()] }), B: [] });
      expect(JSON.stringify(json)).toBe(
        `{"B":[],"a":{"${CONSTRUCTOR}":"Chest","${VERSION}":2,"gold":300,"inside":[{"${CONSTRUCTOR}":"Coin","${VERSION}":0,"value":1}],"label":"none"},"b":1}`,
      );
    });

    test("scalars are unchanged and not converted to the datatypes of the schema", () => {
      const s32 = Scalar("s32" as ScalarDatatype, 5);
      const json = elephant.toJson([1.5, Number.NaN, true, "x", 5n, s32, undefined, chest({ gold: 300.5 })]) as unknown[];
      expect(differences([1.5, Number.NaN, true, "x", 5n, s32, undefined], json.slice(0, 7))).toEqual([]);
      expect(json[7]).toMatchObject({ gold: 300.5 });
    });

    test("a repeated container is its path of first occurrence in visiting order", () => {
      const shared = [1];
      const root: Record<string, unknown> = { z: shared, list: [{ deep: shared }] };
      root.self = root;
      expect(elephant.toJson(root)).toStrictEqual({
        list: [{ deep: [1] }],
        self: { [REFERENCE]: "" },
        z: { [REFERENCE]: ".list[0].deep" },
      });
    });

    test("the exclude list leaves out members of verbose versions and never of strict ones", () => {
      class Strict {
        a = 1;
        static [SCHEMA]: Record<string, unknown> = { [VERBOSE_EXCLUDE]: ["a"], v1: { a: "u8" } };
      }
      class Verbose {
        a = 1;
        b = 2;
        static [SCHEMA]: Record<string, unknown> = { [VERBOSE_EXCLUDE]: ["a"] };
      }
      const both = create({ constructors: { Strict, Verbose } as never });
      expect(both.toJson([new Strict(), new Verbose()])).toStrictEqual([
        { [CONSTRUCTOR]: "Strict", [VERSION]: 1, a: 1 },
        { [CONSTRUCTOR]: "Verbose", [VERSION]: 0, b: 2 },
      ]);
    });

    test("diffsOnly leaves out members that are at their defaults", () => {
      expect(elephant.toJson(chest({ gold: 3 }), { diffsOnly: true })).toStrictEqual({ [CONSTRUCTOR]: "Chest", [VERSION]: 2, gold: 3 });
    });

    test("typed arrays become plain ones, functions and null undefined", () => {
      const value = {
        a: Float32Array.of(1.5, Number.NaN),
        b: BigInt64Array.of(-1n),
        c: [() => 1, null],
        d: Uint8Array.of(7).buffer,
        e: null,
      };
      expect(elephant.toJson(value)).toStrictEqual({ a: [1.5, Number.NaN], b: [-1n], c: [undefined, undefined], d: [7], e: undefined });
      expect([elephant.toJson(() => 1), elephant.toJson(null)]).toEqual([undefined, undefined]);
    });

    test("views of a program's own classes are arrays of what their bytes hold", () => {
      const value = {
        a: new Packet(Uint8Array.of(1, 2, 3).buffer, 1),
        b: Row.of(1, 2),
        c: new Matrix(1, 2),
        d: BigUint64Array.of(2n ** 63n),
      };
      expect(elephant.toJson(value)).toStrictEqual({ a: [2, 3], b: [1, 2], c: [0, 0], d: [2n ** 63n] });
    });

    test("the result holds no part of the input", () => {
      const value = { a: { b: [1] } };
      const json = elephant.toJson(value) as typeof value;
      json.a.b.push(2);
      expect(value.a.b).toStrictEqual([1]);
    });

    test("a name such as __proto__ stays data both ways", () => {
      const value = JSON.parse('{"__proto__":{"polluted":true},"constructor":1}') as object;
      const json = elephant.toJson(value) as object;
      expect(JSON.stringify(json)).toBe('{"__proto__":{"polluted":true},"constructor":1}');
      expect(Object.getPrototypeOf(json)).toBe(Object.prototype);
      const back = elephant.fromJson<object>(json);
      expect(JSON.stringify(back)).toBe(JSON.stringify(value));
      expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    });

    test("what has no datatype is refused with its path", () => {
      expect(expectError(() => elephant.toJson({ a: [new Map()] }), "datatype-not-recognised").path).toBe(".a[0]");
      expect(expectError(() => elephant.toJson({ a: [Symbol("s")] }), "datatype-not-recognised").path).toBe(".a[0]");
    });
  });

  describe("§13.3 from JSON", () => {
    test("instances, sharing and cycles come back", () => {
      const coin = new Coin();
      const root = chest({ inside: [coin, coin] });
      (root.inside as unknown[]).push(root);
      const back = elephant.fromJson(elephant.toJson(root));
      expect(differences(root, back)).toEqual([]);
    });

    test.each([1n, "1", 1.5, 128, -1, null, {}])("version %s is none", (version) => {
      expectError(() => elephant.fromJson({ [CONSTRUCTOR]: "Coin", [VERSION]: version }), "json-version-missing");
    });

    test("what cannot be a reference or a constructor's name is an error like any other", () => {
      const circle: Record<string, unknown> = {};
      circle[REFERENCE] = circle;
      for (const reference of [5n, circle, Object.create(null), ".nowhere", 7, true])
        expectError(() => elephant.fromJson({ [REFERENCE]: reference }), "bad-reference");
      for (const name of [5n, circle, undefined])
        expectError(() => elephant.fromJson({ [CONSTRUCTOR]: name, [VERSION]: 0 }), "unknown-constructor");
    });

    test("of two containers with the same path a reference means the later one", () => {
      const back = elephant.fromJson<Record<string, unknown>>({
        "a.b": [1],
        a: { b: [2] },
        c: { [REFERENCE]: ".a.b" },
        d: { [REFERENCE]: "" },
      });
      expect(back.c).toBe(back["a.b"]);
      expect(back.d).toBe(back);
    });

    test("paths whose hashes are equal are told apart", () => {
      // With this secret, paths of the same letters have one hash.
      const random = vi.spyOn(Math, "random").mockReturnValue(0);
      try {
        const back = elephant.fromJson<Record<string, unknown>>({ ab: [1], ba: [2], c: { [REFERENCE]: ".ab" }, d: { [REFERENCE]: ".ba" } });
        expect([back.c, back.d]).toEqual([[1], [2]]);
        expect([back.c === back.ab, back.d === back.ba]).toEqual([true, true]);
        expectError(() => elephant.fromJson({ ab: [1], c: { [REFERENCE]: ".ba" } }), "bad-reference");
      } finally {
        random.mockRestore();
      }
    });

    test("an object of a class is no JSON", () => {
      expect(expectError(() => elephant.fromJson({ a: [new Coin()] }), "datatype-not-recognised").path).toBe(".a[0]");
    });

    test("references may be running numbers, as 1.3.0 wrote them", () => {
      const back = elephant.fromJson<{ a: unknown[]; b: unknown[] }>({ a: [1], b: [{ [REFERENCE]: 1 }, { [REFERENCE]: 0 }] });
      expect(back.b[0]).toBe(back.a);
      expect(back.b[1]).toBe(back);
    });

    test("missing members keep their defaults, unknown ones are added, no schema is consulted", () => {
      expect(elephant.fromJson({ [CONSTRUCTOR]: "Chest", [VERSION]: 2, gold: 300.5, extra: "kept" })).toStrictEqual(
        Object.assign(new Chest(), { gold: 300.5, extra: "kept" }),
      );
    });

    test("the version's key is no member of a plain struct either", () => {
      expect(elephant.fromJson({ list: [{ [VERSION]: 3, a: 1 }] })).toStrictEqual({ list: [{ a: 1 }] });
    });

    test.each<[string, unknown, string]>([
      ["a reference to nothing", [{ [REFERENCE]: ".nowhere" }], "bad-reference"],
      ["a reference to a number that was not counted", [{ [REFERENCE]: 5 }], "bad-reference"],
      ["an unknown constructor", { [CONSTRUCTOR]: "Ghost", [VERSION]: 0 }, "unknown-constructor"],
      ["a constructor without version", { [CONSTRUCTOR]: "Chest" }, "json-version-missing"],
      ["an unknown constructor without version", { [CONSTRUCTOR]: "Ghost" }, "json-version-missing"],
      ["a version that saves cannot hold", { [CONSTRUCTOR]: "Chest", [VERSION]: 128 }, "json-version-missing"],
      ["a version that is not whole", { [CONSTRUCTOR]: "Chest", [VERSION]: 1.5 }, "json-version-missing"],
      ["a global's name as constructor", { [CONSTRUCTOR]: "Object", [VERSION]: 0 }, "unknown-constructor"],
      ["a member of Object.prototype as constructor", { [CONSTRUCTOR]: "toString", [VERSION]: 0 }, "unknown-constructor"],
      ["__proto__ as constructor", { [CONSTRUCTOR]: "__proto__", [VERSION]: 0 }, "unknown-constructor"],
      ["a member of Object.prototype as path", [{ [REFERENCE]: "constructor" }], "bad-reference"],
    ])("%s is refused", (_, json, category) => {
      expectError(() => elephant.fromJson(json), category);
    });
  });

  describe("§13.4 duplicate", () => {
    test("the copy shares nothing with the original and keeps sharing and cycles", () => {
      const coin = new Coin();
      const root: Record<string, unknown> = { coins: [coin, coin], typed: Float32Array.of(1, 2), n: null };
      root.self = root;
      const copy = elephant.duplicate(root) as typeof root & { coins: Coin[]; typed: Float32Array };
      expect(differences({ ...root, n: undefined, self: undefined }, { ...copy, self: undefined })).toEqual([]);
      expect(copy.self).toBe(copy);
      expect(copy.coins[0]).toBe(copy.coins[1]);
      expect(copy.coins[0]).not.toBe(coin);
      expect(copy.typed).not.toBe(root.typed);
      expect(copy.typed.buffer).not.toBe((root.typed as Float32Array).buffer);
    });

    test("strict fields are gone through in the order of the schema, not of the file", () => {
      const calls: string[] = [];
      class Part {
        name = "";
        [PRE_WRITE]() {
          calls.push(`write ${this.name}`);
        }
        [POST_READ]() {
          calls.push(`read ${this.name}`);
        }
      }
      class Whole {
        static [SCHEMA] = { v1: { z: "any", text: "string", a: "any" } };
        z = Object.assign(new Part(), { name: "z" });
        text = 5 as unknown;
        a = Object.assign(new Part(), { name: "a" });
      }
      const copy = create({ constructors: { Part, Whole } as never }).duplicate(new Whole());
      expect(calls).toEqual(["write z", "write a", "read z", "read a"]);
      expect([copy.z.name, copy.text, copy.a.name]).toEqual(["z", "5", "a"]);
    });

    test("a container, a function or a symbol is no text", () => {
      for (const label of [{}, [1], Object.create(null), { toString: 1 }, () => 1, Symbol("s"), new Date(0), new Uint8Array(1)])
        expect(expectError(() => elephant.duplicate([chest({ label } as never)]), "datatype-not-recognised").path).toBe("[0].label");
    });

    test("an array whose memory has been given away, or lies outside of it, is an error with its path", () => {
      const gone = new Uint8Array(4);
      structuredClone(gone.buffer, { transfer: [gone.buffer] });
      // Resizable buffers came with Node 20; TypeScript's library of ES2022 does not know them.
      const buffer = new (ArrayBuffer as unknown as new (n: number, o: object) => ArrayBuffer & { resize(n: number): void })(32, {
        maxByteLength: 64,
      });
      const outside = new Float64Array(buffer, 16, 2);
      const empty = new Float64Array(buffer, 8, 0);
      buffer.resize(8);
      expect(elephant.duplicate({ empty })).toEqual({ empty: new Float64Array(0) });
      expect(elephant.read(elephant.write({ empty }))).toEqual({ empty: [] });
      for (const array of [gone, gone.buffer, outside]) {
        expect(expectError(() => elephant.duplicate({ array }), "datatype-not-recognised").path).toBe(".array");
        expect(expectError(() => elephant.write({ array }), "datatype-not-recognised").path).toBe(".array");
      }
    });

    test("what only says that it is a buffer is an error with its path", () => {
      const { buffer } = Uint8Array.of(1, 2, 3);
      for (const array of [new Proxy(buffer, {}), Object.create(buffer)]) {
        expect(expectError(() => elephant.duplicate({ array }), "datatype-not-recognised").path).toBe(".array");
        expect(expectError(() => elephant.write({ array }), "datatype-not-recognised").path).toBe(".array");
        expect(expectError(() => elephant.toJson({ array }), "datatype-not-recognised").path).toBe(".array");
      }
    });

    test("a length that none can have is an error with the array's path", () => {
      class Half extends Uint16Array {
        override get byteLength(): number {
          return 3;
        }
      }
      const saying = (length: number) => new Proxy([1, 2], { get: (array, key) => (key === "length" ? length : array[key as "0"]) });
      for (const array of [saying(1.5), saying(-1), saying(Number.NaN), new Half(2)])
        expect(expectError(() => elephant.write({ a: [{ array }, 5] }), "array-too-long").path).toBe(".a[0].array");
    });

    test("of an array that says another length each time, nothing of other saves is written, and nothing else is overwritten", () => {
      /** Says `last` when it is asked for the `nth` time. */
      const lying = (length: number, nth: number, last: number) => {
        let asked = 0;
        return new Proxy(new Array(length).fill(1.1), {
          get: (array, key) => (key !== "length" ? array[key as "0"] : ++asked === nth ? last : Math.min(length, 300)),
        });
      };
      const codec = create({});
      codec.write("S".repeat(3000));
      const later = codec.write({ name: 1 });
      for (let nth = 1; nth < 20; nth++)
        for (const [length, last] of [
          [300, 0],
          [1_400_000, 1_400_000],
        ]) {
          let bytes = new Uint8Array();
          try {
            bytes = codec.write(lying(length, nth, last));
          } catch (error) {
            expect(error).toMatchObject({ code: "array-too-long" });
          }
          expect(Buffer.from(bytes).includes("SSSSSSSS")).toBe(false);
          expect(codec.read(later)).toEqual({ name: 1 });
        }
    });

    test("an array of no prototype is copied as it is written", () => {
      for (const prototype of [null, Object.prototype]) {
        const array = Object.setPrototypeOf([1, { a: 2 }], prototype) as unknown[];
        expect(Array.from(elephant.duplicate({ array }).array)).toEqual([1, { a: 2 }]);
        expect(elephant.read(elephant.write({ array }))).toEqual({ array: [1, { a: 2 }] });
      }
    });

    test("bytes are copied whatever holds them, a Buffer of Node too", () => {
      for (const bytes of [
        Uint8Array.of(1, 2),
        Buffer.from([1, 2]),
        Uint8Array.of(1, 2).buffer,
        new DataView(Uint8Array.of(1, 2).buffer),
      ]) {
        const { copy } = elephant.duplicate({ copy: bytes });
        expect(copy).toStrictEqual(bytes);
        const view = ArrayBuffer.isView(copy) ? new Uint8Array(copy.buffer, copy.byteOffset) : new Uint8Array(copy);
        view[0] = 9;
        expect(elephant.write({ bytes })).toEqual(elephant.write({ bytes: Uint8Array.of(1, 2) }));
      }
    });

    test("views of a program's own classes are copied, of their class where that makes arrays by their length alone", () => {
      const matrix = new Matrix(2, 2);
      matrix.set([1, 2, 3, 4]);
      const packet = new Packet(Uint8Array.of(1, 2, 3).buffer, 1);
      const copy = elephant.duplicate({ matrix, packet, row: Row.of(1, 2), same: matrix });
      expect(copy.matrix).toStrictEqual(Float32Array.of(1, 2, 3, 4));
      expect(copy.same).toBe(copy.matrix);
      expect(copy.packet).toStrictEqual(new DataView(Uint8Array.of(2, 3).buffer));
      expect(Object.getPrototypeOf(copy.row)).toBe(Row.prototype);
      expect(elephant.write(copy)).toEqual(elephant.write({ matrix, packet, row: Row.of(1, 2), same: matrix }));
      class Square extends Float32Array {
        constructor(side: number) {
          super(side * side);
        }
      }
      expect(elephant.duplicate([new Square(2)])).toStrictEqual([new Float32Array(4)]);
      const shared = new SharedArrayBuffer(2);
      expect(elephant.duplicate({ shared }).shared).toBeInstanceOf(SharedArrayBuffer);
    });

    test("an array's property `constructor` is not asked for its copy", () => {
      const elements = Object.assign(new Array(4), [1, { a: 2 }]);
      const array = Object.assign(elements.slice(), { constructor: 1 });
      const copy = elephant.duplicate([array, array]);
      expect(copy[0]).toStrictEqual(elements);
      expect(copy[1]).toBe(copy[0]);
    });

    test("zeros whose sign a callback changes", () => {
      class Coin {
        [PRE_WRITE](): void {
          Object.assign(value, { n: -0, m: 0 });
          Object.assign(value.list, { 1: -0, 2: 0 });
        }
      }
      const value = { list: [new Coin(), 0, -0] as unknown[], n: 0, m: -0 };
      const copy = create({ constructors: { Coin } }).duplicate(value);
      expect([copy.n, copy.m, ...copy.list.slice(1)]).toStrictEqual([-0, 0, -0, 0]);
    });

    test("functions become undefined", () => {
      expect(elephant.duplicate({ f: () => 1 })).toStrictEqual({ f: undefined });
    });

    test("a strict schema decides the members; numbers are not converted, strings are", () => {
      const copy = elephant.duplicate(Object.assign(chest({ gold: 300, secret: "changed" }), { label: 2.5 as never }));
      expect(copy).toStrictEqual(chest({ gold: 300, label: "2.50" }));
      expect(elephant.duplicate(chest({ label: 5 as never })).label).toBe("5");
    });

    test("forceVerbose copies values as they are, but the members are still those of the schema", () => {
      expect(elephant.duplicate(chest({ label: 5 as never, secret: "changed" }), { forceVerbose: true })).toStrictEqual(
        chest({ label: 5 as never }),
      );
    });

    test("allMembers copies every own member", () => {
      const value = Object.assign(chest({ label: 5 as never, gold: 300, secret: "changed" }), { extra: [1] });
      expect(elephant.duplicate(value, { allMembers: true })).toStrictEqual(value);
    });

    test("a field of datatype array must hold one", () => {
      class Row {
        list: unknown = undefined;
        static [SCHEMA]: Record<string, unknown> = { v1: { list: "array" } };
      }
      const rows = create({ constructors: { Row } as never });
      expect(expectError(() => rows.duplicate([new Row()]), "not-an-array").path).toBe("[0].list");
    });

    test("the exclude list of a verbose version applies", () => {
      class Part {
        a = 1;
        b = 2;
        static [SCHEMA]: Record<string, unknown> = { [VERBOSE_EXCLUDE]: ["a"] };
      }
      const parts = create({ constructors: { Part } as never });
      expect(parts.duplicate(Object.assign(new Part(), { a: 9, b: 8 }))).toStrictEqual(Object.assign(new Part(), { b: 8 }));
    });
  });

  test("an integer beyond 64 bits is refused, and so is what a Scalar cannot be", () => {
    expect(expectError(() => elephant.write({ n: [2n ** 64n] })).path).toBe(".n[0]");
    expect(expectError(() => elephant.write([-(2n ** 63n) - 1n])).path).toBe("[0]");
  });

  test("the footer of 1.0.0 and 1.1.0 files is not expected", () => {
    expect(elephant.readAt(bytes("41544d43 00010100 0F 02 00 0A 01 00"), 0)).toStrictEqual({
      value: [true, false],
      end: 14,
      release: "1.1.0",
    });
    expectError(() => elephant.read(bytes("41544d43 00010100")), "truncated");
  });
});

describe("export strings", () => {
  const elephant = createElephantSync();

  test("an inflate limit may be infinite, or above what the platform takes", () => {
    for (const maxInflatedBytes of [Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER])
      expect(createElephantSync({ limits: { maxInflatedBytes } }).importString(elephant.exportString([1, "a"]))).toEqual([1, "a"]);
  });

  test("an inflate limit above what the platform's buffers can hold", () => {
    const { inflateSync } = zlib;
    // As 32-bit processors have it.
    const inflating = vi.spyOn(zlib, "inflateSync").mockImplementation((packed, options) => {
      if (Number(options?.maxOutputLength) < 2 ** 30) return inflateSync(packed, options);
      throw Object.assign(new RangeError("out of range"), { code: "ERR_OUT_OF_RANGE" });
    });
    onTestFinished(() => inflating.mockRestore());
    const exported = elephant.exportString([1, "a"]);
    expect(elephant.importString(exported)).toEqual([1, "a"]);
    expect(inflating).toHaveBeenCalledTimes(1);
    const cut = deflateSync(elephant.write([1, "a"])).subarray(0, -1);
    expect(expectError(() => elephant.importString(cut.toString("base64")), "export-string").offset).toBe(cut.length);
  });

  test("an inflate limit is the most bytes that a save may have", () => {
    const { length } = elephant.write([1, 2, 3]);
    const read = (maxInflatedBytes: number) =>
      createElephantSync({ limits: { maxInflatedBytes } }).importString(elephant.exportString([1, 2, 3]));
    expect(read(length)).toEqual([1, 2, 3]);
    expectError(() => read(length - 1), "inflate-limit");
  });

  test("an inflate limit below one byte", () => {
    const codec = createElephantSync({ limits: { maxInflatedBytes: 0 } });
    const one = deflateSync(Uint8Array.of(1));
    for (const given of [one, Buffer.concat([one, Buffer.of(0)])])
      expectError(() => codec.importString(given.toString("base64")), "inflate-limit");
  });

  test("a damaged zlib stream says where", () => {
    const stream = deflateSync(Uint8Array.from({ length: 5000 }, (_, i) => (i * i) >> 3));
    stream[2] = 7;
    expect(expectError(() => elephant.importString(stream.toString("base64")), "export-string").offset).toBeLessThan(stream.length - 100);
  });

  test("without the platform's zlib: bytes behind the stream, and the limit", () => {
    const save = elephant.write({ a: [1, 2, 3], b: "text" });
    const stream = new Uint8Array(deflateSync(save));
    expect(inflateByPako(stream, save.length)).toEqual(save);
    expect(expectError(() => inflateByPako(stream, save.length - 1), "inflate-limit").offset).toBe(save.length - 1);
    const more = Uint8Array.of(...stream, 1, 2, 3);
    // What is too large is told as such, though the stream is not whole behind it, or damaged.
    const damaged = Uint8Array.from(stream, (byte, at) => (at > stream.length - 8 ? byte ^ 0x55 : byte));
    for (const cut of [stream.subarray(0, -6), damaged])
      expect(expectError(() => inflateByPako(cut, save.length >> 1), "inflate-limit").offset).toBe(save.length >> 1);
    expect(expectError(() => inflateByPako(more, 1e6), "export-string").offset).toBe(stream.length);
    expect(expectError(() => inflateByPako(stream.subarray(0, -1), 1e6), "export-string").offset).toBe(stream.length - 1);
    // Another wrapping of the same data is none of Elephant's; where it begins, it is told.
    const wrapped = new Uint8Array(gzipSync(save));
    expect(expectError(() => inflateByPako(wrapped, 1e6), "export-string").offset).toBe(2);
    expect(expectError(() => elephant.importString(Buffer.from(wrapped).toString("base64")), "export-string").offset).toBe(2);
  });

  test("wrong padding stands where it begins", () => {
    for (const [wrong, at] of [
      ["AAAA=AAA", 4],
      ["AAAAA===", 5],
      ["AAAAA", 5],
    ] as const)
      expect(expectError(() => elephant.importString(wrong), "export-string").offset).toBe(at);
  });
});

describe("values and instances of JSON", () => {
  const elephant = createElephantSync();

  test("as many containers as limits.maxNodes", () => {
    const codec = createElephantSync({ limits: { maxNodes: 3 } });
    expect(codec.fromJson([{}, []])).toEqual([{}, []]);
    expect(expectError(() => codec.fromJson([{}, [], {}]), "element-limit").path).toBe("[2]");
  });

  test("more containers than a Map of the platform can hold", () => {
    const last = Array.from({ length: 600 }, (_, i) => [i]);
    const json = { list: last, same: { __Elephant_Circular_Ref__: ".list[599]" } };
    class Small extends Map<unknown, unknown> {
      override set(key: unknown, value: unknown): this {
        if (this.size >= 200) throw new RangeError("Map maximum size exceeded");
        return super.set(key, value);
      }
    }
    vi.stubGlobal("Map", Small);
    onTestFinished(() => void vi.unstubAllGlobals());
    const { list, same } = createElephantSync().fromJson<{ list: unknown[]; same: unknown }>(json);
    expect(list).toEqual(last);
    expect(same).toBe(list[599]);
  });

  test("the flag key is no member of an instance", () => {
    class C {
      static [SCHEMA] = { v1: { a: "any", [VERSION_VERBOSE]: true } } as never;
      a = 1;
    }
    const codec = createElephantSync({ constructors: { C } });
    expect(codec.fromJson(codec.toJson([new C()]))).toStrictEqual([new C()]);
  });

  test("a stand-in can be written", () => {
    const codec = createElephantSync({ unknownConstructor: "generic" });
    const json = codec.toJson(new StructInstance("C", { a: 1 }));
    expect(StructInstance.verboseOf(codec.fromJson(json))).toBe(true);
    expect(codec.toJson(codec.read(codec.write(codec.fromJson(json))))).toEqual(json);
  });

  test("a version that no later save can have is refused, as in a write", () => {
    const save = bytes(`50454c45 00020100 10 FE FF 00 00 43 00 C8 07 544e4148`);
    const a = createElephantSync({ constructors: { C: { v200: { a: "u8" } } as never } }).read(save);
    const codec = createElephantSync({ unknownConstructor: "generic" });
    expect(expectError(() => codec.toJson([a]), "schema-missing").path).toBe("[0]");
    expect(expectError(() => codec.write([a]), "schema-missing").path).toBe("[0]");
  });

  test("a typed array is a value", () => {
    const array = Uint8Array.of(1, 2);
    expect(elephant.fromJson({ a: array })).toStrictEqual({ a: array });
  });

  test("a constructor's name is a string, for generic codecs, too", () => {
    const codec = createElephantSync({ unknownConstructor: "generic" });
    for (const name of [5, null, {}])
      expectError(() => codec.fromJson({ a: { __Elephant_Constructor__: name, __Elephant_Schema_Version__: 0 } }), "unknown-constructor");
  });

  test("a function is undefined", () => {
    expect(elephant.fromJson({ a: () => 1, b: [() => 1] })).toStrictEqual({ a: undefined, b: [undefined] });
  });

  test("a stand-in of a registered schema has the schema's version", () => {
    const codec = createElephantSync({ constructors: { C: { v2: { a: "u8" } } } });
    expect(codec.toJson(new StructInstance("C", { a: 1 }))).toEqual({
      __Elephant_Constructor__: "C",
      __Elephant_Schema_Version__: 2,
      a: 1,
    });
  });
});
