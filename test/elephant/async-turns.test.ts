// What calls in slices leave to others: the clock within a few bytes, machines among many calls, and sources that are done with.

import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { createElephantSync, type Elephant } from "./codec.ts";

const elephant = createElephantSync();
const world = (seed: number) => Array.from({ length: 400 }, (_, i) => ({ id: i, seed, name: `n${i * seed}` }));
const settled = async <T>(promise: Promise<T>) =>
  promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );

test("arrays whose elements take no bytes are made with pauses between them", async () => {
  const save = elephant.write(Array.from({ length: 100 }, () => Array(65_000).fill(undefined)));
  expect(save.length).toBeLessThan(400);
  let pauses = 0;
  const rows = await elephant.readAsync<undefined[][]>(save, { sliceMs: 0, pause: async () => void pauses++ });
  expect(rows.map((row) => row.length)).toEqual(Array(100).fill(65_000));
  expect(rows.every((row) => row.every((element) => element === undefined))).toBe(true);
  expect(pauses).toBeGreaterThan(20);
});

describe("many calls at once", () => {
  interface Options {
    readonly sliceMs: number;
    onProgress(progress: { done: number }): void;
  }

  /** How many of them are under way at most, by what they report: none reports before it has begun, and with the last byte it has no more to do. */
  const mostUnderWay = async (saves: readonly Uint8Array[], call: (options: Options, i: number) => Promise<unknown>) => {
    const begun = new Set<number>();
    let most = 0;
    await Promise.all(
      saves.map(({ length }, i) => {
        const onProgress = ({ done }: { done: number }) => {
          if (done === length) begun.delete(i);
          else most = Math.max(most, begun.add(i).size);
        };
        return call({ sliceMs: 0, onProgress }, i);
      }),
    );
    expect(begun.size).toBe(0);
    return most;
  };

  test("take turns, and each gets its own", async () => {
    const codec = createElephantSync();
    const saves = Array.from({ length: 40 }, (_, i) => codec.write(world(i)));
    const reads = await mostUnderWay(saves, async (options, i) => expect(await codec.readAsync(saves[i], options)).toEqual(world(i)));
    const writes = await mostUnderWay(saves, async (options, i) => expect(await codec.writeAsync(world(i), options)).toEqual(saves[i]));
    expect([reads, writes]).toEqual([4, 4]);
  });

  test("one that is given up while it waits, or fails, leaves its turn to the next", async () => {
    const save = elephant.write(world(1));
    const abort = new AbortController();
    const waiting = (codec: Elephant, i: number) =>
      codec.readAsync(i % 3 === 1 ? save.slice(0, 900) : save, i % 3 === 2 ? { signal: abort.signal, sliceMs: 0 } : {});
    const results = Array.from({ length: 30 }, (_, i) => settled(waiting(elephant, i)));
    abort.abort("given up");
    for (const [i, result] of (await Promise.all(results)).entries())
      expect(result).toMatchObject([{ value: world(1) }, { error: { code: "truncated" } }, { error: "given up" }][i % 3]);
    expect(await elephant.readAsync(save)).toEqual(world(1));
    expect(await elephant.writeAsync(world(1))).toEqual(save);
  });

  test("the release is that of the call, not of the turn", async () => {
    const codec = createElephantSync();
    const options = { release: "1.5.0", sliceMs: 0 } as { release: "1.5.0" | "1.4.0" };
    const writes = Array.from({ length: 6 }, () => codec.writeAsync(world(1), options));
    options.release = "1.4.0";
    for (const save of await Promise.all(writes)) expect(codec.readAt(save, 0).release).toBe("1.5.0");
  });

  test.each([{ release: "2.0.0" }, { diffsOnly: 1 }, { sliceMs: -1 }])("wrong options (%j) do not wait for their turn", async (options) => {
    const ended: number[] = [];
    const writes = Array.from({ length: 10 }, (_, i) => elephant.writeAsync(world(i), { sliceMs: 0 }).then(() => ended.push(i)));
    expect(await settled(elephant.writeAsync(1, options as never))).toMatchObject({ error: { code: "bad-option" } });
    expect(ended).toEqual([]);
    await Promise.all(writes);
  });

  test("streams do not wait for each other: one may depend on another", async () => {
    const save = elephant.write(world(2));
    const later: ((chunk: Uint8Array) => void)[] = [];
    const waiting = Array.from({ length: 10 }, () =>
      elephant.readAsync(
        (async function* () {
          yield await new Promise<Uint8Array>((resolve) => later.push(resolve));
        })(),
      ),
    );
    expect(await elephant.readAsync([save])).toEqual(world(2));
    while (later.length < waiting.length) await new Promise(setImmediate);
    for (const give of later) give(save);
    for (const value of await Promise.all(waiting)) expect(value).toEqual(world(2));
  });

  test("Blobs take turns of their own", async () => {
    const codec = createElephantSync();
    const saves = Array.from({ length: 40 }, (_, i) => codec.write(world(i)));
    const read = async (options: Options, i: number) => expect(await codec.readAsync(new Blob([saves[i]]), options)).toEqual(world(i));
    expect(await mostUnderWay(saves, read)).toBe(4);
  });

  test("Blobs that are slow keep nothing waiting that is there", async () => {
    const save = elephant.write(world(3));
    const abort = new AbortController();
    const slow = { size: save.length, slice: () => slow, arrayBuffer: () => new Promise(() => {}) };
    const waiting = Array.from({ length: 10 }, () => settled(elephant.readAsync(slow as unknown as Blob, { signal: abort.signal })));
    expect(await elephant.readAsync(save)).toEqual(world(3));
    abort.abort("given up");
    expect(await Promise.all(waiting)).toEqual(Array(10).fill({ error: "given up" }));
    expect(await elephant.readAsync(new Blob([save]))).toEqual(world(3));
  });

  test("small saves are read at once", async () => {
    const save = elephant.write({ a: 1 });
    const progress: unknown[] = [];
    expect(await elephant.readAtAsync(save, 0, { onProgress: (now) => progress.push(now) })).toMatchObject({
      value: { a: 1 },
      end: save.length,
    });
    expect(progress).toEqual([{ done: save.length, total: save.length }]);
    await expect(elephant.readAsync(save, { signal: AbortSignal.abort("no") })).rejects.toBe("no");
  });
});

