// What a codec keeps of a save that has been read, when nobody else does: names, and memory of its usual size.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { createElephantSync, ENGINES, POST_WRITE, StructInstance } from "./codec.ts";
import { differences } from "./compare.ts";

/** Bun has another engine, whose collector is not asked here. */
const V8 = !("bun" in process.versions);
if (V8) setFlagsFromString("--expose-gc");
const collect = V8 ? (runInNewContext("gc") as () => void) : () => {};

const MEGABYTE = 1_000_000;

/** Megabytes in use, apart from garbage. */
async function used(kind: "heapUsed" | "external"): Promise<number> {
  for (let i = 0; i < 2; i++) {
    collect();
    await new Promise(setImmediate);
  }
  return process.memoryUsage()[kind] / MEGABYTE;
}

const text = (i: number) => `${i}${" lorem ipsum dolor".repeat(60)}`;
const SAVES: [string, () => unknown][] = [
  ["texts of which some occur again", () => Array.from({ length: 15_000 }, (_, i) => ({ who: `speaker number ${i >> 1}`, text: text(i) }))],
  ["texts beyond ASCII", () => Array.from({ length: 9000 }, (_, i) => ({ who: `Sprecher ${i >> 1} äöü`, text: `é${text(i)}` }))],
  [
    "a dictionary of long texts",
    () => ({ all: Object.fromEntries(Array.from({ length: 9000 }, (_, i) => [`entry number ${i}`, text(i)])) }),
  ],
  ["texts longer than the window", () => Array.from({ length: 40 }, (_, i) => `${i}${"x".repeat(400_000)}`)],
];

test.runIf(V8)("what stands in front of a save in a stream is not gathered", async () => {
  const codec = createElephantSync();
  const save = codec.write({ gold: 1250, log: "x".repeat(5000) });
  // The codec's own memory is there.
  codec.read(save);
  // One and the same memory for every chunk.
  const chunk = new Uint8Array(MEGABYTE);
  const chunks = 50;
  const before = await used("external");
  let most = 0;
  async function* source(): AsyncGenerator<Uint8Array> {
    for (let i = 0; i < chunks; i++) {
      yield chunk;
      if (i % 10 === 0) most = Math.max(most, (await used("external")) - before);
    }
    yield save.subarray(0, 5);
    yield save.subarray(5);
  }
  const { value, end } = await codec.readAtAsync<{ gold: number }>(source(), chunks * MEGABYTE);
  expect(value.gold).toBe(1250);
  expect(end).toBe(chunks * MEGABYTE + save.length);
  expect(most).toBeLessThan(5);
  await expect(codec.readAtAsync(source(), chunks * MEGABYTE + 1)).rejects.toMatchObject({ code: "header", offset: chunks * MEGABYTE + 1 });
  await expect(codec.readAtAsync([chunk, save.subarray(0, 7)], MEGABYTE)).rejects.toMatchObject({
    code: "truncated",
    offset: MEGABYTE + 7,
  });
  await expect(codec.readAtAsync([chunk], MEGABYTE + 5)).rejects.toMatchObject({ code: "truncated", offset: MEGABYTE });
});

test.runIf(V8)("constructors of instances without members are forgotten, too", async () => {
  const codec = createElephantSync();
  codec.write([new StructInstance("first")]);
  const before = await used("heapUsed");
  for (let save = 0; save < 4; save++) codec.write(Array.from({ length: 15_000 }, (_, i) => new StructInstance(`of save ${save}, ${i}`)));
  codec.write({ a: 1 });
  expect((await used("heapUsed")) - before).toBeLessThan(15);
});

test.runIf(V8)("constructors that nobody knows are forgotten with their save", async () => {
  const strangers = (count: number) => Array.from({ length: count }, (_, i) => new StructInstance(`${i}${"x".repeat(10_000)}`));
  const codec = createElephantSync({ unknownConstructor: "generic" });
  const save = codec.write(strangers(1500));
  const reader = createElephantSync({ unknownConstructor: "generic" });
  reader.read(createElephantSync().write(strangers(20)));
  const before = await used("heapUsed");
  expect(reader.read(save)).toHaveLength(1500);
  expect((await used("heapUsed")) - before).toBeLessThan(5);
});

test.runIf(V8)("no room is kept for more texts than a codec knows", async () => {
  const codec = createElephantSync({ engine: "wasm" });
  const dictionary = (at: number) => Object.fromEntries(Array.from({ length: 65_000 }, (_, i) => [`${at}-${i}`, `${i}:${at}`]));
  const save = codec.write(Array.from({ length: 5 }, (_, at) => dictionary(at)));
  codec.read(codec.write({ a: 1 }));
  const before = await used("heapUsed");
  expect(codec.read<object[]>(save)).toHaveLength(5);
  expect((await used("heapUsed")) - before).toBeLessThan(5);
});

