// Files that are no saves, or more than can be shown: what is told about them.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { ds } from "../../src/cli/formats/ds.ts";
import { elephant, exportString } from "../../src/cli/formats/elephant.ts";
import { textOf } from "../../src/cli/formats/text-file.ts";
import { writeDs } from "../../src/ds/index.ts";
import { createElephantSync, SCHEMA } from "../../src/elephant/index.ts";
import { scratchFolder } from "../node/scratch.ts";
import { run } from "./program.ts";

const text = writeDs({ kind: "list", items: ["a", 1] });
const notation = '{"tusk": 1, "format": "elephant", "root": {"hp": 5}}';
const settings = { schemas: undefined, onWarning: () => undefined };

describe("a file of no format", () => {
  test.each<[string, Uint8Array, string]>([
    ["nothing", Buffer.alloc(0), "the file is empty"],
    ["UTF-16", Buffer.from(`\ufeff${notation}`, "utf16le"), "this seems to be UTF-16 text"],
    ["UTF-16, the other way round", Buffer.from(`\ufeff${notation}`, "utf16le").swap16(), "this seems to be UTF-16 text"],
    ["gzip", gzipSync(text), "this is packed by gzip"],
    ["other JSON", Buffer.from(' {"hp": 5}'), "this is JSON, but not what `tusk decode` writes"],
    ["a byte order mark", Buffer.from(`\ufeff${text}`), "3 bytes stand before what seems to be ds_*_write string"],
    ["the quotes of an INI file", Buffer.from(`"${text}"`), "1 byte stands before what seems to be ds_*_write string"],
    ["spaces", Buffer.from(`\r\n ${text}`), "3 bytes stand before what seems to be ds_*_write string"],
  ])("%s", async (_title, bytes, reason) => {
    for (const command of ["inspect", "verify"]) {
      const { status, stderr } = await run([command, "-"], bytes);
      expect([status, stderr]).toEqual([1, expect.stringContaining(`tusk: -: ${reason}`)]);
      expect(stderr).toContain("[tusk: unknown-format]");
    }
  });

  test("anything else, with its first bytes", async () => {
    for (const bytes of ["{", '" hello', "hello"]) {
      const { status, stderr } = await run(["inspect", "-"], bytes);
      expect([status, stderr]).toEqual([1, expect.stringContaining("this is no save of a known format (at byte 0)")]);
      expect(stderr).toContain("^^ byte 0");
    }
  });
});

test("the size of a save's JSON is not taken for the save's", async () => {
  for (const command of ["verify", "inspect"])
    expect((await run([command, "-"], notation)).stdout.toString()).toContain(`${notation.length} B of JSON`);
  expect((await run(["verify", "-"], text)).stdout.toString()).not.toContain("of JSON");
});

describe("what a string cannot hold", () => {
  const save = createElephantSync().write({ hp: 5 });
  // Memory that nobody touches takes none.
  const longer = (bytes: Uint8Array, length: number) => {
    const all = new Uint8Array(length);
    all.set(bytes);
    return all;
  };

  test("bytes behind a save", () => {
    expect(() => elephant.read(longer(save, 450_000_000), settings)).toThrow(/what follows the save: 4499\d+ bytes .*\[tusk: too-long\]/);
    expect(elephant.read(longer(save, save.length + 3), settings).head.after).toBe("AAAA");
  });

  test("an export string", () => {
    const bytes = longer(Buffer.from("eJw"), 600_000_000);
    bytes[bytes.length - 1] = 0x41;
    expect(() => exportString.unpack!(bytes)).toThrow(/an export string: 600000000 bytes .*\[tusk: too-long\]/);
  });

  test("the zero bytes of a large buffer behind a text, which are looked at once", () => {
    const bytes = longer(Buffer.from(text), 600_000_000);
    const start = performance.now();
    expect(() => ds.read(bytes, settings)).toThrow(
      `spaces and zero bytes behind the text: ${600_000_000 - text.length} bytes are more than a string can hold here [tusk: too-long]`,
    );
    expect(performance.now() - start).toBeLessThan(5000);
  });

  test("spaces behind a text", () => {
    expect(() => textOf(new Uint8Array(540_000_000), "latin1", "spaces behind the text")).toThrow(
      /spaces behind the text: 540000000 bytes .*\[tusk: too-long\]/,
    );
  });
});

test("a misspelt schema is a bad call, whether a save needs it or not", async () => {
  class Hero {
    hp = 5;
  }
  const folder = scratchFolder();
  const schemas = join(folder, "schemas.json");
  writeFileSync(schemas, JSON.stringify({ Hero: { v1: { hp: "u8" }, v2: { hp: "u99" } } }));
  const verbose = createElephantSync({ constructors: { Hero } }).write(new Hero());
  Object.assign(Hero, { [SCHEMA]: { v1: { hp: "u8" } } });
  const strict = createElephantSync({ constructors: { Hero } }).write(new Hero());
  for (const save of [verbose, strict]) {
    const { status, stderr } = await run(["verify", "--schema", schemas, "-"], save);
    expect([status, stderr]).toEqual([2, `tusk: ${schemas} (--schema, for -): schema of Hero: v2.hp: u99 is no datatype\n`]);
  }
  writeFileSync(schemas, JSON.stringify({ Hero: { __Elephant_Verbose_Exclude__: "hp" } }));
  expect(await run(["inspect", "--schema", schemas, "-"], verbose)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("the exclude list is not an array"),
  });
});
