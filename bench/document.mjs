// The parts of docs/benchmarks.md that come from results: one function per mark, from the raw JSON of the runs to Markdown.
import { renderBesideNode } from "./browser-report.mjs";
import { otherThan } from "./circumstances.mjs";
import { PAIRED } from "./conductor.mjs";
import { goals, reachedText, times } from "./goal-list.mjs";
import { firstCallTable, guaranteesTable, machineLine } from "./report.mjs";
import { comparison, duration, factor, firstSpeedup, megabytes, resultOf, speedup, table } from "./tables.mjs";

const TUSK = "tusk";
const BEST = "strong-js";

const measuredCorpora = (report, operation) =>
  report.corpora.filter((c) => resultOf(report.corpora, c.corpus, operation, TUSK) !== undefined);
const cell = (value) => (value === undefined ? "" : factor(value));
const day = (report) => report.date.slice(0, 10);
/** What stands beside results of other sources than the main run's. Those of a browser stand beside the same opponents there. */
const ofBuild = (report, node) => otherThan(report, node, report.browser === undefined ? ["sources"] : ["sources", "opponents"]);
const inBrackets = (text) => (text === undefined ? "" : ` (${text})`);
const listed = (items) => (items.length === 0 ? "nowhere" : items.join(", "));

/** What the codecs with the same guarantees are called in the list of losses, by operation where one does its work in another way. */
const SAME_GUARANTEES = [
  [
    BEST,
    (operation) => `the best JavaScript codec with the same guarantees${operation === "duplicate" ? ", which encodes and decodes" : ""}`,
  ],
  [
    "tusk js engine",
    (operation) => `Tusk's own JavaScript engine${operation === "duplicate" ? ", where both are the same code in other processes" : ""}`,
  ],
];

/** The corpora where Tusk is slower than an opponent, worst first; `ratio` tells it from the results. */
function slowerAt(results, operation, opponent, ratio = speedup) {
  return [...new Set(results.map(({ corpus }) => corpus))]
    .map((corpus) => [corpus, ratio(results, corpus, operation, TUSK, opponent)])
    .filter(([, value]) => value !== undefined && value < 1)
    .sort((a, b) => a[1] - b[1])
    .map(([corpus, value]) => `${corpus} (${factor(1 / value)} times slower)`);
}

/** The opponents that are faster somewhere. */
function slowerThan(results, operation, opponents, ratio = speedup) {
  const found = opponents
    .map((name) => [name, slowerAt(results, operation, name, ratio)])
    .filter(([, corpora]) => corpora.length > 0)
    .map(([name, corpora]) => `${name}: ${corpora.join(", ")}`);
  return found.length === 0 ? "nowhere" : found.join("; ");
}

/** Where Tusk is slower than somebody. */
function losses(report, browser, ds, enigma) {
  const lines = [];
  const add = (what, where) => lines.push(`- **${what}:** ${where}.`);
  const operations = ["decode", "encode", "duplicate"];
  for (const operation of operations)
    for (const [name, title] of SAME_GUARANTEES)
      add(`${operation}, against ${title(operation)}`, listed(slowerAt(report.corpora, operation, name)));
  const named = ({ candidates }) => candidates.filter((c) => !c.floor && !c.name.startsWith(TUSK)).map(({ name }) => name);
  const less = (report) => named(report).filter((name) => name !== BEST && !name.startsWith(`${BEST} +`));
  /** Where all opponents share a line, those with the same guarantees come first. */
  const everyone = (report) => [...SAME_GUARANTEES.map(([name]) => name), ...less(report)];
  for (const operation of operations)
    add(`${operation}, against codecs that keep less`, slowerThan(report.corpora, operation, less(report)));
  const exporters = named(report).filter((name) => name.startsWith(`${BEST} +`));
  for (const operation of ["export", "import"]) add(`${operation} strings`, slowerThan(report.corpora, operation, exporters));
  if (report.mutatorCorpora !== undefined)
    for (const operation of ["decode", "encode"])
      add(`${operation} with a young generation of 256 MB`, slowerThan(report.mutatorCorpora, operation, everyone(report)));
  if (report.togetherCorpora !== undefined)
    for (const operation of ["decode", "encode"])
      add(`${operation} in one process`, slowerThan(report.togetherCorpora, operation, everyone(report)));
  if (report.first?.length > 0)
    for (const operation of ["decode", "encode"])
      add(
        `first ${operation} in a fresh process, codec made included`,
        slowerThan(report.first, operation, everyone(report), firstSpeedup),
      );
  if (browser !== undefined)
    for (const operation of ["decode", "encode"])
      add(`${operation} in Chromium${inBrackets(ofBuild(browser, report))}`, slowerThan(browser.corpora, operation, everyone(browser)));
  if (ds !== undefined) add(`ds strings${inBrackets(ofBuild(ds, report))}`, slowerDs(ds));
  if (enigma !== undefined) add(`ENIGMA saves${inBrackets(ofBuild(enigma, report))}`, listed(slowerEnigma(enigma)));
  return lines.join("\n");
}

