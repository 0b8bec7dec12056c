// Writing: the op stream to bytes. The shim emits its operations in the order of the bytes, so there is no stack here; a step stops
// when the tape is used up, the output window is full, or the shim has to append something itself.

import {
  ASCII,
  HASH_SLOTS,
  HASH_SLOTS_LIMIT,
  HASHES,
  HASHES_LIMIT,
  OUTPUT_SOFT,
  RECORDS,
  RECORDS_SOFT,
  reach,
  TAPE,
  WIDE,
  WINDOW,
} from "./memory";
import { ANY, BOOL, F16, F32, F64, S8, S16, STRING, TEXT, U8, U16, U64, UNDEFINED } from "./numbers";
import {
  BOX_EXTERNAL,
  BOX_SCALAR,
  BOX_STRING,
  BOX_TABLE,
  BOX_WIDE,
  STATUS_EXTERNAL,
  STATUS_OUTPUT,
  STATUS_TAPE,
  TEMPLATE_STRICT,
  WRITE_ARRAY,
  WRITE_BYTES,
  WRITE_DOUBLES,
  WRITE_ELEMENTS,
  WRITE_INSTANCE,
  WRITE_MEMBERS,
  WRITE_PAIRS,
  WRITE_REFERENCE,
  WRITE_STRUCT,
  WRITE_STRUCT_PAIRS,
  WRITE_TYPED,
} from "./ops";
import { Text } from "./text";

// ---- templates: members, kind, version byte, 1 when an empty skip list is written; then addresses of the member records ----
const TEMPLATE_KIND: usize = 4;
const TEMPLATE_VERSION: usize = 8;
const TEMPLATE_SKIPS: usize = 12;
const TEMPLATE_RECORDS: usize = 16;
// ---- member records: length of the name with terminator, datatype; then the name, padded to 16 ----
const RECORD_DATATYPE: usize = 4;
const RECORD_NAME: usize = 16;

/** An entry of the hash table: these bits of the hash, and the container's number + 1. */
const FINGERPRINT: u32 = 0xfff00000;
/** Slots that go into a container's hash. */
const HASHED: u32 = 6;

let out: usize = WINDOW;
let cursor: usize = TAPE;
let end: usize = TAPE;
/** Code of "any" on the wire. */
let codes: u32 = 204;
/** Is sharing found by content? */
let hashing: bool = false;
let containers: u32 = 0;
let capacity: u32 = 0;
let filled: u32 = 0;
let candidates: u32 = 0;

// ---- the operation under way ----
let rest: u32 = 0;
let record: usize = 0;
let datatype: u32 = 0;
let copying: u32 = 0;
/** What the shim has to append now: its index + 1. */
let external: u32 = 0;
/** The text is out, only its terminator is missing. */
let terminate: bool = false;
let strict: bool = false;
let pairs: bool = false;
/** (pairs) The name is out, the value comes next. */
let named: bool = false;
let seed: u32 = 1;

export class Writer {
  static seed(value: u32): void {
    seed = value;
  }

  /** False: there is no memory for finding shared containers. */
  static begin(firstCode: u32, findShared: bool): bool {
    out = WINDOW;
    codes = firstCode;
    hashing = findShared;
    containers = 0;
    candidates = 0;
    rest = 0;
    record = 0;
    copying = 0;
    terminate = false;
    external = 0;
    if (findShared) {
      // Address space; pages are touched as they are needed.
      hashing = reach(HASH_SLOTS + ((<usize>HASH_SLOTS_LIMIT) << 2));
      capacity = 1024;
      filled = 0;
      if (hashing) memory.fill(HASH_SLOTS, 0, (<usize>capacity) << 2);
    }
    return hashing == findShared;
  }

  static outputEnd(): usize {
    return out;
  }

  static drained(): void {
    out = WINDOW;
  }

  static candidates(): u32 {
    return candidates;
  }

  static checked(): void {
    candidates = 0;
  }

  /** The index of what the shim has to append. */
  static external(): u32 {
    const index = external - 1;
    external = 0;
    return index;
  }

