// No entry grows above its budget unnoticed; `npm run size` shows the table, with --parts what takes the room.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./installed.ts";

interface Size {
  minified: number;
  gzip: number;
  budget: number;
  wanted: number;
}
const { measure, withoutBudget } = (await import(join(ROOT, "scripts/size.mjs"))) as {
  measure(): Promise<[entry: string, size: Size][]>;
  withoutBudget: readonly string[];
};

test("every entry has a budget", () => {
  expect(withoutBudget).toEqual([]);
});

const sizes = await measure();

test.each(sizes)("%s keeps to its budget", (_, { gzip, budget }) => {
  // Compressors of other releases of Node differ by some bytes.
  expect(Math.round(gzip / 100) / 10).toBeLessThanOrEqual(budget);
});

test("docs/performance.md says what each entry weighs, to within a twentieth", () => {
  const page = readFileSync(join(ROOT, "docs/performance.md"), "utf8");
  const said = [...page.matchAll(/^\| `tusk-codec(\/\w+)?` \| [\d.]+ \| ([\d.]+) \| (\d+) \|/gm)].map(
    ([, entry = "", gzip, wanted]) => [`.${entry}`, Number(gzip), Number(wanted)] as const,
  );
  expect(said.map(([entry, , wanted]) => [entry, wanted])).toEqual(sizes.map(([entry, { wanted }]) => [entry, wanted]));
  for (const [entry, gzip] of said) {
    const { gzip: measured } = sizes.find(([name]) => name === entry)![1];
    expect(Math.abs(gzip * 1000 - measured) / measured, entry).toBeLessThan(0.05);
  }
});
