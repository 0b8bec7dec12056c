// From the op stream to objects. The builder keeps its own stack of open containers, so depth is no concern; plain structs are made
// when they close (as one literal, their children being ready), arrays and instances when they open.
import type { MemoryViews } from "../engine/memory.ts";
import * as op from "./ops.ts";
import { ShapeFactory, type ShapeSource } from "./shape-factory.ts";
import { setMember } from "./members.ts";

/** What the format's own objects need. */
export interface BuilderHost {
  /** A new instance of a registered constructor, before its members; `version` is the version byte. */
  open(id: number, version: number): object;
  /** The members are there. */
  close(instance: object): void;
  /** Assigns one member (constructed structs). */
  assign(instance: object, name: string, value: unknown): void;
  /** May members of this instance be set without asking {@link assign}, as far as its prototype allows? */
  plainAssignment(instance: object, names: readonly string[]): boolean;
  /** A numeric array that stayed in the input. */
  typedArray(datatype: number, length: number, offset: number): unknown;
}

/** A value slot as a JavaScript value. */
export type SlotReader = (at: number) => unknown;

export class Builder {
  /** Values by table index: undefined, false, true, unused, then names, repeated values, values of the chunk, names of schemas. */
  readonly table: unknown[];
  /** Containers by reference number; later ones than 65,535 cannot be referred to. */
  readonly references: unknown[] = new Array(65536);
  /** Containers that wait for the struct around them. */
  readonly children: unknown[] = [];
  readonly factories: ShapeFactory[] = [];
  root: unknown;
  readonly views: MemoryViews;
  private readonly shapes: ShapeSource;
  private readonly host: BuilderHost;
  private readonly lists: unknown[][] = [];
  private readonly instances: object[] = [];
  private list: unknown[] = [];
  private highest = 0;

  constructor(views: MemoryViews, shapes: ShapeSource, host: BuilderHost, tableSize: number) {
    this.views = views;
    this.shapes = shapes;
    this.host = host;
    this.table = new Array(tableSize);
    this.table[0] = undefined;
    this.table[1] = false;
    this.table[2] = true;
  }

  begin(): void {
    this.root = undefined;
  }

  /** Drops what belongs to one call, whether it succeeded or not. */
  end(): void {
    this.references.fill(undefined, 0, Math.min(this.highest + 1, 65536));
    this.children.length = 0;
    this.lists.length = 0;
    this.instances.length = 0;
    this.list = [];
    this.root = undefined;
    this.highest = 0;
  }

  /** The value slot at `at` (in doubles). */
  value(at: number): unknown {
    const { i32, f64 } = this.views;
    const tag = i32[at * 2 + 1];
    if (tag < op.BOX_MIN) return f64[at];
    const payload = i32[at * 2];
    if (tag === op.BOX_TABLE) return this.table[payload];
    if (tag === op.BOX_INT) return payload;
    return tag === op.BOX_CHILD ? this.children[payload] : this.references[payload];
  }

  private register(number: number, container: unknown): void {
    if (number < 65536) {
      this.references[number] = container;
      if (number > this.highest) this.highest = number;
    }
  }

  private factory(shape: number): ShapeFactory {
    return (this.factories[shape] ??= new ShapeFactory(shape, this.shapes, this));
  }

