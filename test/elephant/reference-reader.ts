// The reading half of the reference codec: every release of formats/elephant.md §1, the older layouts of §12 included.

import { POST_READ, PRE_READ, type ReadOptions, Scalar, type ScalarDatatype, VERSION_VERBOSE } from "./codec.ts";
import { defineMember } from "./notation.ts";
import { type Field, fail, Registry, type Struct } from "./reference-registry.ts";
import { CODES } from "./reference-writer.ts";

const NAMES = new Map(Object.entries(CODES).map(([name, code]) => [code, name]));
const MAX_DEPTH = 2000;
const MAX_ELEMENTS = 1 << 24;

/** What differs between the releases. */
interface Layout {
  release: string;
  footer: boolean;
  /** Code of `any`; array, struct and undefined follow. */
  firstContainerCode: 14 | 204;
  constructors: "codes" | "indices";
  verboseBit: boolean;
  skipList: boolean;
  postReadAtOnce: boolean;
}

const VIEWS: Record<string, new (values: never) => object> = {
  u8: Uint8Array,
  s8: Int8Array,
  u16: Uint16Array,
  s16: Int16Array,
  u32: Uint32Array,
  s32: Int32Array,
  f32: Float32Array,
  f64: Float64Array,
  u64: BigInt64Array,
};

export class ReferenceReader {
  private at: number;
  private depth = 0;
  private elements = 0;
  private layout!: Layout;
  private readonly view: DataView;
  private readonly containers: object[] = [];
  private readonly constructors = new Map<number, string>();
  private readonly postReads: (() => void)[] = [];
  private readonly registry: Registry;
  private readonly bytes: Uint8Array;
  private readonly options: ReadOptions;

