// Strict instances with what they hold, as the file has them (assembly/elephant/nested.ts): one function for each class, made of text where that
// is allowed and pays, which reads the fields in order and calls the others for the containers among them. How deep they call is the kernel's
// limit, not the data's: an operation may end in the middle, and the containers that are open then become the builder's.
import type { Builder, BuilderHost } from "./builder.ts";
import { codeGenerationAllowed } from "./code-generation.ts";
import { elementSlots, elements } from "./elements.ts";
import { defineMember, memberToLoad, needsDefinition } from "./members.ts";
import * as op from "./ops.ts";
import { HOT, PATIENCE, type ShapeSource, slotExpression } from "./shape-factory.ts";

/** Containers that can be referred to (formats/elephant.md §7). */
const REFERABLE = 65536;
/** Datatypes of fields that may hold containers (formats/elephant.md §3, numbered as in the kernel). */
const FIRST_CONTAINER = 14;
/** What stands where an operation was cut off. */
const NOTHING = Symbol();

type Read = (N: Nested, F: Float64Array, I: Int32Array, q: number) => object;

/** One strict version of a class. */
interface Plan {
  readonly shape: number;
  readonly constructor_: number;
  readonly version: number;
  readonly names: readonly string[];
  readonly datatypes: readonly number[];
  readonly nodes: readonly number[];
  seen: number;
  remade: number;
  /** What the function was made for: kinds of the fields, and the class, if it is called without asking the host. */
  kinds: number[];
  direct: (new () => object) | undefined;
  made: boolean;
}

export class Nested {
  /** Behind the slots that have been read. */
  at = 0;
  /** The number of the next container. */
  number = 0;
  /** Was the operation cut off? */
  cut = false;
  /** Then the containers that are open, the innermost first, and where each goes on: the next index of an array, -1 of an instance. */
  readonly open: object[] = [];
  readonly next: number[] = [];
  /** By shape / 2. */
  private readonly plans: (Plan | undefined)[] = [];
  private readonly readers: (Read | undefined)[] = [];
  private readonly source: ShapeSource;
  private readonly builder: Builder;
  private readonly host: BuilderHost;
  private epoch = -1;
  private read = -1;

  constructor(source: ShapeSource, builder: Builder, host: BuilderHost) {
    this.source = source;
    this.builder = builder;
    this.host = host;
  }

  /** Puts `count` values that begin at `at` into `list` from `place` on; returns where they end. `number`: of the first container. */
  values(at: number, count: number, number: number, list: unknown[], place: number): number {
    const { f64, i32 } = this.builder.views;
    if (this.epoch !== this.source.epoch) this.review();
    if (this.read !== this.builder.reads) this.beginRead();
    this.at = at;
    this.number = number;
    this.cut = false;
    while (this.open.length > 0) {
      this.open.pop();
      this.next.pop();
    }
    for (let i = 0; i < count; i++) list[place + i] = this.value(f64, i32, this.at);
    return this.at;
  }

  /** The value at slot `q`, with all that it holds. */
  value(F: Float64Array, I: Int32Array, q: number): unknown {
    const tag = I[q * 2 + 1];
    const payload = I[q * 2];
    if (tag === op.BOX_INSTANCE) return this.instance(payload, F, I, q + 1);
    if (tag === op.BOX_STRUCT) return this.struct(payload, q + 1);
    if (tag >= op.BOX_ELEMENTS) return tag === op.BOX_CUT ? this.end(q) : this.array(F, I, q + 1, payload, tag);
    this.at = q + 1;
    return this.builder.value(q);
  }

  private end(q: number): unknown {
    this.cut = true;
    this.at = q + 1;
    return NOTHING;
  }

  opened(container: object, next: number): void {
    this.open.push(container);
    this.next.push(next);
  }

  private instance(shape: number, F: Float64Array, I: Int32Array, q: number): object {
    return (this.readers[shape >> 1] ?? this.reader(shape))(this, F, I, q);
  }

