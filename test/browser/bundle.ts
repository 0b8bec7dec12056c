// Bundles as a user's bundler makes them, from the built package.
import { join } from "node:path";
import { rolldown } from "rolldown";
import { ENTRIES, ROOT, specifier } from "../package/installed.ts";

/** `file`, below this folder, with what it imports, as one script. */
export async function bundle(file: string, format: "esm" | "iife"): Promise<string> {
  const build = await rolldown({
    input: join(import.meta.dirname, file),
    platform: "browser",
    logLevel: "silent",
    resolve: {
      alias: Object.fromEntries(ENTRIES.map((entry) => [specifier(entry), join(ROOT, "dist", `${entry || "index"}.mjs`)]).reverse()),
    },
  });
  const { output } = await build.generate({ format, name: "bundle", codeSplitting: false } as never);
  await build.close();
  return output[0].code;
}
