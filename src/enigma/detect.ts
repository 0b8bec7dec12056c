// Is this an ENIGMA save? It has no magic; a 20-byte digest stands at its end (formats/enigma.md §3).
import type { Detection } from "../detection.ts";
import { findDocument, looksBinary } from "./backend.ts";

const DIGEST = 20;

export function detectEnigma(bytes: Uint8Array): Detection | undefined {
  const end = bytes.length - DIGEST;
  if (end <= 0) return undefined;
  if (looksBinary(bytes, end)) return { format: "enigma", form: "binary", confidence: "likely" };
  // The document begins behind the zero bytes of the game's buffer, or not far behind something else.
  let glance = 0;
  while (glance < end && bytes[glance] === 0) glance++;
  glance = Math.min(end, glance + 4096);
  const at = findDocument(bytes, glance);
  return at >= 0 && at < glance ? { format: "enigma", form: "json", confidence: "likely" } : undefined;
}
