// Where everything lies in linear memory. Nothing here depends on the size of a file: input, tape, strings and output are windows;
// only the stack of open containers grows (with the depth of the graph).
// Regions that are larger than what is usually touched cost address space, not memory.
//
// The module begins with as many pages (asconfig.json) as it takes up to the first 64 KB of the stack, and so do the other kernels. Growing memory leaves
// its old buffer without bytes, and when that has happened for the first time, V8 asks each typed array of the whole program for it at each access, from
// then on: encoding and decoding take up to a sixth longer.

/** As many as a u16 of the format can count: members of a struct, constructors, references. */
const MEMBERS: usize = 65536;

export const START: usize = 1024;
/** 16 bytes of ones, then 16 of zeros. The 48 bytes from 0 on stay zero: address 0 is "no node", and is read as one. */
export const MASKS: usize = 64;
/** Regions begin at multiples of it: addresses that end in zeros are found again by gzip, and take 40 bytes less of a download. */
const ALIGN: usize = 16384;

/** Input window (reading), output window (writing: src/elephant/write/byte-writer.ts). The 64 bytes behind the input are zero, so that scans end and may over-read. */
export const WINDOW: usize = START;
export const WINDOW_SIZE: usize = 1 << 18;

/** String records of one chunk, 8 bytes each. */
export const RECORDS_SOFT: u32 = 8192;
export const RECORDS_HARD: u32 = RECORDS_SOFT + 512;

/** The op stream. A step begins below the soft end and adds at most one struct as pairs; then strings of the chunk may have to be held. */
export const TAPE: usize = (WINDOW + WINDOW_SIZE + 64 + ALIGN - 1) & -ALIGN;
export const TAPE_SOFT: usize = TAPE + (1 << 17);
export const TAPE_SIZE: usize = (1 << 17) + (MEMBERS * 2 + 64 + <usize>RECORDS_HARD) * 8;

export const RECORDS: usize = (TAPE + TAPE_SIZE + ALIGN - 1) & -ALIGN;

/**
 * Text of one chunk: ASCII bytes, UTF-16 units, 8-byte values. A step adds at most two strings of a window's length. JavaScript makes one string of a chunk's text, and from 128 KB on
 * V8 asks the system for memory for each such string, which takes up to sixty times as long: a chunk ends well before that. Shorter ones find room between what lives on after a collection, where
 * those of 64 KB take new pages.
 */
const TEXT_SOFT: usize = 1 << 14;
export const ASCII: usize = (RECORDS + <usize>RECORDS_HARD * 8 + ALIGN - 1) & -ALIGN;
export const ASCII_SOFT: usize = ASCII + TEXT_SOFT;
export const ASCII_SIZE: usize = (1 << 17) + WINDOW_SIZE * 2 + 64;
export const UTF16: usize = (ASCII + ASCII_SIZE + ALIGN - 1) & -ALIGN;
export const UTF16_SOFT: usize = UTF16 + TEXT_SOFT;
export const UTF16_SIZE: usize = (1 << 17) + WINDOW_SIZE * 4 + 64;
export const WIDE: usize = (UTF16 + UTF16_SIZE + ALIGN - 1) & -ALIGN;

/** Names: kept between calls. Entries are 16 bytes: hash, address, length, table index. As many as there are repeated values, for they are found in the same way. */
export const NAMES_LIMIT: u32 = 16384;
export const NAME_SLOTS: usize = (WIDE + <usize>RECORDS_HARD * 16 + ALIGN - 1) & -ALIGN;
export const NAME_ENTRIES: usize = (NAME_SLOTS + <usize>NAMES_LIMIT * 2 * 4 + ALIGN - 1) & -ALIGN;
export const NAME_BYTES: usize = (NAME_ENTRIES + <usize>NAMES_LIMIT * 16 + ALIGN - 1) & -ALIGN;
export const NAME_BYTES_SIZE: usize = 1 << 19;

/** Repeated string values: of one call. */
export const VALUES_LIMIT: u32 = NAMES_LIMIT;
export const VALUE_SLOTS: usize = (NAME_BYTES + NAME_BYTES_SIZE + ALIGN - 1) & -ALIGN;
export const VALUE_ENTRIES: usize = (VALUE_SLOTS + <usize>VALUES_LIMIT * 2 * 4 + ALIGN - 1) & -ALIGN;
export const VALUE_BYTES: usize = (VALUE_ENTRIES + <usize>VALUES_LIMIT * 16 + ALIGN - 1) & -ALIGN;
export const VALUE_BYTES_SIZE: usize = <usize>VALUES_LIMIT * 64;

/** Repeated values of up to 15 bytes, of one call: 32 bytes each, the text padded with zeros and the table index. */
export const SHORT_SLOTS_COUNT: u32 = 16384;
export const SHORT_SLOTS: usize = (VALUE_BYTES + VALUE_BYTES_SIZE + ALIGN - 1) & -ALIGN;
const SHORT_SLOTS_SIZE: usize = <usize>SHORT_SLOTS_COUNT * 32;

