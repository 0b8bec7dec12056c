// Encodes graphs that are nested too deeply for the native stack: the same bytes with a stack of frames of its own.
import { ANY, ARRAY, CODE, FOOTER, fail, MAGIC, STRUCT, UNDEFINED, VERSION_1_5_1 } from "../elephant-format.mjs";
import { SLACK } from "./output.mjs";

export function encodeDeep(value, { byPrototype, out, grow, string, kind, scalar, half, identity }) {
  const numbers = new Map();
  const indices = new Map();
  /** Frames: the values still to write, their codes or null, their names or null. */
  const frames = [];
  let count = 0;
  let p = 8;

  const room = (n) => {
    if (out.capacity - p < n + SLACK) grow(n, p);
  };
  const u16 = (v) => {
    room(2);
    out.dv.setUint16(p, v, true);
    p += 2;
  };
  const u8 = (v) => {
    room(1);
    out.u8[p++] = v;
  };

  function open(code, v) {
    if (identity && numbers.has(v)) {
      u16(0xffff);
      u16(numbers.get(v) > 0xffff ? fail("reference-index-overflow") : numbers.get(v));
      return;
    }
    if (identity) numbers.set(v, count++);
    if (code === ARRAY) {
      const list = Array.isArray(v) ? v : Array.from(v);
      if (list.length > 65534) fail("array-too-long");
      u16(list.length);
      if (list.length === 0) return;
      const first = kind(list[0]);
      const common = list.every((x) => kind(x) === first) ? first : ANY;
      u8(common);
      if (common !== UNDEFINED) frames.push({ values: list, i: 0, code: common, fields: null, names: null });
      return;
    }
    const prototype = Object.getPrototypeOf(v);
    let names = Object.keys(v);
    if (prototype !== Object.prototype && prototype !== null) {
      const { ctor } = byPrototype.get(prototype) ?? fail("datatype-not-recognised");
      u16(0xfffe);
      const known = indices.get(ctor);
      u16(known ?? indices.size);
      if (known === undefined) {
        indices.set(ctor, indices.size);
        p = string(ctor.name, p);
      }
      u8(ctor.verbose ? 0x80 | ctor.version : ctor.version);
      if (!ctor.verbose) {
        u16(0);
        const fields = ctor.strictByVersion.get(ctor.version);
        frames.push({ values: fields.map((f) => v[f.name]), i: 0, code: ANY, fields, names: null });
        return;
      }
      names = ctor.verboseNames ?? names.filter((n) => !ctor.exclude.has(n));
    } else if (names.length > 65533) fail("struct-too-large");
    u16(names.length);
    frames.push({ values: names.map((n) => v[n]), i: 0, code: ANY, fields: null, names });
  }

  function write(code, v) {
    if (code === ANY) u8((code = kind(v)));
    room(8);
    const { dv } = out;
    switch (code) {
      case CODE.u8:
      case CODE.s8:
        u8(Number(v));
        break;
      case CODE.u16:
      case CODE.s16:
        u16(Number(v));
        break;
      case CODE.u32:
      case CODE.s32:
        dv.setInt32(p, Number(v), true);
        p += 4;
        break;
      case CODE.f16:
        u16(half(Number(v)));
        break;
      case CODE.f32:
        dv.setFloat32(p, Number(v), true);
        p += 4;
        break;
      case CODE.f64:
        if (Number.isNaN(v)) dv.setBigUint64(p, 0x7ff8000000000000n, true);
        else dv.setFloat64(p, Number(v), true);
        p += 8;
        break;
      case CODE.bool:
        u8(v ? 1 : 0);
        break;
      case CODE.string:
      case CODE.text:
        p = string(v, p);
        break;
      case CODE.u64:
        dv.setBigInt64(p, scalar(v, code, ""), true);
        p += 8;
        break;
      case ARRAY:
      case STRUCT:
        if (kind(v) !== code) fail(code === ARRAY ? "not-an-array" : "not-a-struct");
        open(code, v);
    }
  }

  out.dv.setUint32(0, MAGIC, true);
  out.dv.setUint32(4, VERSION_1_5_1, true);
  write(ANY, value);
  while (frames.length > 0) {
    const frame = frames[frames.length - 1];
    if (frame.i === frame.values.length) {
      frames.pop();
      continue;
    }
    const i = frame.i++;
    if (frame.names !== null) p = string(frame.names[i], p);
    write(frame.fields !== null ? frame.fields[i].code : frame.code, frame.values[i]);
  }
  room(4);
  out.dv.setUint32(p, FOOTER, true);
  return out.u8.slice(0, p + 4);
}
