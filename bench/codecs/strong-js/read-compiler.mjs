// Generates the reading functions of frequent shapes and of strict schemas.
//
// A compiled reader compares member names (and a member's only tag) as little-endian constants, reads values in place and
// ends in an object literal, so that the engine allocates the object at once in its final form.
import { ANY, ARRAY, CODE, STRUCT, UNDEFINED } from "../elephant-format.mjs";

/** Condition that `bytes` stand at p. */
function bytesAt(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tests = [];
  let i = 0;
  for (; i + 4 <= bytes.length; i += 4) tests.push(`dv.getInt32(p + ${i}, true) === ${view.getInt32(i, true)}`);
  const rest = bytes.length - i;
  if (rest === 1) tests.push(`u8[p + ${i}] === ${bytes[i]}`);
  if (rest === 2) tests.push(`dv.getUint16(p + ${i}, true) === ${view.getUint16(i, true)}`);
  if (rest === 3) tests.push(`(dv.getInt32(p + ${i}, true) & 0xffffff) === ${bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16)}`);
  return tests.join(" && ");
}

/** Statements that read the payload of `tag` at p + skip into `v` and advance p. */
function readPayload(tag, v, site, skip, fraction) {
  switch (tag) {
    case CODE.f64:
      return fraction
        ? `${v} = dv.getFloat64(p + ${skip}, true); p += ${skip + 8};`
        : `d = dv.getFloat64(p + ${skip}, true); i = d | 0; ${v} = i === d && (i !== 0 || dv.getInt32(p + ${skip + 4}, true) === 0) ? i : d; p += ${skip + 8};`;
    case CODE.string:
    case CODE.text:
      return `${v} = string(${site}, dv, p + ${skip}); p = state.p;`;
    case CODE.bool:
      return `${v} = u8[p + ${skip}] === 1; p += ${skip + 1};`;
    case UNDEFINED:
      return `${v} = undefined; p += ${skip};`;
    case STRUCT:
      return `${v} = struct(${site}, dv, u8, p + ${skip}); p = state.p;`;
    case ARRAY:
      return `${v} = array(${site}, dv, u8, p + ${skip}); p = state.p;`;
    case ANY:
      return `${v} = value(u8[p + ${skip}], ${site}, dv, u8, p + ${skip + 1}); p = state.p;`;
    case CODE.u8:
      return `${v} = u8[p + ${skip}]; p += ${skip + 1};`;
    case CODE.s8:
      return `${v} = dv.getInt8(p + ${skip}); p += ${skip + 1};`;
    case CODE.u16:
      return `${v} = dv.getUint16(p + ${skip}, true); p += ${skip + 2};`;
    case CODE.s16:
      return `${v} = dv.getInt16(p + ${skip}, true); p += ${skip + 2};`;
    case CODE.u32:
      return `${v} = dv.getUint32(p + ${skip}, true); p += ${skip + 4};`;
    case CODE.s32:
      return `${v} = dv.getInt32(p + ${skip}, true); p += ${skip + 4};`;
    case CODE.f32:
      return `${v} = dv.getFloat32(p + ${skip}, true); p += ${skip + 4};`;
    default:
      return `${v} = value(${tag}, ${site}, dv, u8, p + ${skip}); p = state.p;`;
  }
}

function setMember(name, v) {
  return name === "__proto__"
    ? `Object.defineProperty(o, "__proto__", { value: ${v}, writable: true, enumerable: true, configurable: true });`
    : `o[${JSON.stringify(name)}] = ${v};`;
}

