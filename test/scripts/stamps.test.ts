// Which steps of the build are done again.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ROOT } from "../package/installed.ts";

interface Step {
  name: string;
  sources: string[];
  results: string[];
  make(): unknown;
}
const { build } = (await import(join(ROOT, "scripts/stamps.mjs"))) as {
  build(root: string, steps: Step[], ifNeeded: boolean): Promise<void>;
};

let folder: string;
/** The steps that were done, in their order. */
let done: string[];
/** What happens while a step is at work, behind what it has made. */
let meanwhile: Record<string, () => void>;

function write(path: string, text = ""): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
const remove = (path: string): void => rmSync(join(folder, path), { recursive: true });

/** Two steps like those of the package, the second of which has the sources of the first, too. */
function step(name: string, sources: string[], results: string[], made: string[]): Step {
  const make = async () => {
    done.push(name);
    for (const path of made) write(path);
    meanwhile[name]?.();
  };
  return { name, sources, results, make };
}
const STEPS = [
  step("kernels", ["assembly", "config.json", "lock.json"], ["src/generated", "build/a.wasm"], ["src/generated/a.js", "build/a.wasm"]),
  step("package", ["assembly", "config.json", "src"], ["dist"], ["dist/index.js", "dist/chunk-1.js"]),
];

/** The steps that are done when they are asked for. */
async function built(ifNeeded = true): Promise<string[]> {
  done = [];
  await build(folder, STEPS, ifNeeded);
  return done;
}

beforeEach(async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  folder = mkdtempSync(join(tmpdir(), "tusk-stamps-test-"));
  meanwhile = {};
  for (const path of ["assembly/a/index.ts", "assembly/b.ts", "config.json", "src/index.ts"]) write(path);
  expect(await built()).toEqual(["kernels", "package"]);
});
afterEach(() => {
  rmSync(folder, { recursive: true });
  vi.restoreAllMocks();
});

test("what is built is not built again, unless nobody asks whether it is needed", async () => {
  expect(await built()).toEqual([]);
  expect(await built(false)).toEqual(["kernels", "package"]);
});

test("a step is done again when one of its sources is edited, added, renamed or removed", async () => {
  const again = async (steps: string[]) => {
    expect(await built()).toEqual(steps);
    expect(await built()).toEqual([]);
  };
  write("src/index.ts", "edited");
  await again(["package"]);
  write("assembly/b.ts", "edited");
  await again(["kernels", "package"]);
  write("assembly/a/c.ts");
  await again(["kernels", "package"]);
  remove("assembly/a/c.ts");
  write("assembly/a/d.ts");
  await again(["kernels", "package"]);
  remove("assembly/a/d.ts");
  await again(["kernels", "package"]);
  remove("config.json");
  await again(["kernels", "package"]);
  // One that was not there.
  write("lock.json");
  await again(["kernels"]);
});

test("what stands in a folder of generated files is no source, what has a like name is one", async () => {
  write("src/generated/a.js", "edited");
  expect(await built()).toEqual([]);
  write("src/generated-names.ts");
  expect(await built()).toEqual(["package"]);
});

test("a step is done again when any of its results is missing", async () => {
  for (const path of ["build/a.wasm", "src/generated/a.js"]) {
    remove(path);
    expect(await built(), path).toEqual(["kernels"]);
  }
  // In a folder that no one names file by file.
  for (const path of ["dist/chunk-1.js", "dist"]) {
    remove(path);
    expect(await built(), path).toEqual(["package"]);
  }
});

test("a step that fails is done again, also where it has left all of its results and its sources are as before", async () => {
  meanwhile = {
    kernels() {
      throw new Error("no memory");
    },
  };
  write("assembly/b.ts", "edited");
  await expect(built()).rejects.toThrow("no memory");
  expect(done).toEqual(["kernels"]);
  meanwhile = {};
  write("assembly/b.ts");
  expect(await built()).toEqual(["kernels"]);
});

test("what is edited while a step is at work is built of neither by that step nor by those behind it, even if the edit is undone", async () => {
  meanwhile = { kernels: () => write("assembly/b.ts", "edited meanwhile") };
  expect(await built(false)).toEqual(["kernels", "package"]);
  meanwhile = {};
  expect(existsSync(join(folder, "dist/index.js"))).toBe(true);
  expect(await built()).toEqual(["kernels", "package"]);

  meanwhile = { kernels: () => write("assembly/b.ts", "once more") };
  expect(await built(false)).toEqual(["kernels", "package"]);
  meanwhile = {};
  write("assembly/b.ts", "edited meanwhile");
  expect(await built()).toEqual(["kernels", "package"]);

  meanwhile = { package: () => write("src/index.ts", "edited meanwhile") };
  expect(await built(false)).toEqual(["kernels", "package"]);
  meanwhile = {};
  expect(await built()).toEqual(["package"]);
});
