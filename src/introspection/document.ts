// The document: the JSON mirror of an introspection text (formats/introspection.md §4). Arrays of labelled nodes instead of
// JSON objects keep the order and make keys such as `__proto__` plain data.

import type { ErrorPlace } from "../errors.ts";
import { fail, textOf } from "./failure.ts";

/**
 * A whole number. What was read has a JavaScript number up to 2^53 and decimal digits as a string beyond; a program may put in either of any size.
 */
export type IntrospectionInteger = number | string;

/** A real number in a form that JSON can hold: `nan`, `inf`, `-inf` and `-0` by name. */
export type IntrospectionReal = number | "nan" | "inf" | "-inf" | "-0";

/** The key of a map entry. Reals that JSON cannot hold stand as `{ real }`. */
export type IntrospectionKey = string | number | boolean | { real: "nan" | "inf" | "-inf" | "-0" };

/** An int. */
export interface IntNode {
  type: "int";
  value: IntrospectionInteger;
}
/** A float. */
export interface FloatNode {
  type: "float";
  value: IntrospectionReal;
}
/** A bool. */
export interface BoolNode {
  type: "bool";
  value: boolean;
}
/** A string. */
export interface StringNode {
  type: "string";
  value: string;
}
/** An enum value: by its member's name, or by `index` where it has no (unambiguous) name. */
export type EnumNode =
  | { type: "enum"; member: string; index?: undefined }
  | { type: "enum"; index: IntrospectionInteger; member?: undefined };
/** The value undefined, which any type may have. */
export interface UndefinedNode {
  type: "undefined";
}
/** A reference that refers to no instance. */
export interface NooneNode {
  type: "object";
  object: null;
}
/** An asset by name; `asset: null` for none. */
export interface AssetNode {
  type: "asset";
  kind: string;
  asset: string | null;
}
/** An array or a list. */
export interface ItemsNode {
  type: "array" | "list";
  items: IntrospectionNode[];
}
/** Entries in the order of the text. */
export interface MapNode {
  type: "map";
  entries: IntrospectionEntry[];
}
/** `columns[x][y]`. */
export interface GridNode {
  type: "grid";
  width: number;
  height: number;
  columns: IntrospectionNode[][];
}
/** A custom structure: its name and its fields. */
export interface CustomNode {
  type: "custom";
  structure: string;
  fields: IntrospectionVariable[];
}
/** An instance: its object's name, its id, its variables in definition order. */
export interface ObjectNode {
  type: "object";
  object: string;
  id: IntrospectionInteger;
  variables: IntrospectionVariable[];
}

/** A node that is one line. */
export type ScalarNode = IntNode | FloatNode | BoolNode | StringNode | EnumNode | UndefinedNode | NooneNode | AssetNode;
/** A node with a block of its own. */
export type BlockNode = ItemsNode | MapNode | GridNode | CustomNode | ObjectNode;
/** Any value of a document; see `formats/introspection.md` §4 for the table of nodes. */
export type IntrospectionNode = ScalarNode | BlockNode;
/** A variable of an object, or a field of a custom structure: a node with its name. */
export type IntrospectionVariable = IntrospectionNode & { name: string };
/** An entry of a map: a node with its key. */
export type IntrospectionEntry = IntrospectionNode & { key: IntrospectionKey };
/** A document: the node of the outermost object. */
export type IntrospectionDocument = ObjectNode;

/** Throws `bad-document` for what is no document. */
export function checkDocument(document: IntrospectionDocument): IntrospectionDocument {
  return document?.type === "object" && document.object !== null ? document : fail("bad-document", "expected a document");
}

/** True for the nodes that open a block of their own. Throws `bad-document` where no node is. */
export function isBlock(node: IntrospectionNode, place?: ErrorPlace): node is BlockNode {
  switch (node?.type) {
    case "array":
    case "list":
    case "map":
    case "grid":
    case "custom":
      return true;
    case "object":
      return node.object !== null;
    default:
      return node ? false : fail("bad-document", "a node is missing", place);
  }
}

