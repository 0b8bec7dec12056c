// The benchmark's programs as processes: wrong calls are refused in a line before anything is measured, and a small run measures what it is told to.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "../package/installed.ts";
import { Programs } from "../programs.ts";
import { benchModule } from "./modules.ts";

const { chosenOf, resultsFile } = await benchModule("command-line");

let folder: string;
const programs = new Programs();
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tusk-bench-test-"));
});
afterAll(() => {
  programs.end();
  rmSync(folder, { recursive: true });
});

const run = (program: string, ...args: string[]) =>
  spawnSync(process.execPath, [join(ROOT, "bench", program), ...args], { encoding: "utf8", timeout: 60_000 });

/** For what ends before anything is measured. */
const runShort = (program: string, ...args: string[]) => programs.run(join(ROOT, "bench", program), args, ROOT);

test.each([
  [["--corpus", "nothing"], "no corpus nothing; there are rpg, "],
  [["--op", "nothing"], "no operation nothing; there are decode, "],
  [["--only", "nothing"], "no candidate nothing; there are tusk; "],
  [["--only", "tusk,"], 'the list of candidates "tusk," names nothing in one place'],
  [["--corpus", "all,nothing"], "no corpus nothing; there are rpg, "],
  [["--corpus", ""], 'the list of corpora "" names nothing in one place'],
  [["--rounds", "0"], "--rounds 0: "],
  [["--rounds", "2.5"], "--rounds 2.5: "],
  [["--rounds", "many"], "--rounds many: "],
  [["--json", ROOT], "the results cannot be written: EISDIR"],
  [["--unknown"], "Unknown option '--unknown'"],
])("run.mjs refuses %j", async (args, message) => {
  const { status, stderr, stdout } = await runShort("run.mjs", "--quick", "--corpus", "small", ...args);
  expect(stderr.slice(0, message.length)).toBe(message);
  expect([status, stdout]).toEqual([2, ""]);
});

test.each([
  ["ds/speed.mjs", ["--corpus", "nothing"], "no corpus nothing; there are map-100k, "],
  ["ds/speed.mjs", ["--rounds", "0"], "--rounds 0: "],
  ["ds/speed.mjs", ["--round", "3"], "Unknown option '--round'"],
  ["enigma/large-save.mjs", ["--rounds", "0"], "--rounds 0: "],
  ["enigma/large-save.mjs", ["3"], "Unexpected argument '3'"],
])("%s refuses %j", async (program, args, message) => {
  const { status, stderr, stdout } = await runShort(program, ...args);
  expect(stderr.slice(0, message.length)).toBe(message);
  expect([status, stdout]).toEqual([2, ""]);
});

test.each(["ds/speed.mjs", "enigma/large-save.mjs"])("%s --help measures nothing", async (program) => {
  const { status, stderr, stdout } = await runShort(program, "--help");
  expect(stdout).toMatch(new RegExp(`^node bench/${program} \\[options\\]\n`));
  expect([status, stderr]).toEqual([0, ""]);
});

test.each([
  [["--only", "nothing"], "no kind nothing; there are entities with items; entities with items, plain; "],
  [["--rounds", "0"], "--rounds 0: "],
  [["--unknown"], "Unknown option '--unknown'"],
])("shapes.mjs refuses %j", async (args, message) => {
  const { status, stderr, stdout } = await runShort("shapes.mjs", ...args);
  expect(stderr.slice(0, message.length)).toBe(message);
  expect([status, stdout]).toEqual([2, ""]);
});

test("shapes.mjs measures the kind that it is told to, and tells what it can be told", () => {
  const { status, stdout, stderr } = run("shapes.mjs", "--only", "points", "--rounds", "1");
  expect(status, stderr).toBe(0);
  expect(stdout.trimEnd().split("\n")).toEqual([
    expect.stringMatching(/^least times/),
    expect.stringMatching(/^points .*read .*write .*copy /),
  ]);
  expect(run("shapes.mjs", "--help")).toMatchObject({ status: 0, stdout: expect.stringContaining("--only KIND") });
}, 60_000);

test("what is named twice is measured once, and all beside others is all", () => {
  const known = ["rpg", "schema", "small"];
  expect(chosenOf("corpus", "small,rpg, small", known)).toEqual(["small", "rpg"]);
  for (const text of ["all", "all,all", "small,all"]) expect(chosenOf("corpus", text, known)).toEqual(known);
});

