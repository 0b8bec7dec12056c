// Layouts: structs that come again and again in the same form, as programs. A layout is made from the bytes of an example: all that stays
// the same from one struct to the next (member counts, names, datatype codes, also those of structs inside) becomes a template with a
// mask, and is verified sixteen bytes at a time; what changes is read by a list of instructions into one row of slots. Values of fixed length
// stand among those bytes, which are copied into the row: JavaScript reads them there. A struct that does not
// fit is parsed by the reader's general steps, member by member, so a layout never decides what is valid.
//
// Here is the table that finds them; maker.ts makes them, rows.ts reads structs by them, words.ts says where everything stands.
import { Constructors } from "./constructors";
import { LayoutMaker } from "./layouts/maker";
import { Rows } from "./layouts/rows";
import { Varied } from "./layouts/varied";
import {
  CHECKED,
  CONSTRUCTOR,
  DEAD,
  FLAGS,
  HAS_ARRAYS,
  HAS_INSTANCES,
  HAS_TAGGED_NUMBERS,
  HEAD,
  HITS,
  INDEX,
  LEVELS,
  MADE,
  MISSES,
  NESTS,
  NESTS_ENOUGH,
  NODE_COUNT,
  OTHER,
  SEEN,
  SLOT_SIZE,
  TYPE,
} from "./layouts/words";
import { LAYOUT_SLOTS, LAYOUT_SLOTS_COUNT, LAYOUTS, LAYOUTS_SIZE, NODE_SIZE } from "./memory";
import { LAYOUT_INSTANCE } from "./ops";
import { Settings } from "./read/settings";

/** Structs of one beginning before a layout is made, and how many layouts are tried. */
const PATIENCE: u32 = 8;
const ATTEMPTS: u32 = 8;
/** Layouts for structs that begin alike. */
const MOST: u32 = 4;
/**
 * Misses after which a layout that is wrong two times of three is given up. It is sooner where much has been read in vain, and also for one that is wrong once in nine times,
 * where JavaScript would read what it does not fit.
 */
const ENOUGH: u32 = 256;
const ENOUGH_SOON: u32 = 32;

export class Layouts {
  /** A read begins: whose constructors are whose is to be found out anew. */
  static begin(): void {
    LayoutMaker.reads++;
  }

  static full(): bool {
    return LayoutMaker.top > LAYOUTS + LAYOUTS_SIZE - (LAYOUTS_SIZE >> 2);
  }

  static forget(): void {
    memory.fill(LAYOUT_SLOTS, 0, <usize>LAYOUT_SLOTS_COUNT * SLOT_SIZE);
    LayoutMaker.top = LAYOUTS;
  }

  /** The number of a layout on the tape: where it stands, in blocks of 16 bytes. */
  @inline
  static number(layout: usize): u32 {
    return <u32>(layout - LAYOUTS) >> 4;
  }

  /** The layout of that number. */
  @inline
  static numbered(number: u32): usize {
    return LAYOUTS + ((<usize>number) << 4);
  }

  /** The table's slot for structs that begin like the one at `p`: by its count and first name, or its constructor and version. */
  @inline
  static slot(p: usize): usize {
    const word = <u32>load<u16>(p, 0, 1);
    let key = <u32>load<u32>(p, 2, 1);
    if (word == 0xfffe) key &= 0xffffff;
    else {
      // Up to the first zero.
      const zeros = (key - 0x01010101) & ~key & 0x80808080;
      if (zeros) key &= (zeros & -zeros) - 1;
    }
    const hash = (key ^ (word * 0x9e3779b1)) * 0x85ebca6b;
    // Ten bits, for 1024 of them.
    return LAYOUT_SLOTS + <usize>((hash >> 22) & (LAYOUT_SLOTS_COUNT - 1)) * SLOT_SIZE;
  }

  /** The layout to try for the struct at `p`, or 0. Makes one when enough structs of that beginning have come by. */
  @inline
  static at(slot: usize, p: usize, end: usize): usize {
    const layout = <usize>load<u32>(slot);
    return layout > DEAD ? layout : layout == DEAD ? 0 : Layouts.warm(slot, p, end);
  }

