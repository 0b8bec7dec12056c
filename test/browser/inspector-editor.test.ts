// The field in which a value is edited: what it keeps, where it stands, what happens to it.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createElephantSync, SCHEMA, Scalar } from "../../src/elephant/index.ts";
import { readEnigma, writeEnigma } from "../../src/enigma/index.ts";
import { CHROMIUM, useBrowser } from "./chromium.ts";
import { type InspectorPage, useInspector, useInspectorPage } from "./inspector-page.ts";
import { save, world } from "./inspector-saves.ts";

const elephant = createElephantSync({ unknownConstructor: "generic" });

describe.skipIf(!CHROMIUM)("the editor", { timeout: 30_000 }, () => {
  const browser = useBrowser();
  const site = useInspector();
  let inspector: InspectorPage;

  /** Begins to edit a value in sight; the field. */
  async function begin(name: string) {
    await inspector.row(name).locator(".value").dblclick();
    const field = inspector.page.locator(".editor textarea");
    await field.waitFor();
    return field;
  }

  /** What the row of a value shows. */
  function value(name: string): Promise<string> {
    return inspector.row(name).locator(".value").innerText();
  }

  /** Edits a value, which is refused. */
  async function refuses(name: string, text: string, reason: string): Promise<void> {
    await inspector.edit(name, text);
    await expect.poll(() => inspector.text(".editor.wrong .hint")).toBe(reason);
    await inspector.press("Escape");
  }

  /** Does the browser ask before the page is left? */
  async function asksOnLeaving(): Promise<boolean> {
    return inspector.page.evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true })));
  }

  useInspectorPage(browser, site, (opened) => {
    inspector = opened;
  });

  test.each([
    ["_i", "a whole number of any length", "a whole number of 64 bits"],
    ["_f", "a float of 64 bits", "a number: 12, -0.5, 1e6, nan"],
    ["_e", "a member by its name, or a number without one", "the name of a member, or # and a number"],
    ["_a", "an asset by its name, or noone", "the name of an asset, or noone"],
  ])("says what is held and taken by a value of introspection text: %s", async (name, meaning, hint) => {
    const values = ["_i : int = 1", "_f : float = 1.50000", "_e : enum = Red", "_a : asset = sprite sHero"];
    const lines = ["oHero = 100001", "{", ...values.map((value) => `\t${value}`), "}", ""];
    await inspector.openFile({ name: "hero.txt", bytes: Buffer.from(lines.join("\n")) });
    await inspector.press("*");
    await inspector.row(name).locator(".type").click();
    await inspector.selects(name);
    await expect.poll(() => inspector.text("#details dd small")).toBe(meaning);
    await inspector.press("F2");
    await expect.poll(() => inspector.text("#editor-hint")).toBe(hint);
    await inspector.press("Escape");
  });

  test("counts as a change while something is typed in it", async () => {
    await inspector.openFile(save("slot1.dat", world()));
    const field = await begin("gold");
    expect(await asksOnLeaving()).toBe(false);
    await field.fill("12");
    expect(await asksOnLeaving()).toBe(true);
    await field.fill("1250");
    expect(await asksOnLeaving()).toBe(false);
    await field.fill("12");
    await inspector.press("Escape");
    expect(await asksOnLeaving()).toBe(false);
    await begin("gold").then((again) => again.fill("13"));
    // The same task in which the field is left: the worker has not answered.
    const asked = await inspector.page.evaluate(() => {
      document.getElementById("tree")!.focus();
      return !dispatchEvent(new Event("beforeunload", { cancelable: true }));
    });
    expect(asked).toBe(true);
    await expect.poll(() => inspector.text("#file-state")).toBe("1 edit, not saved");
    expect(await asksOnLeaving()).toBe(true);
  });

  test("shows what is kept of a number in fewer bits, and refuses one that has no place in them", async () => {
    await inspector.openFile(save("floats.dat", { half: Scalar("f16", 1), single: Scalar("f32", 1) }));
    await inspector.edit("half", "0.1");
    await expect.poll(() => value("half")).toBe("0.0999755859375");
    await inspector.edit("single", "0.1");
    await expect.poll(() => value("single")).toBe("0.10000000149011612");
    for (const [name, text, type] of [
      ["half", "70000", "f16"],
      ["single", "1e39", "f32"],
    ])
      await refuses(name, text, `${text} is more than an ${type} holds`);
    await inspector.edit("half", "-Infinity");
    await expect.poll(() => value("half")).toBe("-Infinity");
  });

  test("keeps a field to the datatype that its schema gives it", async () => {
    const schema = { v1: { hp: "u8", level: "s16", gold: "u32", speed: "f32", size: "f16", time: "f64" } } as const;
    class Hero {
      static [SCHEMA] = schema;
      hp = 80;
      level = -1;
      gold = 1;
      speed = 1;
      size = 1;
      time = 0.1;
    }
    const codec = createElephantSync({ constructors: { Hero } });
    const bytes = codec.write({ hero: new Hero() });
    await inspector.drop({ name: "hero.dat", bytes });
    await inspector.page.locator("body[data-screen=error]").waitFor();
    await inspector.chooseSchemas("schemas.json", { Hero: schema });
    await inspector.shows("hero.dat");
    await inspector.press("*");
    for (const [name, text, reason] of [
      ["hp", "300", "a whole number from 0 to 255 is expected"],
      ["level", "70000", "a whole number from -32768 to 32767 is expected"],
      ["gold", "-1", "a whole number from 0 to 4294967295 is expected"],
      ["speed", "1e39", "1e39 is more than an f32 holds"],
    ])
      await refuses(name, text, reason);
    expect(await inspector.text("#file-state")).toBe("no changes");
    const kept = { hp: 255, level: -2, gold: 4_294_967_295, speed: Math.fround(0.1), size: 0.0999755859375, time: 0.3 };
    const typed = { ...kept, speed: 0.1, size: 0.1 };
    for (const name of Object.keys(kept) as (keyof typeof kept)[]) {
      await inspector.edit(name, String(typed[name]));
      await expect.poll(() => value(name)).toBe(String(kept[name]));
    }
    expect(codec.read(await inspector.save())).toEqual({ hero: Object.assign(new Hero(), kept) });
  });

  test("shows what the file holds of a number, where the format stores it in fewer bits or with fewer digits", async () => {
    await inspector.openFile({ name: "player.txt", bytes: Buffer.from("oPlayer = 100001\n{\n\t_speed : float = 1.5\n}\n") });
    await inspector.press("*");
    await inspector.edit("_speed", "1.500001");
    await inspector.page.locator(".editor").waitFor({ state: "detached" });
    expect(await inspector.text("#file-state")).toBe("no changes");
    await inspector.edit("_speed", "1.23456789");
    await expect.poll(() => value("_speed")).toBe("1.23457");
    for (const [file, name, text, shown] of [
      ["bin-many-12-defaults.bin", "image_speed", "0.1", "0.10000000149011612"],
      ["json-many-12-defaults.json.bin", "xstart", "1.23456789012345", "1.234568"],
    ]) {
      await inspector.openFile({ name: file, bytes: readFileSync(new URL(`../vectors/enigma/${file}`, import.meta.url)) });
      await inspector.page.fill("#query", name);
      await inspector.selects(name);
      await inspector.press("Escape");
      await inspector.edit(name, text);
      await expect.poll(() => value(name)).toBe(shown);
    }
  });

  test("takes a line break into a text by Shift and Enter, and into nothing else; the pen opens it", async () => {
    await inspector.openFile(save("lines.dat", { text: "a", gold: 1 }));
    const openByPen = async (name: string) => {
      await inspector.row(name).hover();
      await inspector.row(name).locator(".pen").click();
      await inspector.page.locator(".editor textarea").waitFor();
    };
    await openByPen("text");
    await inspector.press("End", "Shift+Enter", "b", "Enter");
    await expect.poll(() => value("text")).toBe('"a\\nb"');
    await openByPen("gold");
    await inspector.page.keyboard.insertText("1\n2");
    await inspector.press("Shift+Enter");
    await expect.poll(() => value("gold")).toBe("12");
  });

  test("takes whole numbers and reals in hexadecimal digits, too", async () => {
    await inspector.openFile(save("hex.dat", { real: 1, byte: Scalar("s8", 1) }));
    for (const [name, text, kept] of [
      ["real", "0x1F", "31"],
      ["real", "-0x1f", "-31"],
      ["real", "+0x10", "16"],
      ["byte", "-0x80", "-128"],
    ]) {
      await inspector.edit(name, text);
      await expect.poll(() => value(name)).toBe(kept);
    }
  });

  test("refuses a long text that is no number, or one of too many digits, at once and in the room that it has", async () => {
    await inspector.openFile(save("floats.dat", { real: 1 }));
    const digits = "9".repeat(100_000);
    await refuses("real", `${digits}x`, "a number is expected, for example 12, -0.5 or 1e6");
    await inspector.row("real").locator(".value").dblclick();
    await inspector.page.locator(".editor textarea").fill(digits);
    await inspector.press("Enter");
    await expect.poll(() => inspector.text(".editor.wrong .hint")).toBe(`${"9".repeat(240)}… is more than a real holds`);
    const [editor, hint] = await Promise.all([".editor", ".hint"].map((part) => inspector.page.locator(part).boundingBox()));
    expect(hint!.x + hint!.width).toBeLessThanOrEqual(editor!.x + editor!.width);
    expect(editor!.x + editor!.width).toBeLessThanOrEqual((await inspector.page.locator("#tree").boundingBox())!.width);
    await inspector.press("Escape");
  });

  test("makes Infinity of its name alone", async () => {
    await inspector.openFile(save("floats.dat", { real: 1, single: Scalar("f32", 1) }));
    for (const [name, text, reason] of [
      ["real", "1e400", "1e400 is more than a real holds"],
      ["real", "-1e400", "-1e400 is more than a real holds"],
      ["single", "1e400", "1e400 is more than an f32 holds"],
    ])
      await refuses(name, text, reason);
    await inspector.edit("real", "infinity");
    await expect.poll(() => value("real")).toBe("Infinity");
  });

  test("changes nothing where another text means the value that is there", async () => {
    const file = save("same.dat", {
      real: 1,
      minus: -0,
      whole: 1n,
      byte: Scalar("u8", 1),
      single: Scalar("f32", 0.1),
      yes: true,
      nan: Number.NaN,
    });
    await inspector.openFile(file);
    for (const [name, text] of [
      ["real", " 1"],
      ["real", "1.0"],
      ["minus", "-0.0"],
      ["whole", "0x1"],
      ["byte", "+1"],
      ["single", "0.1"],
      ["yes", "1"],
      ["nan", "nan"],
    ]) {
      await inspector.edit(name, text);
      await inspector.page.locator(".editor").waitFor({ state: "detached" });
      expect(await inspector.text("#file-state"), `${name} ${text}`).toBe("no changes");
    }
    await inspector.edit("minus", "0");
    await expect.poll(() => inspector.text("#file-state")).toBe("1 edit, not saved");
    await inspector.openFile({ name: "player.txt", bytes: Buffer.from("oPlayer = 100001\n{\n\t_speed : float = 1.5\n}\n") });
    await inspector.press("*");
    await inspector.edit("_speed", "1.50");
    await inspector.page.locator(".editor").waitFor({ state: "detached" });
    expect(await inspector.text("#file-state")).toBe("no changes");
  });

  test("is not offered where there is nothing to edit, and Enter says why", async () => {
    await inspector.openFile(save("fixed.dat", { none: undefined, long: "x".repeat(1_000_001), short: "x" }));
    for (const [name, reason] of [
      ["none", "there is no value to edit here"],
      ["long", "this text is too long to be edited here"],
    ]) {
      await inspector.row(name).click();
      await expect.poll(() => inspector.text("#details .path")).toBe(`.${name}`);
      expect(await inspector.row(name).locator(".pen").isVisible()).toBe(false);
      expect(await inspector.page.locator("#details button").count()).toBe(0);
      expect((await inspector.text("#details .quiet")).toLowerCase()).toBe(`${reason}.`);
      await inspector.press("Enter");
      await expect.poll(() => inspector.text("#toast")).toBe(reason);
      expect(await inspector.page.locator(".editor").count()).toBe(0);
    }
    await inspector.row("short").click();
    expect(await inspector.row("short").locator(".pen").isVisible()).toBe(true);
  });

  test("tells if the save will differ in more than the edit", async () => {
    const { name, bytes } = save("odd.dat", { gold: 1, name: "XX" });
    bytes.set(
      [0xff, 0xfe],
      bytes.findIndex((byte, at) => byte === 0x58 && bytes[at + 1] === 0x58),
    );
    await inspector.openFile({ name, bytes });
    const more = inspector.page.locator("#status-more");
    expect(await more.isVisible()).toBe(false);
    await inspector.edit("gold", "2");
    await expect.poll(() => inspector.text("#toast")).toContain("the save will differ in more than the edit");
    expect(await more.innerText()).toBe("changes more than the edit");
    await inspector.press("Control+z");
    await more.waitFor({ state: "hidden" });
  });

  test("has its button in sight however long the path is", async () => {
    let deep: unknown = { leaf: 42 };
    for (let i = 0; i < 60; i++) deep = { [`a long name of level ${i}`]: deep };
    await inspector.openFile(save("deep.dat", deep));
    await inspector.page.setViewportSize({ width: 600, height: 620 });
    await inspector.page.fill("#query", "leaf");
    await inspector.selects("leaf");
    await expect.poll(() => inspector.text("#details .path")).toContain("leaf");
    for (const part of [".whole", "button"]) {
      const { y, height } = (await inspector.page.locator(`#details ${part}`).boundingBox())!;
      expect(y + height, part).toBeLessThan(620);
    }
    await inspector.page.setViewportSize({ width: 1180, height: 720 });
  });

  test("stays open when Enter chooses a character of an input method", async () => {
    await inspector.openFile(save("slot1.dat", world()));
    const field = await begin("title");
    await field.dispatchEvent("keydown", { key: "Enter", isComposing: true });
    expect(await inspector.page.locator(".editor").count()).toBe(1);
    await inspector.press("Escape");
  });

  test.each([1180, 860, 590, 400])(
    "covers its value at a width of %i px, and can be seen as a whole in the last row, too",
    async (width) => {
      await inspector.page.setViewportSize({ width, height: 500 });
      const letter = Array.from({ length: 30 }, (_, i) => `line ${i}`).join("\n");
      const names = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`name ${i}`, i]));
      await inspector.openFile(save("letters.dat", { ...names, count: 1, letter }));
      await inspector.press("End");
      const boxOf = async (selector: string) => (await inspector.page.locator(selector).boundingBox())!;
      const tree = await boxOf("#tree");
      for (const [name, typed] of [
        ["letter", undefined],
        ["count", "many"],
      ] as const) {
        const value = (await inspector.row(name).locator(".values").boundingBox())!;
        const field = await begin(name);
        if (typed) {
          await field.fill(typed);
          await inspector.press("Enter");
          await inspector.page.locator(".editor.wrong").waitFor();
        }
        const editor = await boxOf(".editor");
        expect(Math.abs(editor.x - value.x)).toBeLessThan(4);
        expect(editor.y).toBeGreaterThanOrEqual(tree.y);
        expect(editor.y + editor.height).toBeLessThanOrEqual(tree.y + tree.height);
        await inspector.press("Escape");
      }
      await inspector.page.setViewportSize({ width: 1180, height: 720 });
    },
  );

  test("of a variable of an ENIGMA game goes by its value, not by the engine's field of the same name", async () => {
    const state = readEnigma(readFileSync(new URL("../vectors/enigma/bin-vmap-one.bin", import.meta.url)));
    state.active[0].vmap = [
      ["id", "first"],
      ["width", 1.5],
    ];
    await inspector.openFile({ name: "vmap.bin", bytes: writeEnigma(state) });
    await inspector.page.fill("#query", "width");
    await inspector.selects("width");
    await inspector.press("Escape");
    await inspector.edit("width", "2.5");
    await expect.poll(() => inspector.text("#file-state")).toBe("1 edit, not saved");
    expect(readEnigma(await inspector.save()).active[0].vmap).toEqual([
      ["id", "first"],
      ["width", 2.5],
    ]);
  });

  describe("line ends, of which a field knows one kind", () => {
    const texts = { crlf: "one\r\ntwo\r\n", cr: "one\rtwo", mixed: "a\r\nb\nc\rd" };

    test("stay as they are where nothing is typed", async () => {
      const file = save("lines.dat", texts);
      await inspector.openFile(file);
      for (const name of Object.keys(texts)) {
        await begin(name);
        await inspector.press("Enter");
        await inspector.page.locator(".editor").waitFor({ state: "detached" });
        await begin(name);
        await inspector.row("lines.dat").click();
        await inspector.selects("lines.dat");
      }
      expect(await inspector.page.locator("#do-undo").isDisabled()).toBe(true);
      expect(await inspector.save()).toEqual(Buffer.from(file.bytes));
    });

    test.each([
      ["crlf", "one\ntwo\nthree\n", "one\r\ntwo\r\nthree\r\n"],
      ["cr", "one\n2", "one\r2"],
      ["mixed", "a\nb\nnew\nc\nd", "a\r\nb\nnew\r\nc\rd"],
      ["mixed", "a\nd", "a\r\nd"],
    ] as const)("of %s are kept when %j is typed", async (name, typed, kept) => {
      await inspector.openFile(save("lines.dat", texts));
      await inspector.edit(name, typed);
      await expect.poll(() => inspector.text("#file-state")).toBe("1 edit, not saved");
      expect(elephant.read<typeof texts>(await inspector.save())[name]).toBe(kept);
    });
  });
});
