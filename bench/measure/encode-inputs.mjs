// Writes the encoded form of a corpus for each candidate into a folder, for processes that measure a first decode.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { candidateNamed } from "../candidates/candidates.mjs";
import { allCorpora } from "../corpus-list.mjs";

const job = JSON.parse(process.argv[2]);
const corpus = (await allCorpora()).find((c) => c.name === job.corpus);
const loaded = { ...corpus, ...corpus.load(job.scale) };
const inputs = [];
for (const name of job.candidates) {
  try {
    const create = await candidateNamed(name).load();
    const data = create(loaded).encode(loaded.value);
    const input = join(job.folder, `${inputs.length}.bin`);
    writeFileSync(input, data);
    inputs.push({ name, input, text: typeof data === "string" });
  } catch {
    // It cannot hold this corpus; the rounds say so.
  }
}
writeFileSync(job.file, JSON.stringify(inputs));