/** Where a block holds its elements. */
export const MEMBER_OF = { array: "items", list: "items", map: "entries", grid: "columns", custom: "fields", object: "variables" } as const;

/** The list of a block's elements, of a grid its columns. Throws `bad-document` for what is none. */
export function elementsOf(node: BlockNode, place?: ErrorPlace): readonly unknown[] {
  const elements = (node as unknown as Record<string, unknown>)[MEMBER_OF[node.type]];
  return (node.type === "grid" ? isMatrix(elements, node.width, node.height) : Array.isArray(elements))
    ? (elements as unknown[])
    : fail("bad-document", `${node.type}: no elements, or not as many as its size says`, place);
}

/** The labelled children of a block; a grid's cells column by column, as they are written (§3). */
export function childrenOf(node: BlockNode, place?: ErrorPlace): IntrospectionNode[] {
  const elements = elementsOf(node, place);
  return (node.type === "grid" ? cellsOf(elements as unknown[][]) : elements) as IntrospectionNode[];
}

/** Copies a node with all in it, which must be checked before; `copyNode` makes shallow copies. */
export function copyTree(root: IntrospectionNode, copyNode: (node: IntrospectionNode) => IntrospectionNode): IntrospectionNode {
  const blocks: BlockNode[] = [];
  const copyOf = (node: IntrospectionNode) => {
    const copy = copyNode(node);
    if (isBlock(copy)) blocks.push(copy);
    return copy;
  };
  const copy = copyOf(root);
  for (const block of blocks) {
    const copies = block.type === "grid" ? block.columns.map((column) => column.map(copyOf)) : childrenOf(block).map(copyOf);
    Object.assign(block, { [MEMBER_OF[block.type]]: copies });
  }
  return copy;
}

/** The label of a block's child, where it has one of its own. */
export function labelOf(parent: BlockNode, child: IntrospectionNode): unknown {
  const { name, key } = child as { name?: unknown; key?: unknown };
  return parent.type === "map" ? key : parent.type === "object" || parent.type === "custom" ? name : undefined;
}

/** The label of a node by the name that it has there. */
export function labelsOf(node: IntrospectionNode): { name?: string; key?: IntrospectionKey } {
  const { name, key } = node as { name?: string; key?: IntrospectionKey };
  return { ...(name !== undefined && { name }), ...(key !== undefined && { key }) };
}

/** One step of a path as errors print it: `.name`, `[3]`, `["key"]`, `[x,y]`. */
export function pathStep(parent: BlockNode, child: IntrospectionNode, index: number): string {
  if (parent.type === "grid") return `[${cellAt(index, parent.height)}]`;
  // Where a node is missing, its label is, too.
  if (!child || MEMBER_OF[parent.type] === "items") return `[${index}]`;
  const label = labelOf(parent, child);
  // JSON may hold anything where a name belongs.
  return parent.type !== "map" && typeof label === "string" ? "." + label : keyStep(label);
}

/** A grid's cell as labels and paths name it: `x,y`. `number` is x * height + y. */
export function cellAt(number: number, height: number): string {
  return `${Math.floor(number / height)},${number % height}`;
}

/** A grid's cells, column by column. Holes, too, are cells. */
export function cellsOf<T>(columns: readonly (readonly T[])[]): T[] {
  return columns.flatMap((column) => [...column]);
}

/** A grid's columns from its cells. */
export function columnsOf<T>(cells: T[], width: number, height: number): T[][] {
  return Array.from({ length: width }, (_, x) => cells.slice(x * height, (x + 1) * height));
}

/** The step to a map's entry. Not every key that a program gives is one. */
export function keyStep(key: unknown): string {
  return `[${textOf(key)}]`;
}

/** `columns` is a grid's: `width` arrays of `height` elements, a count also where there are none. */
export function isMatrix(columns: unknown, width: number, height: number): boolean {
  return (
    Array.isArray(columns) &&
    Number.isSafeInteger(height) &&
    height >= 0 &&
    columns.length === width &&
    // Holes are seen, too.
    columns.findIndex((column) => !(Array.isArray(column) && column.length === height)) < 0
  );
}
