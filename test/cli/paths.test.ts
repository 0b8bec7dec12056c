// Paths that are typed behind `--path`.
import { describe, expect, test } from "vitest";
import { parsePath } from "../../src/cli/paths.ts";
import { run } from "./program.ts";

describe("--path", () => {
  test("names, indices and names in quotes", () => {
    expect(parsePath('hero.bag[3]["a \\"name\\"\\u00e9"]')).toEqual(["hero", "bag", 3, 'a "name"é']);
    expect(parsePath("")).toEqual([]);
  });

  test("leads to members of the save only", async () => {
    const root = { bag: [1], length: 2, s32: { $s32: 5 }, bytes: "text" };
    const at = (path: string) => run(["inspect", "--path", path, "-"], JSON.stringify({ tusk: 1, format: "elephant", root }));
    for (const path of [".bag.length", ".s32.value", ".s32.datatype", ".bytes[0]", ".bytes.length", ".toString", ".__proto__", ".bag[1]"])
      expect(await at(path), path).toMatchObject({ status: 2, stderr: expect.stringContaining(`nothing at ${path}`) });
    expect((await at(".length")).stdout.toString()).toBe(".length  2\n");
    expect((await at(".bag[0]")).stdout.toString()).toBe(".bag[0]  1\n");
  });

  test.each(['.hero["\\q"]', '["a\\u00zz"]', '["a\tb"]', ".hero[", ".a b"])("what is no path is a wrong call: %j", async (path) => {
    const outcome = await run(["inspect", "--path", path, "-"], '{"tusk":1,"format":"elephant","root":{}}');
    expect(outcome.status).toBe(2);
    expect(outcome.stderr).toMatch(/^tusk: --path: cannot read .*; paths look like \.entities\[3\]\["a name"\]\n/);
  });
});
