// Interleaved samples of CPU time: each round runs every work, in a new order, so that they meet the same machine. A turn is several runs, so that a work
// pays for its own garbage and not only for its predecessor's.
import { rng } from "../corpora.mjs";
import { shuffled } from "../statistics.mjs";

/** Rounds that nobody looks at. */
const WARM = 6;

/**
 * Milliseconds of a run of each of `works`, in each of `rounds` turns of `runs`. The collector comes when it comes: behind a forced collection most of the
 * time would go into memory that was given back.
 * @param {(() => unknown)[]} works
 * @param {number} seed of the orders
 * @returns {number[][]} by work
 */
export function interleaved(works, runs, rounds, seed = 1) {
  const random = rng(seed);
  const times = works.map(() => []);
  for (let round = -WARM; round < rounds; round++)
    for (const [i, work] of shuffled([...works.entries()], random)) {
      // CPU time: the machine may be doing other things.
      const before = process.cpuUsage();
      for (let n = 0; n < runs; n++) work();
      const { user, system } = process.cpuUsage(before);
      if (round >= 0) times[i].push((user + system) / 1000 / runs);
    }
  return times;
}
