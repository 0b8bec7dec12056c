// From instances to the tape. The record stream is described in assembly/enigma/writer.ts. Whatever is not regular (a value of a wrong type, a
// NaN with unusual bits, an undefined variant, a damaged variable, an exception) is left to the plain writer, which has the checks and the errors.
import { isUint8Array } from "../../engine/given-bytes.ts";
import { encoder, hasLoneSurrogate } from "../../engine/platform-text.ts";
import { ByteSink } from "../binary/byte-sink.ts";
import { tableOrder } from "../binary/instance-writer.ts";
import { writeValue } from "../binary/value-writer.ts";
import { hasArrays, isPair, overflowsF32 } from "../given.ts";
import { INTEGER_RANGE } from "../integer-range.ts";
import type { EnigmaClass, EnigmaInstance, EnigmaLocal, EnigmaTable, EnigmaText, EnigmaVariant } from "../model.ts";
import { orderedLocals } from "../order.ts";
import { parseType } from "../value-type.ts";
import { type Layout, Layouts, sameNames } from "./layouts.ts";
import { BLOB8, BLOB16_END, TAPE, TAPE_BYTES } from "./memory-map.ts";
import {
  FLAG_PERSISTENT,
  FLAG_SOLID,
  FLAG_TIMELINE_LOOP,
  FLAG_TIMELINE_RUNNING,
  FLAG_VISIBLE,
  HEAD_SLOTS,
  NONE,
  OP_BOOL,
  OP_F32,
  OP_F64,
  OP_I64,
  OP_REGION,
  OP_STRING,
  OP_U64,
  OP_VAR,
  OP_VARIANT,
  TAG_ARRAYS,
  TAG_REGION,
  TAG_TEXT8,
} from "./opcodes.ts";
import type { Session } from "./session.ts";

/** What became of an instance. */
export const PUT_DONE = 0;
/** The tape or the blob is full: to be tried again when they are empty. */
export const PUT_FULL = 1;
/** Not for the kernel. */
const PUT_IRREGULAR = 2;

/** Slots that one value takes at once, at most. */
const RESERVE = 8;
/** The end of the tape less those. */
const LIMIT = (TAPE + TAPE_BYTES) / 8 - RESERVE;
const MAX_TEXT = 65535;
/** Layouts that begin with the same variable. */
const MAX_ALIKE = 8;
const SHORT_TEXT = 48;

interface KnownLayout {
  layout: Layout;
  /** The table the block came with. */
  given: readonly EnigmaText[] | null | undefined;
}

export class TapeWriter {
  private readonly session: Session;
  private readonly layouts: Layouts;
  private readonly sort: boolean;
  private readonly rawFits: boolean;
  private readonly known = new Map<EnigmaText, KnownLayout[]>();
  private readonly scratch = new ByteSink();
  /** Next slot, next byte of the blob. */
  private at = TAPE / 8;
  private blob = BLOB8;
  private outcome = PUT_DONE;

  constructor(session: Session, sort: boolean, rawFits: boolean) {
    this.session = session;
    this.layouts = new Layouts(session);
    this.sort = sort;
    this.rawFits = rawFits;
  }

  clear(): void {
    this.at = TAPE / 8;
    this.blob = BLOB8;
  }

  /** Bytes of the tape in use. */
  get used(): number {
    return this.at * 8 - TAPE;
  }

  put(instance: EnigmaInstance): number {
    const { at, blob } = this;
    this.outcome = PUT_DONE;
    if (at + HEAD_SLOTS > LIMIT) return PUT_FULL;
    try {
      if (this.head(instance) && this.rest(instance)) return PUT_DONE;
    } catch {
      // A part is missing, a bigint stands for a number: the plain writer says what is wrong, with the path.
    }
    this.at = at;
    this.blob = blob;
    return this.outcome === PUT_DONE ? PUT_IRREGULAR : this.outcome;
  }

