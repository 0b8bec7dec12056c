// What each entry of the package adds to a page: `npm run size`. Bundled with everything that the entry exports, minified, compressed by gzip;
// the WebAssembly and its translation to JavaScript are in it, pako, which pages share, is not. Above a budget the exit status is 1.
// Below the entries: what one function of an entry brings along, when a bundler leaves out the rest. docs/performance.md has what was tried.
// "Published" is the same from the modules in dist/, which several entries share, so that a bundler leaves out a little less.
//   --parts   also which source files take the room
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { isProgram } from "./is-program.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

const { exports, dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/**
 * Kilobytes (1000 bytes) after gzip: `budget` is what has been reached, and an entry may not grow above it unnoticed; `wanted` is the aim that the
 * project set itself.
 */
const BUDGETS = {
  ".": { budget: 129.2, wanted: 32 },
  "./elephant": { budget: 71.6, wanted: 20 },
  "./ds": { budget: 12, wanted: 12 },
  "./enigma": { budget: 36.8, wanted: 32 },
  "./introspection": { budget: 12.9, wanted: 32 },
  "./worker": { budget: 121.3, wanted: 32 },
  "./node": { budget: 4.7, wanted: 32 },
};

/** What a page typically takes. */
const IMPORTS = [
  ["./elephant", "createElephant"],
  ["./ds", "readDs"],
  ["./ds", "writeDs"],
  ["./enigma", "readEnigma"],
  ["./introspection", "readIntrospection"],
  ["./worker", "createTuskWorker"],
  [".", "detect"],
];

/** Entries of the package that nobody has set a budget for. */
export const withoutBudget = Object.keys(exports).filter((entry) => typeof exports[entry] === "object" && !(entry in BUDGETS));

const gzip = (text) => gzipSync(text, { level: 9 }).length;

const sourceOf = (entry) => join(root, "src", entry.slice(2), "index.ts");
const publishedOf = (entry) => join(root, exports[entry].import.default);

/** The chunk of one entry, or of what it exports as `name`, from this module; `minify` as rolldown takes it. */
async function chunk(source, minify, name) {
  const page = join(root, "page.mjs");
  const build = await rolldown({
    input: page,
    plugins: [
      {
        name: "page",
        resolveId: (id) => (id === page ? page : null),
        load: (id) => (id === page ? `export ${name ? `{ ${name} }` : "*"} from ${JSON.stringify(source)};` : null),
      },
    ],
    platform: "neutral",
    external: [/^node:/, ...Object.keys(dependencies)],
    logLevel: "silent",
  });
  const { output } = await build.generate({ format: "esm", minify, codeSplitting: false, comments: { legal: false } });
  await build.close();
  return output[0];
}

/** Bytes of one entry, or of one of its exports, minified and compressed. */
export async function sizeOf(entry, name) {
  const { code } = await chunk(sourceOf(entry), true, name);
  return { minified: Buffer.byteLength(code), gzip: gzip(code) };
}

/** The compressed ones, of what was built; undefined when it was not. */
export async function publishedSizeOf(entry, name) {
  const path = publishedOf(entry);
  return existsSync(path) ? gzip((await chunk(path, true, name)).code) : undefined;
}

/** `[entry, { minified, gzip, budget, wanted }]` for every entry that has a budget. */
export function measure() {
  return Promise.all(Object.entries(BUDGETS).map(async ([entry, budget]) => [entry, { ...(await sizeOf(entry)), ...budget }]));
}

/** Source files of an entry by size. Each is minified alone, so that together they are larger than the bundle. */
async function parts(entry) {
  const { modules } = await chunk(sourceOf(entry), "dce-only");
  const { minify } = await import("rolldown/experimental");
  const rows = [];
  for (const [path, { code }] of Object.entries(modules)) {
    if (!code) continue;
    const minified = (await minify(path, code, { compress: true, mangle: { toplevel: true } })).code;
    rows.push([path.replace(root, ""), Buffer.byteLength(minified), gzip(minified)]);
  }
  return rows.sort((a, b) => b[2] - a[2]);
}

if (isProgram(import.meta.url)) {
  const kilobytes = (bytes) => (bytes === undefined ? "-" : (bytes / 1000).toFixed(1)).padStart(8);
  console.log(`${"entry".padEnd(20)}minified    gzip  budget  wanted  published (KB)`);
  for (const [entry, { minified, gzip: compressed, budget, wanted }] of await measure()) {
    const over = Math.round(compressed / 100) / 10 > budget;
    if (over) process.exitCode = 1;
    const cells = [minified, compressed, budget * 1000, wanted * 1000].map(kilobytes).join("");
    console.log(`${entry.padEnd(20)}${cells}   ${kilobytes(await publishedSizeOf(entry))}${over ? "   above its budget" : ""}`);
    if (process.argv.includes("--parts"))
      for (const [path, size, small] of await parts(entry)) console.log(`  ${path.padEnd(44)}${kilobytes(size)}${kilobytes(small)}`);
  }
  console.log(`\n${"only".padEnd(20)}minified    gzip  published (KB)`);
  for (const [entry, name] of IMPORTS) {
    const { minified, gzip: compressed } = await sizeOf(entry, name);
    console.log(`${name.padEnd(20)}${kilobytes(minified)}${kilobytes(compressed)}   ${kilobytes(await publishedSizeOf(entry, name))}`);
  }
}
