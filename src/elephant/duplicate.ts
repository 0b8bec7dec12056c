// ElephantDuplicate (formats/elephant.md §13.4): a copy of a graph that keeps sharing and cycles and obeys schemas.
import { NUMBERS, SHORT_ARRAY, seems } from "../graph/array-kinds.ts";
import { codeGenerationAllowed } from "../graph/code-generation.ts";
import { empty } from "../graph/elements.ts";
import { needsDefinition, setMember } from "../graph/members.ts";
import * as CODE from "./codes.ts";
import {
  type ElephantConstructor,
  POST_READ,
  POST_WRITE,
  PRE_READ,
  PRE_WRITE,
  type Registered,
  StructInstance,
  setStoredAs,
} from "./constructors.ts";
import { isScalar } from "./datatypes.ts";
import { type ElephantErrorCode, elephantError } from "./errors.ts";
import { type JsonSettings, pathUnderWay } from "./json.ts";
import { containerKind, giveMember, memberOf, registeredOf, writtenMembers, writtenVersion } from "./members.ts";
import { type SchemaVersion, type StrictField, VERSION_VERBOSE } from "./schema.ts";

/** Options of {@link Elephant.duplicate}. */
export interface DuplicateOptions {
  /** Constructed structs are copied as in verbose mode: no datatypes, but still only the members that their schema names. Default false. */
  forceVerbose?: boolean;
  /** Constructed structs are copied with all their own members, whatever their schema says. Default false. */
  allMembers?: boolean;
}

/**
 * Which copy each container has. Most graphs are trees: a Set, asked and told in one step, is enough to know so, and takes half as long as a Map. As
 * soon as a container comes again, a Map is made of all.
 */
class Copies {
  private sources = new Set<object>();
  /** In the order of the sources. */
  private readonly targets: object[] = [];
  private all: Map<object, object> | undefined;

  /** The copy of a container; undefined for a new one, whose copy has to be given to {@link add} before the next question. */
  find(source: object): object | undefined {
    if (!this.all) {
      const { sources } = this;
      const { size } = sources;
      if (sources.add(source).size !== size) return undefined;
      this.all = new Map(Array.from(sources, (known, i) => [known, this.targets[i]]));
    }
    return this.all.get(source);
  }

  add(source: object, target: object): void {
    if (this.all) this.all.set(source, target);
    else this.targets.push(target);
  }

  clear(): void {
    this.sources = new Set();
    empty(this.targets);
    this.all = undefined;
  }
}

class Frame {
  readonly source: object;
  readonly target: object;
  /** Members to go through; undefined for arrays. */
  readonly names: readonly string[] | undefined;
  /** Datatypes of strict members. */
  readonly fields: readonly StrictField[] | undefined;
  readonly instance: boolean;
  at: number;
  readonly done: (() => void) | undefined;
  readonly copier: Copier | undefined;

  constructor(
    source: object,
    target: object,
    names: readonly string[] | undefined,
    fields: readonly StrictField[] | undefined,
    instance: boolean,
    at: number,
    done: (() => void) | undefined,
    copier: Copier | undefined,
  ) {
    this.source = source;
    this.target = target;
    this.names = names;
    this.fields = fields;
    this.instance = instance;
    this.at = at;
    this.done = done;
    this.copier = copier;
  }
}

/** A function made for the strict fields of a class: copies those from `frame.at` on, up to the first whose copy has come onto the stack. */
type Copier = (frame: Frame, duplicator: Duplicator, stack: readonly Frame[]) => void;

/** Instances of a class before a function is made for it. */
const HOT = 32;
/** Functions for more fields take longer to be compiled than they save. */
const MOST_FIELDS = 160;

function makeCopier(fields: readonly StrictField[]): Copier {
  const cases = fields.map(({ name, code }, i) => {
    const member = JSON.stringify(name);
    const value = name in Object.prototype ? `M(s,${member})` : `s[${member}]`;
    const asItIs =
      code === CODE.string || code === CODE.text
        ? 'typeof v==="string"'
        : code === CODE.array || code === CODE.struct || code === CODE.undefined || code === 0
          ? "false"
          : 'typeof v==="number"||typeof v==="string"||typeof v==="boolean"||v===undefined||typeof v==="bigint"';
    return `case ${i}:v=${value};if(${asItIs})t[${member}]=v;else{f.at=${i + 1};t[${member}]=c.converted(v,${code});if(k.length!==d)return}`;
  });
  const body = `"use strict";return function copy(f,c,k){const s=f.source,t=f.target,d=k.length;let v;switch(f.at){${cases.join("\n")}}f.at=${fields.length}}`;
  return new Function("M", body)(memberOf) as Copier;
}

/** A class whose instances are copied by a function. */
interface Copied {
  readonly type: ElephantConstructor;
  readonly schema: SchemaVersion;
  readonly copier: Copier;
}