/** The ds strings for which Tusk takes more CPU time than the codec with Node's Buffer or the plain one. */
function slowerDs({ results }) {
  const slower = [
    ["JavaScript with Node's Buffer", "buffer"],
    ["plain JavaScript", "plain"],
  ].flatMap(([title, name]) =>
    results
      .filter(({ cpuMs }) => cpuMs[name] < cpuMs.own)
      .map(({ operation, corpus, cpuMs }) => `${title}: ${operation}, ${corpus} (${factor(cpuMs.own / cpuMs[name])} times slower)`),
  );
  return slower.length === 0 ? "nowhere" : slower.join("; ");
}

/** The operations on ENIGMA saves for which Tusk takes longer than the straightforward codec that does the same. */
function slowerEnigma({ medianMs }) {
  return Object.entries(medianMs).flatMap(([operation, medians]) =>
    ["", ", checksum"]
      .map((checksum) => [`${operation}${checksum}`, medians[`tusk wasm${checksum}`] / medians[`straightforward${checksum}`]])
      .filter(([, value]) => value > 1)
      .map(([what, value]) => `${what} (${factor(value)} times slower)`),
  );
}

/** Against the best JavaScript codec, with the quartiles. */
const bestCell = ({ median, q1, q3 }) => `**${factor(median)}** (${factor(q1)} to ${factor(q3)})`;

