// What comes back from each candidate, tried and not claimed: small values that a save may hold, written and read again. Only cycles are not tried with
// those that keep no shared objects: some have no end there, or fill the memory.
// Called by run.mjs: `node guarantees.mjs <job as JSON>`; writes its result to the job's file.
import { writeFileSync } from "node:fs";
import { CANDIDATES } from "../candidates/candidates.mjs";
import { firstDifference } from "../deep-equal.mjs";

class Hero {
  hp = 0;
}

const shared = { gold: 7 };
const cycle = { name: "loop", self: undefined };
cycle.self = cycle;
const hostile = JSON.parse('{ "__proto__": { "polluted": true }, "constructor": 1 }');
function nested(depth) {
  let value = [];
  for (let i = 0; i < depth; i++) value = [value];
  return value;
}

/** @type {[string, unknown, object?][]} title, value, what else the codec is told */
const PROBES = [
  ["shared objects", [shared, shared]],
  ["cycles", cycle],
  ["classes", { hero: Object.assign(new Hero(), { hp: 80 }) }],
  ["undefined", { a: undefined, b: [1, undefined] }],
  ["NaN, infinities, -0", [Number.NaN, Number.POSITIVE_INFINITY, -0, 0.5]],
  ["int64", [2n ** 62n + 1n, -5n]],
  ["typed arrays", { a: new Uint8Array([1, 2]), b: new Float32Array([0.5, 1.5]) }, { typedArrays: true }],
  ["order of members", { b: 1, a: 2, c: { z: 1, y: 2 } }],
  ["any key", hostile],
  ["100,000 levels", nested(100_000)],
];

const job = JSON.parse(process.argv[2]);
const results = [];
for (const candidate of CANDIDATES) {
  if (candidate.floor || candidate.operations?.includes("export")) continue;
  const create = await candidate.load();
  const keeps = {};
  for (const [title, value, options] of PROBES) {
    if (title === "cycles" && candidate.fidelity?.sharing === false) {
      keeps[title] = false;
      continue;
    }
    try {
      const codec = create({ value, constructors: { Hero: { class: Hero } }, typedArrays: false, ...options });
      const copy = codec.encode === undefined ? codec.duplicate(value) : codec.decode(codec.encode(value));
      const same = firstDifference(value, copy, { sharing: title === "shared objects" || title === "cycles" }) === null;
      keeps[title] = same && (title !== "order of members" || JSON.stringify(copy) === JSON.stringify(value));
    } catch {
      keeps[title] = false;
    }
  }
  results.push({ name: candidate.name, keeps });
}
writeFileSync(job.file, JSON.stringify(results));
