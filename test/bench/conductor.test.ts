// How the benchmark measures, with participants that answer what the test tells them: who takes part in which rounds, in what order, and what is
// compared with what.
import { expect, test } from "vitest";
import { benchModule, type CorpusReport } from "./modules.ts";

const { measureCorpus } = await benchModule("conductor");
const { speedup } = await benchModule("tables");

interface Fake {
  /** Milliseconds of each sample, by how many the participant has taken. */
  ms(sample: number): number;
  /** The sample that it fails at, in each of its processes or in the `failsIn`th. */
  failsAt?: number;
  failsIn?: number;
  /** What fails before any sample is taken. */
  failsTo?: "start" | "prepare" | "warm" | "repeatsFor";
  operations?: string[];
}

/** Runs the conductor over fakes. @returns its report, and who gave a sample, one letter each, by process */
async function conducted(fakes: Record<string, Fake>, effort: object = {}): Promise<{ report: CorpusReport; samples: string[] }> {
  const samples: string[] = [];
  const processes: Record<string, number> = {};
  const place = {
    start: async ({ name }: { name: string }) => {
      const { ms, failsAt, failsIn, failsTo, operations = ["decode"] } = fakes[name];
      processes[name] = (processes[name] ?? 0) + 1;
      const failing = failsIn === undefined || failsIn === processes[name];
      const does = (what: Fake["failsTo"]) => {
        if (failing && failsTo === what) throw new Error(`cannot ${what}`);
      };
      let taken = 0;
      does("start");
      return {
        prepare: async () => {
          does("prepare");
          return { operations, bytes: { decode: 100, encode: 100 } };
        },
        warm: async () => does("warm"),
        repeatsFor: async () => {
          does("repeatsFor");
          return 1;
        },
        settle: async () => {},
        sample: async () => {
          if (failing && taken === failsAt) throw new Error("the process has ended\nand more");
          samples.push(name);
          return { ms: ms(taken++), cpu: 1, pages: 0 };
        },
        close: async () => {},
      };
    },
    finish: async () => {},
  };
  const report = await measureCorpus(
    place,
    { name: "corpus", title: "a corpus" },
    Object.keys(fakes).map((name) => ({ name, loses: "nothing", load: async () => () => ({}) })),
    {
      operations: ["decode"],
      scale: 1,
      reference: "best",
      contenders: ["own"],
      rounds: 6,
      minRounds: 5,
      budgetMs: 1e6,
      warmRuns: 1,
      warmMs: 0,
      settleSamples: 1,
      settleMs: 1,
      ...effort,
    },
  );
  return { report, samples };
}

const always = (ms: number): Fake => ({ ms: () => ms });
const resultsOf = ({ report }: { report: CorpusReport }) =>
  Object.fromEntries(report.operations[0].results.map((result) => [result.name, result]));

test("contenders meet the reference in rounds of their own, and everyone in the rounds of all", async () => {
  // The reference is twice as slow where everybody takes part: what is compared with others must not come from the rounds of few.
  const { report } = await conducted({
    best: { ms: (sample) => (sample < 18 ? 10 : 20) },
    own: always(5),
    other: always(40),
  });
  const { own, best, other } = resultsOf({ report });
  expect(own.alone?.ratio.median).toBe(0.5);
  expect(own.alone?.ms.n).toBe(18);
  expect(own.ratio.median).toBe(0.25);
  expect(best.ms.median).toBe(20);
  expect(other.alone).toBeUndefined();
  expect(other.ms.n).toBe(6);
  expect(speedup([report], "corpus", "decode", "own", "best")).toBe(2);
  expect(speedup([report], "corpus", "decode", "own", "other")).toBe(8);
});

test("without others there are the rounds of few, and the reference is measured by itself when it is the only one", async () => {
  const few = resultsOf(await conducted({ best: always(10), own: always(5) }));
  expect(few.own.ms.n).toBe(18);
  expect(few.own.alone).toBeUndefined();
  const one = resultsOf(await conducted({ best: always(10) }));
  expect(one.best.ms).toMatchObject({ median: 10, n: 6 });
});

test("each set of processes has an order of turns of its own", async () => {
  const { samples } = await conducted({ best: always(1), own: always(1) }, { sets: 5, rounds: 20, budgetMs: 0 });
  const rounds = Array.from({ length: samples.length / 2 }, (_, i) => samples[2 * i]);
  expect(rounds).toHaveLength(20);
  const sets = Array.from({ length: 5 }, (_, i) => rounds.slice(4 * i, 4 * i + 4).join());
  expect(new Set(sets).size).toBeGreaterThan(2);
  const first = rounds.filter((name) => name === "own").length;
  expect(first).toBeGreaterThan(4);
  expect(first).toBeLessThan(16);
});

