// Interleaved medians: each round runs every candidate in turn, so that they meet the same machine. A turn is three runs, so that a candidate
// pays for its own garbage and not only for its predecessor's.
const TURN = 3;

/** Runs the candidates `rounds` times after `warm` and returns the median of each in milliseconds. */
export function interleaved(candidates, rounds, warm = 5) {
  const times = Object.fromEntries(Object.keys(candidates).map((name) => [name, []]));
  for (let round = -warm; round < rounds; round++)
    for (const [name, run] of Object.entries(candidates)) {
      const start = performance.now();
      for (let i = 0; i < TURN; i++) run();
      const time = (performance.now() - start) / TURN;
      if (round >= 0) times[name].push(time);
    }
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, list.sort((a, b) => a - b)[list.length >> 1]]));
}

/** Prints milliseconds, MB/s, and how many times faster than `base`. */
export function report(title, medians, bytes, base) {
  console.log(`\n${title}`);
  for (const [name, ms] of Object.entries(medians))
    console.log(
      `  ${name.padEnd(34)} ${ms.toFixed(3).padStart(9)} ms ${(bytes / ms / 1000).toFixed(0).padStart(7)} MB/s ${(medians[base] / ms).toFixed(2).padStart(7)} x`,
    );
}
