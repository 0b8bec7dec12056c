// Is this an Elephant save, or its export string?
import { Inflate } from "pako";
import type { DetectionOf } from "../detection.ts";
import { detectRelease } from "./releases.ts";

/** By magic and version word. */
export function detectElephant(bytes: Uint8Array): DetectionOf<"elephant"> | undefined {
  const found = detectRelease(bytes);
  return found && { format: "elephant", form: "binary", ...found };
}

/** Characters of an export string that are looked at: enough for the save's first 9 bytes. */
const GLANCE = 2048;

/** By the base64 alphabet, the zlib header, and the save's beginning inside. */
export function detectExportString(text: string): DetectionOf<"elephant"> | undefined {
  const glance = text.slice(0, GLANCE);
  if (glance.length < 12 || !/^[A-Za-z0-9+/]+={0,2}[\s\0]*$/.test(glance)) return undefined;
  const digits = glance.replace(/[=\s\0]+$/, "");
  const binary = atob(digits.slice(0, digits.length & ~3));
  const packed = Uint8Array.from(binary, (unit) => unit.charCodeAt(0));
  // RFC 1950: method 8, and the two header bytes are a multiple of 31.
  if (packed.length < 3 || (packed[0] & 15) !== 8 || ((packed[0] << 8) | packed[1]) % 31 !== 0) return undefined;
  const inflate = new Inflate({ chunkSize: 16 });
  let beginning: Uint8Array | undefined;
  inflate.onData = (chunk) => {
    beginning ??= chunk as Uint8Array;
  };
  const SYNC_FLUSH = 2;
  inflate.push(packed, SYNC_FLUSH);
  const found = beginning && detectElephant(beginning);
  return found && { ...found, form: "export string" };
}
