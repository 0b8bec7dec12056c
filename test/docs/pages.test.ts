// The pages of the guide (blocks of the language `html`), in a browser, with the package's files where npm puts them.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CHROMIUM, useBrowser } from "../browser/chromium.ts";
import { type Resource, useSite } from "../browser/site.ts";
import { ROOT } from "../package/installed.ts";

const [page] = [...readFileSync(join(ROOT, "docs/guide.md"), "utf8").matchAll(/^```html\n(.*?)^```$/gms)].map((match) => match[1]);

describe.skipIf(!CHROMIUM)("without a bundler", { timeout: 30_000 }, () => {
  const script = (path: string): Resource => ({ type: "text/javascript", body: readFileSync(path) });
  const dist = readdirSync(join(ROOT, "dist")).filter((name) => name.endsWith(".mjs"));
  const resources = new Map<string, Resource>([
    ["/", { type: "text/html", body: page }],
    ["/node_modules/pako/dist/pako.mjs", script(join(ROOT, "node_modules/pako/dist/pako.mjs"))],
    ...dist.map((name): [string, Resource] => [`/node_modules/tusk-codec/dist/${name}`, script(join(ROOT, "dist", name))]),
  ]);
  const browser = useBrowser();
  const origin = useSite(resources);

  test("the page of the guide shows what it says", async () => {
    const [, said] = /document\.title = .*\/\/ (.*)$/m.exec(page)!;
    const opened = await browser().newPage();
    const failures: string[] = [];
    opened.on("pageerror", (error) => failures.push(String(error)));
    opened.on("response", (response) => response.ok() || response.url().endsWith(".ico") || failures.push(response.url()));
    await opened.goto(origin());
    await expect.poll(async () => [await opened.title(), ...failures]).toEqual([said]);
    await opened.close();
  });
});
