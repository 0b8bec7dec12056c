// ds_*_write strings.
import { readDs, writeDs, writeDsBytes } from "tusk-codec";
import { Items, Listed, pairs } from "./contents.js";
import { bytesText, firstBytesText, numberText, parseScalar, plural, quoted } from "./scalars.js";

export function readDsSave(bytes) {
  // Files often end in a line break, which belongs to no string.
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] <= 0x20) end--;
  const value = readDs(bytes.subarray(0, end), { bools: "exact", nested: true });
  return { value, release: `generation ${value.generation ?? 3}`, form: value.kind, after: bytes.slice(end) };
}

export function writeDsSave({ value, after }) {
  const text = writeDsBytes(value);
  const whole = new Uint8Array(text.length + after.length);
  whole.set(text);
  whole.set(after, text.length);
  return whole;
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
      return { int32: "s32", rows: "rows", bool: "bool" }[value.type] ?? value.type;
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

function contentsOf(value) {
  if (Array.isArray(value)) return new Items(value);
  if (typeof value !== "object" || value === null) return undefined;
  if (value.type === "rows") return new Items(value.rows);
  switch (value.kind) {
    case "map":
      return pairs(value.entries, keyText);
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

  scalarText,

  parse(value, text, save) {
    const type = typeOf(value);
    const parsed = parseScalar(type, text);
    const made =
      typeof value === "object" && value.type !== "bool"
        ? { ...value, ...(type === "s32" ? { value: parsed } : { text: parsed }) }
        : parsed;
    const { generation, legacy } = save.value;
    writeDs({ kind: "list", generation, legacy, items: [made] });
    return made;
  },
};
