// The codes of datatypes as the kernel counts them: the wire's 1 to 13, then any, array, struct, undefined, whose wire codes begin at 204 or 14
// (formats/elephant.md §3). Constants, not an object: compilers put the numbers in their places.
export const u8 = 1;
export const s8 = 2;
export const u16 = 3;
export const s16 = 4;
export const u32 = 5;
export const s32 = 6;
export const f16 = 7;
export const f32 = 8;
export const f64 = 9;
export const bool = 10;
export const string = 11;
export const u64 = 12;
export const text = 13;
export const any = 14;
export const array = 15;
export const struct = 16;
const nothing = 17;

export { nothing as undefined };
