// Times of two ways to do the same, taken by turns, so that whatever else the machine does falls on both alike.

const median = (values) => values.slice().sort((a, b) => a - b)[values.length >> 1];

/** Rounds that are not counted: they are for the compilers. */
const WARM_UP = 2;
/** Milliseconds one sample takes at least: what is quicker is repeated. */
const SAMPLE = 2;

function repeatsFor(operation) {
  for (let repeats = 1; ; repeats *= 4) {
    const start = performance.now();
    for (let i = 0; i < repeats; i++) operation();
    if (performance.now() - start >= SAMPLE) return repeats;
  }
}

/**
 * `pairs`: name -> [operation, the one to compare it with]. All of them run in every round. Returns for each pair both median times, and the
 * median over the rounds of how many times as long the second one took.
 */
export function measure(pairs, rounds = 9) {
  const samples = Object.entries(pairs).map(([name, operations]) => ({
    name,
    operations,
    repeats: operations.map(repeatsFor),
    times: [[], []],
  }));
  for (let round = 0; round < WARM_UP + rounds; round++) {
    for (const { operations, repeats, times } of samples) {
      operations.forEach((operation, i) => {
        const start = performance.now();
        for (let n = 0; n < repeats[i]; n++) operation();
        if (round >= WARM_UP) times[i].push((performance.now() - start) / repeats[i]);
      });
    }
  }
  return samples.map(({ name, times: [first, second] }) => ({
    name,
    first: median(first),
    second: median(second),
    ratio: median(first.map((time, round) => second[round] / time)),
  }));
}

/** Runs once; `{ result, ms }`. */
export async function timed(operation) {
  const start = performance.now();
  const result = await operation();
  return { result, ms: performance.now() - start };
}
