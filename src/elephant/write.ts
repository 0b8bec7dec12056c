// Writing one value: stores it in the order of the bytes, container by container (docs/architecture.md).
import type { TuskWarning } from "../errors.ts";
import * as CODE from "./codes.ts";
import { StructInstance } from "./constructors.ts";
import { inheritsNothing, isObjectPrototype, notRegistered } from "./members.ts";
import { atOnce } from "./path-search.ts";
import { FOOTER, MAGIC, VERSION_WORDS } from "./releases.ts";
import { ARRAY, STRUCT, UNDEFINED, wireCode } from "./tags.ts";
import { datatypeOf } from "./typed-arrays.ts";
import { ArrayWriter } from "./write/arrays.ts";
import type { MachineSource } from "./write/byte-writer.ts";
import { AGAIN } from "./write/containers.ts";
import { IdentityTable } from "./write/identity-table.ts";
import { InstanceWriter } from "./write/instances.ts";
import { type OutputSink, storeDouble } from "./write/output.ts";
import { Problem } from "./write/problem.ts";
import type { WriteSettings } from "./write/settings.ts";
import { ShapeTable } from "./write/shape-table.ts";
import { StrictShape, VerboseShape } from "./write/shapes.ts";
import { type Members, MISS, Site, SUSPENDED } from "./write/sites.ts";
import { REFERENCE_SIZE } from "./write/walk.ts";

/** Plain structs of so many members cannot be stored: the count word has other meanings from here on (formats/elephant.md §6). */
const STRUCT_LIMIT = 65534;

/** After a struct that has come before so many are looked for among those that have come again, before they are taken for new. */
const REPEATS = 8;

const objectPrototype = Object.prototype;
const { isArray } = Array;
const { getPrototypeOf } = Object;

/** What tells instances of one class from others: their prototype, or a stand-in's constructor's name. */
function classOf(value: object): unknown {
  const prototype: unknown = getPrototypeOf(value);
  return prototype === StructInstance.prototype ? StructInstance.nameOf(value as StructInstance) : prototype;
}

export class GraphWriter extends ArrayWriter {
  readonly shapes: ShapeTable;
  /** Counts writes, and callbacks within them: what shapes remember of their classes and of constructor indices holds till the next. */
  attempts = 0;
  private readonly instances: InstanceWriter;

  constructor(source: MachineSource, codeGeneration: boolean) {
    super(source);
    this.shapes = new ShapeTable(codeGeneration);
    this.instances = new InstanceWriter(this);
    this.end();
  }

  /** The complete save. */
  write(value: unknown, settings: WriteSettings): Uint8Array<ArrayBuffer> {
    while (true) {
      try {
        return this.attempt(value, settings);
      } catch (signal) {
        if (signal !== AGAIN) throw signal;
      }
    }
  }

  private attempt(value: unknown, settings: WriteSettings): Uint8Array<ArrayBuffer> {
    let succeeded = false;
    try {
      const end = this.walk(this.start(value, settings));
      this.containers.check();
      const stop = this.footer(end);
      const bytes = this.whole.take(this.u8, this.window, stop);
      succeeded = true;
      this.containers.learn();
      if (this.functions.any) this.warn(atOnce(this.functions.warnings(this)));
      return bytes;
    } catch (error) {
      // What is met again within itself may have been written there once more: something else is wrong sooner.
      if (error instanceof Problem || this.resolving) this.containers.check();
      throw atOnce(this.explained(error));
    } finally {
      if (!succeeded) this.whole.letGo();
      this.end();
    }
  }

  /**
   * The complete save into `output`, in slices: returns to its caller whenever `due` says so. Other code runs in between and may change the
   * graph, so containers are known by identity from the beginning.
   */
  *writeSlices(value: unknown, settings: WriteSettings, output: OutputSink, due: () => boolean): Generator<void, void> {
    this.output = output;
    try {
      this.containers.beExact(new IdentityTable());
      let p = this.walk(this.start(value, settings, due));
      while (p === SUSPENDED) {
        this.position = this.flush(this.position);
        yield;
        this.goOn();
        this.shapes.lookAround();
        this.attempts++;
        p = this.walk(p);
      }
      this.flush(this.footer(p));
      if (this.functions.any) this.warn(yield* this.inSlices(this.functions.warnings(this), due));
    } catch (error) {
      throw yield* this.inSlices(this.explained(error), due);
    } finally {
      this.end();
    }
  }

