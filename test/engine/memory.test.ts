// No kernel's memory grows in the ordinary course of things. A memory that grows leaves its old buffer without bytes, and from the first time on V8 asks all
// typed arrays of the program for that.
import { afterEach, expect, test } from "vitest";
import { readDs, writeDs } from "../../src/ds/index.ts";
import { createElephantSync } from "../../src/elephant/index.ts";
import { readEnigma, writeEnigma } from "../../src/enigma/index.ts";

const RealInstance = WebAssembly.Instance;
afterEach(() => {
  WebAssembly.Instance = RealInstance;
});

test("all kernels, and what unpacks them, keep the buffers that they begin with", () => {
  const begun: { memory: WebAssembly.Memory; buffer: ArrayBuffer; bytes: number }[] = [];
  WebAssembly.Instance = new Proxy(RealInstance, {
    construct(target, args) {
      const instance: WebAssembly.Instance = Reflect.construct(target, args);
      const memory = instance.exports.memory as WebAssembly.Memory;
      begun.push({ memory, buffer: memory.buffer as ArrayBuffer, bytes: memory.buffer.byteLength });
      return instance;
    },
  });

  const rows = Array.from({ length: 50_000 }, (_, i) => ({
    id: i,
    name: `row ${i}`,
    place: { x: i / 3, text: "é" },
    list: [i, "a", true],
  }));
  const elephant = createElephantSync({ engine: "wasm" });
  expect(elephant.read(elephant.write({ rows, long: "x".repeat(1_000_000) }))).toHaveProperty("rows.length", rows.length);
  elephant.read(elephant.write(new Float64Array(60_000)), { typedArrays: true });
  const deep = Array.from({ length: 600 }).reduce<unknown>((inner) => ({ inner, text: "deep" }), 1);
  expect(elephant.read(elephant.write(deep))).toEqual(deep);
  const items = Array.from({ length: 50_000 }, (_, i) => (i % 2 ? i : `text ${i}`));
  expect(readDs(writeDs({ kind: "list", generation: 3, items }))).toHaveProperty("items.length", items.length);
  readEnigma(writeEnigma({ backend: "binary", room: 2, active: [], inactive: [], backgrounds: [] }));

  expect(begun.length).toBeGreaterThanOrEqual(4);
  for (const { memory, buffer, bytes } of begun) {
    expect(memory.buffer).toBe(buffer);
    expect(buffer.byteLength).toBe(bytes);
  }
});
