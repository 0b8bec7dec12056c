// The whole suite: builds what is missing, checks types, style and the package as it would be published, then runs every test.
// The last line is "N passed, N failed"; the exit status is 0 only when nothing failed.
//   --long   only the property tests, with 10,000 cases drawn anew (TUSK_CASES, TUSK_SEED), and in full size what the suite does a part of
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LONG, numberAsked } from "./long-tests.mjs";
import { run } from "./run.mjs";
import { countsOf } from "./test-counts.mjs";

const long = process.argv.includes("--long");
const others = process.argv.slice(2).filter((argument) => argument !== "--long");
if (others.length > 0) {
  console.error(`${others[0]}: the suite is run as a whole; for some of its files there is npx vitest run FILE`);
  process.exit(2);
}

let cases;
try {
  cases = numberAsked("TUSK_CASES", 10_000);
} catch (error) {
  console.error(error.message);
  process.exit(2);
}

/** What the suite leaves for its own use: another one may be under way. */
const folder = mkdtempSync(join(tmpdir(), "tusk-suite-"));
let passed = 0;
let failed = 0;
const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/** Counts as one test. */
async function check(title, action) {
  const start = performance.now();
  try {
    await action();
    passed++;
    console.log(`ok      ${title} (${seconds(start)})`);
  } catch (error) {
    failed++;
    console.log(`FAILED  ${title} (${seconds(start)})\n${error.message}`);
  }
}

async function tests(args, env) {
  const report = join(folder, "report.json");
  // Found and started once for all processes that have tests in a browser.
  const { findChromium } = await import("./chromium.mjs");
  const { code } = await run("vitest", ["run", ...args, "--reporter=default", "--reporter=json", `--outputFile.json=${report}`], {
    show: true,
    mayFail: true,
    env: { CHROMIUM: findChromium() ?? "none", ...env },
  });
  try {
    const counts = countsOf(readFileSync(report, "utf8"), code);
    passed += counts.passed;
    failed += counts.failed;
    if (counts.skipped > 0) console.log(`${counts.skipped} skipped: see the report above for what they need`);
  } catch (error) {
    // Nothing is known then.
    failed++;
    console.log(`the test run left no report: ${error.message}`);
  }
}

/** The tarball that would be published, made once for all that install it. */
async function packed() {
  const { output } = await run("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", folder]);
  const name = /"filename": "([^"]+)"/.exec(output)[1];
  return join(folder, name);
}

async function everything() {
  await check("build", () => run("node", ["scripts/build.mjs", "--if-needed"], { show: true }));
  if (failed > 0) return;
  if (long) return tests(LONG, { TUSK_CASES: `${cases}`, TUSK_LONG: "1" });
  let tarball;
  // None of them keeps two processors busy for long, and none needs another.
  await Promise.all([
    // By TypeScript 7, which takes a sixth of the time; other tools need the programming interface of 6. Both have a program named tsc.
    check("types (tsc)", () => run("npm", ["run", "check:types"])),
    // The tests may use what browsers do not have yet.
    check("nothing newer than ES2022 in src (tsc)", () => run("npm", ["run", "check:types", "--", "-p", "src"])),
    // Types are what tsc checks.
    check("reference (typedoc)", () => run("typedoc", ["--emit", "none", "--skipErrorChecking"])),
    check("format and style (biome)", () => run("biome", ["check", "."])),
    check("package layout (publint)", () => run("publint", ["--strict", "--pack", "false"])),
    check("types for every way of importing (attw)", async () => {
      tarball = await packed();
      // Of every code entry, by .attw.json: the module and the worker's script are files to load, which bundlers give the URL of.
      await run("attw", [tarball]);
    }),
  ]);
  await tests([], tarball === undefined ? {} : { TUSK_TARBALL: tarball });
}

const start = performance.now();
try {
  await everything();
} catch (error) {
  failed++;
  console.log(error.stack);
}
rmSync(folder, { recursive: true, force: true });
console.log(`the suite took ${seconds(start)}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
