// Is this an ENIGMA save? It has no magic; a 20-byte digest stands at its end (formats/enigma.md §3).
import type { Detection } from "../detection.ts";
import { findDocument, looksBinary } from "./backend.ts";

const DIGEST = 20;
/** A document begins behind the zero bytes of the game's buffer, or not far behind something else. */
const GLANCE = 4096;

export function detectEnigma(bytes: Uint8Array): Detection | undefined {
  const end = bytes.length - DIGEST;
  if (end <= 0) return undefined;
  const at = findDocument(bytes, end, GLANCE);
  if (at === end || (at < 0 && !looksBinary(bytes, end))) return undefined;
  return { format: "enigma", form: at < 0 ? "binary" : "json", confidence: "likely" };
}
