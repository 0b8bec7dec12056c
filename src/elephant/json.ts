// ElephantToJSON and ElephantFromJSON (formats/elephant.md §13.2, §13.3): nested plain structs and arrays, not text.
import { setMember } from "../graph/members.ts";
import { step } from "../graph/path.ts";
import { POST_READ, POST_WRITE, PRE_READ, PRE_WRITE, Registered, type Registry, StructInstance, setStoredAs } from "./constructors.ts";
import { gmlEqual } from "./equality.ts";
import { elephantError } from "./errors.ts";
import type { Limits } from "./limits.ts";
import { ascending, containerKind, giveMember, memberOf, registeredOf, writtenMembers } from "./members.ts";
import { VERSION_VERBOSE } from "./schema.ts";
import type { CallbackState } from "./state.ts";

const CONSTRUCTOR = "__Elephant_Constructor__";
const SCHEMA_VERSION = "__Elephant_Schema_Version__";
const CIRCULAR = "__Elephant_Circular_Ref__";

export interface JsonSettings {
  readonly registry: Registry;
  readonly generic: boolean;
  readonly limits: Limits;
  readonly state: CallbackState;
}

type Json = Record<string, unknown>;

interface ToFrame {
  readonly source: object;
  readonly target: Json | unknown[];
  /** Members left, in reverse order; undefined for arrays. */
  readonly names: string[] | undefined;
  readonly path: string;
  at: number;
  readonly done: (() => void) | undefined;
}

/** The path of the value under way. */
export function pathUnderWay(stack: readonly { readonly names: readonly string[] | undefined; readonly at: number }[]): string {
  return stack.map(({ names, at }) => step(names ? names[at - 1] : at - 1)).join("");
}

/** Nested plain structs and arrays; containers that occur again become a reference by path. */
export function toJson(root: unknown, settings: JsonSettings, diffsOnly: boolean): unknown {
  const { registry, state, limits } = settings;
  const paths = new Map<object, string>();
  const templates = new Map<string, object>();
  const stack: ToFrame[] = [];

  /** The JSON form of one value; containers go on the stack. */
  function convert(value: unknown, path: string): unknown {
    const kind = containerKind(value);
    if (kind === undefined) return typeof value === "function" || value === null ? undefined : value;
    const source = value as object;
    const known = paths.get(source);
    if (known !== undefined) return { [CIRCULAR]: known };
    paths.set(source, path);
    if (stack.length >= limits.maxDepth)
      throw elephantError("depth-limit", `the value nests deeper than limits.maxDepth (${limits.maxDepth})`, { path: pathUnderWay(stack) });
    if (kind === "typed")
      return Array.from(source instanceof ArrayBuffer || source instanceof DataView ? bytes(source) : (source as unknown as number[]));
    if (kind === "array") {
      const target: unknown[] = [];
      stack.push({ source, target, names: undefined, path, at: 0, done: undefined });
      return target;
    }
    const target: Json = {};
    if (kind === "plain") {
      stack.push({ source, target, names: Object.keys(source).sort(ascending), path, at: 0, done: undefined });
      return target;
    }
    const registered = registeredOf(registry, source, () => pathUnderWay(stack));
    const { version, names } = writtenMembers(source, registered);
    let template: object | undefined;
    if (diffsOnly && registered.type) {
      template = templates.get(registered.name) ?? registered.construct();
      templates.set(registered.name, template);
    }
    const preWrite = registered.callback(PRE_WRITE);
    const postWrite = registered.callback(POST_WRITE);
    if (preWrite) state.call(preWrite, source, version, false);
    target[CONSTRUCTOR] = registered.name;
    target[SCHEMA_VERSION] = version;
    const kept = template ? names.filter((name) => !gmlEqual(memberOf(source, name), memberOf(template, name))) : names;
    stack.push({
      source,
      target,
      names: kept.slice().sort(ascending),
      path,
      at: 0,
      done: postWrite && (() => state.call(postWrite, source, version, false)),
    });
    return target;
  }

  const result = convert(root, "");
  while (stack.length > 0) {
    const frame = stack[stack.length - 1];
    const length = frame.names ? frame.names.length : (frame.source as unknown[]).length;
    if (frame.at === length) {
      stack.pop();
      frame.done?.();
      continue;
    }
    const i = frame.at++;
    if (frame.names) {
      const name = frame.names[i];
      setMember(frame.target as Json, name, convert(memberOf(frame.source, name), `${frame.path}.${name}`));
    } else (frame.target as unknown[]).push(convert((frame.source as unknown[])[i], `${frame.path}[${i}]`));
  }
  return result;
}

