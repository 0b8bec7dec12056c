// Writing one value: stores it in the order of the bytes, container by container (docs/architecture.md).
import type { TuskWarning } from "../errors.ts";
import { MIXED, SHORT_ARRAY, seems } from "../graph/array-kinds.ts";
import { IdentityTable } from "./async/identity-table.ts";
import { wireCode } from "./byte-writer.ts";
import * as CODE from "./codes.ts";
import { StructInstance } from "./constructors.ts";
import { ALIKE, keyOfArray, keyOfBytes } from "./container-keys.ts";
import { AGAIN } from "./containers.ts";
import { codeNamed, isScalar } from "./datatypes.ts";
import type { Machine } from "./machine.ts";
import { isObjectPrototype, notRegistered } from "./members.ts";
import { type OutputSink, storeNumbers } from "./output.ts";
import { atOnce } from "./path-search.ts";
import { FOOTER, MAGIC, VERSION_WORDS } from "./releases.ts";
import { ARRAY, STRUCT, UNDEFINED } from "./tags.ts";
import { bytesOf, datatypeOf, elementSize } from "./typed-arrays.ts";
import { InstanceWriter } from "./write-instances.ts";
import { Problem } from "./write-problem.ts";
import type { WriteSettings } from "./write-settings.ts";
import { ShapeTable, StrictShape, VerboseShape } from "./write-shapes.ts";
import { type Members, MISS, type Resumable, Site, SUSPENDED } from "./write-sites.ts";
import { GraphWalk } from "./write-walk.ts";

/** Arrays of so many elements cannot be stored: the length word has other meanings from here on (formats/elephant.md §5). */
const ARRAY_LIMIT = 65535;
const STRUCT_LIMIT = 65534;
/** Arrays of more numbers are stored where they stay; shorter ones in the window, which has room for them behind its limit. */
const LONG_ARRAY = 4096;
/** In slices: elements of arrays after which the clock is looked at; they may take no bytes. */
const ELEMENTS_BETWEEN_LOOKS = 1 << 16;
/** ... and while one finds out whether they have all one datatype, which takes its time as long as the code for it is not compiled. */
const ELEMENTS_BETWEEN_DATATYPES = 1 << 13;

const objectPrototype = Object.prototype;
const { isArray } = Array;
const { getPrototypeOf } = Object;

export class GraphWriter extends GraphWalk {
  readonly shapes: ShapeTable;
  /** Counts writes, and callbacks within them: what shapes remember of their classes and of constructor indices holds till the next. */
  attempts = 0;
  private readonly instances: InstanceWriter;
  private rootSite = new Site();
  private elementsSinceLook = 0;

  constructor(machine: Machine, codeGeneration: boolean) {
    super(machine);
    this.shapes = new ShapeTable(codeGeneration);
    this.instances = new InstanceWriter(this);
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
      const end = this.walk(this.start(value, settings, undefined));
      this.containers.check();
      const stop = this.footer(end);
      const bytes = this.whole.length === 0 ? this.u8.slice(this.window, stop) : this.whole.take(this.u8.subarray(this.window, stop));
      succeeded = true;
      this.containers.learn();
      if (this.functions.any) this.warn(atOnce(this.warnings()));
      return bytes;
    } catch (error) {
      throw atOnce(this.explained(error));
    } finally {
      if (!succeeded) this.whole.abandon();
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
        p = this.walk(p);
      }
      this.flush(this.footer(p));
      if (this.functions.any) this.warn(yield* this.inSlices(this.warnings(), due));
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

