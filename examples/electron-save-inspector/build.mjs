// Bundles the page and its worker into build/inspector/, as classic scripts. The page needs an origin: under file:// there is no worker.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { isProgram } from "../../scripts/is-program.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, "../..");
const OUTPUT = join(ROOT, "build/inspector");

async function script(input, file) {
  const bundle = await rolldown({
    input: join(HERE, input),
    platform: "browser",
    logLevel: "warn",
    resolve: { alias: { "tusk-codec": join(ROOT, "dist/index.mjs") } },
  });
  await bundle.write({ file, format: "iife", codeSplitting: false, minify: false });
  await bundle.close();
}

/** The page with its policy in it, too: it holds where a server sends none. */
function page() {
  const policy = readFileSync(join(HERE, "renderer/policy.txt"), "utf8").trim().split(/\r?\n/).join("; ");
  return readFileSync(join(HERE, "renderer/index.html"), "utf8").replace("%POLICY%", policy);
}

/** Fills `folder` and returns it. */
export async function buildInspector(folder = OUTPUT) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await Promise.all([script("renderer/main.js", join(folder, "page.js")), script("worker/worker.js", join(folder, "worker.js"))]);
  cpSync(join(HERE, "renderer/style"), join(folder, "style"), { recursive: true });
  writeFileSync(join(folder, "index.html"), page());
  return folder;
}

if (isProgram(import.meta.url)) console.log(`built ${await buildInspector()}`);