  private struct(shape: number, q: number): unknown {
    const { builder } = this;
    const factory = builder.factory(shape);
    const made = factory.make(q);
    const number = this.number++;
    if (number < REFERABLE) builder.references[number] = made;
    this.at = q + factory.length;
    return made;
  }

  private array(F: Float64Array, I: Int32Array, q: number, length: number, tag: number): unknown[] {
    const { references, table } = this.builder;
    const kind = tag - op.BOX_ELEMENTS;
    const made: unknown[] = kind === 4 ? new Array(length) : elements(table, F, I, q, length, kind);
    const number = this.number++;
    if (number < REFERABLE) references[number] = made;
    if (kind !== 4) {
      this.at = q + elementSlots(length, kind);
      return made;
    }
    for (let i = 0; i < length; i++) {
      const value = this.value(F, I, q);
      if (this.cut) return this.openArray(made, i, value);
      made[i] = value;
      q = this.at;
    }
    return made;
  }

  /** Element `i` was cut off, or all of it is missing. */
  openArray(list: unknown[], i: number, value: unknown): unknown[] {
    if (value !== NOTHING) list[i++] = value;
    this.opened(list, i);
    return list;
  }

  // ---- by a loop ----

  private reader(shape: number): Read {
    const { source, builder } = this;
    const nodes = source.nodes(shape);
    const plan: Plan = {
      shape,
      ...source.strict(shape),
      names: nodes.map((node) => builder.table[source.nameOf(node)] as string),
      datatypes: nodes.map((node) => source.datatypeOf(node)),
      nodes,
      seen: 0,
      remade: 0,
      kinds: [],
      direct: undefined,
      made: false,
    };
    // Without gaps: an array that has large ones becomes a hash table.
    while (this.plans.length <= shape >> 1) {
      this.plans.push(undefined);
      this.readers.push(undefined);
    }
    this.plans[shape >> 1] = plan;
    return this.loop(plan);
  }

  /** The function that takes the place of one that is made. */
  private loop(plan: Plan): Read {
    plan.made = false;
    const read: Read = (N, F, I, q) => {
      const instance = N.host.open(plan.constructor_, plan.version);
      const number = N.number++;
      if (number < REFERABLE) N.builder.references[number] = instance;
      if (++plan.seen > HOT && N.source.codeGeneration && codeGenerationAllowed() && N.host.plainAssignment(instance, plan.names))
        N.make(plan, instance);
      return N.fill(plan, instance, F, I, q);
    };
    this.readers[plan.shape >> 1] = read;
    return read;
  }

  /** Gives an instance its fields, which begin at `q`. */
  private fill(plan: Plan, instance: object, F: Float64Array, I: Int32Array, q: number): object {
    const { names, datatypes } = plan;
    this.at = q;
    for (let i = 0; i < names.length; i++) {
      const value = datatypes[i] === 0 ? undefined : this.value(F, I, this.at);
      if (value !== NOTHING) this.host.assign(instance, names[i], value);
      if (this.cut) {
        this.opened(instance, -1);
        return instance;
      }
    }
    this.host.close(instance);
    return instance;
  }

  // ---- by functions made for it ----

  /** Some kinds have changed somewhere; functions that were made for others are dropped. */
  private review(): void {
    this.epoch = this.source.epoch;
    for (const plan of this.plans) {
      if (!plan?.made || plan.remade > PATIENCE) continue;
      if (plan.nodes.some((node, i) => this.source.kindsOf(node) !== plan.kinds[i])) this.loop(plan);
    }
  }

  /** What a constructor does may be another thing in each read. */
  private beginRead(): void {
    this.read = this.builder.reads;
    for (const plan of this.plans) if (plan?.made && this.host.classOf(plan.constructor_) !== plan.direct) this.loop(plan);
  }

