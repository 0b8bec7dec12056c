// The golden files of the other formats through the command line: what can be read comes back byte by byte.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { run } from "./program.ts";

const VECTORS = fileURLToPath(new URL("../vectors/", import.meta.url));

/** How many files can be read at least, and how many of them at most need the kept original (their writers correct what the engines got wrong). */
const SUITES = [
  { format: "ds", folder: "ds/cases", ending: /\.txt(\.gz)?$/, readable: 234, unusual: 2 },
  { format: "introspection", folder: "introspection/cases", ending: /\.txt(\.gz)?$/, readable: 102, unusual: 0 },
  { format: "enigma", folder: "enigma", ending: /\.bin(\.gz)?$/, readable: 141, unusual: 18 },
];

describe.each(SUITES)("$format", ({ format, folder, ending, readable, unusual }) => {
  test("every file that can be read comes back from its JSON", async () => {
    let good = 0;
    let kept = 0;
    const opened: string[] = [];
    for (const name of readdirSync(join(VECTORS, folder))) {
      if (!ending.test(name)) continue;
      const stored = readFileSync(join(VECTORS, folder, name));
      const bytes = name.endsWith(".gz") ? gunzipSync(stored) : stored;
      const decoded = await run(["decode", "-q", "-"], bytes);
      if (decoded.status !== 0) {
        expect(decoded.status, name).toBe(1);
        expect(decoded.stderr, name).toMatch(/\[[a-z]+: [a-z-]+\]/);
        continue;
      }
      expect(JSON.parse(decoded.stdout.toString()).format, name).toBe(format);
      good++;
      if (decoded.stdout.includes('"originalOf": ')) kept++;
      const encoded = await run(["encode", "-q", "-"], decoded.stdout);
      expect(encoded.stderr, name).toBe("");
      expect(encoded.stdout.equals(bytes), name).toBe(true);
      if (format !== "ds") continue;
      // Where there is nothing to open, the JSON is what has just been encoded.
      const nested = (await run(["decode", "--nested", "-"], bytes)).stdout;
      if (nested.equals(decoded.stdout)) continue;
      opened.push(name);
      expect((await run(["encode", "-"], nested)).stdout.equals(bytes), name).toBe(true);
    }
    expect(opened).toEqual(format === "ds" ? ["map-x03-strings-of-structures-1.txt", "map-x03-strings-of-structures-2.txt"] : []);
    expect(good).toBeGreaterThanOrEqual(readable);
    expect(kept).toBeLessThanOrEqual(unusual);
  }, 60_000);
});

describe("introspection text that the superset cannot read", () => {
  const text = (...lines: string[]) => `oA = 1\n{\n\tm : map =\n\t{\n${lines.map((line) => `\t\t${line}\n`).join("")}\t}\n}\n`;

  test.each<[string, string[]]>([
    ["an escape that is none, in a label", ["k : int = 1", '"two\\qlines" : int = 1']],
    ["a key in brackets", ['"open : int = 1', "[3] : int = 1"]],
    ["a key that is true", ['"open : int = 1', "[true] : int = 1"]],
    ["a quoted key that could not stand bare", ['"open : int = 1', '"" : int = 1']],
    ["a value of an enum without a name", ['"open : int = 1', "k : enum = #5"]],
    ["an escaped name of an enum", ['"open : int = 1', 'k : enum = e"\\n"']],
    ["undefined", ['"open : int = 1', "k : undefined = undefined"]],
    ["no instance", ['"open : int = 1', "k : object = noone"]],
    ["an asset", ['"open : int = 1', "k : asset = sprite noone"]],
    ["a grid", ['"open : int = 1', "k : grid = 0x0", "{", "}"]],
  ])("is read as the original's, and that is told where it looks like the superset's: %s", async (_title, lines) => {
    const file = text(...lines);
    const line = 5 + lines.findIndex((given) => /open|qlines/.test(given));
    const code = lines[line - 5].includes("open") ? "bad-key" : "bad-escape";
    const stderr = `tusk: -: read as text of the original program; as superset text: ${code} in line ${line}\n`;
    for (const command of ["verify", "decode", "inspect"]) expect(await run([command, "-"], file)).toMatchObject({ status: 0, stderr });
    expect(await run(["verify", "-q", "-"], file)).toMatchObject({ status: 0, stderr: "" });
  });

  test("is the original's, without a word, where its program can have written it", async () => {
    for (const lines of [
      ['"open : int = 1'],
      ['"quoted" : int = 1', "[x] : int = 2", "a : b : int = 3"],
      ['k : string = "two', 'lines"', "l : enum = Red"],
    ])
      expect(await run(["verify", "-"], text(...lines))).toMatchObject({ status: 0, stderr: "" });
    for (const name of readdirSync(join(VECTORS, "introspection/cases"))) {
      if (!name.endsWith(".txt")) continue;
      const { stderr } = await run(["verify", "-"], readFileSync(join(VECTORS, "introspection/cases", name)));
      expect(stderr, name).not.toContain("original program");
    }
  });
});
