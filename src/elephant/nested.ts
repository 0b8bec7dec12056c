// Strict instances that hold others: trees, scenes, lists of lists. How many there are inside one varies, so no layout of the kernel's fits them, and
// an operation for each that opens and each that closes would cost more than what they hold. The kernel leaves them to JavaScript, which reads and
// makes them in one step: one function for each class, made of text where that is allowed and pays, which reads the fields in order and calls the
// others for the containers among them.
//
// What does not belong here, or is not there yet, ends it wherever it stands: the containers that are open become frames of the kernel's stack,
// which goes on with the field or element that was not read. So nothing here decides what is valid.

import type { Builder } from "../graph/builder.ts";
import { codeGenerationAllowed } from "../graph/code-generation.ts";
import { empty } from "../graph/elements.ts";
import { defineMember, memberToLoad, needsDefinition } from "../graph/members.ts";
import { HOT, type ShapeSource } from "../graph/shape-factory.ts";
import { wireCode } from "./byte-writer.ts";
import * as CODE from "./codes.ts";
import type { Machine } from "./machine.ts";
import { canonical, LEFT, type Members, PlainReader, type ReadStruct } from "./plain-reader.ts";
import type { ReadHost } from "./read.ts";
import { ANY, ARRAY, STRUCT, UNDEFINED } from "./tags.ts";
import { elementSize, halfToNumber } from "./typed-arrays.ts";

/** Containers that can be referred to (formats/elephant.md §7). */
const REFERABLE = 65536;
const REFERENCE = 0xffff;
/** Structs with more members, and longer arrays, are left to the kernel, which looks at what their length may claim. */
const LONGEST = 64;
/** Functions made for shapes before their names are forgotten. */
const MOST_FUNCTIONS = 512;
/** Classes with more fields get no function. */
const MOST_FIELDS = 160;
/** A class whose score is below is given up. */
const LEAST = -256;
/** Plain structs that are told by how they begin. */
const STRUCTS = 64;
/** Classes that are found by their number in the save at once. */
const RECENT = 64;
/** What stands where there is no value, because it ends there. */
const NOTHING = Symbol();

// Words of the place in memory where kernel and reader tell each other (assembly/elephant/memory.ts).
const CURSOR = 0;
const LIMIT = 1;
const COUNT = 2;
const NUMBER = 3;
const DEPTH = 4;
const BYTES = 5;
const INDEX = 6;
const FRAMES = 8;
const FRAME = 4;
// Of a program (assembly/elephant/constructors.ts).
const SHAPE = 3;
const NESTS = 4;
const GIVEN_UP = 2;

/** An instance of a class whose fields begin at `p`, which may go down so many levels, and has to end before `end`. */
type Read = (N: Nested, d: DataView, p: number, levels: number, end: number) => unknown;

/** One strict version of a class. */
interface Plan {
  /** Its address in the kernel's memory, and those of its fields. */
  readonly program: number;
  readonly nodes: readonly number[];
  readonly constructor_: number;
  readonly version: number;
  readonly names: readonly string[];
  /** Wire codes; 0: it has no bytes. */
  readonly codes: readonly number[];
  /** How its instances begin in this save: the mark of an instance and the number of the constructor. */
  head: number;
  read: Read;
  seen: number;
  /** The class, if its function calls it without asking the host. */
  direct: (new () => object) | undefined;
  /** Containers that were read, less four for each that became a frame and for each time that it was cut off. */
  score: number;
}

/** A container that is open when it ends. */
interface Open {
  readonly container: object;
  /** Program of an instance, or the datatype of an array's elements as the kernel counts it. */
  readonly kind: number;
  /** Fields or elements to come. */
  readonly left: number;
  /** Address of the next field; for arrays 0. */
  readonly field: number;
  readonly number: number;
}

export class Nested extends PlainReader {
  /** Has it ended before its time? */
  cut = false;
  /** The number of the next container. */
  number = 0;
  /** Containers that are open then, the innermost first. */
  private readonly open: Open[] = [];
  private readonly place: number;
  private readonly builder: Builder;
  private readonly host: ReadHost;
  private readonly source: ShapeSource;
  private readonly machine: Machine;
  private readonly plans = new Map<number, Plan>();
  private recent: (Plan | undefined)[] = [];
  /** Those with functions that are tried first, by how a struct begins. */
  private readonly structs: (Members | undefined)[] = [];
  /** The read that it was last called in. */
  private read_ = -1;

