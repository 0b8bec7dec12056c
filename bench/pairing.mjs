// Which samples of two candidates were taken in the same rounds.
import { summary } from "./statistics.mjs";

/** Results say which rounds a candidate `joined` where those are not all. Older ones do not; there, the slow joined the first rounds and every third one. */
const joinedByTheSlow = (round) => round < 3 || round % 3 === 0;

/** Samples have fewer digits than the ratios made from them. */
const TOLERANCE = 0.01;

/** Are these the rounds that the ratio to the reference was made from? Results of earlier methods were taken in other ways, or by turns of their own. */
function agrees({ samples, ratio }, rounds, reference) {
  const found = summary(rounds.map((round, i) => samples[i] / reference.samples[round]));
  return ["median", "q1", "q3"].every((key) => Math.abs(found[key] / ratio[key] - 1) < TOLERANCE);
}

/** The round of each sample; undefined where the results do not tell. */
function roundsOf(times, reference) {
  if (times.joined !== undefined || times.samples === undefined || reference?.samples === undefined) return times.joined;
  const all = [...reference.samples.keys()];
  return [all, all.filter(joinedByTheSlow)].find((rounds) => rounds.length === times.samples.length && agrees(times, rounds, reference));
}

/**
 * What `own` took of `other`'s time, in each round that both were in; undefined where the results do not tell which those are.
 * @param {"samples" | "cpuSamples"} clock
 * @param {object | undefined} reference who was in every round
 * @returns {number[] | undefined}
 */
export function pairedRatios(own, other, clock, reference) {
  const rounds = roundsOf(own, reference);
  const others = roundsOf(other, reference);
  if (rounds === undefined || others === undefined || own[clock] === undefined || other[clock] === undefined) return undefined;
  return rounds.flatMap((round, i) => {
    const at = others.indexOf(round);
    return at < 0 ? [] : own[clock][i] / other[clock][at];
  });
}
