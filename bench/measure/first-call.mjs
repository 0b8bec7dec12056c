// One sample of a fresh process: the time to create a codec, its first call, and the memory that stays and peaks.
// `node --expose-gc first-call.mjs <job as JSON>`; decode reads its input from job.input.
import { readFileSync, writeFileSync } from "node:fs";

const job = JSON.parse(process.argv[2]);

/** Memories of every WebAssembly instance made from here on: their size is the codec's linear memory. */
const memories = new Set();
const { Instance } = WebAssembly;
WebAssembly.Instance = new Proxy(Instance, {
  construct(target, args) {
    const instance = Reflect.construct(target, args);
    for (const value of Object.values(instance.exports)) if (value instanceof WebAssembly.Memory) memories.add(value);
    for (const imports of Object.values(args[1] ?? {}))
      for (const value of Object.values(imports)) if (value instanceof WebAssembly.Memory) memories.add(value);
    return instance;
  },
});

const { CANDIDATES } = await import("../candidates/candidates.mjs");
const { allCorpora } = await import("../corpus-list.mjs");
const corpus = (await allCorpora()).find((c) => c.name === job.corpus);
const candidate = CANDIDATES.find((c) => c.name === job.candidate);

const decoding = job.operation === "decode";
// Decoding needs the classes only; a graph of the smallest size brings them.
const loaded = { ...corpus, ...corpus.load(decoding ? 0.0001 : job.scale) };
const input = decoding ? (job.text ? readFileSync(job.input, "utf8") : new Uint8Array(readFileSync(job.input))) : loaded.value;

globalThis.gc();
const before = process.memoryUsage();
const peakBefore = process.resourceUsage().maxRSS * 1024;
const start = performance.now();
const codec = await candidate.create(loaded);
const created = performance.now();
let result = codec[job.operation](input);
const first = performance.now();
const peakAfter = process.resourceUsage().maxRSS * 1024;
result = codec[job.operation](input);
const second = performance.now();
globalThis.gc();
const after = process.memoryUsage();

writeFileSync(
  job.file,
  JSON.stringify({
    createMs: created - start,
    firstMs: first - created,
    secondMs: second - first,
    peakBytes: Math.max(0, peakAfter - Math.max(peakBefore, before.rss)),
    heapBytes: after.heapUsed - before.heapUsed,
    externalBytes: after.arrayBuffers - before.arrayBuffers,
    wasmBytes: [...memories].reduce((sum, memory) => sum + memory.buffer.byteLength, 0),
    kept: result === undefined ? 0 : 1,
  }),
);
