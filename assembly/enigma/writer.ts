// From the tape to instances of the binary backend: the way back of reader.ts, with the same records. Differences: texts are UTF-8 in the blobs (TEXT8 |
// length, position) whatever they hold, a REGION has its bytes there too, and integers of a local stand in the lower word of their slot.
// The shim has checked every value; the kernel only looks whether there is room.
import { Big } from "./big-endian";
import { Layout } from "./layouts";
import { BLOB8, STATUS, TAPE, WINDOW, WINDOW_BYTES } from "./memory-map";
import {
  FLAG_PERSISTENT,
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
  NONE,
  OP_BOOL,
  OP_F32,
  OP_F64,
  OP_I8,
  OP_I16,
  OP_I64,
  OP_REGION,
  OP_STRING,
  OP_U8,
  OP_U16,
  OP_U64,
  OP_VAR,
  OP_VARIANT,
  TAG_ARRAYS,
  TAG_TEXT8,
} from "./opcodes";

/** What the fixed fields take at most besides texts: 229 bytes, and what a store of 16 bytes may write too many. */
const HEAD_ROOM: usize = 256;

let out: usize = 0;
let outEnd: usize = 0;
/** The slot that is next. */
let slot: usize = 0;
/** Set when something did not fit; the instance is then written again into an empty window. */
let full: bool = false;

class Put {
  /** A double from its slot; any NaN becomes the usual one, because the shim sends others elsewhere. */
  @inline static f64(p: usize, from: usize): void {
    const low = load<u32>(from);
    const high = load<u32>(from, 4);
    const magnitude = high & 0x7fffffff;
    const odd = magnitude > 0x7ff00000 || (magnitude === 0x7ff00000 && low !== 0);
    Big.store(p, odd ? 0x7ff80000 : high);
    Big.store(p + 4, odd ? 0 : low);
  }
  @inline static f32(p: usize, from: usize): void {
    const value = load<f64>(from);
    Big.store(p, Number.isNaN(value) ? 0x7fc00000 : reinterpret<u32>(<f32>value));
  }
  @inline static zeros(p: usize, n: usize): void {
    for (let i: usize = 0; i < n; i += 8) store<u64>(p + i, 0, 0, 1);
  }
}

function room(n: usize): bool {
  if (outEnd - out >= n + 16) return true;
  full = true;
  return false;
}

/** Copies bytes of a blob; may write up to 15 too many, for which there is room. */
function copy(from: usize, length: u32): void {
  if (length > 64) memory.copy(out, from, length);
  else if (ASC_FEATURE_SIMD) {
    for (let i: u32 = 0; i < length; i += 16) v128.store(out + i, v128.load(from + i, 0, 1), 0, 1);
  } else {
    for (let i: u32 = 0; i < length; i += 4) store<u32>(out + i, load<u32>(from + i, 0, 1), 0, 1);
  }
  out += length;
}

/** A text from its slot: length, bytes. */
function text(from: usize): void {
  const length = load<u32>(from, 4) & 0xffff;
  if (!room(8 + <usize>length)) return;
  store<u32>(out, 0, 0, 1);
  Big.store(out + 4, length);
  out += 8;
  copy(BLOB8 + load<u32>(from), length);
}

function variant(from: usize): void {
  if (!room(9)) return;
  if (load<u32>(from, 4) >= TAG_TEXT8) {
    store<u8>(out, 1);
    out += 1;
    text(from);
    return;
  }
  store<u8>(out, 0);
  Put.f64(out + 1, from);
  out += 9;
}

function index(value: u32): void {
  if (!room(8)) return;
  store<u32>(out, 0, 0, 1);
  Big.store(out + 4, value);
  out += 8;
}

function table1d(): void {
  const dense = load<u32>(slot, 4);
  const sparse = load<u32>(slot, 8);
  index(load<u32>(slot));
  index(dense);
  slot += 16;
  for (let i: u32 = 0; i < dense && !full; i++, slot += 8) variant(slot);
  index(sparse);
  for (let i: u32 = 0; i < sparse && !full; i++, slot += 16) {
    index(load<u32>(slot));
    variant(slot + 8);
  }
}

