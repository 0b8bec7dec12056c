// A structure with some of its values replaced. Keys and priorities name things and stay.
import type { DsStructure, DsValue } from "./types.ts";

/** Replaces every value, also inside arrays, by what `change` gives; arrays are asked before their elements. */
export function mapValues<S extends DsStructure>(structure: S, change: (value: DsValue) => DsValue): S;
export function mapValues(structure: DsStructure, change: (value: DsValue) => DsValue): DsStructure {
  const all = (values: DsValue[]) => values.map((value) => changeDeep(value, change));
  switch (structure.kind) {
    case "map":
      return { ...structure, entries: structure.entries.map(([key, value]) => [key, changeDeep(value, change)]) };
    case "priority":
      return { ...structure, items: structure.items.map(({ priority, value }) => ({ priority, value: changeDeep(value, change) })) };
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
  return typeof value === "object" && value !== null && "type" in value && value.type === "rows" ? value.rows : undefined;
}

/** Arrays may be as deep as the caller's limit allows, so there is a stack instead of recursion. */
function changeDeep(root: DsValue, change: (value: DsValue) => DsValue): DsValue {
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