  /** A new tape, up to `to`. */
  static tape(to: usize): void {
    cursor = TAPE;
    end = to;
  }

  static run(): i32 {
    while (true) {
      if (out >= OUTPUT_SOFT) return STATUS_OUTPUT;
      if (candidates >= RECORDS_SOFT) return STATUS_OUTPUT;
      if (terminate) {
        store<u8>(out++, 0);
        terminate = false;
      }
      if (rest) {
        const status = record ? Writer.members() : pairs ? Writer.pairs() : Writer.elements();
        if (status) return status;
        continue;
      }
      if (copying) {
        const room = <u32>(OUTPUT_SOFT - out);
        const bytes = copying < room ? copying : room;
        memory.copy(out, cursor, bytes);
        out += bytes;
        cursor += bytes;
        copying -= bytes;
        if (!copying) cursor = (cursor + 7) & ~7;
        continue;
      }
      if (cursor >= end) return STATUS_TAPE;
      const head = load<u32>(cursor);
      const word = load<u32>(cursor, 4);
      const argument = head >> 8;
      const operation = head & 63;
      cursor += 8;
      if (operation == WRITE_STRUCT || operation == WRITE_INSTANCE) {
        const template = (<usize>argument) << 3;
        const members = load<u32>(template);
        const kind = load<u32>(template, TEMPLATE_KIND);
        strict = kind == TEMPLATE_STRICT;
        rest = word >> 16;
        record = members ? <usize>load<u32>(template, TEMPLATE_RECORDS) : 0;
        if (operation == WRITE_INSTANCE) {
          const index = load<u32>(cursor);
          const nameBytes = load<u32>(cursor, 4);
          cursor += 8;
          store<u16>(out, 0xfffe, 0, 1);
          store<u16>(out, <u16>index, 2, 1);
          out += 4;
          if (nameBytes) {
            memory.copy(out, cursor, nameBytes);
            out += nameBytes;
            cursor += (nameBytes + 7) & ~7;
          }
          store<u8>(out++, <u8>load<u32>(template, TEMPLATE_VERSION));
          if (!strict || load<u32>(template, TEMPLATE_SKIPS)) {
            store<u16>(out, strict ? 0 : <u16>members, 0, 1);
            out += 2;
          }
        } else {
          store<u16>(out, <u16>members, 0, 1);
          out += 2;
        }
        if (hashing) Writer.container(members, rest, 8);
      } else if (operation == WRITE_MEMBERS) {
        const template = (<usize>argument) << 3;
        strict = load<u32>(template, TEMPLATE_KIND) == TEMPLATE_STRICT;
        record = <usize>load<u32>(template + ((<usize>(word & 0xffff)) << 2), TEMPLATE_RECORDS);
        rest = word >> 16;
      } else if (operation == WRITE_ARRAY) {
        const length = word & 0xffff;
        store<u16>(out, <u16>length, 0, 1);
        out += 2;
        if (length) store<u8>(out++, <u8>(argument >= ANY ? argument - ANY + codes : argument));
        datatype = argument;
        rest = word >> 16;
        record = 0;
        pairs = false;
        if (hashing) Writer.container(length ^ (argument << 16), rest, 8);
      } else if (operation == WRITE_ELEMENTS) {
        datatype = argument;
        rest = word;
        record = 0;
        pairs = false;
      } else if (operation == WRITE_DOUBLES) {
        store<u16>(out, <u16>word, 0, 1);
        store<u8>(out, F64, 2);
        out += 3;
        if (hashing) Writer.container(word ^ (F64 << 16), word, 8);
        copying = word << 3;
      } else if (operation == WRITE_STRUCT_PAIRS || operation == WRITE_PAIRS) {
        if (operation == WRITE_STRUCT_PAIRS) {
          store<u16>(out, <u16>argument, 0, 1);
          out += 2;
          if (hashing) Writer.container(argument, word >> 1, 16);
        }
        rest = word;
        record = 0;
        pairs = true;
        named = false;
      } else if (operation == WRITE_REFERENCE) {
        store<u16>(out, 0xffff, 0, 1);
        store<u16>(out, <u16>word, 2, 1);
        out += 4;
      } else if (operation == WRITE_BYTES) {
        copying = word;
      } else if (operation == WRITE_TYPED) {
        const length = word & 0xffff;
        store<u16>(out, <u16>length, 0, 1);
        store<u8>(out, <u8>argument, 2);
        out += 3;
        if (hashing) Writer.container(length ^ (argument << 16), 0, 8);
        if (word >> 16) copying = length * Writer.size(argument);
        else {
          external = load<u32>(cursor) + 1;
          cursor += 8;
          return STATUS_EXTERNAL;
        }
      }
    }
  }

