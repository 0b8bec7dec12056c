// Writing arrays (formats/elephant.md §5): plain ones in the layout of the datatype that their elements have in common, typed ones as their bytes are.
import { bytesOf } from "../../engine/given-bytes.ts";
import { MIXED, SHORT_ARRAY, seems } from "../../graph/array-kinds.ts";
import * as CODE from "../codes.ts";
import { codeNamed, isScalar } from "../datatypes.ts";
import { ARRAY_LIMIT, wireCode } from "../tags.ts";
import { datatypeOf, elementSize, GONE } from "../typed-arrays.ts";
import { ALIKE, keyOfArray, keyOfBytes } from "./container-keys.ts";
import { storeDouble, storeNumbers } from "./output.ts";
import { Problem } from "./problem.ts";
import { MISS, type Resumable, Site, SUSPENDED } from "./sites.ts";
import { GraphWalk } from "./walk.ts";

/** In slices: elements of arrays after which the clock is looked at; they may take no bytes. */
const ELEMENTS_BETWEEN_LOOKS = 1 << 16;
/** ... and while one finds out whether they have all one datatype, which takes its time as long as the code for it is not compiled. */
const ELEMENTS_BETWEEN_DATATYPES = 1 << 13;

const { isArray } = Array;

/** A proxy may say that it has -1 elements, a typed array that it has half of its last one. */
const isNoLength = (length: number): boolean => length >= ARRAY_LIMIT || length >>> 0 !== length;

function tooLong(array: object, length: number): never {
  throw new Problem("array-too-long", `an array of ${length} elements; at most 65,534 can be stored`, array);
}

export abstract class ArrayWriter extends GraphWalk {
  protected rootSite = new Site();
  private unseen = 0;

  /** A value with its tag; the position behind it, or SUSPENDED. */
  abstract any(value: unknown, start: number, site: Site): number;
  /** A value where datatype `code` is to stand. */
  abstract field(value: unknown, code: number, p: number, site: Site): number;

  protected codeOfObject(value: object): number {
    if (isArray(value)) return CODE.array;
    if (isScalar(value)) return value.datatype === "text" ? CODE.string : codeNamed(value.datatype);
    return datatypeOf(value) !== 0 ? CODE.array : CODE.struct;
  }

  /** The code that a value would be stored in. */
  private codeOf(value: unknown, holder: readonly unknown[], index: number): number {
    // A comparison for itself is cheaper than the first of many.
    if (typeof value === "object" && value !== null) return this.codeOfObject(value);
    switch (typeof value) {
      case "number":
        return CODE.f64;
      case "string":
        return CODE.string;
      case "boolean":
        return CODE.bool;
      case "undefined":
      case "function":
      case "object":
        return CODE.undefined;
      case "bigint":
        return CODE.u64;
      default:
        throw new Problem("datatype-not-recognised", `a ${typeof value} cannot be stored`, holder as object, index);
    }
  }

  array(array: readonly unknown[], start: number, site: Site): number {
    if (this.depth >= this.bound) return this.tooDeep(array, start, site);
    const { containers } = this;
    const { length } = array;
    const first = length > 0 ? array[0] : undefined;
    /** Are its elements containers? That the first is there each time is seen by asking again. */
    const holds = typeof first === "object" && first !== null && !containers.early && !isScalar(first);
    if (holds) containers.count++;
    else {
      const known = containers.find(array, containers.few ? ALIKE : keyOfArray(array));
      if (known >= 0) return this.reference(known, start, array);
    }
    if (isNoLength(length)) tooLong(array, length);
    let p = start > this.limit ? this.flush(start) : start;
    this.dv.setUint16(p, length, true);
    p += 2;
    if (length === 0) return p;
    const kind = length > SHORT_ARRAY ? seems(array) : MIXED;
    if (length > SHORT_ARRAY ? kind !== MIXED : typeof first === "number") {
      p = this.fit(length * 8, p);
      const end = this.doubles(array, length, p, kind);
      if (end >= 0) return end > this.limit ? this.room(end) : end;
    }
    const outer = this.current;
    this.current = array;
    this.depth++;
    const end = this.untyped(array, 1, length, this.codeOf(first, array, 0), p, site.elements);
    this.depth--;
    this.current = outer;
    if (holds && array[0] !== first) containers.enlist(array, ALIKE);
    return end > this.limit ? this.room(end) : end;
  }

