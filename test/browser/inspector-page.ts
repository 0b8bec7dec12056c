// The save inspector's page as Electron shows it: from an origin of its own that answers what the window's protocol answers, strict policy included.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { ROOT } from "../package/installed.ts";

const example = (file: string) => pathToFileURL(join(ROOT, "examples/electron-save-inspector", file)).href;

const { siteOf } = (await import(example("site.mjs"))) as {
  siteOf(folder: string): (path: string) => { status: number; headers: Record<string, string>; body?: Buffer };
};
const { buildInspector } = (await import(example("build.mjs"))) as {
  buildInspector(folder: string): Promise<string>;
};

/** Serves the built inspector while the tests of a file run, as the window's own protocol does; its address inside of tests. */
export function useInspector(): { readonly url: string; readonly folder: string } {
  const folder = mkdtempSync(join(tmpdir(), "tusk-inspector-"));
  let answer: ReturnType<typeof siteOf>;
  const server = createServer((request, response) => {
    const { status, headers, body } = answer(new URL(request.url!, "http://localhost").pathname);
    response.writeHead(status, headers).end(body);
  });
  beforeAll(async () => {
    answer = siteOf(await buildInspector(folder));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  }, 60_000);
  afterAll(() => {
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    folder,
    get url() {
      return `http://localhost:${(server.address() as AddressInfo).port}/`;
    },
  };
}

/** A file as a test gives it to the page. */
export interface GivenFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** One row as a person sees it. */
export interface SeenRow {
  readonly level: number;
  readonly name: string;
  readonly value: string;
  readonly type: string;
  readonly selected: boolean;
}

/** Milliseconds that each of the worker's answers takes longer: with `TUSK_SLOWER=300` a test that does not wait for what it looks at is found. */
const SLOWER = Number(process.env.TUSK_SLOWER ?? 0);

/** Runs in the page. */
function answerLater(milliseconds: number): void {
  const { set } = Object.getOwnPropertyDescriptor(Worker.prototype, "onmessage")!;
  Object.defineProperty(Worker.prototype, "onmessage", {
    set(this: Worker, listener: (event: MessageEvent) => void) {
      set!.call(this, (event: MessageEvent) => setTimeout(() => listener.call(this, event), milliseconds));
    },
  });
}

export class InspectorPage {
  readonly page: Page;
  /** Errors and refusals that the page reported. */
  readonly complaints: string[] = [];

  private constructor(page: Page) {
    this.page = page;
    page.on("pageerror", (error) => this.complaints.push(String(error)));
    // From the beginning: Chromium is told to hand file dialogs over only when somebody listens, and a key may be faster than that.
    page.on("filechooser", () => undefined);
    page.on("console", (message) => {
      if (message.type() === "error") this.complaints.push(message.text());
    });
  }

  static async open(browser: Browser, url: string, prepare?: (page: Page) => Promise<void>): Promise<InspectorPage> {
    const page = await browser.newPage({ viewport: { width: 1180, height: 720 } });
    const inspector = new InspectorPage(page);
    // Shorter than a test's, so that what is waited for in vain is named.
    page.setDefaultTimeout(20_000);
    // Changes that are not saved are given up without being asked.
    page.on("dialog", (dialog) => dialog.accept());
    await prepare?.(page);
    if (SLOWER) await page.addInitScript(answerLater, SLOWER);
    await page.goto(url);
    await page.locator("#do-example").waitFor();
    return inspector;
  }

  /** The page as it is at first. */
  async again(): Promise<void> {
    this.complaints.length = 0;
    await this.page.evaluate(() => localStorage.clear());
    await this.page.goto(this.page.url());
    await this.page.locator("#do-example").waitFor();
  }

  /** By the button. */
  async pick(file: GivenFile, button = "#do-open"): Promise<void> {
    const [chooser] = await Promise.all([this.page.waitForEvent("filechooser"), this.page.click(button)]);
    await chooser.setFiles({ name: file.name, mimeType: "application/octet-stream", buffer: Buffer.from(file.bytes) });
  }

  /** Dropped on the window; `side`: with a save open the right one compares. */
  async drop(file: GivenFile, side: "left" | "right" = "left"): Promise<void> {
    const data = await this.page.evaluateHandle(
      ({ name, base64 }) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))], name));
        return transfer;
      },
      { name: file.name, base64: Buffer.from(file.bytes).toString("base64") },
    );
    const clientX = (this.page.viewportSize()!.width * (side === "left" ? 1 : 3)) / 4;
    for (const type of ["dragenter", "dragover"]) await this.page.dispatchEvent("body", type, { dataTransfer: data, clientX });
    await this.page.locator(`.dropping #drop-${side === "left" ? "open" : "compare"}.over`).waitFor();
    await this.page.dispatchEvent("body", "drop", { dataTransfer: data, clientX });
  }

  /** Waits until the tree of a file is there. */
  async shows(name: string): Promise<void> {
    await this.page.locator("body[data-screen=tree] .row.selected .name", { hasText: name }).waitFor({ timeout: 20_000 });
  }

  async openFile(file: GivenFile): Promise<void> {
    // The file that is shown may have the same name: the new one is there only after its loading has begun.
    const begun = await this.page.evaluateHandle(() => ({
      loading: new Promise<void>((resolve) => {
        const watch = new MutationObserver(() => {
          watch.disconnect();
          resolve();
        });
        watch.observe(document.body, { attributeFilter: ["data-screen"] });
      }),
    }));
    await this.drop(file);
    await begun.evaluate(({ loading }) => loading);
    await this.shows(file.name);
  }

  /** The rows that exist, from top to bottom. */
  rows(): Promise<SeenRow[]> {
    return this.page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>("#tree .row:not(.pending)")]
        .sort((a, b) => Number(a.id.slice(4)) - Number(b.id.slice(4)))
        .map((row) => ({
          level: Number(row.getAttribute("aria-level")),
          name: row.querySelector(".name")!.textContent!,
          value: row.querySelector(".value")!.textContent!,
          type: row.querySelector(".type")!.textContent!,
          selected: row.getAttribute("aria-selected") === "true",
        })),
    );
  }

  selected(): Promise<SeenRow | undefined> {
    return this.rows().then((rows) => rows.find((row) => row.selected));
  }

  /** Waits until the selected row has this name. */
  async selects(name: string): Promise<void> {
    await expect.poll(async () => (await this.selected())?.name, { timeout: 15_000 }).toBe(name);
  }

  row(name: string) {
    return this.page.locator(".row", { has: this.page.locator(`.name:text-is("${name}")`) }).first();
  }

  text(selector: string): Promise<string> {
    return this.page.locator(selector).innerText();
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Gives the value of a row in sight another text. */
  async edit(name: string, text: string): Promise<void> {
    await this.row(name).locator(".value").dblclick();
    await this.page.locator(".editor textarea").fill(text);
    await this.press("Enter");
  }

  /** Gives a file of schemas where one is asked for. */
  async chooseSchemas(name: string, schemas: unknown): Promise<void> {
    const [chooser] = await Promise.all([
      this.page.waitForEvent("filechooser"),
      this.page.getByRole("button", { name: "Choose schemas" }).click(),
    ]);
    await chooser.setFiles({ name, mimeType: "application/json", buffer: Buffer.from(JSON.stringify(schemas)) });
  }

  /** Saves by the keyboard; the bytes that were downloaded. */
  async save(): Promise<Buffer> {
    const [download] = await Promise.all([this.page.waitForEvent("download"), this.press("Control+s")]);
    return readFileSync(await download.path());
  }

  close(): Promise<void> {
    return this.page.close();
  }
}
