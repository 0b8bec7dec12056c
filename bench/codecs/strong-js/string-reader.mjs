// Strings of the strong decoder: zero-terminated UTF-8 in the input, JavaScript strings out.
//
// Four ways, chosen per string: short strings that repeat come from an interning table (exact: their bytes are compared);
// other ASCII strings of up to 16 characters are one String.fromCharCode (30 to 40 ns against 90 for a latin1Slice); longer ones are a
// latin1Slice each. Cutting strings from large Latin-1 windows is as fast but allocates the whole file once more, and lost 2:1 on
// dialogue. The rest is transcoded to UTF-16 here and made by a fromCharCode or a ucs2Slice (half the time of the engine's UTF-8 decoder).
// A browser has no node:buffer, and each call of its TextDecoder costs as much as some hundred characters: there longer ASCII strings are
// cut from the text of windows, and an array's long strings made many at a time.
const MAX_SHORT = 16;
const SLOTS = 8192;
const MAX_WORDS = 6;
const MAX_INTERNED = MAX_WORDS * 4;
const EMPTY = new Uint8Array(0);
const nodeBuffer = globalThis.Buffer;
/** Transcodes UTF-8 at 1 ns per byte, for a fixed cost of about 1 µs; Node only. */
const nodeTranscode = globalThis.process?.getBuiltinModule?.("node:buffer").transcode;
const STAGE = 65536;
/** Bytes of one Latin-1 window. A window that gave fewer than FEW_CUTS strings is followed by LONE strings with a call each. */
const WINDOW = 16384;
const FEW_CUTS = 4;
const LONE = 16;
/** Stands for a string that is made later. */
const STAGED = Symbol("staged");
const utf8Decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const strictUtf8Decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
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
  let u8 = EMPTY;
  let buffer = null;
  const hashes = new Int32Array(SLOTS);
  const lengths = new Int32Array(SLOTS).fill(-1);
  const words = new Int32Array(SLOTS * MAX_WORDS);
  const strings = new Array(SLOTS).fill("");
  let units = new Uint16Array(4096);
  let unitBytes = nodeBuffer?.from(units.buffer);

  function begin(bytes) {
    u8 = bytes;
    buffer = null;
  }

  function end() {
    u8 = EMPTY;
    buffer = null;
    target = null;
    wide.drop();
    narrow?.drop();
    latin1 = "";
    latin1Start = latin1End = lone = 0;
    cuts = FEW_CUTS;
  }

  /** An ASCII range as a string of its own. */
  function copyAscii(start, end) {
    if (nodeBuffer === undefined) return cutAscii(start, end);
    // Made at the first need: small saves often get by without.
    buffer ??= nodeBuffer.from(u8.buffer, u8.byteOffset, u8.byteLength);
    return buffer.latin1Slice(start, end);
  }

  /** The window's text, where it lies in the input, the strings cut from it, and how many more get a call each. */
  let latin1 = "";
  let latin1Start = 0;
  let latin1End = 0;
  let cuts = FEW_CUTS;
  let lone = 0;

  /** Strings are mostly read in the order of the input. Latin-1 has one unit for each byte, so positions are the same. */
  function cutAscii(start, end) {
    if (end > latin1End || start < latin1Start) {
      if (lone === 0 && cuts < FEW_CUTS) lone = LONE;
      if (lone > 0 || end - start > WINDOW >> 2) {
        if (lone > 0 && --lone === 0) cuts = FEW_CUTS;
        return latin1Decoder.decode(u8.subarray(start, end));
      }
      latin1Start = start;
      latin1End = Math.min(start + WINDOW, u8.length);
      latin1 = latin1Decoder.decode(u8.subarray(latin1Start, latin1End));
      cuts = 0;
    }
    cuts++;
    return latin1.substring(start - latin1Start, end - latin1Start);
  }

  function makeAscii(start, end) {
    return end - start > MAX_SHORT ? copyAscii(start, end) : shortText(u8, start, end - start);
  }

  function decodeUtf8(start, end) {
    if (units.length < end - start) {
      units = new Uint16Array((end - start) * 2);
      unitBytes = nodeBuffer?.from(units.buffer);
    }
    const k = transcode(u8, start, end, units);
    if (k < 0) return utf8Decoder.decode(u8.subarray(start, end));
    const text = k <= MAX_SHORT ? shortText(units, 0, k) : unitBytes !== undefined ? unitBytes.ucs2Slice(0, k * 2) : textOfUnits(units, k);
    return sawSurrogates && !text.isWellFormed() ? text.toWellFormed() : text;
  }

  let sawSurrogates = false;

  /** UTF-8 to UTF-16; the number of units, or -1 for bytes that are no UTF-8. A terminator is no continuation byte, so a cut sequence cannot reach beyond the end. */
  function transcode(bytes, start, end, to) {
    let k = 0;
    let p = start;
    sawSurrogates = false;
    while (p < end) {
      const b = bytes[p++];
      if (b < 0x80) {
        to[k++] = b;
        continue;
      }
      const b1 = bytes[p++] ^ 0x80;
      if (b1 > 0x3f) return -1;
      if (b < 0xe0) {
        if (b < 0xc2) return -1;
        to[k++] = ((b & 0x1f) << 6) | b1;
        continue;
      }
      const b2 = bytes[p++] ^ 0x80;
      if (b2 > 0x3f) return -1;
      if (b < 0xf0) {
        const c = ((b & 0xf) << 12) | (b1 << 6) | b2;
        if (c < 0x800) return -1;
        if ((c & 0xf800) === 0xd800) sawSurrogates = true; // HTML5 exports write pairs like that (formats/elephant.md §3.3)
        to[k++] = c;
        continue;
      }
      const b3 = bytes[p++] ^ 0x80;
      const c = ((b & 0x7) << 18) | (b1 << 12) | (b2 << 6) | b3;
      if (b3 > 0x3f || b > 0xf4 || c < 0x10000 || c > 0x10ffff) return -1;
      to[k++] = 0xd7c0 + (c >>> 10);
      to[k++] = 0xdc00 + (c & 0x3ff);
    }
    return k;
  }

  /** @param {Site} site @param {DataView} dv @param {number} p */
  function read(site, dv, p) {
    let q = p;
    let hash = 0x2545f491;
    let all = 0;
    let w = dv.getInt32(q, true);
    let zero = (w - 0x01010101) & ~w & 0x80808080;
    const short = p + MAX_INTERNED;
    while (zero === 0) {
      if (q >= short) return readLong(dv, p, q, all | w);
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
    if (site.unique) return ascii ? makeAscii(p, stop) : decodeUtf8(p, stop);
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
    const text = ascii ? makeAscii(p, stop) : decodeUtf8(p, stop);
    hashes[slot] = hash;
    lengths[slot] = length;
    let i = at;
    for (let r = p; r < q; r += 4) words[i++] = dv.getInt32(r, true);
    if (rest !== 0) words[i] = tail;
    strings[slot] = text;
    return text;
  }

  /** A string too long for the table: its bytes up to q have been scanned, the word at q holds no terminator. */
  function readLong(dv, p, from, bits) {
    let all = bits;
    let q = from + 4;
    // Four words per step while sixteen bytes are left; the terminator is then found word by word.
    const last = dv.byteLength - 16;
    while (q <= last) {
      const a = dv.getInt32(q, true);
      const b = dv.getInt32(q + 4, true);
      const c = dv.getInt32(q + 8, true);
      const d = dv.getInt32(q + 12, true);
      if (((((a - 0x01010101) & ~a) | ((b - 0x01010101) & ~b) | ((c - 0x01010101) & ~c) | ((d - 0x01010101) & ~d)) & 0x80808080) !== 0)
        break;
      all |= a | b | c | d;
      q += 16;
    }
    let w = dv.getInt32(q, true);
    let zero = (w - 0x01010101) & ~w & 0x80808080;
    while (zero === 0) {
      all |= w;
      q += 4;
      w = dv.getInt32(q, true);
      zero = (w - 0x01010101) & ~w & 0x80808080;
    }
    const rest = (31 - Math.clz32(zero & -zero)) >>> 3;
    all |= w & ((1 << (rest << 3)) - 1);
    const stop = q + rest;
    state.p = stop + 1;
    const ascii = (all & 0x80808080) === 0;
    if (target !== null && stop - p < STAGE >> 2) {
      if (!ascii) return wide.add(p, stop);
      if (narrow !== null) return narrow.add(p, stop);
    }
    return ascii ? copyAscii(p, stop) : decodeUtf8(p, stop);
  }

  /** The list whose long strings are collected: those that are not ASCII, in a browser also the others. */
  let target = null;
  const wide = createStage(textOfUtf8);
  const narrow = nodeBuffer === undefined ? createStage((bytes) => latin1Decoder.decode(bytes)) : null;
  /** The place in `target` of the string that is read. */
  let index = 0;

  /** Elements of an array of strings. Long strings are made many at a time by the platform. */
  function readList(list, n, site, dv, start) {
    let p = start;
    target = n >= 32 ? list : null;
    for (let i = 0; i < n; i++) {
      index = i;
      const text = string(site, dv, p);
      if (text !== STAGED) list[i] = text;
      p = state.p;
    }
    wide.deliver();
    narrow?.deliver();
    target = null;
  }
  const string = read;

  /** @param {(bytes: Uint8Array) => string} textOf throws for what is no UTF-8 */
  function createStage(textOf) {
    const waiting = [];
    let bytes = EMPTY;
    let used = 0;

    function add(p, stop) {
      if (used + stop + 1 - p > bytes.length) {
        if (used === 0) bytes = nodeBuffer === undefined ? new Uint8Array(STAGE) : nodeBuffer.alloc(STAGE);
        else deliver();
      }
      bytes.set(u8.subarray(p, stop + 1), used);
      used += stop + 1 - p;
      waiting.push(index);
      return STAGED;
    }

    function deliver() {
      if (used === 0) return;
      let at = 0;
      try {
        const text = textOf(bytes.subarray(0, used));
        for (let i = 0; i < waiting.length; i++) {
          const end = text.indexOf("\0", at);
          target[waiting[i]] = text.substring(at, end);
          at = end + 1;
        }
      } catch {
        // Not all of it is UTF-8: one by one, with the rules for broken text.
        const input = u8;
        u8 = bytes;
        for (const i of waiting) {
          const end = bytes.indexOf(0, at);
          target[i] = decodeUtf8(at, end);
          at = end + 1;
        }
        u8 = input;
      }
      drop();
    }

    function drop() {
      waiting.length = used = 0;
    }

    return { add, deliver, drop };
  }

  return { begin, end, read, readList };
}

