// One layout's factory: rows of slots become structs with the structs and arrays inside them (assembly/elephant/layouts.ts). As in the
// factory of a shape, a function made of text (layout-text.ts) does it where that is allowed and pays, and a loop over the members elsewhere.
import type { Builder, BuilderHost } from "./builder.ts";
import { codeGenerationAllowed, fromText } from "./code-generation.ts";
import { elementSlots, elements, mixedList } from "./elements.ts";
import { fixedValue, halfToNumber, isFraction } from "./fixed-values.ts";
import { LayoutText, type Part } from "./layout-text.ts";
import { defineMember, memberToLoad, setMember } from "./members.ts";
import * as op from "./ops.ts";
import { REFERABLE } from "./referable.ts";
import { HOT, PATIENCE, type ShapeSource } from "./shape-factory.ts";

// Words of a layout and of its nodes (assembly/elephant/layouts/words.ts).
const NODE_COUNT = 1;
const CONTAINERS = 2;
const HEAD = 16;
const NODE = 12;
const TYPE = 0;
const TAG = 1;
const COUNT = 2;
const PLACE = 2;
const NAME_ID = 3;
const CONSTRUCTOR = 4;
const ROOM = 4;
const VERSION = 5;
const KINDS = 6;

/** The parts of BOX_ROWS. */
const NUMBER = 0xffffff;
const COUNT_SHIFT = 24;

/** Rows until a function is made though no instance has been seen of some class in their arrays. */
const ENOUGH = 256;
/** Rows of a large read. */
const MANY = 4096;
/**
 * Behind so many large reads the function is made anew, once. Engines decide for each literal whether its objects are made among the old ones, by how many of the
 * first outlive a collection, and keep to that; a full collection, which the first reads of large saves often meet, counts few of those that do
 * (docs/performance.md "The edge of the young generation").
 */
const LARGE_READS = 3;

/**
 * Puts `count` structs made of the rows at `q` into `l` from `i` on; returns where the rows end. `noting`: their containers, numbered from `n` on, can
 * be referred to. (Asked of the number in each row, it would have a branch that is first taken late, and the engine drops compiled code then.)
 */
type Rows = (
  F: Float64Array,
  I: Int32Array,
  d: DataView,
  q: number,
  count: number,
  n: number,
  noting: boolean,
  l: unknown[],
  i: number,
) => number;

export class LayoutFactory {
  /** Containers in one row, where all have as many. */
  private readonly containers: number | undefined;
  private readonly parts: Part[];
  private readonly instances: Part[];
  private readonly source: ShapeSource;
  private readonly builder: Builder;
  private readonly host: BuilderHost;
  private seen = 0;
  /** Rows that the function has made in this read. */
  private count = 0;
  /** Large ones. */
  private reads = 0;
  private remade = 0;
  private epoch = -1;
  /** The read in which the classes were compared last. */
  private read = -1;
  private kinds: number[] | undefined = undefined;
  private generated: Rows | undefined = undefined;
  /** What follows what made functions have made last: its number, and where it is. */
  private readonly behind = { number: 0, at: 0 };
  // Where the loop is.
  private part = 0;
  private at = 0;
  /** Where the last bytes in the row begin. */
  private bytes = 0;
  private number = 0;
  private readonly one: unknown[] = [undefined];

  /** `address` of the layout in bytes. */
  constructor(address: number, source: ShapeSource, builder: Builder, host: BuilderHost) {
    this.source = source;
    this.builder = builder;
    this.host = host;
    const { u32 } = builder.views;
    const head = address >> 2;
    this.parts = Array.from({ length: u32[head + NODE_COUNT] }, (_, i) => {
      const node = head + HEAD + i * NODE;
      return {
        type: u32[node + TYPE],
        name: builder.table[u32[node + NAME_ID]] as string,
        count: u32[node + COUNT],
        constructor_: u32[node + CONSTRUCTOR],
        datatype: u32[node + TAG],
        place: u32[node + PLACE],
        room: u32[node + ROOM],
        fraction: false,
        version: u32[node + VERSION],
        kindsAt: node + KINDS,
        prototype: undefined,
        plain: false,
        known: undefined,
        direct: undefined,
      };
    });
    this.instances = this.parts.filter((part) => part.type === op.LAYOUT_INSTANCE);
    this.containers = this.parts.some(({ type }) => type >= op.LAYOUT_ROWS) ? undefined : u32[head + CONTAINERS];
  }

