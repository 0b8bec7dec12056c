// What is built of which sources: each step of the build leaves a stamp in `build/`, so that it is done again only where it has to be.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

/** The files that there are at these paths: themselves, and all that is in folders. */
function filesAt(root, paths) {
  return paths.flatMap((path) => {
    const at = join(root, path);
    if (!existsSync(at)) return [];
    if (!statSync(at).isDirectory()) return [path];
    return readdirSync(at, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)))
      .sort();
  });
}

/** A hash over the names and contents of sources; what is generated does not count. */
function hashOf(root, sources) {
  const hash = createHash("sha256");
  for (const path of filesAt(root, sources).filter((path) => !/[\\/]generated[\\/]/.test(path)))
    hash
      .update(path)
      .update("\0")
      .update(readFileSync(join(root, path)))
      .update("\0");
  return hash.digest("hex");
}

/**
 * Does the steps one after the other, each of which makes its `results` (files, and folders with all that is in them) of its `sources`.
 * `ifNeeded`: only those whose results are not there, or are of other sources.
 * @param {string} root
 * @param {{ name: string, sources: string[], results: string[], make(): Promise<unknown> }[]} steps
 */
export async function build(root, steps, ifNeeded) {
  // Before the first step: one whose sources are edited while another is at work may be made of the old ones in part.
  const hashes = steps.map(({ sources }) => hashOf(root, sources));
  for (const [i, { name, sources, results, make }] of steps.entries()) {
    const stamp = join(root, "build", `${name}.sha256`);
    // The names, too: of two builds at once, one that is interrupted leaves less than the other has made.
    const made = () => [hashes[i], ...filesAt(root, results)].join("\n");
    if (ifNeeded && existsSync(stamp) && readFileSync(stamp, "utf8") === made()) continue;
    const start = performance.now();
    // A step that fails may have replaced some of its results.
    rmSync(stamp, { force: true });
    await make();
    mkdirSync(join(root, "build"), { recursive: true });
    // Nobody knows of which sources it is that were edited meanwhile, even if the edit is undone later.
    if (hashOf(root, sources) === hashes[i]) writeFileSync(stamp, made());
    console.log(`built ${name} in ${((performance.now() - start) / 1000).toFixed(1)} s`);
  }
}
