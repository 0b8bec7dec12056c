// Instances to documents: walks an instance by its definitions, as the superset writer needs it (formats/introspection.md §3).

import {
  assetKind,
  checkVariable,
  type DefinitionExtra,
  definedVariables,
  enumMembers,
  type IntrospectionDatabase,
  type IntrospectionType,
  type KnownType,
  structureName,
} from "./definitions.ts";
import type { IntrospectionInteger, IntrospectionNode, ItemsNode, MapNode, ObjectNode, ScalarNode } from "./document.ts";
import { isMatrix, keyStep } from "./document.ts";
import { fail, textOf } from "./failure.ts";
import {
  type IntrospectionGrid,
  type IntrospectionInstance,
  isInstance,
  isIterable,
  listItems,
  lookUp,
  mapEntries,
  own,
  variableOf,
} from "./instances.ts";
import { keyOfNumber, NAME, readInteger, realOfNumber, spellInteger } from "./notation.ts";
import type { InstanceTable, IntrospectionLimits, Structures } from "./options.ts";
import { enter, Place } from "./place.ts";
import { type Descent, run } from "./trampoline.ts";

/** What the description of values needs to know. */
export interface DescribeContext {
  database: IntrospectionDatabase;
  instances?: InstanceTable | undefined;
  structures?: Structures | undefined;
  limits: IntrospectionLimits;
  /** Nothing is rounded: an int must be whole, a bool `true` or `false`. */
  exact?: boolean;
}

/** The types of a variable, and the level of the value in hand. */
export interface Typed {
  types: readonly IntrospectionType[];
  extra?: DefinitionExtra | undefined;
  level: number;
}

/**
 * The document of an instance. Throws `undefined-object`, `missing-variable`, `type-mismatch`, `unknown-enum-name`, `bad-definition`,
 * `bad-key`, `cycle`, `depth-limit`.
 */
export function describeInstance(instance: IntrospectionInstance, context: DescribeContext): ObjectNode {
  return run(describeObject(instance, context, new Place()));
}

/** The node of one value of the given types, which stands at `path`. Errors as {@link describeInstance}. */
export function describeValue(value: unknown, typed: Typed, context: DescribeContext, path: string): IntrospectionNode {
  const place = new Place(path);
  return describeScalar(value, typed, context, place) ?? run(describeBlock(value, typed, context, place));
}

function* describeObject(instance: IntrospectionInstance, context: DescribeContext, parent: Place): Descent<ObjectNode> {
  const place = enter(parent, context.limits.maxDepth, instance);
  const { object } = instance;
  const definition = definedVariables(context.database, object, parent);
  const id = integerOf(instance.id) ?? mismatch(instance.id, "int", parent);
  const variables: ObjectNode["variables"] = [];
  for (const { name, types, extra } of definition) {
    place.step = "." + name;
    const { value } = variableOf(instance, name) ?? fail("missing-variable", `${object} has no ${name}`, place);
    const typed = { types, extra, level: 0 };
    const node: IntrospectionNode = describeScalar(value, typed, context, place) ?? (yield describeBlock(value, typed, context, place));
    variables.push({ name, ...node });
  }
  return { type: "object", object, id, variables };
}

function integerOf(value: unknown): IntrospectionInteger | undefined {
  const digits = spellInteger(typeof value === "bigint" ? String(value) : value);
  return digits === undefined ? undefined : readInteger(digits);
}

function mismatch(value: unknown, type: string, place: Place): never {
  const found = value === null ? "null" : Array.isArray(value) ? "an array" : typeof value;
  return fail("type-mismatch", `expected a value for the type ${type}, found ${found}`, place);
}

/** The node of a scalar; undefined if the type is a block's. */
function describeScalar(value: unknown, { types, extra, level }: Typed, { exact }: DescribeContext, place: Place): ScalarNode | undefined {
  const type = types[level] as KnownType | undefined;
  if (type === undefined) fail("bad-definition", "the last type is a container, but there are elements", place);
  if (value === undefined) return { type: "undefined" };
  const number = typeof value === "boolean" ? Number(value) : value;
  switch (type) {
    case "int": {
      // Floored, §2; a bigint is whole already.
      const whole = typeof value === "string" ? undefined : integerOf(exact || typeof number !== "number" ? value : Math.floor(number));
      return whole !== undefined ? { type, value: whole } : mismatch(value, exact ? "int, whole" : type, place);
    }
    case "float":
    case "bool":
      if ((exact && type === "bool" && typeof value !== "boolean") || (typeof number !== "number" && typeof number !== "bigint"))
        mismatch(value, type, place);
      // True, or a number above 0.5 (§2).
      return type === "bool" ? { type, value: number > 0.5 } : { type, value: realOfNumber(Number(number)) };
    case "string":
      return typeof value === "string" ? { type, value } : mismatch(value, type, place);
    case "enum": {
      const members = enumMembers(extra);
      if (typeof value === "string") {
        return members.includes(value)
          ? { type, member: value }
          : fail("unknown-enum-name", `${JSON.stringify(value)} is no member`, place);
      }
      const index = integerOf(number) ?? mismatch(value, type, place);
      // By number without a name, and where the name leads to another value (§3 "Enum").
      const member = members[index as number];
      return member !== undefined && members.indexOf(member) === index ? { type, member } : { type, index };
    }
    case "asset": {
      const kind = assetKind(extra);
      if (!NAME.test(kind)) fail("bad-definition", "an asset needs its kind as extra data", place);
      return value === null || typeof value === "string" ? { type, kind, asset: value } : mismatch(value, type, place);
    }
    case "object":
      return value === null ? { type, object: null } : undefined;
    case "array":
    case "list":
    case "map":
    case "grid":
    case "custom":
      return undefined;
    default:
      return fail("bad-definition", `unknown type ${textOf(types[level])}`, place);
  }
}