/** One member: its name is verified, its value read into `v`; a wrong name leaves through `miss`. */
function readMember(k, node, v, miss) {
  const site = `s${k}`;
  const tags = node.tags.filter((t, i) => node.tags.indexOf(t) === i);
  const otherwise = `else if (nameMatches(f${k}, dv, p)) { ${v} = value(u8[p + ${node.length}], ${site}, dv, u8, p + ${node.length + 1}); p = state.p; } else ${miss}`;
  if (tags.length === 1) {
    const bytes = new Uint8Array(node.length + 1);
    bytes.set(node.bytes);
    bytes[node.length] = tags[0];
    return `if (${bytesAt(bytes)}) { ${readPayload(tags[0], v, site, bytes.length, node.fraction)} } ${otherwise}`;
  }
  const cases = tags.map((t) => `if (t === ${t}) { ${readPayload(t, v, site, node.length + 1, node.fraction)} }`);
  const any = `{ ${v} = value(t, ${site}, dv, u8, p + ${node.length + 1}); p = state.p; }`;
  return `if (${bytesAt(node.bytes)}) { t = u8[p + ${node.length}]; ${[...cases, any].join(" else ")} } else ${miss}`;
}

function build(runtime, fields, body) {
  const sites = fields.map((f) => f.site);
  const head = fields.map((_, k) => `const s${k} = sites[${k}], f${k} = fields[${k}];`).join("\n");
  const names = Object.keys(runtime);
  const make = new Function(...names, "fields", "sites", `"use strict";\n${head}\nreturn ${body};`);
  return make(...names.map((n) => runtime[n]), fields, sites);
}

/** An object literal; `value`: the text of the k-th member's value. */
function literalOf(names, value) {
  const members = names.map((name, k) => `${name === "__proto__" ? '["__proto__"]' : JSON.stringify(name)}: ${value(k)}`);
  return `{ ${members.join(", ")} }`;
}

/** `(dv, u8, p, number, site) => object` for a plain struct of this shape; p stands behind the member count. */
export function compileLiteral(shape, runtime) {
  const lines = [];
  const values = shape.fields.map((_, k) => `v${k}`);
  shape.fields.forEach((node, k) => {
    lines.push(readMember(k, node, `v${k}`, `return miss(shape, ${k}, [${values.slice(0, k).join(", ")}], dv, u8, p, number, site);`));
  });
  const body = `function read(dv, u8, p, number, site) {
    let t = 0, i = 0, d = 0${values.map((v) => `, ${v}`).join("")};
    ${lines.join("\n    ")}
    state.p = p;
    const o = ${literalOf(shape.names, (k) => `v${k}`)};
    if (number < 65536) refs[number] = o;
    return o;
  }`;
  return build({ ...runtime, shape }, shape.fields, body);
}

/** `(values, base) => object`: a plain struct of the values from `base` on. */
export function compileMaker(names) {
  return new Function("values", "base", `"use strict";\nreturn ${literalOf(names, (k) => `values[base + ${k}]`)};`);
}

/** `(dv, u8, p, o) => o`: the same members assigned to an object that exists already. */
export function compileInto(shape, runtime, dropped) {
  const lines = shape.fields.map((node, k) => {
    const read = readMember(k, node, "v", `return missInto(shape, ${k}, dv, u8, p, o);`);
    return `${read}\n    ${node.name === dropped ? "if (v !== undefined) " : ""}${setMember(node.name, "v")}`;
  });
  const body = `function readInto(dv, u8, p, o) {
    let t = 0, i = 0, d = 0, v;
    ${lines.join("\n    ")}
    state.p = p;
    return o;
  }`;
  return build({ ...runtime, shape }, shape.fields, body);
}

/**
 * `(dv, u8, p) => instance` for the strict fields of one schema version; p stands at the skip list. The constructor is a
 * constant here, so that the engine inlines it.
 */
export function compileStrict(fields, Class, runtime) {
  const lines = fields.map((f, k) => `${readPayload(f.code, "v", `s${k}`, 0, true)} ${setMember(f.name, "v")}`);
  const body = `function readStrict(dv, u8, p) {
    const number = state.count++;
    const o = new Class();
    if (number < 65536) refs[number] = o;
    if (dv.getUint16(p, true) !== 0) return readSkipping(fields, dv, u8, p, o);
    p += 2;
    let v;
    ${lines.join("\n    ")}
    state.p = p;
    return o;
  }`;
  return build({ ...runtime, Class }, fields, body);
}
