// How rows are shown: where there is little room, in other modes of the system, and to those who do not see them.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { writeDsBytes } from "../../src/ds/index.ts";
import { StructInstance } from "../../src/elephant/index.ts";
import { CHROMIUM, useBrowser } from "./chromium.ts";
import { InspectorPage, useInspector } from "./inspector-page.ts";
import { save } from "./inspector-saves.ts";

describe.skipIf(!CHROMIUM)("the inspector's rows", { timeout: 30_000 }, () => {
  const browser = useBrowser();
  const site = useInspector();
  let inspector: InspectorPage;

  beforeAll(async () => {
    inspector = await InspectorPage.open(browser(), site.url);
  }, 30_000);
  beforeEach(() => inspector.begin());
  afterEach(async () => {
    await inspector.page.setViewportSize({ width: 1180, height: 720 });
    expect(inspector.complaints).toEqual([]);
  });

  const widthOf = async (selector: string) => (await inspector.page.locator(selector).first().boundingBox())!.width;

  test.each([1180, 590, 400])("leave a name its room at any depth, %i px wide", async (width) => {
    let deep: unknown = { leaf: 42 };
    for (let i = 0; i < 30; i++) deep = { [`a long name of level ${i}`]: deep };
    await inspector.openFile(save("deep.dat", deep));
    await inspector.page.setViewportSize({ width, height: 720 });
    await inspector.page.fill("#query", "leaf");
    await inspector.selects("leaf");
    const { names, values, shown } = await inspector.page.evaluate(() => {
      const row = document.querySelector(".row.selected")!.previousElementSibling!;
      const box = (selector: string) => row.querySelector(selector)!.getBoundingClientRect();
      return { names: box(".names").right, values: box(".values").left, shown: box(".name") };
    });
    expect(names).toBeLessThanOrEqual(values);
    expect(shown.width).toBeGreaterThan(60);
    expect(shown.right).toBeLessThanOrEqual(values);
    // What the indent can tell no more, the level does.
    const levels = await inspector.page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>(".row .level")]
        .filter((level) => level.offsetWidth > 0)
        .map((level) => [level.textContent, level.closest(".row")!.getAttribute("aria-level")]),
    );
    expect(levels).toContainEqual(["32", "32"]);
    for (const [text, level] of levels) expect(text).toBe(level);
    await inspector.press("Escape", "Home");
    await inspector.selects("deep.dat");
    expect(await inspector.page.locator("#row-0 .level").evaluate((level) => (level as HTMLElement).offsetWidth)).toBe(0);
  });

  test("have a search field above them that one can type in, in the smallest window, too", async () => {
    await inspector.openFile(save("slot.dat", { a: 1 }));
    await inspector.page.setViewportSize({ width: 400, height: 720 });
    expect(await widthOf("#query")).toBeGreaterThan(150);
    // Nothing lies beneath another thing.
    for (const id of ["do-open", "do-save", "do-compare", "do-theme", "query", "search-in"]) {
      const isOnTop = await inspector.page.evaluate((wanted) => {
        const { left, top, width, height } = document.getElementById(wanted)!.getBoundingClientRect();
        return document.elementFromPoint(left + width / 2, top + height / 2)?.closest(`#${wanted}`) !== null;
      }, id);
      expect(isOnTop, id).toBe(true);
    }
  });

  test.each([1180, 1061, 861, 781, 600])(
    "have a search with all its buttons above them, and a place in the status line, %i px wide",
    async (width) => {
      await inspector.openFile(save("slot.dat", { a: 1 }));
      await inspector.page.setViewportSize({ width, height: 720 });
      expect(await widthOf("#query")).toBeGreaterThan(120);
      for (const id of ["do-previous", "do-next", "do-shortcuts", "do-theme", "status-rows"]) {
        const box = (await inspector.page.locator(`#${id}`).boundingBox())!;
        expect(box.x + box.width, id).toBeLessThanOrEqual(width - 10);
      }
    },
  );

  test("keep their values clear of their types in the narrowest window", async () => {
    await inspector.openFile(save("slot.dat", { struct: { a: 1 }, list: Array.from({ length: 1000 }, () => 0) }));
    await inspector.page.setViewportSize({ width: 320, height: 560 });
    for (const name of ["struct", "list"]) {
      const value = (await inspector.row(name).locator(".value").boundingBox())!;
      const type = (await inspector.row(name).locator(".type").boundingBox())!;
      expect(value.x + value.width, name).toBeLessThanOrEqual(type.x);
    }
    expect(await inspector.page.evaluate(() => document.querySelector("#do-theme")!.getBoundingClientRect().bottom)).toBeLessThan(50);
  });

  test.each([
    [1180, 720],
    [600, 720],
    [590, 360],
  ])("leave the changes their room in a window of %i x %i px, up to the panel's edges", async (width, height) => {
    await inspector.openFile(save("new.dat", { a: 1, b: 2, c: 3 }));
    await inspector.drop(save("old.dat", { a: 0, b: 0, c: 0, d: 0 }), "right");
    await inspector.page.locator(".change").first().waitFor();
    await inspector.page.setViewportSize({ width, height });
    const boxOf = async (selector: string) => (await inspector.page.locator(selector).first().boundingBox())!;
    const panel = await boxOf("#changes");
    const list = await boxOf("#changes .list");
    expect(list.height).toBeGreaterThan(70);
    expect(list.x).toBeCloseTo(panel.x, 0);
    expect(list.x + list.width).toBeCloseTo(panel.x + panel.width, 0);
    expect(list.y + list.height).toBeCloseTo(panel.y + panel.height, 0);
    expect(await inspector.page.locator("#changes").evaluate((section) => section.scrollHeight - section.clientHeight)).toBe(0);
    expect(await inspector.page.locator(".change code").first().isVisible()).toBe(true);
    await inspector.press("End");
    await inspector.selects("new.dat");
    const last = await boxOf(".change[aria-selected=true]");
    expect(last.y + last.height).toBeLessThanOrEqual(list.y + list.height + 1);
  });

  test("tell assistive technology their place, their marks, and which of them is the active one", async () => {
    const numbers = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`n${i}`, i]));
    await inspector.openFile(save("new.dat", { ...numbers, inner: { a: 1, b: 2 } }));
    const tree = inspector.page.locator("#tree");
    await inspector.edit("n0", "-1");
    await inspector.drop(save("old.dat", { ...numbers, n1: 0, inner: { a: 1, b: 1 } }), "right");
    await inspector.page.locator(".chip").first().waitFor();
    const row = (name: string) => inspector.row(name);
    expect(await row("n1").getAttribute("aria-posinset")).toBe("2");
    expect(await row("n1").getAttribute("aria-setsize")).toBe("301");
    await expect.poll(() => inspector.page.getByRole("treeitem", { name: "n0 -1 real edited, changed" }).count()).toBe(1);
    await expect.poll(() => inspector.page.getByRole("treeitem", { name: "n1 1 real changed" }).count()).toBe(1);
    await expect.poll(() => inspector.page.getByRole("treeitem", { name: /new\.dat.*with changes inside/ }).count()).toBe(1);
    expect(await inspector.page.getByRole("option", { name: "changed .n1" }).getAttribute("aria-posinset")).toBe("2");

    await tree.focus();
    await inspector.press("Home", "ArrowDown");
    await inspector.selects("n0");
    expect(await tree.getAttribute("aria-activedescendant")).toBe("row-1");
    // Out of sight it has no element.
    await tree.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await expect.poll(() => tree.getAttribute("aria-activedescendant")).toBeNull();
    await tree.evaluate((element) => element.scrollTo(0, 0));
    await expect.poll(() => tree.getAttribute("aria-activedescendant")).toBe("row-1");
    // Rows stand in the document as one sees them.
    await tree.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2));
    await row("n150").waitFor();
    for (let step = 0; step < 5; step++) await tree.evaluate((element) => element.scrollBy(0, -200));
    const order = () => tree.evaluate((element) => [...element.querySelectorAll(".row")].map(({ id }) => Number(id.slice(4))));
    await expect.poll(async () => Math.min(...(await order()))).toBeLessThan(115);
    expect(await order()).toEqual((await order()).toSorted((a, b) => a - b));
    expect(await inspector.page.locator("[role=status] #status-rows").count()).toBe(0);
  });

  test("are changed where another row is meant, or another value, and nowhere else", async () => {
    await inspector.openFile(save("long.dat", Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`n${i}`, i]))));
    const tree = inspector.page.locator("#tree");
    /** What changes while `action` is done: the ids of the rows, and how many of them come and go. */
    const changes = async (action: () => Promise<void>) => {
      const watch = await inspector.page.evaluateHandle(() => {
        const canvas = document.querySelector("#tree .canvas")!;
        const seen = { ids: new Set<string>(), moved: 0 };
        const observer = new MutationObserver((records) => {
          for (const { target, addedNodes, removedNodes } of records) {
            const row = (target instanceof Element ? target : target.parentElement)?.closest(".row");
            if (row) seen.ids.add(row.id);
            for (const node of [...addedNodes, ...removedNodes]) if (node instanceof Element && node.matches(".row")) seen.moved++;
          }
        });
        observer.observe(canvas, { subtree: true, childList: true, attributes: true, characterData: true });
        return { observer, seen };
      });
      await action();
      return watch.evaluate(({ observer, seen }) => {
        observer.disconnect();
        return { ids: [...seen.ids].sort(), moved: seen.moved };
      });
    };
    const down = await changes(async () => {
      await inspector.press("ArrowDown");
      await inspector.selects("n0");
      await expect.poll(() => inspector.text("#details .path")).toBe(".n0");
    });
    expect(down).toEqual({ ids: ["row-0", "row-1"], moved: 0 });
    const edited = await changes(async () => {
      await inspector.edit("n5", "-5");
      await inspector.selects("n5");
      await expect.poll(() => inspector.row("n5").getAttribute("class")).toContain("edited");
      await expect.poll(() => inspector.row("n5").locator(".value").textContent()).toBe("-5");
    });
    // The one that was selected, too.
    expect(edited).toEqual({ ids: ["row-1", "row-6"], moved: 0 });
    // To where all rows are others: each element is another row, in its place.
    await tree.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2));
    await inspector.row("n1500").waitFor();
    const far = await changes(async () => {
      await tree.evaluate((element) => element.scrollTo(0, element.scrollHeight / 4));
      await inspector.row("n750").waitFor();
    });
    expect(far.moved).toBe(0);
  });

  test("can be told apart where the system forces its own colours", async () => {
    await inspector.openFile(save("new.dat", { a: 1, b: 2 }));
    await inspector.edit("a", "5");
    await inspector.drop(save("old.dat", { a: 1 }), "right");
    await inspector.page.locator(".chip").nth(1).waitFor();
    await inspector.row("a").click();
    await inspector.page.emulateMedia({ forcedColors: "active" });
    const style = (name: string, part: string, pseudo: string | undefined, property: string) =>
      inspector
        .row(name)
        .locator(part)
        .evaluate((element, [of, wanted]) => getComputedStyle(element, of).getPropertyValue(wanted!), [pseudo, property]);
    const ground = await inspector.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(await style("a", "xpath=.", undefined, "outline-style")).toBe("solid");
    expect(await style("b", "xpath=.", undefined, "outline-style")).toBe("none");
    expect(await style("a", ".value", "::before", "background-color")).not.toBe(ground);
    expect(await style("a", "xpath=.", "::before", "background-color")).not.toBe(ground);
    expect(await style("b", "xpath=.", "::before", "border-top-style")).toBe("solid");
    await inspector.page.emulateMedia({ forcedColors: null });
  });

  test("have a progress bar above them that stands still for those who want no motion", async () => {
    await inspector.page.emulateMedia({ reducedMotion: "reduce" });
    const name = await inspector.page.evaluate(() => {
      const bar = document.getElementById("progress")!;
      bar.hidden = false;
      bar.classList.add("endless");
      return getComputedStyle(bar, "::after").animationName;
    });
    expect(name).toBe("none");
    await inspector.page.emulateMedia({ reducedMotion: null });
  });

  test("have one line each, whatever a name holds", async () => {
    await inspector.openFile(save("lines.dat", { "a\nb\tc\u2028d": { "in\r\nner": 1 } }));
    expect((await inspector.rows())[1].name).toBe("a\\nb\\tc\\u2028d");
    await inspector.press("ArrowDown");
    await expect.poll(() => inspector.page.locator(".row.selected .preview").textContent()).toBe("in\\r\\nner: 1");
    await expect.poll(() => inspector.page.locator("#crumbs button").last().textContent()).toBe("a\\nb\\tc\\u2028d");
  });

  test("show long names of members and constructors as they show long values", async () => {
    const [member, made, inner] = ["m", "c", "i"].map((letter) => letter.repeat(100_000));
    const shown = (text: string) => `${text.slice(0, 240)}…`;
    await inspector.openFile(save("names.dat", { [member]: new StructInstance(made, { [inner]: 1 }) }));
    const [, { name, type }] = await inspector.rows();
    expect([name, type]).toEqual([shown(member), shown(made)]);
    await inspector.press("ArrowDown");
    await expect.poll(() => inspector.page.locator("#crumbs button").last().textContent()).toBe(shown(member));
    expect(await inspector.page.locator("#details .titled").textContent()).toBe(shown(made));
    expect(await inspector.page.locator(".row.selected .preview").textContent()).toBe(`${shown(inner)}: 1`);
  });

  test("show characters that turn the direction of writing, or are not seen, wherever a name or value has one line", async () => {
    const family = "👩‍👧";
    await inspector.openFile(
      save("odd.dat", { "rtl\u202eevil": "abc\u2066def", "zero\u200bwidth": 1, "mark\u061c\ufeff": 2, [family]: 3 }),
    );
    const rows = await inspector.rows();
    expect(rows.slice(1).map(({ name }) => name)).toEqual(["rtl\\u202eevil", "zero\\u200bwidth", "mark\\u061c\\ufeff", family]);
    expect(rows[1].value).toBe('"abc\\u2066def"');
    await inspector.press("ArrowDown");
    await expect.poll(() => inspector.text("#details .path")).toBe('["rtl\\u202eevil"]');
    expect(await inspector.page.locator("#crumbs button").last().textContent()).toBe("rtl\\u202eevil");
    await inspector.drop(save("old.dat", { "rtl\u202eevil": "abc" }), "right");
    await expect.poll(() => inspector.page.locator(".change code").first().innerText()).toBe('["rtl\\u202eevil"]');
  });

  test("show what is not seen in any script, but for what belongs to words, emoji and flags", async () => {
    const unseen = ["a\u00adb", "z\u034f", "\u180e", "\u3164", "\u2800", "x\u{e0041}y", "\u115f"];
    const seen = ["❤\ufe0f", "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}", "می\u200cخواهم"];
    await inspector.openFile(save("odd.dat", Object.fromEntries([...unseen, ...seen, "\u0301"].map((name, i) => [name, i]))));
    const rows = await inspector.rows();
    const escaped = ["a\\u00adb", "z\\u034f", "\\u180e", "\\u3164", "\\u2800", "x\\u{e0041}y", "\\u115f"];
    expect(rows.slice(1).map(({ name }) => name)).toEqual([...escaped, ...seen, '"\u0301"']);
    await inspector.page.fill("#query", "\u{e0041}");
    await expect.poll(() => inspector.page.locator(".row mark").allInnerTexts()).toEqual(["\\u{e0041}"]);
  });

  test("are marked where the search has found something, behind characters with a longer lower case, too", async () => {
    await inspector.openFile(save("marks.dat", { a: "İİİİ abc", b: "abc İ" }));
    await inspector.page.fill("#query", "abc");
    const marked = (name: string) => inspector.row(name).locator(".value").innerHTML();
    await expect.poll(() => marked("a")).toBe('"İİİİ <mark>abc</mark>"');
    expect(await marked("b")).toBe('"<mark>abc</mark> İ"');
    await inspector.page.fill("#query", "İ a");
    await expect.poll(() => marked("a")).toBe('"İİİ<mark>İ a</mark>bc"');
  });

  test("take a double click on what is marked", async () => {
    await inspector.openFile(save("marks.dat", { alpha: { x: 1 }, beta: "alpha" }));
    await inspector.page.fill("#query", "alpha");
    await expect.poll(() => inspector.text("#hits")).toBe("1 of 2");
    await inspector.row("beta").locator(".value mark").dblclick();
    await expect.poll(() => inspector.page.locator(".editor textarea").inputValue()).toBe("alpha");
    await inspector.press("Escape");
    await inspector.page.locator(".row .name mark").dblclick();
    await inspector.row("x").waitFor();
  });

  test("have their editor over them, where the list is longer than a page can be, too", async () => {
    const path = join(site.folder, "long.txt");
    writeFileSync(path, writeDsBytes({ kind: "list", items: new Array(500_000).fill(0) }));
    await inspector.pick(path);
    await inspector.shows("long.txt");
    const tree = inspector.page.locator("#tree");
    const tops = () =>
      inspector.page.evaluate(() => [".editor", ".row.selected"].map((of) => document.querySelector(of)!.getBoundingClientRect().top));
    await tree.focus();
    await inspector.press("End", "PageUp", "Enter");
    await inspector.page.locator(".editor").waitFor();
    await expect.poll(() => inspector.text("#status-rows")).toMatch(/^row 499,9\d\d of 500,001$/);
    expect((await tops())[0]).toBeCloseTo((await tops())[1], 0);
    await inspector.press("Escape");
    await tree.evaluate((element) => element.scrollTo(0, 6_000_000));
    await inspector.row("250000").locator(".value").dblclick();
    await inspector.page.locator(".editor").waitFor();
    const [before] = await tops();
    await tree.evaluate((element) => element.scrollBy(0, 3));
    await expect.poll(async () => (await tops())[0]).not.toBe(before);
    expect((await tops())[0]).toBeCloseTo((await tops())[1], 0);
    await inspector.press("Escape");
  });

  test("never show half a character in a preview", async () => {
    await inspector.openFile(save("pairs.dat", { inner: { a: `${"x".repeat(21)}😀 and more` } }));
    expect(await inspector.row("inner").locator(".preview").textContent()).toBe(`a: "${"x".repeat(21)}…`);
  });

  test("show a blank name in quotes, everywhere", async () => {
    await inspector.openFile(save("blank.dat", { inner: { "": 1, " ": 2 } }));
    await inspector.press("ArrowDown");
    await inspector.selects("inner");
    await expect.poll(() => inspector.page.locator(".row.selected .preview").textContent()).toBe('"": 1, " ": 2');
    await inspector.press("ArrowRight", "ArrowDown");
    await expect.poll(async () => (await inspector.rows()).slice(2).map(({ name }) => name)).toEqual(['""', '" "']);
    expect(await inspector.page.getByRole("treeitem", { name: '"" 1 real' }).count()).toBe(1);
    await expect.poll(() => inspector.text("#details .path")).toBe('.inner[""]');
    expect(await inspector.page.locator("#crumbs button").last().textContent()).toBe('""');
    await inspector.press("Enter");
    await expect.poll(() => inspector.page.locator(".editor textarea").getAttribute("aria-label")).toBe('"", number');
    await inspector.press("Escape");
  });
});
