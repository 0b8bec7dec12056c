// The strong encoder: objects to Elephant 1.5.1 bytes. Writers are generated per shape; the place where a struct stands predicts its shape.
//
// Identity is a set of objects (object-set.mjs): insertion order is Elephant's number
// (formats/elephant.md §7). Numbers of repeated objects are looked up in a Map that is filled from the Set as far as needed. Where
// the last graph repeated many objects, a Map alone is cheaper.
import { ANY, ARRAY, CODE, FOOTER, fail, MAGIC, STRUCT, UNDEFINED, VERSION_1_5_1 } from "../elephant-format.mjs";
import { encodeDeep } from "./deep-encoder.mjs";
import { numberToHalf } from "./half.mjs";
import { ObjectSet } from "./object-set.mjs";
import { createOutput, SLACK } from "./output.mjs";
import { compilePlain, compileStrict, compileVerbose } from "./write-compiler.mjs";

const COMPILE_AFTER = 8;
/** So many in one call, those of classes aside. */
const MOST_COMPILED = 32;
/** Members of a compiled shape, and bytes of its fixed parts. */
const MAX_SHAPE = 64;
const MAX_FIXED = SLACK - 64;
/** So many containers are compared one by one before the Set is begun: small saves need none. */
const FEW = 8;
const MAX_NODES = 50000;
const utf8 = new TextEncoder();
const isView = ArrayBuffer.isView;
const isArray = Array.isArray;

/** Datatype of the elements of a typed array. */
const VIEW_CODES = new Map([
  [Uint8Array, CODE.u8],
  [Uint8ClampedArray, CODE.u8],
  [Int8Array, CODE.s8],
  [Uint16Array, CODE.u16],
  [Int16Array, CODE.s16],
  [Uint32Array, CODE.u32],
  [Int32Array, CODE.s32],
  [Float32Array, CODE.f32],
  [Float64Array, CODE.f64],
  [BigInt64Array, CODE.u64],
  [BigUint64Array, CODE.u64],
]);

class WriteSite {
  shape = null;
  /** @type {WriteSite | null} */
  element = null;
}

class WriteNode {
  constructor(name, parent) {
    this.name = name;
    this.parent = parent;
    this.bytes = name === null ? new Uint8Array(0) : utf8.encode(name + "\0");
    if (name?.includes("\0")) fail("nul-in-string");
    if (name !== null && !name.isWellFormed()) fail("lone-surrogate");
    this.children = new Map();
    this.next = null;
    this.site = new WriteSite();
    this.tags = [];
    this.shape = null;
  }

  end() {
    if (this.shape === null) {
      const fields = [];
      for (let node = this; node.name !== null; node = node.parent) fields.push(node);
      fields.reverse();
      const fixed = 2 + fields.reduce((sum, f) => sum + f.bytes.length + 9, 0);
      const compilable =
        fields.length > 0 && fields.length <= MAX_SHAPE && fixed <= MAX_FIXED && fields.every((f) => f.name !== "constructor");
      this.shape = { fields, names: fields.map((f) => f.name), uses: 0, compilable, write: null };
    }
    return this.shape;
  }
}

/**
 * @param {Map<string, ReturnType<import("../elephant-format.mjs").resolveConstructor>>} constructors
 * @param {{ identity?: boolean }} options identity: keep sharing and cycles; without it a shared object is written twice
 */
