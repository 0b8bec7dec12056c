// One value by its path, for editors (formats/introspection.md §5).

import type { ErrorPlace } from "../errors.ts";
import { bindValue, type IntrospectionBindOptions } from "./bind.ts";
import { type Definitions, definedVariables, givenDatabase, type IntrospectionDatabase, toDatabase } from "./definitions.ts";
import { describeValue, type Typed } from "./describe.ts";
import {
  type BlockNode,
  checkDocument,
  copyTree,
  elementsOf,
  type IntrospectionDocument,
  type IntrospectionKey,
  type IntrospectionNode,
  type IntrospectionVariable,
  isBlock,
  keyStep,
  labelOf,
  labelsOf,
  pathStep,
} from "./document.ts";
import { fail, textOf } from "./failure.ts";
import { copyWithLayout } from "./layout.ts";
import { spellKey } from "./notation.ts";
import { checkOptions, type InstanceTable, walkOptions } from "./options.ts";

/**
 * The way to a value: a variable's name, then, as far as it goes into it, indices of arrays and lists, keys of maps, `"x,y"` of grids,
 * field names of custom structures, and variables of nested objects. A key that is a bool or a real is given as it stands in the document.
 */
export type IntrospectionPath = readonly IntrospectionKey[];

/** Options of the functions that take a path. */
export interface IntrospectionPathOptions extends IntrospectionBindOptions {
  /** With definitions enum values are numbers, and the type at the place is the defined one. */
  definitions?: Definitions | IntrospectionDatabase | undefined;
  /** For setting objects by id. */
  instances?: InstanceTable | undefined;
}

interface Found {
  /** Where the node stands, and stays while a value is described. A grid's cells are not put into one list, as they may be many. */
  list: IntrospectionNode[];
  number: number;
  node: IntrospectionNode;
  typed: Typed | undefined;
  database: IntrospectionDatabase | undefined;
  path: string;
}

/**
 * The node at a path.
 *
 * @throws TuskError with the path: `missing-variable`, `bad-index`, `bad-key` (no such element), `bad-path` (a step into a scalar, no step),
 * `bad-document` (a part on the way is missing); without one `bad-path` for a path that is no array, and `bad-document` for what is no document at
 * all.
 */
export function getIntrospectionNode(document: IntrospectionDocument, path: IntrospectionPath): IntrospectionNode {
  return find(document, path, {}).node;
}

/**
 * The plain value at a path, as {@link bindIntrospection} gives it; without definitions enum values are their members' names.
 *
 * @throws TuskError as {@link getIntrospectionNode} and {@link bindIntrospection}.
 */
export function getIntrospectionValue(
  document: IntrospectionDocument,
  path: IntrospectionPath,
  options: IntrospectionPathOptions = {},
): unknown {
  const { node, typed, database, path: at } = find(document, path, options);
  return bindValue(node, typed, database, options, at);
}

/**
 * Sets the value at a path, in place. The value must be of the type the definitions give for the place. Without definitions, and inside custom
 * structures, an int, float, bool, string, enum or asset has to stand there, and the value must be of its type, or undefined. Nothing is rounded: an
 * int must be whole, a bool `true` or `false`, a bigint for a float one that a double can hold. The nodes of structures are copied.
 *
 * @throws TuskError as {@link getIntrospectionNode}, and `type-mismatch`, `unknown-enum-name`, `undefined-object`, `bad-definition`, `cycle`,
 * `depth-limit`, `size-limit` (an int of more than 100,000 digits), `too-long` (more than 4,000,000 instances and structures, of nodes all blocks),
 * `bad-document` (a structure's node or an asset's name that could not be written), `bad-option`; the document is then unchanged.
 */
