// One struct by its layout: verified, and read into one row of slots.
import { OPEN_STRUCTS } from "../memory";
import { ANY, ARRAY_CODE, BOOL, blockEnd, F64, Numbers, STRING, STRUCT_CODE, TEXT, UNDEFINED } from "../numbers";
import { BOX_REFERENCE, BOX_TABLE, KIND_REFERENCE, LAYOUT_INSTANCE } from "../ops";
import { Shapes, SITE } from "../shapes";
import { Slots } from "../slots";
import { Strings, stringId } from "../strings";
import { Varied } from "./varied";
import {
  AGAIN,
  BODY,
  CODE,
  CODES,
  EACH,
  ELEMENT,
  ELEMENTS,
  END,
  HEAD,
  HELD,
  HITS,
  LEFT,
  LEVEL,
  SLOTS,
  TAGGED,
  TEMPLATES,
  TYPE,
  VARIED,
  WORDS,
} from "./words";

/**
 * Values with a slot in the arrays of one row: the records of a chunk have room for so many behind their soft end, and for those of one member of an example. What else
 * is in a row takes three times as long on the tape as in the window, at most, for which there is room as well: structs of a single bool, five bytes, take a block of sixteen.
 */
const MAX_STRINGS: u32 = 300;

/** The code of elements that are structs. */
export const STRUCTS: u32 = CODES + (STRUCT_CODE - ANY);

export class Rows {
  /** Containers that may be referred to: those in front of the row, and the instance that it is. */
  static known: u32 = 0;
  /** Behind the last slot of the row that was matched. */
  static end: usize = 0;
  /** Containers of the last row that come on top of what its layout says: in arrays of structs, and by layouts of their own. */
  static more: u32 = 0;
  /** Values with a slot in the arrays of the last row. */
  static strings: u32 = 0;
  /** Where the last struct that did not match is another than its layout. */
  static differing: usize = 0;
  /** Was the last struct that did not match cut off by the window's end, or is no layout to read it? */
  static cut: bool = false;

  /** Reads the struct at `p`, which has the number `number`, into a row of slots at `out`; returns the address behind it, or 0. */
  @inline
  static match(layout: usize, p: usize, end: usize, out: usize, number: u32): usize {
    Rows.known = number + <u32>(load<u32>(layout, HEAD + TYPE) == LAYOUT_INSTANCE);
    Rows.strings = 0;
    Varied.vain = 0;
    return Rows.read(layout, p, end, out);
  }

  /** The same for one that may stand in the array of another row. */
  static read(layout: usize, p: usize, end: usize, out: usize): usize {
    let at = <usize>load<u32>(layout, CODE) - 16;
    let template = <usize>load<u32>(layout, TEMPLATES);
    Rows.more = 0;
    Rows.cut = true;
    while (true) {
      at += 16;
      const length = <usize>load<u32>(at, 4);
      if (p + length > end) return 0;
      const word = <usize>load<u32>(at, 12);
      const next = template + (word & 0xffff);
      if (!Rows.same(p, template, next, out)) return Rows.differs(p);
      template = next;
      p += length;
      out += word >> 16;
      const node = <usize>load<u32>(at, 8);
      switch (load<u32>(at)) {
        case WORDS: {
          p = Strings.read(p, end, node + SITE);
          if (!p) return 0;
          Slots.box(out, BOX_TABLE, stringId);
          break;
        }
        case ELEMENTS: {
          if (p + 3 > end) return 0;
          const length = <u32>load<u16>(p, 0, 1);
          const element = <u32>load<u8>(p, 2);
          Slots.box(out, 0, length);
          out += 8;
          if (length == 0) p += 2;
          else if (length == 0xffff) {
            return Rows.differs(p);
          } else if (element == F64) {
            p += 3;
            if ((<usize>length) << 3 > end - p) return 0;
            store<u32>(out - 8, Numbers.block(p, F64, length, out) ? 1 : 2, 4);
            out = blockEnd;
            p += (<usize>length) << 3;
          } else if (element == STRING || element == BOOL || element == CODES) {
            p += 3;
            if (!Rows.room(length)) return Rows.differs(p);
            store<u32>(out - 8, element == CODES ? 4 : 3, 4);
            for (let i: u32 = 0; i < length; i++, out += 8) {
              if (element == CODES) p = Rows.tagged(p, end, out, node);
              else if (p >= end) return 0;
              else if (element == BOOL) Slots.box(out, BOX_TABLE, load<u8>(p++) == 1 ? 2 : 1);
              else {
                p = Strings.next(p, end, node + SITE);
                Slots.box(out, BOX_TABLE, stringId);
              }
              if (!p) return 0;
            }
          } else {
            return Rows.differs(p);
          }
          continue;
        }
        case TAGGED: {
          p = Rows.tagged(p, end, out, node);
          if (!p) return 0;
          break;
        }
        default: {
          // Apart from the others: engines jump by a table where there are more than four ways, and that takes longer.
          if (load<u32>(at) == END) {
            Rows.end = out;
            store<u32>(layout, load<u32>(layout, HITS) + 1, HITS);
            return p;
          }
          if (load<u32>(at) >= VARIED) {
            const level = load<u32>(node, LEVEL);
            if (!Varied.enter(layout, level)) return Varied.miss(p);
            p = load<u32>(at) == HELD ? Varied.member(p, end, out, node) : Varied.array(p, end, out);
            Varied.leave(layout, level);
            if (!p) return 0;
            out = Rows.end;
            continue;
          }
          const body = load<u32>(node, BODY);
          if (load<u32>(at) == AGAIN) {
            const left = load<u32>(node, LEFT) - 1;
            store<u32>(node, left, LEFT);
            store<u32>(node, left ? <u32>p : 0, ELEMENT);
            if (left) {
              at -= <usize>(body & 0xffff);
              template -= <usize>(body >> 16);
            }
            continue;
          }
          if (p + 3 > end) return 0;
          const length = <u32>load<u16>(p, 0, 1);
          store<u32>(out, length);
          if (length == 0) {
            p += 2;
            at += <usize>(body & 0xffff);
            template += <usize>(body >> 16);
            break;
          }
          if (length == 0xffff || <u32>load<u8>(p, 2) != STRUCTS) {
            return Rows.differs(p);
          }
          if (!Rows.room(length * load<u32>(node, SLOTS))) return Rows.differs(p);
          p += 3;
          Rows.more += length * load<u32>(node, EACH);
          store<u32>(node, length, LEFT);
          store<u32>(node, <u32>p, ELEMENT);
        }
      }
      out += 8;
    }
  }

