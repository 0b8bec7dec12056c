// Schemas from a JSON file: constructors by name, the same literals as in GML.
import { FORCE_VERSION, VERBOSE_EXCLUDE, VERSION_VERBOSE } from "tusk-codec";

/** Keys by the names that they have in GML. */
const MACROS = new Map([
  ["ELEPHANT_FORCE_VERSION", FORCE_VERSION],
  ["ELEPHANT_VERBOSE_EXCLUDE", VERBOSE_EXCLUDE],
  ["ELEPHANT_VERSION_VERBOSE", VERSION_VERBOSE],
]);

const isLiteral = (json) => typeof json === "object" && json !== null && !Array.isArray(json);

/** A schema with its versions: `depth` 1; a version: 0. What is none is left to the codec, which says what is wrong with it. */
function fromGml(literal, depth) {
  if (typeof literal === "string") return literal.replace(/^buffer_/, "");
  if (!isLiteral(literal) || depth < 0) return literal;
  return Object.fromEntries(Object.entries(literal).map(([key, value]) => [MACROS.get(key) ?? key, fromGml(value, depth - 1)]));
}

/** The schemas as the codec takes them; `u8` may be called `buffer_u8` in the file. */
export function elephantSchemas(json) {
  if (!isLiteral(json)) return json;
  return Object.fromEntries(Object.entries(json).map(([name, schema]) => [name, fromGml(schema, 1)]));
}
