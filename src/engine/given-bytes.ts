// What programs hand over as bytes, for all formats.

/** The bytes of a typed array, DataView, ArrayBuffer or SharedArrayBuffer of any realm; undefined for anything else. */
export function bytesIn(value: unknown): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value;
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  try {
    // Takes buffers of any realm, and throws for everything else.
    return new Uint8Array(new DataView(value as ArrayBuffer).buffer);
  } catch {
    return undefined;
  }
}
