// Documents to plain values, checked against definitions (formats/introspection.md §3 "Reading with definitions").

import type { Given } from "../options.ts";
import { assetKind, type Definitions, enumMembers, type IntrospectionDatabase, structureName, toDatabase } from "./definitions.ts";
import type { Typed } from "./describe.ts";
import {
  type BlockNode,
  elementsOf,
  type IntrospectionDocument,
  type IntrospectionKey,
  type IntrospectionNode,
  isBlock,
  keyStep,
  type ObjectNode,
  type ScalarNode,
} from "./document.ts";
import { fail } from "./failure.ts";
import { type IntrospectionInstance, own, plainInteger, type ReadField } from "./instances.ts";
import { numberOfReal } from "./notation.ts";
import { checkOptions, type IntrospectionLimits, type Structures, withDefaults } from "./options.ts";
import { enter, Place } from "./place.ts";
import { type Descent, run } from "./trampoline.ts";

/** Options of `bindIntrospection`. */
export interface IntrospectionBindOptions {
  /** How custom structures turn into values, by the structure's name; without one the value is the document's node. */
  structures?: Structures | undefined;
  limits?: Given<IntrospectionLimits> | undefined;
}

/** An instance as binding gives it. */
export type BoundInstance = IntrospectionInstance & { id: number | bigint; variables: Record<string, unknown> };

interface Context {
  /** Absent: nothing is checked, enum values stay member names. */
  database: IntrospectionDatabase | undefined;
  structures: Structures | undefined;
  /** Also what ends the walk through a document that holds itself. */
  maxDepth: number;
}

/**
 * The plain values of a document, checked against definitions: ints and enums as numbers (bigints beyond 2^53), arrays and lists as
 * arrays, maps as Maps, grids as `{ width, height, columns }`, objects as instances, assets as their names (null for none), custom
 * structures by their registration, else as their node.
 *
 * @throws TuskError with the path: `undefined-object`, `missing-variable` (also for a variable too many or out of order),
 * `type-mismatch`, `unknown-enum-name`, `bad-key` (a key that stands twice in a map), `depth-limit`.
 */
export function bindIntrospection(
  document: IntrospectionDocument,
  definitions: Definitions | IntrospectionDatabase,
  options: IntrospectionBindOptions = {},
): BoundInstance {
  checkOptions(options);
  if (document?.type !== "object") fail("bad-document", "expected a document");
  const { maxDepth } = withDefaults(options.limits);
  return run(bindObject(document, { database: toDatabase(definitions), structures: options.structures, maxDepth }, new Place()));
}

/** Only the checks of {@link bindIntrospection}. */
export function checkDocument(document: IntrospectionDocument, database: IntrospectionDatabase, maxDepth: number): void {
  run(bindObject(document, { database, structures: undefined, maxDepth }, new Place()));
}

/** The plain value of one node, which stands at `path`; with `typed`, checked against it. */
export function bindValue(
  node: IntrospectionNode,
  typed: Typed | undefined,
  database: IntrospectionDatabase | undefined,
  options: IntrospectionBindOptions,
  path: string,
): unknown {
  const place = new Place(path);
  if (!isBlock(node)) return bindScalar(node, typed, place);
  const { maxDepth } = withDefaults(options.limits);
  return run(bindBlock(node, typed, { database, structures: options.structures, maxDepth }, place));
}

