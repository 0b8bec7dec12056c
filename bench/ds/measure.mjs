// One corpus in a process of its own: CPU times, medians over interleaved rounds, the collector run before each.
// Called by speed.mjs: `node --expose-gc bench/ds/measure.mjs <job as JSON> --bundled`.
import assert from "node:assert";
import { writeFileSync } from "node:fs";
import { rng } from "../corpora.mjs";
import { quantile, shuffled } from "../statistics.mjs";
import { readDs, readDsJs, textOf, writeDs, writeDsBytes, writeDsJs } from "./codec.mjs";
import { corpora } from "./corpora.mjs";
import { plain } from "./plain-js.mjs";

// In a copy of its own, like the engines.
const { node } = await import("./plain-js.mjs?node");

const { corpus, rounds, file } = JSON.parse(process.argv[2]);
const random = rng(1);

function interleaved(works, repeat) {
  const times = works.map(() => []);
  for (let round = -6; round < rounds; round++)
    for (const [i, work] of shuffled([...works.entries()], random)) {
      globalThis.gc();
      // CPU time: the machine may be doing other things.
      const before = process.cpuUsage();
      for (let n = 0; n < repeat; n++) work();
      const { user, system } = process.cpuUsage(before);
      if (round >= 0) times[i].push((user + system) / 1000 / repeat);
    }
  return times.map((list) => quantile(list, 0.5));
}

const made = corpora[corpus]();
const text = typeof made === "string" ? made : textOf(made);
const bytes = new TextEncoder().encode(text);
const structure = readDs(text);
assert.deepStrictEqual(readDsJs(text), structure);
assert.ok(writeDs(structure) === text && writeDsJs(structure) === text);
for (const codec of [plain, node]) {
  assert.deepStrictEqual(codec.read(text), structure);
  assert.ok(codec.write(structure) === text);
}

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
const results = Object.entries(works).map(([operation, list]) => {
  const [own, ownBytes, js, plainTime, buffer, copy] = interleaved(list, text.length < 1000 ? 5000 : 1);
  return { operation, corpus, digits: text.length, cpuMs: { own, ownBytes, js, plain: plainTime, buffer, copy } };
});
writeFileSync(file, JSON.stringify(results));
