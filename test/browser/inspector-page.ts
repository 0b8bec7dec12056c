// The save inspector's page as Electron shows it: from an origin of its own that answers what the window's protocol answers, strict policy included.
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFailed } from "vitest";
import { ROOT } from "../package/installed.ts";

const example = (file: string) => pathToFileURL(join(ROOT, "examples/electron-save-inspector", file)).href;

const { siteOf } = (await import(example("site.mjs"))) as {
  siteOf(folder: string): (path: string) => { status: number; headers: Record<string, string>; body?: Buffer };
};
const { buildInspector } = (await import(example("build.mjs"))) as {
  buildInspector(folder: string): Promise<string>;
};

/** The built page, which is one for all files of tests in a process. */
let built: Promise<string> | undefined;

async function build(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "tusk-inspector-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return buildInspector(folder);
}

/** Serves the built inspector while the tests of a file run, as the window's own protocol does; its address inside of tests. */
export function useInspector(): { readonly url: string; readonly folder: string } {
  const folder = mkdtempSync(join(tmpdir(), "tusk-inspector-"));
  let answer: ReturnType<typeof siteOf>;
  const server = createServer((request, response) => {
    const { status, headers, body } = answer(new URL(request.url!, "http://localhost").pathname);
    response.writeHead(status, headers).end(body);
  });
  beforeAll(async () => {
    built ??= build();
    cpSync(await built, folder, { recursive: true });
    answer = siteOf(folder);
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

/** Runs in the page: `until(holds)` resolves as soon as that is true, or after so many milliseconds. */
function installUntil(): void {
  const until: typeof globalThis.until = (holds, milliseconds = 15_000) =>
    new Promise((resolve) => {
      const look = () => {
        if (holds()) end();
      };
      const watch = new MutationObserver(look);
      const timer = setTimeout(() => end(), milliseconds);
      const end = () => {
        watch.disconnect();
        clearTimeout(timer);
        resolve();
      };
      watch.observe(document, { attributes: true, characterData: true, childList: true, subtree: true });
      look();
    });
  Object.assign(globalThis, { until });
}

declare global {
  /** In the page alone. What holds must depend on the document alone: it is asked for when something in that has changed. */
  function until(holds: () => boolean, milliseconds?: number): Promise<void>;
}

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
  #isSpoiled = false;

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
    await page.addInitScript(installUntil);
    await prepare?.(page);
    if (SLOWER) await page.addInitScript(answerLater, SLOWER);
    await page.goto(url);
    await page.locator("#do-example").waitFor();
    return inspector;
  }

  /**
   * The page for the next test: the one that the test before has left with a save in sight, which the first file that is opened takes the place of.
   * Where it has been left otherwise, or has failed, as it is at first.
   */
  async begin(): Promise<void> {
    onTestFailed(() => {
      this.#isSpoiled = true;
    });
    this.complaints.length = 0;
    const isUsable = await this.page.evaluate(
      () =>
        document.body.dataset.screen === "tree" &&
        !document.querySelector("dialog[open]") &&
        document.querySelector<HTMLSelectElement>("#search-in")!.value === "both" &&
        localStorage.length === 0,
    );
    if (this.#isSpoiled || !isUsable) await this.again();
  }

  /** The page as it is at first. */
  async again(): Promise<void> {
    this.#isSpoiled = false;
    this.complaints.length = 0;
    await this.page.evaluate(() => localStorage.clear());
    await this.page.goto(this.page.url());
    await this.page.locator("#do-example").waitFor();
  }

  /** Types letters of one name: the page's clock stands still from then on, so that they belong together however long each takes, and not to those before. */
  async typeName(letters: string): Promise<void> {
    await this.page.evaluate(() => {
      const then = performance.now() + 900;
      performance.now = () => then;
    });
    await this.page.keyboard.type(letters);
  }

  /** By the button; the path of a file that is a large one. */
  async pick(file: GivenFile | string, button = "#do-open"): Promise<void> {
    const [chooser] = await Promise.all([this.page.waitForEvent("filechooser"), this.page.click(button)]);
    await chooser.setFiles(
      typeof file === "string" ? file : { name: file.name, mimeType: "application/octet-stream", buffer: Buffer.from(file.bytes) },
    );
  }

  /** Dropped on the window; `side`: with a save open the right one compares. `isLoaded`: waits until its loading has begun. */
  async drop(file: GivenFile, side: "left" | "right" = "left", isLoaded = false): Promise<void> {
    const found = await this.page.evaluate(
      async ({ name, base64, target, share, isLoaded }) => {
        const text = atob(base64);
        const bytes = new Uint8Array(text.length);
        for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([bytes], name));
        const init = { dataTransfer, clientX: innerWidth * share, bubbles: true, cancelable: true, composed: true };
        const dispatch = (type: string) => document.body.dispatchEvent(new DragEvent(type, init));
        for (const type of ["dragenter", "dragover"]) dispatch(type);
        const isOver = document.querySelector(`.dropping #drop-${target}.over`)?.checkVisibility() ?? false;
        let hasBegun = false;
        const watch = new MutationObserver(() => (hasBegun = true));
        watch.observe(document.body, { attributeFilter: ["data-screen"] });
        dispatch("drop");
        if (isLoaded) await until(() => hasBegun);
        watch.disconnect();
        return isOver;
      },
      {
        name: file.name,
        base64: Buffer.from(file.bytes).toString("base64"),
        target: side === "left" ? "open" : "compare",
        share: side === "left" ? 1 / 4 : 3 / 4,
        isLoaded,
      },
    );
    expect(found, `${file.name} over the ${side} half`).toBe(true);
  }

  /** Waits until the tree of a file is there. */
  async shows(name: string): Promise<void> {
    const found = await this.page.evaluate(async (wanted) => {
      const nameOf = () => document.querySelector("body[data-screen=tree] .row.selected .name")?.textContent ?? "";
      await until(() => nameOf().includes(wanted), 20_000);
      return nameOf();
    }, name);
    expect(found).toContain(name);
  }

  async openFile(file: GivenFile): Promise<void> {
    // The file that is shown may have the same name: the new one is there only after its loading has begun.
    await this.drop(file, "left", true);
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
    const found = await this.page.evaluate(async (wanted) => {
      const nameOf = () => document.querySelector("#tree .row[aria-selected=true]:not(.pending) .name")?.textContent;
      await until(() => nameOf() === wanted);
      return nameOf();
    }, name);
    expect(found).toBe(name);
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

  /** Double clicks the value of a row in sight. Playwright's own double click waits for frames of a page that stands still. */
  async #openValue(name: string): Promise<void> {
    const place = await this.page.evaluate((wanted) => {
      const row = [...document.querySelectorAll("#tree .row")].find((row) => row.querySelector(".name")!.textContent === wanted);
      const { x, y, width, height } = row?.querySelector(".value")?.getBoundingClientRect() ?? new DOMRect();
      const [left, top] = [x + width / 2, y + height / 2];
      const isOnTop = row?.contains(document.elementFromPoint(left, top)) ?? false;
      return isOnTop ? ([left, top] as const) : undefined;
    }, name);
    if (place) await this.page.mouse.dblclick(...place);
    else await this.row(name).locator(".value").dblclick();
  }

  /** Gives the value of a row in sight another text. */
  async edit(name: string, text: string): Promise<void> {
    await this.#openValue(name);
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

/** Opens the inspector before the tests of a file, which `take` it, and begins anew before each. Whatever a test did, there are neither errors nor refusals of the policy. */
export function useInspectorPage(browser: () => Browser, site: { readonly url: string }, take: (opened: InspectorPage) => void): void {
  let inspector: InspectorPage;
  beforeAll(async () => {
    inspector = await InspectorPage.open(browser(), site.url);
    take(inspector);
  }, 30_000);
  beforeEach(() => inspector.begin());
  afterEach(() => expect(inspector.complaints).toEqual([]));
}
