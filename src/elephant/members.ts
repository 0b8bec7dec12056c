// What kind of container a value is, and which members of a constructed struct count (formats/elephant.md §8, §13).

import { defineMember, needsDefinition } from "../graph/members.ts";
import { classNameOf } from "./arguments.ts";
import { Registered, type Registry, StructInstance } from "./constructors.ts";
import { isScalar } from "./datatypes.ts";
import { elephantError, endsOf } from "./errors.ts";
import { type SchemaVersion, VERSION_VERBOSE, withoutExcluded } from "./schema.ts";
import { datatypeOf } from "./typed-arrays.ts";

export type ContainerKind = "array" | "typed" | "plain" | "instance";

/** What kind of container a value is; undefined for a value that is none. */
export function containerKind(value: unknown): ContainerKind | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value)) return "array";
  const prototype = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return "plain";
  if (isScalar(value)) return undefined;
  if (datatypeOf(value) !== 0) return "typed";
  return isObjectPrototype(prototype) ? "plain" : "instance";
}

const sourceOf = Function.prototype.toString;
const OBJECT = sourceOf.call(Object);

/** Is this the `Object.prototype` of another realm (a frame, `node:vm`, a test runner's), whose plain objects are as plain as those of this one? */
export function isObjectPrototype(prototype: object): boolean {
  if (Object.getPrototypeOf(prototype) !== null || !Object.hasOwn(prototype, "constructor")) return false;
  const type: unknown = prototype.constructor;
  return typeof type === "function" && type.prototype === prototype && sourceOf.call(type) === OBJECT;
}

/** Has nothing enumerable on it, or above: `for … in` then finds what its heirs have themselves, and nothing else. */
export function inheritsNothing(prototype: object): boolean {
  for (const _ in prototype) return false;
  return true;
}

/** Objects of more members are dictionaries to the engine, whose names come faster in a list than by `for … in`. */
const MAP_LIKE = 64;

/** Are these all members, in this order, of an object that {@link inheritsNothing}? */
export function hasNames(struct: object, names: readonly string[]): boolean {
  let i = 0;
  if (names.length > MAP_LIKE) {
    for (const name of Object.keys(struct)) if (name !== names[i++]) return false;
  } else for (const name in struct) if (name !== names[i++]) return false;
  return i === names.length;
}

/** Gives an instance a member, whatever its class has under that name. Error `bad-option` for classes whose instances take none. */
export function giveMember(instance: object, name: string, value: unknown): void {
  try {
    // To ask the engine for the name is quicker than to go through the prototypes.
    if (name in instance && needsDefinition(instance, name)) defineMember(instance, name, value);
    else (instance as Record<string, unknown>)[name] = value;
  } catch (cause) {
    throw elephantError(
      "bad-option",
      `an instance of ${classNameOf(instance)} does not take the member ${JSON.stringify(name)}: ${(cause as Error).message}`,
      { cause },
    );
  }
}

/** {@link giveMember} for what a save says about a constructed struct, or one that is plain and was left open. */
export function assignMember(instance: object, name: string, value: unknown): void {
  // Elephant writes its flag key as a member (formats/elephant.md §8); a stand-in keeps it to be written again unchanged.
  if (name === VERSION_VERBOSE && value === undefined && !(instance instanceof StructInstance) && containerKind(instance) !== "plain")
    return;
  giveMember(instance, name, value);
}

/** May all of these members of a new instance be given to it by assignments? */
export function takesAll(instance: object, names: readonly string[]): boolean {
  // Arrays refuse some lengths, and typed arrays some elements.
  if (!Object.isExtensible(instance) || Array.isArray(instance) || ArrayBuffer.isView(instance) || names.includes(VERSION_VERBOSE))
    return false;
  const prototype = Object.getPrototypeOf(instance) as object | null;
  // What the constructor has defined itself: assigning would run its setter, or change nothing. Made functions look at the prototype, which it may hide.
  return names.every((name) => {
    const own = Object.getOwnPropertyDescriptor(instance, name);
    return own === undefined || (own.writable === true && !needsDefinition(prototype, name));
  });
}

export function lacksSchema({ name }: Registered, version: number): string {
  return `"${endsOf(name)}" was read by schema version ${version}, without which it cannot be written`;
}

export function notRegistered(instance: object): string {
  return `an instance of ${classNameOf(instance)}, which is not registered, cannot be stored`;
}

/** The constructor of an instance; undefined for classes that are not registered. */
export function registeredOf(registry: Registry, instance: object): Registered | undefined {
  if (instance instanceof StructInstance) {
    const name = StructInstance.nameOf(instance);
    return registry.named(name) ?? new Registered(-1, name);
  }
  return registry.of(Object.getPrototypeOf(instance));
}

export interface WrittenMembers {
  readonly version: number;
  /** Strict: its fields give the datatypes. */
  readonly schema: SchemaVersion | undefined;
  /** In a version that is not strict with those that are to be left out. */
  readonly names: readonly string[];
}

/** The schema version that an instance is written in. */
export function writtenVersion(instance: object, registered: Registered): number {
  return instance instanceof StructInstance && !registered.schema ? StructInstance.versionOf(instance) : registered.currentVersion();
}

/** The members that an instance has for a write, as they are before its callback is called. `schema` is set only for strict versions. */
export function writtenMembers(instance: object, registered: Registered, forceVerbose = false): WrittenMembers {
  const version = writtenVersion(instance, registered);
  const found = version > 0 ? registered.version(version) : undefined;
  return { version, schema: forceVerbose || found?.verbose ? undefined : found, names: found ? found.members : Object.keys(instance) };
}

/** Those of them that are written. What is excluded is looked up behind the callback (formats/elephant.md §10). */
export function includedMembers({ schema, names }: WrittenMembers, registered: Registered): readonly string[] {
  return schema ? names : withoutExcluded(names, registered.schema, registered.name);
}

/** An own or inherited member as GML would see it: what every object inherits does not count. */
export function memberOf(instance: object, name: string | number): unknown {
  if (name in Object.prototype && !Object.hasOwn(instance, name)) return undefined;
  return (instance as Record<string, unknown>)[name];
}

/**
 * Which members of an instance `diffsOnly` leaves out: those that are the same in a fresh one, which is made before any callback, one for each class and call,
 * kept in `templates`. Of a stand-in without class, those that it lacks, as whoever wrote its save has left them out.
 */
export function leftOut(
  instance: object,
  { name, type }: Registered,
  templates: Map<string, object>,
  equal: (a: unknown, b: unknown) => boolean,
): (name: string) => boolean {
  const template = templates.get(name) ?? (type && new type());
  if (!template) return (member) => !Object.hasOwn(instance, member);
  templates.set(name, template);
  return (member) => equal(memberOf(instance, member), memberOf(template, member));
}
