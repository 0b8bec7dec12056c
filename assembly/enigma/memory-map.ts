// Where everything lies in the kernel's memory. `src/enigma/kernel/memory-map.ts` has the same list; a test compares the two.
//
// Addresses are numbers, so that both sides have them as constants of their code; the kernel has no static data, and `resetObjects` looks that it
// stays so. Everything has a fixed size, so memory does not depend on the save: fifteen pages (`asconfig.json`). Between two regions are at least
// 64 bytes, because loads and stores of 16 bytes may reach that far behind what is valid.

/** What the last call came to, one word each: see `parseInstances` and `writeInstances`. */
export const STATUS: u32 = 1024;
/** The digest of SHA-1, and behind it the words it is made of. */
export const HASH: u32 = 1152;
/** Bytes of the save, in or out. */
export const WINDOW: u32 = 2048;
export const WINDOW_BYTES: u32 = 131072;
/** Slots of eight bytes, which reader.ts and writer.ts describe. */
export const TAPE: u32 = 133184;
export const TAPE_BYTES: u32 = 262144;
/** Texts that are read: those of ASCII, then all others in UTF-16. The writer takes both for one: nothing may stand between them. */
export const BLOB8: u32 = 395392;
export const BLOB8_END: u32 = 460928;
export const BLOB16: u32 = 460992;
export const BLOB16_END: u32 = 526528;
/** See layouts.ts. A multiple of 16. */
export const LAYOUTS: u32 = 526592;
export const LAYOUTS_END: u32 = 788736;
/** See objects.ts. */
export const OBJECTS: u32 = 788800;
/** Half of the slots. */
export const MOST_OBJECTS: u32 = 1024;
