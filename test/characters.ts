import fc from "fast-check";

/** Any character from `least` on but surrogates. fast-check's own unit "binary" takes more than a second to make, and 85 MB. */
export const characters = (least: number): fc.Arbitrary<string> =>
  fc.integer({ min: least, max: 0x10ffff - 0x800 }).map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800));