  /** Makes `count` structs of the rows at `at`, numbered from `number` on, in `list` from `place` on; returns where the rows end. */
  rows(at: number, count: number, number: number, list: unknown[], place: number): number {
    if (this.epoch !== this.source.epoch) this.review();
    if (this.read !== this.builder.reads) this.beginRead();
    this.at = at;
    this.number = number;
    for (let i = 0; i < count; ) {
      const made = this.generated ? this.made(count - i, list, place + i) : 0;
      if (made === 0) {
        this.part = 0;
        list[place + i] = this.next();
        // Not one row later: compiling this loop, too, would keep the made function waiting.
        if (++this.seen >= HOT && !this.generated && (this.seen >= ENOUGH || this.instances.every((part) => part.prototype !== undefined)))
          this.generate();
      }
      i += made || 1;
    }
    return this.at;
  }

  /** Rows by the made function, at most `count`; none where the next one holds both containers that can be referred to and others. */
  private made(count: number, list: unknown[], place: number): number {
    const { at, number, containers } = this;
    const { f64, i32, view } = this.builder.views;
    const referable = number < REFERABLE;
    // Where nobody knows how many are in a row, some are noted that cannot be referred to.
    const rows = referable && containers ? Math.min(count, Math.floor((REFERABLE - number) / containers)) : count;
    if (rows > 0) {
      this.at = this.generated!(f64, i32, view, at, rows, number, referable, list, place);
      this.number = this.behind.number;
      this.count += rows;
    }
    return rows;
  }

  // ---- by a loop ----

  /** The value of the next part, with all parts inside it. */
  private next(): unknown {
    const part = this.parts[this.part++];
    const { builder } = this;
    const { views } = builder;
    switch (part.type) {
      case op.LAYOUT_STRUCT: {
        const made: Record<string, unknown> = {};
        this.note(made);
        for (let i = 0; i < part.count; i++) {
          const { name } = this.parts[this.part];
          setMember(made, name, this.next());
        }
        return made;
      }
      case op.LAYOUT_INSTANCE:
        return this.instance(part);
      case op.LAYOUT_FIXED: {
        if (part.room > 0) {
          this.bytes = this.at * 8;
          this.at += part.room;
        }
        const value = fixedValue(part.datatype, views.view, this.bytes + part.place);
        part.fraction ||= isFraction(value);
        return value;
      }
      case op.LAYOUT_TABLE:
      case op.LAYOUT_ANY:
        return builder.value(this.at++);
      case op.LAYOUT_ARRAY: {
        const at = this.at;
        const length = views.i32[at * 2];
        const kind = views.i32[at * 2 + 1];
        const made = arrayOf(builder, views.f64, views.i32, at + 1, length, kind);
        this.at = at + 1 + elementSlots(length, kind);
        this.note(made);
        return made;
      }
      case op.LAYOUT_ROWS: {
        const { part: first } = this;
        const made: unknown[] = new Array(views.i32[this.at++ * 2]);
        this.note(made);
        for (let i = 0; i < made.length; i++) {
          this.part = first;
          made[i] = this.next();
        }
        this.part = first + part.count;
        return made;
      }
      case op.LAYOUT_VARIED: {
        const made: unknown[] = new Array(views.i32[this.at * 2]);
        this.note(made);
        this.fill(made, this.at + 1, this.number);
        this.at = this.behind.at;
        this.number = this.behind.number;
        return made;
      }
      case op.LAYOUT_HELD: {
        if (views.i32[this.at * 2 + 1] !== op.BOX_ROWS) return builder.value(this.at++);
        const made = this.held(this.at, this.number);
        this.at = this.behind.at;
        this.number = this.behind.number;
        return made;
      }
      default:
        return undefined;
    }
  }

