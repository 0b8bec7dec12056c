// Value graph -> JSON text, in pieces of bytes: the text may be longer than a string can be, and deeper than a stack.
import { visibleJson } from "../visible.ts";
import { outline } from "./graph-walk.ts";
import { isPlain, notationError, type Primitive, type Vocabulary } from "./vocabulary.ts";

/** Levels that are indented; a graph of 100,000 levels would else be mostly spaces. */
const DEEPEST_INDENT = 32;
/** Characters collected before they become bytes. */
const PIECE = 1 << 16;

interface Frame {
  /** Array, or the struct whose `names` are written. */
  readonly source: unknown[] | Record<string, unknown>;
  readonly names: readonly string[] | undefined;
  readonly count: number;
  at: number;
  readonly close: string;
  /** In front of each item. */
  readonly space: string;
  /** Array: the tag that all items share. */
  readonly of: string | undefined;
}

function numberText(value: number): string {
  if (Number.isFinite(value) && !Object.is(value, -0)) return String(value);
  return `{"$number":"${Object.is(value, -0) ? "-0" : value}"}`;
}

function primitiveText(value: Primitive): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "number":
      return numberText(value);
    case "boolean":
      return String(value);
    case "bigint":
      return `{"$bigint":"${value}"}`;
    case "undefined":
      return `{"$undefined":true}`;
    default:
      if (value === null) return "null";
      throw notationError(`a ${typeof value} has no notation`);
  }
}

/**
 * The document `{ ...head, "root": value, ...tail }`, where members that are undefined are left out. `indent`: spaces per level; 0 writes everything
 * in one line. `onContainer` is told how many containers are written, of how many.
 */
export function* writeNotation(
  head: Record<string, Primitive>,
  root: unknown,
  tail: Record<string, Primitive>,
  vocabulary: Vocabulary,
  indent: number,
  onContainer?: (done: number, total: number) => void,
): Generator<Uint8Array> {
  const { shared, containers } = outline(root, vocabulary);
  const ids = new Map<object, number>();
  const colon = indent > 0 ? ": " : ":";
  const comma = indent > 0 ? ", " : ",";
  const lines: string[] = [];
  const line = (depth: number): string => {
    if (indent === 0) return "";
    const level = Math.min(depth, DEEPEST_INDENT);
    return (lines[level] ??= "\n" + " ".repeat(indent * level));
  };

  let text = "";
  const stack: Frame[] = [];
  let done = 0;

  const leafTag = (value: unknown): string | undefined =>
    typeof value === "object" && value !== null && !Array.isArray(value) ? vocabulary.leaf?.(value)?.[0] : undefined;

  /** Writes a value, or the beginning of a container, whose frame goes on the stack. */
  const begin = (value: unknown): void => {
    if (typeof value !== "object" || value === null) {
      text += primitiveText(value as Primitive);
      return;
    }
    if (value instanceof Uint8Array) {
      text += `{"$bytes":"${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64")}"}`;
      return;
    }
    const leaf = vocabulary.leaf?.(value);
    if (leaf) {
      text += `{"$${leaf[0]}"${colon}${primitiveText(leaf[1])}}`;
      return;
    }
    const known = ids.get(value);
    if (known !== undefined) {
      text += `{"$ref"${colon}${known}}`;
      return;
    }
    let tags = "";
    if (shared.has(value)) {
      ids.set(value, ids.size);
      tags = `"$id"${colon}${ids.size - 1}${comma}`;
    }
    onContainer?.(++done, containers);
    const inner = line(stack.length + 2);
    const outer = line(stack.length + 1);
    if (Array.isArray(value)) {
      const of = value.length > 1 ? leafTag(value[0]) : undefined;
      const common = of !== undefined && value.every((item) => leafTag(item) === of) ? of : undefined;
      if (common) tags += `"$of"${colon}"${common}"${comma}`;
      // Numbers and the like stand in one line.
      const flat = common !== undefined || !value.some((item) => typeof item === "object" && item !== null && leafTag(item) === undefined);
      text += tags ? `{${tags}"$array"${colon}[` : "[";
      const close = (flat || value.length === 0 ? "]" : outer + "]") + (tags ? "}" : "");
      stack.push({ source: value, names: undefined, count: value.length, at: 0, close, space: flat ? " " : inner, of: common });
      return;
    }
    const special = vocabulary.tags?.(value);
    if (special)
      for (const tag of Object.keys(special))
        if (special[tag] !== undefined) tags += `"$${tag}"${colon}${primitiveText(special[tag])}${comma}`;
    if (!special && !isPlain(value)) throw notationError(`an instance of ${value.constructor?.name || "a class"} has no notation`);
    const names = Object.keys(value);
    // Names with a dollar would be taken for tags; inside "$struct" every name is data.
    const wrapped = tags !== "" || names.some((name) => name.charCodeAt(0) === 0x24);
    text += wrapped ? `{${tags}"$struct"${colon}{` : "{";
    const close = (names.length === 0 ? "}" : outer + "}") + (wrapped ? "}" : "");
    stack.push({ source: value as Record<string, unknown>, names, count: names.length, at: 0, close, space: inner, of: undefined });
  };

  text += "{";
  for (const name of Object.keys(head))
    if (head[name] !== undefined) text += `${line(1)}${JSON.stringify(name)}${colon}${primitiveText(head[name])},`;
  text += `${line(1)}"root"${colon}`;
  begin(root);
  while (stack.length > 0) {
    const frame = stack[stack.length - 1];
    const at = frame.at++;
    if (at === frame.count) {
      text += frame.close;
      stack.pop();
    } else {
      if (at > 0) text += ",";
      if (at > 0 || frame.space !== " ") text += indent > 0 ? frame.space : "";
      if (frame.names) {
        const name = frame.names[at];
        text += `${JSON.stringify(name)}${colon}`;
        begin((frame.source as Record<string, unknown>)[name]);
      } else {
        const item = (frame.source as unknown[])[at];
        if (frame.of !== undefined) text += primitiveText(vocabulary.leaf!(item as object)![1]);
        else begin(item);
      }
    }
    if (text.length >= PIECE) {
      yield* visibleJson(text);
      text = "";
    }
  }
  for (const name of Object.keys(tail))
    if (tail[name] !== undefined) text += `,${line(1)}${JSON.stringify(name)}${colon}${primitiveText(tail[name])}`;
  yield* visibleJson(text + line(0) + "}\n");
}
