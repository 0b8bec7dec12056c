// Which calls the package's scripts ask minifiers to leave as they are.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
// @ts-expect-error: a script without types
import { withoutInlining } from "../../scripts/no-inlining.mjs";
import { LONG_RUN } from "../long-run.ts";
import { ROOT } from "./installed.ts";

const marked = (code: string): string => withoutInlining(code);
const MARK = "/*@__NOINLINE__*/ ";

describe("marked is the only use of a function, if it is a call", () => {
  test("of a function of the script, above or below it", () => {
    expect(marked("function sum() {}\nsum(1);")).toBe(`function sum() {}\n${MARK}sum(1);`);
    expect(marked("const x = 1 + sum(1);\nfunction sum() {}")).toBe(`const x = 1 + ${MARK}sum(1);\nfunction sum() {}`);
  });

  test("of an exported one, an imported one and one inside of another function", () => {
    expect(marked("export function sum() {}\nsum(1);")).toBe(`export function sum() {}\n${MARK}sum(1);`);
    expect(marked('import { sum as add } from "./sum.mjs";\nadd(1);')).toBe(`import { sum as add } from "./sum.mjs";\n${MARK}add(1);`);
    expect(marked("(function () { function sum() {} sum(1); })();")).toBe(`(function () { function sum() {} ${MARK}sum(1); })();`);
  });

  test("whatever else has its name", () => {
    const others = "class Numbers { sum() { return this.sum; } } const numbers = { sum: 1 }; function other(sum) { return sum(); }";
    expect(marked(`function sum() {}\n${others}\nsum(numbers.sum);`)).toBe(`function sum() {}\n${others}\n${MARK}sum(numbers.sum);`);
  });

  test("not one of two calls, a function that is handed on, a method, a class", () => {
    for (const code of [
      "function sum() {}\nsum(1);\nsum(2);",
      "function sum() {}\nlist.map(sum);",
      "function sum() { sum(1); }\nsum(2);",
      "class Numbers { sum() {} }\nnew Numbers().sum();",
      "const sum = numbers.sum;\nsum(1);",
    ])
      expect(marked(code)).toBe(code);
  });
});

/** One of each format and of each module system; the worker's script has the same of both. */
const SOME = /^elephant-.*\.mjs$|^ds-.*\.cjs$/;

test.each(readdirSync(join(ROOT, "dist")).filter((name) => /^(elephant-|ds-|worker-thread).*\.(mjs|cjs|js)$/.test(name)))("%s", (name) => {
  const code = readFileSync(join(ROOT, "dist", name), "utf8");
  expect(code).toContain(MARK);
  // Whether these are all takes long to find out.
  if (LONG_RUN || SOME.test(name)) expect(marked(code.replaceAll(MARK, ""))).toBe(code);
});
