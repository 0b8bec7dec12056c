// The benchmark's programs as processes: wrong calls are refused in a line before anything is measured, and a small run measures what it is told to.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "../package/installed.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tusk-bench-test-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (program: string, ...args: string[]) =>
  spawnSync(process.execPath, [join(ROOT, "bench", program), ...args], { encoding: "utf8", timeout: 60_000 });

test.each([
  [["--corpus", "nothing"], "no corpus nothing; there are rpg, "],
  [["--op", "nothing"], "no operation nothing; there are decode, "],
  [["--only", "nothing"], "no candidate nothing; there are tusk; "],
  [["--only", "tusk,"], 'the list of candidates "tusk," names nothing in one place'],
  [["--corpus", ""], 'the list of corpora "" names nothing in one place'],
  [["--rounds", "0"], "--rounds 0: "],
  [["--rounds", "2.5"], "--rounds 2.5: "],
  [["--rounds", "many"], "--rounds many: "],
  [["--json", ROOT], "the results cannot be written: EISDIR"],
  [["--unknown"], "Unknown option '--unknown'"],
])("run.mjs refuses %j", (args, message) => {
  const { status, stderr, stdout } = run("run.mjs", "--quick", "--corpus", "small", ...args);
  expect(stderr.slice(0, message.length)).toBe(message);
  expect([status, stdout]).toEqual([2, ""]);
});

test.each(["goals.mjs", "report.mjs"])("%s refuses a file without results", (program) => {
  const file = join(folder, "text.json");
  writeFileSync(file, "no JSON");
  for (const path of [file, join(folder, "missing.json")]) {
    const { status, stderr } = run(program, path);
    expect(stderr).toContain(`${path} holds no results: `);
    expect(status).toBe(2);
  }
});

test("a run of one operation measures it alone, with those that are chosen, and keeps what it wrote", () => {
  const file = join(folder, "out.json");
  const args = ["--quick", "--corpus", "small", "--op", "decode", "--only", "tusk,bestjs,structuredClone", "--rounds", "1", "--json", file];
  const { status, stdout, stderr } = run("run.mjs", ...args);
  expect(status, stderr).toBe(0);
  const report = JSON.parse(readFileSync(file, "utf8"));
  expect(report).toMatchObject({ complete: false, quick: true, rounds: 1, sources: expect.stringMatching(/^[\da-f]{12}$/) });
  expect(report.corpora[0].operations.map(({ operation }: { operation: string }) => operation)).toEqual(["decode"]);
  const names = report.corpora[0].operations[0].results.map(({ name }: { name: string }) => name);
  expect(names).toContain("tusk");
  expect(names).toContain("strong-js");
  expect(report.first.every(({ operation }: { operation: string }) => operation === "decode")).toBe(true);
  expect(report.first.length).toBeGreaterThan(0);
  expect(stdout).toContain("### small: a save of 200 bytes");
  expect(stderr).toContain("structuredClone does nothing of what was measured");
  expect(existsSync(join(ROOT, "build/benchmark-unfinished.json"))).toBe(false);
}, 60_000);
