// The superset's rules (formats/introspection.md §3), one per test.

import { describe, expect, it } from "vitest";
import {
  type IntrospectionDefinitions,
  type IntrospectionDocument,
  type IntrospectionNode,
  type IntrospectionWriteOptions,
  type ItemsNode,
  introspectionFromJson,
  introspectionToJson,
  readIntrospection,
  readIntrospectionAll,
  writeIntrospection,
  writeIntrospectionAll,
  writeIntrospectionDocument,
} from "../../src/introspection/index.ts";
import { errorOf } from "./error-code.ts";

const wrap = (...lines: string[]) => `oPlayer = 1\n{\n${lines.map((line) => `\t${line}\n`).join("")}}\n\r\n`;
const document = (...variables: (IntrospectionNode & { name: string })[]): IntrospectionDocument => ({
  type: "object",
  object: "oPlayer",
  id: 1,
  variables,
});
const lineOf = (node: IntrospectionNode, options?: IntrospectionWriteOptions) =>
  writeIntrospectionDocument(document({ name: "v", ...node } as IntrospectionNode & { name: string }), options)
    .split("\n")[2]
    .slice(1);
const keyLine = (key: unknown) =>
  writeIntrospectionDocument(document({ name: "m", type: "map", entries: [{ key, type: "int", value: 0 } as never] }))
    .split("\n")[4]
    .slice(2);
const nodeOf = (line: string) => {
  const { name, ...node } = readIntrospection(wrap(`v : ${line}`)).variables[0];
  return node;
};
const readError = (...lines: string[]) => errorOf(() => readIntrospection(wrap(...lines)));

describe("strings", () => {
  it("stand as they are while they hold no control characters but tab", () => {
    expect(lineOf({ type: "string", value: 'a "b" \\ \t \u007f 火' })).toBe('v : string = "a "b" \\ \t \u007f 火"');
  });
  it("are escaped as a whole otherwise, tab and U+007F included", () => {
    expect(lineOf({ type: "string", value: '\n\r\t"\\\0\u007f\ud800' })).toBe('v : string = e"\\n\\r\\t\\"\\\\\\u0000\\u007F\\uD800"');
    expect(nodeOf('string = e"\\n\\r\\t\\"\\\\\\u0000\\u007F\\uD800"')).toEqual({ type: "string", value: '\n\r\t"\\\0\u007f\ud800' });
  });
  it("run to the last quote of the line, behind which nothing may stand", () => {
    expect(nodeOf('string = "a" "b"')).toEqual({ type: "string", value: 'a" "b' });
    expect(readError('v : string = "a" b')).toBe("bad-string line 3");
    expect(readError('v : string = "')).toBe("bad-string line 3");
    expect(readError('v : string = e"')).toBe("bad-string line 3");
  });
  it("know no other escapes", () => {
    for (const sequence of ["\\a", "\\u12", "\\u12g4", "\\u00e9", "\\x41", "\\"])
      expect(readError(`v : string = e"${sequence}"`)).toBe("bad-escape line 3");
  });
});

