// Bundles the sources of tusk-codec/enigma for the benchmarks, so that they measure what stands in src/ now (the kernel must be built).
import { mkdirSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const root = new URL("../../", import.meta.url);

/** Imports a module of src/enigma. Engines are measured in copies of their own (`copy`: any name), so that neither is slowed down by what the compiler has seen of the other. */
export async function source(path, copy = "") {
  const file = fileURLToPath(new URL(`build/bench-enigma-${path.replace(/\W/g, "-")}.mjs`, root));
  mkdirSync(new URL("build/", root), { recursive: true });
  const bundle = await rolldown({
    input: fileURLToPath(new URL(`src/enigma/${path}`, root)),
    platform: "neutral",
    resolve: { mainFields: ["module", "main"] },
    logLevel: "silent",
  });
  await bundle.write({ file, format: "esm" });
  return import(pathToFileURL(file).href + (copy && `?${copy}`));
}
