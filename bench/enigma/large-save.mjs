// The 10,000-instance save of test/vectors/enigma: decode and encode against the straightforward codec and a plain copy of the bytes.
//   node bench/enigma/large-save.mjs [rounds]
import assert from "node:assert";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import * as plain from "./plain-codec.mjs";
import { source } from "./sources.mjs";
import { interleaved, report } from "./timing.mjs";

const { readEnigma, writeEnigma } = await source("index.ts");
const rounds = Number(process.argv[2] ?? 41);
const folder = new URL("../../test/vectors/enigma/", import.meta.url);
const bytes = new Uint8Array(gunzipSync(readFileSync(new URL("bin-large-10k.bin.gz", folder))));
const schema = JSON.parse(gunzipSync(readFileSync(new URL("manifest.json.gz", folder)))).schemas.main;
const checked = plain.prepare(schema, true);
const unchecked = plain.prepare(schema, false);

// Round trip first: all three give the same objects and the same bytes.
const game = readEnigma(bytes, { schema });
assert.deepStrictEqual(plain.decode(bytes, checked), JSON.parse(JSON.stringify(game, (_, value) => (value === undefined ? null : value))));
for (const engine of ["wasm", "js"]) assert.deepStrictEqual(readEnigma(bytes, { schema, engine }), game);
assert.ok(Buffer.compare(plain.encode(game, { checksum: true }), bytes) === 0);
for (const engine of ["wasm", "js"]) assert.ok(Buffer.compare(writeEnigma(game, { engine }), bytes) === 0);

const decode = interleaved(
  {
    "straightforward, checksum": () => plain.decode(bytes, checked),
    "tusk wasm, checksum": () => readEnigma(bytes, { schema, engine: "wasm" }),
    "tusk js, checksum": () => readEnigma(bytes, { schema, engine: "js" }),
    straightforward: () => plain.decode(bytes, unchecked),
    "tusk wasm": () => readEnigma(bytes, { schema, engine: "wasm", checksum: "ignore" }),
    "tusk js": () => readEnigma(bytes, { schema, engine: "js", checksum: "ignore" }),
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
    "tusk js, checksum": () => writeEnigma(game, { engine: "js" }),
    "copy of the bytes": () => bytes.slice(),
  },
  rounds,
);
report("encode (10,000 instances)", encode, bytes.length, "straightforward, checksum");
