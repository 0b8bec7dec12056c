// Which of the two writers is a text by? Where both readings are possible, some lines are the superset's alone (formats/introspection.md §3).
import { INTEGER, readFloat, spellLabel } from "../../introspection/notation.ts";
import { forEachContainer } from "../notation/graph-walk.ts";

/** Types that the original has not. */
const NEW_TYPES: ReadonlySet<unknown> = new Set(["undefined", "asset", "grid", "custom"]);

/** Does the text begin with a quote whose end is the text's? */
function isQuoted(text: string): boolean {
  if (text[0] !== '"') return false;
  let end = 1;
  while (end < text.length && text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
  return end === text.length - 1;
}

/** A label as the superset spells one that cannot stand bare. Original text has any quotes and brackets that a map's key has. */
function isNewLabel(label: string): boolean {
  if (isQuoted(label)) {
    const inner = label.slice(1, -1);
    return inner.includes("\\") || spellLabel(inner) !== inner;
  }
  if (!label.startsWith("[") || !label.endsWith("]")) return false;
  const inner = label.slice(1, -1);
  return inner === "true" || inner === "false" || readFloat(inner) !== undefined;
}

function isNewMember(member: string): boolean {
  return (member[0] === "#" && INTEGER.test(member.slice(1))) || (member[0] === "e" && isQuoted(member.slice(1)));
}

/** Do the JSON mirrors of a text that was read in original mode hold what only the superset writes, taken for text of the original? */
export function looksLikeSuperset(mirrors: readonly unknown[]): boolean {
  let found = false;
  forEachContainer(mirrors, {}, (container) => {
    const { type, object, member, name, key } = container as Record<string, unknown>;
    found ||=
      NEW_TYPES.has(type) ||
      (type === "object" && object === null) ||
      (type === "enum" && typeof member === "string" && isNewMember(member)) ||
      [name, key].some((label) => typeof label === "string" && isNewLabel(label));
  });
  return found;
}