function table2d(): void {
  const dense = load<u32>(slot, 4);
  const sparse = load<u32>(slot, 8);
  index(load<u32>(slot));
  index(dense);
  slot += 16;
  for (let i: u32 = 0; i < dense && !full; i++) table1d();
  index(sparse);
  for (let i: u32 = 0; i < sparse && !full; i++) {
    index(load<u32>(slot));
    slot += 8;
    table1d();
  }
}

function variable(): void {
  if (load<u32>(slot, 4) >= TAG_ARRAYS) {
    variant(slot + 8);
    slot += 16;
    table1d();
    if (!full) table2d();
    return;
  }
  variant(slot);
  slot += 8;
  if (!room(48)) return;
  Put.zeros(out, 48);
  out += 48;
}

function local(op: u32): void {
  if (!room(16)) return;
  switch (op) {
    case OP_VAR:
      variable();
      return;
    case OP_VARIANT:
      variant(slot);
      break;
    case OP_STRING:
      text(slot);
      break;
    case OP_F64:
      Put.f64(out, slot);
      out += 8;
      break;
    case OP_F32:
      Put.f32(out, slot);
      out += 4;
      break;
    case OP_I8:
    case OP_U8:
    case OP_BOOL:
      store<u8>(out, load<u8>(slot));
      out += 1;
      break;
    case OP_I16:
    case OP_U16:
      store<u8>(out, load<u8>(slot, 1));
      store<u8>(out, load<u8>(slot), 1);
      out += 2;
      break;
    case OP_I64:
    case OP_U64:
      Big.store(out, load<u32>(slot, 4));
      Big.store(out + 4, load<u32>(slot));
      out += 8;
      break;
    case OP_REGION: {
      const length = load<u32>(slot, 8);
      if (!room(length)) return;
      copy(BLOB8 + load<u32>(slot), length);
      slot += 16;
      return;
    }
    default:
      Big.store(out, load<u32>(slot));
      out += 4;
  }
  slot += 8;
}

/** A class block: the layout's table as it is, then the values, whose offsets are filled in as they come. */
function classBlock(): void {
  if (!room(9)) return;
  store<u8>(out, 0xbb);
  out += 1;
  const layout = <usize>load<u32>(slot);
  slot += 8;
  if (layout === <usize>NONE) return;
  const size = <usize>Layout.tableBytes(layout);
  if (!room(size + 32)) return;
  const symbols = Layout.symbols(layout);
  store<u32>(out, 0, 0, 1);
  Big.store(out + 4, symbols);
  const table = out + 8;
  const template = Layout.template(layout);
  if (ASC_FEATURE_SIMD) {
    for (let i: usize = 0; i < size; i += 16) v128.store(table + i, v128.load(template + i), 0, 1);
  } else {
    for (let i: usize = 0; i < size; i += 4) store<u32>(table + i, load<u32>(template + i), 0, 1);
  }
  const sizeField = table + size;
  const data = sizeField + 8;
  out = data;
  for (let i: u32 = 0; i < symbols && !full; i++) {
    const step = Layout.step(layout, i);
    const field = table + Layout.offsetField(layout, step >>> 8);
    store<u32>(field, 0, 0, 1);
    Big.store(field + 4, <u32>(out - data));
    local(step & 0xff);
  }
  store<u32>(sizeField, 0, 0, 1);
  Big.store(sizeField + 4, <u32>(out - data));
}

