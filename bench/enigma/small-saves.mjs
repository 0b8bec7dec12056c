// Small saves, where fixed costs decide: one instance (454 bytes) and 50 instances (29 KB), read and written, and the first read of a process.
//   node bench/enigma/small-saves.mjs
import assert from "node:assert";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { source } from "./sources.mjs";
import { interleaved, report } from "./timing.mjs";

const { readEnigma, writeEnigma } = await source("index.ts");
const folder = new URL("../../test/vectors/enigma/", import.meta.url);
const load = (file) => new Uint8Array(readFileSync(new URL(file, folder)));
const { schemas } = JSON.parse(gunzipSync(readFileSync(new URL("manifest.json.gz", folder))));

const many = load("bin-many-50.bin");
const start = performance.now();
readEnigma(many, { schema: schemas.main });
console.log(`first read of the process, 50 instances, kernel loaded: ${(performance.now() - start).toFixed(1)} ms`);

for (const [title, bytes, times] of [
  ["one instance, 454 bytes (200 at a time)", load("bin-one-instance.bin"), 200],
  ["50 instances, 29 KB (20 at a time)", many, 20],
  ["50 instances as JSON, 79 KB (20 at a time)", load("json-many-50.json.bin"), 20],
]) {
  const schema = schemas.main;
  const game = readEnigma(bytes, { schema });
  assert.deepStrictEqual(readEnigma(writeEnigma(game), { schema }).active, game.active);
  const repeat = (work) => () => {
    for (let i = 0; i < times; i++) work();
  };
  const medians = interleaved(
    {
      read: repeat(() => readEnigma(bytes, { schema })),
      write: repeat(() => writeEnigma(game)),
      "copy of the bytes": repeat(() => bytes.slice()),
    },
    101,
  );
  report(title, medians, bytes.length * times, "copy of the bytes");
}
