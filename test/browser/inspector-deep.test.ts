// Saves of tens of thousands of levels, as a linked list makes them: what takes room or time for each level above a place would take them by the square
// of the depth, which is more than there is.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { createElephantSync } from "../../src/elephant/index.ts";
import { LONG_RUN } from "../elephant/codec.ts";
import { ROOT } from "../package/installed.ts";
import { CHROMIUM, useBrowser } from "./chromium.ts";
import { InspectorPage, useInspector } from "./inspector-page.ts";

/** A path as what it has behind the one before it. */
interface Step {
  keep: number;
  rest: number[];
}
interface OpenSave {
  root: unknown;
  view: object;
  rows: {
    total: number;
    reveal(path: number[]): void;
    rowOf(path: number[]): number;
    rows(first: number, count: number): (Step & { name: string; isInside: boolean })[];
  };
  at(path: number[]): { value: unknown };
}
interface Comparison {
  differences: { kind: string; text: string }[];
  run(): Iterable<void>;
  marksOf(rows: Step[]): (string | undefined)[];
}
interface Search {
  count: number;
  path(index: number): number[];
  run(): Iterable<void>;
}

const worker = (file: string) => import(pathToFileURL(join(ROOT, "examples/electron-save-inspector/worker", file)).href);

const { OpenSave } = (await worker("open-save.js")) as { OpenSave: { read(name: string, bytes: Uint8Array): Promise<OpenSave> } };
const { Search } = (await worker("search.js")) as { Search: new (view: object, root: unknown, query: string, options: object) => Search };
const { Comparison } = (await worker("compare.js")) as { Comparison: new (mine: OpenSave, theirs: OpenSave) => Comparison };

const LEVELS = LONG_RUN ? 100_000 : 50_000;
const elephant = createElephantSync();

/** A save of structs inside each other; `inner` is the innermost. */
function nestedBytes(inner: object): Uint8Array {
  let value = inner;
  for (let i = 1; i < LEVELS; i++) value = { next: value };
  return elephant.write(value);
}

function nested(inner: object): Promise<OpenSave> {
  return OpenSave.read("deep.dat", nestedBytes(inner));
}

/** The path that leads down the first members. */
const down = (depth: number): number[] => Array.from({ length: depth }, () => 0);

describe("a deep save", { timeout: 30_000 }, () => {
  test("is searched with a found place in each level", async () => {
    const { view, root } = await nested({ last: 1 });
    const search = new Search(view, root, "next", {});
    for (const _ of search.run());
    expect(search.count).toBe(LEVELS - 1);
    for (const depth of [1, 2, LEVELS - 1]) expect(search.path(depth - 1)).toEqual(down(depth));
  });

  test("is opened down to its innermost value", async () => {
    const save = await nested({ last: 7 });
    const path = down(LEVELS);
    save.rows.reveal(path);
    expect([save.rows.total, save.rows.rowOf(path)]).toEqual([LEVELS + 1, LEVELS]);
    const rows = save.rows.rows(LEVELS - 2, 10);
    expect(rows.map(({ name }) => name)).toEqual(["next", "next", "last"]);
    expect(rows.map(({ keep, rest }) => [keep, rest.length])).toEqual([
      [0, LEVELS - 2],
      [LEVELS - 2, 1],
      [LEVELS - 1, 1],
    ]);
    expect(save.at(path).value).toBe(7);
  });

  test("is compared with another one: what has changed inside of it is marked all the way, and its path shown by both ends", async () => {
    const [mine, theirs] = await Promise.all([nested({ last: 1, same: 0 }), nested({ last: 2, same: 0 })]);
    const comparison = new Comparison(mine, theirs);
    for (const _ of comparison.run());
    expect(comparison.differences).toMatchObject([{ kind: "changed" }]);
    const [{ text }] = comparison.differences;
    expect(text).toMatch(/^(\.next)+ … (\.next)+\.last$/);
    expect(text.length).toBeLessThan(1100);
    mine.rows.reveal(down(LEVELS));
    const marks = (first: number) => comparison.marksOf(mine.rows.rows(first, 4));
    expect(marks(0)).toEqual(["inside", "inside", "inside", "inside"]);
    expect(marks(LEVELS - 2)).toEqual(["inside", "inside", "changed", undefined]);
  });
});

describe.skipIf(!CHROMIUM)("the page of a deep save", { timeout: 60_000 }, () => {
  const browser = useBrowser();
  const site = useInspector();
  let inspector: InspectorPage;

  beforeAll(async () => {
    inspector = await InspectorPage.open(browser(), site.url);
  }, 30_000);
  afterEach(() => expect(inspector.complaints).toEqual([]));

  test("leads to its innermost value, which is edited, compared and marked", async () => {
    const rows = (LEVELS + 1).toLocaleString("en-US");
    const given = { name: "deep.dat", bytes: nestedBytes({ last: "needle" }) };
    await inspector.openFile(given);
    await inspector.page.fill("#query", "needle");
    await inspector.selects("last");
    await expect.poll(() => inspector.text("#status-rows")).toBe(`row ${rows} of ${rows}`);
    await expect.poll(() => inspector.text("#details .path")).toMatch(/\.last$/);
    expect((await inspector.text("#details .path")).length).toBeLessThan(21_000);
    expect(await inspector.page.locator("#crumbs button").allInnerTexts()).toEqual(["deep.dat", ...Array(6).fill("next"), "last"]);
    await inspector.edit("last", "pin");
    await expect.poll(() => inspector.text("#file-state")).toBe("1 edit, not saved");
    await expect.poll(() => inspector.page.locator(".row.edited .name").allInnerTexts()).toEqual(["last"]);
    await inspector.drop(given, "right");
    await expect.poll(() => inspector.page.locator(".change").allInnerTexts()).toHaveLength(1);
    await inspector.page.locator("#tree").focus();
    await inspector.press("Home");
    await inspector.selects("deep.dat");
    expect(await inspector.page.locator("#row-0").getAttribute("data-mark")).toBe("inside");
    await inspector.press("F8");
    await inspector.selects("last");
    await inspector.press("ArrowLeft");
    await expect.poll(() => inspector.text("#status-rows")).toBe(`row ${LEVELS.toLocaleString("en-US")} of ${rows}`);
    await inspector.press("ArrowLeft");
    await expect
      .poll(() => inspector.text("#status-rows"))
      .toBe(`row ${LEVELS.toLocaleString("en-US")} of ${LEVELS.toLocaleString("en-US")}`);
    await inspector.press("Control+z");
    await expect.poll(() => inspector.page.locator(".since").innerText()).toContain("deep.dat");
    await expect.poll(() => inspector.page.locator("#changes").innerText()).toContain("No value differs.");
  });
});
