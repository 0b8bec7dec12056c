// The save inspector's page in Chromium under Electron's settings: an origin of its own, a strict policy, no Node.
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Download } from "playwright-core";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { detect } from "../../src/detect.ts";
import { writeDs } from "../../src/ds/index.ts";
import { createElephantSync, SCHEMA, Scalar } from "../../src/elephant/index.ts";
import { CHROMIUM, useBrowser } from "./chromium.ts";
import { weakTexts } from "./contrast.ts";
import { type GivenFile, InspectorPage, useInspector } from "./inspector-page.ts";
import { save, world } from "./inspector-saves.ts";

const elephant = createElephantSync({ unknownConstructor: "generic" });
const vector = (path: string) => Uint8Array.from(readFileSync(new URL(`../vectors/${path}`, import.meta.url)));

describe.skipIf(!CHROMIUM)("the save inspector", { timeout: 30_000 }, () => {
  const browser = useBrowser();
  const site = useInspector();
  const given = save("slot1.dat", world());
  let inspector: InspectorPage;

  beforeAll(async () => {
    inspector = await InspectorPage.open(browser(), site.url);
  }, 30_000);
  beforeEach(() => inspector.begin());
  // Neither errors nor refusals of the policy, whatever a test did.
  afterEach(() => expect(inspector.complaints).toEqual([]));

  describe("opening", () => {
    test("by the button: the tree, the status and the title tell about the file", async () => {
      await inspector.again();
      await inspector.pick(given);
      await inspector.shows("slot1.dat");
      const rows = await inspector.rows();
      expect(rows.slice(0, 6)).toEqual([
        { level: 1, name: "slot1.dat", value: "6 members", type: "struct", selected: true },
        { level: 2, name: "gold", value: "1250", type: "real", selected: false },
        { level: 2, name: "lives", value: "3", type: "u8", selected: false },
        { level: 2, name: "time", value: "5431250", type: "int64", selected: false },
        { level: 2, name: "title", value: '"<img src=x onerror=alert(1)>"', type: "string", selected: false },
        { level: 2, name: "hero", value: "3 members", type: "Hero", selected: false },
      ]);
      expect(await inspector.text("#status")).toMatch(/Elephant.*release 1\.5\.1.*save.*kB.*engine wasm.*read in/s);
      expect(await inspector.page.title()).toBe("slot1.dat – Save Inspector");
    });

    test("by drop, and then another one", async () => {
      await inspector.openFile(given);
      await inspector.openFile(save("other.dat", { a: 1 }));
      expect((await inspector.rows()).map(({ name }) => name)).toEqual(["other.dat", "a"]);
    });

    test("of a file that is given while another one is read: when that is there", async () => {
      await inspector.again();
      const other = save("other.dat", { a: 1 });
      await inspector.page.evaluate(
        (files) => {
          for (const { name, bytes } of files) {
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([Uint8Array.from(bytes)], name));
            document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
          }
        },
        [other, other, given].map(({ name, bytes }) => ({ name, bytes: [...bytes] })),
      );
      await expect.poll(() => inspector.text("#toast")).toContain("slot1.dat is next");
      await inspector.shows("slot1.dat");
      expect((await inspector.rows()).map(({ name }) => name)).toContain("gold");
    });

    test("of two files at once: one, and a word about the other", async () => {
      await inspector.again();
      await inspector.page.evaluate(
        (files) => {
          const dataTransfer = new DataTransfer();
          for (const { name, bytes } of files) dataTransfer.items.add(new File([Uint8Array.from(bytes)], name));
          document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
        },
        [given, save("other.dat", { a: 1 })].map(({ name, bytes }) => ({ name, bytes: [...bytes] })),
      );
      await inspector.shows("slot1.dat");
      await expect.poll(() => inspector.text("#toast")).toBe("1 more file left out: one at a time");
    });

    test("whose name turns the direction of writing: the title behind it goes on as it should", async () => {
      await inspector.drop(save("a\u202etad.dat", { a: 1 }));
      await inspector.shows("a\\u202etad.dat");
      expect(await inspector.page.title()).toBe("\u2068a\u202etad.dat\u2069 – Save Inspector");
    });

    test("that is read with a warning, whose text a key shows", async () => {
      const payload = Buffer.from('\0{"instance_list":[],"instance_deactivated_list":[],"backgrounds":[], "room_index":0}');
      const checksum = createHash("sha1").update(payload).digest();
      await inspector.openFile({ name: "spaced.dat", bytes: Buffer.concat([payload, checksum]) });
      expect(await inspector.text("#status")).toContain("1 warning");
      await inspector.page.locator("#status button").focus();
      await inspector.press("Enter");
      expect(await inspector.text("#toast")).toContain("not in the engine's");
    });

    test.each([
      ["an export string", "export.txt", () => Buffer.from(elephant.exportString({ a: 1 })), /Elephant.*1\.5\.1.*export string/s, "a"],
      ["a ds_map string", "map.txt", () => vector("ds/cases/map-x03-mixed-1.txt"), /ds string.*generation 3.*map/s, undefined],
      ["an ENIGMA save", "enigma.bin", () => vector("enigma/bin-many-12-defaults.bin"), /ENIGMA.*binary backend/s, "active"],
      [
        "introspection text",
        "player.txt",
        () => Buffer.from("oPlayer = 100001\n{\n\t_level : int = 3\n}\n"),
        /Introspection text/,
        undefined,
      ],
    ])("%s", async (_, name, bytes, status, member) => {
      await inspector.openFile({ name, bytes: bytes() });
      expect(await inspector.text("#status")).toMatch(status);
      const rows = await inspector.rows();
      expect(rows.length).toBeGreaterThan(1);
      if (member) expect(rows.map((row) => row.name)).toContain(member);
      // What is shown is written as it was.
      expect(await inspector.save()).toEqual(Buffer.from(bytes()));
    });

    test("the example, where one has no save at hand", async () => {
      await inspector.again();
      await inspector.page.click("#do-example");
      await inspector.shows("example.sav");
      expect((await inspector.rows()).map(({ name }) => name)).toContain("party");
    });
  });

  test("text of a save is never markup, and scripts cannot come from strings", async () => {
    await inspector.openFile(given);
    expect(await inspector.page.locator("img").count()).toBe(0);
    const refused = await inspector.page.evaluate(async () => {
      // In a task of its own: as long as the test's script runs, the policy does not apply.
      await new Promise((resolve) => setTimeout(resolve));
      const ways: Record<string, () => unknown> = {
        markup: () => {
          document.createElement("div").innerHTML = "<b></b>";
        },
        eval: () => Function("return 1")(),
        worker: () => new Worker("data:text/javascript,0"),
        network: () => fetch("https://example.org/"),
        ownFiles: () => fetch("page.js"),
      };
      const found: string[] = [];
      for (const [name, way] of Object.entries(ways)) {
        try {
          await way();
        } catch {
          found.push(name);
        }
      }
      return found;
    });
    expect(refused).toEqual(["markup", "eval", "worker", "network", "ownFiles"]);
    inspector.complaints.length = 0;
  });

  test("the keyboard alone goes everywhere", async () => {
    await inspector.openFile(given);
    await inspector.press("End");
    await inspector.selects("entities");
    await inspector.press("ArrowRight", "ArrowRight");
    await inspector.selects("0");
    await inspector.press("ArrowRight", "ArrowRight", "ArrowDown");
    await inspector.selects("name");
    await expect.poll(() => inspector.page.locator("#crumbs button").allInnerTexts()).toEqual(["slot1.dat", "entities", "[0]", "name"]);
    await inspector.press("ArrowLeft", "ArrowLeft", "ArrowLeft");
    await inspector.selects("entities");
    await inspector.press("PageDown", "Home");
    await inspector.selects("slot1.dat");
    await inspector.page.keyboard.type("he");
    await inspector.selects("hero");
    /** Letters begin another name when some time has gone by. */
    const later = () =>
      inspector.page.evaluate(() => {
        const now = performance.now.bind(performance);
        performance.now = () => now() + 900;
      });
    // Letters go on into what is open, and behind it.
    await inspector.press("ArrowRight");
    await later();
    await inspector.page.keyboard.type("hp");
    await inspector.selects("hp");
    await inspector.press("ArrowLeft");
    await later();
    // Only the last letter leads there, so the click comes behind all of them.
    await inspector.page.keyboard.type("tit");
    await inspector.selects("title");
    await inspector.row("hero").click();
    await inspector.press("ArrowLeft");
    await inspector.selects("hero");
    const active = async (attribute: string) => {
      const id = await inspector.page.locator("#tree").getAttribute("aria-activedescendant");
      return inspector.page.locator(`#${id}`).getAttribute(attribute);
    };
    await expect.poll(() => active("aria-expanded")).toBe("false");
    expect(await active("aria-selected")).toBe("true");
    // The page stays for the next test, which types, too.
    await later();
  });

  test("the keyboard has a page that names its keys, and copies the value", async () => {
    await inspector.openFile(given);
    await inspector.press("F1");
    await expect.poll(() => inspector.text("#shortcuts")).toContain("compare with another save");
    expect(await inspector.text("#shortcuts")).toContain("save as a download");
    await inspector.press("Escape");
    expect(await inspector.page.locator("#shortcuts").isVisible()).toBe(false);
    // What is copied shows where it is pasted.
    const pasted = async () => {
      await inspector.press("Control+c", "Control+f", "Control+v");
      const text = await inspector.page.inputValue("#query");
      await inspector.press("Escape");
      return text;
    };
    await inspector.page.locator("#tree").focus();
    await inspector.press("ArrowDown");
    await inspector.selects("gold");
    await expect.poll(() => inspector.text("#details .path")).toBe(".gold");
    expect(await pasted()).toBe("1250");
    await inspector.page.keyboard.type("he");
    await inspector.selects("hero");
    await expect.poll(() => inspector.text("#details .path")).toBe(".hero");
    // The second letter selects it once more, which asks for its value once more.
    await expect.poll(pasted).toBe(".hero");
  });

  test("no other value is copied than the one that is selected", async () => {
    await inspector.openFile(given);
    await inspector.press("ArrowDown");
    await expect.poll(() => inspector.text("#details .path")).toBe(".gold");
    const copied = () =>
      inspector.page.evaluate(() => {
        const clipboardData = new DataTransfer();
        document.dispatchEvent(new ClipboardEvent("copy", { clipboardData, bubbles: true, cancelable: true }));
        return clipboardData.getData("text/plain");
      });
    expect(await copied()).toBe("1250");
    // The worker has not told about the next one yet.
    await inspector.page.evaluate(() => {
      const { postMessage } = Worker.prototype;
      Worker.prototype.postMessage = function (this: Worker, message: { operation: string }, options?: object) {
        if (message.operation === "details") setTimeout(() => postMessage.call(this, message, options), 1500);
        else postMessage.call(this, message, options);
      };
    });
    await inspector.press("ArrowDown");
    await inspector.selects("lives");
    expect(await copied()).toBe("");
    expect(await inspector.text("#toast")).toBe("not copied: what is selected is still on its way");
    await expect.poll(() => inspector.text("#details .path")).toBe(".lives");
    expect(await copied()).toBe("3");
    await inspector.again();
  });

  test("its keys do nothing to the save behind that page", async () => {
    await inspector.openFile(given);
    await inspector.edit("gold", "7");
    await inspector.page.locator(".editor").waitFor({ state: "detached" });
    await inspector.press("F1");
    await inspector.page.locator("#shortcuts kbd").first().waitFor();
    await inspector.press("Control+z", "Escape");
    await inspector.page.locator("#shortcuts").waitFor({ state: "hidden" });
    await inspector.press("Control+f");
    expect(await inspector.text("#file-state")).toBe("1 edit, not saved");
    expect(await inspector.row("gold").locator(".value").innerText()).toBe("7");
  });

  test("says so where the worker cannot be loaded", async () => {
    await inspector.page.route("**/worker.js", (route) => route.abort());
    await inspector.page.reload();
    await inspector.page.click("#do-example");
    await expect.poll(() => inspector.text(".error .reason")).toBe("The worker could not be started.");
    await inspector.page.getByRole("button", { name: "Back" }).click();
    await inspector.page.click("#do-example");
    await expect.poll(() => inspector.text(".error .reason")).toBe("The worker could not be started.");
    await inspector.page.unroute("**/worker.js");
    inspector.complaints.length = 0;
  });

  test("says so where there can be no worker, and what to do", async () => {
    const opened = await InspectorPage.open(browser(), pathToFileURL(join(site.folder, "index.html")).href);
    await opened.page.click("#do-example");
    await expect
      .poll(() => opened.text(".error .reason"))
      .toBe("Browsers start no worker for a page that is a file: open it with npm run inspector.");
    await opened.close();
  });

  describe("search", () => {
    test("counts names and values, walks through them and opens what they lie in", async () => {
      await inspector.openFile(given);
      await inspector.press("Control+f");
      await inspector.page.keyboard.type("ENTITY 1");
      // 1, 10 to 19, 100 to 199.
      await expect.poll(() => inspector.text("#hits")).toBe("1 of 111");
      await inspector.selects("name");
      expect((await inspector.selected())?.value).toBe('"entity 1"');
      expect(await inspector.page.locator(".row.selected mark").innerText()).toBe("entity 1");
      await inspector.press("Enter");
      await expect.poll(async () => (await inspector.selected())?.value).toBe('"entity 10"');
      await inspector.press("Shift+Enter", "Shift+Enter");
      await expect.poll(async () => (await inspector.selected())?.value).toBe('"entity 199"');
      await expect.poll(() => inspector.text("#hits")).toBe("111 of 111");
      await inspector.press("Escape");
      expect(await inspector.text("#hits")).toBe("");
    });

    test("counts anew after an edit, and is left by Escape at any moment", async () => {
      await inspector.openFile(given);
      await inspector.page.fill("#query", "125");
      await expect.poll(() => inspector.text("#hits")).toBe("1 of 4");
      await inspector.selects("gold");
      await inspector.page.locator("#tree").focus();
      await inspector.press("Enter");
      await inspector.page.locator(".editor textarea").fill("7");
      await inspector.press("Enter");
      await expect.poll(() => inspector.text("#hits")).toBe("1 of 3");
      for (const pause of [100, 160, 165, 170, 180]) {
        await inspector.page.locator("#query").fill("entity 1");
        await inspector.page.waitForTimeout(pause);
        await inspector.press("Escape");
      }
      expect(await inspector.text("#hits")).toBe("");
    });

    test("goes on from its place when an edit has taken that away", async () => {
      await inspector.openFile(save("hits.dat", { a: "hit", b: "hit", c: "hit", d: "hit" }));
      await inspector.page.fill("#query", "hit");
      await expect.poll(() => inspector.text("#hits")).toBe("1 of 4");
      const edit = async (name: string, text: string, hits: string) => {
        await inspector.edit(name, text);
        await expect.poll(() => inspector.text("#hits")).toBe(hits);
      };
      const step = async (which: "next" | "previous", name: string, hits: string) => {
        await inspector.page.click(`#do-${which}`);
        await inspector.selects(name);
        expect(await inspector.text("#hits")).toBe(hits);
      };
      await step("next", "b", "2 of 4");
      await edit("b", "gone", "2 of 3");
      await step("next", "c", "2 of 3");
      // Before it, there is one more again.
      await edit("b", "hit", "3 of 4");
      await step("previous", "b", "2 of 4");
      await edit("b", "gone", "2 of 3");
      await step("previous", "a", "1 of 3");
      await step("previous", "d", "3 of 3");
      await edit("d", "gone", "2 of 2");
      await step("next", "a", "1 of 2");
    });

    test("by name alone, and constructors by theirs", async () => {
      await inspector.openFile(given);
      await inspector.page.selectOption("#search-in", "names");
      await inspector.page.fill("#query", "hero");
      await expect.poll(() => inspector.text("#hits")).toBe("1 of 1");
      await inspector.page.fill("#query", "Ada");
      await expect.poll(() => inspector.text("#hits")).toBe("none");
      await inspector.page.selectOption("#search-in", "values");
      await expect.poll(() => inspector.text("#hits")).toBe("1 of 1");
    });
  });

  describe("editing and saving", () => {
    test("an unchanged save is the same bytes", async () => {
      await inspector.openFile(given);
      expect(await inspector.save()).toEqual(Buffer.from(given.bytes));
    });

    test("edits of each type, undo, redo, and the bytes that the codec writes", async () => {
      await inspector.openFile(given);
      await inspector.edit("gold", "-0.5e3");
      await inspector.edit("lives", "9");
      await inspector.edit("time", "-9223372036854775808");
      await inspector.edit("title", "A 🐘");
      await inspector.row("hero").locator(".twisty").click();
      await inspector.row("alive").click();
      await inspector.press("Space");
      await expect.poll(() => inspector.row("alive").locator(".value").innerText()).toBe("false");
      await expect.poll(() => inspector.text("#file-state")).toBe("5 edits, not saved");
      const changed = world();
      Object.assign(changed, { gold: -500, lives: Scalar("u8", 9), time: -(2n ** 63n), title: "A 🐘" });
      changed.hero.alive = false;
      expect(await inspector.save()).toEqual(Buffer.from(elephant.write(changed)));
      await expect.poll(() => inspector.text("#file-state")).toBe("no changes");

      await inspector.press("Control+z", "Control+z");
      await inspector.selects("title");
      await expect.poll(async () => (await inspector.selected())?.value).toBe('"<img src=x onerror=alert(1)>"');
      await expect.poll(() => inspector.text("#file-state")).toBe("2 edits, not saved");
      await inspector.press("Control+Shift+Z");
      await expect.poll(async () => (await inspector.selected())?.value).toBe('"A 🐘"');
      await inspector.press("Control+z", "Control+z", "Control+z", "Control+z");
      await inspector.selects("gold");
      expect(await inspector.save()).toEqual(Buffer.from(given.bytes));
    });

    test.each([
      ["gold", "12 apples", "a number is expected"],
      ["lives", "256", "a whole number from 0 to 255 is expected"],
      ["time", "1.5", "a whole number is expected"],
      ["title", "nul \0", "U+0000"],
    ])("%s refuses %j and says why", async (name, text, reason) => {
      await inspector.openFile(given);
      const before = await inspector.row(name).locator(".value").innerText();
      await inspector.edit(name, text);
      await expect.poll(() => inspector.text(".editor.wrong .hint")).toContain(reason);
      await inspector.press("Escape");
      expect(await inspector.page.locator(".editor").count()).toBe(0);
      expect(await inspector.row(name).locator(".value").innerText()).toBe(before);
      expect(await inspector.text("#file-state")).toBe("no changes");
    });

    test("Enter edits; going elsewhere and saving keep what was typed, Escape does not", async () => {
      await inspector.openFile(given);
      const type = async (text: string) => {
        await inspector.row("gold").click();
        await inspector.press("Enter");
        await inspector.page.locator(".editor").waitFor();
        await inspector.page.keyboard.type(text);
      };
      const gold = () => inspector.row("gold").locator(".value").innerText();
      await type("1");
      await inspector.press("Escape");
      expect(await gold()).toBe("1250");
      await type("2");
      await inspector.row("time").click();
      await expect.poll(gold).toBe("2");
      await type("many");
      await inspector.row("time").click();
      await expect.poll(() => inspector.text("#toast")).toContain("gold is as it was: a number is expected");
      expect(await gold()).toBe("2");
      await type("3");
      expect(elephant.read<{ gold: number }>(await inspector.save()).gold).toBe(3);
      await expect.poll(gold).toBe("3");
    });

    test("undo goes no further than the file, however often it is asked for at once", async () => {
      await inspector.openFile(given);
      await inspector.edit("gold", "1");
      await expect.poll(() => inspector.text("#file-state")).toBe("1 edit, not saved");
      const dispatch = (key: string) =>
        inspector.page.evaluate((pressed) => {
          for (let i = 0; i < 3; i++)
            document.getElementById("tree")!.dispatchEvent(new KeyboardEvent("keydown", { key: pressed, ctrlKey: true, bubbles: true }));
        }, key);
      await dispatch("z");
      await expect.poll(() => inspector.text("#file-state")).toBe("no changes");
      await dispatch("y");
      await expect.poll(() => inspector.row("gold").locator(".value").innerText()).toBe("1");
    });

    test.each(["Enter", "going elsewhere"])("undo takes back an edit that %s has just ended", async (end) => {
      await inspector.openFile(given);
      await inspector.row("gold").locator(".value").dblclick();
      await inspector.page.locator(".editor textarea").fill("1");
      await inspector.page.evaluate((how) => {
        const key = (init: KeyboardEventInit) =>
          document.activeElement!.dispatchEvent(new KeyboardEvent("keydown", { ...init, bubbles: true, cancelable: true }));
        if (how === "Enter") key({ key: "Enter" });
        else document.getElementById("tree")!.focus();
        key({ key: "z", ctrlKey: true });
      }, end);
      await expect.poll(() => inspector.page.locator("#do-redo").isEnabled()).toBe(true);
      expect(await inspector.text("#file-state")).toBe("no changes");
      await expect.poll(() => inspector.row("gold").locator(".value").innerText()).toBe("1250");
      expect(await inspector.page.locator(".editor").count()).toBe(0);
    });

    test("saving waits for the steps and the save before it, once however often it is asked for", async () => {
      await inspector.openFile(given);
      await inspector.edit("gold", "1");
      await inspector.edit("lives", "1");
      await expect.poll(() => inspector.text("#file-state")).toBe("2 edits, not saved");
      const downloads: Download[] = [];
      const note = (download: Download) => downloads.push(download);
      inspector.page.on("download", note);
      await inspector.page.evaluate(() => {
        const key = (pressed: string) =>
          document.getElementById("tree")!.dispatchEvent(new KeyboardEvent("keydown", { key: pressed, ctrlKey: true, bubbles: true }));
        for (const pressed of "zzssyss") key(pressed);
      });
      await expect.poll(() => downloads.length).toBe(2);
      await expect.poll(() => inspector.text("#file-state")).toBe("no changes");
      await inspector.page.locator("#progress").waitFor({ state: "hidden" });
      inspector.page.off("download", note);
      const saved = await Promise.all(downloads.map(async (download) => readFileSync(await download.path())));
      expect(saved[0]).toEqual(Buffer.from(given.bytes));
      expect(saved[1]).toEqual(Buffer.from(elephant.write(Object.assign(world(), { gold: 1 }))));
      expect(saved).toHaveLength(2);
    });

    test("edits are counted from what was saved last", async () => {
      await inspector.openFile(given);
      const state = () => inspector.text("#file-state");
      await inspector.edit("gold", "1");
      await inspector.edit("lives", "1");
      await expect.poll(state).toBe("2 edits, not saved");
      await inspector.save();
      await inspector.edit("gold", "2");
      await expect.poll(state).toBe("1 edit, not saved");
      await inspector.press("Control+z", "Control+z");
      await expect.poll(state).toBe("1 edit, not saved");
      await expect.poll(() => inspector.row("lives").locator(".value").innerText()).toBe("3");
      // What was saved can be reached no more: an edit less, and another one.
      await inspector.edit("gold", "3");
      await expect.poll(state).toBe("2 edits, not saved");
      await expect.poll(() => inspector.page.locator(".row.edited .name").allInnerTexts()).toEqual(["gold", "lives"]);
    });

    test("a save of 1.0.0 is written as it was when nothing changed, else as 1.5.1, and one is told so", async () => {
      const bytes = vector("elephant/legacy/1.0.0-array.bin");
      await inspector.openFile({ name: "old.dat", bytes });
      const status = () => inspector.text("#status-release");
      expect(await status()).toBe("release 1.0.0");
      expect(await inspector.save()).toEqual(Buffer.from(bytes));
      await inspector.edit("0", "7");
      await expect.poll(() => inspector.text("#toast")).toBe("the file is of release 1.0.0; it will be written as 1.5.1");
      expect(await status()).toBe("release 1.0.0, will be written as 1.5.1");
      const saved = await inspector.save();
      expect(detect(saved)?.release).toBe("1.5.1");
      await expect.poll(() => inspector.text("#toast")).toBe("old.dat downloaded, written as release 1.5.1 (it was 1.0.0)");
      expect(await status()).toBe("release 1.5.1");
      await inspector.press("Control+z");
      await expect.poll(status).toBe("release 1.5.1, will be written as 1.0.0");
      expect(await inspector.save()).toEqual(Buffer.from(bytes));
      await expect.poll(status).toBe("release 1.0.0");
    });
  });

  test("comparing: what was added, changed and removed, and the way there", async () => {
    await inspector.openFile(given);
    const before = world();
    before.gold = 1000;
    Object.assign(before, { lost: "ring" });
    before.entities.pop();
    before.entities[150].name = "nobody";
    await inspector.pick(save("before.dat", before), "#do-compare");
    await expect.poll(() => inspector.page.locator(".chip").allInnerTexts()).toEqual(["2 changed", "1 added", "1 removed"]);
    const changes = () => inspector.page.locator(".change").allInnerTexts();
    await expect
      .poll(async () => (await changes()).map((text) => text.replace(/\s+/g, " ")).sort())
      .toEqual(["+ .entities[199] 2 members", '~ .entities[150].name "nobody" → "entity 150"', "~ .gold 1000 → 1250", '− .lost "ring"']);
    await inspector.page.locator(".change", { hasText: "[150]" }).click();
    await inspector.selects("name");
    await expect.poll(() => inspector.page.locator("#crumbs button").allInnerTexts()).toEqual(["slot1.dat", "entities", "[150]", "name"]);
    expect(await inspector.page.locator('.row.selected[data-mark="changed"]').count()).toBe(1);
    await inspector.edit("name", "nobody");
    await expect.poll(() => inspector.page.locator(".chip").allInnerTexts()).toEqual(["1 changed", "1 added", "1 removed"]);
    await inspector.page.click("[aria-label='End the comparison']");
    await expect.poll(() => inspector.page.locator('[data-mark="changed"]').count()).toBe(0);
  });

  test("comparing names the types of a value where they differ", async () => {
    await inspector.openFile(save("new.dat", { gold: 5n, level: 7, flag: Scalar("u8", 1), note: 2, gone: 3, list: { a: 1 } }));
    const before = { gold: 5, level: Scalar("s32", 7), flag: 1n, note: "2", gone: undefined, list: [1] };
    await inspector.drop(save("old.dat", before), "right");
    await expect
      .poll(() => inspector.page.locator(".change span").allInnerTexts())
      .toEqual([
        "real 5 → int64 5",
        "s32 7 → real 7",
        "int64 1 → u8 1",
        'string "2" → real 2',
        "undefined → real 3",
        "array 1 item → struct 1 member",
      ]);
  });

  test("comparing by drop and by keys alone", async () => {
    await inspector.openFile(given);
    const before = Object.assign(world(), { gold: 1, title: "x" });
    before.entities[7].name = "seven";
    await inspector.drop(save("before.dat", before), "right");
    await expect.poll(() => inspector.page.locator(".chip").allInnerTexts()).toEqual(["3 changed"]);
    await expect.poll(() => inspector.page.locator(".change code").allInnerTexts()).toEqual([".gold", ".title", ".entities[7].name"]);
    await expect.poll(() => inspector.page.evaluate(() => document.activeElement?.getAttribute("role"))).toBe("listbox");
    await inspector.press("ArrowDown");
    await inspector.selects("gold");
    await inspector.press("End");
    await inspector.selects("name");
    await inspector.press("Enter");
    expect(await inspector.page.evaluate(() => document.activeElement?.id)).toBe("tree");
    await inspector.press("F8");
    await inspector.selects("gold");
    await inspector.press("Shift+F8");
    await inspector.selects("name");
    // Another one, this time by the dialog.
    const [chooser] = await Promise.all([inspector.page.waitForEvent("filechooser"), inspector.press("Control+d")]);
    await chooser.setFiles({ name: "same.dat", mimeType: "", buffer: Buffer.from(given.bytes) });
    await expect.poll(() => inspector.text("#changes")).toContain("No value differs");
    const damaged = given.bytes.slice();
    damaged[8] = 99;
    await inspector.drop({ name: "damaged.dat", bytes: damaged }, "right");
    await expect.poll(() => inspector.text("#toast")).toBe("not compared: damaged.dat: 99 is no datatype code");
    expect(await inspector.page.getByRole("heading", { name: "Changes", exact: true }).count()).toBe(1);
    // What is done next is not what it was about.
    await inspector.drop(given, "right");
    await inspector.page.locator("#toast").waitFor({ state: "hidden" });
    await inspector.drop({ name: "damaged.dat", bytes: damaged }, "right");
    await inspector.page.getByRole("button", { name: "Dismiss" }).click();
    await inspector.page.locator("#toast").waitFor({ state: "hidden" });
    await inspector.drop({ name: "damaged.dat", bytes: damaged }, "right");
    await inspector.page.locator("#toast").waitFor();
    await inspector.page.locator("#tree").focus();
    await inspector.press("Escape");
    await inspector.page.locator("#toast").waitFor({ state: "hidden" });
    await inspector.page.click("[aria-label='End the comparison']");
    await inspector.page.locator("#changes").waitFor({ state: "hidden" });
  });

  test("the next change is the one behind the one that is shown, after an edit, too", async () => {
    const numbers = (from: number) => Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`k${i}`, from + i]));
    await inspector.openFile(save("new.dat", numbers(0)));
    await inspector.drop(save("old.dat", { ...numbers(100), lost: 1, gone: 2 }), "right");
    await expect.poll(() => inspector.page.locator(".chip").allInnerTexts()).toEqual(["6 changed", "2 removed"]);
    await inspector.page.locator("#progress").waitFor({ state: "hidden" });
    const shown = () => inspector.page.locator(".change[aria-selected=true] code").allInnerTexts();
    const step = async (keys: string, path: string) => {
      await inspector.press(keys);
      await expect.poll(shown).toEqual([path]);
    };
    for (const path of [".k0", ".k1", ".k2"]) await step("F8", path);
    await inspector.selects("k2");
    await inspector.edit("k2", "55");
    await expect.poll(() => inspector.page.locator(".change span", { hasText: "102" }).innerText()).toBe("102 → 55");
    await expect.poll(shown).toEqual([".k2"]);
    await step("F8", ".k3");
    await inspector.selects("k3");
    // As it was: no change any more.
    for (const [keys, path] of [
      ["F8", ".k4"],
      ["Shift+F8", ".k2"],
    ]) {
      await inspector.edit("k3", "103");
      await expect.poll(() => inspector.page.locator(".chip").first().innerText()).toBe("5 changed");
      await expect.poll(shown).toEqual([]);
      await step(keys, path);
      await inspector.edit("k3", "3");
      await expect.poll(() => inspector.page.locator(".chip").first().innerText()).toBe("6 changed");
      await expect.poll(shown).toEqual([path]);
      await step(keys === "F8" ? "Shift+F8" : "F8", ".k3");
    }
    await step("Shift+F8", ".k2");
    for (let i = 0; i < 5; i++) await inspector.press("F8");
    await expect.poll(shown).toEqual([".gone"]);
    await inspector.edit("k0", "55");
    await expect.poll(() => inspector.page.locator(".change span", { hasText: "100" }).innerText()).toBe("100 → 55");
    await expect.poll(shown).toEqual([".gone"]);
  });

  test("keys lead through the changes, of which 20,000 are kept, and the next one is nowhere where nothing is compared", async () => {
    const numbers = (from: number, count: number) => Array.from({ length: count }, (_, i) => i + from);
    await inspector.openFile(save("new.dat", numbers(0.5, 20_003)));
    await inspector.press("F8", "Shift+F8");
    await inspector.selects("new.dat");
    await inspector.drop(save("old.dat", numbers(0, 20_005)), "right");
    await expect.poll(() => inspector.page.locator(".chip").allInnerTexts()).toEqual(["20,003 changed", "2 removed"]);
    expect(await inspector.text("#changes .more")).toBe("the first 20,000 changes of 20,005");
    const shown = () => inspector.page.locator(".change[aria-selected=true] code").allInnerTexts();
    for (const [key, path] of [
      ["End", "[19999]"],
      ["ArrowDown", "[19999]"],
      ["ArrowUp", "[19998]"],
      ["Home", "[0]"],
      ["ArrowUp", "[0]"],
    ]) {
      await inspector.press(key);
      await expect.poll(shown).toEqual([path]);
    }
    await inspector.press("PageDown");
    await expect.poll(shown).not.toEqual(["[0]"]);
    await inspector.press("PageUp");
    await expect.poll(shown).toEqual(["[0]"]);
  });

  test("a save of another format is not compared", async () => {
    await inspector.openFile(given);
    await inspector.drop({ name: "list.txt", bytes: Buffer.from(writeDs({ kind: "list", items: [1] })) }, "right");
    await expect
      .poll(() => inspector.text("#toast"))
      .toBe("not compared: list.txt: saves of two formats cannot be compared: ds string and Elephant");
  });

  test("of files that are dropped at once the first is compared, and there is a word about the others, or about what is wrong", async () => {
    const dropAll = (files: GivenFile[]) =>
      inspector.page.evaluate(
        (given) => {
          const dataTransfer = new DataTransfer();
          for (const { name, bytes } of given) dataTransfer.items.add(new File([Uint8Array.from(bytes)], name));
          document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, clientX: innerWidth * 0.75, bubbles: true, cancelable: true }));
        },
        files.map(({ name, bytes }) => ({ name, bytes: [...bytes] })),
      );
    await inspector.openFile(given);
    const saves = ["one.dat", "two.dat", "three.dat"].map((name, i) => save(name, { ...world(), gold: i }));
    await dropAll(saves);
    await expect.poll(() => inspector.text("#toast")).toBe("2 more files left out: one at a time");
    expect(await inspector.text("#changes .since")).toBe("since one.dat");
    await dropAll([{ name: "list.txt", bytes: Buffer.from(writeDs({ kind: "list", items: [1] })) }, ...saves]);
    await expect.poll(() => inspector.text("#toast")).toMatch(/^not compared: list\.txt: saves of two formats cannot be compared/);
  });

  test("text and pictures that are dragged from a page are no files", async () => {
    await inspector.openFile(given);
    const seen = await inspector.page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.setData("text/plain", "gold");
      dataTransfer.setData("text/uri-list", "http://localhost/gold.png");
      return ["dragenter", "dragover", "drop"].map((type) => {
        const isTaken = !document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
        return isTaken || document.body.classList.contains("dropping");
      });
    });
    expect(seen).toEqual([false, false, false]);
    await inspector.press("ArrowDown");
    await inspector.selects("gold");
  });

  test("names in another order are no changes; children of one name are told apart", async () => {
    await inspector.openFile(save("new.dat", { a: 1, b: { x: 1 }, c: 3 }));
    await inspector.drop(save("old.dat", { c: 3, b: { y: 1, x: 2 }, a: 1, d: 4 }), "right");
    await expect.poll(() => inspector.page.locator(".change code").allInnerTexts()).toEqual([".b.x", ".b.y", ".d"]);
    expect(await inspector.page.locator(".chip").allInnerTexts()).toEqual(["1 changed", "2 removed"]);
    const pairs = (...entries: [string, number][]) => Buffer.from(writeDs({ kind: "map", entries }));
    await inspector.openFile({ name: "new.txt", bytes: pairs(["k", 1], ["k", 2], ["l", 3]) });
    await inspector.drop({ name: "old.txt", bytes: pairs(["l", 3], ["k", 1], ["k", 5]) }, "right");
    await expect.poll(() => inspector.page.locator(".change span").allInnerTexts()).toEqual(["5 → 2"]);
  });

  test("comparing sees what a row has no room for, or shows as no child", async () => {
    const bytes = (last: number) => ({
      type: "bytes" as const,
      bytes: Uint8Array.from({ length: 40 }, (_, i) => (i === 39 ? last : 0xff)),
    });
    const list = (last: number) => Buffer.from(writeDs({ kind: "list", items: [bytes(last), 1] }));
    await inspector.openFile({ name: "new.txt", bytes: list(0xfe) });
    expect((await inspector.rows())[1].value).toMatch(/^(ff ){24}…$/);
    await inspector.drop({ name: "old.txt", bytes: list(0xfd) }, "right");
    await expect.poll(() => inspector.page.locator(".change code").allInnerTexts()).toEqual(["[0]"]);
    await inspector.page.fill("#query", "ff fe");
    await expect.poll(() => inspector.text("#hits")).toBe("1 of 1");
    await inspector.selects("0");
    await expect.poll(() => inspector.text("#details .whole")).toMatch(/^(ff ){39}fe$/);

    const player = (id: number) => Buffer.from(`oPlayer = ${id}\n{\n\t_level : int = 3\n}\n`);
    await inspector.openFile({ name: "new.txt", bytes: player(100_001) });
    await inspector.drop({ name: "old.txt", bytes: player(100_002) }, "right");
    await expect
      .poll(() => inspector.page.locator(".change span").allInnerTexts())
      .toEqual(["oPlayer · instance 100002 → oPlayer · instance 100001"]);
  });

  describe("files that cannot be read", () => {
    test("the code, the place and the bytes around it; the way back", async () => {
      await inspector.openFile(given);
      const damaged = given.bytes.slice();
      damaged[8] = 99;
      await inspector.drop({ name: "damaged.dat", bytes: damaged });
      await inspector.page.locator("body[data-screen=error]").waitFor();
      expect(await inspector.text(".error .code")).toBe("unknown-datatype");
      expect(await inspector.text(".error .facts")).toContain("at byte 8");
      // The save behind it is not to be saved or searched from here.
      for (const tool of ["#do-save", "#do-compare", ".search"])
        expect(await inspector.page.locator(tool).evaluate((element) => (element as HTMLElement).inert), tool).toBe(true);
      expect(await inspector.page.locator(".bytes mark").first().innerText()).toBe("63");
      await inspector.press("Escape");
      await inspector.shows("slot1.dat");
      await inspector.press("ArrowDown");
      await inspector.selects("gold");
    });

    test("the line that is wrong and those around it, in a text", async () => {
      const lines = ["oP = 100001", "{", `\t_s : string = "${"a".repeat(300)}"`, "\t_i : int = five", "", "}", ""];
      await inspector.drop({ name: "wrong.txt", bytes: Buffer.from(lines.join("\n")) });
      await inspector.page.locator("body[data-screen=error]").waitFor();
      expect(await inspector.text(".error .facts")).toContain("in line 4");
      const shown = await inspector.page.locator(".bytes div").allTextContents();
      expect(shown.slice(0, 4)).toEqual(["     1  oP = 100001", "     2  {", `     3  ${lines[2].slice(0, 160)}…`, `     4  ${lines[3]}`]);
      expect(await inspector.page.locator(".bytes .wrong").allTextContents()).toEqual([`     4  ${lines[3]}`]);
    });

    test("the end of the file, where its last line of bytes is full", async () => {
      // Cut in the middle of its last value.
      const cut = elephant.write({ text: "x".repeat(60) }).slice(0, 48);
      await inspector.drop({ name: "cut.dat", bytes: cut });
      await inspector.page.locator("body[data-screen=error]").waitFor();
      expect(await inspector.text(".error .facts")).toContain("at byte 48 (0x30)");
      expect(await inspector.page.locator(".bytes div").last().textContent()).toBe("00000030  --  the file ends here");
    });

    test("are in the list of those that were chosen, and can be tried again", async () => {
      await inspector.again();
      await inspector.pick({ name: "photo.jpg", bytes: Uint8Array.of(0xff, 0xd8, 0xff, 0xe0) });
      await inspector.page.locator("body[data-screen=error]").waitFor();
      await inspector.press("Escape");
      await inspector.page.locator(".recent button", { hasText: "photo.jpg" }).click();
      await inspector.page.locator("body[data-screen=error]").waitFor();
      expect(await inspector.text(".error .which")).toBe("photo.jpg");
    });

    test("are what the window tells about, and Escape leads back from anywhere", async () => {
      const about = async () => [await inspector.text("#file-name"), await inspector.text("#file-state"), await inspector.page.title()];
      await inspector.openFile(given);
      await inspector.edit("gold", "7");
      await expect.poll(about).toEqual(["slot1.dat", "1 edit, not saved", "• slot1.dat – Save Inspector"]);
      const rows = await inspector.text("#status-rows");
      await inspector.drop({ name: "damaged.dat", bytes: given.bytes.slice(0, 60) });
      await inspector.page.locator("body[data-screen=error]").waitFor();
      expect(await about()).toEqual(["damaged.dat", "cannot be read", "damaged.dat – Save Inspector"]);
      expect(await inspector.text("#status")).toBe("Nothing is shown of this file");
      expect(await inspector.page.getByRole("button", { name: "Back to slot1.dat" }).count()).toBe(1);
      // Beside the card, which takes the focus out of it.
      await inspector.page.mouse.click(20, 400);
      await inspector.press("F1");
      await inspector.page.locator("#shortcuts kbd").first().waitFor();
      await inspector.press("Escape");
      expect(await inspector.page.locator("body").getAttribute("data-screen")).toBe("error");
      await inspector.page.mouse.click(20, 400);
      await inspector.press("Escape");
      await inspector.page.locator("body[data-screen=tree]").waitFor();
      expect(await about()).toEqual(["slot1.dat", "1 edit, not saved", "• slot1.dat – Save Inspector"]);
      expect(await inspector.text("#status-rows")).toBe(rows);
    });

    test("what may be the matter with it: changed, cut, or larger than what is read", async () => {
      const binary = vector("enigma/bin-array1d-dense.bin");
      const deep = Array.from(
        { length: 600 },
        (_, i) => `${"\t".repeat(i + 1)}${i ? "a0" : "_a"} : array =\n${"\t".repeat(i + 1)}{\n`,
      ).join("");
      for (const [name, bytes, code, advice] of [
        ["cut.sav", binary.slice(0, -30), "checksum", /changed since the game wrote it, or was not copied or saved completely\.$/],
        ["deep.txt", Buffer.from(`oP = 100001\n{\n${deep}`), "depth-limit", /^The file may be whole; it holds more than is read here\.$/],
      ] as const) {
        await inspector.drop({ name, bytes });
        await expect.poll(() => inspector.text(".error .which")).toBe(name);
        expect(await inspector.text(".error .code")).toBe(code);
        expect(await inspector.text(".error .quiet")).toMatch(advice);
      }
    });

    test("what is no save at all", async () => {
      await inspector.again();
      await inspector.drop({ name: "photo.jpg", bytes: Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 16) });
      await inspector.page.locator("body[data-screen=error]").waitFor();
      expect(await inspector.text(".error .code")).toBe("unknown-format");
      await inspector.drop({ name: "nothing.dat", bytes: new Uint8Array() });
      await expect.poll(() => inspector.text(".error .reason")).toBe("The file is empty.");
      await inspector.page.getByRole("button", { name: "Back" }).click();
      await inspector.page.locator("body[data-screen=empty] #do-example").waitFor();
      expect(await inspector.text("#file-state")).toBe("no file open");
      expect(await inspector.text("#status")).toBe("Ready");
    });

    test("what is no file any more", async () => {
      const folder = mkdtempSync(join(tmpdir(), "tusk-gone-"));
      const path = join(folder, "gone.dat");
      writeFileSync(path, given.bytes);
      const [chooser] = await Promise.all([inspector.page.waitForEvent("filechooser"), inspector.page.click("#do-open")]);
      await chooser.setFiles(path);
      await inspector.shows("gone.dat");
      rmSync(folder, { recursive: true });
      await inspector.page.evaluate(() => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(document.querySelector<HTMLInputElement>("#pick")!.files![0]);
        document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
      });
      await expect.poll(() => inspector.text(".error .reason")).toMatch(/^gone\.dat is a folder, or is no longer what it was/);
      expect(await inspector.text(".error .quiet")).toBe("");
    });

    test("structs stored by a schema: with the schemas they are shown, and written as they were", async () => {
      const schema = { v1: { name: "string", hp: "u16" }, v2: { name: "string", hp: "u16", mana: "u16" } } as const;
      class Hero {
        static [SCHEMA] = { v1: schema.v1 };
        name = "Ada";
        hp = 80;
      }
      const bytes = createElephantSync({ constructors: { Hero } }).write({ hero: new Hero() });
      await inspector.drop({ name: "strict.dat", bytes });
      await inspector.page.locator("body[data-screen=error]").waitFor();
      expect(await inspector.text(".error .code")).toBe("schema-missing");
      // What is wrong with schemas is not blamed on the save, and there may be others.
      await inspector.chooseSchemas("wrong.json", { Hero: { v1: { name: "words" } } });
      await expect.poll(() => inspector.text(".error h1")).toBe("The schemas in wrong.json are wrong");
      expect(await inspector.text(".error .reason")).toContain("v1.name: words is no datatype");
      await inspector.chooseSchemas("others.json", { Heroine: schema });
      await expect.poll(() => inspector.text(".error h1")).toBe("This file cannot be read by the schemas in others.json");
      await inspector.chooseSchemas("schemas.json", { Hero: schema });
      await inspector.shows("strict.dat");
      await inspector.press("*");
      await inspector.edit("hp", "90");
      await expect.poll(() => inspector.text("#file-state")).toBe("1 edit, not saved");
      const hero = new Hero();
      hero.hp = 90;
      expect(await inspector.save()).toEqual(Buffer.from(createElephantSync({ constructors: { Hero } }).write({ hero })));
    });
  });

  test("dark and light: by the system, and by the switch", async () => {
    const ground = () => inspector.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await inspector.page.emulateMedia({ colorScheme: "light" });
    const light = await ground();
    await inspector.page.emulateMedia({ colorScheme: "dark" });
    const dark = await ground();
    expect(dark).not.toBe(light);
    await inspector.page.click("#do-theme");
    expect(await ground()).toBe(light);
    await inspector.page.reload();
    expect(await ground()).toBe(light);
    await inspector.page.click("#do-theme");
    expect(await ground()).toBe(dark);
  });

  test("dark and light where nothing can be kept", async () => {
    await inspector.page.emulateMedia({ colorScheme: "light" });
    await inspector.page.evaluate(() => {
      const refuse = () => {
        throw new DOMException("denied", "SecurityError");
      };
      Object.assign(Storage.prototype, { getItem: refuse, setItem: refuse, removeItem: refuse });
    });
    for (const wanted of ["dark", "light", "dark"]) {
      await inspector.page.click("#do-theme");
      expect(await inspector.page.evaluate(() => document.documentElement.dataset.theme)).toBe(wanted);
    }
    await inspector.again();
  });

  test("every text stands out from its ground in both themes, in a small window too", async () => {
    await inspector.openFile(given);
    await inspector.press("*");
    await inspector.drop(save("before.dat", { ...world(), gold: 1, lost: [1], entities: [] }), "right");
    await inspector.page.locator(".chip").nth(1).waitFor();
    await inspector.page.fill("#query", "entity 1");
    await inspector.page.locator("mark").first().waitFor();
    for (const [colorScheme, width] of [
      ["light", 1180],
      ["dark", 620],
    ] as const) {
      await inspector.page.emulateMedia({ colorScheme });
      await inspector.page.setViewportSize({ width, height: 620 });
      expect(await inspector.page.evaluate(weakTexts), colorScheme).toEqual([]);
      await inspector.press("F1");
      await inspector.page.locator("#shortcuts kbd").first().waitFor();
      expect(await inspector.page.evaluate(weakTexts), colorScheme).toEqual([]);
      await inspector.press("Escape");
      await inspector.page.locator("#tree").focus();
      await inspector.press("Home");
      for (const name of ["slot1.dat", "hero"]) {
        await inspector.row(name).click();
        await inspector.selects(name);
        expect(await inspector.page.evaluate(weakTexts), `${colorScheme}, ${name}`).toEqual([]);
      }
      // Nothing lies outside of the window, and the changes can be seen.
      expect(await inspector.page.evaluate(() => document.querySelector("#do-theme")!.getBoundingClientRect().right)).toBeLessThan(width);
      expect(await inspector.page.locator(".change").first().isVisible()).toBe(true);
    }
    await inspector.page.setViewportSize({ width: 1180, height: 720 });
    await inspector.page.emulateMedia({ colorScheme: null });
  });
});
