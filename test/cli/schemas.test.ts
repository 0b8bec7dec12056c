// The file of `--schema`: what is wrong with it is told of it, and what a save lacks of it.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { elephantSchemas } from "../../src/cli/formats/elephant-schemas.ts";
import { createElephantSync, StructInstance } from "../../src/elephant/index.ts";
import { NanBits, writeEnigma } from "../../src/enigma/index.ts";
import { gameOf, instanceOf, schemaFor } from "../enigma/samples.ts";
import { scratchFolder } from "../node/scratch.ts";
import { run } from "./program.ts";

const SCHEMAS = { Hero: { v1: { name: "string" }, v2: { name: "string", hp: "u16" } } } as const;
const save = Buffer.from(createElephantSync({ constructors: SCHEMAS }).write([new StructInstance("Hero", { name: "Ada", hp: 10 })]));

/** A call on the save, with this schema file. */
async function call(command: string, schemas: unknown, input: Uint8Array | string = save, ...options: string[]) {
  const file = join(scratchFolder(), "game.json");
  writeFileSync(file, typeof schemas === "string" ? schemas : JSON.stringify(schemas));
  const { status, stderr } = await run([command, ...options, "--schema", file, "-"], input);
  return { status, stderr: stderr.replaceAll(file, "game.json") };
}

describe("a bad schema file is no fault of the save", () => {
  test.each<[string, unknown, string]>([
    [
      "the versions are forgotten",
      { Hero: { name: "string" } },
      'schema of Hero: "name" is no version, v1 to v127; members stand inside a version: {"Hero":{"v1":',
    ],
    ["a schema that is none", { Hero: 5 }, 'the schema of "Hero" is no object'],
    ["a version without members", { Hero: { v1: null } }, "schema of Hero: v1 is not an object"],
    ["a version that no release holds", { Hero: { v1: {}, v300: {} } }, 'schema of Hero: "v300" is no version, v1 to v127'],
    ["a version that is none", { Hero: { v0: {} } }, 'schema of Hero: "v0" is no version'],
    ["a datatype that is no text", { Hero: { v1: { name: { toString: 1 } } } }, "schema of Hero: v1.name: an object is no datatype"],
    [
      "a forced version that is no number",
      { Hero: { v1: {}, ELEPHANT_FORCE_VERSION: [{ toString: 1 }] } },
      "schema of Hero: __Elephant_Force_Version__: an array is no version",
    ],
    [
      "a forced version that is not there",
      { Hero: { v1: {}, __Elephant_Force_Version__: 3 } },
      "schema of Hero forces version 3, but has no v3",
    ],
  ])("%s", async (_title, schemas, reason) => {
    const { status, stderr } = await call("decode", schemas);
    expect([status, stderr]).toEqual([2, expect.stringContaining(`tusk: game.json (--schema, for -): ${reason}`)]);
    expect(stderr).not.toContain("elephant:");
  });

  test("nor is it one of its JSON", async () => {
    const json = JSON.stringify({ tusk: 1, format: "elephant", root: 1 });
    expect(await call("inspect", { Hero: 5 }, json)).toEqual({
      status: 2,
      stderr: 'tusk: game.json (--schema, for -): the schema of "Hero" is no object\n',
    });
  });

  test("no JSON, with its place", async () => {
    const { status, stderr } = await call("decode", '{"Hero":\n{"v1":{,}}}');
    expect(status).toBe(2);
    expect(stderr).toBe(
      "tusk: game.json (--schema): this is not JSON: Expected property name or '}'\n" +
        '       1 | {"Hero":\n>      2 | {"v1":{,}}}\n                  ^ column 8\n',
    );
  });

  test("versions of old releases can be read, not written", async () => {
    const schemas = { Hero: { ...SCHEMAS.Hero, v200: { name: "string" } } };
    expect((await call("verify", schemas)).status).toBe(0);
    expect(await call("bench", schemas)).toEqual({
      status: 2,
      stderr:
        "tusk: game.json (--schema, for -): schema of Hero: v200 is of files before 1.3.0, and 1.5.1 holds up to v127; leave it out of the file to write with it\n",
    });
    const root = [{ $new: "Hero", $version: 200, $verbose: false, $struct: { name: "Ada" } }];
    const { status, stderr } = await call("encode", schemas, JSON.stringify({ tusk: 1, format: "elephant", release: "1.5.0", root }));
    expect(status).toBe(1);
    expect(stderr).toContain('schema version 200 of "Hero" cannot be written: release 1.5.0 holds up to v127 (at [0])');
    expect(stderr).toContain('hint: a struct keeps the version that it was read with; in JSON that is its "$version"');
  });
});

