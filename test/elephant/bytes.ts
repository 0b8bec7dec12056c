// Files written by hand, in hexadecimal with spaces where they help.

export function bytes(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex.replace(/\s/g, ""), "hex"));
}

/** A 1.5.1 file around a root value. */
export function file(root: string): Uint8Array {
  return bytes(`50454c45 01050100 ${root} 544e4148`);
}

/** A little-endian u16 in hexadecimal. */
export function u16(value: number): string {
  return Buffer.from([value & 255, value >> 8]).toString("hex");
}

/** A string with its terminator in hexadecimal. */
export function text(value: string): string {
  return Buffer.from(value + "\0", "utf8").toString("hex");
}

/** What a file holds between header and footer, in hexadecimal. */
export function rootOf(written: Uint8Array): string {
  return Buffer.from(written.subarray(8, -4)).toString("hex");
}

/** Hexadecimal without the spaces. */
export function hex(spaced: string): string {
  return spaced.replace(/\s/g, "").toLowerCase();
}

/** An f64 in hexadecimal. */
export function f64(value: number): string {
  const buffer = Buffer.alloc(8);
  buffer.writeDoubleLE(value);
  return buffer.toString("hex");
}
