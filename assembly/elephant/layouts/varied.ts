// An array of structs of several forms, each of which has a layout of its own: items that have further members or not, instances of several classes.
import { Layouts } from "../layouts";
import { Frames } from "../read/frames";
import { Rows, STRUCTS } from "./rows";
import { CONTAINERS_PER_ROW, DEAD, FLAGS, HAS_VARIED, LEVEL, OTHER, SLOTS_PER_ROW } from "./words";

/** More structs in an array than these make the steps for what is around them not worth a layout. */
const MOST: u32 = 64;
/** Bytes of a struct by which its layouts are found. */
const BEGINNING: usize = 6;

export class Varied {
  /** Has the last struct not matched because of one in such an array? Then its own layout is as good as any other. */
  static missed: bool = false;

  /** The array at its length `p` into slots at `out`, which end at {@link Rows.end}; returns the address behind it, or 0. */
  static read(p: usize, end: usize, out: usize, node: usize): usize {
    if (p + 3 > end) return 0;
    const length = <u32>load<u16>(p, 0, 1);
    store<u32>(out, length);
    out += 8;
    if (length == 0) {
      Rows.end = out;
      return p + 2;
    }
    if (length > MOST || <u32>load<u8>(p, 2) != STRUCTS) return Varied.miss();
    p += 3;
    const depth = Frames.depth + load<u32>(node, LEVEL);
    let inArrays = Rows.inArrays;
    let last: usize = 0;
    let header: usize = 0;
    for (let i: u32 = 0; i < length; i++) {
      if (p + BEGINNING > end) {
        Rows.cut = true;
        return 0;
      }
      let layout = <usize>load<u32>(Layouts.slot(p));
      let next: usize = 0;
      for (; layout > DEAD; layout = <usize>load<u32>(layout, OTHER)) {
        // One that has such arrays itself might hold what is being read.
        if (load<u32>(layout, FLAGS) & HAS_VARIED) continue;
        Rows.cut = true;
        if (Layouts.fits(layout, depth)) {
          if (!Rows.room(1 + load<u32>(layout, SLOTS_PER_ROW))) return Varied.miss();
          next = Rows.read(layout, p, end, layout == last ? out : out + 8);
          if (next) break;
        }
        if (Rows.cut) return 0;
      }
      if (!next) return Varied.miss();
      if (layout == last) store<u32>(header, load<u32>(header, 4) + 1, 4);
      else {
        header = out;
        last = layout;
        store<u32>(header, <u32>layout >> 4);
        store<u32>(header, 1, 4);
      }
      inArrays += load<u32>(layout, CONTAINERS_PER_ROW) + Rows.inArrays;
      out = Rows.end;
      p = next;
    }
    Rows.inArrays = inArrays;
    Rows.cut = true;
    return p;
  }

  private static miss(): usize {
    Rows.cut = false;
    Varied.missed = true;
    return 0;
  }
}
