// Value slots: doubles as they are, everything else boxed in NaN space (ops.ts).
import { UNITS } from "./numbers";
import { BOX_INT, BOX_TABLE, KIND_INT, KIND_NUMBER, KIND_TABLE } from "./ops";
import { Shapes } from "./shapes";

export class Slots {
  /** Is it an int32, and not -0? (-2^31 may count as none.) */
  @inline
  static isWhole(value: f64): bool {
    if (ASC_FEATURE_SIMD) {
      // Cheaper than going to an integer and back; compared as bits, which tell -0 from 0.
      return (reinterpret<u64>(value + UNITS - UNITS) == reinterpret<u64>(value)) & (abs<f64>(value) < 2147483648.0);
    } else {
      // The translation has no 64-bit integers.
      return <f64>(<i32>value) == value && (value != 0 || 1 / value > 0);
    }
  }

  @inline
  static box(at: usize, tag: u32, payload: u32): void {
    store<u32>(at, payload);
    store<u32>(at, tag, 4);
  }

  /** Stores a number that a field holds, in the form its readers expect, and notes its kind. */
  @inline
  static numeric(at: usize, node: usize, value: f64): void {
    if (Slots.isWhole(value)) {
      const kinds = Shapes.note(node, KIND_INT);
      if (kinds > KIND_INT + KIND_NUMBER) Slots.box(at, BOX_INT, <u32>(<i32>value));
      else store<f64>(at, value);
    } else {
      Shapes.note(node, KIND_NUMBER);
      store<f64>(at, value == value ? value : f64.NaN);
    }
  }

  /** As {@link numeric}, where it is not worth its room in the code again. */
  static number(at: usize, node: usize, value: f64): void {
    Slots.numeric(at, node, value);
  }

  /** Stores a value that a field holds by its index in the table, and notes that. */
  static table(at: usize, node: usize, index: u32): void {
    Shapes.note(node, KIND_TABLE);
    Slots.box(at, BOX_TABLE, index);
  }

  /** Stores a number that stands by itself. */
  @inline
  static loose(at: usize, value: f64): void {
    if (Slots.isWhole(value)) Slots.box(at, BOX_INT, <u32>(<i32>value));
    else store<f64>(at, value == value ? value : f64.NaN);
  }
}
