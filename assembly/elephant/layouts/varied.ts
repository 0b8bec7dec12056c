// Structs inside of a row that have layouts of their own: members that hold a struct of one form or another or none, arrays of such. An item may have further members,
// an instance may be of several classes. Where they stand there is a slot with the layout's number and how many rows follow.
import { Layouts } from "../layouts";
import { STRUCT_CODE } from "../numbers";
import { BOX_ROWS } from "../ops";
import { Frames } from "../read/frames";
import { Slots } from "../slots";
import { Strings } from "../strings";
import { Rows, STRUCTS } from "./rows";
import { BUSY, CONTAINERS_PER_ROW, DEAD, OTHER, SLOTS_PER_ROW } from "./words";

/** More structs in an array than these make the steps for what is around them not worth a layout. */
const MOST: u32 = 64;
/** Levels from the outermost row to the innermost one. */
const DEEPEST: u32 = 32;
/** Bytes of structs that are read for nothing inside of a row before it is given up, and what an attempt counts besides. */
const MOST_IN_VAIN: usize = 16384;
const ATTEMPT: usize = 64;
/** Bytes of a struct by which its layouts are found. */
const BEGINNING: usize = 6;
/** Where a box says how many rows follow. */
const COUNT_SHIFT: u32 = 24;

export class Varied {
  /** Has the last struct not matched because of one inside it? Then its own layout is as good as any other. */
  static missed: bool = false;
  /** Levels of the outermost row above the structs that are read now. */
  static level: u32 = 0;
  /** Bytes of such structs that layouts have read for nothing since the outermost row began. */
  static vain: usize = 0;
  /** The layout of the last struct. */
  private static layout: usize = 0;

  /** A member with its code before it into slots at `out`, which end at {@link Rows.end}; returns the address behind it, or 0. */
  static member(p: usize, end: usize, out: usize, node: usize): usize {
    if (!Varied.holds(p)) {
      Rows.end = out + 8;
      return Rows.tagged(p, end, out, node);
    }
    p = Varied.struct(p + 1, end, out, 0);
    if (p) Varied.box(out, 1);
    return p;
  }

  /** The same for an array of structs at its length. */
  static array(p: usize, end: usize, out: usize): usize {
    if (p + 3 > end) return 0;
    const length = <u32>load<u16>(p, 0, 1);
    Slots.box(out, 0, length);
    out += 8;
    if (length == 0) {
      Rows.end = out;
      return p + 2;
    }
    if (length > MOST || <u32>load<u8>(p, 2) != STRUCTS) return Varied.miss(p);
    p += 3;
    let last: usize = 0;
    let header: usize = 0;
    let rows: u32 = 0;
    for (let i: u32 = 0; i < length; i++) {
      p = Varied.struct(p, end, out, last);
      if (!p) return 0;
      if (Varied.layout == last) rows++;
      else {
        header = out;
        last = Varied.layout;
        rows = 1;
      }
      Varied.box(header, rows);
      out = Rows.end;
    }
    return p;
  }

  /** Is the value at `p` a struct, and not a reference to one? */
  static holds(p: usize): bool {
    return Rows.datatype(load<u8>(p)) == STRUCT_CODE && load<u16>(p, 1, 1) != 0xffff;
  }

  @inline
  private static box(at: usize, rows: u32): void {
    Slots.box(at, BOX_ROWS, Layouts.number(Varied.layout) | (rows << COUNT_SHIFT));
  }

  /** The struct at `p` by a layout of its own: a row at `out`, or behind the slot there where it is not the layout `last`. */
  private static struct(p: usize, end: usize, out: usize, last: usize): usize {
    Rows.cut = true;
    if (p + BEGINNING > end) return 0;
    const more = Rows.more;
    for (let layout = <usize>load<u32>(Layouts.slot(p)); layout > DEAD; layout = <usize>load<u32>(layout, OTHER)) {
      // One that holds its like.
      if (load<u32>(layout, BUSY)) continue;
      Rows.cut = true;
      if (Layouts.fits(layout, Frames.depth + Varied.level)) {
        if (!Rows.room(1 + load<u32>(layout, SLOTS_PER_ROW))) break;
        const next = Rows.read(layout, p, end, layout == last ? out : out + 8);
        if (next) {
          Varied.layout = layout;
          Rows.more += more + load<u32>(layout, CONTAINERS_PER_ROW);
          return next;
        }
        // A chunk has room for what one of them has read in vain.
        if (Strings.full()) Rows.cut = true;
        if (Rows.cut) return 0;
        Varied.vain += Rows.differing - p + ATTEMPT;
        if (Varied.vain > MOST_IN_VAIN) break;
      }
      if (Rows.cut) return 0;
    }
    return Varied.miss(p);
  }

  /** Steps into what the row of `layout` holds at `level`, and out again. */
  static enter(layout: usize, level: u32): bool {
    if (Varied.level + level > DEEPEST) return false;
    store<u32>(layout, 1, BUSY);
    Varied.level += level;
    return true;
  }

  static leave(layout: usize, level: u32): void {
    store<u32>(layout, 0, BUSY);
    Varied.level -= level;
  }

  static miss(p: usize): usize {
    Varied.missed = true;
    return Rows.differs(p);
  }
}
