// Functions made of text that write structs of one shape: names and tags as constant little-endian words, values stored behind them. A
// word may reach beyond its constant bytes, because what follows is written afterwards.
import { encoder } from "../../engine/platform-text.ts";
import { fromText } from "../../graph/code-generation.ts";
import { needsDefinition } from "../../graph/members.ts";
import { stringFault } from "../../graph/string-fault.ts";
import * as CODE from "../codes.ts";
import { type Registered, StructInstance } from "../constructors.ts";
import { memberOf } from "../members.ts";
import type { StrictField } from "../schema.ts";
import { wireCode } from "../tags.ts";
import { FIXED } from "./byte-writer.ts";
import { mix, mixNumber, mixText } from "./container-keys.ts";
import type { PlainShape, StrictShape, VerboseShape } from "./shapes.ts";
import { KEYED, type Members, MISS, type Shape, type Site } from "./sites.ts";

type Write = Shape["write"];

/** Functions for more members take longer to be compiled than they save. */
export const MOST_MEMBERS = 64;

/** May a struct with these names be written in one go? What it takes without texts and children has to fit, and names must have a UTF-8 form. */
export function fitsOneGo(names: readonly string[]): boolean {
  let sum = 16;
  for (const name of names) {
    if (stringFault(name)) return false;
    sum += name.length * 3 + 14;
  }
  return names.length <= MOST_MEMBERS && sum <= FIXED - 64;
}

/** Stores constant bytes at p + `at`. */
function storeBytes(bytes: readonly number[], at: number): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 4) {
    if (bytes.length - i > 4) {
      const eight = new DataView(Uint8Array.from({ length: 8 }, (_, k) => bytes[i + k] ?? 0).buffer).getFloat64(0, true);
      if (!Number.isNaN(eight) && !Object.is(eight, -0)) {
        text += `D.setFloat64(p+${at + i},${eight},true);`;
        i += 4;
        continue;
      }
    }
    const word = bytes[i] | ((bytes[i + 1] ?? 0) << 8) | ((bytes[i + 2] ?? 0) << 16) | ((bytes[i + 3] ?? 0) << 24);
    text +=
      bytes.length - i === 1
        ? `U[p+${at + i}]=${bytes[i]};`
        : bytes.length - i === 2
          ? `D.setUint16(p+${at + i},${word},true);`
          : `D.setInt32(p+${at + i},${word},true);`;
  }
  return text;
}

function access(name: string, own: boolean): string {
  const quoted = JSON.stringify(name);
  return own || !(name in Object.prototype) ? `o[${quoted}]` : `M(o,${quoted})`;
}

/** The key h of a container o, which C is to find or list. */
function keyCode(start: number, keyed: readonly string[], own: boolean): string {
  const mixed = keyed.map(
    (name) => `v=${access(name, own)};h=typeof v==="number"?mixNumber(h,v):typeof v==="string"?mixText(h,v):mix(h,v);`,
  );
  return `let h=0;if(!C.few){h=${start};${mixed.join("")}}`;
}

/**
 * What a function does. Has the struct these names, is it of the class, and is that `stored` so? b: has it got its number already? q: is there a container
 * within that is the same when it is asked for again?
 */
function bodyOf(names: string, stored: string, key: string, members: string): string {
  const begins = `const C=w.containers,e=E||C.early;let m,q=e;if(e){if(!b){${key}const r=C.find(o,h);if(r>=0)return w.reference(r,p,o)}}else C.count++;`;
  return `${names}let v;if(G(o)!==P)return ${MISS};${stored}if(p>w.limit)p=w.flush(p);${begins}w.current=o;const D=w.dv,U=w.u8;${members}if(!q){${key}C.enlist(o,h)}return p`;
}

/** Goes on later where the function that was called before has not come to its end. */
const orSuspend = (i: number): string => `if(p<0)return w.suspend(o,S,${i + 1});`;

/** Writes a value that may be a container. */
function child(writes: string, i: number, member: string): string {
  return `m=C.count;p=${writes};${orSuspend(i)}if(C.count>m&&${member}===v)q=true;`;
}

/** Stores for each kind of value, told by its datatype: condition, and what writes the value `skip` bytes behind p; `member`: where it is. */
function tagged(kind: number, i: number, skip: number, member: string): [condition: string, store: string] {
  switch (kind) {
    case CODE.f64:
      return ['typeof v==="number"', `if(v===v)D.setFloat64(p+${skip},v,true);else D.setFloat64(p+${skip},NaN,true);p+=${skip + 8};`];
    case CODE.string:
      return ['typeof v==="string"', `p=w.string(v,p+${skip});${orSuspend(i)}`];
    case CODE.bool:
      return ['typeof v==="boolean"', `U[p+${skip}]=v?1:0;p+=${skip + 1};`];
    case CODE.array:
      return ["isArray(v)", child(`w.array(v,p+${skip},s${i})`, i, member)];
    case CODE.struct:
      return ['typeof v==="object"&&v&&!isArray(v)', child(`w.child(v,p+${skip},s${i})`, i, member)];
    default:
      return ["v==null", `p+=${skip};`];
  }
}

/** A member with its name; `before` are constant bytes in front of it. */
function namedMember(name: string, kinds: readonly number[], i: number, own: boolean, before: readonly number[]): string {
  const constant = [...before, ...encoder.encode(name), 0];
  const length = constant.length;
  const member = access(name, own);
  const cases = kinds.slice(0, 3).map((kind) => tagged(kind, i, length + 1, member));
  const text = cases.map(
    ([condition, store], k) => `if(${condition}){${k > 0 ? `U[p+${length}]=${wireCode(kinds[k])};` : ""}${store}}else `,
  );
  const first = cases.length > 0 ? [...constant, wireCode(kinds[0])] : constant;
  return `v=${member};${storeBytes(first, 0)}${text.join("")}{${child(`w.any(v,p+${length},s${i})`, i, member)}}`;
}

