// A save of 500 MB, written and read: what the codec's own memory costs beside the data.
//   node --expose-gc --max-old-space-size=12000 bench/measure/large-file.mjs [megabytes=500]; takes some gigabytes.
// run.mjs calls it with a job as JSON and takes the result from the job's file.
import { writeFileSync } from "node:fs";
import { circumstances } from "../circumstances.mjs";
import { dialogue, mixed, rpg, tiles } from "../corpora.mjs";
import { firstDifference } from "../deep-equal.mjs";

/** Memories of every WebAssembly instance made from here on. */
const memories = new Set();
const { Instance } = WebAssembly;
WebAssembly.Instance = new Proxy(Instance, {
  construct(target, args) {
    const instance = Reflect.construct(target, args);
    for (const value of Object.values(instance.exports)) if (value instanceof WebAssembly.Memory) memories.add(value);
    return instance;
  },
});
const linearMemory = () => [...memories].reduce((sum, memory) => sum + memory.buffer.byteLength, 0);

const [, , argument = "500"] = process.argv;
const job = argument.startsWith("{") ? JSON.parse(argument) : {};
const megabytes = job.megabytes ?? (Number(argument) || 500);

const { createElephantSync } = await import("../../dist/elephant.mjs");
// One part of each kind is 61 MB: structs, numbers, text, mixed arrays.
const PART = 61.4;
const save = { parts: [] };
for (let i = 0; i < Math.max(1, Math.round(megabytes / PART)); i++)
  save.parts.push({ rpg: rpg(50000), tiles: tiles(60, 60000), dialogue: dialogue(100000), mixed: mixed(100, 5000) });

// A codec for each direction, so that each memory is seen alone.
const writer = createElephantSync();
const start = performance.now();
const bytes = writer.write(save);
const written = performance.now();
const memoryOfWrite = linearMemory();
memories.clear();
const reader = createElephantSync();
const readFrom = performance.now();
const copy = reader.read(bytes);
const read = performance.now();
const memoryOfRead = linearMemory();
for (let i = 0; i < save.parts.length; i++) {
  const difference = firstDifference(save.parts[i], copy.parts[i]);
  if (difference !== null) throw new Error(`part ${i}: ${difference}`);
}

const result = {
  ...circumstances(),
  fileBytes: bytes.length,
  writeMs: written - start,
  readMs: read - readFrom,
  linearMemoryOfWrite: memoryOfWrite,
  linearMemoryOfRead: memoryOfRead,
};
if (job.file === undefined) console.log(result);
else writeFileSync(job.file, JSON.stringify(result));
