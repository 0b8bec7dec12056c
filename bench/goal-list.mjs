// The goals of the project's speed, and what a results file says about each.
import { PUBLIC_CORPORA } from "./public-data.mjs";
import { SMALL_CORPUS, SYNTHETIC_CORPORA } from "./synthetic-corpora.mjs";
import { factor, firstSpeedup, geometricMean, resultOf, speedup } from "./tables.mjs";

/** The public data sets count together, by their geometric mean. */
const PUBLIC = "public data";

/** How many times faster than the opponent, per corpus. */
const FASTER = [
  {
    operation: "decode",
    opponent: "strong-js",
    title: "best JS",
    goals: { rpg: 1.3, schema: 1.25, tiles: 1, typed: 1, dialogue: 1.25, graph: 1.3, mixed: 1.1, [PUBLIC]: 1.3 },
  },
  { operation: "decode", opponent: "JSON", title: "JSON.parse", goals: { rpg: 4.5, tiles: 3.5, dialogue: 1.5, mixed: 2, [PUBLIC]: 3 } },
  {
    operation: "encode",
    opponent: "strong-js",
    title: "best JS with the same guarantees",
    goals: { rpg: 1.25, schema: 1.25, tiles: 1, typed: 1, dialogue: 1.2, graph: 1.25, mixed: 1.1, [PUBLIC]: 1.1 },
  },
  {
    operation: "encode",
    opponent: "msgpackr structuredClone",
    title: "msgpackr structuredClone",
    goals: { rpg: 2.5, schema: 3.5, dialogue: 1.2, graph: 5, mixed: 1.5, [PUBLIC]: 2 },
  },
];

/** What cannot be passed, or hardly: a decoder that does nothing but allocate, an encoder that does not ask whether a container has come before. */
const LIMITS = { decode: "floor: allocation, fresh strings", encode: "strong-js, no identity" };

/** Reads or writes one save, which it knows by heart: what is left when nothing has to be found out. */
const BY_HAND = "limit: by hand";

/** The corpora of every whole run; the golden vectors' large saves come on top. */
const EVERY_RUN = [...SYNTHETIC_CORPORA, ...PUBLIC_CORPORA, SMALL_CORPUS].map(({ name }) => name);

/** The corpora of which first calls in fresh processes are measured. */
export const FIRST_CORPORA = ["rpg", "schema", "dialogue", "small"];

/** The corpora whose decoding has goals against bare allocation. */
const WITH_FLOORS = ["rpg", "schema"];

const FLOORS = { "strings made anew": "floor: allocation, fresh strings", "strings there already": "floor: allocation" };

/** The straightforward codec, which the JavaScript engine has to beat everywhere. */
const PLAIN = "plain-js";

/** Whom the goals compare Tusk with at a corpus. @returns {string[]} */
export function opponentsAt(corpus) {
  const among = PUBLIC_CORPORA.some(({ name }) => name === corpus) ? PUBLIC : corpus;
  const faster = FASTER.filter(({ goals }) => among in goals).map(({ opponent }) => opponent);
  return [PLAIN, ...faster, ...(WITH_FLOORS.includes(corpus) ? Object.values(FLOORS) : [])];
}

/** How many times faster `name` is; for the public data sets the mean over all of them, and only when all were measured. */
export function times(corpora, corpus, operation, opponent, clock = "ratio", name = "tusk") {
  if (corpus !== PUBLIC) return speedup(corpora, corpus, operation, name, opponent, clock);
  const all = PUBLIC_CORPORA.map((each) => speedup(corpora, each.name, operation, name, opponent, clock));
  return all.every((value) => value !== undefined) ? geometricMean(all) : undefined;
}

/**
 * @typedef {object} Goal
 * @property {string} what
 * @property {string} goal
 * @property {number} bound the goal's number
 * @property {number | undefined} value undefined: not in these results
 * @property {number | undefined} [cpu] the same by CPU time of the process, which other work on the machine disturbs less
 * @property {number | undefined} [mutator] the same with a young generation of 256 MB
 * @property {number | undefined} [together] the same with all candidates in one process, as the prototypes were measured that the goals come from
 * @property {number | undefined} [limit] what would be reached by a decoder that does nothing but allocate the result, its strings included; by the
 *   strong JavaScript encoder if it did not ask whether a container has come before
 * @property {number | undefined} [limitTogether] the same with all candidates in one process
 * @property {number | undefined} [byHand] what functions reach that were written by hand for this very save and check nothing
 * @property {number | undefined} [byHandTogether] the same with all candidates in one process
 * @property {number | undefined} [callAlone] of a first call: the same without what it takes to make the codec
 * @property {boolean} met
 * @property {"times" | "µs" | "MB" | "of"} unit
 */

