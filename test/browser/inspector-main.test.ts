// The inspector's main process in Node: the wiring with a stand-in for Electron's module, files on the real disk. And both sides together: the page
// in Chromium, its preload, the handlers, the disk.
import { getEventListeners } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { saveFile } from "tusk-codec/node";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createElephantSync, StructInstance } from "../../src/elephant/index.ts";
import { ROOT } from "../package/installed.ts";
import { CHROMIUM, useBrowser } from "./chromium.ts";
import { type BrowserWindow, callFrom, dialog, protocol } from "./electron-module.ts";
import { InspectorPage, useInspector } from "./inspector-page.ts";
import { largeSave, save, world } from "./inspector-saves.ts";
import { withPreload } from "./preload.ts";

vi.mock("electron", () => import("./electron-module.ts"));
vi.mock("tusk-codec/node", { spy: true });

const EXAMPLE = join(ROOT, "examples/electron-save-inspector");
const load = (file: string) => import(pathToFileURL(join(EXAMPLE, file)).href);

const { FileDesk } = await load("main/file-desk.mjs");
const { RecentFiles } = await load("main/recent-files.mjs");
const { menuTemplate } = await load("main/menu.mjs");
const { registerChannels } = await load("main/channels.mjs");
const { createWindow } = await load("main/window.mjs");
const { announceProtocol, serveProtocol } = await load("main/page-protocol.mjs");

const folder = mkdtempSync(join(tmpdir(), "tusk-desk-"));
const OWN = "inspector://page/";
const elephant = createElephantSync({ unknownConstructor: "generic" });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, bytes: Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

const window = createWindow() as BrowserWindow;
const recent = new RecentFiles(join(folder, "recent.json"));
const desk = new FileDesk({ onOpened: (path: string) => recent.add(path) });
const states: unknown[] = [];
const call = (channel: string, ...args: unknown[]) => callFrom(OWN, `inspector:${channel}`, ...args);
registerChannels({ window, desk, recent, onState: (state: unknown) => states.push(state), onReady: () => undefined });

test("in a browser the input for files keeps no listener of choices that are over", async () => {
  class Input extends EventTarget {
    files = [{ name: "chosen.dat" }];
    onchange?: () => void;
    click(): void {
      this.dispatchEvent(new Event("change"));
      this.onchange?.();
    }
  }
  const input = new Input();
  vi.stubGlobal("document", { getElementById: () => input });
  vi.stubGlobal("addEventListener", () => undefined);
  const { BrowserHost } = await load("renderer/hosts/browser.js");
  const host = new BrowserHost();
  for (let i = 0; i < 2; i++) expect(await host.pick("save")).toMatchObject({ name: "chosen.dat" });
  vi.unstubAllGlobals();
  expect(["change", "cancel"].map((event) => getEventListeners(input, event).length)).toEqual([0, 0]);
});

describe("the window", () => {
  test("has no Node in it, and a world of its own for the preload", () => {
    expect(window.options.webPreferences).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      webSecurity: true,
      webviewTag: false,
    });
    expect(readdirSync(EXAMPLE)).toContain(String(window.options.webPreferences.preload).split(/[\\/]/).at(-1));
  });

  test("stays on its page, opens no other, is granted nothing, reaches no network", () => {
    expect(window.loaded).toBe(OWN);
    expect(window.webContents.openHandler!()).toEqual({ action: "deny" });
    for (const event of ["will-navigate", "will-frame-navigate", "will-redirect", "will-attach-webview"]) {
      const preventDefault = vi.fn();
      window.webContents.emit(event, { preventDefault });
      expect(preventDefault, event).toHaveBeenCalledOnce();
    }
    const answer = vi.fn();
    window.permissions[0](undefined, "geolocation", answer);
    window.requests[0]({ url: "https://example.org/" }, answer);
    window.requests[0]({ url: `${OWN}worker.js` }, answer);
    expect(answer.mock.calls).toEqual([[false], [{ cancel: true }], [{ cancel: false }]]);
  });
});

