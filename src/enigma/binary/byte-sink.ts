// Growing output with big-endian stores.

import { isUint8Array } from "../../engine/given-bytes.ts";
import { describe, refuse } from "../failure.ts";
import { checkFloat } from "../given.ts";
import type { EnigmaFloat, EnigmaText, EnigmaVariant } from "../model.ts";
import { bytesOf } from "../text.ts";
import { setF32, setF64 } from "./float.ts";

/** Larger buffers are not kept. */
const MOST_KEPT = 2 ** 26;

/**
 * The buffer of the last write. First touches of fresh pages cost as much as all conversions (2.5 of 15 ms for 4 MB, bench/enigma/large-save.mjs), so it
 * is used again if the collector has not taken it: nothing is held on to.
 */
let spare: WeakRef<Uint8Array<ArrayBuffer>> | undefined;

export class ByteSink {
  bytes: Uint8Array<ArrayBuffer>;
  view: DataView;
  at = 0;
  /** Undefined variants were written as the number 0 (formats/enigma.md §1). */
  undefinedAsZero = 0;

  constructor(bytes = new Uint8Array(256)) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer);
  }

  /** A sink for a whole file: over the buffer of the last one, if it is still there. */
  static forFile(): ByteSink {
    const sink = new ByteSink(spare?.deref() ?? new Uint8Array(4096));
    // A write inside a getter of this one gets its own.
    spare = undefined;
    return sink;
  }

  /** A copy of what was written; the buffer is free for the next write. */
  finish(): Uint8Array<ArrayBuffer> {
    const result = this.bytes.slice(0, this.at);
    if (this.bytes.length <= MOST_KEPT && typeof WeakRef === "function") spare = new WeakRef(this.bytes);
    return result;
  }

  /** Makes room for n bytes and returns where they go. */
  reserve(n: number): number {
    const at = this.at;
    if (at + n > this.bytes.length) this.grow(at + n);
    this.at = at + n;
    return at;
  }

  /** Makes room for n more bytes at once, where the caller can tell. */
  expect(n: number): void {
    this.at = this.reserve(n);
  }

  private grow(least: number): void {
    const next = new Uint8Array(Math.max(least, this.bytes.length * 2));
    next.set(this.bytes.subarray(0, this.at));
    this.bytes = next;
    this.view = new DataView(next.buffer);
  }

  u8(value: number): void {
    // The place first: making room may replace the array.
    const at = this.reserve(1);
    this.bytes[at] = value;
  }

  u32(value: number): void {
    const at = this.reserve(4);
    this.view.setUint32(at, value);
  }

  u64(value: number | bigint): void {
    const at = this.reserve(8);
    this.patchU64(at, value);
  }

  /** The count of a list, which is that many elements then, though a getter of one may add others. */
  count(list: readonly unknown[]): number {
    const { length } = list;
    this.u64(length);
    return length;
  }

  patchU64(at: number, value: number | bigint): void {
    if (typeof value === "bigint") this.view.setBigUint64(at, value);
    else {
      // What is stored is the lower 32 bits of the whole part.
      this.view.setUint32(at, value / 2 ** 32);
      this.view.setUint32(at + 4, value);
    }
  }

  raw(bytes: Uint8Array, path = ""): void {
    if (!isUint8Array(bytes)) refuse("unwritable", `expected a Uint8Array, found ${describe(bytes)}`, path);
    const at = this.reserve(bytes.length);
    this.bytes.set(bytes, at);
  }

  f32(value: EnigmaFloat, path: string): void {
    checkFloat(value, true, path);
    const at = this.reserve(4);
    setF32(this.view, at, value);
  }

  f64(value: EnigmaFloat, path: string): void {
    checkFloat(value, false, path);
    const at = this.reserve(8);
    setF64(this.view, at, value);
  }

  text(text: EnigmaText, path: string): void {
    const bytes = bytesOf(text, path);
    this.u64(bytes.length);
    this.raw(bytes);
  }

  variant(value: EnigmaVariant, path: string): void {
    if (typeof value === "string" || isUint8Array(value)) {
      this.u8(1);
      this.text(value, path);
      return;
    }
    if (value === undefined) this.undefinedAsZero++;
    this.u8(0);
    this.f64(value === undefined ? 0 : value, path);
  }
}
