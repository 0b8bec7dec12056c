// Bytes to tape. The parser works on what is there, stops before a value that is cut, and goes on when more has come; open arrays
// lie on a stack of its own, so that neither a long input nor a deep one needs more than the fixed regions and eight bytes a level.
import { unhex } from "./hex";
import {
  BOX,
  DONE,
  ERROR_COUNT,
  ERROR_DEPTH,
  ERROR_LEGACY_REAL,
  ERROR_TRUNCATED,
  ERROR_UNKNOWN_TYPE,
  ERROR_VALUES,
  INTERN,
  INTERN_BYTES,
  INTERN_SLOTS,
  KIND_ARRAY,
  KIND_ASCII,
  KIND_BARE,
  KIND_BOOL,
  KIND_EIGHT,
  KIND_INT32,
  KIND_LONG,
  KIND_RAW,
  KIND_REPEAT,
  KIND_ROWS,
  LAYOUT_COMPACT,
  LAYOUT_LEGACY,
  LAYOUT_ROWS,
  LONG,
  LONG_STRING,
  MORE,
  READ_ASCII,
  READ_BYTES,
  READ_CHARS,
  READ_TAPE,
  READ_UNITS,
  STACK,
  STATE,
  STATE_ASCII,
  STATE_END,
  STATE_ERROR_FOUND,
  STATE_ERROR_OFFSET,
  STATE_POSITION,
  STATE_REPEATS,
  STATE_SLOTS,
  STATE_UNITS,
  TYPE_ARRAY,
  TYPE_BOOL,
  TYPE_INT32,
  TYPE_INT64,
  TYPE_NESTED_LIST,
  TYPE_NESTED_MAP,
  TYPE_POINTER,
  TYPE_REAL,
  TYPE_STRING,
  TYPE_STRUCT,
  TYPE_UNDEFINED,
} from "./layout";
import { decodeUtf8, unitsEnd } from "./utf";

let total: u32 = 0; // bytes of the whole input
let base: u32 = 0; // offset in the input of the first byte of the region
let position: usize = 0; // next byte to parse
let end: usize = 0; // end of the bytes that are there
let layout: u32 = 0;
let maxDepth: u32 = 0;
let valuesLeft: u32 = 0; // how many more values the limit allows to be claimed
let left: u32 = 0; // values still to come in the array (or structure) at hand
let rows: u32 = 0; // rows still to come in the array of rows at hand
let depth: u32 = 0;

class State {
  // @ts-expect-error: decorator
  @inline static set(index: u32, value: u32): void {
    store<u32>(STATE + (index << 2), value);
  }
}

class Slot {
  // @ts-expect-error: decorator
  @inline static box(slot: usize, kind: u32, payload: u32): void {
    store<u32>(slot, payload);
    store<u32>(slot, BOX | kind, 4);
  }
  /** Eight bytes from anywhere into a slot. */
  // @ts-expect-error: decorator
  @inline static copy(slot: usize, from: usize): void {
    if (ASC_FEATURE_SIMD) {
      store<u64>(slot, load<u64>(from, 0, 1));
    } else {
      store<u32>(slot, load<u32>(from, 0, 1));
      store<u32>(slot, load<u32>(from, 4, 1), 4);
    }
  }
}

function tellPosition(): void {
  State.set(STATE_POSITION, <u32>(position - READ_BYTES));
  State.set(STATE_END, <u32>(end - READ_BYTES));
}

/** Begins an input of `bytes` bytes. */
export function startReading(bytes: u32): void {
  total = bytes;
  base = 0;
  position = end = READ_BYTES;
  tellPosition();
}

/** Begins the values, at byte `offset` of the input (within the first window). `values` of them have been checked to fit. */
export function startValues(offset: u32, values: u32, valueLayout: u32, depthLimit: u32, valueLimit: u32): void {
  position = READ_BYTES + (offset - base);
  left = values;
  layout = valueLayout;
  maxDepth = depthLimit;
  valuesLeft = valueLimit - values;
  rows = 0;
  depth = 0;
}

/**
 * Takes `chars` characters from the window; what is left of the bytes before moves to the front. Gives `chars`, or the index of
 * the first character that is no hex digit.
 */
export function take(chars: u32): u32 {
  const kept = end - position;
  if (kept) memory.copy(READ_BYTES, position, kept);
  base += <u32>(position - READ_BYTES);
  position = READ_BYTES;
  const good = unhex(READ_CHARS, chars, READ_BYTES + kept);
  end = READ_BYTES + kept + (chars >>> 1);
  tellPosition();
  return good;
}

/** Passes over bytes that the shim has taken itself. */
export function skip(bytes: u32): void {
  position += bytes;
  tellPosition();
}

