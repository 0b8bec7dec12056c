// Interleaved medians: each round runs every candidate once, in turn, so that they meet the same machine.

/** Runs the candidates `rounds` times after `warm` and returns the median of each in milliseconds. */
export function interleaved(candidates, rounds, warm = 5) {
  const times = Object.fromEntries(Object.keys(candidates).map((name) => [name, []]));
  for (let round = -warm; round < rounds; round++)
    for (const [name, run] of Object.entries(candidates)) {
      globalThis.gc?.();
      const start = performance.now();
      run();
      const time = performance.now() - start;
      if (round >= 0) times[name].push(time);
    }
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, list.sort((a, b) => a - b)[list.length >> 1]]));
}

/** Prints milliseconds, MB/s, and how many times faster than `base`. */
export function report(title, medians, bytes, base) {
  console.log(`\n${title}`);
  for (const [name, ms] of Object.entries(medians))
    console.log(`  ${name.padEnd(34)} ${ms.toFixed(3).padStart(9)} ms ${(bytes / ms / 1000).toFixed(0).padStart(7)} MB/s ${(medians[base] / ms).toFixed(2).padStart(7)} x`);
}
