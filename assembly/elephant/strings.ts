// The string table: text of one chunk goes into blobs that JavaScript decodes at once; names and repeated values are interned.

import {
  ASCII,
  ASCII_SOFT,
  MASKS,
  NAME_BYTES,
  NAME_BYTES_SIZE,
  NAME_ENTRIES,
  NAME_SLOTS,
  NAMES_LIMIT,
  RECORDS,
  RECORDS_SOFT,
  SHORT_SLOTS,
  SHORT_SLOTS_COUNT,
  TABLE_KINDS,
  TABLE_LOCAL,
  TABLE_NAMES,
  TABLE_VALUES,
  UTF16,
  UTF16_SOFT,
  VALUE_BYTES,
  VALUE_BYTES_SIZE,
  VALUE_ENTRIES,
  VALUE_SLOTS,
  VALUES_LIMIT,
  WIDE,
} from "./memory";
import { IN_ASCII, IN_JAVASCRIPT, IN_SCALAR, IN_UTF16, IN_WIDE } from "./ops";
import { scannedNonAscii, Text } from "./text";

/** Slots looked at before a string is not interned: chosen keys cannot make a search longer. */
const PROBES: u32 = 12;
/** Longer values are not interned. */
const VALUE_LONGEST: u32 = 63;
/** Longer names are written out each time. */
const NAME_LONGEST: u32 = 255;

let seed: u32 = 1;
let records: u32 = 0;
let asciiTop: usize = ASCII;
let utf16Top: usize = UTF16;
let wideTop: usize = WIDE;
let names: u32 = 0;
let nameTop: usize = NAME_BYTES;
let values: u32 = 0;
/** Of them those of up to 15 bytes. */
let shorts: u32 = 0;
let valueTop: usize = VALUE_BYTES;

let keptRecords: u32 = 0;
let keptAscii: usize = 0;
let keptUtf16: usize = 0;
let keptValues: u32 = 0;

/** What {@link Strings.find} has looked for: its hash, and where it would go, 0 for nowhere. */
let hash: u32 = 0;
let free: usize = 0;

/** The table index of the last string that was read. */
export let stringId: u32 = 0;

export class Strings {
  static seed(value: u32): void {
    seed = value;
    memory.fill(MASKS, 255, 16);
    memory.fill(MASKS + 16, 0, 16);
  }

  static records(): u32 {
    return records;
  }

  /** Where this chunk's ASCII ends. */
  static ascii(): usize {
    return asciiTop;
  }

  /** Where this chunk's UTF-16 ends. */
  static utf16(): usize {
    return utf16Top;
  }

  /** Is it time to hand the chunk over? */
  @inline
  static full(): bool {
    return records >= RECORDS_SOFT || asciiTop >= ASCII_SOFT || utf16Top >= UTF16_SOFT;
  }

  /** Begins a chunk. */
  static flush(): void {
    records = 0;
    asciiTop = ASCII;
    utf16Top = UTF16;
    wideTop = WIDE;
  }

  /** What is added from now on may be for nothing ({@link back}). */
  static keep(): void {
    keptRecords = records;
    keptAscii = asciiTop;
    keptUtf16 = utf16Top;
    keptValues = values;
  }

  /** Takes back what has been added since {@link keep}, unless some of it will be found again. */
  static back(): void {
    if (values != keptValues) return;
    records = keptRecords;
    asciiTop = keptAscii;
    utf16Top = keptUtf16;
  }

  /** Forgets the values of the call before. */
  static forgetValues(): void {
    // The tables have 640 KB.
    if (values > 4096) {
      memory.fill(VALUE_SLOTS, 0, <usize>VALUES_LIMIT * 8);
      memory.fill(SHORT_SLOTS, 0, (<usize>SHORT_SLOTS_COUNT) << 5);
    } else for (let i: u32 = 0; i < values; i++) store<u32>(<usize>load<u32>(VALUE_ENTRIES + ((<usize>i) << 4), 12), 0);
    values = 0;
    shorts = 0;
    valueTop = VALUE_BYTES;
  }

  static namesFull(): bool {
    return names > NAMES_LIMIT - 1024 || nameTop > NAME_BYTES + NAME_BYTES_SIZE - 65536;
  }

  static forgetNames(): void {
    memory.fill(NAME_SLOTS, 0, <usize>NAMES_LIMIT * 8);
    names = 0;
    nameTop = NAME_BYTES;
  }

  @inline
  private static record(index: u32, end: usize, where: u32): void {
    const at = RECORDS + ((<usize>records) << 3);
    store<u32>(at, index);
    store<u32>(at, ((<u32>end) << 3) | where, 4);
    records++;
  }

