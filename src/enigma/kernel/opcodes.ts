// The numbers that both sides of the boundary know: the list of assembly/enigma/opcodes.ts. A test compares the two.

// How a local is stored: what the kernel parses itself. Everything else is OP_REGION, bytes for the shim.
export const OP_REGION = 0;
export const OP_I8 = 1;
export const OP_U8 = 2;
export const OP_I16 = 3;
export const OP_U16 = 4;
export const OP_I32 = 5;
export const OP_U32 = 6;
export const OP_I64 = 7;
export const OP_U64 = 8;
export const OP_F32 = 9;
export const OP_F64 = 10;
export const OP_BOOL = 11;
export const OP_STRING = 12;
export const OP_VARIANT = 13;
export const OP_VAR = 14;

// Tags of slots that are not numbers: the upper 16 bits of a NaN that no save's number has (other NaNs are read outside the kernel).
export const TAG_TEXT8 = 0xfff90000;
export const TAG_TEXT16 = 0xfffa0000;
export const TAG_BOOL = 0xfffb0000;
export const TAG_BYTES = 0xfffc0000;
export const TAG_REGION = 0xfffd0000;
export const TAG_ARRAYS = 0xfffe0000;
export const TAG_WIDE = 0xffff0000;

// Why the kernel stopped.
export const STOP_DONE = 0;
export const STOP_INPUT = 1;
export const STOP_ROOM = 2;
export const STOP_UNUSUAL = 3;

// The fixed part of an instance on the tape: so many slots, and where each field stands.
export const HEAD_SLOTS = 32;
export const HEAD_FLAGS = 0;
export const HEAD_ID = 1;
export const HEAD_X = 2;
export const HEAD_DIRECTION = 8;
export const HEAD_GRAVITY = 12;
export const HEAD_TIMELINE_INDEX = 15;
export const HEAD_IMAGE_BLEND = 16;
export const HEAD_POLYGON_INDEX = 17;
export const HEAD_TIMELINE_SPEED = 18;
export const HEAD_IMAGE_INDEX = 20;
export const HEAD_IMAGE_SINGLE = 22;
export const HEAD_IMAGE_XSCALE = 24;
export const HEAD_IMAGE_ALPHA = 27;
export const HEAD_POLYGON_XSCALE = 28;
export const HEAD_VMAP = 31;

export const FLAG_PERSISTENT = 1;
export const FLAG_TIMELINE_RUNNING = 2;
export const FLAG_TIMELINE_LOOP = 4;
export const FLAG_VISIBLE = 8;
export const FLAG_SOLID = 16;

/** In place of a count or layout: there is none. */
export const NONE = 0xffffffff;
/** Classes of one chain that the kernel follows. */
export const MAX_LEVELS = 16;
/** Marks a used record of an object: the top bit of the number of its classes. */
export const OBJECT_USED = 0x80000000;
/** Longer texts are not copied to the blobs but left to the shim. */
export const MAX_BLOB_TEXT = 4096;