  private static size(code: u32): u32 {
    return code <= S8 ? 1 : code <= S16 || code == F16 ? 2 : code == F64 || code == U64 ? 8 : 4;
  }

  // ---- members and elements ----

  private static members(): i32 {
    let q = cursor;
    let at = out;
    let from = record;
    let count = rest;
    while (count) {
      if (at >= OUTPUT_SOFT) break;
      const length = load<u32>(from);
      const tag = load<u32>(q, 4);
      if (strict) {
        const code = load<u32>(from, RECORD_DATATYPE);
        at = code == ANY ? Writer.tagged(at, q, tag) : Writer.raw(at, q, tag, code);
      } else {
        const name = from + RECORD_NAME;
        Text.copy(at, name, length);
        at += length;
        if (<i32>tag < <i32>BOX_TABLE) {
          store<u8>(at, F64);
          store<f64>(at, load<f64>(q), 1, 1);
          at += 9;
        } else at = Writer.tagged(at, q, tag);
      }
      q += 8;
      from += RECORD_NAME + ((length + 15) & ~15);
      count--;
      if (external) break;
    }
    cursor = q;
    out = at;
    record = from;
    rest = count;
    if (!external) return 0;
    terminate = true;
    return STATUS_EXTERNAL;
  }

  private static pairs(): i32 {
    while (rest) {
      if (out >= OUTPUT_SOFT) return 0;
      const tag = load<u32>(cursor, 4);
      out = named ? Writer.tagged(out, cursor, tag) : Writer.raw(out, cursor, tag, STRING);
      named = !named;
      cursor += 8;
      rest--;
      if (external) {
        terminate = true;
        return STATUS_EXTERNAL;
      }
    }
    return 0;
  }

  private static elements(): i32 {
    let q = cursor;
    let at = out;
    let count = rest;
    const code = datatype;
    while (count) {
      if (at >= OUTPUT_SOFT) break;
      const tag = load<u32>(q, 4);
      at = code == ANY ? Writer.tagged(at, q, tag) : Writer.raw(at, q, tag, code);
      q += 8;
      count--;
      if (external) break;
    }
    cursor = q;
    out = at;
    rest = count;
    if (!external) return 0;
    terminate = true;
    return STATUS_EXTERNAL;
  }

  /** A slot with its datatype byte in front; returns the new end of the output. Containers get their tag only, they follow. */
  private static tagged(at: usize, q: usize, tag: u32): usize {
    const payload = load<u32>(q);
    if (<i32>tag < <i32>BOX_TABLE) {
      store<u8>(at, F64);
      store<f64>(at, load<f64>(q), 1, 1);
      return at + 9;
    }
    const family = tag >> 16;
    if (family == BOX_STRING >> 16) {
      store<u8>(at, STRING);
      return Writer.text(at + 1, payload, tag & 0xffff);
    }
    if (family == BOX_TABLE >> 16) {
      if (payload == 0) {
        store<u8>(at, <u8>(codes + UNDEFINED - ANY));
        return at + 1;
      }
      store<u8>(at, BOOL);
      store<u8>(at, <u8>(payload - 1), 1);
      return at + 2;
    }
    if (family == BOX_WIDE >> 16) {
      store<u8>(at, U64);
      store<u64>(at, load<u64>(WIDE + ((<usize>payload) << 3)), 1, 1);
      return at + 9;
    }
    if (family == BOX_SCALAR >> 16) {
      const code = tag & 0xffff;
      store<u8>(at, <u8>code);
      return Writer.number(at + 1, load<f64>(WIDE + ((<usize>payload) << 3)), code);
    }
    if (tag == BOX_EXTERNAL) {
      store<u8>(at, STRING);
      external = payload + 1;
      return at + 1;
    }
    // BOX_ARRAY, BOX_STRUCT
    store<u8>(at, <u8>(codes + (tag & 0xffff)));
    return at + 1;
  }

