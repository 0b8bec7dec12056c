// From the tape to instances. The record stream is described in assembly/enigma/reader.ts; the fixed fields are read straight from their
// slots into object literals, so that all instances have one shape and no code is generated.
import { utf8, utf16 } from "../../engine/platform-text.ts";
import { type ReadContext, readLocal } from "../binary/instance-reader.ts";
import type {
  EnigmaArrays,
  EnigmaClass,
  EnigmaInstance,
  EnigmaLocal,
  EnigmaTable,
  EnigmaText,
  EnigmaVar,
  EnigmaVariant,
} from "../model.ts";
import type { SchemaClass } from "../schema.ts";
import { textOf } from "../text.ts";
import { parseType } from "../value-type.ts";
import type { Layout, Layouts } from "./layouts.ts";
import { BLOB8, BLOB16, STATUS, TAPE } from "./memory-map.ts";
import {
  FLAG_PERSISTENT,
  FLAG_SOLID,
  FLAG_TIMELINE_LOOP,
  FLAG_TIMELINE_RUNNING,
  FLAG_VISIBLE,
  HEAD_SLOTS,
  NONE,
  TAG_ARRAYS,
  TAG_BOOL,
  TAG_BYTES,
  TAG_REGION,
  TAG_TEXT8,
  TAG_TEXT16,
  TAG_WIDE,
} from "./opcodes.ts";
import type { Session } from "./session.ts";

const KIND = 0xffff0000;

function arrayOf<T>(length: number): T[] {
  return length === 0 ? [] : new Array<T>(length);
}

export class TapeReader {
  private readonly session: Session;
  private readonly context: ReadContext;
  private readonly layouts: readonly Layout[];
  /** Offset in the file minus address in the window. */
  private shift = 0;
  /** Slot number. */
  private at = 0;
  private text8 = "";
  private text16 = "";

  constructor(session: Session, context: ReadContext, layouts: Layouts) {
    this.session = session;
    this.context = context;
    this.layouts = layouts.list;
  }

  /** Takes `count` instances from the tape to the end of `into`. */
  take(count: number, into: EnigmaInstance[], list: string, shift: number): void {
    const { u8, u32 } = this.session;
    const length8 = u32[STATUS / 4 + 2]!;
    const length16 = u32[STATUS / 4 + 3]!;
    this.text8 = length8 === 0 ? "" : utf8.decode(u8.subarray(BLOB8, BLOB8 + length8));
    this.text16 = length16 === 0 ? "" : utf16.decode(u8.subarray(BLOB16, BLOB16 + 2 * length16));
    this.shift = shift;
    this.at = TAPE / 8;
    for (let i = 0; i < count; i++) into.push(this.instance(list, into.length));
  }

  /** Slots and words are HEAD_* of opcodes.ts, as numbers. */
  private instance(list: string, index: number): EnigmaInstance {
    const { f64, u32, i32 } = this.session;
    const p = this.at;
    const w = p << 1;
    const flags = u32[w]!;
    const levels = u32[w + 1]!;
    const timelineCount = u32[w + 35]!;
    const mapCount = u32[w + 62]!;
    this.at = p + HEAD_SLOTS;
    const planar = {
      x: f64[p + 2]!,
      y: f64[p + 3]!,
      xprevious: f64[p + 4]!,
      yprevious: f64[p + 5]!,
      xstart: f64[p + 6]!,
      ystart: f64[p + 7]!,
      persistent: (flags & FLAG_PERSISTENT) !== 0,
      direction: this.field(p + 8),
      speed: this.field(p + 9),
      hspeed: this.field(p + 10),
      vspeed: this.field(p + 11),
      gravity: f64[p + 12]!,
      gravity_direction: f64[p + 13]!,
      friction: f64[p + 14]!,
    };
    const timelines = {
      timeline_moments_maps: timelineCount === 0 ? [] : this.timelines(timelineCount),
      timeline_index: i32[w + 30]!,
      timeline_running: (flags & FLAG_TIMELINE_RUNNING) !== 0,
      timeline_speed: f64[p + 18]!,
      timeline_position: f64[p + 19]!,
      timeline_loop: (flags & FLAG_TIMELINE_LOOP) !== 0,
    };
    const graphics = {
      sprite_index: i32[w + 31]!,
      image_index: f64[p + 20]!,
      image_speed: f64[p + 21]!,
      image_single: this.field(p + 22),
      depth: this.field(p + 23),
      visible: (flags & FLAG_VISIBLE) !== 0,
      image_xscale: f64[p + 24]!,
      image_yscale: f64[p + 25]!,
      image_angle: f64[p + 26]!,
    };
    const transform = { image_alpha: f64[p + 27]!, image_blend: i32[w + 32]! };
    const collisions = {
      mask_index: i32[w + 33]!,
      solid: (flags & FLAG_SOLID) !== 0,
      polygon_index: i32[w + 34]!,
      polygon_xscale: f64[p + 28]!,
      polygon_yscale: f64[p + 29]!,
      polygon_angle: f64[p + 30]!,
    };
    const vmap = mapCount === NONE ? null : this.vmap(mapCount);
    const objectIndex = i32[w + 3]!;
    const chain = this.context.schema?.chain(objectIndex);
    const first = this.class(list, index, 0, chain);
    // A literal takes no more room than its elements; an array that grows takes 17.
    const classes = levels === 1 ? [first] : new Array<EnigmaClass>(levels);
    if (levels > 1) {
      classes[0] = first;
      for (let level = 1; level < levels; level++) classes[level] = this.class(list, index, level, chain);
    }
    return { id: u32[w + 2]!, objectIndex, planar, timelines, graphics, transform, collisions, vmap, classes };
  }

