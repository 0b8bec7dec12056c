// The strings in a row of values: their text, which the shim decodes all at once, and which of them are the same.
import {
  ASCII,
  INTERN,
  KIND_ASCII,
  KIND_RAW,
  KIND_REPEAT,
  LAYOUT_LEGACY,
  LAYOUT_ROWS,
  LONG_STRING,
  STRINGS,
  TAKEN,
  TYPE_ARRAY,
  TYPE_BOOL,
  TYPE_INT32,
  TYPE_INT64,
  TYPE_POINTER,
  TYPE_REAL,
  TYPE_STRING,
  UNITS,
} from "./layout";
import { decodeUtf8, unitsEnd } from "./utf";

const INTERN_BYTES: usize = 32;
/** A power of two, whose exponent is also in the shift of `findRepeat`. */
const INTERN_SLOTS: usize = 512;

/** A string of up to 16 bytes seen before: its number, else -1 and it is remembered. */
function findRepeat(words: v128, size: u32, number: u32): i32 {
  let hash = i32x4.extract_lane(words, 0) * 0x9e3779b1;
  hash = (hash ^ i32x4.extract_lane(words, 1)) * 0x85ebca77;
  hash = (hash ^ i32x4.extract_lane(words, 2)) * 0xc2b2ae3d;
  hash = (hash ^ i32x4.extract_lane(words, 3) ^ size) * 0x27d4eb2f;
  // The upper 9 bits of 32, because there are 2^9 slots.
  const entry = INTERN + (<u32>hash >>> 23) * INTERN_BYTES;
  if (load<u32>(entry, 20) === size && !v128.any_true(v128.xor(v128.load(entry), words))) return load<u32>(entry, 16);
  v128.store(entry, words);
  store<u32>(entry, number, 16);
  store<u32>(entry, size, 20);
  return -1;
}

/**
 * Takes the strings among the next `values` values (an array is one, each of its elements another), from `from` to `limit`; stops at what is not
 * there in whole, at a long string and at an array of rows. Values are not checked: where one is wrong, the shim finds it. Gives where it stopped.
 */
export function takeStrings(from: usize, limit: usize, values: u32, layout: u32): usize {
  const header: usize = layout === LAYOUT_LEGACY ? 16 : 8;
  let p = from;
  let entry: usize = STRINGS;
  let ascii: usize = ASCII;
  let units: usize = UNITS;
  let number: u32 = 0; // ASCII strings that are no repeats
  let hits: u32 = 0;
  let intern = ASC_FEATURE_SIMD;
  if (ASC_FEATURE_SIMD) {
    // A few values are read sooner than the table is cleared. A length of 0xFFFFFFFF marks an empty entry: no interned string has it.
    intern = limit - from > 512 && values > 64;
    if (intern) memory.fill(INTERN, 0xff, INTERN_SLOTS * INTERN_BYTES);
  }
  for (; values && p + header <= limit; values--) {
    const type = load<u32>(p, 0, 1);
    if (type !== TYPE_STRING) {
      if (type === TYPE_ARRAY && layout === LAYOUT_ROWS) {
        if (load<u32>(p, 4, 1) !== 1) break;
        p += 12;
      } else if (type === TYPE_REAL || type === TYPE_BOOL || type === TYPE_INT64 || type === TYPE_POINTER) {
        p += layout === LAYOUT_LEGACY ? 16 : 12;
      } else {
        p += type === TYPE_ARRAY || type === TYPE_INT32 ? 8 : 4;
      }
      continue;
    }
    const text = p + header;
    const size = load<u32>(text - 4, 0, 1);
    if (size > LONG_STRING || size > <u32>(limit - text)) break;
    p = text + size;
    let high: u32 = 0;
    let kind = KIND_ASCII;
    let payload: u32 = 0;
    if (ASC_FEATURE_SIMD) {
      if (size <= 16) {
        const lanes = i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        const words = v128.and(v128.load(text, 0, 1), i8x16.lt_u(lanes, i8x16.splat(<i8>size)));
        high = i8x16.bitmask(words);
        if (!high) {
          if (intern) {
            const repeat = findRepeat(words, size, number);
            if (repeat >= 0) {
              hits++;
              store<u32>(entry, (repeat << 3) | KIND_REPEAT);
              entry += 4;
              continue;
            }
            // Strings that prove unique are not worth looking up.
            if (number === 255 && hits < 85) intern = false;
          }
          v128.store(ascii, words, 0, 1);
        }
      } else {
        let seen = i8x16.splat(0);
        let i: usize = 0;
        for (; i + 16 <= size; i += 16) {
          const words = v128.load(text + i, 0, 1);
          seen = v128.or(seen, words);
          v128.store(ascii + i, words, 0, 1);
        }
        const words = v128.load(p - 16, 0, 1);
        v128.store(ascii + size - 16, words, 0, 1);
        high = i8x16.bitmask(v128.or(seen, words));
      }
    } else {
      for (let i: usize = 0; i < size; i++) {
        const c = <u32>load<u8>(text + i);
        high |= c & 0x80;
        store<u8>(ascii + i, <u8>c);
      }
    }
    if (!high) {
      ascii += size;
      number++;
      payload = <u32>ascii - ASCII;
    } else {
      kind = decodeUtf8(text, p, units);
      if (kind !== KIND_RAW) {
        units = unitsEnd;
        payload = (<u32>units - UNITS) >>> 1;
      }
    }
    store<u32>(entry, (payload << 3) | kind);
    entry += 4;
  }
  store<u32>(TAKEN, <u32>ascii - ASCII);
  store<u32>(TAKEN, (<u32>units - UNITS) >>> 1, 4);
  store<u32>(TAKEN, hits, 8);
  return p;
}
