// Reading and writing in slices: what may happen between two slices, where bytes come from and go to. The values are those of
// async-vectors.test.ts.
import { getEventListeners } from "node:events";
import { Readable, Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import type { ByteSource, Progress, WriteAsyncOptions } from "../../src/elephant/index.ts";
import { expectSameStrictly } from "../same.ts";
import {
  createElephantSync,
  ENGINES,
  LONG_RUN,
  POST_READ,
  PRE_READ,
  PRE_WRITE,
  SCHEMA,
  Scalar,
  TuskError,
  VERBOSE_EXCLUDE,
} from "./codec.ts";
import { failure } from "./expect-error.ts";
import { inPieces } from "./in-pieces.ts";

const CODEC = createElephantSync();
/** A pause behind every unit of work. */
const FINEST = { sliceMs: 0 };

async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.fail("a rejection was expected"),
    (error: unknown) => error,
  );
}

async function rejectionOf(promise: Promise<unknown>, code: string): Promise<TuskError> {
  const error = await rejection(promise);
  if (!(error instanceof TuskError)) expect.fail(`a TuskError was expected, got ${String(error)}`);
  expect(error.code).toBe(code);
  return error;
}

function entities(count: number): { id: number; name: string; at: { x: number; y: number }; tags: string[] }[] {
  return Array.from({ length: count }, (_, id) => ({ id, name: `entity ${id}`, at: { x: id / 3, y: -id }, tags: ["a", `b${id % 7}`] }));
}

const WORLD = {
  entities: entities(LONG_RUN ? 3000 : 1500),
  text: "naïve 🐘".repeat(20_000),
  numbers: Array.from({ length: 5000 }, (_, i) => i * 1.5),
};
const SAVE = CODEC.write(WORLD);

/** Lets others run a few times. */
async function turns(count = 3): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise(setImmediate);
}

