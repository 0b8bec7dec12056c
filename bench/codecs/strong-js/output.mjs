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

/** From this length on one native call beats the loop over characters (measured on Node 20: 28). */
const NATIVE_STRING = 28;

const nodeBuffer = globalThis.Buffer;
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
      if ((c - 1) >>> 0 > 126) return longString(s, p, n);
      u8[p + i] = c;
    }
    u8[p + n] = 0;
    return p + n + 1;
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
