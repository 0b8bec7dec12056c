// Writing: UTF-16 to the UTF-8 of the format. Everything else of a write is stored by the shim (docs/architecture.md).
import { PACKING, UTF16 } from "./memory";

export class Writer {
  /**
   * The first `units` of the UTF-16 text region, `strings` strings with U+0000 between them, as UTF-8 with a terminator behind each at `to`, where three bytes for each
   * unit and two blocks are free. Returns the end, or 0 for what cannot be stored: U+0000 and lone surrogates (formats/elephant.md §3.3).
   */
  static text(to: usize, units: u32, strings: u32): usize {
    let from = UTF16;
    const end = from + ((<usize>units) << 1);
    while (from < end) {
      if (ASC_FEATURE_SIMD) {
        const high = i16x8.splat(<i16>0xff80);
        while (from + 32 <= end) {
          const a = v128.load(from);
          const b = v128.load(from, 16);
          if (v128.any_true(v128.and(v128.or(a, b), high))) break;
          const bytes = i8x16.narrow_i16x8_u(a, b);
          v128.store(to, bytes, 0, 1);
          strings -= popcnt(i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(0))));
          from += 32;
          to += 16;
        }
        if (from >= end) break;
        // Up to eight units; what is behind the end counts as spaces.
        let left = <u32>((end - from) >> 1);
        let block = v128.load(from, 0, 2);
        if (left < 8) {
          const inside = i16x8.lt_u(v128(0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0), i16x8.splat(<i16>left));
          block = v128.bitselect(block, i16x8.splat(0x20), inside);
        }
        const zero = i16x8.splat(0);
        const ends = i16x8.bitmask(i16x8.eq(block, zero));
        const ascii = i16x8.eq(v128.and(block, high), zero);
        // With more units left, one of them is known not to be ASCII, and of which block it is cannot be foreseen.
        if (left < 16 && i16x8.all_true(ascii)) {
          left = min(left, 8);
          strings -= popcnt(ends);
          v128.store(to, i8x16.narrow_i16x8_u(block, block), 0, 1);
          from += (<usize>left) << 1;
          to += left;
          continue;
        }
        const top = v128.and(block, i16x8.splat(<i16>0xf800));
        left = min(left, ctz(i16x8.bitmask(i16x8.eq(top, i16x8.splat(<i16>0xd800))) | 0x100));
        if (left) {
          from += (<usize>left) << 1;
          const chosen = (1 << left) - 1;
          strings -= popcnt(ends & chosen);
          const longer = chosen & ~i16x8.bitmask(ascii);
          const longest = chosen & ~i16x8.bitmask(i16x8.eq(top, zero));
          // By its length a character takes of its four bytes: [2]; [3, 2]; [0, 1, 2].
          const sixth = i16x8.shr_u(block, 6);
          const bits = i16x8.splat(0x3f);
          const following = i16x8.splat(0x80);
          const last = v128.bitselect(block, v128.or(v128.and(block, bits), following), ascii);
          const middle = v128.or(v128.and(sixth, bits), following);
          const low = v128.or(v128.or(i16x8.shr_u(block, 12), i16x8.splat(0xe0)), i16x8.shl(middle, 8));
          const high = v128.or(last, i16x8.shl(v128.or(sixth, i16x8.splat(0xc0)), 8));
          const front = i8x16.shuffle(low, high, 0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23);
          const back = i8x16.shuffle(low, high, 8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31);
          if (!load<u8>(PACKING)) Writer.makePacking();
          const first = (longer & 15) | ((longest & 15) << 4);
          const second = (longer >> 4) | (longest & 0xf0);
          v128.store(to, i8x16.swizzle(front, v128.load(PACKING + ((<usize>first) << 4))), 0, 1);
          to += 4 + popcnt(first);
          v128.store(to, i8x16.swizzle(back, v128.load(PACKING + ((<usize>second) << 4))), 0, 1);
          to += left + popcnt(second) - 4;
          continue;
        }
      } else {
        const unit = <u32>load<u16>(from);
        if ((unit & 0xf800) != 0xd800) {
          from += 2;
          if (unit < 0x80) {
            if (unit == 0) strings--;
            store<u8>(to++, <u8>unit);
          } else if (unit < 0x800) {
            store<u16>(to, <u16>(0x80c0 | (unit >> 6) | ((unit & 0x3f) << 8)), 0, 1);
            to += 2;
          } else {
            store<u16>(to, <u16>(0x80e0 | (unit >> 12) | (((unit >> 6) & 0x3f) << 8)), 0, 1);
            store<u8>(to, <u8>(0x80 | (unit & 0x3f)), 2);
            to += 3;
          }
          continue;
        }
      }
      const unit = <u32>load<u16>(from);
      if (unit >= 0xdc00 || from + 4 > end) return 0;
      const low = <u32>load<u16>(from, 2);
      if ((low & 0xfc00) != 0xdc00) return 0;
      from += 4;
      const point = 0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff);
      store<u16>(to, <u16>(0x80f0 | (point >> 18) | (((point >> 12) & 0x3f) << 8)), 0, 1);
      store<u16>(to, <u16>(0x8080 | ((point >> 6) & 0x3f) | ((point & 0x3f) << 8)), 2, 1);
      to += 4;
    }
    store<u8>(to, 0);
    return strings == 1 ? to + 1 : 0;
  }

  /** For each way in which four characters can take one to three bytes: which bytes follow each other. */
  private static makePacking(): void {
    for (let lengths = 0; lengths < 256; lengths++) {
      let entry = PACKING + ((<usize>lengths) << 4);
      for (let lane = 0; lane < 4; lane++) {
        const at = lane << 2;
        const bits = lengths >> lane;
        if (bits & 16) {
          store<u16>(entry, <u16>(at | ((at + 1) << 8)), 0, 1);
          entry += 2;
        } else if (bits & 1) store<u8>(entry++, <u8>(at + 3));
        store<u8>(entry++, <u8>(at + 2));
      }
    }
  }
}
