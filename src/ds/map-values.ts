// A structure with some of its values replaced.
import type { DsRows, DsStructure, DsValue } from "./types.ts";

type Change = (value: DsValue) => DsValue;

/** Replaces every value, also inside arrays, by what `change` gives; arrays are asked before their elements. With `names` keys and priorities, too. */
export function mapValues<S extends DsStructure>(structure: S, names: boolean, change: Change): S;
export function mapValues(structure: DsStructure, names: boolean, change: Change): DsStructure {
  const one = (value: DsValue) => changeDeep(value, change);
  const name = names ? one : (value: DsValue) => value;
  const all = (values: DsValue[]) => values.map(one);
  switch (structure.kind) {
    case "map":
      return { ...structure, entries: structure.entries.map(([key, value]) => [name(key), one(value)]) };
    case "priority":
      return { ...structure, items: structure.items.map(({ priority, value }) => ({ priority: name(priority), value: one(value) })) };
    case "grid":
      return { ...structure, columns: structure.columns.map(all) };
    case "queue":
      return { ...structure, items: all(structure.items), ...(structure.slots && { slots: all(structure.slots) }) };
    default:
      return { ...structure, items: all(structure.items) };
  }
}

/** The rows of an array of rows, or undefined for everything else. */
export function rowsOf(value: DsValue): DsValue[][] | undefined {
  const array = value as DsRows | null | undefined;
  return array?.type === "rows" ? array.rows : undefined;
}

/** Arrays may be as deep as the caller's limit allows, so there is a stack instead of recursion. */
function changeDeep(root: DsValue, change: Change): DsValue {
  const open: DsValue[][] = [];
  const one = (before: DsValue): DsValue => {
    const value = change(before);
    const elements = Array.isArray(value) ? value : rowsOf(value);
    if (!elements) return value;
    const copy = elements.slice();
    open.push(copy);
    return Array.isArray(value) ? copy : { type: "rows", rows: copy as DsValue[][] };
  };
  const result = one(root);
  for (let list = open.pop(); list; list = open.pop()) for (let i = 0; i < list.length; i++) list[i] = one(list[i]);
  return result;
}
