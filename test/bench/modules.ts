// The benchmark's modules, which are plain JavaScript, with the types that the tests need.
import { join } from "node:path";
import { ROOT } from "../package/installed.ts";

export interface Summary {
  readonly median: number;
  readonly q1: number;
  readonly q3: number;
  readonly n: number;
}

export interface Result {
  readonly name: string;
  readonly ms: Summary;
  readonly ratio: Summary;
  readonly samples: readonly number[];
  /** The numbers of the rounds, where it was not in all. */
  readonly joined?: readonly number[];
  readonly alone?: { readonly ms: Summary; readonly ratio: Summary };
}

export interface CorpusReport {
  readonly corpus: string;
  readonly operations: readonly { readonly operation: string; readonly reference: string; readonly results: readonly Result[] }[];
  readonly skipped: readonly { readonly name: string; readonly skipped: string }[];
}

export interface Goal {
  readonly what: string;
  readonly goal: string;
  readonly bound: number;
  readonly value?: number;
  readonly callAlone?: number;
  readonly unit: string;
  readonly met: boolean;
}

type Compared = [corpora: readonly object[] | undefined, corpus: string, operation: string, name: string, other: string];

interface Modules {
  "command-line": {
    chosenOf(what: string, text: string, known: readonly string[]): readonly string[];
    resultsFile(places: { given?: string; usual: string; kept: string; kind: string }): {
      file: string;
      save(report: object): void;
      finish(report: object): void;
    };
  };
  conductor: { measureCorpus(place: object, corpus: object, candidates: readonly object[], effort: object): Promise<CorpusReport> };
  tables: {
    comparison(...compared: Compared): (Pick<Summary, "median"> & Partial<Pick<Summary, "q1" | "q3">>) | undefined;
    speedup(...compared: Compared): number | undefined;
    geometricMean(values: readonly number[]): number;
  };
  circumstances: {
    digests(root?: string): { sources: string; opponents: string };
    differences(one: object, other: object): string[];
  };
  "codecs/elephant-format": { ElephantError: new (code: string) => Error };
  "codecs/strong-js": { createStrongJs(): { encode(value: unknown): Uint8Array; decode(bytes: Uint8Array): unknown } };
  "deep-equal": { firstDifference(expected: unknown, actual: unknown, fidelity?: object): string | null };
  "browser-report": { unlike(node: object, browser: object): string | undefined };
  chart: { renderChart(report: object, operation: string): string };
  "ds/timing": { interleaved(works: readonly (() => unknown)[], runs: number, rounds: number): readonly number[] };
  document: { documentSections(results: Record<string, object>): Record<string, string> };
  statistics: {
    quantile(samples: readonly number[], q: number): number;
    shuffled<T>(list: readonly T[], random: () => number): T[];
    summary(samples: readonly number[]): Summary;
  };
  "goal-list": {
    goals(report: object, large: object | undefined): readonly Goal[];
    reachedText(goal: Omit<Goal, "goal" | "what">): string;
  };
}

export const benchModule = async <Name extends keyof Modules>(name: Name): Promise<Modules[Name]> =>
  await import(join(ROOT, `bench/${name}.mjs`));

/** The script that writes the documents. */
export const readmeBenchmark = async (): Promise<{
  benchmarkSection(report: object): string;
  mustBeComplete(report: object): void;
  mustBeWhole(report: object, command: string): void;
}> => await import(join(ROOT, "scripts/readme-benchmark.mjs"));
