// Bytes to values, in one pass with a stack of its own for open arrays: neither a long input nor a deep one needs more of the kernel's memory.
import { type DsReadErrorCode, failure } from "./failure.ts";
import {
  BARE_VALUES,
  BYTES,
  LAYOUT_COMPACT,
  LAYOUT_LEGACY,
  LAYOUT_ROWS,
  LONG_STRING,
  TYPE_ARRAY,
  TYPE_BOOL,
  TYPE_INT32,
  TYPE_INT64,
  TYPE_POINTER,
  TYPE_REAL,
  TYPE_STRING,
} from "./layout.ts";
import type { Machine } from "./machine.ts";
import type { Header } from "./read.ts";
import { StringReader } from "./string-reader.ts";
import { decodeString } from "./text.ts";
import type { DsLimits, DsValue, ReadDsOptions } from "./types.ts";

/** An array that is being filled. */
interface OpenArray {
  target: DsValue[];
  /** How many values it has in the end. */
  size: number;
  /** How many it has so far. */
  next: number;
  /** Of an array of rows: each value is a row, which has a length but no type code. */
  rows: boolean;
  /** Levels of arrays down to this one. A row is part of its array and no level of its own. */
  depth: number;
  /** Is an array of rows among those around it? */
  inRows: boolean;
}

/** What was read. */
export interface Values {
  /** The values of the structure itself in stored order, unless they make pairs. */
  values: DsValue[];
  /** Of a map that is not legacy: every two values of the structure. */
  pairs: [DsValue, DsValue][];
}

/** As much as a value of fixed size takes at most, or what stands in front of the text of a string or the values of an array. */
const HEAD = 16;
/** V8 makes an array that is asked for with more than 32 million elements (2^25) a dictionary. */
const MOST_BITS = 25;
/** Of arrays in arrays, which are open one in the other and claim what they like; the second, which is no more than any array grows by, of deep ones. */
const INNER_BITS = 12;
const DEEP_BITS = 4;
/** Arrays with more levels around them are deep. */
const USUAL_DEPTH = 16;
/** An array to be filled from its beginning: one that grows touches three times as much memory, which only those of more bits have to. */
const prepared = <T>(size: number, bits: number): T[] => (size >>> bits ? [] : new Array(size));
const PLAIN_NAN = 0x7ff8_0000_0000_0000n;
const ONE = 0x3ff0_0000_0000_0000n;

export class ValueReader {
  private readonly machine: Machine;
  private readonly strings: StringReader;

  constructor(machine: Machine) {
    this.machine = machine;
    this.strings = new StringReader(machine);
  }

  /** Lets go of the strings. */
  clear(): void {
    this.strings.clear();
  }