  /** `place`: address of the place in memory for both. */
  constructor(machine: Machine, place: number, source: ShapeSource, host: ReadHost) {
    const { builder } = machine;
    super(builder.views.u8, 0, builder.references, () => source.codeGeneration);
    this.machine = machine;
    this.place = place >> 2;
    this.builder = builder;
    this.source = source;
    this.host = host;
  }

  /** Reads what the kernel has left to it, as far as it goes. */
  read(): void {
    const { builder, place } = this;
    const { u32, i32, u8 } = builder.views;
    if (u8 !== this.u8) {
      this.u8 = u8;
      this.dv = new DataView(u8.buffer);
    }
    if (this.read_ !== builder.reads) this.beginRead();
    const count = u32[place + COUNT];
    const number = u32[place + NUMBER];
    const index = i32[place + INDEX];
    const levels = u32[place + DEPTH];
    this.number = number;
    this.cut = false;
    let at = u32[place + CURSOR];
    this.limit = Math.min(u32[place + LIMIT], at + u32[place + BYTES]);
    const plan = this.planAt(at);
    let done = 0;
    try {
      while (done < count && !this.cut) {
        const value = this.item(STRUCT, at, levels, this.limit - (count - 1 - done) * 2);
        if (value === NOTHING) break;
        builder.deliver(value, index);
        done++;
        at = this.position;
      }
    } catch (error) {
      // The kernel knows nothing of these containers.
      if (number < REFERABLE) this.references.fill(undefined, number, Math.min(this.number, REFERABLE));
      empty(this.open);
      throw error;
    } finally {
      this.reset();
    }
    if (plan) {
      plan.score += this.number - number - 4 * (this.open.length + (this.cut ? 1 : 0));
      if (plan.score < LEAST) u32[(plan.program >> 2) + NESTS] = GIVEN_UP;
    }
    u32[place + CURSOR] = at;
    u32[place + COUNT] = done;
    u32[place + NUMBER] = this.number;
    u32[place + DEPTH] = this.open.length;
    for (let to = place + FRAMES; this.open.length > 0; to += FRAME) {
      const { container, kind, left, field, number } = this.open.pop()!;
      u32[to] = kind;
      u32[to + 1] = left;
      u32[to + 2] = field;
      u32[to + 3] = number;
      builder.reopen(container, kind > CODE.undefined ? -1 : (container as unknown[]).length - left);
    }
  }

  /** What a constructor does, and which number it has, may be another thing in each read. */
  private beginRead(): void {
    this.read_ = this.builder.reads;
    this.recent = [];
    for (const plan of this.plans.values()) {
      plan.head = 0;
      if (this.host.classOf(plan.constructor_) !== plan.direct) this.loop(plan);
    }
  }

  /** Nothing is there, or nothing for here. */
  stop(): symbol {
    this.cut = true;
    return NOTHING;
  }

  /** The value of wire code `code` at `p`, which may go down so many levels, and has to end before `end`: what follows behind needs so many bytes at the least. */
  item(code: number, p: number, levels: number, end: number): unknown {
    if (code === ANY) code = this.u8[p++];
    if (code === STRUCT) return this.struct(p, levels, end);
    if (code === ARRAY) return this.array(p, levels, end);
    this.position = p;
    try {
      const value = this.scalar(code);
      return this.position > end ? this.stop() : value;
    } catch (error) {
      if (error !== LEFT) throw error;
      return this.stop();
    }
  }

  protected text(start: number, end: number, wide: boolean): string {
    const { machine } = this;
    return machine.text(wide ? machine.utf16 : start, wide ? machine.kernel.readText(start, end) : end, wide);
  }

  /** Members of plain structs hold no containers here, but may refer to some. */
  protected value(code: number): unknown {
    if (code < ANY || code === UNDEFINED) return this.scalar(code);
    if ((code !== STRUCT && code !== ARRAY) || this.u16() !== REFERENCE) throw LEFT;
    return this.reference();
  }

