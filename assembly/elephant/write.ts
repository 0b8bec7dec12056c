// Writing: UTF-16 to the UTF-8 of the format. Everything else of a write is stored by the shim (docs/architecture.md).
import { UTF16 } from "./memory";

export class Writer {
  /**
   * The first `units` of the UTF-16 text region as UTF-8 with a terminator at `to`, where three bytes for each unit and one block are free.
   * Returns the end, or 0 for what cannot be stored: U+0000 and lone surrogates (formats/elephant.md §3.3).
   */
  static text(to: usize, units: u32): usize {
    let from = UTF16;
    const end = from + ((<usize>units) << 1);
    while (from < end) {
      if (ASC_FEATURE_SIMD) {
        const high = i16x8.splat(<i16>0xff80);
        while (from + 32 <= end) {
          const a = v128.load(from);
          const b = v128.load(from, 16);
          if (v128.any_true(v128.and(v128.or(a, b), high)) || !i16x8.all_true(a) || !i16x8.all_true(b)) break;
          v128.store(to, i8x16.narrow_i16x8_u(a, b), 0, 1);
          from += 32;
          to += 16;
        }
        while (from + 16 <= end) {
          const a = v128.load(from, 0, 2);
          if (v128.any_true(v128.and(a, high)) || !i16x8.all_true(a)) break;
          v128.store(to, i8x16.narrow_i16x8_u(a, a), 0, 1);
          from += 16;
          to += 8;
        }
      }
      // A stretch by units; then blocks are tried again.
      const stretch = from + 32 < end ? from + 32 : end;
      while (from < stretch) {
        const unit = <u32>load<u16>(from);
        from += 2;
        if (unit < 0x80) {
          if (unit == 0) return 0;
          store<u8>(to++, <u8>unit);
        } else if (unit < 0x800) {
          store<u16>(to, <u16>(0x80c0 | (unit >> 6) | ((unit & 0x3f) << 8)), 0, 1);
          to += 2;
        } else if ((unit & 0xf800) != 0xd800) {
          store<u16>(to, <u16>(0x80e0 | (unit >> 12) | (((unit >> 6) & 0x3f) << 8)), 0, 1);
          store<u8>(to, <u8>(0x80 | (unit & 0x3f)), 2);
          to += 3;
        } else {
          if (unit >= 0xdc00 || from >= end) return 0;
          const low = <u32>load<u16>(from);
          if ((low & 0xfc00) != 0xdc00) return 0;
          from += 2;
          const point = 0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff);
          store<u16>(to, <u16>(0x80f0 | (point >> 18) | (((point >> 12) & 0x3f) << 8)), 0, 1);
          store<u16>(to, <u16>(0x8080 | ((point >> 6) & 0x3f) | ((point & 0x3f) << 8)), 2, 1);
          to += 4;
        }
      }
    }
    store<u8>(to, 0);
    return to + 1;
  }
}