  /** Looking for paths, with the pauses of a write in slices. */
  private *inSlices<T>(steps: Generator<void, T>, due: () => boolean): Generator<void, T> {
    while (true) {
      const step = steps.next();
      if (step.done) return step.value;
      if (due()) yield;
    }
  }

  private start(value: unknown, settings: WriteSettings, due?: () => boolean): number {
    this.settings = settings;
    this.root = value;
    this.attempts++;
    if (!this.shapes.begin(settings.release)) this.rootSite = new Site();
    this.whole.length = 0;
    this.attach();
    this.begin(due);
    // Constructors are called for the templates, and may do anything.
    if (settings.diffsOnly) this.containers.beExact();
    this.dv.setUint32(this.window, MAGIC, true);
    this.dv.setUint32(this.window + 4, VERSION_WORDS[settings.release], true);
    this.level(0);
    return this.any(value, this.window + 8, this.rootSite);
  }

  private footer(p: number): number {
    this.dv.setUint32(p, FOOTER, true);
    return p + 4;
  }

  private warn(warnings: readonly TuskWarning[]): void {
    for (const warning of warnings) this.settings.onWarning!(warning);
  }

  protected override end(): void {
    super.end();
    this.output = this.whole;
    this.due = undefined;
    // A result is the caller's.
    if (this.window === 0) this.attach();
    this.instances.begin();
  }

  protected enter(container: object, p: number, site: Site): number {
    if (isArray(container)) return this.array(container, p, site);
    if (datatypeOf(container) !== 0) return this.typedArray(container, p);
    const end = this.guessed(container, p, site);
    return end === MISS ? this.otherStruct(container, p, site) : end;
  }

  // ---- values ----

  /** A value with its tag. Like all that write a container: the position behind it, or SUSPENDED. */
  any(value: unknown, start: number, site: Site): number {
    const p = start > this.limit ? this.flush(start) : start;
    const { u8 } = this;
    switch (typeof value) {
      case "number":
        u8[p] = CODE.f64;
        storeDouble(this.dv, p + 1, value);
        return p + 9;
      case "string":
        u8[p] = CODE.string;
        return this.string(value, p + 1);
      case "boolean":
        u8[p] = CODE.bool;
        u8[p + 1] = value ? 1 : 0;
        return p + 2;
      case "object":
        if (value === null) break;
        return this.object(value, p, site);
      case "bigint":
        u8[p] = CODE.u64;
        return this.bigint(value, p + 1);
      case "function":
        this.noteFunction(value);
        break;
      case "undefined":
        break;
      default:
        this.refuse("datatype-not-recognised", `a ${typeof value} cannot be stored`, value);
    }
    u8[p] = UNDEFINED;
    return p + 1;
  }

  private object(value: object, p: number, site: Site): number {
    const { u8 } = this;
    if (isArray(value)) {
      u8[p] = ARRAY;
      return this.array(value, p + 1, site);
    }
    u8[p] = STRUCT;
    return this.child(value, p + 1, site);
  }

  /** What is no array, behind the tag of a struct, which it mostly is. */
  child(value: object, p: number, site: Site): number {
    const end = this.guessed(value, p, site);
    if (end !== MISS) return end;
    const code = this.codeOfObject(value);
    if (code === CODE.struct) return this.otherStruct(value, p, site);
    this.u8[p - 1] = wireCode(code);
    return code === CODE.array ? this.typedArray(value, p) : this.scalarField(value, code, p);
  }

