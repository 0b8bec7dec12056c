// How rows are shown: where there is little room, in other modes of the system, and to those who do not see them.
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
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
  beforeEach(() => inspector.again());
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

  test("have one line each, whatever a name holds", async () => {
    await inspector.openFile(save("lines.dat", { "a\nb\tc\u2028d": { "in\r\nner": 1 } }));
    expect((await inspector.rows())[1].name).toBe("a\\nb\\tc\\u2028d");
    await inspector.press("ArrowDown");
    await expect.poll(() => inspector.page.locator(".row.selected .preview").textContent()).toBe("in\\r\\nner: 1");
    await expect.poll(() => inspector.page.locator("#crumbs button").last().textContent()).toBe("a\\nb\\tc\\u2028d");
  });
});
