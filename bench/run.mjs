// The benchmark: `node bench/run.mjs [--quick]`; see --help.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { OPERATIONS, REFERENCE } from "./candidates/candidates.mjs";
import { circumstances } from "./circumstances.mjs";
import { candidatesOf, chosenOf, nowhereMeasured, optionsOf, refuse, resultsFile, roundsOf } from "./command-line.mjs";
import { failuresIn, mustNotFail } from "./completeness.mjs";
import { measureCorpus, PAIRED, SETS } from "./conductor.mjs";
import { allCorpora } from "./corpus-list.mjs";
import { FIRST_CORPORA } from "./goal-list.mjs";
import { MUTATOR_FLAGS } from "./heap-modes.mjs";
import { nodeParticipants, participantsOfOneProcess } from "./measure/node-participants.mjs";
import { hugePages, pageMicroseconds } from "./page-cost.mjs";
import { renderMarkdown } from "./report.mjs";
import { summary } from "./statistics.mjs";
import { SYNTHETIC_CORPORA } from "./synthetic-corpora.mjs";

const HELP = `node bench/run.mjs [options]
  --corpus a,b     corpora (default: all; --quick: the synthetic ones at a tenth of their size, and the small save)
  --op a,b         ${OPERATIONS.join(", ")} (default: decode, encode; duplicate of the synthetic corpora (not --quick) and the small save; the two of export strings on a few)
  --only a,b       candidates: whole names, or parts of names; bestjs means strong-js, which always takes part
  --rounds N       most rounds per corpus and operation; by themselves, Tusk and bestjs take up to ${PAIRED} times as many,
                   with ${SETS} sets of processes one after the other (default 15; quick 5, one set)
  --mutator        every process with a young generation of 256 MB, so that the codec and not the collector is measured
                   (a full run has a section of it for the main candidates anyway)
  --no-extras      leave out the sections with a large young generation and in one process, first calls, memory and guarantees
  --long           also write and read a save of 500 MB (bench/results/large.json)
  --json FILE      where the raw results go (default: bench/results/latest.json for a full run with nothing left out, else
                   build/benchmark.json); until the end they are in build/benchmark-KIND-unfinished.json (full, partial, mutator,
                   quick), with --json beside FILE
  --quick          everything small, under a minute
Corpora and operations can also be "all".
Numbers in the documents come from bench/results/: npm run bench:readme.`;

const here = fileURLToPath(new URL(".", import.meta.url));
const options = optionsOf(
  {
    corpus: { type: "string" },
    op: { type: "string" },
    only: { type: "string" },
    rounds: { type: "string" },
    mutator: { type: "boolean", default: false },
    extras: { type: "boolean", default: true },
    long: { type: "boolean", default: false },
    json: { type: "string" },
    quick: { type: "boolean", default: false },
  },
  HELP,
);
if (!existsSync(join(here, "../dist/elephant.mjs"))) refuse("dist/elephant.mjs is missing: run `npm run build` first.");

const { quick } = options;
const corpora = await allCorpora();
const known = corpora.map((c) => c.name);
/** What the documents are not written from. */
const partial = ["corpus", "op", "only", "rounds"].some((name) => options[name] !== undefined) || !options.extras;
const chosen = chosenOf("corpus", options.corpus ?? (quick ? [...SYNTHETIC_CORPORA.map((c) => c.name), "small"].join() : "all"), known);
const operations = options.op === undefined ? undefined : chosenOf("operation", options.op, OPERATIONS);
const scale = quick ? 0.1 : 1;

