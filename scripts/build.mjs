// Builds the kernels and the package: `node scripts/build.mjs`. With --if-needed only what is older than its sources, so that `npm start`
// and `npm test` take what is there.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { KERNEL_CODE, PACKAGE_CODE } from "./package-sources.mjs";
import { run } from "./run.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Every file that one of the two steps depends on. */
const KERNEL_SOURCES = [...KERNEL_CODE, "package-lock.json"];
const PACKAGE_SOURCES = [...PACKAGE_CODE, "THIRD-PARTY-NOTICES.txt", "package.json", "package-lock.json"];

/** A hash over the contents; what is generated does not count. */
function hashOf(sources) {
  const hash = createHash("sha256");
  const add = (path) =>
    hash
      .update(path)
      .update("\0")
      .update(readFileSync(join(root, path)))
      .update("\0");
  for (const source of sources) {
    if (source.includes(".")) add(source);
    else
      for (const path of readdirSync(join(root, source), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
        .filter((file) => !file.includes("generated"))
        .sort())
        add(path);
  }
  return hash.digest("hex");
}

/** Runs `step` unless its results are those of these sources. */
async function build(name, sources, results, step) {
  const stamp = join(root, "build", `${name}.sha256`);
  const hash = hashOf(sources);
  if (
    process.argv.includes("--if-needed") &&
    results.every((path) => existsSync(join(root, path))) &&
    existsSync(stamp) &&
    readFileSync(stamp, "utf8") === hash
  )
    return;
  const start = performance.now();
  // A step that fails may have replaced some of its results.
  rmSync(stamp, { force: true });
  await step();
  mkdirSync(join(root, "build"), { recursive: true });
  writeFileSync(stamp, hash);
  console.log(`built ${name} in ${((performance.now() - start) / 1000).toFixed(1)} s`);
}

const kernels = readdirSync(join(root, "assembly")).filter((name) => existsSync(join(root, "assembly", name, "index.ts")));
await build(
  "kernels",
  KERNEL_SOURCES,
  [
    ...kernels.flatMap((name) => [
      ...["wasm.ts", "scalar.js", "scalar.d.ts"].map((file) => `src/engine/generated/${name}-${file}`),
      `build/${name}.wasm`,
    ]),
    "src/engine/generated/unpack-wasm.ts",
  ],
  () => run("node", ["scripts/build-kernels.mjs"]),
);
/** Every file of dist/ that the package's description names. */
const published = readFileSync(join(root, "package.json"), "utf8").match(/(?<="\.\/)dist\/[^"*]+(?=")/g);
await build("package", PACKAGE_SOURCES, [...new Set(published)], () => run("tsdown", []));
