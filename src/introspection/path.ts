// One value by its path, for editors (formats/introspection.md §5).

import { bindValue, type IntrospectionBindOptions } from "./bind.ts";
import { type Definitions, definedVariables, type IntrospectionDatabase, toDatabase } from "./definitions.ts";
import { describeValue, type Typed } from "./describe.ts";
import {
  type BlockNode,
  childrenOf,
  type IntrospectionDocument,
  type IntrospectionEntry,
  type IntrospectionKey,
  type IntrospectionNode,
  type IntrospectionVariable,
  isBlock,
  keyStep,
  pathStep,
} from "./document.ts";
import { fail, textOf } from "./failure.ts";
import { spellKey } from "./notation.ts";
import { checkOptions, type InstanceTable, withDefaults } from "./options.ts";

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
  parent: BlockNode;
  index: number;
  node: IntrospectionNode;
  typed: Typed | undefined;
  path: string;
}

/**
 * The node at a path.
 *
 * @throws TuskError with the path: `missing-variable`, `bad-index`, `bad-key` (no such element), `bad-path` (a step into a scalar, no step),
 * `bad-document` (a part on the way is missing).
 */
export function getIntrospectionNode(document: IntrospectionDocument, path: IntrospectionPath): IntrospectionNode {
  return find(document, path, undefined).node;
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
  checkOptions(options);
  const database = options.definitions === undefined ? undefined : toDatabase(options.definitions);
  const found = find(document, path, database);
  return bindValue(found.node, found.typed, database, options, found.path);
}

/**
 * Sets the value at a path, in place. The value must be of the type the definitions give for the place; without definitions it must be a
 * scalar of the type that stands there. Nothing is rounded: an int must be whole, a bool `true` or `false`.
 *
 * @throws TuskError as {@link getIntrospectionNode}, and `type-mismatch`, `unknown-enum-name`, `undefined-object`, `bad-definition`,
 * `cycle`, `bad-document` (a structure whose node could not be written); the document is then unchanged.
 */
export function setIntrospectionValue(
  document: IntrospectionDocument,
  path: IntrospectionPath,
  value: unknown,
  options: IntrospectionPathOptions = {},
): void {
  checkOptions(options);
  const database = options.definitions === undefined ? undefined : toDatabase(options.definitions);
  const found = find(document, path, database);
  const { parent, index, node } = found;
  const place = { path: found.path };
  const typed = found.typed ?? scalarType(node) ?? fail("type-mismatch", `a value for ${textOf(node.type)} needs definitions`, place);
  let changed: IntrospectionNode;
  // Without definitions any name may be a member's.
  if (typed.types[typed.level] === "enum" && typeof value === "string" && found.typed === undefined)
    changed = { type: "enum", member: value };
  else {
    const limits = withDefaults(options.limits);
    changed = describeValue(value, typed, { ...options, database: toDatabase(database), limits, exact: true }, found.path);
  }
  // Structures give what they like: whatever can be bound can be written.
  bindValue(changed, undefined, undefined, { limits: options.limits }, found.path);
  if (parent.type === "map") Object.assign(changed, { key: (node as IntrospectionEntry).key });
  else if (parent.type === "object" || parent.type === "custom") Object.assign(changed, { name: (node as IntrospectionVariable).name });
  if (parent.type === "grid") parent.columns[Math.floor(index / parent.height)][index % parent.height] = changed;
  else childrenOf(parent)[index] = changed;
}

function scalarType(node: IntrospectionNode): Typed | undefined {
  if (isBlock(node) || node.type === "undefined" || node.type === "object") return undefined;
  return { types: [node.type], extra: node.type === "asset" ? node.kind : undefined, level: 0 };
}

function find(document: IntrospectionDocument, path: IntrospectionPath, database: IntrospectionDatabase | undefined): Found {
  if (document?.type !== "object") fail("bad-document", "expected a document");
  if (!Array.isArray(path)) fail("bad-path", "a path is an array");
  let found: Found | undefined;
  let node: IntrospectionNode = document;
  for (const step of path) {
    const at = found?.path ?? "";
    if (!isBlock(node)) fail("bad-path", `${textOf(node.type)} has no elements`, { path: at });
    const parent: BlockNode = node;
    const children = childrenOf(parent, { path: at });
    const index = indexOfStep(parent, children, step, at);
    node = children[index];
    const path = at + pathStep(parent, node, index);
    isBlock(node, { path });
    found = { parent, index, node, typed: typeOfChild(parent, node, found?.typed, database, at), path };
  }
  return found ?? fail("bad-path", "the path is empty", { path: "" });
}

function indexOfStep(parent: BlockNode, children: IntrospectionNode[], step: IntrospectionKey, path: string): number {
  const place = { path };
  switch (parent.type) {
    case "object":
    case "custom":
    case "map": {
      const isMap = parent.type === "map";
      const label = isMap ? spellKey(step) : step;
      const index = children.findIndex((child, number) => {
        if (!child) isBlock(child, { path: path + pathStep(parent, child, number) });
        return (isMap ? spellKey((child as IntrospectionEntry).key) : (child as IntrospectionVariable).name) === label;
      });
      return index >= 0 ? index : fail(isMap ? "bad-key" : "missing-variable", `no element ${keyStep(step)}`, place);
    }
    case "grid": {
      const match = /^([0-9]+),([0-9]+)$/.exec(typeof step === "string" ? step : "");
      const [x, y] = match === null ? [-1, -1] : [Number(match[1]), Number(match[2])];
      return match !== null && x < parent.width && y < parent.height
        ? x * parent.height + y
        : fail("bad-index", `no element ${keyStep(step)}`, place);
    }
    default:
      return typeof step === "number" && children[step] !== undefined ? step : fail("bad-index", `no element ${keyStep(step)}`, place);
  }
}

/** The defined type of a child, and undefined where none is defined: without definitions, and inside custom structures. */
function typeOfChild(
  parent: BlockNode,
  child: IntrospectionNode,
  typed: Typed | undefined,
  database: IntrospectionDatabase | undefined,
  path: string,
): Typed | undefined {
  if (database === undefined || parent.type === "custom") return undefined;
  if (parent.type !== "object") {
    if (typed !== undefined && typed.types[typed.level] !== parent.type)
      fail("type-mismatch", `${parent.type} is not what is defined`, { path });
    return typed && { ...typed, level: typed.level + 1 };
  }
  const variables = definedVariables(database, parent.object, { path });
  const { name } = child as IntrospectionVariable;
  const defined =
    variables.find((variable) => variable.name === name) ??
    fail("missing-variable", `${parent.object} defines no ${textOf(name)}`, { path });
  return { types: defined.types, extra: defined.extra, level: 0 };
}
