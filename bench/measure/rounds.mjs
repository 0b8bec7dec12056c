// One corpus in a process of its own: every candidate once per round, in a new order each time, the collector run in between.
// Called by run.mjs: `node --expose-gc rounds.mjs <job as JSON>`; writes its result to the job's file.
import { writeFileSync } from "node:fs";
import { CANDIDATES, prepare, REFERENCE } from "../candidates/candidates.mjs";
import { rng } from "../corpora.mjs";
import { allCorpora } from "../corpus-list.mjs";
import { summary } from "../statistics.mjs";

const job = JSON.parse(process.argv[2]);
/** A sample should last this long at least; shorter calls are repeated within it. */
const MIN_SAMPLE_MS = 4;
const WARM_UP = job.rounds < 8 ? 2 : 4;

function shuffle(list, random) {
  for (let i = list.length - 1; i > 0; i--) {
    const j = (random() * (i + 1)) | 0;
    [list[i], list[j]] = [list[j], list[i]];
  }
  return list;
}

/** Keeps a result alive while it is timed, as a program would. */
export let sink;
function sample(run, repeats) {
  sink = undefined;
  globalThis.gc();
  const start = performance.now();
  for (let i = 0; i < repeats; i++) sink = run();
  return (performance.now() - start) / repeats;
}

function measure(operation, prepared) {
  const entries = prepared.filter((p) => p.run?.[operation] !== undefined);
  const reference = entries.find((p) => p.name === REFERENCE) ?? entries.find((p) => p.name.startsWith(REFERENCE));
  if (reference === undefined) return undefined;
  for (const { run } of entries) for (let i = 0; i < WARM_UP; i++) sample(run[operation], 1);
  const repeats = Math.max(1, Math.ceil(MIN_SAMPLE_MS / sample(reference.run[operation], 1)));
  const samples = new Map(entries.map((p) => [p.name, []]));
  const random = rng(job.rounds);
  for (let round = 0; round < job.rounds; round++) {
    for (const { name, run } of shuffle([...entries], random)) samples.get(name).push(sample(run[operation], repeats));
  }
  const base = samples.get(reference.name);
  const results = entries.map(({ name, bytes }) => {
    const ms = samples.get(name);
    return { name, bytes, ms: summary(ms), ratio: summary(ms.map((t, i) => t / base[i])), samples: ms };
  });
  return { operation, reference: reference.name, repeats, results };
}

const corpus = (await allCorpora()).find((c) => c.name === job.corpus);
const loaded = { ...corpus, ...corpus.load(job.scale) };
const wanted = CANDIDATES.filter((c) => job.only === null || c.name === REFERENCE || job.only.some((name) => c.name.includes(name)));
const prepared = [];
for (const candidate of wanted)
  prepared.push({ name: candidate.name, loses: candidate.loses, ...(await prepare(candidate, loaded, job.operations)) });
const operations = job.operations.map((operation) => measure(operation, prepared)).filter((o) => o !== undefined);
const skipped = prepared.filter((p) => p.skipped !== undefined).map(({ name, skipped }) => ({ name, skipped }));
const loses = Object.fromEntries(prepared.map(({ name, loses }) => [name, loses]));
writeFileSync(job.file, JSON.stringify({ corpus: corpus.name, title: corpus.title, scale: job.scale, operations, skipped, loses }));
