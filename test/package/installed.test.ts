// The published package, imported as a user would: both module systems, every entry, types for either way of resolving.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createProject, ENTRIES, manifest, type Project, ROOT, specifier } from "./installed.ts";

let project: Project;
beforeAll(() => {
  project = createProject();
}, 60_000);
afterAll(() => project.remove());

/** Where code of the entry comes from: the line that imports it as `entry`. */
const SYSTEMS = [
  { system: "ESM", extension: "mjs", load: (from: string) => `import * as entry from "${from}";` },
  { system: "CommonJS", extension: "cjs", load: (from: string) => `const entry = require("${from}");` },
];

/** A round trip for each format, by what its entry exports. Prints "same" when the value came back. */
const ROUND_TRIPS: Record<string, string> = {
  elephant: `
    class Hero { name = ""; hp = 0; static [entry.SCHEMA] = { v1: { name: "string", hp: "u16" } }; }
    const elephant = entry.createElephantSync({ constructors: { Hero } });
    const hero = Object.assign(new Hero(), { name: "Ælfric", hp: 300 });
    const world = { hero, team: [hero], gold: 2n ** 40n };
    const back = elephant.read(elephant.write(world));
    if (back.team[0] !== back.hero || !(back.hero instanceof Hero) || back.hero.hp !== 300 || back.hero.name !== "Ælfric" || back.gold !== 2n ** 40n) throw new Error("not the same");
    console.log("same", elephant.engine);`,
};

test("the tarball holds the built package, its documents and nothing else", () => {
  for (const file of project.files)
    expect(file).toMatch(/^(dist\/[\w.-]+\.(mjs|cjs|d\.mts|d\.cts|wasm)|package\.json|README\.md|CHANGELOG\.md|LICENSE)$/);
  expect(project.files).toContain("LICENSE");
  expect(project.files).toContain("README.md");
});

test("every path of the exports is in the tarball", () => {
  const targets = Object.values(manifest.exports).flatMap((target) =>
    typeof target === "string" ? [target] : Object.values(target).flatMap(({ types, default: code }) => [types, code]),
  );
  for (const target of targets) expect(existsSync(join(project.folder, "node_modules", manifest.name, target)), target).toBe(true);
});

describe.each(SYSTEMS)("$system", ({ system, extension, load }) => {
  test.each(Object.keys(ROUND_TRIPS))("a round trip by tusk-codec/%s", (format) => {
    expect(project.run(`${format}.${extension}`, load(specifier(format)) + ROUND_TRIPS[format])).toBe("same wasm\n");
  });

  test.each(Object.keys(ROUND_TRIPS))("a round trip of %s by the main entry", (format) => {
    expect(project.run(`${format}-main.${extension}`, load(specifier("")) + ROUND_TRIPS[format])).toBe("same wasm\n");
  });

  test.each(ENTRIES.filter((entry) => entry in ROUND_TRIPS))("the main entry has everything of %s, the very same objects", (entry) => {
    const source = `
      ${load(specifier("")).replace("entry", "main")}
      ${load(specifier(entry))}
      console.log(Object.keys(entry).filter((name) => name !== "default" && main[name] !== entry[name]).join() || "all");`;
    expect(project.run(`same-${entry}.${extension}`, source)).toBe("all\n");
  });

  test("importing changes no global", () => {
    const asImport = system === "ESM" ? "await import" : "require";
    const source = `
      const before = Object.getOwnPropertyNames(globalThis);
      const prototypes = () => [Object, Array, Uint8Array, Function].map((type) => Object.getOwnPropertyNames(type.prototype).join()).join();
      const shapes = prototypes();
      ${ENTRIES.map((entry) => `${asImport}("${specifier(entry)}");`).join("\n")}
      const added = Object.getOwnPropertyNames(globalThis).filter((name) => !before.includes(name));
      console.log(JSON.stringify([added, prototypes() === shapes]));`;
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

/** What a TypeScript user writes. Each `@ts-expect-error` fails when the types let the mistake pass. */
const TYPED = `
import { createElephantSync, SCHEMA, POST_READ, TuskError, FORCE_VERSION, type CallbackContext, type Elephant, type ElephantSchema, type Release } from "tusk-codec";
import { createElephant, type WriteOptions } from "tusk-codec/elephant";

class Hero {
  name = "";
  hp = 0;
  static [SCHEMA] = { [FORCE_VERSION]: 1, v1: { name: "string", hp: "u16" } } satisfies ElephantSchema;
  [POST_READ]({ schemaVersion }: CallbackContext): void {
    this.hp += schemaVersion;
  }
}
const codec: Elephant = createElephantSync({ constructors: { Hero, Item: { v1: { sku: "u16" } } }, limits: { maxDepth: 10 } });
const bytes: Uint8Array = codec.write({ hero: new Hero() });
const hero: Hero = codec.read<{ hero: Hero }>(bytes).hero;
const { end, release }: { end: number; release: Release } = codec.readAt(bytes, 0);
const options: WriteOptions = { diffsOnly: true, release: "1.5.0" };
export const all = [hero, end, release, codec.write(1, options), createElephant().then((later) => later.engine)];
export const failed = (error: unknown): string => (error instanceof TuskError ? error.code : "");
// @ts-expect-error: 1.3.0 is read only
codec.write(1, { release: "1.3.0" });
// @ts-expect-error: no such datatype
export const wrong = { v1: { hp: "u24" } } satisfies ElephantSchema;
// @ts-expect-error: what a save holds is unknown until the caller says so
codec.read(bytes).hero;
`;

describe("types", () => {
  const tsc = (name: string, options: Record<string, string>) => {
    const args = [
      "--noEmit",
      "--strict",
      "--target",
      "es2022",
      ...Object.entries(options).flatMap(([option, value]) => [`--${option}`, value]),
      name,
    ];
    try {
      return execFileSync(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), ...args], {
        cwd: project.folder,
        encoding: "utf8",
      });
    } catch (error) {
      return (error as { stdout: string }).stdout;
    }
  };

  test.each([
    ["NodeNext, ESM", "user.mts", { module: "nodenext" }],
    ["NodeNext, CommonJS", "user.cts", { module: "nodenext" }],
    ["Bundler", "user-bundled.ts", { module: "esnext", moduleResolution: "bundler" }],
  ])(
    "%s: what a user writes is checked",
    (_, name, options) => {
      project.write(name, TYPED);
      expect(tsc(name, options)).toBe("");
    },
    60_000,
  );
});
