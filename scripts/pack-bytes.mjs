// Bytes as the text that src/engine/packed-bytes.ts unpacks; the reasons stand there.

/** From `(` on, without `<`, backslash and backtick. */
const letters = Array.from({ length: 0x7f - 0x28 }, (_, i) => String.fromCharCode(0x28 + i)).filter((letter) => !"<\\`".includes(letter));
const SINGLE = letters.length;
/** What announces the bytes from `first` on: the unpacker takes its code less 31 times {@link SINGLE}, of which a byte keeps what 256 leaves. */
const PAGES = ["%", "!", " "].map((letter) => ({ letter, first: ((letter.charCodeAt(0) - 31) * SINGLE) % 256 }));

export function packBytes(bytes) {
  let text = "";
  for (const byte of bytes) {
    const page = PAGES.find(({ first }) => byte >= first);
    text += page === undefined ? letters[byte] : page.letter + letters[byte - page.first];
  }
  return text;
}
