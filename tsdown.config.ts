import { defineConfig } from "tsdown";

export default defineConfig({
  entry: { elephant: "src/elephant/index.ts" },
  format: ["esm", "cjs"],
  dts: false,
  platform: "neutral",
  target: "es2022",
  outDir: "dist",
  outExtensions: ({ format }) => ({ js: format === "cjs" ? ".cjs" : ".mjs", dts: format === "cjs" ? ".d.cts" : ".d.mts" }),
});
