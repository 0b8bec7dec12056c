// Why reading stops, and what JavaScript has to know of it.
import { STATUS_ERROR } from "../ops";
import { Input } from "./input";

/** Not a status: go on with the frame on top. */
export const ON: i32 = -1;

export class Stops {
  /** The table's entry for a string that JavaScript is to find. */
  static longId: u32 = 0;
  /** Why a step ended early, where what it returns says only that it did. */
  static reason: i32 = 0;
  /** What a status needs to say. */
  static detail: u32 = 0;
  static detail2: u32 = 0;

  /** What is at `at`, in the window or behind it, is wrong, and the cursor stays there: an ERROR of ops.ts, 0 where the input ends too early. */
  static fail(code: u32, at: usize): i32 {
    Stops.detail = code;
    Input.cursor = at;
    return STATUS_ERROR;
  }
}
