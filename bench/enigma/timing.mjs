// Interleaved medians: each round runs every candidate, in a new order, so that they meet the same machine. A turn is three runs, so that a candidate
// pays for its own garbage and not only for its predecessor's.
import { Bench } from "tinybench";
import { rng } from "../corpora.mjs";
import { quantile, shuffled } from "../statistics.mjs";

const TURN = 3;

/**
 * Runs the candidates `rounds` times after `warm` and returns the median of each in milliseconds. The collector comes when it comes: behind a forced
 * collection most of the time would go into memory that was given back.
 */
export function interleaved(candidates, rounds, warm = 5) {
  const random = rng(1);
  const times = Object.fromEntries(Object.keys(candidates).map((name) => [name, []]));
  for (let round = -warm; round < rounds; round++) {
    const bench = new Bench({ iterations: TURN, time: 0, warmup: false, throws: true });
    for (const [name, run] of shuffled(Object.entries(candidates), random)) bench.add(name, run);
    bench.runSync();
    if (round >= 0) for (const { name, result } of bench.tasks) times[name].push(result.latency.mean);
  }
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, quantile(list, 0.5)]));
}

/** Prints milliseconds, MB/s, and how many times faster than `base`. */
export function report(title, medians, bytes, base) {
  console.log(`\n${title}`);
  for (const [name, ms] of Object.entries(medians))
    console.log(
      `  ${name.padEnd(34)} ${ms.toFixed(3).padStart(9)} ms ${(bytes / ms / 1000).toFixed(0).padStart(7)} MB/s ${(medians[base] / ms).toFixed(2).padStart(7)} x`,
    );
}
