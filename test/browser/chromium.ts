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

// A browser beside other work takes its time; the default is a second.
vi.setConfig({ expect: { poll: { timeout: 15_000, interval: 20 } } });

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
