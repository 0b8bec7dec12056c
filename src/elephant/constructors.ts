// Constructors: the registry that files are resolved against. Only what is registered is ever called; a name in a file never
// reaches a global.
import { defineMember } from "../graph/members.ts";
import { isFunction, isObject, refuse } from "./arguments.ts";
import { currentVersion, type ElephantSchema, type SchemaVersion, schemaVersion } from "./schema.ts";

// These keys are the same in every copy of the package: a class that has them from CommonJS is one for a codec from an ES module, too.

/** Static member of a class: its schema ({@link ElephantSchema}); inherited by subclasses. */
export const SCHEMA: unique symbol = Symbol.for("Elephant schema");
// Methods called around writing and reading a constructed struct (formats/elephant.md §10); inherited by subclasses.

/** Method called before an instance is written; what it changes is stored. Members that it adds are stored only where the written version names them. */
export const PRE_WRITE: unique symbol = Symbol.for("Elephant pre-write");
/** Method called when an instance and all below it have been written. */
export const POST_WRITE: unique symbol = Symbol.for("Elephant post-write");
/** Method called on a new instance before it gets its members. */
export const PRE_READ: unique symbol = Symbol.for("Elephant pre-read");
/** Method called when the whole save has been read, parents before children; for files up to 1.3.0 right after the own members. */
export const POST_READ: unique symbol = Symbol.for("Elephant post-read");

/** What a callback is told; the same two values can be read from the codec while it runs. */
export interface CallbackContext {
  /** The version in use for this struct: the number written or found, 0 without schema. */
  readonly schemaVersion: number;
  /** True while reading, false while writing and for the callbacks before post-read in `duplicate`. */
  readonly isDeserializing: boolean;
}

/** A callback of a constructed struct, which is its `this`. */
export type ElephantCallback = (this: object, context: CallbackContext) => void;
/** The keys of the four callbacks. */
export type CallbackName = typeof PRE_WRITE | typeof POST_WRITE | typeof PRE_READ | typeof POST_READ;

/** Instances of such a class: a schema is a static member, and a callback takes what callbacks are given. */
interface Constructed {
  readonly [SCHEMA]?: never;
  [PRE_WRITE]?(context: CallbackContext): void;
  [POST_WRITE]?(context: CallbackContext): void;
  [PRE_READ]?(context: CallbackContext): void;
  [POST_READ]?(context: CallbackContext): void;
}

/**
 * A class that Elephant can make instances of: it is called without arguments and must be free of side effects, because codecs also make instances that
 * nobody gets to see. Callbacks are methods of its instances.
 */
export type ElephantConstructor<T extends object = object> = (new () => T & Constructed) & {
  readonly [SCHEMA]?: ElephantSchema | undefined;
} & {
  readonly [name in CallbackName]?: never;
};

const setKind = Symbol("kind");

/**
 * A constructed struct whose class is not at hand: it keeps its constructor's name, so that a tool can open a save and
 * write it again without the game's code. Its own members are the struct's members.
 */
export class StructInstance {
  #name: string;
  #version = 0;
  #verbose = true;
  // biome-ignore lint/suspicious/noExplicitAny: members are whatever the save holds
  [member: string]: any;

  /** `members`: its own enumerable members are copied. Error `bad-option` for a name that is no text. */
  constructor(constructorName: string, members?: object) {
    if (typeof constructorName !== "string") refuse("the constructor's name is no string");
    this.#name = constructorName;
    if (members) for (const name of Object.keys(members)) defineMember(this, name, (members as Record<string, unknown>)[name]);
  }

  /** The constructor's name in the save. Like the two below, error `bad-option` for what is none. */
  static nameOf(instance: StructInstance): string {
    return StructInstance.#one(instance).#name;
  }

  /** The schema version it was read with, 0 without one. */
  static versionOf(instance: StructInstance): number {
    return StructInstance.#one(instance).#version;
  }

  /** Was it stored with its members' names? */
  static verboseOf(instance: StructInstance): boolean {
    return StructInstance.#one(instance).#verbose;
  }