describe("sources", () => {
  const middle = SAVE.length >> 1;
  const chunks = () => [SAVE.slice(0, 3), SAVE.slice(3, middle), new Uint8Array(0), SAVE.slice(middle)];
  async function* generator() {
    yield* chunks();
  }
  const sources: [string, () => ByteSource][] = [
    ["Uint8Array", () => SAVE],
    ["ArrayBuffer", () => SAVE.slice().buffer],
    ["DataView", () => new DataView(SAVE.buffer, SAVE.byteOffset, SAVE.byteLength)],
    ["a view of a larger buffer", () => Buffer.concat([new Uint8Array(5), SAVE]).subarray(5)],
    ["Blob", () => new Blob(chunks())],
    ["array of chunks", chunks],
    ["array of ArrayBuffers", () => chunks().map((chunk) => chunk.buffer)],
    ["iterable of chunks", () => new Set(chunks())],
    ["async generator", generator],
    ["ReadableStream", () => new Blob(chunks()).stream()],
    ["Node stream", () => Readable.from(chunks())],
    [
      "SharedArrayBuffer",
      () => {
        const shared = new Uint8Array(new SharedArrayBuffer(SAVE.length));
        shared.set(SAVE);
        // Browsers decode no text from shared memory, so what is shared must hold no long text for this to work everywhere.
        return shared;
      },
    ],
  ];
  test.each(sources)("%s", async (_, open) => {
    expectSameStrictly(await CODEC.readAsync(open(), FINEST), WORLD);
  });

  test("the position of the save, and what is behind it", async () => {
    const room = Buffer.concat([new Uint8Array(10), SAVE, CODEC.write("second"), new Uint8Array(7)]);
    const first = await CODEC.readAtAsync(Readable.from([room.subarray(0, 20), room.subarray(20)]), 10, FINEST);
    expectSameStrictly(first, { value: WORLD, end: 10 + SAVE.length, release: "1.5.1" });
    expect(await CODEC.readAsync(room, { offset: first.end })).toBe("second");
  });

  test("a stream is given up behind the save, and when the save is wrong", async () => {
    for (const [bytes, code] of [
      [SAVE, undefined],
      [SAVE.with(8, 99), "unknown-datatype"],
    ] as const) {
      let cancelled = false;
      const stream = new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(bytes.slice()),
        cancel: () => {
          cancelled = true;
        },
      });
      if (code) await rejectionOf(CODEC.readAsync(stream), code);
      else await CODEC.readAsync(stream);
      expect(cancelled).toBe(true);
      expect(stream.locked).toBe(false);
    }
  });

  test("an error of the source is the error of the read", async () => {
    async function* failing() {
      yield SAVE.slice(0, 1000);
      throw new RangeError("the disk is gone");
    }
    expect(await rejection(CODEC.readAsync(failing()))).toEqual(new RangeError("the disk is gone"));
    expectSameStrictly(CODEC.read(SAVE), WORLD);
  });

  test("no source: text, numbers, chunks of text", async () => {
    for (const source of ["text", 5, null, Readable.from(["text"])])
      await rejectionOf(CODEC.readAsync(source as unknown as ByteSource), "bad-option");
  });

  test("nor is an iterator that is none, or gives no results", async () => {
    for (const iterator of [null, 5, {}, { next: () => undefined }, { next: async () => undefined }, { next: async () => null }])
      for (const kind of [Symbol.asyncIterator, Symbol.iterator])
        await rejectionOf(CODEC.readAsync({ [kind]: () => iterator } as unknown as ByteSource), "bad-option");
  });

  test("`size` bounds what is looked at and gives progress a total", async () => {
    const seen: Progress[] = [];
    const stream = () => new Blob([SAVE, new Uint8Array(100)]).stream();
    await CODEC.readAsync(stream(), { ...FINEST, size: SAVE.length, onProgress: (progress) => seen.push(progress) });
    expect(seen.at(-1)).toEqual({ done: SAVE.length, total: SAVE.length });
    const error = await rejectionOf(CODEC.readAsync(stream(), { size: 1000 }), "truncated");
    expect(error.offset).toBe(1000);
    expect((await rejectionOf(CODEC.readAsync(stream(), { size: 0 }), "truncated")).offset).toBe(0);
  });

  test("a save that ends too early ends where its source does, or will", async () => {
    const cut = CODEC.write([0, 1, 2, 3].map(() => new Float64Array(40_000))).slice(0, 1_200_000);
    const stream = () => new Blob([cut]).stream();
    for (const [source, options] of [
      [cut],
      [new Blob([cut])],
      [[cut.slice(0, 70_000), cut.slice(70_000)]],
      [stream(), { size: cut.length }],
    ] as const)
      expect((await rejectionOf(CODEC.readAsync(source, options), "truncated")).offset).toBe(cut.length);
    // It was to be longer.
    expect((await rejectionOf(CODEC.readAsync(stream(), { size: 2_000_000 }), "truncated")).offset).toBeGreaterThanOrEqual(cut.length);
  });

  test("a claim that cannot be kept is the same error at once and in slices, also in front of many bools", async () => {
    // 300 elements of one byte at the least, and only 100 bytes behind the first.
    const bytes = Uint8Array.from([
      ...SAVE.subarray(0, 8),
      205,
      44,
      1,
      204,
      205,
      200,
      0,
      10,
      ...new Uint8Array(200),
      ...new Uint8Array(100).fill(99),
    ]);
    for (const engine of ENGINES) {
      const codec = createElephantSync({ engine });
      const error = failure(() => codec.read(bytes));
      expect(error).toMatchObject({ code: "truncated", offset: bytes.length });
      for (const source of [bytes, [bytes.slice(0, 50), bytes.slice(50)]])
        expect(await rejection(codec.readAsync(source, FINEST))).toEqual(error);
    }
  });

  test("progress is told while the source keeps one waiting", async () => {
    async function* download() {
      for (let at = 0; at < SAVE.length; at += 16_384) {
        await new Promise((resolve) => setTimeout(resolve, 3));
        yield SAVE.subarray(at, at + 16_384);
      }
    }
    const seen: number[] = [];
    await CODEC.readAsync(download(), { onProgress: ({ done }) => seen.push(done) });
    expect(seen.at(-1)).toBe(SAVE.length);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(new Set(seen).size).toBeGreaterThan(4);
  });

  test("progress never goes back, though the codec has read a longer save before", async () => {
    const codec = createElephantSync();
    codec.read(SAVE);
    const short = codec.write(entities(300));
    async function* chunks(bytes: number) {
      for (let at = 0; at < short.length; at += bytes) yield short.subarray(at, at + bytes);
    }
    for (const bytes of [50, 700, 3000]) {
      const seen: number[] = [];
      await codec.readAsync(chunks(bytes), { ...FINEST, onProgress: ({ done }) => seen.push(done) });
      expect(seen).toEqual(seen.toSorted((a, b) => a - b));
      expect(seen.filter((done) => done > 0)[0]).toBeGreaterThan(1000);
    }
  });

  test("a Blob of another realm", async () => {
    const { size } = new Blob([SAVE]);
    const blob = {
      size,
      slice: (from: number, to: number) => ({ arrayBuffer: async () => SAVE.slice(from, to).buffer }),
      arrayBuffer() {},
    };
    expectSameStrictly(await CODEC.readAsync(blob as unknown as Blob), WORLD);
  });

  test("a Node stream that has nothing more to say is given up at once", async () => {
    const stream = new Readable({ read() {} });
    stream.push(SAVE.subarray(0, 1000));
    const controller = new AbortController();
    const work = rejection(CODEC.readAsync(stream, { signal: controller.signal }));
    await turns();
    controller.abort("late");
    expect(await work).toBe("late");
    expect(stream.destroyed).toBe(true);
  });

  test("claims of a stream of unknown length take no memory before they are kept", async () => {
    // Arrays inside each other, each of which says that it has 65,000 elements: 800 MB of room for 6 KB.
    const nested = new Uint8Array(9 + 3 * 2000);
    nested.set(CODEC.write([[]]).subarray(0, 9));
    for (let at = 9; at < nested.length; at += 3) nested.set([0xe8, 0xfd, 205], at);
    const before = process.memoryUsage().heapUsed;
    async function* source() {
      yield nested;
      expect(process.memoryUsage().heapUsed - before).toBeLessThan(100e6);
    }
    const error = await rejectionOf(CODEC.readAsync(source(), FINEST), "truncated");
    expect(error.offset).toBe(nested.length);
  });
});

