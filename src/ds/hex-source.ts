// Hands the text to the kernel window by window. Strings and bytes of any length pass through the same 64 KB.
import type { TuskError } from "../errors.ts";
import { failure } from "./failure.ts";
import type { Machine } from "./machine.ts";
import { STATE_END, STATE_POSITION, WINDOW_CHARS } from "./tape.ts";

const encoder = new TextEncoder();
/** Below this many characters a loop is sooner done than a call of the encoder. */
const SHORT_TEXT = 48;

export class HexSource {
  chars = 0;
  #input: string | Uint8Array = "";
  readonly #machine: Machine;
  #next = 0;

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  /** Begins a text, from its first character. */
  open(input: string | Uint8Array): void {
    this.#input = input;
    this.#next = 0;
    this.chars = input.length;
    this.#machine.kernel.startReading(this.bytes);
  }

  /** Lets go of the text. */
  close(): void {
    this.#input = "";
  }

  get bytes(): number {
    return Math.floor(this.chars / 2);
  }

  /** Gives the kernel the next window; error `bad-hex`. */
  take(): void {
    const { kernel, u8, readChars } = this.#machine;
    const from = this.#next;
    const to = Math.min(from + WINDOW_CHARS, this.bytes * 2);
    const input = this.#input;
    if (typeof input !== "string") {
      u8.set(input.subarray(from, to), readChars);
    } else if (to - from <= SHORT_TEXT) {
      for (let i = from; i < to; i++) {
        const char = input.charCodeAt(i);
        u8[readChars + i - from] = char > 0x7f ? 0xff : char;
      }
    } else {
      // Characters beyond ASCII take more bytes than one, none of which is a digit; there is room for the first of them.
      encoder.encodeInto(
        from === 0 && to === input.length ? input : input.substring(from, to),
        u8.subarray(readChars, readChars + WINDOW_CHARS + 4),
      );
    }
    const good = kernel.take(to - from) >>> 0;
    if (good !== to - from) throw this.#badHex(from + good);
    this.#next = to;
  }

  /**
   * Looks at all characters that were not taken yet; error `bad-hex`, or `odd-length` for the whole. The text comes before what it
   * says: any other error is reported only when the text itself is sound.
   */
  checkRest(): void {
    const end = this.bytes * 2;
    while (this.#next < end) {
      this.skip(this.available);
      this.take();
    }
    if (this.chars === end) return;
    const last = this.#input[end];
    const char = typeof last === "number" ? String.fromCharCode(last) : last;
    if (!/^[0-9a-f]$/i.test(char)) throw this.#badHex(end);
    throw failure("odd-length", `the text has ${this.chars} digits, one too many or too few for whole bytes`, end);
  }

  /** Bytes that the kernel has and has not parsed. */
  get available(): number {
    return this.#machine.state(STATE_END) - this.#machine.state(STATE_POSITION);
  }

  /** Bytes of the whole input that were not parsed. */
  get unread(): number {
    return this.bytes - this.#next / 2 + this.available;
  }

  /** The next `size` bytes, which may be more than a window holds. */
  bytesAhead(size: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(size);
    const machine = this.#machine;
    for (let filled = 0; ; ) {
      const count = Math.min(this.available, size - filled);
      const from = machine.readBytes + machine.state(STATE_POSITION);
      bytes.set(machine.u8.subarray(from, from + count), filled);
      this.skip(count);
      filled += count;
      if (filled === size) return bytes;
      this.take();
    }
  }

  skip(bytes: number): void {
    this.#machine.kernel.skip(bytes);
  }

  #badHex(at: number): TuskError {
    const found = this.#input[at];
    const what = typeof found === "number" ? `byte ${found}` : JSON.stringify(found);
    return failure("bad-hex", `expected a hex digit, found ${what}`, at);
  }
}
