// Numbers in the JSON backend's text (formats/enigma.md §3.2).
import { type EnigmaFloat, NanBits } from "../model.ts";

/** From here on all doubles are integers and `toFixed` would use an exponent. */
const ONLY_INTEGERS = 1e21;

/**
 * Six decimals in fixed notation as C++ prints them: correctly rounded, ties to even. `toFixed` rounds ties away from zero; a double lies
 * exactly between two such decimals only if it is an odd multiple of 1/128.
 */
function sixDecimals(magnitude: number): string {
  if (magnitude >= ONLY_INTEGERS) return BigInt(magnitude).toString();
  const text = magnitude.toFixed(6);
  const eighths = magnitude * 128;
  if (Number.isSafeInteger(eighths) && eighths % 2 === 1 && /[13579]$/.test(text)) {
    // The upper neighbour was taken and is odd, so the lower one is the even one: both differ only in the last digit.
    return text.slice(0, -1) + String(Number(text.at(-1)) - 1);
  }
  return text;
}

/** The engine's text of a float: trailing zeros and a trailing point removed, never an exponent. */
export function floatText(value: EnigmaFloat): string {
  if (value instanceof NanBits) return Number.parseInt(value.bits[0]!, 16) >= 8 ? "-nan" : "nan";
  if (Number.isNaN(value)) return "nan";
  if (value === Number.POSITIVE_INFINITY) return "inf";
  if (value === Number.NEGATIVE_INFINITY) return "-inf";
  const negative = value < 0 || Object.is(value, -0);
  const text = Number.isInteger(value) && Math.abs(value) < ONLY_INTEGERS ? String(Math.abs(value)) : trimmed(sixDecimals(Math.abs(value)));
  return negative ? "-" + text : text;
}

function trimmed(text: string): string {
  if (!text.includes(".")) return text;
  let end = text.length;
  while (text[end - 1] === "0") end--;
  if (text[end - 1] === ".") end--;
  return text.slice(0, end);
}

const NOT_FINITE = new Map<string, readonly [wide: () => EnigmaFloat, narrow: () => EnigmaFloat]>([
  ["nan", [() => Number.NaN, () => Number.NaN]],
  ["-nan", [() => new NanBits("fff8000000000000"), () => new NanBits("ffc00000")]],
  ["inf", [() => Number.POSITIVE_INFINITY, () => Number.POSITIVE_INFINITY]],
  ["-inf", [() => Number.NEGATIVE_INFINITY, () => Number.NEGATIVE_INFINITY]],
]);

/** What a float's text means; `finite` is false for the bare words. */
export function floatOf(text: string, narrow: boolean): { value: EnigmaFloat; finite: boolean } | undefined {
  const word = NOT_FINITE.get(text);
  if (word) return { value: word[narrow ? 1 : 0](), finite: false };
  if (!/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return undefined;
  return { value: narrow ? Math.fround(Number(text)) : Number(text), finite: true };
}

/** A number that JSON's own grammar or another writer has, but the engine's writer would not print like this. */
export function isForeign(text: string, value: EnigmaFloat): boolean {
  return floatText(value) !== text;
}
