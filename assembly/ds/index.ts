// The kernel of the `ds_*` strings: hex digits to bytes and back, and the text of strings. See layout.ts.
import { hex as hexRegion, prepareTables, unhex as unhexRegion } from "./hex";
import { BYTES, CHARS, DIGITS } from "./layout";

export { takeStrings } from "./strings";

/** Makes the memory ready. */
export function prepare(): void {
  if (__heap_base > DIGITS) unreachable();
  prepareTables();
}

/**
 * Turns `chars` characters (an even number) into bytes, behind `kept` bytes that are there. Gives `chars`, or an
 * index shortly before or of the first character that is no hex digit.
 */
export function unhex(chars: u32, kept: u32): u32 {
  return unhexRegion(CHARS, chars, BYTES + kept);
}

/** Turns `bytes` bytes into twice as many characters. */
export function hex(bytes: u32): void {
  hexRegion(BYTES, bytes, CHARS);
}
