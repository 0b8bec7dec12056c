// Strings at the byte level: finding their end, comparing them with known ones, UTF-8 to UTF-16.
// The scalar forms serve the build without SIMD, which is translated to JavaScript: they keep to 32-bit words.

const REPLACEMENT: u16 = 0xfffd;

/** Set by {@link Text.end}: nonzero when the scanned string has a byte above 0x7F. */
export let scannedNonAscii: u32 = 0;

export class Text {
  /** Address of the first zero byte at or after `p`. There always is one: the window ends in zeros. */
  static end(p: usize): usize {
    if (ASC_FEATURE_SIMD) {
      const zero = i8x16.splat(0);
      let high: u32 = 0;
      while (true) {
        const block = v128.load(p, 0, 1);
        const found = <u32>i8x16.bitmask(i8x16.eq(block, zero));
        const top = <u32>i8x16.bitmask(block);
        if (found) {
          scannedNonAscii = high | (top & (found ^ (found - 1)));
          return p + ctz(found);
        }
        high |= top;
        p += 16;
      }
    } else {
      let high: u32 = 0;
      while (true) {
        const word = load<u32>(p, 0, 1);
        if ((word - 0x01010101) & ~word & 0x80808080) break;
        high |= word & 0x80808080;
        p += 4;
      }
      let byte: u32;
      while ((byte = load<u8>(p)) != 0) {
        high |= byte & 0x80;
        p++;
      }
      scannedNonAscii = high;
      return p;
    }
  }

  /** Are the `length` bytes at `p` and `q` equal? Both may be read up to the next multiple of 16. */
  @inline
  static same(p: usize, q: usize, length: u32): bool {
    if (ASC_FEATURE_SIMD) {
      if (length <= 16) {
        const equal = <u32>i8x16.bitmask(i8x16.eq(v128.load(p, 0, 1), v128.load(q, 0, 1)));
        return ~equal << (32 - length) == 0;
      }
      return Text.sameLong(p, q, length);
    } else {
      return Text.sameLong(p, q, length);
    }
  }

  static sameLong(p: usize, q: usize, length: u32): bool {
    const end = p + length;
    if (ASC_FEATURE_SIMD) {
      while (p + 16 <= end) {
        if (v128.any_true(v128.xor(v128.load(p, 0, 1), v128.load(q, 0, 1)))) return false;
        p += 16;
        q += 16;
      }
    }
    while (p + 4 <= end) {
      if (load<u32>(p, 0, 1) != load<u32>(q, 0, 1)) return false;
      p += 4;
      q += 4;
    }
    while (p < end) {
      if (load<u8>(p) != load<u8>(q)) return false;
      p++;
      q++;
    }
    return true;
  }

  /** Copies `length` bytes in blocks; may write up to 15 bytes behind the end. */
  @inline
  static copy(to: usize, from: usize, length: usize): void {
    if (ASC_FEATURE_SIMD) {
      if (length > 512) memory.copy(to, from, length);
      else for (let i: usize = 0; i < length; i += 16) v128.store(to + i, v128.load(from + i, 0, 1), 0, 1);
    } else {
      if (length > 64) memory.copy(to, from, length);
      else for (let i: usize = 0; i < length; i++) store<u8>(to + i, load<u8>(from + i));
    }
  }

  /** A hash of the `length` bytes at `p`, seeded; bounded probing is what stops chosen keys, not the hash. */
  static hash(p: usize, length: u32, seed: u32): u32 {
    let h = seed ^ length;
    let left = length;
    while (left >= 4) {
      h = (h ^ load<u32>(p, 0, 1)) * 0x9e3779b1;
      h ^= h >> 15;
      p += 4;
      left -= 4;
    }
    if (left) {
      h = (h ^ (load<u32>(p, 0, 1) & ((1 << (left << 3)) - 1))) * 0x9e3779b1;
      h ^= h >> 15;
    }
    h *= 0x85ebca6b;
    return h ^ (h >> 13);
  }

