// Documents to plain values, checked against definitions (formats/introspection.md §3 "Reading with definitions").

import type { Given } from "../options.ts";
import {
  type Definitions,
  definedVariables,
  enumMembers,
  type IntrospectionDatabase,
  nameInExtra,
  structureName,
  toDatabase,
} from "./definitions.ts";
import type { Typed } from "./describe.ts";
import {
  type BlockNode,
  checkDocument,
  childrenOf,
  columnsOf,
  elementsOf,
  type FloatNode,
  type IntNode,
  type IntrospectionDocument,
  type IntrospectionEntry,
  type IntrospectionNode,
  type IntrospectionVariable,
  isBlock,
  type ObjectNode,
  pathStep,
  type ScalarNode,
  type StringNode,
} from "./document.ts";
import { fail, failUnfit } from "./failure.ts";
import { type IntrospectionInstance, own, plainInteger, type ReadField } from "./instances.ts";
import { numberOfReal, plainKey, spellValue } from "./notation.ts";
import { type CallLimits, checkOptions, type IntrospectionLimits, type Structures, walkOptions } from "./options.ts";
import { enter, Place } from "./place.ts";
import { type Descent, run } from "./trampoline.ts";

/** Options of `bindIntrospection`. */
export interface IntrospectionBindOptions {
  /** How custom structures turn into values, by the structure's name; without one the value is the document's node. */
  structures?: Structures | undefined;
  /** Only `maxDepth` counts. Default 512. */
  limits?: Given<IntrospectionLimits> | undefined;
}

/** An instance as binding gives it. */
export interface BoundInstance extends IntrospectionInstance {
  id: number | bigint;
  variables: Record<string, unknown>;
}

interface Context {
  /** Absent: nothing is checked, enum values stay member names. */
  database: IntrospectionDatabase | undefined;
  structures?: Structures | undefined;
  /** Also what ends the walk through a document that holds itself. */
  limits: CallLimits;
  /** No Map is handed out, but the node itself or a structure around it: none is made, and a key may stand twice. */
  staysNode?: boolean | undefined;
}

/**
 * The plain values of a document, checked against definitions: ints and enums as numbers (bigints where the node has digits, as a text's have beyond
 * 2^53), arrays and lists as arrays, maps as Maps, grids as `{ width, height, columns }`, objects as instances, assets as their names (null for
 * none), custom structures by their registration, else as their node. A number in a node that a program has made stays what it is, -0 and 2^60, too.
 *
 * @throws TuskError with the path: `undefined-object`, `missing-variable` (also for a variable too many, twice or out of order),
 * `type-mismatch`, `unknown-enum-name`, `bad-key` (a key that stands twice in a map), `depth-limit`, `bad-document` (a node that is none),
 * `size-limit` (an int of more than 100,000 digits, a map of more keys than a Map holds), `bad-option` (a structure without `fromFields`),
 * `too-long` (more than 4,000,000 blocks, each counted wherever it stands); without a path `bad-definition`, `bad-option`, and `bad-document` for what
 * is no document at all.
 */
export function bindIntrospection(
  document: IntrospectionDocument,
  definitions: Definitions | IntrospectionDatabase,
  options: IntrospectionBindOptions = {},
): BoundInstance {
  checkOptions(options);
  return bindValue(checkDocument(document), undefined, toDatabase(definitions), options) as BoundInstance;
}

/** {@link bindIntrospection} of one node, which stands at `path`; with `typed`, checked against it. With `staysNode` for its checks alone. */
export function bindValue(
  node: IntrospectionNode,
  typed: Typed | undefined,
  database: IntrospectionDatabase | undefined,
  options: IntrospectionBindOptions & Pick<Context, "staysNode">,
  path?: string,
): unknown {
  const place = new Place(path);
  if (!isBlock(node, place)) return bindScalar(node, typed, place);
  return run(bindBlock(node, typed, { ...walkOptions(options), database, staysNode: options.staysNode }, place));
}

function* bindObject(node: ObjectNode, context: Context, parent: Place): Descent<BoundInstance> {
  const { object, id } = node;
  const place = enter(parent, context.limits, null);
  const definition = context.database && definedVariables(context.database, object, parent);
  const given = elementsOf(node, parent) as readonly IntrospectionVariable[];
  const variables: Record<string, unknown> = {};
  const count = Math.max(given.length, definition?.length ?? 0);
  for (let index = 0; index < count; index++) {
    const variable = given[index];
    const found = index < given.length ? nameOf(node, variable, index, place) : "the end";
    const defined = definition?.[index];
    // A value may be lost where its name stands twice.
    const twice = !context.staysNode && Object.hasOwn(variables, found);
    if (twice || (definition && variable?.name !== defined?.name)) {
      fail("missing-variable", `expected ${defined?.name ?? "the end"} in ${object}, found ${found}`, parent);
    }
    const typed = defined && { types: defined.types, extra: defined.extra, level: 0 };
    const value: unknown = isBlock(variable) ? yield bindBlock(variable, typed, context, place) : bindScalar(variable, typed, place);
    // `__proto__` is a name like any other, and what everything inherits may be frozen.
    if (found in Object.prototype) Object.defineProperty(variables, found, { value, writable: true, enumerable: true, configurable: true });
    else variables[found] = value;
  }
  return { object, id: plainInteger(id, parent), variables };
}

