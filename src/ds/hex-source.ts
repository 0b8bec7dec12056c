// Hands the text to the kernel window by window. Strings and bytes of any length pass through the same 64 KB.
import { encoder } from "../engine/platform-text.ts";
import type { TuskError } from "../errors.ts";
import { failure } from "./failure.ts";
import { BYTES, CHARS, WINDOW_BYTES } from "./layout.ts";
import type { Machine } from "./machine.ts";

/** Below this many characters a loop is sooner done than a call of the encoder. */
const SHORT_TEXT = 48;

export class HexSource {
  /** Bytes of the whole input. */
  bytes!: number;
  /** Where the bytes of the window end in the kernel's memory. */
  end!: number;
  private input!: string | Uint8Array;
  private readonly machine: Machine;
  /** Bytes of the input that have been taken. */
  private taken!: number;

  constructor(machine: Machine) {
    this.machine = machine;
  }

  /** Begins a text, from its first character. */
  open(input: string | Uint8Array): void {
    this.input = input;
    this.taken = 0;
    this.bytes = Math.floor(input.length / 2);
    this.end = BYTES;
  }

  /** Lets go of the text. */
  close(): void {
    this.input = "";
  }

  /** Takes the next window, behind the bytes from the address `at` on, which move to the front; error `bad-hex`. */
  take(at: number): void {
    const { kernel, u8 } = this.machine;
    const kept = this.end - at;
    if (kept > 0) u8.copyWithin(BYTES, at, this.end);
    const from = this.taken * 2;
    this.taken = Math.min(this.taken + WINDOW_BYTES, this.bytes);
    const to = this.taken * 2;
    const input = this.input;
    if (typeof input !== "string") {
      u8.set(input.subarray(from, to), CHARS);
    } else if (to - from <= SHORT_TEXT) {
      for (let i = from; i < to; i++) {
        const char = input.charCodeAt(i);
        u8[CHARS + i - from] = char > 0x7f ? 0xff : char;
      }
    } else {
      // Characters beyond ASCII take more bytes than one, none of which is a digit; there is room for the first of them.
      encoder.encodeInto(
        from === 0 && to === input.length ? input : input.substring(from, to),
        u8.subarray(CHARS, CHARS + WINDOW_BYTES * 2 + 4),
      );
    }
    const good = kernel.unhex(to - from, kept);
    if (good !== to - from) throw this.badHex(from + good);
    this.end = BYTES + kept + good / 2;
  }

  /** Offset in the input of the byte at an address. */
  offsetOf(at: number): number {
    return this.taken - (this.end - at);
  }

  /** Bytes from an address to the end of the input. */
  unread(at: number): number {
    return this.bytes - this.offsetOf(at);
  }

  /** Is there more than the window has? */
  get hasMore(): boolean {
    return this.taken < this.bytes;
  }

  /**
   * Looks at all characters that were not taken yet; error `bad-hex`, or `odd-length` for the whole. The text comes before what it
   * says: any other error is reported only when the text itself is sound.
   */
  checkRest(): void {
    while (this.hasMore) this.take(this.end);
    const end = this.bytes * 2;
    const { length } = this.input;
    if (length === end) return;
    if (!this.isDigit(end)) throw this.badHex(end);
    throw failure("odd-length", `the text has ${length} digits, an odd number`, end);
  }

  /** The `size` bytes at an address, which may be more than a window holds. Gives also the address behind them. */
  bytesAt(at: number, size: number): { bytes: Uint8Array<ArrayBuffer>; next: number } {
    const bytes = new Uint8Array(size);
    let next = at;
    for (let filled = 0; ; ) {
      const count = Math.min(this.end - next, size - filled);
      bytes.set(this.machine.u8.subarray(next, next + count), filled);
      next += count;
      filled += count;
      if (filled === size) return { bytes, next };
      this.take(next);
      next = BYTES;
    }
  }

  private isDigit(at: number): boolean {
    const found = this.input[at];
    return /^[0-9a-f]$/i.test(typeof found === "number" ? String.fromCharCode(found) : found);
  }

  /** The error of the first character from `from` on that is no digit. */
  private badHex(from: number): TuskError {
    let at = from;
    while (this.isDigit(at)) at++;
    const found = this.input[at];
    const what = typeof found === "number" ? `byte ${found}` : JSON.stringify(found);
    return failure("bad-hex", `expected a hex digit, found ${what}`, at);
  }
}
