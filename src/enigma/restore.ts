// Loading a save into another revision of its objects: the intersection by name, class by class (formats/enigma.md §5).
import { TuskError } from "../errors.ts";
import { ByteSink } from "./binary/byte-sink.ts";
import { readRegion } from "./binary/value-reader.ts";
import { writeValue } from "./binary/value-writer.ts";
import { unlessRefused, Warnings } from "./failure.ts";
import { JsonCursor } from "./json/cursor.ts";
import { readJsonValue } from "./json/value-reader.ts";
import type { EnigmaClass, EnigmaGame, EnigmaInstance, EnigmaLocal, EnigmaText, EnigmaValue } from "./model.ts";
import { type CompiledSchema, compileSchema, type EnigmaSchema, type SchemaClass } from "./schema.ts";
import { compareBytes, compareTexts, givenName } from "./text.ts";
import { parseType, type ValueType } from "./value-type.ts";

/** A variable that is in the save and in the current class with the same type. */
export interface EnigmaKept {
  name: string;
  type: string;
  value: EnigmaValue;
}

/** A variable whose declared type changed: not restored. */
export interface EnigmaRetyped {
  name: string;
  /** The type in the save, if the game was read with the schema it was made with. */
  savedType?: string;
  loadType: string;
  savedValue?: EnigmaValue;
  /**
   * The stored bytes (binary, unless the value was changed to one that is not of the saved type) or text (JSON, if that type is not known or the
   * variable is damaged).
   */
  raw?: Uint8Array;
  /** Binary, with `raw`: the bytes are exactly one value of the new type too, so a loader without the old schema cannot notice the change. */
  lengthMatches?: boolean;
  /** Binary, with `lengthMatches`: what such a loader would see. */
  reinterpreted?: EnigmaValue;
}

/** A variable whose bytes are not a value of its type. */
export interface EnigmaLost {
  name: string;
  type: string;
  raw: Uint8Array;
  recovered?: EnigmaValue;
}

/** What becomes of the variables of one class. Each list ascends by name. */
export interface EnigmaClassRestoration {
  class: string;
  /** Restored. */
  kept: EnigmaKept[];
  /** Only in the save: ignored. */
  dropped: { name: EnigmaText; type?: string }[];
  /** Only in the current revision: keeps the value it was created with. */
  added: { name: string; type: string }[];
  retyped: EnigmaRetyped[];
  damaged: EnigmaLost[];
}

/** What becomes of the variables of one instance. */
export interface EnigmaInstanceRestoration {
  /** As in the game: without sign. */
  id: number;
  objectIndex: number;
  /** One entry for each class of the current chain, root first; empty if the instance is unresolved. */
  classes: EnigmaClassRestoration[];
  /**
   * Why nothing is restored: the object is not in the current schema, or its chain has another number of classes. Saves do not hold
   * class names, so nothing says which class came or went.
   */
  unresolved?: "unknown-object" | "class-count";
}

/** What loading a save into another revision does to its instances. */
export interface EnigmaRestoration {
  active: EnigmaInstanceRestoration[];
  inactive: EnigmaInstanceRestoration[];
}

/** The value of raw bytes as a type, or undefined if they are not exactly one. */
function decode(raw: Uint8Array, type: ValueType, backend: "binary" | "json"): { value: EnigmaValue } | undefined {
  if (backend === "binary") {
    const result = readRegion(raw, new DataView(raw.buffer, raw.byteOffset, raw.byteLength), 0, raw.length, type);
    return result.outcome === "damaged" ? undefined : { value: result.value };
  }
  return unlessRefused(() => {
    const cursor = new JsonCursor(raw, 0, raw.length, new Warnings(0));
    const value = readJsonValue(cursor, type);
    return cursor.peek() === -1 ? { value } : undefined;
  });
}

function encode(value: EnigmaValue, type: ValueType): Uint8Array {
  const sink = new ByteSink();
  writeValue(sink, type, value, "");
  return sink.bytes.slice(0, sink.at);
}

/** The bytes that the file has for a value, unless the value was changed since: then those that it would be written as. */
function storedBytes({ stored, value }: EnigmaLocal, type: ValueType): Uint8Array {
  const written = encode(value as EnigmaValue, type);
  const before = stored && decode(stored, type, "binary");
  return before && compareBytes(encode(before.value, type), written) === 0 ? stored : written;
}