  /** Slots and words are HEAD_* of opcodes.ts, as numbers. */
  private head(instance: EnigmaInstance): boolean {
    const { f64, u32, i32 } = this.session;
    const p = this.at;
    const w = p * 2;
    this.at = p + HEAD_SLOTS;
    const { id, objectIndex, planar, timelines, graphics, transform, collisions } = instance;
    if (id >>> 0 !== id || (objectIndex | 0) !== objectIndex) return false;
    i32[w + 2] = id;
    i32[w + 3] = objectIndex;
    const { x, y, xprevious, yprevious, xstart, ystart, persistent, gravity, gravity_direction, friction } = planar;
    if (typeof x !== "number" || typeof y !== "number" || typeof xprevious !== "number" || typeof yprevious !== "number") return false;
    if (typeof xstart !== "number" || typeof ystart !== "number" || typeof persistent !== "boolean") return false;
    if (typeof gravity !== "number" || typeof gravity_direction !== "number" || typeof friction !== "number") return false;
    f64[p + 2] = x;
    f64[p + 3] = y;
    f64[p + 4] = xprevious;
    f64[p + 5] = yprevious;
    f64[p + 6] = xstart;
    f64[p + 7] = ystart;
    f64[p + 12] = gravity;
    f64[p + 13] = gravity_direction;
    f64[p + 14] = friction;
    if (!this.variant(p + 8, planar.direction) || !this.variant(p + 9, planar.speed)) return false;
    if (!this.variant(p + 10, planar.hspeed) || !this.variant(p + 11, planar.vspeed)) return false;
    const { timeline_index, timeline_running, timeline_speed, timeline_position, timeline_loop } = timelines;
    if ((timeline_index | 0) !== timeline_index || typeof timeline_running !== "boolean" || typeof timeline_loop !== "boolean")
      return false;
    if (typeof timeline_speed !== "number" || typeof timeline_position !== "number") return false;
    i32[w + 30] = timeline_index;
    f64[p + 18] = timeline_speed;
    f64[p + 19] = timeline_position;
    const { sprite_index, image_index, image_speed, visible, image_xscale, image_yscale, image_angle } = graphics;
    if ((sprite_index | 0) !== sprite_index || typeof visible !== "boolean") return false;
    if (typeof image_index !== "number" || typeof image_speed !== "number" || typeof image_xscale !== "number") return false;
    if (typeof image_yscale !== "number" || typeof image_angle !== "number") return false;
    i32[w + 31] = sprite_index;
    f64[p + 20] = image_index;
    f64[p + 21] = image_speed;
    f64[p + 24] = image_xscale;
    f64[p + 25] = image_yscale;
    f64[p + 26] = image_angle;
    if (!this.variant(p + 22, graphics.image_single) || !this.variant(p + 23, graphics.depth)) return false;
    const { image_alpha, image_blend } = transform;
    if (typeof image_alpha !== "number" || (image_blend | 0) !== image_blend) return false;
    f64[p + 27] = image_alpha;
    i32[w + 32] = image_blend;
    const { mask_index, solid, polygon_index, polygon_xscale, polygon_yscale, polygon_angle } = collisions;
    if ((mask_index | 0) !== mask_index || (polygon_index | 0) !== polygon_index || typeof solid !== "boolean") return false;
    if (typeof polygon_xscale !== "number" || typeof polygon_yscale !== "number" || typeof polygon_angle !== "number") return false;
    i32[w + 33] = mask_index;
    i32[w + 34] = polygon_index;
    f64[p + 28] = polygon_xscale;
    f64[p + 29] = polygon_yscale;
    f64[p + 30] = polygon_angle;
    // Most of these have 32 bits in the file; the others are no larger in any game.
    for (let slot = p + 18; slot <= p + 30; slot++) if (overflowsF32(f64[slot]!)) return false;
    u32[w] =
      (persistent ? FLAG_PERSISTENT : 0) |
      (timeline_running ? FLAG_TIMELINE_RUNNING : 0) |
      (timeline_loop ? FLAG_TIMELINE_LOOP : 0) |
      (visible ? FLAG_VISIBLE : 0) |
      (solid ? FLAG_SOLID : 0);
    return true;
  }

  private rest(instance: EnigmaInstance): boolean {
    const { u32, i32 } = this.session;
    const w = (this.at - HEAD_SLOTS) * 2;
    const maps = instance.timelines.timeline_moments_maps;
    if (!Array.isArray(maps)) return false;
    const lines = maps.length;
    u32[w + 35] = lines;
    for (let i = 0; i < lines; i++) {
      const moments = maps[i];
      if (!Array.isArray(moments)) return false;
      const { length } = moments;
      if (!this.fits(length + 1)) return false;
      u32[2 * this.at++] = length;
      for (let j = 0; j < length; j++) {
        const entry = moments[j];
        if (!isPair(entry)) return false;
        const [step, moment] = entry;
        if ((step | 0) !== step || (moment | 0) !== moment) return false;
        i32[2 * this.at] = step;
        i32[2 * this.at++ + 1] = moment;
      }
    }
    const vmap = instance.vmap ?? [];
    if (!Array.isArray(vmap)) return false;
    const names = vmap.length;
    u32[w + 62] = names;
    for (let i = 0; i < names; i++) {
      const entry = vmap[i];
      if (!isPair(entry)) return false;
      const [name, value] = entry;
      if (!this.fits(RESERVE) || !this.text(this.at++, name) || !this.var(value)) return false;
    }
    const { classes } = instance;
    if (!Array.isArray(classes) || classes.length === 0) return false;
    const levels = classes.length;
    u32[w + 1] = levels;
    for (let level = 0; level < levels; level++) if (!this.class(classes[level]!)) return false;
    return true;
  }

