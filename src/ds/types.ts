// What a `ds_*` string means, as JavaScript values. Everything is plain data: it can be logged, compared, copied by structuredClone and
// posted to a worker.
import type { Given } from "../options.ts";

/** The six data structures of GameMaker. */
export type DsKind = "map" | "list" | "stack" | "queue" | "priority" | "grid";

/** The last digit of the magic number (formats/ds.md §2). Current runtimes write 3 and read 2 and 3. */
export type DsGeneration = 1 | 2 | 3;

/**
 * A string that is stored as CESU-8: each character above U+FFFF as two sequences of three bytes, as the browser runtime writes
 * them. A plain string is stored as UTF-8.
 */
export interface DsText {
  type: "string";
  text: string;
  encoding: "cesu8";
}

/** A string whose bytes are neither UTF-8 nor CESU-8 (old games wrote the system code page). */
export interface DsBytes {
  type: "bytes";
  bytes: Uint8Array;
}

/** Generation 2 only: an array of rows whose number is not one. A single row is a plain array (formats/ds.md §4). */
export interface DsRows {
  type: "rows";
  rows: DsValue[][];
}

/** A 32-bit integer; only native runtimes write it. */
export interface DsInt32 {
  type: "int32";
  value: number;
}

/** A pointer; only native runtimes write it. 64 bits, unsigned. */
export interface DsPointer {
  type: "pointer";
  address: bigint;
}

/** A real that is not a number and whose 64 bits are not JavaScript's own `7FF8000000000000`; a plain `NaN` has those. */
export interface DsNaN {
  type: "nan";
  bits: bigint;
}

/** A bool stored as another double than 1.0 or 0.0; read only with `bools: "exact"`, and in what `nested` opens. */
export interface DsBool {
  type: "bool";
  bits: bigint;
}

/** A type code without payload: a struct that the runtime could not write, or the mark of a nested list or map. */
export interface DsMark {
  readonly type: "struct" | "nested-list" | "nested-map";
}

/**
 * One value.
 *
 * | JavaScript | stored as |
 * | --- | --- |
 * | number | real |
 * | string | string, UTF-8 |
 * | boolean | bool |
 * | undefined | undefined |
 * | bigint | int64, signed |
 * | array | array, to any depth within `limits.maxDepth` |
 * | `{ type: ... }` | what has no JavaScript form of its own |
 * | a structure (`{ kind: ... }`) | the structure's own string; comes out of `readDs` only with `nested: true` |
 */
export type DsValue =
  | number
  | string
  | boolean
  | undefined
  | bigint
  | DsValue[]
  | DsText
  | DsBytes
  | DsRows
  | DsInt32
  | DsPointer
  | DsNaN
  | DsBool
  | DsMark
  | DsStructure;

interface DsHeader {
  /** Which form it was read from, and by default the form it is written in. Default 3. */
  generation?: DsGeneration | undefined;
  /** Generation 1 only: the values have the legacy form of GameMaker 8 (formats/ds.md §6). */
  legacy?: boolean | undefined;
}

/** `entries` in stored order. Keys are values of any type; `"1"` and `1` are two keys; equal keys are kept. */
export interface DsMap extends DsHeader {
  kind: "map";
  entries: [key: DsValue, value: DsValue][];
}

/** `items` in list order; of a stack the bottom first, the top last. */
export interface DsList extends DsHeader {
  kind: "list" | "stack";
  items: DsValue[];
}

/**
 * `items`: the contents, first out first. Native runtimes write the whole store behind a queue; then `slots` is that store and `items`
 * what lies from `head` up to (not including) `tail`. They are absent when the string holds the contents alone. When it is written,
 * `items` gives the contents and `slots` only what lies outside them; delete the three to write the contents alone.
 */
export interface DsQueue extends DsHeader {
  kind: "queue";
  items: DsValue[];
  head?: number | undefined;
  tail?: number | undefined;
  slots?: DsValue[] | undefined;
}

/** `items` in stored order (the browser runtime writes ascending priority). */
export interface DsPriority extends DsHeader {
  kind: "priority";
  items: { priority: DsValue; value: DsValue }[];
}

/** Cell (x, y) is `columns[x][y]`; there are `width` columns of `height` cells. */
export interface DsGrid extends DsHeader {
  kind: "grid";
  width: number;
  height: number;
  columns: DsValue[][];
}

/** One of the six structures, told apart by `kind`. */
export type DsStructure = DsMap | DsList | DsQueue | DsPriority | DsGrid;

/** The value of a bare struct code. */
export const DS_STRUCT: DsMark = Object.freeze({ type: "struct" });
/** The bare mark of a nested list (native runtimes, generation 2). */
export const DS_NESTED_LIST: DsMark = Object.freeze({ type: "nested-list" });
/** The bare mark of a nested map (native runtimes, generation 2). */
export const DS_NESTED_MAP: DsMark = Object.freeze({ type: "nested-map" });

/** Guards against hostile input. */
export interface DsLimits {
  /** Arrays inside arrays, read or written; default 512 (formats/ds.md §8). Neither side recurses, so a high limit costs memory only. Error `depth`. */
  maxDepth: number;
  /** Values in one string that is read; default 112,000,000: where an array grows beyond 112,813,858, V8 ends the process. Error `count`. */
  maxValues: number;
  /**
   * Columns of a grid without rows that is read, the one count that no data stands behind; default 65,536. With `nested`, of all that are opened,
   * or may be, together; what a queue has in `items` and the same in `slots` counts once. Error `count`.
   */
  maxEmptyColumns: number;
}

/** Options of reading and writing alike. */
export interface DsEngineOptions {
  /** Default `"auto"`: wasm, or js where WebAssembly is refused (a page with `script-src 'self'`). */
  engine?: "auto" | "wasm" | "js" | undefined;
  /** Those that are not given have their defaults. */
  limits?: Given<DsLimits> | undefined;
}

/** Options of `readDs`. */
export interface ReadDsOptions extends DsEngineOptions {
  /** Refuse every other structure with `bad-magic`. */
  kind?: DsKind | undefined;
  /**
   * How to read generation 1: `true` with legacy values, `false` with compact ones, `"auto"` (default) whichever uses the input
   * exactly. Generations 2 and 3 are not affected.
   */
  legacy?: boolean | "auto" | undefined;
  /** `"exact"` (default): a CESU-8 string comes out as {@link DsText}. `"text"`: as a plain string, which is written as UTF-8. */
  strings?: "exact" | "text" | undefined;
  /** `"plain"` (default): a bool is a boolean, which is written as 1.0 or 0.0. `"exact"`: other doubles come out as {@link DsBool}. */
  bools?: "plain" | "exact" | undefined;
  /**
   * Open strings that are structures themselves (default false): see {@link DsValue}. Only those that would be written the same again, so that `strings` and
   * `bools` are `"exact"` inside.
   */
  nested?: boolean | undefined;
}

/** Options of `writeDs` and `writeDsBytes`. */
export interface WriteDsOptions extends DsEngineOptions {
  /** Default: the structure's own, or 3. Values that it cannot hold are refused with `unsupported-value`. */
  generation?: DsGeneration | undefined;
  /** Generation 1 with legacy values; default: the structure's own, or false. */
  legacy?: boolean | undefined;
  /** How plain strings with characters above U+FFFF are stored: `"utf8"` (default), or `"cesu8"` for the browser runtime. */
  astral?: "utf8" | "cesu8" | undefined;
}
