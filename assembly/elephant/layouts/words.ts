// The words of a layout, of its nodes and instructions, and of the table that finds it.
//
// Layout: a head, then its nodes (as of shapes.ts; one for each member and for the root, in order), its code (16 bytes each) and its templates
// in the same order (16 bytes of text and 16 of mask by turns).

// ---- head of a layout ----
export const CODE: usize = 0;
export const NODE_COUNT: usize = 4;
/** Containers with numbers in one row, without those in arrays of structs and those that have layouts of their own. */
export const CONTAINERS_PER_ROW: usize = 8;
export const LEVELS: usize = 12;
export const FLAGS: usize = 16;
export const HITS: usize = 20;
export const MISSES: usize = 24;
/** The call in which its constructors were found to be those of the file. */
export const CHECKED: usize = 28;
export const TEMPLATES: usize = 32;
/** Another layout for structs that begin alike, tried where this one does not fit. */
export const OTHER: usize = 36;
/** Values of one row that have a slot, those in arrays aside. */
export const SLOTS_PER_ROW: usize = 40;
/** Is a struct inside its row being read by a layout of its own (varied.ts)? */
export const BUSY: usize = 44;
/** Of layouts whose rows JavaScript reads faster: what that is worth, like {@link NESTS} of a slot. */
export const WORTH: usize = 48;
export const HEAD: usize = 64;

/** Arrays that `typedArrays` asks to leave in the input. */
export const HAS_ARRAYS: u32 = 1;
/** Numbers that `scalars: "exact"` wants with their datatypes. */
export const HAS_TAGGED_NUMBERS: u32 = 2;
export const HAS_INSTANCES: u32 = 4;

// ---- nodes, where shapes.ts does not name the word ----
export const TYPE: usize = 0;
export const TAG: usize = 4;
export const COUNT: usize = 8;
export const CONSTRUCTOR: usize = 16;
export const VERSION: usize = 20;
export const INDEX: usize = 32;
/** Of values of fixed length: where they stand in their segment; of the first one in it, how many slots that takes. */
export const PLACE: usize = 8;
export const ROOM: usize = 16;

/** Of arrays of structs: how many nodes these take, containers in each, values with a slot in each, and bytes of their code and (upper half) of its templates. */
export const INSIDE: usize = 8;
export const EACH: usize = 16;
export const SLOTS: usize = 20;
export const BODY: usize = 36;
/** While they are read: how many are left, and where the last one begins. */
export const LEFT: usize = 40;
export const ELEMENT: usize = 44;
/** Of what may be a struct, or hold some, that has a layout of its own: the level above them. */
export const LEVEL: usize = 16;

// ---- instructions ----
// Each begins with a segment: constant bytes and values of fixed length, all of which is copied to the row if it has any of those. An instruction and
// three words: the segment's length, the node, bytes of the template with its masks and (upper half) those that the row takes.
export const END: u32 = 0;
export const WORDS: u32 = 1;
export const ELEMENTS: u32 = 2;
export const TAGGED: u32 = 3;
/** An array of structs, whose code follows up to AGAIN. */
export const ROWS: u32 = 4;
export const AGAIN: u32 = 5;
/** An array of structs that have layouts of their own; a member that may be one. */
export const VARIED: u32 = 6;
export const HELD: u32 = 7;

// ---- slots of the table that finds them: the layout that is tried first or DEAD, structs seen, layouts made, how its structs nest ----
export const SEEN: usize = 4;
export const MADE: usize = 8;
/**
 * Structs of this beginning that JavaScript would have read faster, less the others (read/structs.ts). From NESTS_ENOUGH on JavaScript reads them, and
 * counts what they are worth there (src/elephant/read/nested.ts), as long as it is not below that. Not earlier: the first structs take more operations until their layouts are
 * made, and JavaScript that has not been compiled yet takes ten times as long.
 */
export const NESTS: usize = 12;
export const NESTS_ENOUGH: i32 = 256;
/** What it begins with once it is JavaScript's, which adds what it has read, and takes away what took longer. */
export const WORTH_A_TRY: i32 = 768;
export const SLOT_SIZE: u32 = 16;
export const DEAD: usize = 1;

/** The first code of what layouts are made of, "any". */
export const CODES: u32 = 204;
