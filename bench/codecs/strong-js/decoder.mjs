// The strong decoder: Elephant 1.5.x bytes to objects, predicting every struct's shape from the place where it stands.
//
// Recursion is the native stack's; data nested too deeply for it is decoded once more by the iterative decoder (deep-decoder.mjs).
import {
  ANY,
  ARRAY,
  CODE,
  ElephantError,
  FLAG,
  FOOTER,
  fail,
  MAGIC,
  STRUCT,
  UNDEFINED,
  VERSION_1_5_0,
  VERSION_1_5_1,
} from "../elephant-format.mjs";
import { decodeDeep } from "./deep-decoder.mjs";
import { halfToNumber } from "./half.mjs";
import { compileInto, compileLiteral, compileStrict } from "./read-compiler.mjs";
import { nameMatches, TrieNode } from "./shape-trie.mjs";
import { createStringReader, Site } from "./string-reader.mjs";
import { createWideReader } from "./wide-reader.mjs";

const nodeBuffer = globalThis.Buffer;
/** A shape is compiled when it has been seen this often; fewer uses do not pay for the compilation. */
const COMPILE_AFTER = 24;
/** And so many in one call, so that thousands of shapes that come once in a file do not get their functions in the same one. */
const MOST_COMPILED = 64;
/** Plain structs with more members are read in a loop (wide-reader.mjs); instances with more are dictionaries. */
const MAX_COMPILED = 64;
/** Structs with more members are dictionaries rather than shapes. */
const MAX_SHAPE = 160;
/** References cannot mean more containers than this (u16, formats/elephant.md §7). */
const MAX_REFERENCE = 65536;
/** Bound of the trie, so that files with endless new names do not fill the memory. */
const MAX_NODES = 50000;
const STARTS = 1024;
/** Saves with more containers are large. */
const LARGE = 1024;

const INTEGERS = Array.from({ length: 65535 }, () => 0);
const DOUBLES = Array.from({ length: 65535 }, () => 0.5);
const OBJECTS = Array.from({ length: 65535 }, () => undefined);

/** Thrown when a reference means a plain struct whose literal does not exist yet. */
const OPEN_REFERENCE = new Error("open reference");

/**
 * @param {Map<string, ReturnType<import("../elephant-format.mjs").resolveConstructor>>} constructors
 * @param {{ typedArrays?: boolean }} options
 */
