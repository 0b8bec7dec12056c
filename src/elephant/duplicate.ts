// ElephantDuplicate (formats/elephant.md §13.4): a copy of a graph that keeps sharing and cycles and obeys schemas.
//
// A graph is taken for a tree first, as by a write that trusts (containers.ts): only containers that hold none are listed, and when one of them has been met
// twice the copy begins anew, with each container looked for when it is met. So it does for what is no plain data, before a constructor runs. Containers are
// copied inside one another by calls, to a limited depth; what is deeper is put off as in a write (write/walk.ts).

import { NUMBERS, SHORT_ARRAY, seems } from "../graph/array-kinds.ts";
import { codeGenerationAllowed, fromText } from "../graph/code-generation.ts";
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
import { bare } from "./equality.ts";
import { type ElephantErrorCode, nestsDeeper } from "./errors.ts";
import { failAt, type JsonSettings } from "./json.ts";
import {
  assignMember,
  containerKind,
  hasNames,
  includedMembers,
  inheritsNothing,
  memberOf,
  notRegistered,
  registeredOf,
  writtenMembers,
  writtenVersion,
} from "./members.ts";
import { type SchemaVersion, type StrictField, VERSION_VERBOSE } from "./schema.ts";
import { GONE, plainCopy, tagOf } from "./typed-arrays.ts";
import { ALIKE, keyOfArray, mix } from "./write/container-keys.ts";
import { AGAIN, Containers } from "./write/containers.ts";
import { KEYED, type Members } from "./write/sites.ts";

/** Options of {@link Elephant.duplicate}. */
export interface DuplicateOptions {
  /**
   * Constructed structs are copied as in verbose mode: no datatypes, but still only the members that their schema names, less those of `VERBOSE_EXCLUDE`.
   * Default false.
   */
  forceVerbose?: boolean | undefined;
  /** Constructed structs are copied with all their own members, whatever their schema says; comes before `forceVerbose`. Default false. */
  allMembers?: boolean | undefined;
}

/** How the members or elements of a container are copied. */
interface Way {
  /** From `at` on: -1 when all are copied, the next one when it has to leave. */
  readonly resume: (source: never, target: never, at: number, duplicator: Duplicator, way: never) => number;
  /** Undefined for arrays. */
  readonly names?: readonly string[];
  /** Datatypes of strict members. */
  readonly fields?: readonly StrictField[] | undefined;
  readonly done?: (() => void) | undefined;
}

/** Of what has names. */
interface NamedWay extends Way {
  readonly names: readonly string[];
}

/** A container whose members or elements are not all copied yet. */
interface Frame {
  readonly source: object;
  readonly target: object;
  readonly at: number;
  readonly way: Way;
  /** Those of the way: for errors. */
  readonly names: Way["names"];
}

/** Levels that are copied by calls within calls. */
const NESTING = 64;
/** Numbers of containers listed at which one looks whether any of them has come twice: 2^12, 2^14 and so on. */
const CHECKS = 0x55555000;
/** Copies that are made without trust when it was misplaced. */
const MISTRUSTED = 16;
/** Instances of a class before a function is made for it. */
const HOT = 32;
/** Functions for more fields take longer to be compiled than they save. */
const MOST_FIELDS = 160;

/** Without `fields` members are copied whatever they are. */
function makeCopier(names: readonly string[], fields: readonly StrictField[] | undefined): Way["resume"] {
  const cases = names.map((name, i) => {
    const code = fields?.[i].code ?? CODE.any;
    const member = JSON.stringify(name);
    const value = name in Object.prototype ? `M(s,${member})` : `s[${member}]`;
    const asItIs =
      code === CODE.string || code === CODE.text
        ? 'typeof v==="string"'
        : code > CODE.any || code === 0
          ? "false"
          : 'typeof v==="number"||typeof v==="string"||typeof v==="boolean"||v===undefined||typeof v==="bigint"';
    return `case ${i}:v=${value};if(${asItIs})t[${member}]=v;else{v=c.converted(v,${code});if(c.failure)return ${i + 1};t[${member}]=v;if(c.leaving)return ${i + 1}}`;
  });
  const body = `"use strict";return function copy(s,t,a,c){let v;switch(a){${cases.join("\n")}}return -1}`;
  return fromText({ M: memberOf }, body) as Way["resume"];
}

/** A class whose instances are copied by a function. */
interface Copied {
  readonly type: ElephantConstructor;
  readonly way: NamedWay;
  /** The members of those that are copied with all that they have, except for what is excluded. */
  readonly all: readonly string[] | undefined;
}

