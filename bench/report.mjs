// Renders the raw JSON of a run as a report: `node bench/report.mjs [results.json]` prints it.
import { fileURLToPath } from "node:url";
import { isProgram } from "../scripts/is-program.mjs";
import { resultsIn } from "./command-line.mjs";
import { PAIRED } from "./conductor.mjs";
import { duration, megabytes, table } from "./tables.mjs";

/** The corpora by the way in which they were measured, with what a title says of it. */
export const sectionsOf = ({ corpora, mutatorCorpora = [], togetherCorpora = [] }) => [
  { title: "", corpora },
  { title: ", young generation of 256 MB", corpora: mutatorCorpora },
  { title: ", in one process", corpora: togetherCorpora },
];

/** Every operation that occurs, in order. */
export function operationsOf(report) {
  return [...new Set(report.corpora.flatMap((c) => c.operations.map((o) => o.operation)))];
}

export const machineLine = ({ machine, browser }) =>
  `${browser ?? `Node ${machine.node.slice(1)}${machine.v8 === undefined ? "" : ` (V8 ${machine.v8})`}`}, ${machine.platform}, ${machine.cores} cores, ${machine.cpu ?? "unknown processor"}${pagePrice(machine)}`;

/** What a page of memory costs, where the results say it. @param {{ pageMicroseconds?: number, hugePages?: string }} machine */
export const pagePrice = ({ pageMicroseconds, hugePages }) =>
  pageMicroseconds === undefined
    ? ""
    : `, ${pageMicroseconds.toFixed(1)} µs for each page of 4 KB that is touched for the first time${hugePages === "always" ? ", of which the system gives 512 at a time" : ""}`;

const spread = ({ median, q1, q3 }) => `${median.toFixed(2)} (${q1.toFixed(2)} to ${q3.toFixed(2)})`;

/** All that was measured of an operation; what those of the rounds of few took there has a column of its own. */
function corpusTable({ results, reference }, loses) {
  const sorted = [...results].sort((a, b) => a.ms.median - b.ms.median);
  const few = sorted.some(({ alone }) => alone !== undefined) ? ["by themselves"] : [];
  return table(
    ["candidate", "median", `time relative to ${reference}`, ...few, "rounds", "bytes", "loses"],
    sorted.map(({ name, ms, ratio, alone, bytes }) => [
      name,
      duration(ms.median),
      spread(ratio),
      ...few.map(() => (alone === undefined ? "" : spread(alone.ratio))),
      ms.n,
      bytes > 0 ? megabytes(bytes) : "",
      loses[name] ?? "",
    ]),
  );
}

/** First calls in fresh processes, with memory. */
export function firstCallTable(first) {
  return table(
    ["corpus", "operation", "candidate", "import", "create", "first", "second", "peak", "stays", "linear memory"],
    first.map((f) => [
      f.corpus,
      f.operation,
      f.name,
      duration(f.importMs.median),
      duration(f.createMs.median),
      duration(f.firstMs.median),
      duration(f.secondMs.median),
      megabytes(f.peakBytes.median),
      megabytes(Math.max(0, f.heapBytes.median + f.externalBytes.median)),
      f.wasmBytes.median > 0 ? megabytes(f.wasmBytes.median) : "",
    ]),
  );
}

/** What came back of the values that a save may hold. */
export function guaranteesTable(guarantees) {
  const probes = Object.keys(guarantees[0].keeps);
  return table(
    ["candidate", ...probes],
    guarantees.map(({ name, keeps }) => [name, ...probes.map((probe) => (keeps[probe] ? "yes" : "no"))]),
  );
}

function operationSections(corpora, loses, title) {
  const lines = [];
  for (const operation of operationsOf({ corpora })) {
    lines.push("", `## ${operation[0].toUpperCase()}${operation.slice(1)}${title}`);
    for (const corpus of corpora) {
      const measured = corpus.operations.find((o) => o.operation === operation);
      if (measured === undefined) continue;
      lines.push("", `### ${corpus.corpus}: ${corpus.title}`, "", corpusTable(measured, loses));
    }
  }
  return lines;
}

export function renderMarkdown(report) {
  const loses = Object.fromEntries(report.candidates.map((c) => [c.name, c.loses]));
  const lines = [
    `# Benchmark of ${report.date.slice(0, 10)}`,
    "",
    `${machineLine(report)}; up to ${report.rounds} rounds (Tusk and strong-js by themselves up to ${report.rounds * PAIRED}), scale ${report.scale}${report.mutator ? ", young generation of 256 MB" : ""}.`,
    "Every candidate has passed a full comparison of its round trip, except for what the last column says it loses. Ratios are taken within each round; below 1 is faster.",
    ...sectionsOf(report).flatMap(({ title, corpora }) => operationSections(corpora, loses, title)),
  ];
  const skipped = sectionsOf(report).flatMap(({ title, corpora }) =>
    corpora.flatMap((c) => c.skipped.map(({ name, skipped }) => [`${c.corpus}${title}`, name, skipped.replaceAll("|", "\\|")])),
  );
  if (skipped.length > 0) lines.push("", "## Left out", "", table(["corpus", "candidate", "reason"], skipped));
  if (report.first?.length > 0) {
    lines.push("", "## First call in a fresh process", "");
    lines.push(
      "Each sample is a process of its own. Peak: growth of the resident set from the import to the end of the first call, of encode at least so much; stays: on the heap and in ArrayBuffers, the result included, linear memory not.",
    );
    lines.push("", firstCallTable(report.first));
  }
  if (report.guarantees !== undefined) lines.push("", "## What comes back", "", guaranteesTable(report.guarantees));
  return lines.join("\n");
}

if (isProgram(import.meta.url)) {
  const file = process.argv[2] ?? fileURLToPath(new URL("results/latest.json", import.meta.url));
  console.log(renderMarkdown(resultsIn(file)));
}