  /** Consumes the operations in [at, end), both in doubles. */
  consume(at: number, end: number): void {
    const { i32, u32, f64 } = this.views;
    const { table, children, references, host } = this;
    while (at < end) {
      const word = u32[at * 2];
      const number = u32[at * 2 + 1];
      const argument = word >>> 8;
      const toArray = (word & 64) !== 0;
      switch (word & 63) {
        case op.STRUCT: {
          const index = u32[at * 2 + 2];
          const rows = u32[at * 2 + 3];
          const factory = this.factories[argument] ?? this.factory(argument);
          at += 2;
          if (word & 128) {
            factory.assign(references[number] as Record<string, unknown>, at);
            if (toArray) this.list.push(references[number]);
            else children[index] = references[number];
          } else if (toArray) {
            factory.rows(at, rows, number, this.list);
            const last = number + rows - 1;
            if (last > this.highest) this.highest = last;
          } else {
            const made = factory.make(at);
            this.register(number, made);
            children[index] = made;
          }
          at += rows * factory.length;
          break;
        }
        case op.STRUCT_PAIRS: {
          const index = u32[at * 2 + 2];
          const count = u32[at * 2 + 3];
          const made = (word & 128 ? references[number] : {}) as Record<string, unknown>;
          at += 2;
          for (let i = 0; i < count; i++, at += 2) setMember(made, table[u32[at * 2]] as string, this.value(at + 1));
          this.register(number, made);
          if (toArray) this.list.push(made);
          else children[index] = made;
          break;
        }
        case op.MATERIALISE:
          this.register(number, {});
          at += 1;
          break;
        case op.OPEN_INSTANCE: {
          const index = u32[at * 2 + 2];
          const instance = host.open(argument, u32[at * 2 + 3]);
          this.register(number, instance);
          if (toArray) this.list.push(instance);
          else children[index] = instance;
          this.instances.push(instance);
          at += 2;
          break;
        }
        case op.CLOSE_INSTANCE: {
          const factory = this.factories[argument] ?? this.factory(argument);
          const instance = this.instances.pop()!;
          at += 2;
          factory.assignTo(instance, at, host);
          at += factory.length;
          host.close(instance);
          break;
        }
        case op.CLOSE_INSTANCE_PAIRS: {
          const count = u32[at * 2 + 3];
          const instance = this.instances.pop()!;
          at += 2;
          for (let i = 0; i < count; i++, at += 2) host.assign(instance, table[u32[at * 2]] as string, this.value(at + 1));
          host.close(instance);
          break;
        }
        case op.OPEN_ARRAY: {
          const index = u32[at * 2 + 2];
          const inline = u32[at * 2 + 3];
          const made: unknown[] = [];
          this.register(number, made);
          if (toArray) this.list.push(made);
          else children[index] = made;
          this.lists.push(this.list);
          this.list = made;
          at += 2;
          for (const stop = at + inline; at < stop; at++) made.push(this.value(at));
          break;
        }
        case op.CLOSE_ARRAY:
          this.list = this.lists.pop()!;
          at += 1;
          break;
        case op.ELEMENTS:
        case op.ELEMENTS_TABLE: {
          const count = u32[at * 2 + 3];
          const { list } = this;
          at += 2;
          for (const stop = at + count; at < stop; at++) list.push(this.value(at));
          break;
        }
        case op.ELEMENTS_F64: {
          const count = u32[at * 2 + 3];
          const { list } = this;
          at += 2;
          for (const stop = at + count; at < stop; at++) list.push(f64[at]);
          break;
        }
        case op.ELEMENTS_I32: {
          const count = u32[at * 2 + 3];
          const { list } = this;
          at += 2;
          for (let i = at * 2, stop = i + count; i < stop; i++) list.push(i32[i]);
          at += (count + 1) >> 1;
          break;
        }
        case op.ARRAY:
        case op.ARRAY_TABLE:
        case op.ARRAY_F64:
        case op.ARRAY_I32:
        case op.ARRAY_UNDEFINED: {
          const index = u32[at * 2 + 2];
          at += 2;
          let made: unknown[];
          switch (word & 63) {
            case op.ARRAY_TABLE:
              made = tableArray(table, i32, at * 2, argument);
              at += argument;
              break;
            case op.ARRAY_F64:
              made = doubleArray(f64, at, argument);
              at += argument;
              break;
            case op.ARRAY_I32:
              made = integerArray(i32, at * 2, argument);
              at += (argument + 1) >> 1;
              break;
            case op.ARRAY_UNDEFINED:
              made = [];
              for (let i = 0; i < argument; i++) made.push(undefined);
              break;
            default:
              made = [];
              // An element may refer to this very array.
              this.register(number, made);
              for (const stop = at + argument; at < stop; at++) made.push(this.value(at));
          }
          this.register(number, made);
          if (toArray) this.list.push(made);
          else children[index] = made;
          break;
        }
        case op.ARRAY_TYPED: {
          const index = u32[at * 2 + 2];
          const made = host.typedArray(u32[at * 2 + 3], argument, f64[at + 2]);
          this.register(number, made);
          if (toArray) this.list.push(made);
          else children[index] = made;
          at += 3;
          break;
        }
        case op.HOLD:
          at += 1;
          for (const stop = at + argument; at < stop; at++) table[u32[at * 2 + 1]] = table[u32[at * 2]];
          break;
        case op.ROOT_SCALAR:
          children[0] = this.value(at + 1);
          at += 2;
          break;
        default:
          throw new Error(`operation ${word & 63} at slot ${at} is unknown: the two lists of operations differ`);
      }
    }
  }
}

function integerArray(i32: Int32Array, at: number, count: number): unknown[] {
  switch (count) {
    case 1:
      return [i32[at]];
    case 2:
      return [i32[at], i32[at + 1]];
    case 3:
      return [i32[at], i32[at + 1], i32[at + 2]];
    case 4:
      return [i32[at], i32[at + 1], i32[at + 2], i32[at + 3]];
    case 5:
      return [i32[at], i32[at + 1], i32[at + 2], i32[at + 3], i32[at + 4]];
  }
  const made: number[] = [];
  for (let i = 0; i < count; i++) made.push(i32[at + i]);
  return made;
}

function doubleArray(f64: Float64Array, at: number, count: number): unknown[] {
  switch (count) {
    case 1:
      return [f64[at]];
    case 2:
      return [f64[at], f64[at + 1]];
    case 3:
      return [f64[at], f64[at + 1], f64[at + 2]];
  }
  const made: number[] = [];
  for (let i = 0; i < count; i++) made.push(f64[at + i]);
  return made;
}

function tableArray(table: unknown[], i32: Int32Array, at: number, count: number): unknown[] {
  const made: unknown[] = [];
  for (let i = 0; i < count; i++, at += 2) made.push(table[i32[at]]);
  return made;
}
