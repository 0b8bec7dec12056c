// Scalars as text for rows, and back from what somebody typed. An error says what was expected.

export class EditError extends Error {}

/** Longer texts are cut in rows; the details show them whole. */
const LONGEST = 240;

/** The first `most` characters; one fewer where the last would be half of a pair. */
export function beginning(text, most) {
  const last = text.codePointAt(most - 1);
  return text.slice(0, last > 0xffff ? most - 1 : most);
}

/** `spell`: how the part of it that has room is shown. */
export function shortened(text, spell = String) {
  return text.length > LONGEST ? `${spell(beginning(text, LONGEST))}…` : spell(text);
}

export function quoted(text) {
  return shortened(text, JSON.stringify);
}

export function numberText(value) {
  return Object.is(value, -0) ? "-0" : String(value);
}

/** Of a row. */
const MOST_BYTES = 24;

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Bytes that are put into words at once: an array has no room for those of a large picture. */
const PIECE = 4096;

/** All of them. */
export function bytesText(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += PIECE)
    text += (at === 0 ? "" : " ") + Array.from(bytes.subarray(at, at + PIECE), (byte) => HEX[byte]).join(" ");
  return text;
}

/** The text of bytes in parts, each of which holds what is as long as `length` and begins before the next one. */
export function* bytesTextParts(bytes, length) {
  // Each byte has three characters with the space behind it, which is there when a byte follows.
  const overlap = Math.ceil(length / 3) + 1;
  const piece = Math.max(PIECE, overlap);
  for (let at = 0; at < bytes.length; at += piece) yield bytesText(bytes.subarray(at, at + piece + overlap));
}

/** The first `most` characters of a scalar's text, and how many it has. */
export function firstText(view, value, most) {
  const bytes = view.bytes?.(value);
  if (bytes) return { full: beginning(bytesText(bytes.subarray(0, most)), most), length: Math.max(0, 3 * bytes.length - 1) };
  const text = view.scalarText(value);
  return { full: beginning(text, most), length: text.length };
}

/** Those that have room in a row. */
export function firstBytesText(bytes) {
  const shown = bytesText(bytes.subarray(0, MOST_BYTES));
  return bytes.length > MOST_BYTES ? `${shown} …` : shown;
}

/** Made once: `toLocaleString` finds the rules of the language anew for each number. */
const grouped = new Intl.NumberFormat("en-US");

export function plural(count, noun) {
  return `${grouped.format(count)} ${noun}${count === 1 ? "" : "s"}`;
}

const INTEGERS = {
  u8: [0, 255],
  s8: [-128, 127],
  u16: [0, 65_535],
  s16: [-32_768, 32_767],
  u32: [0, 4_294_967_295],
  s32: [-2_147_483_648, 2_147_483_647],
};

/** Datatypes of numbers that hold fewer than a plain one. */
export const NARROW = new Set([...Object.keys(INTEGERS), "f16", "f32"]);

/** Each digit has one place in it: in a long text that is no number after all, nothing is tried twice. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const NAMED = {
  nan: Number.NaN,
  infinity: Number.POSITIVE_INFINITY,
  "+infinity": Number.POSITIVE_INFINITY,
  "-infinity": Number.NEGATIVE_INFINITY,
  // As introspection text spells them, and shows them.
  inf: Number.POSITIVE_INFINITY,
  "+inf": Number.POSITIVE_INFINITY,
  "-inf": Number.NEGATIVE_INFINITY,
};

/** A number in digits, undefined where there are none. */
function parseDigits(text) {
  if (NUMBER.test(text)) return Number(text);
  if (/^[+-]?0x[\da-f]+$/i.test(text)) return text[0] === "-" ? -Number(text.slice(1)) : Number(text.replace("+", ""));
  return undefined;
}

function parseNumber(type, text) {
  const trimmed = text.trim();
  if (Object.hasOwn(NAMED, trimmed.toLowerCase())) return NAMED[trimmed.toLowerCase()];
  const value = parseDigits(trimmed);
  if (value === undefined) throw new EditError("a number is expected, for example 12, -0.5 or 1e6");
  if (!Number.isFinite(value)) throw tooLarge(trimmed, type);
  return value;
}

/** Infinity is what somebody asks for by that word, not what becomes of digits. */
export function tooLarge(text, type) {
  return new EditError(`${shortened(text)} is more than ${type === "number" || type === "f64" ? "a real" : `an ${type}`} holds`);
}

function parseInteger(text, low, high) {
  const trimmed = text.trim();
  if (!/^[+-]?(?:\d+|0x[\da-f]+)$/i.test(trimmed)) throw new EditError("a whole number is expected");
  const digits = BigInt(trimmed.replace(/^[+-]/, ""));
  const value = trimmed[0] === "-" ? -digits : digits;
  if (value < low || value > high) throw new EditError(`a whole number from ${low} to ${high} is expected`);
  return value;
}

/** The value that `text` means in `type`: number, f32, u8 ... s32, int64, bool, string. */
export function parseScalar(type, text) {
  if (Object.hasOwn(INTEGERS, type)) return Number(parseInteger(text, BigInt(INTEGERS[type][0]), BigInt(INTEGERS[type][1])));
  switch (type) {
    case "number":
    case "f64":
    case "f16":
    case "f32":
      return parseNumber(type, text);
    case "int64":
      return parseInteger(text, -(2n ** 63n), 2n ** 63n - 1n);
    case "bool": {
      const word = text.trim().toLowerCase();
      if (word === "true" || word === "1") return true;
      if (word === "false" || word === "0") return false;
      throw new EditError("true or false is expected");
    }
    case "string":
    case "text":
      return text;
    default:
      throw new EditError(`values of type ${type} cannot be edited`);
  }
}
