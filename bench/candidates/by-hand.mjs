// What reading and writing cost where nothing has to be found out: functions written by hand for some of the benchmark's saves. They know where everything
// stands and what it is, check nothing, and fail on every other save. A codec, which has to look, can hardly be faster.
const { fromCharCode } = String;
const ITEMS = Array.from({ length: 65535 }, () => undefined);
/** Code of strings in front of a value, and the bytes of an instance before its first field: footprint, constructor, version, end of the skipped fields. */
const STRING = 0x0b;
const INSTANCE = 7;
/** Bytes before the entities' number in rpg and schema, and before the root's fields in graph. */
const SAVE = 70;
const ROOT = 21;

let bytes;
let view;
/** Where the last value ended whose length the save tells. */
let at = 0;

function open(input) {
  bytes = input;
  view = new DataView(input.buffer, input.byteOffset, input.byteLength);
}

const f64 = (p) => view.getFloat64(p, true);
const s32 = (p) => view.getInt32(p, true);

/** A double that is mostly whole: integers are cheaper to hold. */
function whole(p) {
  const double = f64(p);
  const integer = double | 0;
  return integer === double ? integer : double;
}

const CACHED = 4096;
const texts = new Array(CACHED).fill("");
const starts = new Int32Array(CACHED);
const ends = new Int32Array(CACHED);

/** One of the few words that the corpora are made of: no two of them begin and end alike. */
function word(p) {
  let end = p;
  while (bytes[end] !== 0) end++;
  at = end + 1;
  const first = s32(p);
  const last = s32(end - 3);
  const slot = Math.imul(first ^ Math.imul(last, 0x9e3779b1), 0x5bd1e995) >>> 20;
  if (starts[slot] === first && ends[slot] === last) return texts[slot];
  starts[slot] = first;
  ends[slot] = last;
  texts[slot] = fromCharCode(...bytes.subarray(p, end));
  return texts[slot];
}

/** The twelve characters of an entity's name in the save, which comes once or twice. */
function id(p) {
  const b = bytes;
  at = p + 13;
  return fromCharCode(b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7], b[p + 8], b[p + 9], b[p + 10], b[p + 11]);
}

/** Up to five numbers. */
function inventory(start) {
  const length = view.getUint16(start, true);
  const p = start + 3;
  at = length === 0 ? start + 2 : p + 8 * length;
  if (length === 0) return [];
  if (length === 1) return [whole(p)];
  if (length === 2) return [whole(p), whole(p + 8)];
  if (length === 3) return [whole(p), whole(p + 8), whole(p + 16)];
  if (length === 4) return [whole(p), whole(p + 8), whole(p + 16), whole(p + 24)];
  return [whole(p), whole(p + 8), whole(p + 16), whole(p + 24), whole(p + 32)];
}

/** An id, or nothing. */
function target(p) {
  if (bytes[p] === STRING) return id(p + 1);
  at = p + 1;
  return undefined;
}

/** The save around the entities, which both rpg and schema have. @param {(p: number) => object} entity */
function entitiesOf(start, entity, { version, seed, name }) {
  const length = view.getUint16(start, true);
  const entities = ITEMS.slice(0, length);
  at = start + 3;
  for (let i = 0; i < length; i++) entities[i] = entity(at);
  return { version, seed, name, entities };
}

/** Members in the order in which they were given, each behind its name and the code of its datatype. */
function plainEntity(start) {
  const ident = id(start + 6);
  const name = word(at + 6);
  const kind = word(at + 6);
  let p = at;
  const level = whole(p + 7);
  const hp = whole(p + 19);
  const maxHp = whole(p + 34);
  const xp = whole(p + 46);
  const speed = f64(p + 61);
  const alive = bytes[p + 76] === 1;
  const x = f64(p + 87);
  const y = f64(p + 98);
  const layer = whole(p + 113);
  const faction = word(p + 130);
  const list = inventory(at + 11);
  p = at;
  return {
    id: ident,
    name,
    kind,
    level,
    hp,
    maxHp,
    xp,
    speed,
    alive,
    pos: { x, y, layer },
    faction,
    inventory: list,
    target: target(p + 7),
  };
}

/** Fields by name, without names. Made once: what the engine compiles for a function that belongs to one call alone goes at the next collection. */
function strictEntity(Entity, Vec3) {
  return (start) => {
    /** The constructors' names are still to come. */
    const first = start === SAVE + 3;
    const entity = new Entity();
    let p = start + INSTANCE + (first ? 7 : 0);
    entity.alive = bytes[p] === 1;
    entity.faction = word(p + 1);
    entity.hp = s32(at);
    entity.id = id(at + 4);
    entity.inventory = inventory(at);
    entity.kind = word(at);
    entity.level = bytes[at];
    entity.maxHp = s32(at + 1);
    entity.name = word(at + 5);
    p = at + INSTANCE + (first ? 5 : 0);
    const pos = new Vec3();
    pos.layer = bytes[p];
    pos.x = f64(p + 1);
    pos.y = f64(p + 9);
    entity.pos = pos;
    entity.speed = view.getFloat32(p + 17, true);
    entity.target = target(p + 21);
    entity.xp = view.getUint32(at, true);
    at += 4;
    return entity;
  };
}

