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
    }
    expect(good).toBeGreaterThanOrEqual(readable);
    expect(kept).toBeLessThanOrEqual(unusual);
  }, 60_000);
});
