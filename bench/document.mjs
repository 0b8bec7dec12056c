// The parts of docs/benchmarks.md that come from results: one function per mark, from the raw JSON of the runs to Markdown.
import { renderBesideNode } from "./browser-report.mjs";
import { PAIRED } from "./conductor.mjs";
import { goals, times } from "./goal-list.mjs";
import { firstCallTable, guaranteesTable, machineLine } from "./report.mjs";
import { duration, factor, megabytes, resultOf, speedup, table } from "./tables.mjs";

const TUSK = "tusk";
const BEST = "strong-js";

const measuredCorpora = (report, operation) =>
  report.corpora.filter((c) => resultOf(report.corpora, c.corpus, operation, TUSK) !== undefined);
const cell = (value) => (value === undefined ? "" : factor(value));
const day = (report) => report.date.slice(0, 10);
const listed = (items) => (items.length === 0 ? "nowhere" : items.join(", "));

/** Where Tusk is slower than somebody, worst first. */
function losses(report) {
  const lines = [];
  const slower = (operation, opponent, corpora = report.corpora) =>
    corpora
      .map((c) => [c.corpus, speedup(corpora, c.corpus, operation, TUSK, opponent)])
      .filter(([, value]) => value !== undefined && value < 1)
      .sort((a, b) => a[1] - b[1])
      .map(([corpus, value]) => `${corpus} (${factor(1 / value)} times slower)`);
  for (const operation of ["decode", "encode", "duplicate"]) {
    lines.push(`- **${operation}, against the best JavaScript codec with the same guarantees:** ${listed(slower(operation, BEST))}.`);
  }
  const others = report.candidates.filter(
    (c) => !c.floor && c.name !== BEST && !c.name.startsWith(TUSK) && !c.name.startsWith("strong-js +"),
  );
  for (const operation of ["decode", "encode", "duplicate"]) {
    const found = others
      .map(({ name }) => [name, slower(operation, name)])
      .filter(([, corpora]) => corpora.length > 0)
      .map(([name, corpora]) => `${name}: ${corpora.join(", ")}`);
    lines.push(`- **${operation}, against codecs that keep less:** ${found.length === 0 ? "nowhere" : found.join("; ")}.`);
  }
  const ready = (corpus, name) =>
    report.first?.find((f) => f.corpus === corpus && f.operation === "decode" && f.name === name)?.readyMs.median;
  const cold = [...new Set((report.first ?? []).map((f) => f.corpus))]
    .map((corpus) => [corpus, ready(corpus, TUSK) / ready(corpus, BEST)])
    .filter(([, value]) => value > 1)
    .map(([corpus, value]) => `${corpus} (${factor(value)} times slower)`);
  if (report.first?.length > 0)
    lines.push(`- **first decode in a fresh process, codec made included, against the best JavaScript codec:** ${listed(cold)}.`);
  return lines.join("\n");
}

/** Tusk's median and how many times faster it is than each. */
function operationTable(report, operation, opponents) {
  const shown = opponents.filter(([name]) => report.candidates.some((c) => c.name === name));
  const rows = measuredCorpora(report, operation).map(({ corpus, title }) => {
    const own = resultOf(report.corpora, corpus, operation, TUSK);
    const spread = `${factor(1 / own.ratio.q3)} to ${factor(1 / own.ratio.q1)}`;
    return [
      `${corpus}: ${title}`,
      duration(own.ms.median),
      ...shown.map(([name]) =>
        name === BEST ? `**${factor(1 / own.ratio.median)}** (${spread})` : cell(speedup(report.corpora, corpus, operation, TUSK, name)),
      ),
    ];
  });
  const all = shown.map(([name]) => times(report, report.corpora, "public data", operation, name));
  if (all.some((value) => value !== undefined)) rows.push(["public data sets, geometric mean", "", ...all.map(cell)]);
  return table(["corpus", "Tusk takes", ...shown.map(([, title]) => title)], rows);
}

const OPPONENTS = [
  [BEST, "best JS"],
  ["plain-js", "plain JS"],
  ["JSON", "JSON"],
  ["v8.serialize", "v8.serialize"],
  ["msgpackr records", "msgpackr records"],
  ["msgpackr plain", "msgpackr plain"],
  ["msgpackr structuredClone", "msgpackr structuredClone"],
  ["cbor-x", "cbor-x"],
  ["@msgpack/msgpack", "@msgpack/msgpack"],
];

