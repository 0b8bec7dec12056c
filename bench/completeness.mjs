// What is wanting in results that documents could be made from: whoever fails is left out of tables and lists of losses, and nobody would see it.
import { opponentsAt } from "./goal-list.mjs";
import { sectionsOf } from "./report.mjs";

const TUSK = "tusk";
const BEST = "strong-js";

/** Tusk with each of its engines, and the best JavaScript codec, by itself and with each library for export strings. */
export const mustNotFail = (name) => name.startsWith(TUSK) || name === BEST || name.startsWith(`${BEST} + `);

/** Those of the two that every result is about who are not among `results`, but were to be measured. */
const missing = ({ candidates }, results) =>
  [TUSK, BEST].filter(
    (name) => (candidates === undefined || candidates.some((c) => c.name === name)) && results.every((result) => result.name !== name),
  );

function failuresOf(report, { title, corpora }) {
  const wanted = ["decode", "encode"].filter((operation) => corpora.some((c) => c.operations.some((o) => o.operation === operation)));
  return corpora.flatMap(({ corpus, operations, skipped }) => {
    const failed = skipped
      .filter(({ name }) => mustNotFail(name) || opponentsAt(corpus).includes(name))
      .map(({ name, skipped }) => `${corpus}${title}: ${name} failed: ${skipped}`);
    if (failed.length > 0) return failed;
    return wanted.flatMap((wanted) => {
      const { results } = operations.find(({ operation }) => operation === wanted) ?? { results: [] };
      return missing(report, results).map((name) => `${corpus}${title}: there is no ${wanted} of ${name}`);
    });
  });
}

/** A line for each corpus and candidate that there must be a result of and is none. @returns {string[]} */
export function failuresIn(report) {
  const { first = [], failed = [] } = report;
  const calls = [...new Set(first.map(({ corpus, operation }) => `first ${operation} of ${corpus}`))];
  return [
    ...failed,
    ...sectionsOf(report).flatMap((section) => failuresOf(report, section)),
    ...calls.flatMap((call) => {
      const results = first.filter(({ corpus, operation }) => call === `first ${operation} of ${corpus}`);
      return missing(report, results).map((name) => `there is no ${call} by ${name}`);
    }),
  ];
}
