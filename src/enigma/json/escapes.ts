// Escaped characters of texts (formats/enigma.md §3.2, §4.8).

/** What the engine escapes, and by what. */
export const ESCAPED: Readonly<Record<number, number>> = { 34: 0x22, 92: 0x5c, 8: 0x62, 9: 0x74, 10: 0x6e, 12: 0x66, 13: 0x72 };

/** What stands behind a backslash, and for what: these, and a slash, which the engine does not escape. */
export const ESCAPES: Readonly<Record<number, number>> = { 34: 0x22, 92: 0x5c, 47: 0x2f, 98: 8, 116: 9, 110: 10, 102: 12, 114: 13 };
