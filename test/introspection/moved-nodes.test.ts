// What is kept of a text beside its nodes counts only where it would be read as the same: nodes that a program moves into a document of the other
// mode, or writes with other line ends.
import { describe, expect, test } from "vitest";
import {
  type IntrospectionDocument,
  type IntrospectionVariable,
  introspectionFromJson,
  introspectionToJson,
  readIntrospection,
  readIntrospectionAll,
  writeIntrospectionAll,
  writeIntrospectionDocument,
} from "../../src/introspection/index.ts";
import { errorOf } from "./error-code.ts";

const throughJson = (document: IntrospectionDocument) => introspectionFromJson(JSON.parse(JSON.stringify(introspectionToJson(document))));
const documentOf = (...variables: IntrospectionVariable[]): IntrospectionDocument => ({ type: "object", object: "oB", id: 2, variables });

describe.each([
  ["as they were read", (document: IntrospectionDocument) => document],
  ["through JSON", throughJson],
])("%s", (_, given) => {
  const superset = () => given(readIntrospection('oA = 1\n{\n\t"hp" : int = 3\n\tstate : enum = e"Idle"\n\tname : string = e"Ada"\n}\n'));
  const original = () => given(readIntrospection("oB = 2\n{\n\tx : int = 05\n}\n", { mode: "original" }));

  test("nodes of the superset, in a document of the original", () => {
    for (const variable of superset().variables) {
      const document = original();
      document.variables.push(variable);
      const text = writeIntrospectionDocument(document);
      // What it holds of its own stays as it was spelled.
      expect(text).toContain("\tx : int = 05\n");
      expect(readIntrospection(text, { mode: "original" }).variables).toEqual(document.variables);
    }
  });

  test("nodes of the original, in a document of the superset", () => {
    const document = superset();
    document.variables.push(original().variables[0]);
    const text = writeIntrospectionDocument(document);
    expect(text).toContain('\t"hp" : int = 3\n\tstate : enum = e"Idle"\n\tname : string = e"Ada"\n\tx : int = 5\n');
    expect(readIntrospection(text)).toEqual(document);
  });

  test("a name that ends in CR, with other line ends", () => {
    const text = "oX = 1\r\n{\r\n\tstate : enum = Idle\r\r\n\thp : int = 3\r\n}\r\n\r\n";
    const document = given(readIntrospection(text));
    expect(document.variables[0]).toMatchObject({ member: "Idle\r" });
    expect(writeIntrospectionDocument(document)).toBe(text);
    const other = documentOf(document.variables[0]);
    for (const written of [writeIntrospectionDocument(document, { newline: "\n" }), writeIntrospectionDocument(other)])
      expect(readIntrospection(written).variables[0]).toMatchObject({ member: "Idle\r" });
    // In the original nothing can be escaped.
    const inOriginal = given(readIntrospection(text, { mode: "original" }));
    expect(writeIntrospectionDocument(inOriginal)).toBe(text);
    expect(errorOf(() => writeIntrospectionDocument(inOriginal, { newline: "\n" }))).toBe("not-original at .state");
    // Where a line of the same text ends in LF, it is another.
    const mixed = "oX = 1\r\n{\r\n\thp : int = 3\n\tstate : enum = Idle\r\r\n}\r\n\r\n";
    const changed = given(readIntrospection(mixed));
    expect(writeIntrospectionDocument(changed)).toBe(mixed);
    changed.variables.reverse();
    expect(readIntrospection(writeIntrospectionDocument(changed)).variables).toEqual(changed.variables);
  });
});

test("several documents are written in one mode, that of the first", () => {
  const game = readIntrospection('oA = 1\n{\n\ts : string = "two\nlines"\n}\n\r\n', { mode: "original" });
  const mine = documentOf({ name: "e", type: "enum", member: "#1" });
  const inOriginal = 'oA = 1\n{\n\ts : string = "two\nlines"\n}\n\r\noB = 2\n{\n\te : enum = #1\n}\n\r\n';
  expect(writeIntrospectionAll([game, mine])).toBe(inOriginal);
  expect(readIntrospectionAll(inOriginal, { mode: "original" })).toEqual([game, mine]);
  const inSuperset = 'oB = 2\n{\n\te : enum = e"#1"\n}\n\r\noA = 1\n{\n\ts : string = e"two\\nlines"\n}\n\r\n';
  expect(writeIntrospectionAll([mine, game])).toBe(inSuperset);
  expect(readIntrospectionAll(inSuperset)).toEqual([mine, game]);
  expect(readIntrospectionAll(writeIntrospectionAll([game, mine], { mode: "superset" }))).toEqual([game, mine]);
  const numbered = documentOf({ name: "e", type: "enum", index: 1 });
  expect(errorOf(() => writeIntrospectionAll([game, numbered]))).toBe("not-original at .e");
});

