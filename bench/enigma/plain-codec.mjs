// The straightforward codec that the benchmark compares with: a DataView, a TextDecoder call for each text, no window, no interning. It gives and takes the
// same objects as the package and checks the same things on the good path.
import { createHash } from "node:crypto";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

export function decode(bytes, schema) {
  const end = bytes.length - 20;
  if (schema.checksum) {
    const digest = createHash("sha1").update(bytes.subarray(0, end)).digest();
    for (let i = 0; i < 20; i++) if (digest[i] !== bytes[end + i]) throw new Error("checksum");
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, end);
  let at = 0;
  const u8 = () => view.getUint8(at++);
  const u32 = () => {
    at += 4;
    return view.getUint32(at - 4);
  };
  const i32 = () => {
    at += 4;
    return view.getInt32(at - 4);
  };
  const f32 = () => {
    at += 4;
    return view.getFloat32(at - 4);
  };
  const f64 = () => {
    at += 8;
    return view.getFloat64(at - 8);
  };
  const bool = () => view.getUint8(at++) !== 0;
  const u64 = () => {
    const n = Number(view.getBigUint64(at));
    at += 8;
    if (n > end) throw new Error("count");
    return n;
  };
  const text = () => {
    const n = u64();
    at += n;
    return decoder.decode(bytes.subarray(at - n, at));
  };
  const variant = () => {
    const kind = u8();
    if (kind === 0) return f64();
    if (kind === 1) return text();
    throw new Error("variant");
  };
  const lead = (byte) => {
    if (u8() !== byte) throw new Error("lead byte");
  };
  const table = (element) => {
    const max = u64();
    const dense = [];
    for (let n = u64(); n > 0; n--) dense.push(element());
    const sparse = [];
    for (let n = u64(); n > 0; n--) sparse.push([u64(), element()]);
    return { max, dense, sparse };
  };
  const variable = () => {
    const value = variant();
    const array1d = table(variant);
    const array2d = table(() => table(variant));
    const empty = (t) => t.max === 0 && t.dense.length === 0 && t.sparse.length === 0;
    return empty(array1d) && empty(array2d) ? value : { value, array1d, array2d };
  };
  const instance = () => {
    lead(0xaa);
    const id = u32();
    const objectIndex = i32();
    lead(0xab);
    const planar = {
      x: f64(),
      y: f64(),
      xprevious: f64(),
      yprevious: f64(),
      xstart: f64(),
      ystart: f64(),
      persistent: bool(),
      direction: variant(),
      speed: variant(),
      hspeed: variant(),
      vspeed: variant(),
      gravity: f64(),
      gravity_direction: f64(),
      friction: f64(),
    };
    lead(0xac);
    const maps = [];
    for (let n = u64(); n > 0; n--) {
      const moments = [];
      for (let m = u64(); m > 0; m--) moments.push([i32(), i32()]);
      maps.push(moments);
    }
    const timelines = {
      timeline_moments_maps: maps,
      timeline_index: i32(),
      timeline_running: bool(),
      timeline_speed: f32(),
      timeline_position: f32(),
      timeline_loop: bool(),
    };
    lead(0xad);
    const graphics = {
      sprite_index: i32(),
      image_index: f32(),
      image_speed: f32(),
      image_single: variant(),
      depth: variant(),
      visible: bool(),
      image_xscale: f32(),
      image_yscale: f32(),
      image_angle: f32(),
    };
    lead(0xae);
    const transform = { image_alpha: f64(), image_blend: i32() };
    lead(0xaf);
    const collisions = {
      mask_index: i32(),
      solid: bool(),
      polygon_index: i32(),
      polygon_xscale: f32(),
      polygon_yscale: f32(),
      polygon_angle: f32(),
    };
    let vmap = null;
    for (let n = u64(); n > 0; n--) (vmap ??= []).push([text(), variable()]);
    const classes = schema.chain(objectIndex).map((owner) => {
      lead(0xbb);
      if (owner.types.size === 0) return { class: owner.name, table: null, locals: [] };
      const names = [];
      const symbols = [];
      for (let n = u64(); n > 0; n--) {
        const name = text();
        names.push(name);
        symbols.push({ name, offset: u64() });
      }
      const size = u64();
      const data = at;
      symbols.sort((a, b) => a.offset - b.offset);
      const locals = symbols.map(({ name, offset }, i) => {
        at = data + offset;
        const type = owner.types.get(name);
        if (type !== "var") throw new Error("the bench has only var");
        const value = variable();
        if (at !== data + (i + 1 < symbols.length ? symbols[i + 1].offset : size)) throw new Error("damaged");
        return { name, type, value };
      });
      return { class: owner.name, table: names, locals };
    });
    return { id, objectIndex, planar, timelines, graphics, transform, collisions, vmap, classes };
  };
  const list = () => {
    const instances = [];
    for (let n = u64(); n > 0; n--) instances.push(instance());
    return instances;
  };
  const active = list();
  const inactive = list();
  lead(0xee);
  if (u64() !== 0) throw new Error("the bench has no backgrounds");
  lead(0xef);
  return { backend: "binary", active, inactive, backgrounds: [], room: i32() };
}

