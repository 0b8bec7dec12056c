// Where the engine's windows end: input and output in 256 KB, a tape of 128 KB, text in chunks of 64 KB and 8192 strings, tables that
// become full. Each rule has its own test; the random graphs behind them put everything across every boundary.

import { describe, expect, test } from "vitest";
import { boundaryClasses, boundaryGraph, Random } from "./boundary-graphs.ts";
import { bytes, file, text, u16 } from "./bytes.ts";
import { CASES, createElephantSync, type Elephant, type ElephantOptions, ENGINES, LONG_RUN, SCHEMA, TuskError } from "./codec.ts";
import { differences } from "./compare.ts";
import { expectError, failure } from "./expect-error.ts";
import { once } from "./once.ts";
import { createReference } from "./reference.ts";

/** Graphs drawn, for all engines. */
const GRAPHS = Math.ceil(CASES / 20);

/** Short strings that are all different. */
const word = (i: number) => `s${i.toString(36)}`;

/** What the reference codec has written, by what it is: the same for each engine. */
const written = new Map<string, Uint8Array>();

/** Bytes of the reference codec, and the same value back. */
function expectRoundTrip(elephant: Elephant, what: string, value: unknown): void {
  const save = elephant.write(value);
  const expected = written.get(what) ?? createReference().write(value);
  written.set(what, expected);
  expect(Buffer.compare(save, expected), `bytes differ: ${what}`).toBe(0);
  expect(differences(value, elephant.read(save))).toEqual([]);
}

