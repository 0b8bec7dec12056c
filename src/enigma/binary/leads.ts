// The bytes in front of the parts of a save (formats/enigma.md §2). Those of the tiers (tiers.ts) count up from the innermost to the outermost: the
// writer reckons with that.
export const basic = 0xaa;
export const planar = 0xab;
export const timelines = 0xac;
export const graphics = 0xad;
export const transform = 0xae;
export const collisions = 0xaf;
export const classBlock = 0xbb;
export const backgrounds = 0xee;
export const backgroundsEnd = 0xef;
