// Structs end: their slots become a row on the tape.
import { PROGRAM_SHAPE } from "../constructors";
import { NESTS, NESTS_ENOUGH, WORTH_A_TRY } from "../layouts/words";
import { NODE_SIZE, NODES, OPEN_STRUCTS } from "../memory";
import { CLOSE_INSTANCE, CLOSE_INSTANCE_PAIRS, EXISTING, STRUCT, STRUCT_PAIRS, TO_ARRAY } from "../ops";
import { BALANCE, FLAGS, FRAME, Frames, GENERATION, INDEX, KIND, MARK, NODE, NUMBER, PAIRS, PLAIN, PROGRAM, STRICT } from "./frames";
import { ON } from "./stops";
import { Tape } from "./tape";

export class Structs {
  /** The struct on top ends: would JavaScript have been faster ({@link Frames.balance})? */
  private static noteBalance(): void {
    const mark = <usize>load<u32>(Frames.top, MARK);
    const more = Frames.account() - load<i32>(Frames.top, BALANCE);
    if (!more || !mark) return;
    const nests = load<i32>(mark, NESTS);
    // Instances count 8 and 27 times: what the general steps take for them is more.
    const kind = load<i32>(Frames.top, KIND);
    const next = nests + (more > 0 ? kind * kind * kind : -1);
    // From there on JavaScript keeps the account; far below are those that it has given up.
    if (nests >= NESTS_ENOUGH || next < -NESTS_ENOUGH) return;
    store<i32>(mark, next >= NESTS_ENOUGH ? WORTH_A_TRY : next, NESTS);
  }

  /** Emits one struct's slots as a row of its shape, joining the row before where that has the same shape. */
  @inline
  private static row(shape: u32, own: u32, inArray: bool, index: u32, existing: u32, from: usize, count: usize): void {
    if (!existing && Tape.joins(STRUCT, shape, inArray, own)) store<u32>(Tape.joinable, load<u32>(Tape.joinable, 12) + 1, 12);
    else {
      Tape.joinable = existing ? 0 : Tape.end;
      Tape.emit2(STRUCT, (inArray ? TO_ARRAY : 0) | existing, shape, own, index, 1);
    }
    Tape.putSlots(from, count);
    Tape.joinEnd = Tape.end;
  }

  /** The struct on top is whole. */
  static close(): i32 {
    const kind = load<u32>(Frames.top, KIND);
    const flags = load<u32>(Frames.top, FLAGS);
    const inArray = (flags & TO_ARRAY) != 0;
    const existing = flags & EXISTING;
    const index = load<u32>(Frames.top, INDEX);
    const own = load<u32>(Frames.top, NUMBER);
    const pairs = flags & PAIRS;
    const first = pairs && kind == STRICT ? <usize>load<u32>(Frames.top, GENERATION) : Frames.top + FRAME;
    const bytes = Frames.slot - first;
    Structs.noteBalance();
    if (pairs) {
      Tape.joinable = 0;
      Tape.emit2(kind == PLAIN ? STRUCT_PAIRS : CLOSE_INSTANCE_PAIRS, (flags & TO_ARRAY) | existing, 0, own, index, <u32>(bytes >> 4));
      memory.copy(Tape.end, first, bytes);
      Tape.end += bytes;
    } else {
      const shape =
        kind == STRICT
          ? load<u32>(<usize>load<u32>(Frames.top, PROGRAM), PROGRAM_SHAPE)
          : ((load<u32>(Frames.top, NODE) - <u32>NODES) / <u32>NODE_SIZE) << 1;
      if (kind == PLAIN) Structs.row(shape, own, inArray, index, existing, first, bytes);
      else {
        Tape.joinable = 0;
        Tape.emit2(CLOSE_INSTANCE, flags & TO_ARRAY, shape, own, index, 1);
        Tape.putSlots(first, bytes);
      }
    }
    if (kind == PLAIN && own < 65536) store<u32>(OPEN_STRUCTS + ((<usize>own) << 2), 0);
    Frames.pop();
    return ON;
  }
}
