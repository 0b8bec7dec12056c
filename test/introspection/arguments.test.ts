// What is said of arguments that mean nothing.
import { expect, test } from "vitest";
import {
  bindIntrospection,
  getIntrospectionValue,
  type IntrospectionDocument,
  readIntrospection,
  readIntrospectionAll,
  setIntrospectionValue,
  writeIntrospection,
  writeIntrospectionAll,
  writeIntrospectionDocument,
} from "../../src/introspection/index.ts";
import { errorOf } from "./error-code.ts";

const text = "oPlayer = 7\n{\n\t_hp : int = 80\n}\n";
const definitions = { oPlayer: [{ name: "_hp", types: ["int"] }] };
const document = readIntrospection(text);

test.each([null, 5, { mode: "old" }, { floats: 5 }, { limits: 5 }, { limits: { maxdepth: 5 } }, { limits: { maxDepth: Number.NaN } }])(
  "the options %j are refused",
  (given) => {
    const options = given as never;
    for (const call of [
      () => readIntrospection(text, options),
      () => readIntrospectionAll(text, options),
      () => writeIntrospection(definitions, document, options),
      () => writeIntrospectionDocument(document, options),
      () => writeIntrospectionAll([document], options),
      () => bindIntrospection(document, definitions, options),
      () => getIntrospectionValue(document, ["_hp"], options),
      () => setIntrospectionValue(document, ["_hp"], 5, options),
    ])
      expect(errorOf(call)).toBe("bad-option");
    expect(document).toEqual(readIntrospection(text));
  },
);

test("limits that are not given are the default ones", () => {
  expect(readIntrospection(text, { limits: { maxDepth: undefined } })).toEqual(document);
});

test.each([undefined, null, 5, {}])("%j is no document", (given) => {
  const none = given as never as IntrospectionDocument;
  expect(errorOf(() => bindIntrospection(none, definitions))).toBe("bad-document");
  expect(errorOf(() => getIntrospectionValue(none, ["_hp"]))).toBe("bad-document");
  expect(errorOf(() => setIntrospectionValue(none, ["_hp"], 5))).toBe("bad-document");
  expect(errorOf(() => getIntrospectionValue(document, given as never))).toBe("bad-path");
});