/** A node is what it hangs on the one around it by, so that no reference has to be looked up. */
function nodeOf(Node) {
  return function node(start, parent) {
    const made = new Node();
    const length = view.getUint16(start, true);
    const children = ITEMS.slice(0, length);
    at = start + (length === 0 ? 2 : 3);
    for (let i = 0; i < length; i++) children[i] = node(at + INSTANCE, made);
    made.children = children;
    made.id = view.getUint32(at, true);
    made.parent = parent;
    made.weight = f64(at + (parent === undefined ? 5 : 9));
    at += parent === undefined ? 13 : 17;
    return made;
  };
}

/** Codes in front of what stands where any value may, and that of mixed arrays, which stands behind their length. */
const NUMBER = 0x09;
const BOOL = 0x0a;
const STRUCT = 0xce;
const UNDEFINED = 0xcf;
const ANY = 0xcc;
/** Bytes before the first array of the corpus mixed. */
const ROWS = 20;
/** Bytes of the text that mixed's names are cut from, at a time. */
const PIECE = 1 << 16;
/** What the names begin with that come but once, as four bytes. */
const UID = 0x2d646975;

/** Numbers, words, names, bools and undefined, and the code of each. Names are cut from the text of many bytes. */
function mixedRow(start) {
  const row = ITEMS.slice(0, view.getUint16(start, true));
  let p = start + 3;
  for (let i = 0; i < row.length; i++) {
    const code = bytes[p++];
    if (code === NUMBER) {
      row[i] = whole(p);
      p += 8;
    } else if (code === STRING) {
      row[i] = s32(p) === UID ? name(p) : word(p);
      p = at;
    } else if (code === BOOL) row[i] = bytes[p++] === 1;
  }
  at = p;
  return row;
}

let piece = "";
let pieceStart = 0;

function name(p) {
  let end = p + 4;
  while (bytes[end] !== 0) end++;
  at = end + 1;
  if (end > pieceStart + piece.length) {
    pieceStart = p;
    piece = latin1(p, p + PIECE);
  }
  return piece.slice(p - pieceStart, end - pieceStart);
}

function latin1(from, to) {
  const some = bytes.subarray(from, to);
  return globalThis.Buffer === undefined
    ? new TextDecoder("latin1").decode(some)
    : Buffer.from(some.buffer, some.byteOffset, some.length).latin1Slice();
}

/** By corpus: what reads it. */
const READERS = {
  rpg:
    ({ value }) =>
    () =>
      entitiesOf(SAVE, plainEntity, value),
  schema: ({ value, constructors: { Entity, Vec3 } }) => {
    const entity = strictEntity(Entity.class, Vec3.class);
    return () => entitiesOf(SAVE, entity, value);
  },
  graph: ({ constructors: { Node } }) => {
    const node = nodeOf(Node.class);
    return () => node(ROOT, undefined);
  },
  mixed:
    ({ value }) =>
    () => {
      const rows = ITEMS.slice(0, value.rows.length);
      piece = "";
      pieceStart = 0;
      at = ROWS;
      for (let i = 0; i < rows.length; i++) rows[i] = mixedRow(at);
      return { rows };
    },
};

/** One of the corpus mixed's arrays: numbers that are no NaN, short ASCII strings, bools, undefined. */
function writeRow(row, start) {
  view.setUint16(start, row.length, true);
  bytes[start + 2] = ANY;
  let p = start + 3;
  for (let i = 0; i < row.length; i++) {
    const value = row[i];
    if (typeof value === "number") {
      bytes[p] = NUMBER;
      view.setFloat64(p + 1, value, true);
      p += 9;
    } else if (typeof value === "string") {
      bytes[p++] = STRING;
      p = writeText(value, p);
    } else if (value === undefined) bytes[p++] = UNDEFINED;
    else {
      bytes[p] = BOOL;
      bytes[p + 1] = value ? 1 : 0;
      p += 2;
    }
  }
  return p;
}

/** A short ASCII string. */
function writeText(value, p) {
  const { length } = value;
  for (let j = 0; j < length; j++) bytes[p + j] = value.charCodeAt(j);
  bytes[p + length] = 0;
  return p + length + 1;
}

