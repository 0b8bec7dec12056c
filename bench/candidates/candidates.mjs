// The candidates and the check that each must pass before it may be timed.
import { firstDifference } from "../deep-equal.mjs";
import { elephantCodecs } from "./elephant-codecs.mjs";
import { exportStrings } from "./export-strings.mjs";
import { floors } from "./floors.mjs";
import { generalCodecs } from "./general-codecs.mjs";
import { tuskCandidates } from "./tusk.mjs";

/**
 * @typedef {object} Candidate
 * @property {string} name
 * @property {string} loses what a value loses on the way, for the reader of the report
 * @property {import("../deep-equal.mjs").Fidelity} [fidelity] the same for the check; without it everything must come back
 * @property {string[]} [operations] default: whatever `create` returns
 * @property {boolean} [floor] not a codec: nothing to check
 * @property {(corpus: object) => object | Promise<object>} create corpus: value, constructors, typedArrays; returns encode, decode, duplicate, exportString
 */

export const REFERENCE = "strong-js";

/** @type {Candidate[]} */
export const CANDIDATES = [...tuskCandidates, ...elephantCodecs, ...generalCodecs, ...exportStrings, ...floors];

const METHOD = { decode: "decode", encode: "encode", duplicate: "duplicate", export: "exportString" };

/** Size of what a candidate encodes to, in bytes. */
export function encodedSize(data) {
  return typeof data === "string" ? Buffer.byteLength(data) : (data?.byteLength ?? 0);
}

/**
 * A candidate ready for timing on a corpus, or the reason why it is left out.
 * @param {Candidate} candidate
 * @returns {Promise<{ run: Record<string, () => unknown>, bytes: number } | { skipped: string }>}
 */
export async function prepare(candidate, corpus, operations) {
  // A graph with cycles has no end for a codec without references.
  if (corpus.shared && candidate.fidelity?.sharing === false) return { skipped: "cannot keep shared objects and cycles" };
  try {
    const codec = await candidate.create(corpus);
    const data = codec.encode?.(corpus.value);
    if (!candidate.floor) {
      // Three times: compiled fast paths must pass the check too, not only the first call.
      for (let i = 0; i < 3; i++) {
        if (codec.decode !== undefined) mustEqual(corpus.value, codec.decode(codec.encode(corpus.value)), candidate);
        if (codec.duplicate !== undefined) mustEqual(corpus.value, codec.duplicate(corpus.value), candidate);
      }
    }
    const offered = operations.filter((op) => codec[METHOD[op]] !== undefined && (candidate.operations ?? operations).includes(op));
    const run = Object.fromEntries(
      offered.map((op) => [op, op === "decode" ? () => codec.decode(data) : () => codec[METHOD[op]](corpus.value)]),
    );
    return { run, bytes: encodedSize(data) };
  } catch (error) {
    return { skipped: String(error.message).split("\n")[0].slice(0, 160) };
  }
}

function mustEqual(original, copy, { fidelity }) {
  const difference = firstDifference(original, copy, fidelity);
  if (difference !== null) throw new Error(`does not round-trip: ${difference}`);
}
