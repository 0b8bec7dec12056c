// The database of definitions: which variables each object has, and of which types (formats/introspection.md §1, §5).

import type { ErrorPlace } from "../errors.ts";
import { fail, textOf } from "./failure.ts";

/** The type words of the format; the first nine are the original's, the rest belong to the superset. */
export type KnownType = "int" | "float" | "bool" | "string" | "enum" | "object" | "array" | "list" | "map" | "grid" | "asset" | "custom";
/** A type word. The original writer carries on with words it does not know (§2 "Warnings"), so a definition may hold any. */
export type IntrospectionType = KnownType | (string & {});

/** `enum`: the member names by value; `asset`: the kind; `custom`: an object with the structure's name. */
export type DefinitionExtra = readonly string[] | string | { structure: string };

/** One variable of an object. */
export interface VariableDefinition {
  name: string;
  /** Outermost first: `["map", "list", "enum"]` is a map of lists of enum values. */
  types: readonly IntrospectionType[];
  extra?: DefinitionExtra | undefined;
}

/** Object name to its variables in order, each as an object or as the tutorial's `[name, types, extra]`. */
export type Definitions = Record<
  string,
  readonly (VariableDefinition | readonly [string, readonly IntrospectionType[], (DefinitionExtra | undefined)?])[]
>;

/** A variable as an editor's form needs it (§5). */
export interface EditableVariable {
  name: string;
  types: readonly IntrospectionType[];
  /** The type of the values at the bottom of the containers, e.g. `enum` for `["list", "enum"]`. */
  leaf: IntrospectionType;
  /** Enum values: the member names by value. */
  members?: readonly string[];
  /** Assets: the kind. */
  assetKind?: string;
  /** Custom structures: the structure's name. */
  structure?: string;
}

/** The definitions of all objects, checked as they are used. */
export class IntrospectionDatabase {
  private readonly definitions: Definitions;
  private readonly checked = new Map<string, readonly VariableDefinition[]>();

  /** Throws `bad-definition`. */
  constructor(definitions: Definitions) {
    if (Object(definitions) !== definitions) fail("bad-definition", "no definitions");
    this.definitions = definitions;
  }

  /** The names of the defined objects. */
  get objects(): string[] {
    return Object.keys(this.definitions);
  }

  /** The variables of an object in order, or undefined. Throws `bad-definition`. */
  variables(object: string): readonly VariableDefinition[] | undefined {
    let variables = this.checked.get(object);
    // Own names only: an object called `constructor` is not defined by Object.prototype.
    if (variables === undefined && typeof object === "string" && Object.hasOwn(this.definitions, object)) {
      const list = this.definitions[object];
      if (!Array.isArray(list)) fail("bad-definition", `${object} is no list`);
      // Holes are seen, too.
      variables = Array.from(list, (item) => checkVariable(object, item));
      this.checked.set(object, variables);
    }
    return variables;
  }

  /** The variables of an object as an editor's form needs them. Throws `undefined-object`, `bad-definition`. */
  editableVariables(object: string): EditableVariable[] {
    return definedVariables(this, object).map(({ name, types, extra }) => {
      const leaf = types[types.length - 1];
      const variable: EditableVariable = { name, types, leaf };
      if (leaf === "enum") variable.members = enumMembers(extra);
      if (leaf === "asset") variable.assetKind = nameInExtra(extra);
      if (leaf === "custom") variable.structure = structureName(extra);
      return variable;
    });
  }
}

/** The variables of an object that must be defined. Throws `undefined-object`, `bad-definition`. */
export function definedVariables(database: IntrospectionDatabase, object: string, place?: ErrorPlace): readonly VariableDefinition[] {
  return database.variables(object) ?? fail("undefined-object", `${textOf(object)} is not defined`, place);
}

/** One variable of an object, or field of a structure. Throws `bad-definition`. */
export function checkVariable(object: string, item: unknown): VariableDefinition {
  const given = item as Partial<VariableDefinition> | null | undefined;
  const [name, types, extra] = Array.isArray(item) ? item : [given?.name, given?.types, given?.extra];
  if (typeof name !== "string" || !Array.isArray(types) || types.length === 0 || types.findIndex((type) => typeof type !== "string") >= 0) {
    fail("bad-definition", `a variable of ${object} needs a name and at least one type`);
  }
  return { name, types, extra };
}

/** A database from plain definitions; one that is one already is returned as it is. */
export function toDatabase(definitions: Definitions | IntrospectionDatabase | null | undefined): IntrospectionDatabase {
  return definitions instanceof IntrospectionDatabase ? definitions : new IntrospectionDatabase(definitions ?? {});
}

/** The database of options, if they have definitions. */
export function givenDatabase({
  definitions,
}: {
  definitions?: Definitions | IntrospectionDatabase | null | undefined;
}): IntrospectionDatabase | undefined {
  return definitions === null || definitions === undefined ? undefined : toDatabase(definitions);
}

/** The member names of an enum's extra data. */
export function enumMembers(extra: DefinitionExtra | undefined): readonly string[] {
  return Array.isArray(extra) ? extra : [];
}

/** The name that extra data is, as an asset's kind; "" if it is missing. */
export function nameInExtra(extra: unknown): string {
  return typeof extra === "string" ? extra : "";
}

/** The structure's name of a custom's extra data; "" if it is missing. */
export function structureName(extra: DefinitionExtra | undefined): string {
  return nameInExtra((extra as { structure?: string } | null | undefined)?.structure);
}
