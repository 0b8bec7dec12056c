// What a read was told when it began.
import { CODES } from "../layouts/words";

export class Settings {
  /** The code of any; those of array, struct and undefined follow it (formats/elephant.md §3). */
  static codes: u32 = CODES;
  /** 100 for 1.0.0 to 151 for 1.5.1. */
  static release: u32 = 151;
  static typedArrays: bool = false;
  static exactScalars: bool = false;
  /** Is the whole input there, so that JavaScript can read large arrays of numbers from it? */
  static leaveNumbers: bool = false;
  /** Does this release write what layouts are made of? */
  static layouts: bool = false;
  /** ... and what JavaScript may read (src/elephant/read/nested.ts)? */
  static nests: bool = false;
  static maxDepth: u32 = 0;
  static maxNodes: f64 = 0;
  /** Elements of arrays of undefined, which take no bytes. */
  static maxEmpty: f64 = 0;
  /** Bytes of the input. */
  static inputEnd: f64 = 0;
}
