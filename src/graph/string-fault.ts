// What cannot be stored of text.

import { hasLoneSurrogate } from "../engine/platform-text.ts";

/** Why a string cannot be stored. */
export type StringFault = "nul-in-string" | "lone-surrogate";

/** Why `text` cannot be stored; undefined when it can. */
export function stringFault(text: string): StringFault | undefined {
  if (text.includes("\0")) return "nul-in-string";
  if (hasLoneSurrogate(text)) return "lone-surrogate";
  return undefined;
}