  /** A variant of the fixed part. */
  private field(slot: number): EnigmaVariant {
    const value = this.session.f64[slot]!;
    return Number.isNaN(value) ? this.text(slot) : value;
  }

  private text(slot: number): EnigmaVariant {
    const { u32 } = this.session;
    const high = u32[slot * 2 + 1]!;
    const at = u32[slot * 2]!;
    switch ((high & KIND) >>> 0) {
      case TAG_TEXT8:
        return this.text8.slice(at, at + (high & 0xffff));
      case TAG_TEXT16:
        return this.text16.slice(at, at + (high & 0xffff));
      default:
        return Number.NaN;
    }
  }

  /** A number or text at the cursor. */
  private variant(): EnigmaVariant {
    const slot = this.at++;
    const value = this.session.f64[slot]!;
    if (!Number.isNaN(value)) return value;
    const { u32 } = this.session;
    if ((u32[slot * 2 + 1]! & KIND) >>> 0 !== TAG_BYTES) return this.text(slot);
    const start = u32[slot * 2]! + this.shift;
    return textOf(this.context.payload.bytes, start, start + u32[2 * this.at++]!);
  }

  private table<T>(element: () => T): EnigmaTable<T> {
    const { u32 } = this.session;
    const w = this.at * 2;
    this.at += 2;
    // The kernel has read every element that is counted here.
    const dense = arrayOf<T>(u32[w + 1]!);
    for (let i = 0; i < dense.length; i++) dense[i] = element();
    const sparse = arrayOf<[number, T]>(u32[w + 2]!);
    for (let i = 0; i < sparse.length; i++) sparse[i] = [u32[2 * this.at++]!, element()];
    return { max: u32[w]!, dense, sparse };
  }

  private readonly cell = (): EnigmaVariant => this.variant();
  private readonly row = (): EnigmaTable<EnigmaVariant> => this.table(this.cell);

  private arrays(): EnigmaArrays {
    return { value: this.variant(), array1d: this.table(this.cell), array2d: this.table(this.row) };
  }

  private var(): EnigmaVar {
    if ((this.session.u32[this.at * 2 + 1]! & KIND) >>> 0 !== TAG_ARRAYS) return this.variant();
    this.at++;
    return this.arrays();
  }

  private vmap(count: number): [EnigmaText, EnigmaVar][] {
    const entries: [EnigmaText, EnigmaVar][] = [];
    for (let i = 0; i < count; i++) entries.push([this.variant() as EnigmaText, this.var()]);
    return entries;
  }

  private timelines(count: number): [number, number][][] {
    const { u32, i32 } = this.session;
    const maps: [number, number][][] = [];
    for (let i = 0; i < count; i++) {
      const moments: [number, number][] = [];
      for (let n = u32[2 * this.at++]!; n > 0; n--) {
        const w = 2 * this.at++;
        moments.push([i32[w]!, i32[w + 1]!]);
      }
      maps.push(moments);
    }
    return maps;
  }

  /**
   * Sets no `unordered`, as the plain reader does: layouts are learned from instances that it read, and the kernel leaves a block whose values do not
   * stand in the order of the layout.
   */
  private class(list: string, index: number, level: number, chain: readonly SchemaClass[] | undefined): EnigmaClass {
    const { u32 } = this.session;
    const number = u32[2 * this.at++]!;
    if (number === NONE) return { class: chain?.[level]?.name, table: null, locals: [] };
    const layout = this.layouts[number]!;
    const n = layout.names.length;
    let locals: EnigmaLocal[];
    // Literals for the usual numbers of variables, as for the classes above.
    if (n === 1) locals = [this.next(layout, 0, list, index, level)];
    else if (n === 2) locals = [this.next(layout, 0, list, index, level), this.next(layout, 1, list, index, level)];
    else if (n === 3)
      locals = [
        this.next(layout, 0, list, index, level),
        this.next(layout, 1, list, index, level),
        this.next(layout, 2, list, index, level),
      ];
    else {
      locals = new Array<EnigmaLocal>(n);
      for (let i = 0; i < n; i++) locals[i] = this.next(layout, i, list, index, level);
    }
    return { class: layout.class, table: layout.table, locals };
  }

  private next(layout: Layout, i: number, list: string, index: number, level: number): EnigmaLocal {
    const value = this.session.f64[this.at]!;
    if (Number.isNaN(value)) return this.local(layout, i, list, index, level);
    this.at++;
    return { name: layout.names[i]!, type: layout.types[i]!, value };
  }

  /** A local that is no plain number. */
  private local(layout: Layout, i: number, list: string, index: number, level: number): EnigmaLocal {
    const { u32, i64, u64 } = this.session;
    const name = layout.names[i]!;
    const type = layout.types[i];
    const w = this.at * 2;
    switch ((u32[w + 1]! & KIND) >>> 0) {
      case TAG_BOOL:
        this.at++;
        return { name, type, value: u32[w] !== 0 };
      case TAG_ARRAYS:
        this.at++;
        return { name, type, value: this.arrays() };
      case TAG_REGION: {
        const start = u32[w]! + this.shift;
        const length = u32[w + 2]!;
        this.at += 2;
        const parsed = type === undefined ? undefined : parseType(type);
        return readLocal(this.context, name, parsed, start, start + length, `.${list}[${index}].classes[${level}]`);
      }
      case TAG_WIDE: {
        this.at += 2;
        return { name, type, value: u32[w] === 0 ? i64[(w >>> 1) + 1]! : u64[(w >>> 1) + 1]! };
      }
      default:
        return { name, type, value: this.variant() };
    }
  }
}
