// What gives the pieces of a save is let go when the save fails: nothing stays open, and nothing keeps the process alive.
import { createReadStream, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as after } from "node:timers/promises";
import { expect, test } from "vitest";
import { type Pieces, type SaveOptions, saveFile, saveFileSync } from "../../src/node/index.ts";
import { listing, scratchFolder } from "./scratch.ts";

interface Given {
  readonly data: Pieces;
  /** What it has been told. */
  told(): unknown;
}

const PIECE = Uint8Array.of(1, 2, 3);

/** Each gives one piece, and then no other, nor an end. */
const STALLED: Record<string, () => Given> = {
  "a web stream"() {
    let reason: unknown;
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(PIECE),
      cancel(given) {
        reason = given;
      },
    });
    return { data: stream as unknown as Pieces, told: () => !stream.locked && reason };
  },
  "a stream of Node"() {
    const stream = new Readable({ read() {} });
    stream.push(PIECE);
    const errors: unknown[] = [];
    stream.on("error", (error) => errors.push(error));
    return { data: stream, told: () => stream.destroyed && (errors[0] ?? true) };
  },
  "an iterator"() {
    let returned = false;
    let given = false;
    const iterator = {
      async next() {
        if (given) await new Promise(() => {});
        given = true;
        return { done: false, value: PIECE };
      },
      async return() {
        returned = true;
        return { done: true as const, value: undefined };
      },
    };
    return { data: { [Symbol.asyncIterator]: () => iterator }, told: () => returned };
  },
};

test.each(Object.keys(STALLED))("%s that gives no more is let go at an abort", async (kind) => {
  const folder = scratchFolder();
  const { data, told } = STALLED[kind]();
  const controller = new AbortController();
  const saving = saveFile(join(folder, "save.dat"), data, { signal: controller.signal, onProgress: () => setImmediate(stop) });
  const reason = new Error("no more");
  const stop = (): void => controller.abort(reason);
  await expect(saving).rejects.toBe(reason);
  await after(5);
  expect(told()).toBe(kind === "a web stream" ? reason : true);
  expect(listing(folder)).toEqual([]);
});

/** Failures before the first piece is asked for. */
const EARLY: Record<string, (folder: string, data: Pieces) => Promise<unknown>> = {
  "a missing folder": (folder, data) => saveFile(join(folder, "none", "x"), data),
  "a signal that was aborted before": (folder, data) => saveFile(join(folder, "x"), data, { signal: AbortSignal.abort("no") }),
  "a folder in the place of the file": (folder, data) => saveFile(folder, data),
  async "an abort while the save waits for its turn"(folder, data) {
    let open!: () => void;
    // Not made by the generator, which is asked only when its folder has been looked at.
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const first = saveFile(
      join(folder, "x"),
      (async function* () {
        await gate;
        yield PIECE;
      })(),
    );
    const controller = new AbortController();
    const second = saveFile(join(folder, "x"), data, { signal: controller.signal });
    await after(20);
    controller.abort("no");
    try {
      return await second;
    } finally {
      open();
      await first;
    }
  },
};

test.each(Object.keys(EARLY).flatMap((early) => Object.keys(STALLED).map((kind) => [early, kind])))(
  "at %s %s is let go, too",
  async (early, kind) => {
    const { data, told } = STALLED[kind]();
    const error = await EARLY[early](scratchFolder(), data).then(
      () => expect.fail("an error was expected"),
      (reason: unknown) => reason,
    );
    await after(5);
    expect(told()).toBe(kind === "a web stream" ? error : true);
  },
);

test.each(Object.keys(STALLED))("at arguments that mean nothing %s is left as it is", async (kind) => {
  const folder = scratchFolder();
  const { data, told } = STALLED[kind]();
  const refused = { name: "TuskError", code: "bad-option" };
  await expect(saveFile(join(folder, "x"), data, { backups: -1 })).rejects.toMatchObject(refused);
  await expect(saveFile(join(folder, "x"), data, null as unknown as SaveOptions)).rejects.toMatchObject(refused);
  await expect(saveFile("", data)).rejects.toMatchObject(refused);
  expect(() => saveFileSync(join(folder, "x"), data as never, { backups: -1 })).toThrow(expect.objectContaining(refused));
  await after(5);
  expect(told()).toBe(kind === "a web stream" ? undefined : false);
});

/** Each gives its pieces once. */
const ONCE: Record<string, () => Pieces> = {
  "a web stream": () => new Blob([PIECE]).stream() as unknown as Pieces,
  "a stream of Node": () => Readable.from([PIECE]),
  "an async generator": () =>
    (async function* () {
      yield PIECE;
    })(),
  "a generator": () =>
    (function* () {
      yield PIECE;
    })(),
};