/** GML's string(): whole numbers bare, others with two decimals. */
function gmlString(value: unknown): string {
  const bare = isScalar(value) ? value.value : value;
  if (typeof bare === "string") return bare;
  if (typeof bare === "number")
    return Number.isInteger(bare)
      ? String(bare)
      : Number.isFinite(bare)
        ? bare.toFixed(2)
        : Number.isNaN(bare)
          ? "NaN"
          : bare > 0
            ? "inf"
            : "-inf";
  if (typeof bare === "boolean") return bare ? "1" : "0";
  return bare === null ? "undefined" : String(bare);
}

/** May it be a container, or is it something that does not go into a copy as it is? */
function isContainer(value: unknown): boolean {
  return typeof value === "object" || typeof value === "function" || typeof value === "symbol";
}

/** The first element that is no number, as an index; a loop that arrays of numbers have for themselves, see array-kinds.ts. */
function firstOther(array: readonly unknown[]): number {
  let i = 0;
  while (i < array.length && typeof array[i] === "number") i++;
  return i;
}

/** The first element that is one, as an index; -1: the copy is whole without them. */
function firstAmongElements(array: readonly unknown[]): number {
  const numbers = array.length > SHORT_ARRAY && seems(array) === NUMBERS ? firstOther(array) : 0;
  for (let i = numbers; i < array.length; i++) if (isContainer(array[i])) return i;
  return -1;
}

/** The same of a plain struct's members, in a loop for which engines need no list of names. */
function firstAmongMembers(struct: Readonly<Record<string, unknown>>): number {
  let i = 0;
  for (const name in struct) {
    if (isContainer(struct[name])) return i;
    i++;
  }
  return -1;
}

/**
 * Makes copies, one at a time. Kept with its codec: code that the engine compiles for what belongs to one call alone is dropped at the first collection
 * behind it.
 */
export class Duplicator {
  private readonly settings: JsonSettings;
  private readonly codeGeneration: boolean;
  private readonly copies = new Copies();
  private readonly stack: Frame[] = [];
  /** What the engine knows of frames it forgets with the last of them. */
  protected readonly kept = new Frame(this, this, undefined, undefined, false, 0, undefined, undefined);
  private readonly created: { registered: Registered; instance: object; version: number }[] = [];
  private options!: DuplicateOptions;
  /** Classes that have a function and, as of this call, no callbacks, by the prototype of their instances. */
  private copied: Map<object, Copied> | undefined;
  /** How many strict instances have been copied, and the function for them. */
  private readonly copiers = new Map<SchemaVersion, { seen: number; copier: Copier | undefined }>();

  constructor(settings: JsonSettings, codeGeneration: boolean) {
    this.settings = settings;
    this.codeGeneration = codeGeneration;
  }

  duplicate(root: unknown, options: DuplicateOptions): unknown {
    this.options = options;
    try {
      const result = this.copy(root);
      this.copyMembers();
      const { state } = this.settings;
      for (const { registered, instance, version } of this.created) {
        state.call(registered.callback(POST_READ), instance, version, true);
      }
      return result;
    } finally {
      this.copies.clear();
      empty(this.stack);
      empty(this.created);
      this.copied = undefined;
    }
  }

  private refuse(code: ElephantErrorCode, message: string): never {
    throw elephantError(code, message, { path: pathUnderWay(this.stack) });
  }

  private checkDepth(): void {
    const { maxDepth } = this.settings.limits;
    if (this.stack.length >= maxDepth) this.refuse("depth-limit", `the value nests deeper than limits.maxDepth (${maxDepth})`);
  }

  /** A value of the copy; containers go on the stack. */
  private copy(value: unknown): unknown {
    if (this.copied !== undefined && typeof value === "object" && value !== null) {
      const found = this.copied.get(Object.getPrototypeOf(value));
      if (found) return this.copyByFunction(value, found);
    }
    const kind = containerKind(value);
    if (kind === undefined) {
      if (typeof value === "symbol") this.refuse("datatype-not-recognised", "a symbol cannot be copied");
      return typeof value === "function" || value === null ? undefined : value;
    }
    const source = value as object;
    const { copies } = this;
    const known = copies.find(source);
    if (known) return known;
    this.checkDepth();
    if (kind === "typed") {
      const made = copyTyped(source);
      copies.add(source, made);
      return made;
    }
    if (kind === "instance") return this.copyInstance(source);
    const isArray = kind === "array";
    const target = isArray ? (source as unknown[]).slice() : { ...(source as Record<string, unknown>) };
    copies.add(source, target);
    const at = isArray ? firstAmongElements(target as unknown[]) : firstAmongMembers(target as Record<string, unknown>);
    if (at >= 0)
      this.stack.push(new Frame(source, target, isArray ? undefined : Object.keys(target), undefined, false, at, undefined, undefined));
    return target;
  }

  /** An instance of a class that has a function. */
  private copyByFunction(source: object, { type, schema, copier }: Copied): object {
    const { copies } = this;
    const known = copies.find(source);
    if (known) return known;
    this.checkDepth();
    const target = new type();
    copies.add(source, target);
    this.stack.push(new Frame(source, target, schema.fieldNames, schema.fields, true, 0, undefined, copier));
    return target;
  }

