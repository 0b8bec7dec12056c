// How single values and labels are spelled (formats/introspection.md §2 and §3), both ways. Writing functions are named `spell…`;
// reading ones `read…`. Both take the place that an error names.

import type { ErrorPlace } from "../errors.ts";
import type { BlockNode, IntrospectionInteger, IntrospectionKey, IntrospectionNode, IntrospectionReal, ScalarNode } from "./document.ts";
import { cellAt, labelOf } from "./document.ts";
import { fail, textOf } from "./failure.ts";

/** `superset` (§3) or `original` (§2): in the original, quotes, brackets, `e` and `#` stand for themselves. */
export type Mode = "superset" | "original";
/** `fixed`: five decimals; `exact`: five decimals where they read back to the same double, else the shortest form that does. */
export type Floats = "fixed" | "exact";

/** NAME of the grammar. */
export const NAME = /^[A-Za-z_]\w*$/;
/** INTEGER of the grammar. */
export const INTEGER = /^-?\d+$/;
/** JSON may hold anything where a name belongs, and a pattern would take it for its text. */
const isName = (name: unknown) => typeof name === "string" && NAME.test(name);
const ASSET = /^([A-Za-z_]\w*) ([A-Za-z_]\w*)$/;
const FLOAT = /^(-?(\d+(\.\d+)?([eE][-+]?\d+)?|Infinity)|NaN)$/;
// Anything but tab of the control characters, and unpaired surrogates, which UTF-8 cannot hold.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the rule is about control characters
const ESCAPE_STRING = /[\0-\x08\n-\x1f\p{Cs}]/u;
/** What a label or an enum's member has to be quoted for: that it is empty, a space or a tab at one of its ends, what needs an escape. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the rule is about control characters
const NOT_BARE = /^( |$)| $|[\0-\x1f\x7f\p{Cs}]/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the rule is about control characters
const ESCAPED = /[\0-\x1f"\\\x7f\p{Cs}]/gu;
/** What has an escape of one letter, and the letters. */
const ESCAPABLE = '\\"\n\r\t';
const LETTERS = '\\"nrt';

// ---- numbers

/** The double of a mirror's real, or undefined for anything else. */
export function numberOfReal(real: unknown): number | undefined {
  switch (real) {
    case "nan":
      return Number.NaN;
    case "inf":
      return Number.POSITIVE_INFINITY;
    case "-inf":
      return Number.NEGATIVE_INFINITY;
    case "-0":
      return -0;
    default:
      return typeof real === "number" ? real : undefined;
  }
}

