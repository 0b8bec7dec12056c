// The growing output of the strong encoder, and strings into it.
import { fail } from "../elephant-format.mjs";

/**
 * Every writer may count on this much room when it is called and leaves as much behind, so that the fixed parts of a
 * struct need no checks of their own.
 */
export const SLACK = 4096;

/** From this size on the buffer itself is the result: the copy would touch as many new pages once more. */
const HAND_OVER = 1 << 18;
const EMPTY = new Uint8Array(0);

const nodeBuffer = globalThis.Buffer;
/** From this length on one native call beats the loop over characters (measured on Node 20: 28; a call of TextEncoder costs more). */
const NATIVE_STRING = nodeBuffer === undefined ? 512 : 28;
const encoder = new TextEncoder();

export function createOutput() {
  const out = {
    u8: new Uint8Array(0),
    dv: new DataView(new ArrayBuffer(0)),
    buffer: null,
    capacity: 0,
  };
  resize(1 << 17);

  function resize(capacity) {
    // Without zero-filling where the platform offers it: every byte handed out has been written.
    const larger = new Uint8Array(nodeBuffer?.allocUnsafeSlow !== undefined ? nodeBuffer.allocUnsafeSlow(capacity).buffer : capacity);
    larger.set(out.u8);
    out.u8 = larger;
    out.dv = new DataView(larger.buffer);
    out.buffer = nodeBuffer === undefined ? null : nodeBuffer.from(larger.buffer);
    out.capacity = capacity;
  }

  /** Makes room for `need` bytes at p, and the slack behind them. */
  function grow(need, p) {
    let capacity = out.capacity * 2;
    while (capacity < p + need + SLACK) capacity *= 2;
    resize(capacity);
  }

  /** Writes s and its terminator at p, returns the position behind it. */
  function string(value, p) {
    // Strings of any form: "src/graph/strings.ts" has why.
    const s = "" + value;
    const n = s.length;
    if (out.capacity - p < n * 3 + 1 + SLACK) grow(n * 3 + 1, p);
    if (n >= NATIVE_STRING) return longString(s, p, n);
    const u8 = out.u8;
    for (let i = 0; i < n; i++) {
      const c = String.prototype.charCodeAt.call(s, i);
      if ((c - 1) >>> 0 > 126) return wideString(s, p, n, i);
      u8[p + i] = c;
    }
    u8[p + n] = 0;
    return p + n + 1;
  }

  /** A string of fewer than NATIVE_STRING units, from the one that is not ASCII on. */
  function wideString(s, p, n, from) {
    const u8 = out.u8;
    let q = p + from;
    for (let i = from; i < n; i++) {
      const c = String.prototype.charCodeAt.call(s, i);
      if (c < 0x80) {
        if (c === 0) fail("nul-in-string");
        u8[q++] = c;
        continue;
      }
      if (c < 0x800) {
        u8[q++] = 0xc0 | (c >>> 6);
      } else {
        let point = c;
        if ((c & 0xf800) === 0xd800) {
          const low = ++i < n ? String.prototype.charCodeAt.call(s, i) : 0;
          if (c >= 0xdc00 || (low & 0xfc00) !== 0xdc00) fail("lone-surrogate");
          point = 0x10000 + ((c & 0x3ff) << 10) + (low & 0x3ff);
          u8[q++] = 0xf0 | (point >>> 18);
          u8[q++] = 0x80 | ((point >>> 12) & 0x3f);
        } else {
          u8[q++] = 0xe0 | (c >>> 12);
        }
        u8[q++] = 0x80 | ((point >>> 6) & 0x3f);
        u8[q++] = 0x80 | (point & 0x3f);
        continue;
      }
      u8[q++] = 0x80 | (c & 0x3f);
    }
    u8[q] = 0;
    return q + 1;
  }

  function longString(s, p, n) {
    const { u8, buffer } = out;
    const written = buffer !== null ? buffer.utf8Write(s, p, n * 3) : encoder.encodeInto(s, u8.subarray(p)).written;
    const end = p + written;
    u8[end] = 0;
    // Searching the bytes costs 30 ns, searching a two-byte string 200.
    if ((buffer ?? u8).indexOf(0, p) !== end) fail("nul-in-string");
    if (written !== n && !s.isWellFormed()) fail("lone-surrogate");
    return end + 1;
  }

  /** The first `end` bytes for the caller: a copy of a small result; a large one is handed over with its buffer. */
  function finish(end) {
    const { u8 } = out;
    if (end < HAND_OVER) return u8.slice(0, end);
    if (end < u8.length * 0.75) {
      const copy = u8.slice(0, end);
      out.u8 = EMPTY;
      resize(end + (end >>> 4) + 2 * SLACK);
      return copy;
    }
    out.u8 = EMPTY;
    resize(end + (end >>> 4) + 2 * SLACK);
    return u8.subarray(0, end);
  }

  return { out, grow, string, finish };
}
