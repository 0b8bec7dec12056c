// The original's rules (formats/introspection.md §2 and §3 "Reading original files"), one per test.

import { describe, expect, it } from "vitest";
import {
  type IntrospectionDefinitions,
  introspectionFromJson,
  introspectionToJson,
  readIntrospection,
  setIntrospectionValue,
  type VariableDefinition,
  writeIntrospection,
  writeIntrospectionDocument,
} from "../../src/introspection/index.ts";
import { errorOf } from "./error-code.ts";

const definitionsOf = (...variables: VariableDefinition[]): IntrospectionDefinitions => ({ o: variables });
const write = (definitions: IntrospectionDefinitions, variables: Record<string, unknown>) =>
  writeIntrospection(definitions, { object: "o", id: 1, variables }, { mode: "original" });
const read = (text: string, definitions?: IntrospectionDefinitions) => readIntrospection(text, { mode: "original", definitions });

describe("writing", () => {
  it("ends in LF CR LF", () => {
    expect(write({ o: [] }, {}).text).toBe("o = 1\n{\n}\n\r\n");
  });
  it("takes the tutorial's [name, types, extra]", () => {
    expect(write({ o: [["e", ["enum"], ["A", "B"]]] }, { e: 1 }).text).toContain("\te : enum = B\n");
  });
  it("prints NaN, infinities and minus zero as the browser runtime does", () => {
    const definitions = definitionsOf({ name: "v", types: ["list", "float"] });
    const { text } = write(definitions, { v: [Number.NaN, Infinity, -Infinity, -0, -1e-9] });
    expect(text.match(/float = .*/g)).toEqual([
      "float = NaN",
      "float = Infinity",
      "float = -Infinity",
      "float = 0.00000",
      "float = -0.00000",
    ]);
  });
  it("writes strings and keys without escapes", () => {
    const definitions = definitionsOf({ name: "v", types: ["map", "string"] });
    expect(write(definitions, { v: new Map([['a : "b', 'x"\n']]) }).text).toContain('\t\ta : "b : string = "x"\n"\n');
  });
  it("stops at keys that are no strings", () => {
    const definitions = definitionsOf({ name: "v", types: ["map", "int"] });
    expect(errorOf(() => write(definitions, { v: new Map([[1, 1]]) }))).toBe("bad-key at .v[1]");
  });
  it("writes the first row of an old-style array, where the superset refuses to lose the others", () => {
    const definitions = definitionsOf({ name: "v", types: ["array", "int"] });
    const variables = { v: { rows: [[1, 2], [3]] } };
    expect(write(definitions, variables).text).toBe("o = 1\n{\n\tv : array =\n\t{\n\t\ta0 : int = 1\n\t\ta1 : int = 2\n\t}\n}\n\r\n");
    expect(errorOf(() => writeIntrospection(definitions, { object: "o", id: 1, variables }))).toBe("type-mismatch at .v");
  });
  it("leaves types and indentation behind a missing variable as they are", () => {
    const definitions: IntrospectionDefinitions = {
      o: [
        { name: "list", types: ["list", "object"] },
        { name: "end", types: ["int"] },
      ],
      p: [
        { name: "a", types: ["bool"] },
        { name: "gone", types: ["int"] },
      ],
    };
    const pet = { object: "p", id: 7, variables: { a: true } };
    const { text, warnings } = write(definitions, { list: [pet, pet], end: 3 });
    expect(text).toBe(
      "o = 1\n{\n\tlist : list =\n\t{\n\t\tl0 : p = 7\n\t\t{\n\t\t\ta : bool = True\n\t\t\tgone : \t\t\tl1 : bool = True\n\t\t}\n\t\tend : int = 3\n\t}\n\r\n",
    );
    expect(warnings).toEqual(['Warning: The variable "gone" does not exist in the p object.']);
  });
  it("writes the ids of a list's other instances as strings where the type string is left behind", () => {
    const definitions: IntrospectionDefinitions = {
      o: [{ name: "list", types: ["list", "object"] }],
      p: [
        { name: "a", types: ["string"] },
        { name: "gone", types: ["int"] },
      ],
    };
    const pet = { object: "p", id: 7, variables: { a: "x" } };
    expect(write(definitions, { list: [pet, pet, 8] }).text).toContain(
      '\t\t\tgone : \t\t\tl1 : string = "7"\n\t\t\tl2 : string = "8"\n\t\t}\n',
    );
  });
  it("takes an instance for its id, of any size, where another type stands", () => {
    const types = ["int", "string", "float", "bool"];
    const written = (id: unknown) => {
      const variables = Object.fromEntries(types.map((type) => [type, { object: "p", id, variables: {} }]));
      return write(definitionsOf(...types.map((type) => ({ name: type, types: [type] }))), variables).text.match(/(?<= : ).*/g);
    };
    for (const id of [9007199254740993n, "9007199254740993", "009007199254740993"])
      expect(written(id)).toEqual([
        "int = 9007199254740993",
        'string = "9007199254740993"',
        "float = 9007199254740992.00000",
        "bool = True",
      ]);
    for (const id of [7, 7n, "7"]) expect(written(id)).toEqual(["int = 7", 'string = "7"', "float = 7.00000", "bool = True"]);
    expect(written("-0")).toEqual(["int = 0", 'string = "0"', "float = 0.00000", "bool = False"]);
    for (const id of ["abc", "1.5", "", true, null, undefined, {}, Symbol("s")]) {
      expect(errorOf(() => written(id))).toBe("type-mismatch at .int");
      for (const type of [...types, "enum"]) {
        const definitions = definitionsOf({ name: "v", types: [type], extra: ["A"] });
        expect(errorOf(() => write(definitions, { v: { object: "p", id, variables: {} } }))).toBe("type-mismatch at .v");
      }
    }
  });
  it("refuses values of other types with their place", () => {
    for (const [type, value] of [
      ["int", "x"],
      ["float", "x"],
      ["bool", {}],
      ["string", {}],
      ["array", null],
      ["list", 5],
    ] as const)
      expect(errorOf(() => write(definitionsOf({ name: "v", types: [type, "int"] }), { v: value }))).toBe("type-mismatch at .v");
  });
  it("prints an int that is not finite as the browser runtime does, and an old-style array without rows as none", () => {
    const definitions = definitionsOf({ name: "v", types: ["list", "int"] }, { name: "w", types: ["array", "int"] });
    const { text } = write(definitions, { v: [Number.NaN, Infinity, -Infinity], w: { rows: [] } });
    expect(text.match(/int = .*/g)).toEqual(["int = NaN", "int = Infinity", "int = -Infinity"]);
    expect(text).toContain("\tw : array =\n\t{\n\t}\n");
  });
  it("goes on behind a variable that is missing inside a container: each that is there begins at its first type", () => {
    const definitions = {
      o: [
        { name: "list", types: ["list", "object"] },
        { name: "bag", types: ["map", "int"] },
      ],
      p: [
        { name: "gone", types: ["int"] },
        { name: "a", types: ["bool"] },
      ],
      q: [
        { name: "a", types: ["bool"] },
        { name: "gone", types: ["int"] },
      ],
    };
    const written = (object: string) => {
      const pet = { object, id: 7, variables: { a: true } };
      return write(definitions, { list: [pet, pet], bag: new Map([["k", 1]]) }).text;
    };
    // The first variable of the first is missing: the list goes on with its own types.
    expect(written("p")).toBe(
      "o = 1\n{\n\tlist : list =\n\t{\n\t\tl0 : p = 7\n\t\t{\n\t\t\tgone : \t\t\tl1 : p = 7\n\t\t\t{\n\t\t\t\tgone : \t\t\t}\n\t\t\tbag : map =\n\t\t\t{\n\t\t\t\tk : int = 1\n\t\t\t}\n\t\t}\n\r\n",
    );
    expect(written("q")).toBe(
      "o = 1\n{\n\tlist : list =\n\t{\n\t\tl0 : q = 7\n\t\t{\n\t\t\ta : bool = True\n\t\t\tgone : \t\t\tl1 : bool = True\n\t\t}\n\t\tbag : map =\n\t\t{\n\t\t\tk : int = 1\n\t\t}\n\t}\n\r\n",
    );
  });
  it("writes nothing for types it does not know, and for the superset's", () => {
    for (const type of ["colour", "grid", "asset", "custom", "Int"]) {
      expect(write(definitionsOf({ name: "v", types: [type] }), { v: 1 })).toEqual({ text: "o = 1\n{\n\tv : }\n\r\n", warnings: [] });
    }
  });
  it("refuses a document with what the original has no text for", () => {
    const text = "o = 1\n{\n\tm : map =\n\t{\n\t\t[1] : enum = #3\n\t}\n}\n";
    expect(errorOf(() => writeIntrospectionDocument(readIntrospection(text), { mode: "original" }))).toBe("not-original at .m[1]");
  });
});

