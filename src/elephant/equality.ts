// When a member counts as unchanged for diffsOnly (formats/elephant.md §9).
import { isScalar } from "./datatypes.ts";

/** GameMaker's default epsilon. */
const EPSILON = 0.00001;

/** What a string is worth where GML compares it with a number: its leading number, or nothing. */
function leadingNumber(text: string): number | undefined {
  const found = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)/.exec(text);
  return found ? Number(found[1]) : undefined;
}

/** What a Scalar holds, of null undefined, of all else itself. */
export function bare(value: unknown): unknown {
  return (isScalar(value) ? value.value : value) ?? undefined;
}

/** Is it equal to nothing but itself? */
function isUnlike(value: unknown): boolean {
  return value === undefined || typeof value === "symbol" || Object(value) === value;
}

/** GML's `==`: numbers within an epsilon, bools as numbers, strings that start like a number as that number. */
export function gmlEqual(given: unknown, other: unknown): boolean {
  const a = bare(given);
  const b = bare(other);
  if (isUnlike(a) || isUnlike(b)) return a === b;
  if (typeof a === "string" && typeof b === "string") return a === b;
  // Of int64, numbers alone are something else and may be equal.
  if ((typeof a === "bigint" && typeof b !== "number") || (typeof b === "bigint" && typeof a !== "number")) return a === b;
  const x = typeof a === "string" ? leadingNumber(a) : Number(a);
  const y = typeof b === "string" ? leadingNumber(b) : Number(b);
  // Infinities differ by nothing that is a number.
  return x !== undefined && y !== undefined && (x === y || Math.abs(x - y) <= EPSILON);
}

/** The same value of the same type. */
export function exactEqual(given: unknown, other: unknown): boolean {
  if (isScalar(given) && isScalar(other)) return given.datatype === other.datatype && Object.is(given.value, other.value);
  const a = given === null || typeof given === "function" ? undefined : given;
  const b = other === null || typeof other === "function" ? undefined : other;
  return Object.is(a, b);
}
