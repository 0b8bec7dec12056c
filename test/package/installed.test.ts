// The published package, imported as a user would: both module systems, every entry, types for either way of resolving.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Programs } from "../programs.ts";
import { createProject, ENTRIES, FORMATS, manifest, type Project, ROOT, specifier, WINDOWS } from "./installed.ts";
import { ROUND_TRIPS } from "./round-trips.ts";

let project: Project;
beforeAll(() => {
  project = createProject();
}, 60_000);
const programs = new Programs();
afterAll(() => {
  programs.end();
  project.remove();
});

/** Writes a program and runs it where the package may have been loaded already; its standard output. */
async function output(name: string, source: string): Promise<string> {
  project.write(name, source);
  const { status, stdout, stderr } = await programs.run(join(project.folder, name), [], project.folder);
  expect([status, stderr], name).toEqual([0, ""]);
  return stdout;
}

/** How code of either system imports an entry as `entry`. */
const SYSTEMS = [
  { system: "ESM", extension: "mjs", load: (from: string, name = "entry") => `import * as ${name} from "${from}";` },
  { system: "CommonJS", extension: "cjs", load: (from: string, name = "entry") => `const ${name} = require("${from}");` },
];

test("every entry has a round trip", () => {
  expect(Object.keys(ROUND_TRIPS).sort()).toEqual(ENTRIES.filter((entry) => entry !== "").sort());
});

test("the tarball holds the built package, its documents and nothing else", () => {
  for (const file of project.files)
    expect(file).toMatch(
      /^(dist\/([\w-]+\.(mjs|cjs|d\.mts|d\.cts)|tusk\.wasm|worker-thread\.js)|docs\/([\w-]+\.md|[\w/-]+\.(svg|png))|formats\/\w+\.md|package\.json|README\.md|CHANGELOG\.md|LICENSE|THIRD-PARTY-NOTICES\.txt)$/,
    );
  expect(project.files).toContain("LICENSE");
  expect(project.files).toContain("THIRD-PARTY-NOTICES.txt");
  expect(project.files).toContain("README.md");
});

test("the copy of pako has its licences with it", () => {
  const folder = join(project.folder, "node_modules", manifest.name);
  const notices = readFileSync(join(folder, "THIRD-PARTY-NOTICES.txt"), "utf8");
  expect(notices).toContain(readFileSync(join(ROOT, "node_modules/pako/LICENSE"), "utf8").trim());
  expect(notices).toContain("This notice may not be removed or altered from any source distribution.");
  for (const file of readdirSync(join(folder, "dist")).filter((name) => /\.(js|mjs|cjs)$/.test(name))) {
    const script = readFileSync(join(folder, "dist", file), "utf8");
    // What zlib says of bytes that are none of its own.
    expect(script.includes("incorrect header check"), file).toBe(file === "worker-thread.js");
    if (file === "worker-thread.js") expect(script.startsWith(`/*!\n${notices}*/`)).toBe(true);
  }
});