  private struct(p: number, levels: number, end: number): unknown {
    const { dv } = this;
    const word = dv.getUint16(p, true);
    if (word === REFERENCE) return this.referenceAt(p, end);
    if (word > LONGEST) {
      const plan = word === 0xfffe ? this.planAt(p) : undefined;
      return plan ? plan.read(this, dv, p + 7, levels, end) : this.stop();
    }
    if (levels < 1) return this.stop();
    const { top } = this;
    // Structs that begin alike are mostly alike.
    const place = (Math.imul(dv.getInt32(p, true) ^ Math.imul(dv.getInt32(p + 4, true), 0x5bd1e995), 0x9e3779b1) >>> 26) & (STRUCTS - 1);
    const known = this.structs[place];
    try {
      let made = known?.names.length === word ? known.read!(this, dv, p + 2) : undefined;
      if (made === undefined) {
        this.position = p + 2;
        const members = this.namedValues(word);
        made = members.plain(this.values, top);
        if (word > 0 && !members.read && this.functions < MOST_FUNCTIONS && members.hot()) {
          members.read = new Function(structText(members, this.values.slice(top, top + word)))() as ReadStruct;
          this.functions++;
        }
        if (members.read) this.structs[place] = members;
      }
      if (this.position > end) return this.stop();
      this.note(made);
      return made;
    } catch (error) {
      if (error !== LEFT) throw error;
      return this.stop();
    } finally {
      this.top = top;
    }
  }

  private referenceAt(p: number, end: number): unknown {
    const found = this.references[this.dv.getUint16(p + 2, true)];
    if (found === undefined || p + 4 > end) return this.stop();
    this.position = p + 4;
    return found;
  }

  /** Gives a container its number, and returns that. */
  private note(container: unknown): number {
    const number = this.number++;
    if (number < REFERABLE) this.references[number] = container;
    return number;
  }

  array(p: number, levels: number, end: number): unknown {
    const { dv } = this;
    const length = dv.getUint16(p, true);
    if (length === REFERENCE) return this.referenceAt(p, end);
    const code = this.u8[p + 2];
    if (levels < 1 || length > LONGEST || p + 3 > end) return this.stop();
    const list: unknown[] = new Array(length);
    if (length === 0) {
      this.note(list);
      this.position = p + 2;
      return list;
    }
    if (code >= UNDEFINED) return this.stop();
    let at = p + 3;
    if (code < ANY) {
      if (code === CODE.f64 && at + length * 8 <= end) {
        for (let i = 0; i < length; i++) list[i] = canonical(dv.getFloat64(at + i * 8, true));
        this.position = at + length * 8;
      } else
        for (let i = 0; i < length; i++) {
          list[i] = this.item(code, at, 0, end);
          if (this.cut) return NOTHING;
          at = this.position;
        }
      this.note(list);
      return list;
    }
    const least = code === ANY ? 1 : 2;
    let left = end - length * least;
    if (at > left) return this.stop();
    const number = this.note(list);
    for (let i = 0; i < length; i++) {
      left += least;
      const value = this.item(code, at, levels - 1, left);
      if (this.cut) return this.leftList(code, list, i, value, number, at);
      list[i] = value;
      at = this.position;
    }
    return list;
  }

  /** Leaves an array whose element `i` at `p` is there in part or not at all. */
  leftList(code: number, list: unknown[], i: number, value: unknown, number: number, p: number): unknown[] {
    if (value === NOTHING) this.position = p;
    else list[i++] = value;
    this.open.push({ container: list, kind: code - (ANY - CODE.any), left: list.length - i, field: 0, number });
    return list;
  }

  /** Leaves an instance whose field `i` at `p` is there in part or not at all. */
  left(plan: Plan, instance: object, i: number, value: unknown, number: number, p: number): object {
    this.cut = true;
    if (value === NOTHING) this.position = p;
    else this.host.assign(instance, plan.names[i++], value);
    this.open.push({ container: instance, kind: plan.program, left: plan.names.length - i, field: plan.nodes[i] ?? 0, number });
    return instance;
  }

  // ---- classes ----

  /** The class of the instance at `p`, if this is one for here. */
  private planAt(p: number): Plan | undefined {
    const { dv } = this;
    const head = dv.getInt32(p, true);
    const plan = this.recent[(head >>> 16) % RECENT];
    const known = plan?.head === head && plan.version === this.u8[p + 4];
    return dv.getUint16(p + 5, true) === 0 && p + 7 <= this.limit ? (known ? plan : this.find(p, head)) : undefined;
  }

