// Instances of the binary backend (formats/enigma.md §2.1) to the tape. The kernel takes what is regular and stops before the first instance
// that is not; errors, defects and unknown layouts are the shim's. Nothing here recurses and nothing is allocated.
//
// The tape of one instance: HEAD_SLOTS slots with the engine's fields (opcodes.ts), the timelines (a slot {moments, 0}, then a slot {step, moment}
// for each), the variable map (a text and a value for each entry), then for each class a slot {layout or NONE, 0} and its values.
// A value is a number, or a slot whose upper word is a tag: TEXT8 and TEXT16 | length, with the position in the blob; BYTES with the address
// of a text that was left in the window, then a slot {length, 0}; REGION likewise for a variable that is not parsed here; BOOL; WIDE, then a slot
// with 64 bits; ARRAYS, then the scalar and two tables. A table is {max, dense}, {sparse, 0}, the dense elements, and a slot {key, 0} before each sparse one.
import { Big } from "./big-endian";
import { Layout, matches } from "./layouts";
import { BLOB8, BLOB8_END, BLOB16, BLOB16_END, STATUS, TAPE, TAPE_BYTES } from "./memory-map";
import { Numbers } from "./numbers";
import { objectRecord } from "./objects";
import {
  FLAG_SOLID,
  FLAG_TIMELINE_LOOP,
  FLAG_TIMELINE_RUNNING,
  FLAG_VISIBLE,
  HEAD_DIRECTION,
  HEAD_FLAGS,
  HEAD_GRAVITY,
  HEAD_ID,
  HEAD_IMAGE_ALPHA,
  HEAD_IMAGE_BLEND,
  HEAD_IMAGE_INDEX,
  HEAD_IMAGE_SINGLE,
  HEAD_IMAGE_XSCALE,
  HEAD_POLYGON_INDEX,
  HEAD_POLYGON_XSCALE,
  HEAD_SLOTS,
  HEAD_TIMELINE_INDEX,
  HEAD_TIMELINE_SPEED,
  HEAD_VMAP,
  HEAD_X,
  MAX_BLOB_TEXT,
  MAX_LEVELS,
  NONE,
  OBJECT_USED,
  OP_BOOL,
  OP_F32,
  OP_F64,
  OP_I8,
  OP_I16,
  OP_I32,
  OP_I64,
  OP_REGION,
  OP_STRING,
  OP_U8,
  OP_U16,
  OP_U32,
  OP_U64,
  OP_VAR,
  OP_VARIANT,
  STOP_DONE,
  STOP_INPUT,
  STOP_ROOM,
  STOP_UNUSUAL,
  TAG_ARRAYS,
  TAG_BOOL,
  TAG_BYTES,
  TAG_REGION,
  TAG_TEXT8,
  TAG_TEXT16,
  TAG_WIDE,
} from "./opcodes";
import { copyAscii, copyUtf16 } from "./texts";

/** An instance without timelines, variables and texts takes 229 bytes up to its class block, which needs one byte more, and 9 to look ahead. */
const LEAST_INSTANCE: usize = 239;

/** The cursor, and where what it may read ends: the window, or the region of one variable. */
let at: usize = 0;
let limit: usize = 0;
/** Where the next slot goes, and the end of the tape less the slots that one value takes at once. */
let tape: usize = 0;
let tapeEnd: usize = 0;
let blob8: usize = 0;
let blob16: usize = 0;
/** Variable maps whose count was lost (formats/enigma.md §4.1): how many, and where the first stands. */
let lostCounts: u32 = 0;
let firstLost: usize = 0;
let lost: usize = 0;

class Slots {
  @inline static words(low: u32, high: u32): void {
    store<u32>(tape, low);
    store<u32>(tape, high, 4);
    tape += 8;
  }
}

