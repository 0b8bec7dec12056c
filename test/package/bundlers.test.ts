// The package in projects of other bundlers, as their users begin: installed from the tarball, no configuration, no warning, and the result runs.
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { buildSync, type Metafile } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Programs } from "../programs.ts";
import { createProject, ENTRIES, FORMATS, manifest, type Project, ROOT, specifier } from "./installed.ts";
import { ROUND_TRIPS } from "./round-trips.ts";

let project: Project;
beforeAll(() => {
  project = createProject("module");
}, 60_000);
const programs = new Programs();
afterAll(() => {
  programs.end();
  project.remove();
});

/** What a bundle puts out. */
async function outputOf(file: string): Promise<string> {
  const { status, stdout, stderr } = await programs.run(join(project.folder, file), [], project.folder);
  expect([status, stderr], file).toEqual([0, ""]);
  return stdout;
}

/** Round trips of all formats by their own entries; each prints a line that begins with "same". */
const ALL = FORMATS.map((format) => `import * as ${format}Entry from "${specifier(format)}";`).concat(
  FORMATS.map((format) => `{ const entry = ${format}Entry; ${ROUND_TRIPS[format]} }`),
);
const SAME = /^(same( wasm)?\n){4}$/;

describe("Vite", () => {
  test("a page is built and runs", () => {
    project.write("index.html", '<!doctype html><script type="module" src="/page.js"></script>');
    project.write("page.js", ALL.join("\n"));
    const output = project.node(join(ROOT, "node_modules/vite/bin/vite.js"), "build", "--logLevel", "warn");
    expect(output).toBe("");
    const scripts = readdirSync(join(project.folder, "dist/assets")).filter((name) => name.endsWith(".js"));
    expect(scripts).toHaveLength(1);
    const page = readFileSync(join(project.folder, "dist/assets", scripts[0]), "utf8");
    // What Vite asks of a document before the page's own code: does it know modulepreload?
    const document = "globalThis.document = { createElement: () => ({ relList: { supports: () => true } }) };";
    expect(project.run("built-page.mjs", `${document}\n${page}`)).toMatch(SAME);
  }, 60_000);

  test("the worker's script is put beside the page, once", () => {
    mkdirSync(join(project.folder, "with-worker"));
    project.write("with-worker/index.html", '<!doctype html><script type="module" src="/page.js"></script>');
    project.write("with-worker/page.js", `import * as entry from "${specifier("worker")}"; ${ROUND_TRIPS.worker}`);
    const output = project.node(join(ROOT, "node_modules/vite/bin/vite.js"), "build", "with-worker", "--logLevel", "warn");
    expect(output).toBe("");
    const assets = join(project.folder, "with-worker/dist/assets");
    const [page, worker, ...others] = readdirSync(assets).sort();
    expect([page, worker, others]).toEqual([expect.stringMatching(/^index-.*\.js$/), expect.stringMatching(/^worker-thread-.*\.js$/), []]);
    // Where the page looks for it. That it works in a browser is tested in test/browser/worker.test.ts.
    expect(readFileSync(join(assets, page), "utf8")).toContain(worker);
  }, 60_000);
});

/** Bundles `source` by esbuild; warnings are failures. */
function bundled(
  name: string,
  source: string,
  platform: "browser" | "node",
  format: "esm" | "cjs" | "iife",
): { file: string; inputs: string[] } {
  project.write(`${name}.js`, source);
  const file = `bundles/${name}.${format === "esm" ? "mjs" : "cjs"}`;
  mkdirSync(join(project.folder, "bundles"), { recursive: true });
  const { warnings, metafile } = buildSync({
    absWorkingDir: project.folder,
    entryPoints: [`${name}.js`],
    bundle: true,
    minify: true,
    platform,
    format,
    outfile: file,
    metafile: true,
    logLevel: "silent",
  });
  expect(warnings).toEqual([]);
  const [{ inputs }] = Object.values((metafile as Metafile).outputs);
  return { file, inputs: Object.keys(inputs).filter((path) => inputs[path].bytesInOutput > 0) };
}

describe("esbuild", () => {
  test.each(["esm", "iife"] as const)("a bundle for browsers (%s)", async (format) => {
    const { file } = bundled(`browser-${format}`, ALL.join("\n"), "browser", format);
    expect(await outputOf(file)).toMatch(SAME);
  });

  test.each(["esm", "cjs"] as const)("a bundle for Node with files on disk (%s)", async (format) => {
    const source = `import * as entry from "${specifier("node")}"; ${ROUND_TRIPS.node}`;
    const { file, inputs } = bundled(`node-${format}`, source, "node", format);
    expect(await outputOf(file)).toBe("same\n");
    expect(inputs.filter((path) => FORMATS.some((other) => path.includes(`/dist/${other}`)))).toEqual([]);
  });

  // What releases of Vite before 7 build for. In place of #members and of fields outside of constructors there would be WeakMaps and calls of
  // Object.defineProperty, with which ds strings are read eleven times and Elephant's saves written twice as slowly.
  test("for ES2020 the members of objects are set by assignments", async () => {
    const build = (source: string) => {
      project.write("es2020.js", source);
      const { outputFiles, warnings } = buildSync({
        absWorkingDir: project.folder,
        entryPoints: ["es2020.js"],
        bundle: true,
        format: "esm",
        target: "es2020",
        external: Object.keys(manifest.dependencies),
        write: false,
        logLevel: "silent",
      });
      expect(warnings).toEqual([]);
      return outputFiles[0].text;
    };
    const library = build(["", ...FORMATS, "worker"].map((entry) => `export * from "${specifier(entry)}";`).join("\n"));
    expect(library.match(/__publicField\(.*/g)).toBe(null);
    // Instances of classes that nobody has registered: whatever else they have are members of the struct.
    expect([...library.matchAll(/__privateAdd\(this, (\w+)/g)].map(([, name]) => name)).toEqual(["_name", "_version", "_verbose"]);
    project.write("es2020-built.mjs", build(ALL.join("\n")));
    expect(await outputOf("es2020-built.mjs")).toMatch(SAME);
  });

  test.each(FORMATS)("a bundle of %s has nothing of another format", async (format) => {
    const { file, inputs } = bundled(
      `only-${format}`,
      `import * as entry from "${specifier(format)}"; ${ROUND_TRIPS[format]}`,
      "browser",
      "esm",
    );
    expect(await outputOf(file)).toMatch(/^same/);
    const parts = inputs.flatMap((path) => path.split(`${manifest.name}/dist/`).slice(1));
    expect(parts.some((part) => part.startsWith(format))).toBe(true);
    expect(parts.filter((part) => ENTRIES.some((other) => other !== "" && other !== format && part.startsWith(other)))).toEqual([]);
  });

  test("the worker's script is kept by an import that takes nothing from it", () => {
    const { inputs } = bundled("only-thread", `import "${specifier("worker-thread.js")}";`, "browser", "iife");
    expect(inputs).toEqual([expect.stringMatching(/\/dist\/worker-thread\.js$/)]);
  });

  test("what is used of the main entry is what gets into the bundle", async () => {
    const { file, inputs } = bundled("main-ds", `import * as entry from "${specifier("")}"; ${ROUND_TRIPS.ds}`, "browser", "esm");
    expect(await outputOf(file)).toBe("same\n");
    const parts = inputs.flatMap((path) => path.split(`${manifest.name}/dist/`).slice(1));
    expect(parts.filter((part) => /^(elephant|enigma|introspection)-/.test(part))).toEqual([]);
  });
});