function bytes(source: ArrayBuffer | DataView): Uint8Array {
  return source instanceof DataView ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength) : new Uint8Array(source);
}

interface FromFrame {
  readonly source: Json | unknown[];
  readonly target: object;
  readonly names: string[] | undefined;
  readonly path: string;
  readonly instance: boolean;
  at: number;
}

/** The value that {@link toJson} made. References may be paths or, as 1.3.0 wrote them, running numbers. */
export function fromJson(root: unknown, settings: JsonSettings): unknown {
  const { registry, state, limits } = settings;
  const byPath = new Map<string, object>();
  const byNumber: object[] = [];
  const stack: FromFrame[] = [];
  const created: { registered: Registered; instance: object; version: number }[] = [];

  function convert(value: unknown, path: string): unknown {
    if (typeof value === "function" || value === null) return undefined;
    const kind = containerKind(value);
    if (kind === undefined || kind === "typed") return value;
    if (kind === "instance") throw elephantError("datatype-not-recognised", "JSON consists of plain objects and arrays", { path });
    const source = value as Json;
    if (kind === "plain" && Object.hasOwn(source, CIRCULAR)) {
      const reference = source[CIRCULAR];
      const found = typeof reference === "string" ? byPath.get(reference) : typeof reference === "number" ? byNumber[reference] : undefined;
      if (!found)
        throw elephantError("bad-reference", `there is no container ${JSON.stringify(reference)} before this reference`, { path });
      return found;
    }
    if (stack.length >= limits.maxDepth)
      throw elephantError("depth-limit", `the JSON nests deeper than limits.maxDepth (${limits.maxDepth})`, { path: pathUnderWay(stack) });
    if (byNumber.length >= limits.maxNodes)
      throw elephantError("element-limit", `the JSON has more containers than limits.maxNodes (${limits.maxNodes})`, {
        path: pathUnderWay(stack),
      });
    let target: object;
    let instance = false;
    if (kind === "array") target = [];
    else if (Object.hasOwn(source, CONSTRUCTOR)) {
      target = construct(source, path);
      instance = true;
    } else target = {};
    byPath.set(path, target);
    byNumber.push(target);
    const names =
      kind === "array"
        ? undefined
        : Object.keys(source)
            .sort(ascending)
            .filter((name) => !instance || (name !== CONSTRUCTOR && name !== SCHEMA_VERSION));
    stack.push({ source, target, names, path, instance, at: 0 });
    return target;
  }

  function construct(source: Json, path: string): object {
    const name = source[CONSTRUCTOR];
    let registered = typeof name === "string" ? registry.named(name) : undefined;
    if (!registered) {
      if (typeof name !== "string" || !settings.generic)
        throw elephantError("unknown-constructor", `no constructor ${JSON.stringify(name)} is registered`, { path });
      registered = new Registered(-1, name, undefined);
    }
    const version = source[SCHEMA_VERSION];
    if (typeof version !== "number")
      throw elephantError("json-version-missing", `a constructed struct without ${SCHEMA_VERSION}`, { path });
    const instance = registered.construct();
    if (instance instanceof StructInstance && !registered.type) setStoredAs(instance, version, true);
    const preRead = registered.callback(PRE_READ);
    if (preRead) state.call(preRead, instance, version, true);
    created.push({ registered, instance, version });
    return instance;
  }

  const result = convert(root, "");
  while (stack.length > 0) {
    const frame = stack[stack.length - 1];
    const length = frame.names ? frame.names.length : (frame.source as unknown[]).length;
    if (frame.at === length) {
      stack.pop();
      continue;
    }
    const i = frame.at++;
    if (!frame.names) {
      (frame.target as unknown[]).push(convert((frame.source as unknown[])[i], `${frame.path}[${i}]`));
      continue;
    }
    const name = frame.names[i];
    const value = convert((frame.source as Json)[name], `${frame.path}.${name}`);
    if (frame.instance && name === VERSION_VERBOSE && value === undefined) continue;
    giveMember(frame.target, name, value);
  }
  for (const { registered, instance, version } of created) {
    const postRead = registered.callback(POST_READ);
    if (postRead) state.call(postRead, instance, version, true);
  }
  return result;
}
