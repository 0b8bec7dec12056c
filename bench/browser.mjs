// The benchmark in Chromium: `node bench/browser.mjs [--quick]`; see --help. The method is that of run.mjs, pages take the place of processes.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findChromium } from "../scripts/chromium.mjs";
import { renderBesideNode, unlike } from "./browser-report.mjs";
import { OPERATIONS, REFERENCE } from "./candidates/candidates.mjs";
import { circumstances } from "./circumstances.mjs";
import { candidatesOf, chosenOf, nowhereMeasured, optionsOf, resultsFile, roundsOf } from "./command-line.mjs";
import { failuresIn } from "./completeness.mjs";
import { measureCorpus, PAIRED } from "./conductor.mjs";
import { browserParticipants } from "./measure/browser-participants.mjs";
import { PUBLIC_CORPORA } from "./public-data.mjs";
import { renderMarkdown } from "./report.mjs";
import { SMALL_CORPUS, SYNTHETIC_CORPORA } from "./synthetic-corpora.mjs";

const HELP = `node bench/browser.mjs [options]
  --corpus a,b     corpora (default: all but the golden vectors; --quick: the synthetic ones at a tenth of their size, and the small save)
  --op a,b         ${OPERATIONS.join(", ")} (default: decode, encode)
  --only a,b       candidates, as in run.mjs; what only Node has is left out
  --rounds N       most rounds per corpus and operation; by themselves, Tusk and bestjs take up to ${PAIRED} times as many (default 11, quick 5)
  --json FILE      where the raw results go (default: bench/results/browser.json for a full run, else build/benchmark-browser.json);
                   until the end they are in build/benchmark-browser-KIND-unfinished.json (full, partial, quick), with --json
                   beside FILE
  --quick          everything small
Corpora and operations can also be "all".
The browser is the system's Chromium or Chrome, or that of $CHROMIUM.`;

const here = fileURLToPath(new URL(".", import.meta.url));
const options = optionsOf(
  {
    corpus: { type: "string" },
    op: { type: "string" },
    only: { type: "string" },
    rounds: { type: "string" },
    json: { type: "string" },
    quick: { type: "boolean", default: false },
  },
  HELP,
);

const executablePath = findChromium();
if (executablePath === undefined) {
  console.log(
    "SKIPPED: no Chromium was found, nothing was measured in a browser. Install one (apt-get install chromium) or name it by $CHROMIUM.",
  );
  process.exit(0);
}
const playwright = await import("playwright-core").catch(() => undefined);
if (playwright === undefined) {
  console.log(
    "SKIPPED: the package playwright-core is missing, nothing was measured in a browser. Run npm ci (or npm install --no-save playwright-core).",
  );
  process.exit(0);
}

const corpora = [...SYNTHETIC_CORPORA, ...PUBLIC_CORPORA, SMALL_CORPUS];
const names = corpora.map((c) => c.name);
const { quick } = options;
const wanted = chosenOf("corpus", options.corpus ?? "all", names);
const chosen = corpora.filter((c) => wanted.includes(c.name) && (options.corpus !== undefined || !quick || !c.public));
const candidates = candidatesOf(options.only).filter((c) => !c.nodeOnly);
const rounds = roundsOf(options.rounds);
const partial = quick || ["corpus", "op", "only", "rounds"].some((name) => options[name] !== undefined);
const { file, save, finish } = resultsFile({
  given: options.json,
  usual: join(here, partial ? "../build/benchmark-browser.json" : "results/browser.json"),
  kept: join(here, "../build/benchmark-browser"),
  kind: quick ? "quick" : partial ? "partial" : "full",
});
const effort = {
  operations: options.op === undefined ? ["decode", "encode"] : chosenOf("operation", options.op, OPERATIONS),
  scale: quick ? 0.1 : 1,
  reference: REFERENCE,
  contenders: ["tusk", "limit: by hand"],
  rounds: rounds ?? (quick ? 5 : 11),
  minRounds: Math.min(rounds ?? 5, 5),
  budgetMs: quick ? 600 : 4000,
  warmRuns: 1,
  warmMs: quick ? 50 : 150,
  settleSamples: 30,
  settleMs: quick ? 50 : 750,
};

const started = performance.now();
const progress = (text) => console.error(`${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s  ${text}`);
const place = await browserParticipants(playwright.chromium, executablePath);
const report = {
  ...circumstances(),
  browser: `Chromium ${place.version}`,
  rounds: effort.rounds,
  scale: effort.scale,
  quick,
  complete: false,
  candidates: candidates.map(({ name, loses, floor }) => ({ name, loses, ...(floor ? { floor } : {}) })),
  corpora: [],
};
try {
  for (const corpus of chosen) {
    progress(corpus.name);
    report.corpora.push(await measureCorpus(place, corpus, candidates, effort));
    save(report);
  }
} finally {
  await place.close();
}
report.complete = !partial;
finish(report);
console.log(renderMarkdown(report));
for (const line of failuresIn(report)) {
  console.error(line);
  process.exitCode = 1;
}
for (const line of options.only === undefined ? [] : nowhereMeasured(candidates, report.corpora)) console.error(line);
let node;
try {
  node = JSON.parse(readFileSync(join(here, quick ? "../build/benchmark.json" : "results/latest.json"), "utf8"));
} catch {
  console.error("no results of Node to set beside these: npm run bench");
}
const reason = node === undefined ? undefined : unlike(node, report);
if (reason !== undefined) console.error(`no results of Node are set beside these: ${reason}`);
else if (node !== undefined) console.log(`\n## Beside Node\n\n${renderBesideNode(node, report)}`);
console.error(`${report.seconds} s; raw results: ${file}`);
