// What the tree does when rows come, go, or are out of sight.
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createElephantSync } from "../../src/elephant/index.ts";
import { CHROMIUM, useBrowser } from "./chromium.ts";
import { InspectorPage, useInspector } from "./inspector-page.ts";
import { save } from "./inspector-saves.ts";

/** Longer lists are taller than a browser lays out: their rows move on the canvas. */
const TALLEST = 461_538;
const ROW = 26;

/** Runs in the page: answers of the worker wait as long as `slower` says; while there is a list of `held` ones they are put there. */
function answerWhenAsked(): void {
  const { set } = Object.getOwnPropertyDescriptor(Worker.prototype, "onmessage")!;
  Object.defineProperty(Worker.prototype, "onmessage", {
    set(this: Worker, listener: (event: MessageEvent) => void) {
      set!.call(this, (event: MessageEvent) => {
        const { held, slower = 0 } = globalThis as { held?: (() => void)[]; slower?: number };
        const answer = () => listener.call(this, event);
        if (held) held.push(answer);
        else if (slower > 0) setTimeout(answer, slower);
        else answer();
      });
    },
  });
}

describe.skipIf(!CHROMIUM)("the inspector's tree", { timeout: 30_000 }, () => {
  const browser = useBrowser();
  const site = useInspector();
  let inspector: InspectorPage;

  beforeAll(async () => {
    inspector = await InspectorPage.open(browser(), site.url, async (page) => {
      await page.addInitScript(answerWhenAsked);
    });
  }, 30_000);
  beforeEach(() => inspector.begin());
  afterEach(async () => {
    await inspector.page.setViewportSize({ width: 1180, height: 720 });
    expect(inspector.complaints).toEqual([]);
  });

  const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
  const scroll = (top: number) => inspector.page.locator("#tree").evaluate((tree, to) => tree.scrollTo(0, to), top);

  /** Where the rows are that exist: number and place in the view, from top to bottom. */
  const places = () =>
    inspector.page.evaluate(() => {
      const { top } = document.querySelector("#tree")!.getBoundingClientRect();
      return [...document.querySelectorAll("#tree .row")]
        .map((row) => ({ index: Number(row.id.slice(4)), at: row.getBoundingClientRect().top - top }))
        .sort((a, b) => a.index - b.index);
    });
  const selectedPlace = () =>
    inspector.page.evaluate(() => {
      const tree = document.querySelector("#tree")!.getBoundingClientRect();
      const row = document.querySelector(".row.selected")?.getBoundingClientRect();
      return row && row.top >= tree.top && row.bottom <= tree.bottom ? row.top - tree.top : undefined;
    });

  async function expectRowsInTheirPlaces(): Promise<void> {
    const found = await places();
    for (const { index, at } of found) expect(at - found[0].at, `row ${index}`).toBeCloseTo((index - found[0].index) * ROW, -1);
  }

  /** So many numbers, in arrays that a save can hold. */
  const inArrays = (count: number) => {
    const arrays: number[][] = [];
    for (let left = count; left > 0; left -= 65_000) arrays.push(numbers(Math.min(left, 65_000)));
    return arrays;
  };

  test("the right arrow stays on what is empty, opened with everything else or not", async () => {
    await inspector.openFile(save("empty.dat", { empty: [], other: {} }));
    await inspector.press("ArrowDown");
    await inspector.press("ArrowRight");
    await inspector.selects("empty");
    await inspector.press("Home");
    await inspector.press("*");
    await inspector.press("ArrowDown");
    await inspector.press("ArrowRight");
    await inspector.press("ArrowDown");
    await inspector.selects("other");
  });

  test("keeps its rows in order when it becomes taller than a page can be, and less tall again", async () => {
    await inspector.openFile(save("tall.dat", { a: inArrays(TALLEST - 111), small: numbers(200) }));
    await inspector.press("ArrowDown", "ArrowRight", "*", "End");
    await inspector.selects("small");
    for (const [key, rows] of [
      ["ArrowRight", "461,638"],
      ["ArrowLeft", "461,438"],
      ["ArrowRight", "461,638"],
    ]) {
      await inspector.press(key);
      await expect.poll(() => inspector.text("#status-rows")).toBe(`row 461,438 of ${rows}`);
      await inspector.selects("small");
      await expectRowsInTheirPlaces();
      expect(await selectedPlace()).toBeDefined();
    }
  });

  test("stays where it is when a container is opened far down in a list taller than a page can be", async () => {
    await inspector.openFile(save("tall.dat", { a: [...inArrays(9 * 65_000), { b: numbers(65_000) }] }));
    await inspector.press("ArrowDown", "ArrowRight", "*", "End");
    await inspector.selects("b");
    const before = (await selectedPlace())!;
    for (const open of ["true", "false"]) {
      await inspector.page.locator(".row.selected .twisty").click();
      await expect.poll(() => inspector.page.locator(".row.selected").getAttribute("aria-expanded")).toBe(open);
      await expectRowsInTheirPlaces();
      // A step of the scroll bar is more than one row's pixel.
      expect(Math.abs((await selectedPlace())! - before)).toBeLessThan(open === "true" ? ROW : 3 * ROW);
    }
    await inspector.press("ArrowLeft");
    await inspector.selects("9");
  });

  test.each(["F2", "Enter", "the button"])("shows the selected row when it is edited out of sight, by %s", async (way) => {
    await inspector.openFile(save("long.dat", { title: "x", box: { inner: 1 }, list: numbers(500) }));
    await inspector.press("End", "ArrowRight", "Home", "ArrowDown");
    await inspector.selects("title");
    await scroll(9000);
    await inspector.row("340").waitFor();
    // The rows are fetched anew: that of the selected one is not there any more.
    await inspector.save();
    if (way === "the button") await inspector.page.getByRole("button", { name: "Edit value" }).click();
    else await inspector.press(way);
    await inspector.page.locator(".editor").waitFor();
    expect(await selectedPlace()).toBeDefined();
    await inspector.page.keyboard.type("seen");
    await inspector.press("Enter");
    await expect.poll(() => inspector.row("title").locator(".value").textContent()).toBe('"seen"');
  });

  test("opens what is selected out of sight where one sees it", async () => {
    await inspector.openFile(save("long.dat", { box: { inner: 1 }, list: numbers(500) }));
    await inspector.press("End", "ArrowRight", "Home", "ArrowDown");
    await inspector.selects("box");
    await scroll(9000);
    await inspector.row("340").waitFor();
    await inspector.save();
    await inspector.press("Space");
    await inspector.row("inner").waitFor();
    expect(await selectedPlace()).toBeDefined();
  });

  test("takes a space for a part of the name that is being typed", async () => {
    await inspector.openFile(save("names.dat", { "dark mode": true, "dark room": 1 }));
    await inspector.typeName("dark r");
    await inspector.selects("dark room");
    expect(await inspector.row("dark mode").locator(".value").textContent()).toBe("true");
    expect(await inspector.text("#file-state")).toBe("no changes");
  });

  test("goes from name to name by one letter again and again, but not past one that begins with two of them", async () => {
    await inspector.openFile(save("names.dat", { hp: 1, hat: 2, aa: 3, ab: 4 }));
    await inspector.press("Home");
    for (const name of ["hp", "hat", "hp"]) {
      await inspector.press("h");
      await inspector.selects(name);
    }
    await inspector.press("Home");
    await inspector.typeName("aa");
    await inspector.selects("aa");
  });

  test.each([
    ["a list", 500],
    ["a list taller than a page can be", TALLEST + 1000],
  ])("keeps its editor in sight when the window changes its size over %s", async (_, count) => {
    await inspector.openFile(save("long.dat", { list: inArrays(count) }));
    await inspector.press("ArrowDown", "ArrowRight", "*", "End", "F2");
    await inspector.page.locator(".editor").waitFor();
    const bottoms = () =>
      inspector.page.evaluate(() => ["#tree", ".editor"].map((of) => document.querySelector(of)!.getBoundingClientRect().bottom));
    await inspector.page.setViewportSize({ width: 1180, height: 400 });
    await expect.poll(async () => (([tree, editor]) => editor <= tree)(await bottoms())).toBe(true);
    const at = (selector: string) => inspector.page.locator(selector).evaluate((element) => element.getBoundingClientRect().top);
    await inspector.page.setViewportSize({ width: 1180, height: 720 });
    await inspector.press("Escape");
    await inspector.selects(String((count - 1) % 65_000));
    await inspector.press("F2");
    await inspector.page.setViewportSize({ width: 1180, height: 900 });
    await expect.poll(async () => Math.abs((await at(".editor")) - (await at(".row.selected")))).toBeLessThan(40);
    await inspector.press("Escape");
  });

  test("is closed at its root, too, and opened again by what is found in it", async () => {
    await inspector.openFile(save("nested.dat", { a: { b: 1, hit: 2 }, z: { c: 3 } }));
    await inspector.press("ArrowDown", "ArrowRight");
    await inspector.selects("a");
    await inspector.press("Home", "*");
    await expect.poll(async () => (await inspector.rows()).map(({ name }) => name)).toEqual(["nested.dat", "a", "b", "hit", "z", "c"]);
    await inspector.press("ArrowLeft");
    await expect.poll(() => inspector.text("#status-rows")).toBe("row 1 of 1");
    await inspector.page.fill("#query", "hit");
    await inspector.selects("hit");
    await expect.poll(() => inspector.text("#status-rows")).toBe("row 4 of 5");
    await inspector.page.locator("#query").focus();
    await inspector.press("ArrowDown");
    expect(await inspector.page.evaluate(() => document.activeElement!.id)).toBe("tree");
  });

  test("selects a container that closes while a key leads into it", async () => {
    await inspector.openFile(save("nested.dat", { a: { b: 1 }, z: 2 }));
    await inspector.press("ArrowDown", "ArrowRight");
    await inspector.page.locator("#row-3").waitFor();
    await inspector.page.evaluate(() => {
      document.querySelector("#row-1 .twisty")!.dispatchEvent(new MouseEvent("click", { bubbles: true }));
      const down = new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true, cancelable: true });
      document.querySelector("#tree")!.dispatchEvent(down);
    });
    await expect.poll(async () => (await inspector.rows()).map(({ name }) => name)).toEqual(["nested.dat", "a", "z"]);
    await inspector.selects("a");
    expect(await inspector.text("#crumbs")).toContain("a");
  });

  test("says where a value stands in itself", async () => {
    const hero: Record<string, unknown> = { hp: 1 };
    hero.self = hero;
    await inspector.openFile(save("circle.dat", { hero }));
    await inspector.page.fill("#query", "self");
    await inspector.selects("self");
    expect((await inspector.selected())!.value).toBe("2 members · in a circle");
  });

  test("marks an edited value wherever the struct stands that it is in", async () => {
    const hero: Record<string, unknown> = { hp: 1, mp: 1 };
    hero.self = hero;
    await inspector.openFile(save("shared.dat", { hero, leader: hero, party: [hero], other: { hp: 1 } }));
    await inspector.press("*", "ArrowDown");
    await inspector.selects("hero");
    await inspector.press("*");
    await inspector.page.fill("#query", "party");
    await inspector.selects("party");
    await inspector.press("Escape", "*");
    const edited = () =>
      inspector.page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>("#tree .row.edited")]
          .sort((a, b) => Number(a.id.slice(4)) - Number(b.id.slice(4)))
          .map((row) => `${row.id} ${row.querySelector(".name")!.textContent} ${row.querySelector(".value")!.textContent}`),
      );
    await expect
      .poll(async () => (await inspector.rows()).map(({ level, name }) => `${level} ${name}`))
      .toEqual([
        ...["1 shared.dat", "2 hero", "3 hp", "3 mp", "3 self", "4 hp", "4 mp", "4 self"],
        ...["2 leader", "3 hp", "3 mp", "3 self", "2 party", "3 0", "4 hp", "4 mp", "4 self", "2 other", "3 hp"],
      ]);
    await inspector.edit("hp", "7");
    const places = ["row-2 hp 7", "row-5 hp 7", "row-9 hp 7", "row-14 hp 7"];
    await expect.poll(edited).toEqual(places);
    await expect.poll(() => inspector.text("#file-state")).toBe("1 edit, not saved");
    await inspector.press("Control+z");
    await expect.poll(edited).toEqual([]);
    await expect.poll(() => inspector.text("#file-state")).toBe("no changes");
    await inspector.press("Control+y");
    await expect.poll(edited).toEqual(places);
    await inspector.save();
    await expect.poll(edited).toEqual([]);
    // What was saved is another value again.
    await inspector.press("Control+z");
    await expect.poll(edited).toEqual(places.map((place) => place.replace(/7$/, "1")));
  });

  test("is a single row where the save is a single value, which is edited, found and saved there", async () => {
    await inspector.openFile(save("one.dat", 5));
    await inspector.press("x", "*", "ArrowRight", "ArrowDown");
    await inspector.edit("one.dat", "7");
    await expect.poll(() => inspector.text("#details .whole")).toBe("7");
    await inspector.page.fill("#query", "7");
    await expect.poll(() => inspector.text("#hits")).toBe("1 of 1");
    expect(createElephantSync().read(await inspector.save())).toBe(7);
    await inspector.page.click("#do-undo");
    await expect.poll(() => inspector.text("#details .whole")).toBe("5");
  });

  test("says that it opens no more than 5,000 at once, where there are more", async () => {
    await inspector.openFile(
      save("many.dat", { many: Array.from({ length: 5001 }, () => [0]), some: [...Array.from({ length: 5000 }, () => [0]), 1] }),
    );
    await inspector.press("End", "*");
    await expect.poll(() => inspector.text("#status-rows")).toBe("row 3 of 10,004");
    expect(await inspector.page.locator("#toast").isVisible()).toBe(false);
    await inspector.press("ArrowUp", "*");
    await expect.poll(() => inspector.text("#status-rows")).toBe("row 2 of 20,005");
    expect(await inspector.text("#toast")).toBe("only the first 5,000 containers in it are opened");
  });

  test("has all rows that a very tall window shows, and asks for them once", async () => {
    await inspector.openFile(save("long.dat", numbers(500)));
    const tree = inspector.page.locator("#tree");
    // The window itself is not: its rows would all be painted.
    await tree.evaluate(({ style }, height) => Object.assign(style, { flex: "none", height: `${height}px` }), 400 * ROW);
    expect(await tree.evaluate(({ clientHeight }) => clientHeight)).toBe(400 * ROW);
    await expect.poll(() => inspector.page.locator("#row-405 .name:not(:empty)").count()).toBe(1);
    await inspector.page.evaluate(() => Object.assign(globalThis, { held: [] }));
    await inspector.page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
    expect(await inspector.page.evaluate(() => (globalThis as unknown as { held: unknown[] }).held.length)).toBe(0);
    await inspector.page.evaluate(() => Object.assign(globalThis, { held: undefined }));
    await tree.evaluate(({ style }) => Object.assign(style, { flex: "", height: "" }));
  });

  test("says nothing of a row that has not come yet", async () => {
    const items = Object.fromEntries(numbers(3000).map((i) => [`n${i}`, { value: i }]));
    await inspector.openFile(save("new.dat", items));
    await inspector.drop(save("old.dat", Object.fromEntries(numbers(3000).map((i) => [`n${i}`, { value: -1 }]))), "right");
    await inspector.page.locator(".change").first().waitFor();
    await expect.poll(() => inspector.page.locator("#row-1").getAttribute("data-mark")).toBe("inside");
    await inspector.page.evaluate(() => Object.assign(globalThis, { held: [] }));
    await scroll(40_000);
    await inspector.page.locator(".row.pending").first().waitFor();
    const pending = await inspector.page.evaluate(() =>
      [...document.querySelectorAll(".row.pending")].map((row) => [
        [...row.attributes].map(({ name }) => name).filter((name) => /^(data|aria)-/.test(name)),
        row.textContent,
        row.querySelector(".type")!.hasAttribute("title"),
      ]),
    );
    expect(new Set(pending.map((row) => JSON.stringify(row)))).toEqual(new Set([JSON.stringify([[], "", false])]));
    await inspector.page.evaluate(() => {
      const page = globalThis as { held?: (() => void)[] | undefined };
      const answers = page.held!;
      page.held = undefined;
      for (const answer of answers) answer();
    });
    await inspector.row("n1550").waitFor();
    expect(await inspector.row("n1550").getAttribute("aria-level")).toBe("2");
  });

  test("has no rows of the save before while those of the next one come", async () => {
    await inspector.openFile(save("first.dat", Object.fromEntries(numbers(40).map((i) => [`old${i}`, i]))));
    await inspector.page.evaluate(() => Object.assign(globalThis, { slower: 400 }));
    await inspector.drop(save("second.dat", { only: 1 }));
    await inspector.page.waitForFunction(() => document.querySelector("#file-name")?.textContent?.includes("second.dat"));
    await inspector.page.waitForFunction(() => document.body.dataset.screen === "tree");
    expect((await inspector.rows()).filter(({ name }) => name.startsWith("old"))).toEqual([]);
    await inspector.page.evaluate(() => Object.assign(globalThis, { slower: 0 }));
    await inspector.row("only").waitFor();
    await inspector.selects("second.dat");
  });

  test("marks the id that an instance is found by", async () => {
    const lines = ["oHero = 100001", "{", "\t_foe : oFoe = 100002", "\t{", "\t\t_hp : int = 2", "\t}", "}", ""];
    await inspector.openFile({ name: "ids.txt", bytes: Buffer.from(lines.join("\n")) });
    const marked = () =>
      inspector.page.evaluate(() => [...document.querySelectorAll(".row mark")].map((mark) => mark.parentElement!.innerHTML));
    for (const [query, hits, marks] of [
      ["100002", "1 of 1", ["instance <mark>100002</mark>"]],
      ["2", "1 of 2", ["instance 10000<mark>2</mark>"]],
      ["instance", "none", []],
    ] as const) {
      await inspector.page.fill("#query", query);
      await expect.poll(() => inspector.text("#hits"), { message: query }).toBe(hits);
      await expect.poll(marked, { message: query }).toEqual(marks);
    }
  });

  test("marks what the search has found, in the text that is drawn", async () => {
    await inspector.openFile(save("q.dat", { a: 'say "hi" now', b: "x\\ny", c: "l1\nl2", d: "plain" }));
    const marked = () =>
      inspector.page.evaluate(() =>
        [...document.querySelectorAll(".row mark")].map(
          (mark) => `${mark.closest(".row")!.querySelector(".name")!.textContent}: ${mark.textContent}`,
        ),
      );
    for (const [query, hits, marks] of [
      ['"', "1 of 1", ['a: \\"']],
      ["\\n", "1 of 1", ["b: \\\\n"]],
      ['"hi"', "1 of 1", ['a: \\"hi\\"']],
      ["n", "1 of 3", ["a: n", "b: n", "d: n"]],
      ["1 l", "1 of 1", ["c: 1\\nl"]],
      [" L", "1 of 1", ["c: \\nl"]],
      ["q.dat", "none", []],
    ] as const) {
      await inspector.page.fill("#query", query);
      await expect.poll(() => inspector.text("#hits"), { message: query }).toBe(hits);
      await expect.poll(marked, { message: query }).toEqual(marks);
    }
  });
});
