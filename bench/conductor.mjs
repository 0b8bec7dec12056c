// Conducts the measurement of one corpus: participants are prepared, and then take turns, in a new order each round.
import { rng } from "./corpora.mjs";
import { reasonOf } from "./measure/prepare.mjs";
import { shuffled, summary } from "./statistics.mjs";

/** A sample should last this long; shorter calls are repeated within it, as often as it takes the reference when rounds begin. */
const MIN_SAMPLE_MS = 4;
/**
 * Who takes so many times the reference's time, and more than these milliseconds for a sample, in each of the first rounds joins every third round only
 * from there on: it is no contender, and costs the others their time.
 */
const SLOW = 4;
const SLOW_MS = 25;
const FIRST_ROUNDS = 3;
/** By themselves, contenders and reference take up to so many times the rounds, while there is time; all their sets of processes together. */
export const PAIRED = 3;
/** A full run has so many sets of their processes. One process differs from the next by more than one round from another, so many sets of few rounds tell more than few sets of many. */
export const SETS = 5;
/** Participants are prepared (loaded, checked) by twos; nothing is timed meanwhile. */
const PREPARED_AT_ONCE = 2;

async function eachOf(list, atOnce, work) {
  const waiting = [...list.entries()];
  const results = [];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) results[next[0]] = await work(next[1]);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}

/** Fewer digits in the raw results: a nanosecond is enough. */
const rounded = (value) => (value === undefined ? undefined : Number(value.toFixed(6)));

/** Where a generator of random numbers begins for a corpus: elsewhere for each, and at the same place in each run. */
const seedOf = (name) => [...name].reduce((seed, character) => (Math.imul(seed, 31) + character.codePointAt(0)) | 0, 1);

/**
 * Does something with a participant; one that fails, or whose process has ended, is left out from there on, and the reason says `where`. The reference
 * must not.
 */
async function attempt(entry, effort, where, work) {
  if (entry.skipped !== undefined) return undefined;
  try {
    return await work(entry.participant);
  } catch (error) {
    if (entry.name === effort.reference) throw error;
    entry.skipped = `${where}: ${reasonOf(error)}`;
    return undefined;
  }
}

const settle = (entry, operation, repeats, effort) =>
  attempt(entry, effort, `${operation}, before the rounds`, (participant) =>
    participant.settle(operation, repeats, effort.settleSamples, effort.settleMs),
  );

/** How often the operation has to run for a sample, as the reference says; undefined when it fails. */
const repeatsOf = (base, operation, effort) =>
  attempt(base, effort, `${operation}, before the rounds`, (participant) => participant.repeatsFor(operation, MIN_SAMPLE_MS));

/** One sample of each, in a new order. @returns {Promise<Map<string, { ms: number, cpu?: number, pages?: number }>>} by name */
async function takeRound(entries, operation, repeats, effort, random, where) {
  const samples = new Map();
  for (const entry of shuffled(entries, random)) {
    const sample = await attempt(entry, effort, where, (participant) => participant.sample(operation, repeats));
    if (sample !== undefined) samples.set(entry.name, sample);
  }
  return samples;
}

/** Rounds of contenders and reference by themselves: what other processes' collectors still do in the background would slow one of them by chance. */
async function roundsOfFew(few, operation, repeats, effort, random) {
  for (const entry of few) await settle(entry, operation, repeats, effort);
  const { rounds, budgetMs, sets = 1 } = effort;
  const taken = [];
  const end = performance.now() + budgetMs / sets;
  while (taken.length < rounds / sets || (taken.length < (rounds * PAIRED) / sets && performance.now() < end))
    taken.push(await takeRound(few, operation, repeats, effort, random, `${operation}, round ${taken.length + 1} of few`));
  return taken;
}

/**
 * Rounds of everyone, `few` of whom have settled already, until there are `rounds`, or `budgetMs` are over and there are `minRounds`. Without `base` they
 * would say nothing, so they end with it.
 */
