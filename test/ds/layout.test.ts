// The numbers of the kernel's memory stand on both sides of the boundary; these tests compare them.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as layout from "../../src/ds/layout.ts";

const source = readFileSync(new URL("../../assembly/ds/layout.ts", import.meta.url), "utf8");
const kernelNumbers = new Map(
  [...source.matchAll(/^export const (\w+): u32 = (0x[0-9a-f]+|\d+);$/gm)].map(([, name, value]) => [name, Number(value)]),
);

test("every number of the shim is that of the kernel", () => {
  // Of the codes and layouts of the format the kernel has only those that it needs.
  const shared = Object.entries(layout).filter(
    ([name, value]) => typeof value === "number" && (kernelNumbers.has(name) || !/^(TYPE|LAYOUT)_/.test(name)),
  );
  expect(shared.length).toBeGreaterThan(20);
  for (const [name, value] of shared) expect([name, value]).toEqual([name, kernelNumbers.get(name)]);
});
