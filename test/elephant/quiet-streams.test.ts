// Streams that say nothing for a while: some stay open behind the save, others go on later. The value is that of the bytes at once.
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import type { ReadAsyncOptions } from "../../src/elephant/index.ts";
import { file, bytes as fromHex, text } from "./bytes.ts";
import { createElephantSync, type Elephant, ENGINES, LONG_RUN, Scalar } from "./codec.ts";
import { differences } from "./compare.ts";
import { loadVectorSets, vectorBytes } from "./vector-files.ts";

/** Longer than a stream has to give its next chunk. */
const QUIET_MS = 150;
/** Reads at once: each stream has a machine. */
const AT_ONCE = 100;

/** A web stream of these chunks which never ends. */
function open(chunks: Uint8Array[]): ReadableStream<Uint8Array> & { cancelled?: boolean } {
  const stream: ReadableStream<Uint8Array> & { cancelled?: boolean } = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk.slice());
    },
    cancel: () => {
      stream.cancelled = true;
    },
  });
  return stream;
}

/** Two to six chunks, cut in other places for each length. */
function chunksOf(bytes: Uint8Array): Uint8Array[] {
  const size = Math.ceil(bytes.length / (2 + (bytes.length % 5)));
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
  return chunks;
}

async function* late(chunks: Uint8Array[], ms = QUIET_MS): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) {
    await new Promise((resolve) => setTimeout(resolve, ms));
    yield chunk;
  }
}

async function checkOpen(codec: Elephant, bytes: Uint8Array, name: string, options: ReadAsyncOptions = {}): Promise<void> {
  const stream = open(chunksOf(bytes));
  const value = await codec.readAsync(stream, options);
  expect(differences(value, codec.read(bytes, options)), name).toEqual([]);
  expect(stream.cancelled, name).toBe(true);
}

describe("a stream that stays open behind the save", () => {
  const world = {
    long: "naïve 🐘".repeat(60_000),
    rows: Array.from({ length: 4000 }, (_, id) => ({ id, name: `n${id}`, at: [id / 3, -id] })),
    behind: "the text",
  };
  const values: [string, unknown][] = [
    ["a number", 5],
    ["an empty text", ""],
    ["a text that is longer than the window, at the end", "é".repeat(200_000)],
    ["long texts, one behind the other", ["a".repeat(300_000), "b".repeat(70_000), "c".repeat(700)]],
    ["numbers at the end", { all: Array.from({ length: 70_000 / 2 }, (_, i) => i / 2) }],
    ["bytes at the end", [new Uint8Array(40_000), new Scalar("u8", 7)]],
    ["all of it", world],
  ];
  test.each(values)("%s", async (name, value) => {
    for (const engine of ENGINES) {
      const codec = createElephantSync({ engine });
      const bytes = codec.write(value);
      await Promise.all([{}, { sliceMs: 0 }, { typedArrays: true }].map((options) => checkOpen(codec, bytes, name, options)));
    }
  });

  test("saves without footer whose last value the codec has jumped over", async () => {
    const long = `0B ${text("é".repeat(200_000))}`;
    const doubles = `0F E803 09 ${"000000000000F03F".repeat(1000)}`;
    const roots = [long, doubles, `0F 0200 0E 0A 01 ${long}`, `10 0100 ${text("last")} ${doubles}`];
    const saves = ["00000100", "00010100"].flatMap((release) => roots.map((root) => fromHex(`41544D43 ${release} ${root}`)));
    for (const engine of ENGINES) {
      const codec = createElephantSync({ engine });
      await Promise.all(
        saves.flatMap((bytes, i) => [false, true].map((typedArrays) => checkOpen(codec, bytes, `save ${i}`, { typedArrays }))),
      );
    }
  });

  test("a Node stream, and one more save behind it", async () => {
    const codec = createElephantSync();
    const stream = new Readable({ read() {} });
    stream.push(codec.write(world));
    stream.push(codec.write("second").subarray(0, 12));
    expect(await codec.readAsync(stream)).toEqual(world);
    expect(stream.destroyed).toBe(true);
  });

  test("the vectors of every release", async () => {
    const codec = createElephantSync({ unknownConstructor: "generic" });
    const readable = loadVectorSets()
      .flatMap(({ vectors }) => vectors.filter(({ file, bytes }) => file && bytes! < 20_000))
      .map((vector) => ({ name: `${vector.set}/${vector.name}`, release: vector.elephant, bytes: vectorBytes(vector) }))
      .filter(({ bytes }) => {
        try {
          return codec.readAt(bytes, 0).end === bytes.length;
        } catch {
          return false;
        }
      });
    expect(readable.length).toBeGreaterThan(300);
    // Each has to be waited for, which machines of their own are needed for.
    const chosen = readable.filter((_, i) => LONG_RUN || i % 4 === 0);
    for (let at = 0; at < chosen.length; at += AT_ONCE)
      await Promise.all(chosen.slice(at, at + AT_ONCE).map(({ name, bytes }) => checkOpen(codec, bytes, name)));
    expect([...new Set(chosen.map(({ release }) => release))].sort()).toEqual([
      "1.0.0",
      "1.1.0",
      "1.2.0",
      "1.2.1",
      "1.3.0",
      "1.4.0",
      "1.4.0-dev",
      "1.5.0",
      "1.5.1",
    ]);
  });

  test("what is wrong is told without more bytes, too", async () => {
    const codec = createElephantSync();
    const bytes = codec.write([1, "two", { three: 3 }]);
    await expect(codec.readAsync(open([bytes.with(bytes.length - 1, 0)]))).rejects.toMatchObject({ code: "footer" });
    await expect(codec.readAsync(open([bytes.with(8, 99)]))).rejects.toMatchObject({ code: "unknown-datatype", offset: 8 });
  });
});

