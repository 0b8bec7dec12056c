// Plain JavaScript that reads the bytes of releases 1.5.0 and 1.5.1: scalars, strings, names. Containers are made of them by graph-reader.ts. It takes
// what is common; everything else, and all that is wrong in any way, is left to the kernel, which alone says what is valid, and which error it is.
import { fixedValue } from "../../graph/fixed-values.ts";
import * as CODE from "../codes.ts";
import { UNDEFINED } from "../tags.ts";
import { elementSize } from "../typed-arrays.ts";
import type { Shape } from "./graph-reader.ts";

/** Strings of up to so many bytes are looked for among the last ones, by a hash of 2^8 values. */
const LONGEST_KNOWN = 32;
const KNOWN = 256;
/** Words of the longest. */
const WORDS = LONGEST_KNOWN / 4;
/** Strings of up to so many characters are made by one call. */
export const SHORT = 16;
/** Names that are remembered, long ones for several; what comes then is left to the kernel, and then they are learned anew. */
const MOST_NAMES = 4096;
/** There is room for so many before a read: for all of a small save. */
const SPARE_NAMES = 512;

/** The highest bit of each byte. */
const HIGH_BITS = 0x80808080 | 0;

/** Thrown where something has to be left to the kernel. */
export const LEFT = Symbol();

/** The highest bit of the first byte that is zero; 0 where none is. */
export function firstZero(word: number): number {
  const zeros = (word - 0x01010101) & ~word & HIGH_BITS;
  return zeros & -zeros;
}

export function left(): never {
  throw LEFT;
}

/** The members of a struct, in their order. */
export class Members {
  readonly names: readonly string[];
  /** The same as they stand in saves. */
  readonly nodes: readonly NameNode[];
  /** Of plain structs and instances that have them, by kind (graph-reader.ts). */
  readonly shapes = new Map<number, Shape>();

  constructor(nodes: readonly NameNode[]) {
    this.names = nodes.map((node) => node.name);
    this.nodes = nodes;
  }
}

/** A name behind others: structs that begin alike share what comes first. */
export class NameNode {
  readonly name: string;
  private readonly parent: NameNode | undefined;
  /** With its terminator. */
  readonly bytes: Uint8Array;
  /** Of the first name of plain structs: are they referred to by what they hold, so that they have to be there before that? */
  early = false;
  /** Shapes of such that have got a function. */
  readonly made: Shape[] = [];
  /** What followed last, which is what is tried first. */
  next: NameNode | undefined = undefined;
  private others: Map<string, NameNode> | undefined = undefined;
  private ended: Members | undefined = undefined;

  constructor(name: string, bytes: Uint8Array, parent: NameNode | undefined) {
    this.name = name;
    this.bytes = bytes;
    this.parent = parent;
  }

  /** The node of a name that follows; undefined where there is none yet. */
  follow(name: string): NameNode | undefined {
    const found = this.others?.get(name);
    if (found) this.next = found;
    return found;
  }

  add(name: string, bytes: Uint8Array): NameNode {
    this.next = new NameNode(name, bytes, this);
    (this.others ??= new Map()).set(name, this.next);
    return this.next;
  }

  /** The members of structs that end here. */
  members(): Members {
    if (!this.ended) {
      const nodes: NameNode[] = [];
      for (let node: NameNode = this; node.parent; node = node.parent) nodes.unshift(node);
      this.ended = new Members(nodes);
    }
    return this.ended;
  }
}

const firstNode = (): NameNode => new NameNode("", new Uint8Array(0), undefined);