/** A text at the cursor: its length, its bytes. */
function text(): u32 {
  if (limit - at < 8) return STOP_INPUT;
  if (load<u32>(at, 0, 1) !== 0) return STOP_UNUSUAL;
  const length = Big.load(at + 4);
  if (<usize>length > limit - at - 8) return STOP_INPUT;
  const from = at + 8;
  at = from + length;
  if (length <= MAX_BLOB_TEXT) {
    if (BLOB8_END - blob8 < <usize>length + 16) return STOP_ROOM;
    if (copyAscii(from, blob8, length) === length) {
      Slots.words(<u32>(blob8 - BLOB8), TAG_TEXT8 | length);
      blob8 += length;
      return STOP_DONE;
    }
    if (BLOB16_END - blob16 < <usize>length * 2) return STOP_ROOM;
    const units = copyUtf16(from, blob16, length);
    if (units >= 0) {
      Slots.words(<u32>((blob16 - BLOB16) >>> 1), TAG_TEXT16 | units);
      blob16 += (<usize>units) << 1;
      return STOP_DONE;
    }
  }
  Slots.words(<u32>from, TAG_BYTES);
  Slots.words(length, 0);
  return STOP_DONE;
}

function variant(): u32 {
  if (limit - at < 9) return STOP_INPUT;
  const kind = load<u8>(at);
  if (kind === 0) {
    if (!Numbers.f64(at + 1, tape)) return STOP_UNUSUAL;
    at += 9;
    tape += 8;
    return STOP_DONE;
  }
  if (kind !== 1) return STOP_UNUSUAL;
  at += 1;
  return text();
}

/** Are the 48 bytes at `p` zero: two tables without elements? */
class Tables {
  @inline static empty(p: usize): bool {
    if (ASC_FEATURE_SIMD) {
      return !v128.any_true(v128.or(v128.or(v128.load(p, 0, 1), v128.load(p, 16, 1)), v128.load(p, 32, 1)));
    } else {
      let all: u32 = 0;
      for (let i: usize = 0; i < 48; i += 4) all |= load<u32>(p + i, 0, 1);
      return all === 0;
    }
  }
}

/** A count or index at the cursor: below 2^32, or not for the kernel. */
let small: u32 = 0;
function smallNumber(): u32 {
  if (limit - at < 8) return STOP_INPUT;
  if (load<u32>(at, 0, 1) !== 0) return STOP_UNUSUAL;
  small = Big.load(at + 4);
  at += 8;
  return STOP_DONE;
}

function table1d(): u32 {
  if (tape >= tapeEnd) return STOP_ROOM;
  const header = tape;
  tape += 16;
  let stop = smallNumber();
  if (stop !== STOP_DONE) return stop;
  store<u32>(header, small);
  if ((stop = smallNumber()) !== STOP_DONE) return stop;
  const dense = small;
  store<u32>(header, dense, 4);
  for (let i: u32 = 0; i < dense; i++) {
    if (tape >= tapeEnd) return STOP_ROOM;
    if ((stop = variant()) !== STOP_DONE) return stop;
  }
  if ((stop = smallNumber()) !== STOP_DONE) return stop;
  const sparse = small;
  store<u32>(header, sparse, 8);
  store<u32>(header, 0, 12);
  for (let i: u32 = 0; i < sparse; i++) {
    if (tape >= tapeEnd) return STOP_ROOM;
    if ((stop = smallNumber()) !== STOP_DONE) return stop;
    Slots.words(small, 0);
    if ((stop = variant()) !== STOP_DONE) return stop;
  }
  return STOP_DONE;
}

function table2d(): u32 {
  if (tape >= tapeEnd) return STOP_ROOM;
  const header = tape;
  tape += 16;
  let stop = smallNumber();
  if (stop !== STOP_DONE) return stop;
  store<u32>(header, small);
  if ((stop = smallNumber()) !== STOP_DONE) return stop;
  const dense = small;
  store<u32>(header, dense, 4);
  for (let i: u32 = 0; i < dense; i++) if ((stop = table1d()) !== STOP_DONE) return stop;
  if ((stop = smallNumber()) !== STOP_DONE) return stop;
  const sparse = small;
  store<u32>(header, sparse, 8);
  store<u32>(header, 0, 12);
  for (let i: u32 = 0; i < sparse; i++) {
    if (tape >= tapeEnd) return STOP_ROOM;
    if ((stop = smallNumber()) !== STOP_DONE) return stop;
    Slots.words(small, 0);
    if ((stop = table1d()) !== STOP_DONE) return stop;
  }
  return STOP_DONE;
}

