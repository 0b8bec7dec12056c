// From the op stream to objects. The builder keeps its own stack of open containers, so depth is no concern; plain structs are made
// when they close (as one literal, their children being ready), arrays and instances when they open.
import type { MemoryViews } from "../engine/memory.ts";
import { doubleArray, empty, integerArray, numberOf, tableArray } from "./elements.ts";
import { LayoutFactory } from "./layout-factory.ts";
import { inheritance, setMember } from "./members.ts";
import * as op from "./ops.ts";
import { REFERABLE } from "./referable.ts";
import { ShapeFactory, type ShapeSource } from "./shape-factory.ts";

/** Functions for shapes made in one read. Each takes 60 µs, and thousands of shapes that come once in a save would all get theirs in the same one. */
const MOST_FUNCTIONS = 64;
/** For more members than these the names that everything inherits are listed first. */
const FEW = 16;

/** What the format's own objects need. */
export interface BuilderHost {
  /** A new instance of a registered constructor, before its members; `version` is the version byte. */
  open(id: number, version: number): object;
  /** The class, when `new` is all that {@link open} does for this constructor in this read, and {@link close} does nothing. */
  classOf(id: number): (new () => object) | undefined;
  /** The members are there. */
  close(instance: object): void;
  /** Assigns one member (constructed structs). */
  assign(instance: object, name: string, value: unknown): void;
  /** May members of this instance be set without asking {@link assign}, as far as its prototype allows? */
  takesAll(instance: object, names: readonly string[]): boolean;
  /** A numeric array that stayed in the input. */
  typedArray(datatype: number, length: number, offset: number): unknown;
  /** The same, or one of bools, as a plain array. */
  numbers(datatype: number, length: number, offset: number): unknown[];
}

// An operation is in the lower six bits of a word; its flags follow.
const TO_ARRAY = op.TO_ARRAY << 6;
const EXISTING = op.EXISTING << 6;
/** Entries of the table that stay from one call to the next: names and schemas' end before. */
const MOST_KEPT = 1 << 18;

export class Builder {
  /** Values by table index: undefined, false, true, unused, then values of the chunk, and names of schemas, names, repeated values and what outlives the chunk by turns. */
  readonly table: unknown[] = [undefined, false, true];
  /** Containers by reference number; later ones than 65,535 cannot be referred to. */
  readonly references: unknown[] = [];
  /** Containers that wait for the struct around them. */
  readonly children: unknown[] = [];
  /** What the text of made functions calls them. */
  readonly given = { S: this.table, V: this.children, R: this.references };
  readonly factories: (ShapeFactory | undefined)[] = [];
  /** By number of the layout. */
  readonly layouts: (LayoutFactory | undefined)[] = [];
  readonly views: MemoryViews;
  private readonly shapes: ShapeSource;
  private readonly host: BuilderHost;
  private readonly layoutsAt: number;
  private readonly lists: unknown[][] = [];
  private readonly instances: object[] = [];
  /**
   * Most elements for which room is made before they are there. Fewer where nobody knows how long the input is: every 3 bytes could
   * claim an array of 65,534 elements.
   */
  reserve = 65536;
  /** Counts reads. */
  reads = 0;
  /** So many functions may still be made for shapes in this read. */
  functions = 0;
  /** The open array, and its next free index. */
  private list: unknown[] = [];
  private place = 0;
  private readonly places: number[] = [];

  /** `layoutsAt`: where layouts begin in memory. */
  constructor(views: MemoryViews, shapes: ShapeSource, host: BuilderHost, layoutsAt: number) {
    this.layoutsAt = layoutsAt;
    this.views = views;
    this.shapes = shapes;
    this.host = host;
  }

  /**
   * Puts a value into the table, which becomes as long as that takes, without holes: an array with many becomes a hash table when it grows. Nothing is behind
   * the loop, which is compiled without what has not been met, again and again.
   */
  enter(index: number, value: unknown): void {
    const { table } = this;
    if (index < table.length) table[index] = value;
    else while (table.push(table.length < index ? undefined : value) <= index);
  }

  /** Before a read of at most so many containers. */
  begin(containers: number): void {
    this.reads++;
    this.functions = MOST_FUNCTIONS;
    const referable = Math.min(Math.ceil(containers), REFERABLE);
    if (this.references.length < referable) this.references.length = referable;
  }

  /**
   * Drops what belongs to one call, whether it succeeded or not. `containers`: how many had numbers; `kept`: where entries of several kinds begin in the table, if
   * texts are to be dropped, too. A short one is a part of what was decoded with it, and keeps all of that.
   */
  end(containers: number, kept = 0): void {
    const { table } = this;
    if (table.length > MOST_KEPT) table.length = MOST_KEPT;
    // Names of schemas, names, repeated values and what outlives the chunk come by turns, from a multiple of four on.
    for (let i = 4; kept && i < table.length; i++) if (i < kept || i & 2) table[i] = undefined;
    this.references.fill(undefined, 0, containers);
    empty(this.children);
    empty(this.lists);
    empty(this.places);
    empty(this.instances);
    this.list = [];
    this.place = 0;
  }

