// What kind of value stands behind a ` : `, as far as its own line and the next one tell (formats/introspection.md §3 "Grammar").

import type { Lines } from "./lines.ts";
import { NAME } from "./notation.ts";

// Not `(.*)` for the body: a hostile line with many ` : ` would be scanned to its end for each.
const WORD = /([A-Za-z_]\w*) =(?: |$)/y;
const GRID_SIZE = /^(?:0|[1-9]\d*)x(?:0|[1-9]\d*)$/;

type BlockKind = "array" | "list" | "map" | "grid" | "custom" | "object";

export interface ValueShape {
  /** The word before ` =`: a type, or an object's name. */
  word: string;
  /** What stands behind `= `; "" for a line that ends in ` =`. */
  body: string;
  /** The block that the value opens. */
  block?: BlockKind | undefined;
  /** The value opens a block, but the next line has no brace. */
  lacksBrace?: boolean;
}

/**
 * The shape of the value at `start` of a line; undefined if no word and ` =` stand there. `NAME = INTEGER` is an object exactly when
 * the next line opens a block: an object may be called `int`.
 */
export function shapeAt(lines: Lines, index: number, line: string, start: number, depth: number): ValueShape | undefined {
  WORD.lastIndex = start;
  const match = WORD.exec(line);
  if (match === null) return undefined;
  const word = match[1];
  const body = line.slice(start + match[0].length);
  // Only the last ` : ` of a line can open a block. To ask for each, with many tabs, takes time in proportion to the square of the text.
  const opens = !body.includes(" : ") && lines.isBrace(index + 1, depth, "{");
  const bare = match[0].endsWith("=");
  // Behind its space a member's name may be empty.
  if (bare && word === "enum") return undefined;
  const isBlock = word === "grid" ? GRID_SIZE.test(body) : word === "custom" ? NAME.test(body) : bare && /^(array|list|map)$/.test(word);
  return opens
    ? { word, body, block: instanceId(body) ? "object" : isBlock ? (word as BlockKind) : undefined }
    : { word, body, lacksBrace: isBlock };
}

/** The digits of an instance id, also as newer runtimes print it: `ref instance 5` (§3 "Instance ids"). */
export function instanceId(body: string): string | undefined {
  return /^(?:ref instance )?(-?\d+)$/.exec(body)?.[1];
}
