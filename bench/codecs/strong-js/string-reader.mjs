// Strings of the strong decoder: zero-terminated UTF-8 in the input, JavaScript strings out.
//
// Three ways, chosen per string: short strings that repeat come from an interning table (exact: their bytes are compared);
// other ASCII strings are cut from a Latin-1 window of 64 KB (substring 30 ns, a latin1Slice of its own 80 ns); the rest is
// transcoded to UTF-16 here and made by one ucs2Slice (the engine's UTF-8 decoder costs about 3 ns per byte there).
import { fail } from "../elephant-format.mjs";

const WINDOW = 65536;
const SLOTS = 8192;
const MAX_WORDS = 6;
const MAX_INTERNED = MAX_WORDS * 4;
const nodeBuffer = globalThis.Buffer;
const utf8Decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const latin1Decoder = new TextDecoder("latin1");
const utf16Decoder = new TextDecoder("utf-16le", { ignoreBOM: true });

/** What is known about one place of the data (a member of a shape, the elements of an array): predictions, not facts. */
export class Site {
  /** The compiled shape that was last read here. */
  shape = null;
  /** Strings here have proven not to repeat. */
  unique = false;
  hits = 0;
  misses = 0;
  /** @type {Site | null} */
  element = null;
}

/** @param {{ p: number }} state the decoder's state; `read` leaves the position behind the terminator in `p` */
export function createStringReader(state) {
  let u8 = new Uint8Array(0);
  let buffer = null;
  let window = "";
  let windowStart = 0;
  let windowEnd = 0;
  const hashes = new Int32Array(SLOTS);
  const lengths = new Int32Array(SLOTS).fill(-1);
  const words = new Int32Array(SLOTS * MAX_WORDS);
  const strings = new Array(SLOTS).fill("");
  let units = new Uint16Array(4096);
  let unitBytes = nodeBuffer?.from(units.buffer);

  function begin(bytes) {
    u8 = bytes;
    buffer = nodeBuffer === undefined ? null : nodeBuffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    window = "";
    windowStart = windowEnd = 0;
  }

  function end() {
    begin(new Uint8Array(0));
  }

  /** An ASCII range as a string of its own. */
  function copyAscii(start, end) {
    return buffer !== null ? buffer.latin1Slice(start, end) : latin1Decoder.decode(u8.subarray(start, end));
  }

  function cutAscii(start, end) {
    if (start >= windowStart && end <= windowEnd) return window.substring(start - windowStart, end - windowStart);
    if (end - start > WINDOW >> 2) return copyAscii(start, end);
    windowStart = start;
    windowEnd = Math.min(start + WINDOW, u8.length);
    window = copyAscii(windowStart, windowEnd);
    return window.substring(0, end - start);
  }

  function decodeUtf8(start, end) {
    if (units.length < end - start) {
      units = new Uint16Array((end - start) * 2);
      unitBytes = nodeBuffer?.from(units.buffer);
    }
    let k = 0;
    let surrogates = false;
    let p = start;
    while (p < end) {
      const b = u8[p++];
      if (b < 0x80) units[k++] = b;
      else {
        // A terminator is no continuation byte, so a cut sequence cannot reach beyond the end.
        const b1 = u8[p++] ^ 0x80;
        if (b1 > 0x3f) return utf8Decoder.decode(u8.subarray(start, end));
        if (b < 0xe0) {
          if (b < 0xc2) return utf8Decoder.decode(u8.subarray(start, end));
          units[k++] = ((b & 0x1f) << 6) | b1;
        } else {
          const b2 = u8[p++] ^ 0x80;
          if (b2 > 0x3f) return utf8Decoder.decode(u8.subarray(start, end));
          if (b < 0xf0) {
            const c = ((b & 0xf) << 12) | (b1 << 6) | b2;
            if (c < 0x800) return utf8Decoder.decode(u8.subarray(start, end));
            if ((c & 0xf800) === 0xd800) surrogates = true; // HTML5 exports write pairs like that (formats/elephant.md §3.3)
            units[k++] = c;
          } else {
            const b3 = u8[p++] ^ 0x80;
            const c = ((b & 0x7) << 18) | (b1 << 12) | (b2 << 6) | b3;
            if (b3 > 0x3f || b > 0xf4 || c < 0x10000 || c > 0x10ffff) return utf8Decoder.decode(u8.subarray(start, end));
            units[k++] = 0xd800 + ((c - 0x10000) >>> 10);
            units[k++] = 0xdc00 + (c & 0x3ff);
          }
        }
      }
    }
    const text = unitBytes !== undefined ? unitBytes.ucs2Slice(0, k * 2) : utf16Decoder.decode(units.subarray(0, k));
    return surrogates && !text.isWellFormed() ? text.toWellFormed() : text;
  }

  /** @param {Site} site @param {DataView} dv @param {number} p */
  function read(site, dv, p) {
    let q = p;
    let hash = 0x2545f491;
    let all = 0;
    let w = dv.getInt32(q, true);
    let zero = (w - 0x01010101) & ~w & 0x80808080;
    while (zero === 0) {
      all |= w;
      hash = Math.imul(hash ^ w, 0x5bd1e995);
      hash ^= hash >>> 15;
      q += 4;
      w = dv.getInt32(q, true);
      zero = (w - 0x01010101) & ~w & 0x80808080;
    }
    const rest = (31 - Math.clz32(zero & -zero)) >>> 3;
    const tail = w & ((1 << (rest << 3)) - 1);
    all |= tail;
    const stop = q + rest;
    const length = stop - p;
    state.p = stop + 1;
    if (length === 0) return "";
    const ascii = (all & 0x80808080) === 0;
    if (site.unique || length > MAX_INTERNED) return ascii ? cutAscii(p, stop) : decodeUtf8(p, stop);
    hash = Math.imul(hash ^ tail, 0x5bd1e995);
    hash ^= hash >>> 13;
    const slot = (hash ^ length) & (SLOTS - 1);
    const at = slot * MAX_WORDS;
    if (hashes[slot] === hash && lengths[slot] === length) {
      let same = true;
      let i = at;
      for (let r = p; r < q; r += 4) if (words[i++] !== dv.getInt32(r, true)) same = false;
      if (rest !== 0 && words[i] !== tail) same = false;
      if (same) {
        site.hits++;
        return strings[slot];
      }
    }
    const misses = ++site.misses;
    if ((misses & 255) === 0 && site.hits < misses / 3) site.unique = true;
    const text = ascii ? (misses > 64 && site.hits < misses ? cutAscii(p, stop) : copyAscii(p, stop)) : decodeUtf8(p, stop);
    hashes[slot] = hash;
    lengths[slot] = length;
    let i = at;
    for (let r = p; r < q; r += 4) words[i++] = dv.getInt32(r, true);
    if (rest !== 0) words[i] = tail;
    strings[slot] = text;
    return text;
  }

  /** Position of the terminator of the string at p. */
  function terminator(p) {
    const at = u8.indexOf(0, p);
    return at < 0 ? fail("truncated") : at;
  }

  return { begin, end, read, terminator };
}
