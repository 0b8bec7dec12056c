// The operations stand in two files that cannot import each other: AssemblyScript's and TypeScript's. They must be the same list.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import * as CODE from "../../src/elephant/codes.ts";
import { codeNamed, type Datatype, datatypeName } from "../../src/elephant/datatypes.ts";

interface Listing {
  readonly values: Record<string, number>;
  /** Names in their order, with the comment lines between them. */
  readonly lines: string[];
}

function listing(path: string): Listing {
  const source = readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");
  const values: Record<string, number> = {};
  const lines: string[] = [];
  for (const line of source.split("\n")) {
    const found = /^export const (\w+)(?:: [iu]32)? = (0x[0-9a-f]+|\d+);$/.exec(line);
    if (found) {
      expect(values, `${path} has ${found[1]} once`).not.toHaveProperty(found[1]);
      values[found[1]] = Number(found[2]);
      lines.push(found[1]);
    } else if (/^(\/\/ ----|\/\*\*)/.test(line)) lines.push(line);
    else expect(line, `a line of ${path} that is neither an operation nor a comment`).toMatch(/^(\/\/.*)?$/);
  }
  return { values, lines };
}

const kernel = listing("assembly/elephant/ops.ts");
const shim = listing("src/graph/ops.ts");

test("both files name the same operations with the same values", () => {
  expect(Object.keys(kernel.values).length).toBeGreaterThan(50);
  expect(shim.values).toEqual(kernel.values);
});

test("both files describe them alike and in the same order", () => {
  expect(shim.lines).toEqual(kernel.lines);
});

test("operations have values of their own that fit six bits", () => {
  const operations: number[] = [];
  let section = "";
  for (const line of shim.lines) {
    if (line.startsWith("// ----")) section = line;
    else if (!line.startsWith("/**") && section.includes("the kernel emits") && line !== "TO_ARRAY" && line !== "EXISTING")
      operations.push(shim.values[line]);
  }
  expect(operations.length).toBeGreaterThan(15);
  expect(new Set(operations).size).toBe(operations.length);
  expect(operations.every((operation) => operation > 0 && operation < 64)).toBe(true);
});

test("datatypes have the same codes as constants and by their names", () => {
  const codes = Object.entries(CODE);
  expect(codes.length).toBe(17);
  for (const [name, code] of codes) {
    expect(codeNamed(name as Datatype)).toBe(code);
    expect(datatypeName(code)).toBe(name);
  }
});
