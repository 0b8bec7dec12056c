// Big-endian numbers of a save to tape slots. A slot is a double as it is; a NaN with other bits than the usual ones is refused, because
// tags live among the NaNs and because JavaScript does not promise to keep it.

import { Big } from "./big-endian";

export class Numbers {
  /** One double; false for an unusual NaN. Moves words, so that no engine quiets a NaN on the way. */
  @inline static f64(p: usize, slot: usize): bool {
    const high = Big.load(p);
    const low = Big.load(p + 4);
    store<u32>(slot, low);
    store<u32>(slot, high, 4);
    const magnitude = high & 0x7fffffff;
    return magnitude < 0x7ff00000 || (low === 0 && (magnitude === 0x7ff00000 || high === 0x7ff80000));
  }

  /** Two doubles. */
  @inline static pair(p: usize, slot: usize): bool {
    if (ASC_FEATURE_SIMD) {
      const both = i8x16.swizzle(v128.load(p, 0, 1), i8x16(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8));
      v128.store(slot, both, 0, 8);
      if (!v128.any_true(f64x2.ne(both, both))) return true;
    }
    return Numbers.f64(p, slot) && Numbers.f64(p + 8, slot + 8);
  }

  /** One 32-bit float, widened. */
  @inline static f32(p: usize, slot: usize): bool {
    const bits = Big.load(p);
    if ((bits & 0x7fffffff) > 0x7f800000) {
      store<u32>(slot, 0);
      store<u32>(slot, 0x7ff80000, 4);
      return bits === 0x7fc00000;
    }
    store<f64>(slot, <f64>reinterpret<f32>(bits));
    return true;
  }
}
