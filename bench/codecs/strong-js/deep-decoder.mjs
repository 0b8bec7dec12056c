// Decodes data that is nested too deeply for the native stack: the same format with a stack of frames of its own.
import { ANY, ARRAY, CODE, FLAG, FOOTER, fail, STRUCT, UNDEFINED } from "../elephant-format.mjs";
import { halfToNumber } from "./half.mjs";
import { Site } from "./string-reader.mjs";

const site = new Site();

export function decodeDeep(dv, constructors, strings, state) {
  const refs = [];
  const table = [];
  /** Frames: what is being filled, the next member or element, how many, the code or fields of them. */
  const frames = [];
  let p = 8;

  const string = () => {
    const s = strings.read(site, dv, p);
    p = state.p;
    return s;
  };
  const take = (width) => (p += width) - width;
  const define = (o, name, value) => {
    if (name === FLAG && value === undefined) return;
    Object.defineProperty(o, name, { value, writable: true, enumerable: true, configurable: true });
  };

  function open(code) {
    const head = dv.getUint16(take(2), true);
    if (head === 0xffff) {
      const index = dv.getUint16(take(2), true);
      return index < refs.length ? refs[index] : fail("bad-reference");
    }
    if (code === ARRAY) {
      const list = [];
      refs.push(list);
      if (head > 0) frames.push({ target: list, i: 0, n: head, code: dv.getUint8(take(1)), fields: null, name: "" });
      return list;
    }
    if (head < 0xfffe) {
      const o = {};
      refs.push(o);
      if (head > 0) frames.push({ target: o, i: 0, n: head, code: ANY, fields: null, name: "" });
      return o;
    }
    const index = dv.getUint16(take(2), true);
    table[index] ??= constructors.get(string()) ?? fail("unknown-constructor");
    const ctor = table[index];
    const version = dv.getUint8(take(1));
    const o = new ctor.class();
    refs.push(o);
    if (version > 127) {
      const n = dv.getUint16(take(2), true);
      if (n > 0) frames.push({ target: o, i: 0, n, code: ANY, fields: null, name: "" });
      return o;
    }
    const all = ctor.strictByVersion.get(version) ?? fail(ctor.hasSchema ? "schema-version-missing" : "schema-missing");
    const skipped = new Set();
    for (let k = dv.getUint16(take(2), true); k !== 0; k = dv.getUint16(take(2), true))
      skipped.add(k <= all.length ? k - 1 : fail("bad-skip-index"));
    const fields = all.filter((_, k) => !skipped.has(k));
    if (fields.length > 0) frames.push({ target: o, i: 0, n: fields.length, code: ANY, fields, name: "" });
    return o;
  }

  function value(code) {
    for (let steps = 0; code === ANY; steps++) code = steps < 1000 ? dv.getUint8(take(1)) : fail("depth-limit");
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
      case UNDEFINED:
        return undefined;
      case ARRAY:
      case STRUCT:
        return open(code);
      default:
        return fail("unknown-datatype");
    }
  }

  const result = value(ANY);
  while (frames.length > 0) {
    const frame = frames[frames.length - 1];
    if (frame.i === frame.n) {
      frames.pop();
      continue;
    }
    const i = frame.i++;
    // A container is linked to its parent before it is filled, which is all that a cycle needs.
    if (Array.isArray(frame.target)) frame.target.push(value(frame.code));
    else if (frame.fields !== null) define(frame.target, frame.fields[i].name, value(frame.fields[i].code));
    else {
      const name = string();
      define(frame.target, name, value(frame.code));
    }
  }
  if (dv.getUint32(p, true) !== FOOTER) fail("footer");
  return result;
}