describe("a stream that goes on later", () => {
  test("wherever it stops", async () => {
    const codec = createElephantSync();
    const value = { a: [1, 2, 3], text: "naïve 🐘", nested: [{ x: 1.5 }, { x: 2.5 }], last: undefined };
    const bytes = codec.write(value);
    await Promise.all(
      Array.from({ length: bytes.length - 1 }, async (_, i) => {
        const cut = i + 1;
        expect(await codec.readAsync(late([bytes.subarray(0, cut), bytes.subarray(cut)])), `cut at ${cut}`).toEqual(value);
      }),
    );
  });

  test("inside of long texts, typed arrays and names", async () => {
    class Elephant_with_a_long_name {
      weight = 0;
    }
    const codec = createElephantSync({ constructors: { Elephant_with_a_long_name } });
    const value = [
      "é🐘".repeat(100_000),
      new Float64Array(20_000).fill(1.5),
      Object.assign(new Elephant_with_a_long_name(), { weight: 3 }),
    ];
    const bytes = codec.write(value);
    const cuts = [
      100,
      1000,
      299_999,
      300_001,
      300_002,
      600_000,
      600_020,
      600_100,
      700_000,
      bytes.length - 40,
      bytes.length - 30,
      bytes.length - 3,
    ];
    await Promise.all(
      cuts.map(async (cut) => {
        const read = await codec.readAsync(late([bytes.subarray(0, cut), bytes.subarray(cut)]), { typedArrays: true });
        expect(differences(read, value), `cut at ${cut}`).toEqual([]);
      }),
    );
  });

  test("inside of a character of a long text", async () => {
    const codec = createElephantSync();
    const texts: [string, string][] = [
      ["two halves of three bytes each", "EDA0BDEDB090"],
      ["four bytes", "F09F9090"],
    ];
    await Promise.all(
      texts.flatMap(([name, character]) => {
        // No part of it is in the window that is full.
        const bytes = file(`0B ${"61".repeat(300_000)} ${character} 62 00`);
        const length = character.length / 2;
        return Array.from({ length }, async (_, i) => {
          const cut = 9 + 300_000 + i + 1;
          const pieces = i % 2 === 0 ? [bytes.subarray(0, cut)] : [bytes.subarray(0, cut - 1), bytes.subarray(cut - 1, cut)];
          const read = await codec.readAsync<string>(late([...pieces, bytes.subarray(cut)]));
          expect(read.slice(300_000), `${name}, cut behind ${i + 1}`).toBe("\u{1f410}b");
        });
      }),
    );
  });

  test("and on, and ends too early", async () => {
    const codec = createElephantSync();
    const bytes = codec.write(Array.from({ length: 300 }, (_, i) => ({ i })));
    const short = bytes.subarray(0, bytes.length - 10);
    const error = await codec.readAsync(late([short.subarray(0, 1000), short.subarray(1000, 1200), short.subarray(1200)])).catch((e) => e);
    expect(error).toMatchObject({ code: "truncated", offset: short.length });
  });

  test("progress grows while it is quiet, and never goes back", async () => {
    const codec = createElephantSync();
    const bytes = codec.write(Array.from({ length: 3000 }, (_, i) => ({ id: i, name: `entity ${i}` })));
    const seen: number[] = [];
    const chunks = [bytes.subarray(0, 10_000), bytes.subarray(10_000, 10_500), bytes.subarray(10_500)];
    await codec.readAsync(late(chunks), { onProgress: ({ done }) => seen.push(done) });
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(seen.filter((done) => done > 9900 && done <= 10_500).length).toBeGreaterThanOrEqual(1);
    expect(seen.at(-1)).toBe(bytes.length);
  });
});
