// The save inspector's page in Chromium under Electron's settings: an origin of its own, a strict policy, no Node.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Download } from "playwright-core";
import { describe, expect, test } from "vitest";
import { detect } from "../../src/detect.ts";
import { writeDs } from "../../src/ds/index.ts";
import { createElephantSync, Scalar } from "../../src/elephant/index.ts";
import { CHROMIUM, useBrowser } from "./chromium.ts";
import { weakTexts } from "./contrast.ts";
import { InspectorPage, useInspector, useInspectorPage } from "./inspector-page.ts";
import { save, world } from "./inspector-saves.ts";

const elephant = createElephantSync({ unknownConstructor: "generic" });
const vector = (path: string) => Uint8Array.from(readFileSync(new URL(`../vectors/${path}`, import.meta.url)));

describe.skipIf(!CHROMIUM)("the save inspector", { timeout: 30_000 }, () => {
  const browser = useBrowser();
  const site = useInspector();
  const given = save("slot1.dat", world());
  let inspector: InspectorPage;

  useInspectorPage(browser, site, (opened) => {
    inspector = opened;
  });

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
      await inspector.save();
      await expect.poll(() => inspector.text("#toast")).toContain("downloaded");
      expect(await inspector.page.evaluate(() => document.activeElement!.className)).toBe("warnings");
    });

    test.each([
      ["an export string", "export.txt", () => Buffer.from(elephant.exportString({ a: 1 })), /Elephant.*1\.5\.1.*export string/s, "a"],
      ["a ds_map string", "map.txt", () => vector("ds/cases/map-x03-mixed-1.txt"), /ds string.*generation 3.*map.*engine wasm/s, undefined],
      ["an ENIGMA save", "enigma.bin", () => vector("enigma/bin-many-12-defaults.bin"), /ENIGMA.*binary backend.*engine wasm/s, "active"],
      [
        "introspection text",
        "player.txt",
        () => Buffer.from("oPlayer = 100001\n{\n\t_level : int = 3\n}\n"),
        // No engine takes part.
        /^Introspection texttext39 Bread in/,
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

  test("the details say what a container holds, and how it is found there", async () => {
    const told = async (name: string, path: string) => {
      await inspector.row(name).locator(".type").click();
      await expect.poll(() => inspector.text("#details .path")).toBe(path);
      const [, type, holds] = await inspector.page.locator("#details dd").allInnerTexts();
      return [type.replace(/\s+/, ": "), holds];
    };
    const grid = ["\t_g : grid = 2x1", "\t{", "\t\tg0,0 : int = 1", "\t\tg1,0 : int = 2", "\t}"];
    const lines = ["oPlayer = 100001", "{", ...grid, "\t_m : map =", "\t{", "\t\tgold : int = 5", "\t}", "}", ""];
    await inspector.openFile({ name: "player.txt", bytes: Buffer.from(lines.join("\n")) });
    expect(await told("0", "[0]")).toEqual(["oPlayer: members by name", "2 members"]);
    await inspector.press("ArrowRight");
    expect(await told("_g", "[0]._g")).toEqual(["grid: cells by column and row", "2 × 1 cells"]);
    expect(await told("_m", "[0]._m")).toEqual(["map: values by key", "1 item"]);
    await inspector.openFile({ name: "map.txt", bytes: Buffer.from(writeDs({ kind: "list", items: [{ kind: "queue", items: [1] }] })) });
    expect(await told("0", "[0]")).toEqual(["queue: items by number", "1 item"]);
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
    await inspector.typeName("he");
    await inspector.selects("hero");
    // Letters go on into what is open, and behind it.
    await inspector.press("ArrowRight");
    await inspector.row("hp").waitFor();
    await inspector.typeName("hp");
    await inspector.selects("hp");
    await inspector.press("ArrowLeft");
    await inspector.selects("hero");
    // Only the last letter leads there, so what follows comes behind all of them.
    await inspector.typeName("tit");
    await inspector.selects("title");
    // Letters begin another name when some time has gone by.
    await inspector.typeName("l");
    await inspector.selects("lives");
    await inspector.row("hero").click();
    await inspector.press("ArrowLeft");
    await inspector.selects("hero");
    const active = async (attribute: string) => {
      const id = await inspector.page.locator("#tree").getAttribute("aria-activedescendant");
      return inspector.page.locator(`#${id}`).getAttribute(attribute);
    };
    await expect.poll(() => active("aria-expanded")).toBe("false");
    expect(await active("aria-selected")).toBe("true");
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
    await inspector.typeName("he");
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
        if (message.operation === "details") Object.assign(globalThis, { goOn: () => postMessage.call(this, message, options) });
        else postMessage.call(this, message, options);
      };
    });
    await inspector.press("ArrowDown");
    await inspector.selects("lives");
    expect(await copied()).toBe("");
    expect(await inspector.text("#toast")).toBe("not copied: what is selected is still on its way");
    await inspector.page.evaluate("goOn()");
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
      // What an edit makes the first of its kind is found without going there.
      await inspector.page.fill("#query", "new");
      await expect.poll(() => inspector.text("#hits")).toBe("none");
      await inspector.row("b").click();
      await inspector.page.keyboard.press("F2");
      await inspector.page.locator(".editor textarea").fill("new");
      await inspector.row("d").click();
      await expect.poll(() => inspector.text("#hits")).toBe("1");
      await inspector.selects("d");
      await step("previous", "b", "1 of 1");
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