test("links between the documents lead somewhere in the package, too", () => {
  const documents = project.files.filter((file) => file.endsWith(".md"));
  expect(documents.length).toBeGreaterThan(15);
  for (const document of documents) {
    const text = readFileSync(join(project.folder, "node_modules", manifest.name, document), "utf8").replace(
      /^```.*?^```$|`[^`\n]*`/gms,
      "",
    );
    for (const [, target] of text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)) {
      const path = join(dirname(document), target).replaceAll("\\", "/");
      // What the README says of the repository.
      if (/^\w+:/.test(target) || /^(src|assembly|test|bench|scripts|examples)\b|^docs\/images\//.test(path)) continue;
      expect(project.files, `${document} links to ${target}`).toContain(path);
    }
  }
  const readme = readFileSync(join(project.folder, "node_modules", manifest.name, "README.md"), "utf8");
  for (const [, image] of readme.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)) expect(project.files).toContain(image);
});

test("pako is all that comes with it", () => {
  const installed = readdirSync(join(project.folder, "node_modules")).filter((name) => !name.startsWith("."));
  expect(installed).toEqual(["pako", manifest.name]);
});

test("every path of the exports is in the tarball", () => {
  const targets = Object.values(manifest.exports).flatMap((target) =>
    typeof target === "string" ? [target] : Object.values(target).flatMap(({ types, default: code }) => [types, code]),
  );
  for (const target of targets) expect(existsSync(join(project.folder, "node_modules", manifest.name, target)), target).toBe(true);
});

// Loaded in both ways there are two of them in one process: a game's classes may come from CommonJS, and the codec from an ES module.
test("classes that have their schema and callbacks from CommonJS are written and read by a codec from an ES module", () => {
  project.write(
    "hero.cjs",
    `const { POST_READ, SCHEMA } = require("${specifier("")}");
    exports.Hero = class Hero { name = ""; hp = 0; static [SCHEMA] = { v1: { name: "string", hp: "u16" } }; [POST_READ]() { this.ready = true; } };`,
  );
  const source = `
    import { createElephantSync } from "${specifier("")}";
    import { Hero } from "./hero.cjs";
    const elephant = createElephantSync({ constructors: { Hero } });
    const save = elephant.write(Object.assign(new Hero(), { name: "Ada", hp: 80 }));
    console.log(elephant.toJson(elephant.read(save)).__Elephant_Schema_Version__, elephant.read(save).ready);`;
  expect(project.run("both.mjs", source)).toBe("1 true\n");
});

test("TypeScript's oldest way of resolving (node10) finds the types of every entry, too", () => {
  const types = ENTRIES.filter((entry) => entry !== "").map((entry) => [entry, [`./dist/${entry}.d.cts`]]);
  expect(manifest.typesVersions).toEqual({ "*": Object.fromEntries(types) });
});

describe.each(SYSTEMS)("$system", ({ system, extension, load }) => {
  test.each(Object.keys(ROUND_TRIPS))("a round trip by tusk-codec/%s", (entry) => {
    expect(project.run(`${entry}.${extension}`, load(specifier(entry)) + ROUND_TRIPS[entry])).toMatch(/^same( wasm)?\n$/);
  });

  test.each(FORMATS)("a round trip of %s by the main entry", async (format) => {
    expect(await output(`${format}-main.${extension}`, load(specifier("")) + ROUND_TRIPS[format])).toMatch(/^same( wasm)?\n$/);
  });

  test.each(FORMATS)("the main entry has everything of %s, the very same objects", async (entry) => {
    const source = `
      ${load(specifier(""), "main")}
      ${load(specifier(entry))}
      console.log(Object.keys(entry).filter((name) => name !== "default" && main[name] !== entry[name]).join() || "all");`;
    expect(await output(`same-${entry}.${extension}`, source)).toBe("all\n");
  });

  test("every entry has the same TuskError", () => {
    const names = ENTRIES.map((_, i) => `entry${i}`);
    const source = `
      ${ENTRIES.map((entry, i) => load(specifier(entry), names[i])).join("\n")}
      const classes = new Set([${names.map((name) => `${name}.TuskError`)}]);
      console.log(classes.size, [...classes].map((type) => type.name).join());
      const failures = [
        () => main.createElephantSync().read(new Uint8Array()),
        () => main.readDs(""),
        () => main.readEnigma(new Uint8Array()),
        () => main.readIntrospection(""),
        () => files.loadSaveSync("nothing.dat"),
      ];
      for (const fail of failures)
        try { fail(); } catch (error) { console.log(error.format, error instanceof main.TuskError); }`
      .replaceAll("main.", `entry${ENTRIES.indexOf("")}.`)
      .replaceAll("files.", `entry${ENTRIES.indexOf("node")}.`);
    expect(project.run(`errors.${extension}`, source)).toBe(
      "1 TuskError\nelephant true\nds true\nenigma true\nintrospection true\ntusk true\n",
    );
  });

  test.each(FORMATS)("%s loads no code of another format", (format) => {
    project.write(
      "record.mjs",
      `import { writeSync } from "node:fs";
      export async function load(url, context, next) {
        if (url.includes("/${manifest.name}/dist/")) writeSync(1, url.split("/dist/")[1] + "\\n");
        return next(url, context);
      }`,
    );
    const listed =
      system === "ESM"
        ? `import { register } from "node:module"; register("./record.mjs", import.meta.url); await import("${specifier(format)}");`
        : `require("${specifier(format)}"); for (const path of Object.keys(require.cache)) { const file = path.replaceAll("\\\\", "/").split("/dist/")[1]; if (file && path.includes("${manifest.name}")) console.log(file); }`;
    const loaded = project.run(`loaded-${format}.${extension}`, listed).trim().split("\n");
    expect(loaded).toContain(`${format}.${extension}`);
    // The comments of the build name the source of every part.
    const folders = loaded.flatMap((file) => {
      const code = readFileSync(join(project.folder, "node_modules", manifest.name, "dist", file), "utf8");
      return [...code.matchAll(/^\/\/#region src\/([\w-]+)/gm)].map((match) => match[1]);
    });
    expect(folders).toContain(format);
    expect(folders.filter((folder) => folder !== format && ENTRIES.includes(folder))).toEqual([]);
  });

  test("importing changes no global", () => {
    const asImport = system === "ESM" ? "await import" : "require";
    const source = `
      const before = Object.getOwnPropertyNames(globalThis);
      const members = (one) => Reflect.ownKeys(one).map((key) => [key, Object.getOwnPropertyDescriptor(one, key)]);
      const types = [Object, Array, Uint8Array, Function, String, Promise, Math, JSON];
      const ofTypes = () => types.flatMap((type) => [type, type.prototype ?? {}]).flatMap(members);
      const isSame = ([key, one], [other, now]) =>
        key === other && ["value", "get", "set"].every((part) => Object.is(one[part], now[part]));
      const then = ofTypes();
      ${ENTRIES.map((entry) => `${asImport}("${specifier(entry)}");`).join("\n")}
      const added = Object.getOwnPropertyNames(globalThis).filter((name) => !before.includes(name));
      const now = ofTypes();
      console.log(JSON.stringify([added, now.length === then.length && then.every((one, i) => isSame(one, now[i]))]));`;
    expect(project.run(`globals.${extension}`, source)).toBe("[[],true]\n");
  });

  test("tusk.wasm is found, and createElephant takes its bytes", () => {
    const find = system === "ESM" ? `new URL(import.meta.resolve("tusk-codec/tusk.wasm"))` : `require.resolve("tusk-codec/tusk.wasm")`;
    const asImport = system === "ESM" ? "await import" : "require";
    const source = `
      ${load(specifier("elephant"))}
      const { readFileSync } = ${asImport}("node:fs");
      const bytes = readFileSync(${find});
      const compiled = new WebAssembly.Module(bytes);
      for (const wasm of [bytes, compiled]) {
        const elephant = entry.createElephantSync({ wasm, engine: "wasm" });
        console.log(elephant.engine, elephant.read(elephant.write({ n: 1 })).n);
      }
      try { entry.createElephantSync({ wasm: bytes.subarray(0, 100) }); } catch (error) { console.log(error.code); }`;
    expect(project.run(`wasm.${extension}`, source)).toBe("wasm 1\nwasm 1\nengine\n");
  });
});

describe("tusk", () => {
  // On Windows that is a script of the shell.
  const program = WINDOWS ? join("node_modules", manifest.name, "dist", "tusk.mjs") : join("node_modules", ".bin", "tusk");
  const tusk = (...args: string[]) => project.node(program, ...args);

  test("the installed program knows its version and its commands", () => {
    expect(tusk("--version")).toBe(`${manifest.version}\n`);
    expect(tusk("--help")).toContain("tusk decode");
  });

  test("it decodes what the installed codec writes, and encodes it to the same bytes", () => {
    project.run(
      "write-save.mjs",
      `import { createElephantSync } from "tusk-codec"; import { writeFileSync } from "node:fs"; writeFileSync("slot1.dat", createElephantSync().write({ hp: 80 }));`,
    );
    expect(tusk("decode", "slot1.dat", "slot1.json")).toBe("");
    expect(tusk("encode", "slot1.json", "slot2.dat")).toBe("");
    expect(readFileSync(join(project.folder, "slot2.dat"))).toEqual(readFileSync(join(project.folder, "slot1.dat")));
  });
});