describe("labels", () => {
  it.each([
    ["two words", "two words"],
    ["}", "}"],
    ["{", "{"],
    ["a:b", "a:b"],
    ["a: b", "a: b"],
    [": ", '": "'],
    ["", '""'],
    [" a", '" a"'],
    ["a\t", '"a\\t"'],
    ["[1]", '"[1]"'],
    ['"', '"\\""'],
    ["a : b", '"a : b"'],
    ["a :", '"a :"'],
    ["a\u007f", '"a\\u007F"'],
    ["\udc00", '"\\uDC00"'],
    ["__proto__", "__proto__"],
  ])("%j is written %s", (key, written) => {
    expect(keyLine(key)).toBe(`${written} : int = 0`);
  });
  it.each([
    [3, "[3]"],
    [-1.5, "[-1.5]"],
    [1e-7, "[1e-7]"],
    [1e22, "[1e+22]"],
    [-0, "[-0]"],
    [{ real: "-0" }, "[-0]"],
    [{ real: "nan" }, "[nan]"],
    [{ real: "inf" }, "[inf]"],
    [{ real: "-inf" }, "[-inf]"],
    [true, "[true]"],
    [false, "[false]"],
  ])("the key %j that is no string is written %s", (key, written) => {
    expect(keyLine(key)).toBe(`${written} : int = 0`);
    const [map] = readIntrospection(wrap("m : map =", "{", `\t${written} : int = 0`, "}")).variables;
    expect(map).toMatchObject({ entries: [{ key: Object.is(key, -0) ? { real: "-0" } : key }] });
  });
  it("brackets belong to maps only", () => {
    expect(readError("[3] : int = 0")).toBe("bad-key line 3");
  });
  it("are refused where they would have to be quoted", () => {
    for (const label of ["", " a", "a ", "\ta", "[x]", '"a', '"a"b', "[1"]) {
      expect(readError("m : map =", "{", `\t${label} : int = 0`, "}")).toBe("bad-key line 5");
    }
  });
  it("are none where nothing stands behind them, in quotes as without", () => {
    for (const line of ["abc", '"abc"', '"abc', '"a\\q"']) expect(readError(line)).toBe("bad-entry line 3");
  });
});

describe("numbers", () => {
  it("floats have five decimals when fixed", () => {
    for (const [value, text] of [
      [1 / 3, "0.33333"],
      [0.015625, "0.01563"],
      [-0.015625, "-0.01563"],
      [-1e-9, "-0.00000"],
      ["-0", "-0.00000"],
      ["nan", "nan"],
      ["inf", "inf"],
      ["-inf", "-inf"],
    ] as const) {
      expect(lineOf({ type: "float", value })).toBe(`v : float = ${text}`);
    }
  });
  it("floats are exact on request: five decimals where they suffice, else the shortest form", () => {
    for (const [value, text] of [
      [0.5, "0.50000"],
      [1 / 3, "0.3333333333333333"],
      [1e-7, "1e-7"],
      [1e22, "1e+22"],
      ["-0", "-0.00000"],
    ] as const) {
      expect(lineOf({ type: "float", value }, { floats: "exact" })).toBe(`v : float = ${text}`);
    }
  });
  it("other spellings of floats read, malformed ones do not", () => {
    for (const text of ["NaN", "nan"]) expect(nodeOf(`float = ${text}`)).toEqual({ type: "float", value: "nan" });
    for (const text of ["Infinity", "inf", "1e999"]) expect(nodeOf(`float = ${text}`)).toEqual({ type: "float", value: "inf" });
    expect(nodeOf("float = -12E+2")).toEqual({ type: "float", value: -1200 });
    for (const text of ["1.", ".5", "+1", "1e", "0x1", "1 ", "", "-nan", "1_0"])
      expect(readError(`v : float = ${text}`)).toBe("bad-value line 3");
  });
  it("ints are numbers up to 2^53 and digits beyond", () => {
    expect(nodeOf("int = 9007199254740992")).toEqual({ type: "int", value: 2 ** 53 });
    expect(nodeOf("int = 9007199254740993")).toEqual({ type: "int", value: "9007199254740993" });
    expect(nodeOf("int = -0018446744073709551616")).toEqual({ type: "int", value: "-18446744073709551616" });
    expect(lineOf({ type: "int", value: "-18446744073709551616" })).toBe("v : int = -18446744073709551616");
    for (const text of ["1.0", "1e3", "+1", "--1", "", " 1"]) expect(readError(`v : int = ${text}`)).toBe("bad-value line 3");
  });
  it("no int is minus zero", () => {
    for (const digits of ["-0", "-000", "000"]) expect(nodeOf(`int = ${digits}`)).toEqual({ type: "int", value: 0 });
  });
});