function retype(name: string, local: EnigmaLocal, type: ValueType, backend: "binary" | "json"): EnigmaRetyped {
  const retyped: EnigmaRetyped = { name, loadType: type.text };
  if (local.type !== undefined) retyped.savedType = local.type;
  let { raw } = local;
  if (!raw) {
    retyped.savedValue = local.value as EnigmaValue;
    // A value that a program gave may have no bytes as the saved type. It is not restored either way.
    if (backend === "binary") raw = unlessRefused(() => storedBytes(local, parseType(local.type!)));
  }
  if (raw) retyped.raw = raw;
  if (raw && backend === "binary") {
    const seen = decode(raw, type, backend);
    retyped.lengthMatches = seen !== undefined;
    if (seen) retyped.reinterpreted = seen.value;
  }
  return retyped;
}

function restoreClass(saved: EnigmaClass, current: SchemaClass, backend: "binary" | "json"): EnigmaClassRestoration {
  const result: EnigmaClassRestoration = { class: current.name, kept: [], dropped: [], added: [], retyped: [], damaged: [] };
  const present = new Set<EnigmaText>();
  for (const local of saved.locals) {
    const name = givenName(local.name);
    const type = current.types.get(name as string);
    if (typeof name !== "string" || !type) {
      result.dropped.push(local.type === undefined ? { name } : { name, type: local.type });
      continue;
    }
    present.add(name);
    const known = local.type === undefined ? undefined : parseType(local.type).text;
    if (known !== undefined && known !== type.text) result.retyped.push(retype(name, local, type, backend));
    else if (!local.raw) result.kept.push({ name, type: type.text, value: local.value as EnigmaValue });
    else if (known !== undefined) {
      const lost: EnigmaLost = { name, type: type.text, raw: local.raw };
      if (local.recovered !== undefined) lost.recovered = local.recovered;
      result.damaged.push(lost);
    } else {
      const seen = decode(local.raw, type, backend);
      if (seen) result.kept.push({ name, type: type.text, value: seen.value });
      else result.retyped.push(retype(name, local, type, backend));
    }
  }
  for (const [name, type] of current.types) if (!present.has(name)) result.added.push({ name, type: type.text });
  for (const list of [result.kept, result.dropped, result.added, result.retyped, result.damaged])
    (list as { name: EnigmaText }[]).sort((a, b) => compareTexts(a.name, b.name));
  return result;
}

function restoreInstance(instance: EnigmaInstance, schema: CompiledSchema, backend: "binary" | "json"): EnigmaInstanceRestoration {
  const { id, objectIndex } = instance;
  const chain = schema.chain(objectIndex);
  if (!chain) return { id, objectIndex, classes: [], unresolved: "unknown-object" };
  if (chain.length !== instance.classes.length) return { id, objectIndex, classes: [], unresolved: "class-count" };
  return { id, objectIndex, classes: instance.classes.map((saved, i) => restoreClass(saved, chain[i]!, backend)) };
}

/**
 * Says for every variable of a save what loading it into the objects of `schema` does: kept, dropped, added, retyped or damaged.
 *
 * Read the game with the schema it was made with, and a change of type is known as such. A game that was read without a schema is decoded by
 * the current one; then a change is noticed only where the new type does not take exactly the stored bytes.
 *
 * @throws TuskError without a path: `schema` if the schema is not one or the type of a variable in the game is none, `bad-option` if a part of the
 * game is missing, `limit` if it is more than the platform can hold
 */
export function restoreEnigma(game: EnigmaGame, schema: EnigmaSchema): EnigmaRestoration {
  if (!Array.isArray(game?.active) || !Array.isArray(game.inactive)) throw new TuskError("enigma", "bad-option", "a game is expected");
  const compiled = compileSchema(schema);
  // Also what holes have, which is no instance: the first of billions ends the work.
  const restored = (instances: readonly EnigmaInstance[]) =>
    Array.from({ length: instances.length }, (_, i) => restoreInstance(instances[i]!, compiled, game.backend));
  try {
    return { active: restored(game.active), inactive: restored(game.inactive) };
  } catch (cause) {
    if (cause instanceof RangeError) throw new TuskError("enigma", "limit", "the platform ran out of room for this save", { cause });
    throw cause instanceof TypeError ? new TuskError("enigma", "bad-option", "a part of the game is missing", { cause }) : cause;
  }
}
