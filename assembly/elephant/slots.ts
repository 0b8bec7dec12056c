// Value slots: doubles as they are, everything else boxed in NaN space (ops.ts).
import { BOX_INT, KIND_INT, KIND_NUMBER } from "./ops";
import { Shapes } from "./shapes";

export class Slots {
  @inline
  static box(at: usize, tag: u32, payload: u32): void {
    store<u32>(at, payload);
    store<u32>(at, tag, 4);
  }

  /** Stores a number that a field holds, in the form its readers expect, and notes its kind. */
  @inline
  static numeric(at: usize, node: usize, value: f64): void {
    const whole = <i32>value;
    if (<f64>whole == value && (whole != 0 || reinterpret<u64>(value) == 0)) {
      const kinds = Shapes.note(node, KIND_INT);
      if (kinds > KIND_INT + KIND_NUMBER) Slots.box(at, BOX_INT, <u32>whole);
      else store<f64>(at, value);
    } else {
      Shapes.note(node, KIND_NUMBER);
      store<f64>(at, value == value ? value : f64.NaN);
    }
  }

  /** Stores a number that stands by itself. */
  @inline
  static loose(at: usize, value: f64): void {
    const whole = <i32>value;
    if (<f64>whole == value && (whole != 0 || reinterpret<u64>(value) == 0)) Slots.box(at, BOX_INT, <u32>whole);
    else store<f64>(at, value == value ? value : f64.NaN);
  }
}
