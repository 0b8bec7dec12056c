// Memory for results. Every new ArrayBuffer is cleared, also the one that a `slice` copies into: a quarter of the time of a read whose numbers are
// typed arrays. Node has memory that is not.

interface UnsafeBuffer {
  allocUnsafeSlow?(size: number): Uint8Array<ArrayBuffer>;
}
const platformBuffer = (globalThis as { Buffer?: UnsafeBuffer }).Buffer;

function uncleared(size: number): Uint8Array<ArrayBuffer> {
  return platformBuffer?.allocUnsafeSlow?.(size) ?? new Uint8Array(size);
}

/** `size` bytes in a buffer of their own, not cleared where the platform offers that: the caller writes every byte that it hands out. */
export function unclearedBytes(size: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(uncleared(size).buffer);
}

/** `count` bytes from `offset` on in a buffer of their own; fewer where the memory has shrunk meanwhile. */
export function copyOfBytes(bytes: Uint8Array, offset: number, count: number): ArrayBuffer {
  const source = bytes.subarray(offset, offset + count);
  const copy = uncleared(source.length);
  copy.set(source);
  return copy.buffer;
}
