// The value and constructor notation of the golden vectors (vectors/elephant/README.md), both ways. Nothing here recurses:
// vectors nest deeper than the host's stack.

import {
  type CallbackContext,
  type ElephantConstructor,
  FORCE_VERSION,
  POST_READ,
  POST_WRITE,
  PRE_READ,
  PRE_WRITE,
  SCHEMA,
  Scalar,
  type ScalarDatatype,
  scalarParts,
  VERBOSE_EXCLUDE,
  VERSION_VERBOSE,
} from "./codec.ts";

export type Notation = null | boolean | string | number | NotationObject;
type Members = [name: string, value: Notation][];

export interface NotationObject {
  $f64?: string;
  $s32?: number;
  $i64?: string;
  $fn?: true;
  $arr?: number | null;
  $obj?: number | null;
  $new?: number | null;
  $ref?: number;
  c?: string;
  v?: Notation[] | Members;
  repeat?: [count: number, value: Notation];
  gen?: { prefix: string; count: number; value: Notation };
}

export interface ConstructorNotation {
  defaults: Members;
  schema?: {
    force?: number;
    exclude?: unknown;
    versions?: [key: string, version: { verbose?: boolean; verboseAt?: number; fields: [name: string, datatype: string][] }][];
  };
  callbacks?: Partial<Record<CallbackName, Effect[]>>;
}

type CallbackName = "preWrite" | "postWrite" | "preRead" | "postRead";
type Effect = ["set", string, Notation] | ["copy", string, string] | ["add", string, number];
/** callback, constructor, schemaVersion, isDeserializing, value of the member `label`; undefined is null */
export type TraceEntry = [
  callback: string,
  constructor: string,
  schemaVersion: number | null,
  isDeserializing: boolean | null,
  label: unknown,
];
export type Classes = Record<string, ElephantConstructor>;
type Struct = Record<string, unknown>;

/** Gives `target` an own member of any name; an assignment to `__proto__` would change the prototype instead. */
export function defineMember(target: object, name: string, value: unknown): void {
  if (name === "__proto__") Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
  else (target as Struct)[name] = value;
}

/** What `$fn` stands for. */
const METHOD = () => undefined;

interface Frame {
  container: object;
  keys: string[] | undefined;
  values: Notation[];
  next: number;
}

/** Makes the JavaScript value. `$new` is an object of the class without running its constructor, with exactly the members given. */
export function buildValue(notation: Notation, classes: Classes = {}): unknown {
  const byId = new Map<number, object>();
  const open: Frame[] = [];

  const begin = (node: Notation): unknown => {
    if (node === null) return undefined;
    if (typeof node !== "object") return node;
    if (node.$f64 !== undefined) return Buffer.from(node.$f64, "hex").readDoubleBE();
    if (node.$s32 !== undefined) return Scalar("s32" as ScalarDatatype, node.$s32);
    if (node.$i64 !== undefined) return BigInt(node.$i64);
    if (node.$fn) return METHOD;
    if (node.$ref !== undefined) {
      const known = byId.get(node.$ref);
      if (!known) throw new Error(`$ref ${node.$ref} points forward`);
      return known;
    }
    let container: object;
    let id: number | null | undefined;
    let keys: string[] | undefined;
    const values: Notation[] = [];
    if (node.$arr !== undefined) {
      container = [];
      id = node.$arr;
      if (node.repeat) for (let i = 0; i < node.repeat[0]; i++) values.push(node.repeat[1]);
      for (const element of (node.v ?? []) as Notation[]) values.push(element);
    } else {
      keys = [];
      if (node.$new !== undefined) {
        const Class = Object.hasOwn(classes, node.c!) ? classes[node.c!] : undefined;
        if (!Class) throw new Error(`no constructor ${node.c}`);
        container = Object.create(Class.prototype);
        id = node.$new;
      } else {
        container = {};
        id = node.$obj;
      }
      if (node.gen) {
        for (let i = 0; i < node.gen.count; i++) {
          keys.push(node.gen.prefix + i);
          values.push(node.gen.value);
        }
      }
      for (const [name, value] of (node.v ?? []) as Members) {
        keys.push(name);
        values.push(value);
      }
    }
    if (id !== null && id !== undefined) byId.set(id, container);
    open.push({ container, keys, values, next: 0 });
    return container;
  };

  const root = begin(notation);
  while (open.length > 0) {
    const frame = open[open.length - 1]!;
    if (frame.next === frame.values.length) {
      open.pop();
      continue;
    }
    const index = frame.next++;
    const value = begin(frame.values[index]!);
    if (frame.keys) defineMember(frame.container, frame.keys[index]!, value);
    else (frame.container as unknown[]).push(value);
  }
  return root;
}

