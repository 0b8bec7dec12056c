// What the suite's own scripts say of a run.
import { spawnSync } from "node:child_process";
import { chmodSync, closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { ROOT, WINDOWS } from "../package/installed.ts";

const script = <T>(name: string): Promise<T> => import(join(ROOT, `scripts/${name}.mjs`)) as Promise<T>;
const { countsOf } = await script<{ countsOf(report: string, code: number): object }>("test-counts");
const { numberAsked } = await script<{ numberAsked(name: string, usual: number): number }>("long-tests");
const { replaceFile } = await script<{ replaceFile(path: string, text: string, other: string): void }>("test-sources");

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), "tusk-suite-test-"))));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => void vi.unstubAllEnvs());

/** A program of this name, found before all others. */
function program(name: string, text: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
  chmodSync(join(folder, name), 0o755);
}
const PATH = () => [folder, process.env.PATH].join(delimiter);

test("tests count as they ended, a file that was not loaded as one that failed, and so does an error outside of all", () => {
  const file = (status: string, ...tests: string[]) => ({ status, assertionResults: tests.map((each) => ({ status: each })) });
  const counts = (code: number, failed: number, ...testResults: object[]) =>
    countsOf(JSON.stringify({ numPassedTests: 5, numFailedTests: failed, numPendingTests: 2, numTodoTests: 1, testResults }), code);
  const good = file("passed", "passed", "pending");
  expect(counts(0, 0, good)).toEqual({ passed: 5, failed: 0, skipped: 3 });
  expect(counts(1, 2, good, file("failed", "failed", "passed", "failed"))).toMatchObject({ failed: 2 });
  expect(counts(1, 0, good, file("failed"), file("failed", "passed"))).toMatchObject({ failed: 2 });
  expect(counts(1, 1, file("failed"), file("failed", "failed"))).toMatchObject({ failed: 2 });
  expect(counts(1, 0, good)).toMatchObject({ passed: 5, failed: 1 });
  expect(() => countsOf("", 0)).toThrow();
  expect(() => countsOf('{"numPassedTests": 5', 0)).toThrow();
});

test("a number of cases that is none is an error, and none at all is what is usual", () => {
  const asked = (text: string | undefined) => {
    vi.stubEnv("TUSK_CASES", text);
    return numberAsked("TUSK_CASES", 150);
  };
  for (const text of [undefined, ""]) expect(asked(text)).toBe(150);
  expect(asked("1")).toBe(1);
  expect(asked("10000")).toBe(10_000);
  for (const text of ["0", "-5", "10k", "1e4", "1.5", " "]) expect(() => asked(text)).toThrow(`TUSK_CASES is "${text}"`);
  // Before anything is done.
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, "scripts/test.mjs"), "--long"], {
    encoding: "utf8",
    env: { ...process.env, TUSK_CASES: "10k" },
  });
  expect([status, stderr]).toEqual([2, 'TUSK_CASES is "10k": a whole number from 1 is expected\n']);
});

test("a file that is replaced is whole for whoever has it open", () => {
  const path = join(folder, "module.js");
  writeFileSync(path, "old text");
  const open = openSync(path, "r");
  replaceFile(path, "new text", `${path}-1`);
  expect(readFileSync(open, "utf8")).toBe("old text");
  closeSync(open);
  expect(readFileSync(path, "utf8")).toBe("new text");
  expect(readdirSync(folder)).toEqual(["module.js"]);
});

describe.skipIf(WINDOWS)("with programs of the same names in the path", () => {
  test("scripts are run by the Node that runs the script that asks", async () => {
    program("node", "echo another");
    vi.stubEnv("PATH", PATH());
    const { run } = await script<{ run(program: string, args: string[]): Promise<{ output: string }> }>("run");
    expect((await run("node", ["-p", "process.execPath"])).output.trim()).toBe(process.execPath);
  });

  /** The output of .ci/run with a suite that puts this out, and its exit status. */
  function ci(text: string, code = 0) {
    program("node", "echo none");
    program("npm", `[ "$1" = ci ] && exit\nprintf '${text}'\nexit ${code}`);
    const { stdout, status } = spawnSync(join(ROOT, ".ci/run"), { encoding: "latin1", env: { ...process.env, PATH: PATH() } });
    return { lines: stdout.trimEnd().split("\n"), status };
  }

  test(".ci/run ends with the suite's line, whatever stands before and behind it, and with its exit status", () => {
    const line = "12 passed, 0 failed";
    expect(ci(`ok\\n${line}\\n`)).toEqual({ lines: ["ok", line], status: 0 });
    const failed = "11 passed, 1 failed";
    const { lines, status } = ci(`a zero: \\0, half a letter: \\303\\n${failed}\\nnpm has more to say\\n`, 1);
    expect([lines[0].length, ...lines.slice(1)]).toEqual(["a zero: 0, half a letter: 0".length, failed, "npm has more to say", failed]);
    expect(status).toBe(1);
  });

  test(".ci/run counts a suite that puts nothing out as one failure", () => {
    expect(ci("", 7)).toEqual({ lines: ["0 passed, 1 failed"], status: 7 });
  });
});
