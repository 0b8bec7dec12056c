// ElephantToJSON and ElephantFromJSON (formats/elephant.md §13.2, §13.3): nested plain structs and arrays, not text.
import { bytesOf } from "../engine/given-bytes.ts";
import { setMember } from "../graph/members.ts";
import { step } from "../graph/path.ts";
import { described } from "./arguments.ts";
import { POST_READ, POST_WRITE, PRE_READ, PRE_WRITE, Registered, type Registry, StructInstance, setStoredAs } from "./constructors.ts";
import { gmlEqual } from "./equality.ts";
import { type ElephantErrorCode, elephantError, nestsDeeper } from "./errors.ts";
import type { Limits } from "./limits.ts";
import {
  assignMember,
  containerKind,
  includedMembers,
  lacksSchema,
  leftOut,
  memberOf,
  notRegistered,
  registeredOf,
  writtenMembers,
} from "./members.ts";
import { ascending } from "./schema.ts";
import type { CallbackState } from "./state.ts";
import { GONE, plainCopy } from "./typed-arrays.ts";

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
  /** Members in their order; undefined for arrays. */
  readonly names: string[] | undefined;
  at: number;
  readonly done: (() => void) | undefined;
}

/** A container under way: `at` is behind the member or element that is being converted. */
interface UnderWay {
  /** Undefined for arrays. */
  readonly names?: readonly string[] | undefined;
  readonly at: number;
}

function keyOf({ names, at }: UnderWay): string | number {
  return names ? names[at - 1] : at - 1;
}

/** An error with the path of the value under way. */
export function failAt(stack: readonly UnderWay[], code: ElephantErrorCode, reason: string): never {
  throw elephantError(code, reason, { path: stack.map((frame) => step(keyOf(frame))).join("") });
}

/** A step of a path as references have it. */
function stepOf(holder: UnderWay): string {
  return holder.names ? `.${keyOf(holder)}` : `[${keyOf(holder)}]`;
}

/** Nested plain structs and arrays; containers that occur again become a reference by path. */
export function toJson(root: unknown, settings: JsonSettings, diffsOnly: boolean): unknown {
  const { registry, state, limits } = settings;
  const paths = new Map<object, string>();
  const templates = new Map<string, object>();
  const stack: ToFrame[] = [];

  /** The JSON form of a value that `holder` has; containers go on the stack. */
  function convert(value: unknown, holder?: ToFrame): unknown {
    const kind = containerKind(value);
    if (typeof value === "symbol") return failAt(stack, "datatype-not-recognised", "a symbol cannot be stored");
    if (kind === undefined) return typeof value === "function" || value === null ? undefined : value;
    const source = value as object;
    const known = paths.get(source);
    if (known !== undefined) return { [CIRCULAR]: known };
    paths.set(source, holder ? paths.get(holder.source) + stepOf(holder) : "");
    if (stack.length >= limits.maxDepth) failAt(stack, "depth-limit", nestsDeeper(limits.maxDepth));
    if (kind === "typed")
      try {
        // Whatever its class makes of `length` and iteration.
        const view = (source as Uint8Array)[Symbol.iterator] === Uint8Array.prototype.values ? source : plainCopy(source);
        return Array.from(("length" in view ? view : bytesOf(source)) as Uint8Array);
      } catch {
        failAt(stack, "datatype-not-recognised", GONE);
      }
    const open = (target: Json | unknown[], names?: string[], done?: () => void) => {
      stack.push({ source, target, names: names?.sort(ascending), at: 0, done });
      return target;
    };
    if (kind === "array") return open(new Array((source as unknown[]).length));
    if (kind === "plain") return open({}, Object.keys(source));
    const registered = registeredOf(registry, source);
    if (!registered) return failAt(stack, "datatype-not-recognised", notRegistered(source));
    const skips = diffsOnly ? leftOut(source, registered, templates, gmlEqual) : undefined;
    const members = writtenMembers(source, registered);
    const { version } = members;
    if (version > 127) failAt(stack, "schema-missing", lacksSchema(registered, version));
    const postWrite = registered.callback(POST_WRITE);
    state.call(registered.callback(PRE_WRITE), source, version, false);
    return open(
      { [CONSTRUCTOR]: registered.name, [SCHEMA_VERSION]: version },
      includedMembers(members, registered).filter((name) => !skips?.(name)),
      postWrite && (() => state.call(postWrite, source, version, false)),
    );
  }

  const result = convert(root);
  while (stack.length > 0) {
    const frame = stack[stack.length - 1];
    const { source, target, names } = frame;
    // An array's length is the one that it had when its turn came, as when one writes.
    if (frame.at === (names ?? (target as unknown[])).length) {
      stack.pop();
      frame.done?.();
      continue;
    }
    frame.at++;
    const key = keyOf(frame);
    setMember(target as Json, key, convert(memberOf(source, key), frame));
  }
  return result;
}