describe("enums", () => {
  it("the word is followed by a space, behind which the name may be empty", () => {
    expect(readError("v : enum =")).toBe("bad-value line 3");
    expect(nodeOf("enum = ")).toEqual({ type: "enum", member: "" });
  });
  it.each([
    ["Red", "Red"],
    ["with space", "with space"],
    ["e", "e"],
    ["", 'e""'],
    ["#1", 'e"#1"'],
    ['e"x', 'e"e\\"x"'],
    [" a", 'e" a"'],
    ["a\t", 'e"a\\t"'],
    ["a\nb", 'e"a\\nb"'],
  ])("the member %j is written %s", (member, text) => {
    expect(lineOf({ type: "enum", member })).toBe(`v : enum = ${text}`);
    expect(nodeOf(`enum = ${text}`)).toEqual({ type: "enum", member });
  });
  it("are numbers without a name, or where the name leads to an earlier value", () => {
    const definitions: IntrospectionDefinitions = { o: [{ name: "v", types: ["list", "enum"], extra: ["A", "B", "A"] }] };
    const { text } = writeIntrospection(definitions, { object: "o", id: 1, variables: { v: [0, 1, 2, 3, -1] } });
    expect(text.match(/enum = .*/g)).toEqual(["enum = A", "enum = B", "enum = #2", "enum = #3", "enum = #-1"]);
  });
});

describe("blocks", () => {
  it("NAME = INTEGER is an object exactly when the next line opens a block", () => {
    expect(nodeOf("int = 5")).toEqual({ type: "int", value: 5 });
    expect(readIntrospection(wrap("v : int = 5", "{", "}")).variables[0]).toEqual({
      name: "v",
      type: "object",
      object: "int",
      id: 5,
      variables: [],
    });
    expect(readError("v : oEnemy = 5")).toBe("bad-value line 3");
  });
  it("a container without a brace is missing-brace, at the end unexpected-end", () => {
    for (const head of ["array =", "list =", "map =", "grid = 1x1", "custom = Tree"]) {
      expect(readError(`v : ${head}`, "w : int = 1")).toBe("missing-brace line 4");
      expect(errorOf(() => readIntrospection(`o = 1\n{\n\tv : ${head}\n`))).toBe("unexpected-end line 4");
    }
  });
  it("array and list labels count from 0", () => {
    expect(readError("v : array =", "{", "\ta0 : int = 1", "\ta2 : int = 1", "}")).toBe("bad-index line 6");
    expect(readError("v : list =", "{", "\tl00 : int = 1", "}")).toBe("bad-index line 5");
  });
  it("grid cells come in any order, each exactly once, inside the size", () => {
    expect(readError("v : grid = 1x1", "{", "\tg0,0 : int = 1", "\tg0,0 : int = 1", "}")).toBe("bad-index line 6");
    expect(readError("v : grid = 1x1", "{", "\tg0,1 : int = 1", "}")).toBe("bad-index line 5");
    expect(readError("v : grid = 2x1", "{", "\tg1,0 : int = 1", "}")).toBe("missing-cell line 6");
    for (const size of ["01x1", "1x", "-1x1", "1x1 "]) expect(readError(`v : grid = ${size}`, "{", "}")).toBe("bad-value line 3");
  });
  it("too few tabs are bad-indent", () => {
    expect(readError("v : list =", "{", "l0 : int = 1", "}")).toBe("bad-indent line 5");
  });
  it("undefined and noone stand for nothing", () => {
    const definitions: IntrospectionDefinitions = {
      o: [
        { name: "a", types: ["int"] },
        { name: "b", types: ["object"] },
      ],
    };
    const { text } = writeIntrospection(definitions, { object: "o", id: 1, variables: { a: undefined, b: null } });
    expect(text).toContain("a : undefined = undefined\n\tb : object = noone\n");
    expect(readIntrospection(text, { definitions }).variables.map(({ type }) => type)).toEqual(["undefined", "object"]);
  });
  it("no asset is called noone", () => {
    expect(errorOf(() => lineOf({ type: "asset", kind: "sprite", asset: "noone" }))).toBe("bad-document at .v");
    expect(readError("v : asset = sprite")).toBe("bad-value line 3");
  });
});

