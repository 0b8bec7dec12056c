// The small application of docs/electron.md, as it stands there: its page in Chromium under its policy, its preload script before it, its main
// process in Node.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createElephantSync } from "../../src/elephant/index.ts";
import { ROOT } from "../package/installed.ts";
import { CHROMIUM, useBrowser } from "./chromium.ts";
import { app, BrowserWindow, callFrom, dialog, protocol } from "./electron-module.ts";
import { withPreload } from "./preload.ts";

vi.mock("electron", () => import("./electron-module.ts"));

/** Inside of the package, so that its own name is found. */
const folder = join(ROOT, "build/electron-guide");
const PAGE = "app://page/";
const elephant = createElephantSync();

const guide = readFileSync(join(ROOT, "docs/electron.md"), "utf8");
/** Blocks that have a file's name behind their language. */
const files = new Map([...guide.matchAll(/^```\w+ ([\w.]+)\n(.*?)^```$/gms)].map(([, name, source]) => [name, source]));

beforeAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, source] of files) writeFileSync(join(folder, name), source);
  // The command that the guide gives.
  const [, command] = /^npx (esbuild .*)$/m.exec(guide)!;
  const [program, ...args] = command.split(" ");
  // On Windows it is a script of the shell.
  execFileSync(`"${join(ROOT, "node_modules/.bin", program)}"`, [...args, "--log-level=error"], { cwd: folder, shell: true });
  await import(pathToFileURL(join(folder, "main.js")).href);
  app.emit("ready");
  await vi.waitFor(() => expect(BrowserWindow.last?.loaded).toBe(PAGE));
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("has its five files, and the settings that the guide speaks of", () => {
  expect([...files.keys()].sort()).toEqual(["index.html", "main.js", "preload.cjs", "renderer.js", "worker.js"].sort());
  expect(BrowserWindow.last.options.webPreferences).toMatchObject({ sandbox: true, contextIsolation: true, nodeIntegration: false });
  expect(BrowserWindow.last.webContents.openHandler!()).toEqual({ action: "deny" });
});

test("its main process answers its own page alone, and serves its own files alone", async () => {
  await expect(callFrom("https://example.org/", "open")).rejects.toThrow("not the application's page");
  await expect(callFrom({ url: PAGE, sender: {} }, "open")).rejects.toThrow("not the application's page");
  await expect(callFrom(PAGE, "open-dropped", "")).rejects.toThrow("no file");
  await expect(callFrom(PAGE, "save", 99, new Uint8Array(1))).rejects.toThrow("nothing that can be saved");
  const answer = protocol.handlers.get("app")! as unknown as (request: Request) => Promise<Response>;
  expect((await answer(new Request(PAGE))).status).toBe(200);
  expect((await answer(new Request(`${PAGE}main.js`))).status).toBe(404);
});

/** Runs in the page: while there is a list of `held` messages of the worker they are put there. */
function holdWhenAsked(): void {
  const { addEventListener } = Worker.prototype;
  Worker.prototype.addEventListener = function (this: Worker, type: string, listener: EventListener) {
    addEventListener.call(this, type, (event: Event) => {
      const { held } = globalThis as Held;
      if (held && type === "message") held.push({ event: event as MessageEvent, go: () => listener.call(this, event) });
      else listener.call(this, event);
    });
  } as typeof addEventListener;
}
interface Held {
  held?: { event: MessageEvent; go(): void }[] | undefined;
}

