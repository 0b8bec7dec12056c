// What the benchmark makes of its samples, and what its documents are made of.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../package/installed.ts";
import { benchModule, type CorpusReport, readmeBenchmark } from "./modules.ts";

const { goals, reachedText } = await benchModule("goal-list");
const { quantile, shuffled, summary } = await benchModule("statistics");
const { comparison, geometricMean, speedup } = await benchModule("tables");
const { differences, digests } = await benchModule("circumstances");
const { interleaved } = await benchModule("ds/timing");
const { unlike } = await benchModule("browser-report");
const { documentSections } = await benchModule("document");
const { renderChart } = await benchModule("chart");
const { benchmarkSection, mustBeComplete, mustBeWhole } = await readmeBenchmark();

test("medians and quartiles lie between samples where there is no sample", () => {
  expect(quantile([4, 1, 3, 2], 0.5)).toBe(2.5);
  expect(quantile([4, 1, 3, 2], 0)).toBe(1);
  expect(quantile([4, 1, 3, 2], 1)).toBe(4);
  expect(summary([5, 1, 2, 4, 3])).toEqual({ median: 3, q1: 2, q3: 4, min: 1, n: 5 });
  expect(summary([7])).toEqual({ median: 7, q1: 7, q3: 7, min: 7, n: 1 });
  expect(geometricMean([2, 8])).toBeCloseTo(4, 12);
});

test("an order is new, has everyone, and leaves the list as it is", () => {
  const list = [1, 2, 3, 4, 5];
  expect(shuffled(list, () => 0)).toEqual([2, 3, 4, 5, 1]);
  expect(shuffled(list, () => 0.999)).toEqual(list);
  expect(list).toEqual([1, 2, 3, 4, 5]);
});

const times = (median: number) => {
  const spread = { median, q1: median, q3: median };
  return { ms: spread, ratio: spread, cpuRatio: spread };
};
/** The public data sets. */
const PUBLIC = ["compat", "caniuse", "emoji", "atlas", "countries"];
const corpora = (...names: string[]) =>
  names.map((corpus) => ({
    corpus,
    title: "a corpus",
    skipped: [],
    operations: [
      {
        operation: "decode",
        reference: "strong-js",
        results: [
          { name: "tusk", ...times(0.25), alone: times(0.5) },
          { name: "strong-js", ...times(1), alone: times(1) },
          { name: "JSON", ...times(2) },
        ],
      },
    ],
  }));

test("a ratio comes from rounds that both were in: those of few for the reference, those of all for everyone else", () => {
  const all = corpora("rpg");
  expect(speedup(all, "rpg", "decode", "tusk", "strong-js")).toBe(2);
  expect(speedup(all, "rpg", "decode", "tusk", "JSON")).toBe(8);
  expect(speedup(all, "rpg", "decode", "strong-js", "JSON")).toBe(2);
  expect(speedup(all, "rpg", "decode", "tusk", "cbor-x")).toBeUndefined();
  expect(speedup(all, "rpg", "encode", "tusk", "JSON")).toBeUndefined();
  expect(speedup(undefined, "rpg", "decode", "tusk", "JSON")).toBeUndefined();
});

/** A report of what the documents are made from. */
const reportOf = (list: readonly object[], more: object = {}) => ({
  date: "2026-01-02T00:00:00Z",
  machine: { node: "v20.0.0", platform: "linux x64", cores: 2, cpu: "a processor" },
  rounds: 3,
  sets: 5,
  candidates: ["tusk", "strong-js", "JSON"].map((name) => ({ name, loses: "nothing" })),
  corpora: list,
  ...more,
});

