// The golden vectors in slices, as fine as they get: the same values, bytes, callbacks and errors as without. All of them by WebAssembly; by the
// JavaScript engine those that take no seconds, and of the random graphs some. `npm run test:long` has all.
import { describe, expect, test } from "vitest";
import type { ReadAsyncOptions } from "../../src/elephant/index.ts";
import { createElephantSync, type Elephant, ENGINES, LONG_RUN, TuskError, type WriteOptions } from "./codec.ts";
import { differences } from "./compare.ts";
import { buildClasses, buildValue, type Classes, type TraceEntry } from "./notation.ts";
import { loadVectorSets, type Vector, vectorBytes, vectorInput } from "./vector-files.ts";

/** Pauses without leaving the test: what matters here is that the work is taken up again. */
const FINEST = { sliceMs: 0, pause: async () => {} };
/** Larger files are read in fewer ways, and not in the finest slices. */
const SMALL = 100_000;

/** A result or a failure, and the callbacks on the way. */
interface Outcome {
  readonly result?: unknown;
  readonly error?: unknown;
  readonly trace: TraceEntry[];
}

async function outcome(trace: TraceEntry[], operation: () => unknown): Promise<Outcome> {
  trace.length = 0;
  try {
    return { result: await operation(), trace: trace.slice() };
  } catch (error) {
    return { error, trace: trace.slice() };
  }
}

function place(error: unknown): unknown {
  if (!(error instanceof TuskError)) return String(error);
  const { code, offset, path, message } = error;
  return { code, offset, path, message };
}

/** Chunks of 1 to 97 bytes, other ones for each file. */
function chunksOf(bytes: Uint8Array): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let size = bytes.length % 89;
  for (let at = 0; at < bytes.length; at += size) {
    size = ((size * 7919 + 13) % 97) + 1;
    chunks.push(bytes.subarray(at, at + size));
  }
  return chunks;
}

async function* oneByOne(chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

/** A source whose length nobody knows, in memory that is used again for each chunk. */
async function* inTheSameMemory(chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  const memory = new Uint8Array(Math.max(0, ...chunks.map((chunk) => chunk.length)));
  for (const chunk of chunks) {
    memory.set(chunk);
    yield memory.subarray(0, chunk.length);
    memory.fill(0xcc);
  }
}

function expectSame(sliced: Outcome, whole: Outcome, what: string): void {
  expect(place(sliced.error), what).toEqual(place(whole.error));
  expect(sliced.trace, what).toEqual(whole.trace);
}

async function checkRead(codec: Elephant, bytes: Uint8Array, trace: TraceEntry[], name: string): Promise<void> {
  const read = (source: Parameters<Elephant["readAsync"]>[0], options: ReadAsyncOptions) =>
    outcome(trace, () => codec.readAtAsync(source, options.offset ?? 0, options));
  const variants: [string, ReadAsyncOptions][] =
    bytes.length > SMALL
      ? [["large", { sliceMs: 1, pause: FINEST.pause }]]
      : [
          ["plain", FINEST],
          ["exact", { ...FINEST, scalars: "exact" }],
          ["typed", { ...FINEST, typedArrays: true }],
        ];
  for (const [variant, options] of variants) {
    const whole = await outcome(trace, () => codec.readAt(bytes, 0, options));
    // Each variant by another way in, the plainest by all of them.
    const sources: [string, () => Parameters<Elephant["readAsync"]>[0]][] = [];
    if (variant !== "typed") sources.push(["bytes", () => bytes]);
    if (variant === "plain") sources.push(["chunks", () => chunksOf(bytes)]);
    if (variant !== "exact") sources.push(["the same memory", () => inTheSameMemory(chunksOf(bytes))]);
    for (const [source, open] of sources) {
      const sliced = await read(open(), options);
      const what = `${name}, ${variant}, ${source}`;
      expectSame(sliced, whole, what);
      if (!whole.error) {
        const [a, b] = [whole.result, sliced.result] as { value: unknown; end: number; release: string }[];
        expect([b.end, b.release], what).toEqual([a.end, a.release]);
        expect(differences(a.value, b.value), what).toEqual([]);
      }
    }
  }
}

async function checkWrite(codec: Elephant, vector: Vector, classes: Classes, trace: TraceEntry[], name: string): Promise<void> {
  const options: WriteOptions = { diffsOnly: vector.options?.diffsOnly };
  if (vector.elephant === "1.4.0" || vector.elephant === "1.5.0") options.release = vector.elephant;
  const large = (vector.bytes ?? 0) > SMALL;
  const whole = await outcome(trace, () => codec.write(buildValue(vector.value!, classes), options));
  const slices = large ? { sliceMs: 1, pause: FINEST.pause } : { ...FINEST, chunkBytes: 61 };
  const sliced = await outcome(trace, () => codec.writeAsync(buildValue(vector.value!, classes), { ...options, ...slices }));
  expectSame(sliced, whole, name);
  if (!whole.error) expect(Buffer.compare(sliced.result as Uint8Array, whole.result as Uint8Array), name).toBe(0);
}

describe.each(ENGINES)("engine %s", (engine) => {
  const plain = createElephantSync({ engine });
  const codec = (constructors: Classes) => (Object.keys(constructors).length > 0 ? createElephantSync({ engine, constructors }) : plain);
  // What cuts the work into slices is the same for both engines; the sets that take seconds are read by both without slices.
  const sets = loadVectorSets().filter(({ set }) => engine === "wasm" || LONG_RUN || (set !== "large" && set !== "limits"));
  test.each(sets)(
    "$set",
    async ({ set, vectors }) => {
      let checked = 0;
      const chosen = set === "fuzz" && engine === "js" && !LONG_RUN ? vectors.filter((_, i) => i % 4 === 0) : vectors;
      for (const given of chosen) {
        if (given.op !== "binary" && given.op !== "prefixes") continue;
        const vector = await vectorInput(given);
        const name = `${set}/${vector.name}`;
        const trace: TraceEntry[] = [];
        const writeClasses = buildClasses(vector.ctors, trace);
        const readClasses = vector.readCtors ? buildClasses(vector.readCtors, trace) : writeClasses;
        const writer = codec(writeClasses);
        const reader = vector.readCtors ? codec(readClasses) : writer;
        if (vector.op === "prefixes") {
          const bytes = vectorBytes(vector);
          for (let length = 0; length < bytes.length; length += 1 + (bytes.length >> 4))
            await checkRead(reader, bytes.subarray(0, length), trace, `${name} to ${length}`);
        } else {
          if (vector.dirs.includes("write")) await checkWrite(writer, vector, writeClasses, trace, name);
          if (vector.dirs.includes("read")) await checkRead(reader, vectorBytes(vector), trace, name);
        }
        checked++;
      }
      // Sets of other operations have nothing to do here.
      expect(checked).toBe(chosen.filter(({ op }) => op === "binary" || op === "prefixes").length);
    },
    60_000,
  );
});

test("a source that gives its chunks one by one is the same as one that has them", async () => {
  const codec = createElephantSync();
  const bytes = codec.write({ list: [1, "two", { three: 3n }] });
  expect(await codec.readAsync(oneByOne(chunksOf(bytes)), FINEST)).toEqual({ list: [1, "two", { three: 3n }] });
});
