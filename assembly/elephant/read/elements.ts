// Elements of arrays.
import { Layouts } from "../layouts";
import { Rows } from "../layouts/rows";
import { CONTAINERS_PER_ROW, HITS, NESTS, NESTS_ENOUGH, WORTH } from "../layouts/words";
import { NESTED_UNMARKED, TAPE_SOFT } from "../memory";
import { ANY, BOOL, blockEnd, F64, MOST_NUMBERS, Numbers, STRING, STRUCT_CODE, TEXT, UNDEFINED } from "../numbers";
import { BOX_TABLE, ELEMENTS, ELEMENTS_F64, ELEMENTS_I32, ELEMENTS_KINDS, STATUS_FLUSH, STATUS_INPUT } from "../ops";
import { Slots } from "../slots";
import { Strings, stringId } from "../strings";
import { Arrays } from "./arrays";
import { Containers, MANY } from "./containers";
import { COUNTERS, DATATYPE, Frames, HEADER, PENDING, REMAINING, VERSION } from "./frames";
import { Input } from "./input";
import { Nested } from "./nested";
import { Scalars } from "./scalars";
import { Settings } from "./settings";
import { ON, Stops } from "./stops";
import { Tags } from "./tags";
import { Tape } from "./tape";

/** Rows of a layout from which on JavaScript may be left what follows. */
const ENOUGH: u32 = 256;
/** Values of an array that are sorted by kind: at least, and at most at once (an array that has gaps of 1024 becomes a hash table). */
const FEWEST_BY_KIND: u32 = 64;
const MOST_BY_KIND: u32 = 1000;

export class Elements {
  /** Arrays of any, string, bool, u64 and, where exact datatypes are asked for, of numbers. */
  static values(): i32 {
    const common = load<u32>(Frames.top, DATATYPE);
    const own = Frames.top;
    let status = ON;
    while (status == ON && Frames.top == own) {
      if (load<u32>(Frames.top, PENDING)) {
        store<u32>(Frames.top, 0, PENDING);
        store<u32>(Frames.top, load<u32>(Frames.top, REMAINING) - 1, REMAINING);
        Slots.box(Frames.element(), BOX_TABLE, Stops.longId);
      }
      if (common == ANY) while (load<u32>(Frames.top, REMAINING) >= FEWEST_BY_KIND && Tape.end < TAPE_SOFT && Elements.valuesByKind()) {}
      if (common == ANY || common == STRING) Elements.commonValues(common);
      if (!load<u32>(Frames.top, REMAINING)) return Arrays.close();
      if (Tape.end >= TAPE_SOFT || Strings.full()) return STATUS_FLUSH;
      status = Elements.anyValue(common);
    }
    return status;
  }

  /** Elements of the commonest datatypes in a row, as many as there are. */
  private static commonValues(common: u32): void {
    let remaining = load<u32>(Frames.top, REMAINING);
    let p = Input.cursor;
    const end = Input.limit;
    const joins = Tape.joinable == Frames.top && Tape.joinEnd == Tape.end;
    const first = joins ? Tape.end : Tape.end + 16;
    const site = Frames.top + COUNTERS;
    let out = first;
    while (remaining && out < TAPE_SOFT && !Strings.full()) {
      const code = common == STRING ? <u32>STRING : p < end ? <u32>load<u8>(p) : 0;
      const at = common == STRING ? p : p + 1;
      if (code == STRING || code == TEXT) {
        const next = at < end ? Strings.read(at, end, site) : 0;
        if (!next) break;
        Slots.box(out, BOX_TABLE, stringId);
        p = next;
      } else if (code == F64) {
        if (at + 8 > end) break;
        Slots.loose(out, load<f64>(at, 0, 1));
        p = at + 8;
      } else if (code == BOOL) {
        if (at >= end) break;
        Slots.box(out, BOX_TABLE, load<u8>(at) == 1 ? 2 : 1);
        p = at + 1;
      } else if (code == Settings.codes + (UNDEFINED - ANY)) {
        Slots.box(out, BOX_TABLE, 0);
        p = at;
      } else break;
      out += 8;
      remaining--;
    }
    if (out == first) return;
    if (!joins) {
      store<u32>(Frames.top, <u32>Tape.end, HEADER);
      Tape.joinable = Frames.top;
      Tape.emit2(ELEMENTS, 0, 0, 0, 0, 0);
    }
    const header = <usize>load<u32>(Frames.top, HEADER);
    store<u32>(header, load<u32>(header, 12) + <u32>((out - first) >> 3), 12);
    Tape.end = out;
    Tape.joinEnd = out;
    Input.cursor = p;
    store<u32>(Frames.top, remaining, REMAINING);
  }

