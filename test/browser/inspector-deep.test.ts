// Saves of a hundred thousand levels, as a linked list makes them: what takes room or time for each level above a place would take them by the square
// of the depth, which is more than there is.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { createElephantSync } from "../../src/elephant/index.ts";
import { ROOT } from "../package/installed.ts";

interface OpenSave {
  root: unknown;
  view: object;
}
interface Search {
  count: number;
  path(index: number): number[];
  run(): Iterable<void>;
}

const worker = (file: string) => import(pathToFileURL(join(ROOT, "examples/electron-save-inspector/worker", file)).href);

const { OpenSave } = (await worker("open-save.js")) as { OpenSave: { read(name: string, bytes: Uint8Array): Promise<OpenSave> } };
const { Search } = (await worker("search.js")) as { Search: new (view: object, root: unknown, query: string, options: object) => Search };

const LEVELS = 100_000;
const elephant = createElephantSync();

/** Structs inside each other; `inner` is the innermost. */
function nested(inner: object): Promise<OpenSave> {
  let value = inner;
  for (let i = 1; i < LEVELS; i++) value = { next: value };
  return OpenSave.read("deep.dat", elephant.write(value));
}

/** The path that leads down the first members. */
const down = (depth: number): number[] => Array.from({ length: depth }, () => 0);

describe("a search in a deep save", { timeout: 30_000 }, () => {
  test("keeps a place in each level", async () => {
    const { view, root } = await nested({ last: 1 });
    const search = new Search(view, root, "next", {});
    for (const _ of search.run());
    expect(search.count).toBe(LEVELS - 1);
    for (const depth of [1, 2, LEVELS - 1]) expect(search.path(depth - 1)).toEqual(down(depth));
  });
});