describe("reading", () => {
  it("splits a label at the first separator with a complete value behind it", () => {
    const [map] = read("o = 1\n{\n\tm : map =\n\t{\n\t\ta : b : int : int = 1\n\t\t : int = 2\n\t}\n}\n").variables;
    expect(map).toMatchObject({ entries: [{ key: "a : b : int" }, { key: "" }] });
  });
  it("continues strings to the first line that ends in a quote and has a fitting line behind it", () => {
    const text = 'o = 1\n{\n\tl : list =\n\t{\n\t\tl0 : string = "a"\nb"\n\n"\n\t\tl1 : string = "c\nd"\n\t}\n}\n';
    expect(read(text).variables[0]).toMatchObject({ items: [{ value: 'a"\nb"\n\n' }, { value: "c\nd" }] });
    expect(writeIntrospectionDocument(read(text))).toBe(text);
  });
  it("with definitions the line behind a variable's string must be the next variable or the brace", () => {
    const definitions = definitionsOf({ name: "a", types: ["string"] }, { name: "b", types: ["int"] }, { name: "c", types: ["string"] });
    const variables = { a: '"\n\tb : bool = True\n\tx : int = 1\n"', b: 5, c: '"\n\td : string = "' };
    const { text } = write(definitions, variables);
    expect(read(text, definitions).variables.map((node) => (node as { value: unknown }).value)).toEqual(Object.values(variables));
    const document = read(text, definitions);
    expect(writeIntrospectionDocument(document)).toBe(text);
    const json = JSON.parse(JSON.stringify(introspectionToJson(document)));
    expect(writeIntrospectionDocument(introspectionFromJson(json))).toBe(text);
    expect(errorOf(() => writeIntrospectionDocument(structuredClone(document), { mode: "original" }))).toBe("not-original at .a");
    // What has been changed is read again, with the definitions and without.
    setIntrospectionValue(document, ["c"], 'a"\nb');
    expect(read(writeIntrospectionDocument(document), definitions)).toEqual(document);
    setIntrospectionValue(document, ["a"], "x\ny");
    Object.assign(document.variables[1], { type: "float" });
    expect(read(writeIntrospectionDocument(document))).toEqual(document);
    setIntrospectionValue(document, ["a"], '"\n\tb : int = 5\n\tc : string = "');
    expect(errorOf(() => writeIntrospectionDocument(document))).toBe("not-original at .a");
  });
  it("the next variable may have a name that the superset would quote", () => {
    const definitions = definitionsOf({ name: "s", types: ["string"] }, { name: "a : b", types: ["int"] });
    for (const s of ['x"\ny', 'x"\n\ta : c : int = 5\n', "x"]) {
      const { text } = write(definitions, { s, "a : b": 5 });
      expect(read(text, definitions).variables).toMatchObject([{ value: s }, { name: "a : b", value: 5 }]);
    }
    expect(errorOf(() => read('o = 1\n{\n\ts : string = "x\ny"\n\ta : c : int = 5\n}\n', definitions))).toBe("bad-string line 3");
  });
  it("a string that fits nowhere is the one line, if that ends in a quote", () => {
    expect(errorOf(() => read('o = 1\n{\n\ta : string = "x"\nrubbish\n}\n'))).toBe("bad-indent line 4");
    expect(errorOf(() => read('o = 1\n{\n\ta : string = "x\nrubbish\n}\n'))).toBe("bad-string line 3");
  });
  it("a carriage return inside a string is data where lines end in LF", () => {
    const text = 'o = 1\n{\n\ta : string = "x\r\ny"\n}\n\r\n';
    expect(read(text).variables[0]).toMatchObject({ value: "x\r\ny" });
    expect(read(text.replaceAll("\r\n", "\n").replaceAll("\n", "\r\n")).variables[0]).toMatchObject({ value: "x\ny" });
  });
  it.each([
    'o = 1\r\n{\r\n\ta : string = "x\ny\r\nz"\r\n}\r\n',
    'o = 1\n{\n\ta : string = "x\r\ny"\r\n\tb : float = NaN\n\tc : enum = #\n\td : enum = \n}\n\r\n',
  ])("%j is written again byte for byte", (text) => {
    expect(writeIntrospectionDocument(read(text))).toBe(text);
  });
  it.each(["Quest : \nfind it", "a : \t\nb", ": \n : \n"])("%j is read in a map", (value) => {
    const { text } = write(definitionsOf({ name: "m", types: ["map", "string"] }), { m: new Map([["k", value]]) });
    expect(read(text).variables[0]).toMatchObject({ entries: [{ key: "k", value }] });
    expect(writeIntrospectionDocument(read(text))).toBe(text);
  });
  it.each(["hp : int = 5\nmore", 'a : string = "b"\n', "x : list =\n\nz"])("%j is read in a map, a list and a variable", (value) => {
    const variables = {
      m: new Map([
        ["k", value],
        ["l", "ok"],
      ]),
      l: [value, value],
      "two words": value,
      v: value,
    };
    const definitions = definitionsOf(
      { name: "m", types: ["map", "string"] },
      { name: "l", types: ["list", "string"] },
      { name: "two words", types: ["string"] },
      { name: "v", types: ["string"] },
    );
    const { text } = write(definitions, variables);
    for (const document of [read(text), read(text, definitions)])
      expect(document.variables).toMatchObject([
        {
          entries: [
            { key: "k", value },
            { key: "l", value: "ok" },
          ],
        },
        { items: [{ value }, { value }] },
        { name: "two words", value },
        { name: "v", value },
      ]);
    expect(writeIntrospectionDocument(read(text))).toBe(text);
  });
  it("a key with a whole entry in it wins over a string that goes on, where both can be read", () => {
    const text = 'o = 1\n{\n\tm : map =\n\t{\n\t\tk : string = "Bob : int = 5\n\t\tj : string = ""\n\t}\n}\n';
    expect(read(text).variables[0]).toMatchObject({
      entries: [
        { key: 'k : string = "Bob', value: 5 },
        { key: "j", value: "" },
      ],
    });
  });
  it("a missing value is missing-value, whatever follows on the line", () => {
    expect(errorOf(() => read("o = 1\n{\n\ta : \t\tb : int = 1\n}\n"))).toBe("missing-value line 3");
  });
});