test("a save holds structs of one version", async () => {
  const hero = (version: number, verbose = false) => ({ $new: "Hero", $version: version, $verbose: verbose, $struct: { name: "Ada" } });
  const encode = (...root: object[]) => call("encode", SCHEMAS, JSON.stringify({ tusk: 1, format: "elephant", root }));
  expect((await encode(hero(1), hero(1))).status).toBe(0);
  for (const other of [hero(2), hero(1, true)])
    expect(await encode(hero(1), other)).toEqual({
      status: 1,
      stderr:
        'tusk: -: structs of "Hero" in different schema versions cannot be written into one save (at [1]) [elephant: schema-version-missing]\n',
    });
  expect(await encode(hero(3))).toEqual({
    status: 1,
    stderr:
      'tusk: -: the schema of "Hero" has no version 3 (at [0]) [elephant: schema-version-missing]\n' +
      "hint: game.json has no v3 of it: it may be of another version of the game\n",
  });
});

test("the objects of an ENIGMA game give its variables their types", async () => {
  const locals = [
    { name: "hp", type: "f64", value: 5 },
    { name: "odd", type: "variant", value: new NanBits("7ff8000000000001") },
  ];
  const game = Buffer.from(writeEnigma(gameOf([instanceOf(1, locals)])));
  const file = join(scratchFolder(), "game.json");
  writeFileSync(file, JSON.stringify(schemaFor({ hp: "f64", odd: "variant" })));
  const json = (await run(["decode", "--schema", file, "-"], game)).stdout.toString();
  expect(JSON.parse(json).root.active[0].classes[0].locals).toEqual([locals[0], { ...locals[1], value: { $nan: "7ff8000000000001" } }]);
  expect((await run(["encode", "-"], json)).stdout.equals(game)).toBe(true);
  expect(await call("verify", { Hero: {} }, game)).toEqual({
    status: 2,
    stderr:
      'tusk: game.json (--schema, for -): for ENIGMA saves the file holds { "objects": [{ "index", "name", "parent", "locals" }, ...] }\n',
  });
  expect((await call("verify", schemaFor({ hp: "real" }), game)).stderr).toContain("tusk: game.json (--schema, for -): type");
});

test("where a version is forced, other keys do not count, as in Elephant", async () => {
  const schemas = { Hero: { ...SCHEMAS.Hero, __Elephant_Force_Version__: 2, note: "v3 is to come", v200: {}, v300: {} } };
  expect(await call("verify", schemas)).toEqual({ status: 0, stderr: "" });
  expect(await call("bench", schemas, save, "--rounds", "1")).toEqual({ status: 0, stderr: "" });
});

test("schemas may have the names that they have in GML", async () => {
  const named = {
    Hero: {
      __Elephant_Force_Version__: 2,
      __Elephant_Verbose_Exclude__: ["buffer_a"],
      v1: { name: "string" },
      v2: { __Elephant_Version_Verbose__: true, name: "string", buffer_a: "u8" },
    },
  };
  const gml = {
    Hero: {
      ELEPHANT_FORCE_VERSION: 2,
      ELEPHANT_VERBOSE_EXCLUDE: ["buffer_a"],
      v1: { name: "buffer_string" },
      v2: { ELEPHANT_VERSION_VERBOSE: true, name: "buffer_string", buffer_a: "buffer_u8" },
    },
  };
  expect(elephantSchemas(gml)).toEqual(elephantSchemas(named));
  expect(await call("decode", { Hero: { v1: { name: "buffer_string" }, v2: { name: "buffer_string", hp: "buffer_u16" } } })).toEqual({
    status: 0,
    stderr: "",
  });
  expect((await call("decode", { Hero: { v1: { name: "buffer_words" } } })).stderr).toContain("v1.name: words is no datatype");
});

describe("hints", () => {
  test.each<[string, object, string]>([
    ["another version", { Hero: { v1: { name: "string" } } }, "hint: game.json has no v2 of it"],
    ["another name", { Heroine: SCHEMAS.Hero }, "hint: game.json has no schema of that name"],
    [
      "other members",
      { Hero: { v2: { name: "string", hp: "u16", bag: "array" } } },
      "hint: structs before this place were read by game.json",
    ],
  ])("%s", async (_title, schemas, hint) => {
    const { status, stderr } = await call("decode", schemas);
    expect([status, stderr]).toEqual([1, expect.stringContaining(hint)]);
  });

  test("a bad file without such structs says nothing of schemas", async () => {
    const cut = createElephantSync().write({ name: "Ada" }).subarray(0, -2);
    expect((await call("decode", SCHEMAS, Buffer.from(cut))).stderr).not.toContain("hint");
    expect((await call("decode", SCHEMAS)).stderr).toBe("");
  });
});
