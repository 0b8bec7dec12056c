// Where a walk over values stands: the path for errors, the depth, and what is open, to refuse cycles and bottomless data.

import { fail } from "./failure.ts";

export interface Place {
  parent: Place | undefined;
  /** The child being visited: `.name`, `["key"]`, or an index. Set before each visit. */
  step: string | number;
  depth: number;
  /** The instance or structure whose members are being visited. */
  open: object | undefined;
}

/** The outermost place; `path`: where it stands itself, when it is a value inside a document. */
export function rootPlace(path = ""): Place {
  return { parent: undefined, step: path, depth: 0, open: undefined };
}

/** The place inside a block. Throws `depth-limit`, and `cycle` if `open` is being visited already. */
export function enter(parent: Place, maxDepth: number, open?: object): Place {
  if (parent.depth >= maxDepth) fail("depth-limit", `more than ${maxDepth} blocks inside each other`, { path: pathOf(parent) });
  for (let at: Place | undefined = open && parent; at !== undefined; at = at.parent) {
    if (at.open === open) fail("cycle", "the value holds itself", { path: pathOf(parent) });
  }
  return { parent, step: "", depth: parent.depth + 1, open };
}

/** The path of a place. */
export function pathOf(place: Place): string {
  let path = "";
  for (let at: Place | undefined = place; at !== undefined; at = at.parent) {
    path = (typeof at.step === "number" ? `[${at.step}]` : at.step) + path;
  }
  return path;
}
