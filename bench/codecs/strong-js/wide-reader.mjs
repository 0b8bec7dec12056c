// Reads the structs of one shape with so many members that code for each would make a function too long for the engine to optimise: names are
// predicted one by one in a loop, values go onto the stack, and a literal makes the object of them. That is Tusk's own way
// (src/graph/shape-factory.ts). Short strings are compared with the one before in the same member, which is quicker than the interning table.
import { CODE } from "../elephant-format.mjs";
import { compileMaker } from "./read-compiler.mjs";

/** Bytes of the strings that are compared so, with the terminator. The footer is behind every string: a word can be read. */
const WORD = 4;

class Member {
  /** The last short string: its bytes in a word, those of the word that count, and how many. No word is like the first one. */
  word = 1;
  mask = 0;
  bytes = 0;
  text = "";
  /** @param {import("./shape-trie.mjs").TrieNode} node */
  constructor(node) {
    this.node = node;
    this.length = node.length;
    this.site = node.site;
  }

  /** Keeps a string of `bytes` bytes that begins with `word`, if it is short. */
  keep(text, word, bytes) {
    if (bytes > WORD) return;
    this.mask = bytes === WORD ? -1 : (1 << (bytes * 8)) - 1;
    this.word = word & this.mask;
    this.bytes = bytes;
    this.text = text;
  }
}

/** `(dv, u8, p, number, site) => object`, like a compiled reader; p stands behind the member count. */
export function createWideReader(shape, { state, refs, stack, string, value, nameMatches, miss, claim, resume }) {
  const { fields, n } = shape;
  const members = fields.map((node) => new Member(node));
  const make = compileMaker(shape.names);
  shape.make = make;
  return function read(dv, u8, start, number, site) {
    if (!nameMatches(fields[0], dv, start)) return miss(shape, 0, [], dv, u8, start, number, site);
    const base = claim(n);
    let p = start;
    for (let k = 0; k < n; k++) {
      const member = members[k];
      if (!nameMatches(member.node, dv, p)) return resume(fields[k - 1], k, n, base, dv, u8, p, number, site);
      p += member.length;
      const tag = u8[p++];
      if (tag !== CODE.string) {
        stack[base + k] = value(tag, member.site, dv, u8, p);
        p = state.p;
        continue;
      }
      const word = dv.getInt32(p, true);
      if ((word & member.mask) === member.word) {
        stack[base + k] = member.text;
        p += member.bytes;
        continue;
      }
      const text = string(member.site, dv, p);
      member.keep(text, word, state.p - p);
      stack[base + k] = text;
      p = state.p;
    }
    state.p = p;
    state.top = base;
    const o = make(stack, base);
    if (number < 65536) refs[number] = o;
    return o;
  };
}
