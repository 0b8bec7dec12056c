// Where everything lies in the kernel's memory: the list of assembly/enigma/memory-map.ts, which explains it. A test compares the two.
export const STATUS = 1024;
export const HASH = 1152;
export const WINDOW = 2048;
export const WINDOW_BYTES = 131072;
export const TAPE = 133184;
export const TAPE_BYTES = 262144;
export const BLOB8 = 395392;
export const BLOB8_END = 460928;
export const BLOB16 = 460992;
export const BLOB16_END = 526528;
export const LAYOUTS = 526592;
export const LAYOUTS_END = 788736;
export const OBJECTS = 788800;
export const MOST_OBJECTS = 1024;