/** A `var`: its scalar alone when both tables are empty, which is nearly always so. */
function variable(): u32 {
  const first = tape;
  let stop = variant();
  if (stop !== STOP_DONE) return stop;
  if (limit - at >= 48 && Tables.empty(at)) {
    at += 48;
    return STOP_DONE;
  }
  // The tag goes before the scalar's one or two slots.
  store<u64>(first, load<u64>(first, 8), 16);
  store<u64>(first, load<u64>(first), 8);
  store<u32>(first, 0);
  store<u32>(first, TAG_ARRAYS, 4);
  tape += 8;
  if ((stop = table1d()) !== STOP_DONE) return stop;
  return table2d();
}

/** One local, whose region ends at `limit`. */
function local(op: u32): u32 {
  const p = at;
  const room = limit - p;
  switch (op) {
    case OP_VAR:
      return variable();
    case OP_VARIANT:
      return variant();
    case OP_STRING:
      return text();
    case OP_F64:
      at = p + 8;
      if (room !== 8 || !Numbers.f64(p, tape)) return STOP_UNUSUAL;
      tape += 8;
      return STOP_DONE;
    case OP_F32:
      at = p + 4;
      if (room !== 4 || !Numbers.f32(p, tape)) return STOP_UNUSUAL;
      tape += 8;
      return STOP_DONE;
    case OP_I32:
    case OP_U32: {
      at = p + 4;
      if (room !== 4) return STOP_UNUSUAL;
      const word = Big.load(p);
      store<f64>(tape, op === OP_I32 ? <f64>(<i32>word) : <f64>word);
      tape += 8;
      return STOP_DONE;
    }
    case OP_I16:
    case OP_U16: {
      at = p + 2;
      if (room !== 2) return STOP_UNUSUAL;
      const word = ((<u32>load<u8>(p)) << 8) | <u32>load<u8>(p, 1);
      store<f64>(tape, op === OP_I16 ? <f64>(<i32>(word << 16) >> 16) : <f64>word);
      tape += 8;
      return STOP_DONE;
    }
    case OP_I8:
    case OP_U8: {
      at = p + 1;
      if (room !== 1) return STOP_UNUSUAL;
      store<f64>(tape, op === OP_I8 ? <f64>load<i8>(p) : <f64>load<u8>(p));
      tape += 8;
      return STOP_DONE;
    }
    case OP_BOOL: {
      at = p + 1;
      if (room !== 1 || load<u8>(p) > 1) return STOP_UNUSUAL;
      Slots.words(<u32>load<u8>(p), TAG_BOOL);
      return STOP_DONE;
    }
    case OP_I64:
    case OP_U64: {
      at = p + 8;
      if (room !== 8) return STOP_UNUSUAL;
      Slots.words(op === OP_U64 ? 1 : 0, TAG_WIDE);
      Slots.words(Big.load(p + 4), Big.load(p));
      return STOP_DONE;
    }
  }
  return STOP_UNUSUAL;
}

