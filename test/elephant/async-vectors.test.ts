// The golden vectors in slices, as fine as they get: the same values, bytes, callbacks and errors as without. All of them by WebAssembly; by the
// JavaScript engine those that take no seconds, and of the random graphs some; each in some of the ways of reading. `npm run test:long` has all.
import { describe, expect, test } from "vitest";
import type { ReadAsyncOptions } from "../../src/elephant/index.ts";
import { expectSameStrictly } from "../same.ts";
import { createElephantSync, type Elephant, ENGINES, LONG_RUN, TuskError, type WriteOptions } from "./codec.ts";
import { differences } from "./compare.ts";
import { buildValue, type Classes, type TraceEntry } from "./notation.ts";
import { CodecPool } from "./vector-codecs.ts";
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

type Source = Parameters<Elephant["readAsync"]>[0];
type Way = [variant: string, options: ReadAsyncOptions, source: string, open: (bytes: Uint8Array) => Source];
const EXACT: ReadAsyncOptions = { ...FINEST, scalars: "exact" };
const TYPED: ReadAsyncOptions = { ...FINEST, typedArrays: true };
const COARSE: ReadAsyncOptions = { sliceMs: 1, pause: FINEST.pause };
const WHOLE = (bytes: Uint8Array) => bytes;
const SHARED = (bytes: Uint8Array) => inTheSameMemory(chunksOf(bytes));
/** Each variant by another way in, the plainest by all of them. */
const WAYS: Way[] = [
  ["plain", FINEST, "bytes", WHOLE],
  ["plain", FINEST, "chunks", chunksOf],
  ["plain", FINEST, "the same memory", SHARED],
  ["exact", EXACT, "bytes", WHOLE],
  ["typed", TYPED, "the same memory", SHARED],
];
const LARGE_WAYS: Way[] = [
  ["large", COARSE, "bytes", WHOLE],
  ["large", COARSE, "the same memory", SHARED],
];

/** `turn` says which of the ways, for others each time: two of five, of large files one of two. */
async function checkRead(codec: Elephant, bytes: Uint8Array, trace: TraceEntry[], name: string, turn: number): Promise<void> {
  const large = bytes.length > SMALL;
  const all = large ? LARGE_WAYS : WAYS;
  const first = turn % all.length;
  const chosen = LONG_RUN ? all : large ? [all[first]] : [all[first], all[(first + 2) % all.length]];
  let whole: Outcome | undefined;
  let before: ReadAsyncOptions | undefined;
  for (const [variant, options, source, open] of chosen) {
    // It takes half a second each time until there are so many elements.
    if (!LONG_RUN && (whole?.error as TuskError | undefined)?.code === "element-limit") break;
    if (!whole || options !== before) whole = await outcome(trace, () => codec.readAt(bytes, 0, options));
    before = options;
    const sliced = await outcome(trace, () => codec.readAtAsync(open(bytes), 0, options));
    const what = `${name}, ${variant}, ${source}`;
    expectSame(sliced, whole, what);
    if (!whole.error) {
      const [a, b] = [whole.result, sliced.result] as { value: unknown; end: number; release: string }[];
      expect([b.end, b.release], what).toEqual([a.end, a.release]);
      expect(differences(a.value, b.value), what).toEqual([]);
      // Numbers and their Scalars are the same to differences.
      if (variant === "exact") expectSameStrictly(b.value, a.value, what);
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
  const codecs = new CodecPool((options) => createElephantSync({ ...options, engine }));
  const { trace } = codecs;
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
        const { classes, codec: writer } = codecs.side(vector.ctors);
        const reader = vector.readCtors ? codecs.side(vector.readCtors).codec : writer;
        if (vector.op === "prefixes") {
          const bytes = vectorBytes(vector);
          for (let length = 0; length < bytes.length; length += 1 + (bytes.length >> 4))
            await checkRead(reader, bytes.subarray(0, length), trace, `${name} to ${length}`, length);
        } else {
          if (vector.dirs.includes("write")) await checkWrite(writer, vector, classes, trace, name);
          if (vector.dirs.includes("read")) await checkRead(reader, vectorBytes(vector), trace, name, checked);
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
