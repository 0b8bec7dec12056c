// What the inspector shows of files that cannot be read.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createElephantSync, SCHEMA } from "../../src/elephant/index.ts";
import { CHROMIUM, useBrowser } from "./chromium.ts";
import { type InspectorPage, useInspector, useInspectorPage } from "./inspector-page.ts";
import { save, world } from "./inspector-saves.ts";

const elephant = createElephantSync({ unknownConstructor: "generic" });
const vector = (path: string) => Uint8Array.from(readFileSync(new URL(`../vectors/${path}`, import.meta.url)));

describe.skipIf(!CHROMIUM)("files that the save inspector cannot read", { timeout: 30_000 }, () => {
  const browser = useBrowser();
  const site = useInspector();
  const given = save("slot1.dat", world());
  let inspector: InspectorPage;

  useInspectorPage(browser, site, (opened) => {
    inspector = opened;
  });

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

  test.each(["", "\n"])("the end of a text, behind its last line and %j", async (end) => {
    const name = `cut${end.length}.txt`;
    await inspector.drop({ name, bytes: Buffer.from(`oP = 100001\n{\n\t_i : int = 1${end}`) });
    await expect.poll(() => inspector.text(".error .which")).toBe(name);
    expect(await inspector.page.locator(".error .facts span").allInnerTexts()).toEqual(["unexpected-end", "in line 4"]);
    const shown = ["     1  oP = 100001", "     2  {", "     3  \t_i : int = 1", "     4  the file ends here"];
    expect(await inspector.page.locator(".bytes div").allTextContents()).toEqual(shown);
    expect(await inspector.page.locator(".bytes .wrong").allTextContents()).toEqual(shown.slice(3));
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
    // However long its name is, nothing is wider than the window.
    const overflow = () =>
      inspector.page.evaluate(() => {
        const screen = document.getElementById("screen")!;
        const parts = [...screen.querySelectorAll(".card, .card > *, .welcome > *, .recent button")];
        return parts.some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth) || screen.scrollWidth > screen.clientWidth;
      });
    await inspector.pick({ name: `${"long".repeat(60)}.jpg`, bytes: Uint8Array.of(0xff, 0xd8) });
    await expect.poll(() => inspector.text(".error .which")).toMatch(/^longlong/);
    expect(await overflow()).toBe(false);
    await inspector.press("Escape");
    await inspector.page.locator(".recent button").first().waitFor();
    expect(await overflow()).toBe(false);
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
    await expect.poll(() => inspector.text("#status-rows")).toBe(rows);
  });

  test("what may be the matter with it: changed, cut, or larger than what is read", async () => {
    const binary = vector("enigma/bin-array1d-dense.bin");
    const deep = Array.from({ length: 600 }, (_, i) => `${"\t".repeat(i + 1)}${i ? "a0" : "_a"} : array =\n${"\t".repeat(i + 1)}{\n`).join(
      "",
    );
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

  test("what is no save at all, or the first bytes of one", async () => {
    await inspector.again();
    await inspector.drop({ name: "first.dat", bytes: given.bytes.slice(0, 7) });
    await expect.poll(() => inspector.text(".error .which")).toBe("first.dat");
    expect(await inspector.text(".error .quiet")).toBe(
      "It is none of the formats that Tusk reads, or a save that was cut off in its first bytes.",
    );
    await inspector.drop({ name: "photo.jpg", bytes: Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 16) });
    await expect.poll(() => inspector.text(".error .which")).toBe("photo.jpg");
    expect(await inspector.text(".error .code")).toBe("unknown-format");
    for (const name of ["t", "this"]) {
      await inspector.drop({ name, bytes: Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 16) });
      await expect.poll(() => inspector.text(".error .which")).toBe(name);
      expect(await inspector.text(".error .reason")).toBe("This is no save that Tusk knows.");
    }
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
    await inspector.row("hp").locator(".type").click();
    await expect.poll(() => inspector.text("#details dl")).toMatch(/Type\s+u16\s+a whole number, 0 to 65,535/);
    expect(await inspector.row("hp").locator(".type").innerText()).toBe("u16");
    await inspector.press("F2");
    expect(await inspector.text("#editor-hint")).toBe("a whole number, 0 to 65,535");
    await inspector.press("Escape");
    await inspector.edit("hp", "90");
    await expect.poll(() => inspector.text("#file-state")).toBe("1 edit, not saved");
    const hero = new Hero();
    hero.hp = 90;
    expect(await inspector.save()).toEqual(Buffer.from(createElephantSync({ constructors: { Hero } }).write({ hero })));
  });
});