/** Tusk's median and how many times faster it is than each. */
function operationTable(report, operation, opponents) {
  const shown = opponents.filter(([name]) => report.candidates.some((c) => c.name === name));
  const rows = measuredCorpora(report, operation).map(({ corpus, title }) => {
    const against = (name) => comparison(report.corpora, corpus, operation, TUSK, name);
    return [
      `${corpus}: ${title}`,
      duration(resultOf(report.corpora, corpus, operation, TUSK).ms.median),
      ...shown.map(([name]) => (name === BEST ? bestCell(against(name)) : cell(against(name)?.median))),
    ];
  });
  const all = shown.map(([name]) => times(report.corpora, "public data", operation, name));
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

/** Tusk's JavaScript engine and WebAssembly without code generation against the straightforward codec, and WebAssembly with all against that engine. */
const engines = (report) =>
  table(
    [
      "corpus",
      ...["decode", "encode"].flatMap((operation) => [
        `${operation}: JavaScript engine`,
        `${operation}: no code generation`,
        `${operation}: WebAssembly against the JavaScript engine`,
      ]),
    ],
    measuredCorpora(report, "decode").map(({ corpus }) => [
      corpus,
      ...["decode", "encode"].flatMap((operation) =>
        [
          ["tusk js engine", "plain-js"],
          ["tusk, no code generation", "plain-js"],
          [TUSK, "tusk js engine"],
        ].map(([name, other]) => cell(speedup(report.corpora, corpus, operation, name, other))),
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
  const head = ["in one process", "young generation of 256 MB", "limit", "limit in one process", "by hand", "by hand in one process"];
  return table(
    ["goal", "", "reached", "", ...head],
    goals(report, large).map((reached) => {
      const { what, goal, value, mutator, together, limit, limitTogether, byHand, byHandTogether, callAlone, unit, met } = reached;
      const alone = callAlone === undefined ? "" : inBrackets(`the call alone: ${factor(callAlone)}`);
      // Memory is what the large save is measured for.
      const build = unit === "MB" && large !== undefined ? inBrackets(ofBuild(large, report)) : "";
      return [
        what,
        goal,
        value === undefined
          ? "not measured"
          : `${reachedText(reached)}${unit === "times" || unit === "of" ? "" : ` ${unit}`}${alone}${build}`,
        value === undefined ? "" : met ? "met" : "**not met**",
        ...[together, mutator, limit, limitTogether, byHand, byHandTogether].map((other) => (other === undefined ? "" : factor(other))),
      ];
    }),
  );
}

/** The goals against best JS in two runs, where a new page of memory costs little and where it costs much. */
function memoryTable(report, costly) {
  const line = (one) => `${one.machine.pageMicroseconds} µs a page, ${day(one)}`;
  const other = new Map(goals(costly).map((goal) => [goal.what, goal]));
  const shown = (goal) => (goal.met ? `**${reachedText(goal)}**` : reachedText(goal));
  return table(
    ["goal", "", line(report), line(costly)],
    goals(report)
      .filter(({ what, value }) => /^(de|en)code of .* best JS/.test(what) && value !== undefined && other.get(what)?.value !== undefined)
      .map((goal) => [goal.what, goal.goal, shown(goal), shown(other.get(goal.what))]),
  );
}

function largeTable(large) {
  return table(
    ["", "time", "linear memory"],
    [
      [`write, ${megabytes(large.fileBytes)}`, duration(large.writeMs), megabytes(large.linearMemoryOfWrite)],
      ["read", duration(large.readMs), megabytes(large.linearMemoryOfRead)],
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

/**
 * Text for each mark of docs/benchmarks.md; a mark whose results are missing says how to get them.
 * @param {{ node: object, costly?: object, browser?: object, ds?: object, enigma?: object, large?: object }} results `costly`: a run where new pages of memory cost more
 * @returns {Record<string, string>}
 */
export function documentSections({ node, costly, browser, ds, enigma, large }) {
  const missing = (command) => `Not measured yet: \`${command}\`.`;
  /** A table below what it says about where it was made. */
  const dated = (report, table) => {
    const place = report.machine === undefined ? undefined : machineLine(report);
    return `${[day(report), ofBuild(report, node), place].filter((part) => part !== undefined).join(", ")}.\n\n${table}`;
  };
  return {
    machine: `${machineLine(node)}; ${day(node)}; up to ${node.rounds} rounds (Tusk, best JS and the code written by hand up to ${node.rounds * PAIRED} of their own, in ${node.sets} sets of processes), ${node.seconds} s in all.`,
    losses: losses(node, browser, ds, enigma),
    goals: goalTable(node, large),
    memory: costly === undefined ? "There are no results of another run." : memoryTable(node, costly),
    guarantees: node.guarantees === undefined ? missing("npm run bench") : guaranteesTable(node.guarantees),
    decode: operationTable(node, "decode", OPPONENTS),
    encode: operationTable(node, "encode", [...OPPONENTS, ["strong-js, no identity", "best JS without sharing"]]),
    duplicate: operationTable(node, "duplicate", [
      [BEST, "best JS, encode and decode"],
      ["tusk js engine", "Tusk's JavaScript engine"],
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
    browser: browser === undefined ? missing("npm run bench:browser") : dated(browser, renderBesideNode(node, browser)),
    large: large === undefined ? missing("npm run bench -- --long") : dated(large, largeTable(large)),
    ds: ds === undefined ? missing("npm run bench:ds") : dated(ds, dsTable(ds)),
    enigma: enigma === undefined ? missing("npm run bench:enigma") : dated(enigma, enigmaTable(enigma)),
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