  private countElements(length: number): void {
    this.unseen += length;
    if (this.unseen < ELEMENTS_BETWEEN_LOOKS || this.pausing) return;
    this.unseen = 0;
    if (this.due!()) this.pause();
  }

  /** An array of numbers alone, from its datatype on; MISS when it is not one. */
  private doubles(array: readonly unknown[], length: number, start: number, kind: number): number {
    // A getter may have changed it since its length was stored.
    if (array.length !== length) return MISS;
    if (start + length * 8 >= this.stop) return this.output.appendDoubles(CODE.f64, array, length, kind) ? start : MISS;
    const { dv } = this;
    if (kind !== MIXED) return storeNumbers(dv, start, CODE.f64, array, length, kind) ? start + 1 + length * 8 : MISS;
    let p = start;
    this.u8[p++] = CODE.f64;
    for (let i = 0; i < length; i++) {
      const value = array[i];
      if (typeof value !== "number") return MISS;
      storeDouble(dv, p, value);
      p += 8;
    }
    return p;
  }

  /**
   * An array from its datatype on: that is `code`, which all elements in front of `at` have, or any (formats/elephant.md §3.1). Strings and bools are passed
   * without a look at the clock.
   */
  private untyped(array: readonly unknown[], at: number, length: number, code: number, start: number, site: Site): number {
    let i = at;
    if (code === CODE.string) while (i < length && typeof array[i] === "string") i++;
    else if (code === CODE.bool) while (i < length && typeof array[i] === "boolean") i++;
    while (i < length) {
      if (this.codeOf(array[i], array, i) !== code) {
        code = CODE.any;
        break;
      }
      if (++i % ELEMENTS_BETWEEN_DATATYPES === 0 && this.due?.()) {
        this.pause();
        this.position = start;
        return this.suspend(array, new Elements(length, -code, site), i);
      }
    }
    this.u8[start] = wireCode(code);
    if (this.due !== undefined) this.countElements(length);
    if (code !== CODE.undefined) return this.elements(array, 0, length, code, start + 1, site);
    // No element takes bytes.
    for (let k = 0; k < length; k++) if (typeof array[k] === "function") this.noteFunction(array[k]);
    return start + 1;
  }

  /** Elements from `at` up to `length`, which may not be the array's any more, in the layout of their common datatype; below 0: that is still to be found, and what those in front of `at` have is -`code`. */
  elements(array: readonly unknown[], at: number, length: number, code: number, start: number, site: Site): number {
    if (code < 0) return this.untyped(array, at, length, -code, start, site);
    if (code === CODE.any) return this.anyElements(array, at, length, start, site);
    if (code === CODE.bool) return this.bools(array, at, length, start, site);
    if (code === CODE.string && !this.containers.exact) return this.strings(array, at, length, start, site);
    return this.others(array, at, length, code, start, site);
  }

  /** Strings, from a longer one on as many by one call as go there. */
  private strings(array: readonly unknown[], at: number, length: number, start: number, site: Site): number {
    let p = start;
    for (let i = at; i < length; ) {
      const first = i;
      let units = 0;
      let value = array[i];
      while (typeof value === "string") {
        const more = this.gather(value, units);
        if (more === 0) break;
        units = more;
        value = ++i < length ? array[i] : undefined;
      }
      if (i > first) {
        const end = this.gathered(units - 1, i - first, p);
        // One of them cannot be stored; which one is found out one by one.
        if (end === 0) return this.others(array, first, length, CODE.string, p, site);
        p = end;
      } else {
        if (typeof value !== "string") return this.others(array, i, length, CODE.string, p, site);
        p = this.string(value, p);
        i++;
      }
      // Not in slices, where all are exact: there is no pause.
      if (p > this.limit) p = this.flush(p);
    }
    return p;
  }

