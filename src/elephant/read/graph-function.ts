// The text of the functions that read structs of one shape (graph-reader.ts).
import { fixedText, isFraction } from "../../graph/fixed-values.ts";
import { givingText } from "../../graph/members.ts";
import { REFERABLE } from "../../graph/referable.ts";
import * as CODE from "../codes.ts";
import { ANY, ARRAY, STRUCT, UNDEFINED } from "../tags.ts";
import { elementSize } from "../typed-arrays.ts";
import type { Shape } from "./graph-reader.ts";

export const REFERENCE = 0xffff;
/** Structs with more members are left to the kernel. */
export const MOST_MEMBERS = 64;

// Kinds of values that members may have.
const NUMBER = 1;
const TEXT = 2;
const FLAG = 4;
const NONE = 8;
const HOLDS = 16;
/** All other datatypes, and whatever comes. */
const RARE = 32;
export const ALL_KINDS = 63;

const KINDS = new Map([
  [CODE.f64, NUMBER],
  [CODE.string, TEXT],
  [CODE.bool, FLAG],
  [UNDEFINED, NONE],
  [STRUCT, HOLDS],
  [ARRAY, HOLDS],
]);

/** The kind that a tag says. */
export function kindOf(tag: number): number {
  return KINDS.get(tag) ?? RARE;
}

/** The condition that these bytes stand at `p`. */
function bytesText(bytes: Uint8Array): string {
  const tests: string[] = [];
  for (let i = 0; i < bytes.length; i += 4) {
    const [a, b = 0, c = 0, e = 0] = bytes.subarray(i);
    const left = bytes.length - i;
    const word = left === 1 ? `d.getUint8(p+${i})` : left === 2 ? `d.getUint16(p+${i},true)` : `d.getInt32(p+${i},true)`;
    tests.push(`${left === 3 ? `(${word}&0xffffff)` : word}===${a | (b << 8) | (c << 16) | (e << 24)}`);
  }
  return tests.join("&&");
}

/**
 * The text of what returns the function that reads structs of one shape, and the one that makes a plain one of its members. Members of the kinds that they have had are
 * read in place, numbers as `values` has them; `known`: a member that an instance loads first (members.ts). Where it ends early, the members up to the last
 * one that may have held a container are handed on, and the others are read anew: if a number were handed on, the engine would make an object of each.
 */
