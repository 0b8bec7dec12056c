// The straightforward Elephant 1.5.1 codec: a DataView, a TextDecoder per string, a switch per datatype. The other end of the scale.
import { ANY, ARRAY, CODE, FLAG, FOOTER, fail, MAGIC, resolveConstructor, STRUCT, UNDEFINED, VERSION_1_5_1 } from "./elephant-format.mjs";
import { halfToNumber, numberToHalf } from "./strong-js/half.mjs";

/** @param {{ constructors?: Record<string, { class: Function, schema?: object }> }} options */
export function createPlainJs(options = {}) {
  const constructors = new Map(
    Object.entries(options.constructors ?? {}).map(([name, definition]) => [name, resolveConstructor(name, definition)]),
  );
  const byPrototype = new Map([...constructors.values()].map((c) => [c.prototype, c]));
  return { encode: (value) => encode(value, byPrototype), decode: (bytes) => decode(bytes, constructors) };
}

function decode(bytes, constructors) {
  const dv = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const containers = [];
  const table = new Map();
  let p = 0;
  const take = (n) => (p += n) - n;

  function string() {
    const end = bytes.indexOf(0, p);
    if (end < 0) fail("truncated");
    const text = decoder.decode(bytes.subarray(p, end));
    p = end + 1;
    return text;
  }

  function define(o, name, value) {
    if (name === "__proto__") Object.defineProperty(o, name, { value, writable: true, enumerable: true, configurable: true });
    else if (name !== FLAG || value !== undefined) o[name] = value;
  }

  function members(o, n) {
    for (let i = 0; i < n; i++) {
      const name = string();
      define(o, name, value(ANY));
    }
    return o;
  }

  function struct() {
    const n = dv.getUint16(take(2), true);
    if (n === 0xffff) return reference();
    if (n < 0xfffe) {
      const o = {};
      containers.push(o);
      return members(o, n);
    }
    const index = dv.getUint16(take(2), true);
    if (!table.has(index)) table.set(index, constructors.get(string()) ?? fail("unknown-constructor"));
    const ctor = table.get(index);
    const o = new ctor.class();
    containers.push(o);
    const version = dv.getUint8(take(1));
    if (version > 127) return members(o, dv.getUint16(take(2), true));
    const fields = ctor.strictByVersion.get(version) ?? fail(ctor.hasSchema ? "schema-version-missing" : "schema-missing");
    const skipped = new Set();
    for (let k = dv.getUint16(take(2), true); k !== 0; k = dv.getUint16(take(2), true))
      skipped.add(k <= fields.length ? k : fail("bad-skip-index"));
    fields.forEach((field, i) => {
      if (!skipped.has(i + 1)) define(o, field.name, value(field.code));
    });
    return o;
  }

  function reference() {
    const index = dv.getUint16(take(2), true);
    return index < containers.length ? containers[index] : fail("bad-reference");
  }

  function array() {
    const n = dv.getUint16(take(2), true);
    if (n === 0xffff) return reference();
    const list = [];
    containers.push(list);
    if (n > 0) {
      const code = dv.getUint8(take(1));
      for (let i = 0; i < n; i++) list.push(value(code));
    }
    return list;
  }

  function value(code) {
    switch (code) {
      case CODE.u8:
        return dv.getUint8(take(1));
      case CODE.s8:
        return dv.getInt8(take(1));
      case CODE.u16:
        return dv.getUint16(take(2), true);
      case CODE.s16:
        return dv.getInt16(take(2), true);
      case CODE.u32:
        return dv.getUint32(take(4), true);
      case CODE.s32:
        return dv.getInt32(take(4), true);
      case CODE.f16:
        return halfToNumber(dv.getUint16(take(2), true));
      case CODE.f32:
        return dv.getFloat32(take(4), true);
      case CODE.f64:
        return dv.getFloat64(take(8), true);
      case CODE.bool:
        return dv.getUint8(take(1)) === 1;
      case CODE.string:
      case CODE.text:
        return string();
      case CODE.u64:
        return dv.getBigInt64(take(8), true);
      case ANY:
        return value(dv.getUint8(take(1)));
      case ARRAY:
        return array();
      case STRUCT:
        return struct();
      case UNDEFINED:
        return undefined;
      default:
        return fail("unknown-datatype");
    }
  }

  if (dv.getUint32(take(4), true) !== MAGIC) fail("header");
  if (dv.getUint32(take(4), true) !== VERSION_1_5_1) fail("version");
  const result = value(ANY);
  if (dv.getUint32(take(4), true) !== FOOTER) fail("footer");
  return result;
}

