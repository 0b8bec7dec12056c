// Counts, texts, names and paths for people.
import { step } from "../graph/path.ts";
import { endsOf, escaped } from "./visible.ts";

/** `1,204 structs`. */
export function countText(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}

/** Characters that are shown of a text. */
const LONGEST = 60;

/** Where an excerpt of `length` begins that shows what is at `index`, with a third of it before. */
export function excerptStart(index: number, length: number): number {
  return index < length - (length >> 2) ? 0 : index - Math.floor(length / 3);
}

/** `at`, or the place before it where a pair of surrogates would be parted. */
function wholeFrom(text: string, at: number): number {
  return /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(Math.max(at - 1, 0), at + 1)) ? at - 1 : at;
}

/** In quotes. Of a long text a part, the beginning or what is around `index`. */
export function quoted(text: string, index = 0): string {
  if (text.length <= LONGEST) return JSON.stringify(text);
  const start = wholeFrom(text, excerptStart(index, LONGEST));
  const end = wholeFrom(text, start + LONGEST);
  const shown = `${start > 0 ? "…" : ""}${JSON.stringify(text.slice(start, end))}${end < text.length ? "…" : ""}`;
  return `${shown} (${countText(text.length, "character")}${start > 0 ? `, differs at index ${index}` : ""})`;
}

/** What stands in the place of a constructor's name, and names with what could be a note behind them, or an escape. A number may follow (`object 5`). */
const MISTAKABLE = /^(?:struct|array|object|)$|["()\\]| (?!\d+$)/;
/** What looks like a space, or like nothing; also halves of pairs of surrogates, which all become U+FFFD on their way. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]|[^\P{Z} ]/gu;
/** But what joins two pictures, or gives one its colours, is seen. */
const IN_PICTURE =
  /(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=\p{Extended_Pictographic})|(?<=(?!\p{Emoji_Presentation})\p{Extended_Pictographic})\ufe0f/u;
const UNSEEN_IN_MEMBER = new RegExp(`(?!${IN_PICTURE.source})(?:${UNSEEN.source})`, "gu");

/** Names of more characters are cut as texts are: they stand in every line of their container. */
const LONGEST_NAME = 400;

/** The name of a constructor, in quotes where it would be taken for something else. Of a long one what is around `index` is shown. */
export function kindName(name: string, index = 0): string {
  if (name.length > LONGEST_NAME) return quoted(name, index);
  return distinct(MISTAKABLE.test(name) ? JSON.stringify(name) : name);
}

/** Two names of constructors; different ones are told apart. */
export function kindNames(left: string, right: string): [string, string] {
  if (left === right) return [kindName(left), kindName(right)];
  const index = commonLength(left, right);
  return toldApart(kindName(left, index), kindName(right, index));
}

/** How far two texts, or two pieces of bytes, are the same. */
export function commonLength(left: ArrayLike<unknown>, right: ArrayLike<unknown>): number {
  let index = 0;
  while (index < left.length && index < right.length && left[index] === right[index]) index++;
  return index;
}

/** With escapes for what cannot be seen. */
function seen(text: string, unseen = UNSEEN): string {
  return text.replace(unseen, (character) => character.replace(/./gs, escaped));
}

const NOT_ASCII = /[^ -~]/g;
/** Letters with marks, and parts of Korean syllables. */
const IN_PARTS = /.[\p{M}\u1160-\u11ff]+/gsu;

/** The same of a name: also for what looks like a single character, or another one, and is that in other names. */
function distinct(name: string, unseen = UNSEEN): string {
  return seen(name, unseen)
    .replace(IN_PARTS, (parts) => (parts.normalize().length < parts.length ? seen(parts, NOT_ASCII) : parts))
    .replace(/[^ -~]/gu, (character) => (character.normalize() === character ? character : seen(character, NOT_ASCII)));
}

/** The same in a list of constructors, where it stands for nothing else than an escape. */
export function listedName(name: string): string {
  if (name.length > LONGEST_NAME) return quoted(name);
  return distinct(name.includes("\\") ? JSON.stringify(name) : name);
}

/** A key that is told beside a path, as names are. */
export function shownKey(text: string): string {
  return distinct(text, UNSEEN_IN_MEMBER);
}

/** What differs, for two lines below each other: with escapes where they would look the same. */
export function toldApart(left: string, right: string): [string, string] {
  const look = (text: string) => text.replace(UNSEEN, "").replaceAll(" ", "").normalize();
  if (look(left) !== look(right)) return [left, right];
  // Accents stand alone or together with their letters.
  const unseen = seen(left).normalize() === seen(right).normalize() ? NOT_ASCII : UNSEEN;
  return [seen(left, unseen), seen(right, unseen)];
}

/** A step of a path, as `--path` takes it unless its name is cut. */
export function shownStep(key: string | number): string {
  if (typeof key === "number") return step(key);
  if (key.length > LONGEST_NAME) return `[${quoted(key)}]`;
  // Nearly all are ASCII.
  const isSeen = !/[^ -~]/.test(key) || distinct(key, UNSEEN_IN_MEMBER) === key;
  return isSeen ? step(key) : `[${distinct(JSON.stringify(key), UNSEEN_IN_MEMBER)}]`;
}

/** Longer paths are shown by their ends, as errors do it: of 10,000 levels each line would else name all those above it. */
const LONGEST_PATH = 400;

/** A path that is shown. What is cut can go on, and is cut again to the ends of the whole. */
export function shownPath(path: string): string {
  return endsOf(path, LONGEST_PATH);
}
