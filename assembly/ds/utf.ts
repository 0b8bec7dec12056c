// UTF-8 and CESU-8 to UTF-16 (formats/ds.md §3, "Strings").
import { KIND_CESU, KIND_RAW, KIND_UTF16 } from "./layout";

/** Where {@link decodeUtf8} stopped writing. */
export let unitsEnd: usize = 0;

/**
 * Decodes bytes into UTF-16 units at `to`; sets {@link unitsEnd}. Gives the kind of the string: KIND_UTF16 when the bytes are
 * UTF-8, KIND_CESU when characters above U+FFFF stand as two three-byte sequences throughout, and KIND_RAW for everything that
 * would not come out the same again: invalid bytes, unpaired surrogates, both forms in one string.
 */
export function decodeUtf8(from: usize, limit: usize, to: usize): u32 {
  let pairs = false;
  let fours = false;
  let open = false; // the unit before is a high surrogate in three bytes
  while (from < limit) {
    const c = <u32>load<u8>(from);
    if (c < 0x80) {
      if (open) return KIND_RAW;
      store<u16>(to, <u16>c);
      from++;
      to += 2;
      continue;
    }
    const size: u32 = c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
    if (c < 0xc2 || c > 0xf4 || <usize>size > limit - from) return KIND_RAW;
    const c1 = <u32>load<u8>(from, 1);
    if ((c1 & 0xc0) !== 0x80) return KIND_RAW;
    if (size === 2) {
      if (open) return KIND_RAW;
      store<u16>(to, <u16>(((c & 0x1f) << 6) | (c1 & 0x3f)));
      from += 2;
      to += 2;
      continue;
    }
    const c2 = <u32>load<u8>(from, 2);
    if ((c2 & 0xc0) !== 0x80) return KIND_RAW;
    const three = ((c & 0x0f) << 12) | ((c1 & 0x3f) << 6) | (c2 & 0x3f);
    if (size === 3) {
      if (three < 0x800) return KIND_RAW;
      const low = (three & 0xfc00) === 0xdc00;
      if (open !== low) return KIND_RAW;
      open = (three & 0xfc00) === 0xd800;
      if (low) pairs = true;
      store<u16>(to, <u16>three);
      from += 3;
      to += 2;
      continue;
    }
    const c3 = <u32>load<u8>(from, 3);
    if (open || (c3 & 0xc0) !== 0x80) return KIND_RAW;
    const code = ((c & 0x07) << 18) | ((c1 & 0x3f) << 12) | ((c2 & 0x3f) << 6) | (c3 & 0x3f);
    if (code < 0x10000 || code > 0x10ffff) return KIND_RAW;
    fours = true;
    store<u16>(to, <u16>(0xd7c0 + (code >> 10)));
    store<u16>(to, <u16>(0xdc00 | (code & 0x3ff)), 2);
    from += 4;
    to += 4;
  }
  unitsEnd = to;
  if (open || (pairs && fours)) return KIND_RAW;
  return pairs ? KIND_CESU : KIND_UTF16;
}
