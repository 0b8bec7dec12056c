// IEEE half precision (formats/elephant.md §3.2).

const single = new Float32Array(1);
const singleBits = new Int32Array(single.buffer);
/** A single with the exponent's bits of a half is smaller by this. */
const HALF_SCALE = 2 ** 112;

/** @param {number} bits */
export function halfToNumber(bits) {
  singleBits[0] = (bits & 0x7fff) << 13;
  let value = single[0] * HALF_SCALE;
  if (value >= 65536) value = value > 65536 ? Number.NaN : Number.POSITIVE_INFINITY;
  return bits & 0x8000 ? -value : value;
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
