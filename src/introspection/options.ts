// The options of reading and writing, and their defaults.

import type { ErrorPlace } from "../errors.ts";
import { checkFormatOptions, type Given, type Words } from "../options.ts";
import type { Definitions, IntrospectionDatabase } from "./definitions.ts";
import { fail } from "./failure.ts";
import type { CustomStructure, IntrospectionInstance } from "./instances.ts";
import { MOST_ELEMENTS } from "./lines.ts";
import type { Floats, Mode } from "./notation.ts";

/** Bounds on what one call may take. */
export interface IntrospectionLimits {
  /** Blocks inside each other. Default 512: the format asks for 100, real games stay below 20; it bounds what a hostile text costs. Error `depth-limit`. */
  maxDepth: number;
  /**
   * Width and height of a grid. Default 1,000,000: a grid without height has no cells that would bound its columns, so that those of all such
   * grids of a text count together. At most 134,000,000: engines hold no more. Error `size-limit`.
   */
  maxGridSide: number;
}

/** Those of one call. */
export interface CallLimits extends IntrospectionLimits {
  /** Instances and structures that have been visited; of a document, all blocks. */
  visited: number;
}

/** Of one walk over values or a document. */
export interface WalkOptions {
  instances: InstanceTable | undefined;
  structures: Structures | undefined;
  limits: CallLimits;
}

/** Options of `readIntrospection` and `readIntrospectionAll`. */
export interface IntrospectionReadOptions {
  /** `original`: quotes, brackets, `e` and `#` stand for themselves, strings may hold line breaks. Default `superset`. */
  mode?: Mode | undefined;
  /**
   * The document is checked against these definitions (errors `undefined-object`, `missing-variable`, `type-mismatch`,
   * `unknown-enum-name`); in original mode they also tell where strings with line breaks end.
   */
  definitions?: Definitions | IntrospectionDatabase | undefined;
  /** Those that are not given have their defaults. */
  limits?: Given<IntrospectionLimits> | undefined;
}

/** Options of the three writers. */
export interface IntrospectionWriteOptions {
  /** Default `superset`, for a document that was read the mode it was read in, for several that of the first. */
  mode?: Mode | undefined;
  /**
   * Default `fixed`, for a document that was read with a float that five decimals do not hold `exact`. One that was read keeps the spelling of its
   * floats unless this is given. Floats of an instance have five decimals in original mode, whatever this is.
   */
  floats?: Floats | undefined;
  /** The line end; default LF, for a document that was read its own. */
  newline?: "\n" | "\r\n" | undefined;
  /**
   * What follows the last brace's line; default CR LF (the tutorial's `file_text_writeln`), for a document that was read its own, unless `newline` is
   * given.
   */
  finalNewline?: "" | "\n" | "\r\n" | undefined;
  /**
   * The instances that ids in object variables refer to. An id that it lacks is written as noone; without a table it is `type-mismatch`, in original
   * mode an object that is not defined.
   */
  instances?: InstanceTable | undefined;
  /** How custom structures turn into fields, by the structure's name. */
  structures?: Structures | undefined;
  /** Those that are not given have their defaults. */
  limits?: Given<IntrospectionLimits> | undefined;
}

/** Instances by id; null for noone. */
export type InstanceTable =
  | ReadonlyMap<number | string | bigint, IntrospectionInstance | null>
  | Record<string, IntrospectionInstance | null>;
/** Custom structures by name. */
// biome-ignore lint/suspicious/noExplicitAny: each structure has its own value type
export type Structures = Record<string, CustomStructure<any>>;

const DEFAULTS: IntrospectionLimits = { maxDepth: 512, maxGridSide: 1_000_000 };

const WORDS: Words = {
  mode: ["superset", "original"],
  floats: ["fixed", "exact"],
  newline: ["\n", "\r\n"],
  finalNewline: ["", "\n", "\r\n"],
};

export function withDefaults({
  maxDepth = DEFAULTS.maxDepth,
  maxGridSide = DEFAULTS.maxGridSide,
}: Given<IntrospectionLimits> = {}): CallLimits {
  return { maxDepth, maxGridSide: Math.min(maxGridSide, MOST_ELEMENTS), visited: 0 };
}

/** What walks need of the options: one by one, as they may be inherited, which a spread loses. */
export function walkOptions({ instances, structures, limits }: IntrospectionWriteOptions): WalkOptions {
  return { instances, structures, limits: withDefaults(limits) };
}

/** Counts a grid of a text. Error `size-limit` for one beyond the limits. */
export function countGrid(
  counted: { emptyColumns: number },
  { width, height }: { width: number; height: number },
  { maxGridSide }: IntrospectionLimits,
  place: ErrorPlace,
): void {
  if (height === 0) counted.emptyColumns += width;
  if (Math.max(width, height, counted.emptyColumns) > maxGridSide) fail("size-limit", `grids wider or higher than ${maxGridSide}`, place);
}

/** Error `bad-option` for options that mean nothing. */
export function checkOptions(options: IntrospectionReadOptions & IntrospectionWriteOptions): void {
  checkFormatOptions("introspection", options, WORDS, DEFAULTS);
  for (const name of ["instances", "structures"] as const) {
    const table = options[name];
    if (table !== undefined && Object(table) !== table) fail("bad-option", `${name} are an object`);
  }
}
