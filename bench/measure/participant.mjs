// One candidate on one corpus, in a process or a page of its own: checked, warmed, and then sampled whenever the conductor says so.
import { prepare } from "./prepare.mjs";

/** Who takes longer for a run is timed at once: what the heap costs is little of it. */
const WAKING_MS = 250;

/** Keeps a result alive while it is timed, as a program would. */
export let sink;

function collect() {
  sink = undefined;
  globalThis.gc();
}

/** CPU time of the whole process in milliseconds, the collector's helpers included; undefined in pages. */
function cpuTime() {
  const used = globalThis.process?.cpuUsage?.();
  return used === undefined ? undefined : (used.user + used.system) / 1000;
}

export class Participant {
  #run = {};
  /** Milliseconds of a run of the last sample. */
  #last = 0;

  /** @returns {Promise<{ operations: string[], bytes: number } | { skipped: string }>} */
  async prepare(candidate, corpus, operations) {
    const prepared = await prepare(candidate, corpus, operations);
    if (prepared.skipped !== undefined) return prepared;
    this.#run = prepared.run;
    return { operations: Object.keys(prepared.run), bytes: prepared.bytes };
  }

  /** Runs an operation at least `runs` times and for `ms` milliseconds, so that the engine has compiled it; says how long one took last. */
  warm(operation, runs, ms) {
    const run = this.#run[operation];
    const start = performance.now();
    let last = start;
    let one = 0;
    for (let i = 0; i < runs || last - start < ms; i++) {
      sink = run();
      const now = performance.now();
      one = now - last;
      last = now;
    }
    collect();
    return one;
  }

  /** How often the operation has to run for a sample of `ms` milliseconds. */
  repeatsFor(operation, ms) {
    for (let repeats = 1; ; repeats *= 2) {
      const one = this.sample(operation, repeats).ms;
      if (one * repeats >= ms / 4) return Math.max(1, Math.ceil(ms / one));
    }
  }

  /** Takes up to `samples` samples that nobody looks at, for `ms` milliseconds at most: the engine's heap finds its size by collections. */
  settle(operation, repeats, samples, ms) {
    const start = performance.now();
    for (let i = 0; i < samples && performance.now() - start < ms; i++) this.sample(operation, repeats);
  }

  /**
   * Milliseconds of one run, the collector run before; the mean of `repeats` runs. A run that nobody looks at comes first: while the others had their
   * turns the heap was given back and made smaller, and whether the next run pays for that, and by a collection in its middle, is chance.
   */
  sample(operation, repeats) {
    const run = this.#run[operation];
    collect();
    if (this.#last < WAKING_MS) {
      sink = run();
      collect();
    }
    const cpu = cpuTime();
    const start = performance.now();
    for (let i = 0; i < repeats; i++) sink = run();
    const ms = (performance.now() - start) / repeats;
    this.#last = ms;
    return { ms, cpu: cpu === undefined ? undefined : (cpuTime() - cpu) / repeats };
  }
}
