// The text of the function that makes structs of one layout's rows, see layout-factory.ts: an expression for each part, in their order.
import { fixedText } from "./fixed-values.ts";
import { givingText } from "./members.ts";
import * as op from "./ops.ts";
import { slotExpression } from "./shape-factory.ts";

/** All kinds of values that a slot may hold (ops.ts). */
const ANY_KIND = 31;

/** A member of a layout, or its root. */
export interface Part {
  readonly type: number;
  readonly name: string;
  /** Members, of structs; parts of their structs, of arrays of such. */
  readonly count: number;
  readonly constructor_: number;
  /** Of values of fixed length. */
  readonly datatype: number;
  /** Where it stands in the bytes that are in the row. */
  readonly place: number;
  /** Slots that those take, where it is the first one in them. */
  readonly room: number;
  /** Has it been a fraction? */
  fraction: boolean;
  readonly version: number;
  /** Where the kernel keeps the kinds of its values, in words. */
  readonly kindsAt: number;
  /** Of the instances made so far: what their members may rely on. */
  prototype: object | null | undefined;
  plain: boolean;
  /** The member that a made function loads first. */
  known: string | undefined;
  /** Their class, where a function was made that calls it without asking the host. */
  direct: (new () => object) | undefined;
}

/** What the function for rows of one layout, or of the structs of one array, has come to. */
class RowText {
  readonly variables: string[] = [];
  /** What notes its containers. */
  readonly notes: string[] = [];
  /** The number of the container behind what was made last that has others in it, however many, and how many there have been since. */
  number = "n";
  containers = 0;
  /** Slots since `q` was moved last. */
  slot = 0;

  variable(): string {
    const name = `v${this.variables.length}`;
    this.variables.push(name);
    return name;
  }

  /** Goes on where `q` was moved to, with the container that has the number in the variable `number`. */
  goOn(number: string): void {
    this.number = number;
    this.containers = 0;
    this.slot = 0;
  }

  /** The number of the next container. */
  next(): string {
    return this.number + (this.containers > 0 ? `+${this.containers}` : "");
  }
}

/** The text of a layout's function: one expression for a row, whose parts are read in order. The structs of an array have a function of their own. */
export class LayoutText {
  readonly body: string;
  readonly prototypes: (object | null)[] = [];
  readonly classes: (new () => object)[] = [];
  private readonly parts: readonly Part[];
  private readonly kinds: readonly number[] | undefined;
  private readonly functions: string[] = [];
  private part = 0;
  /** Of the function that is being made. */
  private row = new RowText();
  /** The variable that says where the last bytes in the row begin. */
  private bytes = "";

  constructor(parts: readonly Part[], kinds: readonly number[] | undefined) {
    this.parts = parts;
    this.kinds = kinds;
    const row = this.rows();
    this.body =
      `"use strict";${this.classes.map((_, i) => `const C${i}=C[${i}];`).join("")}${this.prototypes.map((_, i) => `const T${i}=T[${i}];`).join("")}` +
      `${this.functions.join("")}return ${row}`;
  }

  /** The function for rows of the next part. */
  private rows(): string {
    const made = this.next();
    const { row } = this;
    return (
      `function(F,I,d,q,c,n,m,l,i){let p,x,y${row.variables.map((name) => `,${name}`).join("")};` +
      `for(;c>0;c--,n=${row.next()}){p=q*2;l[i++]=${made};q+=${row.slot};` +
      `if(m){${row.notes.join(";")}}}B.number=n;return q}`
    );
  }

  /** A variable for a container, which has the next number; `notes`: where it is noted. */
  private container(notes = this.row.notes): string {
    const name = this.row.variable();
    notes.push(`R[${this.row.next()}]=${name}`);
    this.row.containers++;
    return name;
  }

  private next(): string {
    const index = this.part++;
    const part = this.parts[index];
    switch (part.type) {
      case op.LAYOUT_STRUCT: {
        const name = this.container();
        const members: string[] = [];
        for (let i = 0; i < part.count; i++) {
          const key = this.parts[this.part].name;
          members.push(`${key === "__proto__" ? '["__proto__"]' : JSON.stringify(key)}:${this.next()}`);
        }
        return `(${name}={${members.join()}})`;
      }
      case op.LAYOUT_INSTANCE:
        return this.instance(part);
      case op.LAYOUT_ARRAY: {
        const name = this.container();
        const { slot } = this.row;
        const length = `I[p+${2 * slot}]`;
        const kind = `I[p+${2 * slot + 1}]`;
        this.row.slot = 0;
        return `(${name}=L(F,I,q+${slot + 1},${length},${kind}),q+=${slot + 1}+N(${length},${kind}),p=q*2,${name})`;
      }
      case op.LAYOUT_ROWS:
      case op.LAYOUT_VARIED:
        return this.list(part.type);
      case op.LAYOUT_HELD:
        return this.held();
      case op.LAYOUT_NOTHING:
        return "undefined";
      case op.LAYOUT_FIXED:
        return `(${this.bytesText(part)}${this.fixed(part)})`;
      default: {
        const at = this.row.slot++;
        const kinds = part.type === op.LAYOUT_TABLE ? op.KIND_TABLE : this.kinds?.[index] || ANY_KIND;
        return slotExpression(kinds, at);
      }
    }
  }