export function createEncoder(constructors, options = {}) {
  const identity = options.identity !== false;
  const { out, grow, string, finish } = createOutput();
  let root = new WriteNode(null, null);
  let nodes = 0;
  const rootSite = new WriteSite();
  const byPrototype = new Map();
  const state = { count: 0, constructorCount: 0, epoch: 1, compiled: 0 };
  let seen = new ObjectSet();
  let numbers = new Map();
  let numbered = null;
  const few = new Array(FEW).fill(undefined);
  let repeated = 0;
  let manyRepeated = false;

  const runtime = { out, grow, string, any, array, struct, isArray, isView, nan, scalar, arrayField, structField, half: numberToHalf };
  for (const ctor of constructors.values()) {
    const writer = {
      ctor,
      epoch: 0,
      index: 0,
      trie: new WriteNode(null, null),
      site: new WriteSite(),
      strict: null,
      name: utf8.encode(ctor.name + "\0"),
    };
    if (!ctor.verbose) {
      const fields = ctor.strictByVersion.get(ctor.version).map((f) => ({ ...f, site: new WriteSite() }));
      writer.strict = compileStrict(fields, runtime);
    }
    byPrototype.set(ctor.prototype, writer);
    writer.shape = { write: (o, p) => (Object.getPrototypeOf(o) === ctor.prototype ? constructed(writer, o, p) : -1) };
  }

  function nan(p) {
    out.dv.setUint32(p, 0, true);
    out.dv.setUint32(p + 4, 0x7ff80000, true);
  }

  function f64(v, p) {
    if (Number.isNaN(v)) nan(p);
    else out.dv.setFloat64(p, v, true);
  }

  /** A scalar that is not of the obvious JavaScript type for its field. */
  function scalar(v, code, name) {
    if (code === CODE.u64) {
      if (typeof v === "bigint") return v;
      if (typeof v === "number" && Number.isFinite(v)) return BigInt(Math.trunc(v));
    } else if (code === CODE.bool) {
      if (typeof v === "number") return v > 0.5;
    } else if (code !== CODE.string && code !== CODE.text) {
      if (typeof v === "boolean") return v ? 1 : 0;
      if (typeof v === "bigint") return Number(v);
    }
    return fail("datatype-not-recognised", `${typeof v} in field ${name}`);
  }

  function arrayField(v, site, p, name) {
    if (isArray(v)) return array(v, site, p);
    return isView(v) || v instanceof ArrayBuffer ? typed(v, p) : fail("not-an-array", name);
  }

  function structField(v, site, p, name) {
    return typeof v === "object" && v !== null && !isArray(v) && !isView(v) ? struct(v, site, p) : fail("not-a-struct", name);
  }

  function reference(index, p) {
    repeated++;
    if (index > 0xffff) fail("reference-index-overflow");
    out.dv.setUint32(p, 0xffff + index * 0x10000, true);
    p += 4;
    if (out.capacity - p < SLACK) grow(0, p);
    return p;
  }

  /** The position behind the reference if o was written before, or -1 when it is new and has been numbered. */
  function seenBefore(o, p) {
    const n = state.count;
    if (n < FEW) {
      for (let i = 0; i < n; i++) if (few[i] === o) return reference(i, p);
      few[n] = o;
      state.count++;
      return -1;
    }
    if (n === FEW && seen.size + numbers.size === 0) {
      for (let i = 0; i < n; i++) {
        if (manyRepeated) numbers.set(few[i], i);
        else seen.add(few[i]);
      }
    }
    if (manyRepeated) {
      const index = numbers.get(o);
      if (index !== undefined) return reference(index, p);
      numbers.set(o, state.count++);
      return -1;
    }
    if (!seen.add(o)) return backReference(o, p);
    state.count++;
    return -1;
  }

  function backReference(o, p) {
    let index = numbers.get(o);
    if (index === undefined) {
      numbered ??= seen.values();
      for (;;) {
        const next = numbered.next().value;
        index = numbers.size;
        numbers.set(next, index);
        if (next === o) break;
      }
    }
    return reference(index, p);
  }

  function struct(o, site, p) {
    if (identity) {
      const q = seenBefore(o, p);
      if (q >= 0) return q;
    }
    const shape = site.shape;
    if (shape !== null) {
      const q = shape.write(o, p);
      if (q >= 0) return q;
    }
    return unpredicted(o, site, p);
  }

  function unpredicted(o, site, p) {
    const prototype = Object.getPrototypeOf(o);
    if (prototype === Object.prototype || prototype === null) return plain(o, site, p);
    const writer = byPrototype.get(prototype) ?? fail("datatype-not-recognised", "instance of an unregistered class");
    site.shape = writer.shape;
    return constructed(writer, o, p);
  }

  /** Remembers a tag of the member for compilation; undefined, strings and so on as `any` would write them. */
  function record(node, v) {
    const tag = kind(v);
    if (tag !== CODE.u64 && node.tags.length < 4 && !node.tags.includes(tag) && !isView(v)) node.tags.push(tag);
  }

  function child(node, name) {
    const next = node.next;
    if (next !== null && next.name === name) return next;
    let found = node.children.get(name);
    if (found === undefined) {
      if (++nodes > MAX_NODES) {
        root = new WriteNode(null, null);
        nodes = 0;
      }
      node.children.set(name, (found = new WriteNode(name, node)));
    }
    node.next = found;
    return found;
  }

  function memberName(bytes, p) {
    const n = bytes.length;
    if (out.capacity - p < n + SLACK) grow(n, p);
    const { u8 } = out;
    for (let i = 0; i < n; i++) u8[p + i] = bytes[i];
    return p + n;
  }

  function plain(o, site, p) {
    const keys = Object.keys(o);
    const n = keys.length;
    if (n > 65533) fail("struct-too-large");
    out.dv.setUint16(p, n, true);
    if (n > MAX_SHAPE) return wide(o, keys, site, p + 2);
    const end = members(root, o, keys, p + 2);
    const shape = lastNode.end();
    if (
      shape.write === null &&
      shape.compilable &&
      ++shape.uses >= COMPILE_AFTER &&
      state.compiled < MOST_COMPILED &&
      shape.fields.every((f) => f.tags.length > 0)
    ) {
      state.compiled++;
      shape.write = compilePlain(shape, runtime);
    }
    if (shape.write !== null) site.shape = shape;
    return end;
  }

  let lastNode = root;
  function members(from, o, keys, start) {
    let node = from;
    let p = start;
    for (let i = 0; i < keys.length; i++) {
      node = child(node, keys[i]);
      p = memberName(node.bytes, p);
      const v = o[keys[i]];
      if (node.tags.length < 4) record(node, v);
      p = any(v, node.site, p);
    }
    lastNode = node;
    if (out.capacity - p < SLACK) grow(0, p);
    return p;
  }

  function wide(o, keys, site, start) {
    const element = (site.element ??= new WriteSite());
    let p = start;
    for (let i = 0; i < keys.length; i++) p = any(o[keys[i]], element, string(keys[i], p));
    return p;
  }

  function constructed(writer, o, p) {
    const { ctor } = writer;
    const { dv } = out;
    dv.setUint16(p, 0xfffe, true);
    if (writer.epoch === state.epoch) {
      dv.setUint16(p + 2, writer.index, true);
      p += 4;
    } else {
      writer.epoch = state.epoch;
      writer.index = state.constructorCount++;
      dv.setUint16(p + 2, writer.index, true);
      p = memberName(writer.name, p + 4);
    }
    out.u8[p++] = ctor.verbose ? 0x80 | ctor.version : ctor.version;
    if (!ctor.verbose) return writer.strict(o, p);
    const shape = writer.site.shape;
    if (shape !== null) {
      const q = shape.write(o, p);
      if (q >= 0) return q;
    }
    return verbose(writer, o, p);
  }

  function verbose(writer, o, p) {
    const { ctor } = writer;
    const own = Object.keys(o);
    const all = ctor.verboseNames ?? own.filter((name) => !ctor.exclude.has(name));
    if (all.length > 65535) fail("struct-too-large");
    out.dv.setUint16(p, all.length, true);
    if (all.length > MAX_SHAPE) return wide(o, all, writer.site, p + 2);
    const end = members(writer.trie, o, all, p + 2);
    const shape = lastNode.end();
    // The compiled form enumerates the instance, so it serves exactly where all own members are written.
    const everything = all.length === own.length && all.every((name, i) => name === own[i]);
    if (
      everything &&
      shape.write === null &&
      shape.compilable &&
      ++shape.uses >= COMPILE_AFTER &&
      shape.fields.every((f) => f.tags.length > 0)
    )
      shape.write = compileVerbose(shape, runtime);
    if (everything && shape.write !== null) writer.site.shape = shape;
    return end;
  }

  /** The datatype code that `any` gives a value (formats/elephant.md §3.1). */
  function kind(v) {
    switch (typeof v) {
      case "number":
        return CODE.f64;
      case "string":
        return CODE.string;
      case "boolean":
        return CODE.bool;
      case "undefined":
      case "function":
        return UNDEFINED;
      case "bigint":
        return CODE.u64;
      case "object":
        if (v === null) return UNDEFINED;
        return isArray(v) || isView(v) || v instanceof ArrayBuffer ? ARRAY : STRUCT;
      default:
        return fail("datatype-not-recognised", typeof v);
    }
  }

  function any(v, site, p) {
    const code = kind(v);
    out.u8[p] = code;
    return payload(code, v, site, p + 1);
  }

  function payload(code, v, site, p) {
    switch (code) {
      case CODE.f64:
        f64(v, p);
        p += 8;
        break;
      case CODE.string:
        return string(v, p);
      case CODE.bool:
        out.u8[p++] = v ? 1 : 0;
        break;
      case CODE.u64:
        out.dv.setBigInt64(p, v, true);
        p += 8;
        break;
      case ARRAY:
        return isArray(v) ? array(v, site, p) : typed(v, p);
      case STRUCT:
        return struct(v, site, p);
    }
    if (out.capacity - p < SLACK) grow(0, p);
    return p;
  }

  function array(list, site, p) {
    if (identity) {
      const q = seenBefore(list, p);
      if (q >= 0) return q;
    }
    const n = list.length;
    if (n > 65534) fail("array-too-long");
    out.dv.setUint16(p, n, true);
    p += 2;
    if (n === 0) {
      if (out.capacity - p < SLACK) grow(0, p);
      return p;
    }
    const first = list[0];
    if (typeof first === "number") {
      const q = numbersOf(list, n, p);
      if (q >= 0) return q;
    } else if (typeof first === "string") {
      let i = 1;
      while (i < n && typeof list[i] === "string") i++;
      if (i === n) {
        out.u8[p++] = CODE.string;
        for (i = 0; i < n; i++) p = string(list[i], p);
        return p;
      }
    } else if (typeof first === "object" && first !== null && !isArray(first)) {
      let i = 0;
      for (; i < n; i++) {
        const v = list[i];
        if (typeof v !== "object" || v === null || isArray(v) || isView(v) || v instanceof ArrayBuffer) break;
      }
      if (i === n) {
        const element = (site.element ??= new WriteSite());
        out.u8[p++] = STRUCT;
        for (i = 0; i < n; i++) p = struct(list[i], element, p);
        return p;
      }
    }
    return elements(list, n, site, p);
  }

  /** An array of numbers from the datatype byte on, or -1 when something else is in it. */
  function numbersOf(list, n, p) {
    if (out.capacity - p < n * 8 + 1 + SLACK) grow(n * 8 + 1, p);
    const { dv } = out;
    out.u8[p++] = CODE.f64;
    for (let i = 0; i < n; i++) {
      const v = list[i];
      if (typeof v !== "number") return -1;
      if (Number.isNaN(v)) nan(p);
      else dv.setFloat64(p, v, true);
      p += 8;
    }
    return p;
  }

  function elements(list, n, site, p) {
    const common = kind(list[0]);
    let i = 1;
    while (i < n && kind(list[i]) === common) i++;
    const element = (site.element ??= new WriteSite());
    if (i === n) {
      out.u8[p++] = common;
      if (common !== UNDEFINED) for (i = 0; i < n; i++) p = payload(common, list[i], element, p);
      else if (out.capacity - p < SLACK) grow(0, p);
      return p;
    }
    out.u8[p++] = ANY;
    for (i = 0; i < n; i++) {
      const v = list[i];
      if (typeof v === "number") {
        if (out.capacity - p < SLACK) grow(0, p);
        out.u8[p] = CODE.f64;
        if (Number.isNaN(v)) nan(p + 1);
        else out.dv.setFloat64(p + 1, v, true);
        p += 9;
      } else if (typeof v === "string") {
        out.u8[p] = CODE.string;
        p = string(v, p + 1);
      } else p = any(v, element, p);
    }
    if (out.capacity - p < SLACK) grow(0, p);
    return p;
  }

  /** Typed arrays, DataView and ArrayBuffer: an array of the matching datatype. */
  function typed(view, p) {
    if (identity) {
      const q = seenBefore(view, p);
      if (q >= 0) return q;
    }
    const bytes = isView(view) ? new Uint8Array(view.buffer, view.byteOffset, view.byteLength) : new Uint8Array(view);
    const code = VIEW_CODES.get(view.constructor) ?? CODE.u8;
    const n = view.length ?? bytes.length;
    if (n > 65534) fail("array-too-long");
    if (out.capacity - p < bytes.length + 3 + SLACK) grow(bytes.length + 3, p);
    out.dv.setUint16(p, n, true);
    if (n === 0) return p + 2;
    out.u8[p + 2] = code;
    out.u8.set(bytes, p + 3);
    return p + 3 + bytes.length;
  }

  /** Writes the whole file into the output, returns its end. */
  function fill(value) {
    const { dv } = out;
    dv.setUint32(0, MAGIC, true);
    dv.setUint32(4, VERSION_1_5_1, true);
    const p = any(value, rootSite, 8);
    out.dv.setUint32(p, FOOTER, true);
    return p + 4;
  }

  /** Back to the state before a call; at its end, so that nothing of the graph is kept alive. */
  function reset() {
    if (state.count > 0) manyRepeated = repeated * 8 > state.count;
    repeated = 0;
    state.count = 0;
    state.constructorCount = 0;
    state.compiled = 0;
    state.epoch++;
    numbered = null;
    few.fill(undefined);
    // Emptying a set costs as much as a new one, and a new one lets the old be collected.
    if (seen.size > 0) seen = new ObjectSet(seen.size);
    if (numbers.size > 0) numbers = new Map();
  }

  /** @returns {Uint8Array} owned by the caller */
  function encode(value) {
    let end;
    try {
      end = fill(value);
    } catch (error) {
      if (!(error instanceof RangeError) || !/call stack/.test(error.message)) throw error;
      reset();
      return encodeDeep(value, { byPrototype, out, grow, string, kind, scalar, half: numberToHalf, identity });
    } finally {
      reset();
    }
    return finish(end);
  }

  return { encode };
}
