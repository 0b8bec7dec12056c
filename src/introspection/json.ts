// The document as JSON text can hold it, layout included, so that text → JSON → text gives the same bytes
// (formats/introspection.md §4). What comes in is checked: JSON may come from anywhere.

import {
  type BlockNode,
  type IntrospectionDocument,
  type IntrospectionEntry,
  type IntrospectionKey,
  type IntrospectionNode,
  type IntrospectionVariable,
  isBlock,
  type ObjectNode,
} from "./document.ts";
import { fail } from "./failure.ts";
import { type IntrospectionLayout, keepLayout, layoutOf } from "./layout.ts";
import { spellInteger, spellKey, spellScalar } from "./notation.ts";
import { type IntrospectionLimits, withDefaults } from "./options.ts";
import { enter, type Place, pathOf, rootPlace } from "./place.ts";
import { type Descent, run } from "./trampoline.ts";

/**
 * A document as plain JSON data. It is the document itself, copied, and where the text it was read from was unusual a member
 * `layout` more, on the nodes concerned: `JSON.stringify` and {@link introspectionFromJson} lose nothing.
 *
 * @throws TuskError `bad-document`, `depth-limit`.
 */
export function introspectionToJson(document: IntrospectionDocument, limits?: Partial<IntrospectionLimits>): IntrospectionDocument {
  return copyDocument(document, withDefaults(limits).maxDepth, (from, to) => {
    const layout = layoutOf(from);
    if (layout !== undefined) Object.assign(to, { layout });
  });
}

/**
 * The document of JSON data: a JSON mirror as the format specifies it, or what {@link introspectionToJson} gave.
 *
 * @throws TuskError with the path: `bad-document`, `depth-limit`.
 */
export function introspectionFromJson(json: unknown, limits?: Partial<IntrospectionLimits>): IntrospectionDocument {
  return copyDocument(json as IntrospectionDocument, withDefaults(limits).maxDepth, (from, to) => {
    const layout = checkedLayout((from as { layout?: unknown }).layout);
    if (layout !== undefined) keepLayout(to, layout);
  });
}

type CopyLayout = (from: IntrospectionNode, to: IntrospectionNode) => void;

function copyDocument(document: IntrospectionDocument, maxDepth: number, copyLayout: CopyLayout): IntrospectionDocument {
  const place = rootPlace();
  if (document?.type !== "object" || document.object === null) fail("bad-document", "a document is an object's node", { path: "" });
  const copy = run(copyBlock(document, maxDepth, copyLayout, place)) as ObjectNode;
  copyLayout(document, copy);
  return copy;
}

function* copyBlock(node: BlockNode, maxDepth: number, copyLayout: CopyLayout, parent: Place): Descent<IntrospectionNode> {
  const place = enter(parent, maxDepth);
  // The label is copied first, which keeps printed JSON readable.
  function* children<T extends IntrospectionNode>(list: readonly T[], label?: "name" | "key"): Descent<T[]> {
    if (!Array.isArray(list)) fail("bad-document", `no elements in the node ${node.type}`, { path: pathOf(parent) });
    const copies: T[] = [];
    for (let index = 0; index < list.length; index++) {
      const child = list[index];
      place.step = index;
      if (typeof child !== "object" || child === null) fail("bad-document", "expected a node", { path: pathOf(place) });
      const copy = isBlock(child) ? yield copyBlock(child, maxDepth, copyLayout, place) : copyScalar(child, place);
      const labelled = label === undefined ? copy : { [label]: copyLabel(child, label, place), ...copy };
      copyLayout(child, labelled);
      copies.push(labelled);
    }
    return copies;
  }
  let copy: BlockNode;
  switch (node.type) {
    case "object": {
      const { type, object, id } = node;
      if (typeof object !== "string" || spellInteger(id) === undefined)
        fail("bad-document", "an object needs a name and an id", { path: pathOf(parent) });
      copy = { type, object, id, variables: yield children(node.variables, "name") };
      break;
    }
    case "custom":
      copy = { type: node.type, structure: String(node.structure), fields: yield children(node.fields, "name") };
      break;
    case "map":
      copy = { type: node.type, entries: yield children(node.entries, "key") };
      break;
    case "grid": {
      const { type, width, height, columns } = node;
      if (
        !Array.isArray(columns) ||
        columns.length !== width ||
        columns.some((column) => !Array.isArray(column) || column.length !== height)
      ) {
        fail("bad-document", "a grid's columns do not have its size", { path: pathOf(parent) });
      }
      copy = { type, width, height, columns: [] };
      for (const column of columns) copy.columns.push(yield children(column));
      break;
    }
    default:
      copy = { type: node.type, items: yield children(node.items) };
  }
  return copy;
}

function copyScalar(node: Exclude<IntrospectionNode, BlockNode>, place: Place): IntrospectionNode {
  spellScalar(node, "exact", "superset", { path: pathOf(place) });
  switch (node.type) {
    case "enum":
      return node.member !== undefined ? { type: node.type, member: node.member } : { type: node.type, index: node.index };
    case "undefined":
      return { type: node.type };
    case "object":
      return { type: node.type, object: null };
    case "asset":
      return { type: node.type, kind: node.kind, asset: node.asset };
    default:
      return { type: node.type, value: node.value } as IntrospectionNode;
  }
}

function copyLabel(node: IntrospectionNode, label: "name" | "key", place: Place): IntrospectionKey {
  const text = label === "name" ? (node as IntrospectionVariable).name : (node as IntrospectionEntry).key;
  if (label === "name" ? typeof text !== "string" : spellKey(text) === undefined) {
    fail("bad-document", label === "name" ? "expected a name" : "expected a key", { path: pathOf(place) });
  }
  return typeof text === "object" ? { real: text.real } : text;
}

/** The members of a layout that are what they must be; spellings are checked again where they are used. */
function checkedLayout(value: unknown): IntrospectionLayout | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const from = value as Record<string, unknown>;
  const layout: IntrospectionLayout = {};
  if (isLine(from.value, true)) layout.value = from.value;
  if (isLine(from.label, false)) layout.label = from.label;
  if (Array.isArray(from.cells)) layout.cells = from.cells;
  if (from.mode === "original") layout.mode = from.mode;
  if (from.newline === "\r\n") layout.newline = from.newline;
  if (Array.isArray(from.lineEnds)) layout.lineEnds = from.lineEnds;
  if (typeof from.end === "string" && /^(?:\r?\n[ \t\r\n]*)?$/.test(from.end)) layout.end = from.end;
  if (from.byteOrderMark === true) layout.byteOrderMark = true;
  if (from.floats === "exact") layout.floats = from.floats;
  return layout;
}

/** Text that stands on one line; values of original mode may go on. */
function isLine(text: unknown, several: boolean): text is string {
  return typeof text === "string" && (several || !text.includes("\n"));
}
