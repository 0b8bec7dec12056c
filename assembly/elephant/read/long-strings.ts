// Strings that the window has no room for: JavaScript finds them.
import { WINDOW } from "../memory";
import { STATUS_INPUT, STATUS_LONG_STRING } from "../ops";
import { Strings } from "../strings";
import { Frames, PENDING } from "./frames";
import { Input } from "./input";
import { Stops } from "./stops";

export class LongStrings {
  /** A string does not end inside the window. */
  static find(from: usize, what: u32): i32 {
    // Only when the window cannot show more: it begins here and is full.
    if (Input.cursor != WINDOW || !Input.full) return STATUS_INPUT;
    return LongStrings.handOver(from, what);
  }

  /** JavaScript is to decode the string at `from`. */
  static handOver(from: usize, what: u32): i32 {
    Stops.longId = Strings.reserved();
    store<u32>(Frames.top, what, PENDING);
    Input.cursor = from;
    Stops.detail = Stops.longId;
    return STATUS_LONG_STRING;
  }
}
