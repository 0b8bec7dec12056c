// Participants in a Node process: messages in, one answer for each. Started by node-participants.mjs.
import { allCorpora } from "../corpus-list.mjs";
import { Participant } from "./participant.mjs";

/** By name of the candidate. */
const participants = new Map();

const actions = {
  async prepare(name, { corpus: wanted, scale, operations }) {
    const participant = new Participant();
    participants.set(name, participant);
    // Where candidates share a process, each has a copy of the modules (own-modules.mjs).
    const { candidateNamed } = await import(`../candidates/candidates.mjs?${encodeURIComponent(name)}`);
    const corpus = (await allCorpora()).find((c) => c.name === wanted);
    return participant.prepare(candidateNamed(name), { ...corpus, ...corpus.load(scale) }, operations);
  },
  warm: (name, { operation, runs, ms }) => participants.get(name).warm(operation, runs, ms),
  repeatsFor: (name, { operation, ms }) => participants.get(name).repeatsFor(operation, ms),
  settle: (name, { operation, repeats, samples, ms }) => participants.get(name).settle(operation, repeats, samples, ms),
  sample: (name, { operation, repeats }) => participants.get(name).sample(operation, repeats),
};

process.on("message", async ({ candidate, action, ...job }) => {
  try {
    process.send({ result: await actions[action](candidate, job) });
  } catch (error) {
    process.send({ error: String(error?.stack ?? error) });
  }
});
process.on("disconnect", () => process.exit(0));
