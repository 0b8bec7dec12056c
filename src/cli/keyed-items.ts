// Arrays whose order means nothing: which item of one belongs to which of another.
import type { Vocabulary } from "./notation/vocabulary.ts";
import { writeNotation } from "./notation/write.ts";

/** How the items of such an array are told apart. Of JSON they may be anything. */
export interface ItemKeys {
  /** What people call the key. */
  readonly name: string;
  of(item: unknown): unknown;
  /** Index of the value in an item that is `[key, value]`. */
  readonly valueAt?: number;
}

/** Items are `[key, value]`. */
export const ENTRY_KEYS: ItemKeys = { name: "key", of: (item) => (Array.isArray(item) ? item[0] : undefined), valueAt: 1 };

/** The same text for equal keys of the same type alone. JSON may have the members of one in another order. */
function identity(key: unknown, vocabulary: Vocabulary): string {
  if (Object.is(key, -0)) return "number -0";
  if (typeof key !== "object" || key === null) return `${typeof key} ${String(key)}`;
  const isPlain = Object.getPrototypeOf(key) === Object.prototype;
  const ordered = isPlain ? Object.fromEntries(Object.entries(key).sort(([a], [b]) => (a < b ? -1 : 1))) : key;
  return Buffer.concat([...writeNotation({}, ordered, {}, vocabulary, 0)]).toString();
}

/** Indices by identity. Of items with equal keys each has its own: the first is paired with the first, the second with the second. */
function indices(items: readonly unknown[], keys: ItemKeys, vocabulary: Vocabulary): Map<string, number> {
  const counts = new Map<string, number>();
  const found = new Map<string, number>();
  items.forEach((item, index) => {
    const text = identity(keys.of(item), vocabulary);
    const count = counts.get(text) ?? 0;
    counts.set(text, count + 1);
    found.set(`${count} ${text}`, index);
  });
  return found;
}

/** Indices of what belongs together, in the order of `left`, then what only `right` has. A side without the item has undefined. */
export type IndexPair = readonly [left: number | undefined, right: number | undefined];

export function* pairsByPosition(left: readonly unknown[], right: readonly unknown[]): Generator<IndexPair> {
  for (let i = 0; i < Math.max(left.length, right.length); i++) yield [i < left.length ? i : undefined, i < right.length ? i : undefined];
}

export function* pairsByKey(
  left: readonly unknown[],
  right: readonly unknown[],
  keys: ItemKeys,
  vocabulary: Vocabulary,
): Generator<IndexPair> {
  const ofLeft = indices(left, keys, vocabulary);
  const ofRight = indices(right, keys, vocabulary);
  for (const [text, index] of ofLeft) yield [index, ofRight.get(text)];
  for (const [text, index] of ofRight) if (!ofLeft.has(text)) yield [undefined, index];
}
