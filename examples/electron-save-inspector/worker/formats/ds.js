// ds_*_write strings.
import { readDs, writeDs, writeDsBytes } from "tusk-codec";
import { followedBy, splitSpace } from "./behind.js";
import { Items, Listed, pairs } from "./contents.js";
import { bytesText, firstBytesText, numberText, parseScalar, plural, quoted } from "./scalars.js";

export function readDsSave(bytes) {
  const { content, after } = splitSpace(bytes);
  const value = readDs(content, { bools: "exact", nested: true });
  return { value, release: `generation ${value.generation ?? 3}`, form: value.kind, after };
}

export function writeDsSave({ value, after }) {
  return followedBy(writeDsBytes(value), after);
}

const isStructure = (value) => typeof value === "object" && value !== null && "kind" in value;

function typeOf(value) {
  if (Array.isArray(value)) return "array";
  if (isStructure(value)) return value.kind;
  switch (typeof value) {
    case "bigint":
      return "int64";
    case "boolean":
      return "bool";
    case "object":
      return value.type === "int32" ? "s32" : value.type;
    default:
      return typeof value;
  }
}

function scalarText(value) {
  if (typeof value === "number") return numberText(value);
  if (typeof value !== "object") return String(value);
  switch (value.type) {
    case "string":
      return value.text;
    case "bytes":
      return bytesText(value.bytes);
    case "int32":
      return String(value.value);
    case "pointer":
      return `0x${value.address.toString(16)}`;
    case "nan":
    case "bool":
      return `bits ${value.bits.toString(16)}`;
    default:
      return value.type;
  }
}

function keyText(key) {
  return typeof key === "string" ? key : contentsOf(key) ? `(${typeOf(key)})` : scalarText(key);
}

/** Keys of two types may have the same text: `"1"` and `1`. Those that are arrays have one in the form in which they are stored. */
function keyOf(key, { generation, legacy }) {
  if (typeof key === "string") return `"${key}`;
  const text = contentsOf(key) ? writeDs({ kind: "list", generation, legacy, items: [key] }) : scalarText(key);
  return `${typeOf(key)} ${key?.encoding ?? ""} ${text}`;
}

function contentsOf(value) {
  if (Array.isArray(value)) return new Items(value);
  if (typeof value !== "object" || value === null) return undefined;
  if (value.type === "rows") return new Items(value.rows);
  switch (value.kind) {
    case "map":
      return pairs(value.entries, keyText, (key) => keyOf(key, value));
    case "list":
    case "stack":
    case "queue":
      return new Items(value.items);
    case "priority":
      return new Listed(
        "key",
        value.items.length,
        (i) => `priority ${keyText(value.items[i].priority)}`,
        (i) => value.items[i].value,
        (i, item) => {
          value.items[i].value = item;
        },
        (i) => keyOf(value.items[i].priority, value),
      );
    case "grid": {
      const { width, height, columns } = value;
      return new Listed(
        "key",
        width * height,
        (i) => `${Math.floor(i / height)}, ${i % height}`,
        (i) => columns[Math.floor(i / height)][i % height],
        (i, item) => {
          columns[Math.floor(i / height)][i % height] = item;
        },
      );
    }
    default:
      return undefined;
  }
}

/** What a structure has beside its contents. */
function headOf({ kind, generation = 3, legacy, width, height, head, tail, slots }) {
  const parts = [`generation ${generation}${legacy ? " with legacy values" : ""}`];
  if (kind === "grid") parts.unshift(`${width} × ${height} cells`);
  if (slots) {
    const outside = { kind: "list", generation, legacy, items: [...slots.slice(0, head), ...slots.slice(tail)] };
    parts.push(`slots ${head} to ${tail} of ${slots.length}, outside them ${writeDs(outside).slice(8)}`);
  }
  return parts.join(", ");
}

const EDITABLE = ["number", "string", "bool", "int64", "s32"];

export const ds = {
  contents: contentsOf,

  look(value) {
    const contents = contentsOf(value);
    const type = typeOf(value);
    if (contents) {
      const text = type === "grid" ? `${value.width} × ${value.height} cells` : plural(contents.count, type === "map" ? "entry" : "item");
      return {
        type: type === "array" || type === "rows" ? "array" : "struct",
        title: type === "array" ? undefined : type,
        text: text.replace("entrys", "entries"),
      };
    }
    const text = type === "bytes" ? firstBytesText(value.bytes) : scalarText(value);
    return { type, text: type === "string" ? quoted(text) : text, editable: EDITABLE.includes(type) };
  },

  kind: typeOf,

  title: () => undefined,

  /** For the comparison: a text may be stored in two ways. */
  own: (value) => (isStructure(value) ? headOf(value) : value?.encoding),

  scalarText,

  /** Of a bool that is stored as another double than 0 and 1: any but zero, which may have a sign, is true (formats/ds.md §3). */
  isTrue: (value) => (value?.type === "bool" ? BigInt.asUintN(63, value.bits) !== 0n : undefined),

  /** Whose text is had in parts. */
  bytes: (value) => (value?.type === "bytes" ? value.bytes : undefined),

  parse(value, text, { above }) {
    const type = typeOf(value);
    const parsed = parseScalar(type, text);
    const made =
      typeof value === "object" && value.type !== "bool"
        ? { ...value, ...(type === "s32" ? { value: parsed } : { text: parsed }) }
        : parsed;
    // That of the structure it stands in, which may be one inside another.
    const { generation, legacy } = above.findLast(isStructure);
    writeDs({ kind: "list", generation, legacy, items: [made] });
    return made;
  },
};
