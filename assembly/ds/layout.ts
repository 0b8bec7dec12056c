// Where everything lies in the kernel's memory, and the words of the tape. `src/ds/tape.ts` mirrors the numbers that both sides use;
// `test/ds/tape.test.ts` compares the two.
//
// One instance reads or writes, never both at once, so the two directions share the same space.

/** Hex characters of one reading window. 64 KB keeps window, bytes, tape and strings of a step in the second-level cache. */
export const WINDOW_CHARS: u32 = 65536;
/** A string with more bytes than this does not go through the blobs: the shim takes its bytes as they come. */
export const LONG_STRING: u32 = 8192;
/** Bytes of one window, and in front of them the value that the window before cut in two. */
export const BYTES_CAPACITY: u32 = WINDOW_CHARS / 2 + LONG_STRING + 64;

/** Slots of the writing tape, and the strings that may stand behind them. */
export const WRITE_SLOTS: u32 = 4096;
export const WRITE_ASCII: u32 = 32768;
export const WRITE_UNITS: u32 = 8192;
/** A slot gives at most 16 bytes (a legacy value), a UTF-16 unit at most 3. */
export const WRITE_BYTES: u32 = WRITE_SLOTS * 16 + WRITE_ASCII + WRITE_UNITS * 3;

/** Slack behind every region: vector loops run over the end by less than this. */
const SLACK: u32 = 64;

/**
 * Where the regions begin. A number instead of `__heap_base`, so that all addresses are constants of the code; the kernel has no
 * static data, and `prepare` looks that it stays so.
 */
export const BASE: usize = 1024;

/** Words that both sides read: see the `STATE_` indexes. */
export const STATE: usize = BASE;
export const STATE_SLOTS: u32 = 0;
export const STATE_ASCII: u32 = 1;
export const STATE_UNITS: u32 = 2;
export const STATE_POSITION: u32 = 3;
export const STATE_END: u32 = 4;
export const STATE_ERROR_OFFSET: u32 = 5;
export const STATE_ERROR_FOUND: u32 = 6;
export const STATE_REPEATS: u32 = 7;

/** Translation tables of the build without SIMD: a digit for each character, two characters for each byte. */
export const DIGITS: usize = STATE + 64;
export const PAIRS: usize = DIGITS + 256;
/** Strings seen in this window, to give a repeated one out once. */
export const INTERN: usize = PAIRS + 512;
export const INTERN_SLOTS: u32 = 512;
export const INTERN_BYTES: u32 = 32;

export const REGIONS: usize = INTERN + INTERN_SLOTS * INTERN_BYTES;

/** Reading: characters in, bytes, tape, text of ASCII strings, text of all others in UTF-16. */
export const READ_CHARS: usize = REGIONS;
export const READ_BYTES: usize = READ_CHARS + WINDOW_CHARS + SLACK;
export const READ_TAPE: usize = (READ_BYTES + BYTES_CAPACITY + SLACK + 15) & ~15;
export const READ_ASCII: usize = READ_TAPE + BYTES_CAPACITY * 2 + SLACK;
export const READ_UNITS: usize = (READ_ASCII + BYTES_CAPACITY + SLACK + 15) & ~15;
const READ_LIMIT: usize = READ_UNITS + BYTES_CAPACITY * 2 + SLACK;

/** Writing: tape, text of ASCII strings, text of all others in UTF-16, bytes, characters out. */
export const WRITE_TAPE: usize = (REGIONS + 15) & ~15;
export const WRITE_ASCII_TEXT: usize = WRITE_TAPE + WRITE_SLOTS * 8 + SLACK;
export const WRITE_UNIT_TEXT: usize = (WRITE_ASCII_TEXT + WRITE_ASCII + SLACK + 15) & ~15;
export const WRITE_BINARY: usize = (WRITE_UNIT_TEXT + WRITE_UNITS * 2 + SLACK + 15) & ~15;
export const WRITE_CHARS: usize = WRITE_BINARY + WRITE_BYTES + SLACK;
const WRITE_LIMIT: usize = WRITE_CHARS + WRITE_BYTES * 2 + SLACK;

/** The stack of open arrays is last, because it alone may grow. */
export const STACK: usize = ((READ_LIMIT > WRITE_LIMIT ? READ_LIMIT : WRITE_LIMIT) + 15) & ~15;

// A slot of either tape is 8 bytes: a double as it is, or a box. A box is a negative quiet NaN, which no double on the tape is
// (a real NaN is boxed too): the upper half is BOX | kind, the lower half the payload.
export const BOX: u32 = 0xfff80000;

/** An ASCII string; payload: where it ends in the ASCII text. It begins where the last one ended. */
export const KIND_ASCII: u32 = 1;
/** A string of valid UTF-8; payload: where it ends in the UTF-16 text. */
export const KIND_UTF16: u32 = 2;
/** The same for CESU-8. */
export const KIND_CESU: u32 = 3;
/** A string that is neither; payload: its offset in the bytes region; its length is the lower half of the slot after it. */
export const KIND_RAW: u32 = 4;
/** A string of more than LONG_STRING bytes; payload: its length. The tape ends here and its bytes follow in the input. */
export const KIND_LONG: u32 = 5;
/** The ASCII string with the number of the payload once more (reading). */
export const KIND_REPEAT: u32 = 6;
/** An array; payload: number of values. */
export const KIND_ARRAY: u32 = 7;
/** An array of rows; payload: number of rows, each of which follows as an array. */
export const KIND_ROWS: u32 = 8;
/** A value without payload; payload: its type code. */
export const KIND_BARE: u32 = 9;
/** An int32. */
export const KIND_INT32: u32 = 10;
/** Eight payload bytes in the slot that follows; payload: the type code (real with NaN bits, pointer, int64, bool with other bits). */
export const KIND_EIGHT: u32 = 11;
/** A bool; payload: 0 or 1. */
export const KIND_BOOL: u32 = 12;
/** Writing: the payload itself, four bytes. */
export const KIND_WORD: u32 = 13;

// Type codes (formats/ds.md §3).
export const TYPE_REAL: u32 = 0;
export const TYPE_STRING: u32 = 1;
export const TYPE_ARRAY: u32 = 2;
export const TYPE_POINTER: u32 = 3;
export const TYPE_UNDEFINED: u32 = 5;
export const TYPE_STRUCT: u32 = 6;
export const TYPE_INT32: u32 = 7;
export const TYPE_INT64: u32 = 10;
export const TYPE_BOOL: u32 = 13;
export const TYPE_NESTED_LIST: u32 = 0x40000000;
export const TYPE_NESTED_MAP: u32 = 0x80000000;

/** Value layouts (formats/ds.md §3, §4 and §6). */
export const LAYOUT_LEGACY: u32 = 0;
export const LAYOUT_COMPACT: u32 = 1;
export const LAYOUT_ROWS: u32 = 2;
export const LAYOUT_NESTED: u32 = 3;

/** What `parse` says. */
export const MORE: u32 = 0;
export const DONE: u32 = 1;
export const LONG: u32 = 2;
export const ERROR_TRUNCATED: u32 = 3;
export const ERROR_COUNT: u32 = 4;
export const ERROR_UNKNOWN_TYPE: u32 = 5;
export const ERROR_DEPTH: u32 = 6;
export const ERROR_LEGACY_REAL: u32 = 7;
export const ERROR_VALUES: u32 = 8;
