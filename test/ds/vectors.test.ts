// Every vector of test/vectors/ds, on both engines: a good one means what the manifest says and is written again as it says, a bad one
// gives one of its errors at its place.
import { describe, expect, test } from "vitest";
import { expectSameStrictly } from "../same.ts";
import { readDs, TuskError, writeDs, writeDsBytes } from "./public.ts";
import { structureOf, textOf, type Vector, vectors } from "./vector-files.ts";

const encoder = new TextEncoder();
const good = vectors.filter((vector) => vector.result === "ok");
const bad = vectors.filter((vector) => vector.result === "error");

function readVector(vector: Vector, text: string | Uint8Array, engine: "wasm" | "js") {
  // Generation 1 is read with the layout given and again, below, without.
  return readDs(text, { kind: vector.kind, legacy: vector.generation === "legacy", engine });
}

test("all of them are tried", () => {
  expect({ good: good.length, bad: bad.length, all: vectors.length }).toEqual({ good: 233, bad: 38, all: 271 });
});

describe.each(["wasm", "js"] as const)("%s", (engine) => {
  test.each(good)("$id", (vector) => {
    const text = textOf(vector);
    const expected = structureOf(vector);
    const structure = readVector(vector, text, engine);
    expectSameStrictly(structure, expected);
    expectSameStrictly(readVector(vector, encoder.encode(text), engine), expected);

    // Empty generation 1 structures are the same in both layouts; auto takes them as compact.
    const { legacy, ...compact } = expected;
    expectSameStrictly(readDs(text, { engine }), vector.also_parses_as?.length ? compact : expected);

    const written = writeDs(structure, { engine });
    expect(written === text).toBe(vector.reencode === "exact");
    if (vector.reencode === "canonical") expectSameStrictly(readVector(vector, written, engine), expected);
    expect(new TextDecoder().decode(writeDsBytes(structure, { engine })) === written).toBe(true);
  });

  test.each(bad)("$id", (vector) => {
    const text = textOf(vector);
    for (const input of [text, encoder.encode(text)]) {
      const error = errorOf(() => readDs(input, { kind: vector.kind, engine }));
      expect(vector.errors).toContain(error.code);
      // Vectors count bytes, except for bad-hex; the codec always counts characters.
      if (vector.at !== undefined) expect(error.offset).toBe(error.code === "bad-hex" ? vector.at : vector.at * 2);
      expect(error.offset).toBeTypeOf("number");
    }
  });
});

function errorOf(work: () => unknown): TuskError {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(TuskError);
    return error as TuskError;
  }
  throw new Error("expected an error");
}
