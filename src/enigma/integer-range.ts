// Ranges of the integer types.
export const INTEGER_RANGE: Readonly<Record<string, readonly [low: number, high: number]>> = {
  i8: [-0x80, 0x7f],
  u8: [0, 0xff],
  char: [0, 0xff],
  i16: [-0x8000, 0x7fff],
  u16: [0, 0xffff],
  i32: [-0x80000000, 0x7fffffff],
  u32: [0, 0xffffffff],
};

export const WIDE_RANGE: Readonly<Record<"i64" | "u64", readonly [low: bigint, high: bigint]>> = {
  i64: [-(2n ** 63n), 2n ** 63n - 1n],
  u64: [0n, 2n ** 64n - 1n],
};
