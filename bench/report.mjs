// Renders the raw JSON of a run: `node bench/report.mjs results.json [folder]` writes report.md and one chart per operation.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { renderChart } from "./chart.mjs";

const megabytes = (bytes) => (bytes >= 1e5 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e3).toFixed(1)} kB`);
const milliseconds = (ms) => (ms >= 100 ? ms.toFixed(0) : ms >= 10 ? ms.toFixed(1) : ms.toFixed(2));
const row = (cells) => `| ${cells.join(" | ")} |`;
const table = (head, rows) => [row(head), row(head.map((_, i) => (i === 0 ? "---" : "---:"))), ...rows.map(row)].join("\n");

/** Every operation that occurs, in order. */
export function operationsOf(report) {
  return [...new Set(report.corpora.flatMap((c) => c.operations.map((o) => o.operation)))];
}

function corpusTable({ results, reference }, loses) {
  const sorted = [...results].sort((a, b) => a.ms.median - b.ms.median);
  return table(
    ["candidate", "ms, median", `time relative to ${reference}`, "quartiles", "bytes", "loses"],
    sorted.map(({ name, ms, ratio, bytes }) => [
      name,
      milliseconds(ms.median),
      ratio.median.toFixed(2),
      `${ratio.q1.toFixed(2)} to ${ratio.q3.toFixed(2)}`,
      bytes > 0 ? megabytes(bytes) : "",
      loses[name] ?? "",
    ]),
  );
}

export function renderMarkdown(report) {
  const { machine } = report;
  const lines = [
    `# Benchmark of ${report.date.slice(0, 10)}`,
    "",
    `Node ${machine.node.slice(1)} (V8 ${machine.v8}), ${machine.platform}, ${machine.cores} cores, ${machine.cpu ?? "unknown processor"}; ${report.rounds} rounds, scale ${report.scale}${report.mutator ? ", young generation of 256 MB" : ""}.`,
    "Every candidate has passed a full comparison of its round trip, except for what the last column says it loses. Ratios are taken within each round; below 1 is faster.",
  ];
  for (const operation of operationsOf(report)) {
    lines.push("", `## ${operation[0].toUpperCase()}${operation.slice(1)}`);
    for (const corpus of report.corpora) {
      const measured = corpus.operations.find((o) => o.operation === operation);
      if (measured === undefined) continue;
      lines.push("", `### ${corpus.corpus}: ${corpus.title}`, "", corpusTable(measured, corpus.loses));
    }
  }
  const skipped = report.corpora.flatMap((c) => c.skipped.map(({ name, skipped }) => [c.corpus, name, skipped.replaceAll("|", "\\|")]));
  if (skipped.length > 0) lines.push("", "## Left out", "", table(["corpus", "candidate", "reason"], skipped));
  if (report.small !== undefined) {
    const names = [...new Set(report.small.map((s) => s.name))];
    const at = (name, operation) => report.small.find((s) => s.name === name && s.operation === operation);
    lines.push("", "## A save of 200 bytes, warm", "");
    lines.push(
      table(
        ["candidate", "decode, µs", "encode, µs", "bytes"],
        names.map((n) => [
          n,
          at(n, "decode")?.microseconds.toFixed(2) ?? "",
          at(n, "encode")?.microseconds.toFixed(2) ?? "",
          String(at(n, "encode")?.bytes ?? ""),
        ]),
      ),
    );
  }
  if (report.first?.length > 0) {
    lines.push(
      "",
      "## First call in a fresh process",
      "",
      "Each sample is a process of its own. Peak: growth of the resident set during the first call; heap: what stays after it, the result included.",
      "",
    );
    lines.push(
      table(
        ["corpus", "operation", "candidate", "create, ms", "first, ms", "second, ms", "peak", "heap", "wasm memory"],
        report.first.map((f) => [
          f.corpus,
          f.operation,
          f.name,
          milliseconds(f.createMs.median),
          milliseconds(f.firstMs.median),
          milliseconds(f.secondMs.median),
          megabytes(f.peakBytes.median),
          megabytes(Math.max(0, f.heapBytes.median)),
          f.wasmBytes.median > 0 ? megabytes(f.wasmBytes.median) : "",
        ]),
      ),
    );
  }
  return lines.join("\n");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [, , file = "bench/results/latest.json", folder = "bench/results"] = process.argv;
  const report = JSON.parse(readFileSync(file, "utf8"));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "report.md"), `${renderMarkdown(report)}\n`);
  for (const operation of operationsOf(report)) writeFileSync(join(folder, `${operation}.svg`), renderChart(report, operation));
}
