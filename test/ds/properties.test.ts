// Random structures come back as they were, on both engines, with the same text; random damage is read as the plain reader reads it.
import fc from "fast-check";
import { expect, test } from "vitest";
import { casesOf } from "../long-run.ts";
import { expectSameStrictly } from "../same.ts";
import { outcomeOf } from "./outcome.ts";
import { PlainError, plainRead } from "./plain-reader.ts";
import { DS_NESTED_LIST, DS_NESTED_MAP, DS_STRUCT, type DsStructure, type DsValue, readDs, writeDs } from "./public.ts";

const text = fc.string({
  unit: fc.oneof(fc.constantFrom("a", "é", "☃", "😀", "\0"), fc.string({ minLength: 1, maxLength: 1 })),
  maxLength: 40,
});
const bits = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const first: fc.Arbitrary<DsValue> = fc.oneof(fc.double(), fc.integer(), text);
const scalar: fc.Arbitrary<DsValue> = fc.oneof(
  first,
  fc.boolean(),
  fc.constantFrom(undefined, DS_STRUCT, DS_NESTED_LIST, DS_NESTED_MAP),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  bits.map((address): DsValue => ({ type: "pointer", address })),
  fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }).map((value): DsValue => ({ type: "int32", value })),
  fc.bigInt({ min: 0xfff8000000000000n, max: 2n ** 64n - 1n }).map((nan): DsValue => ({ type: "nan", bits: nan })),
  fc
    .array(fc.constantFrom("😀", "a", "é"), { maxLength: 5 })
    .map((parts): DsValue => ({ type: "string", text: `${parts.join("")}😀`, encoding: "cesu8" })),
  fc.uint8Array({ maxLength: 9 }).map((bytes): DsValue => ({ type: "bytes", bytes: Uint8Array.of(0xff, ...bytes) })),
);
const value = (generation: 2 | 3) =>
  fc.letrec<{ value: DsValue }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      scalar,
      fc.array(tie("value"), { maxLength: 6 }),
      ...(generation === 2
        ? [
            fc
              .array(fc.array(tie("value"), { maxLength: 3 }), { maxLength: 4 })
              .filter((rows) => rows.length !== 1)
              .map((rows): DsValue => ({ type: "rows", rows })),
          ]
        : []),
    ),
  })).value;

function structure(form: { generation: 1 | 2 | 3; legacy?: true }, item: fc.Arbitrary<DsValue>): fc.Arbitrary<DsStructure> {
  const items = fc.array(item, { maxLength: 30 });
  return fc.oneof(
    items.map((list): DsStructure => ({ kind: "list", ...form, items: list })),
    items.map((list): DsStructure => ({ kind: "stack", ...form, items: list })),
    fc.array(fc.tuple(item, item), { maxLength: 20 }).map((entries): DsStructure => ({ kind: "map", ...form, entries })),
    fc
      .array(fc.record({ priority: item, value: item }, { noNullPrototype: true }), { maxLength: 15 })
      .map((list): DsStructure => ({ kind: "priority", ...form, items: list })),
    fc.tuple(items, items, items).map(([before, contents, after]): DsStructure => {
      if (before.length + after.length === 0) return { kind: "queue", ...form, items: contents };
      const head = before.length;
      return { kind: "queue", ...form, items: contents, head, tail: head + contents.length, slots: [...before, ...contents, ...after] };
    }),
    fc
      .tuple(fc.nat(5), fc.nat(5))
      .chain(([width, height]) =>
        fc
          .array(fc.array(item, { minLength: height, maxLength: height }), { minLength: width, maxLength: width })
          .map((columns): DsStructure => ({ kind: "grid", ...form, width, height, columns })),
      ),
  );
}

const any = fc.oneof(
  structure({ generation: 3 }, value(3)),
  structure({ generation: 2 }, value(2)),
  structure({ generation: 1 }, first),
  structure({ generation: 1, legacy: true }, first),
);

test("what is written is read as it was", () => {
  fc.assert(
    fc.property(any, (before) => {
      const written = writeDs(before, { engine: "wasm" });
      expect(writeDs(before, { engine: "js" })).toBe(written);
      const legacy = before.legacy === true;
      for (const engine of ["wasm", "js"] as const) expectSameStrictly(readDs(written, { engine, legacy }), before);
      expectSameStrictly(plainRead(written, legacy ? "legacy" : "compact"), before);
    }),
    { numRuns: casesOf(250) },
  );
});

test("damaged text is read, or refused, as the plain reader does it, and what is read is written the same", () => {
  const damage = fc.array(fc.tuple(fc.nat(), fc.constantFrom(..."0123456789ABCDEF")), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(any, damage, fc.nat(8), (before, changes, cut) => {
      const digits = [...writeDs(before)];
      for (const [at, digit] of changes) digits[at % digits.length] = digit;
      const damaged = digits.join("").slice(0, digits.length - (cut === 8 ? 2 : 0));
      const legacy = before.legacy === true;
      const found = outcomeOf(() => readDs(damaged, { engine: "wasm", legacy, bools: "exact" }));
      expectSameStrictly(
        outcomeOf(() => readDs(damaged, { engine: "js", legacy, bools: "exact" })),
        found,
      );
      if ("value" in found) {
        // The plain reader does not keep a bool's double.
        expectSameStrictly(readDs(damaged, { legacy }), plainRead(damaged, legacy ? "legacy" : "compact"));
        expect(ignoringLegacyReals(writeDs(found.value), legacy)).toBe(ignoringLegacyReals(damaged, legacy));
      } else {
        try {
          plainRead(damaged, legacy ? "legacy" : "compact");
          expect(found).toBe("refused by both");
        } catch (error) {
          if (!(error instanceof PlainError)) throw error;
          expect(found.error).toEqual({ code: error.code, offset: error.offset });
        }
      }
    }),
    { numRuns: casesOf(250) },
  );
});

/** The real of a legacy string is ignored when reading (§6), so only the length is compared there. */
function ignoringLegacyReals(written: string, legacy: boolean): string | number {
  return legacy ? written.length : written;
}
