// What does more in the long run is a part of it.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
// @ts-expect-error: a script without types
import { LONG } from "../scripts/long-tests.mjs";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));
/** The modules that tell how much is done, and what they tell of it. */
const TELLING = ["long-run.ts", "elephant/codec.ts"].map((name) => join(FOLDER, name));
const TOLD = /\b(LONG_RUN|MODES|CASES|casesOf)\b/;

const name = (path: string): string => relative(FOLDER, path).replaceAll("\\", "/");

const paths = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
  .map((entry) => join(entry.parentPath, entry.name));

/** By module: what it imports from which others. */
const imports = new Map(
  paths.map((path) => {
    const found = readFileSync(path, "utf8").matchAll(/^import (?!type )([^;]*?) from "(\.[^"]*)";/gm);
    return [path, [...found].map(([, names, from]) => [resolve(dirname(path), from), names] as const)];
  }),
);

/** Does it ask how much is done, itself or by what it imports? */
function asks(path: string): boolean {
  return (imports.get(path) ?? []).some(([from, names]) => (TELLING.includes(from) ? TOLD.test(names) : asks(from)));
}

test("every test that asks how much is done is in the long run", () => {
  const asking = paths.filter((path) => path.endsWith(".test.ts") && asks(path)).map(name);
  expect(asking).toContain("elephant/first-writes.test.ts");
  // By a module that it imports.
  expect(asking).toContain("elephant/vectors-strict-page.test.ts");
  expect(asking.filter((file) => !LONG.some((part: string) => `test/${file}`.includes(part)))).toEqual([]);
});

test("the long run names nothing that there is not", () => {
  expect(LONG.filter((part: string) => !paths.some((path) => path.endsWith(".test.ts") && `test/${name(path)}`.includes(part)))).toEqual(
    [],
  );
});
