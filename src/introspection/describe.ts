// Instances to documents: walks an instance by its definitions, as the superset writer needs it (formats/introspection.md §3).

import {
  checkVariable,
  type DefinitionExtra,
  definedVariables,
  enumMembers,
  type IntrospectionDatabase,
  type IntrospectionType,
  type KnownType,
  nameInExtra,
  structureName,
} from "./definitions.ts";
import type { IntrospectionInteger, IntrospectionNode, ItemsNode, MapNode, ObjectNode, ScalarNode } from "./document.ts";
import { cellsOf, columnsOf, isMatrix, keyStep } from "./document.ts";
import { fail, mismatch, textOf } from "./failure.ts";
import {
  type IntrospectionGrid,
  type IntrospectionInstance,
  isInstance,
  isIterable,
  isNumber,
  listItems,
  lookUp,
  mapEntries,
  own,
  variableOf,
  wholeDigits,
} from "./instances.ts";
import { keyOfNumber, NAME, readInteger, realOfNumber } from "./notation.ts";
import type { CallLimits, InstanceTable, Structures } from "./options.ts";
import { enter, Place } from "./place.ts";
import { type Descent, run } from "./trampoline.ts";

/** What the description of values needs to know. */
export interface DescribeContext {
  database: IntrospectionDatabase;
  instances?: InstanceTable | undefined;
  structures?: Structures | undefined;
  limits: CallLimits;
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
 * `bad-key`, `cycle`, `depth-limit`, `too-long`.
 */
export function describeInstance(instance: IntrospectionInstance, context: DescribeContext): ObjectNode {
  return run(describeObject(instance, context, new Place()));
}

/** The node of one value of the given types, which stands at `path`. Errors as {@link describeInstance}. */
export function describeValue(value: unknown, typed: Typed, context: DescribeContext, path: string): IntrospectionNode {
  const place = new Place(path);
  return describeScalar(value, typed, context, place) ?? run(describeBlock(value, typed, context, place));
}

/** A value of the type object, or what a table has for an id. */
export function checkInstance(value: unknown, place: Place): IntrospectionInstance {
  return isInstance(value) ? value : mismatch(value, "object", place);
}

function* describeObject(instance: IntrospectionInstance, context: DescribeContext, parent: Place): Descent<ObjectNode> {
  const { object } = checkInstance(instance, parent);
  const place = enter(parent, context.limits, instance);
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
  const digits = wholeDigits(value);
  return digits === undefined ? undefined : readInteger(digits);
}

/** The node of a scalar; undefined if the type is a block's. */
function describeScalar(value: unknown, { types, extra, level }: Typed, { exact }: DescribeContext, place: Place): ScalarNode | undefined {
  const type = types[level] as KnownType | undefined;
  if (type === undefined) fail("bad-definition", "the last type is a container, but there are elements", place);
  if (value === undefined) return { type: "undefined" };
  const number = (typeof value === "boolean" && !exact ? Number(value) : value) as number | bigint;
  switch (type) {
    case "int": {
      // Floored, §2; a bigint is whole already.
      const whole = typeof value === "string" ? undefined : integerOf(exact || typeof number !== "number" ? value : Math.floor(number));
      return whole !== undefined ? { type, value: whole } : mismatch(value, exact ? "int, whole" : type, place);
    }
    case "float": {
      const real = Number(isNumber(number) ? number : mismatch(value, type, place));
      // Of a bigint.
      return exact && (number < real || number > real) ? mismatch(value, type, place) : { type, value: realOfNumber(real) };
    }
    case "bool":
      // True, or a number above 0.5 (§2).
      return (exact ? typeof value === "boolean" : isNumber(number)) ? { type, value: number > 0.5 } : mismatch(value, type, place);
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
      const kind = nameInExtra(extra);
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
      return fail("bad-definition", `unknown type ${textOf(type)}`, place);
  }
}

function* describeBlock(value: unknown, typed: Typed, context: DescribeContext, parent: Place): Descent<IntrospectionNode> {
  const type = typed.types[typed.level] as KnownType;
  if (type === "object") {
    const { instances } = context;
    // An id of none is null; noone (-4) is known to be one without a table.
    const instance = isNumber(value) && (instances !== undefined || Number(value) === -4) ? lookUp(instances, value) : value;
    return instance === null ? { type, object: null } : yield describeObject(instance as IntrospectionInstance, context, parent);
  }
  if (type === "custom") return yield describeStructure(value, structureName(typed.extra), context, parent);
  if (typeof value !== "object" || value === null) mismatch(value, type, parent);
  const place = enter(parent, context.limits);
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
    default: {
      const { width, height, columns } = value as IntrospectionGrid;
      const isGrid = type === "grid";
      if (isGrid) place.height = height;
      const given = !isGrid ? listItems(value) : isMatrix(columns, width, height) ? cellsOf(columns) : undefined;
      const items: IntrospectionNode[] = [];
      for (const item of given ?? mismatch(value, type, parent)) {
        place.step = items.length;
        items.push(describeScalar(item, inner, context, place) ?? (yield describeBlock(item, inner, context, place)));
      }
      return isGrid ? { type, width, height, columns: columnsOf(items, width, height) } : { type: type as ItemsNode["type"], items };
    }
  }
}

function* describeStructure(value: unknown, structure: string, context: DescribeContext, parent: Place): Descent<IntrospectionNode> {
  const registered = own(context.structures, structure);
  if (registered === undefined) {
    // Without a registration the value is its generic form, the document's node.
    const node = value as IntrospectionNode | null | undefined;
    if (node?.type !== "custom" || node.structure !== structure) mismatch(value, `custom (${structure})`, parent);
    return { type: "custom", structure, fields: node.fields };
  }
  const place = enter(parent, context.limits, Object(value));
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