describe("sinks", () => {
  const pieces = (): { taken: Uint8Array[]; whole: () => Uint8Array } => {
    const taken: Uint8Array[] = [];
    return { taken, whole: () => Buffer.concat(taken) };
  };
  const expectSave = (bytes: Uint8Array) => expect(Buffer.compare(bytes, SAVE)).toBe(0);

  test("chunks: of limited size, each in memory of its own", async () => {
    const { taken, whole } = pieces();
    for await (const chunk of CODEC.writeChunks(WORLD, { chunkBytes: 10_000 })) taken.push(chunk);
    expectSave(whole());
    expect(new Set(taken.map((chunk) => chunk.buffer)).size).toBe(taken.length);
    expect(Math.max(...taken.map((chunk) => chunk.length))).toBe(10_000);
    expect(Math.min(...taken.map((chunk) => chunk.length))).toBeGreaterThan(0);
    await rejectionOf(CODEC.writeChunks(WORLD, { chunkBytes: 0 }).next(), "bad-option");
    // Options are looked at when the first chunk is asked for.
    const options = { chunkBytes: -1 };
    const chunks = CODEC.writeChunks(WORLD, options);
    options.chunkBytes = 10_000;
    expect((await chunks.next()).value).toHaveLength(10_000);
    await chunks.return();
  });

  test("nobody else has chunks of that size", async () => {
    const pauses = async (options: WriteAsyncOptions) => {
      let count = 0;
      const pause = async () => void count++;
      expectSave(await CODEC.writeAsync(WORLD, { ...options, sliceMs: 0, pause }));
      return count;
    };
    expect(await pauses({ chunkBytes: 1000 })).toBe(await pauses({}));
    expectSave(await CODEC.writeAsync(WORLD, { chunkBytes: 1000 }));
  });

  test("a function, which is waited for", async () => {
    const { taken, whole } = pieces();
    let busy = false;
    const length = await CODEC.writeTo(
      async (chunk) => {
        expect(busy).toBe(false);
        busy = true;
        await turns();
        taken.push(chunk);
        busy = false;
      },
      WORLD,
      { chunkBytes: 50_000 },
    );
    expect(length).toBe(SAVE.length);
    expectSave(whole());
  });

  test("WritableStream", async () => {
    const { taken, whole } = pieces();
    let closed = false;
    const stream = new WritableStream<Uint8Array>({
      async write(chunk) {
        await turns(1);
        taken.push(chunk);
      },
      close: () => {
        closed = true;
      },
    });
    await CODEC.writeTo(stream, WORLD, { chunkBytes: 50_000 });
    expect(closed).toBe(true);
    expectSave(whole());
  });

  test("WritableStream that never asks for more, chunk by chunk", async () => {
    const { taken, whole } = pieces();
    let given = 0;
    const stream = new WritableStream<Uint8Array>(
      {
        async write(chunk) {
          given++;
          await turns();
          taken.push(chunk);
          expect(given).toBe(taken.length);
        },
      },
      { highWaterMark: 0 },
    );
    let made = 0;
    const onProgress = ({ done }: { done: number }) => {
      made = Math.max(made, done - taken.length * 50_000);
    };
    await CODEC.writeTo(stream, WORLD, { chunkBytes: 50_000, onProgress });
    expectSave(whole());
    expect(made).toBeLessThan(150_000);
    expect(SAVE.length).toBeGreaterThan(300_000);
  });

  test("Node stream, at its pace", async () => {
    const { taken, whole } = pieces();
    const stream = new Writable({
      highWaterMark: 1000,
      write(chunk: Buffer, _, done) {
        expect(this.writableLength).toBeLessThanOrEqual(50_000);
        setImmediate(() => {
          taken.push(chunk);
          done();
        });
      },
    });
    await CODEC.writeTo(stream, WORLD, { chunkBytes: 50_000 });
    expect(stream.writableFinished).toBe(true);
    expectSave(whole());
    expect(stream.listenerCount("drain")).toBe(0);
  });

  test("a Node stream that is over already", async () => {
    const wrong = new Error("gone");
    const ended = new Writable({ write: (_chunk, _encoding, done) => done() }).end();
    const destroyed = new Writable().destroy();
    const failed = new Writable().on("error", () => {}).destroy(wrong);
    await turns();
    await rejectionOf(CODEC.writeTo(ended, 1), "bad-option");
    await rejectionOf(CODEC.writeTo(destroyed, 1), "bad-option");
    expect(await rejection(CODEC.writeTo(failed, 1))).toBe(wrong);
  });

  test.each([WORLD, 1])(
    "a Node stream that is destroyed halfway and tells nobody (%#)",
    async (value) => {
      for (const later of [(end: () => void) => end(), setImmediate]) {
        const stream = new Writable({
          emitClose: false,
          highWaterMark: 1,
          write(_chunk, _encoding, done) {
            later(() => {
              stream.destroy();
              done();
            });
          },
        });
        await rejectionOf(CODEC.writeTo(stream, value, { chunkBytes: 1000 }), "bad-option");
      }
    },
    5000,
  );

  test("a Node stream that ends itself with the last byte that it was told to expect", async () => {
    const { length } = CODEC.write(WORLD);
    const taken: Uint8Array[] = [];
    const stream = new Writable({
      write(chunk: Uint8Array, _encoding, done) {
        taken.push(chunk);
        done();
        if (Buffer.concat(taken).length === length) stream.end();
      },
      final: (done) => setImmediate(done),
    });
    expect(await CODEC.writeTo(stream, WORLD, { chunkBytes: 1000 })).toBe(length);
    expect(Buffer.concat(taken)).toEqual(Buffer.from(CODEC.write(WORLD)));
    expect([stream.writableFinished, stream.errored]).toEqual([true, null]);
  });

  test("a Node stream that fails at its end", async () => {
    const wrong = new Error("not flushed");
    const stream = new Writable({ write: (_chunk, _encoding, done) => done(), final: (done) => done(wrong) });
    expect(await rejection(CODEC.writeTo(stream, WORLD, { chunkBytes: 1000 }))).toBe(wrong);
    expect(stream.destroyed).toBe(true);
  });

  test("a sink that cannot be closed is given up at the signal", async () => {
    const web = new WritableStream({ write: () => new Promise(() => {}) });
    const node = new Writable({ write() {} }).on("error", () => {});
    const reason = new Error("enough");
    for (const sink of [web, node]) {
      const controller = new AbortController();
      const work = rejection(CODEC.writeTo(sink, 1, { signal: controller.signal }));
      await turns();
      controller.abort(reason);
      expect(await work).toBe(reason);
    }
    expect(node.destroyed).toBe(true);
  });

  test("what the sink throws ends the write", async () => {
    const wrong = new Error("disk full");
    const write = (sink: Parameters<typeof CODEC.writeTo>[0]) => rejection(CODEC.writeTo(sink, WORLD, { chunkBytes: 1000 }));
    expect(
      await write(() => {
        throw wrong;
      }),
    ).toBe(wrong);
    expect(await write(new WritableStream({ write: () => Promise.reject(wrong) }))).toBe(wrong);
    expect(await write(new Writable({ write: (_chunk, _encoding, done) => done(wrong) }))).toBe(wrong);
    expect(await rejection(CODEC.writeTo({} as never, 1))).toBeInstanceOf(TuskError);
    expectSave(CODEC.write(WORLD));
  });

  test.each([1, 3])(
    "what a WritableStream throws at the last of %i chunks, or when it is closed, is the error of the write",
    async (count) => {
      const wrong = new Error("disk full");
      const value = "x".repeat(count * 100);
      const chunkBytes = 120;
      const failing = (last: () => void): UnderlyingSink<Uint8Array> => {
        let chunks = 0;
        return { write: () => (++chunks === count ? last() : undefined) };
      };
      const fail = () => {
        throw wrong;
      };
      const transform = () => {
        const { write } = failing(fail);
        const { readable, writable } = new TransformStream<Uint8Array>({ transform: (chunk) => write!(chunk, undefined as never) });
        // Somebody takes what comes out.
        readable.pipeTo(new WritableStream()).catch(() => {});
        return writable;
      };
      for (const stream of [
        new WritableStream(failing(fail)),
        new WritableStream(failing(() => Promise.reject(wrong))),
        new WritableStream(failing(() => turns(1).then(fail))),
        new WritableStream(failing(fail), { highWaterMark: 10 }),
        new WritableStream({ close: fail }),
        transform(),
      ])
        expect(await rejection(CODEC.writeTo(stream, value, { chunkBytes }))).toBe(wrong);
    },
  );

  test("what cannot be written aborts the stream: nobody takes its bytes for a save", async () => {
    let aborted: unknown;
    const stream = new WritableStream({ abort: (reason) => void (aborted = reason) });
    const world = { ...WORLD, wrong: new Map() };
    const error = await rejectionOf(CODEC.writeTo(stream, world), "datatype-not-recognised");
    expect(error.path).toBe(".wrong");
    expect(aborted).toBe(error);
    const node = new Writable({ write: (_chunk, _encoding, done) => done() });
    node.on("error", () => {});
    await rejectionOf(CODEC.writeTo(node, world), "datatype-not-recognised");
    expect(node.destroyed).toBe(true);
  });

  test("chunks that nobody takes any more", async () => {
    for await (const _ of CODEC.writeChunks(WORLD, { chunkBytes: 1000 })) break;
    expectSave(await CODEC.writeAsync(WORLD));
  });
});

