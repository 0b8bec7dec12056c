// The inspector for those who do not see it, or do not see all of it: what assistive technology is told, and small windows.

import { createHash } from "node:crypto";
import type { CDPSession } from "playwright-core";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM, useBrowser } from "./chromium.ts";
import { type InspectorPage, useInspector, useInspectorPage } from "./inspector-page.ts";
import { save, world } from "./inspector-saves.ts";

describe.skipIf(!CHROMIUM)("whoever does not see the inspector", { timeout: 30_000 }, () => {
  const browser = useBrowser();
  const site = useInspector();
  const given = save("slot1.dat", world());
  const damaged = { name: "damaged.dat", bytes: given.bytes.slice(0, 60) };
  let inspector: InspectorPage;
  let session: CDPSession;

  useInspectorPage(browser, site, (opened) => {
    inspector = opened;
  });
  beforeAll(async () => {
    session = await inspector.page.context().newCDPSession(inspector.page);
  });
  afterEach(() => inspector.page.setViewportSize({ width: 1180, height: 720 }));

  /** What assistive technology is told of an element. */
  const told = async (selector: string) => {
    const { result } = await session.send("Runtime.evaluate", { expression: `document.querySelector(${JSON.stringify(selector)})` });
    const { nodes } = await session.send("Accessibility.getPartialAXTree", { objectId: result.objectId!, fetchRelatives: false });
    const [{ role, name, value, description, properties }] = nodes;
    const others = Object.fromEntries((properties ?? []).map((property) => [property.name as string, property.value.value]));
    return { role: role?.value, name: name?.value, value: value?.value, description: description?.value, ...others } as Record<
      string,
      unknown
    >;
  };

  test("hears the names of buttons, where they have no words and where they show a tip, too", async () => {
    await inspector.openFile(given);
    for (const width of [1180, 1000, 320]) {
      await inspector.page.setViewportSize({ width, height: 720 });
      for (const name of ["Open", "Save", "Compare", "Undo"]) {
        const id = `#do-${name.toLowerCase()}`;
        await inspector.page.locator(id).hover({ force: true });
        expect(await told(id), `${name} at ${width} px`).toMatchObject({ role: "button", name });
      }
    }
    const tip = await inspector.page
      .locator("#do-compare:hover, #do-undo:hover")
      .first()
      .evaluate((button) => getComputedStyle(button, "::after").content);
    expect(tip).toBe('"Undo (Ctrl+Z)" / ""');
    expect(await told(".tools")).toMatchObject({ role: "group", name: "File and edits" });
  });

  test("hears how far a file and a search are", async () => {
    await inspector.openFile(given);
    const bars = await inspector.page.evaluateHandle(() => {
      const seen = new Set<string>();
      new MutationObserver(() => {
        for (const bar of document.querySelectorAll("[role=progressbar]"))
          if (bar.checkVisibility()) seen.add(`${bar.ariaLabel} ${bar.ariaValueNow ?? "for now"}`);
      }).observe(document, { attributes: true, childList: true, subtree: true });
      return seen;
    });
    await inspector.openFile(given);
    await inspector.page.fill("#query", "entity");
    await expect.poll(() => inspector.text("#hits")).toBe("1 of 200");
    expect(await bars.evaluate((seen) => [...seen])).toEqual(
      expect.arrayContaining(["Progress for now", "Opening for now", "Searching 0"]),
    );
    expect(await inspector.page.locator("#search-progress").getAttribute("aria-valuenow")).toBe("100");
    expect(await inspector.page.locator("#progress").getAttribute("aria-valuenow")).toBe("100");
  });

  test("hears what is wrong with a file, and not the bytes around it", async () => {
    await inspector.openFile(given);
    await inspector.drop(damaged);
    await inspector.page.locator("body[data-screen=error]").waitFor();
    expect(await inspector.text("#screen [role=alert]")).toBe("This file cannot be read\n\nThe data ends in the middle of a value.");
    expect(await told(".bytes")).toMatchObject({ role: "group", name: "Bytes around the place" });
    await inspector.press("Escape", "ArrowDown");
    await inspector.page.locator(".whole").waitFor();
    expect(await told(".whole")).toMatchObject({ role: "group", name: "The whole value" });
  });

  test("hears that an edit is undone", async () => {
    await inspector.openFile(given);
    await inspector.edit("gold", "7");
    await expect.poll(() => told("#file-state")).toMatchObject({ role: "status" });
    await expect.poll(() => inspector.text("[role=status]#file-state")).toBe("1 edit, not saved");
    await inspector.press("Control+z");
    await expect.poll(() => inspector.text("[role=status]#file-state")).toBe("no changes");
  });

  test("hears of each row that becomes the active one: it is another element, however it was gone to", async () => {
    const names = Array.from({ length: 1500 }, (_, i) => [i % 400 === 399 ? `${"abcd"[(i - 399) / 400]}-mark` : `n${i}`, i]);
    const mixed = Object.fromEntries(names);
    await inspector.openFile(save("new.dat", { first: { inner: { deep: 1 } }, ...mixed }));
    const tree = inspector.page.locator("#tree");
    const active = () => tree.evaluateHandle((element) => document.getElementById(element.getAttribute("aria-activedescendant")!)!);
    const isOther = async (go: () => Promise<void>, name: string) => {
      const before = await active();
      await go();
      await inspector.selects(name);
      const after = await active();
      expect(await after.evaluate((element) => element.querySelector(".name")!.textContent)).toBe(name);
      expect(await after.evaluate((element, other) => element === other, before), name).toBe(false);
    };
    await isOther(() => inspector.press("b"), "b-mark");
    await inspector.page.fill("#query", "n1300");
    await inspector.selects("n1300");
    await inspector.press("Escape");
    await inspector.drop(save("old.dat", { first: { inner: { deep: 1 } }, ...mixed, n400: -1, n900: -1 }), "right");
    await inspector.page.locator(".change").first().waitFor();
    await isOther(() => inspector.press("F8"), "n400");
    await isOther(() => inspector.press("F8"), "n900");
    await inspector.page.click("[aria-label='End the comparison']");
    await inspector.press("Home");
    await inspector.selects("new.dat");
    // What comes into the place of the active row by what opens above it.
    await inspector.press("ArrowDown", "ArrowDown");
    await inspector.selects("n0");
    await isOther(() => inspector.page.fill("#query", "inner"), "inner");
  });

  test("keeps the keys where Next has nothing to go to any more, and stays there until that is known", async () => {
    await inspector.openFile(given);
    await inspector.edit("gold", "777");
    await inspector.page.evaluate(() => {
      const { postMessage } = Worker.prototype;
      Worker.prototype.postMessage = function (this: Worker, ...given: [unknown]) {
        Object.assign(globalThis, { worker: this });
        Worker.prototype.postMessage = postMessage;
        this.postMessage(...given);
      };
    });
    await inspector.page.fill("#query", "777");
    await expect.poll(() => inspector.text("#hits")).toBe("1 of 1");
    const focused = () => inspector.page.evaluate(() => document.activeElement!.id);
    await inspector.page.focus("#do-next");
    // As a large save is searched anew.
    await inspector.page.evaluate(() => {
      const state = { query: "777", options: { names: true, values: true }, count: 0, kept: 0, progress: 0.5, done: false };
      const { worker } = globalThis as unknown as { worker: Worker };
      const tell = (data: object) => worker.onmessage!(new MessageEvent("message", { data: { event: "searching", data } }));
      tell(state);
      // A late word of a search among names alone.
      tell({ ...state, options: { names: true, values: false }, count: 5, kept: 5 });
    });
    await expect.poll(() => inspector.text("#hits")).toBe("…");
    expect(await inspector.page.locator("#search-progress").getAttribute("aria-valuenow")).toBe("50");
    expect(await focused()).toBe("do-next");
    await inspector.press("Control+z");
    await expect.poll(() => inspector.text("#hits")).toBe("none");
    expect(await focused()).toBe("query");
    expect(await inspector.page.locator("#do-next").isDisabled()).toBe(true);
  });

  test("writes with an input method, whose keys do nothing else", async () => {
    await inspector.openFile(save("kana.dat", { かな: 1, かなた: 2 }));
    await inspector.page.fill("#query", "かな");
    await expect.poll(() => inspector.text("#hits")).toBe("1 of 2");
    const field = inspector.page.locator("#query");
    for (const key of ["Enter", "ArrowDown", "Escape"]) {
      await field.dispatchEvent("keydown", { key, isComposing: true });
      expect(await inspector.page.evaluate(() => document.activeElement!.id), key).toBe("query");
      expect([await field.inputValue(), await inspector.text("#hits")], key).toEqual(["かな", "1 of 2"]);
    }
    await inspector.drop(damaged, "right");
    await expect.poll(() => inspector.text("#toast")).toContain("not compared");
    await field.dispatchEvent("keydown", { key: "Escape", isComposing: true });
    expect(await inspector.page.locator("#toast").isVisible()).toBe(true);
    await inspector.drop(damaged);
    await inspector.page.locator("body[data-screen=error]").waitFor();
    await inspector.page.locator("body").dispatchEvent("keydown", { key: "Escape", isComposing: true });
    expect(await inspector.page.locator("body").getAttribute("data-screen")).toBe("error");
    await inspector.press("Escape");
  });

  test("hears what a comparison has found, again after an edit, and finds a change to begin with", async () => {
    await inspector.openFile(given);
    await inspector.drop(save("same.dat", world()), "right");
    await expect.poll(() => inspector.text("#compared")).toBe("No value differs.");
    expect(await told("#compared")).toMatchObject({ role: "status" });
    await inspector.drop(save("old.dat", { ...world(), gold: 1, title: "x", lost: 2 }), "right");
    await expect.poll(() => inspector.text("#compared")).toBe("2 changed, 1 removed");
    await inspector.page.locator("#changes .list:focus .change").first().waitFor();
    const active = () =>
      inspector.page.evaluate(() => {
        const option = document.getElementById(document.activeElement!.getAttribute("aria-activedescendant")!)!;
        return `${option.textContent} ${option.getAttribute("aria-selected")}`;
      });
    await expect.poll(active).toBe("~.gold1 → 1250 false");
    await inspector.press("ArrowDown");
    await expect.poll(active).toBe("~.gold1 → 1250 true");
    await inspector.selects("gold");
    await inspector.edit("gold", "1");
    await expect.poll(() => inspector.text("#compared")).toBe("1 changed, 1 removed");
    await inspector.page.click("[aria-label='End the comparison']");
    expect(await inspector.page.locator("#compared").textContent()).toBe("");
  });

  test("copies the value of a change from the list of changes", async () => {
    await inspector.openFile(given);
    await inspector.drop(save("old.dat", { ...world(), title: "x", lost: 2 }), "right");
    await inspector.page.locator("#changes .list:focus .change").first().waitFor();
    const copied = () =>
      inspector.page.evaluate(() => {
        const event = new ClipboardEvent("copy", { clipboardData: new DataTransfer(), bubbles: true, cancelable: true });
        document.dispatchEvent(event);
        return [event.defaultPrevented, event.clipboardData!.getData("text/plain")];
      });
    expect(await copied()).toEqual([false, ""]);
    expect(await inspector.text("#toast")).toBe("not copied: no change is selected");
    // Enter goes to the one that is read out.
    await inspector.press("Enter");
    await expect.poll(() => inspector.text("#details .path")).toBe(".title");
    await inspector.page.locator("#changes .list").focus();
    await expect.poll(() => inspector.text("#details .path")).toBe(".title");
    expect(await copied()).toEqual([true, world().title]);
    await inspector.press("ArrowDown");
    await inspector.selects("slot1.dat");
    await expect.poll(() => inspector.text("#details .path")).toBe("(root)");
    expect(await copied()).toEqual([true, ""]);
    expect(await inspector.text("#toast")).toBe("not copied: this value is in the other save alone");
    await inspector.page.click("[aria-label='End the comparison']");
  });

  test("hears what a field takes, and that its text is wrong", async () => {
    await inspector.openFile(given);
    await inspector.row("gold").locator(".value").dblclick();
    const field = inspector.page.locator(".editor textarea");
    await field.waitFor();
    const fieldTold = () => told(".editor textarea");
    expect(await fieldTold()).toMatchObject({ name: "gold, number", description: "a number: 12, -0.5, 1e6, NaN", invalid: "false" });
    await field.fill("many");
    await inspector.press("Enter");
    await expect.poll(fieldTold).toMatchObject({ description: "a number is expected, for example 12, -0.5 or 1e6", invalid: "true" });
    await inspector.page.keyboard.type("1");
    expect(await fieldTold()).toMatchObject({ invalid: "false" });
    await inspector.press("Escape");
  });

  test("reads text from right to left where it is written so", async () => {
    await inspector.openFile(save("text.dat", { text: "قيمة, abc", other: "abc" }));
    const directionOf = (selector: string) => inspector.page.locator(selector).evaluate((element) => getComputedStyle(element).direction);
    await inspector.press("ArrowDown");
    await expect.poll(() => inspector.page.locator(".whole").textContent()).toBe("قيمة, abc");
    expect(await directionOf(".whole")).toBe("rtl");
    await inspector.press("Enter");
    await inspector.page.locator(".editor textarea").waitFor();
    expect(await directionOf(".editor textarea")).toBe("rtl");
    await inspector.press("Escape", "ArrowDown");
    await expect.poll(() => inspector.page.locator(".whole").textContent()).toBe("abc");
    expect(await directionOf(".whole")).toBe("ltr");
  });

  test("reads a long text that is edited in the direction of its first letter, a short one in that of each paragraph", async () => {
    const long = `${"7 ".repeat(2000)}\n`;
    const texts = {
      ltr: `${long}a قيمة`,
      rtl: `${long}קיםa`,
      arabic: `\u0660 ${long}قيمة`,
      number: `\u0660 ${long}a`,
      none: long,
      short: "קים\na",
    };
    await inspector.openFile(save("texts.dat", texts));
    await inspector.press("*");
    const field = inspector.page.locator(".editor textarea");
    const directions: Record<string, string | null> = {};
    for (const name of Object.keys(texts)) {
      await inspector.row(name).locator(".value").dblclick();
      await field.waitFor();
      directions[name] = await field.getAttribute("dir");
      await inspector.press("Escape");
    }
    expect(directions).toEqual({ ltr: "ltr", rtl: "rtl", arabic: "rtl", number: "ltr", none: "ltr", short: "auto" });
    await inspector.row("short").locator(".value").dblclick();
    await field.fill(texts.rtl);
    expect(await field.getAttribute("dir")).toBe("rtl");
    await field.fill(texts.short);
    expect(await field.getAttribute("dir")).toBe("auto");
    await inspector.press("Escape");
  });

  test("draws a key typed in a text of 1 MB soon", async () => {
    await inspector.openFile(save("long.dat", { text: "sword ".repeat(166_666) }));
    await inspector.press("*");
    await inspector.row("text").locator(".value").dblclick();
    await inspector.page.locator(".editor textarea").waitFor();
    const took = await inspector.page.evaluate(() => {
      const field = document.querySelector<HTMLTextAreaElement>(".editor textarea")!;
      const before = performance.now();
      field.setRangeText("a", 0, 0);
      field.dispatchEvent(new Event("input"));
      field.getBoundingClientRect();
      return performance.now() - before;
    });
    expect(took).toBeLessThan(1500);
    await inspector.press("Escape");
  });

  test.each(["а", "φ", "כ"])("has the keys of the window where a key writes %s, too", async (key) => {
    await inspector.openFile(given);
    await inspector.page.locator("#tree").dispatchEvent("keydown", { key, code: "KeyF", ctrlKey: true });
    expect(await inspector.page.evaluate(() => document.activeElement!.id)).toBe("query");
  });

  test("goes to names that begin with what AltGr writes", async () => {
    await inspector.openFile(save("names.dat", { gold: 1, ąbc: 2 }));
    const key = { key: "ą", code: "KeyA", ctrlKey: true, altKey: true };
    await inspector.page.locator("#tree").dispatchEvent("keydown", { ...key, modifierAltGraph: true });
    await inspector.selects("ąbc");
    await inspector.press("Home");
    await inspector.selects("names.dat");
    // Both keys are no AltGr.
    await inspector.page.locator("#tree").dispatchEvent("keydown", key);
    await inspector.press("ArrowDown");
    await inspector.selects("gold");
  });

  test.each([
    [320, 256],
    [426, 240],
    [640, 360],
  ])("sees the change that is selected, and its row, where a window is magnified to %i x %i pixels", async (width, height) => {
    await inspector.openFile(given);
    await inspector.drop(save("old.dat", { ...world(), gold: 3, time: 1n, lost: 1 }), "right");
    await inspector.page.locator("#changes .list:focus .change").first().waitFor();
    await inspector.page.setViewportSize({ width, height });
    for (const [path, name] of [
      [".gold", "gold"],
      [".time", "time"],
      [".lost", "slot1.dat"],
    ]) {
      await inspector.press("ArrowDown");
      await inspector.selects(name);
      const seen = await inspector.page.evaluate(() =>
        ["#changes [aria-selected=true]", "#tree [aria-selected=true]"].map((selector) => {
          const element = document.querySelector(selector)!;
          const { left, top, bottom } = element.getBoundingClientRect();
          return [top + 2, bottom - 3].every((y) => element.contains(document.elementFromPoint(left + 40, y)));
        }),
      );
      expect(seen, path).toEqual([true, true]);
    }
    await inspector.page.click("[aria-label='End the comparison']");
  });

  test.each([
    ["a", "Home"],
    ["z", "End"],
  ])("sees what is wrong with a value in the smallest window, and what is typed then: %s", async (name, key) => {
    await inspector.openFile(save("small.dat", { a: 1, b: 2, c: 3, z: 4 }));
    await inspector.drop(save("old.dat", { a: 5, b: 2, c: 3, z: 4 }), "right");
    await inspector.page.locator("#changes .list:focus .change").first().waitFor();
    await inspector.page.setViewportSize({ width: 320, height: 256 });
    await inspector.page.focus("#tree");
    await inspector.press(key, ...(key === "Home" ? ["ArrowDown"] : []));
    await inspector.selects(name);
    await inspector.press("Enter");
    await inspector.page.locator(".editor textarea").fill("five");
    await inspector.press("Enter");
    await inspector.page.locator(".editor.wrong").waitFor();
    const isSeen = (selector: string) =>
      inspector.page.locator(selector).evaluate((element) => {
        const { left, top, bottom } = element.getBoundingClientRect();
        return [top + 2, bottom - 2].every((y) => document.elementFromPoint(left + 20, y) === element);
      });
    await expect.poll(() => isSeen("#editor-hint")).toBe(true);
    await inspector.page.keyboard.type("5");
    await expect.poll(() => isSeen(".editor textarea")).toBe(true);
    await inspector.press("Escape");
    await inspector.page.click("[aria-label='End the comparison']");
  });

  test("sees the whole hint of a value in the smallest window, and all of what is wrong", async () => {
    await inspector.openFile(save("small.dat", { a: 1, b: true, c: 3, t: "words" }));
    await inspector.drop(save("old.dat", { a: 5, b: true, c: 3, t: "words" }), "right");
    await inspector.page.locator("#changes .list:focus .change").first().waitFor();
    await inspector.page.setViewportSize({ width: 320, height: 256 });
    /** The lines of the hint, and the field, that something lies over, or that are cut. */
    const hidden = () =>
      inspector.page.evaluate(() => {
        const hint = document.getElementById("editor-hint")!;
        const text = document.createRange();
        text.selectNodeContents(hint);
        const field = document.querySelector(".editor textarea")!;
        const isSeen = (element: Element, { left, right, top, bottom }: DOMRect) =>
          [left + 1, right - 1].every((x) => [top + 1, bottom - 1].every((y) => document.elementFromPoint(x, y) === element));
        const lines = [...text.getClientRects()].map((line, i) => [`line ${i}`, isSeen(hint, line)] as const);
        return [...lines, ["field", isSeen(field, field.getBoundingClientRect())] as const]
          .filter(([, seen]) => !seen)
          .map(([part]) => part);
      });
    for (const name of ["a", "b", "c", "t"]) {
      await inspector.page.focus("#tree");
      await inspector.press("Home", name);
      await inspector.selects(name);
      await inspector.press("Enter");
      await inspector.page.locator(".editor").waitFor();
      await expect.poll(hidden, { message: name }).toEqual([]);
      await inspector.press("Escape");
    }
    await inspector.press("c", "Enter");
    await inspector.page.locator(".editor textarea").fill("9".repeat(1000));
    await inspector.press("Enter");
    await inspector.page.locator(".editor.wrong").waitFor();
    expect(await inspector.text("#editor-hint")).toBe(`${"9".repeat(240)}… is more than a real holds`);
    await expect.poll(hidden).toEqual([]);
    await inspector.press("Escape");
    await inspector.page.click("[aria-label='End the comparison']");
  });

  test("finds the editor over its row in the smallest window, and at the edge where that is scrolled out of sight", async () => {
    await inspector.openFile(save("small.dat", { a: 1, b: 2, c: 3, d: 4, e: 5 }));
    await inspector.page.setViewportSize({ width: 320, height: 256 });
    await inspector.press("c", "Enter");
    await inspector.page.locator(".editor").waitFor();
    /** Where it stands below the top of the tree, and above the end of that. */
    const place = () =>
      inspector.page.evaluate(() => {
        const [tree, field] = ["#tree", ".editor"].map((selector) => document.querySelector(selector)!);
        const top = field.getBoundingClientRect().top - tree.getBoundingClientRect().top;
        return { top, end: tree.clientHeight - top };
      });
    for (const [scrolled, expected] of [
      [3 * 26, { top: 0 }],
      [3 * 26 - 8, { top: 8 }],
      [3 * 26 + 8, { top: 0 }],
      [0, { end: 26 }],
    ] as const) {
      await inspector.page.locator("#tree").evaluate((tree, top) => tree.scrollTo(0, top), scrolled);
      await expect.poll(place, { message: String(scrolled) }).toMatchObject(expected);
    }
    await inspector.press("Escape");
  });

  test("has every button in the smallest window, and the warnings of a save", async () => {
    const payload = Buffer.from('\0{"instance_list":[],"instance_deactivated_list":[],"backgrounds":[], "room_index":0}');
    const checksum = createHash("sha1").update(payload).digest();
    await inspector.openFile({ name: "spaced.dat", bytes: Buffer.concat([payload, checksum]) });
    await inspector.page.setViewportSize({ width: 320, height: 256 });
    const hidden = await inspector.page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>(".bar button, .bar select, .bar input, #status button")]
        .filter((button) => {
          const { left, right, top, bottom } = button.getBoundingClientRect();
          return [left + 2, right - 2].some((x) => !button.contains(document.elementFromPoint(x, (top + bottom) / 2)));
        })
        .map(({ id, textContent }) => id || textContent),
    );
    expect(hidden).toEqual([]);
    expect(await told("#status-warnings")).toMatchObject({ role: "status" });
    await inspector.page.locator("#status button").click();
    expect(await inspector.text("#toast")).toContain("not in the engine's");
    await inspector.openFile(given);
    expect(await inspector.page.locator("#status button").count()).toBe(0);
  });

  test("sees where the keys go where the system forces its own colours", async () => {
    await inspector.openFile(given);
    await inspector.drop(save("old.dat", { ...world(), gold: 3 }), "right");
    await inspector.page.locator("#changes .list:focus .change").first().waitFor();
    await inspector.page.emulateMedia({ forcedColors: "active" });
    const outline = (selector: string) =>
      inspector.page
        .locator(selector)
        .evaluate((element) => `${getComputedStyle(element).outlineStyle} ${getComputedStyle(element).outlineWidth}`);
    expect([await outline("#changes .list"), await outline(".search")]).toEqual(["solid 2px", "none 3px"]);
    await inspector.page.focus("#query");
    expect([await outline("#changes .list"), await outline(".search")]).toEqual(["none 3px", "solid 2px"]);
    await inspector.page.emulateMedia({ forcedColors: null });
    await inspector.page.click("[aria-label='End the comparison']");
  });

  test("takes a tip away by Escape, which does what else it does", async () => {
    await inspector.openFile(given);
    await inspector.page.fill("#query", "gold");
    const tip = () => inspector.page.locator("#do-open").evaluate((button) => getComputedStyle(button, "::after").content);
    await inspector.page.hover("#do-open");
    expect(await tip()).toBe('"Open (Ctrl+O)" / ""');
    await inspector.press("Escape");
    expect(await tip()).toBe("none");
    expect(await inspector.page.inputValue("#query")).toBe("");
    await inspector.page.hover("#do-compare");
    await inspector.page.hover("#do-open");
    expect(await tip()).toBe('"Open (Ctrl+O)" / ""');
    await inspector.page.mouse.move(600, 600);
  });
});
