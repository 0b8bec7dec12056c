// How structs of one shape are written. The first few of a shape go member by member; for a shape that comes often a function is made of
// text (compiler.ts). The place where a struct stands remembers the shape it had last there and is right most of the time.
import * as CODE from "../codes.ts";
import type { Registered } from "../constructors.ts";
import { hasNames, memberOf } from "../members.ts";
import type { SchemaVersion, StrictField } from "../schema.ts";
import type { GraphWriter } from "../write.ts";
import { compileInstance, compilePlain, compileStrict, fitsOneGo, MOST_MEMBERS } from "./compiler.ts";
import { ALIKE, mix, noteLarge } from "./container-keys.ts";
import type { ShapeTable } from "./shape-table.ts";
import { KEYED, type Members, MISS, type Resumable, type Shape, Site } from "./sites.ts";

/** Structs of a shape before it gets a function. */
export const HOT = 8;
/** More members are always written one by one. */
export const LONGEST = 160;

/** The datatype that a function of the shape tells apart from others. */
function kindOf(value: unknown): number {
  switch (typeof value) {
    case "number":
      return CODE.f64;
    case "string":
      return CODE.string;
    case "boolean":
      return CODE.bool;
    case "object":
      return value === null ? CODE.undefined : Array.isArray(value) ? CODE.array : CODE.struct;
    default:
      return CODE.undefined;
  }
}

const NO_KINDS: number[][] = [];

/** Names and values by turns. */
abstract class NamedShape implements Shape {
  readonly names: readonly string[];
  readonly sites: Site[] = [];
  /** It is not kept: nobody needs to remember it. */
  readonly passing: boolean;
  /** The place of all members alike: of structs that are maps. */
  private readonly shared: Site | undefined;
  /** Kinds that each member has had, in the order they came. */
  readonly kinds: number[][];
  /** Are all names own members of the structs, so that nothing inherited can be met? */
  readonly own: boolean;
  private readonly table: ShapeTable;
  seen = 0;
  write: Shape["write"];

  constructor(names: readonly string[], own: boolean, table: ShapeTable, passing: boolean, shared: Site | undefined) {
    this.names = names;
    this.own = own;
    this.table = table;
    this.passing = passing;
    this.shared = shared;
    this.kinds = passing ? NO_KINDS : names.map(() => []);
    this.write = this.guessed;
  }

  protected siteOf(at: number): Site {
    if (this.passing) return this.shared ?? this.table.siteOf(this.names[at]);
    return (this.sites[at] ??= new Site());
  }

  /** A struct that may be of this shape. */
  protected abstract guessed(struct: Members, p: number, writer: GraphWriter): number;
  /** `example`: a struct of this shape. */
  protected abstract compiled(example: Members): Shape["write"];

  /** Can a function write its structs? */
  fits(): boolean {
    return fitsOneGo(this.names);
  }

  resume(struct: Members, at: number, p: number, writer: GraphWriter): number {
    const { names } = this;
    if (names.length > MOST_MEMBERS) noteLarge(struct);
    const noting = this.kinds.length > 0 && this.seen < HOT;
    if (noting && at === 0 && this.table.isHot(this)) {
      for (let i = 0; i < names.length; i++) this.siteOf(i);
      this.write = this.compiled(struct);
    }
    while (at < names.length) {
      const name = names[at];
      p = writer.name(name, p);
      const value = this.own ? struct[name] : memberOf(struct, name);
      const site = this.siteOf(at);
      if (noting) {
        const kind = kindOf(value);
        if (!this.kinds[at].includes(kind)) this.kinds[at].push(kind);
      }
      at++;
      p = writer.any(value, p, site);
      if (p > writer.limit) p = writer.room(p);
      if (p < 0) return writer.suspend(struct, this, at);
    }
    return p;
  }
}

/** Plain structs with the same names in the same order. */
export class PlainShape extends NamedShape {
  constructor(names: readonly string[], table: ShapeTable, passing: boolean, shared?: Site) {
    super(names, true, table, passing, shared);
  }

  protected guessed(struct: Members, p: number, writer: GraphWriter): number {
    if (this.names.length > MOST_MEMBERS && writer.containers.met(struct) >= 0) return MISS;
    return Object.getPrototypeOf(struct) === Object.prototype && hasNames(struct, this.names) ? this.begin(struct, p, writer) : MISS;
  }

  /** A struct that is of this shape. */
  begin(struct: Members, p: number, writer: GraphWriter): number {
    const end = this.write === this.guessed ? MISS : this.write(struct, p, writer);
    if (end !== MISS) return end;
    if (p > writer.limit) p = writer.flush(p);
    const { containers } = writer;
    const known = containers.find(struct, keyOf(struct, this.names));
    if (known >= 0) return writer.reference(known, p, struct);
    writer.current = struct;
    writer.dv.setUint16(p, this.names.length, true);
    return this.resume(struct, 0, p + 2, writer);
  }