function instance(): void {
  const head = slot;
  if (!room(HEAD_ROOM)) return;
  const flags = load<u32>(head + (HEAD_FLAGS << 3));
  const levels = load<u32>(head + (HEAD_FLAGS << 3), 4);
  const p = out;
  store<u8>(p, 0xaa);
  Big.store(p + 1, load<u32>(head + (HEAD_ID << 3)));
  Big.store(p + 5, load<u32>(head + (HEAD_ID << 3), 4));
  store<u8>(p, 0xab, 9);
  for (let i: usize = 0; i < 6; i++) Put.f64(p + 10 + (i << 3), head + ((HEAD_X + i) << 3));
  store<u8>(p, <u8>(flags & FLAG_PERSISTENT), 58);
  out = p + 59;
  for (let i: usize = 0; i < 4; i++) variant(head + ((HEAD_DIRECTION + i) << 3));
  if (!room(HEAD_ROOM)) return;
  for (let i: usize = 0; i < 3; i++) Put.f64(out + (i << 3), head + ((HEAD_GRAVITY + i) << 3));
  store<u8>(out, 0xac, 24);
  out += 25;
  slot = head + (HEAD_SLOTS << 3);
  const timelines = load<u32>(head + (HEAD_POLYGON_INDEX << 3), 4);
  index(timelines);
  for (let i: u32 = 0; i < timelines && !full; i++) {
    const moments = load<u32>(slot);
    index(moments);
    slot += 8;
    for (let m: u32 = 0; m < moments; m++, slot += 8) {
      if (!room(8)) return;
      Big.store(out, load<u32>(slot));
      Big.store(out + 4, load<u32>(slot, 4));
      out += 8;
    }
  }
  if (!room(HEAD_ROOM)) return;
  Big.store(out, load<u32>(head + (HEAD_TIMELINE_INDEX << 3)));
  store<u8>(out, flags & FLAG_TIMELINE_RUNNING ? 1 : 0, 4);
  Put.f32(out + 5, head + (HEAD_TIMELINE_SPEED << 3));
  Put.f32(out + 9, head + ((HEAD_TIMELINE_SPEED + 1) << 3));
  store<u8>(out, flags & FLAG_TIMELINE_LOOP ? 1 : 0, 13);
  store<u8>(out, 0xad, 14);
  Big.store(out + 15, load<u32>(head + (HEAD_TIMELINE_INDEX << 3), 4));
  Put.f32(out + 19, head + (HEAD_IMAGE_INDEX << 3));
  Put.f32(out + 23, head + ((HEAD_IMAGE_INDEX + 1) << 3));
  out += 27;
  variant(head + (HEAD_IMAGE_SINGLE << 3));
  variant(head + ((HEAD_IMAGE_SINGLE + 1) << 3));
  if (!room(HEAD_ROOM)) return;
  const q = out;
  store<u8>(q, flags & FLAG_VISIBLE ? 1 : 0);
  for (let i: usize = 0; i < 3; i++) Put.f32(q + 1 + (i << 2), head + ((HEAD_IMAGE_XSCALE + i) << 3));
  store<u8>(q, 0xae, 13);
  Put.f64(q + 14, head + (HEAD_IMAGE_ALPHA << 3));
  Big.store(q + 22, load<u32>(head + (HEAD_IMAGE_BLEND << 3)));
  store<u8>(q, 0xaf, 26);
  Big.store(q + 27, load<u32>(head + (HEAD_IMAGE_BLEND << 3), 4));
  store<u8>(q, flags & FLAG_SOLID ? 1 : 0, 31);
  Big.store(q + 32, load<u32>(head + (HEAD_POLYGON_INDEX << 3)));
  for (let i: usize = 0; i < 3; i++) Put.f32(q + 36 + (i << 2), head + ((HEAD_POLYGON_XSCALE + i) << 3));
  out = q + 48;
  const entries = load<u32>(head + (HEAD_VMAP << 3));
  index(entries);
  for (let i: u32 = 0; i < entries && !full; i++) {
    text(slot);
    slot += 8;
    if (!full) variable();
  }
  for (let i: u32 = 0; i < levels && !full; i++) classBlock();
}

/**
 * Writes instances of the tape from byte `from` to byte `to` into the window, as many as fit. Status words: how many were written,
 * the byte of the tape behind them. Returns the bytes written.
 */
export function writeInstances(from: u32, to: u32): u32 {
  out = WINDOW;
  outEnd = WINDOW + WINDOW_BYTES;
  slot = TAPE + from;
  full = false;
  let count: u32 = 0;
  let mark = slot;
  while (slot < TAPE + to) {
    mark = slot;
    const start = out;
    instance();
    if (full) {
      out = start;
      slot = mark;
      break;
    }
    count++;
  }
  store<u32>(STATUS, count);
  store<u32>(STATUS, <u32>(slot - TAPE), 4);
  return <u32>(out - WINDOW);
}
