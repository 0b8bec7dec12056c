// What inspect, convert, verify and bench print and write.
import { constants } from "node:buffer";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { elephant } from "../../src/cli/formats/elephant.ts";
import { elephantSizes } from "../../src/cli/formats/elephant-sizes.ts";
import { standIn } from "../../src/cli/formats/elephant-writer.ts";
import { introspection } from "../../src/cli/formats/introspection.ts";
import { sizeText, valueText } from "../../src/cli/values.ts";
import { Scalar, StructInstance } from "../../src/elephant/index.ts";
import { scratchFolder } from "../node/scratch.ts";
import { type Bundle, bundleProgram, hurryClock, run, runProcess } from "./program.ts";
import { FIFTH, files, generic, SCHEMAS } from "./saves.ts";

let bundle: Bundle;
beforeAll(async () => {
  bundle = await bundleProgram();
}, 60_000);
afterAll(() => bundle?.remove());

describe("inspect", () => {
  test("shows constructors, sizes and the tree", async () => {
    const { strict, schemas } = files();
    const text = (await run(["inspect", "--schema", schemas, strict])).stdout.toString().split("\n");
    const size = statSync(strict).size;
    expect(text[0]).toBe(`${strict}: Elephant save, release 1.5.1, ${size} B`);
    expect(text.slice(1, 4)).toEqual(["3 structs, 3 arrays", "constructors", expect.stringMatching(/^ {2}Hero +2 +69 B {2}v1 strict$/)]);
    expect(text.slice(5, 9)).toEqual([
      `(root)  struct of 1 member  ${size - 13} B`,
      "└─ heroes  array of 2  72 B",
      "   ├─ [0]  Hero (v1 strict) of 3 members  37 B",
      "   └─ [1]  Hero (v1 strict) of 3 members  32 B",
    ]);
  });

  test("counts of constructors stand below each other, whatever a character is wide", async () => {
    const save = Buffer.from(generic.write(["名前", "Hero", "H"].map((name) => new StructInstance(name, {}))));
    const lines = (await run(["inspect", "-"], save)).stdout.toString().split("\n").slice(3, 6);
    const begins = (name: string) => expect.stringMatching(`^  ${name} {10}1  `) as string;
    expect(lines).toEqual(["H   ", "Hero", "名前"].map(begins));
  });

  test("sizes are those of the save", async () => {
    const { folder } = files();
    const root = [[{ $text: "a" }, "b"], { t: { $text: "c" } }, [{ $text: "d" }, 1], [{ $u8: 1 }, { $u8: 2 }], [true, false], [], ["é"]];
    for (const value of root) {
      const json = JSON.stringify({ tusk: 1, format: "elephant", root: [value] });
      await run(["encode", "-", join(folder, "sized")], json);
      // Around it a header, a code and an array, behind it the footer.
      const size = statSync(join(folder, "sized")).size - 8 - 1 - 3 - 4;
      expect((await run(["inspect", "--path", "[0]", join(folder, "sized")])).stdout.toString(), json).toContain(`  ${size} B`);
    }
  });

  test("bytes in JSON have the size of an array of bytes", async () => {
    for (const root of [[{ $bytes: "" }], [{ $bytes: "AQID" }, [1]], { a: { $bytes: "AQID" } }]) {
      const json = JSON.stringify({ tusk: 1, format: "elephant", root });
      const size = (await run(["encode", "-"], json)).stdout.length - 8 - 1 - 4;
      expect((await run(["inspect", "-"], json)).stdout.toString(), json).toMatch(new RegExp(`^\\(root\\) .*  ${size} B$`, "m"));
    }
  });

  test("what is no container in a strict field of arrays takes none of the others' sizes", () => {
    const root = standIn("Hero", 1, false);
    for (const value of [null, undefined, 5, "five", Scalar("u8", 5)]) {
      const bag = [1, 2];
      const { bytes } = elephantSizes(Object.assign(root, { a: value, bag }), { Hero: { v1: { a: "array", bag: "array" } } });
      // A header of 5 bytes, the name, the number of fields that are left out, and two doubles behind their count and datatype.
      expect([bytes.get(root), bytes.get(bag)]).toEqual([5 + 5 + 2 + 19, 19]);
      expect(bytes.size).toBe(2);
    }
  });

  test("a size has the unit of which it is shown as less than a thousand", () => {
    expect([999, 1000, 999_949, 999_950, 999_949_999, 999_950_000, 5e12].map(sizeText)).toEqual([
      "999 B",
      "1.0 kB",
      "999.9 kB",
      "1.0 MB",
      "999.9 MB",
      "1.0 GB",
      "5000.0 GB",
    ]);
  });

  test("of a text more than 60 characters are cut", () => {
    const shown = (length: number) => valueText("x".repeat(length), {} as never, () => undefined);
    expect(shown(60)).toBe(`"${"x".repeat(60)}"`);
    expect(shown(61)).toBe(`"${"x".repeat(60)}"… (61 characters)`);
    // Between the halves of a pair nothing is cut.
    expect(valueText(`${"x".repeat(59)}😀`, {} as never, () => undefined)).toBe(`"${"x".repeat(59)}"… (61 characters)`);
    expect(valueText(`${"x".repeat(58)}😀😀`, {} as never, () => undefined)).toBe(`"${"x".repeat(58)}😀"… (62 characters)`);
  });

  test("without its schema a strict struct has no size, nor what holds it", async () => {
    const { strict, schemas } = files();
    const json = (await run(["decode", "--schema", schemas, strict])).stdout;
    const lines = async (...options: string[]) => (await run(["inspect", ...options, "-"], json)).stdout.toString().split("\n").slice(3, 8);
    expect(await lines("--schema", schemas)).toEqual([
      expect.stringMatching(/^ {2}Hero +2 +69 B {2}v1 strict$/),
      "",
      expect.stringMatching(/^\(root\) {2}struct of 1 member {2}\d+ B$/),
      "└─ heroes  array of 2  72 B",
      "   ├─ [0]  Hero (v1 strict) of 3 members  37 B",
    ]);
    expect(await lines()).toEqual([
      expect.stringMatching(/^ {2}Hero +2 +v1 strict$/),
      "",
      "(root)  struct of 1 member",
      "└─ heroes  array of 2",
      "   ├─ [0]  Hero (v1 strict) of 3 members",
    ]);
  });

  test("bytes of a constructor count once where its instances are nested or shared", async () => {
    const node = (next?: StructInstance) => new StructInstance("Node", { next });
    const single = node();
    const chain = node(node(node(node())));
    const bytes = Buffer.from(generic.write([chain, new StructInstance("Box", { single, chain, inner: [single] }), single]));
    const sizeOf = async (path: string) => {
      const { stdout } = await run(["inspect", "--path", path, "--depth", "0", "-"], bytes);
      return Number(/ (\d+) B\n$/.exec(stdout.toString())![1]);
    };
    const all = (await sizeOf("[0]")) + (await sizeOf("[1].single"));
    expect((await run(["inspect", "-"], bytes)).stdout.toString().split("\n").slice(3, 5)).toEqual([
      expect.stringMatching(new RegExp(`^ {2}Node +5 +${all} B$`)),
      expect.stringMatching(new RegExp(`^ {2}Box +1 +${await sizeOf("[1]")} B$`)),
    ]);
  });

  test("--path, --depth and --most choose what is shown", async () => {
    const bytes = Buffer.from(generic.write({ list: Array.from({ length: 30 }, (_, i) => [i]), "a b": { c: { d: { e: 1 } } } }));
    const show = async (...options: string[]) => (await run(["inspect", ...options, "-"], bytes)).stdout.toString();
    expect(await show("--path", '["a b"].c', "--depth", "1")).toBe('["a b"].c  struct of 1 member  18 B\n└─ d  struct of 1 member  13 B\n');
    expect(await show("--path", "list", "--most", "1", "--depth", "1")).toMatch(/^\.list {2}array of 30 .*\n├─ \[0\] .*\n└─ … 29 more\n$/);
    expect(await show("--path", ".list[29][0]")).toBe(".list[29][0]  29\n");
    expect((await run(["inspect", "--path", ".none", "-"], bytes)).status).toBe(2);
    expect((await run(["inspect", "--path", ".a b", "-"], bytes)).status).toBe(2);
  });
});

