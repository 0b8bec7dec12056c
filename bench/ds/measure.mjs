// One corpus in a process of its own: CPU times in interleaved rounds.
// Called by speed.mjs: `node bench/ds/measure.mjs <job as JSON> --bundled`.
import assert from "node:assert";
import { writeFileSync } from "node:fs";
import { readDs, readDsJs, structureOf, textOf, writeDs, writeDsBytes, writeDsJs } from "./codec.mjs";
import { corpora } from "./corpora.mjs";
import { plain } from "./plain-js.mjs";
import { interleaved } from "./timing.mjs";

// In a copy of its own, like the engines.
const { node } = await import("./plain-js.mjs?node");

const { corpus, rounds, seed, file } = JSON.parse(process.argv[2]);
/** A turn is so many runs; of small texts more, as one is too short for the clock. */
const TURN = 6;
const TURN_OF_SMALL = 5000;

const made = corpora[corpus]();
const text = typeof made === "string" ? made : textOf(made);
const bytes = new TextEncoder().encode(text);
const structure = structureOf(text);

const works = {
  decode: [
    () => readDs(text),
    () => readDs(bytes),
    () => readDsJs(text),
    () => plain.read(text),
    () => node.read(text),
    () => bytes.slice(),
  ],
  encode: [
    () => writeDs(structure),
    () => writeDsBytes(structure),
    () => writeDsJs(structure),
    () => plain.write(structure),
    () => node.write(structure),
    () => bytes.slice(),
  ],
};
const runs = text.length < 1000 ? TURN_OF_SMALL : TURN;
const results = Object.entries(works).map(([operation, list]) => {
  const [own, ownBytes, js, plainTimes, buffer, copy] = interleaved(list, runs, rounds, seed);
  return { operation, corpus, digits: text.length, runs, samples: { own, ownBytes, js, plain: plainTimes, buffer, copy } };
});

// Behind the measurement, as the engine would remember it: arrays that stay, like those compared here, may decide where it allocates later ones.
for (const read of [() => readDs(text), () => readDs(bytes), () => readDsJs(text), () => plain.read(text), () => node.read(text)])
  assert.deepStrictEqual(read(), structure);
for (const write of [writeDs, writeDsJs, plain.write, node.write]) assert.ok(write(structure) === text);
assert.ok(Buffer.compare(writeDsBytes(structure), bytes) === 0);
writeFileSync(file, JSON.stringify(results));
