// Public data sets as values that Elephant holds: null becomes undefined, every key is kept, nothing else changes.

/** Limits of the format (formats/elephant.md §5, §6). A set that exceeds them would have to be split; none of these does. */
const MAX_ELEMENTS = 65534;
const MAX_MEMBERS = 65533;

export function toElephant(value, path) {
  if (value === null) return undefined;
  if (typeof value !== "object") return value;
  if (Array.isArray(value)) {
    if (value.length > MAX_ELEMENTS) throw new Error(`${path}: ${value.length} elements, the format holds ${MAX_ELEMENTS}`);
    return value.map((v, i) => toElephant(v, `${path}[${i}]`));
  }
  const result = {};
  const keys = Object.keys(value);
  if (keys.length > MAX_MEMBERS) throw new Error(`${path}: ${keys.length} members, the format holds ${MAX_MEMBERS}`);
  for (const key of keys) result[key] = toElephant(value[key], `${path}.${key}`);
  return result;
}
