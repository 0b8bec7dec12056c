// The kernel of the ENIGMA format: SHA-1, instances of the binary backend to a tape, a tape to instances.
// It knows the regular form of frequent types (docs/enigma.md, "Inside"); whatever else it meets it leaves to the shim.
import { BLOB8_BYTES, BLOB16_BYTES, LAYOUT_BYTES, OBJECT_SLOTS, Place, TAPE_BYTES, WINDOW_BYTES } from "./memory-map";

export { objectRecord, resetObjects } from "./objects";
export { parseInstances } from "./reader";
export { sha1Blocks, sha1Reset } from "./sha1";
export { writeInstances } from "./writer";

export function statusAddress(): usize {
  return Place.status();
}
export function hashAddress(): usize {
  return Place.hash();
}
export function windowAddress(): usize {
  return Place.window();
}
export function windowBytes(): u32 {
  return WINDOW_BYTES;
}
export function tapeAddress(): usize {
  return Place.tape();
}
export function tapeBytes(): u32 {
  return TAPE_BYTES;
}
export function blob8Address(): usize {
  return Place.blob8();
}
export function blob8Bytes(): u32 {
  return BLOB8_BYTES;
}
export function blob16Address(): usize {
  return Place.blob16();
}
export function blob16Bytes(): u32 {
  return BLOB16_BYTES;
}
export function layoutsAddress(): usize {
  return Place.layouts();
}
export function layoutsBytes(): u32 {
  return LAYOUT_BYTES;
}
export function objectsRoom(): u32 {
  return OBJECT_SLOTS / 2;
}
