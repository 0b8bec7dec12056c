// A cursor over the checked part of a binary save. Every read that could pass the end is refused here (formats/enigma.md §7).
import { fail } from "../failure.ts";
import type { EnigmaFloat, EnigmaText, EnigmaVariant } from "../model.ts";
import { textOf } from "../text.ts";
import { getF32, getF64 } from "./float.ts";
import { getU64 } from "./u64.ts";

export class Payload {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Where the digest begins. */
  readonly end: number;
  at = 0;
  /** Offset of the first boolean byte other than 0 and 1, which a writer would not repeat. */
  oddBool: number | undefined;
  /** Bytes that readings of variable maps passed in vain, for each form. */
  readonly vain = { compact: 0, padded: 0 };
  /** Bytes that variables were given, those of several once for each. */
  given = 0;

  constructor(bytes: Uint8Array, end: number) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.end = end;
  }

  take(n: number, what: string): number {
    const at = this.at;
    if (n > this.end - at) fail("truncated", `the data ends inside ${what}: ${n} bytes wanted, ${this.end - at} left`, at);
    this.at = at + n;
    return at;
  }

  lead(byte: number, what: string): void {
    const at = this.take(1, what);
    const found = this.bytes[at]!;
    if (found !== byte)
      fail(
        "lead-byte",
        `expected ${byte.toString(16).toUpperCase()} (${what}), found ${found.toString(16).padStart(2, "0").toUpperCase()}`,
        at,
      );
  }

  /** A count of things that take at least `least` bytes each. Counts are checked before anything is made for them. */
  count(least: number, what: string): number {
    const at = this.take(8, what);
    const n = getU64(this.view, at);
    if (n * least > this.end - this.at) fail("truncated", `${what}: ${n}, but only ${this.end - this.at} bytes are left`, at);
    return n;
  }

  u32(what: string): number {
    return this.view.getUint32(this.take(4, what));
  }

  i32(what: string): number {
    return this.view.getInt32(this.take(4, what));
  }

  f32(what: string): EnigmaFloat {
    return getF32(this.view, this.take(4, what));
  }

  f64(what: string): EnigmaFloat {
    return getF64(this.view, this.take(8, what));
  }

  bool(what: string): boolean {
    const at = this.take(1, what);
    const byte = this.bytes[at]!;
    if (byte > 1) this.oddBool ??= at;
    return byte !== 0;
  }

  text(what: string): EnigmaText {
    const n = this.count(1, `the length of ${what}`);
    const at = this.take(n, what);
    return textOf(this.bytes, at, at + n);
  }

  variant(what: string): EnigmaVariant {
    const at = this.take(1, what);
    const kind = this.bytes[at]!;
    if (kind === 0) return this.f64(what);
    if (kind === 1) return this.text(what);
    return fail("bad-variant-type", `${what}: a variant begins with 0 or 1, found ${kind}`, at);
  }
}