describe("channels", () => {
  test("answer the inspector's own page alone", async () => {
    for (const from of [{ url: "https://example.org/" }, { url: OWN, parent: {} }, { url: OWN, sender: {} }, { url: `${OWN}?` }])
      await expect(callFrom(from, "inspector:recent"), JSON.stringify(from)).rejects.toThrow("not the inspector's page");
    await expect(call("recent")).resolves.toEqual([]);
  });

  test("open by dialog: a number, no path; cancelled: nothing", async () => {
    const bytes = Uint8Array.from({ length: 300 }, (_, i) => i);
    dialog.answers.push(file("chosen.dat", bytes));
    const opened = (await call("open-dialog", "save")) as { id: number; name: string; size: number };
    expect(opened).toMatchObject({ name: "chosen.dat", size: 300 });
    expect(await call("read", opened.id, 250, 100)).toEqual(bytes.slice(250));
    expect(await call("open-dialog", "save")).toBeUndefined();
    await expect(call("open-dialog", "/etc/passwd")).rejects.toThrow("no such dialog");
  });

  test("a file that could not be read is read when it can be", async () => {
    const path = file("late.dat", new Uint8Array(4));
    const { id } = (await call("open-dropped", path)) as { id: number };
    rmSync(path);
    await expect(call("read", id, 0, 4)).rejects.toThrow("ENOENT");
    file("late.dat", Uint8Array.of(1, 2, 3, 4));
    expect(await call("read", id, 0, 4)).toEqual(Uint8Array.of(1, 2, 3, 4));
  });

  test("a file that has grown since its size was told is not cut to that", async () => {
    const { id, size } = (await call("open-dropped", file("grown.dat", new Uint8Array(4)))) as { id: number; size: number };
    file("grown.dat", new Uint8Array(5));
    await expect(call("read", id, 0, size)).rejects.toThrow("the file has grown while it was read");
  });

  test("refuse what a page could make up", async () => {
    await expect(call("read", 999, 0, 1)).rejects.toThrow("not open");
    const { id } = (await call("open-dropped", file("a.dat", new Uint8Array(4)))) as { id: number };
    for (const [offset, length] of [
      [-1, 2],
      [0, 2 ** 40],
      [0.5, 1],
      ["0", 1],
    ])
      await expect(call("read", id, offset, length)).rejects.toThrow("no such piece");
    await expect(call("open-dropped", "")).rejects.toThrow("no file");
    await expect(call("open-dropped", { path: "x" })).rejects.toThrow("no file");
    await expect(call("open-dropped", folder)).rejects.toThrow("is no file");
    for (const index of [99, -1, 0.5, "length", "constructor"]) await expect(call("open-recent", index)).rejects.toThrow("no such file");
    for (const size of [-1, 0.5, 2 ** 53]) await expect(call("begin-save", id, size, false)).rejects.toThrow("no such size");
    await expect(call("begin-save", id, 2 ** 31 + 1, false)).rejects.toThrow("a.dat would have more than 2 GiB");
    await call("abort-save", await call("begin-save", id, 2 ** 31, false));
    const saving = (await call("begin-save", id, 3, false)) as number;
    await expect(call("send-piece", saving, new Uint8Array(4))).rejects.toThrow("more than was announced");
    await call("send-piece", saving, new Uint8Array(2));
    await expect(call("end-save", saving)).rejects.toThrow("not everything");
    expect(readFileSync(join(folder, "a.dat"))).toEqual(Buffer.alloc(4));
  });

  test("save in one step and keep the last three versions", async () => {
    const path = file("kept.dat", Uint8Array.of(0));
    let { id } = (await call("open-dropped", path)) as { id: number };
    for (let version = 1; version <= 5; version++) {
      const saving = (await call("begin-save", id, 2, false)) as number;
      await call("send-piece", saving, Uint8Array.of(version));
      await call("send-piece", saving, Uint8Array.of(99));
      const saved = (await call("end-save", saving)) as { id: number; backup: string };
      expect(saved.backup).toBe("kept.dat.bak1");
      ({ id } = saved);
    }
    // Nothing has changed: no version is given up for it.
    const saving = (await call("begin-save", id, 2, false)) as number;
    await call("send-piece", saving, Uint8Array.of(5, 99));
    expect(await call("end-save", saving)).toMatchObject({ name: "kept.dat", backup: undefined });
    const kept = readdirSync(folder)
      .filter((name) => name.startsWith("kept.dat"))
      .sort();
    expect(kept).toEqual(["kept.dat", "kept.dat.bak1", "kept.dat.bak2", "kept.dat.bak3"]);
    expect(kept.map((name) => readFileSync(join(folder, name))[0])).toEqual([5, 4, 3, 2]);
  });

  test("ask before they replace what another program has written since", async () => {
    const path = file("played.dat", Uint8Array.of(1));
    const { id } = (await call("open-dropped", path)) as { id: number };
    expect(await call("begin-save", id, 1, false)).toBeTypeOf("number");
    expect(dialog.asked).toEqual([]);
    writeFileSync(path, Uint8Array.of(2, 2));
    expect(await call("begin-save", id, 1, false)).toBeUndefined();
    expect(dialog.asked.splice(0)).toEqual(["played.dat has been changed by another program since it was opened."]);
    dialog.buttons.push(0);
    const saving = (await call("begin-save", id, 1, false)) as number;
    await call("send-piece", saving, Uint8Array.of(3));
    await call("end-save", saving);
    expect([...readFileSync(path), ...readFileSync(`${path}.bak1`)]).toEqual([3, 2, 2]);
    dialog.asked.length = 0;
  });

  test("what another program writes at the end of a save is not taken for the inspector's", async () => {
    const path = file("raced.dat", Uint8Array.of(1));
    let others: Uint8Array | undefined;
    class Raced extends FileDesk {
      open(...given: unknown[]) {
        if (others) writeFileSync(path, others);
        return super.open(...given);
      }
    }
    const raced = new Raced();
    const { id } = await raced.open(path);
    const outdated: boolean[] = [];
    for (others of [undefined, Uint8Array.of(2, 3), Uint8Array.of(2, 4), Uint8Array.of(2), Uint8Array.of(2, 3, 4)]) {
      const saving = raced.beginSave(raced.pathOf(id), 2);
      for (const piece of [2, 3]) raced.sendPiece(saving, Uint8Array.of(piece));
      outdated.push(await raced.isOutdated((await raced.endSave(saving)).id));
    }
    expect(outdated).toEqual([false, false, true, true, true]);
  });

  test("a file whose folder alone could not be flushed is saved, and the person is told", async () => {
    const path = file("flushed.dat", Uint8Array.of(1));
    const { id } = (await call("open-dropped", path)) as { id: number };
    const saving = (await call("begin-save", id, 1, false)) as number;
    await call("send-piece", saving, Uint8Array.of(2));
    const reason = `${path} is written, but its folder could not be flushed`;
    vi.mocked(saveFile).mockImplementationOnce(async () => {
      writeFileSync(path, Uint8Array.of(2));
      throw Object.assign(new Error(), { code: "file-sync", reason });
    });
    const saved = (await call("end-save", saving)) as { id: number };
    expect(saved).toEqual({ id: expect.any(Number), name: "flushed.dat", backup: "flushed.dat.bak1" });
    expect(dialog.errors.splice(0)).toEqual([`The file is saved, with a warning: ${reason}`]);
    // Nobody else has changed it.
    expect(await call("begin-save", saved.id, 1, false)).toBeTypeOf("number");
    expect(dialog.asked).toEqual([]);
  });

  test("save a copy where the person says, and nowhere when they change their mind", async () => {
    const { id } = (await call("open-dropped", file("source.dat", Uint8Array.of(7)))) as { id: number };
    expect(await call("begin-save", id, 1, true)).toBeUndefined();
    dialog.answers.push(join(folder, "copy.dat"));
    const saving = (await call("begin-save", id, 1, true)) as number;
    await call("send-piece", saving, Uint8Array.of(8));
    expect(await call("end-save", saving)).toMatchObject({ name: "copy.dat", backup: undefined });
    expect([...readFileSync(join(folder, "copy.dat")), ...readFileSync(join(folder, "source.dat"))]).toEqual([8, 7]);
  });

  test("propose a name for what has no place yet", async () => {
    dialog.proposed.length = 0;
    expect(await call("begin-save", undefined, 1, false, "../example.sav")).toBeUndefined();
    expect(dialog.proposed).toEqual(["example.sav"]);
  });

  test("do not list what was compared, or the schemas, as opened", async () => {
    await call("open-dropped", file("shown.dat", new Uint8Array(1)));
    await call("open-dropped", file("compared.dat", new Uint8Array(1)), "other");
    for (const what of ["other", "schemas"]) {
      dialog.answers.push(file(`${what}.json`, new Uint8Array(1)));
      await call("open-dialog", what);
    }
    expect(((await call("recent")) as { name: string }[])[0].name).toBe("shown.dat");
  });

  test("know the files opened last, the newest first, without those that are gone", async () => {
    const gone = file("gone.dat", new Uint8Array(1));
    await call("open-dropped", gone);
    await call("open-dropped", file("last.dat", new Uint8Array(1)));
    rmSync(gone);
    const names = ((await call("recent")) as { name: string }[]).map(({ name }) => name);
    expect(names[0]).toBe("last.dat");
    expect(names).not.toContain("gone.dat");
    expect(await call("open-recent", 0)).toMatchObject({ name: "last.dat" });
    // From the disk, as at the next start.
    expect(new RecentFiles(join(folder, "recent.json")).list()[0]).toMatchObject({ name: "last.dat" });
  });
});

