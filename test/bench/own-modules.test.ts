// Candidates that share a process have copies of the modules of their own.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const hooks = new URL("../../bench/measure/own-modules.mjs", import.meta.url).href;

test("a query is passed on to all that a module imports by paths, and to no package", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tusk-own-modules-"));
  try {
    writeFileSync(join(folder, "inner.mjs"), 'import { basename } from "node:path"; export const inner = {}; export { basename };');
    writeFileSync(join(folder, "outer.mjs"), 'export * from "./inner.mjs"; export const later = () => import("./inner.mjs");');
    const url = pathToFileURL(join(folder, "outer.mjs")).href;
    writeFileSync(
      join(folder, "main.mjs"),
      `const [a, b, again] = [await import("${url}?a"), await import("${url}?b"), await import("${url}?a")];
      const { inner } = await a.later();
      console.log(JSON.stringify([a.inner === b.inner, a.inner === again.inner, a.inner === inner, a.basename === b.basename]));`,
    );
    const run = promisify(execFile);
    const own = await run(process.execPath, ["--import", hooks, join(folder, "main.mjs")]);
    expect(JSON.parse(own.stdout)).toEqual([false, true, true, true]);
    // Without it, only the module that is asked for is another.
    const shared = await run(process.execPath, [join(folder, "main.mjs")]);
    expect(JSON.parse(shared.stdout)).toEqual([true, true, true, true]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