/** Export strings cost their compression, whatever the corpus; a few say it all. */
const EXPORTED = quick ? ["small"] : ["small", "countries", "emoji"];
/** Copies of graphs in memory: the synthetic corpora and the small save, in a quick run that alone. */
const duplicated = (corpus) => (SYNTHETIC_CORPORA.includes(corpus) && !quick) || corpus.name === "small";
/** In a quick run the contenders, one of each kind. */
const QUICK = ["tusk", "tusk js engine", "strong-js", "plain-js", "JSON", "v8.serialize", "structuredClone", "msgpackr records"];
const MAIN = [
  "tusk",
  "strong-js",
  "JSON",
  "msgpackr records",
  "msgpackr structuredClone",
  "floor: allocation",
  "floor: allocation, fresh strings",
  "limit: by hand",
];
/** In one process: the opponents of the goals, and what bounds them. */
const TOGETHER = [
  "tusk",
  "strong-js",
  "JSON",
  "msgpackr structuredClone",
  "floor: allocation, fresh strings",
  "strong-js, no identity",
  "limit: by hand",
];
const FIRST_CALLS = {
  corpora: quick ? ["small"] : FIRST_CORPORA,
  candidates: quick
    ? ["tusk", "strong-js", "JSON"]
    : ["tusk", "tusk js engine", "strong-js", "plain-js", "JSON", "v8.serialize", "msgpackr records"],
  samples: quick ? 3 : 5,
  /** The contenders of the goal: single calls differ by a fifth. */
  contenders: ["tusk", "strong-js"],
  contenderSamples: quick ? 3 : 15,
};

const rounds = roundsOf(options.rounds);
const effort = {
  scale,
  reference: REFERENCE,
  contenders: ["tusk", "limit: by hand"],
  sets: quick ? 1 : SETS,
  rounds: rounds ?? (quick ? 5 : 15),
  minRounds: Math.min(rounds ?? 5, 5),
  budgetMs: quick ? 250 : 5000,
  warmRuns: 1,
  warmMs: quick ? 50 : 150,
  settleSamples: 40,
  settleMs: quick ? 50 : 4000,
};
const candidates = candidatesOf(options.only, quick ? [...QUICK, "strong-js + "] : null);
const built = join(here, "../build");
const kind = quick ? "quick" : options.mutator ? "mutator" : partial ? "partial" : "full";
const { file, save, finish } = resultsFile({
  given: options.json,
  usual: kind === "full" ? join(here, "results/latest.json") : join(built, "benchmark.json"),
  kept: join(built, "benchmark"),
  kind,
});
const folder = mkdtempSync(join(tmpdir(), "tusk-bench-"));
process.on("exit", () => rmSync(folder, { recursive: true }));
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
const flags = options.mutator ? MUTATOR_FLAGS : [];
/** Those of the operations that also the sections beside the main one measure. */
const both = (operations ?? ["decode", "encode"]).filter((operation) => operation === "decode" || operation === "encode");

