import { copyFileSync, readFileSync } from "node:fs";
import { defineConfig, type UserConfig } from "tsdown";

// The entries are those of package.json: `.` is src/index.ts, `./<name>` is src/<name>/index.ts.
const { exports } = JSON.parse(readFileSync("package.json", "utf8")) as { exports: Record<string, string | object> };
const names = Object.keys(exports)
  .filter((path) => typeof exports[path] === "object")
  .map((path) => path.slice(2));

const source = (name: string): [string, string] => (name === "" ? ["index", "src/index.ts"] : [name, `src/${name}/index.ts`]);

const common: UserConfig = {
  platform: "neutral",
  target: "es2022",
  outDir: "dist",
  external: /^node:/,
  outExtensions: ({ format }) => (format === "cjs" ? { js: ".cjs", dts: ".d.cts" } : { js: ".mjs", dts: ".d.mts" }),
  logLevel: "warn",
};

export default defineConfig([
  {
    ...common,
    entry: Object.fromEntries(names.map(source)),
    format: ["esm", "cjs"],
    dts: true,
    hooks: {
      "build:done": () => copyFileSync("build/elephant.wasm", "dist/tusk.wasm"),
    },
  },
  // The package's own worker: one script without imports, for classic and module workers and for Node.
  {
    ...common,
    entry: { "worker-thread": "src/worker/thread.ts" },
    format: "iife",
    outputOptions: { entryFileNames: "[name].js" },
    noExternal: /./,
    dts: false,
  },
  // The command line is a program: nothing imports it.
  { ...common, entry: { tusk: "src/cli/tusk.ts" }, format: "esm", platform: "node", dts: false },
]);
