// The browser of the system. The package brings none: $CHROMIUM, or one that is installed in a usual place. Without one the tests are skipped.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll } from "vitest";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const FIXED = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

function find(): string | undefined {
  const given = process.env.CHROMIUM;
  if (given) return given;
  const folders = ["/usr/bin", ...(process.env.PATH ?? "").split(delimiter)];
  return [...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))), ...FIXED].find((path) => existsSync(path));
}

export const CHROMIUM = find();

if (!CHROMIUM) console.log("no Chromium was found: the tests in it are skipped; install one or name it by $CHROMIUM");

/** For a machine without a display, and with nothing that reaches for the network. */
export const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Starts one browser for the tests of a file; `browser()` inside of tests. */
export function useBrowser(): () => Browser {
  let running: Browser;
  beforeAll(async () => {
    running = await chromium.launch({
      executablePath: CHROMIUM,
      args: [...ARGUMENTS],
    });
  }, 60_000);
  afterAll(async () => {
    await running?.close();
  });
  return () => running;
}
