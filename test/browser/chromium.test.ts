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

test.skipIf(!CHROMIUM)("the one that was found starts", () => expect(asked(CHROMIUM!)).toBe(CHROMIUM));
