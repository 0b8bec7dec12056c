// Participants in Chromium: each candidate runs in a page of a browser context of its own, which is a process of its own.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { PUBLIC_CORPORA } from "../public-data.mjs";

const folder = fileURLToPath(new URL("../../build/bench-page/", import.meta.url));
async function bundlePage() {
  rmSync(folder, { recursive: true, force: true });
  const bundle = await rolldown({
    input: { page: fileURLToPath(new URL("page.mjs", import.meta.url)) },
    platform: "browser",
    external: /^node:/,
    logLevel: "silent",
  });
  await bundle.write({ dir: folder, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" });
}

function serve() {
  const server = createServer((request, response) => {
    // Cross-origin isolation gives the page a clock of 5 µs instead of 100.
    response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
    response.setHeader("Cross-Origin-Embedder-Policy", "require-corp");
    const { pathname } = new URL(request.url, "http://localhost");
    const corpus = PUBLIC_CORPORA.find((c) => pathname === `/corpora/${c.name}.json`);
    if (corpus !== undefined) return response.setHeader("Content-Type", "application/json").end(JSON.stringify(corpus.json()));
    if (pathname === "/")
      return response
        .setHeader("Content-Type", "text/html")
        .end('<!doctype html><meta charset="utf-8"><script type="module" src="/page.mjs"></script>');
    const file = join(folder, pathname.slice(1));
    if (!/^\/[\w.-]+\.mjs$/.test(pathname) || !existsSync(file)) return response.writeHead(404).end();
    return response.setHeader("Content-Type", "text/javascript").end(readFileSync(file));
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

class PageParticipant {
  #context;
  #page;

  constructor(name, context, page) {
    this.name = name;
    this.#context = context;
    this.#page = page;
  }

  #ask(action, job) {
    return this.#page.evaluate(([action, job]) => globalThis.participant[action](job), [action, job]);
  }

  prepare(corpus, scale, operations) {
    return this.#ask("prepare", { candidate: this.name, corpus, scale, operations });
  }

  warm(operation, runs, ms) {
    return this.#ask("warm", { operation, runs, ms });
  }

  repeatsFor(operation, ms) {
    return this.#ask("repeatsFor", { operation, ms });
  }

  settle(operation, repeats, samples, ms) {
    return this.#ask("settle", { operation, repeats, samples, ms });
  }

  sample(operation, repeats) {
    return this.#ask("sample", { operation, repeats });
  }

  close() {
    return this.#context.close();
  }
}

/** @param {import("playwright-core").BrowserType} chromium @param {string} executablePath */
export async function browserParticipants(chromium, executablePath) {
  await bundlePage();
  const server = await serve();
  const browser = await chromium.launch({
    executablePath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--js-flags=--expose-gc",
    ],
  });
  const { port } = server.address();
  return {
    version: browser.version(),
    async start(candidate) {
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(`http://127.0.0.1:${port}/`);
      await page.waitForFunction(() => globalThis.participant !== undefined);
      if (!(await page.evaluate(() => globalThis.crossOriginIsolated && typeof globalThis.gc === "function")))
        throw new Error("the page has neither a fine clock nor the collector");
      return new PageParticipant(candidate.name, context, page);
    },
    finish: async () => {},
    async close() {
      await browser.close();
      server.close();
    },
  };
}
