// Hex digits to bytes and back, the text layer of formats/ds.md §1. 32 characters at a time with SIMD, by tables without.
import { DIGITS, PAIRS } from "./layout";

/** Marks a character that is no hex digit in the table of digits. */
const NO_DIGIT: u32 = 0xff;

/** The digit a character stands for, or 255. */
function digit(char: u32): u32 {
  const number = char - 0x30;
  if (number < 10) return number;
  const letter = (char | 0x20) - 0x61;
  return letter < 6 ? letter + 10 : NO_DIGIT;
}

/** Fills the tables of the scalar build. */
export function prepareTables(): void {
  if (!ASC_FEATURE_SIMD) {
    for (let i: u32 = 0; i < 256; i++) {
      store<u8>(DIGITS + i, <u8>digit(i));
      const high = i >>> 4;
      const low = i & 15;
      const pair = (high < 10 ? high + 0x30 : high + 0x37) | ((low < 10 ? low + 0x30 : low + 0x37) << 8);
      store<u16>(PAIRS + (i << 1), <u16>pair);
    }
  }
}

class Digits {
  /** Sixteen characters as decimal digits; what is none gives 10 or more. */
  // @ts-expect-error: decorator
  @inline static number(v: v128): v128 {
    return i8x16.sub(v, i8x16.splat(0x30));
  }
  // @ts-expect-error: decorator
  @inline static letter(v: v128): v128 {
    return i8x16.sub(v128.or(v, i8x16.splat(0x20)), i8x16.splat(0x61));
  }
  /** Two digits in each 16-bit lane, the first in the lower byte, become one byte in each 16-bit lane. */
  // @ts-expect-error: decorator
  @inline static join(digits: v128): v128 {
    return v128.and(v128.or(i16x8.shl(digits, 4), i16x8.shr_u(digits, 8)), i16x8.splat(0xff));
  }
}

/**
 * Turns `chars` characters (an even number) into bytes. May read and write up to 32 bytes behind the end, where it puts digits
 * of its own. Gives `chars`, or an index not above that of the first character that is no digit.
 */
export function unhex(from: usize, chars: u32, to: usize): u32 {
  if (ASC_FEATURE_SIMD) {
    const limit = from + chars;
    const zeros = i8x16.splat(0x30);
    v128.store(limit, zeros, 0, 1);
    v128.store(limit, zeros, 16, 1);
    let p = from;
    while (p < limit) {
      const a = v128.load(p, 0, 1);
      const b = v128.load(p, 16, 1);
      const numberA = Digits.number(a);
      const numberB = Digits.number(b);
      const letterA = Digits.letter(a);
      const letterB = Digits.letter(b);
      const isNumberA = i8x16.lt_u(numberA, i8x16.splat(10));
      const isNumberB = i8x16.lt_u(numberB, i8x16.splat(10));
      const goodA = v128.or(isNumberA, i8x16.lt_u(letterA, i8x16.splat(6)));
      const goodB = v128.or(isNumberB, i8x16.lt_u(letterB, i8x16.splat(6)));
      if (!i8x16.all_true(v128.and(goodA, goodB))) return <u32>(p - from);
      const ten = i8x16.splat(10);
      const digitsA = v128.bitselect(numberA, i8x16.add(letterA, ten), isNumberA);
      const digitsB = v128.bitselect(numberB, i8x16.add(letterB, ten), isNumberB);
      v128.store(to, i8x16.narrow_i16x8_u(Digits.join(digitsA), Digits.join(digitsB)), 0, 1);
      p += 32;
      to += 16;
    }
  } else {
    for (let i: u32 = 0; i < chars; i += 2) {
      const high = <u32>load<u8>(DIGITS + load<u8>(from + i));
      const low = <u32>load<u8>(DIGITS + load<u8>(from + i + 1));
      if ((high | low) > 15) return i;
      store<u8>(to++, <u8>((high << 4) | low));
    }
  }
  return chars;
}

/** Turns `bytes` bytes into twice as many upper-case digits. May read 16 bytes and write 32 behind the end. `to` is even. */
export function hex(from: usize, bytes: u32, to: usize): void {
  const limit = from + bytes;
  if (ASC_FEATURE_SIMD) {
    const digits = i8x16(0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46);
    while (from < limit) {
      const v = v128.load(from, 0, 1);
      const high = v128.swizzle(digits, i8x16.shr_u(v, 4));
      const low = v128.swizzle(digits, v128.and(v, i8x16.splat(15)));
      v128.store(to, v128.shuffle<u8>(high, low, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23), 0, 1);
      v128.store(to, v128.shuffle<u8>(high, low, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31), 16, 1);
      from += 16;
      to += 32;
    }
  } else {
    while (from < limit) {
      store<u16>(to, load<u16>(PAIRS + ((<usize>load<u8>(from)) << 1)));
      from++;
      to += 2;
    }
  }
}