export function createDecoder(constructors, options = {}) {
  const typedArrays = options.typedArrays === true;
  const state = { p: 0, count: 0, allocateFirst: false, sawOpen: false, compiled: 0, top: 0 };
  const strings = createStringReader(state);
  const string = strings.read;
  const refs = new Array(MAX_REFERENCE).fill(undefined);
  /** The values of structs that have no object yet, up to `state.top`. */
  const stack = [];
  let root = new TrieNode(null, null);
  let nodes = 0;
  const nameSite = new Site();
  const rootSite = new Site();
  /** Compiled shapes by member count and first bytes: the second guess where a site's prediction fails. */
  const starts = new Array(STARTS).fill(null);
  /** Constructors of the current file by index. */
  let table = [];
  /** Per registered constructor: trie of verbose members, compiled strict readers. */
  const readers = new Map();
  /** An instance of each class that a large save had, without what it holds. */
  const kept = new Map();

  const runtime = {
    state,
    refs,
    stack,
    string,
    struct: readStruct,
    array: readArray,
    value: readValue,
    nameMatches,
    miss,
    claim,
    resume,
    missInto,
    readSkipping,
  };

  function number(dv, p) {
    const d = dv.getFloat64(p, true);
    const i = d | 0;
    return i === d && (i !== 0 || dv.getInt32(p + 4, true) === 0) ? i : d;
  }

  function readValue(tag, site, dv, u8, p) {
    switch (tag) {
      case CODE.f64:
        state.p = p + 8;
        return number(dv, p);
      case CODE.string:
      case CODE.text:
        return string(site, dv, p);
      case CODE.bool:
        state.p = p + 1;
        return u8[p] === 1;
      case UNDEFINED:
        state.p = p;
        return undefined;
      case STRUCT:
        return readStruct(site, dv, u8, p);
      case ARRAY:
        return readArray(site, dv, u8, p);
      case CODE.u8:
        state.p = p + 1;
        return dv.getUint8(p);
      case CODE.s8:
        state.p = p + 1;
        return dv.getInt8(p);
      case CODE.u16:
        state.p = p + 2;
        return dv.getUint16(p, true);
      case CODE.s16:
        state.p = p + 2;
        return dv.getInt16(p, true);
      case CODE.u32:
        state.p = p + 4;
        return dv.getUint32(p, true);
      case CODE.s32:
        state.p = p + 4;
        return dv.getInt32(p, true);
      case CODE.f16:
        state.p = p + 2;
        return halfToNumber(dv.getUint16(p, true));
      case CODE.f32:
        state.p = p + 4;
        return dv.getFloat32(p, true);
      case CODE.u64:
        state.p = p + 8;
        return dv.getBigInt64(p, true);
      case ANY: {
        let q = p;
        while (u8[q] === ANY) if (++q - p > 1000) fail("depth-limit");
        return readValue(u8[q], site, dv, u8, q + 1);
      }
      case undefined:
        return fail("truncated");
      default:
        return fail("unknown-datatype", `datatype ${tag} before byte ${p}`);
    }
  }

  function reference(dv, p) {
    const index = dv.getUint16(p, true);
    state.p = p + 2;
    if (index >= state.count) fail("bad-reference");
    const target = refs[index];
    if (target === undefined) {
      state.sawOpen = true;
      throw OPEN_REFERENCE;
    }
    return target;
  }

  function readStruct(site, dv, u8, p) {
    const n = dv.getUint16(p, true);
    if (n < 0xfffe) {
      const number = state.count++;
      const shape = site.shape;
      if (state.allocateFirst) return readAllocated(site, n, dv, u8, p + 2, number);
      if (shape !== null && shape.n === n) return shape.read(dv, u8, p + 2, number, site);
      return unpredicted(site, null, n, dv, u8, p + 2, number);
    }
    if (n === 0xffff) return reference(dv, p + 2);
    return readConstructed(dv, u8, p + 2);
  }

  function startSlot(n, dv, p) {
    return Math.imul(dv.getInt32(p, true) ^ Math.imul(n, 0x9e3779b1), 0x5bd1e995) >>> 22;
  }

  function unpredicted(site, failed, n, dv, u8, p, number) {
    if (n > MAX_SHAPE) return readDictionary(site, {}, n, dv, u8, p, number);
    if (n > 0) {
      const guess = starts[startSlot(n, dv, p)];
      if (guess !== null && guess !== failed && guess.n === n && nameMatches(guess.fields[0], dv, p))
        return guess.read(dv, u8, p, number, site);
    }
    return resume(root, 0, n, claim(n), dv, u8, p, number, site);
  }

  /** Places for the values of one struct. @returns {number} the first */
  function claim(n) {
    const base = state.top;
    state.top += n;
    // One after another, because a gap would make a hash table of the array.
    while (stack.length < state.top) stack.push(undefined);
    return base;
  }

  /** A compiled reader found another name than its k-th. */
  function miss(shape, k, values, dv, u8, p, number, site) {
    if (k === 0) return unpredicted(site, shape, shape.n, dv, u8, p, number);
    const base = claim(shape.n);
    for (let i = 0; i < k; i++) stack[base + i] = values[i];
    return resume(shape.fields[k - 1], k, shape.n, base, dv, u8, p, number, site);
  }

  function step(node, dv, p) {
    const next = node.next;
    if (next !== null && nameMatches(next, dv, p)) {
      state.p = p + next.length;
      return next;
    }
    const name = string(nameSite, dv, p);
    let child = node.children.get(name);
    if (child === undefined) {
      if (++nodes > MAX_NODES) {
        root = new TrieNode(null, null);
        nodes = 0;
      }
      child = node.child(name);
    }
    node.next = child;
    return child;
  }

  /** Follows the trie from the k-th member on; the values so far stand on the stack from `base`, where there is room for all. */
  function resume(from, k, n, base, dv, u8, start, number, site) {
    let node = from;
    let p = start;
    for (; k < n; k++) {
      node = step(node, dv, p);
      const tag = u8[state.p];
      stack[base + k] = memberValue(node, tag, dv, u8, state.p + 1);
      p = state.p;
    }
    state.p = p;
    const shape = node.end();
    const o = shape.make === null ? assigned(shape.names, stack, base) : shape.make(stack, base);
    state.top = base;
    if (number < MAX_REFERENCE) refs[number] = o;
    if (shape.read === null) {
      if (n > 0 && ++shape.uses >= COMPILE_AFTER && state.compiled < MOST_COMPILED) {
        state.compiled++;
        shape.read = n > MAX_COMPILED ? createWideReader(shape, runtime) : compileLiteral(shape, runtime);
      }
    }
    if (shape.read !== null) {
      site.shape = shape;
      starts[startSlot(n, shape.startView, 0)] = shape;
    }
    return o;
  }

  function memberValue(node, tag, dv, u8, p) {
    if (node.tags.length < 4 && !node.tags.includes(tag)) node.tags.push(tag);
    if (tag === CODE.f64) {
      state.p = p + 8;
      const d = number(dv, p);
      if (!node.fraction && !Number.isInteger(d)) node.fraction = true;
      return d;
    }
    return readValue(tag, node.site, dv, u8, p);
  }

  /** Members in any number onto an object, without shapes. */
  function readDictionary(site, o, n, dv, u8, start, number) {
    if (number < MAX_REFERENCE) refs[number] = o;
    const element = (site.element ??= new Site());
    let p = start;
    for (let k = 0; k < n; k++) {
      const name = string(nameSite, dv, p);
      setMember(o, name, readValue(u8[state.p], element, dv, u8, state.p + 1));
      p = state.p;
    }
    state.p = p;
    return o;
  }

  /** Plain structs of files with cycles through them: the object exists before its members. */
  function readAllocated(site, n, dv, u8, p, number) {
    const o = {};
    if (n > MAX_COMPILED) return readDictionary(site, o, n, dv, u8, p, number);
    if (number < MAX_REFERENCE) refs[number] = o;
    return readMembers(site, root, o, n, dv, u8, p);
  }

  /** Members onto an object through the trie and, once compiled, the predicted shape of the site. */
  function readMembers(site, trie, o, n, dv, u8, p) {
    const shape = site.shape;
    if (shape !== null && shape.n === n && shape.readInto !== null) return shape.readInto(dv, u8, p, o);
    return resumeInto(trie, 0, n, dv, u8, p, o, site);
  }

  function missInto(shape, k, dv, u8, p, o) {
    let trie = shape.fields[0].parent;
    if (k > 0) trie = shape.fields[k - 1];
    return resumeInto(trie, k, shape.n, dv, u8, p, o, null);
  }

  function resumeInto(from, k, n, dv, u8, start, o, site) {
    let node = from;
    let p = start;
    for (; k < n; k++) {
      node = step(node, dv, p);
      const v = memberValue(node, u8[state.p], dv, u8, state.p + 1);
      if (v !== undefined || node.name !== FLAG) setMember(o, node.name, v);
      p = state.p;
    }
    state.p = p;
    if (n === 0) return o;
    const shape = node.end();
    if (shape.readInto === null && ++shape.uses >= COMPILE_AFTER) {
      shape.readInto = compileInto(shape, runtime, FLAG);
      shape.read ??= compileLiteral(shape, runtime);
      // Engines drop that code, too, once a collection finds none of the structs.
      if (Object.getPrototypeOf(o) === Object.prototype) shape.kept = likeness(Object, o);
    }
    if (shape.readInto !== null && site !== null) site.shape = shape;
    return o;
  }

  function readConstructed(dv, u8, p) {
    const index = dv.getUint16(p, true);
    p += 2;
    let reader = table[index];
    if (reader === undefined) {
      const name = string(nameSite, dv, p);
      p = state.p;
      reader = readers.get(name);
      if (reader === undefined) {
        const ctor = constructors.get(name) ?? fail("unknown-constructor", name);
        reader = { ctor, Class: ctor.class, strict: new Array(128).fill(null), trie: new TrieNode(null, null), site: new Site() };
        readers.set(name, reader);
      }
      table[index] = reader;
    }
    const version = u8[p++];
    if (version < 128) return (reader.strict[version] ?? prepareStrict(reader, version))(dv, u8, p);
    const o = new reader.Class();
    const number = state.count++;
    if (number < MAX_REFERENCE) refs[number] = o;
    const n = dv.getUint16(p, true);
    if (n > MAX_COMPILED) return readDictionary(reader.site, o, n, dv, u8, p + 2, number);
    return readMembers(reader.site, reader.trie, o, n, dv, u8, p + 2);
  }

  function prepareStrict(reader, version) {
    const { ctor } = reader;
    if (!ctor.hasSchema) fail("schema-missing", ctor.name);
    const fields = ctor.strictByVersion.get(version) ?? fail("schema-version-missing", `${ctor.name} v${version}`);
    const sites = fields.map((f) => ({ ...f, site: new Site() }));
    return (reader.strict[version] = compileStrict(sites, reader.Class, runtime));
  }

  /** Strict fields with a skip list (formats/elephant.md §9). */
  function readSkipping(fields, dv, u8, start, o) {
    const skipped = new Set();
    let p = start;
    for (;;) {
      const position = dv.getUint16(p, true);
      p += 2;
      if (position === 0) break;
      if (position > fields.length) fail("bad-skip-index");
      skipped.add(position - 1);
    }
    state.p = p;
    for (let k = 0; k < fields.length; k++)
      if (!skipped.has(k)) setMember(o, fields[k].name, readValue(fields[k].code, fields[k].site, dv, u8, state.p));
    return o;
  }

  function readArray(site, dv, u8, start) {
    const n = dv.getUint16(start, true);
    let p = start + 2;
    if (n === 0xffff) return reference(dv, p);
    const number = state.count++;
    if (n === 0) {
      const empty = [];
      if (number < MAX_REFERENCE) refs[number] = empty;
      state.p = p;
      return empty;
    }
    const code = u8[p++];
    if (code === CODE.f64 && !typedArrays) {
      const list = readNumbers(n, dv, p);
      if (number < MAX_REFERENCE) refs[number] = list;
      return list;
    }
    if (typedArrays && code < CODE.bool && code !== CODE.f16) {
      const typed = readTyped(code, n, dv, p);
      if (number < MAX_REFERENCE) refs[number] = typed;
      return typed;
    }
    const list = OBJECTS.slice(0, n);
    if (number < MAX_REFERENCE) refs[number] = list;
    const element = (site.element ??= new Site());
    switch (code) {
      case STRUCT:
        for (let i = 0; i < n; i++) {
          list[i] = readStruct(element, dv, u8, p);
          p = state.p;
        }
        break;
      case CODE.string:
        strings.readList(list, n, element, dv, p);
        p = state.p;
        break;
      case ANY:
        for (let i = 0; i < n; i++) {
          const tag = u8[p];
          if (tag === CODE.f64) {
            const d = dv.getFloat64(p + 1, true);
            const j = d | 0;
            list[i] = j === d && (j !== 0 || dv.getInt32(p + 5, true) === 0) ? j : d;
            p += 9;
          } else if (tag === CODE.string) {
            list[i] = string(element, dv, p + 1);
            p = state.p;
          } else if (tag === UNDEFINED) {
            p++;
          } else if (tag === CODE.bool) {
            list[i] = u8[p + 1] === 1;
            p += 2;
          } else {
            list[i] = readValue(tag, element, dv, u8, p + 1);
            p = state.p;
          }
        }
        break;
      case UNDEFINED:
        break;
      default:
        for (let i = 0; i < n; i++) {
          list[i] = readValue(code, element, dv, u8, p);
          p = state.p;
        }
    }
    state.p = p;
    return list;
  }

  function readNumbers(n, dv, start) {
    state.p = start + n * 8;
    const list = INTEGERS.slice(0, n);
    let p = start;
    let i = 0;
    for (; i < n; i++) {
      const d = dv.getFloat64(p, true);
      const j = d | 0;
      if (j !== d || (j === 0 && dv.getInt32(p + 4, true) !== 0)) break;
      list[i] = j;
      p += 8;
    }
    return i === n ? list : readDoubles(n, dv, start);
  }

  function readDoubles(n, dv, start) {
    const list = DOUBLES.slice(0, n);
    let p = start;
    for (let i = 0; i < n; i++) {
      list[i] = dv.getFloat64(p, true);
      p += 8;
    }
    return list;
  }

  const TYPED = [null, Uint8Array, Int8Array, Uint16Array, Int16Array, Uint32Array, Int32Array, null, Float32Array, Float64Array];
  function readTyped(code, n, dv, p) {
    const Typed = TYPED[code];
    const size = n * Typed.BYTES_PER_ELEMENT;
    if (size > dv.byteLength - p) fail("truncated");
    state.p = p + size;
    const at = dv.byteOffset + p;
    // A buffer's slice is cleared before it is filled; Node's own memory is not.
    if (nodeBuffer === undefined) return new Typed(dv.buffer.slice(at, at + size));
    const copy = nodeBuffer.allocUnsafeSlow(size);
    copy.set(new Uint8Array(dv.buffer, at, size));
    return new Typed(copy.buffer);
  }

  function header(dv) {
    if (dv.byteLength < 8) fail("truncated");
    if (dv.getUint32(0, true) !== MAGIC) fail("header");
    const version = dv.getUint32(4, true);
    if (version !== VERSION_1_5_1 && version !== VERSION_1_5_0) fail("version");
  }

  /** One pass over the file. @returns {{ value: unknown, end: number }} */
  function pass(u8, dv) {
    state.p = 8;
    state.count = 0;
    table = [];
    const value = readValue(u8[8], rootSite, dv, u8, 9);
    if (dv.getUint32(state.p, true) !== FOOTER) fail("footer");
    keepInstances();
    return value;
  }

  /**
   * Engines drop all code that knows what a class's instances look like once a collection finds none of them, so one of each stays, with its numbers: a program
   * that lets go of a save before it reads the next would wait twice as long.
   */
  function keepInstances() {
    if (state.count < LARGE) return;
    // By prototype, those that have not been found yet.
    const left = new Map();
    for (const { Class } of readers.values()) left.set(Class.prototype, Class);
    for (let i = 0; left.size > 0 && i < Math.min(state.count, MAX_REFERENCE); i += 1 + (i >> 7)) {
      const prototype = Object.getPrototypeOf(refs[i]);
      const Class = left.get(prototype);
      if (!Class) continue;
      left.delete(prototype);
      kept.set(Class, likeness(Class, refs[i]));
    }
  }

  function clean() {
    refs.fill(undefined, 0, Math.min(state.count, MAX_REFERENCE));
    stack.length = 0;
    state.top = 0;
    strings.end();
  }

  /** @param {Uint8Array} bytes */
  function decode(bytes) {
    const dv = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    header(dv);
    state.sawOpen = false;
    state.compiled = 0;
    try {
      strings.begin(bytes);
      return pass(bytes, dv);
    } catch (error) {
      if (error instanceof ElephantError) throw error;
      if (error !== OPEN_REFERENCE && !(error instanceof RangeError)) throw error;
      if (error !== OPEN_REFERENCE && !/call stack/.test(error.message)) fail("truncated");
      clean();
      strings.begin(bytes);
      if (error === OPEN_REFERENCE) {
        state.allocateFirst = true;
        try {
          return pass(bytes, dv);
        } catch (second) {
          if (!(second instanceof RangeError)) throw second;
          if (!/call stack/.test(second.message)) fail("truncated");
        } finally {
          state.allocateFirst = false;
        }
        clean();
        strings.begin(bytes);
      }
      return decodeDeep(dv, constructors, strings, state);
    } finally {
      clean();
    }
  }

  return { decode };
}

/** A struct of the values from `base` on. */
function assigned(names, values, base) {
  const o = {};
  for (let i = 0; i < names.length; i++) setMember(o, names[i], values[base + i]);
  return o;
}

function likeness(Class, example) {
  const o = new Class();
  for (const [name, value] of Object.entries(example)) {
    if (typeof value === "number") setMember(o, name, value);
    else if (!Object.hasOwn(o, name)) setMember(o, name, undefined);
  }
  return o;
}

function setMember(o, name, value) {
  if (name === "__proto__") Object.defineProperty(o, name, { value, writable: true, enumerable: true, configurable: true });
  else o[name] = value;
}
