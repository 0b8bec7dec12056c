// The 10,000-instance save of test/vectors/enigma: decode and encode against the straightforward codec and a plain copy of the bytes.
// `node bench/enigma/large-save.mjs`; see --help.
import assert from "node:assert";
import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { circumstances } from "../circumstances.mjs";
import { optionsOf, roundsOf } from "../command-line.mjs";
import * as plain from "./plain-codec.mjs";
import { source } from "./sources.mjs";
import { interleaved, report } from "./timing.mjs";

const HELP = `node bench/enigma/large-save.mjs [options]
  --rounds N       rounds of each candidate (default 41; a run with all of them goes to bench/results/enigma.json)`;

const chosenRounds = roundsOf(optionsOf({ rounds: { type: "string" } }, HELP).rounds);
const rounds = chosenRounds ?? 41;
const { readEnigma, writeEnigma } = await source("index.ts");
const js = await source("index.ts", "js");
const readEnigmaJs = (bytes, options) => js.readEnigma(bytes, { ...options, engine: "js" });
const writeEnigmaJs = (game) => js.writeEnigma(game, { engine: "js" });
const folder = new URL("../../test/vectors/enigma/", import.meta.url);
const bytes = new Uint8Array(gunzipSync(readFileSync(new URL("bin-large-10k.bin.gz", folder))));
const schema = JSON.parse(gunzipSync(readFileSync(new URL("manifest.json.gz", folder)))).schemas.main;
const checked = plain.prepare(schema, true);
const unchecked = plain.prepare(schema, false);

// Round trip first: all three give the same objects and the same bytes.
const game = readEnigma(bytes, { schema });
assert.deepStrictEqual(plain.decode(bytes, checked), JSON.parse(JSON.stringify(game, (_, value) => (value === undefined ? null : value))));
assert.deepStrictEqual(readEnigmaJs(bytes, { schema }), game);
assert.ok(Buffer.compare(plain.encode(game, { checksum: true }), bytes) === 0);
assert.ok(Buffer.compare(writeEnigma(game, { engine: "wasm" }), bytes) === 0 && Buffer.compare(writeEnigmaJs(game), bytes) === 0);

const decode = interleaved(
  {
    "straightforward, checksum": () => plain.decode(bytes, checked),
    "tusk wasm, checksum": () => readEnigma(bytes, { schema, engine: "wasm" }),
    "tusk js, checksum": () => readEnigmaJs(bytes, { schema }),
    straightforward: () => plain.decode(bytes, unchecked),
    "tusk wasm": () => readEnigma(bytes, { schema, engine: "wasm", checksum: "ignore" }),
    "tusk js": () => readEnigmaJs(bytes, { schema, checksum: "ignore" }),
    "tusk wasm, no schema": () => readEnigma(bytes, { engine: "wasm", checksum: "ignore" }),
    "copy of the bytes": () => bytes.slice(),
  },
  rounds,
);
report("decode (10,000 instances)", decode, bytes.length, "straightforward, checksum");
console.log(
  `  without checksum: wasm ${(decode.straightforward / decode["tusk wasm"]).toFixed(2)} x, js ${(decode.straightforward / decode["tusk js"]).toFixed(2)} x`,
);

const encode = interleaved(
  {
    "straightforward, checksum": () => plain.encode(game, { checksum: true }),
    "tusk wasm, checksum": () => writeEnigma(game, { engine: "wasm" }),
    "tusk js, checksum": () => writeEnigmaJs(game),
    "copy of the bytes": () => bytes.slice(),
  },
  rounds,
);
report("encode (10,000 instances)", encode, bytes.length, "straightforward, checksum");

if (chosenRounds === undefined)
  writeFileSync(
    new URL("../results/enigma.json", import.meta.url),
    `${JSON.stringify({ ...circumstances(), rounds, bytes: bytes.length, medianMs: { decode, encode } })}\n`,
  );