test("the menu sends commands that the page knows", () => {
  const sent: string[] = [];
  const known = readFileSync(join(EXAMPLE, "renderer/app.js"), "utf8");
  for (const isMac of [false, true]) {
    const items = menuTemplate({ send: (id: string) => sent.push(id), isMac, name: "Inspector" }).flatMap(
      ({ submenu }: { submenu: { click?: () => void }[] }) => submenu,
    );
    for (const { click } of items) click?.();
  }
  expect(new Set(sent)).toEqual(
    new Set(["open", "save", "save-as", "compare", "undo", "redo", "find", "theme", "next-change", "previous-change", "shortcuts"]),
  );
  for (const id of new Set(sent)) expect(known, id).toMatch(new RegExp(`"${id}"|\\b${id}:`));
});

test("the menu knows both keys that redo, and shows the one that the page names", () => {
  type Item = { label?: string; accelerator?: string; visible?: boolean };
  const redo = menuTemplate({ send: () => undefined, isMac: false, name: "Inspector" })
    .flatMap(({ submenu }: { submenu: Item[] }) => submenu)
    .filter(({ label }: Item) => label === "Redo")
    .map(({ accelerator, visible = true }: Item) => [accelerator, visible]);
  expect(redo).toEqual([
    ["Ctrl+Y", true],
    ["Ctrl+Shift+Z", false],
  ]);
  expect(readFileSync(join(EXAMPLE, "renderer/index.html"), "utf8")).toContain('data-tip="Redo (Ctrl+Y)"');
});