describe("files", () => {
  it("hold several objects one after another", () => {
    const text = `${wrap("a : int = 1")}${wrap("b : int = 2")}`;
    const documents = readIntrospectionAll(text);
    expect(documents.map(({ variables }) => variables[0].name)).toEqual(["a", "b"]);
    expect(writeIntrospectionAll(documents)).toBe(text);
    expect(errorOf(() => readIntrospection(text))).toBe("trailing-text line 6");
    expect(errorOf(() => readIntrospectionAll(`${text}\nmore`))).toBe("trailing-text line 12");
  });
  it.each([
    "\uFEFFo = 1\r\n{\r\n}",
    "o = ref instance 007\n{\r\n}\n\n\n \t\n",
    'o = 1\n{\n\t"m" : map =\n\t{\r\n\t\t[1.50] : int = -0\n\t\t"k" : int = 0003\n\t}\n}',
    "o = 1\n{\n\tg : grid = 2x1\n\t{\n\t\tg1,0 : float = 1e-3\n\t\tg0,0 : float = 2\n\t}\n}\n",
    'o = 1\n{\n\ts : string = e"plain"\n\te : enum = #07\n\tp : o = ref instance 2\n\t{\n\t}\n\ta : string = "\r"\n}\n\r\n',
    "o = 1\n{\n\tf : float = 0.1234567\n\tg : float = Infinity\n\th : float = 12345678901234567890.00000\n}\n\r\n",
  ])("%j is written again byte for byte", (text) => {
    expect(writeIntrospectionDocument(readIntrospection(text))).toBe(text);
  });
  it("have a byte order mark before the first object alone", () => {
    const [first, second] = readIntrospectionAll("\uFEFFa = 1\n{\n}\nb = 2\n{\n}\n");
    expect(writeIntrospectionDocument(first)).toBe("\uFEFFa = 1\n{\n}\n");
    expect(writeIntrospectionDocument(second)).toBe("b = 2\n{\n}\n");
  });
  it("lose a kept spelling with the value it stood for, and nothing else", () => {
    const read = readIntrospection("o = 1\r\n{\r\n\ta : float = 1e-3\r\n\tb : float = 1e-3\r\n}\r\n");
    Object.assign(read.variables[0], { value: 2 });
    expect(writeIntrospectionDocument(read)).toBe("o = 1\r\n{\r\n\ta : float = 2.00000\r\n\tb : float = 1e-3\r\n}\r\n");
    expect(writeIntrospectionDocument(read, { newline: "\n", floats: "fixed" })).toBe(
      "o = 1\n{\n\ta : float = 2.00000\n\tb : float = 0.00100\n}\n\r\n",
    );
  });
  it.each([
    ["3.14159265358979323846", "3.141592653589793"],
    ["1.5E-7", "1.5e-7"],
    ["0.1234560", "0.123456"],
  ])("lose no digits with the spelling of a float: %s", (spelled, exact) => {
    const text = wrap("a : list =", "{", "\tl0 : int = 1", `\tl1 : float = ${spelled}`, "}", "b : float = 0.50000");
    const read = readIntrospection(text);
    expect(writeIntrospectionDocument(read)).toBe(text);
    (read.variables[0] as ItemsNode).items.shift();
    const edited = wrap("a : list =", "{", `\tl0 : float = ${exact}`, "}", "b : float = 0.50000");
    expect(writeIntrospectionDocument(introspectionFromJson(introspectionToJson(read)))).toBe(edited);
  });
});