test.runIf(V8)("a small save after a large one leaves no memory of the large one's size", async () => {
  const codec = createElephantSync();
  const small = () => codec.write(Array.from({ length: 4 }, () => new Uint8Array(60_000)));
  small();
  const before = await used("external");
  codec.write(Array.from({ length: 2000 }, () => new Float64Array(3000)));
  expect(small().length).toBeGreaterThan(240_000);
  expect((await used("external")) - before).toBeLessThan(5);
});

describe.runIf(V8).each(ENGINES)("engine %s", (engine) => {
  test("long names of structs that JavaScript reads are not kept", async () => {
    const rows = (count: number, length: number) => [
      1,
      ...Array.from({ length: count }, (_, i) => ({ [`n${i}`.padEnd(length, "x")]: Array.from({ length: 24 }, () => []) })),
    ];
    const codec = createElephantSync({ engine });
    const save = codec.write(rows(1700, 10_000));
    codec.read(createElephantSync().write(rows(20, 4)));
    const before = (await used("heapUsed")) + (await used("external"));
    codec.read(save);
    expect((await used("heapUsed")) + (await used("external")) - before).toBeLessThan(5);
  });

  test.each(SAVES)("%s are gone when the result is", async (_, make) => {
    const codec = createElephantSync({ engine });
    const bytes = codec.write(make());
    expect(bytes.length).toBeGreaterThan(9 * MEGABYTE);
    codec.read(codec.write({ a: 1 }));
    const before = await used("heapUsed");
    const result: { value: unknown } = { value: codec.read(bytes) };
    expect((await used("heapUsed")) - before).toBeGreaterThan(7);
    result.value = undefined;
    expect((await used("heapUsed")) - before).toBeLessThan(3);
    // What is known is still right.
    expect(differences(make(), codec.read(bytes))).toEqual([]);
  });
});

test.runIf(V8)("memory that a very deep save has made large is given back", async () => {
  const codec = createElephantSync({ engine: "wasm" });
  const small = codec.write({ name: "Ada" });
  codec.read(small);
  const before = await used("external");
  let deep: unknown[] = [];
  // 33 MB more than a codec begins with.
  for (let i = 0; i < 400_000; i++) deep = [deep];
  const bytes = codec.write(deep);
  codec.read(bytes);
  expect((await used("external")) - before).toBeLessThan(20);
  expect(codec.read(small)).toEqual({ name: "Ada" });
  expect(codec.write(codec.read(bytes))).toEqual(bytes);
});

test.runIf(V8)("a codec keeps neither places of arrays by their depth, nor names by their number alone", async () => {
  const codec = createElephantSync();
  const deep = (levels: number): unknown[] => {
    let made: unknown[] = [];
    for (let i = 0; i < levels; i++) made = [made];
    return made;
  };
  codec.write({ a: deep(10) });
  const before = await used("heapUsed");
  for (let i = 0; i < 3; i++) codec.write({ [`m${i}`]: deep(300_000) });
  for (let i = 0; i < 300; i++) codec.write([{ [`${i}${"x".repeat(100_000)}`]: i }, {}]);
  for (let i = 0; i < 300; i++) codec.write([new StructInstance(`${i}${"y".repeat(100_000)}`, { i })]);
  for (let i = 0; i < 10; i++) codec.write({ a: i });
  expect((await used("heapUsed")) - before).toBeLessThan(12);
  // What lies deeper than there are places is written as ever.
  const mixed = deep(100);
  let innermost = mixed;
  while (innermost.length > 0) innermost = innermost[0] as unknown[];
  innermost.push({ hp: 1 }, { hp: 2, mp: 3 }, [[{ hp: 4 }], { hp: 5 }]);
  expect(codec.write(mixed)).toEqual(createElephantSync().write(mixed));
  expect(codec.read(codec.write(mixed))).toEqual(mixed);
});

test.runIf(V8)("an instance with a callback behind its write is not kept", async () => {
  class Game {
    world = { x: 1 };
    [POST_WRITE]() {}
  }
  const codec = createElephantSync({ constructors: { Game } });
  const written = (() => {
    const game = new Game();
    codec.write(game);
    return new WeakRef(game);
  })();
  await used("heapUsed");
  expect(written.deref()).toBeUndefined();
});
