// Elephant's part of `--schema schemas.json`: schemas by constructor name, the same literals as in GML.
import type { ElephantSchema } from "../../elephant/index.ts";
import { currentVersion, FORCE_VERSION, schemaVersion, VERBOSE_EXCLUDE, VERSION_VERBOSE, withoutExcluded } from "../../elephant/schema.ts";
import { TuskError } from "../../errors.ts";
import { SchemaError } from "../failure.ts";
import { jsonText } from "../notation/vocabulary.ts";
import type { ElephantSchemas } from "./format.ts";

/** Files of releases before 1.3.0 hold versions up to this one. */
const HIGHEST_READ = 255;
/** Version keys that releases from 1.3.0 on hold. */
export const HIGHEST_WRITTEN = 127;

/** Keys that are no version, by the names that they have in GML. */
const MACROS: ReadonlyMap<string, string> = new Map([
  ["ELEPHANT_FORCE_VERSION", FORCE_VERSION],
  ["ELEPHANT_VERBOSE_EXCLUDE", VERBOSE_EXCLUDE],
  ["ELEPHANT_VERSION_VERBOSE", VERSION_VERBOSE],
]);
const SETTINGS: readonly string[] = [...MACROS.values()];

/** A schema that may have been copied from GML, with its macros, and `buffer_u8` for `u8`; `versions`: with what is in its versions. */
function fromGml(literal: object, versions = true): ElephantSchema {
  return Object.fromEntries(
    Object.entries(literal).map(([key, value]: [string, unknown]) => {
      if (typeof value === "string") value = value.replace(/^buffer_/, "");
      else if (versions && typeof value === "object" && value !== null && !Array.isArray(value)) value = fromGml(value, false);
      return [MACROS.get(key) ?? key, value];
    }),
  ) as ElephantSchema;
}

export function elephantSchemas(json: unknown): ElephantSchemas {
  const schemas = Object.create(null) as ElephantSchemas;
  if (json === undefined) return schemas;
  if (typeof json !== "object" || json === null || Array.isArray(json))
    throw new SchemaError("the file holds no object of schemas by constructor name");
  for (const name of Object.keys(json)) {
    const schema = (json as Record<string, unknown>)[name];
    if (typeof schema !== "object" || schema === null || Array.isArray(schema))
      throw new SchemaError(`the schema of ${JSON.stringify(name)} is no object`);
    schemas[name] = checked(name, fromGml(schema));
  }
  return schemas;
}

/** The same for a codec that writes whatever version a schema says. */
export function writtenSchemas(json: unknown): ElephantSchemas {
  const schemas = elephantSchemas(json);
  for (const name of Object.keys(schemas)) {
    if (Object.hasOwn(schemas[name], FORCE_VERSION)) continue;
    const old = Object.keys(schemas[name]).find((key) => versionOf(key)! > HIGHEST_WRITTEN);
    if (old)
      throw new SchemaError(
        `schema of ${name}: ${old} is of files before 1.3.0, and 1.5.1 holds up to v${HIGHEST_WRITTEN}; leave it out of the file to write with it`,
      );
  }
  return schemas;
}

function versionOf(key: string): number | undefined {
  const number = /^v([1-9]\d{0,2})$/.test(key) ? Number(key.slice(1)) : undefined;
  return number !== undefined && number <= HIGHEST_READ ? number : undefined;
}

/** Of an array or object the codec's message could not be made: it may have a `toString` that is no function. */
function refuseCompound(value: unknown, place: string, what: string): void {
  if (typeof value === "object" && value !== null) throw new SchemaError(`${place}: ${jsonText(value)} is no ${what}`);
}

/** All of its versions, whether a save needs them or not: what is misspelt would be found by some saves only. */
function checked(name: string, schema: ElephantSchema): ElephantSchema {
  try {
    // For its error: nothing is left out here.
    withoutExcluded([], schema, name);
    // Elephant looks at no other key then (formats/elephant.md §8).
    const forced = Object.hasOwn(schema, FORCE_VERSION);
    if (forced) {
      refuseCompound(schema[FORCE_VERSION], `schema of ${name}: ${FORCE_VERSION}`, "version");
      currentVersion(schema, name);
    }
    for (const key of Object.keys(schema)) {
      if (SETTINGS.includes(key)) continue;
      const version = versionOf(key);
      if (version === undefined) {
        if (forced) continue;
        throw new SchemaError(
          `schema of ${name}: ${JSON.stringify(key)} is no version, v1 to v${HIGHEST_WRITTEN}; members stand inside a version: ${JSON.stringify({ [name]: { v1: { member: "string" } } })}`,
        );
      }
      const literal = schema[`v${version}` as "v1"] as object | null;
      for (const [member, datatype] of Object.entries(literal ?? {}))
        refuseCompound(datatype, `schema of ${name}: ${key}.${member}`, "datatype");
      schemaVersion(schema, version, name);
    }
    return schema;
  } catch (error) {
    throw error instanceof TuskError ? new SchemaError(error.reason) : error;
  }
}
