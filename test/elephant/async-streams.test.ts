// Reading and writing in slices: where bytes come from and go to. What may happen between two slices is in async.test.ts.
import { Duplex, Readable, Writable } from "node:stream";
import { describe, expect, test, vi } from "vitest";
import type { ByteSource, Progress, WriteAsyncOptions } from "../../src/elephant/index.ts";
import { expectSameStrictly } from "../same.ts";
import { CODEC, entities, FINEST, rejection, rejectionOf, SAVE, turns, WORLD } from "./async-world.ts";
import { createElephantSync, ENGINES, PRE_WRITE, TuskError } from "./codec.ts";
import { failure } from "./expect-error.ts";
import { inPieces } from "./in-pieces.ts";

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

  test("progress is told while a long text arrives", async () => {
    const save = CODEC.write(["x".repeat(3_000_000)]);
    // Nothing takes time but the download.
    let ms = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => ms);
    async function* download() {
      for (let at = 0; at < save.length; at += 300_000) {
        ms += 100;
        yield save.subarray(at, at + 300_000);
      }
    }
    const seen: number[] = [];
    try {
      await CODEC.readAsync(download(), { onProgress: ({ done }) => seen.push(done) });
    } finally {
      clock.mockRestore();
    }
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(new Set(seen).size).toBeGreaterThan(6);
  });

  test("progress has no total below 0 where the save's place is behind the size", async () => {
    const totals: unknown[] = [];
    const options = { ...FINEST, offset: 100, size: 50, onProgress: ({ total }: Progress) => totals.push(total) };
    await rejectionOf(CODEC.readAsync(inPieces(SAVE, 10), options), "truncated");
    expect(new Set(totals)).toEqual(new Set([0]));
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

  test("a Node stream that has failed, and is not destroyed by that", async () => {
    const wrong = new Error("full");
    const stream = new Writable({ autoDestroy: false, write: (_chunk, _encoding, done) => done(wrong) }).on("error", () => {});
    stream.write("x");
    await turns();
    expect([stream.destroyed, stream.errored]).toEqual([false, wrong]);
    expect(await rejection(CODEC.writeTo(stream, 1))).toBe(wrong);
  }, 5000);

  test.each([WORLD, 1])("what tells of an error only the one who wrote, as a response of HTTP/2 does (%#)", async (value) => {
    const wrong = new Error("the client has gone");
    const response = Object.assign(new Writable(), {
      write: (_chunk: Uint8Array, done: (error: Error) => void) => {
        setImmediate(done, wrong);
        return false;
      },
      end: (done: () => void) => setImmediate(done),
    });
    expect(await rejection(CODEC.writeTo(response, value))).toBe(wrong);
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

  test("a Node stream that ends itself, and has closed before it is told to end", async () => {
    const { length } = CODEC.write(WORLD);
    let taken = 0;
    const stream = new Writable({
      highWaterMark: 1,
      write(chunk: Uint8Array, _encoding, done) {
        taken += chunk.length;
        done();
        if (taken === length) stream.end();
      },
    });
    expect(await CODEC.writeTo(stream, WORLD, { chunkBytes: 1000, sliceMs: 0 })).toBe(length);
    expect([taken, stream.writableFinished, stream.closed]).toEqual([length, true, true]);
  });

  test("a Node stream that has ended itself before the last byte, and takes long to be destroyed", async () => {
    const { length } = CODEC.write(WORLD);
    for (const autoDestroy of [true, false]) {
      let taken = 0;
      const stream = new Duplex({
        autoDestroy,
        highWaterMark: 1,
        read() {},
        write(chunk: Uint8Array, _encoding, done) {
          taken += chunk.length;
          done();
          if (taken + 1000 > length) stream.end();
        },
        destroy: (error, done) => void setTimeout(done, 5, error),
      });
      const written = CODEC.writeTo(stream, WORLD, { chunkBytes: 1000, sliceMs: 0 });
      expect(await rejection(written)).toMatchObject({ code: "ERR_STREAM_WRITE_AFTER_END" });
    }
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

  test("a write that is aborted by the report of its end rejects, and its sink is not closed", async () => {
    const reason = new Error("enough");
    for (const value of ["one chunk", WORLD]) {
      // The only report is that of the end.
      const options = (): WriteAsyncOptions => {
        const controller = new AbortController();
        return { signal: controller.signal, onProgress: () => controller.abort(reason), sliceMs: 10_000, chunkBytes: 100_000 };
      };
      const log: unknown[] = [];
      const web = new WritableStream({ close: () => void log.push("closed"), abort: (why) => void log.push(why) });
      const node = new Writable({ write: (_chunk, _encoding, done) => done(), final: () => void log.push("closed") });
      node.on("error", (why) => log.push(why));
      for (const sink of [web, node]) expect(await rejection(CODEC.writeTo(sink, value, options()))).toBe(reason);
      await turns();
      expect(log).toEqual([reason, reason]);
      expect(await rejection(CODEC.writeTo(() => {}, value, options()))).toBe(reason);
      expect(await rejection(CODEC.writeAsync(value, options()))).toBe(reason);
    }
  });

  test("a sink gets nothing behind an abort", async () => {
    const controller = new AbortController();
    class Last {
      [PRE_WRITE]() {
        controller.abort("enough");
      }
    }
    let taken = 0;
    const sink = () => void taken++;
    const codec = createElephantSync({ constructors: { Last } });
    expect(await rejection(codec.writeTo(sink, [new Last()], { signal: controller.signal, sliceMs: 10_000 }))).toBe("enough");
    expect(taken).toBe(0);
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
