// A participant as a Node process of its own: messages in, one answer for each. Started by node-participants.mjs.
import { candidateNamed } from "../candidates/candidates.mjs";
import { allCorpora } from "../corpus-list.mjs";
import { Participant } from "./participant.mjs";

const participant = new Participant();

const actions = {
  async prepare({ candidate, corpus: name, scale, operations }) {
    const corpus = (await allCorpora()).find((c) => c.name === name);
    return participant.prepare(candidateNamed(candidate), { ...corpus, ...corpus.load(scale) }, operations);
  },
  warm: ({ operation, runs, ms }) => participant.warm(operation, runs, ms),
  repeatsFor: ({ operation, ms }) => participant.repeatsFor(operation, ms),
  sample: ({ operation, repeats }) => participant.sample(operation, repeats),
};

process.on("message", async ({ action, ...job }) => {
  try {
    process.send({ result: await actions[action](job) });
  } catch (error) {
    process.send({ error: String(error?.stack ?? error) });
  }
});
process.on("disconnect", () => process.exit(0));