const { fromCharCode } = String;

/** @param {Buffer | Uint8Array} bytes */
function textOfUtf8(bytes) {
  if (nodeTranscode === undefined) return strictUtf8Decoder.decode(bytes);
  const utf16 = nodeTranscode(bytes, "utf8", "ucs2");
  return utf16.ucs2Slice(0, utf16.length);
}

/** More than 16 units, in a browser: TextDecoder costs as much as some sixty arguments. */
function textOfUnits(units, k) {
  const text = units.subarray(0, k);
  return k > 64 ? utf16Decoder.decode(text) : fromCharCode.apply(null, text);
}

/** 1 to 16 ASCII bytes or UTF-16 units. Spelled out: the engine passes the codes in registers and on the stack, without an array. */
function shortText(u, p, length) {
  switch (length) {
    case 1:
      return fromCharCode(u[p]);
    case 2:
      return fromCharCode(u[p], u[p + 1]);
    case 3:
      return fromCharCode(u[p], u[p + 1], u[p + 2]);
    case 4:
      return fromCharCode(u[p], u[p + 1], u[p + 2], u[p + 3]);
    case 5:
      return fromCharCode(u[p], u[p + 1], u[p + 2], u[p + 3], u[p + 4]);
    case 6:
      return fromCharCode(u[p], u[p + 1], u[p + 2], u[p + 3], u[p + 4], u[p + 5]);
    case 7:
      return fromCharCode(u[p], u[p + 1], u[p + 2], u[p + 3], u[p + 4], u[p + 5], u[p + 6]);
    case 8:
      return fromCharCode(u[p], u[p + 1], u[p + 2], u[p + 3], u[p + 4], u[p + 5], u[p + 6], u[p + 7]);
    case 9:
      return fromCharCode(u[p], u[p + 1], u[p + 2], u[p + 3], u[p + 4], u[p + 5], u[p + 6], u[p + 7], u[p + 8]);
    case 10:
      return fromCharCode(u[p], u[p + 1], u[p + 2], u[p + 3], u[p + 4], u[p + 5], u[p + 6], u[p + 7], u[p + 8], u[p + 9]);
    case 11:
      return fromCharCode(u[p], u[p + 1], u[p + 2], u[p + 3], u[p + 4], u[p + 5], u[p + 6], u[p + 7], u[p + 8], u[p + 9], u[p + 10]);
    case 12:
      return fromCharCode(
        u[p],
        u[p + 1],
        u[p + 2],
        u[p + 3],
        u[p + 4],
        u[p + 5],
        u[p + 6],
        u[p + 7],
        u[p + 8],
        u[p + 9],
        u[p + 10],
        u[p + 11],
      );
    case 13:
      return fromCharCode(
        u[p],
        u[p + 1],
        u[p + 2],
        u[p + 3],
        u[p + 4],
        u[p + 5],
        u[p + 6],
        u[p + 7],
        u[p + 8],
        u[p + 9],
        u[p + 10],
        u[p + 11],
        u[p + 12],
      );
    case 14:
      return fromCharCode(
        u[p],
        u[p + 1],
        u[p + 2],
        u[p + 3],
        u[p + 4],
        u[p + 5],
        u[p + 6],
        u[p + 7],
        u[p + 8],
        u[p + 9],
        u[p + 10],
        u[p + 11],
        u[p + 12],
        u[p + 13],
      );
    case 15:
      return fromCharCode(
        u[p],
        u[p + 1],
        u[p + 2],
        u[p + 3],
        u[p + 4],
        u[p + 5],
        u[p + 6],
        u[p + 7],
        u[p + 8],
        u[p + 9],
        u[p + 10],
        u[p + 11],
        u[p + 12],
        u[p + 13],
        u[p + 14],
      );
    case 16:
      return fromCharCode(
        u[p],
        u[p + 1],
        u[p + 2],
        u[p + 3],
        u[p + 4],
        u[p + 5],
        u[p + 6],
        u[p + 7],
        u[p + 8],
        u[p + 9],
        u[p + 10],
        u[p + 11],
        u[p + 12],
        u[p + 13],
        u[p + 14],
        u[p + 15],
      );
    default:
      return "";
  }
}
