// Paths that are typed behind `--path`.
import { describe, expect, test } from "vitest";
import { parsePath } from "../../src/cli/paths.ts";
import { run } from "./program.ts";

describe("--path", () => {
  test("names, indices and names in quotes", () => {
    expect(parsePath('hero.bag[3]["a \\"name\\"\\u00e9"]')).toEqual(["hero", "bag", 3, 'a "name"é']);
    expect(parsePath("")).toEqual([]);
  });

  test.each(['.hero["\\q"]', '["a\\u00zz"]', '["a\tb"]', ".hero[", ".a b"])("what is no path is a wrong call: %j", async (path) => {
    const outcome = await run(["inspect", "--path", path, "-"], '{"tusk":1,"format":"elephant","root":{}}');
    expect(outcome.status).toBe(2);
    expect(outcome.stderr).toMatch(/^tusk: --path: cannot read .*; paths look like \.entities\[3\]\["a name"\]\n/);
  });
});
