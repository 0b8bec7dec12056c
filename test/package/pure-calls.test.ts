// What a bundler may leave out of the package's modules: what they make when they are loaded.
import { describe, expect, test } from "vitest";
// @ts-expect-error: a script without types
import { withPureCalls } from "../../scripts/pure-calls.mjs";
// @ts-expect-error: a script without types
import { publishedSizeOf, sizeOf } from "../../scripts/size.mjs";

const marked = (code: string): string => withPureCalls(code);
const MARK = "/* @__PURE__ */ ";

describe("a call bears the mark", () => {
  test("by which a constant of the script is made, and those within", () => {
    expect(marked("const table = new Table(5), other = 1;")).toBe(`const table = ${MARK}new Table(5), other = 1;`);
    expect(marked("export const names = freeze(list.map((name) => name.trim()));")).toBe(
      `export const names = ${MARK}freeze(${MARK}list.map((name) => name.trim()));`,
    );
    expect(marked("const o = { a: [make()] };")).toBe(`const o = { a: [${MARK}make()] };`);
  });

  test("once for a chain of calls", () => {
    expect(marked("const chain = start().then().end();")).toBe(`const chain = ${MARK}start().then().end();`);
  });

  test("not when it is made later, and not when nothing is made of it", () => {
    for (const code of [
      "const f = () => new Table();",
      "class A { static a = b(); }",
      "function f() { const a = b(); }",
      "register(table);",
    ])
      expect(marked(code)).toBe(code);
  });
});

test("one function of an entry brings little more than that from what is built", async () => {
  for (const [entry, name, more] of [
    [".", "detect", 2500],
    ["./elephant", "createElephant", 800],
    ["./ds", "readDs", 300],
    ["./worker", "createTuskWorker", 1200],
  ]) {
    const { gzip } = await sizeOf(entry, name);
    const published = await publishedSizeOf(entry, name);
    expect(published - gzip, name as string).toBeLessThan(more as number);
    expect(published, name as string).toBeGreaterThan(gzip / 2);
  }
});