  /** `index`, to which the children then reach without holes (see {@link enter}): of structs in structs the innermost comes first, with the highest. */
  private child(index: number): number {
    const { children } = this;
    while (children.length < index) children.push(undefined);
    return index;
  }

  /** Puts a value into the open array, or to the children at `index` if that is not negative. */
  deliver(value: unknown, index: number): void {
    if (index < 0) this.list[this.place++] = value;
    else this.children[this.child(index)] = value;
  }

  /** A container goes on by operations of its own: an array at element `next`, an instance where that is negative. */
  reopen(container: object, next: number): void {
    if (next < 0) {
      this.instances.push(container);
      return;
    }
    this.lists.push(this.list);
    this.places.push(this.place);
    this.list = container as unknown[];
    this.place = next;
  }

  /** The value slot at `at` (in doubles). */
  value(at: number): unknown {
    const { i32, f64 } = this.views;
    const tag = i32[at * 2 + 1];
    if (tag < op.BOX_MIN) return numberOf(f64[at]);
    const payload = i32[at * 2];
    if (tag === op.BOX_TABLE) return this.table[payload];
    if (tag === op.BOX_INT) return payload;
    return tag === op.BOX_CHILD ? this.children[payload] : this.references[payload];
  }

  /** {@link value} of `count` slots from `at` on, into `list` from `place` on. */
  values(at: number, count: number, list: unknown[], place: number): void {
    const { i32, f64 } = this.views;
    const { table } = this;
    for (const stop = at + count; at < stop; at++) {
      const tag = i32[at * 2 + 1];
      if (tag === op.BOX_TABLE) list[place++] = table[i32[at * 2]];
      else if (tag < op.BOX_MIN) list[place++] = numberOf(f64[at]);
      else if (tag === op.BOX_INT) list[place++] = i32[at * 2];
      else list[place++] = this.value(at);
    }
  }

  /** The elements of an ELEMENTS_KINDS at `at`, of which `entries` are in the table, into `list` from `place` on; returns where they end. */
  private byKind(at: number, entries: number, list: unknown[], place: number): number {
    const { i32, f64 } = this.views;
    const { table } = this;
    const wholes = i32[at * 2 + 2];
    const doubles = i32[at * 2 + 3];
    let i = at * 2 + 4;
    for (const stop = i + entries * 2; i < stop; i += 2) list[place + i32[i + 1]] = table[i32[i]];
    for (const stop = i + wholes * 2; i < stop; i += 2) list[place + i32[i + 1]] = i32[i];
    const first = i >> 1;
    const places = i + doubles * 2;
    for (let k = 0; k < doubles; k++) list[place + i32[places + k]] = f64[first + k];
    return (places + doubles + 1) >> 1;
  }

  /** Sets `count` members of a plain struct from the pairs of name and value at `at`. */
  private setPairs(target: Record<string, unknown>, at: number, count: number): void {
    const { u32 } = this.views;
    const inherited = count > FEW ? inheritance() : undefined;
    for (const stop = at + count * 2; at < stop; at += 2) {
      const name = this.table[u32[at * 2]] as string;
      if (inherited && !inherited(name)) target[name] = this.value(at + 1);
      else setMember(target, name, this.value(at + 1));
    }
  }

  factory(shape: number): ShapeFactory {
    const { factories } = this;
    const found = factories[shape];
    if (found) return found;
    // Without gaps: an array that has large ones becomes a hash table.
    while (factories.length < shape) factories.push(undefined);
    return (factories[shape] = new ShapeFactory(shape, this.shapes, this));
  }

  layout(number: number): LayoutFactory {
    const { layouts } = this;
    const found = layouts[number];
    if (found) return found;
    while (layouts.length < number) layouts.push(undefined);
    return (layouts[number] = new LayoutFactory(this.layoutsAt + number * 16, this.shapes, this, this.host));
  }