  private copyInstance(source: object): object {
    const { options, settings, stack } = this;
    const { registry, state } = settings;
    const registered = registeredOf(registry, source, () => pathUnderWay(stack));
    const target = registered.construct();
    if (source instanceof StructInstance && target instanceof StructInstance)
      setStoredAs(target, StructInstance.versionOf(source), StructInstance.verboseOf(source));
    const { version, schema, names } = options.allMembers
      ? { version: writtenVersion(source, registered), schema: undefined, names: Object.keys(source) }
      : writtenMembers(source, registered, options.forceVerbose === true);
    this.copies.add(source, target);
    const preWrite = registered.callback(PRE_WRITE);
    const preRead = registered.callback(PRE_READ);
    const postWrite = registered.callback(POST_WRITE);
    state.call(preWrite, source, version, false);
    state.call(preRead, target, version, false);
    const postRead = registered.callback(POST_READ);
    if (postRead) this.created.push({ registered, instance: target, version });
    if (schema && !(preWrite ?? preRead ?? postWrite ?? postRead)) this.countInstance(registered, schema, target);
    const done = postWrite && (() => state.call(postWrite, source, version, false));
    stack.push(new Frame(source, target, names, schema?.fields, true, 0, done, undefined));
    return target;
  }

  /** Makes the function for strict instances of a class, of which `target` is a new one, when there have been many. */
  private countInstance({ type, prototype }: Registered, schema: SchemaVersion, target: object): void {
    if (!type || !this.codeGeneration) return;
    const { fields } = schema;
    const known = this.copiers.get(schema) ?? { seen: 0, copier: undefined };
    this.copiers.set(schema, known);
    if (++known.seen === HOT && fields.length <= MOST_FIELDS && Object.isExtensible(target) && codeGenerationAllowed())
      if (!fields.some(({ name }) => name === VERSION_VERBOSE || needsDefinition(target, name))) known.copier = makeCopier(fields);
    if (known.copier) (this.copied ??= new Map()).set(prototype, { type, schema, copier: known.copier });
  }

  /** The value of a strict field: numbers are not converted, texts are. */
  converted(value: unknown, code: number): unknown {
    if (code === CODE.undefined || code === 0) return undefined;
    if (code === CODE.string || code === CODE.text) return gmlString(value);
    if (code !== CODE.array && code !== CODE.struct) return isContainer(value) ? this.copy(value) : value;
    const kind = containerKind(value);
    if (code === CODE.array && kind !== "array" && kind !== "typed")
      this.refuse("not-an-array", "a field of datatype array holds something else");
    if (code === CODE.struct && kind !== "plain" && kind !== "instance")
      this.refuse("not-a-struct", "a field of datatype struct holds something else");
    return this.copy(value);
  }

  private copyMembers(): void {
    const { stack } = this;
    while (stack.length > 0) {
      const frame = stack[stack.length - 1];
      const { names } = frame;
      const length = names ? names.length : (frame.target as unknown[]).length;
      if (frame.at >= length) {
        stack.pop();
        frame.done?.();
      } else if (frame.copier) frame.copier(frame, this, stack);
      else if (names) this.copyNamed(frame, names);
      else this.copyElements(frame, length);
    }
  }

  // Both go on to the first child: its members come before what stands behind it here. What stands there is what user code has left there by then.

  private copyElements(frame: Frame, length: number): void {
    const { stack } = this;
    const source = frame.source as unknown[];
    const target = frame.target as unknown[];
    const depth = stack.length;
    while (frame.at < length && stack.length === depth) {
      const i = frame.at++;
      const value = source[i];
      const made = isContainer(value) ? this.copy(value) : value;
      if (made !== target[i]) target[i] = made;
    }
  }

  private copyNamed(frame: Frame, names: readonly string[]): void {
    const { stack } = this;
    const { source, target, fields } = frame;
    const depth = stack.length;
    while (frame.at < names.length && stack.length === depth) {
      const i = frame.at++;
      const name = names[i];
      const value = memberOf(source, name);
      if (frame.instance) {
        const made = fields ? this.converted(value, fields[i].code) : isContainer(value) ? this.copy(value) : value;
        if (name === VERSION_VERBOSE && made === undefined && !(target instanceof StructInstance)) continue;
        giveMember(target, name, made);
      } else {
        const made = isContainer(value) ? this.copy(value) : value;
        if (made !== (target as Record<string, unknown>)[name]) setMember(target as Record<string, unknown>, name, made);
      }
    }
  }
}

function copyTyped(source: object): object {
  if (source instanceof DataView) return new DataView(source.buffer.slice(source.byteOffset, source.byteOffset + source.byteLength));
  // Node's Buffer has a `slice` of its own, which is no copy.
  return ((ArrayBuffer.isView(source) ? Uint8Array.prototype : source) as ArrayBuffer).slice.call(source as ArrayBuffer, 0);
}
