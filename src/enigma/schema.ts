// What a save does not hold: the objects of the game, their ancestors, the types of their variables (formats/enigma.md §1).
import { TuskError } from "../errors.ts";
import type { Warnings } from "./failure.ts";
import { parseType, type ValueType } from "./value-type.ts";

/** One object of the game. */
export interface EnigmaObject {
  /** The number stored in saves. */
  readonly index: number;
  readonly name: string;
  /** Name of the parent object. */
  readonly parent?: string | null | undefined;
  /** Its own variables in any order; what game code just uses has the type `var`. */
  readonly locals: readonly { readonly name: string; readonly type: string }[];
}

/**
 * The objects of one revision of a game. Plain data, so it can live in a JSON file. It is compiled at its first use: another revision is another
 * object, not a change of this one.
 */
export interface EnigmaSchema {
  readonly objects: readonly EnigmaObject[];
}

/** One class with the variables that its own block holds. */
export interface SchemaClass {
  readonly name: string;
  readonly types: ReadonlyMap<string, ValueType>;
  readonly parent: SchemaClass | undefined;
}

/** The classes of a game's objects. */
export class CompiledSchema {
  private readonly classes = new Map<number, SchemaClass>();
  private readonly chains = new Map<number, readonly SchemaClass[]>();

  constructor(schema: EnigmaSchema) {
    const byName = new Map<string, EnigmaObject>();
    for (const object of schema.objects) {
      if (byName.has(object.name)) refuse(`two objects are called ${JSON.stringify(object.name)}`);
      byName.set(object.name, object);
    }
    const compiled = new Map<string, SchemaClass>();
    const declared = new Set<string>();
    for (const object of schema.objects) {
      if (this.classes.has(object.index)) refuse(`two objects have the index ${object.index}`);
      this.classes.set(object.index, compile(object, byName, compiled, declared));
    }
  }

  /** The classes of an object, root first. They are listed when they are asked for: all lists of a long chain would take memory by the square of its length. */
  chain(objectIndex: number): readonly SchemaClass[] | undefined {
    let chain = this.chains.get(objectIndex);
    if (!chain) {
      const classes: SchemaClass[] = [];
      for (let at = this.classes.get(objectIndex); at; at = at.parent) classes.push(at);
      if (classes.length > 0) this.chains.set(objectIndex, (chain = classes.reverse()));
    }
    return chain;
  }
}

/** The classes of an instance's blocks. Class names are not stored: where the counts differ, nothing says which class came or went (formats/enigma.md §5). */
export function ownersOf(
  chain: readonly SchemaClass[] | undefined,
  blocks: number,
  objectIndex: number,
  warnings: Warnings,
  place: { offset: number; path: string },
): readonly SchemaClass[] | undefined {
  if (!chain || chain.length === blocks) return chain;
  warnings.add(
    "class-count",
    `the save has ${blocks} classes for object ${objectIndex}, the schema ${chain.length}; its variables stay raw`,
    place,
  );
  return undefined;
}

const compiled = new WeakMap<EnigmaSchema, CompiledSchema>();

/** Compiles a schema at its first use; compiling takes longer than reading a small save (bench/enigma/small-saves.mjs). */
export function compileSchema(schema: EnigmaSchema): CompiledSchema {
  let result = compiled.get(schema);
  if (!result) {
    checkForm(schema);
    compiled.set(schema, (result = new CompiledSchema(schema)));
  }
  return result;
}

/** Schemas come from JSON files. */
function checkForm(schema: EnigmaSchema): void {
  if (typeof schema !== "object" || schema === null || !Array.isArray(schema.objects)) refuse("the schema has no list of objects");
  for (const [i, object] of schema.objects.entries()) {
    if (typeof object !== "object" || object === null || typeof object.name !== "string") refuse(`objects[${i}] has no name`);
    const name = JSON.stringify(object.name);
    if (!Number.isInteger(object.index)) refuse(`the index of ${name} is no whole number`);
    if (typeof (object.parent ?? "") !== "string") refuse(`the parent of ${name} is no name`);
    if (!Array.isArray(object.locals)) refuse(`${name} has no list of locals`);
    for (const local of object.locals)
      if (typeof local?.name !== "string" || typeof local.type !== "string") refuse(`a local of ${name} lacks its name or its type`);
  }
}

function refuse(message: string): never {
  throw new TuskError("enigma", "schema", message);
}

/** Compiles a class and those above it, from the root downwards, without recursion: a parent may be thousands of objects away. */
function compile(
  object: EnigmaObject,
  byName: ReadonlyMap<string, EnigmaObject>,
  compiled: Map<string, SchemaClass>,
  declared: Set<string>,
): SchemaClass {
  const open = new Set<EnigmaObject>();
  let at: EnigmaObject | undefined = object;
  while (at && !compiled.has(at.name)) {
    const { name, parent }: EnigmaObject = at;
    if (open.has(at)) refuse(`object ${JSON.stringify(name)} is its own ancestor`);
    open.add(at);
    at = byName.get(parent as string);
    if (!at && typeof parent === "string") refuse(`the parent ${JSON.stringify(parent)} of ${JSON.stringify(name)} is not in the schema`);
  }
  let last = at && compiled.get(at.name);
  for (const member of [...open].reverse()) {
    const types = new Map<string, ValueType>();
    for (const { name, type } of member.locals) {
      if (types.has(name)) refuse(`${member.name} declares ${JSON.stringify(name)} twice`);
      const own = parseType(type);
      // Declared with the same name and type in an ancestor, a variable is stored in the ancestor's block only (formats/enigma.md §2.2). Most are
      // declared once in all classes, and need no walk through the ancestors, which may be thousands.
      const key = name + own.text;
      let owner = declared.has(key) ? last : undefined;
      declared.add(key);
      while (owner && owner.types.get(name)?.text !== own.text) owner = owner.parent;
      if (!owner) types.set(name, own);
    }
    last = { name: member.name, types, parent: last };
    compiled.set(member.name, last);
  }
  return last!;
}
