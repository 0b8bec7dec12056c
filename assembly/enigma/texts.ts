// Texts of a save to the two blobs that the shim decodes at once: ASCII as bytes, other UTF-8 as UTF-16.

/** Copies bytes as long as they are ASCII; returns how many were. May write up to 15 bytes too many. */
export function copyAscii(from: usize, to: usize, length: u32): u32 {
  let i: u32 = 0;
  if (ASC_FEATURE_SIMD) {
    for (; i + 16 <= length; i += 16) {
      const chunk = v128.load(from + i, 0, 1);
      if (i8x16.bitmask(chunk) !== 0) return i;
      v128.store(to + i, chunk, 0, 1);
    }
  } else {
    for (; i + 4 <= length; i += 4) {
      const chunk = load<u32>(from + i, 0, 1);
      if ((chunk & 0x80808080) !== 0) return i;
      store<u32>(to + i, chunk, 0, 1);
    }
  }
  for (; i < length; i++) {
    const byte = load<u8>(from + i);
    if (byte & 0x80) return i;
    store<u8>(to + i, byte);
  }
  return length;
}

/** UTF-8 to UTF-16; returns the number of units, or -1 if the bytes are not UTF-8 (overlong forms and surrogates are not). */
export function copyUtf16(from: usize, to: usize, length: u32): i32 {
  const end = from + length;
  const start = to;
  while (from < end) {
    const lead = <u32>load<u8>(from);
    if (lead < 0x80) {
      store<u16>(to, <u16>lead);
      from += 1;
      to += 2;
      continue;
    }
    const left = <u32>(end - from);
    if (lead < 0xe0) {
      if (lead < 0xc2 || left < 2) return -1;
      const b = <u32>load<u8>(from, 1);
      if ((b & 0xc0) !== 0x80) return -1;
      store<u16>(to, <u16>(((lead & 0x1f) << 6) | (b & 0x3f)));
      from += 2;
      to += 2;
      continue;
    }
    if (lead < 0xf0) {
      if (left < 3) return -1;
      const b = <u32>load<u8>(from, 1);
      const c = <u32>load<u8>(from, 2);
      const code = ((lead & 0x0f) << 12) | ((b & 0x3f) << 6) | (c & 0x3f);
      if ((b & 0xc0) !== 0x80 || (c & 0xc0) !== 0x80 || code < 0x800 || (code & 0xf800) === 0xd800) return -1;
      store<u16>(to, <u16>code);
      from += 3;
      to += 2;
      continue;
    }
    if (lead > 0xf4 || left < 4) return -1;
    const b = <u32>load<u8>(from, 1);
    const c = <u32>load<u8>(from, 2);
    const d = <u32>load<u8>(from, 3);
    const code = ((lead & 0x07) << 18) | ((b & 0x3f) << 12) | ((c & 0x3f) << 6) | (d & 0x3f);
    if ((b & 0xc0) !== 0x80 || (c & 0xc0) !== 0x80 || (d & 0xc0) !== 0x80 || code < 0x10000 || code > 0x10ffff) return -1;
    store<u16>(to, <u16>(0xd7c0 + (code >>> 10)));
    store<u16>(to, <u16>(0xdc00 | (code & 0x3ff)), 2);
    from += 4;
    to += 4;
  }
  return <i32>((to - start) >>> 1);
}