  /** A slot in the layout of its datatype, without tag. */
  private static raw(at: usize, q: usize, tag: u32, code: u32): usize {
    const payload = load<u32>(q);
    if (code == STRING || code == TEXT) {
      if (tag == BOX_EXTERNAL) {
        external = payload + 1;
        return at;
      }
      return Writer.text(at, payload, tag & 0xffff);
    }
    if (code == BOOL) {
      store<u8>(at, <u8>(payload - 1));
      return at + 1;
    }
    if (code == U64) {
      store<u64>(at, load<u64>(WIDE + ((<usize>payload) << 3)), 0, 1);
      return at + 8;
    }
    if (code >= U8 && code <= F64) {
      const family = tag >> 16;
      if (family == BOX_WIDE >> 16) {
        // A bigint in a field of an integer datatype: its low bytes.
        const bits = load<u64>(WIDE + ((<usize>payload) << 3));
        store<u32>(at, <u32>bits, 0, 1);
        return at + Writer.size(code);
      }
      return Writer.number(at, family == BOX_SCALAR >> 16 ? load<f64>(WIDE + ((<usize>payload) << 3)) : load<f64>(q), code);
    }
    return at; // containers follow; undefined takes no bytes
  }

  @inline
  private static text(at: usize, offset: u32, length: u32): usize {
    Text.copy(at, ASCII + offset, length);
    store<u8>(at + length, 0);
    return at + length + 1;
  }

  /** Numbers in their datatype: integers are cut towards zero and wrap (formats/elephant.md §3.2). */
  private static number(at: usize, value: f64, code: u32): usize {
    if (code == F64) {
      store<f64>(at, value, 0, 1);
      return at + 8;
    }
    if (code == F32) {
      store<f32>(at, <f32>value, 0, 1);
      return at + 4;
    }
    if (code == F16) {
      store<u16>(at, <u16>Writer.half(value), 0, 1);
      return at + 2;
    }
    let whole = <i32>value;
    // Outside of int32: modulo 2^32, as the platform's ToInt32 does. Infinities and NaN give 0.
    if (whole == i32.MAX_VALUE || whole == i32.MIN_VALUE) {
      const cut = Math.trunc(value);
      const wrapped = cut - Math.floor(cut / 4294967296.0) * 4294967296.0;
      whole = wrapped == wrapped && wrapped < 4294967296.0 ? <i32>(<u32>wrapped) : 0;
    }
    if (code == U8 || code == S8) {
      store<u8>(at, <u8>whole);
      return at + 1;
    }
    if (code == U16 || code == S16) {
      store<u16>(at, <u16>whole, 0, 1);
      return at + 2;
    }
    store<u32>(at, <u32>whole, 0, 1); // U32, S32
    return at + 4;
  }

  /** Double to IEEE half, cut towards zero; 65536 and above is infinity (formats/elephant.md §3.2). */
  static half(value: f64): u32 {
    if (value != value) return 0x7e00;
    const sign: u32 = value < 0 || (value == 0 && 1 / value < 0) ? 0x8000 : 0;
    const size = Math.abs(value);
    if (size >= 65536) return sign | 0x7c00;
    if (size < 6.103515625e-5) return sign | <u32>(size * 16777216.0); // subnormal: units of 2^-24
    const bits = reinterpret<u64>(size);
    const exponent = <u32>(bits >> 52) - 1008;
    return sign | (exponent << 10) | (<u32>(bits >> 42) & 0x3ff);
  }

  // ---- sharing ----

