// Puts the tables of a benchmark run into the README, between its two marks: `node scripts/readme-benchmark.mjs [results.json]`.
// Numbers come from the raw results only; without Tusk in them nothing is written.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const BEGIN = "<!-- benchmark: begin -->";
const END = "<!-- benchmark: end -->";

/** The candidates of the README, by their names in the results; all others are in the full report. */
const COLUMNS = ["tusk", "strong-js", "JSON", "msgpackr records", "msgpackr structuredClone", "cbor-x", "v8.serialize"];

const root = fileURLToPath(new URL("..", import.meta.url));

const milliseconds = (ms) => (ms >= 100 ? ms.toFixed(0) : ms >= 10 ? ms.toFixed(1) : ms.toFixed(2));
const row = (cells) => `| ${cells.join(" | ")} |`;

/** One table: corpora down, candidates across, median milliseconds; the quickest of a row is bold. */
export function operationTable(report, operation) {
  const measured = report.corpora
    .map((corpus) => ({ corpus, results: corpus.operations.find((o) => o.operation === operation)?.results ?? [] }))
    .filter(({ results }) => results.some(({ name }) => name === "tusk"));
  const columns = COLUMNS.filter((column) => measured.some(({ results }) => results.some(({ name }) => name === column)));
  const lines = [row(["corpus", ...columns]), row(["---", ...columns.map(() => "---:")])];
  for (const { corpus, results } of measured) {
    const times = columns.map((column) => results.find(({ name }) => name === column)?.ms.median);
    const best = Math.min(...times.filter((time) => time !== undefined));
    const cells = times.map((time) => (time === undefined ? "" : time === best ? `**${milliseconds(time)}**` : milliseconds(time)));
    lines.push(row([`${corpus.corpus}: ${corpus.title}`, ...cells]));
  }
  return lines.join("\n");
}

/** What stands between the marks. */
export function benchmarkSection(report) {
  const { machine } = report;
  return [
    `Median milliseconds, less is better. Node ${machine.node.slice(1)}, ${machine.platform}, ${machine.cpu ?? "unknown processor"}, ${report.rounds} interleaved rounds, ${report.date.slice(0, 10)}.`,
    "",
    "Reading:",
    "",
    operationTable(report, "decode"),
    "",
    "Writing:",
    "",
    operationTable(report, "encode"),
  ].join("\n");
}

/** The README with the section replaced. */
export function withBenchmark(readme, report) {
  const begin = readme.indexOf(BEGIN);
  const end = readme.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`the README lacks ${BEGIN} or ${END}`);
  return `${readme.slice(0, begin + BEGIN.length)}\n${benchmarkSection(report)}\n${readme.slice(end)}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const report = JSON.parse(readFileSync(process.argv[2] ?? join(root, "bench/results/latest.json"), "utf8"));
  if (!report.corpora.some(({ operations }) => operations.some(({ results }) => results.some(({ name }) => name === "tusk"))))
    throw new Error("these results hold no measurement of Tusk: build it and run npm run bench first");
  const readme = join(root, "README.md");
  writeFileSync(readme, withBenchmark(readFileSync(readme, "utf8"), report));
}