describe.each(ENGINES)("between two slices, engine %s", (engine) => {
  test("the codec can be used, by any number of calls", async () => {
    const codec = createElephantSync({ engine });
    let running = true;
    const others = (async () => {
      let count = 0;
      for (; running; count++) {
        const value = { count, text: "x".repeat(count % 50) };
        expect(codec.read(codec.write(value))).toEqual(value);
        await turns(1);
      }
      return count;
    })();
    const reads = Array.from({ length: 7 }, (_, i) => codec.readAsync([SAVE.subarray(0, 1000 * i), SAVE.subarray(1000 * i)], FINEST));
    const writes = Array.from({ length: 7 }, (_, i) => codec.writeAsync({ ...WORLD, i }, FINEST));
    for (const value of await Promise.all(reads)) expectSameStrictly(value, WORLD);
    for (const [i, bytes] of (await Promise.all(writes)).entries()) expect(Buffer.compare(bytes, codec.write({ ...WORLD, i }))).toBe(0);
    running = false;
    expect(await others).toBeGreaterThan(5);
  });

  test("callbacks use the codec, and are told of their own operation", async () => {
    const log: unknown[] = [];
    class Thing {
      id = 0;
      inner: unknown;
      [PRE_READ]() {
        log.push(["preRead", codec.isDeserializing, codec.read(codec.write("inside"))]);
      }
      [POST_READ]() {
        log.push(["postRead", this.id, codec.isDeserializing]);
      }
      [PRE_WRITE]() {
        log.push(["preWrite", this.id, codec.isDeserializing]);
      }
    }
    const codec = createElephantSync({ engine, constructors: { Thing } });
    const things = Array.from({ length: 40 }, (_, id) => Object.assign(new Thing(), { id, inner: { id } }));
    const states: unknown[] = [];
    const pause = async () => void states.push(codec.isDeserializing);
    const bytes = await codec.writeAsync(things, { ...FINEST, pause });
    const written = log.splice(0);
    const value = await codec.readAsync<Thing[]>(bytes, { ...FINEST, pause });
    expect(value).toEqual(things);
    const read = log.splice(0);
    codec.read(codec.write(things));
    expect([...written, ...read]).toEqual(log);
    expect(states.length).toBeGreaterThan(3);
    expect(new Set(states)).toEqual(new Set([undefined]));
  });

  test("an abort ends the work there", async () => {
    const codec = createElephantSync({ engine });
    const reason = new Error("enough");
    for (const work of [
      (signal: AbortSignal, pause: () => Promise<void>) => codec.readAsync(SAVE, { ...FINEST, signal, pause }),
      (signal: AbortSignal, pause: () => Promise<void>) => codec.readAsync(new Blob([SAVE]).stream(), { ...FINEST, signal, pause }),
      (signal: AbortSignal, pause: () => Promise<void>) => codec.writeAsync(WORLD, { ...FINEST, signal, pause }),
      (signal: AbortSignal, pause: () => Promise<void>) => codec.writeTo(new WritableStream(), WORLD, { ...FINEST, signal, pause }),
    ]) {
      const controller = new AbortController();
      let pauses = 0;
      const pause = async () => {
        if (++pauses === 4) controller.abort(reason);
      };
      expect(await rejection(work(controller.signal, pause))).toBe(reason);
      expect(pauses).toBe(4);
      expect(await rejection(work(AbortSignal.abort(reason), pause))).toBe(reason);
      expect(pauses).toBe(4);
    }
    expectSameStrictly(codec.read(codec.write(WORLD)), WORLD);
  });

  test("an abort does not wait for bytes that do not come", async () => {
    const codec = createElephantSync({ engine });
    const controller = new AbortController();
    let cancelled: unknown;
    const stream = new ReadableStream<Uint8Array>({
      start: (source) => source.enqueue(SAVE.slice(0, 1000)),
      cancel: (reason) => void (cancelled = reason),
    });
    const work = rejection(codec.readAsync(stream, { signal: controller.signal }));
    await turns();
    controller.abort("late");
    expect(await work).toBe("late");
    expect(cancelled).toBe("late");
  });

  test("what fails while one aborts is no unhandled rejection", async () => {
    const codec = createElephantSync({ engine });
    const unhandled: unknown[] = [];
    const listener = (error: unknown) => void unhandled.push(error);
    process.on("unhandledRejection", listener);
    try {
      const reason = new Error("enough");
      for (const work of [
        (controller: AbortController, fail: () => never) => codec.writeTo(fail, 1, { signal: controller.signal }),
        (controller: AbortController, fail: () => never) =>
          codec.readAsync(
            (async function* () {
              yield SAVE.subarray(0, 9);
              fail();
            })(),
            { signal: controller.signal },
          ),
        (controller: AbortController, fail: () => never) =>
          codec.readAsync(SAVE, { ...FINEST, signal: controller.signal, pause: async () => fail() }),
      ]) {
        const controller = new AbortController();
        const fail = () => {
          controller.abort(reason);
          throw new Error("and this");
        };
        expect(await rejection(work(controller, fail))).toBe(reason);
        await turns();
      }
      expect(unhandled).toEqual([]);
    } finally {
      process.off("unhandledRejection", listener);
    }
  });

  test("what `onProgress` and `pause` throw ends the work", async () => {
    const codec = createElephantSync({ engine });
    const wrong = new Error("mine");
    const fail = () => {
      throw wrong;
    };
    for (const options of [{ onProgress: fail }, { pause: fail }]) {
      expect(await rejection(codec.readAsync(SAVE, { ...FINEST, ...options }))).toBe(wrong);
      expect(await rejection(codec.writeAsync(WORLD, { ...FINEST, ...options }))).toBe(wrong);
    }
    expectSameStrictly(codec.read(codec.write(WORLD)), WORLD);
  });
});

