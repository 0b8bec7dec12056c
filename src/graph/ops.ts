// The operations of the op stream of reads: the mirror of `assembly/elephant/ops.ts`; a test compares the two files.
//
// It is a tape of 8-byte slots. A slot that holds a value is a double as it is, or a box: a NaN whose upper 32 bits
// are one of the BOX_ tags and whose lower 32 bits are the payload. Numbers never collide with boxes, because NaNs are
// canonical on the tape. The first slot of an operation holds `operation | flags << 6 | argument << 8` and a second word.

// ---- boxes (upper half of a slot; payload in the lower half) ----
export const BOX_MIN = 0x7ff90000;
/** Index into the value table: 0 undefined, 1 false, 2 true, then strings, bigints, scalars. */
export const BOX_TABLE = 0x7ff90000;
/** A container that was delivered to this index of the child list. */
export const BOX_CHILD = 0x7ffa0000;
/** A container by its reference number. */
export const BOX_REFERENCE = 0x7ffb0000;
/** An int32, where a field has held other things than numbers. */
export const BOX_INT = 0x7ffc0000;
/** In rows of layouts: a layout's number, and from bit 24 on how many rows of it follow, whose structs belong there. */
export const BOX_ROWS = 0x7ffd0000;

// ---- kinds a field has had (bits) ----
export const KIND_INT = 1;
export const KIND_NUMBER = 2;
export const KIND_TABLE = 4;
export const KIND_CHILD = 8;
export const KIND_REFERENCE = 16;

// ---- reading: the kernel emits, the shim builds ----
/** Flag: append to the open array; otherwise deliver to the child list at the index in the second slot. */
export const TO_ARRAY = 1;
/** Flag: the object exists already, under its reference number. */
export const EXISTING = 2;

/** Rows of one shape: argument shape, word number of the first; second slot: child index, rows; then the rows' slots. */
export const STRUCT = 1;
/** One struct by names: word number; second slot: child index, members; then (name index, value) pairs. */
export const STRUCT_PAIRS = 2;
/** Make the plain struct of this number now, because something inside refers to it. */
export const MATERIALISE = 3;
/** New instance: argument constructor, word number; second slot: child index, version byte. */
export const OPEN_INSTANCE = 4;
/** The newest open instance gets its members: argument shape; second slot: child index, 1; then the slots. */
export const CLOSE_INSTANCE = 5;
/** As CLOSE_INSTANCE by names: second slot: child index, members; then pairs. */
export const CLOSE_INSTANCE_PAIRS = 6;
/** Array that fills up by the following operations: argument length, word number; second slot: child index, how many elements follow as value slots. */
export const OPEN_ARRAY = 7;
export const CLOSE_ARRAY = 8;
/** Elements for the open array: second slot: nothing, how many; then value slots / doubles / int32, two in a slot. */
export const ELEMENTS = 9;
export const ELEMENTS_F64 = 10;
export const ELEMENTS_I32 = 11;
/** A whole array: argument length, word number; second slot: child index; then value slots / doubles / int32, two in a slot / table entries / nothing. */
export const ARRAY = 14;
export const ARRAY_F64 = 15;
export const ARRAY_I32 = 16;
export const ARRAY_TABLE = 17;
export const ARRAY_UNDEFINED = 18;
/** A numeric array left in the input: argument length, word number; second slot: child index, datatype; third: offset as a double. */
export const ARRAY_TYPED = 19;
/** Elements for the open array, by kind: argument count, word table entries; second slot: int32, doubles. (entry, place), (int32, place), doubles, places. */
export const ELEMENTS_KINDS = 25;
/** Table entries that outlive their chunk: argument count; then (from, to) pairs. */
export const HOLD = 21;
/** As ARRAY_TYPED, to become a plain array; of bools, too. */
export const ARRAY_NUMBERS = 23;
/** Rows of one layout: argument its number, word number of the first container; second slot: child index, rows; then the rows. */
export const LAYOUT = 22;
/** The root is a scalar: one value slot follows. */
export const ROOT_SCALAR = 20;

// ---- what a member is in a layout ----
/** A plain struct; its members follow. */
export const LAYOUT_STRUCT = 1;
/** An instance; its members follow. */
export const LAYOUT_INSTANCE = 2;
/** A value of fixed length, among bytes of the input that stand in the row. */
export const LAYOUT_FIXED = 3;
/** A table entry. */
export const LAYOUT_TABLE = 4;
/** Any value slot. */
export const LAYOUT_ANY = 5;
/** A slot with the length and what the elements behind it are: 0 nothing, 1 int32, 2 doubles, 3 table entries, 4 value slots. */
export const LAYOUT_ARRAY = 6;
/** Undefined: no slot. */
export const LAYOUT_NOTHING = 7;
/** An array of structs: a slot with the length, then a row for each; what they are follows, as their root and its members. */
export const LAYOUT_ROWS = 8;
/** An array of structs that have layouts of their own: a slot with the length, then BOX_ROWS and the rows for each run of one layout. */
export const LAYOUT_VARIED = 9;
/** A struct that has a layout of its own, or any other value: a value slot, or BOX_ROWS and the row. */
export const LAYOUT_HELD = 10;

// ---- string records: (table index, place << 3 | where): texts by their ends, each behind the one before; the others by where they begin ----
export const IN_ASCII = 0;
export const IN_UTF16 = 1;
export const IN_WIDE = 2;
export const IN_SCALAR = 3;
/** JavaScript puts it into the table itself. */
export const IN_JAVASCRIPT = 7;

// ---- what a reading step returns ----
export const STATUS_INPUT = 0;
export const STATUS_FLUSH = 1;
export const STATUS_DONE = 2;
export const STATUS_CONSTRUCTOR = 3;
export const STATUS_SCHEMA = 4;
export const STATUS_LONG_STRING = 5;
export const STATUS_ERROR = 6;
/** JavaScript is to read the containers at the cursor, and what they hold (src/elephant/read/nested.ts). */
export const STATUS_NESTED = 7;

// ---- errors of the kernel ----
export const ERROR_UNKNOWN_DATATYPE = 1;
export const ERROR_BAD_REFERENCE = 2;
export const ERROR_BAD_SKIP_INDEX = 3;
export const ERROR_DEPTH = 4;
export const ERROR_ELEMENTS = 5;
export const ERROR_MEMORY = 6;
