// Random databases, instances and documents through every mode and back.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  bindIntrospection,
  introspectionFromJson,
  introspectionToJson,
  readIntrospection,
  readIntrospectionAll,
  writeIntrospection,
  writeIntrospectionAll,
  writeIntrospectionDocument,
} from "../../src/introspection/index.ts";
import { document, game } from "./arbitraries.ts";

/** Variables are written from Maps and bound to objects; both as sorted pairs. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Map) return [...value].map(([key, item]) => [key, plain(item)]);
  if (typeof value !== "object" || value === null) return value;
  const { object, id, variables } = value as { object: string; id: number; variables: object };
  return {
    object,
    id,
    variables: (variables instanceof Map ? [...variables] : Object.entries(variables)).map(([name, item]) => [name, plain(item)]),
  };
}

describe("documents", () => {
  it("exact text reads back as the same document and is written again", () => {
    fc.assert(
      fc.property(document, fc.constantFrom("\n" as const, "\r\n" as const), (written, newline) => {
        const text = writeIntrospectionDocument(written, { floats: "exact", newline });
        const read = readIntrospection(text);
        expect(read).toEqual(written);
        expect(writeIntrospectionDocument(read)).toBe(text);
        expect(introspectionFromJson(introspectionToJson(read))).toEqual(written);
      }),
      { numRuns: 1000 },
    );
  });
  it("fixed text is stable after one reading", () => {
    fc.assert(
      fc.property(document, (written) => {
        const text = writeIntrospectionDocument(written);
        expect(writeIntrospectionDocument(readIntrospection(text))).toBe(text);
      }),
      { numRuns: 500 },
    );
  });
  it("the original's text reads back as the same documents, or there is none", () => {
    let texts = 0;
    const several = fc.oneof(fc.tuple(document), fc.tuple(document, document));
    fc.assert(
      fc.property(several, fc.constantFrom("\n" as const, "\r\n" as const), (written, newline) => {
        let text: string;
        try {
          text = writeIntrospectionAll(written, { mode: "original", floats: "exact", newline });
        } catch (error) {
          expect(error).toMatchObject({ code: "not-original", path: expect.any(String) });
          return;
        }
        texts++;
        const read = readIntrospectionAll(text, { mode: "original" });
        expect(read).toEqual(written);
        expect(writeIntrospectionAll(read)).toBe(text);
      }),
      { numRuns: 1000 },
    );
    expect(texts).toBeGreaterThan(10);
  });
  it("several in one file come back one by one", () => {
    fc.assert(
      fc.property(fc.array(document, { minLength: 1, maxLength: 3 }), (written) => {
        const text = writeIntrospectionAll(written, { floats: "exact" });
        const read = readIntrospectionAll(text);
        expect(read).toEqual(written);
        expect(writeIntrospectionAll(read)).toBe(text);
      }),
      { numRuns: 200 },
    );
  }, 30_000);
});

describe("instances", () => {
  it("bind to the values that were written, and both writers agree on ordinary data", () => {
    fc.assert(
      fc.property(game, ({ definitions, instance }) => {
        const superset = writeIntrospection(definitions, instance);
        const original = writeIntrospection(definitions, instance, { mode: "original" });
        expect(original).toEqual(superset);
        for (const mode of ["superset", "original"] as const) {
          const read = readIntrospection(superset.text, { mode, definitions });
          expect(plain(bindIntrospection(read, definitions))).toEqual(plain(instance));
          expect(writeIntrospectionDocument(read)).toBe(superset.text);
          expect(writeIntrospection(definitions, bindIntrospection(read, definitions), { mode })).toEqual(superset);
        }
      }),
      { numRuns: 200 },
    );
  }, 30_000);
});