  private others(array: readonly unknown[], at: number, length: number, code: number, start: number, site: Site): number {
    const { exact } = this.containers;
    let p = start;
    for (let i = at; i < length; i++) {
      const value = array[i];
      // User code may have changed it since the array began; the file would not match its tags (formats/elephant.md §5).
      if (exact && code < CODE.array && this.codeOf(value, array, i) !== code)
        throw new Problem("datatype-not-recognised", "an element changed its datatype meanwhile", array as object, i);
      if (code === CODE.string && typeof value === "string") p = this.string(value, p);
      else p = code === CODE.array && isArray(value) ? this.array(value, p, site) : this.field(value, code, p, site);
      if (p > this.limit) p = this.room(p);
      if (p === SUSPENDED) return this.suspend(array, new Elements(length, code, site), i + 1);
    }
    return p;
  }

  private bools(array: readonly unknown[], at: number, length: number, start: number, site: Site): number {
    let p = start;
    for (let i = at; i < length; i++) {
      const value = array[i];
      if (value === true) this.u8[p++] = 1;
      else if (value === false) this.u8[p++] = 0;
      else return this.others(array, i, length, CODE.bool, p, site);
      if (p > this.limit) p = this.room(p);
      if (p === SUSPENDED) return this.suspend(array, new Elements(length, CODE.bool, site), i + 1);
    }
    return p;
  }

  private anyElements(array: readonly unknown[], at: number, length: number, start: number, site: Site): number {
    const { dv, u8 } = this;
    let p = start;
    for (let i = at; i < length; i++) {
      const value = array[i];
      if (typeof value === "number") {
        u8[p] = CODE.f64;
        storeDouble(dv, p + 1, value);
        p += 9;
      } else if (typeof value === "string") {
        u8[p] = CODE.string;
        p = this.string(value, p + 1);
      } else if (typeof value === "boolean") {
        u8[p] = CODE.bool;
        u8[p + 1] = value ? 1 : 0;
        p += 2;
      } else p = this.any(value, p, site);
      if (p > this.limit) p = this.room(p);
      if (p === SUSPENDED) return this.suspend(array, new Elements(length, CODE.any, site), i + 1);
    }
    return p;
  }

  protected typedArray(array: object, start: number): number {
    if (this.depth >= this.bound) return this.tooDeep(array, start, this.rootSite);
    const bytes = this.bytesOf(array);
    const known = this.containers.find(array, keyOfBytes(bytes));
    if (known >= 0) return this.reference(known, start, array);
    const datatype = datatypeOf(array);
    const length = bytes.length / elementSize(datatype);
    if (isNoLength(length)) tooLong(array, length);
    const p = start > this.limit ? this.flush(start) : start;
    this.dv.setUint16(p, length, true);
    if (length === 0) return p + 2;
    this.u8[p + 2] = datatype;
    const end = this.raw(bytes, p + 3);
    return end > this.limit ? this.room(end) : end;
  }

  private bytesOf(array: object): Uint8Array {
    try {
      return bytesOf(array);
    } catch {
      throw new Problem("datatype-not-recognised", GONE, array);
    }
  }

  protected override end(): void {
    super.end();
    this.unseen = 0;
  }
}

/** The rest of an array. */
class Elements implements Resumable {
  private readonly length: number;
  /** As {@link ArrayWriter.elements} takes it. */
  private readonly code: number;
  private readonly site: Site;

  constructor(length: number, code: number, site: Site) {
    this.length = length;
    this.code = code;
    this.site = site;
  }

  resume(array: readonly unknown[], at: number, p: number, writer: ArrayWriter): number {
    return writer.elements(array, at, this.length, this.code, p, this.site);
  }
}
