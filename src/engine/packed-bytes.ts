// Bytes as text of a source file. Base64 cuts bytes into pieces of six bits, in which a page's gzip finds nothing again: a kernel of 22.6 KB took
// 13.0 KB of a download. Here a byte is one letter, or a page letter and another one, so what repeats in the bytes repeats in the text: 9.7 KB.
// The letters are ASCII without quotes, backslash, backtick, `$`, `&` and `<`: the text survives every charset, minifier, template and page.
// Unpacking takes as long as `atob` and a loop took.

const EXCLUDED = "\"$&'<\\`";
/** Bytes below this are one letter: there are 88, and two of them announce the pages above. */
const SINGLE = 86;

/** By character code: the byte of a letter, or 256 and the page's first byte. */
function letterValues(): Uint16Array {
  const values = new Uint16Array(127);
  let next = -2;
  for (let code = 0x20; code < 0x7f; code++) {
    if (EXCLUDED.includes(String.fromCharCode(code))) continue;
    values[code] = next < 0 ? 256 + SINGLE * (next + 3) : next;
    next++;
  }
  return values;
}

/** The bytes that `scripts/pack-bytes.mjs` has turned into `text`. */
export function unpackBytes(text: string): Uint8Array<ArrayBuffer> {
  const values = letterValues();
  const bytes = new TextEncoder().encode(text);
  let length = 0;
  for (let i = 0; i < bytes.length; ) {
    const value = values[bytes[i++]];
    // A sum above 255 loses the 256 of its page when it is stored.
    bytes[length++] = value < 256 ? value : value + values[bytes[i++]];
  }
  return bytes.subarray(0, length);
}