/** The values of a class block whose table stands at `table` and has the layout. Moves the cursor behind the block. */
function values(layout: usize, table: usize, windowEnd: usize): u32 {
  const sizeField = table + Layout.tableBytes(layout);
  if (load<u32>(sizeField, 0, 1) !== 0) return STOP_UNUSUAL;
  const size = Big.load(sizeField + 4);
  const data = sizeField + 8;
  if (<usize>size > windowEnd - data) return STOP_INPUT;
  Slots.words(Layout.number(layout), 0);
  const symbols = Layout.symbols(layout);
  let start: u32 = 0;
  let step = Layout.step(layout, 0);
  let field = table + Layout.offsetField(layout, step >>> 8);
  if (load<u64>(field, 0, 1) !== 0) return STOP_UNUSUAL;
  for (let i: u32 = 1; i <= symbols; i++) {
    let stop: u32 = size;
    const op = step & 0xff;
    if (i < symbols) {
      step = Layout.step(layout, i);
      field = table + Layout.offsetField(layout, step >>> 8);
      if (load<u32>(field, 0, 1) !== 0) return STOP_UNUSUAL;
      stop = Big.load(field + 4);
    }
    // Values without bytes have no order among themselves, so the shim sorts them.
    if (stop <= start || stop > size) return STOP_UNUSUAL;
    if (tape >= tapeEnd) return STOP_ROOM;
    at = data + start;
    limit = data + stop;
    const slot = tape;
    const mark8 = blob8;
    const mark16 = blob16;
    const result = op === OP_REGION ? STOP_UNUSUAL : local(op);
    if (result === STOP_ROOM) return STOP_ROOM;
    if (result !== STOP_DONE || at !== limit) {
      // Not a value of its type, or one that the kernel does not know: the neighbours are not affected.
      tape = slot;
      blob8 = mark8;
      blob16 = mark16;
      Slots.words(<u32>(data + start), TAG_REGION);
      Slots.words(stop - start, 0);
    }
    start = stop;
  }
  at = data + size;
  limit = windowEnd;
  return STOP_DONE;
}

/** The class blocks of an instance, as far as there are any, by looking ahead (formats/enigma.md §2.3). */
function classes(record: usize, head: usize): u32 {
  const end = limit;
  let level: u32 = 0;
  do {
    if (end - at < 10) return STOP_INPUT;
    if (load<u8>(at) !== 0xbb || level === MAX_LEVELS) return STOP_UNUSUAL;
    if (tape >= tapeEnd) return STOP_ROOM;
    const table = at + 1;
    const next = load<u8>(table);
    const high = Big.load(table);
    const low = Big.load(table + 4);
    if (next === 0xbb || next === 0xaa || next === 0xee || (high | low) === 0 || load<u8>(table, 8) === 0xaa) {
      Slots.words(NONE, 0);
      at = table;
    } else {
      if (high !== 0) return STOP_UNUSUAL;
      const symbols = low;
      const entries = table + 8;
      let layout = <usize>load<u32>(record + 8 + ((<usize>level) << 2));
      for (; layout !== 0; layout = Layout.next(layout)) {
        if (Layout.symbols(layout) !== symbols) continue;
        if (end - entries < <usize>Layout.tableBytes(layout) + 8) return STOP_INPUT;
        if (matches(layout, entries)) break;
      }
      if (layout === 0) return STOP_UNUSUAL;
      const stop = values(layout, entries, end);
      if (stop !== STOP_DONE) return stop;
    }
    level++;
    if (at === end) return STOP_INPUT;
  } while (load<u8>(at) === 0xbb);
  const wanted = load<u32>(record, 4) & ~OBJECT_USED;
  if (wanted !== 0 && wanted !== level) return STOP_UNUSUAL;
  store<u32>(head + (HEAD_FLAGS << 3), level, 4);
  return STOP_DONE;
}

function vmap(head: usize): u32 {
  const start = at;
  let stop = smallNumber();
  if (stop !== STOP_DONE) return stop;
  let count = small;
  if (at === limit) return STOP_INPUT;
  const next = load<u8>(at);
  if (count === 0 && next === 0xbb) {
    store<u32>(head + (HEAD_VMAP << 3), NONE);
    return STOP_DONE;
  }
  const isLost = count === 0;
  if (isLost) {
    if (next !== 0) return STOP_UNUSUAL;
    lost = start;
    count = NONE;
  }
  let entries: u32 = 0;
  for (; entries < count; entries++) {
    if (at === limit) return STOP_INPUT;
    if (isLost && load<u8>(at) === 0xbb) break;
    if (tape >= tapeEnd) return STOP_ROOM;
    // A name of no characters: the padding of arrays, perhaps. (Or the window's end.)
    if (!load<u32>(at, 4, 1)) return STOP_UNUSUAL;
    if ((stop = text()) !== STOP_DONE) return stop;
    if ((stop = variable()) !== STOP_DONE) return stop;
  }
  store<u32>(head + (HEAD_VMAP << 3), entries);
  return STOP_DONE;
}

