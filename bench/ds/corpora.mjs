// What is measured: the large vectors, and what they leave out (text beyond ASCII, repeated and long strings, nested arrays).
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { writeDs } from "./codec.mjs";

const vector = (id) => gunzipSync(readFileSync(new URL(`../../test/vectors/ds/cases/${id}.txt.gz`, import.meta.url))).toString("latin1");
const count = (length, item) => Array.from({ length }, (_, i) => item(i));
const list = (items) => writeDs({ kind: "list", items });

export const corpora = {
  "map-100k": vector("map-x03-large-100k"),
  "list-100k": vector("list-x03-large-100k"),
  "grid-51k": vector("grid-x03-large"),
  "items-20k": list(count(20_000, (i) => [["sword", "shield", "potion", "bow"][i % 4], i % 99, i % 2 === 0, [i * 1.5, i * -0.25]])),
  "text-20k": list(count(20_000, (i) => `セリフ${i}: こんにちは、世界`)),
  "long-text": list(count(40, (i) => `chapter ${i} `.repeat(10_000))),
  small: writeDs({
    kind: "map",
    entries: [
      ["hp", 12],
      ["name", "Ayla"],
      ["alive", true],
    ],
  }),
};