async function roundsOfAll(base, entries, few, operation, repeats, effort, random) {
  for (const entry of entries) if (!few.includes(entry)) await settle(entry, operation, repeats, effort);
  const others = entries.filter((entry) => entry !== base);
  const taken = [];
  let slow = [];
  const start = performance.now();
  while (base.skipped === undefined && taken.length < effort.rounds) {
    if (taken.length >= effort.minRounds && performance.now() - start >= effort.budgetMs) break;
    const joining = taken.length % 3 === 0 ? others : others.filter((entry) => !slow.includes(entry));
    taken.push(await takeRound([base, ...joining], operation, repeats, effort, random, `${operation}, round ${taken.length + 1}`));
    if (taken.length !== FIRST_ROUNDS) continue;
    const least = ({ name }) => Math.min(...taken.map((round) => round.get(name)?.ms ?? 0));
    slow = others.filter((entry) => least(entry) > Math.max(least(base) * SLOW, SLOW_MS / repeats));
  }
  return taken;
}

/**
 * What rounds say about `name`: its times, and how many times those of `base` in the same round; undefined when it was in none. Where it was not in all,
 * `joined` has the numbers of those that it was in.
 */
function timesIn(rounds, name, base) {
  const own = rounds.flatMap((round, number) =>
    round.has(name) && round.has(base) ? { number, sample: round.get(name), base: round.get(base) } : [],
  );
  if (own.length === 0) return undefined;
  const cpu = own.every(({ sample }) => sample.cpu !== undefined);
  const pages = own.map(({ sample }) => sample.pages);
  return {
    ms: summary(own.map(({ sample }) => sample.ms)),
    ratio: summary(own.map(({ sample, base }) => sample.ms / base.ms)),
    ...(cpu
      ? { cpuMs: summary(own.map(({ sample }) => sample.cpu)), cpuRatio: summary(own.map(({ sample, base }) => sample.cpu / base.cpu)) }
      : {}),
    // New pages of memory that a run touches: what they cost differs from machine to machine by a factor of ten.
    ...(pages.every((count) => count !== undefined) ? { pages: summary(pages) } : {}),
    ...(own.length < rounds.length ? { joined: own.map(({ number }) => number) } : {}),
    samples: own.map(({ sample }) => rounded(sample.ms)),
    ...(cpu ? { cpuSamples: own.map(({ sample }) => rounded(sample.cpu)) } : {}),
  };
}

async function warm(entries, operation, effort, shortest) {
  for (const entry of entries)
    await attempt(entry, effort, `${operation}, warming up`, (participant) =>
      participant.warm(operation, effort.warmRuns, Math.max(effort.warmMs, shortest)),
    );
}

/** Those of the rounds of few, when there are any beside the reference. */
function fewAmong(entries, effort) {
  const few = entries.filter(({ name }) => name === effort.reference || effort.contenders?.includes(name));
  return few.length > 1 && few.some(({ name }) => name === effort.reference) ? few : [];
}

const able = (operation) => (entry) => entry.skipped === undefined && entry.operations.includes(operation);

/** Whom the others are compared with; of what the reference does not do itself, the first that does it by the reference's means. */
const baseAmong = (entries, { reference }) =>
  entries.find(({ name }) => name === reference) ?? entries.find(({ name }) => name.startsWith(`${reference} + `));

/**
 * One operation: first contenders and reference by themselves, whose rounds with earlier sets of processes are `earlier`; then everyone. What is compared
 * with the reference alone is taken from the former, and all else from the latter, where each has met the same machine and the same processes. Of one that
 * failed there are no figures: those of the rounds before would be of fewer rounds, and nobody would see it. Undefined when `base` has failed.
 */
async function measureAgainst(base, operation, entries, earlier, effort, shortest, random) {
  await warm(entries, operation, effort, shortest);
  const repeats = await repeatsOf(base, operation, effort);
  if (repeats === undefined) return undefined;
  const ready = entries.filter(able(operation));
  const few = fewAmong(ready, effort);
  const alone = [...earlier, ...(few.length === 0 ? [] : await roundsOfFew(few, operation, repeats, effort, random))];
  const all = few.length === ready.length ? alone : await roundsOfAll(base, ready, few, operation, repeats, effort, random);
  if (base.skipped !== undefined) return undefined;
  const results = ready.filter(able(operation)).flatMap((entry) => {
    const times = timesIn(all, entry.name, base.name);
    const few = all === alone ? undefined : timesIn(alone, entry.name, base.name);
    return times === undefined
      ? []
      : { name: entry.name, bytes: entry.bytes[operation], ...times, ...(few === undefined ? {} : { alone: few }) };
  });
  return { operation, reference: base.name, repeats, rounds: new Set([...alone, ...all]).size, results };
}

