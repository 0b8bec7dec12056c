import { copyFileSync, readFileSync } from "node:fs";
import { defineConfig } from "tsdown";

// The entries are those of package.json: `.` is src/index.ts, `./<name>` is src/<name>/index.ts.
const { exports } = JSON.parse(readFileSync("package.json", "utf8")) as { exports: Record<string, string | object> };
const names = Object.keys(exports)
  .filter((path) => typeof exports[path] === "object")
  .map((path) => path.slice(2));

export default defineConfig({
  entry: Object.fromEntries(names.map((name) => (name === "" ? ["index", "src/index.ts"] : [name, `src/${name}/index.ts`]))),
  format: ["esm", "cjs"],
  dts: true,
  platform: "neutral",
  target: "es2022",
  outDir: "dist",
  outExtensions: ({ format }) => (format === "cjs" ? { js: ".cjs", dts: ".d.cts" } : { js: ".mjs", dts: ".d.mts" }),
  logLevel: "warn",
  hooks: {
    "build:done": () => copyFileSync("build/elephant.wasm", "dist/tusk.wasm"),
  },
});
