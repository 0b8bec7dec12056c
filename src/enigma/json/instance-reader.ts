// One instance of the JSON backend: classes nested leaf outermost, the tiers inside the root (formats/enigma.md §3.1, §4.6, §4.7).
import { fail, unlessRefused, type Warnings } from "../failure.ts";
import type { EnigmaClass, EnigmaInstance, EnigmaLocal, EnigmaText, EnigmaVar } from "../model.ts";
import { type CompiledSchema, ownersOf, type SchemaClass } from "../schema.ts";
import { nameOf } from "../text.ts";
import { TIERS } from "../tiers.ts";
import { type JsonCursor, KeyList } from "./cursor.ts";
import { readInteger, readJsonValue, readVar } from "./value-reader.ts";

export interface JsonReadContext {
  readonly cursor: JsonCursor;
  readonly schema: CompiledSchema | undefined;
  readonly unknownObject: "error" | "raw";
  readonly warnings: Warnings;
}

const TIER_KEYS = TIERS.map(
  (tier) => new KeyList(["object_type", ...(tier.part === undefined ? [] : ["parent"]), ...tier.fields.map(([key]) => key)]),
);
const LOCAL_KEYS = new KeyList(["name", "data"]);

function readTimelines(cursor: JsonCursor): [number, number][][] {
  return cursor.array(() => {
    cursor.expect(0x7b);
    return cursor.entries((): [number, number] => {
      const at = cursor.start();
      const key = cursor.key();
      const step = typeof key === "string" && /^-?\d{1,10}$/.test(key) ? Number(key) : Number.NaN;
      if (step !== (step | 0)) fail("json-bad-value", "expected a step of a timeline", at);
      if (String(step) !== key) cursor.foreign ??= at;
      return [step | 0, readInteger(cursor, "i32")];
    });
  });
}

/** Records with all fields in the order of the format, whatever the order in the document; copies of them have one shape. */
const EMPTY_RECORDS = TIERS.map((tier) => Object.fromEntries(tier.fields.map(([, property]): [string, unknown] => [property, undefined])));

/** Reads a tier and, as its "parent", those inside it: six levels, never more. */
function readTier(cursor: JsonCursor, level: number, instance: Record<string, unknown>): void {
  const tier = TIERS[level]!;
  const record = tier.part === undefined ? instance : { ...EMPTY_RECORDS[level] };
  if (tier.part !== undefined) instance[tier.part] = record;
  const first = tier.part === undefined ? 1 : 2;
  cursor.members(TIER_KEYS[level]!, tier.name, (key) => {
    if (key === 0) {
      const at = cursor.start();
      if (cursor.text() !== tier.name) fail("json-object-type", `expected the tier ${tier.name}`, at);
    } else if (key < first) readTier(cursor, level + 1, instance);
    else {
      const [, property, type] = tier.fields[key - first]!;
      record[property] = type ? readJsonValue(cursor, type) : readTimelines(cursor);
    }
  });
}

function readVmap(cursor: JsonCursor, warnings: Warnings): [EnigmaText, EnigmaVar][] | null {
  cursor.expect(0x7b);
  const at = cursor.at;
  const doubled = cursor.pass(0x7b);
  const entries = cursor.entries((): [EnigmaText, EnigmaVar] => [cursor.key(), readVar(cursor)]);
  if (!doubled) return entries.length === 0 ? null : entries;
  warnings.tally("json-vmap-braces", "the braces of a variable map are doubled", { offset: at });
  cursor.expect(0x7d);
  return entries;
}

/** A local of known type; its form may not fit, then the variable is damaged and keeps its text. */
function readTyped(context: JsonReadContext, name: EnigmaText, owner: SchemaClass | undefined, path: string): EnigmaLocal {
  const { cursor, warnings } = context;
  // Names that are bytes are none of a schema's.
  const type = owner?.types.get(name as string);
  const start = cursor.start();
  if (type) {
    const { foreign } = cursor;
    warnings.attempt();
    const local = unlessRefused((): EnigmaLocal | undefined => {
      const value = readJsonValue(cursor, type);
      const next = cursor.peek();
      return next === 0x7d || next === 0x2c ? { name, type: type.text, value } : undefined;
    });
    warnings.settle(local !== undefined);
    if (local) return local;
    // The text is kept as it is, so nothing that the attempt met is to be reported.
    cursor.at = start;
    cursor.foreign = foreign;
  }
  const place = cursor.skip();
  const raw = cursor.bytes.slice(place.start, place.end);
  if (!type) return { name, raw };
  warnings.add("damaged-local", `${type.text} ${nameOf(name)} is damaged: its text is not one value of this type`, {
    offset: start,
    path: `${path}.${nameOf(name)}`,
  });
  return { name, type: type.text, raw, damaged: true };
}

