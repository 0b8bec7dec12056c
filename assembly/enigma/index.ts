// The kernel of the ENIGMA format: SHA-1, instances of the binary backend to a tape, a tape to instances.
// It knows the regular form of frequent types (docs/enigma.md, "Inside"); whatever else it meets it leaves to the shim.
export { objectRecord, resetObjects } from "./objects";
export { parseInstances } from "./reader";
export { sha1Blocks, sha1Reset } from "./sha1";
export { writeInstances } from "./writer";
