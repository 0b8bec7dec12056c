// The writing half of the reference codec: formats/elephant.md §2 to §10, releases 1.4.0, 1.5.0 and 1.5.1.

import { POST_WRITE, PRE_WRITE, scalarParts, type WriteOptions } from "./codec.ts";
import { equalMembers, type Field, fail, Registry, type Struct } from "./reference-registry.ts";

export const CODES: Record<string, number> = {
  u8: 1,
  s8: 2,
  u16: 3,
  s16: 4,
  u32: 5,
  s32: 6,
  f16: 7,
  f32: 8,
  f64: 9,
  bool: 10,
  string: 11,
  u64: 12,
  text: 13,
  any: 204,
  array: 205,
  struct: 206,
  undefined: 207,
};

const VIEW_DATATYPES: Record<string, string> = {
  Uint8Array: "u8",
  Uint8ClampedArray: "u8",
  Int8Array: "s8",
  Uint16Array: "u16",
  Int16Array: "s16",
  Uint32Array: "u32",
  Int32Array: "s32",
  Float16Array: "f16",
  Float32Array: "f32",
  Float64Array: "f64",
  BigInt64Array: "u64",
  BigUint64Array: "u64",
};

const UTF8 = new TextEncoder();

export class ReferenceWriter {
  private bytes = new Uint8Array(256);
  private length = 0;
  private readonly numbers = new Map<object, number>();
  private readonly constructors = new Map<string, number>();
  private readonly templates = new Map<string, Struct>();
  private readonly registry: Registry;
  private readonly options: WriteOptions;

  constructor(registry: Registry, options: WriteOptions) {
    this.registry = registry;
    this.options = options;
  }

  writeFile(value: unknown): Uint8Array {
    const release = this.options.release ?? "1.5.1";
    const [major, minor, patch] = release.split(".").map(Number) as [number, number, number];
    this.put([0x50, 0x45, 0x4c, 0x45, patch, minor, major, 0]);
    this.writeAny(value, "");
    this.put([0x54, 0x4e, 0x41, 0x48]);
    return this.bytes.slice(0, this.length);
  }

