// No entry grows above its budget unnoticed; `npm run size` shows the table, with --parts what takes the room.
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

test.each(await measure())("%s keeps to its budget", (_, { gzip, budget }) => {
  // Compressors of other releases of Node differ by some bytes.
  expect(Math.round(gzip / 100) / 10).toBeLessThanOrEqual(budget);
});
