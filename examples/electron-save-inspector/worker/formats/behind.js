// Text in a file: the line end behind it belongs to the file, and stays when the text is written anew.

/** The text, and the space behind it. */
export function splitSpace(bytes) {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] <= 0x20) end--;
  return { content: bytes.subarray(0, end), after: bytes.slice(end) };
}

export function followedBy(content, after) {
  if (!after?.length) return content;
  const whole = new Uint8Array(content.length + after.length);
  whole.set(content);
  whole.set(after, content.length);
  return whole;
}
