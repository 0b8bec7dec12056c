// Members by name, where the trie of names cannot hold them.
import { TAPE, TAPE_SOFT } from "../memory";
import { ANY } from "../numbers";
import { BOX_TABLE, ERROR_MEMORY, STATUS_FLUSH, STATUS_INPUT } from "../ops";
import { NAME_ID, PARENT } from "../shapes";
import { Slots } from "../slots";
import { Strings } from "../strings";
import { Text } from "../text";
import { Containers } from "./containers";
import { COUNTERS, FLAGS, FRAME, Frames, HELD, PAIRS, PENDING, REMAINING } from "./frames";
import { Input } from "./input";
import { LongStrings } from "./long-strings";
import { Scalars } from "./scalars";
import { ON, Stops } from "./stops";
import { Structs } from "./structs";
import { Tags } from "./tags";
import { Tape } from "./tape";

/** Longer names are handed to JavaScript, so that a step without its string fits a window. */
export const LONGEST_NAME: u32 = 1 << 15;

export class Pairs {
  /** Turns the slots of the frame on top into (name, value) pairs, in place. False: there is no memory for them. */
  static widen(node: usize, remaining: u32): bool {
    const first = Frames.top + FRAME;
    const count = (Frames.slot - first) >> 3;
    if (Frames.slot + (count << 3) + FRAME * 4 > Frames.end && !Frames.deepen(Frames.slot + (count << 3))) return false;
    for (let i = <i32>count - 1; i >= 0; i--) {
      const from = first + ((<usize>i) << 3);
      const to = first + ((<usize>i) << 4);
      const low = load<u32>(from);
      const high = load<u32>(from, 4);
      Slots.box(to + 8, high, low);
      Slots.box(to, BOX_TABLE, load<u32>(node, NAME_ID));
      node = <usize>load<u32>(node, PARENT);
    }
    Frames.slot = first + (count << 4);
    const before = <usize>load<u32>(Frames.top, HELD);
    if (before) store<u32>(Frames.top, <u32>(first + ((before - first) << 1)), HELD);
    store<u32>(Frames.top, load<u32>(Frames.top, FLAGS) | PAIRS, FLAGS);
    store<u32>(Frames.top, remaining, REMAINING);
    store<u32>(Frames.top, 0, COUNTERS);
    return true;
  }

  /** The frame on top goes on in pairs. */
  static begin(node: usize, remaining: u32): i32 {
    return Pairs.widen(node, remaining) ? ON : Stops.fail(ERROR_MEMORY, Input.cursor);
  }

  /** As {@link Members.read} for one member at a time; the value's slot is the second of the pair. */
  static read(): i32 {
    const own = Frames.top;
    while (load<u32>(Frames.top, REMAINING)) {
      if ((Tape.end >= TAPE_SOFT || Strings.full()) && !load<u32>(Frames.top, PENDING)) return STATUS_FLUSH;
      if (Frames.slot + FRAME * 4 > Frames.end && !Frames.deepen(Frames.slot)) return Stops.fail(ERROR_MEMORY, Input.cursor);
      const start = Input.cursor;
      let p = start;
      const pending = load<u32>(Frames.top, PENDING);
      if (pending == 0) {
        const zero = Text.end(p);
        const length = <u32>(zero - p);
        if (zero >= Input.limit) return LongStrings.find(start, 2);
        // Typed arrays on the tape are in bytes that are dropped if a long text follows.
        if (length >= LONGEST_NAME) return Tape.end > TAPE ? STATUS_FLUSH : LongStrings.handOver(start, 2);
        const entry = Strings.name(p, length);
        if (entry) Slots.box(Frames.slot, BOX_TABLE, load<u32>(entry, 12));
        else Slots.box(Frames.slot, BOX_TABLE, Strings.plain(p, length));
        p = zero + 1;
      } else if (pending == 2) {
        Slots.box(Frames.slot, BOX_TABLE, Stops.longId);
      } else {
        store<u32>(Frames.top, 0, PENDING);
        Slots.box(Frames.slot + 8, BOX_TABLE, Stops.longId);
        Frames.slot += 16;
        store<u32>(Frames.top, load<u32>(Frames.top, REMAINING) - 1, REMAINING);
        continue;
      }
      const status = Pairs.value(p);
      if (status != ON) return status;
      if (Frames.top != own) return ON;
    }
    return Structs.close();
  }

  /** The value of a pair, at `p`. */
  private static value(p: usize): i32 {
    p = Tags.read(p, ANY);
    if (!p) return Stops.reason;
    if (Tags.holds()) {
      if (!Containers.headerFits(p, Tags.datatype)) return STATUS_INPUT;
      store<u32>(Frames.top, 0, PENDING);
      store<u32>(Frames.top, load<u32>(Frames.top, REMAINING) - 1, REMAINING);
      Input.cursor = p;
      Frames.slot += 8;
      return Containers.open(p, Tags.datatype, Tags.code, 0);
    }
    // The name of this pair is kept in its slot while JavaScript finds a long text.
    p = Scalars.read(p, Tags.datatype, Frames.slot + 8, 0, Frames.top + COUNTERS, true);
    if (!p) return Stops.reason;
    store<u32>(Frames.top, 0, PENDING);
    Input.cursor = p;
    Frames.slot += 16;
    store<u32>(Frames.top, load<u32>(Frames.top, REMAINING) - 1, REMAINING);
    return ON;
  }
}
