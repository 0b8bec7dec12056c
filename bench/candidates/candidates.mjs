// The candidates. Each is loaded only where it runs: a process or a page measures one of them and nothing else has been compiled there.
import { byHand } from "./by-hand.mjs";
import { elephantCodecs } from "./elephant-codecs.mjs";
import { exportStrings } from "./export-strings.mjs";
import { floors } from "./floors.mjs";
import { generalCodecs } from "./general-codecs.mjs";
import { tuskCandidates } from "./tusk.mjs";

/**
 * @typedef {object} Codec
 * @property {() => void} [check] throws where the codec is not what the candidate's name says
 * @property {(value: unknown) => unknown} [encode]
 * @property {(data: unknown) => unknown} [decode]
 * @property {(value: unknown) => unknown} [duplicate]
 * @property {(value: unknown) => string} [exportString]
 * @property {(text: string) => unknown} [importString]
 *
 * @typedef {object} Candidate
 * @property {string} name
 * @property {string} loses what a value loses on the way, for the reader of the report
 * @property {import("../deep-equal.mjs").Fidelity} [fidelity] the same for the check; without it everything must come back
 * @property {string[]} [operations] default: whatever the codec offers
 * @property {string[]} [corpora] those that it is made for; default: all
 * @property {boolean} [floor] not a codec
 * @property {boolean} [unchecked] what it makes is no value
 * @property {boolean} [nodeOnly] there is none in browsers
 * @property {() => Promise<(corpus: object) => Codec>} load imports the candidate; the function it resolves to makes a codec for a
 *   corpus (`value`, `constructors`, `typedArrays`)
 */

/** Whom the others are compared with: the best codec of the format in pure JavaScript. */
export const REFERENCE = "strong-js";

/** Other names on the command line. */
const ALIASES = { bestjs: REFERENCE, best: REFERENCE, wasm: "tusk", plain: "plain-js" };

/** @type {Candidate[]} */
export const CANDIDATES = [...tuskCandidates, ...elephantCodecs, ...generalCodecs, ...exportStrings, byHand, ...floors];

export const OPERATIONS = ["decode", "encode", "duplicate", "export", "import"];

export function candidateNamed(name) {
  return CANDIDATES.find((candidate) => candidate.name === name);
}

/** The candidates that a list of names means: a whole name that one, a part of a name all that have it; the reference always takes part. */
export function chosenCandidates(names) {
  if (names === null) return CANDIDATES;
  const wanted = new Set([REFERENCE]);
  for (const given of names) {
    const name = ALIASES[given] ?? given;
    const found = CANDIDATES.filter((c) => c.name === name);
    const meant = found.length > 0 ? found : CANDIDATES.filter((c) => c.name.includes(name));
    if (meant.length === 0) throw new Error(`no candidate ${given}; there are ${CANDIDATES.map((c) => c.name).join("; ")}`);
    for (const candidate of meant) wanted.add(candidate.name);
  }
  return CANDIDATES.filter((c) => wanted.has(c.name));
}
