// The guards against hostile input, with what the caller did not say filled in.
import type { DsLimits } from "./types.ts";

export const DEFAULTS: Readonly<DsLimits> = { maxDepth: 512, maxValues: 134_000_000, maxEmptyColumns: 65_536 };

/** The kernel counts in 32 bits; `Infinity` is as good as this. */
const MOST = 0xffffffff;

export function limitsOf(given: Partial<DsLimits> = {}): DsLimits {
  const limit = (name: keyof DsLimits) => Math.min(given[name] ?? DEFAULTS[name], MOST);
  return { maxDepth: limit("maxDepth"), maxValues: limit("maxValues"), maxEmptyColumns: limit("maxEmptyColumns") };
}
