// Files that are no saves, or more than can be shown: what is told about them.
import { readFileSync, writeFileSync } from "node:fs";
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
    ["JSON with the zero byte of buffer_string", Buffer.from('{"hp": 5}\n\0'), "this is JSON, but not what `tusk decode` writes"],
    ["what only begins as JSON", Buffer.from('{"hp": 5'), "this is no save of a known format"],
    ["much JSON", Buffer.from(`[${"{},".repeat(2 ** 24 / 3)}5`), "this seems to be JSON, but not what `tusk decode` writes"],
    ["much of an INI file", Buffer.from(`[slot 1]\n${"hp = 5\n".repeat(2 ** 24 / 7)}`), "this is no save of a known format"],
    ["a byte order mark", Buffer.from(`\ufeff${text}`), "3 bytes stand before what seems to be a ds_*_write string"],
    ["the quotes of an INI file", Buffer.from(`"${text}"`), "1 byte stands before what seems to be a ds_*_write string"],
    ["spaces", Buffer.from(`\r\n ${text}`), "3 bytes stand before what seems to be a ds_*_write string"],
  ])("%s", async (_title, bytes, reason) => {
    for (const command of ["inspect", "verify"]) {
      const { status, stderr } = await run([command, "-"], bytes);
      expect([status, stderr]).toEqual([1, expect.stringContaining(`tusk: -: ${reason}`)]);
      expect(stderr).toContain("[tusk: unknown-format]");
    }
  });

  const inside = (at: number) => `what seems to be a ds_*_write string begins at byte ${at}, inside of other text: take it out first`;
  const json = "this is JSON, but not what `tusk decode` writes";
  const coded = (what: string) => `this is base64 of what seems to be ${what}: decode it first, as \`base64 -d\` does`;
  const base64 = (content: string | Uint8Array) => Buffer.from(content).toString("base64");
  const save = createElephantSync().write({ hp: 5 });
  const exported = createElephantSync().exportString({ hp: 5 });
  const damaged = `${writeDs({ kind: "list", items: [1, 2] })}00`;
  const grid = writeDs({ kind: "grid", width: 1, height: 1, columns: [[1]] });

  test.each<[string, string, string]>([
    ["a value of JSON", `{"b": "${text}"}`, `${json}; ${inside(7)}`],
    ["a line of a text in JSON", `{"b": "x\\n${text}"}`, `${json}; ${inside(10)}`],
    ["JSON that is no object", `{"b": "${text}`, inside(7)],
    ["an INI file", `[slot1]\r\nhp=5\r\nbag="${text}"\r\n`, inside(20)],
    ["behind a timestamp", `2024-05-01 12:00:00\n${text}\n`, inside(20)],
    ["behind characters of several bytes", `größe=${text}`, inside(8)],
    ["in lower-case digits", `x ${text.toLowerCase()}`, inside(2)],
    ["the first of several", `a=${grid}\nb=${text}`, inside(2)],
    ["a damaged one", `a=${damaged}`, inside(2)],
    ["an odd number of digits", `a=${damaged}0`, inside(2)],
    ["one without items", "a=2F01000000000000", inside(2)],
    ["one that the searched part ends in", `${" ".repeat(300)}a=${text}${"0".repeat(1 << 20)}`, inside(302)],
    ["base64", base64(text), coded("a ds_*_write string")],
    ["base64 in lines and quotes", `"${base64(text).replace(/.{20}/g, "$&\r\n")}"\n`, coded("a ds_*_write string")],
    ["base64 of a text and its zero byte, with one behind it", `${base64(`${text}\0`)}\0`, coded("a ds_*_write string")],
    ["base64 of a save", base64(save), coded("an Elephant save")],
    ["base64 of an export string", base64(exported), coded("an Elephant export string")],
    ["base64 of introspection text", base64("oA = 1\n{\n}\n"), coded("object introspection text")],
  ])("known text inside: %s", async (_title, content, reason) => {
    for (const command of ["inspect", "verify"])
      expect(await run([command, "-"], content)).toEqual({
        status: 1,
        stdout: Buffer.alloc(0),
        stderr: `tusk: -: ${reason} [tusk: unknown-format]\n`,
      });
  });

  test.each<[string, string]>([
    ["digits inside of a word", `a0${text}`],
    ["a count for which there is no room", "a=2F010000FF00000000000000000000000000F03F"],
    ["a first value of no type", "a=2F0100000100000077000000000000000000F03F"],
    ["a number that is none of a structure", `a=30010000${text.slice(8)}`],
    ["a header that is cut off", "a=930100000100"],
    ["behind the first megabyte", `${" ".repeat(1 << 20)}a=${text}`],
    ["what the searched part ends in so soon that nothing is known of it", `${" ".repeat((1 << 20) - 20)}a=${text}`],
    ["base64 of something else", base64("something else that is no save")],
    [
      "base64 that only looks like an ENIGMA save",
      base64(readFileSync(new URL("../vectors/enigma/json-many-50.json.bin", import.meta.url))),
    ],
    ["base64 of the JSON of decode", base64(notation)],
    ["base64 and something behind it", `${base64(text)}!`],
    ["too little base64", base64(text).slice(0, 12)],
  ])("nothing is said of %s", async (_title, content) => {
    const { stderr } = await run(["verify", "-"], content);
    expect(stderr.split("\n")[0]).toBe("tusk: -: this is no save of a known format (at byte 0) [tusk: unknown-format]");
  });

  test("a megabyte of what only begins like a string takes no long time", async () => {
    const start = performance.now();
    const { stderr } = await run(["verify", "-"], `-${"2F01000001000000 ".repeat(1 << 18)}`);
    expect(stderr).toContain("this is no save of a known format (at byte 0)");
    expect(performance.now() - start).toBeLessThan(5000);
  });

  test("anything else, with its first bytes", async () => {
    for (const bytes of ["{", '" hello', "hello"]) {
      const { status, stderr } = await run(["inspect", "-"], bytes);
      expect([status, stderr]).toEqual([1, expect.stringContaining("this is no save of a known format (at byte 0)")]);
      expect(stderr).toContain("^^ byte 0");
    }
  });
});

test("of several ds strings in lines the error says that there are more", async () => {
  const hint = "hint: the next line is another ds string: give each alone\n";
  for (const lines of [`${text}\n${text}\n`, `${text} \r\n\r\n ${text.toLowerCase()}`]) {
    const { status, stderr } = await run(["verify", "-"], lines);
    expect([status, stderr.split("\n")[0]]).toEqual([
      1,
      `tusk: -: expected a hex digit, found byte ${lines.charCodeAt(text.length)} (at character ${text.length}) [ds: bad-hex]`,
    ]);
    expect(stderr.endsWith(`\n${hint}`)).toBe(true);
  }
  for (const lines of [`${text}\nhp=5\n`, `${text} ${text}`, `${text.slice(0, 20)}\n${text.slice(20)}`])
    expect((await run(["verify", "-"], lines)).stderr).not.toContain("hint");
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
