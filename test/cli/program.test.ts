// The program as a process: statuses, messages, pipes, files.
import { execFile, spawn } from "node:child_process";
import { chmodSync, closeSync, existsSync, openSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { deflateSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { Call } from "../../src/cli/command.ts";
import { mostBytesOfInput, readAll } from "../../src/cli/input.ts";
import { COMMANDS, main } from "../../src/cli/main.ts";
import { setStoredAs } from "../../src/elephant/constructors.ts";
import { createElephantSync, StructInstance } from "../../src/elephant/index.ts";
import { LONG_RUN } from "../elephant/codec.ts";
import { listing, scratchFolder } from "../node/scratch.ts";
import { type Bundle, bundleProgram, hurryClock, run, runProcess } from "./program.ts";
import { FIFTH, files, generic } from "./saves.ts";

let bundle: Bundle;
beforeAll(async () => {
  bundle = await bundleProgram();
}, 60_000);
afterAll(() => bundle?.remove());

describe("exit status and manual pages", () => {
  test("every command has a page, the program too", async () => {
    const program = await runProcess(bundle, ["--help"]);
    expect(program).toMatchObject({ status: 0, stderr: "" });
    for (const command of COMMANDS) {
      expect(program.stdout.toString()).toContain(`  ${command.name} `);
      const page = (await run([command.name, "--help"])).stdout.toString();
      expect(page.startsWith(`NAME\n  tusk ${command.name} - `)).toBe(true);
      for (const option of Object.keys(command.options)) expect(page).toContain(`--${option}`);
      for (const line of page.split("\n")) if (!line.startsWith("  tusk ")) expect(line.length).toBeLessThanOrEqual(80);
      expect(page.replace(/\s+/g, " ")).toContain("130: interrupted (143, 129: by SIGTERM, SIGHUP).");
      expect((await run(["help", command.name])).stdout.toString()).toBe(page);
      expect((await run([command.name, "-h"])).stdout.toString()).toBe(page);
    }
    for (const name of ["-h", "help"]) expect(await run([name])).toEqual(program);
    const version = await runProcess(bundle, ["--version"]);
    expect(version.stdout.toString()).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(await run(["-v"])).toEqual(version);
  });

  test("without a command the page is no result, and the call is bad", async () => {
    const { stdout } = await run(["--help"]);
    expect(await run([])).toEqual({ status: 2, stdout: Buffer.alloc(0), stderr: stdout.toString() });
  });

  test("the numbers that a page calls the default are those of the command", async () => {
    const folder = scratchFolder();
    const [list, json] = ["list.txt", "list.json"].map((name) => join(folder, name));
    writeFileSync(list, "2F01000000000000");
    expect((await run(["decode", list, json])).status).toBe(0);
    const calls: Record<string, string[]> = { diff: [list, list], convert: ["--to", "json", list], bench: ["--rounds", "1", list] };
    const number = vi.spyOn(Call.prototype, "number");
    onTestFinished(() => number.mockRestore());
    hurryClock();
    const told: Record<string, number> = {};
    const taken: Record<string, number> = {};
    for (const { name, options } of COMMANDS) {
      for (const [option, { help }] of Object.entries(options)) {
        const standard = /default (\d+)/.exec(help);
        if (standard) told[`${name} --${option}`] = Number(standard[1]);
      }
      number.mockClear();
      const argv = calls[name] ?? [name === "encode" ? json : list];
      expect(await run([name, ...argv])).toMatchObject({ status: 0, stderr: "" });
      // Of backups no page names a default.
      for (const [option, standard] of number.mock.calls) if (option !== "backups") taken[`${name} --${option}`] = standard;
    }
    expect(Object.keys(told)).toHaveLength(6);
    expect(taken).toEqual(told);
  });

  test.each<[string, string[]]>([
    ["no command", []],
    ["an unknown command", ["open"]],
    ["no file", ["decode"]],
    ["an unknown option", ["decode", "--fast", "x"]],
    ["an option without its value", ["inspect", "x", "--depth"]],
    ["a number that is none", ["inspect", "--depth", "-1", "-"]],
    ["a number that is too small", ["inspect", "--most", "0", "-"]],
    ["a number of rounds that measures nothing", ["bench", "--rounds", "0", "-"]],
    ["a number that is not exact", ["inspect", "--depth", "9007199254740993", "-"]],
    ["a number that would be infinite", ["decode", "--backups", "9".repeat(309), "-", "/nonexistent/x.json"]],
    ["a number that is none, of backups", ["encode", "--backups", "x", "-", "/nonexistent/x.dat"]],
    ["too many files", ["inspect", "a", "b"]],
    ["a file that is not there", ["verify", "/nonexistent/save.dat"]],
    ["an unknown format", ["decode", "--from", "word", "-"]],
    ["an unknown target", ["convert", "--to", "word", "-"]],
    ["a schema file that is no JSON", ["decode", "--schema", "/dev/null", "-"]],
    ["standard input twice", ["diff", "-", "-"]],
    ["the output twice", ["decode", "-", "a", "--output", "b"]],
    ["an output without a name", ["decode", "-", ""]],
    ["the same by the option", ["convert", "-", "--output", ""]],
  ])("2: %s", async (_title, argv) => {
    const outcome = await run(argv, Buffer.from(generic.write({ a: 1 })));
    expect(outcome.status).toBe(2);
    expect(outcome.stdout.toString()).toBe("");
    expect(outcome.stderr).not.toBe("");
  });

  test("2: an output folder that is not there, and the process says the same", async () => {
    const { plain, folder } = files();
    const outcome = await runProcess(bundle, ["decode", plain, join(folder, "none", "x.json")]);
    expect(outcome.status).toBe(2);
    expect(outcome.stderr).toContain("ENOENT");
    expect((await runProcess(bundle, ["nothing"])).status).toBe(2);
  });

  test.skipIf(process.platform === "win32")("where the working folder is gone, what needs none works", async () => {
    const { plain, folder } = files();
    const inGone = (target: string) =>
      new Promise<{ error: Error | null; stdout: string; stderr: string }>((resolve) => {
        const script = 'mkdir "$1" && cd "$1" && rmdir "$1" && exec "$2" "$3" decode "$4" "$5"';
        execFile("sh", ["-c", script, "sh", join(folder, "gone"), process.execPath, bundle.file, plain, target], (error, stdout, stderr) =>
          resolve({ error, stdout, stderr }),
        );
      });
    const whole = await run(["decode", plain]);
    expect(await inGone("-")).toEqual({ error: null, stdout: whole.stdout.toString(), stderr: "" });
    const file = join(folder, "plain.json");
    expect(await inGone(file)).toMatchObject({ error: null, stderr: "" });
    expect(readFileSync(file)).toEqual(whole.stdout);
    const relative = await inGone("x.json");
    expect(relative).toMatchObject({ error: { code: 2 }, stdout: "" });
    expect(relative.stderr).toMatch(/^tusk: x\.json cannot be written: ENOENT.*\n$/);
  });

  test("names of formats and releases are looked at before a file is read", async () => {
    const none = "/nonexistent/save.dat";
    for (const command of ["inspect", "decode", "convert", "verify", "bench"])
      expect((await run([command, "--from", "word", none])).stderr).toMatch(/^tusk: --from: no format is called "word"; there are /);
    expect(await run(["decode", "--from", "word", "--help"])).toMatchObject({ status: 0, stderr: "" });
    expect((await run(["diff", "--from", "word", none, none])).stderr).toMatch(/^tusk: --from: no format is called "word"; /);
    expect((await run(["convert", "--to", "word", none])).stderr).toMatch(/^tusk: --to: no format is called "word"; /);
    for (const to of [[], ["--to", "export-string"], ["--to", "json"]])
      expect((await run(["convert", "--release", "9.9.9", ...to, none])).stderr).toMatch(
        /^tusk: --release: .* can be written, not 9\.9\.9\n/,
      );
  });

  test("2: paths that are empty are named", async () => {
    const { plain } = files();
    const empty = async (argv: string[], message: string) =>
      expect(await run(argv)).toMatchObject({ status: 2, stderr: `tusk: ${message}\nTry "tusk ${argv[0]} --help".\n` });
    for (const argv of [
      ["inspect", ""],
      ["detect", plain, ""],
      ["verify", plain, ""],
      ["diff", plain, ""],
    ])
      await empty(argv, "the path of a file is empty");
    for (const command of ["decode", "verify"]) await empty([command, "--schema", "", plain], "--schema: the path of the file is empty");
    await empty(["decode", plain, ""], "the path of the output is empty");
  });

  test("a call that is bad names the manual page", async () => {
    expect((await run(["decode", "--fast", "x"])).stderr).toBe("tusk: Unknown option '--fast'\nTry \"tusk decode --help\".\n");
    expect((await run(["inspect"])).stderr).toContain('Try "tusk inspect --help".\n');
    expect((await run(["inspect", "--depth", "-1", "x"])).stderr).toMatch(
      /^tusk: Option '--depth' argument is ambiguous\. [^\n\\]+\nTry "tusk/,
    );
    expect((await run(["--fast", "x"])).stderr).toBe(
      'tusk: unknown option "--fast"; only --color, --no-color, --quiet, -q stand before a command\nTry "tusk --help".\n',
    );
    for (const option of ["--color", "--help"])
      expect((await run([`${option}=1`, "inspect", "x"])).stderr).toBe(`tusk: ${option} takes no value\nTry "tusk --help".\n`);
    for (const option of ["--from=ds", "-s"])
      expect((await run([option, "inspect", "x"])).stderr).toMatch(
        new RegExp(
          `^tusk: ${option.split("=")[0]} stands behind the command: tusk COMMAND ${option.split("=")[0]} \\.\\.\\.; only --color,`,
        ),
      );
    expect((await run(["verify", "--schema", "a", "-q", "-q", "x", "-s", "b"])).stderr).toBe(
      'tusk: --schema is given twice, as "a" and as "b"; it takes one value\nTry "tusk verify --help".\n',
    );
    expect((await run(["open", "x"])).stderr).toMatch(/^tusk: there is no command "open"; .*\nTry "tusk --help"\.\n$/);
  });

  test("the options of every command may stand before it", async () => {
    const { plain } = files();
    const behind = await run(["inspect", "--color", "-q", plain]);
    expect(behind.status).toBe(0);
    expect(await run(["-q", "--color", "inspect", plain])).toEqual(behind);
    expect(await run(["--no-color", "help", "convert"])).toEqual(await run(["convert", "--help"]));
    expect(await run(["help", "-q", "convert", "--color"])).toEqual(await run(["convert", "--help"]));
    for (const option of ["-q", "--help"]) expect(await run(["help", option])).toEqual(await run(["help"]));
    expect(await run(["--quiet"])).toEqual(await run([]));
    expect((await run(["--depth", "3", "inspect", plain])).status).toBe(2);
  });

  test("1: bad files, with the bytes around the place", async () => {
    const { plain, folder } = files();
    const bytes = readFileSync(plain);
    writeFileSync(join(folder, "cut.dat"), bytes.subarray(0, 20));
    const outcome = await runProcess(bundle, ["decode", join(folder, "cut.dat")]);
    expect(outcome.status).toBe(1);
    expect(outcome.stdout.length).toBe(0);
    expect(outcome.stderr).toContain("[elephant: truncated]");
    expect(outcome.stderr).toContain("00000000  50 45 4c 45 01 05 01 00");
    expect(outcome.stderr).toContain("^^ the file ends here");
    expect(outcome.stderr).not.toContain("    at ");
    const unknown = await run(["inspect", "-"], "hello");
    expect(unknown).toMatchObject({ status: 1 });
    expect(unknown.stderr).toContain("unknown-format");
    expect(unknown.stderr).toContain("^^ byte 0");
    for (const json of ['{"hp": 5}', "\ufeff\n [1, 2]\n"]) {
      const { status, stderr } = await run(["encode", "-"], json);
      expect([status, stderr]).toEqual([1, "tusk: -: this is JSON, but not what `tusk decode` writes [tusk: unknown-format]\n"]);
    }
    expect((await run(["encode", "-"], '{"hp": 5')).stderr).toContain("this is no save of a known format");
  });

  test("of a file two rows of bytes before the place and two behind it are shown", async () => {
    const bytes = Buffer.from(generic.write(Array.from({ length: 60 }, (_, i) => [i, "a", true])));
    // A datatype's code.
    bytes[100] = 99;
    const { stderr } = await run(["inspect", "-"], bytes);
    expect(stderr).toContain("(at byte 100)");
    expect([...stderr.matchAll(/^ {2}([0-9a-f]{8}) /gm)].map(([, at]) => Number.parseInt(at, 16))).toEqual([64, 80, 96, 112, 128]);
  });

  test("the mark stands below the byte", async () => {
    const bytes = Buffer.from(generic.write([1, "a", true, "the rest of the file"]));
    bytes[24] = 99;
    const { stderr } = await run(["verify", "-"], bytes);
    const lines = stderr.split("\n");
    const mark = lines.findIndex((line) => line.includes("^^"));
    const offset = Number(/at byte (\d+)/.exec(stderr)![1]);
    const column = lines[mark].indexOf("^^");
    expect(lines[mark - 1].slice(column, column + 2)).toBe(bytes[offset].toString(16).padStart(2, "0"));
    expect(lines[mark]).toContain(`byte ${offset} `);
  });
});

describe("the JSON by any serializer", () => {
  const MEMBERS = [
    `"format": "elephant"`,
    `"release":"1.5.1"`,
    `"root" : {"a":["}", "\\\\", "\\"tusk\\":"], "b": {"tusk": 2}}`,
    `"tusk"\n:1`,
  ];

  test("is known by its members in any order", async () => {
    const expected = Buffer.from(generic.write({ a: ["}", "\\", '"tusk":'], b: { tusk: 2 } }));
    for (let turn = 0; turn < MEMBERS.length; turn++) {
      const json = ` {\n${[...MEMBERS.slice(turn), ...MEMBERS.slice(0, turn)].join(",\n")}}\n`;
      expect((await run(["detect", "-"], json)).stdout.toString()).toBe("-\tjson\n");
      expect((await run(["encode", "-"], json)).stdout.equals(expected)).toBe(true);
      expect((await run(["verify", "-"], json)).status).toBe(0);
    }
  });

  test.each(['{"root":{"tusk":1}}', '{"format":"tusk"}', '{"format":"a\\', '{"name":1,"tusk":1}', '{"root":{}}{"tusk":1}'])(
    "other JSON is not it: %s",
    async (json) => {
      expect((await run(["detect", "-"], json)).stdout.toString()).not.toContain("json");
    },
  );
});

describe("decode and encode", () => {
  test("a pipe through both gives the same bytes", async () => {
    const { strict, schemas } = files();
    const decoded = await runProcess(bundle, ["decode", "--schema", schemas, "-"], readFileSync(strict));
    expect(decoded).toMatchObject({ status: 0, stderr: "" });
    expect(JSON.parse(decoded.stdout.toString()).root.heroes[0]).toEqual({
      $new: "Hero",
      $version: 1,
      $verbose: false,
      $struct: { bag: [1, 2], hp: 10, name: "Ada" },
    });
    const encoded = await runProcess(bundle, ["encode", "-s", schemas, "-"], decoded.stdout);
    expect(encoded).toMatchObject({ status: 0, stderr: "" });
    expect(encoded.stdout.equals(readFileSync(strict))).toBe(true);
  });

  test("a strict struct without its schema: both ways say what to give", async () => {
    const { strict, schemas } = files();
    const decoded = await runProcess(bundle, ["decode", strict]);
    expect(decoded.status).toBe(1);
    expect(decoded.stderr).toContain("[elephant: schema-missing]");
    expect(decoded.stderr).toContain("--schema schemas.json");
    const json = (await run(["decode", "--schema", schemas, strict])).stdout;
    const encoded = await run(["encode", "-"], json);
    expect(encoded.status).toBe(1);
    expect(encoded.stderr).toContain("(at .heroes[0])");
    expect(encoded.stderr).toContain("--schema schemas.json");
  });

  test("an edit is encoded; a field that is left out is skipped; a field too many is an error", async () => {
    const { strict, schemas, folder } = files();
    const document = JSON.parse((await run(["decode", "--schema", schemas, strict])).stdout.toString());
    document.root.heroes[0].$struct.hp = 99;
    delete document.root.heroes[1].$struct.bag;
    const edited = await run(["encode", "--schema", schemas, "-"], JSON.stringify(document));
    expect(edited).toMatchObject({ status: 0, stderr: "" });
    class Hero {
      name = "";
      hp = 0;
      bag = ["default"];
    }
    const reader = createElephantSync({
      constructors: { Hero },
      unknownConstructor: "error",
    });
    expect(() => reader.read(edited.stdout)).toThrow(expect.objectContaining({ code: "schema-missing" }));
    writeFileSync(join(folder, "edited.dat"), edited.stdout);
    const changes = await run(["diff", "--schema", schemas, strict, join(folder, "edited.dat")]);
    expect(changes.stdout.toString()).toBe("- .heroes[0].hp: 10\n+ .heroes[0].hp: 99\n- .heroes[1].bag: array of 2\n");
    document.root.heroes[0].$struct.mana = 1;
    const wrong = await run(["encode", "--schema", schemas, "-"], JSON.stringify(document));
    expect(wrong).toMatchObject({ status: 1 });
    expect(wrong.stderr).toContain('no field "mana"');
  });

  test("constructors stored with their names need no schema, whatever version they have", async () => {
    const one = new StructInstance("Thing", { b: 1, a: undefined });
    setStoredAs(one, 5, true);
    const bytes = Buffer.from(generic.write([one, new StructInstance("Other", { x: one })]));
    const decoded = await run(["decode", "-"], bytes);
    expect((await run(["encode", "-"], decoded.stdout)).stdout.equals(bytes)).toBe(true);
  });

  test("bytes behind the save come back", async () => {
    const bytes = Buffer.concat([generic.write({ a: 1 }), Buffer.from([0, 0, 1, 255])]);
    const decoded = await run(["decode", "-"], bytes);
    expect(decoded.stderr).toBe("");
    expect((await run(["encode", "-"], decoded.stdout)).stdout.equals(bytes)).toBe(true);
    expect((await run(["verify", "-"], bytes)).stdout.toString()).toContain("4 bytes follow it, ");
  });

  test("the line end behind an export string comes back, and verify says how the string does", async () => {
    const text = generic.exportString({ a: 1 });
    for (const end of ["", "\n", "\r\n", " \r\n\r\n"]) {
      const file = join(scratchFolder(), "string.txt");
      writeFileSync(file, text + end);
      const json = (await run(["decode", file])).stdout;
      expect(JSON.parse(json.toString())).toEqual({
        tusk: 1,
        format: "export-string",
        release: "1.5.1",
        ...(end && { lineEnd: end }),
        root: { a: 1 },
      });
      expect((await run(["encode", "-"], json)).stdout.toString()).toBe(text + end);
      expect((await run(["verify", file])).stdout.toString()).toMatch(/, writes back to the same bytes\n$/);
    }
    const inside = join(scratchFolder(), "inside.txt");
    writeFileSync(inside, `\r\n ${text}\n`);
    const decoded = (await run(["decode", inside])).stdout;
    expect(JSON.parse(decoded.toString())).toMatchObject({ before: "\r\n ", lineEnd: "\n", root: { a: 1 } });
    expect((await run(["encode", "-"], decoded)).stdout.toString()).toBe(`\r\n ${text}\n`);
    expect((await run(["verify", inside])).stdout.toString()).toMatch(/, writes back to the same bytes\n$/);
    // The same content at another level of compression.
    const other = deflateSync(generic.write({ a: 1 }), { level: 1 }).toString("base64");
    expect(other).not.toBe(text);
    const said = (await run(["verify", "-"], other)).stdout.toString();
    expect(said).toMatch(/, writes back to the same content, compressed anew\n$/);
    expect((await run(["encode", "-"], '{"tusk":1,"format":"export-string","lineEnd":"x","root":1}')).stderr).toContain('"lineEnd" holds');
    expect((await run(["encode", "-"], '{"tusk":1,"before":5,"format":"export-string","root":1}')).stderr).toContain('"before" holds');
  });

  test("an unusual file comes back as it was until its values are edited", async () => {
    // Release 1.3.0, which is not written any more: one number.
    const bytes = Buffer.from("50454c4500030100" + "09000000000000f03f" + "544e4148", "hex");
    const decoded = await run(["decode", "-"], bytes);
    expect((await run(["encode", "-"], decoded.stdout)).stdout.equals(bytes)).toBe(true);
    const edited = await run(["encode", "-"], decoded.stdout.toString().replace('"root": 1', '"root": 2'));
    expect(edited.stderr).toContain("edited");
    expect(generic.readAt(edited.stdout, 0)).toMatchObject({ value: 2, release: "1.5.1" });
  });

  test(`a graph of ${5 * FIFTH} levels with a cycle`, async () => {
    const root: unknown[] = [];
    let at = root;
    for (let i = 0; i < 3 * FIFTH; i++) {
      const next: unknown[] = [];
      at.push(next);
      at = next;
    }
    at.push(root);
    const deep: Record<string, unknown> = { root };
    let struct = deep;
    for (let i = 0; i < 2 * FIFTH; i++) struct = struct.next = {};
    const bytes = Buffer.from(generic.write(deep));
    const decoded = await runProcess(bundle, ["decode", "-"], bytes);
    expect(decoded).toMatchObject({ status: 0, stderr: "" });
    expect((await runProcess(bundle, ["encode", "-"], decoded.stdout)).stdout.equals(bytes)).toBe(true);
    expect((await run(["inspect", "-"], bytes)).status).toBe(0);
  });

  test("what is no notation is refused", async () => {
    const { plain } = files();
    expect((await run(["encode", plain])).stderr).toContain("tusk convert");
    const outcome = await run(["encode", "-"], '{"tusk":1,"format":"elephant",\n"root":[1,,2]}');
    expect(outcome).toMatchObject({ status: 1 });
    expect(outcome.stderr).toContain('>      2 | "root":[1,,2]}');
    expect(await run(["encode", "-"], '{"tusk":1,"format":"word","root":1}')).toMatchObject({ status: 1 });
    expect(await run(["encode", "-"], '{"tusk":1,"format":"elephant","root":"a\\u0000b"}')).toMatchObject({ status: 1 });
  });
});

describe("files", () => {
  test("outputs are replaced in one step, with backups, mode and links kept", async () => {
    const { plain, folder } = files();
    const target = join(folder, "out.json");
    writeFileSync(target, "old");
    chmodSync(target, 0o600);
    symlinkSync("out.json", join(folder, "link.json"));
    expect(await runProcess(bundle, ["decode", plain, "--output", join(folder, "link.json"), "--backups", "2"])).toMatchObject({
      status: 0,
      stderr: "",
    });
    expect(readFileSync(target + ".bak1", "utf8")).toBe("old");
    if (process.platform !== "win32") expect(statSync(target).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(target, "utf8")).format).toBe("elephant");
    expect(listing(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  test("a call that fails leaves the target alone", async () => {
    const { strict, folder } = files();
    const target = join(folder, "out.json");
    writeFileSync(target, "old");
    expect((await run(["decode", strict, target])).status).toBe(1);
    expect(readFileSync(target, "utf8")).toBe("old");
    expect((await run(["decode", strict, join(folder, "new.json")])).status).toBe(1);
    expect(existsSync(join(folder, "new.json"))).toBe(false);
  });

  test("a reader that goes away is no error", async () => {
    const big = Buffer.from(generic.write(Array.from({ length: 60_000 }, (_, i) => `item ${i}`)));
    const folder = scratchFolder();
    writeFileSync(join(folder, "big.dat"), big);
    const status = await new Promise<[number | null, string]>((resolve) => {
      const child = spawn(process.execPath, [bundle.file, "decode", join(folder, "big.dat")]);
      let errors = "";
      child.stderr.on("data", (piece) => (errors += piece));
      child.stdout.once("data", () => child.stdout.destroy());
      child.on("close", (code) => resolve([code, errors]));
    });
    expect(status).toEqual([0, ""]);
  });

  test("what is to be said of a file is said though the reader has gone", async () => {
    const { schemas, folder } = files();
    const list = join(folder, "list.txt");
    writeFileSync(list, "2F01000000000000");
    const gone = new Writable({ write: (_piece, _encoding, done) => done(Object.assign(new Error("gone"), { code: "EPIPE" })) });
    gone.on("error", () => undefined);
    let errors = "";
    const stderr = new Writable({ write: (piece, _encoding, done) => done(void (errors += piece)) });
    const stdin = Readable.from([]);
    expect(await main(["inspect", "--schema", schemas, list], { stdin, stdout: gone, stderr, env: {} })).toBe(0);
    expect(errors).toBe(`tusk: ${list}: --schema means nothing for ds\n`);
  });

  test("1: files that differ, or one that is bad, though the reader has gone", async () => {
    const { folder, plain } = files();
    const bad = join(folder, "bad.dat");
    const large = join(folder, "large.dat");
    writeFileSync(bad, "PELE");
    writeFileSync(large, generic.write(Array.from({ length: 60_000 }, (_, i) => i)));
    const status = (...argv: string[]) =>
      new Promise<number | null>((resolve) => {
        const child = spawn(process.execPath, [bundle.file, ...argv]);
        child.stdout.once("data", () => child.stdout.destroy());
        child.on("close", resolve);
      });
    expect(await status("diff", "--most", "0", plain, large)).toBe(1);
    expect(await status("diff", "--most", "0", plain, plain)).toBe(0);
    expect(await status("verify", bad, ...Array<string>(40).fill(plain))).toBe(1);
  });

  test("2: standard input without an end", async () => {
    const piece = new Uint8Array(2 ** 28);
    const { status, stderr } = await run(
      ["inspect", "-"],
      (async function* () {
        for (;;) yield piece;
      })(),
    );
    expect([status, stderr]).toEqual([2, "tusk: standard input cannot be read: it has more bytes than can be held\n"]);
  });

  test("of a stream 4 GiB are taken", async () => {
    const piece = new Uint8Array(2 ** 28);
    let taken = 0;
    const pieces = (async function* () {
      for (;;) yield piece;
    })();
    await expect(readAll(pieces, (bytes) => void (taken = bytes))).rejects.toThrow("it has more bytes than can be held");
    expect(taken).toBe(2 ** 32);
  });

  test.skipIf(!existsSync("/dev/zero"))("2: a device without an end", async () => {
    const { status, stderr } = await run(["inspect", "/dev/zero"]);
    expect([status, stderr]).toEqual([2, "tusk: /dev/zero cannot be read: it has more bytes than can be held\n"]);
    const zero = openSync("/dev/zero", "r");
    expect([zero, 2 ** 28 - 1].map(mostBytesOfInput)).toEqual([2 ** 28, 2 ** 32]);
    closeSync(zero);
  });

  test("2: standard input of which no more is taken than of a device", async () => {
    const piece = new Uint8Array(2 ** 26);
    let given = 0;
    const pieces = (async function* () {
      for (; given < 10; given++) yield piece;
    })();
    const { status, stderr } = await run(["inspect", "-"], pieces, { mostInput: 2 ** 28 });
    expect([status, stderr]).toEqual([2, "tusk: standard input cannot be read: it has more bytes than can be held\n"]);
    expect(given).toBeLessThan(10);
  });

  test.skipIf(!existsSync("/dev/full"))("2: standard output that takes nothing", async () => {
    const { plain, folder } = files();
    const full = openSync("/dev/full", "w");
    const status = (argv: string[], stderr: "pipe" | number = "pipe") =>
      new Promise<[number | null, string]>((resolve) => {
        const child = spawn(process.execPath, [bundle.file, ...argv], { stdio: ["ignore", full, stderr] });
        let errors = "";
        child.stderr?.on("data", (piece) => (errors += piece));
        child.on("close", (code) => resolve([code, errors]));
      });
    const told = [2, expect.stringMatching(/^tusk: standard output cannot be written: ENOSPC.*\n$/)];
    for (const argv of [
      ["decode", plain],
      ["inspect", plain],
      ["detect", plain],
      ["verify", plain, plain],
      ["--help"],
      ["decode", "--help"],
    ])
      expect(await status(argv), argv[0]).toEqual(told);
    // Where messages cannot be written either, the status tells.
    writeFileSync(join(folder, "bad.dat"), "PELE");
    expect(await status(["decode", join(folder, "bad.dat")], full)).toEqual([1, ""]);
    expect(await status(["detect", plain], full)).toEqual([2, ""]);
    closeSync(full);
  });

  test.skipIf(process.platform === "win32")("2: standard output is a file that takes a part of a piece only", async () => {
    const { folder } = files();
    const long = join(folder, "long.dat");
    const json = join(folder, "long.json");
    writeFileSync(long, generic.write("x".repeat(10_000)));
    expect((await run(["decode", long, json])).status).toBe(0);
    // One block, of 512 bytes or 1024.
    const script = 'ulimit -f 1 && exec "$@" > "$OUT"';
    for (const argv of [["encode", json], ["decode", long], ["--help"]]) {
      const outcome = await new Promise<[number | null, string]>((resolve) => {
        const child = spawn("sh", ["-c", script, "sh", process.execPath, bundle.file, ...argv], {
          env: { ...process.env, OUT: join(folder, "out") },
        });
        let errors = "";
        child.stderr.on("data", (piece) => (errors += piece));
        child.on("close", (code) => resolve([code, errors]));
      });
      expect(outcome, argv[0]).toEqual([2, expect.stringMatching(/^tusk: standard output cannot be written: EFBIG.*\n$/)]);
    }
  });

  test.skipIf(!existsSync("/dev/stdout"))("/dev/stdout is standard output, whatever the shell opened for it", async () => {
    const { plain, folder } = files();
    const redirect = ", which only the shell can write to: use - and redirect";
    const json = (await run(["decode", plain])).stdout;
    expect((await runProcess(bundle, ["decode", plain, "-o", "/dev/stdout"])).stdout.equals(json)).toBe(true);
    const log = join(folder, "log.txt");
    writeFileSync(log, "before\n");
    const file = openSync(log, "a");
    const status = await new Promise((done) =>
      spawn(process.execPath, [bundle.file, "decode", plain, "/dev/fd/1"], { stdio: ["ignore", file, "inherit"] }).on("close", done),
    );
    closeSync(file);
    expect(status).toBe(0);
    expect(readFileSync(log, "utf8")).toBe(`before\n${json}`);
    const refused = await run(["decode", plain, "-o", "/dev/stderr"]);
    expect(refused).toMatchObject({ status: 2, stderr: `tusk: /dev/stderr is not a regular file${redirect}\n` });
    const device = await run(["decode", plain, "-o", "/dev/null"]);
    expect(device).toMatchObject({ status: 2, stderr: `tusk: /dev/null is not a regular file${redirect}\n` });
    // A folder is written to by nobody.
    expect((await run(["decode", plain, "-o", folder])).stderr).toBe(`tusk: ${folder} is not a regular file\n`);
  });

  test.skipIf(process.platform === "win32")("2: an output that is named like a folder, whatever is there", async () => {
    const { plain, folder } = files();
    for (const path of [plain, join(folder, "none"), join(folder, "x".repeat(300))])
      for (const end of ["/", "/."])
        expect(await run(["decode", plain, path + end])).toMatchObject({
          status: 2,
          stderr: `tusk: ${path}${end} is not a regular file\n`,
        });
  });

  test.skipIf(!existsSync("/dev/stdout"))("links to /dev/stdout are standard output, too; links to other streams are refused", async () => {
    const { plain, folder } = files();
    const json = (await run(["decode", plain])).stdout;
    const link = (name: string, target: string) => {
      symlinkSync(target, join(folder, name));
      return join(folder, name);
    };
    link("out", "/dev/stdout");
    for (const path of [join(folder, "out"), link("second", "out"), link("fd", "/dev/fd/1")])
      expect(await runProcess(bundle, ["decode", plain, path]), path).toMatchObject({ status: 0, stderr: "", stdout: json });
    const other = link("error", "/dev/stderr");
    const refused = { status: 2, stderr: `tusk: ${other} is not a regular file, which only the shell can write to: use - and redirect\n` };
    expect(await runProcess(bundle, ["decode", plain, other])).toMatchObject(refused);
    const circle = link("circle", "circle");
    expect(await run(["decode", plain, circle])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("a symbolic link that leads nowhere"),
    });
  });

  test("2: --backups without an output file, however standard output is named", async () => {
    const { plain } = files();
    const json = (await run(["decode", plain])).stdout;
    const calls = [["encode"], ["decode", "-o", "-"], ["convert", "--output=-"]];
    if (process.platform !== "win32") calls.push(["encode", "-o", "/dev/stdout"]);
    for (const [command, ...output] of calls)
      expect(await run([command, "--backups", "3", ...output, "-"], json), command).toMatchObject({
        status: 2,
        stdout: Buffer.alloc(0),
        stderr: `tusk: --backups means nothing for standard output\nTry "tusk ${command} --help".\n`,
      });
  });

  test.skipIf(process.platform === "win32")("2: a folder as standard input, which is not empty", async () => {
    const folder = openSync(scratchFolder(), "r");
    for (const command of ["inspect", "detect"]) {
      const outcome = await new Promise<[number | null, string]>((resolve) => {
        const child = spawn(process.execPath, [bundle.file, command, "-"], { stdio: [folder, "pipe", "pipe"] });
        let errors = "";
        child.stderr!.on("data", (piece) => (errors += piece));
        child.on("close", (code) => resolve([code, errors]));
      });
      expect(outcome).toEqual([2, expect.stringMatching(/^tusk: standard input cannot be read: EISDIR.*\n$/)]);
    }
    closeSync(folder);
  });

  test.skipIf(process.platform !== "linux")("2: names that are not UTF-8, which arrive as those of other files", async () => {
    const { plain, folder } = files();
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/a`), Buffer.of(0xff)]), readFileSync(plain));
    const lost = join(folder, "a\ufffd");
    const reason = "its name is not UTF-8, or holds U+FFFD: Node.js gives programs the same name for both; use - and redirect\n";
    for (const command of ["inspect", "detect"])
      expect(await run([command, lost])).toMatchObject({ status: 2, stderr: `tusk: ${lost} cannot be read: ${reason}` });
    expect(await run(["decode", plain, lost])).toMatchObject({ status: 2, stderr: `tusk: ${lost} cannot be written: ${reason}` });
    // A file may be called so.
    writeFileSync(lost, "old");
    expect(await run(["decode", plain, lost])).toMatchObject({ status: 0, stderr: "" });
    expect((await run(["detect", lost])).stdout.toString()).toBe(`${lost}\tjson\n`);
  });

  test("2: standard input that cannot be read", async () => {
    // biome-ignore lint/correctness/useYield: it fails before its first piece
    const broken = (async function* () {
      throw new Error("EIO: i/o error, read");
    })();
    const outcome = await run(["detect", "-"], broken);
    expect(outcome).toMatchObject({ status: 2, stderr: "tusk: standard input cannot be read: EIO: i/o error, read\n" });
  });

  test("an interruption ends what writes no file at once, as shells know it (130)", async () => {
    // More than a pipe holds: when all of it is in the pipe the program is reading it.
    const bytes = Buffer.from(generic.write(Array.from({ length: 8000 }, (_, i) => ({ i, name: `item ${i}` }))));
    // 10,000 rounds of six measurements are minutes.
    const ended = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
      const child = spawn(process.execPath, [bundle.file, "bench", "--rounds", "10000", "-"]);
      child.stdin.end(bytes, () => setTimeout(() => child.kill("SIGINT"), 400));
      child.on("close", (code, signal) => resolve([code, signal]));
    });
    expect(ended).toEqual([null, "SIGINT"]);
  }, 20_000);

  let big: Uint8Array | undefined;
  test.skipIf(process.platform === "win32").each<[NodeJS.Signals, number]>([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ])(
    "%s while a file is written removes the temporary file: %d",
    async (signal, expected) => {
      const folder = scratchFolder();
      const file = join(folder, "big.dat");
      big ??= generic.write(Array.from({ length: 8 }, () => Array.from({ length: 50_000 }, (_, i) => ({ i, name: `item ${i}` }))));
      writeFileSync(file, big);
      const json = join(folder, "big.json");
      const interrupted = () =>
        new Promise<{ inTime: boolean; status: number | null }>((resolve) => {
          let inTime = false;
          const child = spawn(process.execPath, [bundle.file, "decode", "--values-only", file, json]);
          const look = setInterval(() => {
            const names = listing(folder);
            if (names.length === 1) return;
            clearInterval(look);
            inTime = !names.includes("big.json");
            child.kill(signal);
          }, 5);
          child.on("close", (status) => {
            clearInterval(look);
            resolve({ inTime, status });
          });
        });
      // The temporary file is there for half a second: where this process is held up for longer, the child is done before it is interrupted.
      let outcome = await interrupted();
      for (let again = 0; outcome.status === 0 && !outcome.inTime && again < 4; again++) {
        rmSync(json);
        outcome = await interrupted();
      }
      expect(outcome.status).toBe(expected);
      expect(listing(folder)).toEqual(["big.dat"]);
    },
    60_000,
  );

  test("an interruption leaves nothing behind and is told by the status", async () => {
    const { plain, folder } = files();
    const outcome = await run(["decode", plain, join(folder, "out.json")], "", { signal: AbortSignal.abort() });
    expect(outcome.status).toBe(130);
    expect(listing(folder)).toEqual(["plain.dat", "schemas.json", "strict.dat"]);
  });
});

describe("terminal", () => {
  test("colours on a terminal, none in a pipe unless asked for", async () => {
    const { plain } = files();
    const colour = "\u001b[";
    expect((await run(["inspect", plain], "", { tty: true })).stdout.toString()).toContain(colour);
    expect((await run(["inspect", "--no-color", plain], "", { tty: true })).stdout.toString()).not.toContain(colour);
    expect((await run(["inspect", plain])).stdout.toString()).not.toContain(colour);
    for (const env of [{ TERM: "dumb" }, { NO_COLOR: "1" }] as Record<string, string>[]) {
      expect((await run(["inspect", plain], "", { tty: true, env })).stdout.toString()).not.toContain(colour);
      expect((await run(["inspect", "--color", plain], "", { tty: true, env })).stdout.toString()).toContain(colour);
    }
    for (const both of [
      ["--color", "--no-color"],
      ["--no-color", "--color"],
    ])
      expect((await run(["inspect", ...both, plain], "", { tty: true })).stdout.toString()).not.toContain(colour);
    expect((await runProcess(bundle, ["inspect", "--color", plain])).stdout.toString()).toContain(colour);
  });

  test("binary output is not put on a terminal", async () => {
    const { plain } = files();
    const json = (await run(["decode", plain])).stdout;
    expect(await run(["encode", "-"], json, { tty: true })).toMatchObject({
      status: 2,
      stdout: Buffer.alloc(0),
      stderr: expect.stringContaining("would garble the terminal"),
    });
  });

  test("a bar for long work on a terminal only, and it goes away", async () => {
    const save = (items: number) =>
      Buffer.from(generic.write(Array.from({ length: items }, (_, i) => ({ i, name: `item ${i}`, list: [i, "x", { i }] }))));
    hurryClock();
    // A measurement takes 20 ms at least, however small the file: six of them, six times, are long work on any machine.
    const bytes = save(20);
    const onTerminal = await run(["bench", "--rounds", "6", "-"], bytes, { tty: true });
    expect(onTerminal.status).toBe(0);
    expect(onTerminal.stderr).toMatch(/measuring \[#+ *\] \d+%/);
    expect(onTerminal.stderr.endsWith("\r\u001b[K")).toBe(true);
    expect((await run(["decode", "-"], save(LONG_RUN ? 60_000 : 10_000))).stderr).toBe("");
    for (const columns of [5, 20]) {
      const narrow = await run(["bench", "--rounds", "6", "-"], bytes, { tty: true, columns });
      const drawn = narrow.stderr.split("\r\u001b[K").filter((line) => line !== "");
      expect(drawn.length).toBeGreaterThan(0);
      for (const line of drawn) expect(line.length, line).toBeLessThan(columns);
    }
    const dumb = await run(["bench", "--rounds", "6", "-"], bytes, { tty: true, env: { TERM: "dumb" } });
    expect(dumb).toMatchObject({ status: 0, stderr: "" });
    expect((await run(["bench", "--rounds", "6", "-q", "-"], bytes, { tty: true })).stderr).toBe("");
  }, 60_000);
});
