// The text that holds a kernel in the package.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { unpackBytes } from "../../src/engine/packed-bytes.ts";
import { ROOT } from "./installed.ts";

const { packBytes } = (await import(join(ROOT, "scripts/pack-bytes.mjs"))) as { packBytes(bytes: Uint8Array): string };

test("every byte comes back, and those around it", () => {
  const all = Uint8Array.from({ length: 512 }, (_, i) => (i % 2 === 0 ? i / 2 : 255 - i / 2));
  expect(unpackBytes(packBytes(all))).toEqual(all);
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(unpackBytes(packBytes(bytes))).toEqual(bytes);
    }),
  );
});

test("the text is harmless in strings, templates and pages", () => {
  expect(packBytes(Uint8Array.from({ length: 256 }, (_, i) => i))).toMatch(/^[ !%()*+,\-./0-9:;=>?@A-Z[\]^_a-z{|}~]+$/);
});

test.each(["elephant", "ds", "enigma"])("the package holds the kernel of %s", async (name) => {
  const { packedWasm } = (await import(join(ROOT, `src/engine/generated/${name}-wasm.ts`))) as { packedWasm: string };
  expect(unpackBytes(packedWasm)).toEqual(new Uint8Array(readFileSync(join(ROOT, `build/${name}.wasm`))));
});
