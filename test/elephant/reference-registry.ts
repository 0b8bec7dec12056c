// Constructors, schema versions (formats/elephant.md §8), equality (§9) and callbacks (§10) of the reference codec.

import {
  type ElephantConstructor,
  type ElephantOptions,
  type ElephantSchema,
  FORCE_VERSION,
  type POST_READ,
  type POST_WRITE,
  type PRE_READ,
  type PRE_WRITE,
  SCHEMA,
  StructInstance,
  scalarParts,
  TuskError,
  VERBOSE_EXCLUDE,
  VERSION_VERBOSE,
} from "./codec.ts";

export type Struct = Record<string, unknown>;
type CallbackSymbol = typeof PRE_WRITE | typeof POST_WRITE | typeof PRE_READ | typeof POST_READ;
/** A field with its datatype; the flag key of a strict version is a field of datatype false (no bytes), see §8. */
export type Field = [name: string, datatype: string | boolean];

export function fail(code: string, message: string, place: { offset?: number; path?: string } = {}): never {
  throw new TuskError("elephant", code, message, place);
}

export class Registry {
  readonly warn: (path: string) => void;
  state: { isDeserializing: boolean; schemaVersion: number } | undefined;
  private readonly entries = new Map<string, ElephantConstructor | ElephantSchema>();
  private readonly names = new Map<object, string>();
  /** Instances without a class: their constructor's name and the version they were read with. */
  private readonly generic = new WeakMap<object, { name: string; version: number }>();
  private readonly acceptsUnknown: boolean;

  constructor(options: ElephantOptions) {
    this.acceptsUnknown = options.unknownConstructor === "generic";
    for (const [name, entry] of Object.entries(options.constructors ?? {})) {
      this.entries.set(name, entry as ElephantConstructor);
      if (typeof entry === "function") this.names.set((entry as ElephantConstructor).prototype as object, name);
    }
    this.warn = (path) =>
      options.onWarning?.({ format: "elephant", code: "function-stored-as-undefined", message: "a function is stored as undefined", path });
  }

  /** Callbacks may call the codec again: what they see outside of theirs must be as before. */
  during<T>(operation: () => T): T {
    const outer = this.state;
    try {
      return operation();
    } finally {
      this.state = outer;
    }
  }

  call(target: object, callback: CallbackSymbol, schemaVersion: number, isDeserializing: boolean): void {
    const method = (target as Record<symbol, unknown>)[callback];
    if (typeof method !== "function") return;
    this.during(() => {
      this.state = { isDeserializing, schemaVersion };
      method.call(target, { isDeserializing, schemaVersion });
    });
  }

  has(name: string): boolean {
    return this.entries.has(name);
  }

  canCreate(name: string): boolean {
    return this.has(name) || this.acceptsUnknown;
  }

  /** Class of a registered name; undefined for a name that has only a schema. */
  classOf(name: string): ElephantConstructor | undefined {
    const entry = this.entries.get(name);
    return typeof entry === "function" ? (entry as ElephantConstructor) : undefined;
  }

  create(name: string, version = 0): object {
    const Class = this.classOf(name);
    if (Class) return new Class() as object;
    const struct = new (StructInstance as unknown as new (name: string) => object)(name);
    this.generic.set(struct, { name, version });
    return struct;
  }

  /** Constructor name of an instance, "" for a plain struct, undefined for what is no struct. */
  nameOf(value: object): string | undefined {
    const prototype = Object.getPrototypeOf(value) as object | null;
    if (prototype === null || prototype === Object.prototype) return "";
    return this.names.get(prototype) ?? this.generic.get(value)?.name;
  }

  schemaOf(name: string): Record<string, unknown> | undefined {
    const entry = this.entries.get(name);
    const schema = typeof entry === "function" ? (entry as { [SCHEMA]?: ElephantSchema })[SCHEMA] : entry;
    return schema as Record<string, unknown> | undefined;
  }

  /** §8: the version to write, and its fields as the literal has them. */
  versionToWrite(
    name: string,
    struct: object,
    path: string,
  ): { version: number; verbose: boolean; fields: Field[] | undefined; exclude: unknown[] } {
    const schema = this.schemaOf(name);
    if (!schema) return { version: this.generic.get(struct)?.version ?? 0, verbose: true, fields: undefined, exclude: [] };
    let version = 0;
    if (Object.hasOwn(schema, FORCE_VERSION)) {
      version = schema[FORCE_VERSION] as number;
      if (version !== 0 && !Object.hasOwn(schema, "v" + version)) fail("forced-version-missing", `${name} has no v${version}`, { path });
      if (version > 127) fail("schema-key-invalid", `version ${version} does not fit 7 bits`, { path });
    } else {
      for (const key of Object.keys(schema)) {
        if (key === VERBOSE_EXCLUDE || key === VERSION_VERBOSE) continue;
        const number = /^v[1-9][0-9]{0,2}$/.test(key) ? Number(key.slice(1)) : 0;
        if (number < 1 || number > 127) fail("schema-key-invalid", `${name} has a schema key ${key}`, { path });
        version = Math.max(version, number);
      }
    }
    const fields = version === 0 ? undefined : (Object.entries(schema["v" + version] as object) as Field[]);
    const verbose = !fields || fields.some(([key, value]) => key === VERSION_VERBOSE && value === true);
    const exclude = Object.hasOwn(schema, VERBOSE_EXCLUDE) ? schema[VERBOSE_EXCLUDE] : [];
    if (verbose && !Array.isArray(exclude)) fail("exclude-not-an-array", `${name}: the exclude list is no array`, { path });
    return { version, verbose, fields, exclude: exclude as unknown[] };
  }

  /** Fields of a strict version in the order of the file. */
  static sorted(fields: Field[]): Field[] {
    return [...fields].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  }
}

/** GML's == (§9), or the exact comparison of `diffEquality: "exact"`. */
export function equalMembers(a: unknown, b: unknown, mode: "gml" | "exact" = "gml"): boolean {
  const left = gmlKind(a);
  const right = gmlKind(b);
  if (mode === "exact") {
    return left.kind === right.kind && left.datatype === right.datatype && Object.is(left.value, right.value);
  }
  if (left.kind === "undefined" || right.kind === "undefined") return left.kind === right.kind;
  if (left.kind === "container" || right.kind === "container") return a === b;
  if (left.kind === "other" || right.kind === "other") return false;
  if (left.kind === "string" && right.kind === "string") return left.value === right.value;
  if (left.kind === "int64" && right.kind === "int64") return left.value === right.value;
  // The table has int64 with numbers, and nothing else of it.
  if ([left.kind, right.kind].includes("int64") && ![left.kind, right.kind].includes("number")) return false;
  const x = asNumber(left.value);
  const y = asNumber(right.value);
  return x === y || Math.abs(x - y) <= 0.00001;
}

function gmlKind(value: unknown): { kind: string; datatype?: string; value: unknown } {
  if (value === undefined || value === null) return { kind: "undefined", value: undefined };
  const scalar = scalarParts(value);
  if (scalar) return { ...gmlKind(scalar.value), datatype: scalar.datatype };
  if (typeof value === "number" || typeof value === "boolean") return { kind: typeof value, value };
  if (typeof value === "bigint") return { kind: "int64", value };
  if (typeof value === "string") return { kind: "string", value };
  return { kind: typeof value === "object" ? "container" : "other", value };
}

function asNumber(value: unknown): number {
  return typeof value === "string" ? Number.parseFloat(value.trim()) : Number(value);
}
