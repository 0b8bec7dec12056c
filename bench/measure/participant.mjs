// One candidate on one corpus, in a process or a page of its own: checked, warmed, and then sampled whenever the conductor says so.
import { prepare } from "./prepare.mjs";

/** Who takes longer for a run is timed at once: what the heap costs is little of it. */
const WAKING_MS = 250;
/** The heap has found its size when so many samples in a row have touched no fewer new pages than those before, but for a few. */
const SETTLED = 6;
const FEW_PAGES = 32;
/** ... and so much time has passed: of small saves, so few samples are not enough for the engine to have compiled all that they need. */
const LEAST_MS = 750;

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

/** Pages of memory that the process has touched for the first time; undefined in a browser, and where the system does not count them. */
function pagesTouched() {
  return globalThis.process?.resourceUsage?.().minorPageFault || undefined;
}

export class Participant {
  #run = {};
  /** Milliseconds of a run of the last sample. */
  #last = 0;

  /** @returns {Promise<{ operations: string[], bytes: Record<string, number> } | { skipped: string }>} */
  async prepare(candidate, corpus, operations) {
    const prepared = await prepare(candidate, corpus, operations);
    if (prepared.skipped !== undefined) return prepared;
    this.#run = prepared.run;
    return { operations: Object.keys(prepared.run), bytes: prepared.bytes };
  }

  /** Runs an operation at least `runs` times and for `ms` milliseconds, so that the engine has compiled it. */
  warm(operation, runs, ms) {
    const run = this.#run[operation];
    const start = performance.now();
    for (let i = 0; i < runs || performance.now() - start < ms; i++) sink = run();
    // Not collected here: two collections with nothing between them give back what the next dozens of runs have to get again, page by page.
  }

  /** How often the operation has to run for a sample of `ms` milliseconds. */
  repeatsFor(operation, ms) {
    for (let repeats = 1; ; repeats *= 2) {
      const one = this.sample(operation, repeats).ms;
      if (one * repeats >= ms / 4) return Math.max(1, Math.ceil(ms / one));
    }
  }

  /**
   * Takes samples that nobody looks at, up to `samples` and for `ms` milliseconds at most: the engine's heap finds its size by collections, and keeps one more of its pages
   * with each, so that fewer new ones are touched from sample to sample. Where those are counted, it ends when they become no fewer and {@link LEAST_MS} are over.
   */
  settle(operation, repeats, samples, ms) {
    const start = performance.now();
    let least = Number.POSITIVE_INFINITY;
    let alike = 0;
    for (let i = 0; i < samples; i++) {
      const passed = performance.now() - start;
      if (passed >= ms || (alike >= SETTLED && passed >= LEAST_MS)) break;
      const { pages } = this.sample(operation, repeats);
      if (pages === undefined) continue;
      const touched = pages * repeats;
      if (touched < least - FEW_PAGES) {
        least = touched;
        alike = 0;
      } else alike++;
    }
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
    const pages = pagesTouched();
    const cpu = cpuTime();
    const start = performance.now();
    for (let i = 0; i < repeats; i++) sink = run();
    const ms = (performance.now() - start) / repeats;
    this.#last = ms;
    const each = (before, after) => (before === undefined ? undefined : (after - before) / repeats);
    return { ms, cpu: each(cpu, cpuTime()), pages: each(pages, pagesTouched()) };
  }
}
