// The lossless notation: values -> text -> values.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { elephant } from "../../src/cli/formats/elephant.ts";
import { detectFormat, FORMATS, NOTATION } from "../../src/cli/formats/registry.ts";
import { buildNotation, parseNotation } from "../../src/cli/notation/read.ts";
import type { Vocabulary } from "../../src/cli/notation/vocabulary.ts";
import { writeNotation } from "../../src/cli/notation/write.ts";
import { Scalar, StructInstance } from "../../src/elephant/index.ts";

const { vocabulary } = elephant;

function text(value: unknown, indent = 2, words: Vocabulary = vocabulary): string {
  return Buffer.concat([...writeNotation({ tusk: 1, format: "x" }, value, {}, words, indent)]).toString();
}

function back(json: string, words: Vocabulary = vocabulary): unknown {
  return buildNotation(parseNotation(Buffer.from(json)).root, words);
}

const document = (root: unknown) => back(JSON.stringify({ tusk: 1, root }));

test("an id is a number, and found by its text: as a number it could be made to collide with others", () => {
  const { set } = Map.prototype;
  const keys: string[] = [];
  Map.prototype.set = function (key, value) {
    keys.push(typeof key);
    return set.call(this, key, value);
  };
  let value: unknown;
  try {
    value = document([{ $id: 1.5e300, $array: [] }, { $id: 0, $array: [1] }, { $ref: 1.5e300 }, { $ref: 0 }]);
  } finally {
    Map.prototype.set = set;
  }
  expect(value).toEqual([[], [1], [], [1]]);
  expect(keys).not.toContain("number");
  const refusals: [unknown[], string][] = [
    [[{ $id: "1", $array: [] }], "occurs once"],
    [
      [
        { $id: 1, $array: [] },
        { $id: 1, $array: [] },
      ],
      "occurs once",
    ],
    [[{ $id: 1, $array: [] }, { $ref: "1" }], "before it"],
    [[{ $ref: null }], "before it"],
  ];
  for (const [given, message] of refusals) expect(() => document(given)).toThrow(message);
});

