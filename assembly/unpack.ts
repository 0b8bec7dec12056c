// Unpacks the other kernels, which stand in source files as text (src/engine/packed-bytes.ts has the form). A first call meets this loop before any
// engine has compiled anything; in JavaScript it took 2.4 ms of it, where this module, its own compilation included, takes 0.9.

/** Bytes below this are one letter; others begin with a letter that tells the page. */
const SINGLE: u32 = 84;
const FIRST_LETTER: u32 = 0x28;

/** What a letter stands for: its rank among those that a text may hold, which lack `<`, backslash and backtick. */
function rank(code: u32): u32 {
  return code - FIRST_LETTER - <u32>(code > 0x3c) - <u32>(code > 0x5c) - <u32>(code > 0x60);
}

/** Turns the `length` letters at address 0 into bytes, in their place; returns how many there are. */
export function unpack(length: usize): usize {
  let end: usize = 0;
  for (let i: usize = 0; i < length; i++) {
    let code: u32 = load<u8>(i);
    let page: u32 = 0;
    if (code < FIRST_LETTER) {
      // Sums above 255 lose what a byte has no room for: pages begin at 84, 168 and 248.
      page = SINGLE * (code - 31);
      code = load<u8>(++i);
    }
    store<u8>(end++, page + rank(code));
  }
  return end;
}
