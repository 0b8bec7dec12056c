// Numbers and tables of the reports.

export const megabytes = (bytes) =>
  bytes >= 1e5 ? `${(bytes / 1e6).toFixed(1)} MB` : bytes >= 1e3 ? `${(bytes / 1e3).toFixed(1)} kB` : `${bytes} B`;
const digits = (value) => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2));
/** A time in the unit that suits it. */
export const duration = (ms) => (ms < 0.1 ? `${digits(ms * 1000)} µs` : `${digits(ms)} ms`);
/** "12 times": factors above ten need no fraction. */
export const factor = (value) => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2));

export const row = (cells) => `| ${cells.join(" | ")} |`;
export const table = (head, rows) => [row(head), row(head.map((_, i) => (i === 0 ? "---" : "---:"))), ...rows.map(row)].join("\n");

export const geometricMean = (values) => Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);

/** One result: `corpora` is a list of a report, so that sections with other settings can be asked too. */
export function resultOf(corpora, corpus, operation, name) {
  return corpora
    ?.find((c) => c.corpus === corpus)
    ?.operations.find((o) => o.operation === operation)
    ?.results.find((r) => r.name === name);
}

/**
 * How many times faster `name` is than `other`, from ratios taken within the same rounds: those of few when both took part in them, else those of all.
 * Undefined when one was not measured.
 * @param {"ratio" | "cpuRatio"} clock wall time, or CPU time of the whole process
 */
export function speedup(corpora, corpus, operation, name, other, clock = "ratio") {
  const both = [name, other].map((each) => resultOf(corpora, corpus, operation, each));
  const [own, opponent] = both.every((result) => result?.alone !== undefined) ? both.map((result) => result.alone) : both;
  return own?.[clock] === undefined || opponent?.[clock] === undefined ? undefined : opponent[clock].median / own[clock].median;
}