/** Up to 16 characters. One call for each length, because others take two to ten times as long. */
export function shortText(u: Uint8Array | Uint16Array, p: number, length: number): string {
  const text = String.fromCharCode;
  switch (length) {
    case 0:
      return "";
    case 1:
      return text(u[p]);
    case 2:
      return text(u[p], u[p + 1]);
    case 3:
      return text(u[p], u[p + 1], u[p + 2]);
    case 4:
      return text(u[p], u[p + 1], u[p + 2], u[p + 3]);
    case 5:
      return text(u[p], u[p + 1], u[p + 2], u[p + 3], u[p + 4]);
    case 6:
      return text(u[p], u[p + 1], u[p + 2], u[p + 3], u[p + 4], u[p + 5]);
    case 7:
      return text(u[p], u[p + 1], u[p + 2], u[p + 3], u[p + 4], u[p + 5], u[p + 6]);
    case 8:
      return text(u[p], u[p + 1], u[p + 2], u[p + 3], u[p + 4], u[p + 5], u[p + 6], u[p + 7]);
    case 9:
      return text(u[p], u[p + 1], u[p + 2], u[p + 3], u[p + 4], u[p + 5], u[p + 6], u[p + 7], u[p + 8]);
    case 10:
      return text(u[p], u[p + 1], u[p + 2], u[p + 3], u[p + 4], u[p + 5], u[p + 6], u[p + 7], u[p + 8], u[p + 9]);
    case 11:
      return text(u[p], u[p + 1], u[p + 2], u[p + 3], u[p + 4], u[p + 5], u[p + 6], u[p + 7], u[p + 8], u[p + 9], u[p + 10]);
    case 12:
      return text(u[p], u[p + 1], u[p + 2], u[p + 3], u[p + 4], u[p + 5], u[p + 6], u[p + 7], u[p + 8], u[p + 9], u[p + 10], u[p + 11]);
    case 13:
      return text(
        u[p],
        u[p + 1],
        u[p + 2],
        u[p + 3],
        u[p + 4],
        u[p + 5],
        u[p + 6],
        u[p + 7],
        u[p + 8],
        u[p + 9],
        u[p + 10],
        u[p + 11],
        u[p + 12],
      );
    case 14:
      return text(
        u[p],
        u[p + 1],
        u[p + 2],
        u[p + 3],
        u[p + 4],
        u[p + 5],
        u[p + 6],
        u[p + 7],
        u[p + 8],
        u[p + 9],
        u[p + 10],
        u[p + 11],
        u[p + 12],
        u[p + 13],
      );
    case 15:
      return text(
        u[p],
        u[p + 1],
        u[p + 2],
        u[p + 3],
        u[p + 4],
        u[p + 5],
        u[p + 6],
        u[p + 7],
        u[p + 8],
        u[p + 9],
        u[p + 10],
        u[p + 11],
        u[p + 12],
        u[p + 13],
        u[p + 14],
      );
    default:
      return text(
        u[p],
        u[p + 1],
        u[p + 2],
        u[p + 3],
        u[p + 4],
        u[p + 5],
        u[p + 6],
        u[p + 7],
        u[p + 8],
        u[p + 9],
        u[p + 10],
        u[p + 11],
        u[p + 12],
        u[p + 13],
        u[p + 14],
        u[p + 15],
      );
  }
}

export abstract class PlainReader {
  /** The bytes. From {@link limit} on there are some zeros, so that whoever reads them finds out in time. */
  protected u8: Uint8Array<ArrayBuffer>;
  protected dv: DataView;
  protected limit: number;
  position = 0;
  protected first = firstNode();
  /** Names in the trie, each 64 bytes of one, and what was made for them. */
  protected names = 0;
  /** The last string of less than eight bytes of each hash, and its bytes. */
  private readonly shorts: string[] = new Array(KNOWN).fill("");
  private readonly lows = new Int32Array(KNOWN);
  private readonly highs = new Int32Array(KNOWN);
  /** The last longer one of each hash, its bytes and how many they are. */
  private readonly known: string[] = new Array(KNOWN).fill("");
  private readonly words = new Int32Array(KNOWN * WORDS);
  private readonly lengths = new Uint8Array(KNOWN);

  constructor(u8: Uint8Array<ArrayBuffer>, limit: number) {
    this.u8 = u8;
    this.dv = new DataView(u8.buffer);
    this.limit = limit;
  }

  /** A string that is long, or not ASCII. */
  protected abstract text(start: number, end: number, wide: boolean): string;

  /** Between two reads. Are the names forgotten? */
  protected reset(): boolean {
    if (this.names <= MOST_NAMES - SPARE_NAMES) return false;
    this.first = firstNode();
    this.names = 0;
    return true;
  }

