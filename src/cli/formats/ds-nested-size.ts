// How long the texts of structures inside of structures become: each level doubles them, so that a short JSON could ask for gigabytes.
import { constants } from "node:buffer";
import type { DsKind } from "../../ds/types.ts";
import { TuskError } from "../../errors.ts";
import { isContainer, type Vocabulary } from "../notation/vocabulary.ts";

/** Characters of all such texts. Of one alone a string can hold no more. */
const MOST_NESTED = constants.MAX_STRING_LENGTH;

/** Bytes of a type code, of that with a length, and with a number; of a row's length (formats/ds.md §3, §4). */
const TYPE = 4;
const BEGINNING = 8;
const NUMBER = 12;
const ROW = 4;

/** Bytes in front of the values, by kind (formats/ds.md §2). */
const HEADERS: Readonly<Record<DsKind, number>> = { stack: 8, list: 8, map: 8, priority: 8, grid: 12, queue: 16 };

/** What a value takes where it is written, or the values of an array. */
interface Size {
  /** In generation 3. */
  bytes: number;
  /** What legacy values have more. */
  legacy: number;
  /** Arrays, which have a number of rows in generation 2. */
  arrays: number;
  /** Of an array: its items that are arrays, whose own beginnings are not counted yet. Entries, columns and rows have none. */
  heads: number;
  /** Characters of texts of structures. */
  nested: number;
}

const emptySize = (bytes = 0, legacy = 0): Size => ({ bytes, legacy, arrays: 0, heads: 0, nested: 0 });

function add(sum: Size, { bytes, legacy, arrays, nested }: Size): void {
  sum.bytes += bytes;
  sum.legacy += legacy;
  sum.arrays += arrays;
  sum.nested += nested;
}

/** Adds an array's values with the beginnings of those that are arrays themselves. */
function addValues(sum: Size, values: Size): void {
  add(sum, values);
  sum.bytes += BEGINNING * values.heads;
  sum.arrays += values.heads;
}

/** As many bytes as there are in UTF-8, or in CESU-8 at the most, which stores four bytes as six. */
function textSize(text: unknown, most = 1): Size {
  return emptySize(BEGINNING + (typeof text === "string" ? Math.ceil(Buffer.byteLength(text) * most) : 0), BEGINNING);
}

/** A value that is no container. What is none of a ds string the writer refuses. */
function leafSize(value: unknown): Size {
  if (typeof value === "string") return textSize(value);
  if (typeof value === "number") return emptySize(NUMBER, 4);
  return emptySize(value === undefined || typeof value === "object" ? TYPE : NUMBER);
}

type Sizes = ReadonlyMap<unknown, Size>;

/** Values that stand one after the other. Of a container that holds itself, which the writer refuses, there is no size yet when it is asked for. */
function valuesSize(values: readonly unknown[], sizes: Sizes): Size {
  const sum = emptySize();
  for (const value of values) {
    const size = (typeof value === "object" && sizes.get(value)) || leafSize(value);
    if (Array.isArray(value)) {
      addValues(sum, size);
      sum.heads++;
    } else add(sum, size);
  }
  return sum;
}

function isStructure(container: object): boolean {
  return Object.hasOwn(HEADERS, String((container as { kind?: unknown }).kind));
}

/** The slots of a queue beside its contents, which are stored once. */
function outerSlots(slots: readonly unknown[], head: unknown, { length }: readonly unknown[]): readonly unknown[] {
  const first = Number(head ?? 0);
  return slots.filter((_, i) => i < first || i >= first + length);
}

function structureSize(structure: Readonly<Record<string, unknown>>, isRoot: boolean, sizes: Sizes): Size {
  const { kind, generation, legacy, head, items } = structure;
  const values = emptySize();
  for (const [name, value] of Object.entries(structure)) {
    if (name === "slots" && Array.isArray(value) && Array.isArray(items))
      addValues(values, valuesSize(outerSlots(value, head, items), sizes));
    else if (Array.isArray(value)) (name === "entries" || name === "columns" ? add : addValues)(values, sizes.get(value) ?? emptySize());
    else if (sizes.has(value)) add(values, sizes.get(value)!);
  }
  if (isRoot) return values;
  const older = generation === 2 ? TYPE * values.arrays : generation === 1 && legacy === true ? values.legacy : 0;
  const characters = 2 * (HEADERS[kind as DsKind] + values.bytes + older);
  return { ...emptySize(BEGINNING + characters, BEGINNING), nested: characters };
}

/** A value that is an object, or an item of a priority queue, whose members are values. */
function objectSize(object: Readonly<Record<string, unknown>>, sizes: Sizes): Size {
  const { type, text, bytes, rows } = object;
  if (type === undefined || "priority" in object) {
    const values = emptySize();
    addValues(values, valuesSize(Object.values(object), sizes));
    return values;
  }
  if (type === "string") return textSize(text, 1.5);
  if (type === "bytes") return emptySize(BEGINNING + (bytes instanceof Uint8Array ? bytes.length : 0), BEGINNING);
  if (type === "int32") return emptySize(BEGINNING);
  const size = emptySize(type === "rows" ? BEGINNING : NUMBER, 4);
  const inRows = sizes.get(rows);
  if (inRows) {
    add(size, inRows);
    size.bytes += ROW * inRows.heads;
  }
  return size;
}

function childrenOf(container: object): readonly unknown[] {
  return Array.isArray(container) ? container : Object.values(container);
}

/** So many containers are looked at without keeping which: those of a file, mostly, which has no structures inside. */
const MOST_LOOKED_AT = 1 << 24;

/** May there be structures inside? What holds itself has any number of containers. */
function mayHaveNested(root: object, vocabulary: Vocabulary): boolean {
  const open = [root];
  for (let seen = 1; open.length > 0; ) {
    for (const child of childrenOf(open.pop()!)) {
      if (!isContainer(child, vocabulary)) continue;
      if (++seen > MOST_LOOKED_AT || isStructure(child)) return true;
      open.push(child);
    }
  }
  return false;
}

/** Characters of the texts of structures inside of this one, as the writer stores them. It may be anything, as JSON may; the writer tells. */
export function nestedSize(root: unknown, vocabulary: Vocabulary): number {
  if (!isContainer(root, vocabulary) || !mayHaveNested(root, vocabulary)) return 0;
  const begun = new Set<object>();
  const sizes = new Map<unknown, Size>();
  const open: object[] = [root];
  while (open.length > 0) {
    const container = open[open.length - 1];
    if (sizes.has(container)) {
      open.pop();
      continue;
    }
    if (!begun.has(container)) {
      begun.add(container);
      for (const child of childrenOf(container)) if (isContainer(child, vocabulary) && !begun.has(child)) open.push(child);
      continue;
    }
    const object = container as Readonly<Record<string, unknown>>;
    if (Array.isArray(container)) sizes.set(container, valuesSize(container, sizes));
    else sizes.set(container, isStructure(container) ? structureSize(object, container === root, sizes) : objectSize(object, sizes));
  }
  return sizes.get(root)!.nested;
}

/** Refuses a structure with structures inside whose texts would be too long: error `too-long`. */
export function refuseLongNested(root: unknown, vocabulary: Vocabulary): void {
  if (nestedSize(root, vocabulary) > MOST_NESTED)
    throw new TuskError("tusk", "too-long", "the texts of structures inside of structures would have more than 512 million characters");
}
