// The goals beside what was reached: `node bench/goals.mjs [results.json]` (npm run bench:goals).
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { resultsIn } from "./command-line.mjs";
import { goals, reachedText } from "./goal-list.mjs";
import { machineLine } from "./report.mjs";
import { factor } from "./tables.mjs";

const results = (name) => fileURLToPath(new URL(`results/${name}.json`, import.meta.url));
const large = results("large");
const report = resultsIn(process.argv[2] ?? results("latest"));
const lines = goals(report, existsSync(large) ? resultsIn(large, ["linearMemoryOfRead", "linearMemoryOfWrite"]) : undefined);

const unitOf = { times: "x", of: "x the floor", µs: "µs", MB: "MB" };
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
for (const reached of lines) {
  const { what, goal, value, cpu, mutator, together, limit, limitTogether, byHand, byHandTogether, callAlone, unit, met } = reached;
  line(
    value === undefined ? "unknown" : met ? "met" : "NOT MET",
    what,
    goal,
    value === undefined ? "-" : `${reachedText(reached)} ${unitOf[unit]}`,
    ...[cpu, mutator, together, limit, limitTogether, byHand, byHandTogether].map((other) =>
      other === undefined ? "" : `${factor(other)} ${unitOf[unit]}`,
    ),
    callAlone === undefined ? "" : `the call alone ${factor(callAlone)} ${unitOf[unit]}`,
  );
}
const known = lines.filter((line) => line.value !== undefined);
console.log(`${known.filter((line) => line.met).length} of ${known.length} met, ${lines.length - known.length} not in these results`);
