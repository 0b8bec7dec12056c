// The codec in a real browser under each policy there is: which engine it takes, what it asks for, and that it reads and writes as in Node.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LONG_RUN } from "../elephant/codec.ts";
import { bundle } from "./bundle.ts";
import { CHROMIUM, useBrowser } from "./chromium.ts";
import { type Resource, useSite } from "./site.ts";
import { FORMATS, type Format, INPUTS, type Input } from "./vector-inputs.ts";

const { outcomes } = (await import(new URL("./pages/formats.js", import.meta.url).href)) as {
  outcomes(format: Format, inputs: readonly object[], engine?: string): string[];
};

/** Runs one of the functions of pages/page.js in the page, under its policy. */
declare function runTest(name: string, ...args: unknown[]): Promise<unknown>;

/** Both engines are given every small vector once; a page that differs in its policy alone is given some, and all of them in the long run. */
const SOME = LONG_RUN ? 1 : 12;

/** Those that have schemas need a codec each, and making one takes longer than reading a hundred small files: without the long run, some of them. */
const WITH_SCHEMAS = LONG_RUN ? 1 : 6;

/** The small vectors of a format, or every `step`th of either kind: with schemas and without. */
function chosen(format: Format, step = 1): Input[] {
  let [plain, strict] = [0, 0];
  return INPUTS[format].filter(({ schemas }) => (schemas ? strict++ % (step * WITH_SCHEMAS) : plain++ % step) === 0);
}

const POLICIES = [
  { title: "no policy", policy: undefined, engine: "wasm", evalAllowed: true, violations: [], step: 1 },
  {
    title: "script-src 'self'",
    policy: "script-src 'self'",
    engine: "js",
    evalAllowed: false,
    violations: ["wasm-eval script-src"],
    step: 1,
  },
  {
    title: "script-src 'self' 'wasm-unsafe-eval'",
    policy: "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'",
    engine: "wasm",
    evalAllowed: false,
    violations: ["eval script-src"],
    step: SOME,
  },
  {
    title: "trusted types",
    policy: "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; require-trusted-types-for 'script'",
    engine: "wasm",
    evalAllowed: false,
    violations: ["trusted-types-sink require-trusted-types-for"],
    step: SOME,
  },
] as const;

describe.skipIf(!CHROMIUM)("in Chromium", { timeout: 30_000 }, () => {
  const resources = new Map<string, Resource>();
  const browser = useBrowser();
  const origin = useSite(resources);
  const folder = mkdtempSync(join(tmpdir(), "tusk-pages-"));
  const expected = new Map<Format, Map<Input, string>>();

  beforeAll(async () => {
    const [module, classic] = await Promise.all([bundle("pages/page.js", "esm"), bundle("pages/page.js", "iife")]);
    resources.set("/page.js", { type: "text/javascript", body: module });
    POLICIES.forEach(({ policy }, i) => {
      resources.set(`/${i}`, { type: "text/html", policy, body: '<!doctype html><script type="module" src="/page.js"></script>' });
    });
    writeFileSync(join(folder, "page.js"), classic);
    writeFileSync(join(folder, "page.html"), '<!doctype html><meta charset="utf-8"><script src="page.js"></script>');
    for (const format of FORMATS) {
      const inputs = chosen(format);
      const results = outcomes(format, inputs);
      expected.set(format, new Map(inputs.map((input, i) => [input, results[i]])));
    }
  }, 60_000);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function open(url: string): Promise<Page> {
    const page = await browser().newPage();
    await page.goto(url);
    return page;
  }

  /** The small vectors of the formats, every one or every `step`th, against Node. */
  async function checkFormats(page: Page, step = 1, formats: readonly Format[] = FORMATS, memory?: "resizable"): Promise<void> {
    for (const format of formats) {
      const inputs = chosen(format, step);
      // As one text: each value of an argument is looked at several times on its way.
      const given = [format, JSON.stringify(inputs), memory] as const;
      const found = await page.evaluate(([name, inputs, memory]) => runTest("outcomes", name, JSON.parse(inputs), "auto", memory), given);
      expect(found, format).toEqual(inputs.map((input) => expected.get(format)!.get(input)!));
    }
  }

  test("memory that can be resized, which the platform's decoder refuses", async () => {
    const page = await open(`${origin()}/0`);
    await checkFormats(page, SOME, ["elephant", "enigma"], "resizable");
    await page.close();
  });

  test("there is something to compare: most small vectors of each format read well, some are refused", () => {
    for (const format of FORMATS) {
      const results = [...expected.get(format)!.values()];
      expect(results.length, format).toBeGreaterThan(80);
      expect(results.filter((result) => result.startsWith("good")).length, format).toBeGreaterThan(results.length / 2);
    }
  });

  describe.each(POLICIES.map((entry, i) => ({ ...entry, path: `/${i}` })))("$title", ({ path, engine, evalAllowed, violations, step }) => {
    let page: Page;
    beforeAll(async () => {
      page = await open(origin() + path);
    });
    afterAll(() => page.close());

    // The first one in the page: a permission is asked for once.
    test(`takes the ${engine} engine by itself, and asks for as little as possible`, async () => {
      expect(await page.evaluate(() => runTest("large", {}))).toEqual({ engine, same: true, violations });
    });

    test("asks for nothing when it is told", async () => {
      const options = { engine, codeGeneration: false };
      expect(await page.evaluate((given) => runTest("large", given), options)).toEqual({ engine, same: true, violations: [] });
    });

    test("reads and writes every format as Node does", () => checkFormats(page, step));

    test("is as strict as the title says", async () => {
      expect(await page.evaluate(() => runTest("evalAllowed"))).toBe(evalAllowed);
    });
  });

  test("a page under file://, with a classic script", async () => {
    const page = await open(pathToFileURL(join(folder, "page.html")).href);
    expect(await page.evaluate(() => runTest("large", {}))).toEqual({ engine: "wasm", same: true, violations: [] });
    await checkFormats(page, SOME);
    await page.close();
  });
});
