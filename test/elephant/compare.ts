// Equality of two value graphs as the vectors' README defines it: same kinds, same values, same sharing; member order is free.

import { StructInstance, scalarParts, VERSION_VERBOSE } from "./codec.ts";

export interface CompareOptions {
  /**
   * "kinds" (default): a number stands for a number or a numeric `Scalar`; a bigint may come back as the number it equals, because the notation
   * gives u32 as int64. "values": any numeric kind will do (`same-numeric`).
   */
  numbers?: "kinds" | "values" | undefined;
  /** JSON text has no undefined: null stands for it. */
  nullIsUndefined?: boolean;
  /** A member that is undefined may be missing on the other side. */
  missingIsUndefined?: boolean;
  /** An expected array of numbers may come back as a typed array and the other way round. */
  typedArrays?: boolean;
}

/** Where a value stands: the way to what holds it, and its place there. Text is made of it only for what is told. */
type Step = readonly [outer: Step | undefined, key: string | number];

function pathText(step: Step | undefined): string {
  const parts: string[] = [];
  for (let at = step; at; at = at[0]) parts.push(typeof at[1] === "number" ? `[${at[1]}]` : `.${at[1]}`);
  return parts.reverse().join("");
}

/** The differences, each with its path (`.entities[3].name: ...`), at most ten; empty when the graphs are equal. */
export function differences(expected: unknown, actual: unknown, options: CompareOptions = {}): string[] {
  if (isContainer(expected) && isContainer(actual) && isSameGraph(expected, actual, options)) return [];
  const found: string[] = [];
  const partner = new Map<object, object>();
  const taken = new Set<object>();
  const open: [path: Step | undefined, expected: unknown, actual: unknown][] = [[undefined, expected, actual]];
  let path: Step | undefined;
  const report = (text: string) => found.push(`${pathText(path) || "(root)"}: ${text}`);
  while (open.length > 0 && found.length < 10) {
    const [at, e, a] = open.pop()!;
    path = at;
    if (isContainer(e) && isContainer(a)) {
      const before = partner.get(e);
      // Partners of different values are different values, so whoever has this one is told by it.
      if (before === undefined ? taken.has(a) : before !== a) report("shared with something else");
      if (before !== undefined || taken.has(a)) continue;
      partner.set(e, a);
      taken.add(a);
      const alike = Object.getPrototypeOf(e) === Object.getPrototypeOf(a);
      const isArray = Array.isArray(e);
      if (!alike || isArray !== Array.isArray(a)) {
        const kind = kindOf(e, options);
        const actualKind = kindOf(a, options);
        if (kind !== actualKind) {
          report(`expected ${kind}, got ${actualKind}`);
          continue;
        }
        if (kind !== "array" && kind !== "struct") report(`expected another class than ${kind}`);
      }
      if (isArray || ArrayBuffer.isView(e)) {
        const left = e as unknown as ArrayLike<unknown>;
        const right = a as unknown as ArrayLike<unknown>;
        if (left.length !== right.length) report(`expected ${left.length} elements, got ${right.length}`);
        else
          for (let i = left.length - 1; i >= 0; i--) {
            if (!isSamePlain(left[i], right[i])) open.push([[path, i], left[i], right[i]]);
          }
      } else compareMembers(e as Record<string, unknown>, a as Record<string, unknown>);
    } else if (!sameScalar(e, a, options)) {
      report(`expected ${show(e)}, got ${show(a)}`);
    }
  }
  return found;

  function compareMembers(left: Record<string, unknown>, right: Record<string, unknown>): void {
    let common = 0;
    for (const name of Object.keys(left)) {
      if (Object.hasOwn(right, name)) {
        common++;
        if (!isSamePlain(left[name], right[name])) open.push([[path, name], left[name], right[name]]);
      } else if (!mayBeMissing(name, left[name], options)) report(`member ${JSON.stringify(name)} is missing`);
    }
    const names = Object.keys(right);
    if (names.length === common) return;
    for (const name of names) {
      if (!Object.hasOwn(left, name) && !mayBeMissing(name, right[name], options)) report(`member ${JSON.stringify(name)} is too many`);
    }
  }
}

/** The containers of a graph by the order in which {@link isSameGraph} first meets them, and which of them each place holds. */
interface Numbering {
  readonly met: object[];
  readonly held: number[];
}
/** Of graphs that have been expected: most are expected several times, and a large Map takes longer to fill than all the rest of a comparison. */
const numberings = new WeakMap<object, Numbering>();