function readLocals(context: JsonReadContext, owner: SchemaClass | undefined, path: string): EnigmaLocal[] {
  const { cursor } = context;
  return cursor.array(() => {
    let name: EnigmaText | undefined;
    let local: EnigmaLocal | undefined;
    let data = 0;
    cursor.members(LOCAL_KEYS, "a local", (key) => {
      if (key === 0) {
        name = cursor.text();
        local = undefined;
      } else {
        data = cursor.at;
        if (name === undefined) cursor.skip();
        else local = readTyped(context, name, owner, path);
      }
    });
    if (!local) {
      // The name, or the last of several, stands behind the data.
      const end = cursor.at;
      cursor.at = data;
      local = readTyped(context, name!, owner, path);
      cursor.at = end;
    }
    return local;
  });
}

/** Reads what follows the inner object of one class: its locals and its brace, or the comma after which both are missing. */
function closeClass(context: JsonReadContext, owner: SchemaClass | undefined, start: number, path: string): EnigmaLocal[] {
  const { cursor, warnings } = context;
  let locals: EnigmaLocal[] | undefined;
  while (cursor.pass(0x2c)) {
    if (cursor.peek() !== 0x22) {
      if (locals) cursor.syntax("a key");
      warnings.tally("json-missing-locals", "a class without variables lacks its locals and its brace", { offset: cursor.at });
      return [];
    }
    const key = cursor.key();
    if (key === "locals" && !locals) locals = readLocals(context, owner, path);
    else {
      cursor.foreign ??= cursor.at;
      cursor.skip();
    }
  }
  cursor.expect(0x7d);
  if (!locals) fail("json-missing-key", `a class lacks "locals"`, start);
  return locals;
}

const ROOT_KEYS = new KeyList(["event_parent", "vmap"]);

/** Reads the instance at the cursor. Classes may be nested to any depth: they are counted on the way in and closed on the way out. */
export function readJsonInstance(context: JsonReadContext, path: string): EnigmaInstance {
  const { cursor, schema, warnings } = context;
  const starts: number[] = [];
  for (;;) {
    const start = cursor.start();
    cursor.expect(0x7b);
    // The root is read again from its beginning, with what is tallied there. An empty object is where it should stand, and lacks its keys.
    warnings.attempt();
    const entered = !cursor.pass(0x7d) && enterClass(cursor);
    warnings.settle(entered);
    if (!entered) {
      cursor.at = start;
      break;
    }
    starts.push(start);
  }
  if (starts.length === 0) fail("json-missing-key", `an instance lacks "obj"`, cursor.at);
  const instance: EnigmaInstance & Record<string, unknown> = {
    id: 0,
    objectIndex: 0,
    planar: undefined as never,
    timelines: undefined as never,
    graphics: undefined as never,
    transform: undefined as never,
    collisions: undefined as never,
    vmap: null,
    classes: [],
  };
  const start = cursor.at;
  cursor.members(ROOT_KEYS, "the root of an instance", (key) => {
    if (key === 0) readTier(cursor, 0, instance);
    else instance.vmap = readVmap(cursor, warnings);
  });
  const chain = schema?.chain(instance.objectIndex);
  if (schema && !chain && context.unknownObject === "error")
    fail("unknown-object", `no object of the schema has the index ${instance.objectIndex}`, start);
  const owners = ownersOf(chain, starts.length, instance.objectIndex, warnings, { offset: start, path });
  for (let i = 0; starts.length > 0; i++) {
    const owner = owners?.[i];
    const block: EnigmaClass = { class: owner?.name, locals: closeClass(context, owner, starts.pop()!, `${path}.classes[${i}]`) };
    instance.classes.push(block);
  }
  return instance;
}

/** At the first key of an object: passes keys up to "obj"; false if this is the root. */
function enterClass(cursor: JsonCursor): boolean {
  do {
    const key = cursor.key();
    if (key === "obj") return true;
    if (key === "event_parent" || key === "vmap") return false;
    cursor.foreign ??= cursor.at;
    cursor.skip();
  } while (cursor.pass(0x2c));
  return false;
}