it("writes a grid that it has read, and the other mode does", () => {
  const text = 'o = 1\n{\n\tg : grid = 1x2\n\t{\n\t\tg0,0 : int = 1\n\t\tg0,1 : string = "a"\n\t}\n}\n\r\n';
  for (const mode of [undefined, "superset"] as const) expect(writeIntrospectionDocument(read(text), { mode })).toBe(text);
});

it("a name that is no member is unknown-enum-name in both modes", () => {
  const definitions = definitionsOf({ name: "e", types: ["enum"], extra: ["A", "B"] });
  for (const mode of ["superset", "original"] as const)
    expect(errorOf(() => writeIntrospection(definitions, { object: "o", id: 1, variables: { e: "C" } }, { mode }))).toBe(
      "unknown-enum-name at .e",
    );
});

it("a fraction is no value of an enum", () => {
  const definitions = definitionsOf({ name: "e", types: ["enum"], extra: ["A", "B"] });
  const error = (mode: "superset" | "original") =>
    errorOf(() => writeIntrospection(definitions, { object: "o", id: 1, variables: { e: 0.5 } }, { mode }));
  expect([error("superset"), error("original")]).toEqual(["type-mismatch at .e", "unknown-enum-name at .e"]);
});

it("has five decimals in an instance, and in a document as many as `floats` says", () => {
  const definitions = definitionsOf({ name: "f", types: ["float"] });
  const options = { mode: "original", floats: "exact" } as const;
  const instance = { object: "o", id: 1, variables: { f: 1e-7 } };
  expect(writeIntrospection(definitions, instance, options).text).toContain("f : float = 0.00000\n");
  const document = readIntrospection(writeIntrospection(definitions, instance, { floats: "exact" }).text);
  expect(writeIntrospectionDocument(document, options)).toContain("f : float = 1e-7\n");
});

it("writes an enum value by its name, however it was given", () => {
  const definitions = definitionsOf({ name: "e", types: ["enum"], extra: ["A", "B"] });
  for (const e of ["B", 1])
    for (const mode of ["superset", "original"] as const)
      expect(writeIntrospection(definitions, { object: "o", id: 1, variables: { e } }, { mode }).text).toContain("e : enum = B\n");
});