  /** Puts the text [p, p + length) into this chunk's blobs, to become the table entry `index`. */
  private static blob(p: usize, length: u32, nonAscii: u32, index: u32): void {
    if (nonAscii) {
      utf16Top = Text.utf16(p, p + length, utf16Top);
      Strings.record(index, (utf16Top - UTF16) >> 1, IN_UTF16);
    } else {
      Text.copy(asciiTop, p, length);
      asciiTop += length;
      Strings.record(index, asciiTop - ASCII, IN_ASCII);
    }
  }

  /** A string of this chunk alone. */
  @inline
  static local(p: usize, length: u32, nonAscii: u32): u32 {
    const index = TABLE_LOCAL + records;
    Strings.blob(p, length, nonAscii, index);
    return index;
  }

  /** As {@link local}, looking at the bytes itself. */
  static plain(p: usize, length: u32): u32 {
    Text.end(p);
    return Strings.local(p, length, scannedNonAscii);
  }

  /** Keeps a place in the table for a string that JavaScript decodes itself. */
  static reserved(): u32 {
    const index = TABLE_LOCAL + records;
    Strings.record(index, 0, IN_JAVASCRIPT);
    return index;
  }

  /** The eight bytes at `p` as an integer. */
  static wide(p: usize): u32 {
    const index = TABLE_LOCAL + records;
    store<u32>(wideTop, load<u32>(p, 0, 1));
    store<u32>(wideTop, load<u32>(p, 4, 1), 4);
    Strings.record(index, (wideTop - WIDE) >> 3, IN_WIDE);
    wideTop += 8;
    return index;
  }

  static scalar(datatype: u32, value: f64): u32 {
    const index = TABLE_LOCAL + records;
    store<f64>(wideTop, <f64>datatype);
    store<f64>(wideTop, value, 8);
    Strings.record(index, (wideTop - WIDE) >> 3, IN_SCALAR);
    wideTop += 16;
    return index;
  }

  /**
   * The string at `p` as a table index ({@link stringId}); returns the address behind its terminator, or 0 when that lies behind
   * `end`. `site` holds two u16 counters of the place where it stands: places whose strings prove unique stop interning.
   */
  @inline
  static read(p: usize, end: usize, site: usize): usize {
    if (ASC_FEATURE_SIMD) {
      // Up to 15 bytes: everything in one register.
      const block = v128.load(p, 0, 1);
      const zeros = <u32>i8x16.bitmask(i8x16.eq(block, i8x16.splat(0)));
      if (zeros) {
        const length = <u32>ctz(zeros);
        if (p + length >= end) return 0;
        const nonAscii = <u32>i8x16.bitmask(block) & (zeros ^ (zeros - 1));
        const misses = <u32>load<u16>(site, 2);
        stringId =
          misses < 256 || <u32>load<u16>(site) * 3 >= misses
            ? Strings.short(p, block, length, nonAscii, site)
            : Strings.local(p, length, nonAscii);
        return p + length + 1;
      }
    }
    return Strings.readLong(p, end, site);
  }

  /** As {@link read}, where it is not worth its room in the code a second time. */
  static next(p: usize, end: usize, site: usize): usize {
    return Strings.read(p, end, site);
  }

  private static readLong(p: usize, end: usize, site: usize): usize {
    const stop = Text.end(p);
    if (stop >= end) return 0;
    const length = <u32>(stop - p);
    const nonAscii = scannedNonAscii;
    if (length <= VALUE_LONGEST) {
      const misses = <u32>load<u16>(site, 2);
      // Unique after 256 misses with fewer than a third as many hits (measured on ids against vocabulary, bench/).
      if (misses < 256 || <u32>load<u16>(site) * 3 >= misses) {
        stringId = Strings.value(p, length, nonAscii, site);
        return stop + 1;
      }
    }
    stringId = Strings.local(p, length, nonAscii);
    return stop + 1;
  }

  /** As {@link value} for up to 15 bytes, `block`, in a table of their own: their hash and their comparison take a register each. */
  private static short(p: usize, block: v128, length: u32, nonAscii: u32, site: usize): u32 {
    // The bytes behind the terminator are not part of it. The 16 bytes at MASKS + 16 - n keep the first n.
    const text = v128.and(block, v128.load(MASKS + 16 - length, 0, 1));
    const mixed =
      (i64x2.extract_lane(text, 0) ^ ((<i64>seed) << 32)) * -7046029254386353131 + i64x2.extract_lane(text, 1) * -4417276706812531889;
    let at = SHORT_SLOTS + <usize>((<u32>((mixed >> 32) ^ (mixed >> 44)) & (SHORT_SLOTS_COUNT - 1)) << 5);
    for (let i: u32 = 0; i < PROBES; i++) {
      const index = load<u32>(at, 16);
      if (index == 0) return Strings.addShort(p, text, length, nonAscii, site, at);
      if (!v128.any_true(v128.xor(text, v128.load(at)))) {
        Strings.count(site);
        return index;
      }
      at += 32;
      if (at == SHORT_SLOTS + ((<usize>SHORT_SLOTS_COUNT) << 5)) at = SHORT_SLOTS;
    }
    return Strings.local(p, length, nonAscii);
  }