  /** Consumes the operations in [at, end), both in doubles. */
  consume(at: number, end: number): void {
    const { i32, u32, f64 } = this.views;
    const { table, children, references, host } = this;
    let { list, place } = this;
    while (at < end) {
      const word = i32[at * 2];
      const number = i32[at * 2 + 1];
      const argument = word >>> 8;
      const toArray = (word & TO_ARRAY) !== 0;
      let made: unknown;
      switch (word & 63) {
        case op.STRUCT: {
          const factory = this.factory(argument);
          const rows = i32[at * 2 + 3];
          if (word & EXISTING) {
            made = references[number];
            factory.fill(made as Record<string, unknown>, at + 2);
          } else if (rows > 1) {
            if (toArray) {
              factory.rows(at + 2, rows, number, list, place);
              place += rows;
            } else factory.rows(at + 2, rows, number, children, this.child(i32[at * 2 + 2]));
            at += 2 + rows * factory.length;
            continue;
          } else {
            made = factory.make(at + 2);
            if (number < REFERABLE) references[number] = made;
          }
          if (toArray) list[place++] = made;
          else children[this.child(i32[at * 2 + 2])] = made;
          at += 2 + factory.length;
          continue;
        }
        case op.LAYOUT: {
          const rows = i32[at * 2 + 3];
          const factory = this.layout(argument);
          if (toArray) {
            at = factory.rows(at + 2, rows, number, list, place);
            place += rows;
          } else at = factory.rows(at + 2, rows, number, children, this.child(i32[at * 2 + 2]));
          continue;
        }
        case op.ARRAY_I32:
          made = integerArray(i32, at * 2 + 4, argument);
          break;
        case op.ARRAY_F64:
          made = doubleArray(f64, at + 2, argument);
          break;
        case op.ARRAY_TABLE:
          made = tableArray(table, i32, at * 2 + 4, argument);
          break;
        case op.ARRAY_UNDEFINED:
          made = argument === 0 ? [] : new Array(argument).fill(undefined);
          break;
        case op.ARRAY: {
          const filled = new Array(argument);
          // An element may refer to this very array.
          if (number < REFERABLE) references[number] = filled;
          this.values(at + 2, argument, filled, 0);
          made = filled;
          break;
        }
        case op.ARRAY_TYPED:
          made = host.typedArray(u32[at * 2 + 3], argument, f64[at + 2]);
          break;
        case op.ARRAY_NUMBERS:
          made = host.numbers(u32[at * 2 + 3], argument, f64[at + 2]);
          break;
        case op.STRUCT_PAIRS: {
          const count = u32[at * 2 + 3];
          made = word & EXISTING ? references[number] : {};
          this.setPairs(made as Record<string, unknown>, at + 2, count);
          break;
        }
        case op.MATERIALISE:
          references[number] = {};
          at += 1;
          continue;
        case op.OPEN_INSTANCE: {
          const instance = host.open(argument, u32[at * 2 + 3]);
          this.instances.push(instance);
          made = instance;
          break;
        }
        case op.CLOSE_INSTANCE: {
          const factory = this.factory(argument);
          const instance = this.instances.pop()!;
          factory.assignTo(instance, at + 2, host);
          at += 2 + factory.length;
          host.close(instance);
          continue;
        }
        case op.CLOSE_INSTANCE_PAIRS: {
          const count = u32[at * 2 + 3];
          const instance = this.instances.pop()!;
          at += 2;
          for (let i = 0; i < count; i++, at += 2) host.assign(instance, table[u32[at * 2]] as string, this.value(at + 1));
          host.close(instance);
          continue;
        }
        case op.OPEN_ARRAY: {
          // Its length is plausible: the kernel has compared it with what is left of the input, where that is known.
          const opened = new Array(argument < this.reserve ? argument : this.reserve);
          const inline = i32[at * 2 + 3];
          if (number < REFERABLE) references[number] = opened;
          if (toArray) list[place++] = opened;
          else children[this.child(i32[at * 2 + 2])] = opened;
          this.lists.push(list);
          this.places.push(place);
          list = opened;
          at += 2;
          this.values(at, inline, opened, 0);
          place = inline;
          at += inline;
          continue;
        }
        case op.CLOSE_ARRAY:
          list = this.lists.pop()!;
          place = this.places.pop()!;
          at += 1;
          continue;
        case op.ELEMENTS: {
          const count = i32[at * 2 + 3];
          this.values(at + 2, count, list, place);
          place += count;
          at += 2 + count;
          continue;
        }
        case op.ELEMENTS_KINDS:
          at = this.byKind(at, number, list, place);
          place += argument;
          continue;
        case op.ELEMENTS_F64: {
          const stop = at + 2 + i32[at * 2 + 3];
          for (at += 2; at < stop; at++) list[place++] = f64[at];
          continue;
        }
        case op.ELEMENTS_I32: {
          const count = i32[at * 2 + 3];
          for (let i = at * 2 + 4, stop = i + count; i < stop; i++) list[place++] = i32[i];
          at += 2 + ((count + 1) >> 1);
          continue;
        }
        case op.HOLD:
          at += 1;
          for (const stop = at + argument; at < stop; at++) this.enter(u32[at * 2 + 1], table[u32[at * 2]]);
          continue;
        case op.ROOT_SCALAR:
          children[0] = this.value(at + 1);
          at += 2;
          continue;
        // The kernel emits no other: a module of another release is refused when it is loaded.
      }
      if (number < REFERABLE) references[number] = made;
      if (toArray) list[place++] = made;
      else children[this.child(i32[at * 2 + 2])] = made;
      at += 2 + slotsOf(word & 63, argument, u32[at * 2 + 3]);
    }
    this.list = list;
    this.place = place;
  }
}

/** Slots of an operation that makes one container, behind its two first. */
function slotsOf(operation: number, length: number, second: number): number {
  switch (operation) {
    case op.ARRAY_I32:
      return (length + 1) >> 1;
    case op.ARRAY_F64:
    case op.ARRAY_TABLE:
    case op.ARRAY:
      return length;
    case op.ARRAY_TYPED:
    case op.ARRAY_NUMBERS:
      return 1;
    case op.STRUCT_PAIRS:
      return second * 2;
    default:
      return 0;
  }
}