test("a root that occurs again, and values of every kind, are shown", async () => {
  const root: Record<string, unknown> = { whole: 5n, nothing: null };
  root.inner = { root };
  const show = async (input: Uint8Array | string) => (await run(["inspect", "-"], input)).stdout.toString();
  expect(await show(generic.write(root))).toMatch(/├─ whole {2}5n\n.*\n└─ inner .*\n {3}└─ root {2}same as \(root\)\n$/);
  for (const [bytes, shown] of [
    ["", "0 bytes"],
    ["/w==", "1 byte: ff"],
    ["A".repeat(400), "300 bytes"],
  ])
    expect(await show(JSON.stringify({ tusk: 1, format: "ds", root: [{ $bytes: bytes }] }))).toMatch(`└─ [0]  ${shown}\n`);
});

test("JSON without a release is shown with the one that it is written in", async () => {
  const json = '{"tusk":1,"format":"elephant","root":{"a":1}}';
  for (const command of ["inspect", "verify"]) expect((await run([command, "-"], json)).stdout.toString()).toContain("release 1.5.1");
});

test("JSON whose values are no save is shown, and is not good", async () => {
  for (const json of [
    '{"tusk":1,"format":"ds","root":null}',
    '{"tusk":1,"format":"enigma","root":5}',
    '{"tusk":1,"format":"introspection","root":[1]}',
  ]) {
    expect(await run(["inspect", "-"], json)).toMatchObject({ status: 0 });
    expect((await run(["verify", "-"], json)).status, json).toBe(1);
  }
});

