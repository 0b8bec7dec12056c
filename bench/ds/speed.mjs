// Decode and encode of ds strings against plain JavaScript, each corpus in a process of its own.
// Usage: node bench/ds/speed.mjs [corpus...] [--rounds=15] [--json=FILE]; a run of all corpora with all rounds goes to bench/results/ds.json.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { circumstances } from "../circumstances.mjs";
import { refuse, roundsOf } from "../command-line.mjs";
import { bundle } from "./bundle.mjs";
import { corpora } from "./corpora.mjs";

const args = process.argv.slice(2);
const chosenRounds = roundsOf(args.find((arg) => arg.startsWith("--rounds="))?.slice(9));
const rounds = chosenRounds ?? 15;
const names = [...new Set(args.filter((arg) => !arg.startsWith("--")))];
for (const name of names) if (!Object.hasOwn(corpora, name)) refuse(`no corpus ${name}; there are ${Object.keys(corpora).join(", ")}`);
const given = args.find((arg) => arg.startsWith("--json="))?.slice(7);
const file =
  given ?? (names.length === 0 && chosenRounds === undefined ? fileURLToPath(new URL("../results/ds.json", import.meta.url)) : undefined);

await bundle();
const folder = mkdtempSync(join(tmpdir(), "tusk-bench-ds-"));
const measured = (names.length > 0 ? names : Object.keys(corpora)).flatMap((corpus) => {
  const result = join(folder, "result.json");
  const script = fileURLToPath(new URL("measure.mjs", import.meta.url));
  const { status } = spawnSync(process.execPath, [script, JSON.stringify({ corpus, rounds, file: result }), "--bundled"], {
    stdio: "inherit",
  });
  if (status !== 0) throw new Error(`${corpus} could not be measured`);
  return JSON.parse(readFileSync(result, "utf8"));
});
rmSync(folder, { recursive: true });
const results = ["decode", "encode"].flatMap((operation) => measured.filter((m) => m.operation === operation));

const row = (...cells) => console.log(cells.map((cell, i) => (i === 0 ? String(cell).padEnd(11) : String(cell).padStart(11))).join(""));
const ms = (value) => value.toFixed(value < 0.1 ? 5 : 2);
for (const operation of ["decode", "encode"]) {
  console.log(`\n${operation}, CPU milliseconds; x = plain JS / Tusk`);
  row("", "Tusk text", "Tusk bytes", "Tusk js", "plain JS", "Buffer JS", "copy", "x plain", "x Buffer", "/ copy");
  for (const { corpus, cpuMs } of results.filter((r) => r.operation === operation)) {
    const { own, ownBytes, js, plain, buffer, copy } = cpuMs;
    const ratios = [plain / own, buffer / own, ownBytes / copy].map((ratio) => ratio.toFixed(1));
    row(corpus, ...[own, ownBytes, js, plain, buffer, copy].map(ms), ...ratios);
  }
}

if (file !== undefined) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ ...circumstances(), rounds, results })}\n`);
}