  /**
   * Of the `left` bytes at `p` those in front that have the length of the first character, ASCII or two or three bytes, up to 16 bytes, as UTF-16 to `q`.
   * Returns how many bytes these were, and in the next byte how many they have become; 0 where the first character is none of them, or wrong.
   */
  @inline
  private static utf16Run(p: usize, left: usize, q: usize): u32 {
    const block = v128.load(p, 0, 1);
    const ascii = <usize>ctz(<u32>i8x16.bitmask(block) | 0x10000);
    if (ascii) {
      v128.store(q, i16x8.extend_low_i8x16_u(block), 0, 1);
      v128.store(q, i16x8.extend_high_i8x16_u(block), 16, 1);
      const count = <u32>(ascii < left ? ascii : left);
      return count | (count << 9);
    }
    const lead = <u32>load<u8>(p);
    if (lead < 0xe0) {
      const units = v128.or(i16x8.shl(v128.and(block, i16x8.splat(0x1f)), 6), v128.and(i16x8.shr_u(block, 8), i16x8.splat(0x3f)));
      const right = v128.and(
        i16x8.eq(v128.and(block, i16x8.splat(<i16>0xc0e0)), i16x8.splat(<i16>0x80c0)),
        i16x8.ge_u(units, i16x8.splat(0x80)),
      );
      v128.store(q, units, 0, 1);
      const run = <usize>ctz(~(<u32>i16x8.bitmask(right)));
      const count = <u32>(run < left >> 1 ? run : left >> 1);
      return (count << 1) | (count << 9);
    }
    if (lead < 0xf0) {
      const first = i8x16.swizzle(block, v128(0, -1, 3, -1, 6, -1, 9, -1, 12, -1, -1, -1, -1, -1, -1, -1));
      const second = i8x16.swizzle(block, v128(1, -1, 4, -1, 7, -1, 10, -1, 13, -1, -1, -1, -1, -1, -1, -1));
      const third = i8x16.swizzle(block, v128(2, -1, 5, -1, 8, -1, 11, -1, 14, -1, -1, -1, -1, -1, -1, -1));
      const low = i16x8.splat(0x3f);
      const units = v128.or(v128.or(i16x8.shl(first, 12), i16x8.shl(v128.and(second, low), 6)), v128.and(third, low));
      const high = i16x8.splat(0xc0);
      const following = i16x8.splat(0x80);
      const right = v128.and(
        v128.and(
          i16x8.eq(v128.and(first, i16x8.splat(0xf0)), i16x8.splat(0xe0)),
          v128.and(i16x8.eq(v128.and(second, high), following), i16x8.eq(v128.and(third, high), following)),
        ),
        // Neither in more bytes than it takes nor a surrogate.
        v128.and(i16x8.ge_u(units, i16x8.splat(0x800)), i16x8.ne(v128.and(units, i16x8.splat(<i16>0xf800)), i16x8.splat(<i16>0xd800))),
      );
      v128.store(q, units, 0, 1);
      const run = <usize>ctz(~(<u32>i16x8.bitmask(right)));
      const most = left / 3;
      const count = <u32>(run < most ? run : most);
      return (count * 3) | (count << 9);
    }
    return 0;
  }

  /**
   * UTF-8 to UTF-16, [p, end) to `q`; returns the end of the output, at most two bytes for each byte of input. Sequences that are not
   * UTF-8 become U+FFFD as the Encoding Standard says; surrogate pairs in three-byte form (CESU-8, which GameMaker's HTML5
   * export writes, formats/elephant.md §3.3) are joined.
   */
  static utf16(p: usize, end: usize, q: usize): usize {
    while (p < end) {
      if (ASC_FEATURE_SIMD) {
        const count = Text.utf16Run(p, end - p, q);
        if (count) {
          p += count & 0xff;
          q += count >> 8;
          continue;
        }
      }
      const lead = <u32>load<u8>(p);
      if (lead < 0x80) {
        store<u16>(q, <u16>lead);
        p++;
        q += 2;
        continue;
      }
      const left = end - p;
      const b1 = left > 1 ? <u32>load<u8>(p, 1) : 0;
      if (lead >= 0xc2 && lead < 0xe0) {
        if ((b1 & 0xc0) == 0x80) {
          store<u16>(q, <u16>(((lead & 0x1f) << 6) | (b1 & 0x3f)));
          p += 2;
          q += 2;
          continue;
        }
      } else if (lead >= 0xe0 && lead < 0xf0) {
        const b2 = left > 2 ? <u32>load<u8>(p, 2) : 0;
        const unit = ((lead & 15) << 12) | ((b1 & 0x3f) << 6) | (b2 & 0x3f);
        if ((b1 & 0xc0) == 0x80 && (lead != 0xe0 || b1 >= 0xa0)) {
          if (lead != 0xed || b1 < 0xa0) {
            if ((b2 & 0xc0) == 0x80) {
              store<u16>(q, <u16>unit);
              p += 3;
            } else {
              store<u16>(q, REPLACEMENT); // a proper beginning of two bytes counts as one error
              p += 2;
            }
            q += 2;
            continue;
          }
          // A surrogate: only a high one followed by a low one means something.
          if (
            b1 < 0xb0 &&
            left > 5 &&
            (b2 & 0xc0) == 0x80 &&
            load<u8>(p, 3) == 0xed &&
            load<u8>(p, 4) >= 0xb0 &&
            load<u8>(p, 4) < 0xc0 &&
            (load<u8>(p, 5) & 0xc0) == 0x80
          ) {
            store<u16>(q, <u16>unit);
            store<u16>(q, <u16>(0xd000 | ((<u32>load<u8>(p, 4) & 0x3f) << 6) | (<u32>load<u8>(p, 5) & 0x3f)), 2);
            p += 6;
            q += 4;
            continue;
          }
        }
      } else if (lead >= 0xf0 && lead < 0xf5) {
        if ((b1 & 0xc0) == 0x80 && (lead != 0xf0 || b1 >= 0x90) && (lead != 0xf4 || b1 < 0x90)) {
          const b2 = left > 2 ? <u32>load<u8>(p, 2) : 0;
          const b3 = left > 3 ? <u32>load<u8>(p, 3) : 0;
          if ((b2 & 0xc0) == 0x80 && (b3 & 0xc0) == 0x80) {
            const point = (((lead & 7) << 18) | ((b1 & 0x3f) << 12) | ((b2 & 0x3f) << 6) | (b3 & 0x3f)) - 0x10000;
            store<u16>(q, <u16>(0xd800 | (point >> 10)));
            store<u16>(q, <u16>(0xdc00 | (point & 0x3ff)), 2);
            p += 4;
            q += 4;
          } else {
            store<u16>(q, REPLACEMENT);
            p += (b2 & 0xc0) == 0x80 ? 3 : 2;
            q += 2;
          }
          continue;
        }
      }
      store<u16>(q, REPLACEMENT);
      p++;
      q += 2;
    }
    return q;
  }
}
