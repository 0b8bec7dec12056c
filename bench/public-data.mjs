// Public data sets from npm packages as Elephant-able values: null becomes undefined, every key is kept, nothing else changes.
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** Limits of the format (formats/elephant.md §5, §6). A set that exceeds them would have to be split; none of these does. */
const MAX_ELEMENTS = 65534;
const MAX_MEMBERS = 65533;

function toElephant(value, path) {
  if (value === null) return undefined;
  if (typeof value !== "object") return value;
  if (Array.isArray(value)) {
    if (value.length > MAX_ELEMENTS) throw new Error(`${path}: ${value.length} elements, the format holds ${MAX_ELEMENTS}`);
    return value.map((v, i) => toElephant(v, `${path}[${i}]`));
  }
  const result = {};
  const keys = Object.keys(value);
  if (keys.length > MAX_MEMBERS) throw new Error(`${path}: ${keys.length} members, the format holds ${MAX_MEMBERS}`);
  for (const key of keys) result[key] = toElephant(value[key], `${path}.${key}`);
  return result;
}

/** Name and source of each public corpus. */
export const PUBLIC_CORPORA = [
  { name: "compat", title: "browser compatibility (MDN)", module: "@mdn/browser-compat-data" },
  { name: "caniuse", title: "browser features (caniuse)", module: "caniuse-db/fulldata-json/data-2.0.json" },
  { name: "emoji", title: "emoji with names and tags (emojibase, ja)", module: "emojibase-data/ja/data.json" },
  { name: "atlas", title: "topology of the world's borders (world-atlas)", module: "world-atlas/countries-50m.json" },
  { name: "countries", title: "countries (world-countries)", module: "world-countries/countries.json" },
].map((corpus) => ({ ...corpus, load: () => ({ constructors: {}, value: toElephant(require(corpus.module), corpus.name) }) }));
