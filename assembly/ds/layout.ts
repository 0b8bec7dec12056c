// Where everything lies in the kernel's memory, and the numbers that both sides use. `src/ds/layout.ts` mirrors them; `test/ds/layout.test.ts`
// compares the two.

/** Bytes of one window, of which each is two characters. 32 KB keeps characters, bytes and strings of a step in the second-level cache. */
export const WINDOW_BYTES: u32 = 32768;
/** A string with more bytes than this does not go through the kernel: the shim takes its bytes as they come. */
export const LONG_STRING: u32 = 8192;

// The regions. Addresses are numbers, so that both sides have them as constants of their code; the kernel has no static data, and `prepare` looks
// that it stays so. The memory has five pages (`asconfig.json`). Between two regions are at least 64 bytes, because vector loops run over the end.

/** Translation tables of the build without SIMD: a digit for each character, two characters for each byte. */
export const DIGITS: u32 = 1024;
export const PAIRS: u32 = 1280;
/** Bytes of ASCII text, then units of UTF-16 text, of the strings that were taken, then how many are repeats. */
export const TAKEN: u32 = 1984;
/** Strings seen, to give a repeated one out once: 512 entries of 32 bytes. */
export const INTERN: u32 = 2048;
/** A word for each string that was taken, of which the shortest has eight bytes of input: payload times eight, and kind. */
export const STRINGS: u32 = 20480;
/** Characters, in or out. */
export const CHARS: u32 = 45056;
/** Bytes: those of one window, and in front of them, when reading, the value that the window before cut in two. */
export const BYTES: u32 = 114688;
/** Text of the ASCII strings. */
export const ASCII: u32 = 159744;
/** Text of all others, in UTF-16. */
export const UNITS: u32 = 204800;

// Kinds of strings.
/** Payload: where it ends in the ASCII text. It begins where the last one ended. */
export const KIND_ASCII: u32 = 0;
/** Valid UTF-8; payload: where it ends in the UTF-16 text. */
export const KIND_UTF16: u32 = 1;
/** The same for CESU-8. */
export const KIND_CESU: u32 = 2;
/** Neither; the shim takes the bytes. */
export const KIND_RAW: u32 = 3;
/** The ASCII string with the number of the payload once more. */
export const KIND_REPEAT: u32 = 4;

// Type codes (formats/ds.md §3) that are followed by more.
export const TYPE_REAL: u32 = 0;
export const TYPE_STRING: u32 = 1;
export const TYPE_ARRAY: u32 = 2;
export const TYPE_POINTER: u32 = 3;
export const TYPE_INT32: u32 = 7;
export const TYPE_INT64: u32 = 10;
export const TYPE_BOOL: u32 = 13;

// Value layouts (formats/ds.md §3, §4 and §6).
export const LAYOUT_LEGACY: u32 = 0;
export const LAYOUT_ROWS: u32 = 2;
