// Floats whose bits must survive (formats/enigma.md §1: NaN payloads and negative zero are kept).
import { type EnigmaFloat, NanBits } from "../model.ts";

/** The usual NaN, as NanBits spells bits. The first digit of any NaN is 7 or f, so that its digits are as many as its bits allow. */
const NAN64 = "7ff8000000000000";
const NAN32 = "7fc00000";

export function getF64(view: DataView, at: number): EnigmaFloat {
  const value = view.getFloat64(at);
  if (!Number.isNaN(value)) return value;
  const bits = view.getBigUint64(at).toString(16);
  return bits === NAN64 ? Number.NaN : new NanBits(bits);
}

export function getF32(view: DataView, at: number): EnigmaFloat {
  const value = view.getFloat32(at);
  if (!Number.isNaN(value)) return value;
  const bits = view.getUint32(at).toString(16);
  return bits === NAN32 ? Number.NaN : new NanBits(bits);
}

export function setF64(view: DataView, at: number, value: EnigmaFloat): void {
  if (typeof value === "number" && !Number.isNaN(value)) view.setFloat64(at, value);
  else view.setBigUint64(at, BigInt(`0x${typeof value === "number" ? NAN64 : value.bits}`));
}

export function setF32(view: DataView, at: number, value: EnigmaFloat): void {
  if (typeof value === "number" && !Number.isNaN(value)) view.setFloat32(at, value);
  else view.setUint32(at, Number.parseInt(typeof value === "number" ? NAN32 : value.bits, 16));
}