describe.each(ENGINES)("engine %s", (engine) => {
  const create = (options: ElephantOptions = {}) => createElephantSync({ ...options, engine });

  describe("reading", () => {
    test("strings held for an open struct behind the largest struct there is", () => {
      // Names are known, then all strings are the chunk's own, then the tape is nearly full; the inner struct has its members by name.
      const names = Array.from({ length: 7000 }, (_, i) => `n${i.toString(36)}`);
      const numbers = Buffer.from(new Float64Array(7000).fill(0.5).buffer).toString("hex");
      const outer = names.map((name, i) => `${text(name)} 0B ${text(word(1e6 + i))}`).join("");
      const inner = `${text("L".repeat(300))} 0A 01 ${Array.from({ length: 65_532 }, (_, i) => `${text(names[1]!)} 0A 0${i & 1}`).join("")}`;
      const save = file(`CD 0500 CC
        CE ${u16(7000)} ${names.map((name) => `${text(name)} 0A 01`).join("")}
        CD ${u16(17_000)} 0B ${Array.from({ length: 17_000 }, (_, i) => text(word(i))).join("")}
        CD ${u16(7000)} 09 ${numbers} CD ${u16(7000)} 09 ${numbers}
        CE ${u16(7001)} ${outer} ${text(names[0]!)} CE ${u16(65_533)} ${inner}`);
      expect(differences(createReference().read(save), create().read(save))).toEqual([]);
    });

    test("thousands of new names behind thousands of strings fill the chunk too", () => {
      const wide = Object.fromEntries(Array.from({ length: 7000 }, (_, i) => [`name${i}`, i % 3 === 0 ? true : i]));
      const words = (count: number, from: number) => Array.from({ length: count }, (_, i) => word(from + i));
      expectRoundTrip(create(), "names behind strings", [words(7900, 0), wide, "between", words(3000, 1e6)]);
    });

    test("what stands behind a string or name larger than all of the engine's memory", () => {
      const elephant = create();
      // It takes 11 MB.
      const huge = "x".repeat(12_000_000);
      for (const value of [{ huge, b: 1, c: "x" }, [huge, "x"], [huge, 1, "x"], { [huge]: 1, b: "x" }, [[[huge]], { a: [1.5] }]])
        expect(differences(value, elephant.read(elephant.write(value)))).toEqual([]);
    });

    test.each([1, 262_140, 262_143, 262_144, 262_145, 300_000])("a root string of %i bytes, with footer and without", (length) => {
      const elephant = create();
      const root = "x".repeat(length);
      const save = elephant.write(root);
      expect(elephant.read(save)).toBe(root);
      // Release 1.1.0 has another magic and no footer.
      const old = save.slice(0, -4);
      old.set(bytes("41544d43 00010100"));
      expect(elephant.read(old)).toBe(root);
      expectError(() => elephant.read(old.subarray(0, -1)), "truncated");
    });

    test("values cut off right behind a long string are truncated, not of an unknown datatype", () => {
      const elephant = create();
      const long = "x".repeat(300_000);
      for (const value of [[long, 1], { a: long, b: 1 }]) {
        const save = elephant.write(value);
        const end = save.lastIndexOf("x".charCodeAt(0)) + 2;
        for (const length of [end - 1, end, end + 1, end + 2]) expectError(() => elephant.read(save.subarray(0, length)), "truncated");
      }
      // A run of "any" that ends with the input.
      for (const root of ["CC CC CC", "CD 0100 CC CC", "CE 0100 6100 CC CC"])
        expectError(() => elephant.read(file(root).slice(0, -4)), "truncated");
    });

    test("an array of 1.0.0 whose instances take one byte each, at the very end of the input", () => {
      class Empty {
        static [SCHEMA] = { v1: {} };
      }
      const elephant = create({ constructors: { Empty } });
      const old = (root: string) => bytes(`41544d43 00000100 ${root}`);
      const read = elephant.read<unknown[][]>(old(`0F 0200 0F 0200 20 ${text("Empty")} 01 01 ${u16(300)} 20 ${"01".repeat(300)}`));
      expect(read.map((array) => array.length)).toEqual([2, 300]);
      expect(read.flat().every((element) => element instanceof Empty)).toBe(true);
    });

    test.each([14, 15, 16, 17, 254, 255, 256, 999, 1000, 1001, 32_767, 32_768, 65_535, 262_144, 300_000])(
      "names of %i bytes, anywhere in a struct",
      (length) => {
        const elephant = create();
        const name = "n".repeat(length);
        const values = [
          { [name]: 1, b: 2 },
          { a: "first", [name]: 2, last: [name] },
          [{ a: 1, [name]: name }, { a: 2, [name]: [{ [name]: "in" }], b: "behind" }, 3],
        ];
        for (const [i, value] of values.entries()) expectRoundTrip(elephant, `${i}: names of ${length}`, value);
      },
    );
  });

  describe("writing", () => {
    test("a failure says what it is about, not what the last one was about", () => {
      const elephant = create();
      expectError(() => elephant.write("\ud800"), "lone-surrogate");
      expectError(() => elephant.write("a\0b"), "nul-in-string");
    });

    test.each([1000, 16_383, 16_384, 100_000, 200_000, 2_000_000])("constructors with names of %i bytes", (length) => {
      const classes = Object.fromEntries(
        [undefined, { v1: { a: "f64", b: "string" } }, { v5: { __Elephant_Version_Verbose__: true, a: "any" } }].map((schema, i) => [
          "C".repeat(length - 1) + i,
          class {
            static [SCHEMA] = schema as never;
            a = i;
            b = "x";
          },
        ]),
      );
      const constructors = { ...classes } as ElephantOptions["constructors"];
      const made = () => Object.values(classes).map((Class) => new Class());
      // Enough before them that the output window is nearly full.
      const value = [Array.from({ length: 130 }, () => "z".repeat(990)), ...made(), ...made(), "end"];
      for (const release of ["1.5.1", "1.4.0"] as const) {
        const elephant = create({ constructors });
        const save = elephant.write(value, { release });
        expect(Buffer.compare(save, createReference({ constructors }).write(value, { release }))).toBe(0);
        const read = elephant.read<unknown[]>(save);
        expect(read[2]).toBeInstanceOf(Object.values(classes)[1]);
        expect(read.length).toBe(value.length);
      }
    });

    test("large arrays that begin in the first slot of a tape", () => {
      // One of the arrays before the large ones fills the tape exactly; then the array's own operation and its later pieces share a slot.
      const words = (count: number) => Array.from({ length: count }, (_, i) => (i % 2 === 0 ? i % 7 === 0 : word(i)));
      const rows = Array.from({ length: 30 }, (_, i) => [
        Array.from({ length: 17_000 }, () => i === 3),
        words(20_000),
        [5n, "x".repeat(i)],
      ]);
      expectRoundTrip(create(), "rows that fill the tape", rows);
      expectRoundTrip(create(), "large arrays", [Array.from({ length: 16_500 }, (_, i) => i / 2), words(40_000), words(9), words(40_000)]);
    });

    test("nested structs whose long texts stand behind their children", () => {
      const texts = Array.from({ length: 159 }, (_, i) => [`m${i}`, "語".repeat(990) + i] as const);
      const nest = (depth: number): object => ({ child: depth > 0 ? nest(depth - 1) : 0, ...Object.fromEntries(texts) });
      const elephant = create();
      // The shape is known and has a template before the nest comes.
      const value = [...Array.from({ length: 10 }, () => nest(0)), { wide: 5n, nest: nest(11), big: [1n, 2n] }, nest(11), 7n];
      expectRoundTrip(elephant, "a nest of long texts", value);
      expectRoundTrip(elephant, "behind it", { name: "after" });
    });
  });
});

