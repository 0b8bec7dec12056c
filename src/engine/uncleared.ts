// Memory for results. Every new ArrayBuffer is cleared, and so is the one that ArrayBuffer.prototype.slice copies into: a quarter of the time of a
// read whose numbers are typed arrays. Node has memory that is not.

interface UnsafeBuffer {
  allocUnsafeSlow?(size: number): Uint8Array<ArrayBuffer>;
}
const platformBuffer = (globalThis as { Buffer?: UnsafeBuffer }).Buffer;

/** `size` bytes in a buffer of their own, not cleared where the platform offers that: the caller writes every byte that it hands out. */
export function unclearedBytes(size: number): Uint8Array<ArrayBuffer> {
  return platformBuffer?.allocUnsafeSlow ? new Uint8Array(platformBuffer.allocUnsafeSlow(size).buffer) : new Uint8Array(size);
}

/** `count` bytes from `offset` on in a buffer of their own. */
export function copyOfBytes(bytes: Uint8Array, offset: number, count: number): ArrayBuffer {
  const { buffer, byteOffset } = bytes;
  if (platformBuffer?.allocUnsafeSlow) {
    const copy = platformBuffer.allocUnsafeSlow(count);
    copy.set(new Uint8Array(buffer, byteOffset + offset, count));
    return copy.buffer;
  }
  // Cleared once at least, where a typed array's `slice` does it twice.
  if (buffer instanceof ArrayBuffer) return buffer.slice(byteOffset + offset, byteOffset + offset + count);
  return bytes.slice(offset, offset + count).buffer as ArrayBuffer;
}
