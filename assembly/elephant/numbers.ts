// Datatypes of the wire (formats/elephant.md §3).
export const U8: u32 = 1;
export const S8: u32 = 2;
export const U16: u32 = 3;
export const S16: u32 = 4;
export const U32: u32 = 5;
export const S32: u32 = 6;
export const F16: u32 = 7;
export const F32: u32 = 8;
export const F64: u32 = 9;
export const BOOL: u32 = 10;
export const STRING: u32 = 11;
export const U64: u32 = 12;
export const TEXT: u32 = 13;
/** The last four codes have had two sets of values; inside the kernel they are these. */
export const ANY: u32 = 14;
export const ARRAY_CODE: u32 = 15;
export const STRUCT_CODE: u32 = 16;
export const UNDEFINED: u32 = 17;
/** An instance of release 1.0.0, whose constructor is told by the code byte. */
export const CONSTRUCTED: u32 = 100;

/** So many numbers in one operation at most: there is room for more behind the soft end of the tape (memory.ts). */
export const MOST_NUMBERS: u32 = 8192;

/** Adding it moves the units of a double to its lowest bits, taking it away again drops everything below them. */
export const UNITS: f64 = 6755399441055744.0; // 2^52 + 2^51

/** Where {@link Numbers.block} has ended. */
export let blockEnd: usize = 0;

export class Numbers {
  /** Bytes of a datatype from u8 to bool, and of u64. */
  static size(datatype: u32): u32 {
    if (datatype == U8 || datatype == S8 || datatype == BOOL) return 1;
    if (datatype == U16 || datatype == S16 || datatype == F16) return 2;
    if (datatype == U32 || datatype == S32 || datatype == F32) return 4;
    return 8;
  }

  /** The number at `p`; `datatype` is one of u8 ... f64. */
  static read(p: usize, datatype: u32): f64 {
    if (datatype == F64) return load<f64>(p, 0, 1);
    if (datatype == U8) return <f64>load<u8>(p);
    if (datatype == S8) return <f64>load<i8>(p);
    if (datatype == U16) return <f64>load<u16>(p, 0, 1);
    if (datatype == S16) return <f64>load<i16>(p, 0, 1);
    if (datatype == U32) return <f64>load<u32>(p, 0, 1);
    if (datatype == S32) return <f64>load<i32>(p, 0, 1);
    if (datatype == F32) return <f64>load<f32>(p, 0, 1);
    return Numbers.half(load<u16>(p, 0, 1));
  }

  /** IEEE half to double. */
  static half(bits: u32): f64 {
    const exponent = (bits >> 10) & 31;
    const fraction = <f64>(bits & 0x3ff);
    let value: f64;
    if (exponent == 31) value = fraction != 0 ? f64.NaN : f64.POSITIVE_INFINITY;
    else if (exponent == 0) value = fraction * 5.960464477539063e-8;
    else value = (1024.0 + fraction) * <f64>(1 << exponent) * 2.98023223876953125e-8;
    return bits & 0x8000 ? -value : value;
  }

  /** Converts `count` numbers to slots at `from`: to int32 if that loses nothing (true), else to doubles. {@link blockEnd} is the slot behind them. */
  static block(p: usize, datatype: u32, count: u32, from: usize): bool {
    const size = Numbers.size(datatype);
    let q = from;
    let i: u32 = 0;
    if (datatype == F64) {
      let whole = true;
      if (ASC_FEATURE_SIMD) {
        // Four at a time: adding moves the units to the lowest bits, and what comes back from these has to be the same, as bits: -0 is no int32.
        const units = f64x2.splat(UNITS);
        const fours = count & ~3;
        for (; i < fours; i += 4, q += 16) {
          const first = v128.load(p + ((<usize>i) << 3), 0, 1);
          const second = v128.load(p + ((<usize>i) << 3), 16, 1);
          const cut = v128.shuffle<i32>(f64x2.add(first, units), f64x2.add(second, units), 0, 2, 4, 6);
          const differing = v128.or(
            v128.xor(f64x2.convert_low_i32x4_s(cut), first),
            v128.xor(f64x2.convert_low_i32x4_s(v128.shuffle<i32>(cut, cut, 2, 3, 2, 3)), second),
          );
          if (v128.any_true(differing)) {
            whole = false;
            break;
          }
          v128.store(q, cut, 0, 1);
        }
      }
      if (whole) {
        for (; i < count; i++) {
          const value = load<f64>(p + ((<usize>i) << 3), 0, 1);
          const cut = <i32>value;
          if (<f64>cut != value || (cut == 0 && 1 / value < 0)) {
            whole = false;
            break;
          }
          store<i32>(q, cut);
          q += 4;
        }
      }
      if (whole) {
        blockEnd = (q + 7) & ~7;
        return true;
      }
      q = from;
      for (i = 0; i < count; i++) {
        const value = load<f64>(p + ((<usize>i) << 3), 0, 1);
        store<f64>(q, value == value ? value : f64.NaN);
        q += 8;
      }
      blockEnd = q;
      return false;
    }
    if (datatype == U8 || datatype == S8 || datatype == U16 || datatype == S16 || datatype == S32) {
      for (; i < count; i++) {
        store<i32>(q, <i32>Numbers.read(p, datatype));
        p += size;
        q += 4;
      }
      blockEnd = (q + 7) & ~7;
      return true;
    }
    for (; i < count; i++) {
      const value = Numbers.read(p, datatype);
      store<f64>(q, value == value ? value : f64.NaN);
      p += size;
      q += 8;
    }
    blockEnd = q;
    return false;
  }
}