export function functionText(
  { kind, names, nodes, strict, direct, had }: Shape,
  values: readonly unknown[],
  prototype: object | null | undefined,
  known: string | undefined,
): string {
  const plain = prototype === undefined;
  /** Is the struct there before its members? */
  const early = !plain || nodes[0]?.early === true;
  const variables = names.map((_, i) => `v${i}`);
  const sites: string[] = [];
  /** Bytes since `p` was moved last. */
  let slot = 0;
  /** Ways out of it: what is open, and what is behind it in the text. */
  let way = 0;
  let behind = "";
  const rest = (i: number, count: number, from: string) =>
    `return N.rest(K,${i},[${variables.slice(0, count)}],${from},k,e,n${early ? ",o" : ""})`;
  const wayOut = (i: number) => {
    behind = `}${rest(i, i, "q")};${behind}`;
    // What is handed on has to be there.
    const there = i > 0 ? `if(p>e)break x${way};` : "";
    return `${there}q=p;x${++way}:{`;
  };
  const text = (i: number) => `N.position=p+${slot};v${i}=N.string();if(v${i}===undefined)break x${way};p=N.position`;
  const fixed = (i: number, code: number) => fixedText(code, `p+${slot}`, isFraction(values[i]));
  /** What may hold a container. */
  const item = (i: number, value: string) => `{if(p>e)break x${way};v${i}=${value};if(N.cut)${rest(i, i + 1, "p")};p=N.position}`;
  // A reference, which is read with its tag.
  const reference = (i: number) =>
    `t===${STRUCT}&&d.getUint16(p+${slot},true)===${REFERENCE}&&(v${i}=R[d.getUint16(p+${slot + 2},true)])!==undefined)p+=${slot + 4};else`;

  const named = (i: number) => {
    const { bytes } = nodes[i];
    slot = bytes.length + 1;
    const left = (names.length - 1 - i) * 2;
    const place = `p+${slot},k-1,e-${left}`;
    const kinds = had[i];
    let read = i === 0 && plain ? "" : `if(!(${bytesText(bytes)}))break x${way};`;
    read += `t=d.getUint8(p+${bytes.length});`;
    if (kinds & NUMBER) read += `if(t===${CODE.f64}){v${i}=${fixed(i, CODE.f64)};p+=${slot + 8}}else `;
    if (kinds & TEXT) read += `if(t===${CODE.string}){${text(i)}}else `;
    if (kinds & FLAG) read += `if(t===${CODE.bool}){v${i}=d.getUint8(p+${slot})===1;p+=${slot + 1}}else `;
    if (kinds & NONE) read += `if(t===${UNDEFINED}){v${i}=undefined;p+=${slot}}else `;
    if (kinds & HOLDS) {
      // What stood there last is tried first.
      sites.push(`let s${i}=S;`);
      const struct =
        `(d.getUint16(p+${slot},true)===s${i}.count&&k>1&&p+${slot + 2 + left}<=e&&(z=s${i}.read(N,d,p+${slot + 2},k-1,e-${left}))!==O?` +
        `z:(z=N.struct(${place}),s${i}=N.last,z))`;
      read += `if(${reference(i)} if(t===${STRUCT})${item(i, struct)}else `;
      if (!(kinds & RARE)) read += `if(t===${ARRAY})${item(i, `N.array(${place})`)}else `;
    }
    read += kinds & RARE ? item(i, `N.item(t,${place})`) : `break x${way};`;
    slot = 0;
    return kinds & (HOLDS | RARE) ? read + wayOut(i + 1) : read;
  };

  const field = (i: number, code: number) => {
    if (code === 0 || code === UNDEFINED) return `v${i}=undefined;`;
    const value = fixed(i, code);
    if (value) {
      slot += elementSize(code);
      return `v${i}=${value};`;
    }
    const move = `p+=${slot};`;
    slot = 0;
    if (code === CODE.string) return `${move}${text(i)};`;
    const read = item(i, code === ARRAY ? "a(N,d,p,k-1,e)" : `N.item(${code},p,k-1,e)`);
    slot = 1;
    const near = code === ANY ? `t=d.getUint8(p);if(t===${UNDEFINED}){v${i}=undefined;p++}else if(${reference(i)}` : "";
    slot = 0;
    return `${move}${near}${read}${wayOut(i + 1)}`;
  };

  const open = direct
    ? // With the class's number: see layout-text.ts.
      `new C(/*${kind}*/)`
    : plain
      ? "{}"
      : `N.host.open(${kind >> 8},${kind & 255})`;
  const note = (made: string) => `if(n<${REFERABLE})R[n]=${made};`;
  let body = plain ? (names.length > 0 ? `if(!(${bytesText(nodes[0].bytes)}))return O;` : "") : "if(k<1)return N.stop();";
  body += `const n=N.number++;let q=p,t,x,y,z${variables.map((v) => `,${v}`).join("")};`;
  if (early) body += `const o=${open};${note("o")}`;
  if (known !== undefined) body += `o[${JSON.stringify(known)}];`;
  body += wayOut(0);
  if (!plain) body += `if(o!==Y&&P(o)!==T)break x${way};`;
  for (let i = 0; i < names.length; i++) body += strict ? field(i, strict.codes[i]) : named(i);
  body += `p+=${slot};if(p>e)break x${way};N.position=p;`;
  const receiver = plain ? Object.prototype : prototype;
  // As the names are: there is none that an object literal takes for more than a name (graph-reader.ts).
  const filled = early
    ? names.map((name, i) => `${givingText(receiver, "o", name, `v${i}`)};`).join("")
    : `const o={${names.map((name, i) => `${JSON.stringify(name)}:v${i}`)}};`;
  body += `${plain ? filled : `if(o!==Y){${filled}}`}${early ? "" : note("o")}return o`;
  const make = plain ? `function(${variables}){${early ? "const o={};" : ""}${filled}return o}` : "";
  return `"use strict";${sites.join("")}${strict?.codes.includes(ARRAY) ? arrayText(kind) : ""}return[f,${make}];function f(N,d,p,k,e){${body}${behind}}`;
}

/** `a`, which reads an array whose elements are mostly of the class that has the `kind`, too. */
function arrayText(kind: number): string {
  return (
    `function a(N,d,p,k,e){const c=d.getUint16(p,true);if(c>${MOST_MEMBERS}||c>0&&d.getUint8(p+2)!==${STRUCT}||k<1||p+3+c*2>e)return N.array(p,k,e);` +
    `const l=c>0?new Array(c):[],n=N.number++;if(n<${REFERABLE})R[n]=l;if(c===0){N.position=p+2;return l}p+=3;e-=c*2;` +
    `for(let i=0;i<c;i++){e+=2;const v=d.getInt32(p,true)===K.head&&(d.getInt32(p+4,true)&0xffffff)===${kind & 255}&&p+7<=e?f(N,d,p+7,k-1,e):N.item(${STRUCT},p,k-1,e);` +
    `if(N.cut)return N.leave(${STRUCT},l,i,v,n,p);l[i]=v;p=N.position}return l}`
  );
}
