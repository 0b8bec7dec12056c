// The lines of a text. They are split at LF; one CR before it is dropped (formats/introspection.md §3 "Grammar").

const CR = 0x0d;

/** The lines of a text by index, from 0. */
export class Lines {
  readonly raw: string[];
  /** Blank lines at the end count as no lines. */
  readonly count: number;

  constructor(text: string) {
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
    const raw = this.raw[index];
    return index < this.raw.length - 1 && raw.charCodeAt(raw.length - 1) === CR;
  }

  isBlank(index: number): boolean {
    return /^[ \t\r]*$/.test(this.raw[index]);
  }

  /** The line is exactly `depth` tabs and `brace`. */
  isBrace(index: number, depth: number, brace: "{" | "}"): boolean {
    return this.raw[index]?.[depth] === brace && this.at(index) === "\t".repeat(depth) + brace;
  }
}

/** The line begins with `depth` tabs. */
export function hasTabs(line: string, depth: number): boolean {
  for (let index = 0; index < depth; index++) if (line.charCodeAt(index) !== 9) return false;
  return true;
}