  static #one(given: StructInstance): StructInstance {
    if (!(#name in Object(given))) refuse("this is no StructInstance");
    return given;
  }

  /** @internal */
  static [setKind](instance: StructInstance, version: number, verbose: boolean): void {
    instance.#version = version;
    instance.#verbose = verbose;
  }
}

/** Notes how a {@link StructInstance} was stored. */
export function setStoredAs(instance: StructInstance, version: number, verbose: boolean): void {
  StructInstance[setKind](instance, version, verbose);
}

/** One registered constructor, its schema resolved when it is first needed. */
export class Registered {
  readonly id: number;
  readonly name: string;
  /** Undefined for a schema alone, and for names met in generic mode. */
  readonly type: ElephantConstructor | undefined;
  /** What instances have as their prototype. */
  readonly prototype: object;
  /** Counts where there is no {@link type}. */
  private readonly ownSchema: ElephantSchema | undefined;
  private readonly versions = new Map<number, SchemaVersion | undefined>();
  private current: number | undefined;
  private inherits: boolean | undefined;

  constructor(id: number, name: string, given?: ElephantConstructor | ElephantSchema) {
    this.id = id;
    this.name = name;
    this.type = typeof given === "function" ? (given as ElephantConstructor) : undefined;
    this.prototype = this.type ? this.type.prototype : StructInstance.prototype;
    this.ownSchema = given as ElephantSchema | undefined;
  }

  get schema(): ElephantSchema | undefined {
    return this.type ? this.type[SCHEMA] : this.ownSchema;
  }

  /** A new instance as the constructor makes it. */
  construct(): object {
    return this.type ? new this.type() : new StructInstance(this.name);
  }

  callback(name: CallbackName): ElephantCallback | undefined {
    const found = (this.prototype as Record<symbol, unknown>)[name];
    return typeof found === "function" ? (found as ElephantCallback) : undefined;
  }

  /** Is there nothing to call around writing an instance, nor within, as a getter is that a schema names? */
  get simple(): boolean {
    this.inherits ??= Object.values(this.schema ?? {}).some((version) =>
      Object.keys(Object(version)).some((name) => name in this.prototype),
    );
    return !(this.inherits || this.callback(PRE_WRITE) || this.callback(POST_WRITE));
  }

  /** The version that is written. Throws for a schema that cannot be used. */
  currentVersion(): number {
    this.current ??= currentVersion(this.schema, this.name);
    return this.current;
  }

  version(version: number): SchemaVersion | undefined {
    const { schema } = this;
    if (!schema) return undefined;
    if (!this.versions.has(version)) this.versions.set(version, schemaVersion(schema, version, this.name));
    return this.versions.get(version);
  }
}

/** Finds out without calling it. */
function isConstructor(given: ElephantConstructor): boolean {
  try {
    return isObject(Reflect.construct(Object, [], given)) && isObject(given.prototype);
  } catch {
    return false;
  }
}

/** Registered ones and those of a save that are not: the kernel has 16 bits for each. */
export const MOST_CONSTRUCTORS = 65534;

export class Registry {
  readonly all: Registered[] = [];
  private readonly byName = new Map<string, Registered>();
  private readonly byPrototype = new Map<object, Registered>();

  constructor(constructors: Record<string, ElephantConstructor | ElephantSchema> = {}) {
    for (const name of Object.keys(constructors)) {
      const given = constructors[name];
      if (!isFunction(given) && !isObject(given)) refuse(`constructors.${name} is neither a class nor a schema`);
      if (typeof given === "function" && !isConstructor(given)) refuse(`constructors.${name} cannot be called with new`);
      if (this.all.length === MOST_CONSTRUCTORS) refuse("more than 65,534 constructors");
      const made = new Registered(this.all.length, name, given);
      this.all.push(made);
      this.byName.set(name, made);
      if (made.type && !this.byPrototype.has(made.prototype)) this.byPrototype.set(made.prototype, made);
    }
  }

  /** By the name in a file. */
  named(name: string): Registered | undefined {
    return this.byName.get(name);
  }

  /** By an instance's prototype: exactly a registered class. */
  of(prototype: object): Registered | undefined {
    return this.byPrototype.get(prototype);
  }
}
