// How long reading and writing in slices keeps others waiting: the time from one pause to the next, as a histogram for each corpus, beside
// the one stop of the synchronous method and of a structured clone.
//   node bench/async-slices.mjs [corpus ...] [--engine js] [--slice 3] [--rounds 4]
// "Own" is the longest slice without what the engine's collector took of it, which stops whoever allocates at that moment.
// Each case runs in a process of its own; its first round is cold and counts too. On Linux the times are those of the main thread's
// processor use, so that other work on the machine does not count; elsewhere they are wall-clock times.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { PerformanceObserver } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createElephantSync, SCHEMA } from "tusk-codec/elephant";
import { allCorpora } from "./corpus-list.mjs";
import { SYNTHETIC_CORPORA } from "./synthetic-corpora.mjs";

const SCHEDSTAT = `/proc/${process.pid}/schedstat`;
const EDGES = [1, 2, 4, 6, 8, 12, 16];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    engine: { type: "string", default: "wasm" },
    slice: { type: "string" },
    rounds: { type: "string", default: "4" },
    child: { type: "string" },
  },
});

/** Milliseconds of this thread. */
const now = existsSync(SCHEDSTAT)
  ? () => {
      // Brings the kernel's count up to date, which otherwise moves with the scheduler's ticks.
      process.cpuUsage();
      return Number(readFileSync(SCHEDSTAT, "utf8").split(" ")[0]) / 1e6;
    }
  : () => performance.now();

/** When the collector stopped the thread, by the clock of `performance.now`. */
const collections = [];
new PerformanceObserver((list) => collections.push(...list.getEntries())).observe({ entryTypes: ["gc"] });

/** Measures slices: its `pause` is the option of the codec. */
function watch() {
  const slices = [];
  let from = now();
  let since = performance.now();
  const begin = () => {
    from = now();
    since = performance.now();
  };
  const end = () => slices.push({ ms: now() - from, since, until: performance.now() });
  return {
    slices,
    begin,
    end,
    pause: async () => {
      end();
      await new Promise(setImmediate);
      begin();
    },
  };
}

/** What the collector took of a slice. */
function collected({ since, until }) {
  const parts = collections.map(({ startTime, duration }) => Math.min(until, startTime + duration) - Math.max(since, startTime));
  return parts.reduce((sum, ms) => sum + Math.max(0, ms), 0);
}

async function measure(name, operation) {
  const corpus = (await allCorpora()).find((c) => c.name === name);
  const { value, constructors } = corpus.load();
  const classes = {};
  for (const [key, { class: Class, schema }] of Object.entries(constructors)) {
    if (schema) Class[SCHEMA] = schema;
    classes[key] = Class;
  }
  const elephant = createElephantSync({ constructors: classes, engine: values.engine });
  const save = elephant.write(value);
  // What is measured is another codec, whose kernel and functions are new.
  const fresh = createElephantSync({ constructors: classes, engine: values.engine });
  // What making the corpus has left behind is no debt of the codec.
  globalThis.gc();
  const options = { typedArrays: corpus.typedArrays === true };
  if (values.slice !== undefined) options.sliceMs = Number(values.slice);
  const all = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    const { slices, pause, begin, end } = watch();
    begin();
    if (operation === "read") await fresh.readAsync(save, { ...options, pause });
    else await fresh.writeAsync(value, { ...options, pause });
    end();
    all.push(...slices);
    // The collector's entries arrive later.
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const slices = all.map((slice) => slice.ms);
  const own = Math.max(...all.map((slice) => slice.ms - collected(slice)));
  const start = now();
  if (operation === "read") fresh.read(save, options);
  else fresh.write(value);
  const whole = now() - start;
  const cloning = now();
  // Instances of classes would not be cloned as such.
  if (Object.keys(constructors).length === 0) structuredClone(value);
  const clone = now() - cloning;
  return { bytes: save.length, slices, own, whole, clone };
}

if (values.child) {
  const [name, operation] = values.child.split(":");
  console.log(JSON.stringify(await measure(name, operation)));
} else {
  const names = positionals.length > 0 ? positionals : SYNTHETIC_CORPORA.map((corpus) => corpus.name);
  console.log(`engine ${values.engine}; slices by milliseconds (${existsSync(SCHEDSTAT) ? "processor time" : "wall clock"})`);
  console.log(
    ["corpus", "", "MB", "slices", ...EDGES.map((edge) => `<${edge}`), "more", "worst", "own", "at once", "clone"]
      .map((s) => s.padStart(9))
      .join(""),
  );
  let worst = 0;
  let worstOwn = 0;
  for (const name of names)
    for (const operation of ["read", "write"]) {
      const args = ["--child", `${name}:${operation}`, "--engine", values.engine, "--rounds", values.rounds];
      if (values.slice !== undefined) args.push("--slice", values.slice);
      const { bytes, slices, own, whole, clone } = JSON.parse(
        execFileSync(process.execPath, ["--expose-gc", fileURLToPath(import.meta.url), ...args], { encoding: "utf8", maxBuffer: 1 << 28 }),
      );
      const counts = EDGES.map((edge, i) => slices.filter((ms) => ms < edge && ms >= (EDGES[i - 1] ?? 0)).length);
      const most = Math.max(...slices);
      worst = Math.max(worst, most);
      worstOwn = Math.max(worstOwn, own);
      console.log(
        [
          name,
          operation,
          (bytes / 1e6).toFixed(1),
          slices.length,
          ...counts,
          slices.filter((ms) => ms >= EDGES.at(-1)).length,
          most.toFixed(1),
          own.toFixed(1),
          whole.toFixed(0),
          clone > 0.1 ? clone.toFixed(0) : "",
        ]
          .map((cell) => String(cell).padStart(9))
          .join(""),
      );
    }
  console.log(`longest slice: ${worst.toFixed(1)} ms, without the collector ${worstOwn.toFixed(1)} ms`);
}
