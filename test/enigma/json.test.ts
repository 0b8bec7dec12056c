// Rules of the JSON backend, one test each (formats/enigma.md §3, §4.6 to §4.8, §7).
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { detect } from "../../src/detect.ts";
import { type EnigmaGame, NanBits, readEnigma, TuskError, type TuskWarning, writeEnigma } from "../../src/enigma/index.ts";
import { floatText } from "../../src/enigma/json/number.ts";
import { gameOf, instanceOf, schemaFor } from "./samples.ts";
import { fileOf, type Json, manifest, schemaOf, vectorOf } from "./vectors.ts";

function fileOfText(text: string | Uint8Array): Uint8Array {
  const payload = Buffer.from(text as string, "utf8");
  return new Uint8Array(Buffer.concat([payload, createHash("sha1").update(payload).digest()]));
}

/** The text of a save, one byte each. */
function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, -20)).toString("latin1");
}

function writeJson(type: string, value: Json, onWarning?: (warning: TuskWarning) => void): string {
  return textOf(writeEnigma(gameOf([instanceOf(1, [{ name: "v", type, value }])]), { backend: "json", onWarning }));
}

/** What stands as the data of the one variable. */
function dataOf(type: string, value: Json, onWarning?: (warning: TuskWarning) => void): string {
  return /"data":(.*)\}\]\}\],"instance_deactivated_list"/s.exec(writeJson(type, value, onWarning))![1]!;
}

/** Reads a save whose one variable has this text as its data. */
function readData(type: string, data: string, onWarning?: (warning: TuskWarning) => void) {
  const text = writeJson("u8", 7).replace('"data":7', () => `"data":${data}`);
  return readEnigma(fileOfText(Buffer.from(text, "latin1")), { schema: schemaFor({ v: type }), onWarning }).active[0]!.classes[0]!
    .locals[0]!;
}

function codesOf(work: (onWarning: (warning: TuskWarning) => void) => unknown): string[] {
  const codes: string[] = [];
  work(({ code }) => codes.push(code));
  return codes;
}

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof TuskError) return error.code;
    throw error;
  }
  return "no error";
}

test("floats have six decimals, rounded as C++ does, trailing zeros removed, never an exponent", () => {
  for (const [value, text] of [
    [0.1, "0.1"],
    [1e-7, "0"],
    [-1e-7, "-0"],
    [-0, "-0"],
    [1e20, "100000000000000000000"],
    [1e21, "1000000000000000000000"],
    [1 / 128, "0.007812"],
    [3 / 128, "0.023438"],
    [-5 / 128, "-0.039062"],
    [1000000 + 1 / 128, "1000000.007812"],
    [0.0000005, "0"],
    [0.0000015, "0.000002"],
    [2.5, "2.5"],
    [123456789.123456, "123456789.123456"],
    [1e15 + 0.125, "1000000000000000.125"],
    [Number.MAX_VALUE, BigInt(Number.MAX_VALUE).toString()],
    [5e-324, "0"],
    [Number.NaN, "nan"],
    [new NanBits("fff8000000000000"), "-nan"],
    [Number.NEGATIVE_INFINITY, "-inf"],
  ] as const)
    expect(floatText(value), String(value)).toBe(text);
});

test("a number that six decimals do not hold, or that is not finite, is reported and written", () => {
  expect(codesOf((onWarning) => expect(dataOf("f64", 1 / 3, onWarning)).toBe("0.333333"))).toEqual(["json-precision"]);
  expect(codesOf((onWarning) => expect(dataOf("f64", Number.NaN, onWarning)).toBe("nan"))).toEqual(["json-nonfinite"]);
  expect(codesOf((onWarning) => expect(dataOf("f32", Math.fround(0.1), onWarning)).toBe("0.1"))).toEqual([]);
});

test("whole floats have all their digits, as C++ prints them", () => {
  for (const [value, text] of [
    [2 ** 53, "9007199254740992"],
    [2 ** 60, "1152921504606846976"],
    [-(2 ** 63), "-9223372036854775808"],
    [2 ** 64, "18446744073709551616"],
    [1e17 + 16, "100000000000000016"],
    [1.2345678901234567e20, "123456789012345667584"],
    [Math.fround(1e20), "100000002004087734272"],
  ] as const) {
    expect(floatText(value), text).toBe(text);
    const forms: [string, string][] = [
      ["f64", text],
      ["variant", `{"type":"real","value":${text}}`],
      ["var", `{"variant":{},"array1d":[{"3":{"type":"real","value":${text}}}],"array2d":[]}`],
      ["map<f64,u8>", `{"${text}":1}`],
    ];
    if (Math.fround(value) === value) forms.push(["f32", text], ["map<f32,u8>", `{"${text}":1}`]);
    for (const [type, data] of forms) {
      const codes = codesOf((onWarning) => expect(dataOf(type, readData(type, data, onWarning).value as Json), type).toBe(data));
      expect(codes, data).toEqual([]);
    }
  }
});