/** GML's string(): whole numbers in plain digits, others with two decimals, bools as 1 and 0. */
function gmlString(given: unknown): string {
  const value = bare(given);
  if (typeof value === "number" && !Number.isInteger(value)) return value.toFixed(2).replace("Infinity", "inf");
  // Of large numbers, those of JavaScript have an exponent.
  return String(typeof value === "number" || typeof value === "boolean" ? BigInt(value) : value);
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

function copyElements(source: unknown[], target: unknown[], at: number, duplicator: Duplicator): number {
  for (let i = at; i < target.length; i++) {
    const value = source[i];
    const made = isContainer(value) ? duplicator.held(source, value, target[i]) : value;
    if (made !== target[i] || made === 0) target[i] = made;
    if (duplicator.leaving) return i + 1;
  }
  return -1;
}

const ELEMENTS: Way = { resume: copyElements };

function copyNamed(source: Members, target: Members, at: number, duplicator: Duplicator, { names }: NamedWay): number {
  for (let i = at; i < names.length; i++) {
    const name = names[i];
    const value = memberOf(source, name);
    const made = isContainer(value) ? duplicator.copy(value) : value;
    if (made !== target[name] || made === 0) setMember(target, name, made);
    if (duplicator.leaving) return i + 1;
  }
  return -1;
}

function copyMembers(source: object, target: object, at: number, duplicator: Duplicator, { names, fields }: NamedWay): number {
  for (let i = at; i < names.length; i++) {
    const name = names[i];
    // What an instance without class lacks is not undefined: a save may have left it out.
    if (target instanceof StructInstance && !Object.hasOwn(source, name)) continue;
    const value = memberOf(source, name);
    const made = fields ? duplicator.converted(value, fields[i].code) : duplicator.copy(value);
    if (duplicator.failure) return i + 1;
    assignMember(target, name, made);
    if (duplicator.leaving) return i + 1;
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
  /** Which copy each container has, without trust. */
  private copies = new Map<object, object>();
  /** While no user code runs: containers that hold none, as a write lists them. */
  private containers = new Containers();
  private trusting = true;
  private mistrusted = 0;
  /** So many levels may be entered from here by calls within calls. */
  private levels = NESTING;
  /** Nothing is entered any more until all calls have come back. */
  leaving = false;
  /** What cannot be copied, when it has been met: nothing is stored any more. */
  failure: [code: ElephantErrorCode, reason: string] | undefined;
  private readonly stack: Frame[] = [];
  /** What calls have left, the innermost first. */
  private readonly left: Frame[] = [];
  /** Calls for the end. */
  private readonly created: (() => void)[] = [];
  /** How often code of users may have run. */
  private instances = 0;
  private options!: DuplicateOptions;
  /** Classes that have a function and, as of this call, no callbacks, by the prototype of their instances. */
  private copied: Map<object, Copied> | undefined;
  /** By strict version, or by constructor: how many instances have been copied by the general steps, and the function for them. */
  private readonly copiers = new Map<object, { seen: number; made: Copied | undefined }>();

  constructor(settings: JsonSettings, codeGeneration: boolean) {
    this.settings = settings;
    this.codeGeneration = codeGeneration;
  }

  duplicate(root: unknown, options: DuplicateOptions): unknown {
    this.options = options;
    this.trusting = --this.mistrusted < 0;
    try {
      return this.attempt(root);
    } catch (error) {
      if (error !== AGAIN) throw error;
      this.containers = new Containers();
      this.trusting = false;
      this.mistrusted = MISTRUSTED;
      return this.attempt(root);
    }
  }

  private attempt(root: unknown): unknown {
    const { containers, stack, left } = this;
    try {
      let result: unknown;
      let frame: Frame | undefined;
      do {
        this.levels = NESTING;
        this.leaving = false;
        if (frame) this.fill(frame.source, frame.target, frame.at, frame.way);
        else result = this.copy(root);
        while (left.length > 0) stack.push(left.pop()!);
        if (this.failure) failAt(stack, ...this.failure);
        frame = stack.pop();
      } while (frame);
      if (this.trusting) containers.check();
      for (const call of this.created) call();
      return result;
    } finally {
      if (this.trusting) containers.clear();
      else this.copies = new Map();
      this.failure = undefined;
      empty(stack);
      empty(left);
      empty(this.created);
      this.copied = undefined;
    }
  }

  /** Something comes before which all calls have to come back, which only works where each container is known: else the copy begins anew. */
  private leave(): void {
    if (this.trusting) throw AGAIN;
    this.leaving = true;
  }

  /** The error is thrown when all calls have come back, and with them the path. */
  private refuse(code: ElephantErrorCode, reason: string): undefined {
    this.leave();
    this.failure = [code, reason];
  }

  /** Goes through the members or elements of a container, unless calls are nested too deeply for that. */
  private fill(source: object, target: object, at: number, way: Way): void {
    if (this.levels > 0 && !this.leaving) {
      this.levels--;
      at = way.resume(source as never, target as never, at, this, way as never);
      this.levels++;
      if (at < 0) {
        way.done?.();
        return;
      }
    } else this.leave();
    this.left.push({ source, target, at, way, names: way.names });
  }

  /** A container that holds none, or a long one, while trusting. What is shared may unfold to any size, so one looks on the way, too. */
  private list(container: object, key: number): void {
    const { containers } = this;
    containers.find(container, key);
    // At once: it may be long.
    containers.ask();
    const { count } = containers;
    if ((count & (count - 1)) === 0 && (count & CHECKS) !== 0) containers.check();
  }

  /** The copy of what a container holds, or held `before`: one that answers anew each time is listed for itself. */
  held(container: object, value: unknown, before: unknown): unknown {
    if (value !== before && this.trusting) this.list(container, ALIKE);
    return this.copy(value);
  }

  /** A value of the copy. */
  copy(value: unknown): unknown {
    let found = typeof value === "object" && value ? this.copied?.get(Object.getPrototypeOf(value)) : undefined;
    if (found?.all && !hasNames(value as object, found.all)) found = undefined;
    const kind = found ? "instance" : containerKind(value);
    if (kind === undefined) {
      if (typeof value === "symbol") return this.refuse("datatype-not-recognised", "a symbol cannot be stored");
      return typeof value === "function" || value === null ? undefined : value;
    }
    const source = value as object;
    const { containers, copies, trusting } = this;
    const known = trusting ? undefined : copies.get(source);
    if (known) return known;
    const { maxDepth } = this.settings.limits;
    if (this.stack.length + NESTING - this.levels >= maxDepth) return this.refuse("depth-limit", nestsDeeper(maxDepth));
    if (kind === "instance") this.instances++;
    if (found) {
      const target = new found.type();
      copies.set(source, target);
      this.fill(source, target, 0, found.way);
      return target;
    }
    if (kind === "typed") {
      if (trusting) this.list(source, ALIKE);
      try {
        const made = copyTyped(source);
        if (!trusting) copies.set(source, made);
        return made;
      } catch {
        return this.refuse("datatype-not-recognised", GONE);
      }
    }
    if (kind === "instance") return this.instance(source);
    const { count } = containers;
    if (kind === "array") {
      const array = source as unknown[];
      const plain = Object.getPrototypeOf(array) === Array.prototype;
      if (trusting) {
        // Constructors of Array's subclasses are user code, too.
        if (!plain) throw AGAIN;
        // What is long is not to be copied at each of its places.
        if (array.length > SHORT_ARRAY) this.list(array, ALIKE);
      }
      // It may have a property of this name that is no class.
      const target = plain && array.constructor !== Array ? ([] as unknown[]).concat(array) : Array.prototype.slice.call(array);
      if (!trusting) copies.set(array, target);
      const at = firstAmongElements(target);
      if (at >= 0) this.fill(source, target, at, ELEMENTS);
      if (trusting && containers.count === count) this.list(source, keyOfArray(target));
      return target;
    }
    const target = { ...(source as Members) };
    if (!trusting) copies.set(source, target);
    const key = this.members(source as Members, target);
    if (trusting && containers.count === count) this.list(source, key);
    return target;
  }

  /** The members of a plain struct, in a loop for which engines need no list of names; its key. */
  private members(source: Members, target: Members): number {
    const { instances, levels } = this;
    let key = 1;
    let keyed = 0;
    let i = 0;
    if (levels === 0) this.rest(source, target, i);
    else
      for (const name in target) {
        if (++i === SHORT_ARRAY && this.trusting) this.list(source, ALIKE);
        const value = target[name];
        // What everything inherits is nobody's member.
        if (isContainer(value) && Object.hasOwn(target, name)) {
          this.levels = levels - 1;
          target[name] = this.held(source, source[name], value);
          this.levels = levels;
          if (this.leaving || this.instances > instances) {
            this.rest(source, target, i);
            break;
          }
        } else if (keyed++ < KEYED) key = mix(key, value);
      }
    return key;
  }

  /** The members of a plain struct from `at` on, as users' code has left them. */
  private rest(source: Members, target: Members, at: number): void {
    this.fill(source, target, at, { resume: copyNamed, names: Object.keys(target) });
  }

  private instance(source: object): object | undefined {
    if (this.trusting) throw AGAIN;
    const { options, settings } = this;
    const { registry, state } = settings;
    const registered = registeredOf(registry, source);
    if (!registered) return this.refuse("datatype-not-recognised", notRegistered(source));
    const target = registered.construct();
    if (source instanceof StructInstance && target instanceof StructInstance)
      setStoredAs(target, StructInstance.versionOf(source), StructInstance.verboseOf(source));
    const { allMembers } = options;
    const members = allMembers
      ? { version: writtenVersion(source, registered), schema: undefined, names: Object.keys(source) }
      : writtenMembers(source, registered, options.forceVerbose);
    const { version, schema } = members;
    this.copies.set(source, target);
    const preWrite = registered.callback(PRE_WRITE);
    const preRead = registered.callback(PRE_READ);
    const postWrite = registered.callback(POST_WRITE);
    state.call(preWrite, source, version, false);
    state.call(preRead, target, version, false);
    const names = allMembers ? members.names : includedMembers(members, registered);
    const postRead = registered.callback(POST_READ);
    if (postRead) this.created.push(() => state.call(registered.callback(POST_READ), target, version, true));
    // What a callback changes at a class is to be seen.
    if (preWrite ?? preRead ?? postWrite ?? postRead) this.copied = undefined;
    else if (schema || (version === 0 && !allMembers)) this.countOne(registered, schema, names, source, target);
    const done =
      postWrite &&
      (() => {
        state.call(postWrite, source, version, false);
        this.copied = undefined;
      });
    this.fill(source, target, 0, { resume: copyMembers, names, fields: schema?.memberFields, done });
    return target;
  }

  /** Makes the function for instances of a class like `source`, of which `target` is a new one, when there have been many. */
  private countOne(
    registered: Registered,
    schema: SchemaVersion | undefined,
    names: readonly string[],
    source: object,
    target: object,
  ): void {
    const { type, prototype } = registered;
    if (!type || !this.codeGeneration || !(schema || inheritsNothing(prototype))) return;
    const key = schema ?? registered;
    const known = this.copiers.get(key) ?? { seen: 0, made: undefined };
    this.copiers.set(key, known);
    if (++known.seen < HOT || names.length > MOST_FIELDS) return;
    const { all, way } = known.made ?? {};
    // What is excluded may be other names than it was.
    if (all && !(hasNames(source, all) && way?.names.length === names.length && names.every((name, i) => name === way.names[i]))) return;
    if (!Object.isExtensible(target) || !codeGenerationAllowed()) return;
    if (names.some((name) => name === VERSION_VERBOSE || needsDefinition(target, name))) return;
    known.made ??= {
      type,
      way: { resume: makeCopier(names, schema?.memberFields), names },
      all: schema ? undefined : Object.keys(source),
    };
    (this.copied ??= new Map()).set(prototype, known.made);
  }

  /** The value of a strict field: numbers are not converted, texts are. */
  converted(value: unknown, code: number): unknown {
    if (code === CODE.undefined || code === 0) return undefined;
    if (code === CODE.string || code === CODE.text) {
      // GML would make a text of any.
      if (value && isContainer(value) && !isScalar(value))
        return this.refuse("datatype-not-recognised", "only a string can be stored here");
      return gmlString(value);
    }
    if (code !== CODE.array && code !== CODE.struct) return this.copy(value);
    const kind = containerKind(value);
    if (code === CODE.array && kind !== "array" && kind !== "typed") return this.refuse("not-an-array", "only an array can be stored here");
    if (code === CODE.struct && kind !== "plain" && kind !== "instance")
      return this.refuse("not-a-struct", "only a struct can be stored here");
    return this.copy(value);
  }
}

/** Of the same class, if that makes arrays by their length alone. Throws where the memory has been given away. */
function copyTyped(source: object): object {
  // DataViews have no `slice`.
  if (tagOf(source) !== "DataView")
    try {
      // Node's Buffer has one of its own, which is no copy.
      const made = ((ArrayBuffer.isView(source) ? Uint8Array.prototype : source) as ArrayBuffer).slice.call(source as ArrayBuffer, 0);
      if (made.byteLength === (source as ArrayBuffer).byteLength) return made;
    } catch {}
  return plainCopy(source);
}