describe("random graphs", () => {
  const classes = boundaryClasses(7);
  const { constructors } = classes;
  const reference = createReference({ constructors });
  // For each engine one codec for all of them, whose tables fill up and are forgotten, and one without code generation.
  const codecs = once(() =>
    ENGINES.map((engine) => [true, false].map((codeGeneration) => createElephantSync({ constructors, engine, codeGeneration }))),
  );

  describe.each(Array.from({ length: GRAPHS }, (_, i) => i))("graph %i", (seed) => {
    const made = once(() => {
      const random = new Random(seed * 7919 + 1);
      const size = random.pick([100_000, 300_000, 1_000_000]);
      const value = boundaryGraph(random, size, classes, random.pick([0, 0, 30, 200]), random.chance(3));
      const write = { diffsOnly: random.chance(4) };
      const save = reference.write(value, write);
      // What equals a fresh instance by GML's rules is left out.
      return { value, write, save, expected: write.diffsOnly ? reference.read(save) : value, damage: random.next() };
    });

    // In the suite each by one of the engines.
    const engines = ENGINES.filter((_, i) => LONG_RUN || (seed >> 1) % ENGINES.length === i);
    test.each(engines)("engine %s", (engine) => {
      const { value, write, expected, damage } = made();
      const elephant = seed % 4 === 3 ? createElephantSync({ constructors, engine }) : codecs()[ENGINES.indexOf(engine)]![seed & 1]!;
      const save = elephant.write(value, write);
      expect(Buffer.compare(save, made().save), "bytes differ").toBe(0);
      expect(differences(expected, elephant.read(save), { typedArrays: true })).toEqual([]);
      expect(differences(expected, elephant.read(save, { typedArrays: true, scalars: "exact" }), { typedArrays: true })).toEqual([]);
      const exact = elephant.read(save, { scalars: "exact" });
      if (!write.diffsOnly) expect(Buffer.compare(save, elephant.write(exact)), "written again").toBe(0);

      // Cut anywhere, and with damaged bytes: a TuskError or a value, and the codec goes on.
      const random = new Random(damage);
      for (let i = 0; i < 4; i++) expectError(() => elephant.read(save.subarray(0, random.below(save.length))));
      for (let i = 0; i < 6; i++) {
        const damaged = save.slice();
        for (let n = 1 + random.below(3); n > 0; n--)
          damaged[8 + random.below(save.length - 8)] = random.pick([0, 255, 205, 206, 204, random.below(256)]);
        const error = failure(() => elephant.read(damaged));
        if (error !== undefined) expect(error).toBeInstanceOf(TuskError);
      }
      expect(differences(expected, elephant.read(save), { typedArrays: true })).toEqual([]);
    });
  });
});
