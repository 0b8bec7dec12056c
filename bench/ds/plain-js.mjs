// The codecs to compare with: what a careful JavaScript programmer writes without WebAssembly. Generation 3, the types that the corpora
// have. `plain` runs everywhere (lookup tables, DataView, TextDecoder and TextEncoder); `node` leaves the digits to Buffer.
const DIGITS = new Uint8Array(65536).fill(255);
for (let i = 0; i < 16; i++) DIGITS[i.toString(16).charCodeAt(0)] = DIGITS[i.toString(16).toUpperCase().charCodeAt(0)] = i;
const PAIRS = Array.from({ length: 256 }, (_, i) => i.toString(16).toUpperCase().padStart(2, "0"));
const PAIR_UNITS = Uint16Array.from(PAIRS, (pair) => pair.charCodeAt(0) | (pair.charCodeAt(1) << 8));

const decoder = new TextDecoder();
const encoder = new TextEncoder();

function bytesOfHex(text) {
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0, at = 0; at < bytes.length; i += 2) {
    const high = DIGITS[text.charCodeAt(i)];
    const low = DIGITS[text.charCodeAt(i + 1)];
    if ((high | low) > 15) throw new Error("bad hex");
    bytes[at++] = (high << 4) | low;
  }
  return bytes;
}

function hexOfBytes(bytes) {
  const units = new Uint16Array(bytes.length);
  for (let i = 0; i < bytes.length; i++) units[i] = PAIR_UNITS[bytes[i]];
  return decoder.decode(units);
}

const MAGIC = { 103: "stack", 203: "queue", 303: "list", 403: "map", 503: "priority", 603: "grid" };

class Reader {
  constructor(bytes, textOf) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.textOf = textOf;
    this.at = 0;
  }
  word() {
    const value = this.view.getUint32(this.at, true);
    this.at += 4;
    return value;
  }
  value() {
    switch (this.word()) {
      case 0: {
        const value = this.view.getFloat64(this.at, true);
        this.at += 8;
        return value;
      }
      case 1: {
        const length = this.word();
        const text = this.textOf(this.bytes, this.at, this.at + length);
        this.at += length;
        return text;
      }
      case 2:
        return this.values(this.word());
      case 5:
        return undefined;
      case 13: {
        const value = this.view.getFloat64(this.at, true) !== 0;
        this.at += 8;
        return value;
      }
      default:
        throw new Error("type");
    }
  }
  values(count) {
    const values = [];
    for (let i = 0; i < count; i++) values.push(this.value());
    return values;
  }
}

function read(bytes, textOf) {
  const reader = new Reader(bytes, textOf);
  const kind = MAGIC[reader.word()];
  if (kind === "map") {
    const entries = [];
    for (let n = reader.word(); n > 0; n--) entries.push([reader.value(), reader.value()]);
    return { kind, generation: 3, entries };
  }
  if (kind === "grid") {
    const width = reader.word();
    const height = reader.word();
    const columns = [];
    for (let x = 0; x < width; x++) columns.push(reader.values(height));
    return { kind, generation: 3, width, height, columns };
  }
  return { kind, generation: 3, items: reader.values(reader.word()) };
}

class Writer {
  /** Small at first: clearing 64 KB would be most of what a small text takes. */
  bytes = new Uint8Array(256);
  view = new DataView(this.bytes.buffer);
  at = 0;
  constructor(put) {
    this.put = put;
  }
  room(size) {
    if (this.at + size <= this.bytes.length) return;
    const bytes = new Uint8Array(Math.max(this.bytes.length * 2, this.at + size));
    bytes.set(this.bytes);
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer);
  }
  word(value) {
    this.room(4);
    this.view.setUint32(this.at, value, true);
    this.at += 4;
  }
  value(value) {
    this.room(12);
    if (typeof value === "number") {
      this.view.setUint32(this.at, 0, true);
      this.view.setFloat64(this.at + 4, value, true);
      this.at += 12;
    } else if (typeof value === "string") {
      this.room(8 + value.length * 3);
      this.view.setUint32(this.at, 1, true);
      const written = this.put(this.bytes, this.at + 8, value);
      this.view.setUint32(this.at + 4, written, true);
      this.at += 8 + written;
    } else if (typeof value === "boolean") {
      this.view.setUint32(this.at, 13, true);
      this.view.setFloat64(this.at + 4, value ? 1 : 0, true);
      this.at += 12;
    } else if (value === undefined) this.word(5);
    else {
      this.word(2);
      this.word(value.length);
      for (const item of value) this.value(item);
    }
  }
}

function write(structure, put) {
  const writer = new Writer(put);
  if (structure.kind === "map") {
    writer.word(403);
    writer.word(structure.entries.length);
    for (const [key, value] of structure.entries) {
      writer.value(key);
      writer.value(value);
    }
  } else if (structure.kind === "grid") {
    writer.word(603);
    writer.word(structure.width);
    writer.word(structure.height);
    for (const column of structure.columns) for (const cell of column) writer.value(cell);
  } else {
    writer.word(303);
    writer.word(structure.items.length);
    for (const item of structure.items) writer.value(item);
  }
  return writer.bytes.subarray(0, writer.at);
}

export const plain = {
  read: (text) => read(bytesOfHex(text), (bytes, from, to) => decoder.decode(bytes.subarray(from, to))),
  write: (structure) => hexOfBytes(write(structure, (bytes, at, text) => encoder.encodeInto(text, bytes.subarray(at)).written)),
};

const asBuffer = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export const node = {
  read: (text) => read(Buffer.from(text, "hex"), (bytes, from, to) => bytes.utf8Slice(from, to)),
  write: (structure) =>
    asBuffer(write(structure, (bytes, at, text) => Buffer.prototype.utf8Write.call(bytes, text, at)))
      .toString("hex")
      .toUpperCase(),
};