export function encode(game, { checksum }) {
  let bytes = new Uint8Array(65536);
  let view = new DataView(bytes.buffer);
  let at = 0;
  const room = (n) => {
    if (at + n <= bytes.length) return;
    const next = new Uint8Array(Math.max(at + n, bytes.length * 2));
    next.set(bytes.subarray(0, at));
    bytes = next;
    view = new DataView(bytes.buffer);
  };
  const u8 = (v) => {
    room(1);
    view.setUint8(at++, v);
  };
  const bool = (v) => u8(v ? 1 : 0);
  const u32 = (v) => {
    room(4);
    view.setUint32(at, v);
    at += 4;
  };
  const f32 = (v) => {
    room(4);
    view.setFloat32(at, v);
    at += 4;
  };
  const f64 = (v) => {
    room(8);
    view.setFloat64(at, v);
    at += 8;
  };
  const u64 = (v) => {
    room(8);
    view.setBigUint64(at, BigInt(v));
    at += 8;
  };
  const text = (v) => {
    const utf8 = encoder.encode(v);
    u64(utf8.length);
    room(utf8.length);
    bytes.set(utf8, at);
    at += utf8.length;
  };
  const variant = (v) => {
    if (typeof v === "string") {
      u8(1);
      text(v);
    } else {
      if (typeof v !== "number") throw new Error("variant");
      u8(0);
      f64(v);
    }
  };
  const table = (t, element) => {
    u64(t.max);
    u64(t.dense.length);
    t.dense.forEach(element);
    u64(t.sparse.length);
    for (const [key, v] of t.sparse) {
      u64(key);
      element(v);
    }
  };
  const empty = { max: 0, dense: [], sparse: [] };
  const variable = (v) => {
    const arrays = typeof v === "object" ? v : { value: v, array1d: empty, array2d: empty };
    variant(arrays.value);
    table(arrays.array1d, variant);
    table(arrays.array2d, (row) => table(row, variant));
  };
  const instance = (o) => {
    u8(0xaa);
    u32(o.id);
    u32(o.objectIndex);
    u8(0xab);
    const { planar, timelines, graphics, transform, collisions } = o;
    for (const v of [planar.x, planar.y, planar.xprevious, planar.yprevious, planar.xstart, planar.ystart]) f64(v);
    bool(planar.persistent);
    for (const v of [planar.direction, planar.speed, planar.hspeed, planar.vspeed]) variant(v);
    f64(planar.gravity);
    f64(planar.gravity_direction);
    f64(planar.friction);
    u8(0xac);
    u64(timelines.timeline_moments_maps.length);
    for (const moments of timelines.timeline_moments_maps) {
      u64(moments.length);
      for (const [step, id] of moments) {
        u32(step);
        u32(id);
      }
    }
    u32(timelines.timeline_index);
    bool(timelines.timeline_running);
    f32(timelines.timeline_speed);
    f32(timelines.timeline_position);
    bool(timelines.timeline_loop);
    u8(0xad);
    u32(graphics.sprite_index);
    f32(graphics.image_index);
    f32(graphics.image_speed);
    variant(graphics.image_single);
    variant(graphics.depth);
    bool(graphics.visible);
    f32(graphics.image_xscale);
    f32(graphics.image_yscale);
    f32(graphics.image_angle);
    u8(0xae);
    f64(transform.image_alpha);
    u32(transform.image_blend);
    u8(0xaf);
    u32(collisions.mask_index);
    bool(collisions.solid);
    u32(collisions.polygon_index);
    f32(collisions.polygon_xscale);
    f32(collisions.polygon_yscale);
    f32(collisions.polygon_angle);
    const vmap = o.vmap ?? [];
    u64(vmap.length);
    for (const [name, v] of vmap) {
      text(name);
      variable(v);
    }
    for (const block of o.classes) {
      u8(0xbb);
      if (block.locals.length === 0) continue;
      u64(block.table.length);
      const fields = new Map();
      for (const name of block.table) {
        text(name);
        fields.set(name, at);
        u64(0);
      }
      const size = at;
      u64(0);
      const data = at;
      for (const local of block.locals) {
        view.setBigUint64(fields.get(local.name), BigInt(at - data));
        if (local.type !== "var") throw new Error("the bench has only var");
        variable(local.value);
      }
      view.setBigUint64(size, BigInt(at - data));
    }
  };
  for (const instances of [game.active, game.inactive]) {
    u64(instances.length);
    instances.forEach(instance);
  }
  u8(0xee);
  u64(0);
  u8(0xef);
  u32(game.room);
  room(20);
  if (checksum) bytes.set(createHash("sha1").update(bytes.subarray(0, at)).digest(), at);
  at += 20;
  return bytes.slice(0, at);
}

/** Chains with plain type names, as the codec above wants them. */
export function prepare({ objects }, checksum) {
  const byName = new Map(objects.map((object) => [object.name, object]));
  const chains = new Map();
  for (const object of objects) {
    const chain = [];
    for (let o = object; o; o = o.parent ? byName.get(o.parent) : undefined)
      chain.unshift({ name: o.name, types: new Map(o.locals.map(({ name, type }) => [name, type])) });
    chains.set(object.index, chain);
  }
  return { checksum, chain: (index) => chains.get(index) };
}
