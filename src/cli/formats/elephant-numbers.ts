// Numbers that somebody typed into the JSON: the codec stores what GameMaker's buffers would make of them (300 as u8 is 44), an edit should be told.
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

/** What is wrong with a number for datatype `code`; undefined when it fits. Floats may lose digits, as they do in the game, but not become infinite. */
export function numberMisfit(value: unknown, code: number): string | undefined {
  if (typeof value !== "number" && typeof value !== "bigint") return undefined;
  const range = RANGE[code];
  let fits = true;
  if (range) fits = (typeof value === "bigint" || Number.isInteger(value)) && value >= range[0] && value <= range[1];
  else if (typeof value === "number" && Number.isFinite(value)) {
    if (code === CODE.f32) fits = Number.isFinite(Math.fround(value));
    else if (code === CODE.f16) fits = Math.abs(value) < ABOVE_HALF;
  }
  if (fits) return undefined;
  return `${value} does not fit ${datatypeName(code)}${range ? `, a whole number from ${range[0]} to ${range[1]}` : ""}`;
}
