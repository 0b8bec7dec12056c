// Conducts the measurement of one corpus: participants are prepared, and then take turns, in a new order each round.
import { rng } from "./corpora.mjs";
import { summary } from "./statistics.mjs";

/** A sample should last this long at least; shorter calls are repeated within it. */
const MIN_SAMPLE_MS = 4;
/** Who takes so many times the reference's time joins every third round only: it is no contender, and costs the others their time. */
const SLOW = 4;
const SLOW_MS = 25;
/** Contenders and reference take up to so many times the rounds, while there is time; all their sets of processes together. */
export const PAIRED = 3;
/** A full run has so many sets of their processes. One process differs from the next by more than one round from another, so many sets of few rounds tell more than few sets of many. */
export const SETS = 5;
/** Participants are prepared (loaded, checked) by twos; nothing is timed meanwhile. */
const PREPARED_AT_ONCE = 2;

function shuffle(list, random) {
  for (let i = list.length - 1; i > 0; i--) {
    const j = (random() * (i + 1)) | 0;
    [list[i], list[j]] = [list[j], list[i]];
  }
  return list;
}

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

const contendersAmong = (list, effort) => list.filter(({ name }) => effort.contenders?.includes(name));

const settle = ({ participant }, operation, repeats, effort) =>
  participant.settle(operation, repeats, effort.settleSamples, effort.settleMs);

/** One sample of each, in a new order. @returns {Promise<Map<string, { ms: number, cpu?: number, pages?: number }>>} by name */
async function takeRound(entries, operation, repeats, random) {
  const samples = new Map();
  for (const { name, participant } of shuffle([...entries], random)) samples.set(name, await participant.sample(operation, repeats));
  return samples;
}

/** Rounds of contenders and reference by themselves: what other processes' collectors still do in the background would slow one of them by chance. */
async function roundsOfFew(few, operation, repeats, effort, random) {
  for (const entry of few) await settle(entry, operation, repeats, effort);
  const { rounds, budgetMs, sets = 1 } = effort;
  const taken = [];
  const end = performance.now() + budgetMs / sets;
  while (taken.length < rounds / sets || (taken.length < (rounds * PAIRED) / sets && performance.now() < end))
    taken.push(await takeRound(few, operation, repeats, random));
  return taken;
}

/** Rounds of the reference and everyone else, until there are `rounds`, or `budgetMs` are over and there are `minRounds`. */
async function roundsOfOthers(base, others, operation, repeats, effort, random) {
  for (const entry of others) await settle(entry, operation, repeats, effort);
  const taken = [];
  const slow = new Set();
  const start = performance.now();
  while (others.length > 0 && taken.length < effort.rounds) {
    if (taken.length >= effort.minRounds && performance.now() - start >= effort.budgetMs) break;
    const joining = others.filter(({ name }) => !slow.has(name) || taken.length % 3 === 0);
    const round = await takeRound([base, ...joining], operation, repeats, random);
    taken.push(round);
    if (taken.length > 2) continue;
    const limit = Math.max(round.get(base.name).ms * SLOW, SLOW_MS / repeats);
    for (const { name } of joining) if (taken[0].get(name).ms > limit) slow.add(name);
  }
  return taken;
}

/** What the rounds say about `name`: its times, and how many times those of `base` in the same round. */
function resultOf({ name, bytes }, base, rounds) {
  const own = rounds.filter((round) => round.has(name)).map((round) => ({ sample: round.get(name), base: round.get(base.name) }));
  const cpu = own.every(({ sample }) => sample.cpu !== undefined);
  const pages = own.map(({ sample }) => sample.pages);
  return {
    name,
    bytes,
    ms: summary(own.map(({ sample }) => sample.ms)),
    ratio: summary(own.map(({ sample, base }) => sample.ms / base.ms)),
    ...(cpu
      ? { cpuMs: summary(own.map(({ sample }) => sample.cpu)), cpuRatio: summary(own.map(({ sample, base }) => sample.cpu / base.cpu)) }
      : {}),
    // New pages of memory that a run touches: what they cost differs from machine to machine by a factor of ten.
    ...(pages.every((count) => count !== undefined) ? { pages: summary(pages) } : {}),
    samples: own.map(({ sample }) => rounded(sample.ms)),
    ...(cpu ? { cpuSamples: own.map(({ sample }) => rounded(sample.cpu)) } : {}),
  };
}

