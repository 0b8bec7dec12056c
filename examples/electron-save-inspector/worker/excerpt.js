// Two long texts that begin alike, from shortly before they differ.
import { bytesText, quoted, shortened } from "./formats/scalars.js";

/** How much is shown of what both have in common. */
const COMMON = 12;
/** Characters of a byte, with the space behind it. */
const BYTE = 3;
/** Of long bytes, those before the first difference, and behind it, that have an excerpt made of them: more than it shows. */
const BEFORE = 2 * COMMON;
const BEHIND = 200;

/** Where two texts, or bytes, differ first; where one is the beginning of the other, that is its end. */
export function firstDifference(a, b) {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

/** The texts of two bytes; of long ones what lies around the first difference. */
export function bytesAround(a, b) {
  const from = Math.max(0, firstDifference(a, b) - BEFORE);
  return [a, b].map((bytes) => bytesText(bytes.subarray(from, from + BEFORE + BEHIND)));
}

/** Where an excerpt of a text begins so that the first difference from another one is in sight; 0: the beginning does for that. */
export function excerptStart(type, text, other) {
  const at = text === other ? 0 : firstDifference(text, other);
  if (at <= 2 * COMMON) return 0;
  const start = at - COMMON;
  if (type === "bytes") return start - (start % BYTE);
  // Not between the halves of a pair.
  return text.codePointAt(start - 1) > 0xffff ? start - 1 : start;
}

/** A scalar's text from `start` on, as rows show texts. */
export function excerpt(type, text, start) {
  const rest = text.slice(start);
  return `…${type === "string" || type === "text" ? quoted(rest) : shortened(rest)}`;
}
