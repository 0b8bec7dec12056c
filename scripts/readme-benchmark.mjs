// Puts the results of the benchmark into the documents: `node scripts/readme-benchmark.mjs [results.json]` (npm run bench:readme) writes the
// tables of the README and of docs/benchmarks.md between their marks, and the charts. Numbers come from the raw results only (bench/results/);
// nothing is written from a quick or partial run, or from one that did not come to its end or in which Tusk, best JS or the opponent of a goal failed.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { renderChart } from "../bench/chart.mjs";
import { differences } from "../bench/circumstances.mjs";
import { refuse, resultsIn } from "../bench/command-line.mjs";
import { failuresIn } from "../bench/completeness.mjs";
import { documentSections, withSections } from "../bench/document.mjs";
import { pagePrice } from "../bench/report.mjs";
import { factor, row, speedup } from "../bench/tables.mjs";
import { isProgram } from "./is-program.mjs";

const BEGIN = "<!-- benchmark: begin -->";
const END = "<!-- benchmark: end -->";
const CHARTS = ["decode", "encode"];

/** Whom Tusk meets in rounds of their own. Its milliseconds from the rounds of all would say something else, so it has the ratio that all documents have. */
const BEST = "strong-js";

/** The candidates of the README, by their names in the results; all others are in docs/benchmarks.md. */
const COLUMNS = ["tusk", BEST, "JSON", "msgpackr records", "msgpackr structuredClone", "cbor-x", "v8.serialize"];

const root = fileURLToPath(new URL("..", import.meta.url));

const milliseconds = (ms) => (ms >= 0.1 ? factor(ms) : ms.toFixed(4));

/**
 * One table: corpora down, candidates across, median milliseconds (microseconds of what takes Tusk less than a tenth of one), and how many times faster Tusk is
 * than the best JavaScript codec. The quickest of a row is bold.
 */
export function operationTable(report, operation) {
  const measured = report.corpora
    .map((corpus) => ({ corpus, results: corpus.operations.find((o) => o.operation === operation)?.results ?? [] }))
    .filter(({ results }) => results.some(({ name }) => name === "tusk"));
  const columns = COLUMNS.filter((column) => measured.some(({ results }) => results.some(({ name }) => name === column)));
  const titles = columns.map((column) => (column === BEST ? `times faster than ${BEST}` : column));
  const lines = [row(["corpus", ...titles]), row(["---", ...columns.map(() => "---:")])];
  for (const { corpus, results } of measured) {
    const times = new Map(results.map(({ name, ms }) => [name, ms.median]));
    const ratio = speedup(report.corpora, corpus.corpus, operation, "tusk", BEST);
    if (ratio === undefined) times.delete(BEST);
    else times.set(BEST, times.get("tusk") * ratio);
    const brief = times.get("tusk") < 0.1;
    const best = Math.min(...columns.filter((column) => times.has(column)).map((column) => times.get(column)));
    const cells = columns.map((column) => {
      if (!times.has(column)) return "";
      const time = times.get(column);
      const text = column === BEST ? factor(ratio) : brief ? factor(time * 1000) : milliseconds(time);
      return time === best ? `**${text}**` : text;
    });
    lines.push(row([`${corpus.corpus}: ${corpus.title}${brief ? ", in µs" : ""}`, ...cells]));
  }
  return lines.join("\n");
}

/** What stands between the marks of the README. */
export function benchmarkSection(report) {
  const { machine } = report;
  return [
    `Median milliseconds (µs where the row says so), less is better, but for the second column of numbers; the quickest of each row is bold. Node ${machine.node.slice(1)}, ${machine.platform}, ${machine.cpu ?? "unknown processor"}${pagePrice(machine)}, up to ${report.rounds} interleaved rounds, ${report.date.slice(0, 10)}.`,
    "`strong-js` is the fastest codec of the same format that we could write in pure JavaScript by hand, with the same guarantees; how many times faster Tusk is (below 1: slower; bold, strong-js was the quickest of all) comes from rounds without the general codecs. These keep less.",
    "[docs/benchmarks.md](docs/benchmarks.md) says first where Tusk loses (also to its own JavaScript engine, which some corpora suit better than `strong-js`), then how this is measured, and has everything else: charts, spreads, browsers, memory.",
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

/** Throws for results of a quick or partial run, or of one that did not come to its end. */
export function mustBeWhole({ quick, partial, complete }, command) {
  if (quick || partial || complete === false) throw new Error(`these results are not of a whole run: ${command} makes one`);
}

/** The same of results in which Tusk was not measured, or in which one failed that the documents are about. */
export function mustBeComplete(report) {
  const measured = report.corpora.some(({ operations }) => operations.some(({ results }) => results.some(({ name }) => name === "tusk")));
  mustBeWhole(measured ? report : { complete: false }, report.browser === undefined ? "npm run bench" : "npm run bench:browser");
  const failures = failuresIn(report);
  if (failures.length > 0)
    throw new Error(`nothing is published of results (${report.date}, ${report.browser ?? "Node"}) with failures:\n${failures.join("\n")}`);
}

if (isProgram(import.meta.url)) {
  const file = (path) => join(root, path);
  const pathOf = (name) => file(`bench/results/${name}.json`);
  const results = (name, parts) => (existsSync(pathOf(name)) ? resultsIn(pathOf(name), parts) : undefined);
  const node = resultsIn(process.argv[2] ?? pathOf("latest"));
  const all = {
    costly: results("costly-pages"),
    browser: results("browser"),
    ds: results("ds", ["date", "results"]),
    enigma: results("enigma", ["date", "medianMs"]),
    large: results("large", ["date", "linearMemoryOfRead", "linearMemoryOfWrite"]),
  };
  try {
    for (const report of [node, all.costly, all.browser]) if (report !== undefined) mustBeComplete(report);
    if (all.ds !== undefined) mustBeWhole(all.ds, "npm run bench:ds");
  } catch (error) {
    refuse(error.message);
  }
  for (const [name, report] of Object.entries(all))
    for (const digest of name === "costly" || report === undefined ? [] : differences(report, node))
      console.error(`the results of ${name} (${report.date.slice(0, 10)}) are of other ${digest} than those of ${node.date.slice(0, 10)}`);
  const sections = documentSections({ node, ...all });
  // All of it is made before any of it is written.
  const made = [
    ...CHARTS.map((operation) => [`docs/benchmarks/${operation}.svg`, renderChart(node, operation)]),
    ["docs/benchmarks.md", withSections(readFileSync(file("docs/benchmarks.md"), "utf8"), sections)],
    ["README.md", withBenchmark(readFileSync(file("README.md"), "utf8"), node)],
  ];
  mkdirSync(file("docs/benchmarks"), { recursive: true });
  for (const [path, text] of made) writeFileSync(file(path), text);
}
