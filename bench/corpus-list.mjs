// Every corpus of the benchmark by name: the synthetic ones, public data sets, the small save and the golden vectors' large saves.
import { PUBLIC_CORPORA } from "./public-data.mjs";
import { SMALL_CORPUS, SYNTHETIC_CORPORA } from "./synthetic-corpora.mjs";
import { largeSaves } from "./vectors.mjs";

/**
 * @typedef {object} Corpus
 * @property {string} name
 * @property {string} title
 * @property {boolean} [typedArrays] the value holds typed arrays
 * @property {boolean} [shared] the value holds shared objects or cycles
 * @property {number} [warmMs] how long it has to be warmed at least
 * @property {boolean} [public] a public data set; `json()` is its raw document
 * @property {(scale?: number) => { value: unknown, constructors: Record<string, { class: Function, schema?: object }>, elephant?: Uint8Array }} load
 *   scale: 1 is the benchmark's size; smaller for quick runs (synthetic corpora only)
 */

/** @returns {Promise<Corpus[]>} */
export async function allCorpora() {
  return [
    ...SYNTHETIC_CORPORA,
    ...PUBLIC_CORPORA,
    SMALL_CORPUS,
    ...(await largeSaves()).map((save) => ({ ...save, title: "a golden vector's large save", shared: true })),
  ];
}
