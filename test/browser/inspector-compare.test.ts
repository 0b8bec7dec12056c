// The inspector compares two saves.
import { describe, expect, test } from "vitest";
import { writeDs } from "../../src/ds/index.ts";
import { Scalar } from "../../src/elephant/index.ts";
import { CHROMIUM, useBrowser } from "./chromium.ts";
import { type GivenFile, type InspectorPage, useInspector, useInspectorPage } from "./inspector-page.ts";
import { save, world } from "./inspector-saves.ts";

describe.skipIf(!CHROMIUM)("comparing in the save inspector", { timeout: 30_000 }, () => {
  const browser = useBrowser();
  const site = useInspector();
  const given = save("slot1.dat", world());
  let inspector: InspectorPage;

  useInspectorPage(browser, site, (opened) => {
    inspector = opened;
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
    // What is typed is kept first.
    await inspector.press("Enter", "6");
    await step("F8", ".k3");
    await inspector.selects("k3");
    expect(await inspector.page.locator(".editor").count()).toBe(0);
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
    expect(await inspector.text("#changes .more")).toBe("the first 20,000 changes of 20,005; the tree marks what the others lie in");
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
    // An element that has gone under the pointer is not left with a word; a file that is none is called that.
    const shown = await inspector.page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      Object.defineProperty(dataTransfer, "types", { value: ["Files"] });
      const send = (type: string, init = {}) => {
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true, ...init }));
        return document.body.classList.contains("dropping");
      };
      const inside = { relatedTarget: document.getElementById("tree") };
      for (let i = 0; i < 3; i++) send("dragenter");
      return [send("dragover"), send("dragleave", inside), send("dragleave"), send("drop")];
    });
    expect(shown).toEqual([true, true, false, false]);
    expect(await inspector.text("#toast")).toBe("nothing of this is a file");
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
});
