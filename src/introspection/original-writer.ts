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
export function writeOriginal(instance: IntrospectionInstance, context: DescribeContext): { text: string; warnings: string[] } {
  const writer = new OriginalWriter(context);
  run(writer.object(instance, new Place()));
  return writer;
}

class OriginalWriter {
  text = "";
  readonly warnings: string[] = [];
  private readonly context: DescribeContext;
  // The manager's variables.
  private indent = 0;
  private types: readonly IntrospectionType[] = [];
  private extra: DefinitionExtra | undefined;
  private depth = 0;

  constructor(context: DescribeContext) {
    this.context = context;
  }

  *object(instance: IntrospectionInstance | null, parent: Place): Descent<void> {
    const { database, limits } = this.context;
    const definition = instance === null ? undefined : database.variables(checkInstance(instance, parent).object);
    if (instance === null || definition === undefined) {
      this.warnings.push("Warning: The object hasn't been defined yet.");
      return;
    }
    const place = enter(parent, limits, instance);
    const types = this.types;
    const extra = this.extra;
    const depth = this.depth;
    this.add(`${instance.object} = ${digitsOf(instance.id, parent)}\n`);
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
      this.depth = 0;
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
      const given = value ?? null;
      const instance = given === null || isInstance(given) ? given : lookUp(this.context.instances, numeric(given, type, parent));
      return yield this.object(instance as IntrospectionInstance | null, parent);
    }
    const place = enter(parent, this.context.limits);
    this.add(type + " =\n");
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

  /** What it adds has been made outside, where the caller's objects are asked: their errors stay as they are. */
  private add(more: string): void {
    fitting(() => {
      this.text += more;
    });
  }

  private open(): void {
    this.add("\t".repeat(this.indent++) + "{\n");
  }

  private close(): void {
    this.add("\t".repeat(--this.indent) + "}\n");
  }

  private label(label: string): void {
    this.add(`${"\t".repeat(this.indent)}${label} : `);
  }

  /** Writes a scalar's line; false if the type is a block's. */
  private scalar(type: IntrospectionType, value: unknown, place: Place): boolean {
    const line = this.line(type, value, place);
    this.add(line ?? "");
    return line !== undefined;
  }

  private line(type: IntrospectionType, value: unknown, place: Place): string | undefined {
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
        const members = enumMembers(this.extra);
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