  /** A value where datatype `code` is to stand: the member `key`, or an element. */
  field(value: unknown, code: number, p: number, site: Site, key?: string): number {
    if (code === CODE.any) return this.any(value, p, site);
    if (code === CODE.undefined || code === 0) return p;
    if (code !== CODE.array && code !== CODE.struct) return this.scalarField(value, code, p, key);
    if (code === CODE.array && isArray(value)) return this.array(value, p, site);
    const isObject = typeof value === "object" && value !== null;
    if (code === CODE.struct && isObject) {
      const end = this.guessed(value, p, site);
      if (end !== MISS) return end;
    }
    const found = isObject ? this.codeOfObject(value) : 0;
    if (code === CODE.array) {
      if (found !== CODE.array) this.refuse("not-an-array", "only an array can be stored here", value, key);
      return this.typedArray(value as object, p);
    }
    if (found !== CODE.struct) this.refuse("not-a-struct", "only a struct can be stored here", value, key);
    return this.otherStruct(value as object, p, site);
  }

  // ---- structs ----

  /** Anything that may be a struct, where the site knows its shape; MISS when the site does not. */
  private guessed(value: object, p: number, site: Site): number {
    const { containers, current, owner, ownerNumber, inner, innerNumber } = this;
    if (value === owner) return this.reference(containers.around(ownerNumber), p, value);
    const { shape } = site;
    if (shape === undefined || this.depth >= this.bound || !this.shapes.bare) return MISS;
    if (site.repeats > 0) {
      const known = containers.repeated.get(value);
      if (known !== undefined) return this.reference(containers.again(known), p, value);
      site.repeats--;
    }
    this.owner = inner;
    this.ownerNumber = innerNumber;
    this.inner = value;
    this.innerNumber = containers.count;
    this.depth++;
    let end = shape.write(value as Members, p, this);
    if (end === MISS) end = site.tryOthers(value as Members, p, this);
    if (end === MISS) end = this.byClass(value, p, site);
    this.depth--;
    this.current = current;
    this.owner = owner;
    this.ownerNumber = ownerNumber;
    this.inner = inner;
    this.innerNumber = innerNumber;
    if (end === p + REFERENCE_SIZE && this.referred === value) {
      containers.repeated.set(value, this.referredTo);
      site.repeats = REPEATS;
    }
    return end > this.limit ? this.room(end) : end;
  }

  /** An instance of a class that the last ones at the site are not of, if it has a shape that the last ones of its class had; else MISS. */
  private byClass(value: object, p: number, site: Site): number {
    const { ofClass } = this.shapes;
    const last = ofClass.size > 0 ? ofClass.get(classOf(value)) : undefined;
    if (last === undefined) return MISS;
    let end = last.shape!.write(value as Members, p, this);
    if (end === MISS) end = last.tryOthers(value as Members, p, this);
    if (end !== MISS) site.learn(last.shape!);
    return end;
  }

  /** A struct of a shape that the site does not know. */
  private otherStruct(struct: object, p: number, site: Site): number {
    const { containers, current, owner, ownerNumber, inner, innerNumber } = this;
    const known = containers.met(struct);
    if (known >= 0) {
      // It may have many names, and is not to be compared with what the site knows each time.
      containers.repeated.set(struct, known);
      site.repeats = 1e9;
      return this.reference(known, p, struct);
    }
    if (this.depth >= this.bound) return this.tooDeep(struct, p, site);
    this.owner = inner;
    this.ownerNumber = innerNumber;
    this.inner = struct;
    this.innerNumber = containers.count;
    this.depth++;
    const prototype = getPrototypeOf(struct);
    const isPlain = prototype === objectPrototype || prototype === null;
    const end = isPlain ? this.plain(struct, p, site) : this.instance(struct, prototype, p, site);
    this.depth--;
    this.current = current;
    this.owner = owner;
    this.ownerNumber = ownerNumber;
    this.inner = inner;
    this.innerNumber = innerNumber;
    return end > this.limit ? this.room(end) : end;
  }

  private plain(struct: object, p: number, site: Site): number {
    const names = Object.keys(struct);
    if (names.length >= STRUCT_LIMIT)
      throw new Problem("struct-too-large", `a struct of ${names.length} members; at most 65,533 can be stored`, struct);
    const shape = this.shapes.plain(names, site);
    if (!shape.passing) site.learn(shape);
    return shape.begin(struct as Members, p, this);
  }

