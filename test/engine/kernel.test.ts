// Where a kernel comes from: the inlined module, one that is given, or none.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { createElephant, createElephantSync, type Elephant, type ElephantOptions, SCHEMA } from "../../src/elephant/index.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** What both ways to make a codec say of these options. */
async function madeOf(options: unknown): Promise<string[]> {
  const ways: ((options: ElephantOptions) => Elephant | Promise<Elephant>)[] = [createElephant, createElephantSync];
  const outcomes: string[] = [];
  for (const make of ways) {
    try {
      const elephant = await make(options as ElephantOptions);
      expect(elephant.read(elephant.write([1, "two"]))).toEqual([1, "two"]);
      outcomes.push(elephant.engine);
    } catch (error) {
      outcomes.push(`${(error as Error).name} ${(error as { code?: string }).code}`);
    }
  }
  return outcomes;
}

describe("a module that is given", () => {
  // First, while the inlined module is not compiled yet.
  test.each([null, 5, "tusk.wasm", {}, new Uint8Array(8), new DataView(new ArrayBuffer(8))])("%s is none", async (wasm) =>
    expect(await madeOf({ wasm })).toEqual(["TuskError engine", "TuskError engine"]),
  );

  test("may be bytes of any kind, or compiled", async () => {
    const room = Buffer.concat([new Uint8Array(5), readFileSync(join(ROOT, "dist/tusk.wasm"))]);
    const { buffer, byteOffset, length } = room;
    const bytes = new Uint8Array(room.subarray(5));
    const modules = [
      bytes,
      bytes.buffer,
      room.subarray(5),
      new DataView(buffer, byteOffset + 5, length - 5),
      new WebAssembly.Module(bytes),
      runInNewContext("new WebAssembly.Module(bytes)", { bytes }),
    ];
    for (const wasm of modules) expect(await madeOf({ wasm })).toEqual(["wasm", "wasm"]);
  });
});

test("without WebAssembly there is JavaScript, and the engine wasm is an error", async () => {
  const { WebAssembly: platform } = globalThis;
  Reflect.deleteProperty(globalThis, "WebAssembly");
  try {
    expect(await madeOf({ engine: "wasm" })).toEqual(["TuskError engine", "TuskError engine"]);
    expect(await madeOf({})).toEqual(["js", "js"]);
  } finally {
    globalThis.WebAssembly = platform;
  }
});

test.each([
  ["js", null],
  ["js", {}],
  // The inlined module has been compiled before.
  ["wasm", { Module: WebAssembly.Module, Instance: WebAssembly.Instance }],
])("the engine is %s where there is only this of WebAssembly: %o", async (engine, part) => {
  const { WebAssembly: platform } = globalThis;
  globalThis.WebAssembly = part as never;
  try {
    expect(await madeOf({})).toEqual([engine, engine]);
    expect(await madeOf({ engine: "js" })).toEqual(["js", "js"]);
  } finally {
    globalThis.WebAssembly = platform;
  }
});

/** The module with a memory that does not grow. */
function withoutGrowth(wasm: Uint8Array): Uint8Array {
  const MEMORY_SECTION = 5;
  let at = 8;
  while (wasm[at] !== MEMORY_SECTION) {
    let length = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = wasm[++at];
      length |= (byte & 127) << shift;
      if (byte < 128) break;
    }
    at += 1 + length;
  }
  // One memory: what it begins with takes two bytes, the most of its pages three.
  expect([...wasm.subarray(at, at + 4)]).toEqual([MEMORY_SECTION, 7, 1, 1]);
  const pages = wasm.subarray(at + 4, at + 6);
  return Buffer.concat([wasm.subarray(0, at), Uint8Array.of(MEMORY_SECTION, 6, 1, 1), pages, pages, wasm.subarray(at + 9)]);
}

test("what is too deep, or too wide, for the memory that the platform gives is an error, and the codec can go on", async () => {
  class Strict {
    static [SCHEMA] = { v1: { a: "any", n: "u8" } } as const;
  }
  const constructors = { Strict };
  const free = createElephantSync({ constructors });
  const elephant = createElephantSync({ constructors, wasm: withoutGrowth(readFileSync(join(ROOT, "dist/tusk.wasm"))) });
  const deep = (step: (inner: unknown) => unknown): unknown => {
    let value: unknown = 1;
    for (let i = 0; i < 3000; i++) value = step(value);
    return value;
  };
  const values = [
    deep((inner) => [inner]),
    deep((inner) => [1, inner, "x"]),
    deep((a) => ({ a, b: 2 })),
    deep((a) => Object.assign(new Strict(), { a, n: 2 })),
    // There is memory for its members, but not for as many pairs, which the last name needs.
    ...[40_000, 300_000].map((length) => ({
      ...Object.fromEntries(Array.from({ length: 9000 }, (_, i) => [`k${i}`, i])),
      ["n".repeat(length)]: 1,
    })),
    Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`k${i}`, i])),
  ];
  for (const value of values) {
    const save = free.write(value);
    const error = { code: "depth-limit", message: expect.stringContaining("no memory") };
    expect(() => elephant.read(save)).toThrow(expect.objectContaining(error));
    await expect(elephant.readAsync(save)).rejects.toMatchObject(error);
    const small = [{ a: 1 }, Object.assign(new Strict(), { a: [2], n: 3 })];
    expect(elephant.read(elephant.write(small))).toEqual(small);
  }
});

test("the JavaScript engine, too, bears a platform that refuses memory", () => {
  const platform = ArrayBuffer;
  const elephant = createElephantSync({ engine: "js" });
  // Here it gets what it begins with.
  expect(elephant.read(elephant.write(1))).toBe(1);
  let deep: unknown = 1;
  for (let i = 0; i < 100_000; i++) deep = [deep];
  const save = elephant.write(deep);
  const LEAST_REFUSED = 1 << 22;
  globalThis.ArrayBuffer = new Proxy(platform, {
    construct(target, [length]: [number]) {
      if (length >= LEAST_REFUSED) throw new RangeError("Array buffer allocation failed");
      return new target(length);
    },
  });
  try {
    expect(() => elephant.read(save)).toThrow(
      expect.objectContaining({ code: "depth-limit", message: expect.stringContaining("no memory") }),
    );
    expect(elephant.read(elephant.write([{ a: [1] }]))).toEqual([{ a: [1] }]);
  } finally {
    globalThis.ArrayBuffer = platform;
  }
  elephant.read(save);
});
