// The lines of a text. They are split at LF; one CR before it is dropped (formats/introspection.md §3 "Grammar").

import { fail } from "./failure.ts";

/** No array of V8 has more elements than some 134.2 million, and the process ends where a text is split into more. */
export const MOST_ELEMENTS = 134_000_000;

/** The lines of a text by index, from 0. */
export class Lines {
  readonly raw: string[];
  /** Blank lines at the end count as no lines. */
  readonly count: number;

  /** Error `size-limit` for a text of more than `most` line ends. */
  constructor(text: string, most = MOST_ELEMENTS) {
    if (text.length > most && countBreaks(text) > most) fail("size-limit", `more than ${most} lines`, { line: most + 1 });
    this.raw = text.split("\n");
    let count = this.raw.length;
    while (count > 0 && this.isBlank(count - 1)) count--;
    this.count = count;
  }

  /** A line without its line end; "" behind the last. */
  at(index: number): string {
    const raw = this.raw[index] ?? "";
    return this.endsInCr(index) ? raw.slice(0, -1) : raw;
  }

  /** The line ended in CR LF. The text's last line has no LF, so a CR there belongs to it. */
  endsInCr(index: number): boolean {
    return index < this.raw.length - 1 && this.raw[index].endsWith("\r");
  }

  isBlank(index: number): boolean {
    return /^[ \t\r]*$/.test(this.raw[index]);
  }

  /** The line is exactly `depth` tabs and `brace`. */
  isBrace(index: number, depth: number, brace: "{" | "}"): boolean {
    return this.raw[index]?.[depth] === brace && this.at(index) === "\t".repeat(depth) + brace;
  }
}

/** How many line ends a text has. */
export function countBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/** The line begins with `depth` tabs. */
export function hasTabs(line: string, depth: number): boolean {
  for (let index = 0; index < depth; index++) if (line.charCodeAt(index) !== 9) return false;
  return true;
}
