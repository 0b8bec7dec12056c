// Where things stand in linear memory. Everything has a fixed size, so memory does not depend on the save; asconfig.json says how many pages it is.
import { MAX_LEVELS } from "./opcodes";

export const WINDOW_BYTES: u32 = 131072;
export const TAPE_BYTES: u32 = 262144;
export const BLOB8_BYTES: u32 = 65536;
export const BLOB16_BYTES: u32 = 65536;
export const LAYOUT_BYTES: u32 = 262144;
/** Slots of the table of objects; half of them may be used. */
export const OBJECT_SLOTS: u32 = 2048;
/** Object index, number of classes in the schema's chain (0: unknown), for each class the first layout to try. */
export const OBJECT_BYTES: u32 = 8 + 4 * MAX_LEVELS;
/** Loads of 16 bytes may reach this far behind what is valid. */
const SLACK: u32 = 64;

export class Place {
  @inline static status(): usize {
    return (__heap_base + 15) & ~15;
  }
  @inline static hash(): usize {
    return Place.status() + 128;
  }
  @inline static window(): usize {
    return Place.status() + 1024;
  }
  @inline static tape(): usize {
    return Place.window() + WINDOW_BYTES + SLACK;
  }
  @inline static blob8(): usize {
    return Place.tape() + TAPE_BYTES + SLACK;
  }
  @inline static blob16(): usize {
    return Place.blob8() + BLOB8_BYTES + SLACK;
  }
  @inline static layouts(): usize {
    return Place.blob16() + BLOB16_BYTES + SLACK;
  }
  @inline static objects(): usize {
    return Place.layouts() + LAYOUT_BYTES + SLACK;
  }
}
