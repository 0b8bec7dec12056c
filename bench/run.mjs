// The benchmark: `node bench/run.mjs [--quick]`; see --help. Each part runs in processes of its own, one after the other.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { tuskIsBuilt } from "./candidates/tusk.mjs";
import { allCorpora, SYNTHETIC_NAMES } from "./corpus-list.mjs";
import { renderMarkdown } from "./report.mjs";
import { summary } from "./statistics.mjs";

const HELP = `node bench/run.mjs [options]
  --corpus a,b     corpora (default: all; --quick: the synthetic ones at a tenth of their size)
  --op a,b         decode, encode, duplicate, export (default: decode,encode,duplicate; all: every one)
  --only a,b       candidates whose name contains one of these; strong-js always takes part
  --rounds N       rounds per corpus and operation (default 15, quick 5)
  --mutator        a young generation of 256 MB, so that the codec and not the collector is measured
  --no-extras      leave out small saves, first calls and memory
  --json FILE      where the raw results go (default bench/results/latest.json)
  --quick          everything small, under a minute`;

const here = dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({
  options: {
    corpus: { type: "string" },
    op: { type: "string" },
    only: { type: "string" },
    rounds: { type: "string" },
    mutator: { type: "boolean", default: false },
    extras: { type: "boolean", default: true },
    json: { type: "string", default: join(here, "results/latest.json") },
    quick: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
  allowNegative: true,
});
if (options.help) {
  console.log(HELP);
  process.exit(0);
}

const list = (text) => text.split(",").map((s) => s.trim());
const OPERATIONS = ["decode", "encode", "duplicate", "export"];
const operations = options.op === undefined ? OPERATIONS.slice(0, 3) : options.op === "all" ? OPERATIONS : list(options.op);
const known = (await allCorpora()).map((c) => c.name);
const chosen = options.corpus === undefined || options.corpus === "all" ? (options.quick ? SYNTHETIC_NAMES : known) : list(options.corpus);
for (const name of chosen) if (!known.includes(name)) throw new Error(`no corpus ${name}; there are ${known.join(", ")}`);
const rounds = Number(options.rounds ?? (options.quick ? 5 : 15));
const scale = options.quick ? 0.1 : 1;
const only = options.only === undefined ? null : list(options.only);

const folder = mkdtempSync(join(tmpdir(), "tusk-bench-"));

/** Runs a measuring script in a fresh process and returns what it wrote; undefined when it failed. */
function child(script, job, flags = []) {
  const file = join(folder, "result.json");
  rmSync(file, { force: true });
  const { status } = spawnSync(
    process.execPath,
    ["--expose-gc", ...flags, join(here, "measure", script), JSON.stringify({ ...job, file })],
    {
      stdio: ["ignore", "inherit", "inherit"],
    },
  );
  return status === 0 ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

const machine = {
  node: process.version,
  v8: process.versions.v8,
  platform: `${process.platform} ${process.arch}`,
  cpu: cpus()[0]?.model,
  cores: cpus().length,
};
const report = { date: new Date().toISOString(), machine, rounds, scale, mutator: options.mutator, corpora: [] };
if (!tuskIsBuilt) console.error("dist/elephant.mjs is missing: run `npm run build` first. The other candidates are measured.");

const flags = options.mutator ? ["--max-semi-space-size=256"] : [];
for (const corpus of chosen) {
  console.error(`rounds: ${corpus}`);
  const result = child("rounds.mjs", { corpus, operations, only, rounds, scale }, flags);
  if (result === undefined) process.exitCode = 1;
  else report.corpora.push(result);
}

if (options.extras) {
  console.error("small saves");
  report.small = child("small-save.mjs", { quick: options.quick });
  report.first = [];
  const candidates = ["tusk", "tusk js engine", "strong-js", "plain-js", "JSON", "v8.serialize", "msgpackr records"].filter(
    (name) => tuskIsBuilt || !name.startsWith("tusk"),
  );
  const samples = options.quick ? 1 : 7;
  for (const corpus of chosen.filter((name) => name === "rpg" || name === "schema" || name === "tiles")) {
    if (options.quick && corpus !== "rpg") continue;
    console.error(`first calls: ${corpus}`);
    const inputs = child("encode-inputs.mjs", { corpus, scale, candidates, folder }) ?? [];
    for (const operation of ["decode", "encode"]) {
      for (const { name, input, text } of inputs) {
        const runs = [];
        for (let i = 0; i < samples; i++) {
          const run = child("first-call.mjs", { corpus, scale, candidate: name, operation, input, text });
          if (run !== undefined) runs.push(run);
        }
        if (runs.length === 0) continue;
        const keys = ["createMs", "firstMs", "secondMs", "peakBytes", "heapBytes", "externalBytes", "wasmBytes"];
        report.first.push({ corpus, operation, name, ...Object.fromEntries(keys.map((key) => [key, summary(runs.map((r) => r[key]))])) });
      }
    }
  }
}

rmSync(folder, { recursive: true });
mkdirSync(dirname(options.json), { recursive: true });
writeFileSync(options.json, `${JSON.stringify(report, null, 1)}\n`);
console.log(renderMarkdown(report));
