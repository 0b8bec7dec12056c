// Where the tests find their browser, and that nothing fails where there is none.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../package/installed.ts";
import { CHROMIUM } from "./chromium.ts";

/** The path that the script prints, as .ci/run asks for it. */
function asked(given: string): string {
  const { stdout, status } = spawnSync(process.execPath, [join(ROOT, "scripts/chromium.mjs"), "--install"], {
    encoding: "utf8",
    env: { ...process.env, CHROMIUM: given },
  });
  expect(status).toBe(0);
  return stdout.trim();
}

test("the browser can be named or left out; one that does not start is none", () => {
  expect(asked("none")).toBe("none");
  expect(asked(join(ROOT, "no-such-browser"))).toBe("none");
  // Any program that answers to --version will do here.
  expect(asked(process.execPath)).toBe(process.execPath);
});

test("one that is there but does not start is passed over, as a note that it has to be installed", async () => {
  const { firstThatStarts } = (await import(join(ROOT, "scripts/chromium.mjs"))) as {
    firstThatStarts(paths: string[]): string | undefined;
  };
  const missing = join(ROOT, "no-such-browser");
  // A file that no system starts.
  const broken = join(ROOT, "package.json");
  expect(firstThatStarts([missing, broken, process.execPath])).toBe(process.platform === "win32" ? broken : process.execPath);
  expect(firstThatStarts([missing])).toBeUndefined();
});

test.skipIf(!CHROMIUM)("the one that was found starts", () => expect(asked(CHROMIUM!)).toBe(CHROMIUM));