  /** A value that holds no others, or {@link LEFT}. */
  protected scalar(code: number): unknown {
    switch (code) {
      case CODE.string:
      case CODE.text:
        return this.string() ?? LEFT;
      case UNDEFINED:
        return undefined;
    }
    const { dv, position } = this;
    this.position = position + elementSize(code);
    return fixedValue(code, dv, position) ?? LEFT;
  }

  /** The string at {@link position}; undefined when it does not end. */
  string(): string | undefined {
    const { dv } = this;
    const start = this.position;
    let low = dv.getInt32(start, true);
    let high = 0;
    let length = 0;
    let zero = firstZero(low);
    if (zero !== 0) low &= (zero >>> 7) - 1;
    else {
      high = dv.getInt32(start + 4, true);
      zero = firstZero(high);
      if (zero === 0) return this.longString(start, low, high);
      high &= (zero >>> 7) - 1;
      length = 4;
    }
    // Bytes of the last word before the zero.
    length += (31 - Math.clz32(zero)) >>> 3;
    if (start + length >= this.limit) return undefined;
    this.position = start + length + 1;
    // The bytes say how long it is, too: there is no zero among them.
    const place = Math.imul(low ^ Math.imul(high, 0x5bd1e995), 0x9e3779b1) >>> 24;
    const { lows, highs } = this;
    if (lows[place] === low && highs[place] === high) return this.shorts[place];
    const text = ((low | high) & HIGH_BITS) !== 0 ? this.text(start, start + length, true) : shortText(this.u8, start, length);
    lows[place] = low;
    highs[place] = high;
    this.shorts[place] = text;
    return text;
  }

  /** The same for one of eight bytes or more, of which these are the first, four of them at a time. */
  private longString(start: number, low: number, high: number): string | undefined {
    const { u8, dv, limit } = this;
    let end = start + 8;
    let hash = Math.imul(low, 0x5bd1e995) ^ high;
    let bits = low | high;
    let word = dv.getInt32(end, true);
    let zero = firstZero(word);
    while (zero === 0 && end < limit) {
      hash = Math.imul(hash ^ word, 0x5bd1e995);
      bits |= word;
      end += 4;
      word = dv.getInt32(end, true);
      zero = firstZero(word);
    }
    const rest = (31 - Math.clz32(zero)) >>> 3;
    word &= (1 << (rest << 3)) - 1;
    hash = Math.imul(hash ^ word, 0x5bd1e995);
    end += rest;
    if (end >= limit) return undefined;
    this.position = end + 1;
    const length = end - start;
    const wide = ((bits | word) & HIGH_BITS) !== 0;
    if (length > LONGEST_KNOWN) return this.text(start, end, wide);
    const { words, lengths } = this;
    const place = (hash >>> 15) & (KNOWN - 1);
    let at = place * WORDS;
    const last = end - rest;
    if (lengths[place] === length) {
      let p = start;
      while (p < last && words[at] === dv.getInt32(p, true)) {
        p += 4;
        at++;
      }
      if (p === last && (rest === 0 || words[at] === word)) return this.known[place];
      at = place * WORDS;
    }
    const text = wide || length > SHORT ? this.text(start, end, wide) : shortText(u8, start, length);
    for (let p = start; p < last; p += 4) words[at++] = dv.getInt32(p, true);
    if (rest !== 0) words[at] = word;
    lengths[place] = length;
    this.known[place] = text;
    return text;
  }

  /** The node of the name at {@link position}. */
  protected name(before: NameNode): NameNode {
    const { u8 } = this;
    const start = this.position;
    const { next } = before;
    if (next !== undefined) {
      const { bytes } = next;
      const { length } = bytes;
      let i = 0;
      while (i < length && bytes[i] === u8[start + i]) i++;
      if (i === length) {
        this.position = start + length;
        return next;
      }
    }
    const name = this.string() ?? left();
    const found = before.follow(name);
    if (found) return found;
    this.names += 1 + ((this.position - start) >> 6);
    if (this.names > MOST_NAMES) throw LEFT;
    return before.add(name, u8.slice(start, this.position));
  }
}