/** Are the graphs the same, without doubt? It does not tell what is not, and takes things for different that may count as equal. */
function isSameGraph(expected: object, actual: object, options: CompareOptions): boolean {
  const known = numberings.get(expected);
  const numbers = known ? undefined : new Map<object, number>();
  const { met, held } = known ?? { met: [], held: [] };
  const left = [expected];
  const right = [actual];
  const partners: object[] = [];
  for (let place = 0; left.length > 0; place++) {
    const e = left.pop()!;
    const a = right.pop()!;
    if (numbers) {
      let number = numbers.get(e);
      if (number === undefined) numbers.set(e, (number = met.push(e) - 1));
      held.push(number);
    }
    const number = held[place];
    // What was expected has been changed since.
    if (met[number] !== e || number > partners.length) return numberings.delete(expected) && isSameGraph(expected, actual, options);
    if (number < partners.length) {
      if (partners[number] !== a) return false;
      continue;
    }
    partners.push(a);
    if (!isSameContainer(e, a, left, right, options)) return false;
  }
  if (new Set(partners).size < partners.length) return false;
  if (numbers) numberings.set(expected, { met, held });
  return true;
}

/** Are two containers the same but for containers in them, which become the last ones of `left` and `right`? */
function isSameContainer(e: object, a: object, left: object[], right: object[], options: CompareOptions): boolean {
  const put = (expected: unknown, actual: unknown): boolean => {
    if (!isContainer(expected) || !isContainer(actual)) return sameScalar(expected, actual, options);
    left.push(expected);
    right.push(actual);
    return true;
  };
  const list = isList(e);
  if (list !== isList(a)) return false;
  if (Object.getPrototypeOf(e) !== Object.getPrototypeOf(a) && !(list && options.typedArrays)) return false;
  if (list) {
    const expected = e as ArrayLike<unknown>;
    const actual = a as ArrayLike<unknown>;
    if (expected.length !== actual.length) return false;
    for (let i = 0; i < expected.length; i++) if (!isSamePlain(expected[i], actual[i]) && !put(expected[i], actual[i])) return false;
    return true;
  }
  const names = Object.keys(e);
  if (Object.keys(a).length !== names.length) return false;
  for (const name of names) {
    if (!Object.hasOwn(a, name)) return false;
    const expected = (e as Record<string, unknown>)[name];
    const actual = (a as Record<string, unknown>)[name];
    if (!isSamePlain(expected, actual) && !put(expected, actual)) return false;
  }
  return true;
}

function isList(value: object): boolean {
  return Array.isArray(value) || ArrayBuffer.isView(value);
}

/** Elephant gives instances of verbose versions an undefined member with the name of the flag; codecs may drop it (formats/elephant.md §8). */
function mayBeMissing(name: string, value: unknown, options: CompareOptions): boolean {
  return value === undefined && (name === VERSION_VERBOSE || options.missingIsUndefined === true);
}

/** Most values of a large save: the same number or string on both sides needs no path and no further look (0 may be -0). */
function isSamePlain(expected: unknown, actual: unknown): boolean {
  return expected === actual && expected !== 0 && typeof expected !== "object";
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null && scalarParts(value) === undefined;
}

function kindOf(value: object, options: CompareOptions): string {
  if (Array.isArray(value)) return "array";
  if (ArrayBuffer.isView(value)) return options.typedArrays ? "array" : value.constructor.name;
  const prototype = Object.getPrototypeOf(value) as object | null;
  if (prototype === null || prototype === Object.prototype) return "struct";
  if (value instanceof StructInstance) return "StructInstance";
  return `instance of ${(prototype.constructor as Function).name}`;
}

function sameScalar(expected: unknown, actual: unknown, options: CompareOptions): boolean {
  if (expected === undefined) return actual === undefined || (options.nullIsUndefined === true && actual === null);
  const e = scalarParts(expected);
  const a = scalarParts(actual);
  const left = e ? e.value : expected;
  const right = a ? a.value : actual;
  if (typeof left === "number" && typeof right === "number") {
    return options.numbers === "values" ? left === right || (Number.isNaN(left) && Number.isNaN(right)) : Object.is(left, right);
  }
  if (typeof left === "bigint" && typeof right === "number") return Number.isInteger(right) && BigInt(right) === left;
  if (typeof left === "number" && typeof right === "bigint") return options.numbers === "values" && BigInt(Math.trunc(left)) === right;
  return typeof left === typeof right && left === right;
}

function show(value: unknown): string {
  const scalar = scalarParts(value);
  if (scalar) return `Scalar(${scalar.datatype}, ${show(scalar.value)})`;
  if (typeof value === "string") return JSON.stringify(value.length > 60 ? value.slice(0, 60) + "…" : value);
  if (typeof value === "bigint") return `${value}n`;
  if (Object.is(value, -0)) return "-0";
  if (isContainer(value)) return Array.isArray(value) ? `array of ${value.length}` : "a struct";
  return String(value);
}