  /** Is there room for so many values more in the arrays of this row? */
  static room(count: u32): bool {
    Rows.strings += count;
    return Rows.strings <= MAX_STRINGS;
  }

  /** The struct does not fit because of what is at `p`. */
  static differs(p: usize): usize {
    Rows.cut = false;
    Rows.differing = p;
    return 0;
  }

  /** Do the bytes at `p` equal the template up to `end`, where its masks say so? They are copied to `out`, in blocks of 16. */
  @inline
  private static same(p: usize, template: usize, end: usize, out: usize): bool {
    if (ASC_FEATURE_SIMD) {
      let differing = i32x4.splat(0);
      for (; template < end; template += 32, p += 16, out += 16) {
        const block = v128.load(p, 0, 1);
        v128.store(out, block);
        differing = v128.or(differing, v128.and(v128.xor(block, v128.load(template)), v128.load(template, 16)));
      }
      return !v128.any_true(differing);
    } else {
      for (; template < end; template += 32, p += 16, out += 16) {
        let differing: u32 = 0;
        for (let i: usize = 0; i < 16; i += 4) {
          const word = load<u32>(p + i, 0, 1);
          store<u32>(out + i, word);
          differing |= (word ^ load<u32>(template + i)) & load<u32>(template + i, 16);
        }
        if (differing) return false;
      }
      return true;
    }
  }

  /** A value with its code before it, whatever simple datatype it has; the address behind it, or 0. */
  static tagged(p: usize, end: usize, out: usize, node: usize): usize {
    if (p >= end) return 0;
    const datatype = Rows.datatype(load<u8>(p));
    p++;
    if (datatype == STRING || datatype == TEXT) {
      if (p >= end) return 0;
      const next = Strings.next(p, end, node + SITE);
      if (next) {
        Slots.table(out, node, stringId);
      }
      return next;
    }
    if (datatype == UNDEFINED) {
      Slots.table(out, node, 0);
      return p;
    }
    if (datatype == BOOL) {
      if (p >= end) return 0;
      Slots.table(out, node, load<u8>(p) == 1 ? 2 : 1);
      return p + 1;
    }
    if (datatype == STRUCT_CODE || datatype == ARRAY_CODE) return Rows.reference(p, end, out, node);
    if (datatype == 0 || datatype > F64) {
      return Rows.differs(p);
    }
    const next = p + Numbers.size(datatype);
    if (next > end) return 0;
    Slots.number(out, node, Numbers.read(p, datatype));
    return next;
  }

  /** A reference to a container that is there, and is whole or an instance or an array. */
  private static reference(p: usize, end: usize, out: usize, node: usize): usize {
    if (p + 4 > end) return 0;
    const target = <u32>load<u16>(p, 2, 1);
    if (load<u16>(p, 0, 1) != 0xffff || target >= Rows.known || load<u32>(OPEN_STRUCTS + ((<usize>target) << 2))) {
      return Rows.differs(p);
    }
    Shapes.mark(node, KIND_REFERENCE);
    Slots.box(out, BOX_REFERENCE, target);
    return p + 4;
  }

  /** The datatype of a code byte, as {@link Tags.of} has it, in the releases that have layouts. */
  @inline
  static datatype(byte: u32): u32 {
    if (byte <= TEXT) return byte;
    return byte - CODES < 4 ? ANY + (byte - CODES) : 0;
  }
}