/** A container that was made, and where it stands. */
interface Made {
  readonly target: object;
  readonly around: Made | undefined;
  readonly key: string;
  /** Of its path. */
  readonly hash: number;
  /** The one before whose hash is the same. */
  readonly alike: Made | undefined;
}

interface FromFrame {
  readonly source: Json | unknown[];
  readonly made: Made;
  readonly names: string[] | undefined;
  readonly instance: boolean;
  at: number;
}

function pathOf(made: Made): string {
  let path = "";
  for (let at: Made | undefined = made; at; at = at.around) path = at.key + path;
  return path;
}

/** The value that {@link toJson} made. References may be paths or, as 1.3.0 wrote them, running numbers. */
export function fromJson(root: unknown, settings: JsonSettings): unknown {
  const { registry, state, limits } = settings;
  // By hash: the paths themselves, of all containers, may be far longer than the JSON. Several Maps, as one of V8's holds 16,777,216 entries.
  const byPath: Map<number, Made>[] = [];
  const byNumber: object[] = [];
  /** Chosen names must not have equal hashes. */
  const secret = (Math.random() * 2 ** 32) | 1;
  const stack: FromFrame[] = [];
  /** Calls for the end. */
  const created: (() => void)[] = [];

  const fail = (code: ElephantErrorCode, reason: string): never => failAt(stack, code, reason);

  /** The hash of a path that goes on with `text`. */
  function hashed(hash: number, text: string): number {
    for (let i = 0; i < text.length; i++) {
      hash = Math.imul(hash ^ text.charCodeAt(i), secret);
      hash ^= hash >>> 15;
    }
    return hash;
  }

  function find(reference: unknown): object | undefined {
    if (typeof reference === "number") return byNumber[reference];
    if (typeof reference !== "string") return undefined;
    const hash = hashed(0, reference);
    let made = byPath[hash & 15]?.get(hash);
    while (made && pathOf(made) !== reference) made = made.alike;
    return made?.target;
  }

  function convert(value: unknown, holder?: FromFrame): unknown {
    if (typeof value === "function" || value === null) return undefined;
    if (typeof value === "symbol") fail("datatype-not-recognised", "a symbol cannot be stored");
    const kind = containerKind(value);
    if (kind === undefined || kind === "typed") return value;
    if (kind === "instance") fail("datatype-not-recognised", "JSON is plain objects and arrays");
    const source = value as Json;
    if (kind === "plain" && Object.hasOwn(source, CIRCULAR)) {
      const reference = source[CIRCULAR];
      return find(reference) ?? fail("bad-reference", `no container ${described(reference)} before this`);
    }
    if (stack.length >= limits.maxDepth) fail("depth-limit", nestsDeeper(limits.maxDepth));
    if (byNumber.length >= limits.maxNodes) fail("element-limit", `more containers than limits.maxNodes (${limits.maxNodes})`);
    const instance = kind === "plain" && Object.hasOwn(source, CONSTRUCTOR);
    const target: object = instance ? construct(source) : kind === "plain" ? {} : new Array((value as unknown[]).length);
    const around = holder?.made;
    const key = holder ? stepOf(holder) : "";
    const hash = around ? hashed(around.hash, key) : 0;
    const map = (byPath[hash & 15] ??= new Map());
    const made: Made = { target, around, key, hash, alike: map.get(hash) };
    map.set(hash, made);
    byNumber.push(target);
    const names =
      kind === "plain"
        ? Object.keys(source)
            .sort(ascending)
            .filter((name) => name !== CONSTRUCTOR && name !== SCHEMA_VERSION)
        : undefined;
    stack.push({ source, made, names, instance, at: 0 });
    return target;
  }

  function construct(source: Json): object {
    const name = source[CONSTRUCTOR];
    const version = source[SCHEMA_VERSION];
    // What is no number of 7 bits would be written as another one.
    if (typeof version !== "number" || version !== (version & 127))
      return fail("json-version-missing", `a constructed struct without ${SCHEMA_VERSION} from 0 to 127`);
    const registered =
      (typeof name === "string" && (registry.named(name) ?? (settings.generic && new Registered(-1, name)))) ||
      fail("unknown-constructor", `no constructor ${described(name)} is registered`);
    const instance = registered.construct();
    if (instance instanceof StructInstance && !registered.type) setStoredAs(instance, version, true);
    state.call(registered.callback(PRE_READ), instance, version, true);
    created.push(() => state.call(registered.callback(POST_READ), instance, version, true));
    return instance;
  }

  const result = convert(root);
  while (stack.length > 0) {
    const frame = stack[stack.length - 1];
    const { source, made, names } = frame;
    if (frame.at >= (names ?? (made.target as unknown[])).length) {
      stack.pop();
      continue;
    }
    frame.at++;
    const key = keyOf(frame);
    const value = convert((source as Json)[key], frame);
    (frame.instance ? assignMember : setMember)(made.target as Json, key as string, value);
  }
  for (const call of created) call();
  return result;
}