const engines = (report) =>
  table(
    ["corpus", "decode: JavaScript engine", "decode: no code generation", "encode: JavaScript engine", "encode: no code generation"],
    measuredCorpora(report, "decode").map(({ corpus }) => [
      corpus,
      ...["decode", "encode"].flatMap((operation) =>
        ["tusk js engine", "tusk, no code generation"].map((name) => cell(speedup(report.corpora, corpus, operation, name, "plain-js"))),
      ),
    ]),
  );

function floors(report) {
  const rows = [];
  for (const [title, corpora] of [
    ["default heap", report.corpora],
    ["young generation of 256 MB", report.mutatorCorpora ?? []],
  ]) {
    for (const { corpus } of corpora) {
      const slower = (name) => speedup(corpora, corpus, "decode", name, TUSK);
      if (slower("floor: allocation") === undefined) continue;
      const best = speedup(corpora, corpus, "decode", "floor: allocation, fresh strings", BEST);
      rows.push([corpus, title, cell(slower("floor: allocation")), cell(slower("floor: allocation, fresh strings")), cell(best)]);
    }
  }
  return table(
    ["corpus", "", "Tusk / floor, strings there already", "Tusk / floor, strings made anew", "best JS / floor, strings made anew"],
    rows,
  );
}

function mutator(report) {
  const corpora = report.mutatorCorpora ?? [];
  return table(
    [
      "corpus",
      ...["decode", "encode"].flatMap((operation) => [BEST, "JSON", "msgpackr structuredClone"].map((name) => `${operation}: ${name}`)),
    ],
    corpora.map(({ corpus }) => [
      corpus,
      ...["decode", "encode"].flatMap((operation) =>
        [BEST, "JSON", "msgpackr structuredClone"].map((name) => cell(speedup(corpora, corpus, operation, TUSK, name))),
      ),
    ]),
  );
}

function sizes(report) {
  const names = ["tusk", "JSON", "v8.serialize", "msgpackr records", "msgpackr plain", "cbor-x"];
  return table(
    ["corpus", ...names],
    measuredCorpora(report, "encode").map(({ corpus }) => [
      corpus,
      ...names.map((name) => {
        const bytes = resultOf(report.corpora, corpus, "encode", name)?.bytes;
        return bytes === undefined ? "" : megabytes(bytes);
      }),
    ]),
  );
}

const exportsTable = (report) =>
  ["export", "import"]
    .map((operation) => {
      const names = ["strong-js + node:zlib", "strong-js + pako", "strong-js + fflate"];
      return table(
        [operation, "Tusk takes", ...names],
        measuredCorpora(report, operation).map(({ corpus }) => [
          corpus,
          duration(resultOf(report.corpora, corpus, operation, TUSK).ms.median),
          ...names.map((name) => cell(speedup(report.corpora, corpus, operation, TUSK, name))),
        ]),
      );
    })
    .join("\n\n");

function goalTable(report, large) {
  return table(
    [
      "goal",
      "",
      "reached",
      "",
      "in one process",
      "young generation of 256 MB",
      "limit",
      "limit in one process",
      "by hand",
      "by hand in one process",
    ],
    goals(report, large).map(({ what, goal, value, mutator, together, limit, limitTogether, byHand, byHandTogether, unit, met }) => [
      what,
      goal,
      value === undefined ? "not measured" : `${factor(value)}${unit === "times" || unit === "of" ? "" : ` ${unit}`}`,
      value === undefined ? "" : met ? "met" : "**not met**",
      ...[together, mutator, limit, limitTogether, byHand, byHandTogether].map((other) => (other === undefined ? "" : factor(other))),
    ]),
  );
}

/** The goals in two runs on machines of one kind, where a new page of memory costs little and where it costs much. */
function memoryTable(report, costly) {
  const line = (one) => `${one.machine.pageMicroseconds} µs a page, ${day(one)}`;
  const other = new Map(goals(costly).map((goal) => [goal.what, goal]));
  const shown = ({ value, met }) => (met ? `**${factor(value)}**` : factor(value));
  return table(
    ["goal", "", line(report), line(costly)],
    goals(report)
      .filter(({ what, unit, value }) => unit === "times" && value !== undefined && other.get(what)?.value !== undefined)
      .map((goal) => [goal.what, goal.goal, shown(goal), shown(other.get(goal.what))]),
  );
}

