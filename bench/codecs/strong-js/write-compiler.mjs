// Generates the writing functions of frequent shapes and of strict schemas: constant bytes as little-endian words, values
// stored behind them. A word may reach beyond its constant bytes, because what follows is written afterwards.
import { ANY, ARRAY, CODE, STRUCT, UNDEFINED } from "../elephant-format.mjs";

function storeBytes(bytes) {
  const padded = new Uint8Array((bytes.length + 3) & ~3);
  padded.set(bytes);
  return Array.from(new Int32Array(padded.buffer), (word, i) => `dv.setInt32(p + ${i * 4}, ${word}, true);`).join(" ");
}

const RELOAD = "dv = out.dv; u8 = out.u8;";

/** Condition and statements per tag: v is stored behind `skip` bytes (names and tag stand before). */
function writeTagged(tag, k, skip) {
  switch (tag) {
    case CODE.f64:
      return [`typeof v === "number"`, `if (v === v) dv.setFloat64(p + ${skip}, v, true); else nan(p + ${skip}); p += ${skip + 8};`];
    case CODE.string:
      return [`typeof v === "string"`, `p = string(v, p + ${skip}); ${RELOAD}`];
    case CODE.bool:
      return [`typeof v === "boolean"`, `u8[p + ${skip}] = v ? 1 : 0; p += ${skip + 1};`];
    case UNDEFINED:
      return ["v === undefined", `p += ${skip};`];
    case ARRAY:
      return ["isArray(v)", `p = array(v, s${k}, p + ${skip}); ${RELOAD}`];
    case STRUCT:
      return [`typeof v === "object" && v !== null && !isArray(v) && !isView(v)`, `p = struct(v, s${k}, p + ${skip}); ${RELOAD}`];
    default:
      return ["false", ""];
  }
}

function writeMember(node, k) {
  const L = node.bytes.length;
  const tags = node.tags;
  const first = new Uint8Array(L + 1);
  first.set(node.bytes);
  first[L] = tags[0];
  const lines = [`v = o[${JSON.stringify(node.name)}]; ${storeBytes(first)}`];
  tags.forEach((tag, i) => {
    const [condition, store] = writeTagged(tag, k, L + 1);
    lines.push(`${i > 0 ? "else " : ""}if (${condition}) { ${i > 0 ? `u8[p + ${L}] = ${tag};` : ""} ${store} }`);
  });
  lines.push(`else { p = any(v, s${k}, p + ${L}); ${RELOAD} }`);
  return lines.join(" ");
}

function build(runtime, sites, body) {
  const names = Object.keys(runtime);
  const head = sites.map((_, k) => `const s${k} = sites[${k}];`).join(" ");
  return new Function(...names, "sites", `"use strict";\n${head}\nreturn ${body};`)(...names.map((n) => runtime[n]), sites);
}

/** Where the names of a struct are told soonest: engines keep a list of them for `for … in` only where none is a number, which would be the first. */
const namesOf = ({ names }) => (names[0] < ":" ? "of Object.keys(o)" : "in o");

/**
 * `(o, p) => position behind it`, or -1 when o is not a plain object with exactly these members in this order.
 * `constructor` is inherited unless it is a member, and shapes with such a member are not compiled.
 */
export function compilePlain(shape, runtime) {
  const n = shape.fields.length;
  const body = `function write(o, p) {
    if (o.constructor !== Object) return -1;
    let i = 0;
    for (const k ${namesOf(shape)}) { if (i >= ${n} || k !== names[i]) return -1; i++; }
    if (i !== ${n}) return -1;
    let dv = out.dv, u8 = out.u8, v;
    dv.setUint16(p, ${n}, true); p += 2;
    ${shape.fields.map(writeMember).join("\n    ")}
    if (out.capacity - p < 4096) grow(0, p);
    return p;
  }`;
  return build(
    { ...runtime, names: shape.names },
    shape.fields.map((f) => f.site),
    body,
  );
}

/** `(o, p)` writes the members of a constructed struct in verbose form, from the member count on; -1 as above. */
export function compileVerbose(shape, runtime) {
  const n = shape.fields.length;
  const body = `function write(o, p) {
    let i = 0;
    for (const k ${namesOf(shape)}) { if (i >= ${n} || k !== names[i]) return -1; i++; }
    if (i !== ${n}) return -1;
    let dv = out.dv, u8 = out.u8, v;
    dv.setUint16(p, ${n}, true); p += 2;
    ${shape.fields.map(writeMember).join("\n    ")}
    if (out.capacity - p < 4096) grow(0, p);
    return p;
  }`;
  return build(
    { ...runtime, names: shape.names },
    shape.fields.map((f) => f.site),
    body,
  );
}

const NUMBER_STORE = {
  [CODE.u8]: ["u8[p] = v;", 1],
  [CODE.s8]: ["u8[p] = v;", 1],
  [CODE.u16]: ["dv.setUint16(p, v, true);", 2],
  [CODE.s16]: ["dv.setUint16(p, v, true);", 2],
  [CODE.u32]: ["dv.setInt32(p, v, true);", 4],
  [CODE.s32]: ["dv.setInt32(p, v, true);", 4],
  [CODE.f16]: ["dv.setUint16(p, half(v), true);", 2],
  [CODE.f32]: ["dv.setFloat32(p, v, true);", 4],
  [CODE.f64]: ["if (v === v) dv.setFloat64(p, v, true); else nan(p);", 8],
};

function writeStrictField(field, k) {
  const load = `v = o[${JSON.stringify(field.name)}];`;
  const name = JSON.stringify(field.name);
  const number = NUMBER_STORE[field.code];
  if (number !== undefined)
    return `${load} if (typeof v !== "number") v = scalar(v, ${field.code}, ${name}); ${number[0]} p += ${number[1]};`;
  switch (field.code) {
    case CODE.bool:
      return `${load} if (typeof v !== "boolean") v = scalar(v, ${field.code}, ${name}); u8[p++] = v ? 1 : 0;`;
    case CODE.string:
    case CODE.text:
      return `${load} if (typeof v !== "string") scalar(v, ${field.code}, ${name}); p = string(v, p); ${RELOAD}`;
    case CODE.u64:
      return `${load} dv.setBigInt64(p, scalar(v, ${field.code}, ${name}), true); p += 8;`;
    case ARRAY:
      return `${load} p = arrayField(v, s${k}, p, ${name}); ${RELOAD}`;
    case STRUCT:
      return `${load} p = structField(v, s${k}, p, ${name}); ${RELOAD}`;
    case UNDEFINED:
      return "";
    case ANY:
      return `${load}
    if (v === undefined) u8[p++] = ${UNDEFINED}; else { p = any(v, s${k}, p); ${RELOAD} }`;
    default:
      return "";
  }
}

/** `(o, p) => position` for the strict fields of one schema version, from the (empty) skip list on. */
export function compileStrict(fields, runtime) {
  const body = `function write(o, p) {
    let dv = out.dv, u8 = out.u8, v;
    dv.setUint16(p, 0, true); p += 2;
    ${fields.map(writeStrictField).join("\n    ")}
    if (out.capacity - p < 4096) grow(0, p);
    return p;
  }`;
  return build(
    runtime,
    fields.map((f) => f.site),
    body,
  );
}
