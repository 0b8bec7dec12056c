// A participant as a page of its own, bundled and served by browser-participants.mjs. The conductor calls `participant` in it.
import { candidateNamed } from "../candidates/candidates.mjs";
import { toElephant } from "../elephant-value.mjs";
import { SMALL_CORPUS, SYNTHETIC_CORPORA } from "../synthetic-corpora.mjs";
import { Participant } from "./participant.mjs";

const participant = new Participant();

async function load(name, scale) {
  const corpus = [...SYNTHETIC_CORPORA, SMALL_CORPUS].find((c) => c.name === name);
  if (corpus !== undefined) return { ...corpus, ...corpus.load(scale) };
  const json = await (await fetch(`/corpora/${name}.json`)).json();
  return { name, constructors: {}, value: toElephant(json, name) };
}

globalThis.participant = {
  prepare: async ({ candidate, corpus, scale, operations }) =>
    participant.prepare(candidateNamed(candidate), await load(corpus, scale), operations),
  warm: ({ operation, runs, ms }) => participant.warm(operation, runs, ms),
  repeatsFor: ({ operation, ms }) => participant.repeatsFor(operation, ms),
  settle: ({ operation, repeats, samples, ms }) => participant.settle(operation, repeats, samples, ms),
  sample: ({ operation, repeats }) => participant.sample(operation, repeats),
};
