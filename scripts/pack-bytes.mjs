// Bytes as the text that src/engine/packed-bytes.ts unpacks; the reasons stand there.

const letters = Array.from({ length: 0x7f - 0x20 }, (_, i) => String.fromCharCode(0x20 + i)).filter(
  (letter) => !"\"$&'<\\`".includes(letter),
);
/** The first two letters announce pages. */
const SINGLE = letters.length - 2;

export function packBytes(bytes) {
  let text = "";
  for (const byte of bytes) {
    if (byte >= SINGLE) text += letters[Math.floor(byte / SINGLE) - 1];
    text += letters[2 + (byte % SINGLE)];
  }
  return text;
}