  /** Is there room for n more slots? */
  private fits(n: number): boolean {
    if (this.at + n <= LIMIT) return true;
    this.outcome = PUT_FULL;
    return false;
  }

  /** A text's bytes into the blob; its slot says where. */
  private text(slot: number, text: unknown): boolean {
    const { u8, u32 } = this.session;
    const start = this.blob;
    let end = start;
    if (typeof text === "string") {
      // Strings of any form (graph/strings.ts).
      const known = "" + text;
      const n = known.length;
      if (n > MAX_TEXT) return false;
      if (start + n * 3 + 16 > BLOB16_END) {
        this.outcome = start === BLOB8 ? PUT_IRREGULAR : PUT_FULL;
        return false;
      }
      if (n <= SHORT_TEXT) {
        for (let i = 0; i < n; i++) {
          const code = String.prototype.charCodeAt.call(known, i);
          if (code > 0x7f) {
            end = -1;
            break;
          }
          u8[end++] = code;
        }
      } else end = -1;
      if (end < 0) {
        const { read, written } = encoder.encodeInto(text, u8.subarray(start, BLOB16_END));
        // What has as many bytes as units is ASCII; only other texts can hold a lone surrogate.
        if (read !== n || written > MAX_TEXT || (written !== n && hasLoneSurrogate(text))) return false;
        end = start + written;
      }
    } else if (isUint8Array(text)) {
      if (text.length > MAX_TEXT || !this.bytes(text)) return false;
      end = this.blob;
    } else return false;
    this.blob = end;
    u32[2 * slot] = start - BLOB8;
    u32[2 * slot + 1] = TAG_TEXT8 | (end - start);
    return true;
  }

  private bytes(bytes: Uint8Array): boolean {
    const start = this.blob;
    if (start + bytes.length + 16 > BLOB16_END) {
      this.outcome = start === BLOB8 ? PUT_IRREGULAR : PUT_FULL;
      return false;
    }
    this.session.u8.set(bytes, start);
    this.blob = start + bytes.length;
    return true;
  }

  private variant(slot: number, value: EnigmaVariant): boolean {
    if (typeof value === "number") {
      if (!Number.isNaN(value)) this.session.f64[slot] = value;
      else {
        this.session.u32[2 * slot] = 0;
        this.session.u32[2 * slot + 1] = 0x7ff80000;
      }
      return true;
    }
    return this.text(slot, value);
  }

  private table<T>(table: EnigmaTable<T>, element: (value: T) => boolean): boolean {
    const { u32 } = this.session;
    const { max, dense, sparse } = table;
    if (typeof max !== "number" || max >>> 0 !== max || !Array.isArray(dense) || !Array.isArray(sparse) || !this.fits(RESERVE))
      return false;
    const w = this.at * 2;
    const elements = dense.length;
    const pairs = sparse.length;
    u32[w] = max;
    u32[w + 1] = elements;
    u32[w + 2] = pairs;
    this.at += 2;
    for (let i = 0; i < elements; i++) if (!this.fits(RESERVE) || !element(dense[i]!)) return false;
    for (let i = 0; i < pairs; i++) {
      const entry = sparse[i];
      if (!isPair(entry) || !this.fits(RESERVE)) return false;
      const key = entry[0];
      if (typeof key !== "number" || key >>> 0 !== key) return false;
      u32[2 * this.at++] = key;
      if (!element(entry[1])) return false;
    }
    return true;
  }

  private readonly cell = (value: EnigmaVariant): boolean => this.variant(this.at++, value);
  private readonly row = (table: EnigmaTable<EnigmaVariant>): boolean => this.table(table, this.cell);

  private var(value: unknown): boolean {
    if (!hasArrays(value)) return this.variant(this.at++, value as EnigmaVariant);
    const w = 2 * this.at++;
    this.session.u32[w] = 0;
    this.session.u32[w + 1] = TAG_ARRAYS;
    return this.variant(this.at++, value.value) && this.table(value.array1d, this.cell) && this.table(value.array2d, this.row);
  }

  private class(block: EnigmaClass): boolean {
    const { f64, u32 } = this.session;
    if (!this.fits(RESERVE)) return false;
    const { locals } = block;
    if (!Array.isArray(locals) || block.gap) return false;
    if (locals.length === 0) {
      u32[2 * this.at++] = NONE;
      return true;
    }
    const layout = this.layoutOf(block);
    if (!layout) return false;
    u32[2 * this.at++] = layout.address;
    const { operations, types } = layout;
    for (let i = 0; i < operations.length; i++) {
      const operation = operations[i]!;
      const local = locals[i]!;
      const { value } = local;
      if (!this.fits(RESERVE) || local.damaged || (local.raw && operation !== OP_REGION)) return false;
      // Nearly every local is a var that is a number.
      if (operation === OP_VAR && typeof value === "number" && !Number.isNaN(value)) f64[this.at++] = value;
      else if (!this.local(operation, types[i], local)) return false;
    }
    return true;
  }

