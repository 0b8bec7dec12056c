// The end of the op stream (ops.ts): operations are put there, and joined by what follows.
import { STACK, TAPE } from "../memory";
import { STRUCT, TO_ARRAY } from "../ops";

export class Tape {
  static end: usize = TAPE;
  /** Counts tapes: what a frame remembers of an earlier one is gone. */
  static generation: u32 = 0;
  /** The operation that the next row may join, or the frame of the array that the next element may, and the end of it on the tape. */
  static joinable: usize = 0;
  static joinEnd: usize = 0;
  /** Of rows of layouts: the number behind them. */
  static joinNumber: u32 = 0;

  /** An operation of one slot, without moving the end. */
  static emit(operation: u32, flags: u32, argument: u32, word: u32): void {
    store<u32>(Tape.end, operation | (flags << 6) | (argument << 8));
    store<u32>(Tape.end, word, 4);
  }

  /** An operation of two slots. */
  static emit2(operation: u32, flags: u32, argument: u32, word: u32, low: u32, high: u32): void {
    Tape.emit(operation, flags, argument, word);
    store<u32>(Tape.end, low, 8);
    store<u32>(Tape.end, high, 12);
    Tape.end += 16;
  }

  /**
   * May a row, whose containers have numbers from `own` on, join the one before on the tape? Where nothing stands between
   * them and the numbers go on, they are neighbours in one array, or members of one struct, whose places among the children go on, too.
   */
  static joins(operation: u32, argument: u32, inArray: bool, own: u32): bool {
    const header = Tape.joinable;
    if (Tape.joinEnd != Tape.end || header < TAPE || header >= STACK) return false;
    return (
      load<u32>(header) == (operation | ((inArray ? TO_ARRAY : 0) << 6) | (argument << 8)) &&
      (operation == STRUCT ? load<u32>(header, 4) + load<u32>(header, 12) : Tape.joinNumber) == own
    );
  }

  /** Puts `bytes` of value slots on the tape; may write up to 8 bytes behind them. A loop, because a struct's are fewer than a call of `memory.copy` is worth. */
  @inline
  static putSlots(from: usize, bytes: usize): void {
    let q = Tape.end;
    const end = q + bytes;
    if (ASC_FEATURE_SIMD) {
      for (; q < end; q += 16, from += 16) v128.store(q, v128.load(from, 0, 1), 0, 1);
    } else {
      for (; q < end; q += 8, from += 8) {
        store<u32>(q, load<u32>(from));
        store<u32>(q, load<u32>(from, 4), 4);
      }
    }
    Tape.end = end;
  }
}