describe.skipIf(!CHROMIUM)("the window", { timeout: 30_000 }, () => {
  const browser = useBrowser();
  const complaints: string[] = [];
  let page: Page;
  const server = createServer((request, response) => {
    const answer = protocol.handlers.get("app")! as unknown as (request: { url: string }) => Promise<Response>;
    void answer({ url: PAGE + request.url!.slice(1) }).then(async (found) => {
      response.writeHead(found.status, Object.fromEntries(found.headers)).end(Buffer.from(await found.arrayBuffer()));
    });
  });
  const state = () => page.locator("#state").innerText();
  const given = elephant.write({ gold: 1250, items: ["rope", "lamp"] });
  const path = join(folder, "slot1.dat");

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    page = await browser().newPage();
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    await withPreload(page, files.get("preload.cjs")!, PAGE, folder);
    await page.addInitScript(holdWhenAsked);
    await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`);
  }, 30_000);
  afterAll(() => void server.close().closeAllConnections());

  test("opens a save, writes it back unchanged, changes it and keeps the version before", async () => {
    expect(await page.isDisabled("#save")).toBe(true);
    writeFileSync(path, given);
    dialog.answers.push(path);
    await page.click("#open");
    await expect.poll(state).toBe("slot1.dat, Elephant 1.5.1");
    expect(await page.inputValue("#gold")).toBe("1250");
    await page.click("#save");
    await expect.poll(state).toBe("saved");
    expect(readFileSync(path).equals(given)).toBe(true);
    await page.fill("#gold", "2000");
    await page.press("#gold", "Tab");
    await page.evaluate(() => {
      document.querySelector("#state")!.textContent = "";
    });
    await page.click("#save");
    await expect.poll(state).toBe("saved");
    expect(readFileSync(path).equals(elephant.write({ gold: 2000, items: ["rope", "lamp"] }))).toBe(true);
    expect(readdirSync(folder).filter((name) => name.includes(".bak"))).toEqual(["slot1.dat.bak1", "slot1.dat.bak2"]);
  });

  test("saves into the file whose bytes they are, and edits the file that is shown, also when the worker has read the next one", async () => {
    const other = elephant.write({ gold: 7, items: [] });
    const next = join(folder, "slot2.dat");
    writeFileSync(path, given);
    writeFileSync(next, other);
    dialog.answers.push(path, next);
    await page.click("#open");
    await expect.poll(() => page.inputValue("#gold")).toBe("1250");
    await page.evaluate(() => Object.assign(globalThis, { held: [] }));
    await page.click("#open");
    await expect.poll(() => page.evaluate(() => (globalThis as Held).held!.some(({ event }) => event.data.kind === "result"))).toBe(true);
    const held = await page.evaluateHandle(() => {
      const { held } = globalThis as Held;
      (globalThis as Held).held = undefined;
      return held!;
    });
    await page.fill("#gold", "9999");
    await page.press("#gold", "Tab");
    await expect.poll(state).toBe("another file has been opened");
    await page.click("#save");
    await expect.poll(state).toBe("saved");
    expect([readFileSync(path).equals(given), readFileSync(next).equals(other)]).toEqual([true, true]);
    await held.evaluate((messages) => {
      for (const message of messages) message.go();
    });
    await expect.poll(state).toBe("slot2.dat, Elephant 1.5.1");
    expect(await page.inputValue("#gold")).toBe("7");
  });

  test("keeps an int64 one, and takes nothing else for a number", async () => {
    const set = async (gold: unknown) => {
      writeFileSync(path, elephant.write({ gold }));
      dialog.answers.push(path);
      await page.fill("#gold", "");
      await page.click("#open");
      await expect.poll(state).toBe("slot1.dat, Elephant 1.5.1");
      await page.fill("#gold", "8");
      await page.press("#gold", "Tab");
    };
    await set(7n);
    await page.click("#save");
    await expect.poll(state).toBe("saved");
    expect(readFileSync(path).equals(elephant.write({ gold: 8n }))).toBe(true);
    await set([7]);
    await expect.poll(state).toBe("gold is no number in this save");
  });

  test("takes a dropped file, and says where a damaged one is wrong", async () => {
    const drop = async (name: string, bytes: Uint8Array) => {
      writeFileSync(join(folder, name), bytes);
      const data = await page.evaluateHandle((file) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File(["the main process has the bytes"], file));
        return transfer;
      }, name);
      await page.dispatchEvent("body", "drop", { dataTransfer: data });
    };
    await drop("dropped.dat", given);
    await expect.poll(state).toBe("dropped.dat, Elephant 1.5.1");
    const damaged = given.slice();
    damaged[8] = 99;
    await drop("dropped-damaged.dat", damaged);
    await expect.poll(state).toBe("unknown-datatype at byte 8");
    await drop("made-by-a-script.dat", given);
    await expect.poll(state).toContain("this is no file on the disk");
    // Text is no file.
    await page.dispatchEvent("body", "drop", { dataTransfer: await page.evaluateHandle(() => new DataTransfer()) });
    expect(complaints).toEqual([]);
  });
});
