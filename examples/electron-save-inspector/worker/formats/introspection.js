// Object introspection text. The tree shows the nodes of the document; editing changes a node in place, so that its line keeps its form.
import { readIntrospectionAll, TuskError, writeIntrospectionAll } from "tusk-codec";
import { Items, Listed } from "./contents.js";
import { EditError, parseScalar, plural, quoted, shortened } from "./scalars.js";

const UTF8 = { fatal: true, ignoreBOM: true };

/** Where the first character stands that is none in UTF-8; behind the end, where all are. */
function firstFault(bytes) {
  const encoder = new TextEncoder();
  let at = 0;
  const goOn = (count) => {
    try {
      // Without what may be the beginning of a character.
      const text = new TextDecoder("utf-8", UTF8).decode(bytes.subarray(at, at + count), { stream: true });
      at += encoder.encode(text).length;
      return text !== "";
    } catch {
      return false;
    }
  };
  for (let count = bytes.length; count > 0; count = count > 4 ? count >> 1 : count - 1) while (goOn(count));
  return at;
}

function textOf(bytes) {
  let cause;
  try {
    const text = new TextDecoder("utf-8", UTF8).decode(bytes);
    // Where no string can hold it, Chromium's decoder gives an empty one; others throw.
    if (text !== "" || bytes.length === 0) return text;
  } catch (error) {
    cause = error;
  }
  const offset = firstFault(bytes);
  if (offset < bytes.length) throw new TuskError("introspection", "encoding", "the text is not UTF-8", { offset, cause });
  throw new TuskError("introspection", "too-long", `the text of ${bytes.length} bytes is longer than a string may be here`, { cause });
}

export function readIntrospectionSave(bytes) {
  const text = textOf(bytes);
  try {
    return { value: readIntrospectionAll(text), form: "text" };
  } catch (error) {
    // The tutorial's own scripts write some strings in a way that only their mode reads.
    try {
      return { value: readIntrospectionAll(text, { mode: "original" }), form: "text of the original scripts" };
    } catch {
      throw error;
    }
  }
}

export function writeIntrospectionSave({ value }) {
  return new TextEncoder().encode(writeIntrospectionAll(value));
}

/** The elements of a block that is no grid. */
function listOf(node) {
  switch (node.type) {
    case "array":
    case "list":
      return node.items;
    case "map":
      return node.entries;
    case "custom":
      return node.fields;
    case "object":
      return node.object === null ? undefined : node.variables;
    default:
      return undefined;
  }
}

/** A block's children, `{ count, at(i) }`; undefined for a scalar. The cells of a grid stay in their columns: there may be a million. */
function childrenOf(node) {
  if (node.type === "grid") {
    const { width, height, columns } = node;
    return { count: width * height, at: (i) => columns[Math.floor(i / height)][i % height] };
  }
  const list = listOf(node);
  return list && { count: list.length, at: (i) => list[i] };
}

/** `1` and `[1]` are two keys of a map: a text and a number. */
function keyOf({ key }) {
  return typeof key === "object" ? `number ${key.real}` : `${typeof key} ${key}`;
}

function nameOf(node, child, i) {
  if ("name" in child) return child.name;
  if ("key" in child) return typeof child.key === "object" ? child.key.real : String(child.key);
  return node.type === "grid" ? `${Math.floor(i / node.height)}, ${i % node.height}` : String(i);
}

/** The part of a scalar node that is its value. */
function fieldOf(node) {
  if (node.type === "enum") return node.member !== undefined ? "member" : "index";
  return node.type === "asset" ? "asset" : "value";
}

/** Gives a node another value, in place of the one that it has: an enum's may have another field. */
function put(node, content) {
  const field = fieldOf(node);
  if (!Object.hasOwn(content, field)) delete node[field];
  Object.assign(node, content);
}

/** As the file spells it: none is `noone`, which no asset is called, and an enum's number has a `#`, which tells it from a name of digits. */
function scalarText(node) {
  if (node.type === "undefined") return "undefined";
  if (node.type === "object" || node.asset === null) return "noone";
  return node.type === "enum" && node.member === undefined ? `#${node.index}` : String(node[fieldOf(node)]);
}

/** A whole number as a node holds it: in digits where a number has no room for them. */
function wholeNumber(text) {
  const value = parseScalar("int64", text);
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
}

/** What `text` means in a node of this type, as {@link put} takes it. */
const PARSERS = {
  int: (_node, text) => ({ value: wholeNumber(text) }),

  float(_node, text) {
    const value = parseScalar("number", text);
    if (Object.is(value, -0)) return { value: "-0" };
    return { value: Number.isFinite(value) ? value : Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf" };
  },

  bool: (_node, text) => ({ value: parseScalar("bool", text) }),

  string: (_node, text) => ({ value: text }),

  /** A number where it has its `#`, and where one stands; else a member's name. */
  enum(node, text) {
    const number = /^#?([+-]?\d+)$/.exec(text);
    const isNumber = number && (text[0] === "#" || node.member === undefined);
    return isNumber ? { index: wholeNumber(number[1]) } : { member: text };
  },

  asset(_node, text) {
    const name = text.trim();
    if (!/^[A-Za-z_]\w*$/.test(name)) throw new EditError("the name of an asset is expected, or noone");
    return { asset: name === "noone" ? null : name };
  },
};

export const introspection = {
  contents(node) {
    if (Array.isArray(node)) return new Items(node);
    const children = childrenOf(node);
    if (!children) return undefined;
    return new Listed(
      node.type === "object" || node.type === "custom" ? "member" : node.type === "map" || node.type === "grid" ? "key" : "index",
      children.count,
      (i) => nameOf(node, children.at(i), i),
      children.at,
      (i, content) => put(children.at(i), content),
      node.type === "map" ? (i) => keyOf(children.at(i)) : undefined,
    );
  },

  look(node) {
    if (Array.isArray(node)) return { type: "array", text: plural(node.length, "object") };
    const contents = this.contents(node);
    if (contents) {
      if (node.type === "object")
        return { type: "struct", title: node.object, text: `instance ${node.id}`, holds: plural(contents.count, "member") };
      const title = node.type === "custom" ? node.structure : node.type;
      const text = node.type === "grid" ? `${node.width} × ${node.height} cells` : plural(contents.count, "item");
      return { type: node.type === "array" || node.type === "list" ? "array" : "struct", title, text };
    }
    const text = scalarText(node);
    const isText = node.type === "string";
    return {
      type: node.type === "object" ? "undefined" : node.type,
      text: isText ? quoted(text) : shortened(text),
      editable: Object.hasOwn(PARSERS, node.type),
    };
  },

  kind: (node) => (Array.isArray(node) ? "array" : node.type === "object" && node.object === null ? "undefined" : node.type),

  title: (node) => (node.type === "object" ? node.object : node.structure),

  /** What an instance is found by, which is no value inside of it. */
  id: (node) => (node.type === "object" && node.object !== null ? String(node.id) : undefined),

  /** What a node has beside its name, its text and its children, for the comparison. */
  own(node) {
    switch (node.type) {
      case "object":
        return node.id;
      case "grid":
        return `${node.width} × ${node.height}`;
      case "enum":
        // A name may look like a number.
        return node.member === undefined ? "a number" : undefined;
      default:
        return node.kind;
    }
  },

  scalarText,

  /** What `set` puts into the node, and what brings the old value back. */
  current: (node) => ({ [fieldOf(node)]: node[fieldOf(node)] }),

  parse: (node, text) => PARSERS[node.type](node, text),

  checkWhole: true,
};