  private make(plan: Plan, example: object): void {
    plan.remade++;
    plan.kinds = plan.nodes.map((node) => this.source.kindsOf(node));
    plan.direct = this.host.classOf(plan.constructor_);
    plan.made = true;
    const prototype = Object.getPrototypeOf(example);
    const known = memberToLoad(example, plan.names);
    const { table, children, references } = this.builder;
    this.readers[plan.shape >> 1] = new Function("S", "V", "R", "D", "H", "P", "T", "C", "W", "Z", functionText(plan, prototype, known))(
      table,
      children,
      references,
      defineMember,
      this.host,
      Object.getPrototypeOf,
      prototype,
      plan.direct,
      NOTHING,
      (instance: object, F: Float64Array, I: Int32Array, q: number) => this.fill(plan, instance, F, I, q),
    ) as Read;
  }
}

/** The text of the function that reads one instance; `known`: a member that it loads first (members.ts). */
function functionText(plan: Plan, prototype: object | null, known: string | undefined): string {
  const steps: string[] = [];
  /** Slots since `q` was moved last. */
  let slot = 0;
  let arrays = false;
  plan.names.forEach((name, i) => {
    const key = JSON.stringify(name);
    const assign = (value: string) => (needsDefinition(prototype, name) ? `D(o,${key},${value});` : `o[${key}]=${value};`);
    const datatype = plan.datatypes[i];
    if (datatype === 0) {
      steps.push(assign("undefined"));
      return;
    }
    const kinds = plan.remade > PATIENCE ? 31 : plan.kinds[i] || 31;
    const high = `I[p+${2 * slot + 1}]`;
    // Containers are told before. A field that has held one has its whole numbers in boxes, as if it had held table entries.
    const others = kinds & op.KIND_CHILD ? (kinds & ~op.KIND_CHILD) | op.KIND_TABLE : kinds;
    const scalar = slotExpression(others, `F[q+${slot}]`, `I[p+${2 * slot}]`, high);
    if (datatype < FIRST_CONTAINER || (kinds & op.KIND_CHILD) === 0) {
      slot++;
      steps.push(assign(scalar));
      return;
    }
    arrays = true;
    const inside = `${high}===${op.BOX_ELEMENTS + 4}?a(N,F,I,q+${slot + 1},I[p+${2 * slot}]):N.value(F,I,q+${slot})`;
    const nested = `{const v=${inside};if(N.cut){if(v!==W)${assign("v")}N.opened(o,-1);return o}${assign("v")}q=N.at;}`;
    // Only what is no container can be told without going there: slots counted from q have to be the same either way.
    if (kinds === op.KIND_CHILD) steps.push(nested);
    else steps.push(`if(${high}>=${op.BOX_INSTANCE})${nested}else{${assign(scalar)}q+=${slot + 1};}`);
    steps.push("p=q*2;");
    slot = 0;
  });
  const load = known === undefined ? "" : `o[${JSON.stringify(known)}];`;
  const open = plan.direct ? "new C()" : `H.open(${plan.constructor_},${plan.version})`;
  // An array whose elements are mostly of the same class.
  const array =
    `function a(N,F,I,q,c){const n=N.number++,l=new Array(c);if(n<${REFERABLE})R[n]=l;for(let i=0;i<c;i++){` +
    `const v=I[q*2+1]===${op.BOX_INSTANCE}&&I[q*2]===${plan.shape}?f(N,F,I,q+1):N.value(F,I,q);if(N.cut)return N.openArray(l,i,v);l[i]=v;q=N.at}return l}`;
  return (
    `${arrays ? array : ""}return f;function f(N,F,I,q){const o=${open},n=N.number++;if(n<${REFERABLE})R[n]=o;${load}if(P(o)!==T)return Z(o,F,I,q);` +
    `let p=q*2;${steps.join("")}N.at=q+${slot};${plan.direct ? "" : "H.close(o);"}return o}`
  );
}