function encode(root, byPrototype) {
  const encoder = new TextEncoder();
  const numbers = new Map();
  const indices = new Map();
  let bytes = new Uint8Array(1024);
  let dv = new DataView(bytes.buffer);
  let p = 0;

  const take = (n) => (p += n) - n;

  /** Room for n bytes and for the few scalars behind them. */
  function room(n) {
    if (p + n + 32 <= bytes.length) return;
    const larger = new Uint8Array(Math.max(bytes.length * 2, p + n + 32));
    larger.set(bytes);
    bytes = larger;
    dv = new DataView(bytes.buffer);
  }

  function string(s) {
    if (s.includes("\0")) fail("nul-in-string");
    if (!s.isWellFormed()) fail("lone-surrogate");
    const encoded = encoder.encode(s);
    room(encoded.length + 1);
    const at = take(encoded.length + 1);
    bytes.set(encoded, at);
    bytes[at + encoded.length] = 0;
  }

  /** True when the container was written before; then the reference has been written. */
  function repeated(o) {
    const number = numbers.get(o);
    if (number === undefined) {
      numbers.set(o, numbers.size);
      return false;
    }
    if (number > 0xffff) fail("reference-index-overflow");
    dv.setUint16(take(2), 0xffff, true);
    dv.setUint16(take(2), number, true);
    return true;
  }

  function kind(v) {
    if (typeof v === "number") return CODE.f64;
    if (typeof v === "string") return CODE.string;
    if (typeof v === "boolean") return CODE.bool;
    if (typeof v === "bigint") return CODE.u64;
    if (v === undefined || v === null || typeof v === "function") return UNDEFINED;
    if (typeof v !== "object") return fail("datatype-not-recognised");
    return Array.isArray(v) || ArrayBuffer.isView(v) ? ARRAY : STRUCT;
  }

  const VIEWS = {
    Uint8Array: "u8",
    Int8Array: "s8",
    Uint16Array: "u16",
    Int16Array: "s16",
    Uint32Array: "u32",
    Int32Array: "s32",
    Float32Array: "f32",
  };
  function array(list) {
    if (repeated(list)) return;
    if (list.length > 65534) fail("array-too-long");
    dv.setUint16(take(2), list.length, true);
    if (list.length === 0) return;
    const first = kind(list[0]);
    const common = CODE[VIEWS[list.constructor.name]] ?? (list.every((v) => kind(v) === first) ? first : ANY);
    dv.setUint8(take(1), common);
    for (const v of list) value(common, v);
  }

  function struct(o) {
    if (repeated(o)) return;
    const prototype = Object.getPrototypeOf(o);
    let names = Object.keys(o);
    if (prototype !== Object.prototype && prototype !== null) {
      const ctor = byPrototype.get(prototype) ?? fail("datatype-not-recognised");
      dv.setUint16(take(2), 0xfffe, true);
      const known = indices.get(ctor);
      dv.setUint16(take(2), known ?? indices.size, true);
      if (known === undefined) {
        indices.set(ctor, indices.size);
        string(ctor.name);
      }
      dv.setUint8(take(1), ctor.verbose ? 0x80 | ctor.version : ctor.version);
      if (!ctor.verbose) {
        dv.setUint16(take(2), 0, true);
        for (const field of ctor.strictByVersion.get(ctor.version)) value(field.code, o[field.name]);
        return;
      }
      names = ctor.verboseNames ?? names.filter((name) => !ctor.exclude.has(name));
    } else if (names.length > 65533) fail("struct-too-large");
    dv.setUint16(take(2), names.length, true);
    for (const name of names) {
      string(name);
      value(ANY, o[name]);
    }
  }

  function value(code, v) {
    room(0);
    switch (code) {
      case CODE.u8:
        return dv.setUint8(take(1), v);
      case CODE.s8:
        return dv.setInt8(take(1), v);
      case CODE.u16:
        return dv.setUint16(take(2), v, true);
      case CODE.s16:
        return dv.setInt16(take(2), v, true);
      case CODE.u32:
        return dv.setUint32(take(4), v, true);
      case CODE.s32:
        return dv.setInt32(take(4), v, true);
      case CODE.f16:
        return dv.setUint16(take(2), numberToHalf(v), true);
      case CODE.f32:
        return dv.setFloat32(take(4), v, true);
      case CODE.f64:
        if (Number.isNaN(v)) return dv.setBigUint64(take(8), 0x7ff8000000000000n, true);
        return dv.setFloat64(take(8), v, true);
      case CODE.bool:
        return dv.setUint8(take(1), v ? 1 : 0);
      case CODE.string:
      case CODE.text:
        return string(v);
      case CODE.u64:
        return dv.setBigInt64(take(8), BigInt(v), true);
      case ANY: {
        const code = kind(v);
        dv.setUint8(take(1), code);
        return value(code, v);
      }
      case ARRAY:
        return kind(v) === ARRAY ? array(v) : fail("not-an-array");
      case STRUCT:
        return kind(v) === STRUCT ? struct(v) : fail("not-a-struct");
    }
  }

  dv.setUint32(take(4), MAGIC, true);
  dv.setUint32(take(4), VERSION_1_5_1, true);
  value(ANY, root);
  room(0);
  dv.setUint32(take(4), FOOTER, true);
  return bytes.slice(0, p);
}
