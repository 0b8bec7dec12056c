// Which format is this? Asked of the first bytes, each format in turn; the ones that are surest of themselves first.

import type { Detection } from "./detection.ts";
import { detectDs } from "./ds/detect.ts";
import { detectElephant, detectExportString } from "./elephant/detect.ts";
import { bytesIn } from "./engine/given-bytes.ts";
import { decodable, utf8 } from "./engine/platform-text.ts";
import { detectEnigma } from "./enigma/detect.ts";
import { detectIntrospection } from "./introspection/detect.ts";

/** How much of the input is looked at as text. */
export const GLANCE = 4096;

/**
 * Names the format and release of a save: Elephant of any release, its export string, a `ds_*_write` string, an ENIGMA save (binary
 * or JSON), object introspection text; undefined for anything else. Only the beginning is looked at (and, for ENIGMA, the length, what
 * follows the zero bytes of the game's buffer, and whether a save that begins as binary ones do ends as a document), so a damaged file is
 * still named. ENIGMA and Elephant's binary saves are known as bytes only, not as strings. {@link Detection} lists what it may say.
 *
 * @example
 * detect(bytes); // { format: "elephant", release: "1.5.1", form: "binary", confidence: "certain" }
 */
export function detect(input: ArrayBufferLike | ArrayBufferView | string): Detection | undefined {
  const bytes = bytesIn(input);
  const text = bytes ? utf8.decode(decodable(bytes.subarray(0, GLANCE))) : typeof input === "string" ? input.slice(0, GLANCE) : "";
  return (
    // No other format has what this one looks for, but the name in front of that may begin as they do.
    detectIntrospection(text) ??
    (bytes && detectElephant(bytes)) ??
    detectDs(text) ??
    (bytes && detectEnigma(bytes)) ??
    detectExportString(text)
  );
}
