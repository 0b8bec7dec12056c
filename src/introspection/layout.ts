// What a text holds beyond its document: line ends, byte order mark, unusual spellings (`1e-3`, `ref instance 5`, a quoted
// label that needs no quotes). The reader keeps it beside the nodes, so that the document is exactly the JSON mirror of §4 and
// can still be written again byte for byte.

import type { IntrospectionDatabase } from "./definitions.ts";
import type { IntrospectionDocument, IntrospectionNode } from "./document.ts";
import type { Mode } from "./notation.ts";

/** How a text was laid out; every member is absent where the text is what the writer would write. */
export interface IntrospectionLayout {
  /** The line as it stood behind its tabs, e.g. `_x : float = 1e-3`. */
  line?: string;
  /** What the writer would have written, e.g. `_x : float = 0.00100`; once it writes something else, `line` no longer counts. */
  usual?: string;
  /** Grid: the numbers x * height + y of its cells, in the order of the text. */
  cells?: number[];
  /** Document, or a node that has a `line`: the dialect it was read in. */
  mode?: Mode;
  /** Document that was read in that dialect: the definitions, which told where its strings end. */
  definitions?: IntrospectionDatabase | undefined;
  /** Document of JSON: there had been such. */
  defined?: true;
  /** Document: the line end of its first line. */
  newline?: "\r\n";
  /** Document: numbers (from 0) of the lines that end the other way. */
  lineEnds?: number[];
  /** Document: what follows the last brace. */
  end?: string;
  /** Document: a byte order mark came first. */
  byteOrderMark?: true;
  /** Document: floats are written exactly. */
  floats?: "exact";
}

const layouts = /* @__PURE__ */ new WeakMap<object, IntrospectionLayout | undefined>();

/** A shallow copy of a node, or what stands in its place, for which the same is kept. */
export function copyWithLayout(node: IntrospectionNode, copy: IntrospectionNode = { ...node }): IntrospectionNode {
  layouts.set(copy, layouts.get(node));
  return copy;
}

/** Adds to what is kept for a node. */
export function keepLayout(node: IntrospectionNode, layout: IntrospectionLayout): void {
  layouts.set(node, { ...layouts.get(node), ...layout });
}

/** The layout kept for a node, if it is unusual in any way. */
export function layoutOf(node: IntrospectionNode | IntrospectionDocument): IntrospectionLayout | undefined {
  return layouts.get(node);
}