  private start(value: unknown, settings: WriteSettings, due: (() => boolean) | undefined): number {
    this.settings = settings;
    this.root = value;
    this.attempts++;
    if (!this.shapes.begin(settings.release)) this.rootSite = new Site();
    this.whole.begin();
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

  private warnings(): Generator<void, TuskWarning[]> {
    return this.functions.warnings(this.root, this.settings.registry, this.containers.count);
  }

  private warn(warnings: readonly TuskWarning[]): void {
    for (const warning of warnings) this.settings.onWarning!(warning);
  }

  protected override end(): void {
    super.end();
    this.output = this.whole;
    this.due = undefined;
    this.elementsSinceLook = 0;
    this.instances.begin();
  }

  protected enter(container: object, p: number, site: Site): number {
    if (isArray(container)) return this.array(container, p, site);
    if (datatypeOf(container) !== 0) return this.typedArray(container, p);
    return this.struct(container, p, site);
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
    const end = this.predicted(value, p, site);
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
      const end = this.predicted(value, p, site);
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

  private codeOfObject(value: object): number {
    if (isArray(value)) return CODE.array;
    if (isScalar(value)) return value.datatype === "text" ? CODE.string : codeNamed(value.datatype);
    return datatypeOf(value) !== 0 ? CODE.array : CODE.struct;
  }

  /** The code that a value would be stored in. */
  private codeOf(value: unknown, holder: readonly unknown[], index: number): number {
    // A comparison for itself is cheaper than the first of many.
    if (typeof value === "object" && value !== null) return this.codeOfObject(value);
    switch (typeof value) {
      case "number":
        return CODE.f64;
      case "string":
        return CODE.string;
      case "boolean":
        return CODE.bool;
      case "undefined":
      case "function":
      case "object":
        return CODE.undefined;
      case "bigint":
        return CODE.u64;
      default:
        throw new Problem("datatype-not-recognised", `a ${typeof value} cannot be stored`, holder as object, index);
    }
  }

  // ---- structs ----

  /** Anything that may be a struct, where the site knows its shape; MISS when the site does not. */
  private predicted(value: object, p: number, site: Site): number {
    const { shape } = site;
    if (shape === undefined || this.depth >= this.bound || !this.shapes.inheritsNothing) return MISS;
    const { containers, current, owner, ownerNumber, inner, innerNumber } = this;
    if (value === owner) return this.reference(containers.again(ownerNumber), p, value);
    this.owner = inner;
    this.ownerNumber = innerNumber;
    this.inner = value;
    this.innerNumber = containers.count;
    this.depth++;
    let end = shape.write(value as Members, p, this);
    if (end === MISS) end = site.tryOthers(value as Members, p, this);
    this.depth--;
    this.current = current;
    this.owner = owner;
    this.ownerNumber = ownerNumber;
    this.inner = inner;
    this.innerNumber = innerNumber;
    return end > this.limit ? this.room(end) : end;
  }

  struct(struct: object, p: number, site: Site): number {
    const end = this.predicted(struct, p, site);
    if (end !== MISS) return end;
    return this.otherStruct(struct, p, site);
  }

  /** A struct of a shape that the site does not know. */
  private otherStruct(struct: object, p: number, site: Site): number {
    const known = this.containers.met(struct);
    if (known >= 0) return this.reference(known, p, struct);
    if (this.depth >= this.bound) return this.tooDeep(struct, p, site);
    const outer = this.current;
    this.depth++;
    const prototype = getPrototypeOf(struct);
    const isPlain = prototype === objectPrototype || prototype === null;
    const end = isPlain ? this.plain(struct, p, site) : this.instance(struct, prototype, p, site);
    this.depth--;
    this.current = outer;
    return end > this.limit ? this.room(end) : end;
  }

  private plain(struct: object, p: number, site: Site): number {
    const names = Object.keys(struct);
    if (names.length >= STRUCT_LIMIT)
      throw new Problem("struct-too-large", `a struct of ${names.length} members; at most 65,533 can be stored`, struct);
    const shape = this.shapes.plain(names);
    site.learn(shape);
    return shape.begin(struct as Members, p, this);
  }

  private instance(instance: object, prototype: object, start: number, site: Site): number {
    const { containers } = this;
    const registered =
      prototype === StructInstance.prototype
        ? this.instances.standIn(instance as StructInstance)
        : this.settings.registry.ofPrototype(prototype);
    if (!registered) {
      if (isObjectPrototype(prototype)) return this.plain(instance, start, site);
      throw new Problem("datatype-not-recognised", notRegistered(instance), instance);
    }
    // User code may change what keys are made of.
    const simple = registered.simpleToWrite && !this.settings.diffsOnly;
    if (!simple) {
      containers.beExact();
      const known = containers.find(instance, 0);
      if (known >= 0) return this.reference(known, start, instance);
    }
    this.current = instance;
    const { shape, done } = this.instances.enter(instance, registered);
    this.current = instance;
    const { index, nameBytes } = this.instances;
    if (simple && (shape instanceof StrictShape || shape instanceof VerboseShape)) {
      // From here on the shape alone can write instances of a class whose members do not depend on the instance, or are all its own.
      if (shape instanceof StrictShape || shape.own || (registered.type && shape.version > 0)) {
        shape.attempt = this.attempts;
        shape.index = index;
        site.learn(shape);
      }
      const known = containers.find(instance, shape.key(instance as Members));
      if (known >= 0) return this.reference(known, start, instance);
    }
    let p = start > this.limit ? this.flush(start) : start;
    this.dv.setUint16(p, 0xfffe, true);
    this.dv.setUint16(p + 2, index, true);
    p = nameBytes ? this.raw(nameBytes, p + 4) : p + 4;
    p = shape.begin(instance as Members, p, this);
    if (done) this.whenWhole(p, done);
    return p;
  }

  /** What stands before a verbose instance's members. */
  verboseBeginning(version: number, members: number, start: number): number {
    const p = start > this.limit ? this.flush(start) : start;
    this.u8[p] = 0x80 | version;
    this.dv.setUint16(p + 1, members, true);
    return p + 3;
  }

  /** What stands before a strict instance's fields: the version and, where the release has one, the list of those that are left out. */
  strictBeginning(version: number, skipped: readonly number[], skips: boolean, start: number): number {
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

  // ---- arrays ----

  array(array: readonly unknown[], start: number, site: Site): number {
    if (this.depth >= this.bound) return this.tooDeep(array, start, site);
    const { containers } = this;
    const { length } = array;
    const first = length > 0 ? array[0] : undefined;
    /** Are its elements containers? That the first is there each time is seen by asking again. */
    const holds = typeof first === "object" && first !== null && !containers.early && !isScalar(first);
    if (holds) containers.open(array);
    else {
      const known = containers.find(array, containers.allAlike ? ALIKE : keyOfArray(array, containers.alikeKinds));
      if (known >= 0) return this.reference(known, start, array);
    }
    if (length >= ARRAY_LIMIT)
      throw new Problem("array-too-long", `an array of ${length} elements; at most 65,534 can be stored`, array as object);
    let p = start > this.limit ? this.flush(start) : start;
    this.dv.setUint16(p, length, true);
    p += 2;
    if (length === 0) return p;
    const kind = length > SHORT_ARRAY ? seems(array) : MIXED;
    if (length > SHORT_ARRAY ? kind !== MIXED : typeof first === "number") {
      const end = this.doubles(array, length, p, kind);
      if (end >= 0) return end > this.limit ? this.room(end) : end;
      if (length > LONG_ARRAY) p = this.window;
    }
    const outer = this.current;
    this.current = array;
    this.depth++;
    const end = this.untyped(array, 1, length, this.codeOf(first, array, 0), p, site.elements);
    this.depth--;
    this.current = outer;
    if (holds && array[0] !== first) containers.addUnique(array);
    return end > this.limit ? this.room(end) : end;
  }

  private countElements(length: number): void {
    this.elementsSinceLook += length;
    if (this.elementsSinceLook < ELEMENTS_BETWEEN_LOOKS || this.pausing) return;
    this.elementsSinceLook = 0;
    if (this.due!()) this.pause();
  }

  /** An array of numbers alone, from its datatype on; MISS when it is not one. */
  private doubles(array: readonly unknown[], length: number, start: number, kind: number): number {
    if (length > LONG_ARRAY) {
      this.flush(start);
      return this.output.appendDoubles(CODE.f64, array, kind) ? this.window : MISS;
    }
    const { dv } = this;
    if (kind !== MIXED) return storeNumbers(dv, start, CODE.f64, array, kind) ? start + 1 + length * 8 : MISS;
    let p = start;
    this.u8[p++] = CODE.f64;
    for (let i = 0; i < length; i++) {
      const value = array[i];
      if (typeof value !== "number") return MISS;
      storeDouble(dv, p, value);
      p += 8;
    }
    return p;
  }

  /**
   * An array from its datatype on: that is `code`, which all elements in front of `at` have, or any (formats/elephant.md §3.1). Strings are passed without a
   * look at the clock.
   */
  private untyped(array: readonly unknown[], at: number, length: number, code: number, start: number, site: Site): number {
    let i = at;
    if (code === CODE.string) while (i < length && typeof array[i] === "string") i++;
    while (i < length) {
      if (this.codeOf(array[i], array, i) !== code) {
        code = CODE.any;
        break;
      }
      if (++i % ELEMENTS_BETWEEN_DATATYPES === 0 && this.due?.()) {
        this.pause();
        this.position = start;
        return this.suspend(array, new Elements(length, -code, site), i);
      }
    }
    this.u8[start] = wireCode(code);
    if (this.due !== undefined) this.countElements(length);
    if (code !== CODE.undefined) return this.elements(array, 0, length, code, start + 1, site);
    // No element takes bytes.
    for (let k = 0; k < length; k++) if (typeof array[k] === "function") this.noteFunction(array[k]);
    return start + 1;
  }

  /** Elements from `at` up to `length`, which may not be the array's any more, in the layout of their common datatype; below 0: that is still to be found, and what those in front of `at` have is -`code`. */
  elements(array: readonly unknown[], at: number, length: number, code: number, start: number, site: Site): number {
    if (code < 0) return this.untyped(array, at, length, -code, start, site);
    if (code === CODE.any) return this.anyElements(array, at, length, start, site);
    if (code === CODE.bool) return this.bools(array, at, length, start, site);
    if (code === CODE.string && !this.containers.exact) return this.strings(array, at, length, start, site);
    return this.otherElements(array, at, length, code, start, site);
  }

  /** Strings, from a longer one on as many by one call as go there. */
  private strings(array: readonly unknown[], at: number, length: number, start: number, site: Site): number {
    let p = start;
    for (let i = at; i < length; ) {
      const first = i;
      let units = 0;
      let value = array[i];
      while (typeof value === "string") {
        const more = this.gather(value, units);
        if (more === 0) break;
        units = more;
        value = ++i < length ? array[i] : undefined;
      }
      if (i > first) {
        const end = this.gathered(units - 1, i - first, p);
        // One of them cannot be stored; which one is found out one by one.
        if (end === 0) return this.otherElements(array, first, length, CODE.string, p, site);
        p = end;
      } else {
        if (typeof value !== "string") return this.otherElements(array, i, length, CODE.string, p, site);
        p = this.string(value, p);
        i++;
      }
      if (p > this.limit) p = this.room(p);
      if (p === SUSPENDED) return this.suspend(array, new Elements(length, CODE.string, site), i);
    }
    return p;
  }

  private otherElements(array: readonly unknown[], at: number, length: number, code: number, start: number, site: Site): number {
    const { exact } = this.containers;
    let p = start;
    for (let i = at; i < length; i++) {
      const value = array[i];
      // User code may have changed it since the array began; the file would not match its tags (formats/elephant.md §5).
      if (exact && code < CODE.array && this.codeOf(value, array, i) !== code)
        throw new Problem("datatype-not-recognised", "an element changed its datatype meanwhile", array as object, i);
      if (code === CODE.string && typeof value === "string") p = this.string(value, p);
      else p = code === CODE.array && isArray(value) ? this.array(value, p, site) : this.field(value, code, p, site);
      if (p > this.limit) p = this.room(p);
      if (p === SUSPENDED) return this.suspend(array, new Elements(length, code, site), i + 1);
    }
    return p;
  }

  private bools(array: readonly unknown[], at: number, length: number, start: number, site: Site): number {
    let p = start;
    for (let i = at; i < length; i++) {
      const value = array[i];
      if (value === true) this.u8[p++] = 1;
      else if (value === false) this.u8[p++] = 0;
      else return this.otherElements(array, i, length, CODE.bool, p, site);
      if (p > this.limit) p = this.room(p);
      if (p === SUSPENDED) return this.suspend(array, new Elements(length, CODE.bool, site), i + 1);
    }
    return p;
  }

  private anyElements(array: readonly unknown[], at: number, length: number, start: number, site: Site): number {
    const { dv, u8 } = this;
    let p = start;
    for (let i = at; i < length; i++) {
      const value = array[i];
      if (typeof value === "number") {
        u8[p] = CODE.f64;
        storeDouble(dv, p + 1, value);
        p += 9;
      } else if (typeof value === "string") {
        u8[p] = CODE.string;
        p = this.string(value, p + 1);
      } else if (typeof value === "boolean") {
        u8[p] = CODE.bool;
        u8[p + 1] = value ? 1 : 0;
        p += 2;
      } else p = this.any(value, p, site);
      if (p > this.limit) p = this.room(p);
      if (p === SUSPENDED) return this.suspend(array, new Elements(length, CODE.any, site), i + 1);
    }
    return p;
  }

  private typedArray(array: object, start: number): number {
    if (this.depth >= this.bound) return this.tooDeep(array, start, this.rootSite);
    const bytes = this.bytesOf(array);
    const known = this.containers.find(array, keyOfBytes(bytes));
    if (known >= 0) return this.reference(known, start, array);
    const datatype = datatypeOf(array);
    const length = bytes.length / elementSize(datatype);
    if (length >= ARRAY_LIMIT) throw new Problem("array-too-long", `an array of ${length} elements; at most 65,534 can be stored`, array);
    const p = start > this.limit ? this.flush(start) : start;
    this.dv.setUint16(p, length, true);
    if (length === 0) return p + 2;
    this.u8[p + 2] = datatype;
    const end = this.raw(bytes, p + 3);
    return end > this.limit ? this.room(end) : end;
  }

  private bytesOf(array: object): Uint8Array {
    try {
      return bytesOf(array);
    } catch {
      throw new Problem("datatype-not-recognised", "the memory of this array has been given away", array);
    }
  }
}

/** All NaNs have the same bytes. A branch that is never taken is cheaper than a choice between two values. */
function storeDouble(dv: DataView, p: number, value: number): void {
  if (Number.isNaN(value)) dv.setFloat64(p, Number.NaN, true);
  else dv.setFloat64(p, value, true);
}

/** The rest of an array. */
class Elements implements Resumable {
  private readonly length: number;
  /** As {@link GraphWriter.elements} takes it. */
  private readonly code: number;
  private readonly site: Site;

  constructor(length: number, code: number, site: Site) {
    this.length = length;
    this.code = code;
    this.site = site;
  }

  resume(array: readonly unknown[], at: number, p: number, writer: GraphWriter): number {
    return writer.elements(array, at, this.length, this.code, p, this.site);
  }
}