function timelines(head: usize): u32 {
  let stop = smallNumber();
  if (stop !== STOP_DONE) return stop;
  const count = small;
  store<u32>(head + (HEAD_POLYGON_INDEX << 3), count, 4);
  for (let i: u32 = 0; i < count; i++) {
    if (tape >= tapeEnd) return STOP_ROOM;
    if ((stop = smallNumber()) !== STOP_DONE) return stop;
    const moments = small;
    if (<usize>moments > (limit - at) >>> 3) return STOP_INPUT;
    Slots.words(moments, 0);
    for (let m: u32 = 0; m < moments; m++) {
      if (tape >= tapeEnd) return STOP_ROOM;
      Slots.words(Big.load(at), Big.load(at + 4));
      at += 8;
    }
  }
  return STOP_DONE;
}

/** A variant of an engine field: one slot in the head. A text too long for the blobs takes two, which the head has not. */
class Field {
  @inline static variant(slot: usize): u32 {
    const rest = tape;
    tape = slot;
    const stop = variant();
    const used = tape - slot;
    tape = rest;
    return used > 8 ? STOP_UNUSUAL : stop;
  }
}

function instance(): u32 {
  const p = at;
  if (limit - p < LEAST_INSTANCE) return STOP_INPUT;
  const head = tape;
  if (head + (HEAD_SLOTS << 3) > tapeEnd) return STOP_ROOM;
  tape = head + (HEAD_SLOTS << 3);
  if (load<u8>(p) !== 0xaa || load<u8>(p, 9) !== 0xab) return STOP_UNUSUAL;
  const objectIndex = Big.load(p + 5);
  const record = objectRecord(objectIndex);
  if (!(load<u32>(record, 4) & OBJECT_USED)) return STOP_UNUSUAL;
  store<u32>(head + (HEAD_ID << 3), Big.load(p + 1));
  store<u32>(head + (HEAD_ID << 3), objectIndex, 4);
  const x = head + (HEAD_X << 3);
  if (!Numbers.pair(p + 10, x) || !Numbers.pair(p + 26, x + 16) || !Numbers.pair(p + 42, x + 32)) return STOP_UNUSUAL;
  let flags = <u32>load<u8>(p, 58);
  if (flags > 1) return STOP_UNUSUAL;
  at = p + 59;
  let stop: u32 = 0;
  for (let i: u32 = 0; i < 4; i++) if ((stop = Field.variant(head + ((HEAD_DIRECTION + i) << 3))) !== STOP_DONE) return stop;
  let q = at;
  if (limit - q < 33) return STOP_INPUT;
  const gravity = head + (HEAD_GRAVITY << 3);
  if (!Numbers.pair(q, gravity) || !Numbers.f64(q + 16, gravity + 16) || load<u8>(q, 24) !== 0xac) return STOP_UNUSUAL;
  at = q + 25;
  if ((stop = timelines(head)) !== STOP_DONE) return stop;
  q = at;
  // timeline_index 4, running 1, speed 4, position 4, loop 1, lead AD 1, sprite_index 4, image_index 4, image_speed 4
  if (limit - q < 27) return STOP_INPUT;
  const running = <u32>load<u8>(q, 4);
  const loop = <u32>load<u8>(q, 13);
  if ((running | loop) > 1 || load<u8>(q, 14) !== 0xad) return STOP_UNUSUAL;
  if (running) flags |= FLAG_TIMELINE_RUNNING;
  if (loop) flags |= FLAG_TIMELINE_LOOP;
  store<u32>(head + (HEAD_TIMELINE_INDEX << 3), Big.load(q));
  store<u32>(head + (HEAD_TIMELINE_INDEX << 3), Big.load(q + 15), 4);
  const speed = head + (HEAD_TIMELINE_SPEED << 3);
  const image = head + (HEAD_IMAGE_INDEX << 3);
  if (!Numbers.f32(q + 5, speed) || !Numbers.f32(q + 9, speed + 8) || !Numbers.f32(q + 19, image) || !Numbers.f32(q + 23, image + 8))
    return STOP_UNUSUAL;
  at = q + 27;
  if ((stop = Field.variant(head + (HEAD_IMAGE_SINGLE << 3))) !== STOP_DONE) return stop;
  if ((stop = Field.variant(head + ((HEAD_IMAGE_SINGLE + 1) << 3))) !== STOP_DONE) return stop;
  q = at;
  // visible 1, three scales 12, lead AE 1, alpha 8, blend 4, lead AF 1, mask 4, solid 1, polygon 4, its three floats 12
  if (limit - q < 48) return STOP_INPUT;
  const visible = <u32>load<u8>(q);
  const solid = <u32>load<u8>(q, 31);
  if ((visible | solid) > 1 || load<u8>(q, 13) !== 0xae || load<u8>(q, 26) !== 0xaf) return STOP_UNUSUAL;
  if (visible) flags |= FLAG_VISIBLE;
  if (solid) flags |= FLAG_SOLID;
  const scale = head + (HEAD_IMAGE_XSCALE << 3);
  if (!Numbers.f32(q + 1, scale) || !Numbers.f32(q + 5, scale + 8) || !Numbers.f32(q + 9, scale + 16)) return STOP_UNUSUAL;
  if (!Numbers.f64(q + 14, head + (HEAD_IMAGE_ALPHA << 3))) return STOP_UNUSUAL;
  store<u32>(head + (HEAD_IMAGE_BLEND << 3), Big.load(q + 22));
  store<u32>(head + (HEAD_IMAGE_BLEND << 3), Big.load(q + 27), 4);
  store<u32>(head + (HEAD_POLYGON_INDEX << 3), Big.load(q + 32));
  const polygon = head + (HEAD_POLYGON_XSCALE << 3);
  if (!Numbers.f32(q + 36, polygon) || !Numbers.f32(q + 40, polygon + 8) || !Numbers.f32(q + 44, polygon + 16)) return STOP_UNUSUAL;
  at = q + 48;
  store<u32>(head + (HEAD_FLAGS << 3), flags);
  lost = 0;
  if ((stop = vmap(head)) !== STOP_DONE) return stop;
  if ((stop = classes(record, head)) !== STOP_DONE) return stop;
  if (lost !== 0) {
    if (lostCounts === 0) firstLost = lost;
    lostCounts++;
  }
  return STOP_DONE;
}