/** What was reached, with so many digits that it is seen on which side of the goal it lies. @param {Goal} goal */
export function reachedText({ value, bound, met }) {
  const rounded = Number(factor(value));
  return !met && rounded === bound ? value.toFixed(4) : factor(value);
}

/** @returns {Goal[]} */
export function goals(report, large) {
  const lines = [];
  const add = (what, goal, value, atLeast, unit, others = {}) =>
    lines.push({
      what,
      goal: `${atLeast ? "≥" : "≤"} ${goal}${unit === "µs" || unit === "MB" ? ` ${unit}` : ""}`,
      bound: goal,
      value,
      ...others,
      unit,
      met: value !== undefined && (atLeast ? value >= goal : value <= goal),
    });

  for (const { operation, opponent, title, goals } of FASTER) {
    for (const [corpus, goal] of Object.entries(goals)) {
      const value = times(report.corpora, corpus, operation, opponent);
      add(`${operation} of ${corpus} against ${title}`, goal, value, true, "times", {
        cpu: times(report.corpora, corpus, operation, opponent, "cpuRatio"),
        mutator: times(report.mutatorCorpora, corpus, operation, opponent),
        together: times(report.togetherCorpora, corpus, operation, opponent),
        limit: times(report.corpora, corpus, operation, opponent, "ratio", LIMITS[operation]),
        limitTogether: times(report.togetherCorpora, corpus, operation, opponent, "ratio", LIMITS[operation]),
        byHand: times(report.corpora, corpus, operation, opponent, "ratio", BY_HAND),
        byHandTogether: times(report.togetherCorpora, corpus, operation, opponent, "ratio", BY_HAND),
      });
    }
  }
  for (const corpus of WITH_FLOORS) {
    for (const [title, floor] of Object.entries(FLOORS)) {
      const slower = (corpora, clock, name = "tusk") => speedup(corpora, corpus, "decode", floor, name, clock);
      add(`decode of ${corpus} against its allocation, ${title}`, 1.3, slower(report.corpora), false, "of", {
        cpu: slower(report.corpora, "cpuRatio"),
        mutator: slower(report.mutatorCorpora),
        together: title === "strings made anew" ? slower(report.togetherCorpora) : undefined,
        byHand: slower(report.corpora, "ratio", BY_HAND),
        byHandTogether: title === "strings made anew" ? slower(report.togetherCorpora, "ratio", BY_HAND) : undefined,
      });
    }
  }
  for (const operation of ["decode", "encode"]) {
    const own = resultOf(report.corpora, "small", operation, "tusk");
    const ms = (own?.alone ?? own)?.ms.median;
    add(`${operation} of a save of 200 bytes, warm`, 2, ms === undefined ? undefined : ms * 1000, false, "µs");
  }
  for (const corpus of FIRST_CORPORA) {
    const against = (clock) => firstSpeedup(report.first, corpus, "decode", "tusk", "strong-js", clock);
    const callAlone = against("firstMs");
    add(`first decode of ${corpus} in a fresh process against best JS's, codec made included`, 1, against("readyMs"), true, "times", {
      callAlone,
    });
  }
  const memory = large === undefined ? [] : [large.linearMemoryOfRead, large.linearMemoryOfWrite];
  add("linear memory for reading a save of 500 MB", 16, memory[0] === undefined ? undefined : memory[0] / 1e6, false, "MB");
  add("linear memory for writing a save of 500 MB", 16, memory[1] === undefined ? undefined : memory[1] / 1e6, false, "MB");
  for (const operation of ["decode", "encode"]) {
    const names = new Set([...EVERY_RUN, ...report.corpora.map(({ corpus }) => corpus)]);
    const all = [...names].map((corpus) => [corpus, speedup(report.corpora, corpus, operation, "tusk js engine", PLAIN)]);
    const [name, least] = all.every(([, value]) => value !== undefined) ? all.sort((a, b) => a[1] - b[1])[0] : [];
    const where = name === undefined ? "" : ` (${name})`;
    add(`${operation} by the JavaScript engine against the straightforward codec, least${where}`, 1, least, true, "times");
  }
  return lines;
}