/** The notation of a JavaScript value; ids count containers in the order of the text. */
export function toNotation(value: unknown, classes: Classes = {}): Notation {
  const names = new Map(Object.entries(classes).map(([name, Class]) => [Class.prototype as object, name]));
  const ids = new Map<object, number>();
  const open: { source: unknown[]; keys: string[] | undefined; target: unknown[]; next: number }[] = [];

  const begin = (item: unknown): Notation => {
    if (item === undefined || item === null) return null;
    if (typeof item === "boolean" || typeof item === "string") return item;
    if (typeof item === "bigint") return { $i64: String(item) };
    if (typeof item === "function") return { $fn: true };
    if (typeof item === "number") {
      if (Number.isFinite(item) && !Object.is(item, -0)) return item;
      const bits = Buffer.alloc(8);
      bits.writeDoubleBE(item);
      return { $f64: bits.toString("hex") };
    }
    const scalar = scalarParts(item);
    if (scalar?.datatype === "s32") return { $s32: scalar.value as number };
    if (scalar) return { ["$" + scalar.datatype]: scalar.value } as NotationObject;
    const container = item as object;
    const known = ids.get(container);
    if (known !== undefined) return { $ref: known };
    const id = ids.size;
    ids.set(container, id);
    const target: unknown[] = [];
    if (Array.isArray(container) || ArrayBuffer.isView(container)) {
      open.push({ source: Array.from(container as unknown as ArrayLike<unknown>), keys: undefined, target, next: 0 });
      return { $arr: id, v: target as Notation[] };
    }
    const keys = Object.keys(container);
    open.push({ source: keys.map((key) => (container as Struct)[key]), keys, target, next: 0 });
    const name = names.get(Object.getPrototypeOf(container) as object);
    return name === undefined ? { $obj: id, v: target as Members } : { $new: id, c: name, v: target as Members };
  };

  const root = begin(value);
  while (open.length > 0) {
    const frame = open[open.length - 1]!;
    if (frame.next === frame.source.length) {
      open.pop();
      continue;
    }
    const index = frame.next++;
    const item = begin(frame.source[index]);
    frame.target.push(frame.keys ? [frame.keys[index], item] : item);
  }
  return root;
}

/** The classes of a vector's `ctors`. Callbacks note each call in `trace`, then have their effects. */
export function buildClasses(ctors: Record<string, ConstructorNotation> = {}, trace: TraceEntry[] = []): Classes {
  const classes: Classes = Object.create(null) as Classes;
  for (const [name, ctor] of Object.entries(ctors)) {
    const Class = {
      [name]: class {
        constructor() {
          for (const [member, value] of ctor.defaults) defineMember(this, member, buildValue(value, classes));
        }
      },
    }[name]! as unknown as ElephantConstructor & { [SCHEMA]?: object };
    if (ctor.schema) Class[SCHEMA] = buildSchema(ctor.schema) as never;
    const symbols = { preWrite: PRE_WRITE, postWrite: POST_WRITE, preRead: PRE_READ, postRead: POST_READ };
    for (const [callback, effects] of Object.entries(ctor.callbacks ?? {}) as [CallbackName, Effect[]][]) {
      Object.defineProperty(Class.prototype, symbols[callback], {
        value(this: Struct, context: CallbackContext) {
          trace.push([callback, name, context.schemaVersion ?? null, context.isDeserializing ?? null, this.label ?? null]);
          for (const effect of effects) {
            if (effect[0] === "set") defineMember(this, effect[1], buildValue(effect[2], classes));
            else if (effect[0] === "copy") defineMember(this, effect[1], this[effect[2]]);
            else defineMember(this, effect[1], (this[effect[1]] as number) + effect[2]);
          }
        },
      });
    }
    classes[name] = Class;
  }
  return classes;
}

function buildSchema(schema: NonNullable<ConstructorNotation["schema"]>): object {
  const literal = {};
  if (schema.force !== undefined) defineMember(literal, FORCE_VERSION, schema.force);
  if (schema.exclude !== undefined) defineMember(literal, VERBOSE_EXCLUDE, schema.exclude);
  for (const [key, version] of schema.versions ?? []) {
    const entries: [string, string | boolean][] = [...version.fields];
    if (version.verbose !== undefined) entries.splice(version.verboseAt ?? 0, 0, [VERSION_VERBOSE, version.verbose]);
    const fields = {};
    for (const [name, datatype] of entries) defineMember(fields, name, datatype);
    defineMember(literal, key, fields);
  }
  return literal;
}
