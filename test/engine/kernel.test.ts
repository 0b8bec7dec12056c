// Where a kernel comes from: the inlined module, one that is given, or none.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { createElephant, createElephantSync, type Elephant, type ElephantOptions } from "../../src/elephant/index.ts";

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
