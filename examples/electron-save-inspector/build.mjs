// Bundles the page and its worker into build/inspector/, as classic scripts: pages under file:// can load no modules.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, "../..");
export const OUTPUT = join(ROOT, "build/inspector");

async function script(input, name) {
  const bundle = await rolldown({
    input: join(HERE, input),
    platform: "browser",
    logLevel: "warn",
    resolve: { alias: { "tusk-codec": join(ROOT, "dist/index.mjs") } },
  });
  await bundle.write({ file: join(OUTPUT, name), format: "iife", codeSplitting: false, minify: false });
  await bundle.close();
}

/** The page with its policy in it: under file:// there are no headers. */
function page() {
  const policy = readFileSync(join(HERE, "renderer/policy.txt"), "utf8").trim().split("\n").join("; ");
  return readFileSync(join(HERE, "renderer/index.html"), "utf8").replace("%POLICY%", policy);
}

/** Returns the folder. */
export async function buildInspector() {
  rmSync(OUTPUT, { recursive: true, force: true });
  mkdirSync(OUTPUT, { recursive: true });
  await Promise.all([script("renderer/main.js", "page.js"), script("worker/worker.js", "worker.js")]);
  cpSync(join(HERE, "renderer/style"), join(OUTPUT, "style"), { recursive: true });
  writeFileSync(join(OUTPUT, "index.html"), page());
  return OUTPUT;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(`built ${await buildInspector()}`);
