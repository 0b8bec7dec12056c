// Values that somebody typed into the JSON: the codec stores what GameMaker's buffers would make of them (300 as u8 is 44), an edit should be told.
import * as CODE from "../../elephant/codes.ts";
import { datatypeName } from "../../elephant/datatypes.ts";

/** Lowest and highest value of the whole numbers by code. */
const RANGE: Readonly<Record<number, readonly [lowest: bigint, highest: bigint]>> = {
  [CODE.u8]: [0n, 255n],
  [CODE.s8]: [-128n, 127n],
  [CODE.u16]: [0n, 65_535n],
  [CODE.s16]: [-32_768n, 32_767n],
  [CODE.u32]: [0n, 4_294_967_295n],
  [CODE.s32]: [-2_147_483_648n, 2_147_483_647n],
  // Signed and unsigned values share the datatype (formats/elephant.md §3).
  [CODE.u64]: [-(2n ** 63n), 2n ** 64n - 1n],
};

/** From here on a half is infinity; what is less is cut towards zero (formats/elephant.md §3.2). */
const ABOVE_HALF = 65_536;

/** Binary digits of the floats. */
const DIGITS: Readonly<Record<number, bigint>> = { [CODE.f16]: 11n, [CODE.f32]: 24n, [CODE.f64]: 53n };

/** Has a whole number no more binary digits than these, but for zeros behind them? */
function hasDigits(value: bigint, digits: bigint): boolean {
  let odd = value < 0n ? -value : value;
  while (odd > 0n && odd % 2n === 0n) odd /= 2n;
  return odd < 1n << digits;
}

/**
 * What is wrong with a value for datatype `code`; undefined when it fits, or the writer itself refuses it. Numbers may lose digits in floats, as they do in the
 * game, but not become infinite. A 64-bit integer says that it is exact.
 */
export function valueMisfit(value: unknown, code: number): string | undefined {
  // The flag of a version that is not verbose has no bytes either.
  if (code === CODE.undefined || code === 0)
    return value === undefined || value === null ? undefined : "the schema has undefined here, which has no bytes for a value";
  const isBool = typeof value === "boolean";
  if (!isBool && typeof value !== "number" && typeof value !== "bigint") return undefined;
  const range = RANGE[code];
  const digits = DIGITS[code];
  let fits = true;
  if (code === CODE.bool) fits = isBool;
  else if (isBool) fits = !range && !digits;
  else if (range) fits = (typeof value === "bigint" || Number.isInteger(value)) && value >= range[0] && value <= range[1];
  else if (digits && Number.isFinite(Number(value))) {
    fits = typeof value === "number" || hasDigits(value, digits);
    if (code === CODE.f32) fits &&= Number.isFinite(Math.fround(Number(value)));
    else if (code === CODE.f16) fits &&= Math.abs(Number(value)) < ABOVE_HALF;
  }
  if (fits) return undefined;
  const wanted = range ? `, a whole number from ${range[0]} to ${range[1]}` : code === CODE.bool ? ", true or false" : "";
  return `${value} does not fit ${datatypeName(code)}${wanted}`;
}