/** The same, against the next when one that the others are compared with fails; undefined when there is none. */
async function measureOperation(operation, entries, earlier, effort, shortest, random) {
  for (;;) {
    const ready = entries.filter(able(operation));
    const base = baseAmong(ready, effort);
    if (base === undefined) return undefined;
    const measured = await measureAgainst(base, operation, ready, earlier, effort, shortest, random);
    if (measured !== undefined) return measured;
  }
}

/** The candidates, prepared by twos; those that have nothing to do here are closed at once, so that they make room. */
async function prepareEntries(place, corpus, candidates, effort, entries) {
  const prepared = await eachOf(candidates, PREPARED_AT_ONCE, async (candidate) => {
    const wanted = effort.operations.filter((operation) => candidate.operations?.includes(operation) ?? true);
    if (wanted.length === 0) return { candidate };
    let participant;
    try {
      participant = await place.start(candidate);
      return { candidate, participant, ...(await participant.prepare(corpus.name, effort.scale, wanted)) };
    } catch (error) {
      return { candidate, participant, skipped: reasonOf(error) };
    }
  });
  for (const { candidate, participant, skipped, operations = [], bytes } of prepared) {
    if (participant !== undefined || skipped !== undefined) entries.push({ name: candidate.name, participant, skipped, operations, bytes });
    if (operations.length === 0) await participant?.close();
  }
}

const closeAll = async (entries) => {
  for (const { participant } of entries) await participant?.close();
};

/** Who was left out, and why. */
const leftOut = (entries) => entries.filter((e) => e.skipped !== undefined).map(({ name, skipped }) => ({ name, skipped }));

/**
 * Contenders and reference in processes of their own, once: whether a process is fast or slow is to some degree decided when it begins, by where its memory
 * lies. @returns {Promise<{ rounds: Map<string, Map[]>, failed: { name: string, skipped: string }[] }>} rounds by operation
 */
async function measureFew(place, corpus, candidates, effort, random) {
  const entries = [];
  const rounds = new Map();
  try {
    await prepareEntries(place, corpus, fewAmong(candidates, effort), effort, entries);
    for (const operation of effort.operations) {
      const few = fewAmong(entries.filter(able(operation)), effort);
      if (few.length === 0) continue;
      await warm(few, operation, effort, corpus.warmMs ?? 0);
      const repeats = await repeatsOf(baseAmong(few, effort), operation, effort);
      rounds.set(operation, await roundsOfFew(few, operation, repeats, effort, random));
    }
    return { rounds, failed: leftOut(entries) };
  } finally {
    await closeAll(entries);
  }
}

/**
 * @param {{ start(candidate: object): Promise<object>, finish(): Promise<void> }} place where participants run
 * @param {object} corpus one of the list, not loaded
 * @param {import("./candidates/candidates.mjs").Candidate[]} candidates
 * @param {{ operations: string[], scale: number, reference: string, contenders?: string[], sets?: number, rounds: number, minRounds: number, budgetMs: number, warmRuns: number, warmMs: number, settleSamples: number, settleMs: number }} effort
 */
export async function measureCorpus(place, corpus, candidates, effort) {
  const entries = [];
  const random = rng(seedOf(corpus.name));
  try {
    const earlier = [];
    const failed = [];
    let joining = candidates.filter(({ corpora }) => corpora?.includes(corpus.name) ?? true);
    for (let set = 1; set < (effort.sets ?? 1); set++) {
      const few = await measureFew(place, corpus, joining, effort, random);
      earlier.push(few.rounds);
      failed.push(...few.failed.map(({ name, skipped }) => ({ name, skipped: `set ${set} of processes: ${skipped}` })));
      // Who has failed in one set is left out from there on, as in the rounds of all.
      joining = joining.filter((candidate) => few.failed.every(({ name }) => name !== candidate.name));
    }
    await prepareEntries(place, corpus, joining, effort, entries);
    const operations = [];
    for (const operation of effort.operations) {
      const before = earlier.flatMap((rounds) => rounds.get(operation) ?? []);
      const measured = await measureOperation(operation, entries, before, effort, corpus.warmMs ?? 0, random);
      if (measured !== undefined) operations.push(measured);
    }
    return {
      corpus: corpus.name,
      title: corpus.title,
      ...(corpus.public ? { public: true } : {}),
      scale: effort.scale,
      operations,
      skipped: [...failed, ...leftOut(entries)],
    };
  } finally {
    await closeAll(entries);
    await place.finish();
  }
}
