// ToJSON, FromJSON and Duplicate of the reference codec: formats/elephant.md §13.2 to §13.4.

import { POST_READ, POST_WRITE, PRE_READ, PRE_WRITE, scalarParts, VERSION_VERBOSE } from "./codec.ts";
import { defineMember } from "./notation.ts";
import { equalMembers, fail, type Registry, type Struct } from "./reference-registry.ts";
import { own } from "./reference-writer.ts";

const CONSTRUCTOR = "__Elephant_Constructor__";
const VERSION = "__Elephant_Schema_Version__";
const REFERENCE = "__Elephant_Circular_Ref__";

function isScalar(value: unknown): boolean {
  return typeof value !== "object" || value === null || scalarParts(value) !== undefined;
}

/** Members in the order of toJson: ordinal. */
function ordinal(keys: string[]): string[] {
  return [...keys].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

/** What is written of a constructed struct, decided before the pre-write callback (§10). */
function membersToWrite(registry: Registry, name: string, struct: Struct, path: string) {
  const { version, verbose, fields, exclude } = registry.versionToWrite(name, struct, path);
  return { version, verbose, fields, exclude, keys: fields ? fields.map(([key]) => key) : Object.keys(struct) };
}

export function toJson(registry: Registry, root: unknown, options: { diffsOnly?: boolean }): unknown {
  const paths = new Map<object, string>();
  const templates = new Map<string, Struct>();
  const visit = (value: unknown, path: string): unknown => {
    if (typeof value === "function" || value === null) return undefined;
    if (isScalar(value)) return value;
    const container = value as object;
    if (paths.has(container)) return { [REFERENCE]: paths.get(container) };
    paths.set(container, path);
    if (Array.isArray(container)) return container.map((element, i) => visit(element, `${path}[${i}]`));
    const name = registry.nameOf(container);
    if (name === undefined) fail("datatype-not-recognised", "no struct", { path });
    const struct = container as Struct;
    const json: Struct = {};
    if (name === "") {
      for (const key of ordinal(Object.keys(struct))) defineMember(json, key, visit(struct[key], `${path}.${key}`));
      return json;
    }
    const { version, verbose, exclude, keys } = membersToWrite(registry, name, struct, path);
    json[CONSTRUCTOR] = name;
    json[VERSION] = version;
    registry.call(struct, PRE_WRITE, version, false);
    const Class = registry.classOf(name);
    if (options.diffsOnly && Class && !templates.has(name)) templates.set(name, new Class() as Struct);
    for (const key of ordinal(keys)) {
      if (verbose && exclude.includes(key)) continue;
      const template = templates.get(name);
      const isUnchanged = template ? equalMembers(own(struct, key), own(template, key)) : !Object.hasOwn(struct, key);
      if (options.diffsOnly && isUnchanged) continue;
      defineMember(json, key, visit(own(struct, key), `${path}.${key}`));
    }
    registry.call(struct, POST_WRITE, version, false);
    return json;
  };
  return visit(root, "");
}

export function fromJson(registry: Registry, root: unknown): unknown {
  const byPath = new Map<string | number, object>();
  const postReads: (() => void)[] = [];
  let count = 0;
  const register = (container: object, path: string) => {
    byPath.set(path, container);
    byPath.set(count++, container);
  };
  const visit = (json: unknown, path: string): unknown => {
    if (isScalar(json)) return json;
    if (Array.isArray(json)) {
      const array: unknown[] = [];
      register(array, path);
      for (const [i, element] of json.entries()) array.push(visit(element, `${path}[${i}]`));
      return array;
    }
    const source = json as Struct;
    if (Object.hasOwn(source, REFERENCE)) {
      return byPath.get(source[REFERENCE] as string) ?? fail("bad-reference", `nothing at ${String(source[REFERENCE])}`, { path });
    }
    let struct: object = {};
    if (Object.hasOwn(source, CONSTRUCTOR)) {
      const name = String(source[CONSTRUCTOR]);
      if (!registry.has(name)) fail("unknown-constructor", `no constructor ${name}`, { path });
      if (!Object.hasOwn(source, VERSION)) fail("json-version-missing", `no schema version for ${name}`, { path });
      const version = source[VERSION] as number;
      struct = registry.create(name);
      registry.call(struct, PRE_READ, version, true);
      postReads.push(() => registry.call(struct, POST_READ, version, true));
    }
    register(struct, path);
    for (const key of ordinal(Object.keys(source))) {
      if (key !== CONSTRUCTOR && key !== VERSION) defineMember(struct, key, visit(source[key], `${path}.${key}`));
    }
    return struct;
  };
  const value = visit(root, "");
  for (const postRead of postReads) postRead();
  return value;
}

export function duplicateGraph(registry: Registry, root: unknown, options: { forceVerbose?: boolean; allMembers?: boolean }): unknown {
  const copies = new Map<object, object>();
  const postReads: (() => void)[] = [];
  const visit = (value: unknown, path: string): unknown => {
    if (typeof value === "function" || value === null) return undefined;
    if (isScalar(value)) return value;
    const container = value as object;
    const known = copies.get(container);
    if (known) return known;
    if (Array.isArray(container)) {
      const copy: unknown[] = [];
      copies.set(container, copy);
      for (const [i, element] of container.entries()) copy.push(visit(element, `${path}[${i}]`));
      return copy;
    }
    if (ArrayBuffer.isView(container) || container instanceof ArrayBuffer) {
      const copy = structuredClone(container);
      copies.set(container, copy);
      return copy;
    }
    const name = registry.nameOf(container);
    if (name === undefined) fail("datatype-not-recognised", "no struct", { path });
    const struct = container as Struct;
    const copy = name === "" ? {} : registry.create(name);
    copies.set(container, copy);
    if (name === "") {
      for (const key of Object.keys(struct)) defineMember(copy, key, visit(struct[key], `${path}.${key}`));
      return copy;
    }
    const { version, verbose, fields, exclude, keys } = membersToWrite(registry, name, struct, path);
    registry.call(struct, PRE_WRITE, version, false);
    registry.call(copy, PRE_READ, version, false);
    postReads.push(() => registry.call(copy, POST_READ, version, true));
    const asStored = verbose || options.forceVerbose || options.allMembers;
    const chosen = options.allMembers ? Object.keys(struct) : asStored ? keys.filter((key) => !exclude.includes(key)) : keys;
    const datatypes = new Map(fields);
    for (const key of chosen) {
      if (key === VERSION_VERBOSE) continue;
      const member = own(struct, key);
      const datatype = asStored ? "any" : datatypes.get(key);
      const memberPath = `${path}.${key}`;
      if (datatype === "undefined") defineMember(copy, key, undefined);
      else if (datatype === "string" || datatype === "text") defineMember(copy, key, gmlString(member));
      else if (datatype === "array" && !Array.isArray(member)) fail("not-an-array", "the value is no array", { path: memberPath });
      else if (datatype === "struct" && (isScalar(member) || Array.isArray(member)))
        fail("not-a-struct", "no struct", { path: memberPath });
      else defineMember(copy, key, visit(member, memberPath));
    }
    registry.call(struct, POST_WRITE, version, false);
    return copy;
  };
  const copy = visit(root, "");
  for (const postRead of postReads) postRead();
  return copy;
}

/** GML's string() of a scalar: whole numbers as they are, others with two decimals. */
function gmlString(value: unknown): unknown {
  if (typeof value !== "number") return value === undefined ? "undefined" : String(value);
  return Number.isInteger(value) ? BigInt(value).toString() : value.toFixed(2);
}
