// How many bytes of an Elephant save each container takes, by the layout of release 1.5.x (formats/elephant.md §4 to §7).
import * as CODE from "../../elephant/codes.ts";
import { StructInstance } from "../../elephant/constructors.ts";
import { codeNamed, isScalar } from "../../elephant/datatypes.ts";
import { type StrictField, schemaVersion } from "../../elephant/schema.ts";
import { elementSize } from "../../elephant/typed-arrays.ts";
import { LargeMap, LargeSet } from "../notation/large-maps.ts";
import { elephantKind } from "./elephant-kind.ts";
import { type ElephantSchemas, kindKey, type Sizes } from "./format.ts";

/** Bytes of a value of datatype `code` that is neither text nor a container. */
function width(code: number): number {
  if (code === CODE.undefined || code === 0) return 0;
  return elementSize(code);
}

function codeOf(value: unknown): number {
  switch (typeof value) {
    case "number":
      return CODE.f64;
    case "string":
      return CODE.string;
    case "boolean":
      return CODE.bool;
    case "bigint":
      return CODE.u64;
    case "object":
      if (value === null) return CODE.undefined;
      if (isScalar(value)) return codeNamed(value.datatype);
      return Array.isArray(value) || value instanceof Uint8Array ? CODE.array : CODE.struct;
    default:
      return CODE.undefined;
  }
}

/** In an array, texts are strings. */
function elementCodeOf(value: unknown): number {
  const code = codeOf(value);
  return code === CODE.text ? CODE.string : code;
}

function textBytes(text: unknown): number {
  // Nor would it be written.
  if (typeof text === "object" && text !== null) return 0;
  return Buffer.byteLength(String(text)) + 1;
}

/** A container under way: its own bytes, and the children still to come. */
interface Frame {
  readonly container: object;
  /** Of a struct with a constructor: its {@link kindKey}. */
  readonly kind: string | undefined;
  readonly children: object[];
  /** NaN: not known. */
  bytes: number;
}

/** What the structs before this one have told. */
interface Told {
  readonly schemas: ElephantSchemas;
  /** Names of constructors are written once. */
  readonly names: Set<string>;
  /** Of strict structs, by version and name. */
  readonly fields: Map<string, readonly StrictField[] | undefined>;
}

/** The bytes of a container without those of its children. */
function ownSize(container: object, { schemas, names, fields }: Told): Pick<Frame, "children" | "bytes"> {
  const children: object[] = [];
  let bytes = 2;
  const add = (value: unknown, code: number): void => {
    if (code === CODE.array || code === CODE.struct) {
      // JSON may have anything in a strict field of these.
      if (typeof value === "object" && value !== null && !isScalar(value)) children.push(value);
    } else bytes += code === CODE.string || code === CODE.text ? textBytes(isScalar(value) ? value.value : value) : width(code);
  };
  const any = (value: unknown): void => {
    bytes++;
    add(value, codeOf(value));
  };
  if (container instanceof Uint8Array) {
    // Written as an array of u8.
    if (container.length > 0) bytes += 1 + container.length;
  } else if (Array.isArray(container)) {
    if (container.length > 0) bytes++;
    const first = elementCodeOf(container[0]);
    if (container.every((item) => elementCodeOf(item) === first)) for (const item of container) add(item, first);
    else for (const item of container) any(item);
  } else if (container instanceof StructInstance) {
    const name = StructInstance.nameOf(container);
    bytes += 3;
    if (!names.has(name)) bytes += textBytes(name);
    names.add(name);
    bytes += 2;
    if (StructInstance.verboseOf(container)) {
      for (const member of Object.keys(container)) {
        bytes += textBytes(member);
        any(container[member]);
      }
    } else {
      const version = StructInstance.versionOf(container);
      const key = `${version} ${name}`;
      if (!fields.has(key)) fields.set(key, schemas[name] && schemaVersion(schemas[name], version, name)?.fields);
      const strict = fields.get(key);
      if (!strict) {
        bytes = Number.NaN;
        for (const member of Object.keys(container)) any(container[member]);
      }
      for (const field of strict ?? []) {
        if (!Object.hasOwn(container, field.name)) bytes += 2;
        else if (field.code === CODE.any) any(container[field.name]);
        else add(container[field.name], field.code);
      }
    }
  } else {
    for (const member of Object.keys(container)) {
      bytes += textBytes(member);
      any((container as Record<string, unknown>)[member]);
    }
  }
  return { children, bytes };
}

/**
 * Sizes with children; a container that occurs again counts 4 bytes there. Fields that strict structs leave out take 2 bytes each. Strict
 * structs whose schema is not known are not measured, nor what holds them.
 */
export function elephantSizes(root: unknown, schemas: ElephantSchemas): Sizes {
  const sizes = new LargeMap<number>();
  const nested = new LargeSet();
  /** How many structs of a kind are under way. */
  const around = new Map<string, number>();
  const open = new LargeSet();
  const told: Told = { schemas, names: new Set(), fields: new Map() };
  const stack: Frame[] = [];

  const enterKind = (container: object): string | undefined => {
    const found = elephantKind(container);
    if (!found) return undefined;
    const kind = kindKey(found);
    const outer = around.get(kind) ?? 0;
    if (outer > 0) nested.add(container);
    around.set(kind, outer + 1);
    return kind;
  };

  const enter = (container: object): void => {
    open.add(container);
    const { children, bytes } = ownSize(container, told);
    children.reverse();
    stack.push({ container, kind: enterKind(container), children, bytes });
  };

  if (typeof root !== "object" || root === null || isScalar(root)) return { bytes: sizes, nested };
  enter(root);
  while (stack.length > 0) {
    const frame = stack[stack.length - 1];
    const child = frame.children.pop();
    if (!child) {
      stack.pop();
      if (!Number.isNaN(frame.bytes)) sizes.set(frame.container, frame.bytes);
      if (frame.kind !== undefined) around.set(frame.kind, around.get(frame.kind)! - 1);
      if (stack.length > 0) stack[stack.length - 1].bytes += frame.bytes;
    } else if (open.has(child)) frame.bytes += 4;
    else enter(child);
  }
  return { bytes: sizes, nested };
}