describe("sources", () => {
  const save = elephant.write(world(3));

  async function upload(
    read: (body: Readable & { headers: Record<string, unknown> }) => Promise<unknown>,
    body: Uint8Array,
  ): Promise<number | undefined> {
    const server = createServer(async (incoming, response) => {
      const result = await settled(read(incoming as never));
      response.statusCode = "value" in result ? 200 : 400;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      return await new Promise((resolve) => {
        const sent = request(
          { port: (server.address() as AddressInfo).port, method: "POST", headers: { "content-length": body.length } },
          (answer) => {
            answer.resume();
            resolve(answer.statusCode);
          },
        );
        sent.on("error", () => resolve(undefined));
        sent.end(body);
      });
    } finally {
      server.close();
      server.closeAllConnections();
    }
  }

  test("a request whose length is known is answered", async () => {
    expect(await upload((body) => elephant.readAsync(body, { size: Number(body.headers["content-length"]) }), save)).toBe(200);
    expect(await upload((body) => elephant.readAsync(body), save)).toBe(200);
  });

  test("a damaged one is answered where its iterator leaves the stream as it is", async () => {
    const damaged = save.slice(0, save.length - 1);
    const read = (body: Readable) => elephant.readAsync(body.iterator({ destroyOnReturn: false }));
    expect(await upload(read, damaged)).toBe(400);
  });

  const gone = () => new Promise((resolve) => setTimeout(resolve, 150));

  /** A web stream that gives the save; then it ends, gives more, or neither. */
  function stream(then: "end" | "more" | "nothing") {
    const told = { cancelled: false };
    const source = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(save);
        if (then === "more") controller.enqueue(save);
        if (then === "end") controller.close();
      },
      cancel() {
        told.cancelled = true;
      },
    });
    return { source, told };
  }

  test.each([
    ["end", false],
    ["more", true],
    ["nothing", true],
  ] as const)("a stream that has given all it was to give is given up unless it ends: %s", async (then, cancelled) => {
    const { source, told } = stream(then);
    expect(await elephant.readAsync(source, { size: save.length })).toEqual(world(3));
    const node = new Readable({ read() {} });
    node.push(save);
    if (then !== "nothing") node.push(then === "end" ? null : save);
    expect(await elephant.readAsync(node, { size: save.length })).toEqual(world(3));
    await gone();
    expect(told.cancelled).toBe(cancelled);
    expect(source.locked).toBe(false);
    expect(node.destroyed).toBe(true);
    expect(node.readableEnded).toBe(then === "end");
  });

  test("what an iterator gives behind the save is left to it", async () => {
    const saves = [1, 2, 3].map((n) => elephant.write({ n }));
    const values = async (iterator: () => Iterable<Uint8Array> | AsyncIterable<Uint8Array>) => {
      const read: unknown[] = [];
      for (const { length } of saves) read.push(await elephant.readAsync(iterator(), { size: length }));
      return read;
    };
    const all = [{ n: 1 }, { n: 2 }, { n: 3 }];
    const iterator = saves[Symbol.iterator]();
    expect(await values(() => iterator)).toEqual(all);
    const readable = Readable.from(saves);
    expect(await values(() => readable.iterator({ destroyOnReturn: false }))).toEqual(all);
  });

  test("a generator that would never end is returned", async () => {
    let returned = false;
    async function* stalled() {
      try {
        yield save;
        await new Promise(() => {});
      } finally {
        returned = true;
      }
    }
    expect(await elephant.readAsync(stalled(), { size: save.length })).toEqual(world(3));
    expect(returned).toBe(true);
  });

  test("are given up where the signal was aborted before", async () => {
    const node = Readable.from([save]);
    const { source, told } = stream("nothing");
    const signal = AbortSignal.abort("no");
    await expect(elephant.readAsync(node, { signal })).rejects.toBe("no");
    await expect(elephant.readAsync(source, { signal })).rejects.toBe("no");
    expect([node.destroyed, told.cancelled, source.locked]).toEqual([true, true, false]);
  });

  test.each([{ sliceMs: -1 }, { size: -1 }, { offset: -1 }, null])(
    "are left as they are by options that mean nothing: %j",
    async (options) => {
      const { source } = stream("end");
      await expect(elephant.readAsync(source, options as never)).rejects.toMatchObject({ code: "bad-option" });
      expect(await elephant.readAsync(source)).toEqual(world(3));
    },
  );
});

test("reads with a pause of their own wait for nobody's", async () => {
  const save = elephant.write(world(1));
  const go: (() => void)[] = [];
  const pause = () => new Promise<void>((resolve) => go.push(resolve));
  const held = Array.from({ length: 10 }, () => elephant.readAsync(save, { sliceMs: 0, pause }));
  expect(await elephant.readAsync(save, { sliceMs: 0, pause: async () => {} })).toEqual(world(1));
  expect(await elephant.readAsync(save)).toEqual(world(1));
  const timer = setInterval(() => {
    for (const one of go.splice(0)) one();
  }, 0);
  for (const value of await Promise.all(held)) expect(value).toEqual(world(1));
  clearInterval(timer);
});