function largeTable(large) {
  const megabytesOf = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
  return table(
    ["", "time", "linear memory"],
    [
      [`write, ${megabytes(large.fileBytes)}`, duration(large.writeMs), megabytesOf(large.linearMemoryOfWrite)],
      ["read", duration(large.readMs), megabytesOf(large.linearMemoryOfRead)],
    ],
  );
}

function dsTable(ds) {
  return table(
    ["", "against plain JavaScript", "against JavaScript with Node's Buffer", "JavaScript engine against plain JavaScript"],
    ds.results.map(({ operation, corpus, cpuMs }) => [
      `${operation}, ${corpus}`,
      factor(cpuMs.plain / cpuMs.own),
      factor(cpuMs.buffer / cpuMs.own),
      factor(cpuMs.plain / cpuMs.js),
    ]),
  );
}

function enigmaTable({ medianMs }) {
  const rows = [];
  for (const [operation, medians] of Object.entries(medianMs))
    for (const [title, base, names] of [
      ["with checksum", "straightforward, checksum", ["tusk wasm, checksum", "tusk js, checksum"]],
      ["without", "straightforward", ["tusk wasm", "tusk js"]],
    ]) {
      if (medians[base] === undefined) continue;
      rows.push([`${operation}, ${title}`, duration(medians[names[0]]), ...names.map((name) => factor(medians[base] / medians[name]))]);
    }
  return table(
    ["10,000 instances", "Tusk takes", "WebAssembly, times faster than the straightforward codec", "JavaScript engine, the same"],
    rows,
  );
}

/** Of results from before they said so. */
const FORMER_SETS = 3;

/**
 * Text for each mark of docs/benchmarks.md; a mark whose results are missing says how to get them.
 * @param {{ node: object, costly?: object, browser?: object, ds?: object, enigma?: object, large?: object }} results `costly`: a run where new pages of memory cost more
 * @returns {Record<string, string>}
 */
export function documentSections({ node, costly, browser, ds, enigma, large }) {
  const missing = (command) => `Not measured yet: \`${command}\`.`;
  return {
    machine: `${machineLine(node)}; ${day(node)}; up to ${node.rounds} rounds (Tusk and best JS up to ${node.rounds * PAIRED}, in ${node.sets ?? FORMER_SETS} sets of processes), ${node.seconds} s in all.`,
    losses: losses(node),
    goals: goalTable(node, large),
    memory: costly === undefined ? "There are no results of another run." : memoryTable(node, costly),
    guarantees: node.guarantees === undefined ? missing("npm run bench") : guaranteesTable(node.guarantees),
    decode: operationTable(node, "decode", OPPONENTS),
    encode: operationTable(node, "encode", [...OPPONENTS, ["strong-js, no identity", "best JS without sharing"]]),
    duplicate: operationTable(node, "duplicate", [
      [BEST, "best JS, encode and decode"],
      ["structuredClone", "structuredClone"],
      ["JSON", "JSON"],
      ["v8.serialize", "v8.serialize"],
      ["msgpackr structuredClone", "msgpackr structuredClone"],
    ]),
    engines: engines(node),
    floors: floors(node),
    mutator: node.mutatorCorpora === undefined ? missing("npm run bench") : mutator(node),
    sizes: sizes(node),
    export: exportsTable(node),
    first: node.first === undefined ? missing("npm run bench") : firstCallTable(node.first),
    browser:
      browser === undefined
        ? missing("npm run bench:browser")
        : `${machineLine(browser)}; ${day(browser)}.\n\n${renderBesideNode(node, browser)}`,
    large: large === undefined ? missing("npm run bench -- --long") : largeTable(large),
    ds: ds === undefined ? missing("npm run bench:ds") : dsTable(ds),
    enigma: enigma === undefined ? missing("npm run bench:enigma") : enigmaTable(enigma),
  };
}

const mark = (name) => `<!-- results: ${name} -->`;
const END = "<!-- end -->";

/** The document with the text between its marks replaced; marks that nothing is known of are an error. */
export function withSections(document, sections) {
  return document.replace(/<!-- results: ([\w-]+) -->[\s\S]*?<!-- end -->/g, (_, name) => {
    if (!Object.hasOwn(sections, name)) throw new Error(`there are no results called ${name}`);
    return `${mark(name)}\n${sections[name]}\n${END}`;
  });
}
