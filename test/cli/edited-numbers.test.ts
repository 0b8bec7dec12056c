// Numbers that were edited in the JSON: stored as they stand there, or refused with their place.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createElephantSync, StructInstance } from "../../src/elephant/index.ts";
import { scratchFolder } from "../node/scratch.ts";
import { run } from "./program.ts";

const document = (root: unknown) => JSON.stringify({ tusk: 1, format: "elephant", root });

describe("encode", () => {
  test.each<[string, unknown]>([
    ["u8", 300],
    ["u8", -1],
    ["s8", 128],
    ["u16", 65_536],
    ["s16", -32_769],
    ["u32", -1],
    ["s32", 5.7],
    ["s32", 1e20],
    ["s32", { $number: "NaN" }],
    ["f16", 65_536],
    ["f16", -70_000],
    ["f32", 1e300],
    ["u64", { $bigint: String(2n ** 64n) }],
  ])("refuses a number that does not fit %s: %j", async (datatype, value) => {
    for (const root of [
      { a: [0, { [`$${datatype}`]: value }] },
      { a: { $of: datatype, $array: [...(datatype === "u64" ? [] : [0]), value] } },
    ]) {
      const outcome = await run(["encode", "-"], document(root));
      expect(outcome).toMatchObject({ status: 1, stdout: Buffer.alloc(0) });
      expect(outcome.stderr).toMatch(new RegExp(`does not fit ${datatype}.*\\(at \\.a\\[[01]\\]`));
    }
  });

  test.each<[string, unknown]>([
    ["u8", 255],
    ["s8", -128],
    ["u32", 4_294_967_295],
    ["s32", -2_147_483_648],
    ["f16", 65_504],
    ["f32", 3.4028234663852886e38],
    ["f32", { $number: "-Infinity" }],
  ])("writes the outermost values of %s: %j", async (datatype, value) => {
    const root = { a: { [`$${datatype}`]: value } };
    const encoded = await run(["encode", "-"], document(root));
    expect(encoded).toMatchObject({ status: 0, stderr: "" });
    expect(JSON.parse((await run(["decode", "-"], encoded.stdout)).stdout.toString()).root).toEqual(root);
  });

  test("cuts a half towards zero, as the format does", async () => {
    const encoded = await run(["encode", "-"], document([{ $f16: 65_535 }]));
    expect(encoded).toMatchObject({ status: 0, stderr: "" });
    expect(createElephantSync().read(encoded.stdout)).toEqual([65_504]);
  });

  test("a field of a schema has its datatype's limits, too", async () => {
    const schemas = { Hero: { v1: { hp: "u16", gold: "u64" } } } as const;
    const file = join(scratchFolder(), "schemas.json");
    writeFileSync(file, JSON.stringify(schemas));
    const codec = createElephantSync({ constructors: schemas });
    const bytes = codec.write([new StructInstance("Hero", { hp: 10, gold: 3n })]);
    const json = JSON.parse((await run(["decode", "-s", file, "-"], Buffer.from(bytes))).stdout.toString());
    const encode = (hp: unknown, gold: unknown) => {
      Object.assign(json.root[0].$struct, { hp, gold });
      return run(["encode", "-s", file, "-"], JSON.stringify(json));
    };
    expect(await encode(65_535, 4)).toMatchObject({ status: 0, stderr: "" });
    expect((await encode(70_000, 4)).stderr).toMatch(/70000 does not fit u16.*\[0\]\.hp/);
    expect((await encode(1.5, 4)).status).toBe(1);
    expect((await encode(1, 4.5)).stderr).toMatch(/4\.5 does not fit u64.*\[0\]\.gold/);
  });

  describe("a strict struct", () => {
    /** What `encode` says of a struct with this field, stored by this schema; undefined where it writes what decode gives back. */
    async function told(datatype: string, x: unknown): Promise<string | undefined> {
      const file = join(scratchFolder(), "schemas.json");
      writeFileSync(file, JSON.stringify({ P: { v1: { x: datatype } } }));
      const root = [{ $new: "P", $version: 1, $verbose: false, $struct: { x } }];
      const { status, stdout, stderr } = await run(["encode", "-s", file, "-"], document(root));
      if (status !== 0) return /^tusk: -: (.*)\n$/.exec(stderr)![1];
      expect(stderr).toBe("");
      expect(JSON.parse((await run(["decode", "-s", file, "-"], stdout)).stdout.toString()).root).toEqual(root);
      return undefined;
    }
    const end = " (at [0].x) [elephant: datatype-not-recognised]";
    const bigint = (value: bigint) => ({ $bigint: String(value) });

    test.each<[string, unknown, string]>([
      ["undefined", { gold: [1, 2] }, "the schema has undefined here, which has no bytes for a value"],
      ["undefined", 0, "the schema has undefined here, which has no bytes for a value"],
      ["f64", bigint(2n ** 53n + 1n), "9007199254740993 does not fit f64"],
      ["f64", bigint(-(2n ** 53n) - 1n), "-9007199254740993 does not fit f64"],
      ["f32", bigint(16_777_217n), "16777217 does not fit f32"],
      ["f16", bigint(2049n), "2049 does not fit f16"],
      ["f16", bigint(65_536n), "65536 does not fit f16"],
      ["f16", bigint(70_000n), "70000 does not fit f16"],
      ["f64", true, "true does not fit f64"],
      ["bool", 7, "7 does not fit bool, true or false"],
      ["bool", 0.4, "0.4 does not fit bool, true or false"],
      ["bool", 1, "1 does not fit bool, true or false"],
      ["bool", bigint(1n), "1 does not fit bool, true or false"],
      ["u16", true, "true does not fit u16, a whole number from 0 to 65535"],
      ["u64", false, "false does not fit u64, a whole number from -9223372036854775808 to 18446744073709551615"],
    ])("%s: %j is refused", async (datatype, value, message) => {
      expect(await told(datatype, value)).toBe(message + end);
    });

    test.each<[string, unknown]>([
      ["undefined", { $undefined: true }],
      ["bool", true],
      ["bool", false],
      ["any", true],
      ["any", { $bigint: "9007199254740993" }],
      ["u64", { $bigint: "9007199254740993" }],
      ["u8", 7],
      ["f16", 0.5],
      ["f32", { $number: "NaN" }],
      ["f64", { $number: "-Infinity" }],
    ])("%s: %j is written as it is", async (datatype, value) => {
      expect(await told(datatype, value)).toBeUndefined();
    });

    test("a bigint that a float holds is written as that number", async () => {
      for (const [datatype, whole] of [
        ["f64", 2n ** 63n],
        ["f64", 0n],
        ["f32", -(2n ** 60n)],
        ["f16", 65_504n],
      ] as const) {
        const schemas = { P: { v1: { x: datatype } } };
        const file = join(scratchFolder(), "schemas.json");
        writeFileSync(file, JSON.stringify(schemas));
        const root = { $new: "P", $version: 1, $verbose: false, $struct: { x: bigint(whole) } };
        const { stdout } = await run(["encode", "-s", file, "-"], document(root));
        expect(createElephantSync({ constructors: schemas }).read(stdout)).toEqual(new StructInstance("P", { x: Number(whole) }));
      }
    });

    test("is refused where its version is one with names", async () => {
      const file = join(scratchFolder(), "schemas.json");
      const v1 = { __Elephant_Version_Verbose__: true, hp: "u16", secret: "string" };
      writeFileSync(file, JSON.stringify({ P: { __Elephant_Verbose_Exclude__: ["secret"], v1 } }));
      const encode = ($verbose: boolean) =>
        run(["encode", "-s", file, "-"], document([{ $new: "P", $version: 1, $verbose, $struct: { hp: 5, secret: "s" } }]));
      expect(await encode(false)).toEqual({
        status: 1,
        stdout: Buffer.alloc(0),
        stderr:
          'tusk: -: the schema stores a "P" of this version with its names, which is "$verbose": true (at [0]) [elephant: schema-version-missing]\n',
      });
      expect(await encode(true)).toMatchObject({ status: 0, stderr: "" });
    });
  });

  test("an array without items has a datatype all the same", async () => {
    const encode = ($of: string) => run(["encode", "-"], document({ a: { $of, $array: [] } }));
    for (const $of of ["u88", "any", "struct", "nan"])
      expect(await encode($of)).toEqual({
        status: 1,
        stdout: Buffer.alloc(0),
        stderr: `tusk: -: "$of" holds the name of a datatype, not "${$of}" (at .a) [tusk: notation]\n`,
      });
    for (const $of of ["u8", "bool", "u64", "text"]) expect((await encode($of)).status).toBe(0);
  });

  test("a schema version has seven bits", async () => {
    const encode = ($version: number) => run(["encode", "-"], document([{ $new: "Hero", $version, $verbose: true, $struct: {} }]));
    expect((await encode(127)).status).toBe(0);
    expect(await encode(128)).toMatchObject({ status: 1, stderr: expect.stringMatching(/version 128 of "Hero".*\[0\]/) });
  });
});
