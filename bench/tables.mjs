// Numbers and tables of the reports.
import { pairedRatios } from "./pairing.mjs";
import { summary } from "./statistics.mjs";

export const megabytes = (bytes) =>
  bytes >= 1e5 ? `${(bytes / 1e6).toFixed(1)} MB` : bytes >= 1e3 ? `${(bytes / 1e3).toFixed(1)} kB` : `${bytes} B`;
/** Three digits: "1.25", "13.6", "120". */
export const factor = (value) => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2));
/** A time in the unit that suits it. */
export const duration = (ms) => (ms < 0.1 ? `${factor(ms * 1000)} µs` : `${factor(ms)} ms`);

export const row = (cells) => `| ${cells.join(" | ")} |`;
export const table = (head, rows) => [row(head), row(head.map((_, i) => (i === 0 ? "---" : "---:"))), ...rows.map(row)].join("\n");

export const geometricMean = (values) => Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);

const operationOf = (corpora, corpus, operation) =>
  corpora?.find((c) => c.corpus === corpus)?.operations.find((o) => o.operation === operation);

/** One result: `corpora` is a list of a report, so that sections with other settings can be asked too. */
export const resultOf = (corpora, corpus, operation, name) => operationOf(corpora, corpus, operation)?.results.find((r) => r.name === name);

/** What each took of the other's time, the other way round. */
const inverse = ({ median, q1, q3 }) => ({ median: 1 / median, q1: 1 / q3, q3: 1 / q1 });

const SAMPLES = { ratio: "samples", cpuRatio: "cpuSamples" };

/**
 * How many times faster `name` is than `other`: median and quartiles of the rounds that both took part in, those of few when both were in them, else those
 * of all. This is what every document, chart and goal says; nothing else may compare two of a report. Undefined when one was not measured.
 * @param {"ratio" | "cpuRatio"} clock wall time, or CPU time of the whole process
 * @returns {{ median: number, q1?: number, q3?: number } | undefined}
 */
export function comparison(corpora, corpus, operation, name, other, clock = "ratio") {
  const measured = operationOf(corpora, corpus, operation);
  const both = [name, other].map((each) => resultOf(corpora, corpus, operation, each));
  const section = both.every((result) => result?.alone !== undefined) ? (result) => result?.alone : (result) => result;
  const [own, opponent] = both.map(section);
  if (own?.[clock] === undefined || opponent?.[clock] === undefined) return undefined;
  // Ratios to the reference are in the results, from samples before their digits were cut.
  if (other === measured.reference) return inverse(own[clock]);
  if (name === measured.reference) return opponent[clock];
  const reference = section(resultOf(corpora, corpus, operation, measured.reference));
  const ratios = pairedRatios(own, opponent, SAMPLES[clock], reference);
  // Results of earlier methods do not tell who met whom: there is only what either took of the reference's time.
  if (ratios === undefined) return { median: opponent[clock].median / own[clock].median };
  return ratios.length === 0 ? undefined : inverse(summary(ratios));
}

/** The median of {@link comparison}. */
export const speedup = (...compared) => comparison(...compared)?.median;

/**
 * How many times faster `name` is than `other` with the first call of a fresh process: a ratio of medians, as each sample is a process of its own. Undefined
 * when one was not measured.
 * @param {"readyMs" | "firstMs"} clock with the making of the codec, or the call alone
 * @returns {number | undefined}
 */
export function firstSpeedup(first, corpus, operation, name, other, clock = "readyMs") {
  const [own, opponent] = [name, other].map(
    (each) => first?.find((call) => call.corpus === corpus && call.operation === operation && call.name === each)?.[clock].median,
  );
  return own === undefined || opponent === undefined ? undefined : opponent / own;
}
