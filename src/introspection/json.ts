// The document as JSON text can hold it, layout included, so that text → JSON → text gives the same bytes
// (formats/introspection.md §4). What comes in is checked: JSON may come from anywhere.

import type { Given } from "../options.ts";
import { copyTree, type IntrospectionDocument, type IntrospectionNode, labelsOf } from "./document.ts";
import { writeIntrospectionDocument } from "./document-writer.ts";
import { type IntrospectionLayout, keepLayout, layoutOf } from "./layout.ts";
import type { IntrospectionLimits } from "./options.ts";

/** A document as JSON holds it, or a node of it: with its layout, if that is unusual. The types of nodes inside do not name it. */
export type IntrospectionJson<N extends IntrospectionNode = IntrospectionDocument> = N & { layout?: IntrospectionLayout };

/**
 * A document as plain JSON data. It is the document itself, copied, and where the text it was read from was unusual a member
 * `layout` more, on the nodes concerned: `JSON.stringify` and {@link introspectionFromJson} lose nothing. In nodes that a program has made or changed, -0, NaN and
 * infinities are to be spelled, as in what was read (`"-0"`, `"nan"`, `"inf"`, `"-inf"`), since JSON has no such numbers.
 *
 * @throws TuskError as {@link introspectionFromJson}.
 */
export function introspectionToJson(document: IntrospectionDocument, limits?: Given<IntrospectionLimits>): IntrospectionJson {
  return copyDocument(document, limits, (node) => {
    const layout = layoutOf(node);
    // The label first, which keeps printed JSON readable.
    return { ...labelsOf(node), ...node, ...(layout && { layout: checkedLayout(layout) }) } as IntrospectionJson<IntrospectionNode>;
  });
}

/**
 * The document of JSON data: a JSON mirror as the format specifies it, or what {@link introspectionToJson} gave. The lines that a `layout` keeps, and `defined`, are
 * believed and not compared with the values: JSON from strangers should have none.
 *
 * @throws TuskError with the path: `bad-document`, `depth-limit`, `size-limit`; without one `too-long`, `bad-option`, and `bad-document` for what is
 * no document at all.
 */
export function introspectionFromJson(json: unknown, limits?: Given<IntrospectionLimits>): IntrospectionDocument {
  return copyDocument(json as IntrospectionDocument, limits, (node) => {
    const { layout, ...copy } = node as IntrospectionJson<IntrospectionNode>;
    if (layout) keepLayout(copy as IntrospectionNode, checkedLayout(layout));
    return copy as IntrospectionNode;
  });
}

/** Copies what must be a document; `copyNode` makes shallow copies. */
function copyDocument(
  document: IntrospectionDocument,
  limits: Given<IntrospectionLimits> | undefined,
  copyNode: (node: IntrospectionNode) => IntrospectionNode,
): IntrospectionDocument {
  // Whatever can be written is a document, and ends.
  writeIntrospectionDocument(document, { limits, mode: "superset" });
  return copyTree(document, copyNode) as IntrospectionDocument;
}

/** The one value that these members of a layout have, if they are there. */
const ONLY = { mode: "original", defined: true, newline: "\r\n", byteOrderMark: true, floats: "exact" } as const;

/** A copy of a layout, of the members that are what they must be; of definitions that there were some. */
function checkedLayout(given: IntrospectionLayout): IntrospectionLayout {
  const { line, usual, cells, lineEnds, end } = given;
  const layout: IntrospectionLayout = {};
  if (typeof line === "string" && typeof usual === "string") Object.assign(layout, { line, usual });
  if (Array.isArray(cells)) layout.cells = cells.slice();
  if (Array.isArray(lineEnds)) layout.lineEnds = lineEnds.slice();
  if (typeof end === "string" && /^(?:\r?\n[ \t\r\n]*)?$/.test(end)) layout.end = end;
  if (given.definitions) layout.defined = true;
  for (const [name, value] of Object.entries(ONLY)) if (given[name as "mode"] === value) Object.assign(layout, { [name]: value });
  return layout;
}