  /**
   * As {@link Elements.commonValues} for long arrays of any, whose values come in no order: sorted by kind, so that JavaScript need not look at each to know what
   * it is, which costs more than the value (bench/, mixed). False when none could be read.
   */
  private static valuesByKind(): bool {
    const remaining = load<u32>(Frames.top, REMAINING);
    const most: u32 = remaining < MOST_BY_KIND ? remaining : MOST_BY_KIND;
    const end = Input.limit;
    const site = Frames.top + COUNTERS;
    const undefined_ = Settings.codes + (UNDEFINED - ANY);
    // Gathered apart, then moved together.
    const entries = Tape.end + 16;
    const wholes = entries + <usize>MOST_BY_KIND * 8;
    const doubles = wholes + <usize>MOST_BY_KIND * 8;
    const places = doubles + <usize>MOST_BY_KIND * 8;
    let entry = entries;
    let whole = wholes;
    let double = doubles;
    let place = places;
    let p = Input.cursor;
    let count: u32 = 0;
    while (count < most && p < end && !Strings.full()) {
      const code = <u32>load<u8>(p);
      if (code == F64) {
        if (p + 9 > end) break;
        const value = load<f64>(p, 1, 1);
        const isWhole = <usize>Slots.isWhole(value);
        store<i32>(whole, <i32>value);
        store<u32>(whole, count, 4);
        whole += isWhole << 3;
        store<f64>(double, value);
        store<u32>(place, count);
        double += (1 - isWhole) << 3;
        place += (1 - isWhole) << 2;
        p += 9;
      } else {
        let index: u32 = 0;
        if (code == STRING || code == TEXT) {
          const next = p + 1 < end ? Strings.read(p + 1, end, site) : 0;
          if (!next) break;
          index = stringId;
          p = next;
        } else if (code == BOOL) {
          if (p + 2 > end) break;
          index = load<u8>(p, 1) == 1 ? 2 : 1;
          p += 2;
        } else if (code == undefined_) p++;
        else break;
        store<u32>(entry, index);
        store<u32>(entry, count, 4);
        entry += 8;
      }
      count++;
    }
    if (!count) return false;
    const wholeBytes = whole - wholes;
    const doubleBytes = double - doubles;
    Tape.emit(ELEMENTS_KINDS, 0, count, <u32>((entry - entries) >> 3));
    store<u32>(Tape.end, <u32>(wholeBytes >> 3), 8);
    store<u32>(Tape.end, <u32>(doubleBytes >> 3), 12);
    memory.copy(entry, wholes, wholeBytes);
    memory.copy(entry + wholeBytes, doubles, doubleBytes);
    memory.copy(entry + wholeBytes + doubleBytes, places, place - places);
    Tape.end = (entry + wholeBytes + doubleBytes + (place - places) + 7) & ~7;
    Input.cursor = p;
    store<u32>(Frames.top, remaining - count, REMAINING);
    return true;
  }

  /** One element, whatever it is. */
  private static anyValue(common: u32): i32 {
    const remaining = load<u32>(Frames.top, REMAINING);
    let p = Tags.read(Input.cursor, common);
    if (!p) return Stops.reason;
    if (Tags.holds()) {
      if (!Containers.headerFits(p, Tags.datatype)) return STATUS_INPUT;
      store<u32>(Frames.top, remaining - 1, REMAINING);
      // Containers among other values, each in an operation of its own, are better read by JavaScript, with all that follow.
      if (common == ANY && remaining >= MANY && Settings.nests && load<i32>(NESTED_UNMARKED, NESTS) >= NESTS_ENOUGH)
        return Nested.leave(NESTED_UNMARKED, Input.cursor, ANY, true, 0);
      Input.cursor = p;
      return Containers.open(p, Tags.datatype, Tags.code, 0);
    }
    const value = Tape.end + 16;
    p = Scalars.read(p, Tags.datatype, value, 0, Frames.top + COUNTERS, true);
    if (!p) return Stops.reason;
    const low = load<u32>(value);
    const high = load<u32>(value, 4);
    Slots.box(Frames.element(), high, low);
    Input.cursor = p;
    store<u32>(Frames.top, remaining - 1, REMAINING);
    return ON;
  }

