// Programs that do nothing but read or write: what they wait for keeps them alive, what goes wrong is told to them alone, and code is compiled for what they
// have and nothing else. From the built package.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);
const PACKAGE = pathToFileURL(join(fileURLToPath(new URL("../..", import.meta.url)), "dist/elephant.mjs")).href;

/** What a program prints that does this with `codec` and `save()`, the bytes of one. */
async function printed(source: string, flags: string[] = []): Promise<string> {
  const program = `
    import { createReadStream } from "node:fs";
    import { PassThrough, Readable } from "node:stream";
    import { createElephantSync } from ${JSON.stringify(PACKAGE)};
    const codec = createElephantSync();
    const save = () => codec.write({ hp: 7 });
    ${source}`;
  return (await run(process.execPath, [...flags, "--input-type=module", "--eval", program])).stdout;
}

test.each([
  ["a stream of Node", "new PassThrough(); source.write(save())"],
  ["a web stream", "new ReadableStream({ start: (controller) => controller.enqueue(save()) })"],
  ["a generator", "(async function* () { yield save(); await new Promise(() => {}); })()"],
])("%s that stays open behind the save is read, though nothing else is left to do", async (_, source) => {
  expect(await printed(`const source = ${source}; console.log(JSON.stringify(await codec.readAsync(source)));`)).toBe('{"hp":7}\n');
});

test.each([
  ["a file that is not there", 'createReadStream("/nowhere/at/all")', "ENOENT"],
  ["a connection that breaks off", "new PassThrough().destroy(Object.assign(new Error(), { code: 'ECONNRESET' }))", "ECONNRESET"],
])("%s rejects the promise, also before the first bytes are asked for", async (_, source, code) => {
  const read = `await codec.readAsync(${source}, { sliceMs: 0, pause: () => new Promise((done) => setTimeout(done, 30)) })`;
  expect(await printed(`try { ${read}; } catch (error) { console.log(error.code); }`)).toBe(`${code}\n`);
});

test("an array that lies outside of its memory is refused, also by compiled code", async () => {
  // Of a buffer that then gets another size, from byte 4 on.
  const program = `
    const view = (before, after) => {
      const buffer = new ArrayBuffer(before, { maxByteLength: 64 });
      const array = new Uint16Array(buffer, 4);
      buffer.resize(after);
      return array;
    };
    const codes = new Set();
    for (let i = 0; i < 10_000; i++) {
      codec.write({ a: view(6, 9), b: view(12, 4) });
      if (i % 50 > 0) continue;
      try {
        codes.add(JSON.stringify(codec.read(codec.write({ a: view(12, 2) }))));
      } catch (error) {
        codes.add(error.code + " " + error.path);
      }
    }
    console.log(...codes);`;
  expect(await printed(program)).toBe("datatype-not-recognised .a\n");
});

/** What the engine says of code that it drops at a collection, of functions with these names, because nothing is left that it was made for. */
async function dropped(program: string, ...names: string[]): Promise<string[]> {
  const told = await printed(program, ["--expose-gc", "--trace-opt", "--trace-deopt", "--trace-deopt-verbose"]);
  expect(told).toContain("completed optimizing");
  return told
    .split("\n")
    .filter((line) => line.includes("weak objects") && names.some((name) => line.includes(`SharedFunctionInfo ${name}>`)));
}

test("code for structs that their parts know stays when a collection finds none of them left", async () => {
  const program = `
    const node = (depth, parent) => {
      const made = { name: "n" + depth, parent, children: [] };
      if (depth > 0) made.children = Array.from({ length: 5 }, () => node(depth - 1, made));
      return made;
    };
    const tree = codec.write(node(5));
    const read = () => void codec.read(tree);
    for (let i = 0; i < 40; i++) {
      gc();
      read();
    }`;
  expect(await dropped(program, "f")).toEqual([]);
});

test("code for maps stays where nothing else is written", async () => {
  const program = `
    const map = Object.fromEntries(Array.from({ length: 20000 }, (_, i) => ["flag_" + i, i % 2 === 0]));
    for (let i = 0; i < 20; i++) {
      gc();
      codec.write(map);
    }`;
  expect(await dropped(program, "siteOf", "resume")).toEqual([]);
});
