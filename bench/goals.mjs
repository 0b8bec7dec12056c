// The goals beside what was reached: `node bench/goals.mjs [results.json]` (npm run bench:goals).
import { existsSync, readFileSync } from "node:fs";
import { goals } from "./goal-list.mjs";
import { machineLine } from "./report.mjs";
import { factor } from "./tables.mjs";

const file = process.argv[2] ?? new URL("results/latest.json", import.meta.url);
const large = new URL("results/large.json", import.meta.url);
const report = JSON.parse(readFileSync(file, "utf8"));
const lines = goals(report, existsSync(large) ? JSON.parse(readFileSync(large, "utf8")) : undefined);

const show = (value, unit) =>
  value === undefined ? "-" : `${factor(value)} ${{ times: "x", of: "x the floor", µs: "µs", ms: "ms", MB: "MB" }[unit]}`;
console.log(`${report.date.slice(0, 16)}, ${machineLine(report)}`);
console.log(`${"".padEnd(8)}  ${"goal".padEnd(64)} ${"".padStart(9)} ${"reached".padStart(18)}   young generation of 256 MB`);
for (const { what, goal, value, mutator, unit, met } of lines) {
  const mark = value === undefined ? "unknown" : met ? "met" : "NOT MET";
  console.log(
    `${mark.padEnd(8)}  ${what.padEnd(64)} ${goal.padStart(9)} ${show(value, unit).padStart(18)}   ${mutator === undefined ? "" : show(mutator, unit)}`,
  );
}
const known = lines.filter((line) => line.value !== undefined);
console.log(`${known.filter((line) => line.met).length} of ${known.length} met, ${lines.length - known.length} not in these results`);