  /** Reads the values, which the input ends with. `count`: how many, which has been checked to fit. */
  read({ kind, generation, size: from }: Header, count: number, legacy: boolean, options: ReadDsOptions, limits: DsLimits): Values {
    const { source, view } = this.machine;
    const paired = kind === "map" && !legacy;
    const layout = legacy ? LAYOUT_LEGACY : generation;
    const plainText = options.strings === "text";
    const exactBools = options.bools === "exact";
    const least = legacy ? HEAD : 4;
    const open: OpenArray[] = [];
    // The number has been checked against the input, four bytes for each value.
    const values: DsValue[] = paired ? [] : prepared(count, MOST_BITS);
    const pairs: [DsValue, DsValue][] = paired ? prepared(count / 2, MOST_BITS) : [];
    let key: DsValue;
    let target = values;
    let size = count;
    let next = 0;
    let rows = false;
    let depth = 0;
    let valuesLeft = limits.maxValues - count;
    /** Is a row of several open? There the kernel must not look behind the values at hand. */
    let inRows = false;
    let at = BYTES + from;
    /** Up to here the strings have been taken. */
    let taken = at;
    let end = source.end;
    const fail = (code: DsReadErrorCode, message: string, place: number) => failure(code, message, source.offsetOf(place) * 2);
    const truncated = (place: number) => fail("truncated", "the text ends inside a value", place);
    for (;;) {
      if (next === size) {
        const frame = open.pop();
        if (!frame) break;
        ({ target, size, next, rows, depth, inRows } = frame);
        continue;
      }
      if (end - at < HEAD && source.hasMore) {
        source.take(at);
        at = taken = BYTES;
        end = source.end;
      }
      const start = at;
      let type = TYPE_ARRAY;
      if (!rows) {
        if (end - at < least) throw truncated(at);
        type = view.getUint32(at, true);
        at += 4;
      }
      let value: DsValue;
      let inner: DsValue[] | undefined;
      let byRows = false;
      let length = 0;
      if (type === TYPE_REAL) {
        if (end - at < 8) throw truncated(at);
        const real = view.getFloat64(at, true);
        at += 8;
        if (legacy) {
          length = view.getUint32(at, true);
          if (length > 0) throw fail("count", `a legacy real has a string length of ${length}, expected 0`, at);
          at += 4;
        }
        // Numbers have a way of their own, on which the engine need not box them.
        // biome-ignore lint/suspicious/noSelfCompare: the cheapest test for NaN
        if (real === real) {
          if (!paired || depth > 0) target[next] = real;
          else if (next % 2) pairs[next >> 1] = [key, real];
          else key = real;
          next++;
          continue;
        }
        const bits = view.getBigUint64(start + 4, true);
        value = bits === PLAIN_NAN ? Number.NaN : { type: "nan", bits };
      } else if (type === TYPE_STRING) {
        if (legacy) at += 8;
        if (end - at < 4) throw truncated(at);
        length = view.getUint32(at, true);
        at += 4;
        if (length > source.unread(at)) throw truncated(at - 4);
        if (length > LONG_STRING) {
          const { bytes, next } = source.bytesAt(at, length);
          value = decodeString(bytes, plainText);
          at = taken = next;
          end = source.end;
        } else if (length > end - at) {
          source.take(start);
          at = taken = BYTES;
          end = source.end;
          continue;
        } else {
          if (start >= taken) taken = this.strings.take(start, inRows ? size - next : 0xffffffff, layout);
          value = this.strings.next(at, length, plainText);
          at += length;
        }
      } else if (layout <= LAYOUT_COMPACT) {
        throw fail("unknown-type", `type code ${type} has no known layout here`, at - 4);
      } else if (type === TYPE_ARRAY) {
        if (!rows && depth + 1 > limits.maxDepth) throw fail("depth", `arrays are nested deeper than ${limits.maxDepth} levels`, at - 4);
        if (end - at < 4) throw truncated(at);
        length = view.getUint32(at, true);
        if (layout === LAYOUT_ROWS && !rows) {
          byRows = length !== 1;
          if (!byRows && end - at >= 8) {
            at += 4;
            length = view.getUint32(at, true);
          }
        }
        if (length > source.unread(at + 4) / 4) throw fail("count", `${length} values cannot fit in the bytes that are left`, at);
        if (length > valuesLeft) throw fail("count", `there are more values than the limit of ${limits.maxValues}`, at);
        valuesLeft -= length;
        at += 4;
        inner = prepared(length, depth > USUAL_DEPTH ? DEEP_BITS : INNER_BITS);
        value = byRows ? { type: "rows", rows: inner as DsValue[][] } : inner;
      } else if (BARE_VALUES.has(type)) {
        value = BARE_VALUES.get(type);
      } else if (type === TYPE_INT32) {
        if (end - at < 4) throw truncated(at);
        value = { type: "int32", value: view.getInt32(at, true) };
        at += 4;
      } else if (type === TYPE_BOOL || type === TYPE_INT64 || type === TYPE_POINTER) {
        if (end - at < 8) throw truncated(at);
        if (type === TYPE_BOOL && !exactBools) {
          value = view.getFloat64(at, true) !== 0;
        } else {
          const bits = view.getBigUint64(at, true);
          if (type === TYPE_INT64) value = BigInt.asIntN(64, bits);
          else if (type === TYPE_POINTER) value = { type: "pointer", address: bits };
          else value = bits === ONE || (bits === 0n ? false : { type: "bool", bits });
        }
        at += 8;
      } else {
        throw fail("unknown-type", `type code ${type} has no known layout here`, at - 4);
      }
      if (!paired || depth > 0) target[next] = value;
      else if (next % 2) pairs[next >> 1] = [key, value];
      else key = value;
      next++;
      if (inner) {
        open.push({ target, size, next, rows, depth, inRows });
        target = inner;
        size = length;
        next = 0;
        if (!rows) depth++;
        rows = byRows;
        inRows ||= byRows;
      }
    }
    const unread = source.unread(at);
    if (unread > 0) throw fail("trailing", `${unread} bytes follow the last value`, at);
    return { values, pairs };
  }
}
