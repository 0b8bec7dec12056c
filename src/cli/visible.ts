// Text from files on its way to a terminal. A save is from a stranger, and a terminal obeys what is printed.

/** Controls (escape sequences begin with one), line separators, and marks that turn the direction of what follows. Tabs do no harm. */
const ACTIVE = /[^\P{Cc}\t]|[\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;
/** What JSON.stringify leaves of them. */
const ACTIVE_IN_JSON = /[\x7f-\x9f\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;

/** Characters that are looked at together: V8 ends the process where one replacement finds some 67 million. */
const SLICE = 1 << 20;

/** Longer messages are told by their ends: a name in one may be as long as a save. */
const LONGEST_MESSAGE = 10_000;

/** A code unit as JSON escapes it. */
export function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** The parts of a text, of so many characters, or one more: no pair of surrogates is parted, since each part may become bytes of its own. */
export function* slicesOf(text: string, size = SLICE): Generator<string> {
  for (let at = 0, end: number; at < text.length; at = end) {
    end = at + size;
    if (end < text.length && /[\ud800-\udbff]/.test(text[end - 1])) end++;
    yield text.slice(at, end);
  }
}

/** `text` in one line that moves and paints nothing: `\u001b[31m` is shown as these characters. */
export function visible(text: string): string {
  return Array.from(slicesOf(text), (slice) => slice.replace(ACTIVE, escaped)).join("");
}

/** What stands on the character before it. */
const NO_COLUMN = /(?!\u00ad)[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]/u;
/** East Asian characters, and pictures but for the halves of flags. Of pictures that are joined to one, terminals make what they like. */
const TWO_COLUMNS =
  /(?![\u{1f1e6}-\u{1f1ff}])[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]/u;

/** How many columns a text without tabs takes on most terminals. */
export function columnsOf(text: string): number {
  if (!/[^ -~]/.test(text)) return text.length;
  let columns = 0;
  for (const character of text) columns += NO_COLUMN.test(character) ? 0 : TWO_COLUMNS.test(character) ? 2 : 1;
  return columns;
}

/** `text`, of more than `most` characters without its middle, as the errors of the codecs do it. */
export function endsOf(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most / 2)} ... ${text.slice(-most / 2)}`;
}

/** The same of what is told to a person, without the middle of a long one. */
export function visibleMessage(text: string): string {
  return visible(endsOf(text, LONGEST_MESSAGE));
}

/** Pieces of a JSON document as bytes: another spelling of the same strings that does nothing to a terminal either. */
export function* visibleJson(text: string): Generator<Uint8Array> {
  for (const slice of slicesOf(text)) yield Buffer.from(slice.replace(ACTIVE_IN_JSON, escaped));
}
