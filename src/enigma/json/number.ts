// Numbers in the JSON backend's text (formats/enigma.md §3.2).
import { type EnigmaFloat, NanBits } from "../model.ts";

/**
 * Six decimals in fixed notation as C++ prints them: correctly rounded, ties to even. `toFixed` rounds ties away from zero; a double lies
 * exactly between two such decimals only if it is an odd multiple of 1/128.
 */
function sixDecimals(magnitude: number): string {
  const text = magnitude.toFixed(6);
  const multiple = magnitude * 128;
  if (Number.isSafeInteger(multiple) && multiple % 2 === 1 && /[13579]$/.test(text)) {
    // The upper neighbour was taken and is odd, so the lower one is the even one: both differ only in the last digit.
    return text.slice(0, -1) + String(Number(text.at(-1)) - 1);
  }
  return text;
}

/** The engine's text of a float: trailing zeros and a trailing point removed, never an exponent. */
export function floatText(value: EnigmaFloat): string {
  if (value instanceof NanBits) return value.bits[0] === "f" ? "-nan" : "nan";
  if (Number.isNaN(value)) return "nan";
  if (value === Number.POSITIVE_INFINITY) return "inf";
  if (value === Number.NEGATIVE_INFINITY) return "-inf";
  const magnitude = Math.abs(value);
  // Beyond 2^53 String gives only the digits that tell a double from its neighbours, the engine all of them.
  const whole = Number.isSafeInteger(value) ? magnitude : Number.isInteger(value) && BigInt(magnitude);
  const text = whole === false ? trimmed(sixDecimals(magnitude)) : String(whole);
  return 1 / value < 0 ? "-" + text : text;
}

function trimmed(text: string): string {
  let end = text.length;
  while (text[end - 1] === "0") end--;
  if (text[end - 1] === ".") end--;
  return text.slice(0, end);
}

const NOT_FINITE = new Map([
  ["nan", Number.NaN],
  ["inf", Number.POSITIVE_INFINITY],
  ["-inf", Number.NEGATIVE_INFINITY],
]);

/** What a float's text means, if anything. */
export function floatOf(text: string, narrow: boolean): EnigmaFloat | undefined {
  const value = narrow ? Math.fround(Number(text)) : Number(text);
  if (Number.isFinite(value) && /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return value;
  return text === "-nan" ? new NanBits(narrow ? "ffc00000" : "fff8000000000000") : NOT_FINITE.get(text);
}