test("a float's text is the engine's, or it is reported", () => {
  for (const [type, data] of [
    ["f32", "16385.1"],
    ["f32", "100.1"],
    ["f32", "99999.9"],
    ["f32", "100000000000000000000"],
    ["f64", "12345678901.3"],
    ["f64", "9223372036854776000"],
    ["map<f32,u8>", '{"1.50":1}'],
    ["map<f64,u8>", '{"1e2":1}'],
  ] as const) {
    let value: unknown;
    const codes = codesOf((onWarning) => (value = readData(type, data, onWarning).value));
    expect(dataOf(type, value as Json), data).not.toBe(data);
    expect(codes, data).toEqual(["json-foreign-form"]);
  }
  for (const [type, data] of [
    ["f32", "15.1"],
    ["f32", "-0.000001"],
    ["f32", "100.099998"],
    ["f64", "4294967296.123457"],
    ["f64", "-8589934591.999999"],
    ["f64", "12345678901.299999"],
  ] as const)
    expect(
      codesOf((onWarning) => expect(dataOf(type, readData(type, data, onWarning).value as Json)).toBe(data)),
      data,
    ).toEqual([]);
});

test("64-bit integers do not go through a double", () => {
  expect(dataOf("u64", 2n ** 64n - 1n)).toBe("18446744073709551615");
  expect(readData("u64", "18446744073709551615").value).toBe(2n ** 64n - 1n);
  expect(readData("i64", "-9007199254740993").value).toBe(-9007199254740993n);
});

test("texts escape what the engine escapes and nothing else", () => {
  expect(dataOf("string", '"\\\b\t\n\f\r\u0001/é')).toBe('"\\"\\\\\\b\\t\\n\\f\\r\u0001/\xc3\xa9"');
});

