// The sources as modules that Node loads itself, for tests: `.tusk-sources/`. What a test runner transforms has an accessor called at each use of what one
// module imports from another, and takes up to half as long again.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { transformSync } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const from = join(root, "src");
/** As deep as the sources, which look for the package's description above them. */
const to = join(root, ".tusk-sources");

let done = false;

function filesIn(folder) {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** A file is the old or the new one, and never a part: by way of another one, in no folder that is looked through. */
export function replaceFile(path, text, other) {
  writeFileSync(other, text);
  renameSync(other, path);
}

/** Makes all of them, once in a process. What is there already is left alone: another run may be using it. */
export function compileSources() {
  if (done) return;
  done = true;
  const old = new Set(filesIn(to));
  const tsconfigRaw = readFileSync(join(root, "tsconfig.json"), "utf8");
  for (const path of filesIn(from)) {
    if (path.endsWith(".d.ts")) continue;
    const source = readFileSync(path, "utf8");
    const { code } = path.endsWith(".ts")
      ? transformSync(source, { loader: "ts", tsconfigRaw, sourcefile: path, sourcemap: "inline" })
      : { code: source };
    const target = compiled(path);
    // Only what stands in imports and exports is a relative path with this end.
    const text = code.replace(/(["'])(\.\.?\/[^"'\n]*)\.ts\1/g, "$1$2.js$1");
    if (old.delete(target) && readFileSync(target, "utf8") === text) continue;
    mkdirSync(dirname(target), { recursive: true });
    replaceFile(target, text, `${to}-${process.pid}`);
  }
  for (const path of old) rmSync(path, { force: true });
}

/** Where the module of the source at `path` is; undefined for what is no source. */
export function compiled(path) {
  return path.startsWith(from + sep) ? to + path.slice(from.length).replace(/\.ts$/, ".js") : undefined;
}