function fail(code: u32, at: usize, found: u32): u32 {
  State.set(STATE_ERROR_OFFSET, base + <u32>(at - READ_BYTES));
  State.set(STATE_ERROR_FOUND, found);
  return code;
}

function push(): void {
  const frame = STACK + ((<usize>depth) << 3);
  // The depth limit is the caller's; only what is really open takes memory.
  if (frame + 8 > (<usize>memory.size()) << 16) memory.grow(1);
  store<u32>(frame, left);
  store<u32>(frame, rows, 4);
  depth++;
}

/** A string of up to 16 bytes seen before in this window: its number plus one, else 0 and it is remembered. */
function findRepeat(words: v128, size: u32, number: u32): u32 {
  let hash = i32x4.extract_lane(words, 0) * 0x9e3779b1;
  hash = (hash ^ i32x4.extract_lane(words, 1)) * 0x85ebca77;
  hash = (hash ^ i32x4.extract_lane(words, 2)) * 0xc2b2ae3d;
  hash = (hash ^ i32x4.extract_lane(words, 3) ^ size) * 0x27d4eb2f;
  const entry = INTERN + (<u32>hash >>> 23) * INTERN_BYTES;
  if (load<u32>(entry, 20) === size && !v128.any_true(v128.xor(v128.load(entry), words))) return load<u32>(entry, 16) + 1;
  v128.store(entry, words);
  store<u32>(entry, number, 16);
  store<u32>(entry, size, 20);
  return 0;
}