describe("a graph that changes while it is written", () => {
  /** Writes `value` in the finest slices; `change` runs in the pauses, told which one it is. */
  const write = (value: unknown, change: (pause: number) => void) => {
    let pauses = 0;
    return CODEC.writeAsync(value, { sliceMs: 0, pause: async () => change(pauses++) });
  };

  test("what has not been written yet is stored as it is then", async () => {
    const world = { early: "old", filler: entities(5000), late: "old", gone: 1 as number | undefined };
    const bytes = await write(world, () => {
      world.early = "new";
      world.late = "new";
      delete world.gone;
      (world as Record<string, unknown>).added = 1;
    });
    const { filler, ...rest } = CODEC.read<typeof world>(bytes);
    // The members are those that the struct had when its turn came.
    expect(rest).toEqual({ early: "old", late: "new", gone: undefined });
    expect(Object.keys(rest)).toEqual(["early", "late", "gone"]);
    expectSameStrictly(filler, world.filler);
  });

  test("an array keeps the length it had; what is missing is undefined", async () => {
    const list: unknown[] = [...entities(5000), 1, "two", true];
    const bytes = await write(list, (pause) => {
      if (pause === 0) {
        list.push("late");
        list.length = 5001;
        list.push(...entities(10));
      }
    });
    const value = CODEC.read<unknown[]>(bytes);
    expect(value.length).toBe(5003);
    expect(value[5000]).toBe(1);
  });

  test("an element that does not fit the array's datatype any more is an error, and the codec can go on", async () => {
    const structs: unknown[] = entities(5000);
    expect(
      (
        await rejectionOf(
          write(structs, () => void (structs[4999] = "text")),
          "not-a-struct",
        )
      ).path,
    ).toBe("[4999]");
    const shrinking: unknown[] = entities(5000);
    await rejectionOf(
      write(shrinking, () => void (shrinking.length = 4000)),
      "not-a-struct",
    );
    const texts: unknown[] = Array.from({ length: 30_000 }, (_, i) => `text ${i}`.repeat(5));
    await rejectionOf(
      write(texts, () => void (texts[29_999] = 5)),
      "datatype-not-recognised",
    );
    expectSameStrictly(CODEC.read(await CODEC.writeAsync(WORLD)), WORLD);
  });

  test("the datatype of a long array is found in slices; what changes meanwhile counts as it is then", async () => {
    const list: unknown[] = Array.from({ length: 60_000 }, () => undefined);
    const pauses: number[] = [];
    const bytes = await write({ list }, (pause) => {
      pauses.push(pause);
      if (pause === 0) list[59_999] = "late";
    });
    // Nothing but the array takes any time.
    expect(pauses.length).toBeGreaterThan(5);
    expect(CODEC.read<{ list: unknown[] }>(bytes).list.at(-1)).toBe("late");
    const structs: unknown[] = Array.from({ length: 30_000 }, (_, i) => ({ i }));
    const written = await write(structs, (pause) => void (pause === 1 && (structs[29_999] = [1])));
    expect(Buffer.compare(written, CODEC.write(structs))).toBe(0);
    const looked: unknown[] = Array.from({ length: 30_000 }, (_, i) => ({ i }));
    const refused = write(looked, (pause) => void (pause === 1 && (looked[0] = 5)));
    expect((await rejectionOf(refused, "not-a-struct")).path).toBe("[0]");
    // What is added is not stored, so there is nothing to tell about it, and nothing to look at.
    const warnings: unknown[] = [];
    const warned = createElephantSync({ onWarning: (warning) => warnings.push(warning) });
    const growing: unknown[] = Array.from({ length: 30_000 }, () => undefined);
    const grow = async () => void growing.push(() => {});
    expect(warned.read<unknown[]>(await warned.writeAsync(growing, { ...FINEST, pause: grow })).length).toBe(30_000);
    expect(growing.length).toBeGreaterThan(30_000);
    expect(warnings).toEqual([]);
  });

  const LENGTHS = [8190, 8191, 8192, 8193, 16_384, 16_385];
  test.each(LENGTHS)("arrays of %d elements are stored in slices as at once", async (length) => {
    const shared = { shared: true };
    const kinds: unknown[] = ["text", true, 5n, undefined, shared, [1], new Uint8Array(3), Scalar("u8", 3), () => {}];
    for (const [i, kind] of kinds.entries())
      for (const [k, last] of [kind, "other", 1, null].entries()) {
        // Every second of them, and the others of the next length.
        if (!LONG_RUN && (i + k + LENGTHS.indexOf(length)) % 2) continue;
        const list = Array.from({ length }, () => kind);
        list[length - 1] = last;
        const value = { list, again: list, before: [[[list]]] };
        expect(Buffer.compare(await CODEC.writeAsync(value, { ...FINEST, pause: async () => {} }), CODEC.write(value))).toBe(0);
      }
  });

  test("a slice that ends at an empty container as deep as calls are nested", async () => {
    for (const empty of [[], new Uint8Array(0), {}])
      for (const named of [false, true]) {
        let value: unknown = named ? { a: empty, b: [[1]], c: 2 } : [empty, [[1]], 2];
        for (let i = 0; i < 62; i++) value = named ? { a: value, b: { y: [i] }, c: i } : [value, [[i]], i];
        // The window of a slice ends at each of these places once.
        for (let i = 0; i < 12; i++) {
          const root = ["x".repeat((named ? 3762 : 3822) + i), value, 1];
          expect(Buffer.compare(await CODEC.writeAsync(root, { sliceMs: 0, pause: async () => {} }), CODEC.write(root))).toBe(0);
        }
      }
  });

  test("so may the exclude list, and the callbacks of a class: later instances are written by what there is then", async () => {
    class Entity {
      a = 1;
      b = 2;
      static [SCHEMA] = { [VERBOSE_EXCLUDE]: [] as string[] };
    }
    for (const change of [
      () => void (Entity[SCHEMA] = { [VERBOSE_EXCLUDE]: ["b"] }),
      () => Object.assign(Entity.prototype, { [PRE_WRITE]: () => undefined }) && void (Entity[SCHEMA] = { [VERBOSE_EXCLUDE]: ["a"] }),
    ]) {
      const codec = createElephantSync({ constructors: { Entity }, unknownConstructor: "generic" });
      const list = Array.from({ length: 4000 }, () => new Entity());
      codec.write(list);
      let pauses = 0;
      const bytes = await codec.writeAsync(list, { sliceMs: 0, pause: async () => void (pauses++ === 2 && change()) });
      const kept = createElephantSync({ unknownConstructor: "generic" })
        .read<object[]>(bytes)
        .map((stored) => Object.keys(stored).join());
      const left = Entity[SCHEMA][VERBOSE_EXCLUDE][0] === "b" ? "a" : "b";
      const first = kept.indexOf(left);
      expect(first).toBeGreaterThan(0);
      expect(first).toBeLessThan(2000);
      expect(new Set(kept.slice(first))).toEqual(new Set([left]));
      delete (Entity.prototype as { [PRE_WRITE]?: unknown })[PRE_WRITE];
      Entity[SCHEMA] = { [VERBOSE_EXCLUDE]: [] };
    }
  });

  test("sharing is by identity, whatever the contents have become", async () => {
    const shared = { name: "shared", n: 0 };
    const world = { first: shared, filler: entities(5000), second: shared };
    const value = CODEC.read<typeof world>(await write(world, (pause) => void (shared.n = pause + 1)));
    expect(value.first).toBe(value.second);
    expect(value.first.n).toBe(0);
  });

  test("a cycle of structs that change all the time has an end", async () => {
    const ring = entities(200).map((entity) => ({ entity, next: undefined as unknown }));
    ring.forEach((node, i) => {
      node.next = ring[(i + 1) % ring.length];
    });
    const bytes = await write({ filler: entities(5000), ring: ring[0] }, (pause) => {
      for (const node of ring) node.entity.id = pause;
    });
    const { ring: start } = CODEC.read<{ ring: (typeof ring)[0] }>(bytes);
    let node = start;
    for (let i = 0; i < ring.length; i++) node = node.next as typeof node;
    expect(node).toBe(start);
  });

  test("the memory of a typed array is given away", async () => {
    const big = Float64Array.from({ length: 60_000 }, (_, i) => i);
    const written = write({ filler: entities(5000), big }, () => {
      if (big.length > 0) structuredClone(big.buffer, { transfer: [big.buffer] });
    });
    expect((await rejectionOf(written, "datatype-not-recognised")).path).toBe(".big");
  });

  test("bytes that change while they are read: some value or an error", async () => {
    const bytes = SAVE.slice();
    let pauses = 0;
    const read = CODEC.readAsync(bytes, { sliceMs: 0, pause: async () => void (++pauses === 3 && bytes.fill(255)) });
    expect(await rejection(read)).toBeInstanceOf(TuskError);
    const moved = SAVE.slice();
    const emptied = CODEC.readAsync(moved, {
      sliceMs: 0,
      pause: async () => {
        if (moved.length > 0) structuredClone(moved.buffer, { transfer: [moved.buffer] });
      },
    });
    expect(await rejection(emptied)).toBeInstanceOf(TuskError);
    expectSameStrictly(CODEC.read(SAVE), WORLD);
  });
});

