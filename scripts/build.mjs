// Builds the kernels and the package: `node scripts/build.mjs`. With --if-needed only what is older than its sources, so that `npm start`
// and `npm test` take what is there.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { KERNEL_CODE, PACKAGE_CODE } from "./package-sources.mjs";
import { run } from "./run.mjs";
import { build } from "./stamps.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const kernels = readdirSync(join(root, "assembly")).filter((name) => existsSync(join(root, "assembly", name, "index.ts")));

/** The packages that are asked for, and those that npm has installed: the first may be newer. */
const INSTALLED = ["package-lock.json", "node_modules/.package-lock.json"];

await build(
  root,
  [
    {
      name: "kernels",
      sources: [...KERNEL_CODE, ...INSTALLED],
      results: ["src/engine/generated", ...kernels.map((name) => `build/${name}.wasm`)],
      // With its warnings.
      make: () => run("node", ["scripts/build-kernels.mjs"], { show: true }),
    },
    {
      name: "package",
      sources: [...PACKAGE_CODE, "THIRD-PARTY-NOTICES.txt", "package.json", ...INSTALLED],
      results: ["dist"],
      make: () => {
        rmSync(join(root, "dist"), { recursive: true, force: true });
        return run("tsdown", []);
      },
    },
  ],
  process.argv.includes("--if-needed"),
);