async function warm(entries, operation, effort, shortest) {
  for (const { participant } of entries) await participant.warm(operation, effort.warmRuns, Math.max(effort.warmMs, shortest));
}

/** One operation: first contenders and reference, whose rounds with earlier sets of processes are `earlier`; then the reference and everyone else. */
async function measureOperation(operation, entries, earlier, effort, shortest) {
  const { reference } = effort;
  const base = entries.find((e) => e.name === reference) ?? entries.find((e) => e.name.startsWith(reference));
  if (base === undefined) return undefined;
  await warm(entries, operation, effort, shortest);
  const contenders = contendersAmong(entries, effort).filter((e) => e !== base);
  const repeats = await base.participant.repeatsFor(operation, MIN_SAMPLE_MS);
  const random = rng(effort.rounds);
  const own = contenders.length === 0 ? [] : await roundsOfFew([base, ...contenders], operation, repeats, effort, random);
  const alone = [...earlier, ...own];
  const others = entries.filter((e) => e !== base && !contenders.includes(e));
  const shared = await roundsOfOthers(base, others, operation, repeats, effort, random);
  const results = entries.map((entry) => resultOf(entry, base, alone.length > 0 && !others.includes(entry) ? alone : shared));
  return { operation, reference: base.name, repeats, rounds: alone.length + shared.length, results };
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
      return { candidate, participant, skipped: String(error.message).split("\n")[0].slice(0, 160) };
    }
  });
  for (const { candidate, participant, skipped, operations = [], bytes } of prepared) {
    if (participant !== undefined) entries.push({ name: candidate.name, participant, skipped, operations, bytes });
    if (operations.length === 0) await participant?.close();
  }
}

/**
 * Contenders and reference in processes of their own, once: whether a process is fast or slow is to some degree decided when it begins, by where its memory
 * lies. @returns {Promise<Map<string, Map[]>>} rounds by operation
 */
async function measureFew(place, corpus, candidates, effort) {
  const entries = [];
  const rounds = new Map();
  const few = candidates.filter(({ name }) => name === effort.reference || effort.contenders?.includes(name));
  try {
    if (few.length > 1) await prepareEntries(place, corpus, few, effort, entries);
    for (const operation of effort.operations) {
      const able = entries.filter((e) => e.operations.includes(operation));
      const base = able.find((e) => e.name === effort.reference);
      if (base === undefined || able.length < 2) continue;
      await warm(able, operation, effort, corpus.warmMs ?? 0);
      const repeats = await base.participant.repeatsFor(operation, MIN_SAMPLE_MS);
      rounds.set(operation, await roundsOfFew(able, operation, repeats, effort, rng(effort.rounds)));
    }
    return rounds;
  } finally {
    for (const { participant } of entries) await participant.close();
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
  try {
    const earlier = [];
    const joining = candidates.filter(({ corpora }) => corpora?.includes(corpus.name) ?? true);
    for (let set = 1; set < (effort.sets ?? 1); set++) earlier.push(await measureFew(place, corpus, joining, effort));
    await prepareEntries(place, corpus, joining, effort, entries);
    const operations = [];
    for (const operation of effort.operations) {
      const able = entries.filter((e) => e.operations.includes(operation));
      const before = earlier.flatMap((rounds) => rounds.get(operation) ?? []);
      const measured = await measureOperation(operation, able, before, effort, corpus.warmMs ?? 0);
      if (measured !== undefined) operations.push(measured);
    }
    return {
      corpus: corpus.name,
      title: corpus.title,
      ...(corpus.public ? { public: true } : {}),
      scale: effort.scale,
      operations,
      skipped: entries.filter((e) => e.skipped !== undefined).map(({ name, skipped }) => ({ name, skipped })),
    };
  } finally {
    for (const { participant } of entries) await participant.close();
    await place.finish();
  }
}
