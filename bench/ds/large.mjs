// A structure of more text than a JavaScript string holds: 600 million digits and more as bytes, and the kernel's memory beside it.
// Usage: node bench/ds/large.mjs [megabytes=600]
import assert from "node:assert";
import { readDs, writeDs, writeDsBytes } from "./codec.mjs";

const megabytes = Number(process.argv[2] ?? 600);
const count = Math.ceil((megabytes * 1e6) / 24 / 2);
const text = "0123456789abcdef".repeat(Math.ceil((megabytes * 1e6) / 4 / 16));
const structure = { kind: "list", generation: 3, items: [text, ...Array.from({ length: count }, (_, i) => i / 8)] };

const time = (title, work) => {
  const start = performance.now();
  const result = work();
  console.log(`${title}: ${((performance.now() - start) / 1000).toFixed(2)} s`);
  return result;
};
const bytes = time("write", () => writeDsBytes(structure));
console.log(`${bytes.length} digits`);
if (bytes.length > 536_870_888) assert.throws(() => writeDs(structure), { code: "too-long" });
const read = time("read", () => readDs(bytes));
assert.ok(read.items.length === count + 1 && read.items[0] === text);
for (let i = 0; i < count; i++) if (read.items[i + 1] !== i / 8) throw new Error(`item ${i}`);
console.log(`memory: ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB in all`);
