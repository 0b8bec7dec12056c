// When a member counts as unchanged for diffsOnly (formats/elephant.md §9).
import { isScalar } from "./datatypes.ts";

/** GameMaker's default epsilon. */
const EPSILON = 0.00001;

/** What GML compares of a value with a number, of a string its leading number; NaN where `other` is nothing that it is compared with so. */
function worth(value: unknown, other: unknown): number {
  const kind = typeof value;
  if (kind === "string" && typeof other !== kind) return Number(/^\s*([+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?)/i.exec(value as string)?.[1]);
  // Of int64, numbers alone are something else and may be equal.
  return kind === "number" || kind === "boolean" || (kind === "bigint" && typeof other === "number") ? Number(value) : Number.NaN;
}

/** What a Scalar holds, of null undefined, an int64 as it is stored (§3.2: with the top bit set it is negative), of all else itself. */
export function bare(given: unknown): unknown {
  const value = (isScalar(given) ? given.value : given) ?? undefined;
  // What has more bits is refused elsewhere.
  return typeof value === "bigint" && value >> 63n === 1n ? value - 2n ** 64n : value;
}

/** GML's `==`: numbers within an epsilon, bools as numbers, strings that start like a number as that number. */
export function gmlEqual(given: unknown, other: unknown): boolean {
  const a = bare(given);
  const b = bare(other);
  if (a === b) return true;
  const x = worth(a, b);
  const y = worth(b, a);
  // Infinities differ by nothing that is a number.
  return x === y || Math.abs(x - y) <= EPSILON;
}

/** The same value of the same type. */
export function exactEqual(given: unknown, other: unknown): boolean {
  if (isScalar(given) && isScalar(other)) return given.datatype === other.datatype && Object.is(given.value, other.value);
  // A function is stored as undefined, which is what it equals beside any other function.
  return typeof given === "function" ? typeof (other ?? given) === "function" : Object.is(given ?? undefined, other ?? undefined);
}