describe("an object where a plain value belongs is an error with its place, though its toString is no function", () => {
  const object = { toString: 1 };
  test.each<[string, object, string]>([
    ["the version", { tusk: object, root: 1 }, "version an object of the notation"],
    ["the format", { format: object, root: 1 }, "no format is called an object"],
    ["a member beside the root", { format: "elephant", release: object, root: 1 }, '"release" holds a plain value, not an object'],
    ["$of", { format: "elephant", root: { $of: object, $array: [1] } }, '"$of" holds the name of a datatype, not an object'],
    ["ds: kind", { format: "ds", root: { kind: object } }, '"kind" holds a plain value, not an object (at .kind)'],
    ["ds: generation", { format: "ds", root: { kind: "list", generation: [object], items: [] } }, "not an array (at .generation)"],
    ["ds: a size", { format: "ds", root: { kind: "grid", width: object, height: 1, columns: [[1]] } }, "(at .width)"],
    ["ds: an exact value", { format: "ds", root: { kind: "list", items: [{ value: object, type: "int32" }] } }, "(at .items[0].value)"],
    ["enigma: backend", { format: "enigma", root: { backend: object, active: [], inactive: [] } }, "(at .backend)"],
  ])("%s", async (_title, members, told) => {
    const { plain, folder } = files();
    const bad = join(folder, "bad.json");
    writeFileSync(bad, JSON.stringify({ tusk: 1, ...members }));
    for (const command of ["inspect", "encode", "decode", "convert"]) {
      const { status, stderr } = await run([command, bad]);
      expect([status, stderr], command).toEqual([1, expect.stringMatching(/^tusk: .+[/\\]bad\.json: .*\[tusk: notation\]\n$/)]);
      expect(stderr).toContain(told);
    }
    const verified = await run(["verify", plain, bad, plain]);
    expect(verified.status).toBe(1);
    expect(verified.stdout.toString().match(/: good, /g)).toHaveLength(2);
  });

  test("nor are 20,000 levels of arrays made a text", async () => {
    const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    for (const json of [
      `{"tusk":${deep},"root":1}`,
      `{"tusk":1,"format":${deep},"root":1}`,
      `{"tusk":1,"format":"ds","root":{"kind":${deep}}}`,
      `{"tusk":1,"format":"elephant","root":{"$ref":${deep}}}`,
    ])
      expect(await run(["verify", "-"], json)).toMatchObject({ status: 1, stderr: expect.stringContaining("an array") });
  });

  test("as a value of Elephant such an object is data, and has no size where a text is expected", async () => {
    const json = (root: unknown) => JSON.stringify({ tusk: 1, format: "elephant", root });
    expect((await run(["verify", "-"], json({ kind: object }))).status).toBe(0);
    const { schemas } = files();
    const strict = json({ $new: "Hero", $version: 1, $verbose: false, $struct: { name: object, hp: 1, bag: [] } });
    const shown = await run(["inspect", "--schema", schemas, "-"], strict);
    expect([shown.status, shown.stdout.toString()]).toEqual([0, expect.stringContaining("name  struct of 1 member")]);
    expect((await run(["verify", "--schema", schemas, "-"], strict)).status).toBe(1);
  });

  test("a game whose instances are no list is shown as none", async () => {
    const root = { backend: "json", active: { length: object }, inactive: [] };
    const { status, stdout } = await run(["inspect", "-"], JSON.stringify({ tusk: 1, format: "enigma", root }));
    expect([status, stdout.toString()]).toEqual([0, expect.stringContaining("ENIGMA save, no game")]);
  });
});