test("an instance from inside a document has no mode of its own, however its id was spelled", () => {
  for (const id of ["2", "ref instance 2"]) {
    const text = `o = ${id}\n{\n\tpet : p = ${id}\n\t{\n\t\te : enum = #1\n\t}\n}\n\r\n`;
    const document = readIntrospection(text, { mode: "original" });
    expect(writeIntrospectionDocument(document)).toBe(text);
    const pet = document.variables[0] as IntrospectionDocument & IntrospectionVariable;
    expect(writeIntrospectionDocument(pet)).toBe('p = 2\n{\n\te : enum = e"#1"\n}\n\r\n');
  }
});

test("half a character, which no file holds, is written by its escape or refused", () => {
  for (const [variable, path] of [
    [{ name: "s", type: "string", value: "a\ud800\nb" }, ".s"],
    [{ name: "e", type: "enum", member: "\udc00" }, ".e"],
    [{ name: "n\ud800", type: "int", value: 1 }, ".n\ud800"],
    [{ name: "l", type: "list", items: [{ type: "string", value: "\ud83d" }] }, ".l[0]"],
    [{ name: "m", type: "map", entries: [{ key: "\ud800", type: "int", value: 1 }] }, '.m["\\ud800"]'],
  ] as [IntrospectionVariable, string][]) {
    const document = documentOf(variable);
    expect(errorOf(() => writeIntrospectionDocument(document, { mode: "original" }))).toBe(`not-original at ${path}`);
    const text = writeIntrospectionDocument(document);
    expect(Buffer.from(text).toString()).toBe(text);
    expect(readIntrospection(text)).toEqual(document);
  }
  // Whole ones are text like any other.
  const text = 'oB = 2\n{\n\ts : string = "🐘"\n}\n\r\n';
  expect(writeIntrospectionDocument(readIntrospection(text, { mode: "original" }))).toBe(text);
});

test("a document whose definitions are gone is believed, others beside it are not", () => {
  const definitions = { oA: [["s", ["string"]]] } as never;
  const known = 'oA = 1\n{\n\ts : string = "a"\n\tt : int = 5\n\tu : string = "b"\n}\n';
  const read = (text: string) => readIntrospection(text, { mode: "original", definitions });
  const forged: IntrospectionVariable = { name: "s", type: "string", value: 'a"\n\tt : int = 5\n\tu : string = "b' };
  const believed = throughJson(read(known));
  believed.variables = [forged];
  const other = documentOf(forged);
  const options = { mode: "original" } as const;
  expect(writeIntrospectionAll([believed], options)).toContain(known.slice(0, -3));
  expect(errorOf(() => writeIntrospectionAll([other], options))).toBe("not-original at .s");
  for (const all of [
    [believed, other],
    [other, believed],
  ])
    expect(errorOf(() => writeIntrospectionAll(all, options))).toBe("not-original at .s");
  const sound = documentOf({ name: "s", type: "string", value: "two\nlines" });
  expect(readIntrospectionAll(writeIntrospectionAll([sound, believed, sound], options), options)).toHaveLength(3);
});

test("what a getter adds to a document's list is not written", () => {
  const items: { type: "int"; value: number }[] = [];
  const more = () => ({
    type: "int" as const,
    get value() {
      if (items.length < 1000) items.push(more());
      return 7;
    },
  });
  items.push(more());
  const text = writeIntrospectionDocument(documentOf({ name: "v", type: "list", items }));
  expect(readIntrospection(text).variables).toEqual([{ name: "v", type: "list", items: [{ type: "int", value: 7 }] }]);
});
