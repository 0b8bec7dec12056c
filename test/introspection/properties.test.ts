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
import { casesOf } from "../long-run.ts";
import { expectSame } from "../same.ts";
import { document, game } from "./arbitraries.ts";

const CASES = casesOf(500);
/** How often a property is tried: where each case costs more, by a part of the cases. */
const runs = (part = 1) => ({ numRuns: Math.ceil(CASES * part) });
const TIMEOUT = Math.max(30_000, CASES * 20);

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
        expectSame(read, written);
        expect(writeIntrospectionDocument(read)).toBe(text);
        expectSame(introspectionFromJson(introspectionToJson(read)), written);
      }),
      runs(),
    );
  });
  it("fixed text is stable after one reading", () => {
    fc.assert(
      fc.property(document, (written) => {
        const text = writeIntrospectionDocument(written);
        expect(writeIntrospectionDocument(readIntrospection(text))).toBe(text);
      }),
      runs(0.5),
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
        expectSame(read, written);
        expect(writeIntrospectionAll(read)).toBe(text);
      }),
      runs(),
    );
    expect(texts).toBeGreaterThan(CASES / 100);
  });
  it(
    "several in one file come back one by one",
    () => {
      fc.assert(
        fc.property(fc.array(document, { minLength: 1, maxLength: 3 }), (written) => {
          const text = writeIntrospectionAll(written, { floats: "exact" });
          const read = readIntrospectionAll(text);
          expectSame(read, written);
          expect(writeIntrospectionAll(read)).toBe(text);
        }),
        runs(0.2),
      );
    },
    TIMEOUT,
  );
});

describe("instances", () => {
  it(
    "bind to the values that were written, and both writers agree on ordinary data",
    () => {
      fc.assert(
        fc.property(game, ({ definitions, instance }) => {
          const superset = writeIntrospection(definitions, instance);
          const original = writeIntrospection(definitions, instance, { mode: "original" });
          expectSame(original, superset);
          for (const mode of ["superset", "original"] as const) {
            const read = readIntrospection(superset.text, { mode, definitions });
            expectSame(plain(bindIntrospection(read, definitions)), plain(instance));
            expect(writeIntrospectionDocument(read)).toBe(superset.text);
            expectSame(writeIntrospection(definitions, bindIntrospection(read, definitions), { mode }), superset);
          }
        }),
        runs(0.2),
      );
    },
    TIMEOUT,
  );
});