  private instance(instance: object, prototype: object, start: number, site: Site): number {
    const { containers, current } = this;
    const registered =
      prototype === StructInstance.prototype ? this.instances.standIn(instance as StructInstance) : this.settings.registry.of(prototype);
    if (!registered) {
      if (isObjectPrototype(prototype)) return this.plain(instance, start, site);
      throw new Problem("datatype-not-recognised", notRegistered(instance), instance);
    }
    // User code may change what keys are made of.
    const simple = registered.simple && !this.settings.diffsOnly;
    if (!simple) {
      containers.beExact();
      const known = containers.find(instance, 0);
      if (known >= 0) return this.reference(known, start, instance);
    }
    this.current = instance;
    const shape = this.instances.enter(instance, registered, site);
    const { index, name, done } = this.instances;
    let p = MISS;
    if (shape instanceof StrictShape || shape instanceof VerboseShape) {
      shape.index = index;
      // From here on the shape alone can write instances of a class whose members do not depend on the instance, or are all its own. A stand-in of a class says
      // nothing about that, and instances of a subclass of StructInstance have each a version of their own.
      if (
        simple &&
        prototype === registered.prototype &&
        !(registered.type && instance instanceof StructInstance) &&
        (shape instanceof StrictShape || (!shape.passing && (shape.own || (registered.type && shape.version > 0))))
      ) {
        shape.attempt = this.attempts;
        site.learn(shape);
        this.shapes.learn(classOf(instance), shape);
      }
      // Where something is called, the instance has its number from before that.
      if (name === undefined) p = shape.write(instance as Members, start, this, !simple);
      if (p === MISS && simple) {
        const known = containers.find(instance, shape.key(instance as Members));
        if (known >= 0) {
          // The place is that where it occurs again.
          this.current = current;
          return this.reference(known, start, instance);
        }
      }
    }
    if (p === MISS) {
      p = start > this.limit ? this.flush(start) : start;
      this.dv.setUint16(p, 0xfffe, true);
      this.dv.setUint16(p + 2, index, true);
      p += 4;
      if (name !== undefined) p = this.name(name, p);
      p = shape.begin(instance as Members, p, this);
    }
    if (done) this.whenWhole(p, done);
    return p;
  }

  /**
   * An instance that its shape alone can write, as in earlier writes or before other code ran, if that is still so: the constructor's name where it is to
   * follow. Else MISS.
   */
  begins(shape: StrictShape | VerboseShape, instance: object): string | undefined | typeof MISS {
    const { registered } = shape;
    const { schema } = registered;
    // A schema may be gone, or leave out other members than before, and a prototype have some. What has come before may have been of no class then.
    const asBefore =
      shape instanceof StrictShape ? schema : shape.own && !schema && shape.names === shape.all && inheritsNothing(registered.prototype);
    if (!asBefore || this.settings.diffsOnly || !registered.simple || this.containers.met(instance) >= 0) return MISS;
    const { instances } = this;
    instances.setName(registered.name, instance);
    shape.index = instances.index;
    shape.attempt = this.attempts;
    return instances.name;
  }

  /** What stands before a verbose instance's members. */
  verboseHead(version: number, members: number, start: number): number {
    const p = start > this.limit ? this.flush(start) : start;
    this.u8[p] = 0x80 | version;
    this.dv.setUint16(p + 1, members, true);
    return p + 3;
  }

  /** What stands before a strict instance's fields: the version and, where the release has one, the list of those that are left out. */
  strictHead(version: number, skipped: readonly number[], skips: boolean, start: number): number {
    let p = start > this.limit ? this.flush(start) : start;
    this.u8[p++] = version;
    if (!skips) return p;
    for (const field of skipped) {
      if (p > this.limit) p = this.flush(p);
      this.dv.setUint16(p, field, true);
      p += 2;
    }
    this.dv.setUint16(p, 0, true);
    return p + 2;
  }
}
