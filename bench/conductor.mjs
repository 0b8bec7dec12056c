// Conducts the measurement of one corpus: participants are prepared, and then take turns, in a new order each round.
import { rng } from "./corpora.mjs";
import { summary } from "./statistics.mjs";

/** A sample should last this long at least; shorter calls are repeated within it. */
const MIN_SAMPLE_MS = 4;
/** Who takes so many times the reference's time joins every third round only: it is no contender, and costs the others their time. */
const SLOW = 4;
const SLOW_MS = 25;
/** Participants are prepared (loaded, checked) by twos; nothing is timed meanwhile. */
const PREPARED_AT_ONCE = 2;

function shuffle(list, random) {
  for (let i = list.length - 1; i > 0; i--) {
    const j = (random() * (i + 1)) | 0;
    [list[i], list[j]] = [list[j], list[i]];
  }
  return list;
}

/** The entries in a new order, in which the two that are compared first of all run one right after the other: a machine's slow seconds meet both. */
function orderOf(entries, base, contender, random) {
  const order = shuffle([...entries], random);
  const place = order.findIndex((e) => e.name === contender);
  if (place < 0 || base.name === contender) return order;
  order.splice(order.indexOf(base), 1);
  order.splice(order.findIndex((e) => e.name === contender) + (random() < 0.5 ? 0 : 1), 0, base);
  return order;
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
 * One operation: rounds until there are `rounds` of them, or `budgetMs` are over and there are `minRounds`. Then only the two that are compared first of
 * all go on, up to `rounds`.
 */
async function measureOperation(operation, entries, reference, effort, shortest) {
  for (const { participant } of entries) await participant.warm(operation, effort.warmRuns, Math.max(effort.warmMs, shortest));
  const base = entries.find((e) => e.name === reference) ?? entries.find((e) => e.name.startsWith(reference));
  if (base === undefined) return undefined;
  const repeats = await base.participant.repeatsFor(operation, MIN_SAMPLE_MS);
  for (const { participant } of entries) await participant.settle(operation, repeats, effort.settleSamples, effort.settleMs);
  const random = rng(effort.rounds);
  const samples = new Map(entries.map((e) => [e.name, []]));
  const start = performance.now();
  const slow = new Set();
  let round = 0;
  const pair = entries.filter((e) => e === base || e.name === effort.contender);
  while (round < effort.rounds) {
    const all = round < effort.minRounds || performance.now() - start < effort.budgetMs;
    if (!all && pair.length < 2) break;
    for (const { name, participant } of orderOf(all ? entries : pair, base, effort.contender, random)) {
      if (slow.has(name) && round % 3 !== 0) continue;
      samples.get(name).push({ round, ...(await participant.sample(operation, repeats)) });
    }
    if (round === 0) {
      const [first] = samples.get(base.name);
      for (const { name } of entries) {
        const [{ ms }] = samples.get(name);
        if (ms > first.ms * SLOW && ms * repeats > SLOW_MS) slow.add(name);
      }
    }
    round++;
  }
  const baseMs = samples.get(base.name).map(({ ms }) => ms);
  const baseCpu = samples.get(base.name).map(({ cpu }) => cpu);
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