describe("the work between two pauses is bounded", () => {
  /** Writing: a few tapes, or one typed array. */
  const MOST_WRITTEN = 600_000;
  /** Reading: what a fast machine reads in 0.2 ms, and a window. */
  const MOST_READ = 4_000_000;
  const text = "Long live the elephant. ".repeat(1_000_000);
  const cases: [string, () => unknown, WriteAsyncOptions?][] = [
    ["many structs", () => entities(60_000)],
    ["one text of 24 MB", () => text],
    ["texts of 24 KB", () => Array.from({ length: 1000 }, () => text.slice(0, 24_000))],
    ["a wide struct", () => Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`member ${i}`, `value ${i}`.repeat(4)]))],
    ["typed arrays", () => Array.from({ length: 40 }, () => new Float64Array(60_000))],
    ["numbers", () => Array.from({ length: 40 }, () => Array.from({ length: 60_000 }, (_, i) => i / 7))],
    [
      "deep nesting",
      () => {
        let value: unknown = 1;
        for (let i = 0; i < 200_000; i++) value = { value };
        return value;
      },
    ],
  ];
  test.each(cases)("%s", async (_, make) => {
    const value = make();
    /** The largest step of `done`. */
    const steps = async (work: (onProgress: (progress: Progress) => void) => Promise<unknown>) => {
      let [last, most] = [0, 0];
      await work(({ done }) => {
        expect(done).toBeGreaterThanOrEqual(last);
        most = Math.max(most, done - last);
        last = done;
      });
      return most;
    };
    // What is counted is bytes: other work on the machine can only make it less.
    const slices = { sliceMs: 0, pause: async () => {} };
    let bytes!: Uint8Array;
    const written = await steps(async (onProgress) => {
      bytes = await CODEC.writeAsync(value, { ...slices, onProgress });
    });
    expect(bytes.length).toBeGreaterThan(1_000_000);
    expect(written).toBeLessThan(MOST_WRITTEN);
    expect(await steps((onProgress) => CODEC.readAsync(bytes, { ...slices, sliceMs: 0.2, onProgress, typedArrays: true }))).toBeLessThan(
      MOST_READ,
    );
  });

  test("post-read callbacks", async () => {
    let [calls, most] = [0, 0];
    class Thing {
      [POST_READ]() {
        most = Math.max(most, ++calls);
      }
    }
    const codec = createElephantSync({ constructors: { Thing } });
    const bytes = codec.write(Array.from({ length: 1000 }, () => new Thing()));
    let total = 0;
    const pause = async () => {
      total += calls;
      calls = 0;
    };
    await codec.readAsync(bytes, { sliceMs: 0, pause });
    expect(total + calls).toBe(1000);
    expect(most).toBeLessThanOrEqual(16);
  });
});