export function setIntrospectionValue(
  document: IntrospectionDocument,
  path: IntrospectionPath,
  value: unknown,
  options: IntrospectionPathOptions = {},
): void {
  const found = find(document, path, options);
  const { node, path: at } = found;
  const typed =
    found.typed ?? scalarType(node) ?? fail("type-mismatch", `a value for ${textOf(node.type)} needs definitions`, { path: at });
  const walk = walkOptions(options);
  const { limits } = walk;
  // The blocks around the place.
  limits.maxDepth -= path.length;
  const given: IntrospectionNode =
    // Without definitions any name may be a member's.
    node.type === "enum" && typeof value === "string" && found.typed === undefined
      ? { type: "enum", member: value }
      : describeValue(value, typed, { ...walk, database: toDatabase(found.database), exact: true }, at);
  // Structures give what they like: whatever can be bound can be written.
  bindValue(given, undefined, undefined, { limits }, at);
  // A structure's node may be a part of the document, or stay in the program's hands; what is edited later stands at one place.
  // A line's spelling counts as long as it means what stands there.
  found.list[found.number] = copyWithLayout(node, { ...copyTree(given, copyWithLayout), ...labelsOf(node) });
}

function scalarType(node: IntrospectionNode): Typed | undefined {
  if (isBlock(node) || node.type === "undefined" || node.type === "object") return undefined;
  return { types: [node.type], extra: node.type === "asset" ? node.kind : undefined, level: 0 };
}

function find(document: IntrospectionDocument, path: IntrospectionPath, options: IntrospectionPathOptions): Found {
  checkOptions(options);
  const database = givenDatabase(options);
  if (!Array.isArray(path)) fail("bad-path", "a path is an array");
  let found: Found | undefined;
  let node: IntrospectionNode = checkDocument(document);
  for (const step of path) {
    const place = { path: found?.path ?? "" };
    if (!isBlock(node)) fail("bad-path", `${textOf(node.type)} has no elements`, place);
    const parent = node as BlockNode;
    const elements = elementsOf(parent, place) as IntrospectionNode[];
    const index = indexOfStep(parent, elements, step, place);
    const [list, number]: [IntrospectionNode[], number] =
      parent.type === "grid" ? [parent.columns[Math.floor(index / parent.height)], index % parent.height] : [elements, index];
    node = list[number];
    const reached = place.path + pathStep(parent, node, index);
    isBlock(node, { path: reached });
    found = { list, number, node, typed: typeOfChild(parent, node, found?.typed, database, place), database, path: reached };
  }
  return found ?? fail("bad-path", "the path is empty", { path: "" });
}

function indexOfStep(parent: BlockNode, elements: IntrospectionNode[], step: IntrospectionKey, place: { path: string }): number {
  let index: unknown = step;
  let code = "bad-index";
  switch (parent.type) {
    case "object":
    case "custom":
    case "map": {
      const label = spellKey(step);
      const isMap = parent.type === "map";
      code = isMap ? "bad-key" : "missing-variable";
      index = elements.findIndex((child, number) => {
        if (!child) isBlock(child, { path: place.path + pathStep(parent, child, number) });
        const own = labelOf(parent, child);
        // Nearly all are strings, and spelling one takes longer than all else.
        return isMap && typeof own !== "string" ? spellKey(own) === label : own === step;
      });
      break;
    }
    case "grid": {
      const [, x, y] = /^(\d+),(\d+)$/.exec(typeof step === "string" ? step : "") ?? [];
      index = Number(y) < parent.height && Number(x) * parent.height + Number(y);
    }
  }
  const known = typeof index === "number" && (parent.type === "grid" ? index < parent.width * parent.height : index in elements);
  return known ? (index as number) : fail(code, `no element ${keyStep(step)}`, place);
}

/** The defined type of a child, and undefined where none is defined: without definitions, and inside custom structures. */
function typeOfChild(
  parent: BlockNode,
  child: IntrospectionNode,
  typed: Typed | undefined,
  database: IntrospectionDatabase | undefined,
  place: ErrorPlace,
): Typed | undefined {
  if (database === undefined || parent.type === "custom") return undefined;
  if (parent.type !== "object") {
    if (typed !== undefined && typed.types[typed.level] !== parent.type)
      fail("type-mismatch", `${parent.type} is not what is defined`, place);
    return typed && { ...typed, level: typed.level + 1 };
  }
  const variables = definedVariables(database, parent.object, place);
  const { name } = child as IntrospectionVariable;
  const { types, extra } =
    variables.find((variable) => variable.name === name) ?? fail("missing-variable", `${parent.object} defines no ${textOf(name)}`, place);
  return { types, extra, level: 0 };
}