test("who is slow in each of the first three rounds joins every third from there on; one slow round does not matter", async () => {
  const results = resultsOf(
    await conducted({ best: always(10), slow: always(100), hiccup: { ms: (sample) => (sample === 0 ? 100 : 10) } }, { rounds: 9 }),
  );
  expect(results.hiccup.ms.n).toBe(9);
  expect(results.slow.ms.n).toBe(5);
  expect(results.slow.joined).toEqual([0, 1, 2, 3, 6]);
  expect(results.hiccup.joined).toBeUndefined();
});

test("two that are not the reference are compared within the rounds that both were in", async () => {
  // The reference takes three times as long in most of the rounds that the slow one is in. By ratios to it, `other` would take 60 times as long as `own`.
  const joined = [0, 1, 2, 3, 6, 9, 12];
  const few = 45;
  const { report } = await conducted(
    { best: { ms: (sample) => (joined.includes(sample - few) ? 30 : 10) }, own: always(10), other: always(200) },
    { rounds: 15 },
  );
  const results = resultsOf({ report });
  expect(results.other.joined).toEqual(joined);
  expect(results.own.ratio.median / results.other.ratio.median).not.toBeCloseTo(1 / 20, 3);
  expect(speedup([report], "corpus", "decode", "own", "other")).toBeCloseTo(20, 10);
  expect(speedup([report], "corpus", "decode", "other", "own")).toBeCloseTo(1 / 20, 10);
});

test("a participant whose process ends has no figure and is left out, with the round and the reason; without the reference there is nothing", async () => {
  const { report, samples } = await conducted({ best: always(10), own: always(5), other: { ms: () => 20, failsAt: 1 } });
  expect(report.skipped).toEqual([{ name: "other", skipped: "decode, round 2: the process has ended" }]);
  expect(samples.filter((name) => name === "other")).toHaveLength(1);
  expect(Object.keys(resultsOf({ report }))).toEqual(["best", "own"]);
  expect(resultsOf({ report }).own.ms.n).toBe(6);
  await expect(conducted({ best: { ms: () => 1, failsAt: 2 }, own: always(5) })).rejects.toThrow("the process has ended");
});

test("what was measured before a process ended stays", async () => {
  const both = ["decode", "encode"];
  const fake = (more: object = {}) => ({ ms: () => 10, operations: both, ...more });
  const { report } = await conducted({ best: fake(), own: fake(), other: fake({ failsAt: 8 }) }, { operations: both });
  expect(report.skipped).toEqual([{ name: "other", skipped: "encode, round 3: the process has ended" }]);
  expect(report.operations.map(({ results }) => results.map(({ name }) => name))).toEqual([
    ["best", "own", "other"],
    ["best", "own"],
  ]);
});

test.each([
  [{ failsTo: "start" }, "cannot start"],
  [{ failsTo: "prepare" }, "cannot prepare"],
  [{ failsTo: "warm" }, "decode, warming up: cannot warm"],
  [{ failsAt: 1 }, "decode, round 2 of few: the process has ended"],
] as const)("a contender that fails in any set of processes is left out with the reason: %j", async (how, reason) => {
  for (const failsIn of [1, 2]) {
    const { report, samples } = await conducted(
      { best: always(10), own: { ms: () => 5, failsIn, ...how }, other: always(20) },
      { sets: 3 },
    );
    expect(report.skipped).toEqual([{ name: "own", skipped: `set ${failsIn} of processes: ${reason}` }]);
    expect(Object.keys(resultsOf({ report }))).toEqual(["best", "other"]);
    expect(samples).toContain("other");
  }
});

test.each([{ failsTo: "warm" }, { failsTo: "repeatsFor" }, { failsAt: 2 }] as const)(
  "where the reference does nothing itself, the next takes the place of one that fails: %j",
  async (how) => {
    const encode = { ms: () => 10, operations: ["encode"] };
    const { report } = await conducted(
      { best: always(1), "best + one": { ...encode, ...how }, "best + two": encode, own: { ...encode, ms: () => 5 } },
      { operations: ["encode"] },
    );
    expect(report.skipped.map(({ name }) => name)).toEqual(["best + one"]);
    expect(report.operations[0].reference).toBe("best + two");
    expect(resultsOf({ report }).own.ratio.median).toBe(0.5);
    expect(resultsOf({ report }).own.ms.n).toBe(6);
  },
);

test("a codec that only has the reference's name in front of its own does not take its place", async () => {
  const { report } = await conducted({ best: { ...always(1), failsTo: "prepare" }, "best, less": always(1), own: always(1) });
  expect(report.operations).toEqual([]);
  expect(report.skipped).toEqual([{ name: "best", skipped: "cannot prepare" }]);
});

test("what one cannot do is measured of the others", async () => {
  const { report } = await conducted(
    { best: { ms: () => 10, operations: ["decode", "encode"] }, own: { ms: () => 5, operations: ["decode", "encode"] }, other: always(1) },
    { operations: ["decode", "encode"] },
  );
  expect(report.operations.map(({ operation, results }) => [operation, results.map(({ name }) => name)])).toEqual([
    ["decode", ["best", "own", "other"]],
    ["encode", ["best", "own"]],
  ]);
});
