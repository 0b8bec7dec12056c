// The shapes that a codec has met in its writes, kept from one to the next as far as that is worth it.
import { codeGenerationAllowed } from "../../graph/code-generation.ts";
import { unitAt } from "../../graph/strings.ts";
import type { Registered } from "../constructors.ts";
import { inheritsNothing } from "../members.ts";
import type { WritableRelease } from "../releases.ts";
import type { SchemaVersion } from "../schema.ts";
import { MOST_MEMBERS } from "./compiler.ts";
import { HOT, LONGEST, PlainShape, StrictShape, VerboseShape } from "./shapes.ts";
import { type Shape, Site } from "./sites.ts";

/** Functions made in one write. Each takes 0.3 ms, and thousands of shapes that come once in a save would all get theirs in the same one. */
const MOST_FUNCTIONS = 32;
/** Names of the shapes kept between writes, and 64ths of their characters; beyond, all are dropped. */
const NAMES_LIMIT = 20_000;
/** Beyond so many, a shape is kept only if it comes twice in one write: some saves have as many shapes as structs. */
const NAMES_AT_ONCE = 2000;
/** Shapes with the same hash that are compared one by one. */
const MOST_ALIKE = 8;
/** Characters of a name that are hashed. */
const HASHED = 8;
/** Room for the hashes of shapes that have come once. */
const ONCE = 1 << 12;
/** Places of members by name. */
const SITES_LIMIT = 4096;
/** Characters of the longest name that is kept for its place. */
const LONG = 64;

/** Tells lists of names apart, as far as their lengths and last characters do. Those of maps need not be: see {@link ShapeTable.isPassing}. */
function hashOf(names: readonly string[]): number {
  let hash = names.length;
  if (hash > LONGEST) return 0;
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    const { length } = name;
    for (let k = length > HASHED ? length - HASHED : 0; k < length; k++) hash = Math.imul(hash ^ unitAt(name, k), 0x01000193);
    hash = Math.imul(hash ^ (length << 24), 0x85ebca6b);
    hash ^= hash >>> 15;
  }
  return hash;
}

function sameNames(some: readonly string[], others: readonly string[]): boolean {
  const { length } = some;
  if (length !== others.length) return false;
  for (let i = 0; i < length; i++) if (some[i] !== others[i]) return false;
  return true;
}

function siteIn<K>(sites: Map<K, Site>, key: K): Site {
  let site = sites.get(key);
  if (!site) {
    site = new Site();
    sites.set(key, site);
  }
  return site;
}

/** The place of all members of a struct at `site` that is a map. */
function placeOfAll(names: readonly string[], site: Site): Site | undefined {
  return names.length > MOST_MEMBERS ? site.elements : undefined;
}

/** Finds the shape of a struct by its names, an instance's by its constructor, version and names, or makes it. */
export class ShapeTable {
  readonly codeGeneration: boolean;
  /** By the hash of their names. */
  private readonly plainShapes = new Map<number, PlainShape[]>();
  private readonly verboseShapes = new Map<Registered, Map<number, VerboseShape[]>>();
  private readonly strictShapes = new Map<SchemaVersion, StrictShape>();
  /** What the last instances were of each class, told by its prototype, and of each constructor that has none, by its name. */
  readonly ofClass = new Map<unknown, Site>();
  /** Places of the members of shapes that are not kept. */
  private readonly sites = new Map<string, Site>();
  /** Names of the shapes that are kept, as {@link NAMES_LIMIT} counts them. */
  private names = 0;
  private writes = 0;
  /** Hashes of shapes that have come, by their last bits, each with the write. */
  private readonly once = new Int32Array(ONCE);
  /** From 1.5.0 on strict structs have a skip list. */
  skips = true;
  /** Does nothing enumerable stand on Object.prototype? */
  bare = true;
  /** So many functions may still be made in this write. */
  functions = 0;
  /** One that stays: engines drop the code for shapes when a collection finds none left, as where all that is written is a map. */
  readonly kept = new PlainShape([], this, true);

  constructor(codeGeneration: boolean) {
    this.codeGeneration = codeGeneration;
  }