/** The trie of shapes: kept between calls. */
export const NODES_LIMIT: u32 = 32768;
export const NODE_SIZE: usize = 48;
export const NODE_SLOTS: usize = (SHORT_SLOTS + SHORT_SLOTS_SIZE + ALIGN - 1) & -ALIGN;
export const NODES: usize = (NODE_SLOTS + <usize>NODES_LIMIT * 2 * 4 + ALIGN - 1) & -ALIGN;

/** Programs of strict schema versions, and which constructor has which: kept between calls. */
export const PROGRAMS: usize = (NODES + <usize>NODES_LIMIT * NODE_SIZE + ALIGN - 1) & -ALIGN;
export const PROGRAMS_SIZE: usize = 1 << 20;
export const PROGRAM_OF: usize = (PROGRAMS + PROGRAMS_SIZE + ALIGN - 1) & -ALIGN;

/** Constructor index of the file -> registered id + 1. */
export const CONSTRUCTORS: usize = (PROGRAM_OF + MEMBERS * 4 + ALIGN - 1) & -ALIGN;
/** Reference number -> frame of the plain struct that is still open under it. */
export const OPEN_STRUCTS: usize = (CONSTRUCTORS + MEMBERS * 4 + ALIGN - 1) & -ALIGN;

/** Layouts, kept between calls: the table that finds them by how a struct begins, room to make one, then they themselves. */
export const LAYOUT_SLOTS: usize = (OPEN_STRUCTS + MEMBERS * 4 + ALIGN - 1) & -ALIGN;
export const LAYOUT_SLOTS_COUNT: u32 = 1024;
export const LAYOUT_SCRATCH: usize = (LAYOUT_SLOTS + <usize>LAYOUT_SLOTS_COUNT * 16 + ALIGN - 1) & -ALIGN;
export const LAYOUTS: usize = (LAYOUT_SCRATCH + 0x7000 + ALIGN - 1) & -ALIGN;
export const LAYOUTS_SIZE: usize = 1 << 20;

/**
 * Containers that are left to JavaScript (src/elephant/read/nested.ts): addresses of the first and of the window's end, how many there may be, the first one's number, levels and bytes
 * that are allowed, where the first belongs (-1: in the open array), what has marked it, and its datatype. Afterwards: where the bytes go on, how many there are, the next number, and how many containers are open.
 * Those stand behind it, the outermost first: the program of an instance, the datatype of an array's elements or 0 for structs with names, how many fields, members or elements are to come, the next field, its number.
 */
export const NESTED: usize = (LAYOUTS + LAYOUTS_SIZE + ALIGN - 1) & -ALIGN;
export const NESTED_CURSOR: usize = 0;
export const NESTED_LIMIT: usize = 4;
export const NESTED_COUNT: usize = 8;
export const NESTED_NUMBER: usize = 12;
export const NESTED_DEPTH: usize = 16;
export const NESTED_BYTES: usize = 20;
export const NESTED_INDEX: usize = 24;
export const NESTED_MARK: usize = 28;
export const NESTED_DATATYPE: usize = 32;
/** The mark of arrays that hold arrays, anew in each read; its words in front of that are not used. */
export const NESTED_UNMARKED: usize = NESTED + 36;
export const NESTED_FRAMES: usize = 52;
export const NESTED_FRAME: usize = 16;
export const NESTED_LEVELS: u32 = 128;

/** Writing text: a shuffle of 16 bytes for each way in which four units can take one to three bytes. */
export const PACKING: usize = (NESTED + NESTED_FRAMES + <usize>NESTED_LEVELS * NESTED_FRAME + ALIGN - 1) & -ALIGN;

/** Reading text: a shuffle of 16 bytes for each set of eight units. */
export const CHOOSING: usize = (PACKING + 4096 + ALIGN - 1) & -ALIGN;

/** The stack of open containers, growing to the end of memory. Behind all regions: Tape.joins knows frames by it. */
export const STACK: usize = (CHOOSING + 4096 + ALIGN - 1) & -ALIGN;

// ---- the table of JavaScript values that boxes refer to ----
/** Entries of one chunk. */
export const TABLE_LOCAL: u32 = 8;
/**
 * Entries that outlive their chunk, by turns: names of schemas, names, repeated values, and what open structs hold. The table is as long as it takes of each. A
 * multiple of four (src/graph/builder.ts).
 */
export const TABLE_KEPT: u32 = TABLE_LOCAL + RECORDS_HARD;
export const TABLE_KINDS: u32 = 4;
export const TABLE_NAMES: u32 = TABLE_KEPT + 1;
export const TABLE_VALUES: u32 = TABLE_KEPT + 2;
export const TABLE_HELD: u32 = TABLE_KEPT + 3;

/** Makes memory reach at least `end`; false when the host refuses. */
export function reach(end: usize): bool {
  const have = (<usize>memory.size()) << 16;
  if (end <= have) return true;
  // At least a quarter more, so that a deepening stack grows memory a logarithmic number of times.
  const pages = ((end - have + (have >> 2)) >> 16) + 1;
  if (memory.grow(<i32>pages) >= 0) return true;
  return memory.grow(<i32>(((end - have) >> 16) + 1)) >= 0;
}
