// Schemas: which version is written, and what each version says (formats/elephant.md §8).
import { described, isObject } from "./arguments.ts";
import * as CODE from "./codes.ts";
import { codeNamed, type Datatype, isDatatype } from "./datatypes.ts";
import { elephantError } from "./errors.ts";

/** Key of the version to write. */
export const FORCE_VERSION = "__Elephant_Force_Version__";
/** Key inside a version: its members are stored with their names. */
export const VERSION_VERBOSE = "__Elephant_Version_Verbose__";
/** Key of the names that verbose versions leave out. */
export const VERBOSE_EXCLUDE = "__Elephant_Verbose_Exclude__";

/** One schema version: member name -> datatype, in the order of the literal; optionally the verbose flag. */
export type ElephantSchemaVersion = { readonly [VERSION_VERBOSE]?: boolean } & {
  readonly [member: string]: Datatype | boolean;
};

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
type Positive = Exclude<Digit, 0>;
type VersionKey = `v${Positive}` | `v${Positive}${Digit}` | `v1${0 | 1}${Digit}` | `v12${Exclude<Digit, 8 | 9>}`;

/**
 * A constructor's schema, the same literal as in GML: versions `v1` to `v127`, and the keys {@link FORCE_VERSION} and
 * {@link VERBOSE_EXCLUDE}. It may as well come from a JSON file. What is undefined is as if it were not there, but inside a version nothing may be.
 */
export type ElephantSchema = {
  readonly [FORCE_VERSION]?: number | undefined;
  readonly [VERBOSE_EXCLUDE]?: readonly string[] | undefined;
} & { readonly [version in VersionKey]?: ElephantSchemaVersion | undefined };

/** One field of a strict version. `code` is 0 for the flag key that is false: a field without bytes. */
export interface StrictField {
  readonly name: string;
  readonly code: number;
}

/** A schema version, ready for use. */
export interface SchemaVersion {
  readonly version: number;
  readonly verbose: boolean;
  /** As the schema literal has them, flag key included: what is written verbosely, and the order in which copies are made. */
  readonly members: readonly string[];
  readonly memberFields: readonly StrictField[];
  /** Strict: in wire order, ascending by code unit. */
  readonly fields: readonly StrictField[];
}

/** Highest version of 1.3.0 and later; older files may have up to 255. */
const HIGHEST = 127;

/** By code unit; names that differ. */
export function ascending(a: string, b: string): number {
  return a < b ? -1 : 1;
}

function invalidKey(owner: string, message: string): never {
  throw elephantError("schema-key-invalid", `schema of ${owner}: ${message}`);
}

/** What a schema has itself; undefined is as if it were not there. */
function own(schema: ElephantSchema, key: string): unknown {
  return Object.hasOwn(schema, key) ? schema[key as keyof ElephantSchema] : undefined;
}

/** The version that is written: forced, else the largest, else 0. */
export function currentVersion(schema: ElephantSchema | undefined, owner: string): number {
  if (!schema) return 0;
  const forced: unknown = own(schema, FORCE_VERSION);
  if (forced !== undefined) {
    if (typeof forced === "number") {
      if (forced !== 0 && own(schema, `v${forced}`) === undefined)
        throw elephantError("forced-version-missing", `schema of ${owner} forces version ${forced}, but has no v${forced}`);
      if (forced === (forced & HIGHEST)) return forced;
    }
    invalidKey(owner, `the forced version is no whole number from 0 to ${HIGHEST}: ${described(forced)}`);
  }
  let newest = 0;
  for (const [key, given] of Object.entries(schema)) {
    if (given === undefined || key === VERBOSE_EXCLUDE || key === VERSION_VERBOSE) continue;
    const number = /^v([1-9][0-9]{0,2})$/.test(key) ? Number(key.slice(1)) : 0;
    if (number < 1 || number > HIGHEST) invalidKey(owner, `"${key}" is not a version key (v1 to v${HIGHEST})`);
    if (number > newest) newest = number;
  }
  return newest;
}

/** A version by number; undefined when the schema does not have it. */
export function schemaVersion(schema: ElephantSchema, version: number, owner: string): SchemaVersion | undefined {
  const key = `v${version}` as "v1";
  const literal = own(schema, key) as ElephantSchemaVersion | undefined;
  if (literal === undefined) return undefined;
  if (!isObject(literal)) invalidKey(owner, `${key} is not an object`);
  const names = Object.keys(literal);
  for (const name of names) {
    const datatype = literal[name];
    if (name === VERSION_VERBOSE ? typeof datatype !== "boolean" : !isDatatype(datatype))
      invalidKey(owner, `${key}.${name}: ${typeof datatype === "string" ? datatype : described(datatype)} is no datatype`);
  }
  // Read strictly, a flag that is true is datatype 1 (u8) and one that is false takes no bytes.
  const memberFields = names.map((name) => ({
    name,
    code: name === VERSION_VERBOSE ? (literal[name] ? CODE.u8 : 0) : codeNamed(literal[name] as Datatype),
  }));
  const fields = memberFields.slice().sort((a, b) => ascending(a.name, b.name));
  return {
    version,
    verbose: literal[VERSION_VERBOSE] === true,
    members: names,
    memberFields,
    fields,
  };
}

/** The names that are written verbosely: without the excluded ones (formats/elephant.md §8). */
export function withoutExcluded(names: readonly string[], schema: ElephantSchema | undefined, owner: string): readonly string[] {
  const excluded = schema ? own(schema, VERBOSE_EXCLUDE) : undefined;
  if (excluded === undefined) return names;
  if (!Array.isArray(excluded)) throw elephantError("exclude-not-an-array", `schema of ${owner}: the exclude list is not an array`);
  const without = new Set(excluded);
  return names.filter((name) => !without.has(name));
}
