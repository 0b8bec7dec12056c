// Conducts the measurement of one corpus: participants are prepared, and then take turns, in a new order each round.
import { rng } from "./corpora.mjs";
import { summary } from "./statistics.mjs";

/** A sample should last this long at least; shorter calls are repeated within it. */
const MIN_SAMPLE_MS = 4;
/** Who takes so many times the reference's time joins every third round only: it is no contender, and costs the others their time. */
const SLOW = 4;
const SLOW_MS = 25;
/** Contender and reference take up to so many times the rounds, while there is time. */
export const PAIRED = 3;
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

/**
 * One operation. The contender and the reference, which are compared first of all, take their rounds by themselves, `rounds` and up to {@link PAIRED} times as
 * many until `budgetMs` are over: what other processes' collectors still do in the background would slow either of them by chance. Then the reference and everyone else, until there are `rounds` more, or `budgetMs` are over and
 * there are `minRounds`.
 */
async function measureOperation(operation, entries, reference, effort, shortest) {
  for (const { participant } of entries) await participant.warm(operation, effort.warmRuns, Math.max(effort.warmMs, shortest));
  const base = entries.find((e) => e.name === reference) ?? entries.find((e) => e.name.startsWith(reference));
  if (base === undefined) return undefined;
  const contender = entries.find((e) => e.name === effort.contender && e !== base);
  const repeats = await base.participant.repeatsFor(operation, MIN_SAMPLE_MS);
  const random = rng(effort.rounds);
  const samples = new Map(entries.map((e) => [e.name, []]));
  const slow = new Set();
  let round = 0;
  const settle = async ({ participant }) => participant.settle(operation, repeats, effort.settleSamples, effort.settleMs);
  const takeRound = async (participants) => {
    for (const { name, participant } of shuffle([...participants], random)) {
      if (slow.has(name) && round % 3 !== 0) continue;
      samples.get(name).push({ round, ...(await participant.sample(operation, repeats)) });
    }
    round++;
  };
  if (contender !== undefined) {
    for (const entry of [base, contender]) await settle(entry);
    const end = performance.now() + effort.budgetMs;
    while (round < effort.rounds || (round < effort.rounds * PAIRED && performance.now() < end)) await takeRound([base, contender]);
  }
  const alone = round;
  const others = entries.filter((e) => e !== base && e !== contender);
  for (const entry of others) await settle(entry);
  const start = performance.now();
  while (others.length > 0 && round - alone < effort.rounds) {
    if (round - alone >= effort.minRounds && performance.now() - start >= effort.budgetMs) break;
    await takeRound([base, ...others]);
    if (round > alone + 1) continue;
    const first = samples.get(base.name).at(-1);
    for (const { name } of others) {
      const [{ ms }] = samples.get(name);
      if (ms > first.ms * SLOW && ms * repeats > SLOW_MS) slow.add(name);
    }
  }
  const baseMs = samples.get(base.name).map(({ ms }) => ms);
  const baseCpu = samples.get(base.name).map(({ cpu }) => cpu);
  if (alone > 0) samples.get(base.name).length = alone;
  const results = entries.map(({ name, bytes }) => {
    const own = samples.get(name);
    const cpu = own.every((s) => s.cpu !== undefined);
    return {
      name,
      bytes,
      ms: summary(own.map((s) => s.ms)),
      ratio: summary(own.map((s) => s.ms / baseMs[s.round])),
      ...(cpu ? { cpuMs: summary(own.map((s) => s.cpu)), cpuRatio: summary(own.map((s) => s.cpu / baseCpu[s.round])) } : {}),
      samples: own.map((s) => rounded(s.ms)),
      ...(cpu ? { cpuSamples: own.map((s) => rounded(s.cpu)) } : {}),
    };
  });
  return { operation, reference: base.name, repeats, rounds: round, results };
}

/**
 * @param {{ start(candidate: object): Promise<object>, finish(): Promise<void> }} place where participants run
 * @param {object} corpus one of the list, not loaded
 * @param {import("./candidates/candidates.mjs").Candidate[]} candidates
 * @param {{ operations: string[], scale: number, reference: string, contender?: string, rounds: number, minRounds: number, budgetMs: number, warmRuns: number, warmMs: number, settleSamples: number, settleMs: number }} effort
 */
export async function measureCorpus(place, corpus, candidates, effort) {
  const entries = [];
  try {
    const prepared = await eachOf(candidates, PREPARED_AT_ONCE, async (candidate) => {
      const wanted = effort.operations.filter((operation) => candidate.operations?.includes(operation) ?? true);
      if (wanted.length === 0) return { candidate, skipped: undefined, operations: [] };
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
      // Who has nothing to do here makes room.
      if (operations.length === 0) await participant?.close();
    }
    const operations = [];
    for (const operation of effort.operations) {
      const able = entries.filter((e) => e.operations.includes(operation));
      const measured = await measureOperation(operation, able, effort.reference, effort, corpus.warmMs ?? 0);
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
