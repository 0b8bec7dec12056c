// The objects that occurred in this save: open addressing by object index (OBJECT_SLOTS is a power of two, at most half full).
import { OBJECT_BYTES, OBJECT_SLOTS, Place } from "./memory-map";

/** Marks a used slot in the upper half of the class count. */
export const OBJECT_USED: u32 = 0x80000000;

export function resetObjects(): void {
  memory.fill(Place.objects(), 0, OBJECT_SLOTS * OBJECT_BYTES);
}

/** The record of an object index, or the free slot where it belongs. The shim keeps count, so a free slot is always there. */
export function objectRecord(index: u32): usize {
  let slot = (index * 0x9e3779b1) >>> 21;
  while (true) {
    const record = Place.objects() + slot * OBJECT_BYTES;
    if (!(load<u32>(record, 4) & OBJECT_USED) || load<u32>(record) === index) return record;
    slot = (slot + 1) & (OBJECT_SLOTS - 1);
  }
}
