// One shape's factory: how a row of value slots becomes an object. Shapes that are seen often get functions made of text, an object
// literal whose members are read straight from their slots according to the kinds each has had; the others, and all of them on pages
// whose policy forbids that, are filled in by a loop.
import type { Builder, BuilderHost } from "./builder.ts";
import { codeGenerationAllowed, fromText } from "./code-generation.ts";
import { defineMember, givingText, setMember } from "./members.ts";
import * as op from "./ops.ts";
import { REFERABLE } from "./referable.ts";

/** Where the kernel keeps its shapes. */
export interface ShapeSource {
  /** Addresses of the nodes of a shape's members in order. */
  nodes(shape: number): number[];
  /** The datatype of a strict shape's field (formats/elephant.md §3, "any" as 14, "array" 15, "struct" 16); 0: it has no bytes. */
  datatypeOf(node: number): number;
  /** Table index of a node's name. */
  nameOf(node: number): number;
  /** The KIND_ bits that a node's values have had. */
  kindsOf(node: number): number;
  /** Moves whenever some node's kinds do. */
  epoch: number;
  codeGeneration: boolean;
}

type Make = (f64: Float64Array, i32: Int32Array, at: number) => Record<string, unknown>;
/** False: the target has another prototype than the one this was made for, and has got nothing. */
type Assign = (target: object, f64: Float64Array, i32: Int32Array, at: number) => boolean;

/** Rows seen before functions are made; making them costs about as much as 100 rows filled by the loop. */
export const HOT = 12;
/** Functions of a shape: a constructor may return what has a prototype of its own each time. */
const MOST_CLASSES = 64;
/** Shapes with more members are always filled by the loop. */
const LONGEST = 160;
/** After this many new sets of kinds a shape's functions treat every member as one that may be anything. */
export const PATIENCE = 4;

export class ShapeFactory {
  readonly names: string[];
  /** Slots of a row. */
  readonly length: number;
  private readonly nodes: number[];
  private readonly source: ShapeSource;
  private readonly builder: Builder;
  private seen = 0;
  private remade = 0;
  private epoch = -1;
  private kinds: number[] = [];
  private makeRow: Make | undefined = undefined;
  private last: Assign | undefined = undefined;
  private readonly assigners = new Map<object | null, Assign | undefined>();

  constructor(shape: number, source: ShapeSource, builder: Builder) {
    this.source = source;
    this.builder = builder;
    this.nodes = source.nodes(shape);
    this.names = this.nodes.map((node) => builder.table[source.nameOf(node)] as string);
    this.length = this.nodes.length;
  }

  /** One plain struct from the row at `at`. */
  make(at: number): Record<string, unknown> {
    const { f64, i32 } = this.builder.views;
    if (this.epoch !== this.source.epoch) this.review();
    return this.makeRow || (++this.seen > HOT && this.compiled()) ? this.makeRow!(f64, i32, at) : this.fill({}, at);
  }

  /** `count` plain structs from adjacent rows, numbered from `number` on, put into `list` from `place` on. */
  rows(at: number, count: number, number: number, list: unknown[], place: number): void {
    const { references } = this.builder;
    for (let i = 0; i < count; i++, at += this.length) {
      const made = this.make(at);
      if (number + i < REFERABLE) references[number + i] = made;
      list[place + i] = made;
    }
  }

  /** Gives a new instance its members. */
  assignTo(instance: object, at: number, host: BuilderHost): void {
    const { f64, i32 } = this.builder.views;
    if (this.epoch !== this.source.epoch) this.review();
    if (this.last?.(instance, f64, i32, at)) return;
    const prototype = Object.getPrototypeOf(instance);
    const { names, builder } = this;
    let assign = this.assigners.get(prototype);
    if (assign) this.last = assign;
    else if (++this.seen > HOT && this.assigners.size < MOST_CLASSES && this.compiles() && host.takesAll(instance, names)) {
      assign = this.compile(prototype);
      this.assigners.set(prototype, assign);
    }
    if (assign) {
      assign(instance, f64, i32, at);
      return;
    }
    for (let i = 0; i < names.length; i++) host.assign(instance, names[i], builder.value(at + i));
  }

