// The order of instances and variables, the same in both backends (formats/enigma.md §2, §2.2).
import { isUint8Array } from "../engine/given-bytes.ts";
import { describe, refuse } from "./failure.ts";
import { listOf } from "./given.ts";
import type { EnigmaClass, EnigmaGame, EnigmaInstance, EnigmaLocal } from "./model.ts";
import { compareTexts, givenKeyOf, nameOf } from "./text.ts";

/**
 * What an instance is sorted by. What a program gives may be no instance, or its id no number: that has no order, and the writer refuses it where it
 * stands.
 */
function signedId(instance: EnigmaInstance | undefined): number {
  const id = instance?.id;
  return typeof id === "number" ? id | 0 : Number.NaN;
}

/** Ids ascend as signed numbers (formats/enigma.md §2). */
export function ascendingIds(instances: readonly EnigmaInstance[]): boolean {
  for (let i = 1; i < instances.length; i++) if (signedId(instances[i - 1]!) > signedId(instances[i]!)) return false;
  return true;
}

/** Where an instance stands in the game that was given, by its index among those that are written. */
export type PathOf = (index: number) => string;

/** The instances of a list, ascending by id as a signed number unless the order is to be kept, and their paths. */
export function orderedInstances(game: EnigmaGame, list: "active" | "inactive", sort: boolean): [readonly EnigmaInstance[], PathOf] {
  const given = listOf(game[list], `.${list}`);
  if (!sort || ascendingIds(given)) return [given, (i) => `.${list}[${i}]`];
  const order = [...given.keys()].sort((a, b) => signedId(given[a]!) - signedId(given[b]!));
  return [order.map((i) => given[i]!), (i) => `.${list}[${order[i]}]`];
}

/** The locals in the order in which their values are stored: ascending by the bytes of their names. */
export function orderedLocals(locals: readonly EnigmaLocal[], sort: boolean): readonly EnigmaLocal[] {
  if (!sort) return locals;
  for (let i = 1; i < locals.length; i++)
    if (compareTexts(locals[i - 1]!.name, locals[i]!.name) > 0) return [...locals].sort((a, b) => compareTexts(a.name, b.name));
  return locals;
}

/**
 * The variables of a class as {@link orderedLocals} gives them. Each has a name, which no other has unless they `mayRepeat`: a symbol table with a
 * name twice is refused by the reader.
 */
export function localsOf(block: EnigmaClass, sort: boolean, mayRepeat: boolean, path: string): readonly EnigmaLocal[] {
  // What a getter adds while the class is written is not in the save.
  const locals = listOf(block.locals, `${path}.locals`).slice();
  const seen = new Set<string>();
  for (let i = 0; i < locals.length; i++) {
    const name: unknown = locals[i]?.name;
    if (typeof name !== "string" && !isUint8Array(name))
      refuse("unwritable", `expected a text, found ${describe(name)}`, `${path}.locals[${i}].name`);
    if (mayRepeat) continue;
    const key = givenKeyOf(name);
    if (seen.has(key)) refuse("unwritable", "the class has this variable twice", `${path}.${nameOf(name)}`);
    seen.add(key);
  }
  return orderedLocals(locals, sort);
}
