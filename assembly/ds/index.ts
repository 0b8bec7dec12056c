// The kernel of the `ds_*` strings: hex digits and values on one side, a tape of 8-byte slots on the other. See layout.ts.
import { prepareTables } from "./hex";
import {
  BASE,
  READ_ASCII,
  READ_BYTES,
  READ_CHARS,
  READ_TAPE,
  READ_UNITS,
  STACK,
  STATE,
  WRITE_ASCII_TEXT,
  WRITE_BINARY,
  WRITE_CHARS,
  WRITE_TAPE,
  WRITE_UNIT_TEXT,
} from "./layout";

export { parse, skip, startReading, startValues, take } from "./read";
export { write, writeRaw } from "./write";

/** Makes the memory ready; gives where the words of the state lie, which begin with the addresses of the regions. */
export function prepare(): usize {
  if (__heap_base > BASE) unreachable();
  const pages = <i32>(((STACK + 0xffff) >>> 16) - memory.size());
  if (pages > 0) memory.grow(pages);
  prepareTables();
  store<u32>(STATE, READ_CHARS);
  store<u32>(STATE, READ_BYTES, 4);
  store<u32>(STATE, READ_TAPE, 8);
  store<u32>(STATE, READ_ASCII, 12);
  store<u32>(STATE, READ_UNITS, 16);
  store<u32>(STATE, WRITE_TAPE, 20);
  store<u32>(STATE, WRITE_ASCII_TEXT, 24);
  store<u32>(STATE, WRITE_UNIT_TEXT, 28);
  store<u32>(STATE, WRITE_BINARY, 32);
  store<u32>(STATE, WRITE_CHARS, 36);
  return STATE;
}