  private find(p: number, head: number): Plan | undefined {
    const version = this.u8[p + 4];
    const program = version < 128 ? this.machine.kernel.readStrict(head >>> 16, version) >>> 0 : 0;
    if (program === 0) return undefined;
    let plan = this.plans.get(program);
    if (!plan) {
      const { source, builder } = this;
      const shape = builder.views.u32[(program >> 2) + SHAPE];
      const nodes = source.nodes(shape);
      plan = {
        program,
        nodes,
        constructor_: source.strict(shape).constructor_,
        version,
        names: nodes.map((node) => builder.table[source.nameOf(node)] as string),
        codes: nodes.map((node) => wireCode(source.datatypeOf(node))),
        head,
        read: () => undefined,
        seen: 0,
        direct: undefined,
        score: 0,
      };
      this.plans.set(program, plan);
      this.loop(plan);
    }
    plan.head = head;
    this.recent[(head >>> 16) % RECENT] = plan;
    return plan;
  }

  /** Instances of a class by a loop. */
  private loop(plan: Plan): void {
    plan.read = (N, _d, p, levels, end) => {
      if (levels < 1 || p > end) return N.stop();
      const instance = N.host.open(plan.constructor_, plan.version);
      const number = N.note(instance);
      if (
        ++plan.seen > HOT &&
        plan.names.length <= MOST_FIELDS &&
        N.codeGeneration() &&
        codeGenerationAllowed() &&
        N.host.plainAssignment(instance, plan.names)
      )
        N.make(plan, instance);
      return N.fill(plan, instance, number, p, levels, end);
    };
  }

  /** Gives an instance its fields, which begin at `p`. */
  private fill(plan: Plan, instance: object, number: number, p: number, levels: number, end: number): object {
    const { names, codes } = plan;
    this.position = p;
    for (let i = 0; i < names.length; i++) {
      const at = this.position;
      const value = codes[i] === 0 ? undefined : this.item(codes[i], at, levels - 1, end);
      if (this.cut) return this.left(plan, instance, i, value, number, at);
      this.host.assign(instance, names[i], value);
    }
    return instance;
  }

  private make(plan: Plan, example: object): void {
    plan.direct = this.host.classOf(plan.constructor_);
    const prototype = Object.getPrototypeOf(example);
    const text = functionText(plan, prototype, memberToLoad(example, plan.names));
    plan.read = new Function("K", "R", "D", "A", "H", "P", "T", "C", "W", "Z", text)(
      plan,
      this.references,
      defineMember,
      halfToNumber,
      this.host,
      Object.getPrototypeOf,
      prototype,
      plan.direct,
      NOTHING,
      this.fill.bind(this, plan),
    ) as Read;
  }
}

/** How a value of fixed length is read, by its datatype. */
const FIXED = [
  "",
  "d.getUint8(@)",
  "d.getInt8(@)",
  "d.getUint16(@,true)",
  "d.getInt16(@,true)",
  "d.getUint32(@,true)",
  "d.getInt32(@,true)",
  "A(d.getUint16(@,true))",
  "d.getFloat32(@,true)",
  "d.getFloat64(@,true)",
  "d.getUint8(@)===1",
  "",
  "d.getBigInt64(@,true)",
];

/** The text of such a value `s` bytes behind `p`. */
function fixedText(code: number, s: number): string {
  const text = FIXED[code].replace("@", `p+${s}`);
  if (code < CODE.f16 || code > CODE.f64) return text;
  return `(x=${text},y=x|0)===x&&(y!==0||1/x>0)?y:x===x?x:NaN`;
}

/** The condition that these bytes stand at `p`. */
function bytesText(bytes: Uint8Array): string {
  const tests: string[] = [];
  let i = 0;
  for (; i + 4 <= bytes.length; i += 4)
    tests.push(`d.getInt32(p+${i},true)===${new DataView(bytes.buffer, bytes.byteOffset).getInt32(i, true)}`);
  for (; i < bytes.length; i++) tests.push(`d.getUint8(p+${i})===${bytes[i]}`);
  return tests.join("&&");
}