test("chart, tables and goals say the same of Tusk and the best JavaScript codec: what the rounds of few say", async () => {
  // In the rounds of all Tusk is four times as fast, in those that it had with the reference twice.
  const report = reportOf(corpora("rpg"));
  expect(goals(report, undefined).find(({ what }) => what === "decode of rpg against best JS")?.value).toBe(2);
  expect(documentSections({ node: report }).decode).toContain("| rpg: a corpus | 0.25 ms | **2.00** (2.00 to 2.00) | 8.00 |");
  expect(benchmarkSection(report)).toContain(
    "| corpus | tusk | times faster than strong-js | JSON |\n| --- | ---: | ---: | ---: |\n| rpg: a corpus | **0.25** | 2.00 | 2.00 |",
  );
  // Eight times as fast as JSON: its bar is an eighth of Tusk's, though best JS was twice as fast in rounds without Tusk.
  const numbers = renderChart(report, "decode").matchAll(/font-size:9px">([\d.]+)</g);
  expect([...numbers].map((match) => match[1])).toEqual(["2.00", "1.00", "0.25"]);
});

test("results of another build than the main run's say so beside their dates, the memory goals too; a browser's, also when its opponents were others", () => {
  const node = reportOf(corpora("rpg"), { sources: "1", opponents: "1" });
  const date = "2026-01-03T00:00:00Z";
  const large = { date, fileBytes: 5e8, writeMs: 1, readMs: 1, linearMemoryOfWrite: 11e6, linearMemoryOfRead: 12e6 };
  const sections = (more: object) =>
    documentSections({
      node,
      browser: { ...node, browser: "Chromium 1", ...more },
      ds: { date, results: [], ...more },
      large: { ...large, ...more },
    });
  const other = sections({ sources: "2" });
  expect(other.browser).toMatch(/^2026-01-02, of another build, Chromium 1, /);
  expect(other.losses).toContain("- **decode in Chromium (of another build):** nowhere.");
  expect(other.ds).toMatch(/^2026-01-03, of another build\.\n/);
  expect(other.large).toMatch(/^2026-01-03, of another build\.\n/);
  expect(other.goals).toContain("| linear memory for reading a save of 500 MB | ≤ 16 MB | 12.0 MB (of another build) | met |");
  expect(other.goals).toContain("| linear memory for writing a save of 500 MB | ≤ 16 MB | 11.0 MB (of another build) | met |");
  const others = sections({ opponents: "2" });
  expect(others.browser).toMatch(/^2026-01-02, against other opponents, Chromium 1, /);
  expect(others.losses).toContain("- **decode in Chromium (against other opponents):** nowhere.");
  expect(others.ds).toMatch(/^2026-01-03\.\n/);
  expect(sections({ sources: "2", opponents: "2" }).browser).toMatch(
    /^2026-01-02, of another build, against other opponents, Chromium 1, /,
  );
  // Of the same, and of one that older results do not tell.
  for (const more of [{ sources: "1" }, { sources: undefined }])
    expect(Object.values(sections(more)).join()).not.toContain("another build");
});

test("results of Node stand beside a browser's only where they are of the same sizes, with the same heap", () => {
  expect(unlike({ scale: 0.1, mutator: false }, { scale: 0.1 })).toBeUndefined();
  expect(unlike({ scale: 1, mutator: false }, { scale: 0.1 })).toBe("Node's are of scale 1, these of scale 0.1");
  expect(unlike({ scale: 1, mutator: true }, { scale: 1 })).toBe("Node's are with a young generation of 256 MB");
});

test("where all opponents share a line, Tusk's own JavaScript engine is one of them", () => {
  const [corpus] = corpora("rpg");
  const faster = { name: "tusk js engine", ...times(0.2) };
  const list = [{ ...corpus, operations: corpus.operations.map((each) => ({ ...each, results: [...each.results, faster] })) }];
  const report = reportOf(list, { mutatorCorpora: list, togetherCorpora: list });
  const cpuMs = { own: 2, js: 3, plain: 1, buffer: 1.6 };
  const ds = { date: report.date, results: [{ operation: "decode", corpus: "small", cpuMs }] };
  const { losses } = documentSections({ node: report, browser: { ...report, browser: "Chromium 1" }, ds });
  expect(losses).toContain("- **decode, against Tusk's own JavaScript engine:** rpg (1.25 times slower).");
  expect(losses).toContain("- **decode in Chromium:** tusk js engine: rpg (1.25 times slower).");
  expect(losses).toContain("- **decode with a young generation of 256 MB:** tusk js engine: rpg (1.25 times slower).");
  expect(losses).toContain("- **decode in one process:** tusk js engine: rpg (1.25 times slower).");
  expect(losses).toContain("- **encode in one process:** nowhere.");
  expect(losses).toContain(
    "- **ds strings:** JavaScript with Node's Buffer: decode, small (1.25 times slower); plain JavaScript: decode, small (2.00 times slower).",
  );
});

/** First calls of a corpus: what it takes to make the codec, and the call, in milliseconds. */
const firstCalls = (corpus: string, times: Record<string, [createMs: number, firstMs: number]>) =>
  Object.entries(times).map(([name, [createMs, firstMs]]) => {
    const all = {
      importMs: 1,
      createMs,
      firstMs,
      readyMs: createMs + firstMs,
      secondMs: 1,
      peakBytes: 1,
      heapBytes: 1,
      externalBytes: 1,
      wasmBytes: 0,
    };
    return { corpus, operation: "decode", name, ...Object.fromEntries(Object.entries(all).map(([key, median]) => [key, { median }])) };
  });

test("first calls are lost against whoever is faster", () => {
  const rpg = firstCalls("rpg", { tusk: [1, 4], "tusk js engine": [1, 3], "strong-js": [6, 2], JSON: [0, 1] });
  const small = firstCalls("small", { tusk: [1, 1], JSON: [0.5, 0.5] });
  const { losses } = documentSections({ node: reportOf(corpora("rpg"), { first: [...rpg, ...small] }) });
  expect(losses).toContain(
    "- **first decode in a fresh process, codec made included:** tusk js engine: rpg (1.25 times slower); JSON: rpg (5.00 times slower), small (2.00 times slower).",
  );
  expect(losses).toContain("- **first encode in a fresh process, codec made included:** nowhere.");
});

test("first decodes against the best JavaScript codec are goals with the making of the codec, and say what the call alone does", () => {
  const report = reportOf(corpora("rpg"), { first: firstCalls("small", { tusk: [1, 4], "strong-js": [6, 2] }) });
  const line = (corpus: string) =>
    goals(report, undefined).find(
      ({ what }) => what === `first decode of ${corpus} in a fresh process against best JS's, codec made included`,
    );
  expect(line("small")).toMatchObject({ value: 1.6, callAlone: 0.5, met: true });
  expect(line("rpg")).toMatchObject({ value: undefined, met: false });
  expect(documentSections({ node: report }).goals).toContain("codec made included | ≥ 1 | 1.60 (the call alone: 0.50) | met |");
});

test("who is the quickest of a row of the README is bold, also where that is told by a ratio", () => {
  const [corpus] = corpora("rpg");
  const slower = { name: "tusk", ...times(0.25), alone: times(1.25) };
  const operations = corpus.operations.map((operation) => ({ ...operation, results: [slower, ...operation.results.slice(1)] }));
  expect(benchmarkSection(reportOf([{ ...corpus, operations }]))).toContain("| rpg: a corpus | 0.25 | **0.80** | 2.00 |");
});

test("times of the README below a tenth of a millisecond are in µs, and the row says so", () => {
  const small = corpora("small").map((corpus) => {
    const results = [
      { name: "tusk", ...times(0.000244), ratio: times(0.65).ratio },
      { name: "strong-js", ...times(0.000376) },
      { name: "JSON", ...times(0.0123) },
    ];
    return { ...corpus, operations: [{ ...corpus.operations[0], results }] };
  });
  expect(benchmarkSection(reportOf(small))).toContain("| small: a corpus, in µs | **0.24** | 1.54 | 12.3 |");
});

test("the price of a page of memory says so where the system gives many at a time", () => {
  const machine = (hugePages: string) => ({ ...reportOf([]).machine, pageMicroseconds: 0.5, hugePages });
  const price = "0.5 µs for each page of 4 KB that is touched for the first time";
  expect(benchmarkSection(reportOf([], { machine: machine("always") }))).toContain(
    `${price}, of which the system gives 512 at a time, up to`,
  );
  expect(benchmarkSection(reportOf([], { machine: machine("madvise") }))).toContain(`${price}, up to`);
});

test("a ratio to the reference has its quartiles turned round", () => {
  const result = (name: string, ratio: object) => ({ name, ratio });
  const one = {
    operation: "decode",
    reference: "best",
    results: [result("best", { median: 1 }), result("own", { median: 0.5, q1: 0.25, q3: 0.8 })],
  };
  const compared = (name: string, other: string) => comparison([{ corpus: "rpg", operations: [one] }], "rpg", "decode", name, other);
  expect(compared("own", "best")).toEqual({ median: 2, q1: 1.25, q3: 4 });
  expect(compared("best", "own")).toMatchObject({ median: 0.5, q1: 0.25, q3: 0.8 });
});

test("older results pair samples only where their ratios show which rounds they are of", () => {
  const summaryOf = (own: number[], base: number[]) => summary(own.map((ms, i) => ms / base[i]));
  const base = [10, 20, 10, 20, 10, 10, 20];
  const own = base.map((ms) => ms * 2);
  const slow = [100, 200, 100, 200, 200];
  const reference = { name: "best", ratio: summaryOf(base, base), samples: base };
  const compared = (ratio: object) => {
    const results = [reference, { name: "own", ratio: summaryOf(own, base), samples: own }, { name: "slow", ratio, samples: slow }];
    const operations = [{ operation: "decode", reference: "best", results }];
    return speedup([{ corpus: "rpg", operations }], "rpg", "decode", "own", "slow");
  };
  // Rounds 0, 1, 2, 3 and 6: ten times the reference's time in each, and so five times that of the other.
  expect(compared(summaryOf(slow, [10, 20, 10, 20, 20]))).toBe(5);
  // Of other rounds; only the ratios to the reference are known.
  const others = summaryOf(slow, [10, 20, 10, 10, 10]);
  expect(others.q3).toBe(20);
  expect(compared({ ...others, median: 16 })).toBe(8);
});

test.each(["latest", "browser"])("the published results of %s tell of all samples which rounds they are of", (name) => {
  const { corpora } = JSON.parse(readFileSync(join(ROOT, `bench/results/${name}.json`), "utf8")) as { corpora: CorpusReport[] };
  let compared = 0;
  for (const { corpus, operations } of corpora)
    for (const { operation, results } of operations)
      for (const { name } of results) {
        const against = comparison(corpora, corpus, operation, "tusk", name);
        // Without the rounds there would be no quartiles.
        if (against === undefined) continue;
        expect(against.q3, `${operation} of ${corpus} by ${name}`).toBeDefined();
        compared++;
      }
  expect(compared).toBeGreaterThan(200);
});

test("goals are met on the right side of their bound, and say so where rounding would hide it", () => {
  const lines = goals({ corpora: corpora("rpg", "graph", ...PUBLIC) }, undefined);
  const line = (what: string) => lines.find((each) => each.what === what);
  expect(line("decode of rpg against best JS")).toMatchObject({ goal: "≥ 1.3", value: 2, met: true, unit: "times" });
  expect(line("decode of rpg against JSON.parse")).toMatchObject({ value: 8, met: true });
  expect(line("decode of public data against best JS")).toMatchObject({ met: true });
  expect(line("encode of rpg against best JS with the same guarantees")).toMatchObject({ value: undefined, met: false });
  const goal = { bound: 1.3, unit: "times" };
  expect(reachedText({ ...goal, value: 1.299, met: false })).toBe("1.2990");
  expect(reachedText({ ...goal, value: 1.3, met: true })).toBe("1.30");
  expect(reachedText({ ...goal, value: 1.2, met: false })).toBe("1.20");
});

test("the mean over the public data sets counts only when all of them were measured", () => {
  const all = corpora(...PUBLIC);
  const what = "decode of public data against best JS";
  const mean = (list: object[]) => goals({ corpora: list }, undefined).find((each) => each.what === what)?.value;
  expect(mean(all)).toBeCloseTo(2, 12);
  expect(mean(all.slice(1))).toBeUndefined();
  expect(mean([...all.slice(1), { ...all[0], operations: [] }])).toBeUndefined();
});

test("a goal that is missed by less than its digits is seen to be missed where two runs stand side by side, too", () => {
  const run = (median: number) => {
    const [dialogue] = corpora("dialogue");
    const operations = dialogue.operations.map((each) => ({
      ...each,
      results: [{ name: "tusk", ...times(1 / median) }, ...each.results.slice(1)],
    }));
    return reportOf([{ ...dialogue, operations }], { machine: { ...reportOf([]).machine, pageMicroseconds: 2 } });
  };
  const { memory } = documentSections({ node: run(1.2468), costly: run(1.2532) });
  expect(memory).toContain("| decode of dialogue against best JS | ≥ 1.25 | 1.2468 | **1.25** |");
});

test("the least of all corpora counts only when all of them were measured", () => {
  const [rpg] = corpora("rpg");
  const results = [
    { name: "tusk js engine", ...times(0.5) },
    { name: "plain-js", ...times(2) },
  ];
  const of = (name: string) => ({
    ...rpg,
    corpus: name,
    operations: rpg.operations.map((each) => ({ ...each, results: [...each.results, ...results] })),
  });
  const all = ["rpg", "schema", "tiles", "typed", "dialogue", "graph", "mixed", "small", ...PUBLIC].map(of);
  const least = (list: object[]) =>
    goals({ corpora: list }, undefined).find(({ what }) => what.startsWith("decode by the JavaScript engine"));
  expect(least(all)).toMatchObject({ what: expect.stringMatching(/, least \(\w+\)$/), value: 4, met: true });
  expect(least(all.slice(1))).toMatchObject({ what: expect.stringMatching(/, least$/), value: undefined, met: false });
});

test("the documents are not written from results of a part of the benchmark, or of a run that did not end", () => {
  const report = { corpora: corpora("rpg") };
  mustBeComplete(report);
  mustBeComplete({ ...report, complete: true });
  for (const less of [{ quick: true }, { partial: true }, { complete: false }, { corpora: [] }])
    expect(() => mustBeComplete({ ...report, ...less })).toThrow("not of a whole run");
  mustBeWhole({ date: "2026-01-02" }, "npm run bench:ds");
  expect(() => mustBeWhole({ complete: false }, "npm run bench:ds")).toThrow("not of a whole run: npm run bench:ds makes one");
});

test("the documents are not written from results in which Tusk, the best JavaScript codec or the opponent of a goal failed, and the error says where", () => {
  const [first, second] = corpora("rpg", "tiles");
  const without = (name: string) =>
    second.operations.map((each) => ({ ...each, results: each.results.filter((result) => result.name !== name) }));
  const broken = (name: string, more: object = {}) => ({ ...second, operations: without(name), ...more });
  const refused = (more: object, message: string) => expect(() => mustBeComplete(reportOf([first, second], more))).toThrow(message);

  const skipped = [{ name: "tusk", skipped: "does not round-trip: .rows[0]: 1 became 2" }];
  refused({ corpora: [first, broken("tusk", { skipped })] }, "tiles: tusk failed: does not round-trip: .rows[0]: 1 became 2");
  for (const name of ["tusk js engine", "strong-js", "strong-js + pako"])
    refused(
      { corpora: [first, { ...second, skipped: [{ name, skipped: "decode, round 3: died" }] }] },
      `tiles: ${name} failed: decode, round 3: died`,
    );
  refused({ corpora: [first, broken("strong-js")] }, "tiles: there is no decode of strong-js");
  refused({ corpora: [first, { ...second, operations: [] }] }, "tiles: there is no decode of tusk");
  refused({ mutatorCorpora: [first, broken("tusk")] }, "tiles, young generation of 256 MB: there is no decode of tusk");
  refused({ togetherCorpora: [broken("tusk")] }, "tiles, in one process: there is no decode of tusk");
  refused({ first: [{ corpus: "rpg", operation: "encode", name: "strong-js" }] }, "there is no first encode of rpg by tusk");
  refused({ failed: ["first decode of rpg: tusk failed in process 3"] }, "first decode of rpg: tusk failed in process 3");
  // Whom a goal compares Tusk with, where it does.
  const failing = (corpus: string, name: string) => ({
    corpora: corpora(corpus).map((each) => ({ ...each, skipped: [{ name, skipped: "died" }] })),
  });
  for (const name of ["plain-js", "JSON", "msgpackr structuredClone"])
    for (const corpus of ["rpg", "emoji"]) refused(failing(corpus, name), `${corpus}: ${name} failed: died`);
  refused(failing("rpg", "floor: allocation"), "rpg: floor: allocation failed: died");
  for (const name of ["JSON", "floor: allocation"]) mustBeComplete(reportOf([], failing("graph", name)));
  // Others may fail; the report says so.
  mustBeComplete(reportOf([first, broken("cbor-x", { skipped: [{ name: "cbor-x", skipped: "died" }] })]));
  mustBeComplete(
    reportOf([first, { ...second, skipped: [{ name: "strong-js, no identity", skipped: "cannot keep shared objects and cycles" }] }]),
  );
});

test("results tell by digests what they are of: the sources, and those that they were compared with", () => {
  const folder = mkdtempSync(join(tmpdir(), "tusk-digest-test-"));
  const write = (path: string, text = "") => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const opponents = [
    "bench/codecs/strong-js/output.mjs",
    "bench/candidates/floors.mjs",
    "bench/ds/plain-js.mjs",
    "bench/enigma/plain-codec.mjs",
  ];
  const tools = ["asconfig.json", "tsconfig.json", "tsdown.config.ts"];
  for (const script of ["build-kernels", "pack-bytes", "translate-kernel", "script-names", "no-inlining", "own-globals", "pure-calls"])
    tools.push(`scripts/${script}.mjs`);
  for (const path of ["assembly/hex.ts", "src/ds/index.ts", "src/engine/generated/kernel.ts", ...tools, ...opponents, "package-lock.json"])
    write(path);
  try {
    const before = digests(folder);
    expect(before).toEqual({ sources: expect.stringMatching(/^[\da-f]{12}$/), opponents: expect.stringMatching(/^[\da-f]{12}$/) });
    for (const path of [...opponents, "package-lock.json"]) {
      write(path, "changed");
      const after = digests(folder);
      expect(differences(before, after), path).toEqual(["opponents"]);
      write(path);
    }
    write("src/engine/generated/kernel.ts", "changed");
    expect(digests(folder)).toEqual(before);
    for (const path of ["src/ds/index.ts", "assembly/hex.ts", ...tools]) {
      write(path, "changed");
      expect(differences(before, digests(folder)), path).toEqual(["sources"]);
      write(path);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  // Older results do not tell of the opponents, the oldest nothing.
  expect(differences({ sources: "1", opponents: "2" }, { sources: "1" })).toEqual([]);
  expect(differences({ sources: "1", opponents: "2" }, { sources: "3" })).toEqual(["sources"]);
  expect(differences({ sources: "1" }, {})).toEqual([]);
});

test("works take turns of several runs, in new orders, without a collection between them", () => {
  const turns: string[] = [];
  const work = (name: string) => () => turns.push(name);
  const collect = globalThis.gc;
  globalThis.gc = () => {
    throw new Error("a collection was forced");
  };
  try {
    expect(interleaved([work("a"), work("b")], 3, 10)).toHaveLength(2);
  } finally {
    globalThis.gc = collect;
  }
  expect(turns.length).toBe((10 + 6) * 2 * 3);
  const rounds = Array.from({ length: 16 }, (_, i) => turns.slice(i * 6, i * 6 + 6).join(""));
  expect(new Set(rounds)).toEqual(new Set(["aaabbb", "bbbaaa"]));
});
