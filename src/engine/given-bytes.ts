// What programs hand over as bytes, for all formats.

/** Of any realm: the sandboxes that tests run in have several. */
export function isUint8Array(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && (value as Partial<Uint8Array>)[Symbol.toStringTag] === "Uint8Array";
}

/** The bytes of a typed array, DataView, ArrayBuffer or SharedArrayBuffer of any realm; undefined for anything else, and where the memory has been given away. */
export function bytesIn(value: unknown): Uint8Array | undefined {
  try {
    // An element that is there, where a length may be one from before the memory was given away.
    if (value instanceof Uint8Array && value[0] >= 0) return value;
    if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    // Takes buffers of any realm, and throws for everything else.
    return new Uint8Array(new DataView(value as ArrayBuffer).buffer);
  } catch {
    return undefined;
  }
}

/** The same of what is known to be one of these. Throws where the memory has been given away, and for an array that lies outside of it. */
export function bytesOf(value: object): Uint8Array {
  if (ArrayBuffer.isView(value)) {
    // An array that lies outside of its buffer, which has been made smaller, says that it is empty; its methods throw. (V8 11.3 leaves `keys` out of compiled
    // code, and `copyWithin` throws of memory that nobody may write to, too.)
    if (value.byteLength === 0) (value as Partial<Uint8Array>).indexOf?.(0);
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  }
  // What only says that it is a buffer is refused.
  return new Uint8Array(new DataView(value as ArrayBuffer).buffer);
}