  /** The layout of a block: one that is known, or a new one. */
  private layoutOf(block: EnigmaClass): Layout | undefined {
    const { locals, table } = block;
    const { name } = locals[0]!;
    let alike = this.known.get(name);
    if (!alike) {
      if (typeof name !== "string" || this.known.size === 4096) return undefined;
      this.known.set(name, (alike = []));
    }
    for (let i = 0; i < alike.length; i++) {
      const { layout, given } = alike[i]!;
      if (table !== given && !(table && given && sameNames(table, given))) continue;
      const { names, types } = layout;
      if (names.length !== locals.length) continue;
      let same = true;
      for (let j = 0; same && j < names.length; j++) {
        const local = locals[j]!;
        same = local.name === names[j] && local.type === types[j];
      }
      if (same) return layout;
    }
    if (alike.length === MAX_ALIKE) return undefined;
    return this.newLayout(block, alike);
  }

  private newLayout(block: EnigmaClass, alike: KnownLayout[]): Layout | undefined {
    const { table: given } = block;
    // Those that are there now: a getter may add others while they are looked at.
    const locals = block.locals.slice();
    const positions = new Map<EnigmaText, number>();
    if (!locals.every(({ name }) => typeof name === "string" && !hasLoneSurrogate(name)) || orderedLocals(locals, this.sort) !== locals)
      return undefined;
    const table = tableOrder(block, locals);
    for (let i = 0; i < table.length; i++) positions.set(table[i]!, i);
    // A getter may have taken all of them away.
    if (positions.size === 0 || positions.size !== locals.length || table.length !== locals.length) return undefined;
    const layout = this.layouts.add(
      block.class,
      table,
      locals.map(({ name }) => positions.get(name)!),
      locals.map(({ type }) => type),
    );
    if (layout) alike.push({ layout, given: given && [...given] });
    return layout;
  }

  /** An integer of the range of a kind into the lower word. */
  private integer(value: unknown, kind: string): boolean {
    const range = INTEGER_RANGE[kind]!;
    if (typeof value !== "number" || !Number.isInteger(value) || value < range[0] || value > range[1]) return false;
    this.session.i32[2 * this.at++] = value;
    return true;
  }

  private local(operation: number, type: string | undefined, local: EnigmaLocal): boolean {
    const { value } = local;
    const { session } = this;
    const { f64, u32 } = session;
    switch (operation) {
      case OP_VAR:
        return this.var(value);
      case OP_VARIANT:
        return this.variant(this.at++, value as EnigmaVariant);
      case OP_STRING:
        return this.text(this.at++, value);
      case OP_F64:
      case OP_F32:
        if (typeof value !== "number" || (operation === OP_F32 && overflowsF32(value))) return false;
        f64[this.at++] = value;
        return true;
      case OP_BOOL:
        if (typeof value !== "boolean") return false;
        u32[2 * this.at++] = value ? 1 : 0;
        return true;
      case OP_I64:
        if (typeof value !== "bigint" || BigInt.asIntN(64, value) !== value) return false;
        session.i64[this.at++] = value;
        return true;
      case OP_U64:
        if (typeof value !== "bigint" || BigInt.asUintN(64, value) !== value) return false;
        session.u64[this.at++] = value;
        return true;
      case OP_REGION:
        return this.region(local);
      default:
        return this.integer(value, type!);
    }
  }

  /** Raw bytes, or a container, which the plain writer turns into bytes. */
  private region(local: EnigmaLocal): boolean {
    const { u32 } = this.session;
    const start = this.blob;
    // Once: a getter may give others when it is asked again.
    const { raw } = local;
    if (raw) {
      if (!this.rawFits || !isUint8Array(raw) || !this.bytes(raw)) return false;
    } else {
      const { scratch } = this;
      if (typeof local.type !== "string") return false;
      scratch.at = 0;
      scratch.undefinedAsZero = 0;
      writeValue(scratch, parseType(local.type), local.value as never, "");
      if (scratch.undefinedAsZero > 0 || !this.bytes(scratch.bytes.subarray(0, scratch.at))) return false;
    }
    const w = 2 * this.at;
    u32[w] = start - BLOB8;
    u32[w + 1] = TAG_REGION;
    u32[w + 2] = this.blob - start;
    this.at += 2;
    return true;
  }
}