  /** Gives an existing plain struct its members. */
  fill(target: Record<string, unknown>, at: number): Record<string, unknown> {
    const { names, builder } = this;
    for (let i = 0; i < names.length; i++) setMember(target, names[i], builder.value(at + i));
    return target;
  }

  /** Some kinds have changed somewhere; functions made for other kinds than this shape has now are dropped. */
  private review(): void {
    this.epoch = this.source.epoch;
    if (this.kinds.length === 0 || this.remade > PATIENCE) return;
    if (this.nodes.every((node, i) => this.source.kindsOf(node) === this.kinds[i])) return;
    this.makeRow = undefined;
    this.assigners.clear();
    this.last = undefined;
    this.kinds = [];
  }

  private compiles(): boolean {
    return this.builder.functions > 0 && this.source.codeGeneration && this.length <= LONGEST && this.length > 0 && codeGenerationAllowed();
  }

  private compiled(): boolean {
    if (!this.compiles()) return false;
    this.look();
    const literal = `{${this.names.map((name, i) => `${name === "__proto__" ? '["__proto__"]' : JSON.stringify(name)}:${this.expression(i)}`).join(",")}}`;
    this.makeRow = fromText(this.builder.given, `return function(F,I,q){const p=q*2;return ${literal}}`) as Make;
    return true;
  }

  private compile(prototype: object | null): Assign {
    this.look();
    const body = this.names.map((name, i) => `${givingText(prototype, "o", name, this.expression(i))};`).join("");
    return fromText(
      { ...this.builder.given, D: defineMember, P: Object.getPrototypeOf, T: prototype },
      `"use strict";return function(o,F,I,q){if(P(o)!==T)return false;const p=q*2;${body}return true}`,
    ) as Assign;
  }

  /** Takes the kinds that a function is to be made for. */
  private look(): void {
    this.builder.functions--;
    if (this.kinds.length > 0) return;
    this.remade++;
    this.kinds = this.nodes.map((node) => this.source.kindsOf(node));
  }

  /** The text that reads member `i`. */
  private expression(i: number): string {
    const kinds = this.remade > PATIENCE ? 31 : this.kinds[i] || 31;
    return slotExpression(kinds, i);
  }
}

/**
 * The text that reads the value slot `at` of a row; slots of a kind that a member has not had may not occur, so there is nothing to test. Its free
 * names: F and I the memory, q and p where the row begins in these, S the value table, V the children, R the references.
 */
export function slotExpression(kinds: number, at: number): string {
  const number = `F[q+${at}]`;
  const low = `I[p+${2 * at}]`;
  const high = `I[p+${2 * at + 1}]`;
  if (kinds === op.KIND_INT) return `${number}|0`;
  if ((kinds & ~(op.KIND_INT | op.KIND_NUMBER)) === 0) return number;
  if (kinds === op.KIND_TABLE) return `S[${low}]`;
  if (kinds === op.KIND_CHILD) return `V[${low}]`;
  if (kinds === op.KIND_REFERENCE) return `R[${low}]`;
  const choices: [test: string, value: string][] = [];
  if (kinds & op.KIND_TABLE) choices.push([`${high}===${op.BOX_TABLE}`, `S[${low}]`]);
  if (kinds & op.KIND_CHILD) choices.push([`${high}===${op.BOX_CHILD}`, `V[${low}]`]);
  if (kinds & op.KIND_REFERENCE) choices.push([`${high}===${op.BOX_REFERENCE}`, `R[${low}]`]);
  if (kinds & (op.KIND_INT | op.KIND_NUMBER)) choices.unshift([`${high}<${op.BOX_MIN}`, number], [`${high}===${op.BOX_INT}`, low]);
  return choices.reduceRight((rest, [test, value]) => (rest === "" ? value : `${test}?${value}:${rest}`), "");
}