  /** Homogeneous arrays of numbers: blocks of doubles, or of int32 where all of a block are whole. */
  static numbers(): i32 {
    const datatype = load<u32>(Frames.top, DATATYPE);
    const size = Numbers.size(datatype);
    let remaining = load<u32>(Frames.top, REMAINING);
    while (remaining) {
      if (Tape.end >= TAPE_SOFT) return STATUS_FLUSH;
      const there = <u32>(Input.limit - Input.cursor) / size;
      if (there == 0) return STATUS_INPUT;
      let count = remaining < there ? remaining : there;
      if (count > MOST_NUMBERS) count = MOST_NUMBERS;
      const whole = Numbers.block(Input.cursor, datatype, count, Tape.end + 16);
      Tape.emit2(whole ? ELEMENTS_I32 : ELEMENTS_F64, 0, 0, 0, 0, count);
      Tape.end = blockEnd;
      Input.cursor += <usize>count * size;
      remaining -= count;
      store<u32>(Frames.top, remaining, REMAINING);
    }
    return Arrays.close();
  }

  /** Arrays whose elements are all arrays or all structs: untagged containers. */
  static containers(): i32 {
    const own = Frames.top;
    const datatype = load<u32>(own, DATATYPE);
    const code = load<u32>(own, VERSION);
    let status = ON;
    while (status == ON && Frames.top == own && Tape.end < TAPE_SOFT && !Strings.full()) {
      const remaining = load<u32>(own, REMAINING);
      if (!remaining) return Arrays.close();
      if (!Containers.headerFits(Input.cursor, datatype)) return STATUS_INPUT;
      store<u32>(own, remaining - 1, REMAINING);
      Containers.layoutJoined = false;
      status = Containers.open(Input.cursor, datatype, code, 0);
      // Two of one layout in a row: there may be more.
      if (Containers.layoutJoined) {
        const layout = Layouts.numbered(load<u32>(Tape.joinable) >> 8);
        if (Elements.light(layout, load<u32>(own, REMAINING))) {
          store<u32>(own, load<u32>(own, REMAINING) - 1, REMAINING);
          return Nested.leave(layout + (WORTH - NESTS), Input.cursor, STRUCT_CODE, true, 0);
        }
        Elements.layoutRows(own);
      }
    }
    return status;
  }

  /** Are `remaining` structs, which follow one of this layout, better left to JavaScript? Not before there have been so many that its functions are worth making. */
  @inline
  private static light(layout: usize, remaining: u32): bool {
    return (
      load<i32>(layout, WORTH) >= NESTS_ENOUGH &&
      load<u32>(layout, HITS) >= ENOUGH &&
      remaining >= MANY &&
      Settings.nests &&
      Containers.headerFits(Input.cursor, STRUCT_CODE)
    );
  }

  /** As many structs that fit the layout of the last one as follow in the array on top. */
  private static layoutRows(own: usize): void {
    const header = Tape.joinable;
    const row = Layouts.numbered(load<u32>(header) >> 8);
    const remaining = load<u32>(own, REMAINING);
    const allowed = Settings.maxNodes - Frames.containers;
    const each = load<u32>(row, CONTAINERS_PER_ROW);
    let containers: u32 = 0;
    let count: u32 = 0;
    let p = Input.cursor;
    let out = Tape.end;
    while (count < remaining && out < TAPE_SOFT && !Strings.full()) {
      const next = Rows.match(row, p, Input.limit, out, Frames.number + containers);
      if (!next) break;
      const behind = containers + each + Rows.more;
      if (<f64>behind > allowed) break;
      containers = behind;
      p = next;
      out = Rows.end;
      count++;
    }
    if (!count || !Frames.plausible(p, <f64>count * -2)) return;
    store<u32>(header, load<u32>(header, 12) + count, 12);
    store<u32>(own, remaining - count, REMAINING);
    Tape.end = out;
    Tape.joinEnd = out;
    Input.cursor = p;
    Frames.number += containers;
    Tape.joinNumber = Frames.number;
    Frames.balance -= containers;
    Frames.containers += <f64>containers;
  }
}
