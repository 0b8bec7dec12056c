// The tutorial's scripts, with everything they do to broken data (formats/introspection.md §2). They share one manager whose indentation,
// types, extra data and depth are not restored where a script returns early, and the text shows it; so this writer carries the same
// state instead of working on a document.

import { type DefinitionExtra, enumMembers, type IntrospectionDatabase, type IntrospectionType } from "./definitions.ts";
import { keyStep } from "./document.ts";
import { fail } from "./failure.ts";
import { type IntrospectionInstance, isInstance, listItems, lookUp, mapEntries, type OldStyleArray, variableOf } from "./instances.ts";
import { spellInteger } from "./notation.ts";
import type { InstanceTable, IntrospectionLimits } from "./options.ts";
import { enter, Place } from "./place.ts";
import { type Descent, run } from "./trampoline.ts";

/**
 * What the original's scripts write for an instance, without the final line break, and their warnings.
 *
 * Throws where a game would stop or never end: `type-mismatch`, `bad-key`, `unknown-enum-name`, `bad-definition`, `cycle`, `depth-limit`.
 */
export function writeOriginal(
  instance: IntrospectionInstance,
  database: IntrospectionDatabase,
  instances: InstanceTable | undefined,
  limits: IntrospectionLimits,
): { text: string; warnings: string[] } {
  const writer = new OriginalWriter(database, instances, limits.maxDepth);
  run(writer.object(instance, new Place()));
  return { text: writer.text, warnings: writer.warnings };
}

class OriginalWriter {
  text = "";
  readonly warnings: string[] = [];
  private readonly database: IntrospectionDatabase;
  private readonly instances: InstanceTable | undefined;
  private readonly maxDepth: number;
  // The manager's variables.
  private indent = 0;
  private types: readonly IntrospectionType[] = [];
  private extra: DefinitionExtra | undefined;
  private depth = 0;

  constructor(database: IntrospectionDatabase, instances: InstanceTable | undefined, maxDepth: number) {
    this.database = database;
    this.instances = instances;
    this.maxDepth = maxDepth;
  }

  *object(instance: IntrospectionInstance | undefined, parent: Place): Descent<void> {
    const definition = instance && this.database.variables(instance.object);
    if (instance === undefined || definition === undefined) {
      this.warnings.push("Warning: The object hasn't been defined yet.");
      return;
    }
    const place = enter(parent, this.maxDepth, instance);
    const types = this.types;
    const extra = this.extra;
    const depth = this.depth;
    this.depth = 0;
    this.text += `${instance.object} = ${wholeDigits(instance.id, parent)}\n`;
    this.open();
    for (const variable of definition) {
      place.step = "." + variable.name;
      this.label(variable.name);
      const found = variableOf(instance, variable.name);
      if (found === undefined) {
        // The script returns here: nothing is closed, nothing restored.
        this.warnings.push(`Warning: The variable "${variable.name}" does not exist in the ${instance.object} object.`);
        return;
      }
      this.types = variable.types;
      this.extra = variable.extra;
      const type = variable.types[0];
      if (!this.scalar(type, found.value, place)) yield this.block(type, found.value, place);
    }
    this.close();
    this.types = types;
    this.extra = extra;
    this.depth = depth;
  }

  private *block(type: IntrospectionType, value: unknown, parent: Place): Descent<void> {
    if (type === "object") {
      const instance =
        isInstance(value) || value === null || value === undefined ? value : lookUp(this.instances, numeric(value, type, parent));
      return yield this.object(instance ?? undefined, parent);
    }
    const place = enter(parent, this.maxDepth);
    this.text += type + " =\n";
    this.open();
    this.depth++;
    const isMap = type === "map";
    const entries = isMap ? mapEntries(value) : (type === "array" ? arrayItems(value) : listItems(value))?.entries();
    for (const [key, item] of entries ?? mismatch(value, type, parent)) {
      place.step = isMap ? keyStep(key) : (key as number);
      if (isMap && typeof key !== "string") fail("bad-key", "the original has no text for a key that is no string", place);
      this.label((isMap ? "" : type[0]) + String(key));
      const element = this.types[this.depth] ?? fail("bad-definition", "the last type is a container, but there are elements", place);
      if (!this.scalar(element, item, place)) yield this.block(element, item, place);
    }
    this.depth--;
    this.close();
  }

  private open(): void {
    this.text += "\t".repeat(this.indent++) + "{\n";
  }

  private close(): void {
    this.text += "\t".repeat(--this.indent) + "}\n";
  }

  private label(label: string): void {
    this.text += `${"\t".repeat(this.indent)}${label} : `;
  }

  /** Writes a scalar's line; false if the type is a block's. */
  private scalar(type: IntrospectionType, value: unknown, place: Place): boolean {
    switch (type) {
      case "int":
        this.text += `int = ${wholeDigits(floor(numeric(value, type, place)), place)}\n`;
        return true;
      case "float": {
        const number = Number(numeric(value, type, place));
        this.text += `float = ${Number.isFinite(number) ? number.toFixed(5) : number}\n`;
        return true;
      }
      case "bool":
        this.text += `bool = ${numeric(value, type, place) > 0.5 ? "True" : "False"}\n`;
        return true;
      case "string":
        // A number can only come here with types left over behind a warning.
        this.text += `string = "${typeof value === "string" ? value : wholeDigits(numeric(value, type, place), place)}"\n`;
        return true;
      case "enum": {
        const members = enumMembers(this.extra);
        const member = typeof value === "string" && members.includes(value) ? value : members[Number(numeric(value, type, place))];
        if (member === undefined) fail("unknown-enum-name", "the original has no text for an enum value without a name", place);
        this.text += `enum = ${member}\n`;
        return true;
      }
      case "object":
      case "array":
      case "list":
      case "map":
        return false;
      default:
        // A type the script's switch does not know: nothing at all, no line end either.
        return true;
    }
  }
}

/** Numbers as GML takes them: bools are 0 and 1, an instance is its id. */
function numeric(value: unknown, type: string, place: Place): number | bigint {
  if (typeof value === "number" || typeof value === "bigint") return value;
  if (typeof value === "boolean") return Number(value);
  return isInstance(value) ? Number(value.id) : mismatch(value, type, place);
}

function floor(value: number | bigint): number | bigint {
  return typeof value === "bigint" ? value : Math.floor(value);
}

/** `string()` of a whole number: plain digits whatever the size; NaN and the infinities as the browser runtime prints them. */
function wholeDigits(value: number | bigint | string, place: Place): string {
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  return spellInteger(typeof value === "bigint" ? String(value) : value) ?? mismatch(value, "int", place);
}

/** An array's elements: of an old-style one only the first row, of a number (types left over behind a warning) none. */
function arrayItems(value: unknown): readonly unknown[] | undefined {
  if (typeof value === "number" || isInstance(value)) return [];
  const { rows } = (value ?? {}) as Partial<OldStyleArray>;
  return Array.isArray(rows) ? (rows[0] ?? []) : listItems(value);
}

function mismatch(value: unknown, type: string, place: Place): never {
  return fail("type-mismatch", `a value for the type ${type} is ${value === null ? "null" : typeof value}`, place);
}
