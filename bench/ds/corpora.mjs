// What is measured: the large vectors, and what they leave out (text beyond ASCII, repeated and long strings, nested arrays). Each is made when
// it is asked for, as text or as a structure.
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

const vector = (id) => () =>
  gunzipSync(readFileSync(new URL(`../../test/vectors/ds/cases/${id}.txt.gz`, import.meta.url))).toString("latin1");
const list = (length, item) => () => ({ kind: "list", items: Array.from({ length }, (_, i) => item(i)) });

export const corpora = {
  "map-100k": vector("map-x03-large-100k"),
  "list-100k": vector("list-x03-large-100k"),
  "grid-51k": vector("grid-x03-large"),
  "items-20k": list(20_000, (i) => [["sword", "shield", "potion", "bow"][i % 4], i % 99, i % 2 === 0, [i * 1.5, i * -0.25]]),
  "text-20k": list(20_000, (i) => `セリフ${i}: こんにちは、世界`),
  "long-text": list(40, (i) => `chapter ${i} `.repeat(10_000)),
  small: () => ({
    kind: "map",
    entries: [
      ["hp", 12],
      ["name", "Ayla"],
      ["alive", true],
    ],
  }),
};
