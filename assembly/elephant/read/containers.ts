// A container begins, wherever it stands.
import { Constructors } from "../constructors";
import { Layouts } from "../layouts";
import { Rows } from "../layouts/rows";
import { Varied } from "../layouts/varied";
import { CODES, CONTAINERS_PER_ROW, NESTS, NESTS_ENOUGH, OTHER } from "../layouts/words";
import { NESTED_UNMARKED, OPEN_STRUCTS } from "../memory";
import { ANY, ARRAY_CODE, CONSTRUCTED, F64, STRUCT_CODE } from "../numbers";
import {
  BOX_REFERENCE,
  ERROR_BAD_REFERENCE,
  ERROR_DEPTH,
  ERROR_ELEMENTS,
  EXISTING,
  KIND_REFERENCE,
  LAYOUT,
  MATERIALISE,
  STATUS_ERROR,
  STRUCT,
  TO_ARRAY,
} from "../ops";
import { Shapes } from "../shapes";
import { Slots } from "../slots";
import { Strings } from "../strings";
import { Arrays } from "./arrays";
import { CONSTRUCTOR, CONTAINERS, FLAGS, Frames, KIND, MARK, NUMBERS, PLAIN, REMAINING, ROOT, STRICT, VERSION } from "./frames";
import { Input } from "./input";
import { Instances } from "./instances";
import { Nested } from "./nested";
import { Settings } from "./settings";
import { ON, Stops } from "./stops";
import { Structs } from "./structs";
import { Tape } from "./tape";

/** Elements that JavaScript reads: fewer are not worth the call. */
export const MANY: u32 = 12;
/** Longer arrays of any are read here: their values are sorted by kind. */
const MOST_MIXED: u32 = 64;
/** Structs with more members, though they hold others, are read here: names and text take less time than in JavaScript. */
const MOST_NAMES: u32 = 6;

export class Containers {
  /** Did the last struct join the row before as one of the same layout? */
  static layoutJoined: bool = false;

  /** Is the fixed part of a container's beginning inside the window? */
  static headerFits(p: usize, datatype: u32): bool {
    if (datatype == CONSTRUCTED) return p <= Input.limit;
    if (p + 2 > Input.limit) return false;
    const word = <u32>load<u16>(p, 0, 1);
    if (datatype == ARRAY_CODE) return word == 0 || p + (word == 0xffff && Settings.release > 100 ? 4 : 3) <= Input.limit;
    return word < 0xfffe || Settings.release == 100 || p + 4 <= Input.limit;
  }

  /**
   * A container begins at `p` (its length word). `code`: the code byte it came with, which is its constructor in 1.0.0.
   * `site`: node of the field it stands in, or 0.
   */
  static open(p: usize, datatype: u32, code: u32, site: usize): i32 {
    const inArray = load<u32>(Frames.top, KIND) >= NUMBERS && load<u32>(Frames.top, KIND) <= CONTAINERS;
    const word = <u32>load<u16>(p, 0, 1);
    let found: usize = NESTED_UNMARKED;
    if (datatype != CONSTRUCTED) {
      if (Containers.isReference(p)) return Containers.reference(p, inArray, site);
      // Points, matrices, rows of a grid.
      if (
        datatype == ARRAY_CODE &&
        Settings.nests &&
        load<u32>(Frames.top, KIND) == CONTAINERS &&
        load<u32>(Frames.top, REMAINING) >= MANY &&
        load<i32>(found, NESTS) >= NESTS_ENOUGH
      ) {
        const code = <u32>load<u8>(p, 2);
        if (code == F64 || code == CODES + (ARRAY_CODE - ANY) || (code == CODES && word <= MOST_MIXED))
          return Nested.leave(found, p, datatype, true, site);
      }
      if (datatype == STRUCT_CODE && Settings.layouts && word != 0) {
        found = Layouts.slot(p);
        if (Containers.layoutRow(found, p, inArray, site)) return ON;
        // Members with names, which strict instances have not.
        const names = word < 0xfffe ? word : load<u8>(p, 4) < 128 ? 0 : <u32>load<u16>(p, 5, 1);
        if (Settings.nests && load<i32>(found, NESTS) >= NESTS_ENOUGH && Layouts.none(found) && names <= MOST_NAMES)
          return Nested.leave(found, p, datatype, inArray, site);
      }
    }
    return Containers.openAt(p, datatype, code, inArray, site, found);
  }