  /** Has no layout been found for structs of this beginning? */
  @inline
  static none(slot: usize): bool {
    return load<u32>(slot) <= <u32>DEAD && load<u32>(slot, MADE) > 1;
  }

  private static warm(slot: usize, p: usize, end: usize): usize {
    const seen = load<u32>(slot, SEEN) + 1;
    store<u32>(slot, seen, SEEN);
    // The 8th, the 16th, the 32nd, ... are tried.
    if (seen < PATIENCE || seen & (seen - 1)) return 0;
    if (load<u32>(slot, MADE) >= ATTEMPTS) {
      store<u32>(slot, <u32>DEAD);
      return 0;
    }
    store<u32>(slot, load<u32>(slot, MADE) + 1, MADE);
    const layout = LayoutMaker.make(p, end, 0);
    if (layout) store<u32>(slot, <u32>layout);
    return layout;
  }

  /**
   * May structs at this depth be read by the layout? Not where values are wanted that it does not keep, nor too deep, nor where the constructors of its instances are not
   * those of this file ({@link Rows.cut} is false then).
   */
  @inline
  static fits(layout: usize, depth: u32): bool {
    const flags = load<u32>(layout, FLAGS);
    if ((Settings.typedArrays && flags & HAS_ARRAYS) || (Settings.exactScalars && flags & HAS_TAGGED_NUMBERS)) return false;
    if (depth + load<u32>(layout, LEVELS) > Settings.maxDepth) return false;
    return !(flags & HAS_INSTANCES) || load<u32>(layout, CHECKED) == LayoutMaker.reads || Layouts.check(layout);
  }

  private static check(layout: usize): bool {
    let node = layout + HEAD;
    for (let i = load<u32>(layout, NODE_COUNT); i > 0; i--, node += NODE_SIZE) {
      if (load<u32>(node, TYPE) == LAYOUT_INSTANCE && Constructors.known(load<u32>(node, INDEX)) != load<u32>(node, CONSTRUCTOR) + 1) {
        Rows.cut = false;
        return false;
      }
    }
    store<u32>(layout, LayoutMaker.reads, CHECKED);
    return true;
  }

  /** The struct at `p` did not fit any layout of its slot, though it was all there. */
  static missed(slot: usize, p: usize, end: usize): void {
    const first = <usize>load<u32>(slot);
    const misses = load<u32>(first, MISSES) + 1;
    store<u32>(first, misses, MISSES);
    let hits: u32 = 0;
    for (let layout = first; layout; layout = <usize>load<u32>(layout, OTHER)) hits += load<u32>(layout, HITS);
    if (misses < PATIENCE || misses * 8 < hits) return;
    if (!Varied.missed && load<u32>(slot, MADE) < ATTEMPTS) {
      store<u32>(slot, load<u32>(slot, MADE) + 1, MADE);
      if (Layouts.another(slot, p, end)) return;
    }
    // No layout fits this one. What the old one is worth shows in its hits.
    const nested = load<i32>(slot, NESTS) >= NESTS_ENOUGH;
    if (misses < (nested || Varied.missed ? ENOUGH_SOON : ENOUGH)) return;
    if (nested || misses > hits * 2) store<u32>(slot, <u32>DEAD);
    store<u32>(first, 0, MISSES);
    for (let layout = first; layout; layout = <usize>load<u32>(layout, OTHER)) store<u32>(layout, 0, HITS);
  }

  /** Makes a layout that fits the struct at `p`: instead of one with the same members, or beside those that there are. */
  private static another(slot: usize, p: usize, end: usize): bool {
    let count: u32 = 0;
    let link = slot;
    for (let layout = <usize>load<u32>(slot); layout; layout = <usize>load<u32>(link)) {
      const made = LayoutMaker.make(p, end, layout);
      if (made) {
        store<u32>(made, load<u32>(layout, OTHER), OTHER);
        store<u32>(link, <u32>made);
        return true;
      }
      link = layout + OTHER;
      count++;
    }
    const made = count < MOST ? LayoutMaker.make(p, end, 0) : 0;
    if (made) {
      store<u32>(made, load<u32>(slot), OTHER);
      store<u32>(slot, <u32>made);
    }
    return made != 0;
  }
}
