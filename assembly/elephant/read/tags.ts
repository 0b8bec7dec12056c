// Datatype codes (formats/elephant.md §3).
import { WINDOW_SIZE } from "../memory";
import { ANY, ARRAY_CODE, CONSTRUCTED, TEXT, UNDEFINED } from "../numbers";
import { ERROR_UNKNOWN_DATATYPE, STATUS_INPUT } from "../ops";
import { Input } from "./input";
import { Settings } from "./settings";
import { Stops } from "./stops";

/** So many codes "any" may follow each other: one of them is as good as all. With what they are of they have to fit into the window. */
const MOST_ANY: usize = WINDOW_SIZE >> 1;

export class Tags {
  /** What {@link Tags.read} has found: the last code ... */
  static code: u32 = 0;
  /** ... and its datatype. */
  static datatype: u32 = 0;

  /** The datatype of a code byte, ANY to UNDEFINED for the movable four; 0 when unknown. */
  static of(code: u32): u32 {
    if (code <= TEXT) return code;
    const moved = code - Settings.codes;
    if (moved < 4) return ANY + moved;
    return Settings.release == 100 && code >= 32 ? CONSTRUCTED : 0;
  }

  /**
   * The datatype of the value at `p`, in a place of `datatype`: behind codes "any" there are others. Returns the address behind them, or 0 with
   * {@link Stops.reason} set.
   */
  static read(p: usize, datatype: u32): usize {
    const last = p + MOST_ANY;
    Tags.code = datatype;
    while (datatype == ANY) {
      if (p >= Input.limit) {
        Stops.reason = STATUS_INPUT;
        return 0;
      }
      Tags.code = load<u8>(p);
      datatype = Tags.of(Tags.code);
      if (datatype == ANY && p >= last) {
        Stops.reason = Stops.fail(ERROR_UNKNOWN_DATATYPE, p);
        return 0;
      }
      p++;
    }
    Tags.datatype = datatype;
    return p;
  }

  /** Does a container begin behind what {@link Tags.read} has read? */
  static holds(): bool {
    return Tags.datatype >= ARRAY_CODE && Tags.datatype != UNDEFINED;
  }
}