/** What stands before an instance's fields. @param {string | undefined} name of its class, in front of the first */
function writeBeginning(index, name, start) {
  view.setUint16(start, 0xfffe, true);
  view.setUint16(start + 2, index, true);
  const p = name === undefined ? start + 4 : writeText(name, start + 4);
  bytes[p] = 1;
  view.setUint16(p + 1, 0, true);
  return p + 3;
}

/** Up to five numbers. */
function writeInventory(list, start) {
  const { length } = list;
  view.setUint16(start, length, true);
  if (length === 0) return start + 2;
  bytes[start + 2] = NUMBER;
  for (let i = 0; i < length; i++) view.setFloat64(start + 3 + 8 * i, list[i], true);
  return start + 3 + 8 * length;
}

/** Fields by name, as {@link strictEntity} reads them. */
function writeEntity(entity, start, first) {
  let p = writeBeginning(0, first ? "Entity" : undefined, start);
  bytes[p] = entity.alive ? 1 : 0;
  p = writeText(entity.faction, p + 1);
  view.setInt32(p, entity.hp, true);
  p = writeInventory(entity.inventory, writeText(entity.id, p + 4));
  p = writeText(entity.kind, p);
  bytes[p] = entity.level;
  view.setInt32(p + 1, entity.maxHp, true);
  p = writeBeginning(1, first ? "Vec3" : undefined, writeText(entity.name, p + 5));
  const { pos, target } = entity;
  bytes[p] = pos.layer;
  view.setFloat64(p + 1, pos.x, true);
  view.setFloat64(p + 9, pos.y, true);
  view.setFloat32(p + 17, entity.speed, true);
  bytes[p + 21] = target === undefined ? UNDEFINED : STRING;
  p = target === undefined ? p + 22 : writeText(target, p + 22);
  view.setUint32(p, entity.xp, true);
  return p + 4;
}

/** Number of the next container. */
let number = 0;

/** A node, whose parent is the one around it and has this number. */
function writeNode(node, start, parent) {
  let p = writeBeginning(0, parent < 0 ? "Node" : undefined, start);
  const own = number;
  const { children } = node;
  /** The list of children is a container, too. */
  number += 2;
  view.setUint16(p, children.length, true);
  p += 2;
  if (children.length > 0) bytes[p++] = STRUCT;
  for (let i = 0; i < children.length; i++) p = writeNode(children[i], p, own);
  view.setUint32(p, node.id, true);
  if (parent < 0) bytes[p + 4] = UNDEFINED;
  else {
    bytes[p + 4] = STRUCT;
    view.setUint16(p + 5, 0xffff, true);
    view.setUint16(p + 7, parent, true);
  }
  p += parent < 0 ? 5 : 9;
  view.setFloat64(p, node.weight, true);
  return p + 8;
}

/** Bytes of the footer. */
const FOOTER = 4;

/** By corpus: what writes it; from where on, and up to where. */
const WRITERS = {
  schema: {
    start: SAVE + 3,
    write({ entities }, start) {
      let p = start;
      for (let i = 0; i < entities.length; i++) p = writeEntity(entities[i], p, i === 0);
      return p;
    },
  },
  graph: {
    start: ROOT - INSTANCE - 5,
    write(root, start) {
      number = 0;
      return writeNode(root, start, -1);
    },
  },
  mixed: {
    start: ROWS,
    write({ rows }, start) {
      let p = start;
      for (const row of rows) p = writeRow(row, p);
      return p;
    },
  },
};

/** Header and footer are those of the save that is to come out. */
function writerOf({ start, write }, save) {
  const made = save.slice();
  return (value) => {
    open(made);
    return made.slice(0, write(value, start) + FOOTER);
  };
}

/** @type {import("./candidates.mjs").Candidate} */
export const byHand = {
  name: "limit: by hand",
  loses: "one save is all it can read or write, and it checks nothing",
  floor: true,
  operations: ["decode", "encode"],
  corpora: [...new Set([...Object.keys(READERS), ...Object.keys(WRITERS)])],
  async load() {
    const { createStrongJs } = await import("../codecs/strong-js.mjs");
    return (corpus) => {
      const { name, value } = corpus;
      const save = createStrongJs(corpus).encode(value);
      const codec = {};
      if (name in READERS) {
        const read = READERS[name](corpus);
        codec.decode = () => {
          open(save);
          return read();
        };
      }
      if (name in WRITERS) {
        const encode = writerOf(WRITERS[name], save);
        codec.encode = encode;
        codec.check = () => {
          const made = encode(value);
          if (made.length !== save.length || made.some((byte, i) => byte !== save[i])) throw new Error("does not write the save");
        };
      }
      return codec;
    };
  },
};
