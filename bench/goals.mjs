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
const line = (mark, what, goal, ...values) =>
  console.log(`${mark.padEnd(8)}  ${what.padEnd(84)} ${goal.padStart(9)}  ${values.map((value) => value.padStart(19)).join("")}`);
line(
  "",
  "goal",
  "",
  "reached",
  "by CPU time",
  "large young gen.",
  "one process",
  "limit",
  "limit, one proc.",
  "by hand",
  "by hand, one proc.",
);
for (const { what, goal, value, cpu, mutator, together, limit, limitTogether, byHand, byHandTogether, unit, met } of lines)
  line(
    value === undefined ? "unknown" : met ? "met" : "NOT MET",
    what,
    goal,
    show(value, unit),
    ...[cpu, mutator, together, limit, limitTogether, byHand, byHandTogether].map((other) =>
      other === undefined ? "" : show(other, unit),
    ),
  );
const known = lines.filter((line) => line.value !== undefined);
console.log(`${known.filter((line) => line.met).length} of ${known.length} met, ${lines.length - known.length} not in these results`);
