// The objects that occurred in this save: open addressing by object index, at most half full.
import { MOST_OBJECTS, OBJECTS, STATUS } from "./memory-map";
import { MAX_LEVELS, OBJECT_USED } from "./opcodes";

/** A power of two, whose exponent is also in the shift of `objectRecord`. */
const OBJECT_SLOTS: u32 = 2 * MOST_OBJECTS;
/** Object index; number of classes in the schema's chain (0: unknown) with OBJECT_USED; for each class the first layout to try. */
const OBJECT_BYTES: u32 = 8 + 4 * MAX_LEVELS;

export function resetObjects(): void {
  if (__heap_base > STATUS) unreachable();
  memory.fill(OBJECTS, 0, OBJECT_SLOTS * OBJECT_BYTES);
}

/** The record of an object index, or the free slot where it belongs. The shim keeps count, so a free slot is always there. */
export function objectRecord(index: u32): usize {
  // The upper 11 bits of 32, because there are 2^11 slots.
  let slot = (index * 0x9e3779b1) >>> 21;
  while (true) {
    const record = OBJECTS + slot * OBJECT_BYTES;
    if (!(load<u32>(record, 4) & OBJECT_USED) || load<u32>(record) === index) return record;
    slot = (slot + 1) & (OBJECT_SLOTS - 1);
  }
}
