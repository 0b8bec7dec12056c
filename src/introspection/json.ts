// The document as JSON text can hold it, layout included, so that text → JSON → text gives the same bytes
// (formats/introspection.md §4). What comes in is checked: JSON may come from anywhere.

import type { Given } from "../options.ts";
import { childrenOf, type IntrospectionDocument, type IntrospectionNode, isBlock, MEMBER_OF } from "./document.ts";
import { writeIntrospectionDocument } from "./document-writer.ts";
import { type IntrospectionLayout, keepLayout, layoutOf } from "./layout.ts";
import type { IntrospectionLimits } from "./options.ts";

/** A node as JSON holds it: its label first, which keeps printed JSON readable, and its layout. */
type JsonNode = IntrospectionNode & { layout?: IntrospectionLayout };

/**
 * A document as plain JSON data. It is the document itself, copied, and where the text it was read from was unusual a member
 * `layout` more, on the nodes concerned: `JSON.stringify` and {@link introspectionFromJson} lose nothing.
 *
 * @throws TuskError `bad-document`, `depth-limit`, `size-limit`.
 */
export function introspectionToJson(document: IntrospectionDocument, limits?: Given<IntrospectionLimits>): IntrospectionDocument {
  writeIntrospectionDocument(document, { limits, mode: "superset" });
  return copyTree(document, (node) => {
    const { name, key, ...rest } = node as IntrospectionNode & { name?: string; key?: unknown };
    const { definitions, ...kept } = layoutOf(node) ?? {};
    const layout = definitions ? { ...kept, defined: true } : layoutOf(node);
    return { ...(name !== undefined && { name }), ...(key !== undefined && { key }), ...rest, ...(layout && { layout }) } as JsonNode;
  });
}

/**
 * The document of JSON data: a JSON mirror as the format specifies it, or what {@link introspectionToJson} gave. The lines that a `layout` keeps, and `defined`, are
 * believed and not compared with the values: JSON from strangers should have none.
 *
 * @throws TuskError with the path: `bad-document`, `depth-limit`, `size-limit`.
 */
export function introspectionFromJson(json: unknown, limits?: Given<IntrospectionLimits>): IntrospectionDocument {
  // Whatever can be written is a document, and ends.
  writeIntrospectionDocument(json as IntrospectionDocument, { limits, mode: "superset" });
  return copyTree(json as IntrospectionDocument, (node) => {
    const { layout, ...copy } = node as JsonNode;
    const checked = checkedLayout(layout);
    if (checked !== undefined) keepLayout(copy as IntrospectionNode, checked);
    return copy as IntrospectionNode;
  });
}

/** Copies a document that is known to be one; `copyNode` makes shallow copies. */
function copyTree(document: IntrospectionDocument, copyNode: (node: IntrospectionNode) => IntrospectionNode): IntrospectionDocument {
  const root = copyNode(document) as IntrospectionDocument;
  const open: IntrospectionNode[] = [root];
  const copyAll = (list: readonly IntrospectionNode[]) => {
    const copies = list.map(copyNode);
    for (const copy of copies) if (isBlock(copy)) open.push(copy);
    return copies;
  };
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!isBlock(node)) continue;
    const copies = node.type === "grid" ? node.columns.map(copyAll) : copyAll(childrenOf(node));
    Object.assign(node, { [MEMBER_OF[node.type]]: copies });
  }
  return root;
}

/** The members of a layout that are what they must be. */
function checkedLayout(value: unknown): IntrospectionLayout | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { line, usual, cells, mode, defined, newline, lineEnds, end, byteOrderMark, floats } = value as IntrospectionLayout;
  const layout: IntrospectionLayout = {};
  if (typeof line === "string" && typeof usual === "string") Object.assign(layout, { line, usual });
  if (Array.isArray(cells)) layout.cells = cells;
  if (mode === "original") layout.mode = mode;
  if (defined === true) layout.defined = defined;
  if (newline === "\r\n") layout.newline = newline;
  if (Array.isArray(lineEnds)) layout.lineEnds = lineEnds;
  if (typeof end === "string" && /^(?:\r?\n[ \t\r\n]*)?$/.test(end)) layout.end = end;
  if (byteOrderMark === true) layout.byteOrderMark = byteOrderMark;
  if (floats === "exact") layout.floats = floats;
  return layout;
}
