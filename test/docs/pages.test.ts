// The pages of the guide (blocks of the language `html`), in a browser, with the package's files where npm puts them.
import { createHash } from "node:crypto";
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
  const strict = "default-src 'none'; script-src 'self'";
  const hashes = [...page.matchAll(/<script[^>]*>(.*?)<\/script>/gs)].map(
    ([, text]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`,
  );
  resources.set("/strict", { type: "text/html", policy: strict, body: page });
  resources.set("/hashes", { type: "text/html", policy: `${strict} ${hashes.join(" ")}`, body: page });
  const entries = ["ds", "enigma", "introspection"];
  const imports = entries.map((entry) => `import * as ${entry} from "./node_modules/tusk-codec/dist/${entry}.mjs";`).join("\n");
  const result = "document.title = ds.readDs(ds.writeDs({ kind: 'list', items: [1250] })).items[0];";
  resources.set("/path.js", { type: "text/javascript", body: `${imports}\n${result}` });
  resources.set("/path", {
    type: "text/html",
    policy: `${strict}; require-trusted-types-for 'script'; trusted-types 'none'`,
    body: '<!doctype html><title>loading</title><script type="module" src="path.js"></script>',
  });
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

  test("under a strict policy, the page of the guide needs the hashes of its scripts; what is imported by path needs none", async () => {
    const opened = await browser().newPage();
    for (const [path, title] of [
      ["/hashes", "js 1250"],
      ["/path", "1250"],
      ["/strict", "loading"],
    ]) {
      const refused: string[] = [];
      const note = (message: { text(): string }) => void refused.push(message.text());
      opened.on("console", note);
      await opened.goto(origin() + path);
      const inline = () => refused.filter((text) => text.includes("inline script")).length;
      await expect.poll(async () => [await opened.title(), inline()], { message: path }).toEqual([title, path === "/strict" ? 2 : 0]);
      opened.off("console", note);
    }
    await opened.close();
  });
});
