// Strings at the byte level: finding their end, comparing them with known ones, UTF-8 to UTF-16.
// The scalar forms serve the build without SIMD, which is translated to JavaScript: they keep to 32-bit words.

import { CHOOSING, MASKS } from "./memory";

const REPLACEMENT: u32 = 0xfffd;

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
   * For each of the eight bytes from `p` on the unit that would begin there, of a character of up to three bytes; those that do, as `leads` says, are put
   * to `q`. `bytes`: the eight, one in each lane.
   */
  @inline
  private static units(bytes: v128, p: usize, leads: u32, q: usize): void {
    // What marks the bytes of a character is taken away from it at once.
    const two = i16x8.add(i16x8.shl(bytes, 6), v128.load8x8_u(p, 1, 1));
    const three = i16x8.sub(i16x8.add(i16x8.shl(two, 6), v128.load8x8_u(p, 2, 1)), i16x8.splat(0x2080));
    const short = v128.bitselect(i16x8.sub(two, i16x8.splat(0x3080)), bytes, i16x8.gt_s(bytes, i16x8.splat(0xbf)));
    const units = v128.bitselect(three, short, i16x8.gt_s(bytes, i16x8.splat(0xdf)));
    v128.store(q, i8x16.swizzle(units, v128.load(CHOOSING + ((<usize>leads) << 4))), 0, 1);
  }

  /** For each set of eight lanes: the bytes of those that are in it. */
  private static makeChoosing(): void {
    for (let set = 0; set < 256; set++) {
      let entry = CHOOSING + ((<usize>set) << 4);
      for (let lane = 0; lane < 8; lane++) {
        store<u16>(entry, <u16>(0x0100 + 0x0202 * lane));
        entry += ((set >> lane) & 1) << 1;
      }
    }
  }

  /**
   * UTF-8 to UTF-16, [p, end) to `q`; returns the end of the output, at most two bytes for each byte of input. Sequences that are not
   * UTF-8 become U+FFFD as the Encoding Standard says; surrogate pairs in three-byte form (CESU-8, which GameMaker's HTML5
   * export writes, formats/elephant.md §3.3) are joined.
   */
  static utf16(p: usize, end: usize, q: usize): usize {
    /** Bytes that the last character still lacks, as bits. */
    let lacking: u32 = 0;
    if (ASC_FEATURE_SIMD) {
      if (!load<u8>(CHOOSING, 17)) Text.makeChoosing();
    }
    while (p < end || lacking) {
      if (ASC_FEATURE_SIMD && (lacking || load<u8>(p) < 0xf0)) {
        const left = <u32>min(end - p, 16);
        // Sixteen bytes; what is behind the end counts as zeros. The sixteen at MASKS + 16 - n keep the first n.
        const block = v128.and(v128.load(p, 0, 1), v128.load(MASKS + 16 - left, 0, 1));
        const seventh = <u32>i8x16.bitmask(block);
        if (!(seventh | lacking)) {
          v128.store(q, i16x8.extend_low_i8x16_u(block), 0, 1);
          v128.store(q, i16x8.extend_high_i8x16_u(block), 16, 1);
          p += left;
          q += left << 1;
          continue;
        }
        const sixth = <u32>i8x16.bitmask(i16x8.shl(block, 1));
        const fifth = <u32>i8x16.bitmask(i16x8.shl(block, 2));
        const longer = seventh & sixth;
        const following = seventh ^ longer;
        const longest = longer & fifth;
        const expected = (longer << 1) | (longest << 2) | lacking;
        // In more bytes than it takes, a surrogate, or of four bytes.
        const high = i8x16.lt_s(i16x8.shl(v128.load(p, 1, 1), 2), i8x16.splat(0));
        const others = v128.or(
          v128.or(
            i8x16.eq(v128.and(block, i8x16.splat(<i8>0xfe)), i8x16.splat(<i8>0xc0)),
            v128.andnot(i8x16.eq(block, i8x16.splat(<i8>0xe0)), high),
          ),
          v128.or(v128.and(i8x16.eq(block, i8x16.splat(<i8>0xed)), high), i8x16.ge_u(block, i8x16.splat(<i8>0xf0))),
        );
        const wrong = ((expected ^ following) & 0xffff) | <u32>i8x16.bitmask(others);
        const good = min(left, ctz(wrong | 0x10000));
        const leads = ~following & ((1 << good) - 1);
        Text.units(i16x8.extend_low_i8x16_u(block), p, leads & 0xff, q);
        Text.units(i16x8.extend_high_i8x16_u(block), p + 8, leads >> 8, q + (popcnt(leads & 0xff) << 1));
        q += popcnt(leads) << 1;
        if (!wrong) {
          // Not `good`, which is the same: so the next block need not wait for what was found in this one.
          p += left;
          lacking = expected >> 16;
          continue;
        }
        p += good;
        lacking = 0;
        if (((expected & ~following) >> good) & 1) {
          // The character before is not whole.
          do p--;
          while ((load<u8>(p) & 0xc0) == 0x80);
          q -= 2;
        }
      }
      const lead = <u32>load<u8>(p);
      if (!ASC_FEATURE_SIMD && lead < 0x80) {
        store<u16>(q, <u16>lead);
        p++;
        q += 2;
        continue;
      }
      // The terminator belongs to no character, so none is looked for behind it.
      const b1 = <u32>load<u8>(p, 1);
      const b2 = <u32>load<u8>(p, 2);
      let size = 1;
      let unit = REPLACEMENT;
      let low: u32 = 0;
      if ((b1 & 0xc0) == 0x80) {
        const two = (lead << 6) | (b1 & 0x3f);
        const three = ((two << 6) | (b2 & 0x3f)) & 0xffff;
        // The planes behind the first one in units of 4096 characters; no other lead gives less than 256.
        const plane = two - 0x3c10;
        if (!ASC_FEATURE_SIMD && lead >= 0xc2 && lead < 0xe0) {
          unit = two & 0x7ff;
          size = 2;
        } else if (lead >= 0xe0 && lead < 0xf0 && three >= 0x800) {
          if ((three & 0xf800) != 0xd800) {
            // A proper beginning of two bytes counts as one error.
            size = 2;
            if (!ASC_FEATURE_SIMD && (b2 & 0xc0) == 0x80) {
              unit = three;
              size = 3;
            }
          } else {
            // A surrogate: only a high one followed by a low one means something.
            const pair = load<u32>(p, 2, 1);
            if (three < 0xdc00 && (pair & 0xc0f0ffc0) == 0x80b0ed80) {
              unit = three;
              low = 0xd000 | ((pair >> 10) & 0xfc0) | ((pair >> 24) & 0x3f);
              size = 6;
            }
          }
        } else if (plane < 256) {
          size = 2;
          if ((b2 & 0xc0) == 0x80) {
            const b3 = <u32>load<u8>(p, 3);
            size = 3;
            if ((b3 & 0xc0) == 0x80) {
              unit = 0xd800 | (plane << 2) | ((b2 >> 4) & 3);
              low = 0xdc00 | ((b2 & 15) << 6) | (b3 & 0x3f);
              size = 4;
            }
          }
        }
      }
      store<u32>(q, unit | (low << 16), 0, 2);
      p += size;
      q += low ? 4 : 2;
    }
    return q;
  }
}