/** A double as the mirror holds it. */
export function realOfNumber(value: number): IntrospectionReal {
  if (Number.isFinite(value)) return Object.is(value, -0) ? "-0" : value;
  return Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

/** §3 "Floats". Five decimals round to nearest, exact halves away from zero, which is what `toFixed` does. */
function spellFloat(value: number, floats: Floats): string {
  if (!Number.isFinite(value)) return realOfNumber(value) as string;
  const fixed = Object.is(value, -0) ? "-0.00000" : value.toFixed(5);
  return floats === "exact" && Number(fixed) !== value ? String(value) : fixed;
}

/** FLOAT of the grammar. */
export function readFloat(text: string): number | undefined {
  return FLOAT.test(text) ? Number(text) : numberOfReal(text);
}

/** Plain digits as a number up to 2^53, normalised digits beyond (§4). Linear in the number of digits. */
export function readInteger(text: string): IntrospectionInteger {
  const digits = text.replace(/^(-?)0+(?=\d)/, "$1");
  const value = Number(digits);
  // Of the digits that a double at 2^53 may stand for, one text is its own.
  return digits.length < 16 || (Math.abs(value) <= 2 ** 53 && String(value) === digits) ? value + 0 : digits;
}

/** Plain digits whatever the size; undefined if the value is not whole. */
export function spellInteger(value: unknown): string | undefined {
  if (typeof value === "number" && Number.isInteger(value)) return Number.isSafeInteger(value) ? String(value + 0) : String(BigInt(value));
  return typeof value === "string" && INTEGER.test(value) ? String(readInteger(value)) : undefined;
}

// ---- strings and labels

/**
 * What is replaced at once in a long text, no escape and no pair parted: V8 keeps an array for each match of one replacement, 50 times the bytes of an
 * escape, and the process ends where it finds some 67 million.
 */
const PIECE = /(\\u.{4}|\\?.){1,4096}/gsu;
const replaceAll = (text: string, pattern: RegExp, by: (...match: string[]) => string): string =>
  text.length < 1e4 ? text.replace(pattern, by) : text.replace(PIECE, (piece) => piece.replace(pattern, by));

function quote(text: string): string {
  const escaped = replaceAll(
    text,
    ESCAPED,
    (character) =>
      "\\" + (LETTERS[ESCAPABLE.indexOf(character)] ?? "u" + character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")),
  );
  return `"${escaped}"`;
}

/** The text between the quotes of an escaped form. Hex digits are upper case, and any other sequence is an error (§3 "Strings"). */
function unescapeText(text: string, place: ErrorPlace): string {
  return replaceAll(text, /\\(["\\nrt]|u[0-9A-F]{4})|["\\]/g, (all, sequence) =>
    sequence
      ? (ESCAPABLE[LETTERS.indexOf(sequence)] ?? String.fromCharCode(Number("0x" + sequence.slice(1))))
      : fail("bad-escape", all === '"' ? "a quote must be escaped" : "unknown escape", place),
  );
}

/** The `e"..."` form. */
function readEscaped(text: string, place: ErrorPlace): string {
  if (text.length < 3 || !text.endsWith('"')) fail("bad-string", "expected text between quotes", place);
  return unescapeText(text.slice(2, -1), place);
}

/** A variable's or field's name, or a string key: bare where it can be read back, else quoted (§3 "Labels"). */
export function spellLabel(label: string): string {
  // With its own ` : ` behind it, too, it ends at the first.
  return NOT_BARE.test(label) || /^["[]| :( |$)/.test(label) ? quote(label) : label;
}

/** A map's key; keys that are not strings stand in brackets. Undefined for what is no key. */
export function spellKey(key: unknown): string | undefined {
  const plain = plainKey(key);
  if (typeof plain === "string") return spellLabel(plain);
  return plain === undefined ? plain : `[${typeof plain === "number" ? realOfNumber(plain) : plain}]`;
}

/** A map's key as a Map has it. Undefined for what is no key. */
export function plainKey(key: unknown): string | number | boolean | undefined {
  const plain: unknown = typeof key === "object" ? numberOfReal((key as { real?: unknown } | null)?.real) : key;
  return typeof plain === "string" || typeof plain === "number" || typeof plain === "boolean" ? plain : undefined;
}

/** A number as a map's key. */
export function keyOfNumber(value: number): IntrospectionKey {
  const real = realOfNumber(value);
  return typeof real === "number" ? real : { real };
}

/**
 * The label at `start` of a line and where its ` : ` begins (§3 "Labels"). `keys`: bracketed keys are allowed (maps).
 * Throws `bad-entry`, `bad-key` and `bad-escape`.
 */
export function readLabel(line: string, start: number, keys: boolean, place: ErrorPlace): { label: IntrospectionKey; end: number } {
  const first = line.charCodeAt(start);
  let end = line.indexOf(" : ", start);
  if (end < 0) fail("bad-entry", 'expected an entry with " : "', place);
  if (first === 0x22) {
    end = start + 1;
    while (end < line.length && line.charCodeAt(end) !== 0x22) end += line.charCodeAt(end) === 0x5c ? 2 : 1;
    if (!line.startsWith('" : ', end)) fail("bad-key", 'expected a closing quote and " : "', place);
    return { label: unescapeText(line.slice(start + 1, end), place), end: end + 1 };
  }
  const label = line.slice(start, end);
  if (first === 0x5b) {
    const inner = keys && label.endsWith("]") ? label.slice(1, -1) : "";
    if (inner === "true" || inner === "false") return { label: inner === "true", end };
    const value = readFloat(inner) ?? fail("bad-key", "expected a number or bool in brackets", place);
    return { label: keyOfNumber(value), end };
  }
  if (NOT_BARE.test(label)) fail("bad-key", "such a label must be quoted", place);
  return { label, end };
}

// ---- values

/** A label or an enum's member as the original prints it, on one line. */
function spellBare(text: string, place: ErrorPlace | undefined): string {
  return text.includes("\n") ? fail("not-original", "the original has no text for a line break here", place) : text;
}

function spellEnum(member: string, mode: Mode, place: ErrorPlace | undefined): string {
  if (mode === "original") return spellBare(member, place);
  return NOT_BARE.test(member) || /^(#|e")/.test(member) ? "e" + quote(member) : member;
}

/**
 * A value as it stands behind ` : `, of a block its first line. Throws `bad-document` for a node that has no text, `not-original` for one
 * the original has no form for.
 */
export function spellValue(node: IntrospectionNode, floats: Floats, mode: Mode, place?: ErrorPlace): string {
  switch (node.type) {
    case "int": {
      const digits = spellInteger(node.value);
      if (digits !== undefined) return "int = " + digits;
      break;
    }
    case "float": {
      const value = numberOfReal(node.value);
      if (value !== undefined) return "float = " + (mode === "original" && !Number.isFinite(value) ? value : spellFloat(value, floats));
      break;
    }
    case "bool":
      if (typeof node.value === "boolean") return node.value ? "bool = True" : "bool = False";
      break;
    case "string":
      if (typeof node.value !== "string") break;
      return mode === "superset" && ESCAPE_STRING.test(node.value) ? "string = e" + quote(node.value) : `string = "${node.value}"`;
    case "enum": {
      const { member, index } = node;
      if (typeof member === "string" && index === undefined) return "enum = " + spellEnum(member, mode, place);
      const digits = member === undefined ? spellInteger(index) : undefined;
      if (digits === undefined) break;
      if (mode === "original") fail("not-original", "the original has no text for an enum value without a name", place);
      return "enum = #" + digits;
    }
    case "undefined":
      return "undefined = undefined";
    case "asset":
      if (!isName(node.kind) || (node.asset !== null && (!isName(node.asset) || node.asset === "noone"))) break;
      return `asset = ${node.kind} ${node.asset ?? "noone"}`;
    case "object": {
      if (node.object === null) return "object = noone";
      const id = spellInteger(node.id);
      if (isName(node.object) && id !== undefined) return `${node.object} = ${id}`;
      break;
    }
    case "custom":
      if (isName(node.structure)) return "custom = " + node.structure;
      break;
    case "grid":
      return `grid = ${textOf(node.width)}x${textOf(node.height)}`;
    case "map":
    case "array":
    case "list":
      return node.type + " =";
  }
  return fail("bad-document", `no text for the node ${textOf((node as { type: unknown }).type)}`, place);
}

/** An entry as it stands behind its tabs: the label, ` : `, the value. `number` is the child's index, of a grid's cell x * height + y. */
export function spellEntry(
  parent: BlockNode,
  child: IntrospectionNode,
  number: number,
  floats: Floats,
  mode: Mode,
  place?: ErrorPlace,
): string {
  let label: string | undefined;
  switch (parent.type) {
    case "array":
    case "list":
      label = parent.type[0] + number;
      break;
    case "grid":
      label = "g" + cellAt(number, parent.height);
      break;
    default: {
      const key = labelOf(parent, child);
      if (typeof key === "string") label = mode === "original" ? spellBare(key, place) : spellLabel(key);
      else if (mode === "original") fail("not-original", "the original has no text for a key that is no string", place);
      else if (parent.type === "map") label = spellKey(key);
      if (label === undefined) fail("bad-document", "a node lacks its label", place);
    }
  }
  return `${label} : ${spellValue(child, floats, mode, place)}`;
}

/**
 * The scalar `<word> = <body>`, or undefined if it is none: an unknown word, a malformed value, or an object without a block
 * (`oEnemy = 5`). Throws `bad-string` and `bad-escape`.
 */
export function readScalar(word: string, body: string, mode: Mode, place: ErrorPlace): ScalarNode | undefined {
  const escaped = mode === "superset" && body.startsWith('e"');
  switch (word) {
    case "int":
      return INTEGER.test(body) ? { type: word, value: readInteger(body) } : undefined;
    case "float": {
      const value = readFloat(body);
      return value !== undefined ? { type: word, value: realOfNumber(value) } : undefined;
    }
    case "bool":
      return body === "True" || body === "False" ? { type: word, value: body === "True" } : undefined;
    case "string":
      if (escaped) return { type: word, value: readEscaped(body, place) };
      if (body.length < 2 || !body.startsWith('"') || !body.endsWith('"')) fail("bad-string", "expected text between quotes", place);
      return { type: word, value: body.slice(1, -1) };
    case "enum":
      if (escaped) return { type: word, member: readEscaped(body, place) };
      if (mode === "original" || !body.startsWith("#")) return { type: word, member: body };
      return INTEGER.test(body.slice(1)) ? { type: word, index: readInteger(body.slice(1)) } : undefined;
    case "undefined":
      return body === word ? { type: word } : undefined;
    case "object":
      return body === "noone" ? { type: word, object: null } : undefined;
    case "asset": {
      const match = ASSET.exec(body);
      return match !== null ? { type: word, kind: match[1], asset: match[2] === "noone" ? null : match[2] } : undefined;
    }
    default:
      return undefined;
  }
}

/** A line of the writer with the line breaks of the strings it holds (original mode only) as the text ends its lines. */
export function withNewlines(line: string, newline: string | undefined): string {
  return newline === "\r\n" ? line.replaceAll("\n", newline) : line;
}
