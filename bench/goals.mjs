// The goals beside what was reached: `node bench/goals.mjs [results.json]` (npm run bench:goals).
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { differences, digests, otherThan } from "./circumstances.mjs";
import { resultsIn } from "./command-line.mjs";
import { goals, reachedText } from "./goal-list.mjs";
import { machineLine } from "./report.mjs";
import { factor } from "./tables.mjs";

const results = (name) => fileURLToPath(new URL(`results/${name}.json`, import.meta.url));
const file = results("large");
const large = existsSync(file) ? resultsIn(file, ["linearMemoryOfRead", "linearMemoryOfWrite"]) : undefined;
const report = resultsIn(process.argv[2] ?? results("latest"));
const lines = goals(report, large);
/** What of all that goals are set for these results are of. */
const of = [
  machineLine(report),
  report.complete === false || report.partial ? "a part of the benchmark" : undefined,
  report.scale === undefined ? undefined : `scale ${report.scale}`,
  report.mutator ? "young generation of 256 MB" : undefined,
  report.sources === undefined
    ? "of an unknown build"
    : `build ${report.sources}${differences(report, digests()).includes("sources") ? ", which is not that of the sources here" : ""}`,
];

const unitOf = { times: "x", of: "x the floor", µs: "µs", MB: "MB" };
console.log([report.date.slice(0, 16), ...of].filter((text) => text !== undefined).join(", "));
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
  // Memory is what the large save is measured for.
  const build = unit === "MB" && large !== undefined ? otherThan(large, report) : undefined;
  const note = callAlone === undefined ? build : `the call alone ${factor(callAlone)} ${unitOf[unit]}`;
  line(
    value === undefined ? "unknown" : met ? "met" : "NOT MET",
    what,
    goal,
    value === undefined ? "-" : `${reachedText(reached)} ${unitOf[unit]}`,
    ...[cpu, mutator, together, limit, limitTogether, byHand, byHandTogether].map((other) =>
      other === undefined ? "" : `${factor(other)} ${unitOf[unit]}`,
    ),
    note ?? "",
  );
}
const known = lines.filter((line) => line.value !== undefined);
console.log(`${known.filter((line) => line.met).length} of ${known.length} met, ${lines.length - known.length} not in these results`);
