// Where a walk over values stands: the path for errors, the depth, and what is open, to refuse cycles and bottomless data.

import type { ErrorPlace } from "../errors.ts";
import { cellAt } from "./document.ts";
import { fail } from "./failure.ts";
import type { CallLimits } from "./options.ts";

/** Instances and structures of one call, of a document all blocks, each counted wherever it stands. */
const MOST_VISITED = 4_000_000;

/** A place inside a document or a value; errors take it for theirs. */
export class Place {
  readonly parent: Place | undefined;
  readonly depth: number;
  /** The instance or structure whose members are being visited; null for a block of a document. */
  readonly open: object | null | undefined;
  /** The child being visited: `.name`, `["key"]`, an index, or the number of a grid's cell. Set before each visit. */
  step: string | number;
  /** Grid. */
  height: number | undefined;

  /** The outermost place; `step`: where it stands itself, when it is a value inside a document. */
  constructor(step = "", parent?: Place, open?: object | null) {
    this.parent = parent;
    this.depth = parent ? parent.depth + 1 : 0;
    this.open = open;
    this.step = step;
  }

  get path(): string {
    let path = "";
    for (let at: Place | undefined = this; at; at = at.parent) {
      const { step, height } = at;
      path = (typeof step === "string" ? step : `[${height === undefined ? step : cellAt(step, height)}]`) + path;
    }
    return path;
  }
}

/** Error `depth-limit` where a block would stand inside `depth` others. */
export function checkDepth(depth: number, maxDepth: number, place: ErrorPlace): void {
  if (depth >= maxDepth) fail("depth-limit", "more blocks inside each other than limits.maxDepth", place);
}

/**
 * The place inside a block. Throws `depth-limit`; `cycle` if `open` is being visited already; and `too-long` where more are visited than a text is
 * likely to hold, because few that are shared may stand for any number. Null for `open` is only counted.
 */
export function enter(parent: Place, limits: CallLimits, open?: object | null): Place {
  checkDepth(parent.depth, limits.maxDepth, parent);
  if (open !== undefined && ++limits.visited > MOST_VISITED) fail("too-long", "too many blocks", parent);
  for (let at: Place | null | undefined = open && parent; at; at = at.parent) {
    if (at.open === open) fail("cycle", "the value holds itself", parent);
  }
  return new Place("", parent, open);
}
