// Public data sets from npm packages.
import { createRequire } from "node:module";
import { toElephant } from "./elephant-value.mjs";

const require = createRequire(import.meta.url);

/** Name and source of each public corpus; `json` is the raw document. */
export const PUBLIC_CORPORA = [
  { name: "compat", title: "browser compatibility (MDN)", module: "@mdn/browser-compat-data" },
  { name: "caniuse", title: "browser features (caniuse)", module: "caniuse-db/fulldata-json/data-2.0.json" },
  { name: "emoji", title: "emoji with names and tags (emojibase, ja)", module: "emojibase-data/ja/data.json" },
  { name: "atlas", title: "topology of the world's borders (world-atlas)", module: "world-atlas/countries-50m.json" },
  { name: "countries", title: "countries (world-countries)", module: "world-countries/countries.json" },
].map(({ module, ...corpus }) => ({
  ...corpus,
  public: true,
  json: () => require(module),
  load: () => ({ constructors: {}, value: toElephant(require(module), corpus.name) }),
}));
