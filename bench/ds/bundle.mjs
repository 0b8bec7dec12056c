// The codec as its users get it: bundled from the sources, minified, one file.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "tsdown";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export const bundlePath = (scalar = true) => join(root, scalar ? "build/bench-ds" : "build/bench-ds-lean", "ds.js");

/** Returns the bundle's path. */
export async function bundle({ minify = true, scalar = true } = {}) {
  const outDir = dirname(bundlePath(scalar));
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
  return bundlePath(scalar);
}
