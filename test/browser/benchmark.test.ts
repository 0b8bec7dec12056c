// The benchmark in a page of its own: that it runs from end to end, and that what it measures has gone there and back. The figures are nobody's
// business here.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../package/installed.ts";
import { CHROMIUM } from "./chromium.ts";

interface Report {
  readonly corpora: readonly {
    readonly corpus: string;
    readonly operations: readonly { readonly results: readonly { readonly name: string; readonly bytes: number }[] }[];
  }[];
}

test.skipIf(!CHROMIUM)(
  "the browser's benchmark measures candidates in Chromium",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "tusk-benchmark-"));
    try {
      const file = join(folder, "report.json");
      const options = ["--quick", "--corpus", "small", "--only", "tusk,strong-js", "--rounds", "1", "--json", file];
      execFileSync(process.execPath, [join(ROOT, "bench/browser.mjs"), ...options], { env: { ...process.env, CHROMIUM }, stdio: "pipe" });
      const { corpora } = JSON.parse(readFileSync(file, "utf8")) as Report;
      expect(corpora.map(({ corpus }) => corpus)).toEqual(["small"]);
      for (const { results } of corpora[0].operations) expect(results.map(({ name }) => name).sort()).toEqual(["strong-js", "tusk"]);
      expect(corpora[0].operations).toHaveLength(2);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  60_000,
);
