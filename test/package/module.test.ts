// The module as a file, loaded by AssemblyScript's own loader: the contract of docs/architecture.md "The module", seen from outside.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { instantiateSync } from "@assemblyscript/loader";
import { beforeEach, expect, test } from "vitest";
import * as ADDRESS from "../../src/elephant/addresses.ts";
import type { ElephantExports } from "../../src/elephant/kernel.ts";
import { STATUS_DONE, STATUS_ERROR, STATUS_FLUSH, STATUS_INPUT } from "../../src/graph/ops.ts";
import { createElephantSync } from "../../src/index.ts";
import { ROOT } from "./installed.ts";

const file = readFileSync(join(ROOT, "dist/tusk.wasm"));
const PAGE = 65536;

let kernel: ElephantExports & { memory: WebAssembly.Memory };
beforeEach(() => {
  kernel = instantiateSync<Record<string, unknown>>(file, {}).exports as never;
});

/** Reads the root value of a save by hand, with a window of at most `size` bytes; the statuses in between, and where it ended. */
function parse(save: Uint8Array, size = kernel.address(ADDRESS.windowSize)): { statuses: number[]; position: number } {
  const statuses: number[] = [];
  const feed = (at: number) => {
    const piece = save.subarray(at, at + size);
    new Uint8Array(kernel.memory.buffer).set(piece, kernel.address(ADDRESS.window));
    kernel.readWindow(piece.length, at, 1);
  };
  kernel.readBegin(151, 204, 0, 1000, 1e6, 1e6, save.length);
  feed(8);
  while (true) {
    const status = kernel.readStep();
    statuses.push(status);
    if (status === STATUS_FLUSH) kernel.readFlushed();
    else if (status === STATUS_INPUT) feed(kernel.position());
    else return { statuses, position: kernel.position() };
  }
}

test("it imports nothing, and exports the functions of the typed boundary and its memory", () => {
  const module = new WebAssembly.Module(file);
  expect(WebAssembly.Module.imports(module)).toEqual([]);
  const boundary = readFileSync(join(ROOT, "src/elephant/kernel.ts"), "utf8").split("export interface ElephantExports")[1];
  const named = [...boundary.matchAll(/^ {2}(\w+)\(/gm)].map((match) => match[1]);
  expect(named.length).toBeGreaterThan(20);
  expect(
    WebAssembly.Module.exports(module)
      .map(({ name }) => name)
      .sort(),
  ).toEqual([...named, "memory"].sort());
});

test("memory is as large as it stays, and every region lies in it, without overlapping", () => {
  const size = kernel.memory.buffer.byteLength;
  kernel.setup(1);
  expect(kernel.memory.buffer.byteLength).toBe(size);
  expect(size % PAGE).toBe(0);
  expect(size).toBeLessThan(16 << 20);
  const at = (what: number) => kernel.address(what);
  const starts = [
    at(ADDRESS.window),
    at(ADDRESS.tape),
    at(ADDRESS.records),
    at(ADDRESS.ascii),
    at(ADDRESS.utf16),
    at(ADDRESS.wide),
    at(ADDRESS.nodes),
  ];
  expect(starts).toEqual(starts.toSorted((a, b) => a - b));
  expect(new Set(starts).size).toBe(starts.length);
  expect(at(ADDRESS.window) + at(ADDRESS.windowSize)).toBeLessThanOrEqual(at(ADDRESS.tape));
  expect(at(ADDRESS.wide)).toBeLessThan(size);
  expect(at(ADDRESS.nodes)).toBeLessThan(size);
});

test("a save passes through the window: memory does not grow with it, and the cursor ends before the footer", () => {
  kernel.setup(1);
  const size = kernel.memory.buffer.byteLength;
  const save = createElephantSync().write(Array.from({ length: 60_000 }, (_, i) => ({ id: i, name: `entity ${i}` })));
  const whole = parse(save);
  expect(whole.statuses.at(-1)).toBe(STATUS_DONE);
  expect(whole.statuses).toContain(STATUS_INPUT);
  expect(whole.position).toBe(save.length - 4);
  expect(kernel.containers()).toBe(60_001);
  expect(kernel.memory.buffer.byteLength).toBe(size);
  expect(parse(save, 4096).position).toBe(whole.position);
});

test("a byte that is no datatype is an error with its place, and the next read is not affected", () => {
  kernel.setup(1);
  const save = createElephantSync().write({ a: 1, b: "x" });
  const wrong = save.slice();
  wrong[8] = 99;
  expect(parse(wrong).statuses.at(-1)).toBe(STATUS_ERROR);
  expect(kernel.position()).toBe(8);
  expect(parse(save).statuses.at(-1)).toBe(STATUS_DONE);
});

test("instances share nothing", () => {
  const other = instantiateSync<Record<string, unknown>>(file, {}).exports as unknown as typeof kernel;
  kernel.setup(1);
  other.setup(2);
  new Uint8Array(kernel.memory.buffer)[kernel.address(ADDRESS.window)] = 7;
  expect(new Uint8Array(other.memory.buffer)[other.address(ADDRESS.window)]).toBe(0);
});
