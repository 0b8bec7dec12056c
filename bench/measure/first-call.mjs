// One sample of a fresh process: the time to import and to create a codec, its first call, and the memory that peaks and stays.
// `node --expose-gc first-call.mjs <job as JSON>`; decode reads its input from job.input.
import { readFileSync, writeFileSync } from "node:fs";
import { candidateNamed } from "../candidates/candidates.mjs";
import { allCorpora } from "../corpus-list.mjs";

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

/** Largest resident set since the last reset, in bytes; the system can be told to forget earlier peaks on Linux only. */
function peak() {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "latin1"))[1]) * 1024;
  } catch {
    return process.resourceUsage().maxRSS * 1024;
  }
}
function forgetPeak() {
  try {
    writeFileSync("/proc/self/clear_refs", "5");
  } catch {
    // Earlier peaks count, then; they are the same for all candidates.
  }
}

const corpus = (await allCorpora()).find((c) => c.name === job.corpus);
const decoding = job.operation === "decode";
// Decoding needs the classes only; a graph of the smallest size brings them.
const loaded = { ...corpus, ...corpus.load(decoding ? 0.0001 : job.scale) };
const input = decoding ? (job.text ? readFileSync(job.input, "utf8") : new Uint8Array(readFileSync(job.input))) : loaded.value;

globalThis.gc();
const before = process.memoryUsage();
forgetPeak();
const peakBefore = peak();
const start = performance.now();
const create = await candidateNamed(job.candidate).load();
const imported = performance.now();
const codec = create(loaded);
const created = performance.now();
let result = codec[job.operation](input);
const first = performance.now();
const peakAfter = peak();
result = codec[job.operation](input);
const second = performance.now();
globalThis.gc();
const after = process.memoryUsage();

writeFileSync(
  job.file,
  JSON.stringify({
    importMs: imported - start,
    createMs: created - imported,
    firstMs: first - created,
    /** What a program waits for once the code is there: the codec and its first result. */
    readyMs: first - imported,
    secondMs: second - first,
    peakBytes: Math.max(0, peakAfter - peakBefore),
    heapBytes: after.heapUsed - before.heapUsed,
    externalBytes: after.arrayBuffers - before.arrayBuffers,
    wasmBytes: [...memories].reduce((sum, memory) => sum + memory.buffer.byteLength, 0),
    kept: result === undefined ? 0 : 1,
  }),
);