test("others do run: the event loop turns in every default pause", async () => {
  let ticks = 0;
  const timer = setInterval(() => ticks++, 0);
  let pauses = 0;
  await CODEC.readAsync(SAVE, { sliceMs: 0, onProgress: () => pauses++ });
  clearInterval(timer);
  expect(pauses).toBeGreaterThan(20);
  expect(ticks).toBeGreaterThan(0);
});

describe("ends of the work", () => {
  test("progress of a small save counts from its offset", async () => {
    const save = CODEC.write({ a: 1 });
    const progress: unknown[] = [];
    const input = Buffer.concat([new Uint8Array(7), save]);
    await CODEC.readAtAsync(input, 7, { onProgress: (now) => progress.push(now) });
    expect(progress).toEqual([{ done: save.length, total: save.length }]);
  });

  test("the footer is missing at the end of a stream", async () => {
    const save = CODEC.write(entities(400));
    const cut = save.subarray(0, save.length - 2);
    await expect(CODEC.readAsync(inPieces(cut, 1000))).rejects.toMatchObject({ code: "truncated", offset: cut.length });
  });

  test("progress of a write counts the pieces of long texts", async () => {
    const value = ["x".repeat(1_000_000)];
    const done: number[] = [];
    const length = (await CODEC.writeAsync(value, { sliceMs: 0, onProgress: (now) => done.push(now.done) })).length;
    expect(done.at(-1)).toBe(length);
  });

  test("a write reports its end though it took no slice", async () => {
    const done: number[] = [];
    const { length } = await CODEC.writeAsync({ a: 1 }, { sliceMs: 1000, onProgress: (now) => done.push(now.done) });
    expect(done.at(-1)).toBe(length);
  });

  test("a Node stream that was ended but is not yet finished", async () => {
    const stream = new Writable({ highWaterMark: 1, write: () => {} });
    stream.on("error", () => {});
    stream.write("x");
    stream.end();
    expect([stream.destroyed, stream.writableFinished]).toEqual([false, false]);
    await expect(CODEC.writeTo(stream, { a: 1 })).rejects.toMatchObject({ code: "bad-option" });
  });

  test("a Node stream is given up without an error where the signal's reason is none", async () => {
    const controller = new AbortController();
    const stream = new Writable({ write: () => {} });
    const errors: unknown[] = [];
    stream.on("error", (error) => errors.push(error));
    const work = rejection(CODEC.writeTo(stream, entities(400), { signal: controller.signal }));
    await new Promise(setImmediate);
    controller.abort("no");
    expect(await work).toBe("no");
    await new Promise(setImmediate);
    expect([stream.destroyed, errors]).toEqual([true, []]);
  });

  test("a signal may lack its newer methods", async () => {
    const { throwIfAborted } = AbortSignal.prototype;
    try {
      delete (AbortSignal.prototype as Partial<AbortSignal>).throwIfAborted;
      const { signal } = new AbortController();
      expect(await CODEC.readAsync(await CODEC.writeAsync([1], { signal }), { signal })).toEqual([1]);
      expect(await rejection(CODEC.writeAsync([1], { signal: AbortSignal.abort("why") }))).toBe("why");
    } finally {
      AbortSignal.prototype.throwIfAborted = throwIfAborted;
    }
    expect(await rejection(CODEC.readAsync(SAVE, { signal: new AbortController() as never }))).toMatchObject({ code: "bad-option" });
  });

  test("nothing listens to the signal when the work is done", async () => {
    const { signal } = new AbortController();
    const save = await CODEC.writeAsync(entities(400), { sliceMs: 0, signal });
    await CODEC.readAsync(inPieces(save, 1000), { sliceMs: 0, signal });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("many works at once have one listener at their signal, and end with it", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => void warnings.push(warning);
    process.on("warning", onWarning);
    try {
      let most = 0;
      const pause = async () => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        most = Math.max(most, getEventListeners(signal, "abort").length);
      };
      const value = entities(400);
      const save = CODEC.write(value);
      const never = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) };
      const stay = Array.from({ length: 15 }, () => rejection(CODEC.readAsync(never, { signal })));
      const done = Array.from({ length: 15 }, () => CODEC.readAsync(save, { sliceMs: 0, signal, pause }));
      for (const read of await Promise.all(done)) expect(read).toEqual(value);
      expect(most).toBe(1);
      controller.abort("enough");
      expect(await Promise.all(stay)).toEqual(stay.map(() => "enough"));
      expect(getEventListeners(signal, "abort")).toEqual([]);
      await new Promise((resolve) => setTimeout(resolve, 1));
      expect(warnings).toEqual([]);
    } finally {
      process.off("warning", onWarning);
    }
  });

  test("signals made by hand: they call a listener by itself, and may do so once for each time that it was added", async () => {
    const listeners: (() => void)[] = [];
    const signal = {
      aborted: false,
      reason: "enough",
      addEventListener: (_: string, listener: () => void) => void listeners.push(listener),
      removeEventListener: (_: string, listener: () => void) => void listeners.splice(listeners.indexOf(listener), 1),
    };
    const never = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) };
    const stay = Array.from({ length: 5 }, () => rejection(CODEC.readAsync(never, { signal: signal as never })));
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(listeners).toHaveLength(1);
    signal.aborted = true;
    for (const listener of listeners.slice()) listener();
    expect(await Promise.all(stay)).toEqual(stay.map(() => "enough"));
    expect(listeners).toEqual([]);
  });

  test("nothing listens to the signal when the source stays open behind the save", async () => {
    const { signal } = new AbortController();
    const save = CODEC.write(entities(400));
    const never = new Promise<never>(() => {});
    const cut = save.length >> 1;
    async function* generator() {
      yield save.slice(0, cut);
      yield save.slice(cut);
      await never;
    }
    const iterator = () => {
      const results = [save.slice(0, cut), save.slice(cut)].map((value) => ({ done: false, value }));
      return { [Symbol.asyncIterator]: () => ({ next: async () => results.shift() ?? never }) };
    };
    for (const source of [generator(), iterator()]) {
      expectSameStrictly(await CODEC.readAsync(source, { signal }), entities(400));
      expect(getEventListeners(signal, "abort")).toEqual([]);
    }
  });

  test("the signal ends the wait for a source that has been quiet for long", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const save = CODEC.write(entities(400));
    async function* generator() {
      yield save.slice(0, 1000);
      await new Promise(() => {});
    }
    const work = rejection(CODEC.readAsync(generator(), { signal }));
    await new Promise((resolve) => setTimeout(resolve, 150));
    controller.abort("enough");
    expect(await work).toBe("enough");
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});
