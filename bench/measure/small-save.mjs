// The fixed cost of a call: a save of about 200 bytes, warm, each way. tinybench times it and keeps the statistics.
import { writeFileSync } from "node:fs";
import { Bench } from "tinybench";
import { CANDIDATES, prepare } from "../candidates/candidates.mjs";
import { SMALL_SAVE } from "../corpus-list.mjs";

const job = JSON.parse(process.argv[2]);
const results = [];
for (const operation of ["decode", "encode"]) {
  const bench = new Bench({ time: job.quick ? 60 : 400, warmupTime: 100 });
  const sizes = {};
  for (const candidate of CANDIDATES.filter((c) => !c.floor)) {
    const { run, bytes } = await prepare(candidate, { value: SMALL_SAVE, constructors: {}, typedArrays: false }, [operation]);
    if (run?.[operation] === undefined) continue;
    sizes[candidate.name] = bytes;
    // A hundred calls per sample: one is shorter than the clock's step.
    bench.add(candidate.name, () => {
      for (let i = 0; i < 100; i++) run[operation]();
    });
  }
  await bench.run();
  for (const task of bench.tasks) {
    const { latency } = task.result;
    results.push({ operation, name: task.name, bytes: sizes[task.name], microseconds: (latency.p50 * 1000) / 100 });
  }
}
writeFileSync(job.file, JSON.stringify(results));
