// The numbers that the kernel and the shim share; `assembly/ds/layout.ts` explains them and `test/ds/tape.test.ts` compares the two.
import { DS_NESTED_LIST, DS_NESTED_MAP, DS_STRUCT, type DsMark } from "./types.ts";

export const WINDOW_CHARS = 65536;
export const WRITE_SLOTS = 4096;
export const WRITE_ASCII = 32768;
export const WRITE_UNITS = 8192;

export const STATE_SLOTS = 0;
export const STATE_ASCII = 1;
export const STATE_UNITS = 2;
export const STATE_POSITION = 3;
export const STATE_END = 4;
export const STATE_ERROR_OFFSET = 5;
export const STATE_ERROR_FOUND = 6;
export const STATE_REPEATS = 7;

/** Upper half of a boxed slot: `BOX | kind`, as a signed number. */
export const BOX = 0xfff80000 | 0;

export const KIND_ASCII = 1;
export const KIND_UTF16 = 2;
export const KIND_CESU = 3;
export const KIND_RAW = 4;
export const KIND_LONG = 5;
export const KIND_REPEAT = 6;
export const KIND_ARRAY = 7;
export const KIND_ROWS = 8;
export const KIND_BARE = 9;
export const KIND_INT32 = 10;
export const KIND_EIGHT = 11;
export const KIND_BOOL = 12;
export const KIND_WORD = 13;

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

export const LAYOUT_LEGACY = 0;
export const LAYOUT_COMPACT = 1;
export const LAYOUT_ROWS = 2;
export const LAYOUT_NESTED = 3;

export const MORE = 0;
export const DONE = 1;
export const LONG = 2;
export const ERROR_TRUNCATED = 3;
export const ERROR_COUNT = 4;
export const ERROR_UNKNOWN_TYPE = 5;
export const ERROR_DEPTH = 6;
export const ERROR_LEGACY_REAL = 7;
export const ERROR_VALUES = 8;

/** Values without payload, by type code. */
export const BARE_VALUES: ReadonlyMap<number, DsMark | undefined> = new Map([
  [TYPE_UNDEFINED, undefined],
  [TYPE_STRUCT, DS_STRUCT],
  [TYPE_NESTED_LIST, DS_NESTED_LIST],
  [TYPE_NESTED_MAP, DS_NESTED_MAP],
]);

/** The structure that a magic number names: the digit of its hundreds, from 1 (formats/ds.md §2). */
export const KINDS = ["stack", "queue", "list", "map", "priority", "grid"] as const;
