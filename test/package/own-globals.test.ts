// Which global names the package's scripts look up once, and what that is for: a sandbox in which they are looked up by a call.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
// @ts-expect-error: a script without types
import { withOwnGlobals } from "../../scripts/own-globals.mjs";
import { LONG_RUN } from "../long-run.ts";
import { ROOT } from "./installed.ts";

const own = (code: string): string => withOwnGlobals(code);

describe("a script's own are the global names", () => {
  test("that it uses, each once, in order", () => {
    expect(own("Number(Math.imul(2, Math.PI));")).toBe(
      "const { Math: $Math, Number: $Number } = globalThis;\n$Number($Math.imul(2, $Math.PI));",
    );
    expect(own("const NaNs = [NaN];")).toBe("const { NaN: $NaN } = globalThis;\nconst NaNs = [$NaN];");
  });

  test("behind directives, in front of imports", () => {
    expect(own('"use strict";\nMath.imul(1, 2);')).toBe('"use strict";\nconst { Math: $Math } = globalThis;\n\n$Math.imul(1, 2);');
    expect(own('import { a } from "./a.mjs";\na(Math);')).toBe(
      'const { Math: $Math } = globalThis;\nimport { a } from "./a.mjs";\na($Math);',
    );
  });

  test("not members, not its own, not constructors", () => {
    for (const code of [
      "numbers.Math.imul(1, 2);",
      "const o = { Math: 1, Number() {} };",
      "class Number {}\nnew Number();",
      "function f(Math) { return Math; }",
      'import { Math } from "./numbers.mjs";\nMath.imul(1, 2);',
      "new Array(3); new Map(); Promise.resolve(setTimeout(Date.now, performance.now()));",
    ])
      expect(own(code)).toBe(code);
  });
});

/** Of each two scripts that are the same but for the module system, one. */
const HALF = /^(elephant|enigma)-.*\.mjs$|^(ds|introspection|engine)-.*\.cjs$/;

test("every script that reads or writes has them", () => {
  const scripts = readdirSync(join(ROOT, "dist")).filter((name) => /^(elephant|ds|enigma|introspection|engine)-.*\.(mjs|cjs)$/.test(name));
  expect(scripts).toHaveLength(10);
  expect(scripts.filter((name) => HALF.test(name))).toHaveLength(5);
  for (const name of scripts) {
    const code = readFileSync(join(ROOT, "dist", name), "utf8");
    expect(code, name).toMatch(/^const \{ [\w:$, ]+ \} = globalThis;\n/m);
    // Whether these are all takes long to find out.
    if (LONG_RUN || HALF.test(name)) expect(own(code), name).toBe(code);
  }
});

/** Milliseconds of a write, the best of many, in this process or in a sandbox as test runners make them. */
function writeTime(sandboxed: boolean): number {
  const program = `
    const { readFileSync } = require("node:fs");
    const { createRequire } = require("node:module");
    const { dirname } = require("node:path");
    const vm = require("node:vm");
    const context = ${sandboxed} ? vm.createContext({ TextEncoder, TextDecoder, WebAssembly, performance, Buffer, console }) : undefined;
    const run = (code) => (context ? vm.runInContext(code, context) : vm.runInThisContext(code));
    function load(path) {
      const names = "require, module, exports";
      const code = "(function (" + names + ") {" + readFileSync(path, "utf8") + "\\n})";
      const script = run(code);
      const module = { exports: {} };
      const require = createRequire(path);
      script((name) => (name.startsWith("./") ? load(require.resolve(name)) : require(name)), module, module.exports);
      return module.exports;
    }
    const elephant = load(${JSON.stringify(join(ROOT, "dist/elephant.cjs"))}).createElephantSync();
    const world = run('Array.from({ length: 20000 }, (_, id) => ({ id, x: id * 0.5, name: "n" + (id % 50), at: { x: id, y: -id } }))');
    let best = Infinity;
    for (let i = 0; i < 25; i++) {
      const start = performance.now();
      elephant.write(world);
      best = Math.min(best, performance.now() - start);
    }
    console.log(best);`;
  return Number(execFileSync(process.execPath, ["-e", program], { encoding: "utf8" }));
}

test("writing in a sandbox does not take many times what it takes elsewhere", () => {
  // Thirty times as long where each name is looked up.
  expect(writeTime(true) / writeTime(false)).toBeLessThan(10);
});