/** Runs a measuring script in a fresh process and returns what it wrote; undefined when it failed. */
function child(script, job, flags) {
  const answer = join(folder, "result.json");
  rmSync(answer, { force: true });
  const { status } = spawnSync(process.execPath, [...flags, join(here, "measure", script), JSON.stringify({ ...job, file: answer })], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  return status === 0 && existsSync(answer) ? JSON.parse(readFileSync(answer, "utf8")) : undefined;
}

/** First calls, memory and the time to make a codec: each sample a process of its own, the candidates by turns. Who fails in one has no figure. */
function firstCalls() {
  const results = [];
  const wanted = FIRST_CALLS.candidates.filter((name) => candidates.some((c) => c.name === name));
  for (const corpus of FIRST_CALLS.corpora.filter((name) => chosen.includes(name))) {
    progress(`first calls: ${corpus}`);
    const inputs = child("encode-inputs.mjs", { corpus, scale, candidates: wanted, folder }, []);
    if (inputs === undefined) {
      report.failed.push(`first calls of ${corpus}: there is nothing to be read`);
      continue;
    }
    for (const operation of both) {
      const runs = new Map(inputs.map(({ name }) => [name, []]));
      for (let i = 0; i < FIRST_CALLS.contenderSamples; i++) {
        for (const { name, input, text } of inputs) {
          if (!runs.has(name) || (i >= FIRST_CALLS.samples && !FIRST_CALLS.contenders.includes(name))) continue;
          const run = child("first-call.mjs", { corpus, scale, candidate: name, operation, input, text }, ["--expose-gc", ...flags]);
          if (run !== undefined) runs.get(name).push(run);
          else {
            runs.delete(name);
            const line = `first ${operation} of ${corpus}: ${name} failed in process ${i + 1}`;
            if (mustNotFail(name)) report.failed.push(line);
            else progress(line);
          }
        }
      }
      for (const [name, samples] of runs) {
        const keys = Object.keys(samples[0]);
        results.push({ corpus, operation, name, ...Object.fromEntries(keys.map((key) => [key, summary(samples.map((s) => s[key]))])) });
      }
    }
  }
  return results;
}

const started = performance.now();
function progress(text) {
  console.error(`${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s  ${text}`);
}

const { machine, ...where } = circumstances();
const report = {
  ...where,
  machine: { ...machine, pageMicroseconds: pageMicroseconds(), hugePages: hugePages() },
  rounds: effort.rounds,
  sets: effort.sets,
  scale,
  quick,
  complete: false,
  failed: [],
  mutator: options.mutator,
  candidates: candidates.map(({ name, loses, floor }) => ({ name, loses, ...(floor ? { floor } : {}) })),
  corpora: [],
};

for (const name of chosen) {
  progress(name);
  const corpus = corpora.find((c) => c.name === name);
  const exported = EXPORTED.includes(name) ? ["export", "import"] : [];
  const measured = operations ?? ["decode", "encode", ...(duplicated(corpus) ? ["duplicate"] : []), ...exported];
  const place = nodeParticipants(flags);
  report.corpora.push(await measureCorpus(place, corpus, candidates, { ...effort, operations: measured }));
  save(report);
}

if (options.extras) {
  if (!options.mutator && !quick) {
    const half = { ...effort, operations: both, sets: 1, rounds: Math.min(effort.rounds, 9), budgetMs: effort.budgetMs / 2 };
    /** The chosen ones of `corpora`, with the chosen ones of the candidates that `names` tells. */
    const section = async (title, corpora, names, place) => {
      const some = candidates.filter((c) => names.includes(c.name));
      const results = [];
      for (const corpus of corpora.filter((c) => chosen.includes(c.name) && both.length > 0)) {
        progress(`${corpus.name}, ${title}`);
        results.push(await measureCorpus(place(), corpus, some, half));
        save(report);
      }
      return results;
    };
    report.mutatorCorpora = await section("young generation of 256 MB", SYNTHETIC_CORPORA, MAIN, () => nodeParticipants(MUTATOR_FLAGS));
    const withGoals = corpora.filter((c) => c.public || SYNTHETIC_CORPORA.includes(c));
    report.togetherCorpora = await section("in one process", withGoals, TOGETHER, participantsOfOneProcess);
  }
  report.first = firstCalls();
  if (!partial) {
    report.guarantees = child("guarantees.mjs", {}, ["--max-old-space-size=1000"]);
    if (report.guarantees === undefined) report.failed.push("what each candidate keeps: the trial failed");
  }
}
if (options.long) {
  progress("a save of 500 MB");
  const large = child("large-file.mjs", {}, ["--expose-gc", "--max-old-space-size=12000"]);
  if (large !== undefined) writeFileSync(join(here, "results/large.json"), `${JSON.stringify(large)}\n`);
  else process.exitCode = 1;
}

report.complete = kind === "full";
finish(report);
console.log(renderMarkdown(report));
for (const line of failuresIn(report)) {
  console.error(line);
  process.exitCode = 1;
}
for (const line of options.only === undefined ? [] : nowhereMeasured(candidates, report.corpora)) console.error(line);
console.error(`${report.seconds} s; raw results: ${file}`);
