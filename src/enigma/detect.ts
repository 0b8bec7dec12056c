// Is this an ENIGMA save? It has no magic; a 20-byte digest stands at its end (formats/enigma.md §3).
import type { Detection } from "../detection.ts";
import { findDocument, looksBinary } from "./backend.ts";

const DIGEST = 20;

export function detectEnigma(bytes: Uint8Array): Detection | undefined {
  const end = bytes.length - DIGEST;
  if (end <= 0) return undefined;
  if (looksBinary(bytes, end)) return { format: "enigma", form: "binary", confidence: "likely" };
  // The document begins within the first bytes, behind zeros at most.
  const at = findDocument(bytes.subarray(0, Math.min(end, 4096)), Math.min(end, 4096));
  return at >= 0 && bytes[at] === 0x7b ? { format: "enigma", form: "json", confidence: "likely" } : undefined;
}