  /** The container at `p`, of which nothing but its kind is known. `found`: the slot of a struct that may have a layout. */
  static openAt(p: usize, datatype: u32, code: u32, inArray: bool, site: usize, found: usize): i32 {
    const word = <u32>load<u16>(p, 0, 1);
    Frames.containers += 1;
    if (Frames.containers > Settings.maxNodes) return Stops.fail(ERROR_ELEMENTS, p);
    if (Frames.depth >= Settings.maxDepth) return Stops.fail(ERROR_DEPTH, p);
    if (datatype == CONSTRUCTED) return Instances.open(code, inArray, site);
    if (datatype == ARRAY_CODE) return Arrays.open(p + 2, word, inArray, site);
    if (word == 0xfffe && Settings.release > 100) {
      const index = <u32>load<u16>(p, 2, 1);
      Input.cursor = p + 4;
      const known = Constructors.known(index);
      // The commonest beginning in one step: a strict version without skip list.
      const version = <u32>load<u8>(p, 4);
      if (known && Settings.release >= 150 && p + 7 <= Input.limit && version < 128 && load<u16>(p, 5, 1) == 0) {
        const program = Constructors.program(known - 1, version);
        if (program) {
          if (!Frames.push(STRICT, inArray, site)) return STATUS_ERROR;
          store<u32>(Frames.top, known - 1, CONSTRUCTOR);
          store<u32>(Frames.top, version, VERSION);
          store<u32>(Frames.top, <u32>found, MARK);
          Instances.made(program, version);
          Input.cursor = p + 7;
          return ON;
        }
      }
      const status = Instances.open(index, inArray, site);
      if (status == ON) store<u32>(Frames.top, <u32>found, MARK);
      return status;
    }
    Input.cursor = p + 2;
    // Empty structs in a row.
    if (word == 0 && inArray && Tape.joins(STRUCT, 0, true, Frames.number)) {
      store<u32>(Tape.joinable, load<u32>(Tape.joinable, 12) + 1, 12);
      Frames.number++;
      return ON;
    }
    if (!Frames.push(PLAIN, inArray, site)) return STATUS_ERROR;
    if (word == 0) return Structs.close();
    store<u32>(Frames.top, word, REMAINING);
    store<u32>(Frames.top, <u32>found, MARK);
    if (Frames.number <= 65536) store<u32>(OPEN_STRUCTS + ((<usize>Frames.number - 1) << 2), <u32>Frames.top);
    return ON;
  }

  /** Reads the struct at `p` as a row of a layout that structs of its beginning have; false when it fits none. */
  private static layoutRow(found: usize, p: usize, inArray: bool, site: usize): bool {
    let row = Layouts.at(found, p, Input.limit);
    if (!row) return false;
    if (load<u32>(row, OTHER)) Strings.keep();
    while (!Containers.rowOf(row, p, inArray, site)) {
      if (Rows.cut) return false;
      row = <usize>load<u32>(row, OTHER);
      if (!row) {
        Layouts.missed(found, p, Input.limit);
        return false;
      }
      Strings.back();
      // A chunk has room for what one layout has read in vain.
      if (Strings.full()) return false;
    }
    return true;
  }

  /** The same for one layout; {@link Rows.cut}: no other one is to be tried. */
  private static rowOf(row: usize, p: usize, inArray: bool, site: usize): bool {
    Rows.cut = true;
    Varied.missed = false;
    if (!Layouts.fits(row, Frames.depth)) return false;
    const joins = Tape.joins(LAYOUT, Layouts.number(row), inArray, Frames.number);
    const header = Tape.joinable;
    const next = Rows.match(row, p, Input.limit, joins ? Tape.end : Tape.end + 16, Frames.number);
    if (!next) return false;
    const containers = load<u32>(row, CONTAINERS_PER_ROW) + Rows.more;
    // What cannot follow is told where the general steps come upon it.
    if (Frames.containers + <f64>containers > Settings.maxNodes || !Frames.plausible(next, 0)) return false;
    const index = Frames.deliver(inArray, site);
    Containers.layoutJoined = joins;
    Frames.balance -= containers;
    if (joins) store<u32>(header, load<u32>(header, 12) + 1, 12);
    else {
      Frames.balance += 2;
      Tape.joinable = Tape.end;
      Tape.emit2(LAYOUT, inArray ? TO_ARRAY : 0, Layouts.number(row), Frames.number, index, 1);
    }
    Tape.end = Rows.end;
    Tape.joinEnd = Rows.end;
    Frames.number += containers;
    Tape.joinNumber = Frames.number;
    Frames.containers += <f64>containers;
    Input.cursor = next;
    return true;
  }

  @inline
  static isReference(p: usize): bool {
    return load<u16>(p, 0, 1) == 0xffff && Settings.release > 100;
  }

  static reference(p: usize, inArray: bool, site: usize): i32 {
    const target = <u32>load<u16>(p, 2, 1);
    if (target >= Frames.number) return Stops.fail(ERROR_BAD_REFERENCE, p);
    const at = OPEN_STRUCTS + ((<usize>target) << 2);
    const open = <usize>load<u32>(at);
    if (open) {
      Tape.emit(MATERIALISE, 0, 0, target);
      Tape.end += 8;
      store<u32>(open, load<u32>(open, FLAGS) | EXISTING, FLAGS);
      store<u32>(at, 0);
    }
    Input.cursor = p + 4;
    if (inArray) {
      Slots.box(Frames.element(), BOX_REFERENCE, target);
      return ON;
    }
    if (load<u32>(Frames.top, KIND) == ROOT) return Stops.fail(ERROR_BAD_REFERENCE, p);
    if (site) Shapes.mark(site, KIND_REFERENCE);
    Slots.box(Frames.slot, BOX_REFERENCE, target);
    Frames.slot += 8;
    return ON;
  }
}