  private static addShort(p: usize, text: v128, length: u32, nonAscii: u32, site: usize, at: usize): u32 {
    Strings.count(site + 2);
    // Half of its slots stay free, so that a search ends soon.
    if (shorts >= SHORT_SLOTS_COUNT >> 1 || values >= VALUES_LIMIT) return Strings.local(p, length, nonAscii);
    const index = TABLE_VALUES + values * TABLE_KINDS;
    store<u32>(VALUE_ENTRIES + ((<usize>values) << 4), <u32>(at + 16), 12);
    values++;
    shorts++;
    v128.store(at, text);
    store<u32>(at, index, 16);
    Strings.blob(p, length, nonAscii, index);
    return index;
  }

  private static value(p: usize, length: u32, nonAscii: u32, site: usize): u32 {
    const known = Strings.find(p, length, VALUE_SLOTS, VALUE_ENTRIES);
    if (known) {
      Strings.count(site);
      // Entries of 16 bytes; TABLE_KINDS is 4.
      return TABLE_VALUES + (<u32>(known - VALUE_ENTRIES) >> 2);
    }
    if (free) Strings.count(site + 2);
    if (!free || values >= VALUES_LIMIT || valueTop + length + 16 > VALUE_BYTES + VALUE_BYTES_SIZE)
      return Strings.local(p, length, nonAscii);
    const entry = VALUE_ENTRIES + ((<usize>values) << 4);
    const index = TABLE_VALUES + values * TABLE_KINDS;
    store<u32>(entry, <u32>free, 12);
    values++;
    valueTop = Strings.enter(entry, values, p, length, valueTop);
    Strings.blob(p, length, nonAscii, index);
    return index;
  }

  /** A name as entry address, or 0 when it is not to be interned (too long, table full, too many neighbours). */
  static name(p: usize, length: u32): usize {
    if (length > NAME_LONGEST) return 0;
    const known = Strings.find(p, length, NAME_SLOTS, NAME_ENTRIES);
    if (known) return known;
    if (!free || names >= NAMES_LIMIT || nameTop + length + 32 > NAME_BYTES + NAME_BYTES_SIZE) return 0;
    const entry = NAME_ENTRIES + ((<usize>names) << 4);
    const index = TABLE_NAMES + names * TABLE_KINDS;
    const text = nameTop;
    store<u32>(entry, index, 12);
    names++;
    nameTop = Strings.enter(entry, names, p, length, text);
    Text.end(text);
    Strings.blob(p, length, scannedNonAscii, index);
    return entry;
  }

  /** The hash of a text, which nobody can choose: the seed is secret. */
  static hashed(p: usize, length: u32): u32 {
    return Text.hash(p, length, seed);
  }

  /** The entry of the text [p, p + length) among those that `slots` lead to, or 0. */
  private static find(p: usize, length: u32, slots: usize, entries: usize): usize {
    hash = Strings.hashed(p, length);
    let slot = hash & (VALUES_LIMIT * 2 - 1);
    for (let i: u32 = 0; i < PROBES; i++) {
      free = slots + ((<usize>slot) << 2);
      const found = load<u32>(free);
      if (found == 0) return 0;
      const entry = entries + ((<usize>found - 1) << 4);
      if (load<u32>(entry) == hash && load<u32>(entry, 8) == length && (length == 0 || Text.same(p, load<u32>(entry, 4), length)))
        return entry;
      slot = (slot + 1) & (VALUES_LIMIT * 2 - 1);
    }
    free = 0;
    return 0;
  }

  /** What {@link find} has not found gets this entry, the `number`th; its text goes to `to`, padded with zeros to whole blocks. Returns where these end. */
  private static enter(entry: usize, number: u32, p: usize, length: u32, to: usize): usize {
    const end = to + ((length + 16) & ~15);
    store<u32>(entry, hash);
    store<u32>(entry, <u32>to, 4);
    store<u32>(entry, length, 8);
    store<u32>(free, number);
    memory.fill(end - 16, 0, 16);
    memory.copy(to, p, length);
    return end;
  }

  /** Counts at a place, as far as its two bytes reach. */
  @inline
  private static count(at: usize): void {
    const before = <u32>load<u16>(at);
    if (before < 65535) store<u16>(at, <u16>(before + 1));
  }
}
