// Reading what the original leaves ambiguous: labels that hold ` : `, strings that hold line breaks
// (formats/introspection.md §3 "Reading original files").

import type { ErrorPlace } from "../errors.ts";
import type { VariableDefinition } from "./definitions.ts";
import { fail } from "./failure.ts";
import { hasTabs, type Lines } from "./lines.ts";
import { NAME, readScalar } from "./notation.ts";
import { shapeAt } from "./value-shape.ts";

/** `whole`: the line holds a complete value; `open`: a string that has to go on. */
type Completeness = "whole" | "open" | undefined;

/** What must follow a string: a variable of the definition, the closing brace (null), or anything that fits the block. */
export type Expected = VariableDefinition | null | undefined;

export class OriginalLines {
  private readonly lines: Lines;
  /** Searches that reached the end of the text in vain, by what they looked for; a later one finds nothing either. Keeps reading linear. */
  private readonly vain = new Set<string>();
  /**
   * By depth, from 1: lines behind the current one that end in a quote and have a line with `depth - 1` tabs behind them, in reverse. All lists
   * together are no longer than the text; a search through all of it at each of 512 depths would not be linear.
   */
  private readonly ends: number[][] = [[], []];

  constructor(lines: Lines) {
    this.lines = lines;
    for (let last = lines.count - 2; last >= 0; last--) if (lines.at(last).endsWith('"')) this.ends[1].push(last);
  }

  /**
   * Where the label of an entry ends: the first ` : ` with a complete value behind it, else the first with an open string.
   * In an object's block an identifier before an open string decides at once, since variables' names hold no ` : `.
   * Throws `missing-value`, `bad-entry`, `bad-value`.
   */
  labelEnd(index: number, depth: number, inObject: boolean, place: ErrorPlace): number {
    const line = this.lines.at(index);
    const first = line.indexOf(" : ", depth);
    if (first < 0) fail("bad-entry", 'expected an entry with " : "', place);
    let open = -1;
    for (let end = first; end >= 0; end = line.indexOf(" : ", end + 1)) {
      const start = end + 3;
      // Behind an open string it is a part of that.
      if (open < 0 && isMissingValue(line, start)) fail("missing-value", "nothing stands behind the label", place);
      const found = this.completeness(index, line, start, depth);
      if (found === "whole") return end;
      if (found === "open" && open < 0) {
        open = end;
        if (inObject && end === first && NAME.test(line.slice(depth, end)) && this.stringEnd(index, start, depth, undefined) >= 0)
          return end;
      }
    }
    return Math.max(first, open);
  }

  /**
   * The last line of the string that begins on line `index` with its value at `start`: the first that ends in a quote and has a
   * fitting line behind it; line `index` itself if there is none and it ends in a quote; else -1.
   */
  stringEnd(index: number, start: number, depth: number, expected: Expected): number {
    const lines = this.lines;
    const whole = this.completeness(index, lines.at(index), start, depth) === "whole";
    const wanted = `${depth} ${expected && `${expected.types[0]} ${expected.name}`}`;
    if (whole && this.fits(index + 1, depth, expected)) return index;
    if (!this.vain.has(wanted)) {
      const all = this.ends;
      while (all.length <= depth) all.push(all[all.length - 1].filter((last) => lines.at(last + 1).charCodeAt(all.length - 2) === 9));
      const ends = all[depth];
      while (ends[ends.length - 1] <= index) ends.pop();
      for (let i = ends.length - 1; i >= 0; i--) if (this.fits(ends[i] + 1, depth, expected)) return ends[i];
      this.vain.add(wanted);
    }
    return whole ? index : -1;
  }

  private completeness(index: number, line: string, start: number, depth: number): Completeness {
    const shape = shapeAt(this.lines, index, line, start, depth);
    if (shape === undefined || shape.lacksBrace) return undefined;
    if (shape.block !== undefined) return "whole";
    if (shape.word === "string" && shape.body.startsWith('"')) return shape.body.length > 1 && shape.body.endsWith('"') ? "whole" : "open";
    return shape.word !== "string" && readScalar(shape.word, shape.body, "original", {}) !== undefined ? "whole" : undefined;
  }

  /** The line closes the block, or is an entry of this depth with a valid value; with a definition, exactly what comes next by it. */
  private fits(index: number, depth: number, expected: Expected): boolean {
    const lines = this.lines;
    if (index >= lines.count) return false;
    const closes = lines.isBrace(index, depth - 1, "}");
    if (expected === null || closes) return closes && !expected;
    const line = lines.at(index);
    if (!hasTabs(line, depth)) return false;
    if (expected !== undefined) {
      const start = depth + expected.name.length + 3;
      if (!line.startsWith(expected.name + " : ", depth) || this.completeness(index, line, start, depth) === undefined) return false;
      const shape = shapeAt(lines, index, line, start, depth);
      return (shape?.block ?? shape?.word) === expected.types[0];
    }
    for (let end = line.indexOf(" : ", depth); end >= 0; end = line.indexOf(" : ", end + 1)) {
      if (this.completeness(index, line, end + 3, depth) !== undefined) return true;
    }
    return false;
  }
}

/** `name : ` at the end of the line or followed by a tab: what the original leaves behind a warning (§2). */
export function isMissingValue(line: string, start: number): boolean {
  return start >= line.length || line.charCodeAt(start) === 9;
}