  private put(bytes: ArrayLike<number>): void {
    if (this.length + bytes.length > this.bytes.length) {
      const larger = new Uint8Array((this.length + bytes.length) * 2);
      larger.set(this.bytes);
      this.bytes = larger;
    }
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  private u16(value: number): void {
    this.put([value & 255, value >> 8]);
  }

  private string(text: string, path: string): void {
    if (text.includes("\0")) fail("nul-in-string", "a string with U+0000 cannot be stored", { path });
    if (/\p{Surrogate}/u.test(text)) fail("lone-surrogate", "a lone surrogate has no UTF-8 form", { path });
    this.put(UTF8.encode(text));
    this.put([0]);
  }

  /** §3.1 */
  private datatypeOf(value: unknown, path: string): string {
    if (value === undefined || value === null) return "undefined";
    const scalar = scalarParts(value);
    if (scalar) return scalar.datatype;
    switch (typeof value) {
      case "number":
        return "f64";
      case "boolean":
        return "bool";
      case "string":
        return "string";
      case "bigint":
        if (value >= 2n ** 64n || value < -(2n ** 63n)) fail("datatype-not-recognised", "an integer of more than 64 bits", { path });
        return "u64";
      case "function":
        this.registry.warn(path);
        return "undefined";
      case "object":
        if (Array.isArray(value) || ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return "array";
        if (this.registry.nameOf(value as object) !== undefined) return "struct";
    }
    fail("datatype-not-recognised", `${Object.prototype.toString.call(value)} has no datatype`, { path });
  }

  private writeAny(value: unknown, path: string): void {
    const datatype = this.datatypeOf(value, path);
    this.put([CODES[datatype]!]);
    this.writeAs(datatype, value, path);
  }

  /** The payload of a datatype, without its code. */
  private writeAs(datatype: string, value: unknown, path: string): void {
    if (datatype === "any") this.writeAny(value, path);
    else if (datatype === "array") this.writeArray(value, path);
    else if (datatype === "struct") this.writeStruct(value, path);
    else if (datatype !== "undefined") this.writeScalar(datatype, value, path);
  }

  private writeScalar(datatype: string, value: unknown, path: string): void {
    const scalar = scalarParts(value);
    const plain = scalar ? scalar.value : value;
    if (datatype === "string" || datatype === "text") {
      if (typeof plain !== "string") fail("datatype-not-recognised", `a ${datatype} field holds no string`, { path });
      this.string(plain, path);
    } else if (typeof plain === "number" || typeof plain === "bigint" || typeof plain === "boolean") {
      this.put(encodeNumber(datatype, plain));
    } else {
      fail("datatype-not-recognised", `a ${datatype} field holds no number`, { path });
    }
  }

  private reference(container: object, path: string): boolean {
    const number = this.numbers.get(container);
    if (number === undefined) {
      this.numbers.set(container, this.numbers.size);
      return false;
    }
    if (number > 0xffff) fail("reference-index-overflow", `container ${number} is out of reach of a u16`, { path });
    this.u16(0xffff);
    this.u16(number);
    return true;
  }

  private writeArray(value: unknown, path: string): void {
    const isView = ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
    if (!Array.isArray(value) && !isView) fail("not-an-array", "the value is no array", { path });
    if (this.reference(value as object, path)) return;
    let elements: unknown[];
    let common: string | undefined;
    if (isView) {
      const view = value as ArrayBufferView | ArrayBuffer;
      const typed = view instanceof ArrayBuffer ? new Uint8Array(view) : view instanceof DataView ? bytesOf(view) : view;
      elements = Array.from(typed as unknown as ArrayLike<unknown>);
      common = VIEW_DATATYPES[(typed as Uint8Array)[Symbol.toStringTag]];
    } else {
      elements = Array.from(value as unknown[]);
    }
    if (elements.length > 65534) fail("array-too-long", `${elements.length} elements`, { path });
    this.u16(elements.length);
    if (elements.length === 0) return;
    if (!common) {
      const datatypes = elements.map((element, i) => this.datatypeOf(element, `${path}[${i}]`));
      common = datatypes.every((datatype) => datatype === datatypes[0]) ? datatypes[0]! : "any";
    }
    this.put([CODES[common]!]);
    for (const [i, element] of elements.entries()) this.writeAs(common, element, `${path}[${i}]`);
  }

  private writeStruct(value: unknown, path: string): void {
    const isObject = typeof value === "object" && value !== null && scalarParts(value) === undefined;
    if (!isObject || Array.isArray(value) || ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
      fail("not-a-struct", "the value is no struct", { path });
    }
    const name = this.registry.nameOf(value);
    if (name === undefined) fail("datatype-not-recognised", "an instance of a class that is not registered", { path });
    if (this.reference(value, path)) return;
    const struct = value as Struct;
    if (name !== "") {
      this.writeConstructed(name, struct, path);
      return;
    }
    const keys = Object.keys(struct);
    if (keys.length > 65533) fail("struct-too-large", `${keys.length} members`, { path });
    this.writeMembers(keys, struct, path);
  }

  private writeMembers(keys: string[], struct: Struct, path: string): void {
    this.u16(keys.length);
    for (const key of keys) {
      this.string(key, `${path}.${key}`);
      this.writeAny(struct[key], `${path}.${key}`);
    }
  }

  /** §6, §8 to §10 */
  private writeConstructed(name: string, struct: Struct, path: string): void {
    const { registry } = this;
    const { version, verbose, fields, exclude } = registry.versionToWrite(name, struct, path);
    this.u16(0xfffe);
    const known = this.constructors.get(name);
    this.u16(known ?? this.constructors.size);
    if (known === undefined) {
      this.constructors.set(name, this.constructors.size);
      this.string(name, path);
    }
    this.put([(verbose ? 0x80 : 0) | version]);
    const template = this.template(name);
    const isUnchanged = (key: string) =>
      this.options.diffsOnly === true &&
      (template ? equalMembers(own(struct, key), own(template, key), this.options.diffEquality) : !Object.hasOwn(struct, key));

    if (verbose) {
      let keys = fields ? fields.map(([key]) => key) : Object.keys(struct);
      registry.call(struct, PRE_WRITE, version, false);
      keys = keys.filter((key) => !exclude.includes(key) && !isUnchanged(key));
      if (keys.length > 65535) fail("struct-too-large", `${keys.length} members`, { path });
      this.writeMembers(keys, struct, path);
    } else {
      const sorted = Registry.sorted(fields!);
      registry.call(struct, PRE_WRITE, version, false);
      const kept: Field[] = [];
      for (const [i, field] of sorted.entries()) {
        if (isUnchanged(field[0])) this.u16(i + 1);
        else kept.push(field);
      }
      if (this.options.release !== "1.4.0") this.u16(0);
      for (const [key, datatype] of kept) {
        if (typeof datatype === "string") this.writeAs(datatype, own(struct, key), `${path}.${key}`);
      }
    }
    registry.call(struct, POST_WRITE, version, false);
  }

  /** §9: one fresh instance per constructor and call; a constructor known only by its schema has none, and its instances leave out what they lack. */
  private template(name: string): Struct | undefined {
    if (!this.options.diffsOnly) return undefined;
    const Class = this.registry.classOf(name);
    if (!Class) return undefined;
    let template = this.templates.get(name);
    if (!template) this.templates.set(name, (template = new Class() as Struct));
    return template;
  }
}

export function own(struct: Struct, key: string): unknown {
  return Object.hasOwn(struct, key) ? struct[key] : undefined;
}

function bytesOf(view: ArrayBufferView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

/** For {@link encodeNumber}: a new one for each number takes longer than the rest. */
const view = new DataView(new ArrayBuffer(8));

/** The bytes are there until the next call. */
function encodeNumber(datatype: string, value: number | bigint | boolean): Uint8Array {
  const number = Number(value);
  const integer = typeof value === "bigint" ? value : Number.isFinite(number) ? BigInt(Math.trunc(number)) : 0n;
  const low = Number(BigInt.asUintN(32, integer));
  switch (datatype) {
    case "bool":
      view.setUint8(0, typeof value === "boolean" ? Number(value) : number > 0.5 ? 1 : 0);
      return bytesOf(view).subarray(0, 1);
    case "u8":
    case "s8":
      view.setUint8(0, low);
      return bytesOf(view).subarray(0, 1);
    case "u16":
    case "s16":
      view.setUint16(0, low, true);
      return bytesOf(view).subarray(0, 2);
    case "u32":
    case "s32":
      view.setUint32(0, low, true);
      return bytesOf(view).subarray(0, 4);
    case "u64":
      view.setBigUint64(0, BigInt.asUintN(64, integer), true);
      return bytesOf(view);
    case "f16":
      view.setUint16(0, halfBits(number), true);
      return bytesOf(view).subarray(0, 2);
    case "f32":
      view.setFloat32(0, number, true);
      return bytesOf(view).subarray(0, 4);
    default:
      if (Number.isNaN(number)) return Uint8Array.of(0, 0, 0, 0, 0, 0, 0xf8, 0x7f);
      view.setFloat64(0, number, true);
      return bytesOf(view);
  }
}

/** §3.2: exact where half precision can hold the value, cut towards zero elsewhere, 65536 and above infinity. */
export function halfBits(value: number): number {
  if (Number.isNaN(value)) return 0x7e00;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (size >= 65536) return sign | 0x7c00;
  if (size < 2 ** -14) return sign | Math.trunc(size * 2 ** 24);
  let exponent = 15;
  while (2 ** exponent > size) exponent--;
  return sign | ((exponent + 15) << 10) | Math.trunc((size / 2 ** exponent - 1) * 1024);
}