test.each(Object.keys(ONCE))("%s that a save has had is no file that is empty", async (kind) => {
  const file = join(scratchFolder(), "save.dat");
  const refused = { name: "TuskError", code: "bad-option" };
  const failed = ONCE[kind]();
  writeFileSync(file, "old");
  await expect(saveFile(join(file, "x"), failed)).rejects.toMatchObject({ name: "TuskError" });
  await expect(saveFile(file, failed)).rejects.toMatchObject(refused);
  const saved = ONCE[kind]();
  await saveFile(file, saved);
  await expect(saveFile(file, saved)).rejects.toMatchObject(refused);
  if (kind === "a generator") expect(() => saveFileSync(file, saved as Iterable<Uint8Array>)).toThrow(expect.objectContaining(refused));
  expect([...readFileSync(file)]).toEqual([...PIECE]);
  // What can be asked again gives all again.
  const again = [PIECE, PIECE];
  for (let i = 0; i < 2; i++) expect((await saveFile(file, again)).bytes).toBe(6);
});

test.each(["a web stream", "a stream of Node"])("%s that the program has used up is no file that is empty", async (kind) => {
  const file = join(scratchFolder(), "save.dat");
  writeFileSync(file, "old");
  const stream = ONCE[kind]() as AsyncIterable<Uint8Array>;
  for await (const piece of stream) expect([...piece]).toEqual([...PIECE]);
  await expect(saveFile(file, stream)).rejects.toMatchObject({ name: "TuskError", code: "bad-option" });
  expect(readFileSync(file, "utf8")).toBe("old");
});

test("a stream of which something is left, and one that is empty, are saved", async () => {
  const file = join(scratchFolder(), "save.dat");
  const stream = Readable.from([PIECE, PIECE]);
  expect((await stream[Symbol.asyncIterator]().next()).value).toBe(PIECE);
  expect((await saveFile(file, stream)).bytes).toBe(3);
  const web = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let i = 0; i < 2; i++) controller.enqueue(PIECE);
      controller.close();
    },
  });
  const reader = web.getReader();
  expect((await reader.read()).value).toBe(PIECE);
  reader.releaseLock();
  expect((await saveFile(file, web as unknown as Pieces)).bytes).toBe(3);
  for (const empty of [Readable.from([]), new Blob([]).stream() as unknown as Pieces]) expect((await saveFile(file, empty)).bytes).toBe(0);
});

test("a file that is read is closed", async () => {
  const folder = scratchFolder();
  writeFileSync(join(folder, "from"), PIECE);
  mkdirSync(join(folder, "to"));
  for (const to of [join(folder, "to"), join(folder, "none", "x")]) {
    const stream = createReadStream(join(folder, "from"));
    const closed = new Promise<void>((resolve) => stream.on("close", resolve));
    await expect(saveFile(to, stream)).rejects.toMatchObject({ name: "TuskError" });
    await closed;
  }
});

test("a stream that fails before it is read rejects the save as it is, and does not end the program", async () => {
  const folder = scratchFolder();
  const stream = createReadStream(join(folder, "none"));
  await expect(saveFile(join(folder, "save.dat"), stream)).rejects.toMatchObject({ code: "ENOENT", syscall: "open" });
  // Also where it fails after the save.
  await expect(saveFile(folder, createReadStream(join(folder, "none")))).rejects.toMatchObject({ code: "not-a-file" });
  await after(20);
  expect(listing(folder)).toEqual([]);
});

test("a web stream that was saved is free again", async () => {
  const stream = new Blob([PIECE]).stream();
  expect((await saveFile(join(scratchFolder(), "save.dat"), stream as unknown as Pieces)).bytes).toBe(3);
  expect(stream.locked).toBe(false);
});

test.each<[string, () => Promise<never>]>([
  ["rejects", () => Promise.reject(new Error("the iterator's own"))],
  [
    "throws",
    () => {
      throw new Error("the iterator's own");
    },
  ],
])("an iterator whose end %s is not heard of when the save has failed", async (_how, end) => {
  const data = {
    [Symbol.asyncIterator]: () => ({
      next: async () => ({ done: false, value: PIECE }),
      return: end,
    }),
  };
  const why = new Error("no more");
  const onProgress = () => {
    throw why;
  };
  const lost: unknown[] = [];
  const hear = (reason: unknown) => lost.push(reason);
  process.on("unhandledRejection", hear);
  await expect(saveFile(join(scratchFolder(), "save.dat"), data as unknown as Pieces, { onProgress })).rejects.toBe(why);
  await after(20);
  process.off("unhandledRejection", hear);
  expect(lost).toEqual([]);
});
