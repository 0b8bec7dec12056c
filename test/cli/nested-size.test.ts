// How long the texts of structures inside of structures become is known before they are written.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ds } from "../../src/cli/formats/ds.ts";
import { nestedSize } from "../../src/cli/formats/ds-nested-size.ts";
import { DS_NESTED_MAP, DS_STRUCT, type DsStructure, type DsValue, writeDs } from "../../src/ds/index.ts";
import { casesOf } from "../long-run.ts";
import { run } from "./program.ts";

const list = (...items: DsValue[]): DsStructure => ({ kind: "list", items });
/** Characters of the texts in this list. */
const written = (structure: DsStructure): number => writeDs(structure).length;
const sizeIn = (...items: DsValue[]): number => nestedSize(list(...items), ds.vocabulary);

const bits = fc.bigInt({ min: 0xfff8000000000000n, max: 2n ** 64n - 1n });
const text = fc.string({ unit: fc.constantFrom("a", "é", "☃", "😀", "\0"), maxLength: 9 });

/** Values by the generation that can hold them. */
interface Tied {
  structure: DsStructure;
  first: DsValue;
  second: DsValue;
  third: DsValue;
}

const anyStructure = (shape: { generation?: 1 | 2 | 3; legacy?: boolean }, item: fc.Arbitrary<DsValue>): fc.Arbitrary<DsStructure> => {
  const items = fc.array(item, { maxLength: 4 });
  return fc.oneof(
    fc.tuple(fc.constantFrom("list" as const, "stack" as const), items).map(([kind, items]): DsStructure => ({ kind, ...shape, items })),
    fc.array(fc.tuple(item, item), { maxLength: 3 }).map((entries): DsStructure => ({ kind: "map", ...shape, entries })),
    items.map((items): DsStructure => ({ kind: "queue", ...shape, items })),
    fc.tuple(items, items, items).map(([before, items, behind]): DsStructure => {
      const head = before.length;
      return { kind: "queue", ...shape, items, head, tail: head + items.length, slots: [...before, ...items, ...behind] };
    }),
    fc
      .array(fc.record({ priority: item, value: item }, { noNullPrototype: true }), { maxLength: 3 })
      .map((items): DsStructure => ({ kind: "priority", ...shape, items })),
    fc.tuple(fc.nat(3), item).map(
      ([width, cell]): DsStructure => ({
        kind: "grid",
        ...shape,
        width,
        height: 2,
        columns: Array.from({ length: width }, () => [cell, 7]),
      }),
    ),
  );
};

const { structure } = fc.letrec<Tied>((tie: fc.LetrecTypedTie<Tied>) => {
  const first = fc.oneof(
    { depthSize: "small" },
    fc.oneof(
      fc.double(),
      text,
      bits.map((bits): DsValue => ({ type: "nan", bits })),
      fc.uint8Array({ maxLength: 9 }).map((bytes): DsValue => ({ type: "bytes", bytes })),
    ),
    tie("structure"),
  );
  const later = fc.oneof(
    first,
    fc.constantFrom<DsValue[]>(undefined, true, 5n, DS_STRUCT, DS_NESTED_MAP, { type: "int32", value: -7 }),
    bits.map((bits): DsValue => ({ type: "bool", bits })),
    bits.map((address): DsValue => ({ type: "pointer", address })),
  );
  const inArrays = (value: fc.Arbitrary<DsValue>) => fc.oneof({ depthSize: "small" }, later, fc.array(value, { maxLength: 3 }));
  return {
    first,
    second: fc.oneof(
      { depthSize: "small" },
      inArrays(tie("second")),
      fc
        .array(fc.array(tie("second"), { maxLength: 2 }), { maxLength: 3 })
        .filter((rows) => rows.length !== 1)
        .map((rows): DsValue => ({ type: "rows", rows })),
    ),
    third: inArrays(tie("third")),
    structure: fc.oneof(
      { depthSize: "small" },
      anyStructure({}, tie("third")),
      anyStructure({ generation: 3 }, tie("third")),
      anyStructure({ generation: 2 }, tie("second")),
      anyStructure({ generation: 1, legacy: false }, tie("first")),
      anyStructure({ generation: 1, legacy: true }, tie("first")),
      anyStructure({ generation: 2, legacy: true }, tie("second")),
      anyStructure({ legacy: true }, tie("third")),
    ),
  };
});

test("it is that of what is written", () => {
  fc.assert(
    fc.property(fc.array(structure, { maxLength: 3 }), (structures) => {
      const size = structures.reduce((sum, structure) => sum + written(structure), 0);
      expect(sizeIn(...structures, [1, structures])).toBe(2 * size);
    }),
    { numRuns: casesOf(300) },
  );
});

test("a text in CESU-8 is taken for no more than half as long again", () => {
  for (const text of ["", "ab", "\u2603", "😀", "😀".repeat(50), "é😀ab"]) {
    const structure = list({ type: "string", text, encoding: "cesu8" });
    const size = written(structure);
    expect(sizeIn(structure)).toBeGreaterThanOrEqual(size);
    expect(sizeIn(structure)).toBeLessThanOrEqual(size * 1.5);
  }
});

describe("JSON that asks for more than 512 million characters is refused", () => {
  /** Each level doubles the text, and the last one has it five times. */
  const encode = (innermost: unknown) => {
    let structure = innermost;
    for (let i = 0; i < 13; i++) structure = list(structure as DsValue);
    const items = [{ $id: 0, $struct: structure }, ...Array.from({ length: 4 }, () => ({ $ref: 0 }))];
    return run(["encode", "-"], JSON.stringify({ tusk: 1, format: "ds", root: { kind: "list", items } }));
  };
  const told = "the texts of structures inside of structures would have more than 512 million characters";
  const many = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);
  const bits = { $bigint: "5" };

  test.each<[string, unknown]>([
    ["empty arrays", list(...many(900, []))],
    ["items of a priority queue", { kind: "priority", items: many(300, { priority: 1, value: 1 }) }],
    ["texts that are not ASCII", list("☃".repeat(2500))],
    ["bools by their bits", list(...many(600, { type: "bool", bits } as never))],
    ["pointers", list(...many(600, { type: "pointer", address: bits } as never))],
    ["rows", { kind: "list", generation: 2, items: [{ type: "rows", rows: many(2000, []) }] }],
    ["arrays of the second generation", { kind: "list", generation: 2, items: many(600, []) }],
    ["legacy texts", { kind: "list", generation: 1, legacy: true, items: many(450, "") }],
  ])("%s", async (_title, innermost) => {
    expect(await encode(innermost)).toEqual({ status: 1, stdout: Buffer.alloc(0), stderr: `tusk: -: ${told} [tusk: too-long]\n` });
  });
});

test("queues with slots inside of each other are counted as they are written, and can be edited", async () => {
  let structure: DsStructure = list("a");
  for (let i = 0; i < 11; i++)
    structure = { kind: "queue", items: [structure], head: 0, tail: 1, slots: [structure, ...Array<number>(15).fill(0)] };
  expect(sizeIn(structure)).toBe(written(structure));
  const document = JSON.parse((await run(["decode", "--nested", "-"], writeDs(list(structure)))).stdout.toString());
  document.root.items.push(5);
  const { status, stdout } = await run(["encode", "-"], JSON.stringify(document));
  expect([status, stdout.toString() === writeDs(list(structure, 5))]).toEqual([0, true]);
});
