// A page's own script: what `page.evaluate` runs would not be under the page's policy, so tests call these functions, which are.
import { createElephant } from "tusk-codec/elephant";
import { outcomes } from "./formats.js";

const violations = [];
addEventListener("securitypolicyviolation", ({ blockedURI, effectiveDirective }) => violations.push(`${blockedURI} ${effectiveDirective}`));

function evalAllowed() {
  try {
    return new Function("return true")();
  } catch {
    return false;
  }
}

const rows = Array.from({ length: 2000 }, (_, i) => ({ id: i, name: `row ${i}` }));

/** A save large enough that functions would be made for it. */
async function large(options) {
  const elephant = await createElephant(options);
  const back = elephant.read(elephant.write({ rows }));
  await createElephant(options);
  // Violations are told by a task of their own.
  await new Promise((resolve) => setTimeout(resolve, 50));
  return { engine: elephant.engine, same: JSON.stringify(back.rows) === JSON.stringify(rows), violations: violations.splice(0) };
}

const tests = { outcomes, large, evalAllowed };

/** Runs a test in a task of its own: as long as the test's own script runs, Chromium does not apply the policy. */
globalThis.runTest = async (name, ...args) => {
  await new Promise((resolve) => setTimeout(resolve));
  return tests[name](...args);
};
