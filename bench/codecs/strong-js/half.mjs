// IEEE half precision (formats/elephant.md §3.2).

/** @param {number} bits */
export function halfToNumber(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >>> 10) & 31;
  const mantissa = bits & 0x3ff;
  if (exponent === 31) return mantissa ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return exponent === 0 ? sign * mantissa * 2 ** -24 : sign * (1024 + mantissa) * 2 ** (exponent - 25);
}

const scratch = new DataView(new ArrayBuffer(8));

/** Values that are not exact in half precision are cut towards zero; 65536 and above become infinity. */
export function numberToHalf(value) {
  if (Number.isNaN(value)) return 0x7e00;
  scratch.setFloat64(0, value, true);
  const sign = scratch.getUint16(6, true) & 0x8000;
  const magnitude = Math.abs(value);
  if (magnitude >= 65536) return sign | 0x7c00;
  if (magnitude < 2 ** -14) return sign | Math.trunc(magnitude * 2 ** 24);
  const exponent = ((scratch.getUint16(6, true) >>> 4) & 0x7ff) - 1023;
  return sign | ((exponent + 15) << 10) | (Math.trunc((magnitude / 2 ** exponent) * 1024) & 0x3ff);
}
