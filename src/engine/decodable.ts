/** The same bytes where a TextDecoder takes them: those of browsers refuse shared memory, and memory that can be resized. */
export function decodable(bytes: Uint8Array): Uint8Array {
  const { buffer } = bytes;
  return buffer instanceof ArrayBuffer && !(buffer as { resizable?: boolean }).resizable ? bytes : new Uint8Array(bytes);
}