function namedMembers(names: readonly string[], kinds: readonly number[][], own: boolean, before: readonly number[]): string {
  return names.map((name, i) => namedMember(name, kinds[i], i, own, i === 0 ? before : [])).join("");
}

/** `example`: who has members that are not plain data may have others each time, and is always listed. */
function build(body: string, shape: object, names: readonly string[], sites: readonly Site[], prototype: object, example: Members): Write {
  const given = {
    E: names.some((name) => needsDefinition(example, name)),
    S: shape,
    N: names,
    P: prototype,
    G: Object.getPrototypeOf,
    M: memberOf,
    K: standsInFor,
    isArray: Array.isArray,
    mix,
    mixNumber,
    mixText,
    sites,
  };
  const text = `"use strict";const[${sites.map((_, i) => `s${i}`)}]=sites;return function write(o,p,w,b){${body}}`;
  return fromText(given, text) as Write;
}

/**
 * Has this struct exactly these members, in this order? Everything enumerable is its own, see ShapeTable.bare. For objects that have numbers for names, which come first,
 * engines keep no list of names: Object.keys is faster.
 */
const SAME_NAMES = (names: readonly string[]): string =>
  `let i=0;for(const k ${names[0] < ":" ? "of Object.keys(o)" : "in o"})if(k!==N[i++])return ${MISS};if(i!==${names.length})return ${MISS};`;
/**
 * A stand-in's class does not tell its constructor; without a schema it is stored as it was read. Of a class the text only has the number: for functions of
 * one text the engine keeps what it learns once.
 */
function sameConstructor(registered: Registered, version: number): string {
  if (registered.type) return `/*${registered.id}*/`;
  return `if(!K(o,${JSON.stringify(registered.name)},${registered.schema ? -1 : version}))return ${MISS};`;
}
function standsInFor(instance: StructInstance, name: string, version: number): boolean {
  return (
    StructInstance.nameOf(instance) === name &&
    (version < 0 || (StructInstance.versionOf(instance) === version && StructInstance.verboseOf(instance)))
  );
}

export function compilePlain(shape: PlainShape, example: Members): Write {
  const { names, kinds, sites } = shape;
  const { length } = names;
  const body = bodyOf(
    SAME_NAMES(names),
    "",
    keyCode(length, names.slice(0, KEYED), true),
    namedMembers(names, kinds, true, [length & 255, length >> 8]),
  );
  return build(body, shape, names, sites, Object.prototype, example);
}

/** Has the constructor its index in this write, and nothing to be called? f: its name, if that is to follow. */
const INDEXED = `let f;if(!b&&S.attempt!==w.attempts){f=w.begins(S,o);if(f===${MISS})return f}`;
const INDEX = "D.setUint16(p,65534,true);D.setUint16(p+2,S.index,true);p+=4;if(f!==void 0)p=w.name(f,p);";

export function compileInstance(shape: VerboseShape, example: Members): Write {
  const { names, kinds, sites, own, all, version, registered } = shape;
  const count = names.length;
  const body = bodyOf(
    own ? SAME_NAMES(all) : "",
    sameConstructor(registered, version) + INDEXED,
    keyCode(count, names.slice(0, KEYED), own),
    INDEX + namedMembers(names, kinds, own, [0x80 | version, count & 255, count >> 8]),
  );
  return build(body, shape, all, sites, registered.prototype, example);
}

/** Scalar fields: the type that values mostly have, and how they are stored. */
const STORES: Readonly<Record<number, [type: string, store: string]>> = {
  [CODE.u8]: ["number", "U[p++]=v"],
  [CODE.s8]: ["number", "U[p++]=v"],
  [CODE.u16]: ["number", "D.setUint16(p,v,true);p+=2"],
  [CODE.s16]: ["number", "D.setUint16(p,v,true);p+=2"],
  [CODE.u32]: ["number", "D.setInt32(p,v,true);p+=4"],
  [CODE.s32]: ["number", "D.setInt32(p,v,true);p+=4"],
  [CODE.f32]: ["number", "if(v===v)D.setFloat32(p,v,true);else D.setFloat32(p,NaN,true);p+=4"],
  [CODE.f64]: ["number", "if(v===v)D.setFloat64(p,v,true);else D.setFloat64(p,NaN,true);p+=8"],
  [CODE.bool]: ["boolean", "U[p++]=v?1:0"],
  [CODE.string]: ["string", "p=w.string(v,p)"],
  [CODE.text]: ["string", "p=w.string(v,p)"],
};

function strictField({ name, code }: StrictField, i: number): string {
  const member = access(name, false);
  const key = JSON.stringify(name);
  const scalar = STORES[code];
  const writes = scalar
    ? `if(typeof v==="${scalar[0]}"){${scalar[1]}}else p=w.scalarField(v,${code},p,${key});${orSuspend(i)}`
    : child(`w.field(v,${code},p,s${i},${key})`, i, member);
  return `v=${member};${writes}`;
}

export function compileStrict(shape: StrictShape, example: Members): Write {
  const { fields, sites, skips, version, registered } = shape;
  const beginning = skips ? [version, 0, 0] : [version];
  const body = bodyOf(
    "",
    sameConstructor(registered, version) + INDEXED,
    keyCode(fields.length, shape.telling, false),
    `${INDEX}${storeBytes(beginning, 0)}p+=${beginning.length};${fields.map(strictField).join("")}`,
  );
  return build(
    body,
    shape,
    fields.map(({ name }) => name),
    sites,
    registered.prototype,
    example,
  );
}