test("other escapes and white space are read, reported, and not written", () => {
  const read = (data: string) => readData("string", data).value;
  expect(read('"\\u0041\\/\\u00e9\\ud83c\\udf0d"')).toBe("A/é🌍");
  expect(read('"\\ud800"')).toEqual(Uint8Array.of(0xed, 0xa0, 0x80));
  expect(read('"\\udfff"')).toEqual(Uint8Array.of(0xed, 0xbf, 0xbf));
  for (const text of ["\x7f", "\x80", "\u07ff", "\u0800", "\ud7ff", "\ue000", "\uffff", "\u{10000}", "\u{10ffff}"]) {
    const escapes = Array.from({ length: text.length }, (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, "0")}`);
    expect(read(`"${escapes.join("")}"`)).toBe(text);
  }
  expect(codesOf((onWarning) => readData("string", '"\\u0041"', onWarning))).toEqual(["json-foreign-form"]);
  expect(codesOf((onWarning) => readData("string", ' "A"', onWarning))).toEqual(["json-foreign-form"]);
  expect(codesOf((onWarning) => readData("f64", "1e2", onWarning))).toEqual(["json-foreign-form"]);
  expect(codesOf((onWarning) => readData("f64", "0.10", onWarning))).toEqual(["json-foreign-form"]);
});

test("control characters that stand in a text as they are keep their bytes, but for the five that the engine escapes", () => {
  const codes = (text: string) => codesOf((onWarning) => expect(readData("string", `"a${text}b"`, onWarning).value).toBe(`a${text}b`));
  for (let code = 0; code < 0x20; code++) {
    const text = String.fromCharCode(code);
    const same = dataOf("string", `a${text}b`) === `"a${text}b"`;
    expect(codes(text), String(code)).toEqual([same ? "json-raw-control" : "json-foreign-form"]);
    expect(same, String(code)).toBe(!"\b\t\n\f\r".includes(text));
  }
  expect(codes("\t\u0001")).toEqual(["json-raw-control", "json-foreign-form"]);
});

test("a document with white space everywhere says the same", () => {
  for (const id of ["json-var-brackets", "json-array2d-ctor", "json-background-many", "json-timelines-empty-map"]) {
    const vector = vectorOf(id);
    const plain = readEnigma(fileOf(vector), { schema: schemaOf(vector) });
    const text = Buffer.from(fileOf(vector).subarray(1, -20)).toString("utf8");
    const spaced = JSON.stringify(JSON.parse(text), null, 2);
    const codes: string[] = [];
    const game = readEnigma(fileOfText(spaced), { schema: schemaOf(vector), onWarning: ({ code }) => codes.push(code) });
    expect({ ...game, prefix: undefined }, id).toEqual({ ...plain, prefix: undefined });
    expect(codes).toEqual(["json-foreign-form"]);
    expect(writeEnigma({ ...game, prefix: new Uint8Array(1) }), id).toEqual(fileOf(vector));
  }
});

test("an undefined variant may hold white space, in a field of the engine and in a variable", () => {
  const text = writeJson("u8", 7).replace(/"direction":\{.*?\}/, '"direction":{ }');
  const codes = codesOf((onWarning) => expect(readEnigma(fileOfText(text), { onWarning }).active[0]!.planar.direction).toBe(undefined));
  expect(codes).toEqual(["json-foreign-form"]);
  expect(readData("variant", "{\n}")).toEqual({ name: "v", type: "variant", value: undefined });
  expect(readData("variant", ' { "type" : "real", "value" : 5 } ').value).toBe(5);
  expect(readData("variant", '{"value":"5","type":"string"}').value).toBe("5");
});

test("of two lists of locals in a class the first counts, and the file is reported", () => {
  const text = writeJson("u8", 7).replace('"locals":[', '"locals":[],"locals":[');
  const codes = codesOf((onWarning) => expect(readEnigma(fileOfText(text), { onWarning }).active[0]!.classes[0]!.locals).toEqual([]));
  expect(codes).toEqual(["json-foreign-form"]);
});

test("of two lists of instances or backgrounds the last counts, and the file is reported", () => {
  const numbers = { width: 1, height: 1, tileWidth: 0, tileHeight: 0, hOffset: 0, vOffset: 0, hSep: 0, vSep: 0 };
  const texture = { width: 0, height: 0, bgra: new Uint8Array() };
  const background = { ...numbers, texture, bounds: { x: 0, y: 0, h: 1, w: 1 }, isTileset: false };
  const text = textOf(writeEnigma({ ...gameOf([instanceOf(1)], [instanceOf(2)]), backgrounds: [background] }, { backend: "json" }));
  for (const [list, key] of [
    ["active", "instance_list"],
    ["inactive", "instance_deactivated_list"],
    ["backgrounds", "backgrounds"],
  ] as const) {
    expect(readEnigma(fileOfText(text))[list]).toHaveLength(1);
    const twice = fileOfText(text.replace('"room_index"', `"${key}":[],"room_index"`));
    expect(codesOf((onWarning) => expect(readEnigma(twice, { onWarning })[list]).toEqual([]))).toEqual(["json-foreign-form"]);
  }
});

test("behind the locals of a class stands a key", () => {
  const text = writeJson("u8", 7).replace('"data":7}]', '"data":7}],');
  expect(codeOf(() => readEnigma(fileOfText(text)))).toBe("json-syntax");
});

test("a step of a timeline is an integer of 32 bits", () => {
  const timelines = { ...instanceOf(1).timelines, timeline_moments_maps: [[[1, 2]]] as [number, number][][] };
  const text = textOf(writeEnigma(gameOf([{ ...instanceOf(1), timelines }]), { backend: "json" }));
  const read = (step: string, onWarning?: (warning: TuskWarning) => void) =>
    readEnigma(fileOfText(Buffer.from(text.replace('{"1":2}', `{"${step}":2}`), "latin1")), { onWarning }).active[0]!.timelines
      .timeline_moments_maps;
  for (const step of ["", "x", "1.5", "1e1", " 1", "\xff", "2147483648", "-2147483649", "12345678901"])
    expect(
      codeOf(() => read(step)),
      step,
    ).toBe("json-bad-value");
  for (const [step, codes] of [
    ["-2147483648", []],
    ["2147483647", []],
    ["007", ["json-foreign-form"]],
    ["-0", ["json-foreign-form"]],
  ] as const)
    expect(codesOf((onWarning) => expect(read(step, onWarning)).toEqual([[[Number(step) | 0, 2]]]))).toEqual(codes);
  // In front of the key.
  expect(() => read("x")).toThrow(`(at byte ${text.indexOf('"1":2')})`);
});

test("an empty object where an instance or its root belongs lacks its keys", () => {
  for (const instance of [
    "{}",
    " { } ",
    '{"obj":{},"locals":[]}',
    '{"obj":{ },',
    '{"x":{}}',
    '{"obj":{"obj":{},"locals":[]},"locals":[]}',
  ]) {
    const text = `\0{"instance_list":[${instance}],"instance_deactivated_list":[],"backgrounds":[],"room_index":0}`;
    expect(
      codeOf(() => readEnigma(fileOfText(text))),
      instance,
    ).toBe("json-missing-key");
  }
});

test("the largest index of an array is that of 64 bits, and its count is no larger", () => {
  const array = (index: string) => `{"variant":{},"array1d":[{"${index}":{}}],"array2d":[]}`;
  for (const [index, max] of [
    [2n ** 53n - 2n, 2 ** 53 - 1],
    [2n ** 53n - 1n, 2n ** 53n],
    [2n ** 64n - 2n, 2n ** 64n - 1n],
    [2n ** 64n - 1n, 2n ** 64n - 1n],
  ] as const) {
    const { value } = readData("var", array(String(index)));
    expect(value, String(index)).toHaveProperty("array1d.max", max);
    expect(dataOf("var", value as Json)).toBe(array(String(index)));
  }
  expect(readData("var", array("18446744073709551616")).damaged).toBe(true);
});

test("a variable map whose arrays have the largest index is read as it was written, in one dimension and two", () => {
  const max = 2n ** 64n - 1n;
  const row = { max, dense: [], sparse: [[max, 1]] as [bigint, number][] };
  const value = { value: 0, array1d: row, array2d: { max, dense: [], sparse: [[max, row]] as [bigint, typeof row][] } };
  const game: EnigmaGame = { ...gameOf([{ ...instanceOf(1), vmap: [["a", value]] }]), backend: "json" };
  const save = writeEnigma(game);
  const read = readEnigma(save);
  expect(read.active[0]!.vmap).toEqual([["a", value]]);
  expect(writeEnigma(read)).toEqual(save);
  // The count is one that a binary save has room for.
  expect(readEnigma(writeEnigma(read, { backend: "binary" })).active[0]!.vmap).toEqual([["a", value]]);
});

test("a value that is no text or number as expected is json-bad-value, what is no value json-syntax", () => {
  for (const [before, after, code] of [
    ['"persistent":"false"', '"persistent":false', "json-bad-value"],
    ['"x":0', '"x":"0"', "json-bad-value"],
    ['"depth":{"type":"real","value":0}', '"depth":{"type":"string","value":5}', "json-bad-value"],
    ['"persistent":"false"', '"persistent":', "json-syntax"],
    ['"x":0', '"x":', "json-syntax"],
    ['"x":0', "x:0", "json-syntax"],
  ] as const) {
    const text = writeJson("u8", 7).replace(before, after);
    expect(text).toContain(after);
    expect(
      codeOf(() => readEnigma(fileOfText(text))),
      after,
    ).toBe(code);
  }
});

test("a document that is cut off is json-syntax wherever it ends, also inside a number", () => {
  const text = writeJson("f64", Number.NaN).replace('"x":0', '"x":-1.5').replace('"y":0', '"y":-inf');
  const start = text.indexOf("{");
  for (let end = start + '{"instance_list":['.length; end < text.length; end++)
    expect(
      codeOf(() => readEnigma(fileOfText(text.slice(0, end)))),
      text.slice(0, end),
    ).toBe("json-syntax");
});

test("unknown keys are skipped, known keys may stand in another order", () => {
  const text = writeJson("u8", 7)
    .replace('{"name":"v","data":7}', '{"x":[{"y":[]},{}],"data":7,"name":"v"}')
    .replace('"room_index":0', '"more":{"a":{"b":[1,"}"]}},"room_index":3');
  const game = readEnigma(fileOfText(text), { schema: schemaFor({ v: "u8" }) });
  expect(game.active[0]!.classes[0]!.locals).toEqual([{ name: "v", type: "u8", value: 7 }]);
  expect(game.room).toBe(3);
});

test("a char is quote, byte, quote, even if that is a quote or a backslash, alone and in containers", () => {
  for (const byte of [0x22, 0x5c, 0x0a, 0, 0xff, 0x41]) {
    expect(readData("char", dataOf("char", byte)).value).toBe(byte);
    expect(readData("vector<char>", dataOf("vector<char>", [0x41, byte, 0x2c, byte])).value).toEqual([0x41, byte, 0x2c, byte]);
    // Without the schema its extent is found all the same.
    const blind = readEnigma(fileOfText(Buffer.from(writeJson("char", byte), "latin1")));
    expect(blind.active[0]!.classes[0]!.locals[0]!.raw!.length).toBe(3);
  }
  expect(readData("char", '"\\n"').value).toBe(10);
  // A quote that is escaped after all, as other programs write it.
  expect(readData("char", '"\\""').value).toBe(0x22);
  expect(readData("vector<char>", '["\\"","\\","\\\\"]').value).toEqual([0x22, 0x5c, 0x5c]);
});

test("booleans are the texts true and false", () => {
  expect(dataOf("bool", true)).toBe('"true"');
  expect(readData("bool", '"false"').value).toBe(false);
  expect(readData("bool", "true").damaged).toBe(true);
  const text = writeJson("u8", 7).replace('"solid":"false"', '"solid":"no"');
  expect(codeOf(() => readEnigma(fileOfText(text)))).toBe("json-bad-value");
});

test("a variable whose text is not of its type is damaged, keeps its text, and its neighbours are intact", () => {
  for (const [type, data] of [
    ["u8", "256"],
    ["u8", "1.5"],
    ["string", "5"],
    ["var", "5"],
    ["pair<u8,u8>", "[1]"],
    ["map<u8,u8>", '{"x":1}'],
    ["map<u8,u8>", '{"\xff":1}'],
    ["map<pair<u8,u8>,u8>", '{"x":1}'],
    ["map<var,u8>", '{"1":1}'],
    ["pair<u8,u8>", "[1,2,3]"],
    ["variant", '{"value":"5","type":"real"}'],
    ["variant", '{"value":5,"type":"string"}'],
    ["vector<i32>", "{}"],
    ["f64", '"nan"'],
    ["f32", "1e39"],
    ["f64", "-1e400"],
    ["vector<f64>", `[nan,${"9".repeat(400)}]`],
    ["map<f32,u8>", '{"1e39":1}'],
    ["var", '{"variant":{"type":"real","value":1e400},"array1d":[],"array2d":[]}'],
  ] as const) {
    const local = readData(type, data);
    expect([local.damaged, Buffer.from(local.raw!).toString("latin1")], type).toEqual([true, data]);
  }
});

test("of a variable whose text is kept as it is only the damage is reported, not what was met on the way", () => {
  for (const [type, data] of [
    ["string", '"\\u12"'],
    ["vector<f64>", '[1e5,"x"]'],
    ["vector<f64>", '[nan,"x"]'],
    ["map<string,i32>", '{"\u0001":"x"}'],
    ["vector<char>", '[""","bb"]'],
  ] as const) {
    const codes = codesOf((onWarning) => expect(Buffer.from(readData(type, data, onWarning).raw!).toString(), data).toBe(data));
    expect(codes, data).toEqual(["damaged-local"]);
  }
  // A value that is read keeps its warnings.
  expect(codesOf((onWarning) => readData("vector<f64>", "[nan,1e5]", onWarning))).toEqual(["json-nonfinite", "json-foreign-form"]);
});

test("what is met several times in several variables is counted in all of them", () => {
  const value = [Number.NaN, Number.NaN];
  const locals = ["a", "b"].map((name) => ({ name, type: "vector<f64>", value }));
  const save = writeEnigma(gameOf([instanceOf(1, locals)]), { backend: "json" });
  const told: string[] = [];
  readEnigma(save, { schema: schemaFor({ a: "vector<f64>", b: "vector<f64>" }), onWarning: ({ message }) => told.push(message) });
  expect(told).toEqual(["JSON has no such number (nan, inf); 4 times, this is the first"]);
});

test("a number that JSON does not have is told of keys, too, which are written in quotes", () => {
  const told: string[] = [];
  expect(dataOf("map<f64,u8>", [[Number.NaN, 1]], ({ message }) => told.push(message))).toBe('{"nan":1}');
  expect(told).toEqual(["JSON has no such number (nan, inf)"]);
});

test("a map's key that has parts has no JSON form", () => {
  for (const [type, key] of [
    ["map<pair<u8,u8>,u8>", [1, 2]],
    ["map<variant,u8>", 1],
    ["map<var,u8>", 1],
  ] as const) {
    const value = [[key, 3]] as Json;
    expect(() => writeJson(type, value)).toThrow(expect.objectContaining({ code: "unwritable", path: ".active[0].classes[0].v[0][0]" }));
    const { active } = readEnigma(writeEnigma(gameOf([instanceOf(1, [{ name: "v", type, value }])])), { schema: schemaFor({ v: type }) });
    expect(active[0]!.classes[0]!.locals[0]!.value).toEqual(value);
  }
});

test("maps have quoted keys; char, bool and number keys come back", () => {
  expect(dataOf("map<f64,i64>", [[-1.5, 2n]])).toBe('{"-1.5":2}');
  for (const [type, value] of [
    ["map<f64,i64>", [[-1.5, 2n]]],
    ["map<char,u8>", [[0x22, 1]]],
    ["map<bool,string>", [[true, "x"]]],
    ["map<u64,bool>", [[2n ** 64n - 1n, false]]],
  ] as const)
    expect(readData(type, dataOf(type, value)).value, type).toEqual(value);
  // Not the bare word that json-nonfinite is about: a key is in quotes.
  const infinite = '{"inf":{"type":"real","value":-inf}}';
  expect(codesOf((onWarning) => readData("map<f64,variant>", infinite, onWarning))).toEqual(["json-nonfinite"]);
  expect(codesOf((onWarning) => readData("map<f64,variant>", infinite.replace("-inf", "1"), onWarning))).toEqual([]);
});

test("table elements: dense ones and sparse ones become entries", () => {
  const value = {
    value: 1,
    array1d: { max: 5, dense: [7, undefined], sparse: [[4, "x"]] },
    array2d: { max: 2, dense: [], sparse: [[1, { max: 1, dense: [2], sparse: [] }]] },
  };
  expect(dataOf("var", value)).toBe(
    '{"variant":{"type":"real","value":1},"array1d":[{"0":{"type":"real","value":7}},{"1":{}},{"4":{"type":"string","value":"x"}}],"array2d":[{"1":[{"0":{"type":"real","value":2}}]}]}',
  );
  expect(readData("var", dataOf("var", value)).value).toEqual({
    value: 1,
    array1d: {
      max: 5,
      dense: [],
      sparse: [
        [0, 7],
        [1, undefined],
        [4, "x"],
      ],
    },
    array2d: { max: 2, dense: [], sparse: [[1, { max: 1, dense: [], sparse: [[0, 2]] }]] },
  });
});

test("what stands before the document is kept; without it one zero byte is written", () => {
  const document = writeJson("u8", 7).slice(1);
  for (const prefix of ["", "\0".repeat(16), "any text {not json}", "\x05\x06"]) {
    const game = readEnigma(fileOfText(prefix + document));
    expect(Buffer.from(game.prefix!).toString()).toBe(prefix);
    expect(textOf(writeEnigma(game))).toBe(prefix + document);
  }
  expect(writeJson("u8", 7)[0]).toBe("\0");
});

test("the backend is told by the content", () => {
  // A binary save whose text looks like a JSON document is binary.
  const tricky = writeEnigma(gameOf([instanceOf(1, [{ name: "v", type: "string", value: '{"instance_list":[],"room_index":0}' }])]));
  expect(readEnigma(tricky).backend).toBe("binary");
  expect(
    readEnigma(fileOfText(' {"room_index":1,"backgrounds":[],"instance_deactivated_list":[],"instance_list":[]}'.slice(1))).backend,
  ).toBe("json");
  expect(codeOf(() => readEnigma(tricky, { backend: "json" }))).toMatch(/^json-|^trailing/);
  expect(codeOf(() => readEnigma(fileOfText(writeJson("u8", 7)), { backend: "binary" }))).not.toBe("no error");
});

/** What begins as a binary save: counts, and the lead byte that such a save has behind them. */
const LIKE_BINARY = ["\0".repeat(16) + "\xee", "\0".repeat(8) + "\xaa", "\0".repeat(7) + "\x01\xaa and more"];

test("a document is found behind what looks like a binary save", () => {
  const document = writeJson("u8", 7).slice(1);
  const earlier = Buffer.from(writeEnigma(gameOf([instanceOf(1)]))).toString("latin1");
  for (const prefix of [...LIKE_BINARY, earlier]) {
    const save = fileOfText(Buffer.from(prefix + document, "latin1"));
    const game = readEnigma(save);
    expect([game.backend, Buffer.from(game.prefix!).toString("latin1")]).toEqual(["json", prefix]);
    expect(writeEnigma(game)).toEqual(save);
    expect(detect(save)).toMatchObject({ form: "json" });
  }
  // Errors are those of the document, too.
  const wrong = document.replace('"room_index":0', '"room_index":"0"');
  for (const prefix of LIKE_BINARY)
    expect(codeOf(() => readEnigma(fileOfText(Buffer.from(prefix + wrong, "latin1"))))).toBe("json-bad-value");
});

test("a binary save with a document in a text is binary, whatever its room, and has its own errors where it is cut", () => {
  const text = '{"instance_list":[],"instance_deactivated_list":[],"backgrounds":[],"room_index":0}';
  const game = { ...gameOf([instanceOf(1, [{ name: "v", type: "string", value: `${text} ` }])]), room: 0x7d };
  const save = writeEnigma(game);
  expect(readEnigma(save)).toMatchObject({ backend: "binary", room: 0x7d });
  expect(detect(save)).toMatchObject({ form: "binary" });
  const payload = save.subarray(0, -20);
  const inText = Buffer.from(payload).indexOf(text) + text.length;
  for (const end of [inText - 10, inText + 1, payload.length - 1]) {
    const cut = fileOfText(payload.subarray(0, end));
    expect(codeOf(() => readEnigma(cut))).toBe("truncated");
    expect(detect(cut)).toMatchObject({ form: "binary" });
  }
});

test("a document that begins with another key is one, and has the errors of one", () => {
  const rest = '"room_index":3,"backgrounds":[],"instance_deactivated_list":[],"instance_list":[]}';
  for (const prefix of ["", "\0", "\0".repeat(7), "\0".repeat(40), "\0 \n"])
    for (const first of ['{"made by":"another tool",', '{"\\u0069d":1,', '{ "version" : 2 ,']) {
      const save = fileOfText(prefix + first + rest);
      const codes = codesOf((onWarning) => expect(readEnigma(save, { onWarning })).toMatchObject({ backend: "json", room: 3 }));
      expect(codes, prefix + first).toEqual(["json-foreign-form"]);
      // It may be anybody's.
      expect(detect(save)).toBeUndefined();
    }
  for (const text of ["\0{}", "{}", '\0\0{"instance_lisX":[]}', '\0{"room":1}'])
    expect(
      codeOf(() => readEnigma(fileOfText(text))),
      text,
    ).toBe("json-missing-key");
  expect(codeOf(() => readEnigma(fileOfText("\0\0{1}")))).toBe("json-syntax");
});

test("white space may stand before the document and behind its brace, as much as there is", () => {
  const text = '"room_index" : 3 , "backgrounds" : [ ] , "instance_deactivated_list" : [ ] , "instance_list" : [ ] }';
  for (const prefix of ["", "\0", "\0".repeat(16)])
    for (const space of [" ", "\r\n\t", "\n".repeat(5000)])
      for (const brace of ["{", `{${space}`]) {
        const save = fileOfText(prefix + space + brace + text);
        const codes = codesOf((onWarning) => expect(readEnigma(save, { onWarning })).toMatchObject({ backend: "json", room: 3 }));
        expect(codes).toEqual(["json-foreign-form"]);
        expect(detect(save)).toMatchObject({ form: "json" });
      }
});

test("raw variables of one backend cannot be written with the other", () => {
  const game = readEnigma(fileOf(vectorOf("bin-one-instance")));
  expect(codeOf(() => writeEnigma(game, { backend: "json" }))).toBe("schema-needed");
});

test("a binary save, written as JSON, is what the engine writes as JSON", () => {
  let ran = 0;
  for (const vector of manifest.vectors) {
    const twin = manifest.vectors.find(({ id }) => id === vector.id.replace(/^bin-/, "json-"));
    if (vector.backend !== "binary" || vector.outcome !== "ok" || vector.source || twin?.outcome !== "ok" || vector.gzip) continue;
    const game: EnigmaGame = readEnigma(fileOf(vector), { schema: schemaOf(vector) });
    expect(textOf(writeEnigma(game, { backend: "json" })), vector.id).toBe(textOf(fileOf(twin)));
    ran++;
  }
  expect(ran).toBe(37);
});

test("classes without locals are written with an empty list, and a map's braces once", () => {
  for (const id of ["json-plain-mixed", "json-tree-all", "json-vmap-many", "json-vmap-empty", "json-plain-one"]) {
    const vector = vectorOf(id);
    const game = readEnigma(fileOf(vector), { schema: schemaOf(vector) });
    expect(writeEnigma(game), id).toEqual(fileOf(vectorOf(`${id}-corrected`)));
  }
});

test.each(["Xudc00", "Xuzz", "udc00"])("half a character is completed by an escape alone, not by %s", (rest) => {
  expect(readData("string", `"\\ud800${rest}"`).value).toEqual(Uint8Array.of(0xed, 0xa0, 0x80, ...Buffer.from(rest)));
});

test("of two types of a variant the last counts, and the value is of it", () => {
  const read = (variant: string) => () => readData("variant", variant).value ?? "damaged";
  expect(read('{"type":"real","value":5,"type":"string"}')()).toBe("damaged");
  expect(read('{"type":"string","value":"5","type":"real"}')()).toBe("damaged");
  expect(read('{"value":5,"type":"real","type":"string"}')()).toBe("damaged");
  expect(read('{"type":"real","value":5,"type":"string","value":"a"}')()).toBe("a");
  expect(read('{"value":"a","type":"string","type":"real","value":5}')()).toBe(5);
  expect(read('{"type":"string","value":5,"type":"real"}')()).toBe("damaged");
  const text = writeJson("u8", 7).replace('"depth":{"type":"real","value":0}', '"depth":{"type":"real","value":0,"type":"string"}');
  expect(codeOf(() => readEnigma(fileOfText(text)))).toBe("json-bad-value");
});

test("of two names of a variable the last counts, wherever its data stands", () => {
  const schema = schemaFor({ a: "string", b: "u8" });
  for (const members of [
    '"name":"a","name":"b","data":7',
    '"name":"a","data":7,"name":"b"',
    '"data":7,"name":"a","name":"b"',
    '"data":8,"name":"a","data":7,"name":"b"',
    '"name":"a","data":8,"name":"b","data":7',
  ]) {
    const save = fileOfText(writeJson("u8", 7).replace('"name":"v","data":7', members));
    expect(readEnigma(save, { schema }).active[0]!.classes[0]!.locals, members).toEqual([{ name: "b", type: "u8", value: 7 }]);
  }
});

test("a control character in an unknown key is counted once, in a class and in the root, and also if the save is refused there", () => {
  const told = (key: string, before: string) => {
    const messages: string[] = [];
    const save = fileOfText(writeJson("u8", 7).replace(`"${before}"`, `"${key}":1,"${before}"`));
    readEnigma(save, { onWarning: ({ code, message }) => code === "json-raw-control" && messages.push(message) });
    return messages;
  };
  for (const before of ["obj", "event_parent", "vmap", "locals"])
    expect(told("\u0001", before), before).toEqual(["a text holds a control character that is not escaped"]);
  const cut = fileOfText('\0{"instance_list":[{"\u0001":1,');
  expect(codesOf((onWarning) => expect(codeOf(() => readEnigma(cut, { onWarning }))).toBe("json-syntax"))).toEqual(["json-raw-control"]);
});

test("a brace in the count of a binary save, or in the digest, makes no document", () => {
  const count = 0x7b;
  const save = writeEnigma(gameOf(Array.from({ length: count }, (_, i) => instanceOf(i + 1))));
  expect(readEnigma(save).active).toHaveLength(count);
  expect([save[7], save[8]]).toEqual([count, 0xaa]);
  for (let bit = 0; bit < 8; bit++) {
    const damaged = save.slice();
    damaged[8]! ^= 1 << bit;
    expect(() => readEnigma(damaged, { checksum: "ignore" }), `${bit}`).toThrow(expect.objectContaining({ code: "lead-byte", offset: 8 }));
  }
  for (const digest of ["{".repeat(20), '{"room_index"       ', '{"more"             '])
    expect(
      codeOf(() => readEnigma(Buffer.from(digest), { checksum: "ignore" })),
      digest,
    ).toBe("truncated");
  // What stands behind a brace may still be the rest of a damaged document.
  for (const text of ["{room_index:1}", '\0{ "room', "\0{ }"])
    expect(
      codeOf(() => readEnigma(fileOfText(text))),
      text,
    ).toMatch(/^json-/);
});