test.each(["goals.mjs", "report.mjs", "../scripts/readme-benchmark.mjs"])(
  "%s refuses a file without results",
  async (program) => {
    const written = ["no JSON", "{}", "null", "[]", '{"date":"2026-01-02","machine":{}}'].map((text, i) => {
      const file = join(folder, `text-${i}.json`);
      writeFileSync(file, text);
      return file;
    });
    for (const path of [...written, join(folder, "missing.json")]) {
      const { status, stdout, stderr } = await runShort(program, path);
      expect(stderr).toContain(`${path} holds no results: `);
      expect(stderr.trimEnd().split("\n")).toHaveLength(1);
      expect([status, stdout]).toEqual([2, ""]);
    }
  },
  60_000,
);

test("the goals are told beside what the results are of", async () => {
  const path = join(folder, "quick.json");
  const machine = { node: "v20.0.0", platform: "linux x64", cores: 2, cpu: "a processor" };
  writeFileSync(
    path,
    JSON.stringify({
      date: "2026-01-02T03:04",
      machine,
      candidates: [],
      corpora: [],
      complete: false,
      scale: 0.1,
      mutator: true,
      sources: "1",
    }),
  );
  const { status, stdout, stderr } = await runShort("goals.mjs", path);
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout.split("\n")[0]).toBe(
    "2026-01-02T03:04, Node 20.0.0, linux x64, 2 cores, a processor, a part of the benchmark, scale 0.1, young generation of 256 MB, build 1, which is not that of the sources here",
  );
  expect(stdout).toMatch(/^met .* linear memory for reading a save of 500 MB .* of another build$/m);
  expect(stdout).not.toContain("NOT MET");
});

test("the documents are not written from results of a part of the benchmark, in a line that says so", () => {
  const path = join(folder, "part.json");
  writeFileSync(path, JSON.stringify({ date: "2026-01-02", machine: {}, candidates: [], corpora: [], partial: true }));
  const { status, stderr } = run("../scripts/readme-benchmark.mjs", path);
  expect(stderr).toBe("these results are not of a whole run: npm run bench makes one\n");
  expect(status).toBe(2);
});

test("a run of one operation measures it alone, with those that are chosen, and keeps what it wrote", () => {
  const file = join(folder, "out.json");
  const args = ["--quick", "--corpus", "small", "--op", "decode", "--only", "tusk,bestjs,structuredClone", "--rounds", "1", "--json", file];
  const { status, stdout, stderr } = run("run.mjs", ...args);
  expect(status, stderr).toBe(0);
  const report = JSON.parse(readFileSync(file, "utf8"));
  const digest = expect.stringMatching(/^[\da-f]{12}$/);
  expect(report).toMatchObject({ complete: false, quick: true, rounds: 1, sources: digest, opponents: digest });
  expect(report.corpora[0].operations.map(({ operation }: { operation: string }) => operation)).toEqual(["decode"]);
  const names = report.corpora[0].operations[0].results.map(({ name }: { name: string }) => name);
  expect(names).toContain("tusk");
  expect(names).toContain("strong-js");
  expect(report.first.every(({ operation }: { operation: string }) => operation === "decode")).toBe(true);
  expect(report.first.length).toBeGreaterThan(0);
  expect(stdout).toContain("### small: a save of 200 bytes");
  expect(stderr).toContain("structuredClone does nothing of what was measured");
  expect(readdirSync(folder).filter((name) => name.includes("out"))).toEqual(["out.json"]);
}, 60_000);

test("what a run has left that did not come to its end is replaced by one of the same kind only", () => {
  const report = (text: string) => ({ corpora: [text] });
  const read = (path: string) => JSON.parse(readFileSync(path, "utf8")).corpora;
  const places = { usual: join(folder, "usual.json"), kept: join(folder, "kept") };
  const full = join(folder, "kept-full-unfinished.json");
  resultsFile({ ...places, kind: "full" }).save(report("an hour of work"));
  for (const kind of ["quick", "partial"]) resultsFile({ ...places, kind }).finish(report("a look"));
  resultsFile({ ...places, kind: "full", given: join(folder, "given.json") }).finish(report("elsewhere"));
  expect(read(full)).toEqual(["an hour of work"]);
  expect(read(places.usual)).toEqual(["a look"]);
  expect(read(join(folder, "given.json"))).toEqual(["elsewhere"]);
  const again = resultsFile({ ...places, kind: "full" });
  expect(read(full)).toEqual(["an hour of work"]);
  again.save(report("another hour"));
  expect([read(full), read(places.usual)]).toEqual([["another hour"], ["a look"]]);
  again.finish(report("all of it"));
  expect(read(places.usual)).toEqual(["all of it"]);
  expect(readdirSync(folder).filter((name) => name.includes("unfinished"))).toEqual([]);
});
