// Tape to bytes to hex digits. The shim has checked and ordered everything; the kernel only expands.
import { hex } from "./hex";
import {
  BOX,
  KIND_ASCII,
  KIND_BOOL,
  KIND_CESU,
  KIND_EIGHT,
  KIND_UTF16,
  TYPE_BOOL,
  TYPE_REAL,
  TYPE_STRING,
  WRITE_ASCII_TEXT,
  WRITE_BINARY,
  WRITE_CHARS,
  WRITE_TAPE,
  WRITE_UNIT_TEXT,
} from "./layout";
import { encodeUtf8 } from "./utf";

class Bytes {
  // @ts-expect-error: decorator
  @inline static word(to: usize, value: u32): void {
    store<u32>(to, value, 0, 1);
  }
  /** A double as its two halves. */
  // @ts-expect-error: decorator
  @inline static eight(to: usize, lower: u32, upper: u32): void {
    store<u32>(to, lower, 0, 1);
    store<u32>(to, upper, 4, 1);
  }
}

/** Expands `slots` slots, each value in the legacy form of formats/ds.md §6 with `legacy`. Gives the number of characters out. */
export function write(slots: u32, legacy: bool): u32 {
  let to: usize = WRITE_BINARY;
  let ascii: usize = WRITE_ASCII_TEXT;
  let units: usize = WRITE_UNIT_TEXT;
  const limit = WRITE_TAPE + ((<usize>slots) << 3);
  for (let slot: usize = WRITE_TAPE; slot < limit; slot += 8) {
    const payload = load<u32>(slot);
    const upper = load<u32>(slot, 4);
    const kind = upper - BOX;
    if (kind > 0xffff) {
      Bytes.word(to, TYPE_REAL);
      Bytes.eight(to + 4, payload, upper);
      to += 12;
    } else if (kind === KIND_ASCII || kind === KIND_UTF16 || kind === KIND_CESU) {
      Bytes.word(to, TYPE_STRING);
      to += 4;
      if (legacy) {
        Bytes.eight(to, 0, 0);
        to += 8;
      }
      const text = to + 4;
      if (kind === KIND_ASCII) {
        if (ASC_FEATURE_SIMD) {
          for (let i: u32 = 0; i < payload; i += 16) v128.store(text + i, v128.load(ascii + i, 0, 1), 0, 1);
        } else {
          for (let i: u32 = 0; i < payload; i++) store<u8>(text + i, load<u8>(ascii + i));
        }
        ascii += payload;
        Bytes.word(to, payload);
        to = text + payload;
      } else {
        const end = encodeUtf8(units, payload, text, kind === KIND_CESU);
        units += (<usize>payload) << 1;
        Bytes.word(to, <u32>(end - text));
        to = end;
      }
      continue;
    } else if (kind === KIND_EIGHT) {
      slot += 8;
      Bytes.word(to, payload);
      Bytes.eight(to + 4, load<u32>(slot), load<u32>(slot, 4));
      to += 12;
      if (payload !== TYPE_REAL) continue;
    } else if (kind === KIND_BOOL) {
      Bytes.word(to, TYPE_BOOL);
      Bytes.eight(to + 4, 0, payload ? 0x3ff00000 : 0);
      to += 12;
      continue;
    } else {
      Bytes.word(to, payload);
      to += 4;
      continue;
    }
    // Only reals come here.
    if (legacy) {
      Bytes.word(to, 0);
      to += 4;
    }
  }
  const bytes = <u32>(to - WRITE_BINARY);
  hex(WRITE_BINARY, bytes, WRITE_CHARS);
  return bytes << 1;
}

/** Turns `bytes` bytes that the shim has put into the binary region into characters. */
export function writeRaw(bytes: u32): u32 {
  hex(WRITE_BINARY, bytes, WRITE_CHARS);
  return bytes << 1;
}
