// Plain values: what a game holds, and what binding a document to definitions gives (formats/introspection.md §1, §3).

import type { ErrorPlace } from "../errors.ts";
import type { DefinitionExtra, IntrospectionType } from "./definitions.ts";
import type { IntrospectionInteger, IntrospectionNode, IntrospectionVariable } from "./document.ts";
import { fail } from "./failure.ts";
import { spellInteger } from "./notation.ts";
import type { InstanceTable } from "./options.ts";

/** An instance of an object with the values of its variables. */
export interface IntrospectionInstance {
  object: string;
  /** The instance id; a bigint or digits beyond 2^53. */
  id: number | bigint | string;
  /** By name. Own members only, so that names such as `__proto__` are data. */
  // biome-ignore lint/suspicious/noExplicitAny: unknown would refuse values whose type is an interface
  variables: Record<string, any> | ReadonlyMap<string, unknown>;
}

/** A `ds_grid`: `columns[x][y]`. */
export interface IntrospectionGrid {
  width: number;
  height: number;
  columns: readonly (readonly unknown[])[];
}

/** An old-style two-dimensional array (§2), of which the original writes only the first row. */
export interface OldStyleArray {
  rows: readonly (readonly unknown[])[];
}

/** One field of a custom structure for writing: a value with its types, or a finished node with its name. */
export type StructureField =
  | { name: string; types: readonly IntrospectionType[]; extra?: DefinitionExtra | undefined; value: unknown }
  | IntrospectionVariable;

/** One field of a custom structure as read: its value without definitions (enum values as member names) and its node. */
export interface ReadField {
  name: string;
  value: unknown;
  node: IntrospectionNode;
}

/** How values of a custom structure turn into labelled fields and back (§3 "Custom structure"). */
export interface CustomStructure<T = unknown> {
  /** The labelled fields of a value, in the order to be written. */
  toFields(value: T): Iterable<StructureField>;
  /** The value of the fields that were read. */
  fromFields(fields: ReadField[]): T;
}

const tagOf = (value: unknown): string => Object.prototype.toString.call(value);

/** True for an {@link IntrospectionInstance}. */
export function isInstance(value: unknown): value is IntrospectionInstance {
  const { object, variables } = (value ?? {}) as Partial<IntrospectionInstance>;
  return typeof object === "string" && Object(variables) === variables;
}

/** Whether an instance has a variable, and its value. */
export function variableOf({ variables }: IntrospectionInstance, name: string): { value: unknown } | undefined {
  if (isMap(variables)) return variables.has(name) ? { value: variables.get(name) } : undefined;
  const own = variables as Record<string, unknown>;
  return Object.hasOwn(own, name) ? { value: own[name] } : undefined;
}

/** Digits of the longest int that has a plain value: engines take more than proportional time for a bigint, and have a longest one. */
const MAX_DIGITS = 100_000;

/** The number that it is, or the bigint of its digits. Throws `size-limit`. */
export function plainInteger(value: IntrospectionInteger, place: ErrorPlace): number | bigint {
  if (typeof value !== "string") return value;
  return value.length <= MAX_DIGITS ? BigInt(value) : fail("size-limit", `an int of more than ${MAX_DIGITS} digits`, place);
}

/** Maps may be of another realm. */
function isMap(value: unknown): value is ReadonlyMap<unknown, unknown> {
  return tagOf(value) === "[object Map]";
}

/** What a table, whose keys may be numbers, digits or bigints, has for an id; null for none. Of texts only plain digits are one: 1e3 is none. */
export function lookUp(instances: InstanceTable | undefined, id: number | bigint | string): unknown {
  const digits = String(id);
  if (!isMap(instances)) return own(instances as Record<string, unknown> | undefined, digits) ?? null;
  const number = Number(digits);
  const other = String(number) === digits && Number.isSafeInteger(number) && (typeof id === "bigint" ? number : BigInt(number));
  return instances.get(id) ?? instances.get(digits) ?? (instances as ReadonlyMap<unknown, unknown>).get(other) ?? null;
}

/** A number as GML has them, or one beyond 2^53. */
export function isNumber(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

/** Plain digits of a whole number, whatever the size. */
export function wholeDigits(value: unknown): string | undefined {
  return spellInteger(typeof value === "bigint" ? String(value) : value);
}

/** What a loop can take. */
export function isIterable(value: unknown): boolean {
  return typeof (value as Iterable<unknown> | null | undefined)?.[Symbol.iterator] === "function";
}

/** The own member of a table. */
export function own<T>(table: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return table && Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The elements of an array or list, an array or `{ items }` as the ds codec gives it: those that are there now, since a getter may add others. */
export function listItems(value: unknown): readonly unknown[] | undefined {
  const items = Array.isArray(value) ? value : (value as { items?: unknown } | null)?.items;
  return Array.isArray(items) ? items.slice() : undefined;
}

/** The pairs of a map: a Map, `{ kind: "map", entries }` as the ds codec gives it, or the own members of an object. */
export function mapEntries(value: unknown): Iterable<readonly [unknown, unknown]> | undefined {
  if (isMap(value)) return [...value];
  // A Set, a Date or a buffer has nothing among its own members, and would be an empty map.
  if (tagOf(value) !== "[object Object]") return undefined;
  const { kind, entries } = value as { kind?: unknown; entries?: unknown };
  if (kind !== "map" || !Array.isArray(entries)) return Object.entries(value as object);
  // Holes are seen, too.
  return entries.findIndex((pair) => !(Array.isArray(pair) && pair.length === 2)) < 0 ? entries.slice() : undefined;
}