test(`a tree of ${5 * FIFTH} levels is printed in proportion to its values`, async () => {
  let value: unknown = 1;
  for (let i = 0; i < 5 * FIFTH; i++) value = [value];
  const shown = (await run(["inspect", "--depth", "300000", "-"], Buffer.from(generic.write(value)))).stdout;
  expect(shown.toString().trimEnd().split("\n")).toHaveLength(5 * FIFTH + 1 + 3);
  expect(shown.length).toBeLessThan(1500 * FIFTH);
}, 30_000);

describe("convert, verify, bench", () => {
  test("convert goes round through every form", async () => {
    const { plain, strict, schemas, folder } = files();
    const text = join(folder, "string.txt");
    expect(await runProcess(bundle, ["convert", "--to", "export-string", plain, text])).toMatchObject({ status: 0 });
    const json = await runProcess(bundle, ["convert", "--to", "json", text]);
    const back = await runProcess(bundle, ["convert", "--to", "elephant", "-"], json.stdout);
    expect(back.stdout.equals(readFileSync(plain))).toBe(true);
    const older = await run(["convert", "--release", "1.4.0", "-s", schemas, strict]);
    expect(older.stdout.subarray(0, 8).toString("hex")).toBe("50454c4500040100");
    expect((await run(["convert", "--release", "1.2.0", plain])).status).toBe(2);
    expect((await run(["convert", "--help"])).stdout.toString()).toContain("  tusk convert [OPTIONS] [--to FORMAT] FILE [OUTPUT]\n");
  });

  test("a release that cannot leave out fields is a wrong one for a save that does, and in JSON a wrong member", async () => {
    const { schemas, folder } = files();
    const save = join(folder, "skips.dat");
    const left = { $new: "Hero", $version: 1, $verbose: false, $struct: { name: "Ada", bag: [] } };
    const json = (release: string) => JSON.stringify({ tusk: 1, format: "elephant", release, root: { heroes: [left] } });
    expect((await run(["encode", "-s", schemas, "-", save], json("1.5.1"))).status).toBe(0);
    const told = "release 1.4.0 cannot leave out fields, which the save does (at .heroes[0].hp)";
    expect(await run(["convert", "--release", "1.4.0", "-s", schemas, save])).toMatchObject({
      status: 2,
      stdout: Buffer.alloc(0),
      stderr: `tusk: --release: ${save}: ${told}\nTry "tusk convert --help".\n`,
    });
    expect(await run(["convert", "--to", "json", "--release", "1.4.0", "-s", schemas, save])).toEqual(
      await run(["convert", "--release", "1.4.0", "-s", schemas, save]),
    );
    // Without schemas nothing says what is left out.
    expect((await run(["convert", "--to", "json", "--release", "1.4.0", "-"], json("1.5.1"))).status).toBe(0);
    expect((await run(["convert", "--release", "1.5.0", "-s", schemas, save])).status).toBe(0);
    for (const command of ["encode", "verify"])
      expect(await run([command, "-s", schemas, "-"], json("1.4.0"))).toMatchObject({
        status: 1,
        stderr: `tusk: -: ${told} [elephant: bad-option]\n`,
      });
  });

  test("without --release the newest is written, also of JSON that says 1.4.0 and leaves out fields", async () => {
    const { schemas } = files();
    const hero = { $new: "Hero", $version: 1, $verbose: false, $struct: { name: "Ada" } };
    const json = (release: string) => JSON.stringify({ tusk: 1, format: "elephant", release, root: hero });
    const converted = await run(["convert", "-s", schemas, "-"], json("1.4.0"));
    expect(converted).toMatchObject({ status: 0, stderr: "" });
    expect(converted).toEqual(await run(["encode", "-s", schemas, "-"], json("1.5.1")));
  });

  test("convert refuses another family, and a release of what has none", async () => {
    const { folder } = files();
    const list = join(folder, "list.txt");
    writeFileSync(list, "2f01000000000000");
    const bad = (message: string) => ({ status: 2, stderr: `tusk: ${message}\nTry "tusk convert --help".\n` });
    expect(await run(["convert", "--to", "elephant", list])).toMatchObject(bad("a file of format ds cannot become elephant"));
    expect(await run(["convert", "--release", "1.5.1", list])).toMatchObject(bad("--release means nothing for ds"));
    expect((await run(["convert", list])).stdout.toString()).toBe("2F01000000000000");
  });

  test("convert takes --indent where it writes JSON only, and looks at it before the file", async () => {
    const { plain, folder } = files();
    const out = join(folder, "out");
    const bad = (message: string) => ({ status: 2, stderr: `tusk: ${message}\nTry "tusk convert --help".\n` });
    for (const call of [[], ["--to", "elephant"]])
      expect(await run(["convert", "--indent", "banana", ...call, plain, out])).toMatchObject(
        bad("--indent means nothing without --to json"),
      );
    expect(existsSync(out)).toBe(false);
    for (const file of [plain, join(folder, "none")])
      expect(await run(["convert", "--indent", "banana", "--to", "json", file])).toMatchObject(
        bad('--indent takes a whole number from 0 on, not "banana"'),
      );
    expect((await run(["decode", "--indent", "17", join(folder, "none")])).stderr).toContain("--indent takes at most 16");
    expect((await run(["convert", "--indent", "0", "--to", "json", plain])).stdout.toString()).toMatch(/^\{"tusk":1,/);
  });

  test("convert without --to writes the format that is read, of JSON the one that it names", async () => {
    const { plain } = files();
    const save = readFileSync(plain);
    const text = (await run(["convert", "--to", "export-string", plain])).stdout;
    for (const form of [save, text]) {
      expect((await run(["convert", "-"], form)).stdout.equals(form)).toBe(true);
      expect((await run(["convert", "-"], (await run(["decode", "-"], form)).stdout)).stdout.equals(form)).toBe(true);
    }
    // With what stands around it: a string of an INI file, a buffer_string.
    const around = Buffer.from(` ${text}\r\n\0`);
    const json = (await run(["convert", "--to", "json", "-"], around)).stdout;
    expect(JSON.parse(json.toString())).toMatchObject({ format: "export-string", before: " ", lineEnd: "\r\n\0" });
    for (const form of [around, json]) expect((await run(["convert", "-"], form)).stdout.equals(around)).toBe(true);
    expect((await run(["convert", "--to", "elephant", "-"], around)).stdout.equals(save)).toBe(true);
    const page = (await run(["convert", "--help"])).stdout.toString().replace(/\s+/g, " ");
    expect(page).toContain("default: the format that is read, of JSON the one that it names");
  });

  test("verify tells good from bad and goes on", async () => {
    const { plain, strict, folder } = files();
    writeFileSync(join(folder, "bad.dat"), readFileSync(plain).subarray(0, -1));
    const outcome = await runProcess(bundle, ["verify", join(folder, "bad.dat"), strict, plain]);
    expect(outcome.status).toBe(1);
    expect(outcome.stderr.match(/\[elephant: [a-z-]+\]/g)).toEqual(["[elephant: truncated]", "[elephant: schema-missing]"]);
    expect(outcome.stdout.toString()).toMatch(
      /plain\.dat: good, Elephant save, release 1\.5\.1, .*, 3 containers, writes back to the same bytes\n$/,
    );
  });

  test("verify says what writes back to other bytes, what is legacy and what follows", async () => {
    const { folder, plain } = files();
    const good = async (content: Uint8Array | string) => {
      writeFileSync(join(folder, "file"), content);
      const { status, stdout } = await run(["verify", join(folder, "file")]);
      expect(status).toBe(0);
      return stdout.toString();
    };
    expect(await good("2f01000000000000")).toContain(", list of generation 3, 16 B, 2 containers, writes back to other bytes\n");
    expect(await good(`2D01000001000000${"0".repeat(32)}`)).toContain(", list of generation 1 with legacy values, ");
    expect(await good('{"tusk":1,"format":"ds","root":{"kind":"list","items":[]}}')).toContain(", list of generation 3, ");
    expect(await good(Buffer.concat([readFileSync(plain), Buffer.alloc(1)]))).toContain(", 1 byte follows it, ");
    expect(await good(Buffer.concat([readFileSync(plain), Buffer.alloc(2)]))).toContain(", 2 bytes follow it, ");
  });

  test("--from json is for what is to be JSON", async () => {
    const { plain } = files();
    expect((await run(["verify", "--from", "json", "-"], (await run(["decode", plain])).stdout)).status).toBe(0);
    expect(await run(["verify", "--from", "json", plain])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("[tusk: notation]"),
    });
  });

  test("detect finds a document wherever it begins behind zeros", async () => {
    const document = readFileSync(new URL("../vectors/enigma/json-many-50.json.bin", import.meta.url));
    const file = join(scratchFolder(), "game.sav");
    for (const zeros of [1_000, 2 ** 20 - 16, 2 ** 20, 3 * 2 ** 20 - 16, 3 * 2 ** 20 - 1]) {
      writeFileSync(file, Buffer.concat([Buffer.alloc(zeros), document]));
      expect(await run(["detect", file]), String(zeros)).toMatchObject({ status: 0, stdout: Buffer.from(`${file}\tenigma\n`) });
    }
  });

  test.skipIf(process.platform === "win32")("a line break in a file's name begins no line", async () => {
    expect((await run(["detect", "no\ntusk: all is well\u001b[31m"])).stderr.split("\n")).toHaveLength(2);
  });

  test("verify and detect go on behind what cannot be read: 2", async () => {
    const { plain, folder } = files();
    writeFileSync(join(folder, "bad.dat"), readFileSync(plain).subarray(0, -1));
    mkdirSync(join(folder, "deeper"));
    const list = [join(folder, "deeper"), join(folder, "none.dat"), join(folder, "bad.dat"), plain];
    const verified = await run(["verify", ...list]);
    expect(verified.status).toBe(2);
    expect(verified.stdout.toString()).toMatch(/^.+[/\\]plain\.dat: good,.*\n$/);
    expect(verified.stderr).toMatch(
      /deeper cannot be read: EISDIR.*\n.*none\.dat cannot be read: ENOENT.*\n.*bad\.dat: .*\[elephant: truncated\]/,
    );
    expect(verified.stderr).not.toContain("--help");
    const detected = await run(["detect", ...list]);
    expect(detected.status).toBe(2);
    expect(detected.stdout.toString()).toBe(`${list[2]}\telephant\n${list[3]}\telephant\n`);
    expect(detected.stderr.trimEnd().split("\n")).toHaveLength(2);
    const noSchema = await run(["verify", "--schema", join(folder, "none.json"), plain, plain]);
    expect(noSchema).toMatchObject({ status: 2, stdout: Buffer.alloc(0) });
    expect(noSchema.stderr.trimEnd().split("\n")).toHaveLength(1);
  });

  test("standard input given twice is a wrong call, not an empty file", async () => {
    const bytes = Buffer.from(generic.write({ a: 1 }));
    const stderr = expect.stringMatching(/^tusk: standard input is given twice.*\nTry/) as string;
    const twice = { status: 2, stdout: Buffer.alloc(0), stderr };
    expect(await run(["verify", "-", "-"], bytes)).toMatchObject(twice);
    expect(await run(["detect", "-", "-"], bytes)).toMatchObject(twice);
    expect(await run(["decode", "--schema", "-", "-"], SCHEMAS)).toMatchObject(twice);
    expect(await run(["verify", "--schema", "-", "-"], bytes)).toMatchObject(twice);
    expect(await run(["verify", "none.dat", "-", "--schema", "-"], bytes)).toMatchObject(twice);
    // Before anything is read.
    for (const input of [bytes, Buffer.alloc(0)])
      for (const name of ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"])
        expect(await run(["diff", "-", name], input)).toMatchObject(twice);
    expect((await run(["diff", "-", "/dev/stdin1"], bytes)).stderr).toMatch(/^tusk: \/dev\/stdin1 cannot be read: /);
    expect((await run(["decode", "-", "-"], bytes)).status).toBe(0);
  });

  test("schemas may come from standard input where the result goes to standard output", async () => {
    const { strict } = files();
    const { status, stdout } = await run(["decode", "--schema", "-", strict, "-"], SCHEMAS);
    expect([status, stdout.toString()]).toEqual([0, expect.stringContaining("Ada")]);
  });

  test("verify goes on behind a file that the schema is not for, and names it", async () => {
    const { plain, strict, schemas, folder } = files();
    const list = join(folder, "list.json");
    writeFileSync(list, "[1]");
    const unsuited = await run(["verify", "--schema", list, plain, strict, plain]);
    expect(unsuited.status).toBe(2);
    expect(unsuited.stderr.trimEnd().split("\n")).toEqual(
      [plain, strict, plain].map(
        (file) => `tusk: ${list} (--schema, for ${file}): the file holds no object of schemas by constructor name`,
      ),
    );
    const other = join(folder, "list.txt");
    writeFileSync(other, "2F01000000000000");
    const mixed = await run(["verify", "--schema", list, plain, other]);
    expect(mixed.status).toBe(2);
    expect(mixed.stdout.toString()).toMatch(/list\.txt: good/);
    expect((await run(["verify", "--schema", schemas, strict, plain])).status).toBe(0);
  });

  test.each<[string, unknown]>([
    ["an object without a name", [{ index: 0 }]],
    ["no object", [null]],
    ["its own parent", [{ index: 0, name: "a", parent: "a", locals: [] }]],
    ["an unknown type", [{ index: 0, name: "a", locals: [{ name: "x", type: "word" }] }]],
  ])("2: a schema for ENIGMA that is none is no fault of the save: %s", async (_title, objects) => {
    const bad = join(scratchFolder(), "bad.json");
    writeFileSync(bad, JSON.stringify({ objects }));
    const save = readFileSync(new URL("../vectors/enigma/bin-array1d-dense.bin", import.meta.url));
    for (const command of ["decode", "verify"]) {
      const outcome = await run([command, "--schema", bad, "-"], save);
      expect(outcome).toMatchObject({ status: 2, stdout: Buffer.alloc(0) });
      expect(outcome.stderr).toMatch(/^tusk: .+[/\\]bad\.json \(--schema, for -\): .*\n$/);
    }
  });

  test("a schema for a format that has no use for one is told", async () => {
    const { plain, schemas, folder } = files();
    const list = join(folder, "list.txt");
    writeFileSync(list, "2F01000000000000");
    const warning = `tusk: ${list}: --schema means nothing for ds\n`;
    expect(await run(["verify", "--schema", schemas, list, plain])).toMatchObject({ status: 0, stderr: warning });
    expect(await run(["decode", "-s", schemas, list])).toMatchObject({ status: 0, stderr: warning });
    expect(await run(["decode", "-q", "-s", schemas, list])).toMatchObject({ status: 0, stderr: "" });
    const text = await run(["verify", "--schema", schemas, "-"], "obj = 1\n{\n}\n");
    expect(text).toMatchObject({ status: 0, stderr: "tusk: -: --schema means nothing for introspection\n" });
  });

  test("a warning names the file that it is about", async () => {
    const { folder } = files();
    const old = (name: string, value: number) => {
      writeFileSync(join(folder, name), JSON.stringify({ tusk: 1, format: "elephant", release: "1.3.0", root: value }));
      return join(folder, name);
    };
    const warning = (file: string) => `tusk: ${file}: release 1.3.0 cannot be written; this is 1.5.1\n`;
    const [a, b] = [old("a.json", 1), old("b.json", 2)];
    expect((await run(["verify", a, b, a])).stderr).toBe(warning(a) + warning(b));
    expect((await run(["encode", a])).stderr).toBe(warning(a));
  });

  test("a warning tells its place in the file", async () => {
    const save = readFileSync(new URL("../vectors/enigma/bin-vmap-one.bin", import.meta.url));
    const stderr = "tusk: -: the entries of a variable map follow a count of zero (at byte 229)\n";
    expect(await run(["verify", "-"], save)).toMatchObject({ status: 0, stderr });
  });

  test("introspection text that no string holds is too long, not of another encoding", () => {
    const text = Buffer.alloc(constants.MAX_STRING_LENGTH + 1, "a");
    const read = () => introspection.read(text, { schemas: undefined, onWarning: () => undefined });
    expect(read).toThrow(expect.objectContaining({ code: "too-long" }));
    text[0] = 0xff;
    expect(read).toThrow(expect.objectContaining({ code: "encoding" }));
  });

  test("bench measures what chooses an engine itself, both engines and JSON", async () => {
    const { plain } = files();
    const lines = (await runProcess(bundle, ["bench", "--rounds", "2", plain])).stdout.toString().trimEnd().split("\n");
    expect(lines.slice(1).map((line) => line.split(/ +/).slice(0, 2).join(" "))).toEqual([
      "read auto",
      "read wasm",
      "read js",
      "read JSON",
      "write auto",
      "write wasm",
      "write js",
      "write JSON",
    ]);
    for (const line of lines.slice(1)) expect(line).toMatch(/\d+\.\d\d (µs|ms) +\S+ [kMG]?B\/s$/);
    const json = (await run(["decode", plain])).stdout;
    hurryClock();
    const ofJson = await run(["bench", "--rounds", "2", "-"], json);
    expect(ofJson).toMatchObject({ status: 0, stderr: "" });
    expect(ofJson.stdout.toString().split("\n")[0]).toBe(lines[0].replace(plain, "-"));
  }, 30_000);

  test("bench of other forms", async () => {
    hurryClock();
    const { plain } = files();
    const lines = async (input: Uint8Array | string) => {
      const { status, stdout } = await run(["bench", "--rounds", "1", "-"], input);
      expect(status).toBe(0);
      return stdout.toString().match(/^(read|write) +\S+(?= +\d)/gm);
    };
    expect(await lines("2F01000000000000")).toEqual(["read   ds", "write  ds"]);
    expect(await lines((await run(["convert", "--to", "export-string", plain])).stdout)).toHaveLength(8);
  }, 30_000);

  test("bench measures the save alone, not what follows it", async () => {
    hurryClock();
    const measured = async (input: Uint8Array) =>
      (await run(["bench", "--rounds", "1", "-"], input)).stdout.toString().split("\n")[0].split(", ")[1];
    const save = generic.write([1, 2, 3]);
    const behind = Buffer.alloc(5000);
    expect(await measured(Buffer.concat([save, behind]))).toBe(`${save.length} B`);
    expect(await measured(Buffer.concat([Buffer.from("2F01000000000000"), behind]))).toBe("16 B");
  }, 30_000);

  test("bench says why something cannot run, and measures the rest", async () => {
    hurryClock();
    vi.stubGlobal("WebAssembly", undefined);
    onTestFinished(() => void vi.unstubAllGlobals());
    const { status, stdout, stderr } = await run(["bench", "--rounds", "1", "-"], Buffer.from(generic.write({ a: 1 })));
    expect([status, stderr]).toEqual([0, ""]);
    const lines = stdout.toString().trimEnd().split("\n").slice(1);
    expect(lines).toHaveLength(8);
    // Compiled by an earlier test, the module is another reason.
    for (const line of lines) expect(line).toMatch(/^\w+ +wasm/.test(line) ? /wasm +\w+ .*[a-z]/ : /\d+\.\d\d (µs|ms) /);
  }, 30_000);

  test("the first run of a candidate, which is slow, decides nothing", async () => {
    let clock = 0;
    let runs = 0;
    const work = () => void (clock += runs++ === 0 ? 1000 : 1);
    onTestFinished(() => void vi.restoreAllMocks());
    vi.spyOn(performance, "now").mockImplementation(() => clock);
    const candidates = [{ name: "x", work: "read" as const, run: work }];
    vi.spyOn(elephant as Required<typeof elephant>, "measurable").mockReturnValue({ size: 1, candidates });
    await run(["bench", "--rounds", "1", "-"], Buffer.from(generic.write(1)));
    // Until 20 ms are measured, and once more.
    expect(runs).toBe(1 + 1 + 4 + 16 + 32 + 32);
  });

  test("bench of a save that is undefined", async () => {
    hurryClock();
    const { status, stdout, stderr } = await run(["bench", "--rounds", "1", "-"], Buffer.from(generic.write(undefined)));
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout.toString().match(/^(read|write) +JSON +\d.*$/gm)).toHaveLength(2);
  }, 30_000);
});
