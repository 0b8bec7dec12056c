// Decode and encode against plain JavaScript: medians of CPU time over interleaved rounds, the collector run before each.
// Usage: node --expose-gc bench/ds/speed.mjs [corpus...] [--rounds=15] [--json=FILE]; a run of all corpora goes to bench/results/ds.json.
import assert from "node:assert";
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { readDs, readDsJs, writeDs, writeDsBytes, writeDsJs } from "./codec.mjs";
import { corpora } from "./corpora.mjs";
import { node, plain } from "./plain-js.mjs";

const args = process.argv.slice(2);
const rounds = Number(args.find((arg) => arg.startsWith("--rounds="))?.slice(9) ?? 15);
const names = args.filter((arg) => !arg.startsWith("--"));
const given = args.find((arg) => arg.startsWith("--json="))?.slice(7);
const file = given ?? (names.length === 0 ? fileURLToPath(new URL("../results/ds.json", import.meta.url)) : undefined);
const results = [];

const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];

function interleaved(works, repeat) {
  const times = works.map(() => []);
  for (let round = -3; round < rounds; round++)
    works.forEach((work, i) => {
      globalThis.gc?.();
      // CPU time: the machine may be doing other things.
      const before = process.cpuUsage();
      for (let n = 0; n < repeat; n++) work();
      const { user, system } = process.cpuUsage(before);
      if (round >= 0) times[i].push((user + system) / 1000 / repeat);
    });
  return times.map(median);
}

const row = (...cells) => console.log(cells.map((cell, i) => (i === 0 ? String(cell).padEnd(11) : String(cell).padStart(11))).join(""));
const ms = (value) => value.toFixed(value < 0.1 ? 5 : 2);

for (const [title, works] of [
  [
    "decode",
    (text, bytes) => [
      () => readDs(text),
      () => readDs(bytes),
      () => readDsJs(text),
      () => plain.read(text),
      () => node.read(text),
      () => bytes.slice(),
    ],
  ],
  [
    "encode",
    (_text, bytes, structure) => [
      () => writeDs(structure),
      () => writeDsBytes(structure),
      () => writeDsJs(structure),
      () => plain.write(structure),
      () => node.write(structure),
      () => bytes.slice(),
    ],
  ],
]) {
  console.log(`\n${title}, CPU milliseconds; x = plain JS / Tusk`);
  row("", "Tusk text", "Tusk bytes", "Tusk js", "plain JS", "Buffer JS", "copy", "x plain", "x Buffer", "/ copy");
  for (const name of names.length ? names : Object.keys(corpora)) {
    const text = corpora[name];
    const bytes = new TextEncoder().encode(text);
    const structure = readDs(text);
    assert.deepStrictEqual(readDsJs(text), structure);
    assert.ok(writeDs(structure) === text && writeDsJs(structure) === text);
    for (const codec of [plain, node]) {
      assert.deepStrictEqual(codec.read(text), structure);
      assert.ok(codec.write(structure) === text);
    }
    const times = interleaved(works(text, bytes, structure), text.length < 1000 ? 5000 : 1);
    const [own, ownBytes, js, plainTime, nodeTime, copy] = times;
    results.push({
      operation: title,
      corpus: name,
      digits: text.length,
      cpuMs: { own, ownBytes, js, plain: plainTime, buffer: nodeTime, copy },
    });
    row(
      name,
      ms(own),
      ms(ownBytes),
      ms(js),
      ms(plainTime),
      ms(nodeTime),
      ms(copy),
      (plainTime / own).toFixed(1),
      (nodeTime / own).toFixed(1),
      (ownBytes / copy).toFixed(1),
    );
  }
}

if (file !== undefined) {
  const machine = { node: process.version, platform: `${process.platform} ${process.arch}`, cpu: cpus()[0]?.model, cores: cpus().length };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ date: new Date().toISOString(), machine, rounds, results })}\n`);
}
