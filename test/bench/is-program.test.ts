// Modules that are programs, too, can be imported by whatever has no file of its own.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "../package/installed.ts";

let folder: string;
let module: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tusk-program-test-"));
  module = join(folder, "module.mjs");
  const isProgram = pathToFileURL(join(ROOT, "scripts/is-program.mjs"));
  writeFileSync(module, `import { isProgram } from ${JSON.stringify(isProgram)};\nconsole.log(isProgram(import.meta.url));\n`);
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (args: string[], input = "") => {
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", input, cwd: folder });
  return stdout.trim() || stderr;
};

test("a module is the program by its own path and by a link", () => {
  const link = join(folder, "link.mjs");
  symlinkSync(module, link);
  expect(run([module])).toBe("true");
  expect(run([link])).toBe("true");
});

test("a module is not the program of text, with an argument or from standard input", () => {
  const text = `await import(${JSON.stringify(pathToFileURL(module))});`;
  expect(run(["--input-type=module", "-e", text])).toBe("false");
  expect(run(["--input-type=module", "-e", text, "something"])).toBe("false");
  expect(run(["--input-type=module", "-"], text)).toBe("false");
});
