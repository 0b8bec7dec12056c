// The browser of the tests and the screenshots. The package brings none: $CHROMIUM, one that is installed in a usual place, or Playwright's.
//   node scripts/chromium.mjs             prints its path, or "none"
//   node scripts/chromium.mjs --install   installs one first where there is none; what fails is said, and never an error
// $CHROMIUM=none does without one.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { isProgram } from "./is-program.mjs";

/** Chromium without its window first: the same engine, as Electron embeds it, and it starts and opens pages in less than half the time. */
const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const FIXED = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/** An installation that takes longer than this is given up. */
const LONGEST_INSTALL = 300_000;
const LONGEST_START = 30_000;

/** For a machine without a display, and with nothing that reaches for the network. */
export const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Is it there, and does it start? One without its libraries is as good as none, and so is a system's note that it has to be installed. */
function starts(path) {
  if (!existsSync(path)) return false;
  // There it would open a window.
  if (process.platform === "win32") return true;
  return spawnSync(path, ["--version"], { stdio: "ignore", timeout: LONGEST_START }).status === 0;
}

/** The first of these paths whose program starts. */
export const firstThatStarts = (paths) => paths.find(starts);

/** Its path, undefined when there is none. One that is given is taken as it is: what is wrong with it should be seen. */
export function findChromium() {
  const given = process.env.CHROMIUM;
  if (given) return given === "none" ? undefined : given;
  const folders = ["/usr/bin", ...(process.env.PATH ?? "").split(delimiter)];
  const usual = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return firstThatStarts([...new Set([...usual, ...FIXED, chromium.executablePath()])]);
}

/** What a command prints goes to the standard error: the standard output is the path's. True when it went well. */
function runs(command, ...args) {
  console.error(`$ ${[command, ...args].join(" ")}`);
  const { status, error } = spawnSync(command, args, {
    stdio: ["ignore", 2, 2],
    timeout: LONGEST_INSTALL,
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  if (error) console.error(error.message);
  return status === 0;
}

/** The system's package brings the libraries that it needs; Playwright's download does not, so that one comes second. */
function install() {
  if (process.platform === "linux" && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    runs("apt-get", "update");
    for (const name of ["chromium-headless-shell", "chromium"])
      if (runs("apt-get", "install", "-y", "--no-install-recommends", name) && findChromium()) return;
  }
  const cli = fileURLToPath(new URL("../node_modules/playwright-core/cli.js", import.meta.url));
  runs(process.execPath, cli, "install", "--no-shell", "chromium");
}

if (isProgram(import.meta.url)) {
  const given = process.env.CHROMIUM;
  let path = findChromium();
  if (!given && !path && process.argv.includes("--install")) {
    install();
    path = findChromium();
  }
  console.log((given && path ? firstThatStarts([path]) : path) ?? "none");
}