/** The name of an object's variable or a structure's field, at which the place stands then. */
function nameOf(parent: BlockNode, child: IntrospectionVariable, index: number, place: Place): string {
  place.step = pathStep(parent, child, index);
  isBlock(child, place);
  const { name } = child;
  return typeof name === "string" ? name : fail("bad-document", "a node lacks its label", place);
}

/** True for most numbers and strings. */
function isPlain({ type, value }: FloatNode | IntNode | StringNode): boolean {
  if (typeof value === "string") return type === "string";
  return typeof value === "number" && (type === "float" || (type === "int" && Number.isSafeInteger(value)));
}

/** Throws if a node is none, or not of the wanted type. `undefined` may stand for any value (§3 "Nothing"). */
function checkNode(node: IntrospectionNode, typed: Typed | undefined, place: Place): void {
  // A program may hand over anything. What has no text is no value either; most need not be spelled to be seen to have one.
  if (!isPlain(node as StringNode)) spellValue(node, "fixed", "superset", place);
  if (typed === undefined || node.type === "undefined") return;
  const { types, level, extra } = typed;
  const type = types[level];
  if (node.type !== type) fail("type-mismatch", `expected ${type ?? "no element"}, found ${node.type}`, place);
  if (node.type === "asset") checkKind(nameInExtra(extra), node.kind, place);
  if (node.type === "custom") checkKind(structureName(extra), node.structure, place);
}

/** Of an asset, or a structure; none where the definition does not say which. */
function checkKind(wanted: string, found: string, place: Place): void {
  if (found !== wanted) fail("type-mismatch", `expected ${wanted || "no kind"}, found ${found}`, place);
}

function bindScalar(node: ScalarNode, typed: Typed | undefined, place: Place): unknown {
  checkNode(node, typed, place);
  switch (node.type) {
    case "int":
      return plainInteger(node.value, place);
    case "float":
      return numberOfReal(node.value);
    case "bool":
    case "string":
      return node.value;
    case "enum": {
      if (node.member === undefined) return plainInteger(node.index!, place);
      if (typed === undefined) return node.member;
      const index = enumMembers(typed.extra).indexOf(node.member);
      return index >= 0 ? index : fail("unknown-enum-name", `${JSON.stringify(node.member)} is no member`, place);
    }
    case "asset":
      return node.asset;
    case "object":
      return null;
    default:
      return undefined;
  }
}

/** {@link bindValue} of a block. */
export function* bindBlock(node: BlockNode, typed: Typed | undefined, context: Context, parent: Place): Descent<unknown> {
  checkNode(node, typed, parent);
  if (node.type === "object") return yield bindObject(node, context, parent);
  const place = enter(parent, context.limits, null);
  // Those that are there now, since a getter may add others.
  const children = childrenOf(node, parent).slice();
  const inner = typed && { ...typed, level: typed.level + 1 };
  switch (node.type) {
    case "map": {
      const map = new Map<unknown, unknown>();
      let number = 0;
      for (const entry of children as IntrospectionEntry[]) {
        place.step = pathStep(node, entry, number++);
        isBlock(entry, place);
        const key = plainKey(entry.key) ?? fail("bad-document", "a node lacks its label", place);
        if (map.has(key)) fail("bad-key", "the key stands twice", place);
        const value: unknown = isBlock(entry) ? yield bindBlock(entry, inner, context, place) : bindScalar(entry, inner, place);
        try {
          if (!context.staysNode) map.set(key, value);
        } catch (cause) {
          failUnfit(cause, place);
        }
      }
      return map;
    }
    case "custom": {
      const registered = own(context.structures, node.structure);
      const inside = registered !== undefined ? context : { ...context, database: undefined, structures: undefined, staysNode: true };
      const fields: ReadField[] = [];
      for (const field of children as IntrospectionVariable[]) {
        const name = nameOf(node, field, fields.length, place);
        const value: unknown = isBlock(field) ? yield bindBlock(field, undefined, inside, place) : bindScalar(field, undefined, place);
        fields.push({ name, value, node: field });
      }
      if (registered === undefined) return node;
      return typeof registered?.fromFields === "function"
        ? registered.fromFields(fields)
        : fail("bad-option", "expected fromFields", parent);
    }
    default: {
      const items: unknown[] = [];
      if (node.type === "grid") place.height = node.height;
      for (const item of children) {
        place.step = items.length;
        items.push(isBlock(item, place) ? yield bindBlock(item, inner, context, place) : bindScalar(item, inner, place));
      }
      if (node.type !== "grid") return items;
      const { width, height } = node;
      return { width, height, columns: columnsOf(items, width, height) };
    }
  }
}
