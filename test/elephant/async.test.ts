// Reading and writing in slices: what may happen between two slices. Where bytes come from and go to is in async-streams.test.ts, the values are those of
// async-vectors.test.ts.
import { getEventListeners } from "node:events";
import { Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import type { Progress, WriteAsyncOptions } from "../../src/elephant/index.ts";
import { expectSameStrictly } from "../same.ts";
import { CODEC, entities, FINEST, rejection, rejectionOf, SAVE, turns, WORLD } from "./async-world.ts";
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
import { inPieces } from "./in-pieces.ts";

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
    const world = { early: "old", filler: entities(5000), late: "old", gone: 1 } as {
      early: string;
      filler: unknown;
      late: string;
      gone?: number;
    };
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
