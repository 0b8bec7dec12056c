// The codec in the engine of another browser, named by $FIREFOX: under each policy it reads and writes as in Node, in the page and in a worker.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../package/installed.ts";
import { bundle } from "./bundle.ts";
import { type Resource, useSite } from "./site.ts";
import { FORMATS, type Format, INPUTS } from "./vector-inputs.ts";

const { outcomes } = (await import(new URL("./pages/formats.js", import.meta.url).href)) as {
  outcomes(format: Format, inputs: readonly object[]): string[];
};

const { FIREFOX } = process.env;

const POLICIES = [
  { title: "no policy", policy: undefined, engine: "wasm", evalAllowed: true },
  { title: "script-src 'self'", policy: "script-src 'self'", engine: "js", evalAllowed: false },
  {
    title: "script-src 'self' 'wasm-unsafe-eval'",
    policy: "default-src 'none'; connect-src 'self'; worker-src 'self'; script-src 'self' 'wasm-unsafe-eval'",
    engine: "wasm",
    evalAllowed: false,
  },
];

/** Nobody drives this browser, so the page runs the tests and sends what came of them. */
const SCRIPT = `
import "./page.js";
const inPage = globalThis.runTest;
await import("./worker-page.js");
const inWorker = globalThis.runTest;

async function results() {
  const inputs = await (await fetch("/inputs.json")).json();
  const found = { large: await inPage("large", {}), worker: await inWorker("standard", {}), evalAllowed: await inPage("evalAllowed") };
  for (const [format, list] of Object.entries(inputs)) {
    found[format] = await inPage("outcomes", format, list);
    found[format + ", engine js"] = await inPage("outcomes", format, list, "js");
  }
  return found;
}
const found = await results().catch((error) => ({ error: String(error) }));
await fetch("/results", { method: "POST", body: JSON.stringify(found) });
`;

describe.skipIf(!FIREFOX)("in Firefox", () => {
  const resources = new Map<string, Resource>();
  let told: (results: unknown) => void = () => {};
  const origin = useSite(resources, (body) => told(JSON.parse(body)));

  beforeAll(async () => {
    const scripts = {
      "page.js": await bundle("pages/page.js", "esm"),
      "worker-page.js": await bundle("pages/worker-page.js", "esm"),
      "worker-thread.js": readFileSync(join(ROOT, "dist/worker-thread.js"), "utf8"),
      "run.js": SCRIPT,
    };
    resources.set("/inputs.json", { type: "application/json", body: JSON.stringify(INPUTS) });
    POLICIES.forEach(({ policy }, i) => {
      resources.set(`/${i}/`, { type: "text/html", policy, body: '<!doctype html><script type="module" src="run.js"></script>' });
      for (const [name, body] of Object.entries(scripts)) resources.set(`/${i}/${name}`, { type: "text/javascript", policy, body });
    });
  }, 60_000);

  /** What a page sends, opened in a browser of its own. */
  async function resultsOf(path: string): Promise<Record<string, unknown>> {
    const profile = mkdtempSync(join(tmpdir(), "tusk-firefox-"));
    const process = spawn(FIREFOX!, ["--headless", "--no-remote", "--profile", profile, origin() + path], { stdio: "ignore" });
    const ended = new Promise((resolve) => process.once("exit", resolve));
    try {
      return await new Promise((resolve, reject) => {
        told = resolve as typeof told;
        process.once("error", reject);
        process.once("exit", (status) => reject(new Error(`Firefox ended with ${status}`)));
      });
    } finally {
      process.kill();
      await ended;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    }
  }

  test.each(POLICIES.map((entry, i) => ({ ...entry, path: `/${i}/` })))(
    "$title",
    { timeout: 120_000 },
    async ({ path, engine, evalAllowed }) => {
      const { large, worker, evalAllowed: allowed, ...found } = await resultsOf(path);
      expect({ large, allowed }).toMatchObject({ large: { engine, same: true }, allowed: evalAllowed });
      expect(worker).toMatchObject({
        sameBytes: true,
        sameValue: true,
        sameText: true,
        list: { kind: "list", items: [1, "two", true] },
        error: { code: "unknown-datatype", offset: 8 },
      });
      const expected = FORMATS.flatMap((format) => {
        const results = outcomes(format, INPUTS[format]);
        return [
          [format, results],
          [`${format}, engine js`, results],
        ];
      });
      expect(found).toEqual(Object.fromEntries(expected));
    },
  );
});
