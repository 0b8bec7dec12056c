// What is asked for while something else is under way: nothing typed is lost, nothing is done to another file. Messages to the worker are held
// back where a test needs it to be slow.
import { readFileSync } from "node:fs";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createElephantSync, SCHEMA } from "../../src/elephant/index.ts";
import { CHROMIUM, useBrowser } from "./chromium.ts";
import { InspectorPage, useInspector } from "./inspector-page.ts";
import { save, world } from "./inspector-saves.ts";

interface Held {
  held: string;
  messages: (() => void)[];
  worker: Worker;
}

/** A save that needs schemas, and those. */
const schemas = { Hero: { v1: { name: "string" } } } as const;
function strict(name: string, hero: string) {
  class Hero {
    static [SCHEMA] = schemas.Hero;
    name = hero;
  }
  return { name, bytes: createElephantSync({ constructors: { Hero } }).write({ hero: new Hero() }) };
}

describe.skipIf(!CHROMIUM)("while something is under way", { timeout: 30_000 }, () => {
  const browser = useBrowser();
  const site = useInspector();
  const given = save("slot1.dat", world());
  const old = {
    name: "old.sav",
    bytes: Uint8Array.from(readFileSync(new URL("../vectors/elephant/legacy/1.2.0-mixed.bin", import.meta.url))),
  };
  let inspector: InspectorPage;

  const hold = (operation: string) =>
    inspector.page.evaluate((name) => Object.assign(globalThis, { held: name, messages: [] } satisfies Omit<Held, "worker">), operation);
  const goOn = () =>
    inspector.page.evaluate(() => {
      const { messages } = globalThis as unknown as Held;
      Object.assign(globalThis, { held: "" });
      for (const post of messages) post();
    });
  const field = () => inspector.page.locator(".editor textarea");
  const value = (name: string) => inspector.row(name).locator(".value").innerText();
  const begin = async (name: string, text: string) => {
    await inspector.row(name).locator(".value").dblclick();
    await field().fill(text);
  };
  const asksOnLeaving = () => inspector.page.evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true })));
  /** Something has the save to itself until {@link goOn}. */
  const compareSlowly = async () => {
    await hold("compare");
    await inspector.drop(save("other.dat", { ...world(), gold: 3 }), "right");
  };

  beforeAll(async () => {
    inspector = await InspectorPage.open(browser(), site.url, async (page) => {
      await page.addInitScript(() => {
        const post = Worker.prototype.postMessage as (message: { operation: string }, transfer: Transferable[]) => void;
        Worker.prototype.postMessage = function (this: Worker, message: { operation: string }, transfer: Transferable[]) {
          const { held, messages } = Object.assign(globalThis as unknown as Held, { worker: this });
          if (message.operation === held) messages.push(() => post.call(this, message, transfer));
          else post.call(this, message, transfer);
        } as Worker["postMessage"];
      });
    });
  }, 30_000);
  beforeEach(() => inspector.begin());
  afterEach(() => expect(inspector.complaints).toEqual([]));

  test("an undo that waited leaves what is typed meanwhile, and nobody is taken out of the field", async () => {
    await inspector.openFile(given);
    await inspector.edit("gold", "1");
    await expect.poll(() => inspector.text("#file-state")).toBe("1 edit, not saved");
    await compareSlowly();
    await inspector.press("Control+z");
    await begin("lives", "9");
    await goOn();
    await expect.poll(() => value("gold")).toBe("1250");
    await inspector.page.locator("#do-redo:enabled").waitFor();
    await inspector.press("8", "Enter");
    await expect.poll(() => value("lives")).toBe("98");
    expect(await inspector.text("#file-state")).toBe("1 edit, not saved");
    await inspector.selects("lives");
  });

  test("an edit counts from Enter on, and is told of when it is refused behind another one", async () => {
    await inspector.openFile(given);
    await compareSlowly();
    await begin("gold", "many");
    await inspector.press("Enter");
    await inspector.row("time").locator(".value").dblclick();
    await expect.poll(() => field().inputValue()).toBe("5431250");
    expect(await asksOnLeaving()).toBe(true);
    await goOn();
    await expect.poll(() => inspector.text("#toast")).toMatch(/^gold is as it was: a number is expected/);
    expect(await asksOnLeaving()).toBe(false);
    expect(await value("gold")).toBe("1250");
  });

  test("edits are given up only for a file that can be read, and only by somebody who was asked", async () => {
    await inspector.openFile(given);
    await inspector.page.evaluate(() => {
      const asked: string[] = [];
      Object.assign(globalThis, { asked, answer: false });
      globalThis.confirm = (question) => asked.push(question!) > 0 && (globalThis as unknown as { answer: boolean }).answer;
    });
    const asked = () => inspector.page.evaluate(() => (globalThis as unknown as { asked: string[] }).asked.length);
    await inspector.edit("gold", "7");
    await begin("lives", "8");
    await inspector.drop({ name: "damaged.dat", bytes: given.bytes.slice(0, 60) });
    await inspector.page.locator("body[data-screen=error]").waitFor();
    expect(await asked()).toBe(0);
    expect(await inspector.text("#file-name")).toBe("damaged.dat");
    await inspector.press("Escape");
    await expect.poll(() => inspector.text("#file-state")).toBe("2 edits, not saved");
    await expect.poll(async () => [await value("gold"), await value("lives")]).toEqual(["7", "8"]);

    const other = save("other.dat", { silver: 1 });
    await begin("time", "9");
    await inspector.drop(other);
    await expect.poll(asked).toBe(1);
    await expect.poll(() => inspector.text("#file-state")).toBe("3 edits, not saved");
    await expect.poll(() => value("time")).toBe("9");
    await begin("time", "10");
    await inspector.page.evaluate(() => Object.assign(globalThis, { answer: true }));
    await inspector.openFile(other);
    await inspector.row("silver").waitFor();
    expect(await asked()).toBe(2);
    expect(await inspector.text("#file-state")).toBe("no changes");
    expect(await inspector.page.locator("#toast").isVisible()).toBe(false);
    // Its questions are answered otherwise.
    await inspector.again();
  });

  test("an edit that ends behind an error writes nothing onto it", async () => {
    await inspector.openFile(old);
    await begin("0", "7");
    const [chooser] = await Promise.all([inspector.page.waitForEvent("filechooser"), inspector.press("Control+o")]);
    await chooser.setFiles({ name: "bad.sav", mimeType: "", buffer: Buffer.from(given.bytes.slice(0, 60)) });
    await inspector.page.locator("body[data-screen=error]").waitFor();
    await expect.poll(() => inspector.page.locator("#details .whole").textContent()).toBe("7");
    expect(await inspector.page.locator("#toast").isVisible()).toBe(false);
    expect(await inspector.text("#status")).toBe("Nothing is shown of this file");
    await inspector.press("Escape");
    await expect.poll(() => inspector.text("#status-release")).toBe("release 1.2.0, will be written as 1.5.1");
    await expect.poll(() => inspector.text("#status-rows")).toMatch(/^row 2 of /);
  });

  test("what an edit tells takes the place of an error, and the focus from its button", async () => {
    await inspector.openFile(old);
    await inspector.edit("0", "7");
    await expect.poll(() => inspector.text("#file-state")).toBe("1 edit, not saved");
    await inspector.press("Control+z");
    await expect.poll(() => inspector.text("#file-state")).toBe("no changes");
    await hold("redo");
    await inspector.press("Control+y");
    await inspector.drop({ name: "bad.sav", bytes: given.bytes.slice(0, 60) }, "right");
    await inspector.page.getByRole("button", { name: "Dismiss" }).focus();
    expect(await inspector.page.evaluate(() => document.activeElement!.ariaLabel)).toBe("Dismiss");
    await goOn();
    await expect.poll(() => inspector.text("#toast")).toContain("will be written as 1.5.1");
    expect(await inspector.page.evaluate(() => document.activeElement!.id)).toBe("tree");
  });

  test("a value whose text comes when another file is open is not edited there", async () => {
    await inspector.openFile(given);
    await hold("wholeText");
    await inspector.row("gold").locator(".value").dblclick();
    await inspector.openFile(save("two.dat", { silver: 1 }));
    await goOn();
    await inspector.row("silver").locator(".value").dblclick();
    await expect.poll(() => field().inputValue()).toBe("1");
    expect(await field().count()).toBe(1);
  });

  test.each([
    ["can be read", save("two.dat", { silver: 1 }), "tree"],
    ["needs some, too", strict("two.dat", "Bob"), "error"],
  ])("schemas are for the file that they were asked for, not for one that has come since and %s", async (_, two, screen) => {
    await inspector.drop(strict("one.dat", "Ada"));
    const [chooser] = await Promise.all([
      inspector.page.waitForEvent("filechooser"),
      inspector.page.getByRole("button", { name: "Choose schemas" }).click(),
    ]);
    await inspector.drop(two);
    await inspector.page.locator(`body[data-screen=${screen}]`).waitFor();
    await expect.poll(() => inspector.text("#file-name")).toBe("two.dat");
    await chooser.setFiles({ name: "schemas.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(schemas)) });
    await expect.poll(() => inspector.text("#toast")).toBe("schemas.json was chosen for one.dat, which is no longer shown");
    expect(await inspector.page.locator("body").getAttribute("data-screen")).toBe(screen);
    expect(await inspector.text("#file-name")).toBe("two.dat");
    if (screen === "tree") return;
    await inspector.chooseSchemas("schemas.json", schemas);
    await inspector.shows("two.dat");
    await inspector.press("*");
    await expect.poll(() => value("name")).toBe('"Bob"');
  });

  test("a key whose row somebody has scrolled away from does what it does, and so do those behind it", async () => {
    await inspector.openFile(save("long.dat", { list: Array.from({ length: 3000 }, (_, i) => i) }));
    await inspector.press("*");
    await expect.poll(() => inspector.text("#status-rows")).toBe("row 1 of 3,002");
    const tree = inspector.page.locator("#tree");
    const count = () => inspector.page.evaluate(() => (globalThis as unknown as Held).messages.length);
    await hold("rows");
    await tree.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2));
    await expect.poll(count).toBe(1);
    await inspector.press("End");
    await expect.poll(() => tree.evaluate(({ scrollTop, clientHeight, scrollHeight }) => scrollHeight - clientHeight - scrollTop)).toBe(0);
    await tree.evaluate((element) => element.scrollTo(0, 0));
    await goOn();
    await expect.poll(() => inspector.text("#status-rows")).toBe("row 3,002 of 3,002");
    await inspector.press("Home", "ArrowDown");
    await inspector.selects("list");
  });

  test("a comparison that was ended while an edit had it renewed shows no progress any more", async () => {
    await inspector.openFile(given);
    await inspector.drop(save("other.dat", { ...world(), gold: 3 }), "right");
    await inspector.page.locator(".chip").waitFor();
    const progress = inspector.page.locator("#progress");
    const tell = () =>
      inspector.page.evaluate(() => {
        const data = { event: "comparing", data: { count: 1, share: 0.5 } };
        (globalThis as unknown as Held).worker.dispatchEvent(new MessageEvent("message", { data }));
      });
    await progress.waitFor({ state: "hidden" });
    await hold("compareAgain");
    await inspector.edit("lives", "4");
    await expect.poll(() => inspector.text("#file-state")).toBe("1 edit, not saved");
    await tell();
    await progress.waitFor();
    await inspector.page.click("[aria-label='End the comparison']");
    await progress.waitFor({ state: "hidden" });
    await tell();
    expect(await progress.isVisible()).toBe(false);
    await goOn();
  });

  test("who goes elsewhere as soon as the changes are there stays there", async () => {
    await inspector.openFile(given);
    await hold("rows");
    await inspector.drop(save("other.dat", { ...world(), gold: 3 }), "right");
    await inspector.page.locator(".change").waitFor();
    const focused = () => inspector.page.evaluate(() => document.activeElement?.getAttribute("role"));
    expect(await focused()).toBe("listbox");
    await inspector.page.locator("#tree").focus();
    await goOn();
    await expect.poll(() => inspector.page.locator('.row[data-mark="changed"]').count()).toBe(1);
    expect(await focused()).toBe("tree");
    await inspector.press("ArrowDown");
    await inspector.selects("gold");
  });

  test("of the saves to compare with that come meanwhile the last one is next", async () => {
    await inspector.openFile(given);
    await compareSlowly();
    for (const [i, name] of ["second.dat", "third.dat"].entries()) {
      await inspector.drop(save(name, { ...world(), gold: i }), "right");
      await expect.poll(() => inspector.text("#toast")).toBe(`${name} is next, as soon as this is done`);
    }
    await goOn();
    await expect.poll(() => inspector.text("#changes .since")).toBe("since third.dat");
    await inspector.page.locator("#progress").waitFor({ state: "hidden" });
  });

  test("a file that was chosen to compare with one save is not compared with another one that came meanwhile", async () => {
    await inspector.openFile(given);
    const [chooser] = await Promise.all([inspector.page.waitForEvent("filechooser"), inspector.page.click("#do-compare")]);
    await inspector.openFile(save("next.dat", { a: 1 }));
    await chooser.setFiles({ name: "other.dat", mimeType: "application/octet-stream", buffer: Buffer.from(given.bytes) });
    await expect.poll(() => inspector.text("#toast")).toBe("not compared: other.dat: another file has come meanwhile");
    expect(await inspector.page.locator("#changes").isVisible()).toBe(false);
  });

  test("a row that is clicked while a found place is opened above it stays the selected one", async () => {
    await inspector.openFile(save("rows.dat", { list: ["needle", 1], a: 1, b: 2 }));
    await hold("reveal");
    await inspector.page.fill("#query", "needle");
    await expect.poll(() => inspector.page.evaluate(() => (globalThis as unknown as Held).messages.length)).toBe(1);
    await inspector.row("a").click();
    await goOn();
    await expect.poll(() => inspector.page.locator(".row").count()).toBe(6);
    await inspector.press("ArrowDown");
    await inspector.selects("b");
  });

  test("a place that was found in the save before opens nothing in the next one", async () => {
    await inspector.openFile(save("before.dat", { a: 1, list: ["needle"] }));
    const count = () => inspector.page.evaluate(() => (globalThis as unknown as Held).messages.length);
    await hold("found");
    await inspector.page.fill("#query", "needle");
    await expect.poll(count).toBe(1);
    // Its answer comes when the next save is on its way into the place of this one.
    await inspector.page.evaluate(() => Object.assign(globalThis, { held: "take" }));
    await inspector.drop(save("next.dat", { a: 1, list: [1, 2] }), "left");
    await expect.poll(count).toBe(2);
    await goOn();
    await inspector.shows("next.dat");
    await inspector.press("ArrowDown");
    await inspector.selects("a");
    await expect.poll(() => inspector.text("#status-rows")).toBe("row 2 of 3");
    expect(await inspector.text("#hits")).toBe("");
  });

  test.each([
    ["a damaged one", { name: "damaged.dat", bytes: given.bytes.slice(0, 60) }],
    ["one that nobody wants after all", save("other.dat", { silver: 1 })],
  ])("what is typed is kept when a file comes while another window has the focus: %s", async (_what, file) => {
    await inspector.openFile(given);
    await inspector.page.evaluate(() => {
      Object.assign(globalThis, { confirm: () => false });
    });
    await begin("gold", "7");
    await inspector.page.evaluate(() => {
      document.hasFocus = () => false;
    });
    await inspector.drop(file);
    if (file.name === "damaged.dat") {
      await inspector.page.locator("body[data-screen=error]").waitFor();
      await inspector.press("Escape");
    }
    await expect.poll(() => inspector.text("#file-state")).toBe("1 edit, not saved");
    await expect.poll(() => value("gold")).toBe("7");
    expect(await field().count()).toBe(0);
    await inspector.page.evaluate(() => {
      delete (document as { hasFocus?: unknown }).hasFocus;
    });
    await inspector.again();
  });

  test("what is typed in a field that has lost the focus unseen is kept when another one is opened", async () => {
    await inspector.openFile(given);
    await begin("gold", "7");
    await inspector.page.evaluate(() => {
      document.hasFocus = () => false;
      document.getElementById("tree")!.focus();
      delete (document as { hasFocus?: unknown }).hasFocus;
    });
    await inspector.press("ArrowDown", "ArrowDown", "Enter");
    await expect.poll(() => field().inputValue()).toBe("5431250");
    await expect.poll(() => value("gold")).toBe("7");
    expect(await inspector.text("#file-state")).toBe("1 edit, not saved");
    await inspector.press("Escape");
  });

  test("a bool that Space has switched counts from then on, and the keys behind it do not wait", async () => {
    await inspector.openFile(save("flag.dat", { flag: true, gold: 1 }));
    await compareSlowly();
    await inspector.press("ArrowDown", "Space");
    await expect.poll(asksOnLeaving).toBe(true);
    await inspector.press("Space", "Space", "ArrowDown");
    await inspector.selects("gold");
    expect(await value("flag")).toBe("true");
    await goOn();
    await expect.poll(() => inspector.text("#file-state")).toBe("3 edits, not saved");
    await expect.poll(() => value("flag")).toBe("false");
  });

  test("an edit that was made beside a comparison is a part of what is compared", async () => {
    await inspector.openFile(given);
    await hold("compare");
    await inspector.drop({ name: "bad.dat", bytes: given.bytes.slice(0, 60) }, "right");
    await begin("gold", "7");
    await inspector.press("Enter");
    await inspector.drop(save("other.dat", { ...world(), gold: 3 }), "right");
    // The edit, and what was found without it, are held back.
    await inspector.page.evaluate(() => {
      const { messages, worker } = Object.assign(globalThis as unknown as Held, { held: "edit" });
      const answer = worker.onmessage!;
      worker.onmessage = (event) => {
        if (!event.data.result?.counts) return answer.call(worker, event);
        worker.onmessage = answer;
        return messages.push(() => answer.call(worker, event));
      };
      for (const post of messages.splice(0)) post();
    });
    const count = () => inspector.page.evaluate(() => (globalThis as unknown as Held).messages.length);
    await expect.poll(count).toBe(2);
    await inspector.page.evaluate(() => (globalThis as unknown as Held).messages.shift()!());
    await expect.poll(() => inspector.text("#details .whole")).toBe("7");
    await goOn();
    await expect.poll(() => inspector.text("#changes .since")).toBe("since other.dat");
    await expect.poll(() => inspector.page.locator(".change ins").allTextContents()).toEqual(["7"]);
  });

  test("a value that is refused is neither saved without nor undone past, by the buttons, too", async () => {
    await inspector.openFile(given);
    await inspector.edit("lives", "9");
    await expect.poll(() => inspector.text("#file-state")).toBe("1 edit, not saved");
    let downloads = 0;
    const note = () => downloads++;
    inspector.page.on("download", note);
    for (const button of ["#do-save", "#do-undo"]) {
      await begin("gold", "12x");
      await inspector.page.click(button);
      await expect.poll(() => inspector.text("#editor-hint")).toBe("a number is expected, for example 12, -0.5 or 1e6");
      expect(await field().inputValue()).toBe("12x");
      expect([downloads, await value("lives"), await inspector.text("#file-state")]).toEqual([0, "9", "1 edit, not saved"]);
      await inspector.press("Escape");
    }
    await begin("gold", "12");
    await inspector.page.click("#do-undo");
    await inspector.page.locator("#do-redo:enabled").waitFor();
    await expect.poll(() => value("gold")).toBe("1250");
    expect([await value("lives"), await field().count()]).toEqual(["9", 0]);
    await inspector.page.fill("#query", "gold");
    await inspector.page.click("#do-undo");
    await expect.poll(() => value("lives")).toBe("3");
    expect(await inspector.page.inputValue("#query")).toBe("gold");
    await inspector.page.fill("#query", "");
    await begin("gold", "12");
    await inspector.page.click("#do-save");
    await expect.poll(() => downloads).toBe(1);
    await expect.poll(() => value("gold")).toBe("12");
    inspector.page.off("download", note);
  });

  test("who has downloaded what was edited is asked on leaving, for a download may be cancelled, until another file is open", async () => {
    await inspector.openFile(given);
    await inspector.save();
    expect(await asksOnLeaving()).toBe(false);
    await inspector.edit("gold", "7");
    await expect.poll(() => inspector.text("#file-state")).toBe("1 edit, not saved");
    await inspector.save();
    await expect.poll(() => inspector.text("#file-state")).toBe("no changes");
    expect(await asksOnLeaving()).toBe(true);
    await inspector.openFile(given);
    expect(await asksOnLeaving()).toBe(false);
  });

  test("a key that is held saves once, and a copy is saved behind the save", async () => {
    await inspector.openFile(given);
    let downloads = 0;
    const note = () => downloads++;
    inspector.page.on("download", note);
    await inspector.page.keyboard.down("Control");
    for (let i = 1; i <= 4; i++) {
      await inspector.page.keyboard.down("s");
      await expect.poll(() => downloads).toBe(1);
      await inspector.page.locator("#progress").waitFor({ state: "hidden" });
    }
    await inspector.page.keyboard.up("s");
    await inspector.page.keyboard.up("Control");
    await inspector.press("Control+s", "Control+Shift+S");
    await expect.poll(() => downloads).toBe(3);
    inspector.page.off("download", note);
  });
});
