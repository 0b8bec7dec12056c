// Members of plain and verbose structs: each name is predicted from those before it.
import { WINDOW } from "../memory";
import { ANY, BOOL, F64, STRING, TEXT } from "../numbers";
import { BOX_TABLE, ERROR_MEMORY, KIND_TABLE, STATUS_FLUSH, STATUS_INPUT, STATUS_LONG_STRING } from "../ops";
import { LENGTH, NEXT, OTHER, Shapes, SITE } from "../shapes";
import { Slots } from "../slots";
import { Strings, stringId } from "../strings";
import { Text } from "../text";
import { Containers } from "./containers";
import { FRAME, Frames, NODE, PENDING, REMAINING } from "./frames";
import { Input } from "./input";
import { LongStrings } from "./long-strings";
import { LONGEST_NAME, Pairs } from "./pairs";
import { Scalars } from "./scalars";
import { Settings } from "./settings";
import { ON, Stops } from "./stops";
import { Structs } from "./structs";
import { Tags } from "./tags";

export class Members {
  static read(): i32 {
    let p = Input.cursor;
    let at = Frames.slot;
    let node = <usize>load<u32>(Frames.top, NODE);
    let remaining = load<u32>(Frames.top, REMAINING);
    const end = Input.limit;
    if (load<u32>(Frames.top, PENDING)) {
      store<u32>(Frames.top, 0, PENDING);
      Slots.table(at, node, Stops.longId);
      at += 8;
      remaining--;
    }
    // All members may be there, so there has to be room for all of them (not for more than there are bytes), and for the frame of a child.
    if (
      at + ((<usize>remaining) << 3) + FRAME * 2 > Frames.end &&
      !Frames.deepen(at + ((<usize>min(<f64>remaining, Settings.inputEnd - Input.position())) << 3))
    )
      return Stops.fail(ERROR_MEMORY, p);
    while (remaining) {
      const start = p;
      let child = <usize>load<u32>(node, NEXT);
      if (!Shapes.follows(child, p)) {
        child = <usize>load<u32>(node, OTHER);
        if (Shapes.follows(child, p)) Shapes.expect(node, child);
        else {
          Frames.save(start, at, node, remaining);
          child = Members.newName(node, remaining);
          if (!child) return Stops.reason;
        }
      }
      p += load<u32>(child, LENGTH);

      const code = <u32>load<u8>(p);
      p++;
      if (code == F64) {
        const value = load<f64>(p, 0, 1);
        p += 8;
        if (p > end) {
          Frames.save(start, at, node, remaining);
          return STATUS_INPUT;
        }
        Slots.numeric(at, child, value);
      } else if (code == STRING || code == TEXT) {
        const next = Strings.read(p, end, child + SITE);
        if (!next) {
          if (start == WINDOW && Input.full && p <= end) {
            Frames.save(start, at, child, remaining);
            return LongStrings.find(p, 1);
          }
          Frames.save(start, at, node, remaining);
          return STATUS_INPUT;
        }
        p = next;
        Shapes.note(child, KIND_TABLE);
        Slots.box(at, BOX_TABLE, stringId);
        if (Strings.full()) {
          Frames.save(p, at + 8, child, remaining - 1);
          return remaining == 1 ? Structs.close() : STATUS_FLUSH;
        }
      } else if (code == BOOL) {
        const value = <u32>load<u8>(p);
        p++;
        if (p > end) {
          Frames.save(start, at, node, remaining);
          return STATUS_INPUT;
        }
        Shapes.note(child, KIND_TABLE);
        Slots.box(at, BOX_TABLE, value == 1 ? 2 : 1);
      } else {
        Frames.save(start, at, node, remaining);
        const next = Members.rareMember(p - 1, at, child, remaining);
        if (!next) return Stops.reason;
        p = next;
      }
      at += 8;
      node = child;
      remaining--;
    }
    Frames.save(p, at, node, 0);
    return Structs.close();
  }

  /** A name that was not expected, at the cursor: its node, or 0 with {@link Stops.reason} set. */
  private static newName(node: usize, remaining: u32): usize {
    const p = Input.cursor;
    const zero = Text.end(p);
    const length = <u32>(zero - p);
    if (zero >= Input.limit) {
      Stops.reason = STATUS_INPUT;
      if (Input.cursor == WINDOW && Input.full) {
        Stops.reason = Pairs.begin(node, remaining);
        if (Stops.reason == ON) Stops.reason = LongStrings.find(p, 2);
      }
      return 0;
    }
    // A new name is a string of the chunk: thousands of them in one struct fill it, whatever their values are.
    if (Strings.full()) {
      Stops.reason = STATUS_FLUSH;
      return 0;
    }
    const child = length < LONGEST_NAME ? Shapes.child(node, p, length) : 0;
    if (!child) Stops.reason = Pairs.begin(node, remaining);
    return child;
  }

  /** A member of a rarer datatype, whose code is at `p`; returns the address behind it, or 0 with {@link Stops.reason} set. The frame has been saved. */
  private static rareMember(p: usize, at: usize, child: usize, remaining: u32): usize {
    p = Tags.read(p, ANY);
    if (!p) return 0;
    if (Tags.holds()) {
      Stops.reason = STATUS_INPUT;
      if (!Containers.headerFits(p, Tags.datatype)) return 0;
      Frames.save(p, at, child, remaining - 1);
      Stops.reason = Containers.open(p, Tags.datatype, Tags.code, child);
      return 0;
    }
    const next = Scalars.read(p, Tags.datatype, at, child, child + SITE, true);
    if (!next) {
      // Its text will be the member's value.
      if (Stops.reason == STATUS_LONG_STRING) store<u32>(Frames.top, <u32>child, NODE);
      return 0;
    }
    if (Strings.full()) {
      Frames.save(next, at + 8, child, remaining - 1);
      Stops.reason = remaining == 1 ? Structs.close() : STATUS_FLUSH;
      return 0;
    }
    return next;
  }
}