/** The text of the function that reads a plain struct. Values of the kinds that `values` has are read in place. */
function structText({ names, bytes }: Members, values: readonly unknown[]): string {
  const steps = names.map((_, i) => {
    const { length } = bytes[i];
    const v = `v${i}`;
    const other = `{N.position=p+${length + 1};${v}=N.value(t);p=N.position}`;
    const value = values[i];
    const near =
      typeof value === "number"
        ? `if(t===${CODE.f64}){${v}=${fixedText(CODE.f64, length + 1)};p+=${length + 9}}else`
        : typeof value === "string"
          ? `if(t===${CODE.string}){N.position=p+${length + 1};${v}=N.string();if(${v}===undefined)return;p=N.position}else`
          : "";
    return `if(!(${bytesText(bytes[i])}))return;t=d.getUint8(p+${length});${near}${other}`;
  });
  const members = names.map((name, i) => `${JSON.stringify(name)}:v${i}`);
  return `return function(N,d,p){let t,x,y,${names.map((_, i) => `v${i}`)};${steps.join("")}N.position=p;return{${members}}}`;
}

/** The text of the function that reads one instance, whose beginning is there; `known`: a member that it loads first (members.ts). */
function functionText(plan: Plan, prototype: object | null, known: string | undefined): string {
  const { names, codes } = plan;
  const steps: string[] = [];
  /** Bytes since `p` was moved last, and where and for which field they are asked for. */
  let slot = 0;
  let asked = 0;
  let field = 0;
  let first = "";
  const ask = (more: number): void => {
    const bytes = slot + more;
    if (asked === 0) first = `if(p+${bytes}>e)return N.stop();`;
    else if (bytes > 0) steps[asked] = `if(p+${bytes}>e)return N.left(K,o,${field},W,n,p);`;
  };
  names.forEach((name, i) => {
    const key = JSON.stringify(name);
    const code = codes[i];
    const assign = (value: string) => (needsDefinition(prototype, name) ? `D(o,${key},${value});` : `o[${key}]=${value};`);
    if (code === 0 || code === UNDEFINED) {
      steps.push(assign("undefined"));
      return;
    }
    if (FIXED[code]) {
      steps.push(assign(fixedText(code, slot)));
      slot += code === CODE.bool ? 1 : elementSize(code);
      return;
    }
    // A reference is read with its tag.
    ask(code === ANY ? 5 : 0);
    const item =
      code === CODE.string
        ? `N.position=p;v=N.string();if(v===undefined||N.position>e)return N.left(K,o,${i},W,n,p);p=N.position`
        : `v=${code === ARRAY ? "a(N,d,p,k-1,e)" : `N.item(${code},p,k-1,e)`};if(N.cut)return N.left(K,o,${i},v,n,p);p=N.position`;
    const reference = `t===${STRUCT}&&d.getUint16(p+1,true)===${REFERENCE}&&(v=R[d.getUint16(p+3,true)])!==undefined`;
    steps.push(
      `p+=${slot};${code === ANY ? `t=d.getUint8(p);if(${reference})p+=5;else if(t===${UNDEFINED}){v=undefined;p++}else` : ""}{${item}}`,
    );
    steps.push(assign("v"));
    slot = 0;
    field = i + 1;
    asked = steps.push("") - 1;
  });
  ask(0);
  const load = known === undefined ? "" : `o[${JSON.stringify(known)}];`;
  const open = plan.direct ? "new C()" : `H.open(${plan.constructor_},${plan.version})`;
  const note = (made: string) => `n=N.number++;if(n<${REFERABLE})R[n]=${made};`;
  // An array whose elements are mostly of the same class.
  const array =
    `function a(N,d,p,k,e){const c=d.getUint16(p,true);if(c>${LONGEST}||c>0&&d.getUint8(p+2)!==${STRUCT}||k<1||p+3+c*2>e)return N.array(p,k,e);` +
    `const l=c>0?new Array(c):[],${note("l")}if(c===0){N.position=p+2;return l}p+=3;e-=c*2;` +
    `for(let i=0;i<c;i++){e+=2;const v=d.getInt32(p,true)===K.head&&(d.getInt32(p+4,true)&0xffffff)===${plan.version}?f(N,d,p+7,k-1,e):N.item(${STRUCT},p,k-1,e);` +
    `if(N.cut)return N.leftList(${STRUCT},l,i,v,n,p);l[i]=v;p=N.position}return l}`;
  return (
    `"use strict";${codes.includes(ARRAY) ? array : ""}return f;function f(N,d,p,k,e){if(k<1)return N.stop();${first}` +
    `const o=${open},${note("o")}${load}if(P(o)!==T)return Z(o,n,p,k,e);let t,v,x,y;${steps.join("")}N.position=p+${slot};return o}`
  );
}
