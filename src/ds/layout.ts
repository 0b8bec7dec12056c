// The numbers that the kernel and the shim share (`assembly/ds/layout.ts` explains them, `test/ds/layout.test.ts` compares the two), and those of the
// format.
import { DS_NESTED_LIST, DS_NESTED_MAP, DS_STRUCT, type DsMark } from "./types.ts";

export const WINDOW_BYTES = 32768;
export const LONG_STRING = 8192;

export const TAKEN = 1984;
export const STRINGS = 20480;
export const CHARS = 45056;
export const BYTES = 114688;
export const ASCII = 159744;
export const UNITS = 204800;

export const KIND_ASCII = 0;
export const KIND_UTF16 = 1;
export const KIND_CESU = 2;
export const KIND_RAW = 3;
export const KIND_REPEAT = 4;

// Type codes (formats/ds.md §3).
export const TYPE_REAL = 0;
export const TYPE_STRING = 1;
export const TYPE_ARRAY = 2;
export const TYPE_POINTER = 3;
export const TYPE_UNDEFINED = 5;
export const TYPE_STRUCT = 6;
export const TYPE_INT32 = 7;
export const TYPE_INT64 = 10;
export const TYPE_BOOL = 13;
export const TYPE_NESTED_LIST = 0x40000000;
export const TYPE_NESTED_MAP = 0x80000000;

// Value layouts (formats/ds.md §3, §4 and §6): the generation's number, but for the older form of generation 1.
export const LAYOUT_LEGACY = 0;
export const LAYOUT_COMPACT = 1;
export const LAYOUT_ROWS = 2;

/** Values without payload, by type code. */
export const BARE_VALUES: ReadonlyMap<number, DsMark | undefined> = new Map([
  [TYPE_UNDEFINED, undefined],
  [TYPE_STRUCT, DS_STRUCT],
  [TYPE_NESTED_LIST, DS_NESTED_LIST],
  [TYPE_NESTED_MAP, DS_NESTED_MAP],
]);

/** The structure that a magic number names: the digit of its hundreds, from 1 (formats/ds.md §2). */
export const KINDS = ["stack", "queue", "list", "map", "priority", "grid"] as const;
