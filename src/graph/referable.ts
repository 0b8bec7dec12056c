/** Containers that can be referred to, the first ones of a save (formats/elephant.md §7). */
export const REFERABLE = 65536;
