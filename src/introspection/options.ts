// The options of reading and writing, and their defaults.

import type { Definitions, IntrospectionDatabase } from "./definitions.ts";
import { fail } from "./failure.ts";
import type { CustomStructure, IntrospectionInstance } from "./instances.ts";
import type { Floats, Mode } from "./notation.ts";

/** Bounds on what one call may take. */
export interface IntrospectionLimits {
  /** Blocks inside each other. Default 512: the format asks for 100, real games stay below 20; it bounds what a hostile text costs. */
  maxDepth: number;
  /**
   * Width and height of a grid. Default 1,000,000: a grid without height has no cells that would bound its columns, so that those of all such
   * grids of a text count together.
   */
  maxGridSide: number;
}

/** Options of `readIntrospection` and `readIntrospectionAll`. */
export interface IntrospectionReadOptions {
  /** `original`: quotes, brackets, `e` and `#` stand for themselves, strings may hold line breaks. Default `superset`. */
  mode?: Mode;
  /**
   * The document is checked against these definitions (errors `undefined-object`, `missing-variable`, `type-mismatch`,
   * `unknown-enum-name`); in original mode they also tell where strings with line breaks end.
   */
  definitions?: Definitions | IntrospectionDatabase;
  limits?: Partial<IntrospectionLimits>;
}

/** Options of the three writers. */
export interface IntrospectionWriteOptions {
  /** Default `superset`, for a document that was read the mode it was read in. */
  mode?: Mode;
  /** Default `fixed`; a document that was read keeps the spelling of its floats unless this is given. */
  floats?: Floats;
  /** The line end; default LF, for a document that was read its own. */
  newline?: "\n" | "\r\n";
  /** What follows the last brace's line; default CR LF (the tutorial's `file_text_writeln`), for a document that was read its own. */
  finalNewline?: string;
  /** The instances that ids in object variables refer to. */
  instances?: InstanceTable;
  /** How custom structures turn into fields, by the structure's name. */
  structures?: Structures;
  limits?: Partial<IntrospectionLimits>;
}

/** Instances by id. */
export type InstanceTable = ReadonlyMap<number | string | bigint, IntrospectionInstance> | Record<string, IntrospectionInstance>;
/** Custom structures by name. */
// biome-ignore lint/suspicious/noExplicitAny: each structure has its own value type
export type Structures = Record<string, CustomStructure<any>>;

export function withDefaults(limits: Partial<IntrospectionLimits> | undefined): IntrospectionLimits {
  return { maxDepth: limits?.maxDepth ?? 512, maxGridSide: limits?.maxGridSide ?? 1_000_000 };
}

const NAMES: readonly string[] = ["maxDepth", "maxGridSide"] satisfies (keyof IntrospectionLimits)[];

/** Error `bad-option` for options that mean nothing. */
export function checkOptions(options: { mode?: Mode; floats?: Floats; limits?: Partial<IntrospectionLimits> }): void {
  if (typeof options !== "object" || options === null) fail("bad-option", "options are an object");
  const { mode, floats, limits } = options;
  if (mode !== undefined && mode !== "superset" && mode !== "original") fail("bad-option", 'mode is "superset" or "original"');
  if (floats !== undefined && floats !== "fixed" && floats !== "exact") fail("bad-option", 'floats is "fixed" or "exact"');
  if (limits === undefined) return;
  if (typeof limits !== "object" || limits === null) fail("bad-option", "limits are an object");
  for (const [name, limit] of Object.entries(limits))
    if (!NAMES.includes(name) || (limit !== undefined && !(typeof limit === "number" && limit >= 0)))
      fail("bad-option", `limits.${name} is not a limit`);
}