  /** An array of structs, of one layout or of many. */
  private list(type: number): string {
    const { row } = this;
    const name = this.container();
    const length = row.variable();
    const behind = row.variable();
    const at = `q+${row.slot + 1}`;
    const filled =
      type === op.LAYOUT_VARIED
        ? `W.fill(${name},${at},${row.next()}),q=B.at`
        : `q=${this.inner()}(F,I,d,${at},${length},${row.next()},m,${name},0)`;
    const text = `(${length}=I[p+${2 * row.slot}],${name}=${length}>0?new Array(${length}):[],${filled},${behind}=B.number,p=q*2,${name})`;
    row.goOn(behind);
    return text;
  }

  /** A struct that has a layout of its own, or another value. */
  private held(): string {
    const { row } = this;
    const name = row.variable();
    const behind = row.variable();
    const { slot } = row;
    const text =
      `(I[p+${2 * slot + 1}]===${op.BOX_ROWS}?(${name}=W.held(q+${slot},${row.next()}),q=B.at,${behind}=B.number):` +
      `(${name}=${slotExpression(ANY_KIND, slot)},q+=${slot + 1},${behind}=${row.next()}),p=q*2,${name})`;
    row.goOn(behind);
    return text;
  }

  /** The name of the function for the structs of an array, which are the next part. */
  private inner(): string {
    const { row } = this;
    this.row = new RowText();
    const rows = this.rows();
    this.row = row;
    const name = `r${this.functions.length}`;
    this.functions.push(`const ${name}=${rows};`);
    return name;
  }

  /** Notes where the bytes of a value begin, if it is the first one in them. */
  private bytesText({ room }: Part): string {
    if (room === 0) return "";
    this.bytes = this.row.variable();
    const text = `${this.bytes}=(q+${this.row.slot})*8,`;
    this.row.slot += room;
    return text;
  }

  /** A value of fixed length, which can be read at any time. */
  private fixed({ datatype, place, fraction }: Part): string {
    return fixedText(datatype, `${this.bytes}+${place}`, fraction)!;
  }

  /** `(o = open, v = member, ..., o.member = v, ..., close, o)`; objects with another prototype than usual get their members one by one. */
  private instance(part: Part): string {
    // The one that holds all others may be what they refer to.
    const early: string[] = [];
    const name = this.container(this.part === 1 && this.parts.some(mayRefer) ? early : this.row.notes);
    const steps: string[] = [];
    if (part.direct) {
      this.classes.push(part.direct);
      // With the class's number: for functions of one text the engine keeps what it learns once, for all classes of the same members.
      steps.push(`${name}=new C${this.classes.length - 1}(/*${part.constructor_}*/)`);
    } else steps.push(`${name}=H.open(${part.constructor_},${part.version})`);
    if (early.length > 0) steps.push(`m&&(${early[0]})`);
    const members: { name: string; value: string }[] = [];
    for (let i = 0; i < part.count; i++) {
      const part = this.parts[this.part];
      if (part.type === op.LAYOUT_FIXED) {
        // Read where it is assigned: in a variable for two ways of that the engine would keep a number as an object.
        this.part++;
        steps.push(`${this.bytesText(part)}0`);
        members.push({ name: part.name, value: this.fixed(part) });
        continue;
      }
      const value = this.row.variable();
      members.push({ name: part.name, value });
      steps.push(`${value}=${this.next()}`);
    }
    const slow = members.map((member) => `H.assign(${name},${JSON.stringify(member.name)},${member.value})`);
    if (part.plain && members.length > 0) {
      const prototype = part.prototype!;
      this.prototypes.push(prototype);
      const quick = members.map((member) => givingText(prototype, name, member.name, member.value));
      if (part.known !== undefined) steps.push(`${name}[${JSON.stringify(part.known)}]`);
      steps.push(`P(${name})===T${this.prototypes.length - 1}?(${quick.join()}):(${slow.join()})`);
    } else steps.push(...slow);
    if (!part.direct) steps.push(`H.close(${name})`);
    steps.push(name);
    return `(${steps.join()})`;
  }
}

function mayRefer(part: Part): boolean {
  const { type } = part;
  return type === op.LAYOUT_ANY || type === op.LAYOUT_ARRAY || type === op.LAYOUT_VARIED || type === op.LAYOUT_HELD;
}
