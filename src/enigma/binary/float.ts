// Floats whose bits must survive (formats/enigma.md §1: NaN payloads and negative zero are kept).
import { type EnigmaFloat, NanBits } from "../model.ts";

function hex8(word: number): string {
  return (word >>> 0).toString(16).padStart(8, "0");
}

export function getF64(view: DataView, at: number): EnigmaFloat {
  const value = view.getFloat64(at);
  if (!Number.isNaN(value)) return value;
  const high = view.getUint32(at);
  const low = view.getUint32(at + 4);
  return high === 0x7ff80000 && low === 0 ? Number.NaN : new NanBits(hex8(high) + hex8(low));
}

export function getF32(view: DataView, at: number): EnigmaFloat {
  const value = view.getFloat32(at);
  if (!Number.isNaN(value)) return value;
  const bits = view.getUint32(at);
  return bits === 0x7fc00000 ? Number.NaN : new NanBits(hex8(bits));
}

export function setF64(view: DataView, at: number, value: EnigmaFloat): void {
  if (typeof value === "number" && !Number.isNaN(value)) view.setFloat64(at, value);
  else {
    const bits = typeof value === "number" ? "7ff8000000000000" : value.bits;
    view.setUint32(at, Number.parseInt(bits.slice(0, 8), 16));
    view.setUint32(at + 4, Number.parseInt(bits.slice(8), 16));
  }
}

export function setF32(view: DataView, at: number, value: EnigmaFloat): void {
  if (typeof value === "number" && !Number.isNaN(value)) view.setFloat32(at, value);
  else view.setUint32(at, typeof value === "number" ? 0x7fc00000 : Number.parseInt(value.bits, 16));
}

/** Is this a finite number that a 32-bit float does not hold, which would be written as infinity? */
export function overflowsF32(value: number): boolean {
  // For infinity itself the difference is NaN.
  return Math.abs(Math.fround(value) - value) === Number.POSITIVE_INFINITY;
}