describe.skipIf(!CHROMIUM)("the page with its preload", { timeout: 30_000 }, () => {
  const browser = useBrowser();
  const site = useInspector();
  let inspector: InspectorPage;

  /** What the main process sends. */
  const send = (channel: string, detail: unknown) =>
    inspector.page.evaluate(
      ([name, data]) =>
        (globalThis as unknown as { mainEvents: EventTarget }).mainEvents.dispatchEvent(new CustomEvent(name as string, { detail: data })),
      [channel, detail],
    );

  beforeAll(async () => {
    inspector = await InspectorPage.open(browser(), site.url, (page) =>
      withPreload(page, readFileSync(join(EXAMPLE, "preload.cjs"), "utf8"), OWN, folder),
    );
  }, 30_000);

  test("opens by the dialog, edits, saves with a backup, and tells the window", async () => {
    const given = save("desk.dat", world());
    const path = file("desk.dat", given.bytes);
    dialog.answers.push(path);
    await inspector.page.click("#do-open");
    await inspector.shows("desk.dat");
    await send("inspector:command", "save");
    await expect.poll(() => inspector.text("#toast")).toBe("desk.dat saved");
    expect(readFileSync(path)).toEqual(Buffer.from(given.bytes));

    // What is still being typed counts: the window asks before it closes.
    await inspector.row("gold").locator(".value").dblclick();
    await inspector.page.locator(".editor textarea").fill("7");
    await expect.poll(() => states.at(-1)).toEqual({ name: "desk.dat", edited: true });
    await inspector.press("Escape");
    await expect.poll(() => states.at(-1)).toEqual({ name: "desk.dat", edited: false });

    await inspector.edit("gold", "7");
    await expect.poll(() => states.at(-1)).toEqual({ name: "desk.dat", edited: true });
    await send("inspector:command", "save");
    await expect.poll(() => states.at(-1)).toEqual({ name: "desk.dat", edited: false });
    expect(elephant.read<{ gold: number }>(readFileSync(path)).gold).toBe(7);
    expect(readFileSync(`${path}.bak1`)).toEqual(Buffer.from(given.bytes));
    await inspector.page.locator("#progress").waitFor({ state: "hidden" });
    expect(inspector.complaints).toEqual([]);
  });

  test("keeps what is typed while a save is on its way", async () => {
    const { showSaveDialog } = dialog;
    let answer: ((chosen: { canceled: boolean; filePath: undefined }) => void) | undefined;
    dialog.showSaveDialog = () => new Promise((resolve) => (answer = resolve));
    await send("inspector:command", "save-as");
    await expect.poll(() => answer).toBeDefined();
    await inspector.row("gold").locator(".value").dblclick();
    await inspector.page.locator(".editor textarea").fill("9");
    await inspector.row("time").click();
    await inspector.selects("time");
    answer!({ canceled: true, filePath: undefined });
    dialog.showSaveDialog = showSaveDialog;
    await expect.poll(() => inspector.row("gold").locator(".value").innerText()).toBe("9");
    expect(inspector.complaints).toEqual([]);
  });

  test("opens and compares what is dropped, by the path that only the preload learns", async () => {
    const given = save("dropped.dat", world());
    file("dropped.dat", given.bytes);
    await inspector.openFile(given);
    const before = save("dropped-before.dat", { ...world(), gold: 1 });
    file("dropped-before.dat", before.bytes);
    await inspector.drop(before, "right");
    await expect.poll(() => inspector.page.locator(".chip").allInnerTexts()).toEqual(["1 changed"]);
    await inspector.drop(save("made-by-a-script.dat", {}));
    await expect.poll(() => inspector.text("#toast")).toBe("this is no file on the disk");
    await inspector.press("Escape");
  });

  test("takes files that the system hands over, in pieces", async () => {
    const given = largeSave("handed.dat", 5);
    await send("inspector:open-file", await desk.open(file("handed.dat", given.bytes)));
    await inspector.shows("handed.dat");
    expect(await inspector.text("#status")).toMatch(/5\.\d MB/);
    await send("inspector:command", "save");
    await expect.poll(() => inspector.text("#toast")).toBe("handed.dat saved");
    expect(readFileSync(join(folder, "handed.dat")).equals(given.bytes)).toBe(true);
    // A view takes its whole buffer through the bridge and the message.
    expect(await inspector.page.evaluate("largestSent")).toBe(4 << 20);
    await inspector.page.reload();
    await inspector.page.locator(".recent strong").first().waitFor();
    expect(await inspector.page.locator(".recent strong").first().innerText()).toBe("handed.dat");
  });

  test("says when a file has grown while it was read", async () => {
    const given = save("grows.dat", { a: 1 });
    const opened = await desk.open(file("grows.dat", given.bytes));
    file("grows.dat", save("grows.dat", { a: 1, b: 2 }).bytes);
    await send("inspector:open-file", opened);
    await expect.poll(() => inspector.text(".error .reason")).toBe("The file has grown while it was read.");
  });

  test("says when a file of the list is there no more", async () => {
    const path = file("once.dat", save("once.dat", { a: 1 }).bytes);
    recent.add(path);
    await inspector.page.reload();
    const entry = inspector.page.locator(".recent button", { hasText: "once.dat" });
    await entry.waitFor();
    rmSync(path);
    await entry.click();
    await expect.poll(() => inspector.text("#toast")).toBe("once.dat is no longer there");
    await expect.poll(() => entry.count()).toBe(0);
    expect(inspector.complaints).toEqual([]);
  });

  const screen = () => inspector.page.locator("body").getAttribute("data-screen");
  /** What the page has asked for before has been answered. */
  const answered = () => inspector.page.evaluate("tuskFiles.recent()");

  test("leaves the save alone that was opened before a file of the list has failed", async () => {
    recent.add(file("far.dat", new Uint8Array(1)));
    await inspector.page.reload();
    let fail: ((error: Error) => void) | undefined;
    vi.spyOn(desk, "open").mockImplementationOnce(() => new Promise((_, reject) => (fail = reject)));
    await inspector.page.locator(".recent button", { hasText: "far.dat" }).click();
    await expect.poll(() => fail).toBeDefined();
    const given = save("dropped-meanwhile.dat", world());
    file(given.name, given.bytes);
    await inspector.openFile(given);
    fail!(new Error("far.dat cannot be reached"));
    await expect.poll(() => inspector.text("#toast")).toBe("far.dat cannot be reached");
    await answered();
    expect(await screen()).toBe("tree");
    expect(await inspector.text("#file-name")).toBe("dropped-meanwhile.dat");
    expect(inspector.complaints).toEqual([]);
  });

  test("keeps a file that is given before the list is known", async () => {
    let answer: ((files: object[]) => void) | undefined;
    vi.spyOn(recent, "list").mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
    await inspector.page.reload();
    await expect.poll(() => answer).toBeDefined();
    const given = save("early.dat", world());
    await send("inspector:open-file", await desk.open(file(given.name, given.bytes)));
    await inspector.shows("early.dat");
    answer!([]);
    await answered();
    expect(await screen()).toBe("tree");
    expect(inspector.complaints).toEqual([]);
  });

  test("takes the game's schemas by the dialog, and says what is wrong with a file that holds none", async () => {
    const hero = createElephantSync({ constructors: { Hero: { v1: { hp: "u8" } } } });
    const bytes = hero.write({ hero: new StructInstance("Hero", { hp: 80 }) });
    const path = file("strict.dat", bytes);
    await send("inspector:open-file", await desk.open(path));
    await inspector.page.locator("body[data-screen=error]").waitFor();
    const choose = inspector.page.getByRole("button", { name: "Choose schemas" });
    // Nothing is chosen.
    await choose.click();
    await answered();
    dialog.answers.push(file("none.json", Buffer.from("Hero")));
    await choose.click();
    await expect.poll(() => inspector.text("#toast")).toContain("none.json is not JSON");
    dialog.answers.push(file("hero.json", Buffer.from('{ "Hero": { "v1": { "hp": "u8" } } }')));
    await choose.click();
    await inspector.shows("strict.dat");
    await send("inspector:command", "save");
    await expect.poll(() => inspector.text("#toast")).toBe("strict.dat saved");
    expect(readFileSync(path)).toEqual(Buffer.from(bytes));
    expect(inspector.complaints).toEqual([]);
  });

  test("says when a file could not be saved, which is still to be saved then", async () => {
    const folderOfIt = mkdtempSync(join(folder, "gone-"));
    const path = join(folderOfIt, "lost.dat");
    writeFileSync(path, save("lost.dat", world()).bytes);
    await send("inspector:open-file", await desk.open(path));
    await inspector.shows("lost.dat");
    await inspector.edit("gold", "7");
    await expect.poll(() => states.at(-1)).toEqual({ name: "lost.dat", edited: true });
    rmSync(folderOfIt, { recursive: true });
    await send("inspector:command", "save");
    await expect.poll(() => inspector.text("#toast")).toContain("not saved: ");
    expect(await inspector.text("#file-state")).toBe("1 edit, not saved");
    mkdirSync(folderOfIt);
    await send("inspector:command", "save");
    await expect.poll(() => inspector.text("#toast")).toBe("lost.dat saved");
    expect(elephant.read<{ gold: number }>(readFileSync(path)).gold).toBe(7);
    expect(inspector.complaints).toEqual([]);
  });

  test("saves the example where the person says, and nothing where nobody chooses a file", async () => {
    await inspector.page.reload();
    await inspector.page.click("#do-open");
    await answered();
    await inspector.page.click("#do-example");
    await inspector.shows("example.sav");
    const path = join(folder, "mine.sav");
    dialog.answers.push(path);
    await send("inspector:command", "save");
    await expect.poll(() => inspector.text("#toast")).toBe("mine.sav saved");
    expect(dialog.proposed.at(-1)).toBe("example.sav");
    expect(elephant.read(readFileSync(path))).toMatchObject({ title: "The lighthouse keeper" });
    // It has a place from now on.
    await inspector.edit("slot", "2");
    await send("inspector:command", "save");
    await expect.poll(() => inspector.text("#toast")).toContain("mine.sav.bak1");
    expect(inspector.complaints).toEqual([]);
  });

  test("has nothing but the bridge's functions", async () => {
    expect(
      await inspector.page.evaluate(() => {
        const { tuskFiles, require, process } = globalThis as unknown as Record<string, object | undefined>;
        return [Object.values(tuskFiles!).every((member) => typeof member === "function"), typeof require, typeof process];
      }),
    ).toEqual([true, "undefined", "undefined"]);
  });
});

