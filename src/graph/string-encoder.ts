// Strings into linear memory. Short ASCII by a loop, which is faster than any call; everything else by the platform's encoder.

/** Longest string that the loop tries (measured against the encoder's call, bench/). */
const SHORT = 48;

interface Utf8Writer {
  utf8Write(text: string, offset: number, length: number): number;
}
interface BufferLike {
  from(buffer: ArrayBufferLike, offset: number, length: number): Utf8Writer;
  prototype?: { utf8Write?: unknown };
}

const platformBuffer = (globalThis as unknown as { Buffer?: BufferLike }).Buffer;
const nodeWriter = typeof platformBuffer?.from === "function" && typeof platformBuffer.prototype?.utf8Write === "function";
const encoder = new TextEncoder();

/** Why a string cannot be stored. */
export type StringFault = "nul-in-string" | "lone-surrogate";

/** Checks a string that is not short ASCII; `bytes` is its length in UTF-8 where U+FFFD replaces lone surrogates. */
export function stringFault(text: string): StringFault | undefined {
  if (text.includes("\0")) return "nul-in-string";
  const wellFormed = (text as { isWellFormed?: () => boolean }).isWellFormed;
  if (
    typeof wellFormed === "function"
      ? !wellFormed.call(text)
      : /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text)
  )
    return "lone-surrogate";
  return undefined;
}

export class StringEncoder {
  private u8: Uint8Array = new Uint8Array(0);
  private node: Utf8Writer | undefined;
  /** Set by {@link write} when the string cannot be stored. */
  fault: StringFault | undefined;

  /** The memory to write into, anew after it has grown. */
  attach(u8: Uint8Array): void {
    this.u8 = u8;
    this.node = nodeWriter ? platformBuffer!.from(u8.buffer, u8.byteOffset, u8.byteLength) : undefined;
  }

  /**
   * Writes `text` as UTF-8 at `at`, where three bytes for each unit are free; returns the number of bytes, or -1 with {@link fault} set.
   */
  write(text: string, at: number): number {
    const length = text.length;
    const { u8 } = this;
    if (length <= SHORT) {
      let i = 0;
      for (; i < length; i++) {
        const unit = text.charCodeAt(i);
        if ((unit - 1) >>> 0 >= 127) break;
        u8[at + i] = unit;
      }
      if (i === length) return length;
    }
    return this.writeAny(text, at);
  }

  private writeAny(text: string, at: number): number {
    const limit = text.length * 3;
    const written = this.node ? this.node.utf8Write(text, at, limit) : encoder.encodeInto(text, this.u8.subarray(at, at + limit)).written;
    this.fault = undefined;
    // As many bytes as units: all of it was ASCII.
    if (written === text.length ? text.includes("\0") : (this.fault = stringFault(text)) !== undefined) {
      this.fault ??= "nul-in-string";
      return -1;
    }
    return written;
  }
}

/** A long string as bytes of its own. The caller has checked it by {@link stringFault}. */
export function encodeText(text: string): Uint8Array {
  return encoder.encode(text);
}
