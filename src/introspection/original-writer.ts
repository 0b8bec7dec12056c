// The tutorial's scripts, with everything they do to broken data (formats/introspection.md §2). They share one manager whose indentation,
// types, extra data and depth are not restored where a script returns early, and the text shows it; so this writer carries the same
// state instead of working on a document.

import { type DefinitionExtra, enumMembers, type IntrospectionType } from "./definitions.ts";
import { checkInstance, type DescribeContext } from "./describe.ts";
import { keyStep } from "./document.ts";
import { fail, fitting, mismatch } from "./failure.ts";
import {
  type IntrospectionInstance,
  isInstance,
  isNumber,
  listItems,
  lookUp,
  mapEntries,
  type OldStyleArray,
  variableOf,
  wholeDigits,
} from "./instances.ts";
import { enter, Place } from "./place.ts";
import { type Descent, run } from "./trampoline.ts";

/**
 * What the original's scripts write for an instance, without the final line break, and their warnings.
 *
 * Throws where a game would stop or never end: `type-mismatch`, `bad-key`, `unknown-enum-name`, `bad-definition`, `cycle`, `depth-limit`,
 * `too-long`.
 */
export function writeOriginal(root: IntrospectionInstance, context: DescribeContext): { text: string; warnings: string[] } {
  const { database, instances, limits } = context;
  let text = "";
  const warnings: string[] = [];
  // The manager's variables.
  let indent = 0;
  let types: readonly IntrospectionType[] = [];
  let extra: DefinitionExtra | undefined;
  let depth = 0;

  function* writeObject(instance: IntrospectionInstance | null, parent: Place): Descent<void> {
    const definition = instance === null ? undefined : database.variables(checkInstance(instance, parent).object);
    if (instance === null || definition === undefined) {
      warnings.push("Warning: The object hasn't been defined yet.");
      return;
    }
    const place = enter(parent, limits, instance);
    const before = [types, extra, depth] as const;
    add(`${instance.object} = ${digitsOf(instance.id, parent)}\n`);
    open();
    for (const variable of definition) {
      place.step = "." + variable.name;
      label(variable.name);
      const found = variableOf(instance, variable.name);
      if (found === undefined) {
        // The script returns here: nothing is closed, nothing restored.
        warnings.push(`Warning: The variable "${variable.name}" does not exist in the ${instance.object} object.`);
        return;
      }
      types = variable.types;
      extra = variable.extra;
      depth = 0;
      const type = types[0];
      if (!scalar(type, found.value, place)) yield writeBlock(type, found.value, place);
    }
    close();
    [types, extra, depth] = before;
  }

  function* writeBlock(type: IntrospectionType, value: unknown, parent: Place): Descent<void> {
    if (type === "object") {
      const given = value ?? null;
      const instance = given === null || isInstance(given) ? given : lookUp(instances, numeric(given, type, parent));
      return yield writeObject(instance as IntrospectionInstance | null, parent);
    }
    const place = enter(parent, limits);
    add(type + " =\n");
    open();
    depth++;
    const isMap = type === "map";
    const entries = isMap ? mapEntries(value) : (type === "array" ? arrayItems(value) : listItems(value))?.entries();
    for (const [key, item] of entries ?? mismatch(value, type, parent)) {
      place.step = isMap ? keyStep(key) : (key as number);
      if (isMap && typeof key !== "string") fail("bad-key", "the original has no text for a key that is no string", place);
      label((isMap ? "" : type[0]) + String(key));
      const element = types[depth] ?? fail("bad-definition", "the last type is a container, but there are elements", place);
      if (!scalar(element, item, place)) yield writeBlock(element, item, place);
    }
    depth--;
    close();
  }

  /** What it adds has been made outside, where the caller's objects are asked: their errors stay as they are. */
  function add(more: string): void {
    fitting(() => {
      text += more;
    });
  }

  function open(): void {
    add("\t".repeat(indent++) + "{\n");
  }

  function close(): void {
    add("\t".repeat(--indent) + "}\n");
  }

  function label(name: string): void {
    add(`${"\t".repeat(indent)}${name} : `);
  }

  /** Writes a scalar's line; false if the type is a block's. */
  function scalar(type: IntrospectionType, value: unknown, place: Place): boolean {
    const line = lineOf(type, value, extra, place);
    add(line ?? "");
    return line !== undefined;
  }

  run(writeObject(root, new Place()));
  return { text, warnings };
}

/** A scalar's line; undefined if the type is a block's. */
function lineOf(type: IntrospectionType, value: unknown, extra: DefinitionExtra | undefined, place: Place): string | undefined {
  switch (type) {
    case "int": {
      const number = numeric(value, type, place);
      return `int = ${typeof number === "number" ? digitsOf(Math.floor(number), place) : number}\n`;
    }
    case "float": {
      const number = Number(numeric(value, type, place));
      return `float = ${Number.isFinite(number) ? number.toFixed(5) : number}\n`;
    }
    case "bool":
      return `bool = ${(numeric(value, type, place) as number) > 0.5 ? "True" : "False"}\n`;
    case "string": {
      const text = typeof value === "string" ? value : digitsOf(numeric(value, type, place), place, type);
      return fitting(() => `string = "${text}"\n`);
    }
    case "enum": {
      const members = enumMembers(extra);
      const member = members[typeof value === "string" ? members.indexOf(value) : (numeric(value, type, place) as number)];
      if (typeof member !== "string") fail("unknown-enum-name", "the original has no text for an enum value without a name", place);
      return `enum = ${member}\n`;
    }
    case "object":
    case "array":
    case "list":
    case "map":
      return undefined;
    default:
      // A type the script's switch does not know: nothing at all, no line end either.
      return "";
  }
}

/** Numbers as GML takes them: bools are 0 and 1, an instance is its id, of which these are the digits: it may be beyond 2^53. */
function numeric(value: unknown, type: string, place: Place): number | bigint | string {
  if (isNumber(value)) return value;
  if (typeof value === "boolean") return Number(value);
  return isInstance(value) ? digitsOf(value.id, place, type) : mismatch(value, type, place);
}

/** `string()` of a whole number: plain digits whatever the size; NaN and the infinities as the browser runtime prints them. */
function digitsOf(value: number | bigint | string, place: Place, type = "int"): string {
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  return wholeDigits(value) ?? mismatch(value, type, place);
}

/** An array's elements: of an old-style one only the first row, of a number (types left over behind a warning) none. */
function arrayItems(value: unknown): readonly unknown[] | undefined {
  if (typeof value === "number" || isInstance(value)) return [];
  const { rows } = (value ?? {}) as Partial<OldStyleArray>;
  return listItems(Array.isArray(rows) ? (rows[0] ?? []) : value);
}