function* describeBlock(value: unknown, typed: Typed, context: DescribeContext, parent: Place): Descent<IntrospectionNode> {
  const type = typed.types[typed.level] as KnownType;
  if (type === "object") {
    const instance = isInstance(value) ? value : findInstance(value, context, parent);
    return instance === undefined ? { type, object: null } : yield describeObject(instance, context, parent);
  }
  if (typeof value !== "object" || value === null) mismatch(value, type, parent);
  if (type === "custom") return yield describeStructure(value, structureName(typed.extra), context, parent);
  const place = enter(parent, context.limits.maxDepth);
  const inner = { ...typed, level: typed.level + 1 };
  switch (type) {
    case "map": {
      const entries: MapNode["entries"] = [];
      for (const [key, item] of mapEntries(value) ?? mismatch(value, type, parent)) {
        place.step = keyStep(key);
        if (typeof key !== "string" && typeof key !== "number" && typeof key !== "boolean") {
          fail("bad-key", "expected a string, number or bool", place);
        }
        const node: IntrospectionNode = describeScalar(item, inner, context, place) ?? (yield describeBlock(item, inner, context, place));
        entries.push({ key: typeof key === "number" ? keyOfNumber(key) : key, ...node });
      }
      return { type, entries };
    }
    case "grid": {
      const { width, height, columns } = value as IntrospectionGrid;
      if (!isMatrix(columns, width, height)) mismatch(value, type, parent);
      const described: IntrospectionNode[][] = [];
      for (let x = 0; x < width; x++) {
        const cells: IntrospectionNode[] = [];
        for (let y = 0; y < height; y++) {
          place.step = `[${x},${y}]`;
          const cell: unknown = columns[x][y];
          cells.push(describeScalar(cell, inner, context, place) ?? (yield describeBlock(cell, inner, context, place)));
        }
        described.push(cells);
      }
      return { type, width, height, columns: described };
    }
    default: {
      const items: IntrospectionNode[] = [];
      for (const item of listItems(value) ?? mismatch(value, type, parent)) {
        place.step = items.length;
        items.push(describeScalar(item, inner, context, place) ?? (yield describeBlock(item, inner, context, place)));
      }
      return { type: type as ItemsNode["type"], items };
    }
  }
}

/** An id's instance; undefined for an id of none, such as noone (-4). */
function findInstance(value: unknown, { instances }: DescribeContext, place: Place): IntrospectionInstance | undefined {
  if (instances === undefined || (typeof value !== "number" && typeof value !== "bigint")) mismatch(value, "object", place);
  return lookUp(instances, value);
}

function* describeStructure(value: object, structure: string, context: DescribeContext, parent: Place): Descent<IntrospectionNode> {
  const registered = own(context.structures, structure);
  if (registered === undefined) {
    // Without a registration the value is its generic form, the document's node.
    const node = value as IntrospectionNode;
    if (node.type !== "custom" || node.structure !== structure) mismatch(value, `custom (${structure})`, parent);
    return { type: "custom", structure, fields: node.fields };
  }
  const place = enter(parent, context.limits.maxDepth, value);
  const given = typeof registered?.toFields === "function" ? registered.toFields(value) : undefined;
  if (!isIterable(given)) fail("bad-option", "expected fields", parent);
  const fields = [];
  for (const field of given!) {
    if (Object(field) === field && "type" in field) fields.push(field);
    else {
      const { name, types, extra } = checkVariable(structure, field);
      const { value } = field as { value: unknown };
      place.step = "." + name;
      const typed = { types, extra, level: 0 };
      const node: IntrospectionNode = describeScalar(value, typed, context, place) ?? (yield describeBlock(value, typed, context, place));
      fields.push({ name, ...node });
    }
  }
  return { type: "custom", structure, fields };
}