/** Parses until the bytes end, the values end, a long string begins or something is wrong; the tape has what was parsed. */
export function parse(): u32 {
  const limit = end;
  const form = layout;
  const rest = total - base; // bytes of the input from the first of the region on
  let p = position;
  let slot: usize = READ_TAPE;
  let ascii: usize = READ_ASCII;
  let units: usize = READ_UNITS;
  let number: u32 = 0; // ASCII strings of this window that are no repeats
  let hits: u32 = 0;
  let intern = ASC_FEATURE_SIMD;
  let status: u32 = MORE;
  const header: usize = form === LAYOUT_LEGACY ? 16 : 4;
  let found: u32 = 0;
  let at: usize = p;

  // A length of 0xFFFFFFFF marks an empty entry: no interned string has it.
  if (ASC_FEATURE_SIMD && <u32>(limit - p) > 512) {
    for (let entry: usize = INTERN; entry < INTERN + INTERN_SLOTS * INTERN_BYTES; entry += INTERN_BYTES)
      store<u32>(entry, u32.MAX_VALUE, 20);
  } else {
    intern = false; // a small input is parsed sooner than the table is cleared
  }

  for (;;) {
    while (left === 0) {
      if (rows) {
        // The next row of an array of rows.
        if (limit - p < 4) {
          at = p;
          break;
        }
        const length = load<u32>(p, 0, 1);
        at = p;
        if (length > (rest - <u32>(p + 4 - READ_BYTES)) >>> 2) {
          status = ERROR_COUNT;
          found = length;
          break;
        }
        if (length > valuesLeft) {
          status = ERROR_VALUES;
          break;
        }
        valuesLeft -= length;
        Slot.box(slot, KIND_ARRAY, length);
        slot += 8;
        p += 4;
        rows--;
        left = length;
      } else if (depth) {
        const frame = STACK + ((<usize>--depth) << 3);
        left = load<u32>(frame);
        rows = load<u32>(frame, 4);
      } else {
        status = DONE;
        break;
      }
    }
    if (left === 0) break;
    const room = limit - p;
    at = p;
    if (room < header) break;
    const type = load<u32>(p, 0, 1);

    if (type === TYPE_REAL) {
      if (form === LAYOUT_LEGACY) {
        found = load<u32>(p, 12, 1);
        if (found) {
          at = p + 12;
          status = ERROR_LEGACY_REAL;
          break;
        }
      } else if (room < 12) {
        at = p + 4;
        break;
      }
      const upper = load<u32>(p, 8, 1);
      // Any NaN: the tape's boxes are NaN, and JavaScript does not promise to keep the bits.
      if ((upper & 0x7ff00000) === 0x7ff00000 && (upper << 12) | load<u32>(p, 4, 1)) {
        Slot.box(slot, KIND_EIGHT, TYPE_REAL);
        slot += 8;
      }
      Slot.copy(slot, p + 4);
      slot += 8;
      p += header + (form === LAYOUT_LEGACY ? 0 : 8);
    } else if (type === TYPE_STRING) {
      if (form !== LAYOUT_LEGACY && room < 8) {
        at = p + 4;
        break;
      }
      const text = form === LAYOUT_LEGACY ? p + 16 : p + 8;
      const size = load<u32>(text - 4, 0, 1);
      if (size > rest - <u32>(text - READ_BYTES)) {
        at = text - 4;
        status = ERROR_TRUNCATED;
        break;
      }
      if (size > LONG_STRING) {
        Slot.box(slot, KIND_LONG, size);
        slot += 8;
        p = text;
        left--;
        status = LONG;
        break;
      }
      if (<u32>(limit - text) < size) {
        at = text;
        break;
      }
      let high: u32 = 0;
      if (ASC_FEATURE_SIMD) {
        if (size <= 16) {
          const lanes = i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
          const words = v128.and(v128.load(text, 0, 1), i8x16.lt_u(lanes, i8x16.splat(<i8>size)));
          high = i8x16.bitmask(words);
          if (!high) {
            if (intern) {
              const repeat = findRepeat(words, size, number);
              if (repeat) {
                hits++;
                Slot.box(slot, KIND_REPEAT, repeat - 1);
                slot += 8;
                p = text + size;
                left--;
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
          const words = v128.load(text + size - 16, 0, 1);
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
        Slot.box(slot, KIND_ASCII, <u32>(ascii - READ_ASCII));
      } else {
        const kind = decodeUtf8(text, text + size, units);
        if (kind === KIND_RAW) {
          Slot.box(slot, KIND_RAW, <u32>(text - READ_BYTES));
          slot += 8;
          Slot.box(slot, 0, size);
        } else {
          units = unitsEnd;
          Slot.box(slot, kind, <u32>(units - READ_UNITS) >>> 1);
        }
      }
      slot += 8;
      p = text + size;
    } else if (form <= LAYOUT_COMPACT) {
      // Generation 1 knows nothing else (formats/ds.md §6).
      found = type;
      status = ERROR_UNKNOWN_TYPE;
      break;
    } else if (type === TYPE_ARRAY) {
      if (depth === maxDepth) {
        status = ERROR_DEPTH;
        break;
      }
      if (room < 8) {
        at = p + 4;
        break;
      }
      let counter = p + 4;
      let length = load<u32>(counter, 0, 1);
      const single = form === LAYOUT_ROWS && length === 1;
      if (single) {
        if (room >= 12) {
          counter += 4;
          length = load<u32>(counter, 0, 1);
        } else if (rest - <u32>(p + 8 - READ_BYTES) >= 4) {
          at = counter;
          break;
        }
      }
      if (length > (rest - <u32>(counter + 4 - READ_BYTES)) >>> 2) {
        at = counter;
        found = length;
        status = ERROR_COUNT;
        break;
      }
      if (length > valuesLeft) {
        at = counter;
        status = ERROR_VALUES;
        break;
      }
      valuesLeft -= length;
      p = counter + 4;
      left--;
      push();
      if (form === LAYOUT_ROWS && !single) {
        Slot.box(slot, KIND_ROWS, length);
        rows = length;
        left = 0;
      } else {
        Slot.box(slot, KIND_ARRAY, length);
        rows = 0;
        left = length;
      }
      slot += 8;
      continue;
    } else if (type === TYPE_UNDEFINED || type === TYPE_STRUCT || type === TYPE_NESTED_LIST || type === TYPE_NESTED_MAP) {
      Slot.box(slot, KIND_BARE, type);
      slot += 8;
      p += 4;
    } else if (type === TYPE_INT32) {
      if (room < 8) {
        at = p + 4;
        break;
      }
      Slot.box(slot, KIND_INT32, load<u32>(p, 4, 1));
      slot += 8;
      p += 8;
    } else if (type === TYPE_BOOL || type === TYPE_POINTER || type === TYPE_INT64) {
      if (room < 12) {
        at = p + 4;
        break;
      }
      const lower = load<u32>(p, 4, 1);
      const upper = load<u32>(p, 8, 1);
      if (type === TYPE_BOOL && lower === 0 && (upper === 0 || upper === 0x3ff00000)) {
        Slot.box(slot, KIND_BOOL, upper ? 1 : 0);
      } else {
        Slot.box(slot, KIND_EIGHT, type);
        slot += 8;
        Slot.copy(slot, p + 4);
      }
      slot += 8;
      p += 12;
    } else {
      found = type;
      status = ERROR_UNKNOWN_TYPE;
      break;
    }
    left--;
  }

  position = p;
  State.set(STATE_REPEATS, hits);
  State.set(STATE_SLOTS, <u32>(slot - READ_TAPE) >>> 3);
  State.set(STATE_ASCII, <u32>(ascii - READ_ASCII));
  State.set(STATE_UNITS, <u32>(units - READ_UNITS) >>> 1);
  tellPosition();
  // Nothing more will come: what looked cut is cut.
  if (status === MORE && base + <u32>(end - READ_BYTES) === total) status = ERROR_TRUNCATED;
  return fail(status, at, found);
}