function* bindObject(node: ObjectNode, context: Context, parent: Place): Descent<BoundInstance> {
  const { object, id } = node;
  const place = enter(parent, context.maxDepth);
  const definition = context.database?.variables(object);
  if (context.database !== undefined && definition === undefined) fail("undefined-object", `${object} is not defined`, parent);
  elementsOf(node);
  const variables: Record<string, unknown> = {};
  const count = Math.max(node.variables.length, definition?.length ?? 0);
  for (let index = 0; index < count; index++) {
    const variable = node.variables[index];
    const defined = definition?.[index];
    if (definition !== undefined && (defined === undefined || variable?.name !== defined.name)) {
      const expected = defined?.name ?? "the end";
      fail("missing-variable", `expected ${expected} in ${object}, found ${variable?.name ?? "the end"}`, parent);
    }
    place.step = "." + variable.name;
    const typed = defined && { types: defined.types, extra: defined.extra, level: 0 };
    const value: unknown = isBlock(variable) ? yield bindBlock(variable, typed, context, place) : bindScalar(variable, typed, place);
    // `__proto__` is a name like any other, and what everything inherits may be frozen.
    if (variable.name in Object.prototype)
      Object.defineProperty(variables, variable.name, { value, writable: true, enumerable: true, configurable: true });
    else variables[variable.name] = value;
  }
  return { object, id: plainInteger(id), variables };
}

/** Throws if a node is not of the wanted type. `undefined` may stand for any value (§3 "Nothing"). */
function checkType(node: IntrospectionNode, { types, level, extra }: Typed, place: Place): void {
  const type = types[level];
  if (node.type === "undefined") return;
  if (
    node.type !== type ||
    (node.type === "asset" && node.kind !== assetKind(extra)) ||
    (node.type === "custom" && node.structure !== structureName(extra))
  ) {
    fail("type-mismatch", `expected ${type ?? "no element"}, found ${node.type}`, place);
  }
}

function bindScalar(node: ScalarNode, typed: Typed | undefined, place: Place): unknown {
  if (typed !== undefined) checkType(node, typed, place);
  switch (node.type) {
    case "int":
      return plainInteger(node.value);
    case "float":
      return numberOfReal(node.value);
    case "bool":
    case "string":
      return node.value;
    case "enum": {
      if (node.member === undefined) return plainInteger(node.index!);
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

function* bindBlock(node: BlockNode, typed: Typed | undefined, context: Context, parent: Place): Descent<unknown> {
  if (typed !== undefined) checkType(node, typed, parent);
  if (node.type === "object") return yield bindObject(node, context, parent);
  const place = enter(parent, context.maxDepth);
  elementsOf(node);
  const inner = typed && { ...typed, level: typed.level + 1 };
  switch (node.type) {
    case "map": {
      const map = new Map<unknown, unknown>();
      for (const entry of node.entries) {
        place.step = keyStep(entry.key);
        const key = plainKey(entry.key) ?? fail("bad-document", "no key", place);
        if (map.has(key)) fail("bad-key", "the key stands twice", place);
        map.set(key, isBlock(entry) ? yield bindBlock(entry, inner, context, place) : bindScalar(entry, inner, place));
      }
      return map;
    }
    case "grid": {
      const { width, height } = node;
      const columns: unknown[][] = [];
      for (const cells of node.columns) {
        const column: unknown[] = [];
        for (const cell of cells) {
          place.step = `[${columns.length},${column.length}]`;
          column.push(isBlock(cell) ? yield bindBlock(cell, inner, context, place) : bindScalar(cell, inner, place));
        }
        columns.push(column);
      }
      return { width, height, columns };
    }
    case "custom": {
      const registered = own(context.structures, node.structure);
      if (registered === undefined) return node;
      const fields: ReadField[] = [];
      for (const field of node.fields) {
        place.step = "." + field.name;
        const value: unknown = isBlock(field) ? yield bindBlock(field, undefined, context, place) : bindScalar(field, undefined, place);
        fields.push({ name: field.name, value, node: field });
      }
      return registered.fromFields(fields);
    }
    default: {
      const items: unknown[] = [];
      for (const item of node.items) {
        place.step = items.length;
        items.push(isBlock(item) ? yield bindBlock(item, inner, context, place) : bindScalar(item, inner, place));
      }
      return items;
    }
  }
}

function plainKey(key: IntrospectionKey): string | number | boolean | undefined {
  return typeof key === "object" ? numberOfReal(key?.real) : key;
}
