// Releases of Elephant and how their files begin (formats/elephant.md §1, §2).
import type { Detection } from "../detection.ts";
import { fail } from "./errors.ts";

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

/** Offset of the root value in a save. */
export const ROOT = 8;

/** How a file is laid out. */
export interface Header {
  readonly release: Release;
  /** The release as a number, 100 to 151, for comparisons. */
  readonly layout: number;
  /** Code of "any". */
  readonly firstCode: number;
  readonly footer: boolean;
}

/** 1.1.0: the last release whose files begin with "ATMC" and have no footer. */
const LAST_WITHOUT_FOOTER = 0x010100;

function u32(bytes: Uint8Array, at: number): number {
  return (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)) >>> 0;
}

/** Four bytes as a text, for people. */
function shown(bytes: Uint8Array, at: number): string {
  return JSON.stringify(String.fromCharCode(...bytes.subarray(at, at + 4)));
}

function versionText(word: number): string {
  return `${word >>> 16}.${(word >>> 8) & 255}.${word & 255}`;
}

/** By version word. No text is made of the word where a save is read: that takes as long as all else of a small one's header. */
const RELEASES: ReadonlyMap<number, Release> = new Map(
  [0x010000, 0x010100, 0x010200, 0x010201, 0x010300, 0x010400, 0x010500, 0x010501].map((word) => [word, versionText(word) as Release]),
);

/**
 * The release of a version word, which has a footer and the magic that goes with it, or neither. Two dialects share the number 1.4.0; the root's datatype tells (formats/elephant.md §1): an array, struct or undefined of the old
 * codes. Any other root is a scalar, which holds none of the codes that differ, or none of either.
 */
function releaseOf(word: number, root: number, footer: boolean): Release | undefined {
  if (footer !== word > LAST_WITHOUT_FOOTER) return undefined;
  return word === 0x010400 && root > OLD_CODES && root <= OLD_CODES + 3 ? "1.4.0-dev" : RELEASES.get(word);
}

/** Reads the header at `offset`. `base`: offset of the first of `bytes` in the input. Errors: `truncated`, `header`, `version`. */
export function readHeader(bytes: Uint8Array, offset: number, base = 0): Header {
  const at = offset - base;
  const left = bytes.length - at;
  const magic = u32(bytes, at);
  if (left >= 4 && magic !== PELE && magic !== ATMC) {
    fail("header", `this is not an Elephant save: it begins with ${shown(bytes, at)}, not with "PELE" or "ATMC"`, offset);
  }
  if (left < 8) fail("truncated", "the data ends inside the header", base + bytes.length);
  const word = u32(bytes, at + 4);
  const footer = magic === PELE;
  const release = releaseOf(word, bytes[at + 8], footer);
  if (release) {
    const layout = (word >>> 16) * 100 + ((word >>> 8) & 255) * 10 + (word & 255);
    return { release, layout, firstCode: layout < 140 || release === "1.4.0-dev" ? OLD_CODES : CODES, footer };
  }
  if (!footer && word > LAST_WITHOUT_FOOTER) fail("header", unknown(bytes, at), offset);
  fail("version", unknown(bytes, at), offset + 4);
}

function unknown(bytes: Uint8Array, at: number): string {
  return `version ${versionText(u32(bytes, at + 4))} is not known behind ${shown(bytes, at)}`;
}

/** What `detect` says of the version of a save that begins with `bytes`; undefined where none begins. */
export function detectRelease(bytes: Uint8Array): Pick<Detection, "release" | "confidence" | "note"> | undefined {
  const magic = u32(bytes, 0);
  if (bytes.length < 8 || (magic !== PELE && magic !== ATMC)) return undefined;
  const release = releaseOf(u32(bytes, 4), bytes[8], magic === PELE);
  return release ? { release, confidence: "certain" } : { confidence: "likely", note: unknown(bytes, 0) };
}

/** Checks the footer at `at`. `base`: offset of the first of `bytes` in the input. */
export function checkFooter(bytes: Uint8Array, at: number, base = 0): void {
  if (bytes.length - (at - base) < 4) fail("truncated", "the data ends before the footer", base + bytes.length);
  if (u32(bytes, at - base) !== FOOTER) fail("footer", `expected the footer "TNAH", found ${shown(bytes, at - base)}`, at);
}
