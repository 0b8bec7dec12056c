// Whoever works with the keys never loses the place: the focus is always on something that is there.
import { describe, expect, test } from "vitest";
import { CHROMIUM, useBrowser } from "./chromium.ts";
import { type InspectorPage, useInspector, useInspectorPage } from "./inspector-page.ts";
import { save, world } from "./inspector-saves.ts";

describe.skipIf(!CHROMIUM)("the focus", { timeout: 30_000 }, () => {
  const browser = useBrowser();
  const site = useInspector();
  const given = save("slot1.dat", world());
  let inspector: InspectorPage;

  const focused = () =>
    inspector.page.evaluate(() => {
      const { id, className, tagName } = document.activeElement!;
      return id || className || tagName;
    });

  useInspectorPage(browser, site, (opened) => {
    inspector = opened;
  });

  test("stays where Tab has led when the edit behind it is done", async () => {
    await inspector.openFile(given);
    await inspector.row("gold").locator(".value").dblclick();
    await inspector.page.locator(".editor textarea").fill("7");
    await inspector.press("Tab");
    await expect.poll(() => inspector.text("#details .whole")).toBe("7");
    expect(await focused()).toBe("whole");
  });

  test("stays where it was led while Enter's edit was on its way", async () => {
    await inspector.openFile(given);
    await inspector.row("gold").locator(".value").dblclick();
    const field = inspector.page.locator(".editor textarea");
    await field.fill("7");
    await field.evaluate((textarea) => {
      textarea.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
      document.getElementById("do-compare")!.focus();
    });
    await expect.poll(() => inspector.text("#details .whole")).toBe("7");
    await field.waitFor({ state: "detached" });
    expect(await focused()).toBe("do-compare");
  });

  test("is at the tree again behind the list of keys that was opened from the editor", async () => {
    await inspector.openFile(given);
    await inspector.row("gold").locator(".value").dblclick();
    await inspector.page.locator(".editor textarea").fill("7");
    await inspector.press("F1");
    await inspector.page.locator("#shortcuts kbd").first().waitFor();
    await inspector.press("Escape");
    await inspector.page.locator("#shortcuts").waitFor({ state: "hidden" });
    await expect.poll(focused).toBe("tree");
    await inspector.press("ArrowDown");
    await inspector.press("ArrowUp");
    await inspector.selects("gold");
  });

  test("is not behind the list of keys when a file arrives", async () => {
    await inspector.openFile(given);
    await inspector.press("F1");
    await inspector.page.locator("#shortcuts kbd").first().waitFor();
    await inspector.drop({ ...given, name: "slot2.dat" });
    await inspector.page.locator("#shortcuts").waitFor({ state: "hidden" });
    await inspector.selects("slot2.dat");
    await expect.poll(focused).toBe("tree");
    // A value that is refused is not left for the list.
    await inspector.row("gold").locator(".value").dblclick();
    await inspector.page.locator(".editor textarea").fill("many");
    await inspector.press("F1");
    await inspector.page.locator(".editor.wrong").waitFor();
    expect(await inspector.page.locator("#shortcuts").isVisible()).toBe(false);
    await inspector.press("Escape", "F1");
    await inspector.page.locator("#shortcuts kbd").first().waitFor();
    await inspector.drop(given, "right");
    await inspector.page.locator("#shortcuts").waitFor({ state: "hidden" });
  });

  test("goes back to the tree from a button that is off now, a step of the path, and words", async () => {
    await inspector.openFile(given);
    await inspector.edit("gold", "7");
    await inspector.page.locator("#do-undo:enabled").focus();
    await inspector.press("Enter");
    await expect.poll(() => inspector.text("#file-state")).toBe("no changes");
    expect(await focused()).toBe("tree");
    await inspector.row("gold").click();
    await inspector.page.locator("#crumbs button").first().click();
    await inspector.selects("slot1.dat");
    await expect.poll(focused).toBe("tree");
    await inspector.page.locator("#details h2").click();
    expect(await focused()).toBe("tree");
    await inspector.press("ArrowDown");
    await inspector.selects("gold");
  });

  test("goes back from the button of an error that is told, to the tree and to the screen, whatever takes the button away", async () => {
    const damaged = { name: "damaged.dat", bytes: given.bytes.slice(0, 60) };
    const toast = inspector.page.locator("#toast");
    const dismiss = inspector.page.getByRole("button", { name: "Dismiss" });
    await inspector.openFile(given);
    for (const key of ["Escape", "F1", "Enter"]) {
      await inspector.drop(damaged, "right");
      await dismiss.focus();
      await inspector.press(key);
      await toast.waitFor({ state: "hidden" });
      if (key === "F1") await inspector.press("Escape");
      await inspector.page.locator("#shortcuts").waitFor({ state: "hidden" });
      expect(await focused(), key).toBe("tree");
    }
    await inspector.row("gold").locator(".value").dblclick();
    await inspector.page.locator(".editor textarea").fill("many");
    await inspector.drop(damaged);
    await inspector.page.locator("body[data-screen=error]").waitFor();
    await expect.poll(() => inspector.text("#toast")).toContain("gold is as it was");
    await dismiss.focus();
    // One Escape does one thing.
    await inspector.press("Escape");
    await toast.waitFor({ state: "hidden" });
    expect(await focused()).toBe("primary");
    expect(await inspector.page.locator("body").getAttribute("data-screen")).toBe("error");
    await inspector.press("Escape");
    await inspector.page.locator("body[data-screen=tree]").waitFor();
    expect(await focused()).toBe("tree");
  });

  test("is on the screen while a file is read, and on its first button when nothing could be", async () => {
    await inspector.again();
    await inspector.page.evaluate(() => {
      const seen: string[] = [];
      Object.assign(globalThis, { seen });
      addEventListener("focusin", () => seen.push(document.activeElement!.id));
    });
    await inspector.pick(given);
    await inspector.shows("slot1.dat");
    expect(await inspector.page.evaluate("seen")).toEqual(expect.arrayContaining(["screen", "tree"]));
    await inspector.again();
    await inspector.drop({ name: "nothing.dat", bytes: new Uint8Array() });
    await inspector.page.getByRole("button", { name: "Back" }).click();
    await inspector.page.locator("body[data-screen=empty]").waitFor();
    await expect.poll(focused).toBe("primary");
  });
});
