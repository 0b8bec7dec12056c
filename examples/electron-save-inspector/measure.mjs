// How long the window is blocked while a large save is opened, scrolled, searched, compared, edited and saved:
//   node examples/electron-save-inspector/measure.mjs [megabytes]
// "Longest gap" is the longest time between two frames of the page; a screen shows one every 16.7 ms. "Long tasks" are those above 50 ms.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { ARGUMENTS, findChromium } from "../../scripts/chromium.mjs";
import { largeSave } from "./large-save.mjs";
import { serveInspector } from "./serve.mjs";

const MEGABYTES = Number(process.argv[2] ?? 50);
const LONGEST = 120_000;

const WATCH = `
  globalThis.longTasks = [];
  new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: "longtask" });
  globalThis.longestGap = 0;
  let last = performance.now();
  requestAnimationFrame(function frame(now) {
    longestGap = Math.max(longestGap, now - last);
    last = now;
    requestAnimationFrame(frame);
  });
`;

const executablePath = findChromium();
if (!executablePath) {
  console.log("no Chromium was found: node scripts/chromium.mjs --install");
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), "tusk-measure-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, "save.dat");
writeFileSync(file, largeSave(MEGABYTES * 1e6));
const { server, url } = await serveInspector(0, join(folder, "page"));
const browser = await chromium.launch({ executablePath, args: ARGUMENTS });
const page = await browser.newPage({ viewport: { width: 1180, height: 720 } });
await page.addInitScript(WATCH);
await page.goto(url);
await page.locator("#do-example").waitFor();
await page.waitForTimeout(500);

/** Waits until the text of an element looks like `pattern`. */
async function says(selector, pattern) {
  const end = Date.now() + LONGEST;
  while (!pattern.test(await page.locator(selector).innerText())) {
    if (Date.now() > end) throw new Error(`${selector} does not say ${pattern}`);
    await page.waitForTimeout(20);
  }
}

async function give(button) {
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.click(button)]);
  await chooser.setFiles(file);
}

async function measure(title, action) {
  await page.evaluate("longTasks.length = longestGap = 0");
  const start = performance.now();
  await action();
  const seconds = ((performance.now() - start) / 1000).toFixed(2);
  await page.waitForTimeout(60);
  const [gap, tasks] = await page.evaluate("[Math.round(longestGap), longTasks.length]");
  console.log(`${title.padEnd(28)} ${seconds.padStart(6)} s   longest gap ${String(gap).padStart(4)} ms   long tasks ${tasks}`);
}

const press = async (...keys) => {
  for (const key of keys) await page.keyboard.press(key);
};

try {
  console.log(`${browser.version()}, a save of ${MEGABYTES} MB`);
  await measure("open", async () => {
    await give("#do-open");
    await page.locator("body[data-screen=tree] .row.selected").waitFor();
  });
  await measure("open every region", async () => {
    await press("End", "*");
    await says("#status-rows", /of \d{2,3},\d{3}/);
  });
  await measure("scroll to the end", async () => {
    for (let step = 1; step <= 60; step++)
      await page.evaluate(
        (share) =>
          new Promise((resolve) => {
            const tree = document.querySelector("#tree");
            tree.scrollTop = share * tree.scrollHeight;
            requestAnimationFrame(resolve);
          }),
        step / 60,
      );
  });
  await measure("search all of it", async () => {
    await press("Control+f");
    await page.keyboard.type("knight");
    await says("#hits", /of \d/);
    await page.locator("#search-progress").waitFor({ state: "hidden", timeout: LONGEST });
  });
  await measure("compare it with itself", async () => {
    await give("#do-compare");
    await page.locator(".same").waitFor({ timeout: LONGEST });
  });
  await page.click("[aria-label='End the comparison']");
  await measure("edit and undo", async () => {
    await press("Home", "ArrowDown", "Enter");
    await page.locator(".editor").waitFor();
    await page.keyboard.type("8");
    await press("Enter");
    await says("#file-state", /1 edit/);
    await press("Control+z");
    await says("#file-state", /no changes/);
    await press("Control+y");
    await says("#file-state", /1 edit/);
  });
  await measure("save it, edited", async () => {
    const [download] = await Promise.all([page.waitForEvent("download", { timeout: LONGEST }), press("Control+s")]);
    await download.path();
  });
} finally {
  await browser.close();
  server.close();
  server.closeAllConnections();
}
