// Unpacks the other kernels, which stand in source files as text (src/engine/packed-bytes.ts has the form). A first call meets this loop before any
// engine has compiled anything; in JavaScript it took 2.4 ms of it, where this module, its own compilation included, takes 0.9.

/** So many bytes are one letter; others begin with a letter that tells the page. */
const SINGLE: u32 = 84;
/** Which they are, a bit for each four bytes in a row: those that kernels hold most of. As in scripts/pack-bytes.mjs. */
const FREQUENT: u64 = 0x80010001b40f275f;
/** Behind the bytes in their order there. */
const TEXT: usize = 256;
const FIRST_LETTER: u32 = 0x28;

/** What a letter stands for: its rank among those that a text may hold, which lack `<`, backslash and backtick. */
function rank(code: u32): u32 {
  return code - FIRST_LETTER - <u32>(code > 0x3c) - <u32>(code > 0x5c) - <u32>(code > 0x60);
}

/** Turns the `length` letters at {@link TEXT} into bytes, in their place; returns how many there are. */
export function unpack(length: usize): usize {
  let frequent: usize = 0;
  let rare: usize = SINGLE;
  for (let byte: u32 = 0; byte < 256; byte++) {
    if ((FREQUENT >> (byte >> 2)) & 1) store<u8>(frequent++, byte);
    else store<u8>(rare++, byte);
  }
  let end: usize = 0;
  for (let i: usize = 0; i < length; i++) {
    let code: u32 = load<u8>(i, TEXT);
    let page: u32 = 0;
    if (code < FIRST_LETTER) {
      // Sums above 255 lose what there is no place for: pages begin at 84, 168 and 248.
      page = SINGLE * (code - 31);
      code = load<u8>(++i, TEXT);
    }
    store<u8>(end++, load<u8>((page + rank(code)) & 255), TEXT);
  }
  return end;
}