  protected compiled(example: Members): Shape["write"] {
    return compilePlain(this, example);
  }
}

/**
 * The key of a struct: all that are written by these names have the same way to theirs. Structs of more members than functions are made for have
 * none: to look at them would take long wherever one occurs again.
 */
export function keyOf(struct: Members, names: readonly string[]): number {
  let key = names.length;
  if (key > MOST_MEMBERS) return ALIKE;
  for (let i = 0; i < KEYED && i < names.length; i++) key = mix(key, memberOf(struct, names[i]));
  return key;
}

/** What stands between an instance's constructor and its members. */
interface InstanceBeginning {
  readonly registered: Registered;
  readonly version: number;
  /**
   * {@link GraphWriter.attempts} for which {@link index} is the constructor's, when its instances need nothing but their members written; else 0.
   */
  attempt: number;
  index: number;
  key(instance: Members): number;
}

/** Writes an instance's members and what stands before them. */
export interface InstanceShape extends Resumable {
  begin(instance: Members, p: number, writer: GraphWriter): number;
}

/** Constructed structs of one constructor and version that are stored with their names. */
export class VerboseShape extends NamedShape implements InstanceShape, InstanceBeginning {
  readonly registered: Registered;
  readonly version: number;
  /** With those that are left out. */
  readonly all: readonly string[];
  attempt = 0;
  index = 0;

  constructor(
    registered: Registered,
    version: number,
    names: readonly string[],
    own: boolean,
    all: readonly string[],
    table: ShapeTable,
    passing: boolean,
    shared: Site | undefined,
  ) {
    super(names, own, table, passing, shared);
    this.registered = registered;
    this.version = version;
    this.all = all;
  }

  protected guessed(): number {
    return MISS;
  }

  key(instance: Members): number {
    return keyOf(instance, this.names);
  }

  begin(instance: Members, p: number, writer: GraphWriter): number {
    p = writer.verboseHead(this.version, this.names.length, p);
    return this.resume(instance, 0, p, writer);
  }

  protected compiled(example: Members): Shape["write"] {
    return compileInstance(this, example);
  }
}

/** Fields of an instance in the order and the datatypes of a strict schema version. */
abstract class FieldsShape implements Resumable {
  readonly version: number;
  readonly fields: readonly StrictField[];
  readonly sites: Site[];

  constructor(version: number, fields: readonly StrictField[]) {
    this.version = version;
    this.fields = fields;
    this.sites = fields.map(() => new Site());
  }

  resume(instance: Members, at: number, p: number, writer: GraphWriter): number {
    const { fields, sites } = this;
    while (at < fields.length) {
      const { name, code } = fields[at];
      p = writer.field(memberOf(instance, name), code, p, sites[at], name);
      at++;
      if (p > writer.limit) p = writer.room(p);
      if (p < 0) return writer.suspend(instance, this, at);
    }
    return p;
  }
}

/** Constructed structs of one constructor that are stored by a strict schema version. */
export class StrictShape extends FieldsShape implements Shape, InstanceShape, InstanceBeginning {
  readonly registered: Registered;
  readonly skips: boolean;
  /** Fields that tell instances apart. */
  readonly telling: readonly string[];
  private readonly table: ShapeTable;
  seen = 0;
  attempt = 0;
  index = 0;
  write: Shape["write"] = () => MISS;

  constructor(registered: Registered, { version, fields }: SchemaVersion, table: ShapeTable) {
    super(version, fields);
    this.registered = registered;
    this.skips = table.skips;
    this.telling = telling(fields);
    this.table = table;
  }

  key(instance: Members): number {
    let key = this.fields.length;
    for (const name of this.telling) key = mix(key, memberOf(instance, name));
    return key;
  }

  fits(): boolean {
    return this.fields.length <= LONGEST;
  }

  begin(instance: Members, p: number, writer: GraphWriter): number {
    if (this.table.isHot(this)) this.write = compileStrict(this, instance);
    return this.resume(instance, 0, writer.strictHead(this.version, [], this.skips, p), writer);
  }
}

/** One instance of which only some fields are written, without the skipped ones. */
export class PartialShape extends FieldsShape implements InstanceShape {
  private readonly skipped: readonly number[];

  constructor(version: number, fields: readonly StrictField[], skipped: readonly number[]) {
    super(version, fields);
    this.skipped = skipped;
  }

  begin(instance: Members, p: number, writer: GraphWriter): number {
    p = writer.strictHead(this.version, this.skipped, true, p);
    return this.resume(instance, 0, p, writer);
  }
}

/** The members of a strict version that tell its instances apart best: strings and wide numbers first. */
function telling(fields: readonly StrictField[]): readonly string[] {
  const rank = (code: number): number => (code > CODE.any ? 3 : code === CODE.any ? 1 : code === CODE.bool || code <= CODE.s8 ? 2 : 0);
  return fields
    .slice()
    .sort((a, b) => rank(a.code) - rank(b.code))
    .slice(0, KEYED + 1)
    .map((field) => field.name);
}
