// The numbers that both sides of the boundary know. `src/enigma/kernel/opcodes.ts` has the same list; a test compares the two.

// How a local is stored: what the kernel parses itself. Everything else is OP_REGION, bytes for the shim.
export const OP_REGION: u32 = 0;
export const OP_I8: u32 = 1;
export const OP_U8: u32 = 2;
export const OP_I16: u32 = 3;
export const OP_U16: u32 = 4;
export const OP_I32: u32 = 5;
export const OP_U32: u32 = 6;
export const OP_I64: u32 = 7;
export const OP_U64: u32 = 8;
export const OP_F32: u32 = 9;
export const OP_F64: u32 = 10;
export const OP_BOOL: u32 = 11;
export const OP_STRING: u32 = 12;
export const OP_VARIANT: u32 = 13;
export const OP_VAR: u32 = 14;

// Tags of slots that are not numbers: the upper 16 bits of a NaN that no save's number has (other NaNs are read outside the kernel).
export const TAG_TEXT8: u32 = 0xfff90000;
export const TAG_TEXT16: u32 = 0xfffa0000;
export const TAG_BOOL: u32 = 0xfffb0000;
export const TAG_BYTES: u32 = 0xfffc0000;
export const TAG_REGION: u32 = 0xfffd0000;
export const TAG_ARRAYS: u32 = 0xfffe0000;
export const TAG_WIDE: u32 = 0xffff0000;

// Why the kernel stopped.
export const STOP_DONE: u32 = 0;
export const STOP_INPUT: u32 = 1;
export const STOP_ROOM: u32 = 2;
export const STOP_UNUSUAL: u32 = 3;

// The fixed part of an instance on the tape: so many slots, and where each field stands.
export const HEAD_SLOTS: u32 = 32;
export const HEAD_FLAGS: u32 = 0;
export const HEAD_ID: u32 = 1;
export const HEAD_X: u32 = 2;
export const HEAD_DIRECTION: u32 = 8;
export const HEAD_GRAVITY: u32 = 12;
export const HEAD_TIMELINE_INDEX: u32 = 15;
export const HEAD_IMAGE_BLEND: u32 = 16;
export const HEAD_POLYGON_INDEX: u32 = 17;
export const HEAD_TIMELINE_SPEED: u32 = 18;
export const HEAD_IMAGE_INDEX: u32 = 20;
export const HEAD_IMAGE_SINGLE: u32 = 22;
export const HEAD_IMAGE_XSCALE: u32 = 24;
export const HEAD_IMAGE_ALPHA: u32 = 27;
export const HEAD_POLYGON_XSCALE: u32 = 28;
export const HEAD_VMAP: u32 = 31;

export const FLAG_PERSISTENT: u32 = 1;
export const FLAG_TIMELINE_RUNNING: u32 = 2;
export const FLAG_TIMELINE_LOOP: u32 = 4;
export const FLAG_VISIBLE: u32 = 8;
export const FLAG_SOLID: u32 = 16;

/** In place of a count or layout: there is none. */
export const NONE: u32 = 0xffffffff;
/** Classes of one chain that the kernel follows. */
export const MAX_LEVELS: u32 = 16;
/** Marks a used record of an object (objects.ts): the top bit of the number of its classes. */
export const OBJECT_USED: u32 = 0x80000000;
/** Longer texts are not copied to the blobs but left to the shim. */
export const MAX_BLOB_TEXT: u32 = 4096;
