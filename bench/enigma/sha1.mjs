// SHA-1: the kernel (wasm and translated JavaScript) against the platform's, at 1 KB and at 10 MB.
//   node bench/enigma/sha1.mjs
import assert from "node:assert";
import { source } from "./sources.mjs";
import { interleaved, report } from "./timing.mjs";

const { kernelSha1 } = await source("kernel/sha1.ts");
const { platformSha1 } = await source("platform-sha1.ts");
const { SessionLease } = await source("kernel/session.ts");
const wasm = new SessionLease("wasm").session;
const js = new SessionLease("js").session;

for (const [title, size, times, rounds] of [
  ["1 KB (200 digests at a time)", 1024, 200, 101],
  ["10 MB", 10 * 2 ** 20, 1, 21],
]) {
  const bytes = Uint8Array.from({ length: size }, (_, i) => (i * 2654435761) >>> 13);
  for (const session of [wasm, js]) assert.deepStrictEqual([...kernelSha1(session, bytes)], [...platformSha1(bytes)]);
  const repeat = (work) => () => {
    for (let i = 0; i < times; i++) work(bytes);
  };
  const medians = interleaved(
    {
      "platform (node:crypto)": repeat(platformSha1),
      "kernel wasm": repeat((b) => kernelSha1(wasm, b)),
      "kernel js": repeat((b) => kernelSha1(js, b)),
    },
    rounds,
  );
  report(title, medians, size * times, "platform (node:crypto)");
}
