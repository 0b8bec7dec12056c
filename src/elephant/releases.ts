// Releases of Elephant and how their files begin (formats/elephant.md §1, §2).
import { elephantError } from "./errors.ts";

/** A release as `readAt` reports it; `1.4.0-dev` is the development branch that carried the number 1.4.0 with the older codes. */
export type Release = "1.0.0" | "1.1.0" | "1.2.0" | "1.2.1" | "1.3.0" | "1.4.0-dev" | "1.4.0" | "1.5.0" | "1.5.1";

/** Releases that can be written. */
export type WritableRelease = "1.5.1" | "1.5.0" | "1.4.0";

const ATMC = 0x434d5441;
const PELE = 0x454c4550;
export const MAGIC = PELE;
export const FOOTER = 0x48414e54;

/** Code of "any" from the 1.4.0 tag on, and before. The three codes after it are array, struct, undefined. */
const CODES = 204;
const OLD_CODES = 14;

export const VERSION_WORDS: Readonly<Record<WritableRelease, number>> = { "1.5.1": 0x010501, "1.5.0": 0x010500, "1.4.0": 0x010400 };

/** How a file is laid out. */
export interface Header {
  readonly release: Release;
  /** The release as a number, 100 to 151, for comparisons. */
  readonly layout: number;
  /** Code of "any". */
  readonly firstCode: number;
  /** Offset of the root value. */
  readonly root: number;
  readonly footer: boolean;
}

function u32(bytes: Uint8Array, at: number): number {
  return (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)) >>> 0;
}

function versionText(word: number): string {
  return `${word >>> 16}.${(word >>> 8) & 255}.${word & 255}`;
}

/**
 * Two dialects share the number 1.4.0; the root's datatype tells (formats/elephant.md §1): an array, struct or undefined of the old codes. Any other root is a
 * scalar, which holds none of the codes that differ, or none of either.
 */
function hasOldCodes(root: number): boolean {
  return root > OLD_CODES && root <= OLD_CODES + 3;
}

/** Reads the header at `offset`. Errors: `truncated`, `header`, `version`. */
export function readHeader(bytes: Uint8Array, offset: number): Header {
  const left = bytes.length - offset;
  if (left < 4) throw elephantError("truncated", "the data ends inside the header", { offset: bytes.length });
  const magic = u32(bytes, offset);
  if (magic !== PELE && magic !== ATMC) {
    throw elephantError(
      "header",
      `this is not an Elephant save: it begins with 0x${magic.toString(16).padStart(8, "0")}, not with "PELE" or "ATMC"`,
      { offset },
    );
  }
  if (left < 8) throw elephantError("truncated", "the data ends inside the header", { offset: bytes.length });
  const word = u32(bytes, offset + 4);
  const root = offset + 8;
  if (magic === ATMC) {
    if (word === 0x010000) return { release: "1.0.0", layout: 100, firstCode: OLD_CODES, root, footer: false };
    if (word === 0x010100) return { release: "1.1.0", layout: 110, firstCode: OLD_CODES, root, footer: false };
    if (word > 0x010100)
      throw elephantError("header", `files of version ${versionText(word)} begin with "PELE", not with "ATMC"`, { offset });
  } else {
    const first = bytes[root];
    switch (word) {
      case 0x010200:
        return { release: "1.2.0", layout: 120, firstCode: OLD_CODES, root, footer: true };
      case 0x010201:
        return { release: "1.2.1", layout: 121, firstCode: OLD_CODES, root, footer: true };
      case 0x010300:
        return { release: "1.3.0", layout: 130, firstCode: OLD_CODES, root, footer: true };
      case 0x010400:
        if (hasOldCodes(first)) return { release: "1.4.0-dev", layout: 140, firstCode: OLD_CODES, root, footer: true };
        return { release: "1.4.0", layout: 140, firstCode: CODES, root, footer: true };
      case 0x010500:
        return { release: "1.5.0", layout: 150, firstCode: CODES, root, footer: true };
      case 0x010501:
        return { release: "1.5.1", layout: 151, firstCode: CODES, root, footer: true };
    }
  }
  throw elephantError("version", `version ${versionText(word)} of Elephant is not known`, {
    offset: offset + 4,
  });
}

/** The version number of a save that begins at `at`, e.g. "1.5.1"; undefined where none begins. */
export function releaseAt(bytes: Uint8Array, at: number): string | undefined {
  if (bytes.length - at < 8) return undefined;
  const magic = u32(bytes, at);
  if (magic !== PELE && magic !== ATMC) return undefined;
  const release = versionText(u32(bytes, at + 4));
  const first = bytes[at + 8];
  return release === "1.4.0" && hasOldCodes(first) ? "1.4.0-dev" : release;
}

const KNOWN: readonly string[] = ["1.0.0", "1.1.0", "1.2.0", "1.2.1", "1.3.0", "1.4.0-dev", "1.4.0", "1.5.0", "1.5.1"] satisfies Release[];

export function isKnownRelease(release: string): release is Release {
  return KNOWN.includes(release);
}

/** Checks the footer at `at`. `base`: offset of the first of `bytes` in the input. */
export function checkFooter(bytes: Uint8Array, at: number, base = 0): void {
  if (bytes.length - (at - base) < 4) throw elephantError("truncated", "the data ends before the footer", { offset: base + bytes.length });
  const word = u32(bytes, at - base);
  if (word !== FOOTER)
    throw elephantError("footer", `expected the footer "TNAH", found 0x${word.toString(16).padStart(8, "0")}`, { offset: at });
}