test("the page's own protocol gives the page's files with their policy, and nothing else", async () => {
  const built = mkdtempSync(join(folder, "built-"));
  await (await load("build.mjs")).buildInspector(built);
  announceProtocol();
  serveProtocol(built);
  expect(protocol.schemes).toEqual([{ scheme: "inspector", privileges: { standard: true, secure: true, codeCache: true } }]);
  const answer = protocol.handlers.get("inspector")!;
  const policy = readFileSync(join(EXAMPLE, "renderer/policy.txt"), "utf8").trim().split("\n");
  expect(policy).toEqual([
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "worker-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types tusk-inspector",
  ]);
  for (const path of ["", "page.js", "worker.js", "style/tree.css"]) {
    const response = answer(new Request(`${OWN}${path}`));
    expect(response.status, path).toBe(200);
    expect(response.headers.get("content-security-policy")).toBe(`${policy.join("; ")}; frame-ancestors 'none'`);
  }
  // Nothing inline that the policy would have to allow, and nothing of elsewhere.
  const page = await answer(new Request(OWN)).text();
  expect(page).toContain(`content="${policy.join("; ")}"`);
  expect(page).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=|https?:/);
  for (const url of [`${OWN}../package.json`, `${OWN}%2e%2e/package.json`, "inspector://other/index.html"])
    expect(answer(new Request(url)).status, url).toBe(404);
  expect(answer(new Request(OWN, { method: "POST" })).status).toBe(404);
});
