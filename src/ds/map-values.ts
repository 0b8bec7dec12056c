// A structure with some of its values replaced.
import { TuskError } from "../errors.ts";
import type { DsRows, DsStructure, DsValue } from "./types.ts";

type Change = (value: DsValue) => DsValue;

/** Replaces every value, also inside arrays, by what `change` gives; arrays are asked before their elements. With `names` keys and priorities, too. */
export function mapValues(structure: DsStructure, names: boolean, change: Change): DsStructure {
  const one = (value: DsValue) => changeDeep(value, change);
  const name = names ? one : (value: DsValue) => value;
  const all = (values: DsValue[]) => values.map(one);
  switch (structure.kind) {
    case "map":
      // What is no pair stays none, for the writer to refuse.
      return { ...structure, entries: structure.entries.map((entry) => entry.map((value, i) => (i ? one : name)(value)) as typeof entry) };
    case "priority":
      return { ...structure, items: structure.items.map(({ priority, value }) => ({ priority: name(priority), value: one(value) })) };
    case "grid":
      return { ...structure, columns: structure.columns.map(all) };
    case "queue": {
      const { slots, head = 0 } = structure;
      const store = slots && all(slots);
      // The writer refuses anything else.
      const first = typeof head === "number" ? head : 0;
      // A value that stands at both places is asked for once, and stays one.
      const items = structure.items.map((value, i) => (store && value === slots[first + i] ? store[first + i] : one(value)));
      return { ...structure, items, ...(store && { slots: store }) };
    }
    default:
      return { ...structure, items: all(structure.items) };
  }
}

/** The rows of an array of rows, or undefined for everything else. */
export function rowsOf(value: DsValue): DsValue[][] | undefined {
  const array = value as DsRows | null | undefined;
  return array?.type === "rows" && Array.isArray(array.rows) ? array.rows : undefined;
}

/** Arrays may be as deep as the caller's limit allows, so there is a stack instead of recursion. Error `depth` for one that holds itself. */
function changeDeep(root: DsValue, change: Change): DsValue {
  /** What is still to be done, the next last. */
  const open: (() => void)[] = [];
  /** The array that is being changed, and those around it. */
  const around = new Set<unknown>();
  const one = (before: DsValue): DsValue => {
    const value = change(before);
    const elements = Array.isArray(value) ? value : rowsOf(value);
    if (!elements) return value;
    if (around.has(elements)) throw new TuskError("ds", "depth", "arrays hold themselves");
    const copy = elements.slice();
    open.push(() => {
      around.add(elements);
      open.push(() => around.delete(elements));
      for (let i = 0; i < copy.length; i++) copy[i] = one(copy[i]);
    });
    return elements === value ? copy : { type: "rows", rows: copy as DsValue[][] };
  };
  const result = one(root);
  while (open.length > 0) open.pop()!();
  return result;
}
