// The guards against hostile input, with what the caller did not say filled in.
import type { Given } from "../options.ts";
import type { DsLimits } from "./types.ts";

export const DEFAULTS: Readonly<DsLimits> = { maxDepth: 512, maxValues: 112_000_000, maxEmptyColumns: 65_536 };

export function limitsOf(given: Given<DsLimits> = {}): DsLimits {
  const limit = (name: keyof DsLimits) => given[name] ?? DEFAULTS[name];
  return { maxDepth: limit("maxDepth"), maxValues: limit("maxValues"), maxEmptyColumns: limit("maxEmptyColumns") };
}
