// The codec as its users get it: bundled from the sources, minified, one file.
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "tsdown";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export async function bundle({ minify = true, scalar = true } = {}) {
  const outDir = join(root, scalar ? "build/bench-ds" : "build/bench-ds-lean");
  await build({
    cwd: root,
    config: false,
    entry: { ds: join(root, "src/ds/index.ts") },
    outDir,
    format: "esm",
    platform: "neutral",
    dts: false,
    minify,
    logLevel: "error",
    noExternal: [/.*/],
    plugins: scalar
      ? []
      : [{ name: "no-scalar", load: (id) => (id.endsWith("ds-scalar.js") ? "export function instantiateScalar() {}" : undefined) }],
  });
  return join(outDir, "ds.js");
}

const { href } = pathToFileURL(await bundle());
export const { readDs, writeDs, writeDsBytes } = await import(href);

/** The JavaScript engine in a copy of its own: in one copy each engine would be slowed down by what the compiler has seen of the other. */
const js = await import(`${href}?js`);
export const readDsJs = (input) => js.readDs(input, { engine: "js" });
export const writeDsJs = (structure) => js.writeDs(structure, { engine: "js" });