  /**
   * A container begins; its first slots are at the cursor. The same object has the same content, so a container whose hash is new has
   * not been written before; the others are candidates, whose identity the shim compares. Content that is not hashed only makes
   * more candidates. Tape positions must not matter, hence text by content.
   */
  private static container(start: u32, slots: u32, stride: usize): void {
    let h = (start ^ seed) * 0x9e3779b1;
    let factor = seed | 1;
    // Names do not count: the same struct may be written by its template one time and by its names another.
    let q = cursor + stride - 8;
    const stop = q + <usize>(slots < HASHED ? slots : HASHED) * stride;
    for (; q < stop; q += stride) {
      const tag = load<u32>(q, 4);
      let low = load<u32>(q);
      let high = tag;
      if (<i32>tag >= <i32>BOX_TABLE) {
        const family = tag >> 16;
        if (family == BOX_STRING >> 16) {
          const length = tag & 0xffff;
          const text = ASCII + low;
          if (length >= 4) {
            low = load<u32>(text, 0, 1) ^ (load<u32>(text + (length >> 1) - 2, 0, 1) * 0x85ebca6b);
            high = load<u32>(text + length - 4, 0, 1) + length;
          } else low = length ? <u32>load<u8>(text) | ((<u32>load<u8>(text + length - 1)) << 8) : 0;
        } else if (family == BOX_WIDE >> 16 || family == BOX_SCALAR >> 16) {
          low = load<u32>(WIDE + ((<usize>low) << 3));
        } else if (tag == BOX_EXTERNAL) low = 0;
      }
      // Sums of products: the multiplications of all slots overlap.
      h += low * factor + high * (factor * 0x2c1b3c6d + 2);
      factor = factor * 0x297a2d39 + 2;
    }
    h = (h ^ (h >> 16)) * 0x85ebca6b;
    h = (h ^ (h >> 13)) * 0xc2b2ae35;
    h ^= h >> 16;
    const own = containers++;
    if (own < HASHES_LIMIT) store<u32>(HASHES + ((<usize>own) << 2), h);
    if (filled * 4 >= capacity * 3 && capacity < HASH_SLOTS_LIMIT) Writer.widen();
    let slot = h & (capacity - 1);
    while (true) {
      const at = HASH_SLOTS + ((<usize>slot) << 2);
      const entry = load<u32>(at);
      if (entry == 0) {
        // A full table takes no more: from here on everything that is not in it is a candidate.
        if (own >= HASHES_LIMIT || filled * 4 >= capacity * 3) break;
        store<u32>(at, (h & FINGERPRINT) | (own + 1));
        filled++;
        return;
      }
      if ((entry & FINGERPRINT) == (h & FINGERPRINT)) {
        const other = (entry & ~FINGERPRINT) - 1;
        if (load<u32>(HASHES + ((<usize>other) << 2)) == h) {
          Writer.candidate(own, other);
          return;
        }
      }
      slot = (slot + 1) & (capacity - 1);
    }
    Writer.candidate(own, 0xffffffff);
  }

  @inline
  private static candidate(own: u32, other: u32): void {
    const at = RECORDS + ((<usize>candidates) << 3);
    store<u32>(at, own);
    store<u32>(at, other, 4);
    candidates++;
  }

  /** A table of twice the size, filled again from the hashes. */
  private static widen(): void {
    capacity <<= 1;
    filled = 0;
    memory.fill(HASH_SLOTS, 0, (<usize>capacity) << 2);
    const count = containers - 1 < HASHES_LIMIT ? containers - 1 : HASHES_LIMIT;
    for (let i: u32 = 0; i < count; i++) {
      const h = load<u32>(HASHES + ((<usize>i) << 2));
      let slot = h & (capacity - 1);
      let entry: u32;
      while ((entry = load<u32>(HASH_SLOTS + ((<usize>slot) << 2)))) {
        // One entry for each hash; a run of equal ones would be walked again and again.
        if ((entry & FINGERPRINT) == (h & FINGERPRINT) && load<u32>(HASHES + ((<usize>(entry & ~FINGERPRINT) - 1) << 2)) == h) break;
        slot = (slot + 1) & (capacity - 1);
      }
      if (entry) continue;
      store<u32>(HASH_SLOTS + ((<usize>slot) << 2), (h & FINGERPRINT) | (i + 1));
      filled++;
    }
  }
}
