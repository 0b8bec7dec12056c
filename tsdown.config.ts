import { copyFileSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, type UserConfig } from "tsdown";
import { noInlining } from "./scripts/no-inlining.mjs";
import { ownGlobals } from "./scripts/own-globals.mjs";
import { pureCalls } from "./scripts/pure-calls.mjs";

const root = fileURLToPath(new URL(".", import.meta.url));

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
  // scripts/build.mjs empties it: here its path is taken for a pattern, which parentheses in the name of a folder make another one.
  clean: false,
  deps: { neverBundle: /^node:/ },
  outExtensions: ({ format }) => (format === "cjs" ? { js: ".cjs", dts: ".d.cts" } : { js: ".mjs", dts: ".d.mts" }),
  logLevel: "warn",
  failOnWarn: true,
  plugins: [noInlining],
};

/** The file that a module goes to. Entries export nothing but what is public, so what they share is not in them; declarations are left alone. */
function chunkOf(id: string): string | null {
  if (!/\.[jt]s$/.test(id) || /\.d\.ts$|[\\/]index\.ts$/.test(id)) return null;
  // Not by the first "src" of the path: the project may lie in a folder of that name.
  const [, folder, kernel] = /^src[\\/](\w+)(?:[\\/]generated[\\/](\w+)-)?/.exec(relative(root, id)) ?? [];
  if (kernel !== undefined) return kernel;
  if (folder === "graph") return "elephant";
  if (["engine", "errors", "options"].includes(folder)) return "engine";
  return ["elephant", "ds", "enigma", "introspection"].includes(folder) ? folder : null;
}

/** What entries share is in files that bear its name. */
const shared: UserConfig["outputOptions"] = {
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: [
      // The helpers of CommonJS: otherwise they stand in whichever entry comes first, and all others load that one.
      { name: "rolldown-runtime", test: /rolldown.runtime/ },
      { name: chunkOf },
    ],
  },
};

const notices = readFileSync("THIRD-PARTY-NOTICES.txt", "utf8");

export default defineConfig([
  {
    ...common,
    entry: Object.fromEntries(names.map(source)),
    format: ["esm", "cjs"],
    dts: true,
    plugins: [noInlining, ownGlobals, pureCalls],
    // What not to include the dependencies of a group asks for.
    inputOptions: { preserveEntrySignatures: "allow-extension" },
    outputOptions: shared,
    hooks: {
      "build:done": () => copyFileSync("build/elephant.wasm", "dist/tusk.wasm"),
    },
  },
  // The package's own worker: one script without imports, for classic and module workers and for Node. Pages without a bundler load it as it is.
  {
    ...common,
    entry: { "worker-thread": "src/worker/thread.ts" },
    format: "iife",
    // It holds pako, whose licence asks for this.
    outputOptions: { entryFileNames: "[name].js", banner: `/*!\n${notices}*/` },
    deps: { ...common.deps, alwaysBundle: /./ },
    minify: true,
    dts: false,
  },
  // The command line is a program: nothing imports it.
  { ...common, entry: { tusk: "src/cli/tusk.ts" }, format: "esm", platform: "node", dts: false },
]);