/**
 * Parses up to `max` instances from `from` to a new tape, as long as they are regular and end before `to`. Returns how many. Status words:
 * why it stopped, where the next begins, bytes of blob 8, units of blob 16, lost counts of variable maps, the first of them.
 */
export function parseInstances(from: usize, to: usize, max: u32): u32 {
  at = from;
  limit = to;
  tape = TAPE;
  tapeEnd = TAPE + TAPE_BYTES - 64;
  blob8 = BLOB8;
  blob16 = BLOB16;
  lostCounts = 0;
  firstLost = 0;
  let count: u32 = 0;
  let stop: u32 = STOP_DONE;
  let mark = at;
  while (count < max) {
    const slot = tape;
    const mark8 = blob8;
    const mark16 = blob16;
    mark = at;
    stop = instance();
    if (stop !== STOP_DONE) {
      tape = slot;
      blob8 = mark8;
      blob16 = mark16;
      at = mark;
      break;
    }
    count++;
  }
  store<u32>(STATUS, stop);
  store<u32>(STATUS, <u32>at, 4);
  store<u32>(STATUS, <u32>(blob8 - BLOB8), 8);
  store<u32>(STATUS, <u32>((blob16 - BLOB16) >>> 1), 12);
  store<u32>(STATUS, lostCounts, 16);
  store<u32>(STATUS, <u32>firstLost, 20);
  return count;
}
