// The pictures of docs/electron.md, taken in a real browser: `node examples/electron-save-inspector/screenshots.mjs`.
import { mkdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { createElephant, Scalar, StructInstance } from "tusk-codec";
import { ARGUMENTS, findChromium } from "../../scripts/chromium.mjs";
import { largeSave } from "./large-save.mjs";
import { serveInspector } from "./serve.mjs";

const FOLDER = fileURLToPath(new URL("../../docs/images/", import.meta.url));
const VIEWPORT = { width: 1080, height: 620 };
const LARGE = 50_000_000;

const elephant = await createElephant();

const item = (name, count, weight) => new StructInstance("Item", { name, count, weight });

/** A save of a small game. */
function world() {
  const hero = (name, level, bag) =>
    new StructInstance("Hero", {
      name,
      level: Scalar("s32", level),
      hp: 40 + level * 6,
      position: { x: level * 64.5, y: 128 },
      bag,
      poisoned: level === 5,
    });
  const ada = hero("Ada", 7, [item("Lantern", 1, 0.5), item("Rope", 2, 1.25), item("Iron key", 3, 0.1)]);
  const bo = hero("Bo", 5, [item("Flint", 4, 0.2), item("Map of the coast", 1, 0.1)]);
  ada.friend = bo;
  bo.friend = ada;
  return {
    slot: 1,
    title: "The lighthouse keeper",
    playtime: 5_431_250_000n,
    gold: 1250,
    party: [ada, bo],
    quests: [
      { id: "letter", done: true, steps: ["find the letter", "bring it to the mill"] },
      { id: "light", done: false, steps: ["repair the lamp", "light it before dusk"] },
    ],
    options: { music: 0.8, sound: 1, language: "en", subtitles: true },
    seed: Scalar("u32", 3_735_928_559),
  };
}

/** The same game an hour before. */
function before() {
  const old = world();
  const [ada, bo] = old.party;
  Object.assign(old, { gold: 980, playtime: 1_831_250_000n, rumour: "a light where none should be" });
  Object.assign(ada, { hp: 64, level: Scalar("s32", 6) });
  ada.bag.pop();
  bo.poisoned = false;
  old.quests[0].done = false;
  return old;
}

const executablePath = findChromium();
if (!executablePath) {
  console.log("no Chromium was found: node scripts/chromium.mjs --install");
  process.exit(1);
}
mkdirSync(FOLDER, { recursive: true });
const { server, url } = await serveInspector(0, join(tmpdir(), "tusk-screenshots"));
const browser = await chromium.launch({ executablePath, args: ARGUMENTS });

/** Opens a page, lets `act` do something in it, and takes its picture. */
async function picture(name, colorScheme, act) {
  const page = await browser.newPage({ viewport: VIEWPORT, colorScheme });
  await page.goto(url);
  await page.locator("#do-example").waitFor();
  await act(page);
  await page.waitForTimeout(400);
  const path = join(FOLDER, `${name}.png`);
  await page.screenshot({ path });
  await page.close();
  console.log(`docs/images/${name}.png  ${(statSync(path).size / 1000).toFixed(0)} kB`);
}

async function choose(page, button, name, bytes) {
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.click(button)]);
  await chooser.setFiles({ name, mimeType: "application/octet-stream", buffer: Buffer.from(bytes) });
  // No tip of a button in the picture.
  await page.mouse.move(VIEWPORT.width / 2, VIEWPORT.height - 5);
}

async function open(page, name, bytes) {
  await choose(page, "#do-open", name, bytes);
  await page.locator("body[data-screen=tree] .row.selected", { hasText: name }).waitFor();
}

const press = async (page, ...keys) => {
  for (const key of keys) {
    await page.keyboard.press(key);
    await page.waitForTimeout(60);
  }
};

try {
  await picture("inspector-tree", "light", async (page) => {
    await open(page, "slot1.dat", elephant.write(world()));
    await page.keyboard.type("party");
    await press(page, "ArrowRight", "ArrowRight", "*", "ArrowDown", "ArrowDown", "ArrowDown", "Enter");
    await page.keyboard.type("99");
  });
  await picture("inspector-compare", "dark", async (page) => {
    await open(page, "slot1.dat", elephant.write(world()));
    await choose(page, "#do-compare", "slot1.dat.bak1", elephant.write(before()));
    await page.locator(".change").first().waitFor();
    await press(page, "End", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp");
  });
  await picture("inspector-search", "light", async (page) => {
    await open(page, "world.dat", largeSave(LARGE));
    await press(page, "Control+f");
    await page.keyboard.type("knight");
    // It begins a moment after the last letter.
    await page.locator("#hits:not(:empty)").waitFor();
    await page.locator("#search-progress").waitFor({ state: "hidden" });
    await page.waitForTimeout(300);
    await press(page, "Enter", "Enter");
  });
  await picture("inspector-error", "dark", async (page) => {
    const bytes = elephant.write(world());
    await choose(page, "#do-open", "slot2.dat", bytes.subarray(0, 300));
    await page.locator("body[data-screen=error]").waitFor();
  });
} finally {
  await browser.close();
  server.close();
  server.closeAllConnections();
}
