// What a results file says about where it comes from: the day, the machine, and by digests the sources of the build and of those it was compared with.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PACKAGE_CODE } from "../scripts/package-sources.mjs";

/** The files of a folder whose names end with `end`, in order. */
function filesIn(root, folder, end) {
  const files = readdirSync(join(root, folder), { recursive: true }).map((path) => path.replaceAll("\\", "/"));
  return files
    .filter((path) => path.endsWith(end))
    .sort()
    .map((path) => `${folder}/${path}`);
}

/** Twelve hexadecimal digits of the names and contents of files. */
function digestOf(root, files) {
  const hash = createHash("sha256");
  for (const path of files) hash.update(`${path}\n`).update(readFileSync(join(root, path)));
  return hash.digest("hex").slice(0, 12);
}

/**
 * `sources`: what the package is built from, and by. `opponents`: the codecs that it is compared with, how they are called, and the releases of all packages; older
 * results have none.
 * @returns {{ sources: string, opponents: string }}
 */
export function digests(root = fileURLToPath(new URL("..", import.meta.url))) {
  const own = PACKAGE_CODE.flatMap((path) => (path.includes(".") ? path : filesIn(root, path, ".ts")));
  const others = ["bench/candidates", "bench/codecs"].flatMap((folder) => filesIn(root, folder, ".mjs"));
  return {
    sources: digestOf(
      root,
      own.filter((path) => !path.includes("generated/")),
    ),
    opponents: digestOf(root, [...others, "bench/ds/plain-js.mjs", "bench/enigma/plain-codec.mjs", "package-lock.json"]),
  };
}

/** What two results are not both of; of what one of them does not tell, nothing is said. @returns {string[]} */
export const differences = (one, other) =>
  ["sources", "opponents"].filter((digest) => one[digest] !== undefined && other[digest] !== undefined && one[digest] !== other[digest]);

const SAID = { sources: "of another build", opponents: "against other opponents" };

/**
 * What is said of results that stand beside others and are not of the same sources; undefined where they are, or do not tell.
 * @param {("sources" | "opponents")[]} told which differences concern them: there is one digest of all opponents, and not each result is about the same
 */
export function otherThan(one, other, told = ["sources"]) {
  const said = differences(one, other).filter((digest) => told.includes(digest));
  return said.length === 0 ? undefined : said.map((digest) => SAID[digest]).join(", ");
}

export const circumstances = () => ({
  date: new Date().toISOString(),
  ...digests(),
  machine: {
    node: process.version,
    v8: process.versions.v8,
    platform: `${process.platform} ${process.arch}`,
    cpu: cpus()[0]?.model,
    cores: cpus().length,
    memory: totalmem(),
  },
});