describe("the writer refuses what it cannot write", () => {
  const definitions: IntrospectionDefinitions = {
    o: [
      { name: "v", types: ["list", "int"] },
      { name: "o", types: ["object"] },
    ],
    odd: [{ name: "v", types: ["colour"] }],
    bare: [{ name: "v", types: ["list"] }],
  };
  const write = (variables: Record<string, unknown>, object = "o", options?: IntrospectionWriteOptions) =>
    errorOf(() => writeIntrospection(definitions, { object, id: 1, variables }, options));

  it("an object without definition", () => expect(write({}, "p")).toBe("undefined-object at "));
  it("an object that only Object.prototype knows", () => expect(write({}, "constructor")).toBe("undefined-object at "));
  it("a missing variable, inherited ones too", () => {
    expect(write({ v: [] })).toBe("missing-variable at .o");
    expect(write(Object.create({ v: [], o: null }))).toBe("missing-variable at .v");
  });
  it("a value of another type", () => {
    expect(write({ v: [1, "2"], o: null })).toBe("type-mismatch at .v[1]");
    expect(write({ v: [Number.NaN], o: null })).toBe("type-mismatch at .v[0]");
    expect(write({ v: 5, o: null })).toBe("type-mismatch at .v");
  });
  it("a type it does not know, elements without a type", () => {
    expect(write({ v: 1 }, "odd")).toBe("bad-definition at .v");
    expect(write({ v: [1] }, "bare")).toBe("bad-definition at .v[0]");
    expect(write({ v: [] }, "bare")).toBe("no error");
  });
  it("instances that refer to each other", () => {
    const a = { object: "o", id: 1, variables: { v: [], o: null as unknown } };
    const b = { object: "o", id: 2, variables: { v: [], o: a } };
    a.variables.o = b;
    for (const mode of ["superset", "original"] as const) {
      expect(errorOf(() => writeIntrospection(definitions, a, { mode }))).toBe("cycle at .o.o");
    }
    // The same instance twice is no cycle.
    b.variables.o = { object: "o", id: 3, variables: { v: [], o: null } };
    expect(errorOf(() => writeIntrospection(definitions, a))).toBe("no error");
  });
  it("instances by id come from options.instances; an id of none is noone", () => {
    const instances = new Map([[5, { object: "o", id: 5, variables: { v: [], o: -4 } }]]);
    expect(writeIntrospection(definitions, { object: "o", id: 1, variables: { v: [], o: 5 } }, { instances }).text).toContain(
      "\to : o = 5\n\t{\n\t\tv : list =\n\t\t{\n\t\t}\n\t\to : object = noone\n",
    );
    expect(write({ v: [], o: 5 })).toBe("type-mismatch at .o");
    // Without a table, too.
    for (const o of [-4, -4n])
      expect(writeIntrospection(definitions, { object: "o", id: 1, variables: { v: [], o } }).text).toContain("\to : object = noone\n");
  });
  it("a Map of instances may have numbers, digits or bigints as its keys", () => {
    const inner = { object: "o", id: 5, variables: { v: [], o: null } };
    for (const mode of ["superset", "original"] as const) {
      for (const key of [5, "5", 5n]) {
        for (const o of [5, 5n]) {
          const instances = new Map([[key, inner]]);
          const { text } = writeIntrospection(definitions, { object: "o", id: 1, variables: { v: [], o } }, { mode, instances });
          expect(text, `${typeof key} for ${typeof o}`).toContain("\to : o = 5\n");
        }
      }
      // Beyond 2^53 two ids may be one number.
      const instances = new Map([[2 ** 53, inner]]);
      const { text } = writeIntrospection(
        definitions,
        { object: "o", id: 1, variables: { v: [], o: 2n ** 53n + 1n } },
        { mode, instances },
      );
      expect(text).not.toContain("\to : o = 5\n");
    }
  });
  it("a document that holds itself, or no nodes", () => {
    const list: IntrospectionNode & { name: string } = { name: "v", type: "list", items: [] };
    list.items.push(list);
    expect(errorOf(() => writeIntrospectionDocument(document(list)))).toMatch(/^depth-limit at /);
    expect(errorOf(() => writeIntrospectionDocument(document({ name: "v", type: "colour" } as never)))).toBe("bad-document at .v");
    expect(errorOf(() => writeIntrospectionDocument(document({ type: "int", value: 1 } as never)))).toMatch(/^bad-document/);
    expect(errorOf(() => writeIntrospectionDocument({ type: "int" } as never))).toBe("bad-document");
  });
});
