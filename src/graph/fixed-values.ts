// Values of fixed length as they stand in bytes: all numbers and bools, by the codes that both engines have for datatypes.
import { isInt32, numberOf } from "./elements.ts";

const F16 = 7;
const F64 = 9;

const single = new Float32Array(1);
const singleBits = new Int32Array(single.buffer);
/** A single with the exponent's bits of a half is smaller by this. */
const HALF_SCALE = 2 ** 112;

/** IEEE half to number. */
export function halfToNumber(bits: number): number {
  singleBits[0] = (bits & 0x7fff) << 13;
  let value = single[0] * HALF_SCALE;
  if (value >= 65536) value = value > 65536 ? Number.NaN : Number.POSITIVE_INFINITY;
  return bits & 0x8000 ? -value : value;
}

/** All NaNs have the same bytes when they are written again. */
function canonical(number: number): number {
  return Number.isNaN(number) ? Number.NaN : numberOf(number);
}

/** The value of such a datatype at `p`; undefined for others. */
export function fixedValue(code: number, view: DataView, p: number): unknown {
  switch (code) {
    case F64:
      return canonical(view.getFloat64(p, true));
    case 10:
      return view.getUint8(p) === 1;
    case 1:
      return view.getUint8(p);
    case 2:
      return view.getInt8(p);
    case 3:
      return view.getUint16(p, true);
    case 4:
      return view.getInt16(p, true);
    case F16:
      return canonical(halfToNumber(view.getUint16(p, true)));
    case 5:
      return view.getUint32(p, true);
    case 6:
      return view.getInt32(p, true);
    case 8:
      return canonical(view.getFloat32(p, true));
    case 12:
      return view.getBigInt64(p, true);
  }
}

/** Is it a number that is no int32? */
export function isFraction(value: unknown): boolean {
  return typeof value === "number" && !isInt32(value);
}

/** How it is read, by its datatype: `d` is the view, `A` is {@link halfToNumber}. */
const FIXED = [
  "",
  "d.getUint8(@)",
  "d.getInt8(@)",
  "d.getUint16(@,true)",
  "d.getInt16(@,true)",
  "d.getUint32(@,true)",
  "d.getInt32(@,true)",
  "A(d.getUint16(@,true))",
  "d.getFloat32(@,true)",
  "d.getFloat64(@,true)",
  "d.getUint8(@)===1",
  "",
  "d.getBigInt64(@,true)",
];

/**
 * The text of such a value where `at` says; none for other datatypes. It uses two variables, `x` and `y`. `fraction`: there have been fractions, so that
 * integers gain nothing by being small ones.
 */
export function fixedText(code: number, at: string, fraction = false): string | undefined {
  const text = FIXED[code]?.replace("@", at);
  if (!text || code < F16 || code > F64) return text;
  // Not `NaN`, which is an object to the engine: it would make one of each number that may be put in its place. -0 is told from 0 whatever the integer is: code
  // that was compiled before a 0 came would have no division, and be dropped then.
  return `(x=${text}${fraction ? ")===x" : ",y=x|0)===x&&1/x>-1/0?y:x===x"}?x:0/0`;
}
