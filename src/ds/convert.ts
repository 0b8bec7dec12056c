// Between structures and what JavaScript programs work with: Map, arrays, rows. Arguments that are no structure of the right kind are `bad-option`.
import { TuskError } from "../errors.ts";
import { accept, checkIterable, checkSizes, checkStructure, isList } from "./arguments.ts";
import { DEFAULTS } from "./limits.ts";
import { mapValues, rowsOf } from "./map-values.ts";
import type { DsOfKind } from "./read.ts";
import { located } from "./refusal.ts";
import type { DsGrid, DsKind, DsList, DsMap, DsQueue, DsStructure, DsValue } from "./types.ts";

const LISTS: readonly DsKind[] = ["list", "stack", "queue"];

/**
 * The entries of a map as a `Map`, in stored order. A `Map` takes 0 and minus zero as one key, as the browser runtime does. Keys that are numbers may be
 * made to collide by who wrote the string, where V8 takes time by the square of their number.
 *
 * @throws {TuskError} `duplicate-key` when the string holds a key twice: `entries` has both. Keys that are objects (arrays, CESU-8 texts, nested
 * structures and the like) are never equal, so that the `Map` has both, too. `bad-option` for what is no map, and for an entry that is no pair.
 * A `RangeError` of the platform for more entries than its `Map` holds, V8's 16,777,216.
 */
export function dsToMap(structure: DsMap): Map<DsValue, DsValue> {
  checkStructure(structure, ["map"]);
  const map = new Map<DsValue, DsValue>();
  structure.entries.forEach((entry, index) => {
    accept(entry.length === 2, "an entry is a pair of key and value");
    if (map.size === map.set(entry[0], entry[1]).size)
      throw new TuskError("ds", "duplicate-key", "the key occurs twice", { path: `.entries[${index}][0]` });
  });
  return map;
}

/**
 * A map structure from a `Map` or any other source of pairs, e.g. `Object.entries(object)`.
 *
 * @throws {TuskError} `bad-option` for what cannot be gone through, or gives something else than arrays. Whether each has two elements is found out
 * when the structure is written (`unsupported-value`).
 */
export function dsFromMap(entries: Iterable<readonly [DsValue, DsValue]>): DsMap {
  checkIterable(entries, "entries", "Object.entries(object)");
  const structure = { kind: "map", entries: Array.from(entries, (entry) => (isList(entry) ? [...entry] : entry)) } as DsMap;
  checkStructure(structure);
  return structure;
}

/** The contents of a list, stack (bottom first) or queue (first out first) as an array of their own. Error `bad-option` for what is none of them. */
export function dsToArray(structure: DsList | DsQueue): DsValue[] {
  checkStructure(structure, LISTS);
  return Array.from(structure.items);
}

/** A list, stack (bottom first) or queue (first out first). Error `bad-option` for items that cannot be gone through, or a text, and for another kind. */
export function dsFromArray<K extends "list" | "stack" | "queue" = "list">(
  items: Iterable<DsValue> & object,
  kind: K = "list" as K,
): K extends "queue" ? DsQueue : DsList {
  checkIterable(items, "items", "an array");
  const structure = { kind, items: Array.from(items) } as K extends "queue" ? DsQueue : DsList;
  checkStructure(structure, LISTS);
  return structure;
}

/**
 * The cells of a grid row by row: cell (x, y) is `rows[y][x]`. Without rows nothing says how wide it was.
 *
 * @throws {TuskError} `count` where the sizes do not fit together, for more empty rows than a grid may have empty columns (a few bytes can claim
 * four billion), and for more than 112,000,000 rows. `bad-option` for what is no grid.
 */
export function dsToRows(grid: DsGrid): DsValue[][] {
  checkStructure(grid, ["grid"]);
  located(() => checkSizes(grid, grid.width === 0 ? DEFAULTS.maxEmptyColumns : DEFAULTS.maxValues));
  return Array.from({ length: grid.height }, (_, y) => grid.columns.map((column) => column[y]));
}

/**
 * A grid from its rows, all of one length.
 *
 * @throws {TuskError} `count` when the lengths differ; `bad-option` for what are no arrays, and for more than 112,000,000 cells in one.
 */
export function dsFromRows(rows: readonly (readonly DsValue[])[]): DsGrid {
  accept(isList(rows) && rows.findIndex((row) => !isList(row) || row.length > DEFAULTS.maxValues) < 0, "rows are an array of arrays");
  const width = rows[0]?.length ?? 0;
  const odd = rows.findIndex((row) => row.length !== width);
  if (odd >= 0)
    throw new TuskError("ds", "count", `the grid is ${width} wide, this row has ${rows[odd].length} cells`, { path: `[${odd}]` });
  return { kind: "grid", width, height: rows.length, columns: Array.from({ length: width }, (_, x) => rows.map((row) => row[x])) };
}

/**
 * The same contents in generation 3: arrays of rows become arrays of arrays, one of a single row that row (formats/ds.md §4), in keys and
 * priorities, too. Structures inside of it, opened or not, keep their own generation.
 *
 * @throws {TuskError} `bad-option` for what is no structure, `depth` for an array that holds itself.
 */
export function upgradeDs<S extends DsStructure>(structure: S): DsOfKind<S["kind"]>;
export function upgradeDs(structure: DsStructure): DsStructure {
  checkStructure(structure);
  const { legacy: _, ...upgraded } = mapValues(structure, true, (value) => {
    // A single row is a plain array; so is what has none.
    const rows = rowsOf(value) ?? [value];
    return rows.length === 1 ? rows[0] : rows;
  });
  return { ...upgraded, generation: 3 };
}