  /** Returns false when all shapes have been dropped, which sites remember. */
  begin(release: WritableRelease): boolean {
    const skips = release !== "1.4.0";
    const keep = skips === this.skips && this.names <= NAMES_LIMIT;
    if (!keep) {
      this.plainShapes.clear();
      this.verboseShapes.clear();
      this.strictShapes.clear();
      this.ofClass.clear();
      this.sites.clear();
      this.names = 0;
    }
    this.writes++;
    this.skips = skips;
    this.functions = MOST_FUNCTIONS;
    this.lookAround();
    return keep;
  }

  /** Other code has run: what may have changed? */
  lookAround(): void {
    this.bare = inheritsNothing(Object.prototype);
  }

  /** An instance of this class has had this shape. */
  learn(type: unknown, shape: Shape): void {
    siteIn(this.ofClass, type).learn(shape);
  }

  /** Another struct of a shape: is a function to be made for those that come now? Whether one may be made at all is asked last. */
  isHot(shape: { seen: number; fits(): boolean }): boolean {
    if ((shape.seen === HOT - 1 && this.functions === 0) || ++shape.seen !== HOT) return false;
    if (!this.codeGeneration || !shape.fits() || !codeGenerationAllowed()) return false;
    this.functions--;
    return true;
  }

  /** The place of a member of that name; long ones have one together. */
  siteOf(name: string): Site {
    if (this.sites.size > SITES_LIMIT) this.sites.clear();
    return siteIn(this.sites, name.length > LONG ? "" : name);
  }

  /** Is a new shape of this hash not worth keeping? Shapes of structs that are maps never are. */
  private isPassing(names: readonly string[], hash: number, alike: number): boolean {
    if (names.length > LONGEST || alike === MOST_ALIKE || this.names > NAMES_LIMIT) return true;
    if (this.names > NAMES_AT_ONCE && !this.isSecond(hash)) return true;
    this.names++;
    for (const name of names) this.names += 1 + (name.length >> 6);
    return false;
  }

  /** Has one of this hash come before, in this write? */
  private isSecond(hash: number): boolean {
    const { once } = this;
    const place = hash & (ONCE - 1);
    const mark = (hash + Math.imul(this.writes, 0x9e3779b1)) | 0;
    if (once[place] === mark) return true;
    once[place] = mark;
    return false;
  }

  /** `site`: where the struct stands. */
  plain(names: readonly string[], site: Site): PlainShape {
    const hash = hashOf(names);
    const alike = this.plainShapes.get(hash) ?? [];
    for (const shape of alike) if (sameNames(shape.names, names)) return shape;
    const passing = this.isPassing(names, hash, alike.length);
    const made = new PlainShape(names, this, passing, placeOfAll(names, site));
    if (!passing) this.plainShapes.set(hash, [...alike, made]);
    return made;
  }

  verbose(
    registered: Registered,
    version: number,
    names: readonly string[],
    own: boolean,
    all: readonly string[],
    site: Site,
  ): VerboseShape {
    const shapes = this.verboseShapes.get(registered) ?? new Map<number, VerboseShape[]>();
    const hash = hashOf(names);
    const alike = shapes.get(hash) ?? [];
    for (const shape of alike)
      if (shape.version === version && shape.own === own && sameNames(shape.names, names) && sameNames(shape.all, all)) return shape;
    const passing = this.isPassing(names, hash, alike.length);
    const made = new VerboseShape(registered, version, names, own, all, this, passing, placeOfAll(names, site));
    if (!passing) {
      // Stand-ins may have any.
      this.names += registered.name.length >> 6;
      this.verboseShapes.set(registered, shapes.set(hash, [...alike, made]));
    }
    return made;
  }

  /** Of one instance of which only these members are written. */
  passing(registered: Registered, version: number, names: readonly string[], site: Site): VerboseShape {
    return new VerboseShape(registered, version, names, false, names, this, true, placeOfAll(names, site));
  }

  strict(registered: Registered, schema: SchemaVersion): StrictShape {
    let shape = this.strictShapes.get(schema);
    if (!shape) this.strictShapes.set(schema, (shape = new StrictShape(registered, schema, this)));
    return shape;
  }
}
