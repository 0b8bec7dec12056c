// The numbers of the tape stand on both sides of the boundary; these tests compare them.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as tape from "../../src/ds/tape.ts";

const layout = readFileSync(new URL("../../assembly/ds/layout.ts", import.meta.url), "utf8");
const kernelNumbers = new Map(
  [...layout.matchAll(/^export const (\w+): u32 = (0x[0-9a-f]+|\d+);$/gm)].map(([, name, value]) => [name, Number(value)]),
);

test("every number of the shim is that of the kernel", () => {
  const shared = Object.entries(tape).filter((entry): entry is [string, number] => typeof entry[1] === "number");
  expect(shared.length).toBeGreaterThan(45);
  for (const [name, value] of shared) expect([name, value >>> 0]).toEqual([name, kernelNumbers.get(name)]);
});
