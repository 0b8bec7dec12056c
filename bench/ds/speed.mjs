// Decode and encode of ds strings against plain JavaScript, each corpus in processes of its own.
// `node bench/ds/speed.mjs`; see --help.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { circumstances } from "../circumstances.mjs";
import { chosenOf, optionsOf, roundsOf } from "../command-line.mjs";
import { quantile } from "../statistics.mjs";
import { bundle } from "./bundle.mjs";
import { corpora } from "./corpora.mjs";

const HELP = `node bench/ds/speed.mjs [options]
  --corpus LIST    ${Object.keys(corpora).join(", ")}; default all
  --rounds N       rounds of each in each of the processes (default 5)
  --json FILE      where the raw results go; a run of all corpora with all rounds goes to bench/results/ds.json if this is not given`;

const options = optionsOf({ corpus: { type: "string" }, rounds: { type: "string" }, json: { type: "string" } }, HELP);
const chosenRounds = roundsOf(options.rounds);
const rounds = chosenRounds ?? 5;
/** A corpus has so many processes: within its first reads an engine decides for good where it allocates what a read makes, and not each decides alike. */
const PROCESSES = 5;
const names = chosenOf("corpus", options.corpus ?? "all", Object.keys(corpora));
const whole = names.length === Object.keys(corpora).length && chosenRounds === undefined;
const file = options.json ?? (whole ? fileURLToPath(new URL("../results/ds.json", import.meta.url)) : undefined);

await bundle();
const folder = mkdtempSync(join(tmpdir(), "tusk-bench-ds-"));
/** What one process measures of a corpus, by operation. */
const samplesOf = (corpus, seed) => {
  const result = join(folder, "result.json");
  const script = fileURLToPath(new URL("measure.mjs", import.meta.url));
  const job = JSON.stringify({ corpus, rounds, seed, file: result });
  const { status } = spawnSync(process.execPath, [script, job, "--bundled"], { stdio: "inherit" });
  if (status !== 0) throw new Error(`${corpus} could not be measured`);
  return JSON.parse(readFileSync(result, "utf8"));
};
/** Medians over the rounds of all processes. */
const measure = (corpus) => {
  const processes = Array.from({ length: PROCESSES }, (_, i) => samplesOf(corpus, i + 1));
  return processes[0].map(({ samples, ...what }, i) => {
    const medianOf = (name) =>
      quantile(
        processes.flatMap((operations) => operations[i].samples[name]),
        0.5,
      );
    return { ...what, cpuMs: Object.fromEntries(Object.keys(samples).map((name) => [name, medianOf(name)])) };
  });
};
let measured;
try {
  measured = names.flatMap(measure);
} finally {
  rmSync(folder, { recursive: true });
}
const results = ["decode", "encode"].flatMap((operation) => measured.filter((m) => m.operation === operation));

const row = (...cells) => console.log(cells.map((cell, i) => (i === 0 ? String(cell).padEnd(11) : String(cell).padStart(11))).join(""));
const ms = (value) => value.toFixed(value < 0.1 ? 5 : 2);
for (const operation of ["decode", "encode"]) {
  console.log(`\n${operation}, CPU milliseconds; x = plain JS / Tusk`);
  row("", "Tusk text", "Tusk bytes", "Tusk js", "plain JS", "Buffer JS", "copy", "x plain", "x Buffer", "/ copy");
  for (const { corpus, cpuMs } of results.filter((r) => r.operation === operation)) {
    const { own, ownBytes, js, plain, buffer, copy } = cpuMs;
    const ratios = [plain / own, buffer / own, ownBytes / copy].map((ratio) => ratio.toFixed(1));
    row(corpus, ...[own, ownBytes, js, plain, buffer, copy].map(ms), ...ratios);
  }
}

if (file !== undefined) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ ...circumstances(), rounds, processes: PROCESSES, complete: whole, results })}\n`);
}
