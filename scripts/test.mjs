// The whole suite: builds what is missing, checks types, style and the package as it would be published, then runs every test.
// The last line is "N passed, N failed"; the exit status is 0 only when nothing failed.
//   --long   only the property tests, with 10,000 cases drawn anew (TUSK_CASES, TUSK_SEED), and in full size what the suite does a part of
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LONG } from "./long-tests.mjs";
import { run } from "./run.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const build = join(root, "build");
const long = process.argv.includes("--long");
const others = process.argv.slice(2).filter((argument) => argument !== "--long");
if (others.length > 0) {
  console.error(`${others[0]}: the suite is run as a whole; for some of its files there is npx vitest run FILE`);
  process.exit(2);
}

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
  const report = join(build, "test-report.json");
  rmSync(report, { force: true });
  const { code } = await run("vitest", ["run", ...args, "--reporter=default", "--reporter=json", `--outputFile.json=${report}`], {
    show: true,
    mayFail: true,
    env,
  });
  let found = 0;
  let told = false;
  try {
    const result = JSON.parse(readFileSync(report, "utf8"));
    passed += result.numPassedTests;
    found = result.numFailedTests;
    // A file that could not even be loaded holds no failed test.
    found += result.testResults.filter(
      (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
    ).length;
    told = true;
    const skipped = result.numPendingTests + (result.numTodoTests ?? 0);
    if (skipped > 0) console.log(`${skipped} skipped: see the report above for what they need`);
  } catch (error) {
    console.log(`the test run left no report: ${error.message}`);
  }
  // Errors outside of tests show only in the exit code, and without a report nothing is known.
  failed += code === 0 && told ? found : Math.max(found, 1);
}

/** The tarball that would be published, made once for all that install it. */
async function packed() {
  const { output } = await run("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", build]);
  const name = /"filename": "([^"]+)"/.exec(output)[1];
  return join(build, name);
}

async function everything() {
  await check("build", () => run("node", ["scripts/build.mjs", "--if-needed"], { show: true }));
  if (failed > 0) return;
  if (long) return tests(LONG, { TUSK_CASES: process.env.TUSK_CASES ?? "10000", TUSK_LONG: "1" });
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
mkdirSync(build, { recursive: true });
try {
  await everything();
} catch (error) {
  failed++;
  console.log(error.stack);
}
console.log(`the suite took ${seconds(start)}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
