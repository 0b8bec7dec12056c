// `tusk-codec/worker` in a real browser: classic and module workers under each policy, which a worker has of its own response.
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LONG_RUN } from "../elephant/codec.ts";
import { ROOT } from "../package/installed.ts";
import { bundle } from "./bundle.ts";
import { ARGUMENTS, CHROMIUM, useBrowser } from "./chromium.ts";
import { type Resource, useSite } from "./site.ts";
import { FORMATS, type Format, INPUTS } from "./vector-inputs.ts";

const { outcomes } = (await import(new URL("./pages/formats.js", import.meta.url).href)) as {
  outcomes(format: Format, inputs: readonly object[]): string[];
};

/** Of browsers. */
declare const trustedTypes: {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): URL };
};

/** Runs one of the functions of pages/worker-page.js in the page, under its policy. */
declare function runTest(name: string, ...args: unknown[]): Promise<unknown>;

const POLICIES = [
  { title: "no policy", policy: undefined, engine: "wasm" },
  { title: "script-src 'self'", policy: "default-src 'none'; script-src 'self'; worker-src 'self'", engine: "js" },
  {
    title: "script-src 'self' 'wasm-unsafe-eval'",
    policy: "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'",
    engine: "wasm",
  },
];

/** A few of each format, more in the long run: strict-pages.test.ts has them all. */
const STEP = LONG_RUN ? 8 : 24;
const FEW = Object.fromEntries(FORMATS.map((format) => [format, INPUTS[format].filter((_, i) => i % STEP === 0)]));

/** What Node makes of them. */
const EXPECTED = Object.fromEntries(FORMATS.map((format) => [format, outcomes(format, FEW[format])]));

const GOOD = {
  sameBytes: true,
  sameValue: true,
  sameText: true,
  list: { kind: "list", generation: 3, items: [1, "two", true] },
  format: "elephant",
  error: { name: "TuskError", code: "unknown-datatype", offset: 8 },
  violations: [],
};

describe.skipIf(!CHROMIUM)("a worker in Chromium", { timeout: 30_000 }, () => {
  const resources = new Map<string, Resource>();
  const browser = useBrowser();
  const origin = useSite(resources);
  const folder = mkdtempSync(join(tmpdir(), "tusk-workers-"));
  const ownScript = readFileSync(join(ROOT, "dist/worker-thread.js"), "utf8");

  beforeAll(async () => {
    const [page, classicPage, module, classic] = await Promise.all([
      bundle("pages/worker-page.js", "esm"),
      bundle("pages/worker-page.js", "iife"),
      bundle("pages/worker.js", "esm"),
      bundle("pages/worker.js", "iife"),
    ]);
    POLICIES.forEach(({ policy }, i) => {
      const script = (body: string): Resource => ({ type: "text/javascript", policy, body });
      resources.set(`/${i}/`, { type: "text/html", policy, body: '<!doctype html><script type="module" src="page.js"></script>' });
      resources.set(`/${i}/page.js`, script(page));
      resources.set(`/${i}/worker-thread.js`, script(ownScript));
      resources.set(
        `/${i}/in-electron.js`,
        script('self.process = { versions: { node: "20.11.0" } }; importScripts("worker-thread.js"); delete self.process;'),
      );
      resources.set(`/${i}/module.js`, script(module));
      resources.set(`/${i}/classic.js`, script(classic));
    });
    const strict = "default-src 'none'; script-src 'self'; worker-src 'self'; require-trusted-types-for 'script'; trusted-types game";
    resources.set("/trusted/", { type: "text/html", policy: strict, body: '<!doctype html><script type="module" src="page.js"></script>' });
    for (const [name, body] of [
      ["page.js", page],
      ["worker-thread.js", ownScript],
    ])
      resources.set(`/trusted/${name}`, { type: "text/javascript", policy: strict, body });
    writeFileSync(join(folder, "page.html"), '<!doctype html><meta charset="utf-8"><script src="page.js"></script>');
    writeFileSync(join(folder, "page.js"), classicPage);
    writeFileSync(join(folder, "classic.js"), classic);
    copyFileSync(join(ROOT, "dist/worker-thread.js"), join(folder, "worker-thread.js"));
  }, 60_000);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  describe.each(POLICIES.map((entry, i) => ({ ...entry, path: `/${i}/` })))("$title", ({ path, engine }) => {
    let page: Page;
    beforeAll(async () => {
      page = await browser().newPage();
      await page.goto(origin() + path);
    }, 30_000);
    afterAll(() => page.close());

    test("the package's own script, by its name beside the page's, asks for nothing it is told not to", async () => {
      expect(await page.evaluate((given) => runTest("standard", given), { engine, codeGeneration: false })).toEqual(GOOD);
    });

    test("the same script as a module worker", async () => {
      const options = { worker: "worker-thread.js", workerOptions: { type: "module" }, engine, codeGeneration: false };
      expect(await page.evaluate((given) => runTest("standard", given), options)).toEqual(GOOD);
    });

    test("the same script where there is Node's process, but no module of Node", async () => {
      const options = { worker: "in-electron.js", engine, codeGeneration: false };
      expect(await page.evaluate((given) => runTest("standard", given), options)).toEqual(GOOD);
    });

    test.each([
      ["module", { worker: "module.js", workerOptions: { type: "module" } }],
      ["classic", { worker: "classic.js" }],
    ])("an own %s worker takes the engine that its policy allows, and reads every format as Node does", async (_, options) => {
      const given = [options, JSON.stringify(FEW)] as const;
      const result = await page.evaluate(([options, inputs]) => runTest("own", options, JSON.parse(inputs)), given);
      expect(result).toMatchObject({ engine, outcomes: EXPECTED });
    });
  });

  test("where a script's URL has to be trusted, a worker that was made from such a URL works, and a name is refused", async () => {
    const page = await browser().newPage();
    await page.goto(`${origin()}/trusted/`);
    const standard = await page.evaluate(() => {
      const policy = trustedTypes.createPolicy("game", { createScriptURL: (url) => url });
      const worker = new Worker(policy.createScriptURL("worker-thread.js"));
      return runTest("standard", { worker, engine: "js", codeGeneration: false });
    });
    expect(standard).toEqual(GOOD);
    expect(await page.evaluate(() => runTest("failure", { worker: "worker-thread.js" }))).toEqual({ name: "TuskError", code: "worker" });
    await page.close();
  });

  describe("under file://", () => {
    const url = pathToFileURL(join(folder, "page.html")).href;

    test("a browser refuses workers, and the error says so", async () => {
      const page = await browser().newPage();
      await page.goto(url);
      expect(await page.evaluate(() => runTest("failure", { worker: "worker-thread.js" }))).toEqual({ name: "TuskError", code: "worker" });
      await page.close();
    });

    test("where files are given to files, as Electron does by default, classic workers work", async () => {
      const permissive = await chromium.launch({ executablePath: CHROMIUM!, args: [...ARGUMENTS, "--allow-file-access-from-files"] });
      const page = await permissive.newPage();
      await page.goto(url);
      const options = { worker: "worker-thread.js", codeGeneration: false };
      expect(await page.evaluate((given) => runTest("standard", given), options)).toEqual(GOOD);
      expect(await page.evaluate(() => runTest("own", { worker: "classic.js" }, {}))).toMatchObject({ engine: "wasm" });
      await permissive.close();
    });
  });
});
