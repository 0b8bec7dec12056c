// Shapes of plain structs as paths in a trie of member names, shared by all places of the data where they occur.
import { Site } from "./string-reader.mjs";

const encoder = new TextEncoder();

/** Name bytes with their terminator, and the same as little-endian words of which the last is filled up with zeros. */
function nameBytes(name) {
  const bytes = encoder.encode(name + "\0");
  const padded = new Uint8Array((bytes.length + 3) & ~3);
  padded.set(bytes);
  return { bytes, words: new Int32Array(padded.buffer) };
}

export class Shape {
  /** @param {TrieNode[]} fields the nodes of the path, one per member */
  constructor(fields) {
    this.fields = fields;
    this.n = fields.length;
    this.names = fields.map((f) => f.name);
    this.uses = 0;
    const start = new Uint8Array(4);
    if (this.n > 0) {
      start.set(fields[0].bytes.subarray(0, 4));
      if (fields[0].length < 4) start[fields[0].length] = fields[0].tags[0] ?? 0;
    }
    /** The first four bytes that a struct of this shape most likely has. */
    this.startView = new DataView(start.buffer);
    /** Compiled: read a struct as a literal; null until the shape has proven frequent. */
    this.read = null;
    /** Compiled: read members onto an existing object. */
    this.readInto = null;
    /** A plain struct like those that `readInto` is for: see `likeness` in decoder.mjs. @type {object | null} */
    this.kept = null;
    /** Compiled where `read` is a loop: make a struct from values that stand one after another. */
    this.make = null;
  }
}

export class TrieNode {
  constructor(name, parent) {
    this.name = name;
    this.parent = parent;
    const { bytes, words } = name === null ? { bytes: new Uint8Array(0), words: new Int32Array(0) } : nameBytes(name);
    this.bytes = bytes;
    this.words = words;
    this.length = bytes.length;
    this.lastMask = bytes.length & 3 ? (1 << ((bytes.length & 3) * 8)) - 1 : -1;
    /** @type {Map<string, TrieNode>} */
    this.children = new Map();
    /** The child that came last: the prediction. @type {TrieNode | null} */
    this.next = null;
    /** @type {Shape | null} */
    this.shape = null;
    this.site = new Site();
    /** Tags that values of this member have had, in order of appearance. @type {number[]} */
    this.tags = [];
    /** A number with a fraction was seen. */
    this.fraction = false;
  }

  child(name) {
    let node = this.children.get(name);
    if (node === undefined) this.children.set(name, (node = new TrieNode(name, this)));
    return node;
  }

  /** The shape that ends at this node. */
  end() {
    if (this.shape === null) {
      const fields = [];
      for (let node = this; node.name !== null; node = node.parent) fields.push(node);
      this.shape = new Shape(fields.reverse());
    }
    return this.shape;
  }
}

/** True when the member name at p is the node's. May read three bytes beyond it: the footer is always there. */
export function nameMatches(node, dv, p) {
  const words = node.words;
  const last = words.length - 1;
  for (let i = 0; i < last; i++) if (words[i] !== dv.getInt32(p + i * 4, true)) return false;
  return words[last] === (dv.getInt32(p + last * 4, true) & node.lastMask);
}
