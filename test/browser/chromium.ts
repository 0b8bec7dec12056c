// The browser that the tests run in; without one they are skipped.
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, vi } from "vitest";

const { ARGUMENTS: FLAGS, findChromium } = (await import(new URL("../../scripts/chromium.mjs", import.meta.url).href)) as {
  ARGUMENTS: string[];
  findChromium(): string | undefined;
};

export const CHROMIUM = findChromium();
export const ARGUMENTS = FLAGS;

if (!CHROMIUM)
  console.log("no Chromium was found: the tests in it are skipped. `node scripts/chromium.mjs --install` gets one, $CHROMIUM names one");

/** The browser of a process, in which one file of tests may follow another: it takes a second to start. */
let shared: Promise<Browser> | undefined;

async function launch(): Promise<Browser> {
  // The runner ends its processes by this signal; at their exit Playwright ends the browser and removes its profile.
  process.once("SIGTERM", () => process.exit());
  return chromium.launch({ executablePath: CHROMIUM!, args: [...ARGUMENTS], handleSIGTERM: false });
}

/** A browser for the tests of a file, whose pages are closed behind them; `browser()` inside of tests. */
export function useBrowser(): () => Browser {
  // A browser beside other work takes its time; the default is a second. The runner forgets what one file has set before the next one.
  vi.setConfig({ expect: { poll: { timeout: 15_000, interval: 20 } } });
  let running: Browser;
  beforeAll(async () => {
    if (!(await shared)?.isConnected()) shared = launch();
    running = await shared!;
  }, 60_000);
  afterAll(async () => {
    await Promise.all(running?.contexts().map((context) => context.close()) ?? []);
  });
  return () => running;
}
