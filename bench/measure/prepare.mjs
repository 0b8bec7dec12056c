// The check that a candidate must pass on a corpus before it may be timed: everything it claims to keep must come back.
import { firstDifference } from "../deep-equal.mjs";

/** The codec's method for each operation of the benchmark. */
export const METHODS = { decode: "decode", encode: "encode", duplicate: "duplicate", export: "exportString", import: "importString" };

/** Size of what a candidate encodes to, in bytes. */
function encodedSize(data) {
  return typeof data === "string" ? new TextEncoder().encode(data).length : (data?.byteLength ?? 0);
}

/** Why a candidate is left out, in a line. */
export const reasonOf = (error) =>
  String(error?.message ?? error)
    .split("\n")[0]
    .slice(0, 160);

function mustEqual(original, copy, { fidelity }) {
  const difference = firstDifference(original, copy, fidelity);
  if (difference !== null) throw new Error(`does not round-trip: ${difference}`);
}

/**
 * A candidate ready for timing on a corpus, or the reason why it is left out.
 * @param {import("../candidates/candidates.mjs").Candidate} candidate
 * @param {object} corpus a loaded one: value, constructors, typedArrays, shared
 * @param {string[]} operations those wanted
 * @returns {Promise<{ run: Record<string, () => unknown>, bytes: Record<string, number> } | { skipped: string }>} `bytes`: of what each operation reads or writes
 */
export async function prepare(candidate, corpus, operations) {
  const { value } = corpus;
  // A graph with cycles has no end for a codec without references.
  if (corpus.shared && candidate.fidelity?.sharing === false) return { skipped: "cannot keep shared objects and cycles" };
  try {
    const create = await candidate.load();
    const codec = create(corpus);
    codec.check?.();
    const offered = operations.filter(
      (operation) => codec[METHODS[operation]] !== undefined && (candidate.operations ?? operations).includes(operation),
    );
    const does = (operation) => offered.includes(operation);
    const data = codec.encode?.(value);
    // The first call and the third are checked: compiled fast paths must pass, too.
    const thrice = (copy) => {
      // That a tree comes back as a tree is seen once; it costs more than the rest of the comparison.
      mustEqual(value, copy(), corpus.shared ? candidate : { fidelity: { ...candidate.fidelity, sharing: false } });
      copy();
      mustEqual(value, copy(), candidate);
    };
    if (candidate.floor) {
      if (codec.decode !== undefined && !candidate.unchecked) thrice(() => codec.decode());
    } else {
      if (codec.decode !== undefined && (does("decode") || does("encode"))) thrice(() => codec.decode(codec.encode(value)));
      if (does("duplicate")) thrice(() => codec.duplicate(value));
    }
    const text = does("export") || does("import") ? codec.exportString(value) : undefined;
    if (text !== undefined) thrice(() => codec.importString(codec.exportString(value)));
    const input = { decode: data, import: text };
    const run = Object.fromEntries(
      offered.map((operation) => {
        const method = METHODS[operation];
        const argument = operation in input ? input[operation] : value;
        return [operation, () => codec[method](argument)];
      }),
    );
    const sizes = { decode: encodedSize(data), encode: encodedSize(data), export: encodedSize(text), import: encodedSize(text) };
    return { run, bytes: Object.fromEntries(offered.map((operation) => [operation, sizes[operation] ?? 0])) };
  } catch (error) {
    return { skipped: reasonOf(error) };
  }
}
