// Bytes as the text that src/engine/packed-bytes.ts unpacks; the reasons stand there.

/** From `(` on, without `<`, backslash and backtick. */
const letters = Array.from({ length: 0x7f - 0x28 }, (_, i) => String.fromCharCode(0x28 + i)).filter((letter) => !"<\\`".includes(letter));
const SINGLE = letters.length;
/** Which four bytes in a row come first, a bit for each four: those that kernels hold most of. As in assembly/unpack.ts. */
const FREQUENT = 0x80010001b40f275fn;
const isRare = (byte) => ((FREQUENT >> BigInt(byte >> 2)) & 1n) === 0n;
/** Bytes in their order here. */
const ORDER = Array.from({ length: 256 }, (_, i) => i).sort((a, b) => isRare(a) - isRare(b));
/** What announces those from place `first` on: the unpacker takes its code less 31 times {@link SINGLE}, of which 256 leaves the place. */
const PAGES = ["%", "!", " "].map((letter) => ({ letter, first: ((letter.charCodeAt(0) - 31) * SINGLE) % 256 }));

export function packBytes(bytes) {
  let text = "";
  for (const byte of bytes) {
    const place = ORDER.indexOf(byte);
    const page = PAGES.find(({ first }) => place >= first);
    text += page === undefined ? letters[place] : page.letter + letters[place - page.first];
  }
  return text;
}
