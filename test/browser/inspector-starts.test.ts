// How the inspector starts: as a page by `npm run inspector`, and as an application in the order in which Electron does things.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, test, vi } from "vitest";
import { ROOT } from "../package/installed.ts";
import { CHROMIUM, useBrowser } from "./chromium.ts";
import { app, BrowserWindow, callFrom, dialog } from "./electron-module.ts";
import { InspectorPage } from "./inspector-page.ts";

vi.mock("electron", () => import("./electron-module.ts"));

const EXAMPLE = join(ROOT, "examples/electron-save-inspector");
const load = (file: string) => import(pathToFileURL(join(EXAMPLE, file)).href);
const folder = mkdtempSync(join(tmpdir(), "tusk-start-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Status of a request that gives another name of the host. */
function statusFor(url: string, host: string, method = "GET", path = new URL(url).pathname): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { method, path, headers: { host } }, (response) => resolve(response.resume().statusCode))
      .on("error", reject)
      .end();
  });
}

describe.skipIf(!CHROMIUM)("npm run inspector", { timeout: 60_000 }, () => {
  const browser = useBrowser();
  let program: ChildProcess;
  afterAll(() => void program?.kill());

  test("serves the page to this computer alone; it runs in a plain browser and asks for nothing else", async () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    // The package is built already.
    const [, command] = scripts.inspector.split(" && ");
    program = spawn(process.execPath, [...command.split(" ").slice(1), "--no-open"], { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
    const url = await new Promise<string>((resolve, reject) => {
      let said = "";
      program.stdout!.on("data", (text) => {
        said += text;
        const found = /http:\/\/\S+:\d+\//.exec(said);
        if (found) resolve(found[0]);
      });
      program.once("exit", (code) => reject(new Error(`it ended with ${code}: ${said}`)));
    });
    // "localhost" may be another program's on ::1.
    expect(new URL(url).hostname).toBe("127.0.0.1");
    const asked: string[] = [];
    const inspector = await InspectorPage.open(browser(), url, async (page) => {
      page.on("request", (found) => asked.push(found.url()));
    });
    await inspector.page.click("#do-example");
    await inspector.shows("example.sav");
    expect((await inspector.save()).subarray(0, 4).toString("latin1")).toBe("PELE");
    expect(asked.length).toBeGreaterThan(5);
    for (const found of asked) expect(found).toMatch(/^(http:\/\/127\.0\.0\.1:\d+\/|blob:http:\/\/127\.0\.0\.1:\d+\/|data:,)/);
    expect(inspector.complaints).toEqual([]);
    const { host } = new URL(url);
    expect(await statusFor(url, host)).toBe(200);
    expect(await statusFor(url, "attacker.example")).toBe(404);
    expect(await statusFor(url, host, "POST")).toBe(404);
    expect(await statusFor(url, host, "GET", "//")).toBe(404);
    expect(await statusFor(url, host, "GET", "/?a")).toBe(200);
    expect(await statusFor(new URL("/package.json", url).href, host)).toBe(404);
  });
});

describe("the application", () => {
  const OWN = "inspector://page/";

  test("waits for Electron, which is ready only behind its main module", async () => {
    await (await load("build.mjs")).buildInspector();
    app.paths.appData = folder;
    await load("main/main.mjs");
    expect(BrowserWindow.last).toBeUndefined();
    app.emit("ready");
    await expect.poll(() => BrowserWindow.last?.loaded).toBe(OWN);
    expect(dialog.errors).toEqual([]);
    expect(app.paths.userData).toBe(join(folder, "tusk-save-inspector"));
  });

  test("hands on the file of a second start when the page is there", async () => {
    mkdirSync(join(folder, "saves"));
    writeFileSync(join(folder, "saves/slot1.dat"), "a save");
    const start = (...args: string[]) => app.emit("second-instance", {}, ["electron", "main.mjs", ...args], join(folder, "saves"));
    start("slot1.dat");
    expect(BrowserWindow.last.sent).toEqual([]);
    await callFrom(OWN, "inspector:ready");
    await expect.poll(() => BrowserWindow.last.sent.length).toBe(1);
    expect(BrowserWindow.last.sent[0]).toEqual(["inspector:open-file", expect.objectContaining({ name: "slot1.dat", size: 6 })]);
    start("--flag", ".", "missing.dat");
    expect(BrowserWindow.last.sent.length).toBe(1);
  });

  test("takes what is no path to a file for none", async () => {
    for (const text of ["slot1.dat/inside", "x".repeat(300), "a\0b"])
      app.emit("second-instance", {}, ["electron", "main.mjs", text], join(folder, "saves"));
    expect(BrowserWindow.last.sent.length).toBe(1);
  });

  test("takes the file that macOS hands over, and says so where one cannot be opened", async () => {
    const hand = (path: string) => {
      const preventDefault = vi.fn();
      app.emit("open-file", { preventDefault }, path);
      expect(preventDefault).toHaveBeenCalledOnce();
    };
    hand(join(folder, "saves/slot1.dat"));
    await expect.poll(() => BrowserWindow.last.sent.length).toBe(2);
    expect(BrowserWindow.last.sent[1]).toEqual(["inspector:open-file", expect.objectContaining({ name: "slot1.dat" })]);
    hand(join(folder, "saves/missing.dat"));
    await expect.poll(() => dialog.errors).toEqual(["The file cannot be opened: missing.dat is no longer there"]);
  });

  test("asks before changes are lost", async () => {
    await callFrom(OWN, "inspector:state", { name: "slot1.dat", edited: true });
    expect(BrowserWindow.last.title).toBe("• slot1.dat – Save Inspector");
    const close = () => {
      const preventDefault = vi.fn();
      BrowserWindow.last.emit("close", { preventDefault });
      return preventDefault.mock.calls.length;
    };
    expect(close()).toBe(1);
    dialog.buttons.push(0);
    expect(close()).toBe(0);
    expect(dialog.asked).toEqual(Array(2).fill("slot1.dat has changes that are not saved."));
    await callFrom(OWN, "inspector:state", { name: "slot1.dat", edited: false });
    expect(close()).toBe(0);
  });

  test("closes when what is being saved is written, and not when that has failed", async () => {
    const window = BrowserWindow.last;
    const { id } = (await callFrom(OWN, "inspector:open-dropped", join(folder, "saves/slot1.dat"))) as { id: number };
    const begin = async (path: string) => {
      dialog.answers.push(path);
      const saving = await callFrom(OWN, "inspector:begin-save", id, 1, true);
      await callFrom(OWN, "inspector:send-piece", saving, Uint8Array.of(7));
      return saving;
    };
    // While the page sends it, and while it is written.
    const copy = join(folder, "saves/copy.dat");
    const sent = await begin(copy);
    window.close();
    const saved = callFrom(OWN, "inspector:end-save", sent);
    dialog.asked.length = 0;
    window.close();
    expect([window.closed, dialog.asked]).toEqual([0, ["slot1.dat is still being saved."]]);
    await saved;
    await expect.poll(() => window.closed).toBe(1);
    expect([...readFileSync(copy)]).toEqual([7]);
    // The page says what has failed.
    const failing = callFrom(OWN, "inspector:end-save", await begin(join(folder, "nowhere/copy.dat")));
    window.close();
    await expect(failing).rejects.toThrow("cannot be written");
    const aborted = await begin(copy);
    window.close();
    await callFrom(OWN, "inspector:abort-save", aborted);
    expect(window.closed).toBe(1);
    window.close();
    expect(window.closed).toBe(2);
  });

  test("closes behind a save of what was edited, without asking about that", async () => {
    const window = BrowserWindow.last;
    const { closed } = window;
    const { id } = (await callFrom(OWN, "inspector:open-dropped", join(folder, "saves/slot1.dat"))) as { id: number };
    await callFrom(OWN, "inspector:state", { name: "slot1.dat", edited: true });
    dialog.asked.length = 0;
    dialog.answers.push(join(folder, "saves/copy.dat"));
    const saving = await callFrom(OWN, "inspector:begin-save", id, 1, true);
    await callFrom(OWN, "inspector:send-piece", saving, Uint8Array.of(8));
    window.close();
    await callFrom(OWN, "inspector:end-save", saving);
    window.close();
    expect([window.closed, dialog.asked]).toEqual([closed, []]);
    // The page has heard of it.
    await callFrom(OWN, "inspector:state", { name: "slot1.dat", edited: false });
    await expect.poll(() => window.closed).toBe(closed + 1);
    expect(dialog.asked).toEqual([]);
    // A page that does not answer any more.
    dialog.answers.push(join(folder, "saves/copy.dat"));
    const hung = await callFrom(OWN, "inspector:begin-save", id, 1, true);
    window.close();
    dialog.buttons.push(0);
    window.close();
    expect(window.closed).toBe(closed + 2);
    await callFrom(OWN, "inspector:abort-save", hung);
  });

  test("shows a page that has crashed anew, and hands files on when it is there", async () => {
    const window = BrowserWindow.last;
    dialog.asked.length = dialog.errors.length = window.sent.length = 0;
    const gone = (reason: string) => window.webContents.emit("render-process-gone", {}, { reason });
    const path = join(folder, "saves/slot1.dat");
    const { id } = (await callFrom(OWN, "inspector:open-dropped", path)) as { id: number };
    const saving = await callFrom(OWN, "inspector:begin-save", id, 2, false);
    await callFrom(OWN, "inspector:send-piece", saving, Uint8Array.of(1));
    await callFrom(OWN, "inspector:state", { name: "slot1.dat", edited: true });
    gone("clean-exit");
    expect(window.reloads).toBe(0);
    // A file is on its way.
    app.emit("open-file", { preventDefault() {} }, path);
    gone("crashed");
    expect(window.reloads).toBe(1);
    expect(dialog.errors).toEqual(["The page has ended: It is shown anew; changes that were not saved are lost (crashed)."]);
    await expect(callFrom(OWN, "inspector:send-piece", saving, Uint8Array.of(1))).rejects.toThrow("nothing is being saved");
    // One that ends before it is there.
    const { quits } = app;
    gone("crashed");
    expect([window.reloads, app.quits, dialog.errors.pop()]).toEqual([
      1,
      quits + 1,
      "The inspector cannot start: its page ends at once (crashed)",
    ]);
    // Reading it again takes the time in which the first would have been sent.
    await callFrom(OWN, "inspector:read", id, 0, 6);
    expect(window.sent).toEqual([]);
    await callFrom(OWN, "inspector:ready");
    await expect.poll(() => window.sent).toEqual([["inspector:open-file", expect.objectContaining({ name: "slot1.dat" })]]);
    const { closed } = window;
    window.close();
    expect([window.closed, window.title, dialog.asked]).toEqual([closed + 1, "Save Inspector", []]);
    expect([...readFileSync(path)]).toEqual([...Buffer.from("a save")]);
  });

  test("says so where its page has not been built", async () => {
    const { serveProtocol } = await load("main/page-protocol.mjs");
    expect(() => serveProtocol(join(folder, "nothing"))).toThrow("not been built");
  });
});