  /** Gives a container its number. */
  private note(container: unknown): void {
    const number = this.number++;
    if (number < REFERABLE) this.builder.references[number] = container;
  }

  /** Fills `list` with structs that have layouts of their own, in runs at `at`, numbered from `number` on; what follows is {@link behind}. */
  private fill(list: unknown[], at: number, number: number): void {
    const { behind, builder } = this;
    const { i32 } = builder.views;
    for (let place = 0; place < list.length; ) {
      const word = i32[at * 2];
      const count = word >>> COUNT_SHIFT;
      const factory = builder.layout(word & NUMBER);
      at = factory.rows(at + 1, count, number, list, place);
      number = factory.number;
      place += count;
    }
    behind.at = at;
    behind.number = number;
  }

  /** The same for one struct. */
  private held(at: number, number: number): unknown {
    const { behind, builder, one } = this;
    const factory = builder.layout(builder.views.i32[at * 2] & NUMBER);
    behind.at = factory.rows(at + 1, 1, number, one, 0);
    behind.number = factory.number;
    const made = one[0];
    one[0] = undefined;
    return made;
  }

  private instance(part: Part): object {
    const { host } = this;
    const instance = host.open(part.constructor_, part.version);
    this.note(instance);
    const names: string[] = [];
    const values = mixedList();
    for (let i = 0; i < part.count; i++) {
      names.push(this.parts[this.part].name);
      values.push(this.next());
    }
    part.prototype = Object.getPrototypeOf(instance);
    part.plain = host.takesAll(instance, names);
    part.known = memberToLoad(instance, names);
    for (let i = 0; i < names.length; i++) host.assign(instance, names[i], values[i]);
    host.close(instance);
    return instance;
  }

  // ---- by a function made for it ----

  private kindsOf(part: Part): number {
    return part.type === op.LAYOUT_ANY ? this.builder.views.u32[part.kindsAt] : 0;
  }

  /** Some kinds have changed somewhere; a function made for other kinds than this layout has now is dropped. */
  private review(): void {
    this.epoch = this.source.epoch;
    const { kinds } = this;
    if (!kinds || this.remade > PATIENCE) return;
    if (this.parts.some((part, i) => this.kindsOf(part) !== kinds[i])) this.drop();
  }

  /** What a constructor does may be another thing in each read. */
  private beginRead(): void {
    this.read = this.builder.reads;
    if (this.generated && !this.instances.every((part) => this.host.classOf(part.constructor_) === part.direct)) this.drop();
    if (this.count >= MANY && ++this.reads === LARGE_READS && this.generated) {
      // For the same kinds.
      this.remade--;
      this.generate();
    }
    this.count = 0;
  }

  private drop(): void {
    this.generated = undefined;
    this.kinds = undefined;
  }

  private generate(): void {
    if (this.builder.functions <= 0 || !this.source.codeGeneration || !codeGenerationAllowed()) return;
    this.builder.functions--;
    this.remade++;
    this.kinds = this.parts.map((part) => this.kindsOf(part));
    for (const part of this.instances) part.direct = this.host.classOf(part.constructor_);
    const { body, prototypes, classes } = new LayoutText(this.parts, this.remade > PATIENCE ? undefined : this.kinds);
    const given = {
      ...this.builder.given,
      L: (F: Float64Array, I: Int32Array, at: number, length: number, kind: number) => arrayOf(this.builder, F, I, at, length, kind),
      A: halfToNumber,
      N: elementSlots,
      D: defineMember,
      H: this.host,
      P: Object.getPrototypeOf,
      T: prototypes,
      C: classes,
      B: this.behind,
      W: this,
    };
    this.generated = fromText(given, body) as Rows;
  }
}

/** Elements of a layout's array, as its slot says (ops.ts). */
function arrayOf(builder: Builder, f64: Float64Array, i32: Int32Array, at: number, length: number, kind: number): unknown[] {
  if (kind !== 4) return elements(builder.table, f64, i32, at, length, kind);
  const made: unknown[] = new Array(length);
  builder.values(at, length, made, 0);
  return made;
}