describe("values", () => {
  test.each<[string, unknown]>([
    ["undefined", undefined],
    ["null", null],
    ["NaN", Number.NaN],
    ["-0", -0],
    ["infinities", [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]],
    ["the smallest and largest doubles", [5e-324, 1.7976931348623157e308, 0.1 + 0.2]],
    ["64-bit integers", [0n, -1n, 2n ** 63n - 1n, -(2n ** 63n)]],
    ["bytes", new Uint8Array([0, 1, 255])],
    ["no bytes", new Uint8Array()],
    ["strings with every kind of character", '\u0001 " \\ é 😀 \u2028 \ufeff'],
    ["names with a dollar", { $id: 1, $ref: 2, $struct: 3, a: { $undefined: true } }],
    ["empty containers", [[], {}, [[]], { a: {} }]],
    ["many undefined", [undefined, null, undefined]],
  ])("%s", (_title, value) => {
    for (const indent of [0, 2]) expect(back(text(value, indent))).toStrictEqual(value);
  });

  test("-0 is told from 0", () => {
    expect(Object.is(back(text(-0)), -0)).toBe(true);
    expect(Object.is(back(text(0)), 0)).toBe(true);
  });

  test("__proto__ is data, as a name and as a member of $struct", () => {
    const value = JSON.parse('{"__proto__":{"x":1},"constructor":2,"$a":{"__proto__":3}}');
    const again = back(text(value)) as Record<string, Record<string, unknown>>;
    expect(Object.keys(again)).toEqual(["__proto__", "constructor", "$a"]);
    expect(Object.getPrototypeOf(again)).toBe(Object.prototype);
    expect(Object.getOwnPropertyDescriptor(again, "__proto__")!.value).toEqual({ x: 1 });
    expect(Object.keys(again.$a)).toEqual(["__proto__"]);
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  test("the order of members is kept", () => {
    const names = ["z", "a", "_", "M", "é", "a b", ""];
    expect(Object.keys(back(text(Object.fromEntries(names.map((name) => [name, 1])))) as object)).toEqual(names);
  });

  test("exact datatypes, alone and as an array of one datatype", () => {
    const value = [
      Scalar("s32", -5),
      Scalar("f32", Number.NaN),
      Scalar("u8", 7),
      Scalar("text", "t"),
      [Scalar("u16", 1), Scalar("u16", 2)],
      [Scalar("u16", 1), Scalar("u8", 2)],
    ];
    const json = text(value, 0);
    expect(json).toContain('{"$s32":-5}');
    expect(json).toContain('{"$of":"u16","$array":[1,2]}');
    expect(back(json)).toEqual(value);
  });

  test("constructed structs keep name, version and the verbose flag", () => {
    const value = document({ $new: "Player", $version: 3, $verbose: true, $struct: { x: 1, __proto__x: 2 } }) as StructInstance;
    expect([StructInstance.nameOf(value), StructInstance.versionOf(value), StructInstance.verboseOf(value)]).toEqual(["Player", 3, true]);
    const again = back(text(value)) as StructInstance;
    expect([StructInstance.nameOf(again), StructInstance.versionOf(again), StructInstance.verboseOf(again)]).toEqual(["Player", 3, true]);
    expect(Object.entries(again)).toEqual([
      ["x", 1],
      ["__proto__x", 2],
    ]);
  });
});

describe("graphs", () => {
  test("sharing and cycles are kept", () => {
    const shared = { a: 1 };
    const list: unknown[] = [shared, shared];
    const root: Record<string, unknown> = { list, shared };
    root.self = root;
    list.push(list);
    const again = back(text(root)) as { list: unknown[]; shared: object; self: unknown };
    expect(again.self).toBe(again);
    expect(again.list[0]).toBe(again.shared);
    expect(again.list[1]).toBe(again.shared);
    expect(again.list[2]).toBe(again.list);
  });

  test("what occurs again counts once more where the format has no references", () => {
    const doubling = (levels: number) => [
      { $id: 0, $array: [1, 1] },
      ...Array.from({ length: levels }, (_, i) => ({ $id: i + 1, $array: [{ $ref: i }, { $ref: i }] })),
    ];
    const repeating = (of: unknown, times: number) => [of, ...Array.from({ length: times }, () => ({ $ref: 0 }))];
    const json = (root: unknown) => JSON.stringify({ tusk: 1, root });
    const text = "x".repeat(100_000);
    const bytes = Buffer.alloc(100_000).toString("base64");
    for (const root of [
      doubling(40),
      repeating({ $id: 0, $array: Array.from({ length: 3000 }, () => [1]) }, 3000),
      repeating({ $id: 0, $array: [text] }, 2000),
      repeating({ $id: 0, $struct: { a: { $bytes: bytes } } }, 2000),
    ]) {
      expect(() => back(json(root), {})).toThrow(expect.objectContaining({ code: "notation", path: expect.stringMatching(/^\[\d+\]/) }));
      expect(back(json(root))).toBeInstanceOf(Array);
    }
    // As ENIGMA's tables do, which instances have together.
    const shared = back(json(repeating({ $id: 0, $array: Array.from({ length: 50 }, (_, i) => i) }, 50_000)), {}) as unknown[];
    expect([shared.length, shared[50_000] === shared[0]]).toEqual([50_001, true]);
    expect(back(json(doubling(15)), {})).toHaveLength(16);
  });

  test.each([0, 2])("100,000 levels, indent %d", (indent) => {
    let value: unknown = "deep";
    for (let i = 0; i < 100_000; i++) value = i % 2 ? [value] : { a: value };
    const json = text(value, indent);
    expect(json.length).toBeLessThan(15_000_000);
    let at = back(json);
    let levels = 0;
    for (; typeof at === "object"; levels++) at = Object.values(at as object)[0];
    expect([levels, at]).toEqual([100_000, "deep"]);
  });

  test("a string of 50 million characters", () => {
    const value = ["x".repeat(50_000_000), "é"];
    expect((back(text(value)) as string[])[0] === value[0]).toBe(true);
  });

  test("whatever graph of plain data there is comes back", () => {
    const leaf = fc.oneof(
      fc.constantFrom(undefined, null, true, false, -0, Number.NaN, Number.POSITIVE_INFINITY),
      fc.double(),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.string({ unit: "grapheme" }),
      fc.uint8Array({ maxLength: 8 }),
      fc.integer().map((value) => Scalar("s32", value)),
    );
    const name = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom("$id", "$ref", "$array", "$struct", "__proto__", "toString", "$"),
    );
    const graph = fc.letrec((tie) => ({
      value: fc.oneof({ depthSize: "small" }, leaf, tie("array"), tie("struct")),
      array: fc.array(tie("value"), { maxLength: 6 }),
      struct: fc.array(fc.tuple(name, tie("value")), { maxLength: 6 }).map((members) => {
        const made = {};
        for (const [key, value] of members)
          Object.defineProperty(made, key, { value, writable: true, enumerable: true, configurable: true });
        return made;
      }),
    })).value;
    fc.assert(
      fc.property(graph, fc.nat(), fc.constantFrom(0, 1, 2), (value, pick, indent) => {
        // Ties a knot: some container gets another one as a further element.
        const containers: unknown[] = [];
        const visit = (at: unknown) => {
          if (typeof at !== "object" || at === null || at instanceof Uint8Array || vocabulary.leaf!(at)) return;
          containers.push(at);
          for (const child of Object.values(at)) visit(child);
        };
        visit(value);
        const arrays = containers.filter((container) => Array.isArray(container)) as unknown[][];
        if (arrays.length > 0) arrays[pick % arrays.length].push(containers[pick % containers.length]);
        const json = text(value, indent);
        const again = back(json);
        expect(again).toEqual(value);
        // Sharing, which toEqual does not look at: the same text comes out again.
        expect(text(again, indent)).toBe(json);
      }),
      { numRuns: 300 },
    );
  });
});

describe("what cannot be read is an error with its place", () => {
  test.each<[string, unknown, string]>([
    ["a reference without its container", { a: [{ $ref: 7 }] }, ".a[0]"],
    ["a reference to an object", { a: [{ $ref: { toString: 1 } }] }, ".a[0]"],
    [
      "an id that occurs twice",
      [
        { $id: 0, $array: [] },
        { $id: 0, $array: [] },
      ],
      "[1]",
    ],
    ["an unknown tag", { a: { $player: 1 } }, ".a"],
    ["a tag among members", { a: 1, $ref: 2 }, ""],
    ["members beside $struct", { $struct: {}, a: 1 }, ""],
    ["a datatype with the wrong content", [{ $s32: "five" }], "[0]"],
    ["no datatype", [{ $s33: 5 }], "[0]"],
    ["a datatype of items that is no text", { a: { $of: { toString: 1 }, $array: [1] } }, ".a"],
    ["an item that does not fit $of", { $of: "u8", $array: [1, "x"] }, "[1]"],
    ["a number by another name", { $number: "nan" }, ""],
    ["a bigint that is none", { $bigint: "1.5" }, ""],
    ["a bigint of a million digits", { $bigint: "9".repeat(1_000_000) }, ""],
    ["bytes that are no base64", { $bytes: "!" }, ""],
    ["bytes of a text that is cut off", { a: [{ $bytes: "AAAAB" }] }, ".a[0]"],
    ["bytes with bits of another one", { $bytes: "AB==" }, ""],
    ["bytes that are no text", { $bytes: ["AAAA"] }, ""],
    ["a version that is no byte", { $new: "P", $version: 256, $struct: {} }, ""],
    ["tags that belong to nothing", { $version: 1, $struct: {} }, ""],
    ["an array that is a struct", { a: { $array: [1], $struct: { a: 1 } } }, ".a"],
    ["an array of bytes", [{ $array: [1], $bytes: "AAAA" }], "[0]"],
    ["an array with a constructor", { $array: [1], $new: "P" }, ""],
    ["an array that is none", { a: { $array: 5 } }, ".a"],
    ["a struct that is none", { a: { $struct: 5 } }, ".a"],
    ["a struct that is an array", { $new: "P", $struct: [] }, ""],
    ["a datatype of two values", { a: { $u8: { a: 1, b: 2 } } }, ".a"],
    ["a datatype of an array", [{ $u8: [1] }], "[0]"],
    ["a flag that is none", { $new: "P", $version: 1, $verbose: 1, $struct: {} }, ""],
    ["a struct that is a reference", { a: { $struct: {}, $ref: 0 } }, ".a"],
    ["a struct of one datatype", { a: { $struct: {}, $of: "u8" } }, ".a"],
    ["a struct that is undefined", { $struct: {}, $undefined: true }, ""],
    ["a constructed struct that is a number", { $new: "P", $struct: {}, $number: "NaN" }, ""],
    ["a struct that is a value of a datatype", { $new: "P", $struct: {}, $u8: 1 }, ""],
    ["a tag with the name of the prototype", JSON.parse('{"$new":"P","$__proto__":1,"$struct":{}}'), ""],
    ["two scalars in one", { $number: "NaN", $bigint: "1" }, ""],
  ])("%s", (_title, root, path) => {
    expect(() => document(root)).toThrow(expect.objectContaining({ code: "notation", format: "tusk" }));
    try {
      document(root);
    } catch (error) {
      expect((error as { path?: string }).path).toBe(path);
    }
  });

  test("of tags that contradict each other, the one that is too many is named", () => {
    expect(() => document({ $array: [1], $struct: {} })).toThrow('"$struct" does not stand beside "$array"');
    expect(() => document({ $struct: {}, $of: "u8" })).toThrow('"$of" does not stand beside "$struct"');
  });

  test("text that is no JSON, or another JSON", () => {
    for (const json of ["", "{", "[1]", '{"tusk":2,"root":1}', '{"root":1}'])
      expect(() => back(json)).toThrow(expect.objectContaining({ code: "notation" }));
    expect(() => parseNotation(Buffer.from('{\n"tusk": 1,\n"root": [1,]\n}'))).toThrow(expect.objectContaining({ line: 3 }));
    expect(() => parseNotation(Uint8Array.of(0x22, 0xff, 0x22))).toThrow(expect.objectContaining({ code: "notation" }));
  });
});

test.each(FORMATS)("any name in front of the root of $name may come first", ({ headNames }) => {
  for (const name of ["tusk", "format", ...headNames, "root", "original", "originalOf"])
    expect(detectFormat(Buffer.from(`{"${name}": 1, "tusk": 1}`)), name).toBe(NOTATION);
});
