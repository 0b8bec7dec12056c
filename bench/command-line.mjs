// What the benchmark programs share of their command lines.
import { closeSync, copyFileSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { chosenCandidates } from "./candidates/candidates.mjs";

/** A wrong call: one line that says so, exit status 2. */
export function refuse(message) {
  console.error(message);
  process.exit(2);
}

/** Parses the options; `--help` prints `help` and ends. */
export function optionsOf(definitions, help) {
  let values;
  try {
    ({ values } = parseArgs({ options: { ...definitions, help: { type: "boolean", default: false } }, allowNegative: true }));
  } catch (error) {
    refuse(`${error.message}\n\n${help}`);
  }
  if (values.help) {
    console.log(help);
    process.exit(0);
  }
  return values;
}

function list(what, text) {
  const items = text.split(",").map((item) => item.trim());
  if (items.includes("")) refuse(`the list of ${what === "corpus" ? "corpora" : `${what}s`} "${text}" names nothing in one place`);
  return items;
}

/** The chosen names, all of them known, each once; "all", also beside others, is every one. */
export function chosenOf(what, text, known) {
  const chosen = list(what, text);
  for (const name of chosen) if (name !== "all" && !known.includes(name)) refuse(`no ${what} ${name}; there are ${known.join(", ")}`);
  return chosen.includes("all") ? known : [...new Set(chosen)];
}

/** The candidates of a list of names; without one those of `others`, null for all. */
export function candidatesOf(text, others = null) {
  try {
    return chosenCandidates(text === undefined ? others : list("candidate", text));
  } catch (error) {
    return refuse(error.message);
  }
}

/** A number of rounds; undefined without one. */
export function roundsOf(text) {
  if (text === undefined) return undefined;
  const rounds = Number(text);
  if (!Number.isInteger(rounds) || rounds < 1) refuse(`--rounds ${text}: there must be one round at least`);
  return rounds;
}

/** Makes sure that there is somewhere to write results to. */
function mustBeWritable(file) {
  try {
    mkdirSync(dirname(file), { recursive: true });
    const there = existsSync(file);
    closeSync(openSync(file, "a"));
    if (!there) rmSync(file);
  } catch (error) {
    refuse(`the results cannot be written: ${error.message}`);
  }
}

/**
 * Where the results of a run go, and where they are until its end: there, so that what has been measured is not lost with a run that ends early, and nothing
 * that was there before is. What a run of one kind has left is not touched by one of another: a quick look must not cost an hour's results. Refuses, before
 * anything is measured, what cannot be written.
 * @param {{ given?: string, usual: string, kept: string, kind: string }} places `given`: the file that the command line names, results are kept beside it;
 *   without, they go to `usual`, and are kept at the path that begins with `kept`
 */
export function resultsFile({ given, usual, kept, kind }) {
  const file = given ?? usual;
  const unfinished = given === undefined ? `${kept}-${kind}-unfinished.json` : `${given.replace(/\.json$/, "")}-unfinished.json`;
  mustBeWritable(file);
  mustBeWritable(unfinished);
  const started = performance.now();
  function save(report) {
    report.seconds = Math.round((performance.now() - started) / 1000);
    writeFileSync(unfinished, `${JSON.stringify(report)}\n`);
  }
  function finish(report) {
    save(report);
    copyFileSync(unfinished, file);
    rmSync(unfinished);
  }
  return { file, save, finish };
}

/** What the results of a benchmark of the codecs have. */
const PARTS = ["date", "machine", "candidates", "corpora"];

/** Results that were written before. @param {string} file @param {string[]} parts what they must have */
export function resultsIn(file, parts = PARTS) {
  let results;
  try {
    results = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    return refuse(`${file} holds no results: ${error.message}`);
  }
  const missing = parts.find((part) => results?.[part] === undefined);
  return missing === undefined ? results : refuse(`${file} holds no results: it has no ${missing}`);
}

/** A line for each chosen candidate that no result is of, and that was not left out with a reason. */
export function nowhereMeasured(candidates, corpora) {
  const named = new Set(
    corpora.flatMap(({ operations, skipped }) => [...operations.flatMap(({ results }) => results), ...skipped].map((r) => r.name)),
  );
  return candidates.filter(({ name }) => !named.has(name)).map(({ name }) => `${name} does nothing of what was measured`);
}
