// What is said of arguments that mean nothing.

import { expect, test } from "vitest";
import { NanBits, readEnigma, restoreEnigma, TuskError, writeEnigma } from "../../src/enigma/index.ts";
import { gameOf, instanceOf, schemaFor } from "./samples.ts";

const game = gameOf([instanceOf(100_001, [{ name: "hp", type: "f64", value: 5 }])]);
const save = writeEnigma(game);
const schema = schemaFor({ hp: "f64" });

function expectError(operation: () => unknown, code: string, path?: string): void {
  let thrown: unknown;
  try {
    operation();
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(TuskError);
  expect(thrown).toMatchObject({ format: "enigma", code, ...(path !== undefined && { path }) });
}

const optionsOfBoth = [
  null,
  5,
  { engine: "foo" },
  { onWarning: 5 },
  { limits: 5 },
  { limits: { maxbytes: 10 } },
  { limits: { maxBytes: Number.NaN } },
];

test.each([...optionsOfBoth, { backend: "xml" }, { checksum: "no" }, { unknownObject: "skip" }])("reading with the options %j", (options) =>
  expectError(() => readEnigma(save, options as never), "bad-option"),
);

test.each([...optionsOfBoth, { damaged: "x" }])("writing with the options %j", (options) =>
  expectError(() => writeEnigma(game, options as never), "bad-option"),
);

test("limits that are not given are the default ones", () => {
  expect(readEnigma(save, { schema, limits: { maxBytes: undefined } }).active).toHaveLength(1);
  expectError(() => readEnigma(save, { limits: { maxBytes: 10 } }), "limit");
});

test("bytes are a Uint8Array, an ArrayBuffer or a view", () => {
  for (const given of [Promise.resolve(save), undefined, null, "text", 1e9, {}, [1, 2]])
    expectError(() => readEnigma(given as never), "bad-option");
  for (const given of [save.buffer, new DataView(save.buffer)])
    expect(readEnigma(given as never, { schema })).toEqual(readEnigma(save, { schema }));
});

test.each([
  5,
  "text",
  {},
  [],
  { objects: 5 },
  { objects: [null] },
  { objects: [{ index: 0, locals: [] }] },
  { objects: [{ name: "obj", locals: [] }] },
  { objects: [{ name: "obj", index: "0", locals: [] }] },
  { objects: [{ name: "obj", index: 0 }] },
  { objects: [{ name: "obj", index: 0, locals: [null] }] },
  { objects: [{ name: "obj", index: 0, locals: [{ name: "hp" }] }] },
  { objects: [{ name: "obj", index: 0, locals: [{ name: "hp", type: 5 }] }] },
])("the schema %j is none", (wrong) => {
  expectError(() => readEnigma(save, { schema: wrong as never }), "schema");
  expectError(() => restoreEnigma(game, wrong as never), "schema");
});

test("what is no game is not written", () => {
  expectError(() => writeEnigma(null as never), "unwritable", "");
  expectError(() => writeEnigma({ backend: "binary", active: [], inactive: [] } as never), "unwritable", ".backgrounds");
});

test("the bits of a NaN are hexadecimal digits of a float", () => {
  for (const bits of ["", "7ff8", "7FF8000000000001", undefined]) expectError(() => new NanBits(bits as never), "bad-option");
});
