// The window of input, and where reading is in it.
import { WINDOW } from "../memory";

export class Input {
  static cursor: usize = WINDOW;
  /** Behind the last byte that is there. */
  static limit: usize = WINDOW;
  /** Offset of the window in the input. */
  static base: f64 = 0;
  /** Is the window as full as it gets? */
  static full: bool = false;

  /** The next `bytes` bytes are in the window; `at` is the offset of the first of them in the input; `whole`: the window is as full as it gets. */
  static window(bytes: usize, at: f64, whole: bool): void {
    memory.fill(WINDOW + bytes, 0, 64);
    Input.cursor = WINDOW;
    Input.limit = WINDOW + bytes;
    Input.base = at;
    Input.full = whole;
  }

  /** Offset of the cursor in the input. */
  static position(): f64 {
    return Input.offset(Input.cursor);
  }

  /** Offset of an address in the input. */
  @inline
  static offset(at: usize): f64 {
    return Input.base + <f64>(at - WINDOW);
  }
}
