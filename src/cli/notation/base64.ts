// Bytes that stand in the notation as base64.

function unpadded(base64: string): string {
  return base64.replace(/={1,2}$/, "");
}

/** Undefined for what is no base64. The padding may be missing. */
export function decodeBase64(content: unknown): Uint8Array | undefined {
  if (typeof content !== "string") return undefined;
  const bytes = Buffer.from(content, "base64");
  // Buffer skips what is no base64, and drops the bits of a text that is cut off.
  return unpadded(bytes.toString("base64")) === unpadded(content) ? Uint8Array.from(bytes) : undefined;
}