  constructor(registry: Registry, bytes: Uint8Array, offset: number, options: ReadOptions) {
    this.registry = registry;
    this.bytes = bytes;
    this.at = offset;
    this.options = options;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  readFile(): { value: unknown; end: number; release: string } {
    this.layout = this.readHeader();
    const value = this.readAny();
    if (this.layout.footer && this.view.getUint32(this.take(4), true) !== 0x48414e54)
      this.fail("footer", "the footer is missing", this.at - 4);
    for (const postRead of this.postReads) postRead();
    return { value, end: this.at, release: this.layout.release };
  }

  private fail(code: string, message: string, offset = this.at): never {
    fail(code, message, { offset });
  }

  private take(count: number): number {
    if (count > this.bytes.length - this.at) this.fail("truncated", `${count} bytes are needed, ${this.bytes.length - this.at} are left`);
    this.at += count;
    return this.at - count;
  }

  private u8 = () => this.bytes[this.take(1)]!;
  private u16 = () => this.view.getUint16(this.take(2), true);

  private readHeader(): Layout {
    const magic = this.view.getUint32(this.take(4), true);
    if (magic !== 0x454c4550 && magic !== 0x434d5441) this.fail("header", "this is no Elephant file", this.at - 4);
    const version = this.view.getUint32(this.take(4), true);
    const release = `${version >>> 16}.${(version >>> 8) & 255}.${version & 255}`;
    const isOld = magic === 0x434d5441;
    if (isOld !== (release === "1.0.0" || release === "1.1.0"))
      this.fail(isOld ? "header" : "version", `magic and version ${release} disagree`, this.at - (isOld ? 8 : 4));
    const order = ["1.0.0", "1.1.0", "1.2.0", "1.2.1", "1.3.0", "1.4.0", "1.5.0", "1.5.1"];
    const rank = order.indexOf(release);
    if (rank < 0) this.fail("version", `version ${release} is not known`, this.at - 4);
    const root = this.bytes[this.at];
    const isDevelopmentBranch = release === "1.4.0" && root !== undefined && root >= 15 && root <= 17;
    return {
      release: isDevelopmentBranch ? "1.4.0-dev" : release,
      footer: rank >= 2,
      firstContainerCode: rank < 5 || isDevelopmentBranch ? 14 : 204,
      constructors: rank === 0 ? "codes" : "indices",
      verboseBit: rank >= 4,
      skipList: rank >= 6,
      postReadAtOnce: rank <= 4,
    };
  }

  private datatype(code: number): string {
    const { firstContainerCode } = this.layout;
    if (code >= firstContainerCode && code <= firstContainerCode + 3) return NAMES.get(code - firstContainerCode + 204)!;
    if (code >= 1 && code <= 13) return NAMES.get(code)!;
    if (this.layout.constructors === "codes" && code >= 32) return `constructor ${code}`;
    this.fail("unknown-datatype", `datatype ${code}`, this.at - 1);
  }

  private readAny(): unknown {
    let datatype = this.datatype(this.u8());
    for (let i = 0; datatype === "any"; i++) {
      if (i > MAX_DEPTH) this.fail("depth-limit", "any inside any");
      datatype = this.datatype(this.u8());
    }
    return this.readAs(datatype, true);
  }

  /** The payload of a datatype. `tagged`: the datatype stood in the file, so with "exact" it is kept where JavaScript has no such type. */
  private readAs(datatype: string, tagged: boolean): unknown {
    const number = (value: number) =>
      tagged && this.options.scalars === "exact" && datatype !== "f64" ? Scalar(datatype as ScalarDatatype, value) : value;
    switch (datatype) {
      case "u8":
        return number(this.u8());
      case "s8":
        return number(this.view.getInt8(this.take(1)));
      case "u16":
        return number(this.u16());
      case "s16":
        return number(this.view.getInt16(this.take(2), true));
      case "u32":
        return number(this.view.getUint32(this.take(4), true));
      case "s32":
        return number(this.view.getInt32(this.take(4), true));
      case "f16":
        return number(halfValue(this.u16()));
      case "f32":
        return number(this.view.getFloat32(this.take(4), true));
      case "f64":
        return this.view.getFloat64(this.take(8), true);
      case "bool":
        return this.u8() === 1;
      case "u64":
        return this.view.getBigInt64(this.take(8), true);
      case "string":
      case "text":
        return this.string();
      case "undefined":
        return undefined;
      case "any":
        return this.readAny();
    }
    if (++this.depth > MAX_DEPTH) this.fail("depth-limit", `nested deeper than ${MAX_DEPTH}`);
    const container = datatype === "array" ? this.readArray() : this.readStruct(datatype);
    this.depth--;
    return container;
  }

  private string(): string {
    const end = this.bytes.indexOf(0, this.at);
    if (end < 0) this.fail("truncated", "a string does not end");
    const bytes = this.bytes.subarray(this.at, end);
    this.at = end + 1;
    return decodeText(bytes);
  }

  private referenced(): object {
    const number = this.u16();
    return this.containers[number] ?? this.fail("bad-reference", `container ${number} has not been read yet`);
  }

  private readArray(): object {
    const hasReferences = this.layout.constructors === "indices";
    const length = this.u16();
    if (hasReferences && length === 0xffff) return this.referenced();
    const array: unknown[] = [];
    const number = this.containers.push(array) - 1;
    if (length === 0) return array;
    if ((this.elements += length) > MAX_ELEMENTS) this.fail("element-limit", `more than ${MAX_ELEMENTS} elements`);
    const datatype = this.datatype(this.u8());
    const View = this.options.typedArrays ? VIEWS[datatype] : undefined;
    for (let i = 0; i < length; i++) array.push(this.readAs(datatype, View === undefined));
    if (!View) return array;
    return (this.containers[number] = new View(array as never));
  }

  private readStruct(datatype: string): object {
    if (datatype.startsWith("constructor ")) return this.readOldConstructed(Number(datatype.slice(12)));
    const length = this.u16();
    if (this.layout.constructors === "indices") {
      if (length === 0xffff) return this.referenced();
      if (length === 0xfffe) return this.readConstructed();
    }
    const struct = {};
    this.containers.push(struct);
    this.readMembers(struct, length, false);
    return struct;
  }

  /** The flag key of a verbose version is written as an undefined member (§8); in a plain struct the name is data like any other, and without a schema nobody would write it again. */
  private readMembers(struct: object, count: number, dropsFlag: boolean): void {
    for (let i = 0; i < count; i++) {
      const name = this.string();
      const value = this.readAny();
      if (!(dropsFlag && name === VERSION_VERBOSE && value === undefined)) defineMember(struct, name, value);
    }
  }

  /** §6 and §12.2 */
  private readConstructed(): object {
    const index = this.u16();
    let name = this.constructors.get(index);
    if (name === undefined) this.constructors.set(index, (name = this.string()));
    if (!this.registry.canCreate(name)) this.fail("unknown-constructor", `no constructor ${name}`);
    const byte = this.u8();
    const version = this.layout.verboseBit ? byte & 0x7f : byte;
    const verbose = this.layout.verboseBit ? byte >= 0x80 : byte === 0;
    const struct = this.registry.create(name, version);
    this.containers.push(struct);
    this.readContents(name, struct, version, verbose);
    return struct;
  }

  /** §12.1: a constructor is a datatype; the name follows where it occurs first. */
  private readOldConstructed(code: number): object {
    let name = this.constructors.get(code);
    if (name === undefined) {
      name = this.string();
      if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
        this.fail("unreadable", "the names of the constructors are in an earlier file of the session");
      this.constructors.set(code, name);
    }
    const struct = this.registry.has(name) ? this.registry.create(name) : {};
    this.containers.push(struct);
    const version = this.u8();
    this.readContents(name, struct, version, version === 0);
    return struct;
  }

  private readContents(name: string, struct: object, version: number, verbose: boolean): void {
    const { registry } = this;
    const fields = verbose ? undefined : this.strictFields(name, version);
    registry.call(struct, PRE_READ, version, true);
    const postRead = () => registry.call(struct, POST_READ, version, true);
    if (!this.layout.postReadAtOnce) this.postReads.push(postRead);
    if (fields) this.readFields(struct, fields);
    else this.readMembers(struct, this.u16(), registry.has(name));
    if (this.layout.postReadAtOnce) postRead();
  }

  private strictFields(name: string, version: number): Field[] {
    const schema = this.registry.schemaOf(name);
    if (!schema) this.fail("schema-missing", `${name} has no schema`);
    if (version === 0 || !Object.hasOwn(schema, "v" + version)) this.fail("schema-version-missing", `${name} has no v${version}`);
    return Registry.sorted(Object.entries(schema["v" + version] as object) as Field[]);
  }

  private readFields(struct: object, fields: Field[]): void {
    const skipped = new Set<number>();
    if (this.layout.skipList) {
      for (let position = this.u16(); position !== 0; position = this.u16()) {
        if (position > fields.length) this.fail("bad-skip-index", `field ${position} of ${fields.length}`);
        skipped.add(position);
      }
    }
    for (const [i, [name, datatype]] of fields.entries()) {
      if (skipped.has(i + 1)) continue;
      // The flag key: false stores nothing, true was datatype 1 (§8).
      if (datatype === true) this.u8();
      if (typeof datatype === "string") defineMember(struct, name, this.readAs(datatype, false) as Struct);
    }
  }
}

function halfValue(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction ? Number.NaN : sign * Infinity;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}

/** UTF-8 with U+FFFD for bad sequences; surrogate pairs of three bytes each (what the HTML5 export writes) are joined first, §3.3. */
function decodeText(bytes: Uint8Array): string {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  if (!bytes.includes(0xed)) return decoder.decode(bytes);
  const joined: number[] = [];
  for (let i = 0; i < bytes.length; i++) {
    const [a, b, c, d, e, f] = bytes.subarray(i, i + 6);
    const isPair = a === 0xed && b! >> 4 === 0xa && c! >> 6 === 2 && d === 0xed && e! >> 4 === 0xb && f! >> 6 === 2;
    if (isPair) {
      const high = ((b! & 0x0f) << 6) | (c! & 0x3f);
      const low = ((e! & 0x0f) << 6) | (f! & 0x3f);
      const point = 0x10000 + (high << 10) + low;
      joined.push(0xf0 | (point >> 18), 0x80 | ((point >> 12) & 63), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63));
      i += 5;
    } else {
      joined.push(a!);
    }
  }
  return decoder.decode(Uint8Array.from(joined));
}
