// Reading what the original leaves ambiguous: labels that hold ` : `, strings that hold line breaks
// (formats/introspection.md §3 "Reading original files").

import type { ErrorPlace } from "../errors.ts";
import type { VariableDefinition } from "./definitions.ts";
import { fail } from "./failure.ts";
import { hasTabs, type Lines } from "./lines.ts";
import { NAME, readScalar, spellLabel } from "./notation.ts";
import { shapeAt } from "./value-shape.ts";

/** What must follow a string: a variable of the definition, the closing brace (null), or if it is undefined anything that fits the block. */
export type Expected = VariableDefinition | null;

export type OriginalLines = ReturnType<typeof originalLines>;

/** Where labels and strings end, in the lines of one text. */
export function originalLines(lines: Lines) {
  /**
   * By what a search looks for, the last line that it can find: without, a text could have all its rest searched in vain for each depth
   * and definition. Searches that find something pay by going on behind it. Filled by the first.
   */
  let reach: Map<string | number, number> | undefined;

  /**
   * Where the label of an entry ends: the first ` : ` with a complete value behind it, else the first with an open string. An open string that ends
   * somewhere comes before a value that the next line does not fit; in an object's block an identifier before it decides at once, since variables'
   * names hold no ` : `.
   * Throws `missing-value`, `bad-entry`, `bad-value`.
   */
  function labelEnd(index: number, depth: number, inObject: boolean, place: ErrorPlace): number {
    const line = lines.at(index);
    const first = line.indexOf(" : ", depth);
    if (first < 0) fail("bad-entry", 'expected an entry with " : "', place);
    let open = -1;
    for (let end = first; end >= 0; end = line.indexOf(" : ", end + 1)) {
      const start = end + 3;
      // Behind an open string it is a part of that.
      if (open < 0 && isMissingValue(line, start)) fail("missing-value", "no value behind the label", place);
      const type = typeAt(index, line, start, depth);
      if (type === undefined) continue;
      if (isWhole(type, line, start)) {
        const whole = open < 0 || shapeAt(lines, index, line, start, depth)?.block || fits(index + 1, depth);
        return whole || stringEnd(index, open + 3, depth) < 0 ? end : open;
      }
      if (open < 0) {
        open = end;
        if (inObject && end === first && NAME.test(line.slice(depth, end)) && stringEnd(index, start, depth) >= 0) return end;
      }
    }
    return Math.max(first, open);
  }

  /**
   * The last line of the string that begins on line `index` with its value at `start`: the first that ends in a quote and has a
   * fitting line behind it; line `index` itself if there is none and it ends in a quote; else -1.
   */
  function stringEnd(index: number, start: number, depth: number, expected?: Expected): number {
    const line = lines.at(index);
    const whole = isWhole(typeAt(index, line, start, depth), line, start);
    if (whole && fits(index + 1, depth, expected)) return index;
    reach ??= findReach();
    const key = expected === undefined ? depth : keyOf(depth, expected?.types[0], expected?.name);
    // Whether an odd name stands anywhere only a search can tell, which is made once.
    const furthest = reach.get(key) ?? (expected && spellLabel(expected.name) !== expected.name ? lines.count : 0);
    if (furthest > index) {
      for (let last = index + 1; last < lines.count; last++)
        if (lines.at(last).endsWith('"') && fits(last + 1, depth, expected)) return last;
      reach.set(key, 0);
    }
    return whole ? index : -1;
  }

  function findReach(): Map<string | number, number> {
    const found = new Map<string | number, number>();
    for (let last = 0, index = 1; index < lines.count; last = index++) {
      if (!lines.at(last).endsWith('"')) continue;
      const line = lines.at(index);
      const tabs = line.search(/[^\t]|$/);
      if (lines.isBrace(index, tabs, "}")) found.set(tabs + 1, last).set(keyOf(tabs + 1), last);
      const end = line.indexOf(" : ", tabs);
      if (end < 0) continue;
      found.set(keyOf(tabs, typeAt(index, line, end + 3, tabs), line.slice(tabs, end)), last);
      // What a brace on the next line opens, it opens at one depth; anything else fits at all depths up to the line's tabs.
      const opening = lines.at(index + 1).length - 1;
      if (fits(index, opening)) found.set(opening, last);
      // No text is long enough for more depth.
      if (fits(index, opening === tabs ? tabs - 1 : tabs)) for (let depth = Math.min(tabs, 1e5); depth > 0; depth--) found.set(depth, last);
    }
    return found;
  }

  /** The type of a complete value, or of a string that may have to go on. */
  function typeAt(index: number, line: string, start: number, depth: number): string | undefined {
    const shape = shapeAt(lines, index, line, start, depth);
    if (!shape || shape.block || shape.lacksBrace) return shape?.block;
    const { word, body } = shape;
    return (word === "string" ? body.startsWith('"') : readScalar(word, body, "original", {})) ? word : undefined;
  }

  /** The line closes the block, or is an entry of this depth with a valid value; with a definition, exactly what comes next by it. */
  function fits(index: number, depth: number, expected?: Expected): boolean {
    if (lines.isBrace(index, depth - 1, "}")) return !expected;
    const line = lines.at(index);
    if (expected === null || !hasTabs(line, depth)) return false;
    for (let end = line.indexOf(" : ", depth); end >= 0; end = line.indexOf(" : ", end + 1)) {
      if (expected && line.slice(depth, end) !== expected.name) continue;
      const type = typeAt(index, line, end + 3, depth);
      if (expected ? type === expected.types[0] : type) return true;
    }
    return false;
  }

  return { labelEnd, stringEnd };
}

/** What a definition expects, or the closing brace. */
const keyOf = (depth: number, type?: string, name?: string) => `${depth} ${type} ${name}`;

/** A string that ends in a quote, or any other value that is complete. */
function isWhole(type: string | undefined, line: string, start: number): boolean {
  return type === "string" ? line.endsWith('"') && line.length > start + 'string = "'.length : type !== undefined;
}

/** `name : ` at the end of the line or followed by a tab: what the original leaves behind a warning (§2). */
export function isMissingValue(line: string, start: number): boolean {
  return start >= line.length || line.charCodeAt(start) === 9;
}
