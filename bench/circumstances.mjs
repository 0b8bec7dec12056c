// What a results file says about where it comes from: the day, the machine, and the build by a digest of its sources.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Twelve hexadecimal digits of what the package is built from. */
function digestOfSources() {
  const hash = createHash("sha256");
  for (const folder of ["assembly", "src"]) {
    const files = readdirSync(join(root, folder), { recursive: true }).map((path) => path.replaceAll("\\", "/"));
    for (const path of files.filter((path) => path.endsWith(".ts") && !path.includes("generated/")).sort())
      hash.update(`${folder}/${path}\n`).update(readFileSync(join(root, folder, path)));
  }
  return hash.digest("hex").slice(0, 12);
}

export const circumstances = () => ({
  date: new Date().toISOString(),
  sources: digestOfSources(),
  machine: {
    node: process.version,
    v8: process.versions.v8,
    platform: `${process.platform} ${process.arch}`,
    cpu: cpus()[0]?.model,
    cores: cpus().length,
    memory: totalmem(),
  },
});
