// The package in bundles: nothing of Node, nothing that is not used, and it runs where there are only the globals of the web.

import { builtinModules } from "node:module";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { rolldown } from "rolldown";
import { describe, expect, test } from "vitest";
import { ENTRIES, FOR_NODE, manifest, ROOT, specifier } from "./installed.ts";

const FOR_THE_WEB = ENTRIES.filter((entry) => !FOR_NODE.includes(entry));

/** Bundles `source`, which imports the package, with its dependencies for no platform in particular. */
async function bundle(source: string, format: "esm" | "iife" = "esm"): Promise<{ code: string; imports: string[] }> {
  const build = await rolldown({
    input: "user",
    platform: "neutral",
    logLevel: "silent",
    treeshake: true,
    resolve: {
      alias: Object.fromEntries(ENTRIES.map((entry) => [specifier(entry), join(ROOT, "dist", `${entry || "index"}.mjs`)]).reverse()),
      conditionNames: ["import", "default"],
    },
    plugins: [
      {
        name: "user",
        resolveId: (id) => (id === "user" ? { id: join(ROOT, "user.mjs") } : null),
        load: (id) => (id === join(ROOT, "user.mjs") ? source : null),
      },
    ],
  });
  const { output } = await build.generate({ format, name: "bundle", codeSplitting: false } as never);
  await build.close();
  const [chunk] = output;
  return { code: chunk.code, imports: [...chunk.imports, ...chunk.dynamicImports] };
}

describe.each(FOR_THE_WEB)("entry %j", (entry) => {
  test("reaches no built-in module of Node, nor anything else outside of its dependencies", async () => {
    const { code, imports } = await bundle(`export * from "${specifier(entry)}";`);
    expect(imports).toEqual([]);
    const requires = [...code.matchAll(/\b(?:require|import)\(\s*["']([^"']+)["']\s*\)/g)].map((match) => match[1]);
    expect(requires.filter((name) => name.startsWith("node:") || builtinModules.includes(name))).toEqual([]);
  });

  test("leaves nothing behind when nothing of it is used", async () => {
    const { code } = await bundle(`import "${specifier(entry)}";`);
    expect(code.replace(/^\/\/.*$/gm, "").trim()).toBe("");
  });
});

test("runs where there is neither Node nor an import: one script, only the web's globals", async () => {
  const { code } = await bundle(`export * from "${manifest.name}";`, "iife");
  const context = createContext({ TextDecoder, TextEncoder, atob, btoa });
  const result: unknown = runInContext(
    `${code};
    const results = [];
    for (const engine of ["wasm", "js"]) {
      const elephant = bundle.createElephantSync({ engine });
      const value = { text: "naïve 🐘", list: [1, 2, 3], big: 5n };
      const back = elephant.importString(elephant.exportString(value));
      results.push(elephant.engine + " " + back.text + " " + back.list.length + " " + (back.big === 5n) + " " + typeof process);
    }
    results.join();`,
    context,
  );
  expect(result).toBe("wasm naïve 🐘 3 true undefined,js naïve 🐘 3 true undefined");
});
